"""What is known of random letters: their moments, one by one or jointly.

A letter is a ``Symbol`` (one variable) or an ``IndexedBase`` (a family ``q[i]``). Each class below gives the moment of
a product of variables of its letters and raises :class:`MomentError` where it was not told one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import prod

import sympy
from sympy import Expr, Indexed, IndexedBase, Matrix, S, Symbol

Letter = Symbol | IndexedBase
Variable = Symbol | Indexed


class MomentError(ValueError):
    """A moment that was not specified, or an expression whose expectation the moments do not determine."""


def letter_of(variable: Variable) -> Letter:
    """Return the family of ``q[i]``, or the variable itself where it has no index."""
    return variable.base if isinstance(variable, Indexed) else variable


def indices_of(variable: Variable) -> tuple[Expr, ...]:
    """Return the indices of ``q[i]``; none for a variable without index."""
    return variable.indices if isinstance(variable, Indexed) else ()


def standard(third: Expr | None = None, fourth: Expr | None = None) -> tuple[Expr, ...]:
    """Return the moments of mean 0 and variance 1; third and fourth are then the skewness and the kurtosis."""
    return _shortened((S.Zero, S.One, third, fourth))


def spread(mean: Expr, deviation: Expr) -> tuple[Expr, ...]:
    """Return the first two moments for a mean and a standard deviation, and no more."""
    return sympy.sympify(mean), mean**2 + deviation**2


def normal(orders: int = 8, deviation: Expr = S.One) -> tuple[Expr, ...]:
    """Return the moments of a normal variable of mean 0: 0, σ², 0, 3σ⁴, 0, 15σ⁶, …"""
    return tuple(S.Zero if n % 2 else sympy.factorial2(n - 1) * deviation**n for n in range(1, orders + 1))


def _shortened(moments: Sequence[Expr | None]) -> tuple[Expr, ...]:
    known = [n for n, moment in enumerate(moments) if moment is not None]
    if any(moments[n] is None for n in range(known[-1])):
        raise ValueError(f"moments: expected no gap below order {known[-1] + 1}, got {tuple(moments)}")
    return tuple(sympy.sympify(moment) for moment in moments[: known[-1] + 1])


def require_possible(letters: tuple, moments: Mapping[tuple[int, ...], Expr]) -> None:
    """Raise ``ValueError`` if SymPy knows that no variables have these moments: some ``E[(Σ c_a x^a)²]`` is below 0.

    ``moments`` maps exponents to moments. Matrices ``E[x^a x^b]`` of up to three powers are tried.
    """
    none = (0,) * len(letters)
    known = {none: S.One} | {powers: sympy.sympify(moment) for powers, moment in moments.items()}
    if known[none] != 1:
        raise ValueError(f"moments: expected 1 for the exponents {none} of {letters}, got {known[none]}")

    def added(a, b):
        return tuple(x + y for x, y in zip(a, b, strict=True))

    roots = [tuple(one // 2 for one in powers) for powers in known if not any(one % 2 for one in powers)]
    for few in (one for size in (1, 2, 3) for one in combinations(roots, size)):
        if all(added(a, b) in known for a, b in combinations(few, 2)):
            minor = Matrix([[known[added(a, b)] for b in few] for a in few]).det()
            if sympy.expand(minor).is_negative:
                given = ", ".join(f"{powers}: {moment}" for powers, moment in known.items())
                raise ValueError(f"moments: expected moments that variables {letters} can have, got {given}")


@lru_cache(maxsize=256)
def _require_possible_powers(letter: Letter, moments: tuple[Expr, ...]) -> None:
    require_possible((letter,), {(n,): moment for n, moment in enumerate(moments, start=1)})


@dataclass(frozen=True)
class Independent:
    """One letter, independent at different indices. ``moments`` are ``E x, E x², …``, or a function of the indices."""

    letter: Letter
    moments: Sequence[Expr] | Callable[..., Sequence[Expr]]

    def __post_init__(self):
        if not callable(self.moments):
            _require_possible_powers(self.letter, tuple(self.moments))

    @property
    def letters(self) -> tuple[Letter, ...]:
        return (self.letter,)

    @property
    def constants(self) -> set[Symbol]:
        return set() if callable(self.moments) else _symbols(self.moments)

    def moment(self, variables: Sequence[Variable]) -> Expr:
        """Return the expectation of the product of the variables, which may repeat."""
        require_one_depth(variables)
        value = S.One
        for variable, order in Counter(variables).items():
            known = self.moments(*indices_of(variable)) if callable(self.moments) else self.moments
            _require_possible_powers(self.letter, tuple(known))
            if order > len(known):
                raise MomentError(
                    f"E[{variable**order}]: the moment of order {order} of {self.letter} is not specified; "
                    f"the law gives orders 1 to {len(known)}; add it to the law, or check which power you meant"
                )
            value *= known[order - 1]
        return value


@dataclass(frozen=True)
class Joint:
    """Several letters that depend on one another at one index, and are independent at different ones.

    ``moments`` maps the exponents to the joint moment: ``{(1, 1): rho, (2, 0): 1, …}`` for the letters ``(q, k)``.
    """

    letters: tuple[Letter, ...]
    moments: Mapping[tuple[int, ...], Expr]

    def __post_init__(self):
        require_possible(self.letters, self.moments)

    @property
    def constants(self) -> set[Symbol]:
        return _symbols(self.moments.values())

    def moment(self, variables: Sequence[Variable]) -> Expr:
        """Return the expectation of the product of the variables, which may repeat."""
        value = S.One
        for group in _by_index(variables):
            count = Counter(letter_of(variable) for variable in group)
            exponents = tuple(count[letter] for letter in self.letters)
            if exponents not in self.moments:
                raise MomentError(
                    f"E[{prod(group)}]: the joint moment with exponents {exponents} of {self.letters} is not "
                    f"specified; the law gives {', '.join(map(str, self.moments))}; add it to the law"
                )
            value *= self.moments[exponents]
        return value


@dataclass(frozen=True)
class Gaussian:
    """Jointly normal letters, independent at different indices; all moments, by Isserlis' theorem.

    ``covariance`` is the matrix of the letters at one index, ``means`` their means (0 if not given).
    """

    letters: tuple[Letter, ...]
    covariance: Matrix
    means: tuple[Expr, ...] | None = None

    def __post_init__(self):
        n = len(self.letters)
        if self.covariance.shape != (n, n) or self.covariance != self.covariance.T:
            raise ValueError(
                f"covariance: expected a symmetric matrix of shape {(n, n)} for the letters {self.letters}, "
                f"got {self.covariance}"
            )
        if self.means is not None and len(self.means) != n:
            raise ValueError(f"means: expected {n} of them, one for each letter, got {self.means}")
        units = [tuple(int(a == b) for b in range(n)) for a in range(n)]
        pairs = {tuple(map(sum, zip(units[a], units[b], strict=True))): self.covariance[a, b]
                 for a in range(n) for b in range(n)}  # fmt: skip
        require_possible(self.letters, pairs)

    @property
    def constants(self) -> set[Symbol]:
        return _symbols([*self.covariance, *(self.means or ())])

    def moment(self, variables: Sequence[Variable]) -> Expr:
        """Return the expectation of the product of the variables, which may repeat."""
        place = {letter: n for n, letter in enumerate(self.letters)}
        means = self.means or (S.Zero,) * len(self.letters)
        value = S.One
        for group in _by_index(variables):
            value *= isserlis(
                tuple(place[letter_of(variable)] for variable in group),
                lambda a: means[a],
                lambda a, b: self.covariance[a, b],
            )
        return value


@dataclass(frozen=True)
class GaussianField:
    """Families that are jointly normal over all their indices: any covariance between any two variables.

    ``covariance(x, y)`` and ``mean(x)`` are functions of variables like ``q[i]``, right also for equal indices.
    """

    letters: tuple[IndexedBase, ...]
    covariance: Callable[[Indexed, Indexed], Expr]
    mean: Callable[[Indexed], Expr] = lambda variable: S.Zero
    constants: frozenset = frozenset()

    def moment(self, variables: Sequence[Variable]) -> Expr:
        """Return the expectation of the product of the variables, which may repeat."""
        return isserlis(tuple(variables), self.mean, self.covariance)


@dataclass(frozen=True)
class Vector:
    """One family with any mean vector and covariance matrix, and nothing known above the second order."""

    letter: IndexedBase
    mean: Callable[[Expr], Expr]
    covariance: Callable[[Expr, Expr], Expr]
    constants: frozenset = frozenset()

    @property
    def letters(self) -> tuple[IndexedBase, ...]:
        return (self.letter,)

    def moment(self, variables: Sequence[Variable]) -> Expr:
        """Return the expectation of the product of one or two variables."""
        if len(variables) > 2:
            raise MomentError(
                f"E[{prod(variables)}]: a moment of order {len(variables)} of {self.letter} is not specified; "
                "the law gives means and covariances; say GaussianField if the family is jointly normal"
            )
        indices = [variable.indices[0] for variable in variables]
        product = prod((self.mean(index) for index in indices), start=S.One)
        return product + self.covariance(*indices) if len(indices) == 2 else product


def isserlis(variables: tuple, mean: Callable, covariance: Callable) -> Expr:
    """Return the expectation of a product of jointly normal variables.

    ``E[x₁ x₂ … xₙ] = E[x₁] E[x₂ … xₙ] + Σ_j Cov(x₁, x_j) E[the rest without x_j]``; for means 0 this is the sum over
    all ways to pair the variables (Isserlis 1918).
    """
    if not variables:
        return S.One
    first, rest = variables[0], variables[1:]
    value = S.Zero
    if (m := mean(first)) != 0:
        value += m * isserlis(rest, mean, covariance)
    for n, other in enumerate(rest):
        if (c := covariance(first, other)) != 0:
            value += c * isserlis(rest[:n] + rest[n + 1 :], mean, covariance)
    return sympy.expand(value)


def require_one_depth(variables: Sequence[Variable]) -> None:
    """Raise ``MomentError`` for variables of one block with different numbers of indices: do they depend on another?"""
    if len({len(indices_of(variable)) for variable in variables}) > 1:
        raise MomentError(f"{', '.join(map(str, variables))}: expected variables of one block with as many indices")


def _by_index(variables: Sequence[Variable]) -> list[list[Variable]]:
    require_one_depth(variables)
    groups: dict[tuple, list[Variable]] = {}
    for variable in variables:
        groups.setdefault(indices_of(variable), []).append(variable)
    return list(groups.values())


def _symbols(expressions) -> set[Symbol]:
    return set().union(*(sympy.sympify(expression).free_symbols for expression in expressions))
