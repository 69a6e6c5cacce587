"""The texts of a question record, field by field, and which of them are said aloud."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from interview_book.practice.shapes import LANGUAGES

# Said aloud; everything else is read.
_SPOKEN = re.compile(
    r"question|answer_30s|answer_2min|samples\.\w+|(?:follow_ups\[\d+\]|push_back|deeper)\.(?:ask|good_answer)"
)


def _walk(value: object, path: str) -> Iterator[tuple[str, Mapping]]:
    if isinstance(value, Mapping):
        if all(isinstance(value.get(tag), str) for tag in LANGUAGES):
            yield path, value
        for key, inner in value.items():
            if key not in LANGUAGES:
                yield from _walk(inner, f"{path}.{key}".lstrip("."))
    elif isinstance(value, (list, tuple)):
        for index, inner in enumerate(value):
            yield from _walk(inner, f"{path}[{index}]")


def texts(question: Mapping, language: str) -> list[tuple[str, str]]:
    """All texts of a question in one language as ``(field, text)``, in the order of the record.

    Fields read like ``rubric[1].point``, ``samples.strong`` (the sample itself), ``samples.strong.why``.
    ``english_first_line``, code and expressions carry no language and are left out.
    """
    return [(path, both[language]) for path, both in _walk(question, "")]


def spoken(question: Mapping, language: str) -> list[tuple[str, str]]:
    """The texts that are said aloud, as ``(field, text)``: none unless the question is an ``explain``."""
    if question["kind"] != "explain":
        return []
    return [(field, text) for field, text in texts(question, language) if _SPOKEN.fullmatch(field)]


def written(question: Mapping, language: str) -> list[tuple[str, str]]:
    """The texts that are read: those of `texts` that are not `spoken`."""
    said = {field for field, _ in spoken(question, language)}
    return [(field, text) for field, text in texts(question, language) if field not in said]
