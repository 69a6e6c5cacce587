"""What a built page says, passage by passage: the text that search indexes, shows and links to."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bs4 import BeautifulSoup, NavigableString, Tag

from interview_book.book.trimmed import elements, without_colours, without_visual

# Design §4: KaTeX's visual half and its TeX are doubles of the MathML; the rest is not text of the article.
EXCLUDED = (".katex-html", "annotation")
_FURNITURE = frozenset({
    "headerlink", "passage-link", "other", "other-title", "copybtn", "visually-hidden", "eqno", "book-widget",
    "book-deck", "deck-list", "widget", "q-meta", "q-do", "q-passage", "rubric-meta", "actions", "katex-html",
})  # fmt: skip
_NO_TEXT = frozenset({"script", "style", "template", "svg", "nav", "button", "input", "annotation"})
_PLACES = frozenset({"passage", "block", "question"})
_HEADINGS = re.compile(r"h[1-6]")
# Between the words of these a space stands; every other element runs on within its line.
_BLOCKS = re.compile(
    "address|article|aside|blockquote|br|caption|d[dlt]|details|div|fieldset|fig(caption|ure)|footer|h[1-6r]|header|li|main"
    "|[ou]l|p|pre|section|summary|table|t(body|[dhr]|foot|head)"
)
# A formula is spelt as prose spells it (√dₖ), where Unicode can.
_LOWERED = str.maketrans("0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")
_RAISED = str.maketrans("0123456789+-=()inT", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁱⁿᵀ")


@dataclass(frozen=True)
class Segment:
    """A passage, heading or block of code. ``anchor``: id to link to (empty: the top); ``section``: title above it;
    ``kind``: ``text``, ``head`` or ``code``."""

    anchor: str
    section: str
    text: str
    kind: str = "text"


@dataclass(frozen=True)
class Page:
    """One page of an edition; ``url`` is relative to the edition's folder."""

    url: str
    title: str
    segments: list[Segment] = field(default_factory=list)


def _shifted(text: str, table: dict[int, int], sign: str) -> str:
    plain = text.replace("−", "-")
    if plain and all(ord(character) in table for character in plain):
        return plain.translate(table)
    return sign + (text if len(text) == 1 else f"({text})")


def formula(element: Tag) -> str:
    """Return a MathML element as one line of text: ``<msub>d k</msub>`` is ``dₖ``, ``<msqrt>`` is ``√…``."""
    parts = [
        formula(child) if isinstance(child, Tag) else str(child).strip()
        for child in element.children
        if not (isinstance(child, Tag) and child.name in ("annotation", "mspace"))
    ]
    whole = "".join(parts)
    match element.name:
        case "msub" if len(parts) == 2:
            return parts[0] + _shifted(parts[1], _LOWERED, "_")
        case "msup" if len(parts) == 2:
            return parts[0] + _shifted(parts[1], _RAISED, "^")
        case "msqrt":
            return "√" + (whole if re.fullmatch(r"\w+", whole) else f"({whole})")
        case "mfrac" if len(parts) == 2:
            return "/".join(part if re.fullmatch(r"\w+", part) else f"({part})" for part in parts)
        case "mo":
            # Function application is invisible and is nothing that one searches for.
            return whole.replace("\u2061", "")
        case _:
            return whole


def _tidy(parts: list[str]) -> str:
    text = re.sub(r"\s+", " ", "".join(parts)).strip()
    # Between blocks a space stands; beside full-width punctuation none does.
    return re.sub(r" (?=[、。，；：！？）」])|(?<=[、。，；：！？）」]) ", "", text)


class _Reader:
    """Walks an article once and cuts it where a place to link to begins or ends."""

    def __init__(self) -> None:
        self.segments: list[Segment] = []
        self._parts: list[str] = []
        self._anchor = self._section = ""

    def cut(self, anchor: str, kind: str = "text") -> None:
        """End the segment before, which is of this kind; what follows is reached through ``anchor``."""
        text = _tidy(self._parts)
        self._parts = []
        if text:
            self.segments.append(Segment(self._anchor, self._section, text, kind))
        self._anchor = anchor

    def heading(self, element: Tag) -> None:
        parent = element.parent
        anchor = element.get("id") or (parent.get("id") if parent is not None and parent.name == "section" else None)
        self.cut(str(anchor or self._anchor))
        # A reading in small print (勾配 with こうばい) is text under the heading, not part of the name.
        small = [self._flat(one.extract()) for one in element.find_all("small")]
        self._section = _tidy([self._flat(element)])
        if self._section:
            self.segments.append(Segment(self._anchor, self._section, self._section, "head"))
        self._parts += [f" {text} " for text in small]

    def _flat(self, element: Tag) -> str:
        return "".join(
            formula(child) if isinstance(child, Tag) and child.name == "math"
            else self._flat(child) if isinstance(child, Tag)
            else str(child)
            for child in element.children
        )  # fmt: skip

    def walk(self, element: Tag) -> None:
        for child in element.children:
            if isinstance(child, NavigableString):
                if type(child) is NavigableString:  # comments and the like are subclasses
                    self._parts.append(str(child))
            elif _HEADINGS.fullmatch(child.name):
                self.heading(child)
            elif child.name == "math":
                if child.get("display") != "block":
                    self._parts.append(formula(child))
            elif child.get("id") and _is_place(child):
                outside = self._anchor
                self.cut(str(child["id"]))
                self.walk(child)
                # What follows a passage and has no name of its own (a cell) is reached through that passage; what
                # follows a section belongs to the section around it.
                self.cut(outside if child.name == "section" else str(child["id"]))
            elif "cell_input" in (classes := child.get("class") or []) or "cell_output" in classes:
                # Code and what it prints are not prose; they stay apart, and are reached through the passage before.
                self.cut(self._anchor)
                self.walk(child)
                self.cut(self._anchor, "code")
            else:
                block = _BLOCKS.fullmatch(child.name) is not None
                if block:
                    self._parts.append(" ")
                self.walk(child)
                if block:
                    self._parts.append(" ")


def _is_place(element: Tag) -> bool:
    return element.name in ("section", "figure") or not _PLACES.isdisjoint(element.get("class") or [])


def read(html: str, url: str) -> Page | None:
    """Return the text of a built page, or ``None`` when it has no article (a redirect, the index of names)."""
    soup = BeautifulSoup(without_colours(without_visual(html)), "html.parser")
    article = soup.select_one("article.bd-article") or soup.find("article") or soup.select_one("main#main-content")
    if article is None:
        return None
    hidden = article.find_all(attrs={"aria-hidden": "true"})
    for unwanted in (*elements(article, names=_NO_TEXT, classes=_FURNITURE), *hidden):
        unwanted.decompose()
    heading = article.find("h1")
    reader = _Reader()
    reader.walk(article)
    reader.cut("")
    if not reader.segments:
        return None
    title = next((one.text for one in reader.segments if one.kind == "head"), "") if heading is not None else ""
    if not title and soup.title is not None:
        title = soup.title.get_text().split(" — ")[0].strip()
    return Page(url, title or url, reader.segments)
