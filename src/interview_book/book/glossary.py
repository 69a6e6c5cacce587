"""The glossary: ``{terms}`` shows every term of ``chapters/terms.yml`` as a reader of this edition needs it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from interview_book.book import terms
from interview_book.book.errors import BookError
from interview_book.book.interface import words
from interview_book.book.languages import other
from interview_book.book.pages import tag_of

_ROWS = "あかさたなはまやらわ"
_HIRAGANA = ord("ぁ") - ord("ァ")


def _plain_kana(kana: str) -> str:
    """Return kana for sorting: hiragana, without voicing marks, small letters or long vowels."""
    hiragana = "".join(chr(ord(one) + _HIRAGANA) if "ァ" <= one <= "ヶ" else one for one in kana)
    marks = unicodedata.normalize("NFD", hiragana).translate(dict.fromkeys(map(ord, "\u3099\u309aー・")))
    return marks.translate(str.maketrans("ぁぃぅぇぉっゃゅょゎ", "あいうえおつやゆよわ"))


def _initial(term: terms.Term, tag: str) -> str:
    """Return the group of a term: its kana row in Japanese; its English letter in Chinese, where readers know that."""
    if tag == "ja":
        first = _plain_kana(term.kana)[:1]
        return max((row for row in _ROWS if row <= first), default="他")
    letter = term.en[:1].upper()
    return letter if "A" <= letter <= "Z" else "#"


def grouped(entries: Iterable[terms.Term], tag: str) -> list[tuple[str, list[terms.Term]]]:
    """Return the terms in the edition's order, by initial."""
    groups: dict[str, list[terms.Term]] = {}
    order = (lambda one: (_plain_kana(one.kana), one.key)) if tag == "ja" else (lambda one: (one.en.lower(), one.key))
    for term in sorted(entries, key=order):
        groups.setdefault(_initial(term, tag), []).append(term)
    return list(groups.items())


def _spoken(said: str) -> str:
    """What is said, marked as English where a term is spoken in English."""
    return f'<span lang="en">{escape(said)}</span>' if said.isascii() else escape(said)


def _entry(term: terms.Term, tag: str) -> str:
    there = other(tag).tag
    name, said = term.spelling(tag), term.said(tag)
    reading = f"<small>{escape(term.kana)}</small>" if tag == "ja" and term.kana != name else ""
    # Said as it is written and read: nothing to add.
    aloud = "" if said in {name, term.kana if tag == "ja" else name} else (
        f'<p class="term-said"><svg class="icon" aria-hidden="true"><use href="#i-voice"/></svg>'
        f'<span class="visually-hidden">{escape(words(tag)["said"])}</span>{_spoken(said)}</p>'
    )  # fmt: skip
    return (
        f'<section class="term" id="term-{escape(term.key)}"><div class="term-name"><h3>{escape(name)}{reading}</h3>'
        f'{aloud}</div><p class="term-en" lang="en">{escape(term.en)}</p>'
        f'<p class="term-other" lang="{there}">{escape(term.spelling(there))}</p></section>'
    )


def html(entries: Iterable[terms.Term], tag: str) -> str:
    """Return the glossary of one edition: an index of initials, then each term with an anchor ``term-<key>``."""
    groups = grouped(entries, tag)
    ids = {initial: f"terms-{number}" for number, (initial, _) in enumerate(groups, start=1)}
    index = "".join(f'<a href="#{ids[initial]}">{escape(initial)}</a>' for initial, _ in groups)
    lists = "\n".join(
        f'<section class="terms" id="{ids[initial]}"><h2>{escape(initial)}</h2>\n'
        + "\n".join(_entry(term, tag) for term in members)
        + "\n</section>"
        for initial, members in groups
    )
    return f'<nav class="terms-index" aria-label="{words(tag)["initials"]}">{index}</nav>\n{lists}'


class Terms(SphinxDirective):
    """``{terms}``: the whole glossary."""

    has_content = False

    def run(self) -> list[nodes.Node]:
        root = Path(self.env.srcdir)
        self.env.note_dependency(str(root / terms.FILE))
        try:
            text = html(terms.load(root), tag_of(self.config))
        except BookError as error:
            raise self.error(str(error)) from error
        return [nodes.raw("", text, format="html")]


def setup(app) -> None:
    """Register the directive."""
    app.add_directive("terms", Terms)
