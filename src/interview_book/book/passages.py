"""The shape of a chapter's Markdown: halves, ids, tags, headings, formula cells."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from interview_book.book.findings import Finding
from interview_book.book.markdown_rules import headings, paragraphs
from interview_book.book.notebooks import TAGS, Formula, Passage, Unit, language_of, passage_name, source, tags
from interview_book.book.references import formula_label

MOST_UNITS, MOST_PARAGRAPHS = 90, 3
# What MyST-NB understands and a chapter may want.
_CODE_TAGS = ("remove-input", "hide-input", "remove-output", "hide-output")
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LABEL = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_HEADING_CELL = re.compile(r"\((?P<label>[^()\n]*)\)=[ \t]*\n#{1,6}[ \t]+[^\n]+")
_FORMULA_CELL = re.compile(r"\$\$(?P<tex>(?:(?!\$\$).)+?)\$\$(?:[ \t]*\((?P<label>[^()\n]*)\))?", re.S)


def tag_findings(cell: Mapping[str, Any]) -> list[Finding]:
    """What is wrong with the tags of one cell: Markdown has one language or none, code has no language."""
    found = []
    markdown = cell.get("cell_type") == "markdown"
    given = tags(cell)
    for tag in given:
        if tag.startswith("lang-") and tag not in TAGS:
            message = f"expected a tag of {', '.join(TAGS)}, found {tag!r}"
            found.append(Finding("unknown-language", message, "mend the tag"))
        elif tag in TAGS and not markdown:
            message = f"expected no language on a {cell.get('cell_type')} cell, found {tag!r}"
            found.append(Finding("tags", message, "remove the tag; the cell belongs to both editions"))
        elif not markdown and tag not in _CODE_TAGS:
            message = f"expected a tag of {', '.join(_CODE_TAGS)} on a code cell, found {tag!r}"
            found.append(Finding("tags", message, "mend the spelling or remove it"))
        elif markdown and tag not in TAGS:
            message = f"expected only a language tag on a Markdown cell, found {tag!r}"
            found.append(Finding("tags", message, "remove it; a class goes to metadata.book.class"))
    if sum(tag in TAGS for tag in given) > 1:
        message = f"expected one language tag, found {', '.join(given)}"
        found.append(Finding("tags", message, "leave the one the text is written in"))
    if cell.get("cell_type") not in ("markdown", "code"):
        message = f"expected Markdown and code cells only, found {cell.get('cell_type')!r}"
        found.append(Finding("cell-type", message, "change the cell's type"))
    return found


def id_findings(cell: Mapping[str, Any], seen: Sequence[str]) -> list[Finding]:
    """What is wrong with a cell's id; ``seen`` are the ids before it."""
    given = str(cell.get("id", ""))
    tag = language_of(cell)
    name = passage_name(cell)
    found = []
    if tag and name == given:
        message = f"expected an id that ends in -{tag}, found {given!r}"
        found.append(Finding("cell-id", message, f"call it {given or 'name'}-{tag}"))
    elif not _NAME.fullmatch(name) or len(given) > 64:
        message = f"expected an id of a-z, 0-9 and single hyphens (at most 64), found {given!r}"
        found.append(Finding("cell-id", message, "name the cell by what it does, weights-read-ja"))
    elif not tag and name.endswith(("-ja", "-zh-Hant")):
        message = f"expected no language in the id of a cell of both editions, found {given!r}"
        found.append(Finding("cell-id", message, "shorten the id, or give the cell its language tag"))
    if given in seen:
        found.append(Finding("cell-id", f"expected each id once, found {given!r} again", "rename one of the cells"))
    return found


def _halves(passage: Passage) -> list[Finding]:
    found = []
    ja, zh = passage_name(passage.ja), passage_name(passage.zh)
    if ja != zh:
        message = f"expected one name for both halves, found {ja!r} and {zh!r}"
        found.append(Finding("cell-id", message, f"call the second {ja}-zh-Hant"))
    levels = [[level for level, _ in headings(source(half))] for half in (passage.ja, passage.zh)]
    if levels[0] != levels[1]:
        message = f"expected the same headings in both halves, found levels {levels[0]} and {levels[1]}"
        found.append(Finding("parity-heading", message, "give both halves the heading, at one level"))
    both = [_HEADING_CELL.fullmatch(source(half).strip()) for half in (passage.ja, passage.zh)]
    if all(both) and both[0]["label"] != both[1]["label"]:
        message = f"expected one label in both halves, found {both[0]['label']!r} and {both[1]['label']!r}"
        found.append(Finding("parity-label", message, "write the same label above both headings"))
    return found


def half_findings(text: str) -> list[Finding]:
    """What is wrong with the shape of one half."""
    found = []
    if not text.strip():
        return [Finding("empty-cell", "expected text, found an empty half", "write it or remove the passage")]
    if headings(text):
        cell = _HEADING_CELL.fullmatch(text.strip())
        if cell is None:
            found.append(
                Finding(
                    "heading",
                    "expected a heading alone in its cell below its label, found "
                    f"«{' ⏎ '.join(text.strip().splitlines()[:3])}»",
                    "write `(label)=`, the heading on the next line, and the text in another passage",
                )
            )
        elif not _LABEL.fullmatch(cell["label"]) or cell["label"].startswith("p-"):
            message = f"expected a label of a-z, 0-9 and hyphens, not p-…, found {cell['label']!r}"
            found.append(Finding("label", message, "choose an ASCII label, jacobian"))
    elif re.search(r"^\([^()\n]*\)=[ \t]*$", text, re.M):
        message = "expected a label only above a heading, found one in a passage"
        found.append(Finding("label", message, "link to p-<name> instead"))
    count = paragraphs(text)
    if count > MOST_PARAGRAPHS:
        message = f"expected at most {MOST_PARAGRAPHS} paragraphs in a passage, found {count}"
        found.append(Finding("long-passage", message, "begin another passage"))
    return found


def formula_findings(text: str) -> list[Finding]:
    """What is wrong with the shape of an untagged Markdown cell: one displayed formula and nothing else."""
    if not _FORMULA_CELL.fullmatch(text.strip()):
        message = f"expected exactly one $$…$$ with or without (label), found «{text.strip()[:40]}»"
        mend = "give the cell its language tag if it is text; one formula a cell"
        return [Finding("untagged-text", message.replace("\n", " "), mend)]
    label = formula_label(text)
    if label is not None and not _LABEL.fullmatch(label):
        message = f"expected an equation label of a-z, 0-9 and hyphens, found {label!r}"
        return [Finding("label", message, "choose an ASCII label")]
    return []


def unit_findings(unit: Unit) -> list[Finding]:
    """What is wrong with the shape of a passage or formula; nothing for code."""
    if isinstance(unit, Passage):
        return [*_halves(unit)]
    return formula_findings(source(unit.cell)) if isinstance(unit, Formula) else []


def chapter_findings(units: Sequence[Unit]) -> list[Finding]:
    """What is wrong with the chapter as a whole: its length and the order of its headings."""
    found = []
    if len(units) > MOST_UNITS:
        message = f"expected at most {MOST_UNITS} units (passages, formulas, code cells), found {len(units)}"
        found.append(Finding("long-chapter", message, "split the chapter"))
    levels = [level for unit in units if isinstance(unit, Passage) for level, _ in headings(source(unit.ja))]
    first = units[0] if units else None
    if not isinstance(first, Passage) or [level for level, _ in headings(source(first.ja))] != [1]:
        message = "expected the chapter to begin with its title (`# Title`), found something else"
        found.append(Finding("heading-level", message, "put the title first"))
    if levels.count(1) > 1:
        message = f"expected one title, found {levels.count(1)} headings with a single #"
        found.append(Finding("heading-level", message, "use ## for sections"))
    for above, below in pairwise(levels):
        if below > above + 1:
            message = f"expected heading levels without a gap, found {'#' * below} right below {'#' * above}"
            found.append(Finding("heading-level", message, f"use {'#' * (above + 1)}"))
    return list(dict.fromkeys(found))
