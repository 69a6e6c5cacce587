"""Comparisons between named values, decided from their printed digits.

A relation is ``term < term`` with ``<  <=  >  >=  ==``, also chained; a term joins names and plain numbers with
``+ - * / ( )``. Every value is an interval of what its digits allow, so a relation holds, fails, or is undecided.
``==`` holds when the digits of both sides cannot tell them apart. Nothing is ever given to ``eval``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

NAME = r"(?:[a-z0-9]+(?:-[a-z0-9]+)*:)?[A-Za-z_]\w*(?:\.\w+)*(?:\[\d+\])*"
_TOKEN = re.compile(rf"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<name>{NAME})|(?P<sign><=|>=|==|[<>+\-*/()])|(?P<bad>\S))")
_LONGEST, _DEEPEST = 300, 20


class RelationError(ValueError):
    """A relation or term that cannot be read, names nothing, or divides by something that may be zero."""


class Bounded(Protocol):
    """Anything with the least and greatest value its digits allow."""

    low: Fraction
    high: Fraction


@dataclass(frozen=True)
class Interval:
    """All numbers from ``low`` to ``high``, both included."""

    low: Fraction
    high: Fraction

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Interval) -> Interval:
        return Interval(self.low - other.high, self.high - other.low)

    def __mul__(self, other: Interval) -> Interval:
        corners = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(corners), max(corners))

    def __truediv__(self, other: Interval) -> Interval:
        if other.low <= 0 <= other.high:
            raise RelationError("divides by a value that may be zero")
        return self * Interval(1 / other.high, 1 / other.low)


class _Reader:
    """A recursive-descent reader of one relation or term."""

    def __init__(self, text: str, stated: Mapping[str, Bounded]) -> None:
        if len(text) > _LONGEST:
            raise RelationError(f"has {len(text)} characters, more than {_LONGEST}")
        self.tokens = [(match.lastgroup, match[match.lastgroup]) for match in _TOKEN.finditer(text)]
        for kind, token in self.tokens:
            if kind == "bad":
                raise RelationError(f"holds {token!r}; expected names, numbers, + - * / ( ) and < <= > >= ==")
        self.stated, self.at, self.depth = stated, 0, 0

    def peek(self) -> str | None:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else None

    def take(self) -> tuple[str, str]:
        if self.at == len(self.tokens):
            raise RelationError("ends where a name or number was expected")
        self.at += 1
        return self.tokens[self.at - 1]

    def sum(self) -> Interval:
        found = self.product()
        while self.peek() in ("+", "-"):
            found = found + self.product() if self.take()[1] == "+" else found - self.product()
        return found

    def product(self) -> Interval:
        found = self.atom()
        while self.peek() in ("*", "/"):
            found = found * self.atom() if self.take()[1] == "*" else found / self.atom()
        return found

    def atom(self) -> Interval:
        kind, token = self.take()
        if kind == "number":
            return Interval(Fraction(token), Fraction(token))
        if kind == "name":
            if token not in self.stated:
                raise RelationError(f"names {token!r}, which no `state` line of the chapter prints")
            return Interval(self.stated[token].low, self.stated[token].high)
        self.depth += 1
        if self.depth > _DEEPEST:
            raise RelationError(f"is nested deeper than {_DEEPEST}")
        if token == "-":
            found = Interval(Fraction(0), Fraction(0)) - self.atom()
        elif token == "(":
            found = self.sum()
            if self.take()[1] != ")":
                raise RelationError("has a bracket that is not closed")
        else:
            raise RelationError(f"has {token!r} where a name or number was expected")
        self.depth -= 1
        return found


def evaluate(term: str, stated: Mapping[str, Bounded]) -> Interval:
    """The interval of a term without comparison; raise ``RelationError`` for one that cannot be read."""
    reader = _Reader(term, stated)
    found = reader.sum()
    if reader.peek() is not None:
        raise RelationError(f"has {reader.peek()!r} where its end was expected")
    return found


def _holds(left: Interval, sign: str, right: Interval) -> bool | None:
    """Whether the comparison is true, false, or (None) not decided by the digits."""
    if sign == "==":
        return left.low <= right.high and right.low <= left.high
    if sign in (">", ">="):
        left, right, sign = right, left, "<" + sign[1:]
    if sign == "<":
        return True if left.high < right.low else False if left.low >= right.high else None
    return True if left.high <= right.low else False if left.low > right.high else None


def relation_fault(relation: str, stated: Mapping[str, Bounded]) -> str | None:
    """What is wrong with a relation, or None when it holds."""
    try:
        reader = _Reader(relation, stated)
        left = reader.sum()
        if reader.peek() is None:
            raise RelationError("compares nothing; expected one of < <= > >= ==")
        while reader.peek() is not None:
            sign = reader.take()[1]
            if sign not in ("<", "<=", ">", ">=", "=="):
                raise RelationError(f"has {sign!r} where one of < <= > >= == was expected")
            right = reader.sum()
            held = _holds(left, sign, right)
            if held is not True:
                said = "is false" if held is False else "cannot be decided from the printed digits"
                return f"relation {relation!r} {said}: {_shown(left)} {sign} {_shown(right)}"
            left = right
    except RelationError as error:
        return f"relation {relation!r} {error}"
    return None


def names(relation: str) -> set[str]:
    """The names a relation or term mentions."""
    return {match["name"] for match in _TOKEN.finditer(relation) if match["name"]}


def normal(relation: str) -> str:
    """The relation with one spacing, for comparing two halves."""
    return " ".join(match[match.lastgroup] for match in _TOKEN.finditer(relation))


def _shown(interval: Interval) -> str:
    low, high = float(interval.low), float(interval.high)
    return f"{low:.9g}" if low == high else f"[{low:.9g}, {high:.9g}]"
