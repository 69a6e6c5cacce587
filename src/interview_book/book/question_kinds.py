"""What each kind of question shows, in the markup of the visual reference."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from interview_book.book.question_pieces import (
    Piece,
    code,
    condition,
    fold,
    icon,
    inline,
    join,
    paragraphs,
    point,
    points,
    said,
)
from interview_book.book.question_words import DISCS, ICONS, WORDS, grade_call, tolerance_words, unit_words
from interview_book.practice import numbers
from interview_book.practice.grading import verdict
from interview_book.practice.order import shuffled
from interview_book.practice.tolerances import Tolerance

LETTERS = "ABCDE"


def section(question: Mapping, language: str, number: int, practice: str = "") -> list[Piece]:
    """The whole ``section.question``; ``practice``: address of the practice page, where the question can be asked."""
    words, kind = WORDS[language], question["kind"]
    label = escape(words["question"].format(number))
    sign = icon(ICONS[kind]) if kind in ICONS else ""
    meta = (
        f'<p class="q-meta"><span class="kind">{sign}{words[kind]}</span>'
        f'<span class="level">{words[question["level"]]}</span><span class="time">{words[f"{kind}.time"]}</span></p>'
    )
    ask, rest = _KINDS[kind](question, language)
    links = []
    if question.get("passage"):
        links.append(f'<a href="#{escape(question["passage"])}">{words["passage"]}</a>')
    if practice:
        links.append(f'<a href="{escape(practice)}#practise={escape(question["id"])}">{words["practise"]}</a>')
    link = f'<p class="fine q-passage">{" ".join(links)}</p>\n' if links else ""
    english = ""
    if "english_first_line" in question:
        first = escape(question["english_first_line"], quote=False)
        english = f'<p class="q-english" lang="en"><span>English</span>{first}</p>\n'
    do = f'<p class="q-do">{words[f"{kind}.do"]}</p>\n'
    head = f'<section aria-label="{label}" class="question" id="q-{escape(question["id"])}">\n{meta}'
    return join(head, ask, do, rest, link, english, "</section>\n")


def _quoted(text: str, small: bool = False) -> str:
    """Somebody speaks: the opening bracket hangs in the margin."""
    return f'<p class="q-ask{" small" if small else ""}">「{said(text)}」</p>\n'


def _written(text: str) -> list[Piece]:
    return join('<p class="q-ask written">', inline(text), "</p>\n")


def _disc(name: str) -> str:
    sign, mark = DISCS[name]
    return icon(sign, mark)


def _explain(question: Mapping, language: str) -> tuple[list[Piece], list[Piece]]:
    words = WORDS[language]
    body = join(
        *(
            fold(words[field], [f'<div class="said">{paragraphs(question[field][language])}</div>'])
            for field in ("answer_30s", "answer_2min")
        ),
        fold(words["rubric"], _rubric(question, language)),
        fold(words["samples"], _samples(question, language)),
        fold(words["follow_ups"], _follow_ups(question, language)),
    )
    return [_quoted(question["question"][language])], body


def _rubric(question: Mapping, language: str) -> list[Piece]:
    words = WORDS[language]
    entries = []
    for one in question["rubric"]:
        must = f'<span class="must">{words["must"]}</span>' if one["must"] else ""
        pips = "<i></i>" * one["weight"]
        count = words["weight"].format(one["weight"])
        weight = f'<span class="weight"><span aria-hidden="true" class="pips">{pips}</span><span>{count}</span></span>'
        rows = [
            condition("yes", words["counts_if"], inline(one["counts_if"][language])),
            condition("no", words["not_enough"], inline(one["not_enough"][language])),
        ]
        entries.append(point(inline(one["point"][language]), must + weight, rows))
    fatal = [
        join(f"<li>{icon('i-cross', 'fails')}<span>", inline(one[language]), "</span></li>")
        for one in question["fatal"]
    ]
    flat = [piece for entry in fatal for piece in entry]
    return join(points(entries), f'<div class="fatal"><p>{words["fatal"]}</p><ul>', flat, "</ul></div>")


def _samples(question: Mapping, language: str) -> list[Piece]:
    out: list[Piece] = ['<div class="samples">']
    for name, sample in question["samples"].items():
        got = verdict(question, sample["earns"], sample.get("fatal", ()))
        head = f"<b>{WORDS[language][name]}</b><span>{got.points} / {got.total}</span>"
        quote = f"<blockquote>{paragraphs(sample[language])}</blockquote>"
        out.append(f'<figure class="sample"><figcaption>{_disc(name)}{head}</figcaption>{quote}<p class="why">')
        out += [*inline(sample["why"][language]), "</p></figure>"]
    return join(out, "</div>")


def _follow_ups(question: Mapping, language: str) -> list[Piece]:
    words = WORDS[language]
    asked = [("", one) for one in question["follow_ups"]]
    asked += [(words[name], question[name]) for name in ("push_back", "deeper")]
    out: list[Piece] = []
    for label, one in asked:
        out.append(f'<p class="q-meta"><span class="level">{label}</span></p>' if label else "")
        out.append(_quoted(one["ask"][language], small=True))
        out += fold(words["good_answer"], [f'<div class="said">{paragraphs(one["good_answer"][language])}</div>'])
    return join(out)


def _choice(question: Mapping, language: str) -> tuple[list[Piece], list[Piece]]:
    words = WORDS[language]
    shown = shuffled(question)
    listed = [join("<li>", inline(one["text"][language]), "</li>") for one in shown]
    entries = []
    for letter, one in zip(LETTERS, shown, strict=False):
        right = one.get("right", False)
        meta = f"{_disc('right')}{words['right']}" if right else _disc("wrong") + words["wrong"]
        rows = [] if right else [condition("no", words["misconception"], inline(one["misconception"][language]))]
        rows.append(condition("yes" if right else "no", words["why"], inline(one["why"][language])))
        text = join(f'<span class="letter">{letter}.</span> ', inline(one["text"][language]))
        entries.append(point(text, meta, rows))
    options = join('<ol class="options" type="A">', [piece for one in listed for piece in one], "</ol>\n")
    return join(_written(question["question"][language]), options), fold(words["options"], points(entries))


def _number(question: Mapping, language: str) -> tuple[list[Piece], list[Piece]]:
    words = WORDS[language]
    item = numbers.draw(question, 0)
    values = item.words()
    notes = unit_words(question["unit"], language) + tolerance_words(Tolerance.of(question["tolerance"]), language)
    unit = "" if question["unit"] == "none" else f" {question['unit'][language]}"
    entries = []
    for one in question["distractors"]:
        wrong = {**values, "wrong": item.tolerance.show(item.distractors[one["mistake"]])}
        rows = [condition("no", words["why"], inline(numbers.fill(one["why"][language], wrong)))]
        meta = escape(wrong["wrong"].replace("-", "−"))
        entries.append(point(inline(numbers.fill(one["name"][language], wrong)), meta, rows))
    answer = f'<p class="point">{words["answer"]}{values["answer"].replace("-", "−")}{escape(unit)}</p><p>'
    solution = inline(numbers.fill(question["solution"][language], values))
    ask = join(_written(numbers.fill(question["question"][language], values)), f'<p class="fine">{escape(notes)}</p>\n')
    return ask, fold(words["result"], join(answer, solution, "</p>", points(entries)))


def _expression(question: Mapping, language: str) -> tuple[list[Piece], list[Piece]]:
    words = WORDS[language]
    entries = [
        point(
            join(inline(f"`{one['expression']}`")),
            "",
            [
                condition("no", words["mistake"], inline(one["name"][language])),
                condition("no", words["why"], inline(one["why"][language])),
            ],
        )
        for one in question["mistakes"]
    ]
    answer = join(f'<p class="point">{words["answer"]}', inline(f"${question['tex']}$"), "</p><p>")
    same = f"<p>{words['equivalents']}："
    forms = join(same, [piece for one in question["equivalents"] for piece in [*inline(f"`{one}`"), " "]], "</p>")
    body = join(answer, inline(question["solution"][language]), "</p>", forms, points(entries))
    return _written(question["question"][language]), fold(words["result"], body)


def _code(question: Mapping, language: str) -> tuple[list[Piece], list[Piece]]:
    words = WORDS[language]
    entries = [
        point(inline(one["name"][language]), "", [condition("no", words["why"], inline(one["why"][language]))])
        for one in question["mutants"]
    ]
    # The model is for the grader alone: who has seen it has nothing left to write.
    ask = join(
        _written(question["question"][language]),
        code(question["starter"]),
        f'<p class="q-example">{words["example"]}',
        inline(question["example"][language]),
        "</p>",
        f'<p class="fine">{words["code.run"]}</p>',
        code(grade_call(question, language)),
        "\n",
    )
    hints = [
        fold(words["hint"].format(number), join("<p>", inline(hint[language]), "</p>"))
        for number, hint in enumerate(question["hints"], start=1)
    ]
    body = join("<p>", inline(question["solution"][language]), "</p>", points(entries))
    return ask, join(*hints, fold(words["code.fold"], body))


def _diagnose(question: Mapping, language: str) -> tuple[list[Piece], list[Piece]]:
    words = WORDS[language]
    names = {one["id"]: one["name"][language] for one in question["measurements"]}
    listed = [join("<li>", inline(name), "</li>") for name in names.values()]
    shows = [
        point(inline(one["name"][language]), "", [condition("yes", words["shows"], inline(one["shows"][language]))])
        for one in question["measurements"]
    ]
    causes = []
    for one in question["causes"]:
        right = one.get("right", False)
        rows = [condition("yes" if right else "no", words["why"], inline(one["why"][language]))]
        if not right:
            rows.insert(0, condition("no", words["ruled_out_by"], inline(names[one["ruled_out_by"]])))
        meta = f"{_disc('right')}{words['right']}" if right else _disc("wrong") + words["wrong"]
        causes.append(point(inline(one["text"][language]), meta, rows))
    options = join(f'<p class="fine">{words["measurements"]}</p><ul class="options">', *listed, "</ul>\n")
    body = join(
        fold(words["shows"], points(shows)),
        fold(words["causes"], join("<p>", inline(question["solution"][language]), "</p>", points(causes))),
    )
    return join(_written(question["question"][language]), options), body


_KINDS = {
    "explain": _explain,
    "choice": _choice,
    "number": _number,
    "expression": _expression,
    "code": _code,
    "diagnose": _diagnose,
}
