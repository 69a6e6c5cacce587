"""What may stand in a cell's and a notebook's metadata; every other key is a fault."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from interview_book.book.findings import Finding
from interview_book.book.languages import LANGUAGES

_RUN = "run `make run`, which takes it out"


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) and one.strip() for one in value)


def _values(value: object) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(literal, str) and (isinstance(name, str) or (_texts(name) and bool(name)))
        for literal, name in value.items()
    )


def _classes(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[a-z][a-z0-9-]*(?: [a-z][a-z0-9-]*)*", value) is not None


_FIELDS: dict[str, tuple[Callable[[object], bool], str]] = {
    "claims": (_texts, 'a list of claim ids, ["example-order-preserved"]'),
    "values": (_values, 'literal -> name, {"0.982": "weights.unscaled[0]"}'),
    "relations": (_texts, 'a list of comparisons, ["a > b"]'),
    "allow": (_texts, 'a list of literals as texts, ["4", "2017"]'),
    "class": (_classes, "class names, hero-text"),
    "figure": (lambda value: isinstance(value, Mapping), "name, caption and alt"),
}
_ALLOWED = {
    "half": ("claims", "values", "relations", "allow", "class"),
    "formula": ("claims", "values", "relations", "allow"),
    "code": ("claims", "values", "relations", "allow", "class", "figure"),
}


def _unknown(key: object, allowed: tuple[str, ...], where: str) -> Finding:
    return Finding(
        "unknown-metadata",
        f"expected only {', '.join(allowed)} in {where}, found {key!r}",
        "mend the spelling or remove the key",
    )


def _figure(figure: Mapping[str, Any]) -> list[Finding]:
    found = []
    name = figure.get("name")
    if not isinstance(name, str) or not re.fullmatch(r"fig-[a-z0-9]+(?:-[a-z0-9]+)*", name):
        message = f"expected a figure name like fig-crossing, found {name!r}"
        found.append(Finding("figure-metadata", message, "give metadata.book.figure.name"))
    for key in figure:
        if key not in ("name", "caption", "alt"):
            found.append(_unknown(key, ("name", "caption", "alt"), "metadata.book.figure"))
    for key in ("caption", "alt"):
        both = figure.get(key)
        texts = both if isinstance(both, Mapping) else {}
        for tag, one in LANGUAGES.items():
            if not isinstance(texts.get(tag), str) or not texts[tag].strip():
                message = f"expected {key} in {one.name} ({tag}), found none"
                found.append(Finding("figure-metadata", message, f"write metadata.book.figure.{key}.{tag}"))
        for tag in texts:
            if tag not in LANGUAGES:
                message = f"expected languages {', '.join(LANGUAGES)} in {key}, found {tag!r}"
                found.append(Finding("unknown-language", message, "mend the tag"))
    return found


def book_findings(book: object, kind: str) -> list[Finding]:
    """What is wrong with ``metadata.book`` of a half, formula or code cell (``kind``)."""
    if not isinstance(book, Mapping):
        return [Finding("unknown-metadata", f"expected metadata.book to be a mapping, found {book!r}", "mend it")]
    found = []
    for key, value in book.items():
        if key not in _ALLOWED[kind]:
            found.append(_unknown(key, _ALLOWED[kind], f"metadata.book of a {kind} cell"))
        elif not _FIELDS[key][0](value):
            message = f"expected metadata.book.{key} as {_FIELDS[key][1]}, found {value!r}"
            found.append(Finding("bad-metadata", message, "mend its form"))
        elif key == "figure":
            found += _figure(value)
    return found


def cell_findings(cell: Mapping[str, Any], kind: str) -> list[Finding]:
    """What is wrong with the metadata of one cell; ``kind`` is half, formula or code."""
    metadata = cell.get("metadata") or {}
    found = []
    for key in metadata:
        if key in ("execution", "ExecuteTime", "papermill"):
            message = f"expected no timing metadata, found {key!r}"
            found.append(Finding("timing-metadata", message, _RUN))
        elif key not in ("tags", "book"):
            found.append(_unknown(key, ("tags", "book"), "a cell's metadata"))
    if "book" in metadata:
        found += book_findings(metadata["book"], kind)
    if "attachments" in cell:
        message = "expected no attachments in a cell, found some"
        found.append(Finding("attachment", message, "draw it in a code cell as SVG"))
    return found


def notebook_findings(notebook: Mapping[str, Any]) -> list[Finding]:
    """What is wrong with the metadata of a notebook: kernel ``python3``, nothing of a machine or a session."""
    metadata = notebook.get("metadata") or {}
    found = []
    kernel = (metadata.get("kernelspec") or {}).get("name")
    if kernel != "python3":
        message = f"expected the kernel python3, found {kernel!r}"
        found.append(Finding("kernel", message, "choose «Python 3 (ipykernel)» or run `make run`"))
    for key in metadata:
        if key == "widgets":
            message = "expected no widget state in a notebook, found metadata.widgets"
            found.append(Finding("widget-state", message, _RUN))
        elif key not in ("kernelspec", "language_info"):
            found.append(_unknown(key, ("kernelspec", "language_info"), "the notebook's metadata"))
    extra = set(metadata.get("language_info") or {}) - {"name"}
    if extra:
        message = f"expected language_info to hold only its name, found {', '.join(sorted(extra))}"
        found.append(Finding("unknown-metadata", message, _RUN))
    return found
