"""What a rule says before it is known in which file and cell it says it."""

from __future__ import annotations

from dataclasses import dataclass

from interview_book.book.errors import Fault


@dataclass(frozen=True)
class Finding:
    """A broken rule without its place.

    Attributes
    ----------
    rule : short name of the rule, for example ``spacing``.
    message : what was expected and what was found.
    mend : what to do.
    """

    rule: str
    message: str
    mend: str

    def at(self, file: str, where: str) -> Fault:
        """The same as a fault of one file and place."""
        return Fault(file, where, self.rule, self.message, self.mend)
