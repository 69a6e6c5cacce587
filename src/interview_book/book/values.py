"""Named values: what the ``state`` lines of a notebook print, and whether the prose quotes them rightly.

A line ``jacobian.mean = 0.216034`` states every value that is printed so; a literal of the text is right when it is
the rounding of all of them. Intervals are exact fractions, so nothing depends on binary floating point.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from interview_book.book.notebooks import joined, place
from interview_book.book.relations import RelationError, evaluate
from interview_book.book.spans import cut, near


@dataclass(frozen=True)
class Stated:
    """A named value of a committed output.

    Attributes
    ----------
    name : ``jacobian.mean``, ``weights[1]``, ``gap.tail.low``.
    text : the digits as printed.
    low, high : the least and greatest value that is printed so; equal for a whole number without a point, and for a
        truth value, which is 1 or 0.
    unit : the word behind the number, or empty.
    """

    name: str
    text: str
    low: Fraction
    high: Fraction
    unit: str = ""


# ``state`` prints so many significant digits and drops the zeros at their end; estimates keep theirs.
SIGNIFICANT = 6
# No printed number has so many characters or so large an exponent; one that has would take for ever to work out.
LONGEST = 400
_NUMBER = r"[-−]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
_LINE = re.compile(
    r"^(?P<name>[A-Za-z_][\w.-]*) = "
    rf"(?:(?P<list>\[.*\])|(?P<truth>true|false)|(?P<number>{_NUMBER}))(?P<rest>(?: .*)?)$"
)
_FIELD = re.compile(rf"(?P<field>se|theory|z) (?P<value>{_NUMBER})|% \[(?P<low>{_NUMBER}), (?P<high>{_NUMBER})\]")
_UNIT = re.compile(r"^ (?P<unit>[^\s\d\[]\S*)$")


def interval(printed: str, significant: int = 0) -> tuple[Fraction, Fraction]:
    """The least and greatest value that prints as these digits; a whole number without a point is exact.

    Parameters
    ----------
    printed : the digits, with ``-`` or ``−`` and ``e-05`` where they have one.
    significant : at least so many significant digits were meant, zeros at the end being dropped; 0 where none were.
    """
    text = printed.replace("−", "-")
    mantissa, _, exponent = text.partition("e")
    if len(text) > LONGEST or abs(int(exponent or 0)) > LONGEST:
        raise ValueError(f"{text[:40]}… is longer than any number a cell prints")
    middle = Fraction(text)
    if "." not in mantissa and not exponent:
        return middle, middle
    decimals = len(mantissa.partition(".")[2])
    if significant:
        digits = mantissa.lstrip("-").replace(".", "").lstrip("0")
        decimals = max(decimals, decimals + significant - len(digits))
    half = Fraction(1, 2) / 10**decimals * Fraction(10) ** int(exponent or 0)
    return middle - half, middle + half


def _elements(name: str, value: object, unit: str) -> list[Stated]:
    """The elements of a list as the JSON of its digits, ``name[1]`` or ``name[1][0]``."""
    if isinstance(value, list):
        return [one for i, inner in enumerate(value) for one in _elements(f"{name}[{i}]", inner, unit)]
    text = {True: "1", False: "0"}.get(value, value) if isinstance(value, bool) else str(value)
    return [Stated(name, text, *interval(text, SIGNIFICANT), unit)] if re.fullmatch(_NUMBER, text) else []


def read_line(line: str) -> list[Stated]:
    """The values of one printed line; none when it is not a ``state`` line."""
    match = _LINE.match(line.rstrip())
    if not match or len(line) > 50 * LONGEST:
        return []
    try:
        return _read(match)
    except (ValueError, RecursionError):  # digits without end: no line of `state`
        return []


def _read(match: re.Match[str]) -> list[Stated]:
    name, rest = match["name"], match["rest"]
    unit = found["unit"] if (found := _UNIT.match(rest)) else ""
    if match["list"]:
        value = json.loads(match["list"], parse_float=str, parse_int=str, parse_constant=str)
        return _elements(name, value, unit)
    if match["truth"]:
        return _elements(name, match["truth"] == "true", unit)
    fields = list(_FIELD.finditer(rest))
    values = [Stated(name, match["number"], *interval(match["number"], 0 if fields else SIGNIFICANT), unit)]
    for field in fields:
        for key in ("low", "high") if field["low"] else (field["field"],):
            text = field["value"] or field[key]
            values.append(Stated(f"{name}.{key}", text, *interval(text), unit))
    return values


def states(notebook: Mapping[str, Any]) -> tuple[dict[str, Stated], list[tuple[str, str]]]:
    """All named values of the committed outputs, and (cell, message) for each name stated twice with other digits."""
    found: dict[str, Stated] = {}
    twice = []
    for index, cell in enumerate(notebook["cells"]):
        for output in cell.get("outputs") or []:
            if output.get("output_type") != "stream" or output.get("name") != "stdout":
                continue
            for line in joined(output.get("text")).splitlines():
                for value in read_line(line):
                    before = found.setdefault(value.name, value)
                    if before.text != value.text:
                        message = f"{value.name!r} is stated twice, as {before.text} and as {value.text}"
                        twice.append((place(cell, index), message))
    return found, twice


def values_of(notebook: Mapping[str, Any]) -> dict[str, Stated]:
    """All named values of the committed outputs of a notebook."""
    return states(notebook)[0]


def scope(chapters: Mapping[str, Mapping[str, Stated]], own: str | None = None) -> dict[str, Stated]:
    """The names a text may use: ``chapter:name`` of every chapter, and bare names of its ``own`` chapter."""
    found = {f"{slug}:{name}": value for slug, values in chapters.items() for name, value in values.items()}
    return {**found, **(chapters.get(own, {}) if own else {})}


# --- literals in prose ------------------------------------------------------------------------------------------------

_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_LITERAL = re.compile(
    r"(?P<body>[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?(?![0-9])|[0-9]+(?:\.[0-9]+)*)"
    r"(?P<power>×10⁻?[⁰¹²³⁴-⁹]+|⁻?[⁰¹²³⁴-⁹]+)?(?P<percent>%)?"
)
_PART = re.compile(
    r"(?P<sign>[-−]?)(?P<whole>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.(?P<decimals>[0-9]+))?"
    r"(?:×10(?P<exponent>⁻?[⁰¹²³⁴-⁹]+)|(?P<power>⁻?[⁰¹²³⁴-⁹]+))?(?P<percent>%?)"
)
# A minus behind one of these subtracts; elsewhere it is the number's sign.
_OPERAND = re.compile(r"[\w)\]）\ue000-\ue004⁰¹²³⁴-₉ₖ%′°]")
_UNARY = re.compile(r"(?:^|[=<>(\[{,;&~]|\\(?:approx|le|ge|leq|geq|sim|to|pm|quad|qquad|times|cdot))\s*$")


def literals(text: str) -> list[tuple[str, int, int]]:
    """The numbers of a plain text as written, with sign and percent, and where they stand.

    Digits behind a Latin letter or underscore (``fp16``, ``d_2``) belong to a name; ``3.2.1`` is one literal.
    """
    found = []
    for match in _LITERAL.finditer(text):
        start = match.start()
        before = text[start - 1] if start else ""
        if before == "_" or (before.isascii() and before.isalpha()):
            continue
        if before == "−" and not (start > 1 and _OPERAND.match(text[start - 2])):
            start -= 1
        found.append((text[start : match.end()], start, match.end()))
    return found


def _decimals_in_maths(tex: str) -> list[str]:
    """The decimals of a formula; whole numbers in maths need no binding."""
    found = []
    for match in re.finditer(r"[0-9]+(?:\{?,\}?[0-9]{3})*\.[0-9]+", tex):
        before = tex[: match.start()].rstrip()
        negative = before.endswith(("-", "−")) and _UNARY.search(before[:-1])
        found.append(("−" if negative else "") + match[0].replace("{,}", ","))
    return found


def numbers(text: str) -> dict[str, str]:
    """Every literal of a Markdown text that needs a binding, with the place where it first stands.

    Code, link targets, labels, directive options, citation keys, URLs and whole numbers in maths need none.
    """
    found: dict[str, str] = {}
    for span in cut(text):
        if span.kind == "prose":
            for literal, start, end in literals(span.text):
                found.setdefault(literal, near(span.text, start, end))
        elif span.kind in ("math", "display"):
            for literal in _decimals_in_maths(span.text):
                found.setdefault(literal, f"«${span.text.strip()}$»")
    return found


def rounding(literal: str) -> tuple[Fraction, Fraction] | None:
    """The least and greatest value a literal is the rounding of; None when it is no single number."""
    match = _PART.fullmatch(literal) if len(literal) <= LONGEST else None
    raised = [int(match[key].translate(_SUPERSCRIPT)) for key in ("exponent", "power") if match[key]] if match else []
    if not match or any(abs(one) > LONGEST for one in raised):
        return None
    sign = -1 if match["sign"] else 1
    decimals = match["decimals"] or ""
    value = Fraction(f"{match['whole'].replace(',', '')}.{decimals or 0}")
    step = Fraction(1, 10 ** len(decimals))
    if match["exponent"]:
        factor = Fraction(10) ** int(match["exponent"].translate(_SUPERSCRIPT))
        value, step = value * factor, step * factor
    elif match["power"]:
        if value == 0:
            return None
        value = step = value ** int(match["power"].translate(_SUPERSCRIPT))
    if match["percent"]:
        value, step = value / 100, step / 100
    return sign * value - step / 2, sign * value + step / 2


def binding_fault(literal: str, names: str | Iterable[str], stated: Mapping[str, Stated]) -> list[str]:
    """What is wrong with quoting ``literal`` for a name or term (or several, which all round to it)."""
    wide = rounding(literal)
    if wide is None:
        return [f"value {literal!r} is not a number as prose writes it (0.982, 1,024, −3, 14.3%)"]
    low, high = wide
    faults = []
    for name in [names] if isinstance(names, str) else names:
        try:
            value = stated[name] if name in stated else evaluate(name, stated)
        except RelationError as error:
            said = f"is a list; bind one element, {name}[0] to {name}[n]" if f"{name}[0]" in stated else str(error)
            faults.append(f"value {literal!r} is bound to {name!r}: it {said}")
            continue
        shown = stated[name].text if name in stated else f"{float((value.low + value.high) / 2):.9g}"
        if value.high < low or value.low > high:
            faults.append(f"value {literal!r} is not the rounding of {name} = {shown}")
        elif value.low < low or value.high > high:
            faults.append(
                f"value {literal!r} cannot be decided from {name} = {shown}: state more digits or quote fewer"
            )
    return faults


def number_faults(
    texts: Iterable[str],
    values: Mapping[str, str | list[str]],
    allow: Iterable[str],
    stated: Mapping[str, Stated],
) -> list[str]:
    """Every fault of the numbers of some texts that share one set of bindings.

    Parameters
    ----------
    texts : Markdown of a passage, or captions and alt texts, or the fields of a question.
    values : literal as written in the text -> name of a stated value, a term of such names, or a list of them.
    allow : literals that need no binding (counts, years, sections).
    stated : the names that may be used; see ``scope``.
    """
    present: dict[str, str] = {}
    for text in texts:
        for literal, where in numbers(text).items():
            present.setdefault(literal, where)
    allowed = list(allow)
    faults = [
        f"number {literal!r} near {where} is neither bound to a stated value nor on the allow-list"
        for literal, where in present.items()
        if literal not in values and literal not in allowed
    ]
    for literal, names in values.items():
        if literal not in present:
            faults.append(f"value {literal!r} is bound but does not occur in the text")
        else:
            faults += binding_fault(literal, names, stated)
    for entry in allowed:
        if entry not in present:
            faults.append(f"number {entry!r} is on the allow-list but does not occur in the text")
    return faults
