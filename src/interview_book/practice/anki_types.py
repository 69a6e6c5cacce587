"""The note types of the decks for Anki: their ids, fields, and the two sides of a card.

An id belongs to a list of fields for ever: Anki skips notes whose type came with other fields under the same id. Who
changes fields gives that type a new id, and readers get new notes beside their old ones; so it is better not to.
What the sides look like may change at any time: Anki takes over a newer note type of the same fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

from interview_book.practice.anki_words import WORDS

IDS = {
    ("explain", "ja"): 1_488_203_117,
    ("explain", "zh-Hant"): 1_488_203_118,
    ("short", "ja"): 1_488_203_227,
    ("short", "zh-Hant"): 1_488_203_228,
}
# Keys of the words; the first field is the one that Anki lists notes by.
FIELDS = {
    "explain": (
        "question", "answer_30s", "answer_2min", "rubric", "follow_ups", "english",
        "head", "do", "chapter", "page", "id",
    ),
    "short": ("question", "given", "answer", "more", "head", "do", "chapter", "page", "id"),
}  # fmt: skip
# languages of a package -> its file
FILES = {
    ("ja",): "interview-book-ja.apkg",
    ("zh-Hant",): "interview-book-zh-Hant.apkg",
    ("ja", "zh-Hant"): "interview-book-ja-zh-Hant.apkg",
}
_HTML = {"ja": "ja", "zh-Hant": "zh-TW"}


@dataclass(frozen=True)
class NoteType:
    """One note type: its id, name, field names, the two sides of its one card, and its stylesheet."""

    id: int
    name: str
    fields: tuple[str, ...]
    front: str
    back: str
    css: str


@cache
def style() -> str:
    """Return the stylesheet of the cards."""
    return Path(__file__).with_name("anki_cards.css").read_text(encoding="utf-8")


def note_type(name: str, language: str, pages: str | None) -> NoteType:
    """Return a note type.

    Parameters
    ----------
    name : ``"explain"`` or ``"short"``.
    pages : absolute address, ending in ``/``, to which a note's page is added; None where the book has no address:
        then a card names its chapter and links nothing.
    """
    words = WORDS[language]
    slot = {key: f"{{{{{words[f'field.{key}']}}}}}" for key in FIELDS[name]}
    head = f'<p class="head">{slot["head"]}</p>\n'
    place = words["place"].format(slot["chapter"])
    if pages is not None:
        place = f'<a href="{escape(pages)}{slot["page"]}">{words["read"]}</a>{words["colon"]}{place}'
    foot = f'<p class="place">{place}</p>\n'
    sides = {"explain": _explain, "short": _short}[name]
    front, back = sides(words, slot)
    opening = '<div class="side{}" lang="{}">\n{}'
    do = f'<p class="do">{slot["do"]}</p>\n'
    return NoteType(
        id=IDS[name, language],
        name=words[f"type.{name}"],
        fields=tuple(words[f"field.{key}"] for key in FIELDS[name]),
        front=f"{opening.format('', _HTML[language], head)}{front}{do}</div>",
        back=f'{opening.format(" back", _HTML[language], head)}{front}<hr id="answer">\n{back}{foot}</div>',
        css=style(),
    )


def _explain(words: dict[str, str], slot: dict[str, str]) -> tuple[str, str]:
    ask = f'<div class="ask">{slot["question"]}</div>\n'
    back = (
        _section(words["field.answer_30s"], f'<div class="said">{slot["answer_30s"]}</div>')
        + _section(words["field.rubric"], slot["rubric"])
        + _fold(words["field.answer_2min"], f'<div class="said">{slot["answer_2min"]}</div>')
        + _fold(words["field.follow_ups"], slot["follow_ups"])
        + _fold(words["field.english"], f'<p class="said" lang="en">{slot["english"]}</p>')
    )
    return ask, back


def _short(words: dict[str, str], slot: dict[str, str]) -> tuple[str, str]:
    front = f'<div class="ask">{slot["question"]}</div>\n<div class="given">{slot["given"]}</div>\n'
    return front, f'<div class="answer">{slot["answer"]}</div>\n<div class="more">{slot["more"]}</div>\n'


def _section(title: str, body: str) -> str:
    return f"<h2>{title}</h2>\n{body}\n"


def _fold(title: str, body: str) -> str:
    return f"<details><summary>{title}</summary>\n{body}\n</details>\n"
