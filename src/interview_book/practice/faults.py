"""Faults of a question file, gathered before anything is said."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class QuestionFault:
    """One thing wrong with one question file.

    Attributes
    ----------
    file : path of the file as it was given.
    question : id of the question, ``question 3`` where it has none, ``""`` for the whole file.
    field : where in the record, for example ``rubric[1].point.ja``; ``""`` for the whole record.
    rule : short name of the broken rule, for example ``missing-language``.
    expected, got : what should stand there and what does.
    mend : what to do.
    """

    file: str
    question: str
    field: str
    rule: str
    expected: str
    got: str
    mend: str

    @property
    def where(self) -> str:
        """Question and field in one phrase."""
        return " ".join(part for part in (self.question, self.field) if part)

    def __str__(self) -> str:
        place = f"{self.file}: {self.where}" if self.where else self.file
        return f"{place}: [{self.rule}] expected {self.expected}, got {self.got}\n    -> {self.mend}"


class QuestionFaults(ValueError):
    """All faults of one question file at once; ``faults`` lists them in the order of the file."""

    def __init__(self, faults: list[QuestionFault]) -> None:
        self.faults = list(faults)
        count = len(self.faults)
        super().__init__("\n".join([*map(str, self.faults), f"{count} fault{'s' if count != 1 else ''}"]))


def shown(value: object, limit: int = 60) -> str:
    """A short ``repr`` of whatever was found, for a message."""
    if value is None:
        return "nothing"
    text = repr(value)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
