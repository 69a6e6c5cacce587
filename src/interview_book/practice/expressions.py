"""Reading an expression that a person typed, and comparing it with the right one and with the named mistakes.

The grammar is in `grammar`, the comparison in `comparing`. The JavaScript twin is
`widgets/practice_deck/expressions.js`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache

from interview_book.practice.comparing import defined, points, same, values
from interview_book.practice.grammar import Tree, parse
from interview_book.practice.reading import Judgement, Stop, Unreadable


@dataclass(frozen=True)
class Parsed:
    """An expression was read: its ``tree``, as `grammar` describes it."""

    tree: Tree


def read(typed: str, names: Collection[str]) -> Parsed | Unreadable:
    """Read one expression in the variables ``names``. Never raises, whatever the text."""
    try:
        return Parsed(parse(typed, tuple(names)))
    except Stop as stop:
        return Unreadable(*stop.args)


@dataclass(frozen=True)
class Comparison:
    """The points of a question, and there the values of its answer and of its mistakes."""

    points: tuple[dict[str, float], ...]
    answer: tuple[float, ...]
    mistakes: tuple[tuple[float, ...], ...]


def ranges(variables: Mapping[str, Mapping[str, float]]) -> tuple[tuple[str, float, float], ...]:
    """The variables of a record as (name, low, high)."""
    return tuple((name, float(limits["low"]), float(limits["high"])) for name, limits in variables.items())


@lru_cache(maxsize=64)
def comparison(answer: str, limits: tuple[tuple[str, float, float], ...], mistakes: tuple[str, ...]) -> Comparison:
    """Everything that a typed expression is held against; the points follow from the text of ``answer``.

    ``ValueError`` when the answer or a mistake cannot be read: `expression_rules` reports that for a question file.
    """
    drawn = points(answer, limits)
    names = tuple(name for name, _, _ in limits)

    def at_points(text: str) -> tuple[float, ...]:
        got = read(text, names)
        if isinstance(got, Unreadable):
            raise ValueError(f"expected an expression in {', '.join(names)}, got {text!r} ({got.reason}); mend it")
        return tuple(values(got.tree, drawn))

    return Comparison(tuple(drawn), at_points(answer), tuple(map(at_points, mistakes)))


def judge(typed: str, question: Mapping) -> Judgement:
    """Right, wrong or unreadable; a wrong one that equals a named mistake says which (its place in ``mistakes``).

    Parameters
    ----------
    typed : what a person typed.
    question : a record of kind ``expression``.

    An expression with no value at any point (1/0, the root of a negative number) is unreadable, as such a number is;
    one with no value where the answer has one is wrong.
    """
    limits = ranges(question["variables"])
    right = comparison(question["answer"], limits, tuple(one["expression"] for one in question["mistakes"]))
    got = read(typed, question["variables"])
    if isinstance(got, Unreadable):
        return Judgement("unreadable", reason=got.reason, name=got.name)
    here = values(got.tree, right.points)
    if not defined(here):
        return Judgement("unreadable", reason="undefined")
    if same(here, right.answer):
        return Judgement("right")
    found = [index for index, wrong in enumerate(right.mistakes) if same(here, wrong)]
    return Judgement("wrong", mistake=found[0] if found else None)
