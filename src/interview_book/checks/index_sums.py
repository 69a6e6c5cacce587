"""Sums over indices in one normal form, and sums in which indices are all different.

Two sums are equal as soon as their normal forms are: constants stand outside, a sum over indices that nothing links is
a product of sums, and an index has the first free name of :data:`NAMES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations, product
from math import factorial

import sympy
from sympy import Add, Dummy, Expr, Mul, S, Sum, Symbol

Bound = tuple[Symbol, Expr, Expr]
"""An index with its first and last value."""

NAMES = tuple(Symbol(name, integer=True) for name in ["i", "j", "l", "m", "u", "v", "w"])


def partitions(items: Sequence) -> Iterator[list[list]]:
    """Yield every way to split the items into blocks, as lists of blocks: 1, 1, 2, 5, 15, 52 ways for 0 … 5 items."""
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for blocks in partitions(rest):
        yield [[first], *blocks]
        for n, block in enumerate(blocks):
            yield [*blocks[:n], [first, *block], *blocks[n + 1 :]]


def total(summand: Expr, bounds: Sequence[Bound]) -> Expr:
    """Return the sum of ``summand`` over all values of the indices, in normal form.

    ``bounds`` may not depend on one another. An index that does not occur counts: ``Σᵢ 1 = d``.
    """
    result = S.Zero
    for term in Add.make_args(sympy.expand(summand)):
        result += _total_of_term(term, bounds)
    return sympy.expand(result)


def _total_of_term(term: Expr, bounds: Sequence[Bound]) -> Expr:
    outside, groups = [], []  # a group: the indices that some factor links, and the factors
    for factor in Mul.make_args(term):
        indices = {bound[0] for bound in bounds} & factor.free_symbols
        if not indices:
            outside.append(factor)
            continue
        linked = [group for group in groups if group[0] & indices]
        groups = [group for group in groups if not group[0] & indices]
        groups.append((indices.union(*(group[0] for group in linked)), sum((group[1] for group in linked), [factor])))
    used = set().union(*(group[0] for group in groups))
    outside += [last - first + 1 for index, first, last in bounds if index not in used]
    sums = [_named(Mul(*factors), [bound for bound in bounds if bound[0] in indices]) for indices, factors in groups]
    return Mul(*outside, *sums)


def _named(summand: Expr, bounds: list[Bound]) -> Sum:
    """Return the sum with indices named in the one way that is first in the alphabet."""
    inner = {bound[0] for bound in bounds}
    # All symbols and not the free ones alone: the index of a sum inside must not meet ours.
    taken = {symbol.name for symbol in summand.atoms(Symbol) - inner}
    names = [name for name in NAMES if name.name not in taken]
    if len(names) < len(bounds):
        raise ValueError(f"bounds: expected at most {len(names)} linked indices, got {len(bounds)}")
    groups = _by_range(bounds)
    candidates = []
    for orders in product(*(permutations(indices) for indices in groups.values())):
        order = [index for indices in orders for index in indices]
        renamed = summand.xreplace(dict(zip(order, names, strict=False)))
        candidates.append((str(renamed), renamed))
    ranges = [limits for limits, indices in groups.items() for _ in indices]
    best = min(candidates, key=lambda one: one[0])[1]
    return Sum(best, *((name, *limits) for name, limits in zip(names, ranges, strict=False)))


def _by_range(bounds: Sequence[Bound]) -> dict[tuple[Expr, Expr], list[Symbol]]:
    groups: dict[tuple[Expr, Expr], list[Symbol]] = {}
    for index, first, last in sorted(bounds, key=lambda bound: str(bound[1:])):
        groups.setdefault((first, last), []).append(index)
    return groups


def canonical(expression: Expr) -> Expr:
    """Return the expression with every sum in it in normal form; sums whose range depends on an index are left."""
    if not expression.has(Sum):
        return expression
    if isinstance(expression, Sum) and separate(expression.limits):
        return total(canonical(expression.function), expression.limits)
    return expression.func(*(canonical(part) for part in expression.args)) if expression.args else expression


def separate(limits: Sequence[tuple]) -> bool:
    """Say whether every index has a first and a last value and none of them depends on an index."""
    indices = {limit[0] for limit in limits}
    return all(len(limit) == 3 and not indices & (limit[1].free_symbols | limit[2].free_symbols) for limit in limits)


def sum_by_cases(value: Callable[[dict], Expr], bounds: Sequence[Bound], distinct: bool = False) -> Expr:
    """Return the sum of a value that depends on which indices are equal.

    ``value(names)`` gets a name for each index, one name for indices that are equal, and gives the summand for names
    that stand for different numbers. With ``distinct`` no two indices of one range are ever equal.

    The indices of one range are split into blocks in every way. A sum over different numbers is then written as sums
    without that condition (the Möbius function of the partitions: a block of m counts (−1)^(m−1) (m−1)!), so that
    ``Σ_{i≠j} f(i) g(j) = Σ f Σ g − Σ f g``, and ``Σ_{i≠j} 1 = d (d − 1)``.
    """
    groups = _by_range(bounds)
    ways = [[[[index] for index in indices]] if distinct else list(partitions(indices)) for indices in groups.values()]
    result = S.Zero
    for way in product(*ways):
        names: dict[Symbol, Symbol] = {}
        for block in (block for blocks in way for block in blocks):
            names.update(dict.fromkeys(block, Dummy(block[0].name, integer=True)))
        summand = value(names)
        if summand != 0:
            blocks_of = [[names[block[0]] for block in blocks] for blocks in way]
            result += _over_different(summand, list(zip(groups, blocks_of, strict=True)))
    return sympy.expand(result)


def _over_different(summand: Expr, groups: list[tuple[tuple[Expr, Expr], list[Symbol]]]) -> Expr:
    result = S.Zero
    for way in product(*(list(partitions(indices)) for _, indices in groups)):
        sign, merged, bounds = 1, {}, []
        for (limits, _), blocks in zip(groups, way, strict=True):
            for block in blocks:
                sign *= (-1) ** (len(block) - 1) * factorial(len(block) - 1)
                merged.update({index: block[0] for index in block[1:]})
                bounds.append((block[0], *limits))
        result += sign * total(summand.xreplace(merged), bounds)
    return result
