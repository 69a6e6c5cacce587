"""Small shapes that a record must have. A shape is called with a value and a `Report` and writes down every fault.

Shapes compose: ``record({"id": name, "text": both}, {"right": flag})`` demands a mapping with ``id`` and ``text`` and
allows ``right``. A shape never raises, so one pass gathers all faults of a file.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from interview_book.practice.faults import QuestionFault, shown

LANGUAGES = ("ja", "zh-Hant")
#: Of floating point: a whole number in YAML may be longer, and nothing can be computed with it.
LARGEST = sys.float_info.max


@dataclass
class Report:
    """Where we are in the file, and the faults so far."""

    file: str
    question: str = ""
    path: str = ""
    faults: list[QuestionFault] = field(default_factory=list)

    def at(self, step: str | int) -> Report:
        """The same list of faults, one step further down."""
        path = f"{self.path}[{step}]" if isinstance(step, int) else f"{self.path}.{step}".lstrip(".")
        return Report(self.file, self.question, path, self.faults)

    def add(self, rule: str, expected: str, got: object, mend: str) -> None:
        """Write one fault down; ``got`` may be a ready phrase (`Phrase`) or any value."""
        found = str(got) if isinstance(got, Phrase) else shown(got)
        self.faults.append(QuestionFault(self.file, self.question, self.path, rule, expected, found, mend))


class Phrase(str):
    """Words for «got …» that are not to be quoted."""


Shape = Callable[[object, Report], None]


def text(value: object, report: Report) -> None:
    """A non-empty string without spaces around it."""
    if not isinstance(value, str):
        hint = "put it in quotes" if isinstance(value, (int, float, bool)) else "write a text"
        report.add("type", "a text", value, hint)
    elif not value.strip():
        report.add("empty", "a text", value, "write the text or remove the key")


def both(value: object, report: Report) -> None:
    """``{ja: text, zh-Hant: text}``, both always."""
    if not isinstance(value, Mapping):
        report.add("type", "{ja: …, zh-Hant: …}", value, "write the text in both languages")
        return
    for tag in LANGUAGES:
        if tag not in value:
            report.at(tag).add("missing-language", f"a text in {tag}", None, f"write it in {tag}; neither may lack")
        else:
            text(value[tag], report.at(tag))
    for key in value:
        if key not in LANGUAGES:
            report.add("unknown-key", "only ja and zh-Hant", key, "remove it or spell the language ja or zh-Hant")


def matching(pattern: str, what: str) -> Shape:
    """A string that matches ``pattern`` wholly; ``what`` names it for the message."""
    compiled = re.compile(pattern)

    def shape(value: object, report: Report) -> None:
        if not isinstance(value, str) or not compiled.fullmatch(value):
            report.add("form", what, value, f"write {what}")

    return shape


def one_of(*words: str) -> Shape:
    """One of these words."""

    def shape(value: object, report: Report) -> None:
        if value not in words:
            report.add("choice", f"one of {', '.join(words)}", value, "choose one of them")

    return shape


def flag(value: object, report: Report) -> None:
    """true or false."""
    if not isinstance(value, bool):
        report.add("type", "true or false", value, "write true or false")


def whole(low: int, high: int) -> Shape:
    """A whole number of ``low`` … ``high``."""

    def shape(value: object, report: Report) -> None:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            report.add("range", f"a whole number from {low} to {high}", value, "write such a number")

    return shape


def positive(value: object, report: Report) -> None:
    """A finite number above 0."""
    # YAML 1.1 reads 1e-3 as text; it wants 1.0e-3.
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= LARGEST:
        report.add("range", "a number above 0", value, "write it as 0.001 (YAML takes 1e-3 for a text)")


def listing(item: Shape, least: int = 0, most: int | None = None) -> Shape:
    """A list of ``item`` with ``least`` … ``most`` entries."""

    def shape(value: object, report: Report) -> None:
        if not isinstance(value, list):
            report.add("type", "a list", value, "write a list")
            return
        if len(value) < least or (most is not None and len(value) > most):
            span = f"{least} or more" if most is None else f"{least} to {most}"
            report.add("count", f"{span} entries", Phrase(str(len(value))), "add or remove entries")
        for index, entry in enumerate(value):
            item(entry, report.at(index))

    return shape


def table(key: Shape, item: Shape) -> Shape:
    """A mapping of any number of ``key: item``."""

    def shape(value: object, report: Report) -> None:
        if not isinstance(value, Mapping):
            report.add("type", "a mapping", value, "write key: value pairs, or {}")
            return
        for name, entry in value.items():
            key(name, report.at(str(name)))
            item(entry, report.at(str(name)))

    return shape


def record(required: Mapping[str, Shape], optional: Mapping[str, Shape] | None = None) -> Shape:
    """A mapping with all ``required`` keys, perhaps ``optional`` ones, and no other."""
    known = {**required, **(optional or {})}

    def shape(value: object, report: Report) -> None:
        if not isinstance(value, Mapping):
            report.add("type", f"a mapping with {', '.join(required)}", value, "write key: value pairs")
            return
        for name in value:
            if name not in known:
                report.add("unknown-key", f"keys of {', '.join(known)}", name, "remove it or mend its spelling")
        for name in required:
            if name not in value:
                report.add("missing-key", f"the key {name}", Phrase("none"), f"add {name}")
        for name, entry in value.items():
            if name in known:
                known[name](entry, report.at(name))

    return shape


def either(*shapes: tuple[Callable[[object], bool], Shape]) -> Shape:
    """The first shape whose test accepts the value; the last one speaks when none does."""

    def shape(value: object, report: Report) -> None:
        for test, inner in shapes:
            if test(value):
                inner(value, report)
                return
        shapes[-1][1](value, report)

    return shape
