"""Notebooks as data: reading one file, its language halves, its units, and the chapters of the book in order."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interview_book.book.errors import BookError, Fault, Faults
from interview_book.book.languages import LANGUAGES
from interview_book.book.slow import skip_slow_imports
from interview_book.practice.strict_yaml import YamlFault, parse

Cell = Mapping[str, Any]

TAGS: dict[str, str] = {f"lang-{tag}": tag for tag in LANGUAGES}


@dataclass(frozen=True)
class Passage:
    """A Japanese half and the Chinese half right behind it. ``index`` is the place of the first in the notebook."""

    name: str
    ja: Cell
    zh: Cell
    index: int

    def half(self, tag: str) -> Cell:
        """The half of the edition ``tag``."""
        return self.ja if tag == "ja" else self.zh


@dataclass(frozen=True)
class Formula:
    """An untagged Markdown cell: a displayed formula of both editions."""

    cell: Cell
    index: int


@dataclass(frozen=True)
class Code:
    """A code cell, of both editions."""

    cell: Cell
    index: int


Unit = Passage | Formula | Code


def read(path: Path) -> dict[str, Any]:
    """Return a notebook as its JSON says it, keys in the order of the file.

    Raises
    ------
    BookError
        When the file is missing, not UTF-8, not JSON or not nbformat 4.5.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BookError(f"{path}: expected a notebook, found no file. Create it or mend `_toc.yml`.") from None
    except UnicodeDecodeError as error:
        raise BookError(
            f"{path}: expected UTF-8, got byte {error.object[error.start]:#04x} at position {error.start}. "
            "Save the file as UTF-8."
        ) from None
    except (OSError, ValueError) as error:  # a path with a NUL is a ValueError
        reason = getattr(error, "strerror", None) or error
        raise BookError(f"{path}: cannot be read ({reason}). Check that it is a file you may read.") from None
    try:
        notebook = json.loads(text)
    except json.JSONDecodeError as error:
        raise BookError(
            f"{path}: expected JSON, got {error.msg} at line {error.lineno} column {error.colno}. "
            "Mend it by hand or take the last good version from git."
        ) from None
    except (ValueError, RecursionError) as error:
        raise BookError(f"{path}: expected a notebook, got JSON that cannot be read ({error}). Mend it.") from None
    version = (notebook.get("nbformat"), notebook.get("nbformat_minor")) if isinstance(notebook, dict) else None
    if version != (4, 5):
        got = "no notebook" if version is None else "nbformat {}.{}".format(*version)
        raise BookError(f"{path}: expected nbformat 4.5, got {got}. Save it with a current Jupyter.")
    cells = notebook.get("cells")
    if not isinstance(cells, list) or not all(isinstance(cell, dict) and "cell_type" in cell for cell in cells):
        raise BookError(f"{path}: expected a list `cells` of cells with a `cell_type`. Save it with a current Jupyter.")
    _require_types(path, notebook)
    return notebook


def _require_types(path: Path, notebook: dict[str, Any]) -> None:
    """Raise ``BookError`` for a value whose type the notebook format does not know, so that no rule meets one.

    What is missing (an id, a kernel) is left to the rules, which say it with the cell.
    """
    skip_slow_imports()
    from nbformat import validator

    for error in validator.iter_validate(notebook, version=4, version_minor=5, relax_add_props=True):
        place = "/".join(map(str, error.relative_path)) or "the notebook"
        # «oneOf» of a text is «text or lines»; of a cell it may be a missing id, which is a rule of its own.
        text = error.validator == "oneOf" and (place.endswith(("/source", "/text")) or "/data/" in place)
        if text or (error.validator == "type" and not place.endswith("/tags")):
            got = json.dumps(error.instance, ensure_ascii=False)[:60]
            raise BookError(f"{path}: expected what nbformat 4.5 allows at {place}, got {got}. Save it with Jupyter.")


def joined(text: object) -> str:
    """A multi-line string of the notebook format, which may be stored as a list of lines."""
    return "".join(text) if isinstance(text, list) else str(text or "")


def source(cell: Cell) -> str:
    """The cell's source as one string."""
    return joined(cell.get("source"))


def tags(cell: Cell) -> list[str]:
    """The cell's tags."""
    given = (cell.get("metadata") or {}).get("tags") or []
    return [str(tag) for tag in given] if isinstance(given, list) else [str(given)]


def ours(cell: Cell) -> dict[str, Any]:
    """The cell's ``metadata.book``; empty when there is none."""
    found = (cell.get("metadata") or {}).get("book")
    return dict(found) if isinstance(found, Mapping) else {}


def language_of(cell: Cell) -> str | None:
    """The edition a Markdown half belongs to, or None for a cell of both editions."""
    return next((TAGS[tag] for tag in tags(cell) if tag in TAGS), None) if cell.get("cell_type") == "markdown" else None


def passage_name(cell: Cell) -> str:
    """The cell's id without the language a half carries at its end: ``opening-ja`` is ``opening``."""
    name = str(cell.get("id", ""))
    tag = language_of(cell)
    return name.removesuffix(f"-{tag}") if tag else name


def place(cell: Cell, index: int) -> str:
    """How faults name a cell: ``cell 12 (opening-ja)``, counted from 0 as the notebook's list does."""
    return f"cell {index} ({cell.get('id', 'no id')})"


def pairs(notebook: Mapping[str, Any], file: str = "") -> tuple[list[Unit], list[Fault]]:
    """The units of a notebook, and a fault for each half that stands alone."""
    units: list[Unit] = []
    faults: list[Fault] = []
    cells = notebook["cells"]
    names = {tag: one.name for tag, one in LANGUAGES.items()}
    index = 0
    while index < len(cells):
        cell = cells[index]
        tag = language_of(cell)
        follower = cells[index + 1] if index + 1 < len(cells) else None
        if tag == "ja" and follower is not None and language_of(follower) == "zh-Hant":
            units.append(Passage(passage_name(cell), cell, follower, index))
            index += 2
            continue
        if tag is None:
            units.append(Code(cell, index) if cell["cell_type"] == "code" else Formula(cell, index))
        else:
            other, side = ("zh-Hant", "after") if tag == "ja" else ("ja", "before")
            faults.append(
                Fault(
                    file,
                    place(cell, index),
                    "missing-half",
                    f"expected the {names[other]} half (tag lang-{other}) right {side} this {names[tag]} half, "
                    "found another cell or none",
                    f"add a cell with id {passage_name(cell)}-{other} and tag lang-{other}, or move it here",
                )
            )
        index += 1
    return units, faults


def units(notebook: Mapping[str, Any]) -> list[Unit]:
    """The units of a notebook in order; raise ``Faults`` when a half stands alone."""
    found, faults = pairs(notebook)
    if faults:
        raise Faults(faults)
    return found


def contents(root: Path) -> list[str]:
    """The documents of ``_toc.yml`` in order, root first, as it writes them; raise ``BookError`` for a bad one."""
    path = Path(root) / "_toc.yml"
    try:
        toc = parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BookError(f"{path}: expected the table of contents, found no file. Run from the book's root.") from None
    except (OSError, UnicodeDecodeError, YamlFault) as error:
        raise BookError(f"{path}: expected YAML in UTF-8, got {error}. Mend it.") from None
    if not isinstance(toc, dict) or "root" not in toc:
        raise BookError(f"{path}: expected `format: jb-book` and `root: chapters/index`, got neither. Mend it.")
    found = [str(toc["root"])]

    def gather(node: object) -> None:
        for entry in node if isinstance(node, list) else []:
            if isinstance(entry, dict):
                if "file" in entry:
                    found.append(str(entry["file"]))
                for key in ("parts", "chapters", "sections"):
                    gather(entry.get(key))

    gather([{key: toc.get(key) for key in ("parts", "chapters", "sections")}])
    for name in found:
        if "\0" in name or Path(name).is_absolute() or ".." in Path(name).parts:
            raise BookError(f"{path}: expected documents below it, like chapters/index, got {name!r}. Mend it.")
    return found


def chapters(root: Path) -> list[Path]:
    """The notebooks of the book in the order of ``_toc.yml``, whether or not they exist."""
    return [Path(root) / (name if name.endswith(".ipynb") else f"{name}.ipynb") for name in contents(root)]
