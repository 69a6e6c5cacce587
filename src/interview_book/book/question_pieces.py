"""HTML of small things inside a question: inline text with formulas, folds, icons, lists of points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from interview_book.practice import inline as written


@dataclass(frozen=True)
class Maths:
    """An inline formula, still TeX."""

    tex: str


Piece = str | Maths


def join(*parts: Piece | Iterable[Piece]) -> list[Piece]:
    """One flat list in which neighbouring HTML is one string."""
    out: list[Piece] = []
    for part in parts:
        for one in [part] if isinstance(part, (str, Maths)) else part:
            if isinstance(one, str) and out and isinstance(out[-1], str):
                out[-1] += one
            elif one != "":
                out.append(one)
    return out


def said(text: str) -> str:
    """A spoken text: words only, escaped."""
    return escape(text, quote=False)


def paragraphs(text: str) -> str:
    """A spoken text of several paragraphs."""
    return "".join(f"<p>{said(one)}</p>" for one in written.paragraphs(text))


def inline(text: str) -> list[Piece]:
    """A written text: ``$…$`` becomes `Maths`, ```code``` becomes code, all else is escaped."""
    return join(*(_piece(kind, piece) for kind, piece in written.pieces(text)))


def _piece(kind: str, piece: str) -> Piece:
    if kind == "maths":
        return Maths(piece)
    shown = escape(piece, quote=False)
    if kind == "words":
        return shown
    return f'<code class="docutils literal notranslate"><span class="pre">{shown}</span></code>'


def icon(name: str, verdict: str = "") -> str:
    """A sign of the inlined sprite; ``verdict`` is the class that colours a disc."""
    classes = f"icon {verdict}".strip()
    return f'<svg aria-hidden="true" class="{classes}"><use href="#{name}"></use></svg>'


def fold(title: str, body: Iterable[Piece]) -> list[Piece]:
    """A closed ``details``: who reads the answer first learns less."""
    head = f'<details class="fold"><summary><span>{escape(title)}</span></summary><div class="fold-body">'
    return join(head, body, "</div></details>\n")


def condition(kind: str, term: str, words: list[Piece]) -> list[Piece]:
    """One row of ``dl.cond``; ``kind`` is yes or no."""
    mark = ' class="holds"' if kind == "yes" else ""
    return join(f'<div class="{kind}"><dt{mark}>{escape(term)}</dt><dd>', words, "</dd></div>")


def point(words: list[Piece], meta: str, rows: Iterable[list[Piece]]) -> list[Piece]:
    """One entry of ``ol.rubric``: a sentence, a note at its right, then conditions."""
    flat = [piece for row in rows for piece in row]
    note = f'<span class="rubric-meta">{meta}</span>' if meta else ""
    return join('<li><p class="point">', words, f"</p>{note}", '<dl class="cond">', flat, "</dl></li>")


def points(entries: Iterable[list[Piece]]) -> list[Piece]:
    """``ol.rubric`` of `point` entries."""
    return join('<ol class="rubric">', [piece for entry in entries for piece in entry], "</ol>")


def code(text: str) -> str:
    """A block of Python; Sphinx's own classes, so that it looks like any other."""
    inner = escape(text.rstrip(), quote=False)
    return f'<div class="highlight-python notranslate"><div class="highlight"><pre>{inner}\n</pre></div></div>'
