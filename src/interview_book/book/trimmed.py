"""Parts of a page that nobody needs: cut out of its HTML before parsing, which is slow, for proofs are long; or found
in what was parsed, in one walk and without a selector, which would take four times as long."""

from __future__ import annotations

import re
from collections.abc import Collection

from bs4 import Tag

# KaTeX's visual half; the MathML beside it says the same.
_VISUAL = re.compile(r'<span (?:aria-hidden="true" class="katex-html"|class="katex-html" aria-hidden="true")>')
# A cell of code with its outputs.
_CELL = re.compile(r'<div class="cell[ "][^>]*>')
_CODE = re.compile(r"<pre\b.*?</pre>", re.S)
_COLOUR = re.compile(r"</?span\b[^>]*>")
_QUESTION = re.compile(r'<section [^>]*\bclass="question"[^>]*>')


def without_visual(html: str) -> str:
    """Return the HTML without the visual half of its formulas."""
    return _cut(html, _VISUAL, "span")


def without_colours(html: str) -> str:
    """Return the HTML with its code in one piece instead of in thousands."""
    return _CODE.sub(lambda found: _COLOUR.sub("", found[0]), html)


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


def elements(within: Tag, *, names: Collection[str] = (), classes: Collection[str] = ()) -> list[Tag]:
    """Return the elements below one that have one of these names or classes."""
    unlike = frozenset(classes).isdisjoint
    return [
        one
        for one in within.descendants
        if isinstance(one, Tag) and (one.name in names or not unlike(one.get("class") or ()))
    ]
