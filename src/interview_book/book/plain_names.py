"""What a chapter may point at, with the numbers the site gives: sections, formulas and figures of every chapter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from interview_book.book.editions import select
from interview_book.book.errors import BookError
from interview_book.book.notebooks import joined, ours, source

_HEADING = re.compile(r"^ {0,3}\(([^()\s]+)\)=[ \t]*\n(?:[ \t]*\n)*(?:(#{1,6}) +(.+?)[ \t]*$)?", re.M)
_EQUATION = re.compile(r"\$\$[ \t]*\(([^()\s]+)\)[ \t]*$", re.M)
_CITED = re.compile(r"\{cite(?::\w+)?\}`([^`]+)`")
_CODE = re.compile(r"^([ \t>]*)(`{3,}|~{3,})(?!\{).*?^\1\2[`~]*[ \t]*$", re.M | re.S)


@dataclass(frozen=True)
class Label:
    """One thing with a name: ``kind`` is section, equation, figure or place; ``text`` its title or caption."""

    slug: str
    name: str
    kind: str
    number: int | None = None
    text: str = ""


@dataclass(frozen=True)
class Chapter:
    """One chapter in one language: its title (still Markdown), labels and cited keys in the order of the text."""

    slug: str
    title: str
    labels: Mapping[str, Label]
    cited: tuple[str, ...]


def chapter(notebook: dict, tag: str, slug: str) -> Chapter:
    """Return what one chapter names. Formulas and figures are numbered from 1 in each chapter, as on the site."""
    labels: dict[str, Label] = {}
    cited: dict[str, None] = {}
    counts = {"equation": 0, "figure": 0}
    title = ""
    for cell in select(notebook, tag)["cells"]:
        if cell["cell_type"] == "code":
            found = _figure(cell, tag, slug)
        else:
            text = _CODE.sub("", source(cell))
            found = _places(text, slug)
            cited.update(dict.fromkeys(key.strip() for keys in _CITED.findall(text) for key in keys.split(",")))
            heading = re.search(r"^# +(.+?)[ \t]*$", text, re.M)
            title = title or (heading[1] if heading else "")
        for label in found:
            if label.kind in counts:
                counts[label.kind] += 1
                label = Label(slug, label.name, label.kind, counts[label.kind], label.text)
            labels[label.name] = label
    return Chapter(slug, title or slug, labels, tuple(cited))


def _figure(cell: dict, tag: str, slug: str) -> Iterator[Label]:
    figure = ours(cell).get("figure") or {}
    if "name" in figure:
        yield Label(slug, figure["name"], "figure", None, joined(figure.get("caption", {}).get(tag)))


def _places(text: str, slug: str) -> Iterator[Label]:
    found = [
        (match.start(), "section" if match[2] else "place", match[1], match[3] or "")
        for match in _HEADING.finditer(text)
    ]
    found += [(match.start(), "equation", match[1], "") for match in _EQUATION.finditer(text)]
    for _, kind, name, title in sorted(found):
        yield Label(slug, name, kind, None, title)


def look_up(chapters: Mapping[str, Chapter], here: str, name: str) -> Label:
    """Return the label ``name``: this chapter's own, else another's; raise ``BookError`` if there is none."""
    if name.startswith("p-"):
        return Label(here, name, "place")
    for slug in [here, *chapters]:
        if slug in chapters and name in chapters[slug].labels:
            return chapters[slug].labels[name]
    raise BookError(f"{here}: expected a label {name!r} in one of the chapters, found none; add `({name})=` or mend it")
