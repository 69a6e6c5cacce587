"""Errors that are written for the person who typed the command."""

from __future__ import annotations

import re
from dataclasses import dataclass


class BookError(Exception):
    """Something the reader or author can mend. The message says what was expected, what was got and what to do."""


@dataclass(frozen=True)
class Fault:
    """One thing wrong with the book's sources.

    Attributes
    ----------
    file : path relative to the book's root, with forward slashes.
    where : ``cell 12 (name-ja)``, ``question two-scores.weights``, ``line 4`` or ``""`` for the whole file.
    rule : short name of the broken rule, for example ``missing-half``.
    message : what was expected and what was found.
    mend : what to do about it.
    """

    file: str
    where: str
    rule: str
    message: str
    mend: str

    def __lt__(self, other: Fault) -> bool:
        """Order by file and place, with cell 2 before cell 10."""
        return self._key() < other._key()

    def _key(self) -> tuple:
        place = tuple((len(n), n, word) for n, word in re.findall(r"([0-9]*)([^0-9]*)", self.where))
        return self.file, place, self.rule, self.message, self.mend

    def __str__(self) -> str:
        place = f"{self.file}: {self.where}" if self.where else self.file
        return f"{place}: [{self.rule}] {self.message}\n    -> {self.mend}"


class Faults(BookError):
    """All faults of a book at once."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = sorted(faults)
        count = len(self.faults)
        super().__init__("\n".join([*map(str, self.faults), f"{count} fault{'s' if count != 1 else ''}"]))
