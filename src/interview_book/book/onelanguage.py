"""Keep one language of an HTML fragment that holds both.

Our own outputs (verdict tables, findings, widget fallbacks) say everything twice, in elements marked with ``lang``. The
elements of the other edition are cut out of the text; every other byte stays as it was, so that SVG, JSON data and
attribute order survive, which no parse-and-print would promise.
"""

from __future__ import annotations

from html.parser import HTMLParser

from interview_book.book.errors import BookError
from interview_book.book.languages import LANGUAGES, language

_VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})


def _edition(lang: str | None) -> str | None:
    """Map a ``lang`` value to the edition it belongs to, or None (English, none at all)."""
    primary = (lang or "").lower().split("-")[0]
    return next((tag for tag in LANGUAGES if tag.lower().split("-")[0] == primary), None)


class _Cutter(HTMLParser):
    """Collect the spans ``(start, end)`` of the elements that belong to another edition."""

    def __init__(self, text: str, keep: str) -> None:
        super().__init__(convert_charrefs=False)
        self.text, self.keep = text, keep
        self.cuts: list[tuple[int, int]] = []
        # (tag, start, edition): edition is None where the element says nothing about its language.
        self.open: list[tuple[str, int, str | None]] = []
        self.lines = [0]
        for line in text.split("\n"):
            self.lines.append(self.lines[-1] + len(line) + 1)

    def here(self) -> int:
        line, column = self.getpos()
        return self.lines[line - 1] + column

    def inside(self) -> str | None:
        """Return the edition of the innermost enclosing marked element."""
        return next((edition for _, _, edition in reversed(self.open) if edition), None)

    def handle_starttag(self, tag, attributes):
        start, edition = self.here(), _edition(dict(attributes).get("lang"))
        if tag in _VOID:
            if edition not in (None, self.keep) and self.inside() is None:
                self.cuts.append((start, start + len(self.get_starttag_text())))
            return
        # Inside a kept element another language is a quotation, and stays with its sentence.
        self.open.append((tag, start, edition if self.inside() is None else None))

    def handle_startendtag(self, tag, attributes):
        start, edition = self.here(), _edition(dict(attributes).get("lang"))
        if edition not in (None, self.keep) and self.inside() is None:
            self.cuts.append((start, start + len(self.get_starttag_text())))

    def handle_endtag(self, tag):
        if tag not in (name for name, _, _ in self.open):
            return
        start = self.here()
        while True:
            name, begun, edition = self.open.pop()
            if edition and name != tag:
                self.unclosed(name, begun)
            if edition not in (None, self.keep):
                self.cuts.append((begun, self.text.index(">", start) + 1))
            if name == tag:
                return

    def unclosed(self, tag: str, start: int) -> None:
        shown = self.text[start : start + 60].replace("\n", " ")
        raise BookError(
            f"cannot tell the languages of an HTML output apart: expected </{tag}> for `{shown}…`, found none. "
            f"Close every element that has a lang attribute."
        )

    def finish(self) -> str:
        self.feed(self.text)
        self.close()
        for name, begun, edition in self.open:
            if edition:
                self.unclosed(name, begun)
        kept, end = [], 0
        for start, stop in sorted(self.cuts):
            kept.append(self.text[end:start])
            end = stop
        return "".join([*kept, self.text[end:]])


def keep_language(html: str, tag: str) -> str:
    """Return ``html`` without the elements whose ``lang`` names the other edition.

    Elements without ``lang``, or in a language that has no edition (English), stay. Inside a kept element everything
    stays: there another language is a quotation.

    Raises
    ------
    BookError
        For an unknown edition, and for an element with ``lang`` that is never closed.
    """
    return _Cutter(html, language(tag).tag).finish()
