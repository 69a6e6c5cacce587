"""One notebook, one language: the function that every reader of the book goes through.

The site, the downloaded notebooks and ``make lab`` all start from `select`; `edition` adds what only a page needs.
"""

from __future__ import annotations

import copy
import re
from html import escape

from interview_book.book.errors import BookError
from interview_book.book.interface import words
from interview_book.book.languages import LANGUAGES, language
from interview_book.book.onelanguage import keep_language
from interview_book.book.svg import inline

HEADING = re.compile(r"\A\([A-Za-z0-9][\w.-]*\)=\n#{1,6} [^\n]*\n*\Z")
_BEFORE_CITATION = re.compile(r" +(?=\{cite:p)")
_CITED = re.compile(r"(\{cite(?::\w+)?\}`)([^`]+)(?=`)")
_SOURCES = re.compile(r"^(```+\{bibliography\}[^\n]*\n)", re.MULTILINE)
SHARED = re.compile(r"\A\s*```\{(questions|terms|practice)\}[^\n]*\n(?:[^`\n][^\n]*\n)*```\s*\Z")


def _joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)


def _tag(cell: dict) -> str | None:
    """Return the language of a markdown cell, or None for a cell that belongs to both editions."""
    tags = cell.get("metadata", {}).get("tags", [])
    return next((tag for tag in LANGUAGES if f"lang-{tag}" in tags), None)


def _book(cell: dict) -> dict:
    return cell.get("metadata", {}).get("book", {})


def select(notebook: dict, tag: str) -> dict:
    """Return ``notebook`` (nbformat 4 JSON) in one language; the input stays as it was.

    Markdown cells of the other language go, cells without a language stay, and HTML outputs keep the elements of this
    language only. Raises ``BookError`` for an unknown edition.
    """
    edition = language(tag).tag
    chosen = {**copy.deepcopy({key: value for key, value in notebook.items() if key != "cells"}), "cells": []}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown" and _tag(cell) not in (None, edition):
            continue
        cell = copy.deepcopy(cell)
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "text/html" in data:
                data["text/html"] = keep_language(_joined(data["text/html"]), edition)
        chosen["cells"].append(cell)
    return chosen


def edition(notebook: dict, tag: str, slug: str) -> dict:
    """Return the notebook that Sphinx reads for the page ``slug`` of one edition.

    Every passage stands in ``<div class="passage" id="p-name">``; a heading, a formula and a shared block (questions,
    terms, the list of practice) need no such wrapper, though a shared block keeps the anchor. SVG outputs are HTML,
    with the caption and the alternative text of this language. Raises ``BookError`` for an unknown edition or a figure
    without its texts.
    """
    chosen = select(notebook, tag)
    for cell in chosen["cells"]:
        if cell["cell_type"] == "markdown" and _tag(cell):
            cell["source"] = _wrapped(cell, tag, slug)
        elif cell["cell_type"] == "code":
            _show_figure(cell, tag, slug)
    return chosen


def _own_sources(source: str, slug: str) -> str:
    """Give the page's citations and its list of sources keys of their own: two chapters may cite one paper."""
    cited = _CITED.sub(lambda m: m[1] + ",".join(f"{slug}-{key.strip()}" for key in m[2].split(",")), source)
    return _SOURCES.sub(rf"\1:keyprefix: {slug}-\n", cited)


def _wrapped(cell: dict, tag: str, slug: str) -> str:
    source = _own_sources(_joined(cell["source"]), slug)
    if HEADING.match(source):
        return source
    name = "p-" + cell["id"].removesuffix(f"-{tag}")
    kind = "block" if SHARED.match(source) else "passage"
    classes = escape(" ".join([kind, *_book(cell).get("class", "").split()]))
    link = f'<a class="passage-link" href="#{name}" aria-label="{words(tag)["passage"]}"></a>'
    # The citation brings its own full-width brackets, and nothing stands between those and Han or kana.
    source = _BEFORE_CITATION.sub("", source)
    return f'<div class="{classes}" id="{name}">{link if kind == "passage" else ""}\n\n{source.strip()}\n\n</div>\n'


def _show_figure(cell: dict, tag: str, slug: str) -> None:
    """Turn the cell's SVG outputs into HTML and tell MyST-NB the figure's caption and name."""
    figure = _book(cell).get("figure")
    for number, output in enumerate(cell.get("outputs", [])):
        data = output.get("data", {})
        if "image/svg+xml" not in data:
            continue
        alt = _text(cell, figure, "alt", tag, slug)
        prefix = f"{slug}-{cell['id']}-" + (f"{number}-" if number else "")
        output["data"] = {"text/html": inline(_joined(data["image/svg+xml"]), prefix, alt)}
        output.setdefault("metadata", {}).clear()
    if figure:
        shown = {"caption": _text(cell, figure, "caption", tag, slug)}
        if "name" in figure:
            shown["name"] = figure["name"]
        cell["metadata"]["mystnb"] = {**cell["metadata"].get("mystnb", {}), "figure": shown}


def _text(cell: dict, figure: dict | None, kind: str, tag: str, slug: str) -> str:
    text = ((figure or {}).get(kind) or {}).get(tag)
    if not text:
        raise BookError(
            f"{slug}: cell {cell['id']}: a figure without {kind} in {tag}: expected metadata.book.figure.{kind}, found "
            f"nothing for {tag}. Write the {kind} in both languages."
        )
    return text
