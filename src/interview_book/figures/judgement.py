"""Rows of a verdict table. What was measured is judged by its numbers; nobody hands a verdict in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from interview_book.checks.estimates import Estimate
from interview_book.figures.wording import LANGUAGES, Words, as_words, notes_of

VERDICTS = ("holds", "depends", "fails", "untested")


@dataclass(frozen=True)
class Row:
    """A claim in words, the estimates that test it by the name of their case, and remarks by verdict.

    One estimate has the case "". Made by :func:`row` and :func:`untested`.
    """

    claim: Words
    cases: Mapping[str, Estimate]
    notes: Mapping[str, Words]
    theory: float | None = None

    def verdict(self, false_alarm: float) -> str:
        """Judge: all cases agree with their theory, some do, none does; "untested" where there is none."""
        agreeing = [e.agrees(false_alarm) for e in self.cases.values()]
        if not agreeing:
            return "untested"
        return "holds" if all(agreeing) else "depends" if any(agreeing) else "fails"


def row(
    claim: str | Words,
    measured: Estimate | Mapping[str, Estimate],
    note: Words | Mapping[str, Words] | None = None,
) -> Row:
    """Return a measured row.

    Parameters
    ----------
    claim : a key of words.yml, or {"ja": …, "zh-Hant": …}.
    measured : an Estimate with a theory, or several under symbols that say which case each is, {"ρ = 0": …}; where
        some agree with their theory and some do not, the claim "depends".
    note : a remark {"ja": …, "zh-Hant": …}, or one for each verdict, {"fails": {"ja": …, "zh-Hant": …}}, of which
        the computed verdict chooses. By default what words.yml has under ``notes``.

    Raises
    ------
    TypeError : no Estimate. ValueError : an estimate without theory, no estimate at all, words of one language, an
    unknown verdict, the name of a case in a language.
    """
    cases = dict(measured) if isinstance(measured, Mapping) else {"": measured}
    if not cases:
        raise ValueError(
            "measured: expected at least one Estimate, got none; use untested(...) for what is not measured"
        )
    for name, e in cases.items():
        if not isinstance(e, Estimate):
            raise TypeError(
                f"measured: expected an Estimate, got {type(e).__name__}; try variance_estimate(moments, 64)"
            )
        if e.theory is None:
            raise ValueError("measured: expected an Estimate with a theory to be judged by, got none; give theory=...")
        if any(ord(letter) >= 0x2E80 for letter in name):
            raise ValueError(f"measured: expected cases named by symbols, which both editions show, got {name!r}")
    return Row(as_words("claim", claim), cases, _notes(claim, note))


def untested(claim: str | Words, theory: float | None = None, note: Words | None = None) -> Row:
    """Return a row for what the book has not measured; only this verdict is given by hand."""
    return Row(as_words("claim", claim), {}, _notes(claim, note), theory)


def _notes(claim: str | Words, note: Words | Mapping[str, Words] | None) -> dict[str, Words]:
    if note is None:
        note = notes_of(claim) if isinstance(claim, str) else {}
    elif set(note) & set(LANGUAGES):
        note = dict.fromkeys(VERDICTS, note)
    if unknown := set(note) - set(VERDICTS):
        raise ValueError(f"note: expected words, or words for {', '.join(VERDICTS)}, got {sorted(unknown)}")
    return {verdict: as_words(f"note for {verdict}", one) for verdict, one in note.items()}
