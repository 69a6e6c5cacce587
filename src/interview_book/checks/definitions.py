"""What a derivation may call by a name, and what it may then assume of the name; where its ranges are no statement."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy
from sympy import Dummy, Expr, Indexed, Symbol

from interview_book.checks.laws import letter_of

if TYPE_CHECKING:
    from interview_book.checks.derivations import Derivation, Step

ASSUMPTIONS = ("real", "integer", "nonzero", "nonnegative", "nonpositive", "positive", "negative")


def closed_ranges(chain: Derivation) -> str | None:
    """Return what is wrong with ranges that fix a letter or tie two of them; ``None`` if each has a freedom of its own.

    ``{x: 1}`` would prove ``x² = x``, and ``{x: y}`` would prove ``x y = y²``.
    """
    if name := next(filter(_random(chain), chain.ranges), None):
        return f"expected ranges of numbers, got one of {name}, which is random by the law or an index of what is"
    used = chain.steps[0].expression.free_symbols
    fresh = [meant.free_symbols - used for meant in map(sympy.sympify, chain.ranges.values())]
    if all(fresh) and len(set().union(*fresh)) >= len(fresh):
        return None
    return f"expected ranges in symbols that the first line does not have, one or more for each, got {chain.ranges}"


def wrong_names(where: Mapping[Symbol, Expr], named: dict[Symbol, Expr], chain: Derivation) -> str | None:
    """Enter definitions into ``named`` and return what is wrong: something random, or a name that is made of itself.

    An index of a random letter counts as random: ``E[q_i q_j]`` is not ``E[q_i²]`` because j may be called i.
    """
    random = _random(chain)
    for name, meant in where.items():
        if random(name) or random(meant):
            return f"{name} or {meant} is random by the law, or an index of what is, and cannot be defined"
        named.setdefault(name, sympy.sympify(meant))
    for name in where:
        if _unfolded(named[name], named).has(*named):
            return f"{name} is defined by means of itself"
    return None


def _random(chain: Derivation) -> Callable[[Expr], bool]:
    """Return whether an expression holds a random letter, or is a symbol that serves as index of one."""
    letters = {letter for block in chain.law.blocks for letter in block.letters} if chain.law else set()
    variables = set().union(*(step.expression.atoms(Indexed) for step in chain.steps))
    indices = {index for one in variables if one.base in letters for index in one.indices}

    def random(e: Expr) -> bool:
        e = sympy.sympify(e)
        return (isinstance(e, Symbol) and e in indices) or any(
            letter_of(one) in letters for one in e.atoms(Symbol, Indexed)
        )

    return random


def _unfolded(e: Expr, named: Mapping[Symbol, Expr]) -> Expr:
    for _ in named:
        e = e.xreplace(named)
    return e


def weaker_names(chain: Derivation) -> dict[Symbol, Symbol]:
    """Return a letter for each defined symbol that assumes more than SymPy knows of its meaning.

    With ``y`` for a real ``x``, a positive ``y`` would prove ``log x² = 2 log x``.
    """
    named = {name: sympy.sympify(meant) for step in chain.steps if step.rule == "define"
             for name, meant in step.where.items()}  # fmt: skip
    used = set(named).union(
        *(e.free_symbols for e in named.values()), *(s.expression.free_symbols for s in chain.steps)
    )
    weaker = {}
    for name in named:
        meant = _unfolded(named[name], named).subs(dict(chain.ranges))
        assumed = [one for one in ASSUMPTIONS if getattr(name, f"is_{one}")]
        if not all(getattr(meant, f"is_{one}") for one in assumed):
            meant = sympy.simplify(meant)
            known = {one: True for one in assumed if getattr(meant, f"is_{one}")}
            if len(known) < len(assumed):
                plain = Symbol(str(name), **known)
                weaker[name] = Dummy(str(name), **known) if plain in used else plain
    return weaker


def renamed(step: Step, names: Mapping[Symbol, Symbol]) -> Step:
    """Return the step with other letters for some names."""
    return replace(
        step,
        expression=step.expression.xreplace(names),
        where={names.get(name, name): sympy.sympify(meant).xreplace(names) for name, meant in step.where.items()},
        factor=None if step.factor is None else step.factor.xreplace(names),
        above=None if step.above is None else step.above.xreplace(names),
    )
