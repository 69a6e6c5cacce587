"""Notebooks that leave the book: one language, Markdown that every notebook reader shows, nothing of ours in them."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

from interview_book.book import normal, questions
from interview_book.book.editions import select
from interview_book.book.errors import BookError
from interview_book.book.languages import language
from interview_book.book.notebooks import chapters, contents, language_of, ours, passage_name, read, source
from interview_book.book.plain_book import PlainBook
from interview_book.book.plain_citations import Citations
from interview_book.book.plain_code import in_language, widget_names
from interview_book.book.plain_intro import figure, introduction, sources_heading
from interview_book.book.plain_markdown import rewrite
from interview_book.book.plain_names import Chapter, chapter
from interview_book.book.question_words import grade_call

_QUESTIONS = re.compile(r"^```\{questions\}[ ]+(\S+)", re.MULTILINE)

# Where the site keeps the wheel, from the folder that holds the two editions.
WHEEL_FOLDER = "wheel"


def wheel_name() -> str:
    """Return the file name of this version's wheel."""
    return f"interview_book-{version('interview-book')}-py3-none-any.whl"


def names(root: Path, tag: str) -> dict[str, Chapter]:
    """Return what every chapter names, by slug, in the order of the contents; the landing page is not one."""
    language(tag)
    landing = Path(contents(root)[0]).stem
    return {path.stem: chapter(read(path), tag, path.stem) for path in chapters(root) if path.stem != landing}


def plain_file(root: Path, slug: str, tag: str, url: str | None = None) -> dict:
    """Return the plain notebook of one chapter of the book at ``root`` (see `plain`)."""
    known = names(root, tag)
    if slug not in known:
        raise BookError(f"expected a chapter of _toc.yml ({', '.join(known)}), got {slug!r}; name one of these")
    path = next(path for path in chapters(root) if path.stem == slug)
    return convert(read(path), tag, slug=slug, root=root, known=known, url=url)


def convert(
    notebook: dict,
    tag: str,
    *,
    slug: str,
    root: Path,
    known: Mapping[str, Chapter] | None = None,
    url: str | None = None,
) -> dict:
    """Return ``notebook`` (nbformat 4.5 JSON, unchanged) as it leaves the book, in one language.

    Labels become anchors, references become numbers and file links, directives become Markdown, citations become text;
    captions stand under their figures; outputs stay. The first cell says what this is and how to install the package.

    Parameters
    ----------
    tag : edition; ``BookError`` for an unknown one.
    slug : the chapter's file name without its ending.
    root : the book's folder, for questions, terms and sources.
    known : what the chapters name (`names`), if the caller has it already.
    url : public address of the site; without it the first cell names the wheel file and where the site keeps it.

    Raises
    ------
    BookError : MyST that has no plain form, or a reference to nothing, with chapter and cell.
    """
    known = names(root, tag) if known is None else known
    mine = chapter(notebook, tag, slug)
    citations = Citations(root / "chapters" / "references.bib", tag)
    book = PlainBook(root=root, tag=tag, slug=slug, chapters={**known, slug: mine}, citations=citations, url=url)
    chosen = select(notebook, tag)
    widgets = widget_names(source(cell) for cell in chosen["cells"] if cell["cell_type"] == "code")
    cells = [introduction(tag, book.title(slug), slug, _wheel(url), url)]
    for index, cell in enumerate(chosen["cells"]):
        try:
            cells += _cell(cell, tag, book, widgets)
        except BookError as error:
            raise BookError(f"{slug}: cell {index} ({cell.get('id', '')}): {error}") from None
    if mine.cited and not book.showed_sources:
        cells.append(_markdown("sources-cited", f"## {sources_heading(tag)}\n\n{book.sources()}"))
    _anchor_passages(cells)
    return {
        "cells": _distinct(cells),
        "metadata": {"kernelspec": dict(normal.KERNELSPEC), "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _wheel(url: str | None) -> str:
    return f"{url.rstrip('/')}/{WHEEL_FOLDER}/{wheel_name()}" if url else f"{WHEEL_FOLDER}/{wheel_name()}"


def _cell(cell: dict, tag: str, book: PlainBook, widgets: set[str]) -> list[dict]:
    if cell["cell_type"] != "code":
        name = passage_name(cell) if language_of(cell) else cell["id"]
        text = rewrite(source(cell), book)
        return [*([_markdown(name, text)] if text else []), *_exercises(source(cell), book)]
    executed = normal.normalise({"cells": [copy.deepcopy(cell)], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    kept = {
        "cell_type": "code",
        "execution_count": cell.get("execution_count"),
        "id": cell["id"],
        "metadata": {},
        "outputs": [_counted(one, cell.get("execution_count")) for one in executed["cells"][0]["outputs"]],
        "source": in_language(source(cell), tag, widgets),
    }
    told = ours(cell).get("figure")
    if not told:
        return [kept]
    text = figure(told, tag, book)
    return [kept, _markdown(f"{cell['id']}-caption", text)] if text else [kept]


def _exercises(text: str, book: PlainBook) -> list[dict]:
    """Return the cells that answer the ``code`` questions shown by ``text``: the starter, then the grading."""
    cells = []
    for slug in _QUESTIONS.findall(text):
        for one in questions.load(book.root / "chapters" / f"{slug}.questions.yml", book.root):
            if one.kind == "code":
                name = one.id.replace(".", "-")
                cells += [_code(name, one["starter"]), _code(f"{name}-grade", grade_call(one, book.tag))]
    return cells


def _code(name: str, text: str) -> dict:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": name,
        "metadata": {},
        "outputs": [],
        "source": text.rstrip("\n"),
    }


def _counted(output: dict, count: int | None) -> dict:
    return output | {"execution_count": count} if output["output_type"] == "execute_result" else output


def _markdown(name: str, text: str) -> dict:
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": text}


def _anchor_passages(cells: list[dict]) -> None:
    """Give a passage its anchor where something in this notebook points at it."""
    pointed = {name for cell in cells for name in re.findall(r"\]\(#p-([\w-]+)", cell["source"])}
    for cell in cells:
        if cell["cell_type"] == "markdown" and cell["id"] in pointed:
            cell["source"] = f'<a id="p-{cell["id"]}"></a>\n\n{cell["source"]}'


def _distinct(cells: list[dict]) -> list[dict]:
    """Make ids distinct where taking the language off a half made it the name of another cell."""
    seen: set[str] = set()
    for cell in cells:
        name, number = cell["id"], 2
        while cell["id"] in seen:
            cell["id"], number = f"{name}-{number}", number + 1
        seen.add(cell["id"])
    return cells
