"""The record of each kind of question as the deck shows it: one language, texts as HTML."""

from __future__ import annotations

import math
from collections.abc import Mapping

from interview_book.practice import numbers
from interview_book.practice.compiled_text import Writer
from interview_book.practice.grading import verdict
from interview_book.practice.order import shuffled
from interview_book.practice.tolerances import Tolerance

# Inputs that read, to show their form: at least one of these is no answer of a question.
_EXAMPLES = {"whole": ("12", "250"), "part": ("0.35", "0.62"), "mixed": ("2.75", "41.5")}


def record(question: Mapping, writer: Writer) -> dict:
    """Return the record of one question."""
    return _KINDS[question["kind"]](question, writer)


def _explain(question: Mapping, writer: Writer) -> dict:
    def asked(entry: Mapping) -> dict:
        return {"ask": writer.said(entry["ask"]), "answer": writer.speech(entry["good_answer"])}

    return {
        "ask": writer.said(question["question"]),
        "english": question["english_first_line"],
        "answer30": writer.speech(question["answer_30s"]),
        "answer120": writer.speech(question["answer_2min"]),
        "rubric": [
            {
                "id": one["id"],
                "weight": one["weight"],
                "must": one["must"],
                "point": writer.both(one["point"], f"rubric[{at}].point"),
                "counts": writer.both(one["counts_if"], f"rubric[{at}].counts_if"),
                "lacks": writer.both(one["not_enough"], f"rubric[{at}].not_enough"),
            }
            for at, one in enumerate(question["rubric"])
        ],
        "fatal": [writer.both(one, f"fatal[{at}]") for at, one in enumerate(question["fatal"])],
        "samples": [_sample(question, name, writer) for name in question["samples"]],
        "followUps": [
            {"id": one["id"], "missing": one["when_missing"], **asked(one)} for one in question["follow_ups"]
        ],
        "pushBack": asked(question["push_back"]),
        "deeper": asked(question["deeper"]),
    }


def _sample(question: Mapping, name: str, writer: Writer) -> dict:
    sample = question["samples"][name]
    got = verdict(question, sample["earns"], sample.get("fatal", ()))
    return {
        "name": name,
        "points": got.points,
        "total": got.total,
        "text": writer.speech(sample),
        "why": writer.both(sample["why"], f"samples.{name}.why"),
        "earns": list(sample["earns"]),
        "fatal": list(got.fatal),
    }


def _choice(question: Mapping, writer: Writer) -> dict:
    ask = writer.both(question["question"], "question")
    places = {one["id"]: at for at, one in enumerate(question["options"])}
    options = []
    for one in shuffled(question):
        where = f"options[{places[one['id']]}]"
        right = one.get("right", False)
        options.append(
            {
                "id": one["id"],
                "text": writer.both(one["text"], f"{where}.text"),
                "right": right,
                "misconception": None if right else writer.both(one["misconception"], f"{where}.misconception"),
                "why": writer.both(one["why"], f"{where}.why"),
            }
        )
    return {"ask": ask, "options": options}


def _number(question: Mapping, writer: Writer) -> dict:
    tolerance = Tolerance.of(question["tolerance"])
    drawn = [numbers.draw(question, seed) for seed in numbers.PAGE_SEEDS]
    return {
        "unit": "" if question["unit"] == "none" else question["unit"][writer.language],
        "accepts": list(question.get("accepts", ())),
        "tolerance": {"kind": tolerance.kind, "size": tolerance.size},
        "example": _number_example([one.answer for one in drawn], tolerance),
        "items": [_item(question, one, writer) for one in drawn],
    }


def _item(question: Mapping, item: numbers.Item, writer: Writer) -> dict:
    words, tag = item.words(), writer.language

    def filled(texts: Mapping[str, str], where: str, more: Mapping[str, str] = words) -> str:
        return writer.html(numbers.fill(texts[tag], more), f"{where}.{tag}")

    ask = filled(question["question"], "question")
    distractors = []
    for at, one in enumerate(question["distractors"]):
        value = item.distractors[one["mistake"]]
        wrong = {**words, "wrong": item.tolerance.show(value)}
        distractors.append(
            {
                "value": value,
                "shown": _shown(wrong["wrong"]),
                "name": filled(one["name"], f"distractors[{at}].name", wrong),
                "why": filled(one["why"], f"distractors[{at}].why", wrong),
            }
        )
    return {
        "ask": ask,
        "answer": item.answer,
        "shown": _shown(words["answer"]),
        "solution": filled(question["solution"], "solution"),
        "distractors": distractors,
    }


def _shown(number: str) -> str:
    return number.replace("-", "−")


def _number_example(answers: list[float], tolerance: Tolerance) -> str:
    """An input of the same form that is never the answer."""
    whole = all("." not in tolerance.show(one) for one in answers)
    kind = "whole" if whole else "part" if all(abs(one) < 1 for one in answers) else "mixed"
    for text in _EXAMPLES[kind]:
        if not any(tolerance.holds(float(text), one) for one in answers):
            return text
    return f"{max(map(math.ceil, map(abs, answers))) + 7}"


def _expression(question: Mapping, writer: Writer) -> dict:
    names = list(question["variables"])
    return {
        "ask": writer.both(question["question"], "question"),
        "variables": [
            {
                "name": name,
                "tex": writer.formula(one["tex"], f"variables.{name}.tex"),
                "low": one["low"],
                "high": one["high"],
            }
            for name, one in question["variables"].items()
        ],
        "answer": question["answer"],
        "answerHtml": writer.formula(question["tex"], "tex"),
        "equivalents": list(question["equivalents"]),
        "mistakes": [
            {
                "expression": one["expression"],
                "name": writer.both(one["name"], f"mistakes[{at}].name"),
                "why": writer.both(one["why"], f"mistakes[{at}].why"),
            }
            for at, one in enumerate(question["mistakes"])
        ],
        "solution": writer.both(question["solution"], "solution"),
        # Every sign one may type, and nothing that answers a question.
        "example": f"sqrt({names[0]})/3 + 2*{names[-1]}^2",
    }


def _code(question: Mapping, writer: Writer) -> dict:
    return {
        "ask": writer.both(question["question"], "question"),
        "function": question["function"],
        "starter": question["starter"],
        "example": writer.both(question["example"], "example"),
        "hints": [writer.both(one, f"hints[{at}]") for at, one in enumerate(question["hints"])],
        "solution": writer.both(question["solution"], "solution"),
    }


def _diagnose(question: Mapping, writer: Writer) -> dict:
    places = {one["id"]: at for at, one in enumerate(question["causes"])}
    return {
        "ask": writer.both(question["question"], "question"),
        "measurements": [
            {
                "id": one["id"],
                "name": writer.both(one["name"], f"measurements[{at}].name"),
                "shows": writer.both(one["shows"], f"measurements[{at}].shows"),
            }
            for at, one in enumerate(question["measurements"])
        ],
        "causes": [
            {
                "id": one["id"],
                "text": writer.both(one["text"], f"causes[{places[one['id']]}].text"),
                "right": one.get("right", False),
                "why": writer.both(one["why"], f"causes[{places[one['id']]}].why"),
                "ruledOutBy": one.get("ruled_out_by"),
            }
            for one in shuffled(question, "causes")
        ],
        "needs": list(question["needs"]),
        "solution": writer.both(question["solution"], "solution"),
    }


_KINDS = {
    "explain": _explain,
    "choice": _choice,
    "number": _number,
    "expression": _expression,
    "code": _code,
    "diagnose": _diagnose,
}
