"""Verdict tables: claims or laws against estimates, as HTML in both languages and as plain text without any."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral

from interview_book.checks.arguments import require_probability
from interview_book.checks.estimates import Estimate
from interview_book.figures import verdict_html
from interview_book.figures.judgement import Row, row
from interview_book.figures.numerals import decimals_for, exactly, written, z_written
from interview_book.figures.wording import LANGUAGES, Words, as_words, words

FALSE_ALARM = 1e-6


@dataclass(frozen=True)
class VerdictTable:
    """Rows under a caption, judged together.

    ``false_alarm`` is the probability, at most, that a table in which every theory is right says "fails" anywhere. It
    is shared out among the estimates (Bonferroni), so that long tables do not cry wolf. It rests on z being normal:
    it is near the truth for many trials of light-tailed numbers, and too small where the tails are heavy.
    """

    rows: Sequence[Row]
    caption: Words
    false_alarm: float = FALSE_ALARM
    compact: bool = False

    @property
    def share(self) -> float:
        """The false-alarm probability of one estimate."""
        return self.false_alarm / max(1, sum(len(one.cases) for one in self.rows))

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The verdict of each row."""
        return tuple(one.verdict(self.share) for one in self.rows)

    @property
    def confidence(self) -> float | None:
        """The one confidence of all intervals; ``None`` where nothing is measured."""
        return next((e.confidence for one in self.rows for e in one.cases.values()), None)

    def _repr_html_(self) -> str:
        return verdict_html.grid(self) if self.compact else verdict_html.table(self)

    def __repr__(self) -> str:
        lines = [f"verdicts: false alarm {self.false_alarm:g}, {self.share:.3g} each"]
        for place, (one, verdict) in enumerate(zip(self.rows, self.verdicts, strict=True), start=1):
            if len(one.cases) != 1 or self.compact:
                theory = "" if one.theory is None else f"  theory {exactly(one.theory, 4)}"
                lines.append(f"{place} {verdict}{theory}")
            for name, e in one.cases.items():
                alone = "" if self.compact or len(one.cases) != 1 else f"{place} "
                said = "holds" if e.agrees(self.share) else "fails"
                lines.append(f"{alone or '  '}{said}  {name + ': ' if name else ''}{numbers(e)}")
        return "\n".join(lines).replace("\u2212", "-")


def numbers(e: Estimate) -> str:
    """Return the numbers of an estimate on a line."""
    d = decimals_for(e)
    value, low, high = (written(x, d) for x in (e.value, e.low, e.high))
    confidence = f"{100 * e.confidence:.10g}%"
    return f"theory {exactly(e.theory, d)}  measured {value}  {confidence} [{low}, {high}]  z {z_written(e)}"


def verdict_table(
    rows: Sequence[Row] | Mapping[str, Estimate | Mapping[str, Estimate]],
    caption: str | Words,
    *,
    false_alarm: float = FALSE_ALARM,
) -> VerdictTable:
    """Return a table of claims.

    Parameters
    ----------
    rows : made by ``row`` and ``untested``; or {key of words.yml: Estimate, or estimates by case}.
    caption : a key of words.yml, or {"ja": …, "zh-Hant": …}.
    false_alarm : the probability that a table of right theories says "fails" anywhere.

    Raises
    ------
    TypeError, ValueError, KeyError : as ``row``; no rows, several confidences, a false_alarm that is no probability.
    """
    if not isinstance(rows, (Mapping, Sequence)):
        raise TypeError(f"rows: expected a list of row(...) or a mapping of claims, got {type(rows).__name__}")
    made = [row(claim, e) for claim, e in rows.items()] if isinstance(rows, Mapping) else list(rows)
    return _checked(made, caption, false_alarm, compact=False)


def verdict_grid(
    measured: Mapping[str, Mapping[int | str, Estimate]],
    caption: str | Words,
    *,
    names: Mapping[str, str | Words] | None = None,
    false_alarm: float = FALSE_ALARM,
) -> VerdictTable:
    """Return a compact table of many estimates: laws, and d_k within each.

    Parameters
    ----------
    measured : law → {d_k: estimate with a theory}; a d_k may be any symbol that both editions show.
    caption : a key of words.yml, or {"ja": …, "zh-Hant": …}.
    names : words for laws that words.yml does not have under ``law.``; "student_t9" there is student_t with its df.
    false_alarm : the probability that a table of right theories says "fails" anywhere.

    Raises
    ------
    TypeError, ValueError, KeyError : as :func:`verdict_table`.
    """
    made = []
    for law, by in _mapping("measured", measured).items():
        said = (names or {}).get(law) or _law(law)
        by = _mapping(f"measured[{law!r}]", by)
        cases = {f"{d:,}" if isinstance(d, Integral) else str(d): e for d, e in by.items()}
        if len(cases) < len(by):
            raise ValueError(
                f"measured[{law!r}]: expected estimates of different names, got {[*by]}, of which two agree"
            )
        made.append(row(said, cases, note={}))
    return _checked(made, caption, false_alarm, compact=True)


def _mapping(name: str, given: object) -> Mapping:
    if not isinstance(given, Mapping):
        raise TypeError(f"{name}: expected a mapping, law → {{d_k: Estimate}}, got {type(given).__name__}")
    return given


def _law(law: str) -> Words:
    if not isinstance(law, str):
        raise TypeError(f"measured: expected laws named by strings such as 'normal', got {law!r}")
    found = re.fullmatch(r"student_t(\d+)", law)
    return words("law.student_t", df=found[1]) if found else words(f"law.{law}")


def _checked(rows: list[Row], caption: str | Words, false_alarm: float, compact: bool) -> VerdictTable:
    require_probability("false_alarm", false_alarm, mend="1e-6")
    for one in rows:
        if not isinstance(one, Row):
            raise TypeError(f"rows: expected what row(...) and untested(...) return, got {type(one).__name__}")
    if not rows:
        raise ValueError("rows: expected at least one, got none")
    confidences = {e.confidence for one in rows for e in one.cases.values()}
    if len(confidences) > 1:
        raise ValueError(f"rows: expected intervals of one confidence, got {sorted(confidences)}")
    said = as_words("caption", caption)
    return VerdictTable(tuple(rows), {tag: said[tag] for tag in LANGUAGES}, false_alarm, compact)
