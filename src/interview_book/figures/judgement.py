"""Rows of a verdict table. What was measured is judged by its numbers; nobody hands a verdict in."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from interview_book.checks.arguments import require_probability, require_real
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
    TypeError : no Estimate, a case that is not named. ValueError : an estimate without theory or without an interval
    of finite numbers, no estimate at all, words of one language, an unknown verdict, the name of a case in a language.
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
        _require_interval(e)
        if not isinstance(name, str):
            raise TypeError(
                f"measured: expected cases named by strings such as 'ρ = 0', got {name!r}; try {str(name)!r}"
            )
        if any(ord(letter) >= 0x2E80 for letter in name):
            raise ValueError(f"measured: expected cases named by symbols, which both editions show, got {name!r}")
    return Row(as_words("claim", claim), cases, _notes(claim, note))


def untested(claim: str | Words, theory: float | None = None, note: Words | None = None) -> Row:
    """Return a row for what the book has not measured; only this verdict is given by hand."""
    if theory is not None:
        require_real("theory", theory)
    return Row(as_words("claim", claim), {}, _notes(claim, note), theory)


def _require_interval(e: Estimate) -> None:
    """Raise for numbers that no verdict follows from: of an interval without ends every theory would hold."""
    require_probability("confidence", e.confidence, mend="0.95")
    require_real("theory", e.theory)
    if not (all(map(math.isfinite, (e.value, e.low, e.high))) and e.low <= e.high):
        raise ValueError(
            f"measured: expected an interval of finite numbers from low to high, got {e.value} in [{e.low}, {e.high}]; "
            "look at how it was estimated, or draw more"
        )


def _notes(claim: str | Words, note: Words | Mapping[str, Words] | None) -> dict[str, Words]:
    if note is None:
        note = notes_of(claim) if isinstance(claim, str) else {}
    elif not isinstance(note, Mapping):
        raise TypeError(f"note: expected words {{'ja': …, 'zh-Hant': …}}, got {note!r}")
    elif set(note) & set(LANGUAGES):
        note = dict.fromkeys(VERDICTS, note)
    if unknown := set(note) - set(VERDICTS):
        raise ValueError(f"note: expected words, or words for {', '.join(VERDICTS)}, got {sorted(unknown)}")
    return {verdict: as_words(f"note for {verdict}", one) for verdict, one in note.items()}
