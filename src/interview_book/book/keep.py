"""Write files that their reader may change, and never over a change: a hash remembers what was written last."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from interview_book.book import normal
from interview_book.book.editions import select
from interview_book.book.errors import BookError
from interview_book.book.run import replace

RECORD = ".written.json"
_HASH = re.compile("[0-9a-f]{64}")

_KEPT = {
    "ja": "{file} には手が加わっているので、そのまま残しました。",
    "zh-Hant": "{file} 你改過，所以保持原樣。",
}
_BESIDE = {
    "ja": "{file} には手が加わっているので残し、新しい版を {beside} に置きました。",
    "zh-Hant": "{file} 你改過，所以保持原樣；新版放在 {beside}。",
}


@dataclass
class Report:
    """Which files were written, which were kept because the reader changed them, which were the same already.

    ``beside`` names, for a kept file, the file that holds the new edition.
    """

    written: list[Path] = field(default_factory=list)
    kept: list[Path] = field(default_factory=list)
    unchanged: list[Path] = field(default_factory=list)
    beside: dict[Path, Path] = field(default_factory=dict)

    def sentences(self, tag: str) -> list[str]:
        """Return one sentence for each kept file, in the language ``tag``."""
        return [
            _BESIDE[tag].format(file=file.name, beside=self.beside[file].name)
            if file in self.beside
            else _KEPT[tag].format(file=file.name)
            for file in self.kept
        ]


def fingerprint(notebook: dict, tag: str) -> str:
    """Return a hash of everything in a notebook that a reader may have changed.

    Opening, running and saving it leaves the hash as it is, as long as the outputs come out the same: counts, widget
    views, timing and what the kernel says about itself do not enter.
    """
    # `select` is for its outputs, which running writes in both languages. A cell that the reader has tagged with a
    # language stays: its tags go by another name, under which they still enter the hash.
    cells = []
    for cell in notebook["cells"]:
        metadata = dict(cell.get("metadata", {}))
        if "tags" in metadata:
            metadata["reader_tags"] = metadata.pop("tags")
        cells.append({**cell, "metadata": metadata})
    core = normal.normalise(select({**notebook, "cells": cells}, tag))
    return hashlib.sha256(normal.written(core).encode("utf-8")).hexdigest()


def deliver(file: Path, notebook: dict, tag: str, record: dict[str, str], report: Report) -> None:
    """Write ``notebook`` to ``file``, or beside it if the reader changed the file since it was written last.

    Parameters
    ----------
    record : hash of what was written last, by file name; brought up to date.
    report : gets the outcome.
    """
    new = fingerprint(notebook, tag)
    last = record.get(file.name)
    now = _now(file, tag)
    if now == new:
        record[file.name] = new
        report.unchanged.append(file)
    elif now is None or now == last:
        _put(file, notebook, new, record)
        report.written.append(file)
    else:
        report.kept.append(file)
        if last != new and (beside := _beside(file, notebook, new, tag, record)):
            report.beside[file] = beside


def _beside(file: Path, notebook: dict, new: str, tag: str, record: dict[str, str]) -> Path | None:
    """Write the new edition next to a file that is kept; None if the reader has removed this very edition before."""
    for place in _places(file):
        now, last = _now(place, tag), record.get(place.name)
        if now == new:
            return place
        if now is None and last == new:
            return None
        if now is None or now == last:
            _put(place, notebook, new, record)
            return place
    raise AssertionError("places never end")


def _places(file: Path) -> Iterator[Path]:
    yield file.with_name(f"{file.stem}.new.ipynb")
    number = 2
    while True:
        yield file.with_name(f"{file.stem}.new-{number}.ipynb")
        number += 1


def _now(file: Path, tag: str) -> str | None:
    """Return the hash of what stands in ``file``, None if nothing does; what cannot be read equals nothing."""
    if not file.exists() and not file.is_symlink():
        return None
    try:
        return fingerprint(normal.parse(file), tag)
    except (BookError, KeyError, TypeError, AttributeError, RecursionError):
        return "unreadable"


def _put(file: Path, notebook: dict, new: str, record: dict[str, str]) -> None:
    replace(file, normal.written(notebook).encode("utf-8"))
    record[file.name] = new


def read_record(folder: Path) -> dict[str, str]:
    """Return what was written last; a record that is missing or broken knows nothing, so that every file is kept."""
    try:
        found = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {name: mark for name, mark in found.items() if isinstance(mark, str) and _HASH.fullmatch(mark)}


def write_record(folder: Path, record: dict[str, str]) -> None:
    """Remember what was written last."""
    replace(folder / RECORD, (json.dumps(record, indent=1, sort_keys=True) + "\n").encode("utf-8"))
