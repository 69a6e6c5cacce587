"""The form of a parametrised item: a grid of parameters, one right answer, named mistakes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

Parameters = Mapping[str, int]
Formula = Callable[[Parameters], float]


@dataclass(frozen=True, eq=False)  # compared and hashed by identity: a family is one object
class Generator:
    """A family of items.

    Attributes
    ----------
    name : as question files write it, ``two-scores.weight``.
    grid : every set of parameters that may be asked, in a fixed order.
    answer : the right value.
    mistakes : name -> the value that a person who makes this mistake gets.
    """

    name: str
    grid: tuple[Parameters, ...]
    answer: Formula
    mistakes: Mapping[str, Formula]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the parameters, which question texts hold as ``<name>``."""
        return tuple(self.grid[0])
