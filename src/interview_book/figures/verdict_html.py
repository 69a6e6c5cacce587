"""The HTML of verdict tables. Every word stands twice, in elements with ``lang``; each edition keeps its own.

A notebook has no stylesheet and no sprite of the book: the halves stand below one another there, labels of the phone
layout are ``hidden``, the strip has no width, and the signs carry their own strokes.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from interview_book.checks.estimates import Estimate
from interview_book.figures.judgement import Row
from interview_book.figures.numerals import decimals_for, exactly, written
from interview_book.figures.wording import LANGUAGES, Words, halves, words

if TYPE_CHECKING:
    from interview_book.figures.verdicts import VerdictTable

# The discs of templates/icons.svg.
ICONS = {
    "holds": '<path d="M12 2.6a9.4 9.4 0 1 1 0 18.8 9.4 9.4 0 0 1 0-18.8z'
    'M7.2 12.3l3.4 3.5 6.2-7.3-1.4-1.2-4.9 5.7-1.9-2z" fill="currentColor" fill-rule="evenodd" stroke="none"/>',
    "depends": '<circle cx="12" cy="12" r="8.4" stroke-width="2"/>'
    '<path d="M12 3.6a8.4 8.4 0 0 0 0 16.8z" fill="currentColor" stroke="none"/>',
    "fails": '<circle cx="12" cy="12" r="8.4" stroke-width="2"/>'
    '<path d="M8.6 8.6l6.8 6.8M15.4 8.6l-6.8 6.8" stroke-width="2.2"/>',
    "untested": '<circle cx="12" cy="12" r="8.4" stroke-width="2" stroke-dasharray="2.2 3.08"/>'
    '<path d="M9.7 9.9c.3-3 4.8-3 4.7-.1 0 1.9-2.4 1.8-2.4 4M12 16.7h.01" stroke-width="1.9"/>',
}
COLUMNS = ("theory", "measured", "interval", "verdict")
# A notebook aligns cells to the right; inline, because it has no stylesheet of ours.
START = ' style="text-align:left"'
# Half the width of a strip in half-intervals, where nothing lies further out.
STRIP = 3.2
ABSENT = '<span class="none">—</span>'


def table(whole: VerdictTable) -> str:
    """Return the table of claims; on a phone the stylesheet makes it a list."""
    percent = _percent(whole)
    body = []
    for one, verdict in zip(whole.rows, whole.verdicts, strict=True):
        body += _claim(one, verdict, whole.share, percent)
    return (
        f'<div class="verdict-table"><table class="verdicts" role="table">{_caption(whole)}'
        f'<thead role="rowgroup"><tr role="row">{_header("claim", percent)}'
        f"{''.join(_header(name, percent) for name in COLUMNS)}</tr></thead>"
        f'<tbody role="rowgroup">{"".join(body)}</tbody></table>{_legend(whole)}</div>'
    )


def grid(whole: VerdictTable) -> str:
    """Return the compact table: a law on a line of its own, its estimates below. It scrolls sideways where it must."""
    percent = _percent(whole)
    body = []
    for one in whole.rows:
        lines = [f'<tr class="law"><th colspan="5" scope="rowgroup"{START}>{halves(one.claim)}</th></tr>']
        for name, e in one.cases.items():
            said = "holds" if e.agrees(whole.share) else "fails"
            cells = [_theory(e.theory, decimals_for(e)), _value(e), _strip(e) + _range(e), _verdict(said)]
            kinds = (' class="num"', ' class="num"', START, START)
            lines.append(
                f'<tr><th class="num" scope="row">{escape(name)}</th>'
                + "".join(f"<td{kind}>{cell}</td>" for kind, cell in zip(kinds, cells, strict=True))
                + "</tr>"
            )
        body.append(f"<tbody>{''.join(lines)}</tbody>")
    heads = ['<th class="num" scope="col"><var>d<sub>k</sub></var></th>']
    heads += [_header(name, percent, roles=False) for name in COLUMNS]
    return (
        f'<div class="verdict-table"><div class="scroll" tabindex="0"><table class="verdict-grid">{_caption(whole)}'
        f"<thead><tr>{''.join(heads)}</tr></thead>{''.join(body)}</table></div>{_legend(whole)}</div>"
    )


def _claim(one: Row, verdict: str, share: float, percent: str) -> list[str]:
    judged = _verdict(verdict) + (halves(one.notes[verdict], "verdict-note") if verdict in one.notes else "")
    if len(one.cases) > 1:
        lines = [
            f'<tr class="cases" role="row"><th colspan="4" role="rowheader" scope="row"{START}>{halves(one.claim)}</th>'
            f"{_cell('verdict', judged, percent)}</tr>"
        ]
        for name, e in one.cases.items():
            said = _verdict("holds" if e.agrees(share) else "fails")
            title = f'<th role="rowheader" scope="row"{START}>{escape(name)}</th>'
            # Named here: a stylesheet that looks for what follows a row (:has) slows every change of the page.
            last = " last" if name == list(one.cases)[-1] else ""
            lines.append(f'<tr class="case{last}" role="row">{title}{_measured(e, said, percent)}</tr>')
        return lines
    title = f'<th role="rowheader" scope="row"{START}>{halves(one.claim)}</th>'
    if one.cases:
        return [f'<tr role="row">{title}{_measured(next(iter(one.cases.values())), judged, percent)}</tr>']
    theory = ABSENT if one.theory is None else _theory(one.theory, 4)
    cells = zip(COLUMNS, (theory, ABSENT, ABSENT, judged), strict=True)
    return [f'<tr role="row">{title}{"".join(_cell(name, cell, percent) for name, cell in cells)}</tr>']


def _measured(e: Estimate, judged: str, percent: str) -> str:
    values = (_theory(e.theory, decimals_for(e)), _value(e), f"<div>{_strip(e)}{_range(e)}</div>", judged)
    return "".join(_cell(name, cell, percent) for name, cell in zip(COLUMNS, values, strict=True))


def _cell(name: str, inner: str, percent: str) -> str:
    label = halves(_title(name, percent), "cell-label", "span", ' aria-hidden="true" hidden')
    kind = ' class="num"' if name in ("theory", "measured") else START
    return f'<td{kind} role="cell">{label}<div class="cell-body">{inner}</div></td>'


def _header(name: str, percent: str, roles: bool = True) -> str:
    kind = ' class="num"' if name in ("theory", "measured") else START
    role = ' role="columnheader"' if roles else ""
    return f'<th{kind}{role} scope="col">{halves(_title(name, percent))}</th>'


def _title(name: str, percent: str) -> Words:
    return words(f"table.{name}", percent=percent)


def _caption(whole: VerdictTable) -> str:
    return f"<caption{START}>{halves(whole.caption)}</caption>"


def _theory(theory: float, decimals: int) -> str:
    return f"<span>{exactly(theory, decimals)}</span>"


def _value(e: Estimate) -> str:
    return f"<span>{written(e.value, decimals_for(e))}</span>"


def _range(e: Estimate) -> str:
    low, high = (written(x, decimals_for(e)) for x in (e.low, e.high))
    return halves({"ja": f"{low}〜{high}", "zh-Hant": f"{low} 到 {high}"}, "range")


def _strip(e: Estimate) -> str:
    """Return the strip: the theory in its middle, the interval where it lies, in units of half an interval."""
    half = max(e.high - e.low, 1e-300) / 2
    furthest = max(abs(e.low - e.theory), abs(e.high - e.theory))
    scale = max(STRIP * half, 1.06 * furthest)
    low, high = (50 + 50 * (end - e.theory) / scale for end in (e.low, e.high))
    if high - low < 3:
        low, high = (low + high) / 2 - 1.5, (low + high) / 2 + 1.5
    return f'<span class="ci" aria-hidden="true" style="--lo:{low:.1f}%;--hi:{high:.1f}%;--at:50%"></span>'


def _verdict(verdict: str) -> str:
    icon = (
        '<svg class="icon" aria-hidden="true" width="14" height="14" viewBox="0 0 24 24" fill="none" '
        f'stroke="currentColor">{ICONS[verdict]}</svg>'
    )
    said = words(f"verdict.{verdict}")
    # The space before the second half parts the two where nothing keeps only one.
    both = f'<span lang="ja">{said["ja"]}</span><span lang="zh-Hant"> {said["zh-Hant"]}</span>'
    return f'<div class="verdict {verdict}">{icon}<span>{both}</span></div>'


def _legend(whole: VerdictTable) -> str:
    """Say what the strip shows and how the verdict was found."""
    estimates = [e for one in whole.rows for e in one.cases.values()]
    if not estimates:
        return ""
    values = {
        "percent": _percent(whole),
        "chance": chance(whole.false_alarm),
        "often": f"{1 / (1 - estimates[0].confidence):.0f}",
    }
    outside = any(e.agrees(whole.share) and not e.low <= e.theory <= e.high for e in estimates)
    keys = ["table.signs", *(["table.outside"] if outside else []), "table.alarm"]
    said = {tag: "".join(words(key, **values)[tag] for key in keys) for tag in LANGUAGES}
    return halves(said, "verdict-legend", "p")


def _percent(whole: VerdictTable) -> str:
    return "95" if whole.confidence is None else f"{100 * whole.confidence:.10g}"


def chance(p: float) -> str:
    """Write a probability as a power of ten where it is one, else as a plain number."""
    mantissa, exponent = f"{p:.0e}".split("e")
    if mantissa == "1" and int(exponent) < -3 and abs(p / float(f"1e{exponent}") - 1) < 1e-9:
        return "10" + exponent.lstrip("-+0").translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")).join(("⁻", ""))
    return f"{p:.10f}".rstrip("0")
