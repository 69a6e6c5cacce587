"""Rules for ``expression`` questions: what a learner may type for each formula of the record must get its verdict."""

from __future__ import annotations

import math
from collections.abc import Mapping

from interview_book.practice.comparing import defined, points, same, values
from interview_book.practice.expressions import Parsed, ranges, read
from interview_book.practice.grammar import reserved, spellings
from interview_book.practice.reading import Unreadable
from interview_book.practice.shapes import Phrase, Report

_MENDS = {
    "ambiguous": "it can be read in two ways: put brackets, or a * between factors",
    "equation": "keep the right-hand side only",
    "name": "use the names of variables, or add the variable",
    "too-long": "write it shorter",
}


def _variables(variables: Mapping[str, Mapping], report: Report) -> None:
    for name, limits in variables.items():
        here = report.at(name)
        if limits["low"] >= limits["high"]:
            here.add("range", "low below high", dict(limits), "mend the range")
        others = ", ".join(other for other in variables if other != name)
        if reserved(name):
            here.add("name", "a name that the grammar does not keep for itself", name, "call the variable otherwise")
            continue
        for spelling in spellings((name,)):
            if read(spelling, variables) != Parsed(name):
                expected = f"a name that nobody can take for {others}, in any spelling"
                here.add("name", expected, spelling, "call one of the variables otherwise")
                break


def _values(text: str, names: Mapping, drawn: list[dict[str, float]], report: Report) -> list[float] | None:
    """The values of ``text`` at the points, or None when it is a fault."""
    got = read(text, names)
    if isinstance(got, Unreadable):
        found = f"{text} ({got.reason}{': ' + got.name if got.name else ''})"
        expected = f"an expression in {', '.join(names) or 'numbers'} that can be read"
        report.add("unread", expected, Phrase(found), _MENDS.get(got.reason, "write it as a learner would type it"))
        return None
    return values(got.tree, drawn)


def check(record: Mapping, report: Report) -> None:
    """Write down every fault of the variables, the answer, its equivalents and the mistakes."""
    variables = record["variables"]
    before = len(report.faults)
    _variables(variables, report.at("variables"))
    if len(report.faults) > before:  # nothing can be compared
        return
    drawn = points(record["answer"], ranges(variables))
    right = _values(record["answer"], variables, drawn, report.at("answer"))
    if right is None:
        return
    without = next((point for point, value in zip(drawn, right, strict=True) if math.isnan(value)), None)
    if without is not None:
        where = ", ".join(f"{name} = {value:.4g}" for name, value in without.items())
        expected = "a real value everywhere in the ranges"
        report.at("answer").add("undefined", expected, Phrase(f"none at {where}"), "mend the answer or the ranges")
        return
    if not any(right):
        expected = "a value other than 0, which no tolerance can be relative to"
        report.at("answer").add("zero", expected, record["answer"], "ask for something else")
        return
    for index, text in enumerate(record["equivalents"]):
        here = report.at("equivalents").at(index)
        found = _values(text, variables, drawn, here)
        if found is not None and not same(found, right):
            here.add("equivalent", f"an expression equal to {record['answer']}", text, "mend it or remove it")
    wrong: list[tuple[str, list[float]]] = []
    for index, one in enumerate(record["mistakes"]):
        here = report.at("mistakes").at(index)
        found = _values(one["expression"], variables, drawn, here)
        if found is None:
            continue
        if not defined(found):
            here.add("undefined", "a mistake that has a value somewhere", one["expression"], "mend it or remove it")
        elif same(found, right):
            here.add("right", "a wrong expression", one["expression"], "it is the answer: remove it")
        elif twin := next((other for other, these in wrong if same(these, found)), None):
            here.add("duplicate-mistake", f"another expression than {twin}", one["expression"], "remove one of them")
        else:
            wrong.append((one["expression"], found))
