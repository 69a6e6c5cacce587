"""The bank as the deck reads it: an index of cards, and a part for each chapter with what its cards show.

JSON types only, one language, texts as escaped HTML. A formula in them is an empty ``<span class="f" data-f="3">``: it
stands for formula 3 (from 0) of the part's ``formulas``, which were set while the book was built.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from interview_book.practice import compiled_kinds
from interview_book.practice.bank import Question
from interview_book.practice.compiled_text import SetFormulas, Slots, UnsetFormulas, Writer, formulas_set
from interview_book.practice.grading import grades

__all__ = ["SECONDS", "VERSION", "Setting", "UnsetFormulas", "compile", "script"]

VERSION = 1
# What a card takes, answering and marking together; an explain is said, marked, and compared.
SECONDS = {
    "explain": 300,
    "choice": 20,
    "number": 75,
    "expression": 120,
    "grade": 60,
    "code": 1200,
    "diagnose": 240,
}


@dataclass(frozen=True)
class Setting:
    """What the bank does not know of itself.

    Attributes
    ----------
    chapters : slug -> title (text), href (its page, relative to the deck's) and notebook (where its exercises are
        written, relative to the deck's page; None for nowhere).
    topics : key -> name in the language, in the order in which they are shown.
    topic_of : claim -> key of its topic.
    note : the sentence that says a number's unit and how near an answer must come.
    """

    chapters: Mapping[str, Mapping[str, str | None]]
    topics: Mapping[str, str]
    topic_of: Mapping[str, str]
    note: Callable[[Question], str]


def compile(questions: Iterable[Question], language: str, set_formulas: SetFormulas, setting: Setting) -> dict:
    """Return ``{"index": …, "parts": {chapter: …}}`` of one language.

    Parameters
    ----------
    questions : of all chapters, in the order of the book.
    language : ``"ja"`` or ``"zh-Hant"``.
    set_formulas : called once, with the TeX of every distinct inline formula; `UnsetFormulas` for what cannot be set.

    Raises
    ------
    QuestionFaults
        For formulas that cannot be set, with file, question and field.
    ValueError
        For a chapter or claim that ``setting`` does not know, or an id used twice.
    """
    uses: dict[str, tuple[str, str]] = {}
    slots: dict[str, Slots] = {}
    parts: dict[str, dict] = {}
    files: dict[str, str] = {}
    cards: list[dict] = []
    for question in questions:
        chapter = question.chapter
        if chapter not in setting.chapters:
            raise ValueError(f"{question.id}: expected a chapter of {', '.join(setting.chapters)}, got {chapter!r}")
        if question.id in files:
            raise ValueError(f"{question.id}: expected each id once, got it in {files[question.id]} and in {chapter}")
        files[question.id] = f"chapters/{chapter}.questions.yml"
        part = parts.setdefault(chapter, {"chapter": chapter, "formulas": [], "records": {}})
        writer = Writer(language, question.id, slots.setdefault(chapter, Slots()), uses)
        record = compiled_kinds.record(question, writer)
        if question.kind == "number":
            record["note"] = setting.note(question)
        elif question.kind == "code":
            record["notebook"] = setting.chapters[chapter].get("notebook")
        part["records"][question.id] = record
        cards += _cards(question, setting)
    html = formulas_set(set_formulas, uses, files)
    for chapter, part in parts.items():
        part["formulas"] = [html[tex] for tex in slots[chapter].numbers]
    index = {
        "version": VERSION,
        "language": language,
        "chapters": {slug: dict(setting.chapters[slug]) for slug in parts},
        "topics": _used(setting.topics, cards),
        "cards": cards,
    }
    return {"index": {**index, "digest": _digest([index, parts])}, "parts": parts}


def _cards(question: Question, setting: Setting) -> list[dict]:
    claim = question.claims[0]
    if claim not in setting.topic_of:
        raise ValueError(f"{question.id}: expected a claim of the ledger, got {claim!r}; mend the id")
    page = setting.chapters[question.chapter]["href"]
    card = {
        "id": question.id,
        "kind": question.kind,
        "level": question.level,
        "frequency": question["frequency"],
        "chapter": question.chapter,
        "topic": setting.topic_of[claim],
        "roles": list(question["roles"]),
        "seconds": SECONDS[question.kind],
        "href": f"{page}#{question.passage or f'q-{question.id}'}",
    }
    made = {"kind": "grade", "seconds": SECONDS["grade"], "of": question.id}
    return [card, *({**card, **made, "id": one.id, "sample": one.sample} for one in grades(question))]


def _used(topics: Mapping[str, str], cards: Sequence[Mapping]) -> dict[str, str]:
    used = {card["topic"] for card in cards}
    missing = used - set(topics)
    if missing:
        raise ValueError(f"expected a name for each topic, got none for {', '.join(sorted(missing))}; add it")
    return {key: name for key, name in topics.items() if key in used}


def _digest(value: object) -> str:
    return sha256(_json(value).encode()).hexdigest()[:16]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def script(value: object) -> str:
    """Return the classic script that hands ``value`` to the deck.

    Nothing in it can end a script element, and no character in it ends a line of old JavaScript.
    """
    text = _json(value)
    for sign, written in (("</", "<\\/"), ("<!--", "<\\u0021--"), ("\u2028", "\\u2028"), ("\u2029", "\\u2029")):
        text = text.replace(sign, written)
    return f"interviewBookDeck({text});\n"
