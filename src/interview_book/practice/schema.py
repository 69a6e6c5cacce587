"""What a question record of each kind must hold, as tables of field and shape. Rules across fields are in `rules`.

Texts come in both languages. ``spoken_fields`` of `texts` are said aloud; all others are written and may hold inline
``$…$`` and code.
"""

from __future__ import annotations

from collections.abc import Mapping

from interview_book.practice.shapes import (
    LARGEST,
    Phrase,
    Report,
    Shape,
    both,
    either,
    flag,
    listing,
    matching,
    one_of,
    positive,
    record,
    table,
    text,
    whole,
)

LEVELS = ("core", "advanced", "research")
FREQUENCIES = ("common", "occasional", "rare")
ROLES = ("research", "ml-engineer", "inference", "application")
SAMPLES = ("weak", "acceptable", "strong")

_SLUG = r"[a-z0-9]+(?:-[a-z0-9]+)*"
slug = matching(_SLUG, "lower-case words joined by hyphens")
identifier = matching(rf"{_SLUG}(?:\.{_SLUG})+", "an id such as two-scores.order: topic, dot, name, lower case")
label = matching(r"[a-z][a-z0-9]*(?:[-.][a-z0-9]+)*", "a label of a heading of the chapter, without #")
reference = matching(rf"{_SLUG}:[A-Za-z_][\w.\-]*(?:\[\d+\])*", "chapter:name, as stated by a code cell")
number_text = matching(r"\S(?:.*\S)?", "the number as it is written, in quotes")


def _nothing_stored(value: object, report: Report) -> None:
    report.add(
        "derived",
        "no record of kind grade",
        Phrase("one"),
        "remove it: grade items are made from the samples of each explain",
    )


spoken_pair = record({"ask": both, "good_answer": both})

_tolerance = record({}, {"absolute": positive, "relative": positive, "significant": whole(1, 12)})


def tolerance(value: object, report: Report) -> None:
    """``{absolute: 0.001}``, ``{relative: 0.01}`` or ``{significant: 3}``, exactly one."""
    _tolerance(value, report)
    if isinstance(value, Mapping) and len(value) != 1:
        report.add("count", "one of absolute, relative, significant", Phrase(str(len(value))), "keep one of them")


unit = either((lambda value: isinstance(value, str), one_of("none")), (lambda value: True, both))


def real(value: object, report: Report) -> None:
    """A finite number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= LARGEST:
        report.add("type", "a finite number", value, "write a number")


# Shared by every kind.
COMMON: dict[str, Shape] = {
    "id": identifier,
    "kind": text,
    "level": one_of(*LEVELS),
    "frequency": one_of(*FREQUENCIES),
    "chapter": slug,
    "roles": listing(one_of(*ROLES), least=1),
    "claims": listing(slug, least=1),
    "question": both,
}
COMMON_OPTIONAL: dict[str, Shape] = {
    "passage": label,
    "sources": listing(text, least=1),
    "figures": listing(record({"value": text, "from": text}), least=1),
    # One literal may quote two values that round alike: then both are named, and both are held against it.
    "values": table(
        number_text,
        either((lambda value: isinstance(value, list), listing(reference, least=2)), (lambda value: True, reference)),
    ),
    "allow": listing(number_text),
    "relations": listing(text),
}

KINDS: dict[str, tuple[dict[str, Shape], dict[str, Shape]]] = {
    "explain": (
        {
            "english_first_line": matching(r"[\x20-\x7e’“”–—√]+", "one sentence in English"),
            "answer_30s": both,
            "answer_2min": both,
            "rubric": listing(
                record(
                    {
                        "id": slug,
                        "weight": whole(1, 5),
                        "must": flag,
                        "point": both,
                        "counts_if": both,
                        "not_enough": both,
                    }
                ),
                least=2,
                most=6,
            ),
            "fatal": listing(both, least=1),
            "samples": record(
                {
                    name: record(
                        {"earns": listing(slug), "ja": text, "zh-Hant": text, "why": both},
                        {"fatal": listing(whole(0, 9))},
                    )
                    for name in SAMPLES
                }
            ),
            "follow_ups": listing(
                record({"id": slug, "when_missing": slug, "ask": both, "good_answer": both}), least=1
            ),
            "push_back": spoken_pair,
            "deeper": spoken_pair,
        },
        {},
    ),
    "choice": (
        {
            "options": listing(
                record({"id": slug, "text": both, "why": both}, {"right": flag, "misconception": both}),
                least=2,
                most=5,
            ),
        },
        {},
    ),
    "number": (
        {
            "generator": matching(rf"{_SLUG}\.{_SLUG}", "the name of a generator, such as two-scores.weight"),
            "tolerance": tolerance,
            "unit": unit,
            "solution": both,
            "distractors": listing(record({"mistake": slug, "name": both, "why": both}), least=1),
        },
        {"accepts": listing(text)},
    ),
    "expression": (
        {
            "variables": table(
                matching(r"[A-Za-z][A-Za-z0-9_]*", "the name of a variable"),
                record({"low": real, "high": real, "tex": text}),
            ),
            "answer": text,
            "tex": text,
            "equivalents": listing(text, least=1),
            "mistakes": listing(record({"id": slug, "expression": text, "name": both, "why": both}), least=1),
            "solution": both,
        },
        {},
    ),
    "code": (
        {
            "function": matching(r"[a-z_][a-z0-9_]*", "the name of the function to write"),
            "starter": text,
            "model": text,
            "equivalents": listing(record({"id": slug, "code": text}), least=1),
            # killed_by: the property of the exercise that no such function has
            "mutants": listing(
                record({"id": slug, "code": text, "killed_by": slug, "name": both, "why": both}), least=1
            ),
            "example": both,
            "hints": listing(both, least=3, most=3),
            "solution": both,
        },
        {},
    ),
    "diagnose": (
        {
            "measurements": listing(record({"id": slug, "name": both, "shows": both}), least=2),
            "causes": listing(
                record({"id": slug, "text": both, "why": both}, {"right": flag, "ruled_out_by": slug}),
                least=2,
                most=6,
            ),
            "needs": listing(slug, least=1),
            "solution": both,
        },
        {"incident": slug},
    ),
}


def question(value: object, report: Report) -> None:
    """One record of the list ``questions``: its kind decides its fields."""
    kind = value.get("kind") if isinstance(value, Mapping) else None
    if kind == "grade":
        _nothing_stored(value, report)
        return
    if not isinstance(value, Mapping) or not isinstance(kind, str) or kind not in KINDS:
        one_of(*KINDS)(kind, report.at("kind"))
        return
    required, optional = KINDS[kind]
    record({**COMMON, **required}, {**COMMON_OPTIONAL, **optional})(value, report)


READING = record({"ja": text, "zh-Hant": text})
FILE_KEYS = ("readings", "questions")
