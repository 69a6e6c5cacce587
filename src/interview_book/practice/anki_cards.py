"""The notes of the decks for Anki, from the compiled bank: fields of HTML with formulas as ``\\(…\\)``, and tags."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from interview_book.practice import anki_types
from interview_book.practice.anki_words import WORDS

LETTERS = "ABCDE"
ROOT_TAG = "interview-book"
_SLOT = re.compile(r'<span class="f" data-f="(\d+)"></span>')
_ORDER = ("common", "occasional", "rare")


@dataclass(frozen=True)
class Note:
    """One note of one card.

    Attributes
    ----------
    id : of the question, or ``<question>.grade.<sample>``.
    type : the name of its note type, ``"explain"`` or ``"short"``.
    fields : HTML, in the order of the note type.
    """

    id: str
    language: str
    type: str
    chapter: str
    fields: tuple[str, ...]
    tags: tuple[str, ...]


def set_formulas(formulas: Iterable[str]) -> dict[str, str]:
    """Return each formula as Anki's MathJax reads it. A field is HTML: what follows a bare ``<`` would be lost."""
    return {tex: rf"\({escape(tex, quote=False)}\)" for tex in formulas}


def notes(bank: Mapping) -> list[Note]:
    """Return the notes of a compiled bank of one language in the order in which they are best learnt.

    What is asked often comes first, and the samples to be graded come after the questions they would give away.
    ``bank`` must have been compiled with `set_formulas`.
    """
    index = bank["index"]
    cards = sorted(index["cards"], key=lambda card: (_ORDER.index(card["frequency"]), card["kind"] == "grade"))
    return [_note(card, index, bank["parts"][card["chapter"]]) for card in cards]


def _note(card: Mapping, index: Mapping, part: Mapping) -> Note:
    language, kind = index["language"], card["kind"]
    words = WORDS[language]
    name = "explain" if kind == "explain" else "short"
    made = _KINDS[kind](card, part["records"][card.get("of", card["id"])], words)
    made |= {
        "head": f'{words[kind]}<span class="level">{words[card["level"]]}</span>',
        "do": words[f"{kind}.do"],
        "chapter": escape(index["chapters"][card["chapter"]]["title"], quote=False),
        "page": escape(card["href"]),
        "id": card["id"],
    }
    fields = tuple(_filled(made[key], part["formulas"]) for key in anki_types.FIELDS[name])
    return Note(card["id"], language, name, card["chapter"], fields, tuple(_tags(card, language)))


def _tags(card: Mapping, language: str) -> Iterator[str]:
    yield f"{ROOT_TAG}::lang::{language}"
    for name in ("chapter", "topic", "level", "kind", "frequency"):
        yield f"{ROOT_TAG}::{name}::{card[name]}"
    for role in card["roles"]:
        yield f"{ROOT_TAG}::role::{role}"


def _filled(html: str, formulas: Sequence[str]) -> str:
    # Anki shows a lone $ as it is, but two of them in brackets would be its old LaTeX.
    return _SLOT.sub(lambda match: formulas[int(match[1])], html).replace("$", "&#36;")


def _paragraphs(texts: Iterable[str]) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


def _items(items: Iterable[str], tag: str = "ul", name: str = "") -> str:
    inner = "".join(f"<li>{one}</li>" for one in items)
    return f'<{tag} class="{name}">{inner}</{tag}>' if name else f"<{tag}>{inner}</{tag}>"


def _row(label: str, text: str, sign: str = "") -> str:
    return f'<p class="row{" " + sign if sign else ""}"><b>{label}</b>{text}</p>'


def _fold(title: str, body: str) -> str:
    return f"<details><summary>{title}</summary>{body}</details>"


def _part(title: str, body: str) -> str:
    return f"<h2>{title}</h2>{body}"


def _once(title: str, items: Sequence[str]) -> str:
    """A list that stands on the front alone."""
    return f'<div class="once">{_part(title, _items(items, name="points"))}</div>'


def _code(text: str) -> str:
    return f"<pre><code>{escape(text.rstrip(), quote=False)}</code></pre>"


def _must(point: Mapping, words: Mapping[str, str]) -> str:
    return f'<b class="must">{words["must"]}</b>' if point["must"] else ""


def _explain(card: Mapping, record: Mapping, words: Mapping[str, str]) -> dict[str, str]:
    points = [
        f'<p class="point">{one["point"]}</p>'
        f'<p class="weight">{_must(one, words)}{words["weight"].format(one["weight"])}</p>'
        f"{_row(words['counts'], one['counts'], 'yes')}{_row(words['lacks'], one['lacks'], 'no')}"
        for one in record["rubric"]
    ]
    fatal = f'<div class="fatal"><p>{words["fatal"]}</p>{_items(record["fatal"])}</div>'
    asked = [("", one) for one in record["followUps"]]
    asked += [(words["push_back"], record["pushBack"]), (words["deeper"], record["deeper"])]
    follow_ups = "".join(
        (f'<p class="label">{label}</p>' if label else "")
        + f'<p class="ask small">{words["quote"].format(one["ask"])}</p>'
        + _fold(words["good_answer"], _paragraphs(one["answer"]))
        for label, one in asked
    )
    return {
        "question": words["quote"].format(record["ask"]),
        "answer_30s": _paragraphs(record["answer30"]),
        "answer_2min": _paragraphs(record["answer120"]),
        "rubric": f'{_items(points, name="rubric")}{fatal}<p class="mark">{words["explain.mark"]}</p>',
        "follow_ups": follow_ups,
        "english": escape(record["english"], quote=False),
    }


def _grade(card: Mapping, record: Mapping, words: Mapping[str, str]) -> dict[str, str]:
    sample = next(one for one in record["samples"] if one["name"] == card["sample"])
    earned = [_must(one, words) + one["point"] for one in record["rubric"] if one["id"] in sample["earns"]]
    still = [_must(one, words) + one["point"] for one in record["rubric"] if one["id"] not in sample["earns"]]
    said = [record["fatal"][number] for number in sample["fatal"]]
    score = f'<span class="score">{sample["points"]} / {sample["total"]}</span>'
    listed = ((words["earned"], earned, "yes"), (words["open"], still, "open"), (words["said"], said, "said"))
    return {
        "question": words["quote"].format(record["ask"]),
        "given": _part(words["sample"], f"<blockquote>{_paragraphs(sample['text'])}</blockquote>")
        + _once(words["field.rubric"], [_must(one, words) + one["point"] for one in record["rubric"]]),
        "answer": f'<p class="result">{words[sample["name"]]}{score}</p><p>{sample["why"]}</p>',
        "more": "".join(_part(title, _items(ones, name=f"points {sign}")) for title, ones, sign in listed if ones)
        + f'<p class="mark">{words["grade.mark"]}</p>',
    }


def _choice(card: Mapping, record: Mapping, words: Mapping[str, str]) -> dict[str, str]:
    options = list(zip(LETTERS, record["options"], strict=False))
    letter, right = next((letter, one) for letter, one in options if one["right"])
    others = [
        f'<p class="point">{letter}. {one["text"]}</p>{_row(words["misconception"], one["misconception"], "no")}'
        f"<p>{one['why']}</p>"
        for letter, one in options
        if not one["right"]
    ]
    return {
        "question": record["ask"],
        "given": _items((f"<b>{letter}.</b> {one['text']}" for letter, one in options), name="options"),
        "answer": f'<p class="result">{letter}. {right["text"]}</p><p>{right["why"]}</p>',
        "more": _part(words["others"], _items(others, name="rubric")),
    }


def _number(card: Mapping, record: Mapping, words: Mapping[str, str]) -> dict[str, str]:
    item = record["items"][0]  # as on the chapter's page
    unit = f" {escape(record['unit'], quote=False)}" if record["unit"] else ""
    wrong = [f'<p class="point">{one["shown"]}{words["colon"]}{one["name"]}</p><p>{one["why"]}</p>'
             for one in item["distractors"]]  # fmt: skip
    return {
        "question": item["ask"],
        "given": f'<p class="note">{escape(record["note"], quote=False)}</p>',
        "answer": f'<p class="result">{item["shown"]}{unit}</p><p>{item["solution"]}</p>',
        "more": _part(words["mistakes"], _items(wrong, name="rubric")),
    }


def _expression(card: Mapping, record: Mapping, words: Mapping[str, str]) -> dict[str, str]:
    wrong = [
        f'<p class="point"><code>{escape(one["expression"], quote=False)}</code>{words["colon"]}{one["name"]}</p>'
        f"<p>{one['why']}</p>"
        for one in record["mistakes"]
    ]
    symbols = words["comma"].join(one["tex"] for one in record["variables"])
    return {
        "question": record["ask"],
        "given": f'<p class="note">{words["symbols"]}{words["colon"]}{symbols}</p>',
        "answer": f'<p class="result">{record["answerHtml"]}</p><p>{record["solution"]}</p>',
        "more": _part(words["mistakes"], _items(wrong, name="rubric")),
    }


def _grade_call(question_id: str, function: str, language: str) -> str:
    call = f'grade("{question_id}", {function}, language="{language}")'
    return f"from interview_book.practice.coding import grade\n\n{call}"


def _code_card(card: Mapping, record: Mapping, words: Mapping[str, str]) -> dict[str, str]:
    language = next(tag for tag, table in WORDS.items() if table is words)
    hints = [_fold(words["hint"].format(at), f"<p>{one}</p>") for at, one in enumerate(record["hints"], start=1)]
    return {
        "question": f'<div class="task">{record["ask"]}</div>',
        "given": _code(record["starter"]) + _row(words["example"], record["example"]),
        # Never the model: who has read it has nothing left to write.
        "answer": f"<p>{words['code.mark']}</p>{_code(_grade_call(card['id'], record['function'], language))}",
        "more": "".join(hints) + _part(words["field.more"], f"<p>{record['solution']}</p>"),
    }


def _diagnose(card: Mapping, record: Mapping, words: Mapping[str, str]) -> dict[str, str]:
    names = {one["id"]: one["name"] for one in record["measurements"]}

    def ruled_out(cause: Mapping) -> str:
        by = names.get(cause["ruledOutBy"])
        return _row(words["ruled_out_by"], by, "no") if by else ""

    right = next(one for one in record["causes"] if one["right"])
    shows = [f'<p class="point">{one["name"]}</p><p>{one["shows"]}</p>' for one in record["measurements"]]
    others = [
        f'<p class="point">{one["text"]}</p>{ruled_out(one)}<p>{one["why"]}</p>'
        for one in record["causes"]
        if not one["right"]
    ]
    return {
        "question": record["ask"],
        "given": _once(words["measurements"], list(names.values())),
        "answer": f'<p class="result">{right["text"]}</p><p>{right["why"]}</p><p>{record["solution"]}</p>',
        "more": _part(words["shows"], _items(shows, name="rubric"))
        + _part(words["other_causes"], _items(others, name="rubric")),
    }


_KINDS = {
    "explain": _explain,
    "grade": _grade,
    "choice": _choice,
    "number": _number,
    "expression": _expression,
    "code": _code_card,
    "diagnose": _diagnose,
}
