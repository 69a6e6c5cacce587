"""Parts of a page that nobody needs parsed, cut out of its HTML first: parsing is slow, and proofs are long."""

from __future__ import annotations

import re

# KaTeX's visual half; the MathML beside it says the same.
_VISUAL = re.compile(r'<span (?:aria-hidden="true" class="katex-html"|class="katex-html" aria-hidden="true")>')
# A cell of code with its outputs.
_CELL = re.compile(r'<div class="cell[ "][^>]*>')
_QUESTION = re.compile(r'<section [^>]*\bclass="question"[^>]*>')


def without_visual(html: str) -> str:
    """Return the HTML without the visual half of its formulas."""
    return _cut(html, _VISUAL, "span")


def without_cells(html: str) -> str:
    """Return the HTML without the cells of code and their outputs."""
    return _cut(html, _CELL, "div")


def without_questions(html: str) -> str:
    """Return the HTML without the interview questions."""
    return _cut(html, _QUESTION, "section")


def _cut(html: str, opening: re.Pattern, tag: str) -> str:
    """Leave out every outermost element that begins so; one that never ends is left for the parser to judge."""
    tags = re.compile(rf"<(/?){tag}\b")
    kept, at = [], 0
    for start in (found.start() for found in opening.finditer(html)):
        if start >= at and (end := _end(html, start, tags)):
            kept.append(html[at:start])
            at = end
    return "".join([*kept, html[at:]])


def _end(html: str, start: int, tags: re.Pattern) -> int | None:
    """Return where the element that opens at ``start`` ends."""
    depth = 0
    for found in tags.finditer(html, start):
        depth += -1 if found[1] else 1
        if depth == 0:
            return html.index(">", found.end()) + 1
    return None
