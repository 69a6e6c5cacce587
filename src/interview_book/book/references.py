"""What a passage points at, and what can be pointed at: labels of headings, formulas and figures, citations, files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interview_book.book.errors import BookError
from interview_book.book.findings import Finding
from interview_book.book.markdown_rules import headings
from interview_book.book.notebooks import Code, Formula, Passage, Unit, ours, source
from interview_book.book.spans import cut

_LABEL = re.compile(r"^\((?P<label>[^()\n]*)\)=[ \t]*$", re.M)
_FORMULA_LABEL = re.compile(r"\$\$[ \t]*\((?P<label>[^()\n]*)\)[ \t]*$")
_DESTINATION = re.compile(r"^\((?P<target>[^()\s]*)")
# Directives whose argument is data; that of an admonition is its title, in each half's own words.
_DATA = re.compile(
    r"^ {0,3}(?:`{3,}|~{3,}|:{3,})[ \t]*\{(?P<name>questions|terms|practice|bibliography|tableofcontents)\}"
    r"[ \t]*(?P<argument>.*)$",
    re.M,
)


@dataclass(frozen=True)
class Reference:
    """One thing a text points at. ``kind``: link, eq, numref, cite, or directive."""

    kind: str
    target: str

    def __str__(self) -> str:
        return f"{self.kind} {self.target}"


def heading_label(text: str) -> str | None:
    """The label above a heading, or None."""
    match = _LABEL.search(text)
    return match["label"] if match else None


def formula_label(text: str) -> str | None:
    """The label behind a displayed formula, or None."""
    match = _FORMULA_LABEL.search(text.strip())
    return match["label"] if match else None


def labels(unit: Unit) -> list[tuple[str, str]]:
    """The labels a unit defines, as (kind, label): heading, equation or figure."""
    if isinstance(unit, Passage):
        text = source(unit.ja)
        label = heading_label(text) if headings(text) else None
        return [("heading", label)] if label else []
    if isinstance(unit, Formula):
        label = formula_label(source(unit.cell))
        return [("equation", label)] if label else []
    figure = ours(unit.cell).get("figure")
    name = figure.get("name") if isinstance(figure, Mapping) else None
    return [("figure", name)] if isinstance(unit, Code) and isinstance(name, str) else []


def found_in(text: str) -> set[Reference]:
    """Everything a Markdown source points at, including data directives."""
    found = set()
    for span in cut(text):
        if span.kind in ("equation", "figure"):
            found.add(Reference("eq" if span.kind == "equation" else "numref", span.text.strip()))
        elif span.kind == "citation":
            found |= {Reference("cite", key.strip()) for key in span.text.split(",")}
        elif span.kind == "machine" and (link := _DESTINATION.match(span.text)) and link["target"]:
            found.add(Reference("link", link["target"]))
        elif span.kind == "machine" and (directive := _DATA.match(span.text)):
            found.add(Reference("directive", f"{{{directive['name']}}} {directive['argument']}".strip()))
    return found


def citations(root: Path) -> set[str]:
    """The keys of ``chapters/references.bib``; none when there is no such file; ``BookError`` when it is not UTF-8."""
    path = Path(root) / "chapters" / "references.bib"
    try:
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise BookError(f"expected sources in UTF-8, got: {error}") from None
    return set(re.findall(r"^\s*@\w+\s*\{\s*([^,\s]+)\s*,", text, re.M))


@dataclass(frozen=True)
class Targets:
    """What the book's texts may point at: labels by kind with the document that defines each, citation keys."""

    labels: Mapping[tuple[str, str], str]
    citations: frozenset[str]
    documents: frozenset[str]
    folder: Path

    def finding(self, reference: Reference, slug: str) -> Finding | None:
        """What is wrong with one reference made from the chapter ``slug``."""
        known: Any = True
        if reference.kind == "eq":
            known = ("equation", reference.target) in self.labels
        elif reference.kind == "numref":
            known = ("figure", reference.target) in self.labels
        elif reference.kind == "cite":
            known = reference.target in self.citations
        elif reference.kind == "directive":
            known = self._directive(reference.target)
        elif not re.match(r"[a-z][a-z0-9+.-]*:", reference.target):
            known = self._link(reference.target)
        if known:
            return None
        mend = "mend the spelling, or define it: a heading's (label)=, $$ (label), figure.name, references.bib"
        return Finding("unknown-reference", f"expected something the book defines, found {reference} in {slug}", mend)

    def _link(self, target: str) -> bool:
        file, _, anchor = target.partition("#")
        if file and file.removesuffix(".ipynb") not in self.documents and not (self.folder / file).is_file():
            return False
        if not anchor or anchor.startswith(("p-", "term-", "q-", "question-")):
            return True
        homes = {home for (_, label), home in self.labels.items() if label == anchor}
        return file.removesuffix(".ipynb") in homes if file else bool(homes)

    def _directive(self, target: str) -> bool:
        name, _, argument = target.partition(" ")
        return name != "{questions}" or (self.folder / f"{argument.strip()}.questions.yml").is_file()
