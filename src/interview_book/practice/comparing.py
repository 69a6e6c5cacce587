"""Comparing two expressions at random points, the same ones wherever they are drawn.

The JavaScript twin is `widgets/practice_deck/comparing.js`: same integers, same sums in the same order, same bits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from interview_book.practice.elementary import exp, log, power
from interview_book.practice.grammar import Tree

#: Two different formulas of the grammar agree at one random point about never, so one would nearly do; the others are
#: for formulas that differ by less than the tolerance in a part of the range.
POINTS = 16

#: Rounding in an expression of 200 signs stays below 1e-13 of its value unless terms cancel; 1e-9 leaves four digits
#: for that, and no two formulas that a person could mean are that near to each other.
TOLERANCE = 1e-9

_WORD = 0xFFFFFFFF


def uniform(seed: str, count: int) -> list[float]:
    """``count`` numbers in [0, 1) from the text ``seed``: FNV-1a over its code points, then mulberry32."""
    state = 0x811C9DC5
    for sign in seed:
        state = ((state ^ ord(sign)) * 0x01000193) & _WORD
    drawn = []
    for _ in range(count):
        state = (state + 0x6D2B79F5) & _WORD
        mixed = ((state ^ state >> 15) * (state | 1)) & _WORD
        mixed ^= (mixed + ((mixed ^ mixed >> 7) * (mixed | 61) & _WORD)) & _WORD
        drawn.append((mixed ^ mixed >> 14) / 4294967296)
    return drawn


def points(seed: str, ranges: Iterable[tuple[str, float, float]], count: int = POINTS) -> list[dict[str, float]]:
    """``count`` points in the ranges (name, low, high), always the same for one seed, whatever the order of the names.

    Log-uniform where ``low`` is above 0, so that each power of ten gets its share; else uniform.
    """
    drawn: list[dict[str, float]] = [{} for _ in range(count)]
    for name, low, high in ranges:
        for point, u in zip(drawn, uniform(f"{seed}:{name}", count), strict=True):
            point[name] = exp(log(low) + u * (log(high) - log(low))) if low > 0 else low + u * (high - low)
    return drawn


def evaluate(tree: Tree, point: Mapping[str, float]) -> float:
    """The value of ``tree`` at ``point``; NaN where a step on the way has no real value or none below 1.8e308."""
    if isinstance(tree, float):
        return tree
    if isinstance(tree, str):
        return point[tree]
    parts = [evaluate(part, point) for part in tree[1:]]
    value = math.nan if any(map(math.isnan, parts)) else _STEPS[tree[0]](*parts)
    return value if abs(value) < math.inf else math.nan


_STEPS = {
    "neg": lambda one: -one,
    "sqrt": lambda one: math.sqrt(one) if one >= 0 else math.nan,
    "exp": exp,
    "log": log,
    "+": lambda one, two: one + two,
    "-": lambda one, two: one - two,
    "*": lambda one, two: one * two,
    "/": lambda one, two: one / two if two else math.nan,
    "^": power,
}


def values(tree: Tree, at: Iterable[Mapping[str, float]]) -> list[float]:
    """The values of ``tree`` at each point."""
    return [evaluate(tree, point) for point in at]


def defined(these: Iterable[float]) -> bool:
    """True when at least one of the values is a number."""
    return any(not math.isnan(value) for value in these)


def same(these: Sequence[float], others: Sequence[float]) -> bool:
    """True when the values agree wherever one of the two has a value, and they have one somewhere."""
    pairs = [pair for pair in zip(these, others, strict=True) if not all(map(math.isnan, pair))]
    # A NaN beside a number makes the comparison false.
    return bool(pairs) and all(abs(one - two) <= TOLERANCE * max(abs(one), abs(two)) for one, two in pairs)
