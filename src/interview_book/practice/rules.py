"""Rules across the fields of one record whose shape is already right."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping

from interview_book.practice import expression_rules, numbers
from interview_book.practice.grading import verdict
from interview_book.practice.shapes import LANGUAGES, Phrase, Report
from interview_book.practice.wording import spoken, written

_PLACEHOLDER = re.compile(r"<([a-z][a-z0-9_]*)>")
_HAN_OR_KANA = re.compile(r"[\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


def _unique(entries: Iterable[Mapping], key: str, report: Report) -> list[str]:
    names = [entry[key] for entry in entries]
    for index, name in enumerate(names):
        if name in names[:index]:
            report.at(index).at(key).add("duplicate-id", f"each {key} once", name, "give one of them another name")
    return names


def _known(names: Iterable[str], known: list[str], what: str, report: Report) -> None:
    for index, name in enumerate(names):
        if name not in known:
            report.at(index).add("unknown-point", f"{what}: {', '.join(known)}", name, "mend the spelling or add it")


def _common(record: Mapping, slug: str | None, report: Report) -> None:
    if slug is not None and record["chapter"] != slug:
        report.at("chapter").add(
            "chapter", f"{slug}, as the file is called", record["chapter"], "move the question or mend it"
        )
    if "passage" not in record and not ("figures" in record and "sources" in record):
        report.add(
            "unanswered",
            "a passage, or figures and sources where no chapter answers it yet",
            Phrase("neither"),
            "name the label of the heading that answers it",
        )
    for literal in record.get("allow", ()):
        if literal in record.get("values", {}):
            report.at("allow").add("allow", "numbers that are not bound by values", literal, "remove it from allow")


def _markup(record: Mapping, report: Report) -> None:
    for tag in LANGUAGES:
        for field, text in spoken(record, tag):
            for sign in "$`":
                if sign in text:
                    report.at(f"{field}.{tag}").add(
                        "spoken", "words to be said", Phrase(f"the sign {sign}"), "spell the formula as it is said"
                    )
        for field, text in written(record, tag):
            place = report.at(f"{field}.{tag}")
            parts = re.split(r"(?<!\\)\$", text)
            if len(parts) % 2 == 0:
                place.add("markup", "$ in pairs", Phrase(f"{len(parts) - 1} of them"), r"close the formula or write \$")
            elif any(not formula.strip() or _HAN_OR_KANA.search(formula) for formula in parts[1::2]):
                place.add("markup", "formulas without Han or kana", text, "keep the words outside $…$")
            if text.count("`") % 2:
                place.add("markup", "` in pairs", Phrase(f"{text.count('`')} of them"), "close the code")


def _explain(record: Mapping, report: Report) -> None:
    points = _unique(record["rubric"], "id", report.at("rubric"))
    if not any(point["must"] for point in record["rubric"]):
        report.at("rubric").add(
            "no-must", "at least one must: true", Phrase("none"), "mark what an answer cannot do without"
        )
    follow_ups = report.at("follow_ups")
    _unique(record["follow_ups"], "id", follow_ups)
    for index, one in enumerate(record["follow_ups"]):
        _known_one(one["when_missing"], points, follow_ups.at(index).at("when_missing"))
    for name in points:
        if name not in [one["when_missing"] for one in record["follow_ups"]]:
            follow_ups.add(
                "no-follow-up",
                f"a follow-up for the point {name}",
                Phrase("none"),
                f"add one with when_missing: {name}",
            )
    for name, sample in record["samples"].items():
        _sample(record, points, name, sample, report.at("samples").at(name))


def _known_one(name: str, known: list[str], report: Report) -> None:
    if name not in known:
        report.add("unknown-point", f"one of {', '.join(known)}", name, "mend the spelling or add it")


def _sample(record: Mapping, known: list[str], name: str, sample: Mapping, report: Report) -> None:
    before = len(report.faults)
    _known(sample["earns"], known, "points of the rubric", report.at("earns"))
    fatal = sample.get("fatal", [])
    for index, number in enumerate(fatal):
        if number >= len(record["fatal"]):
            limit = len(record["fatal"]) - 1
            report.at("fatal").at(index).add(
                "range", f"a number from 0 to {limit}", number, "count the fatal statements from 0"
            )
    if len(set(sample["earns"])) != len(sample["earns"]):
        report.at("earns").add("duplicate-id", "each point once", sample["earns"], "remove the repetition")
    if len(report.faults) > before:
        return
    judged = verdict(record, sample["earns"], fatal)
    if judged.label != name:
        found = f"{judged.label} ({judged.points} of {judged.total}"
        found += f", must missing: {', '.join(judged.missing)})" if judged.missing else ")"
        report.add(
            "verdict", f"a sample that its points make {name}", Phrase(found), "mend earns, fatal or the weights"
        )


def _choice(record: Mapping, report: Report) -> None:
    options = report.at("options")
    _unique(record["options"], "id", options)
    right = [one["id"] for one in record["options"] if one.get("right", False)]
    if len(right) != 1:
        options.add(
            "right", "exactly one option with right: true", Phrase(", ".join(right) or "none"), "mark one option"
        )
    for index, one in enumerate(record["options"]):
        if one.get("right", False) and "misconception" in one:
            options.at(index).add("misconception", "none at the right option", one["misconception"]["ja"], "remove it")
        if not one.get("right", False) and "misconception" not in one:
            options.at(index).add("misconception", "the misconception a wrong option shows", Phrase("none"), "name it")
    for tag in LANGUAGES:
        shown = [one["text"][tag] for one in record["options"]]
        if len(set(shown)) != len(shown):
            options.add("duplicate-text", f"options that differ in {tag}", Phrase("two alike"), "reword one of them")


def _number(record: Mapping, report: Report) -> None:
    generator = numbers.GENERATORS.get(record["generator"])
    if generator is None:
        known = ", ".join(sorted(numbers.GENERATORS))
        report.at("generator").add("unknown-generator", f"one of {known}", record["generator"], "name one or write it")
        return
    named = _unique(record["distractors"], "mistake", report.at("distractors"))
    for name in named:
        if name not in generator.mistakes:
            report.at("distractors").add(
                "unknown-mistake", f"mistakes of {', '.join(generator.mistakes)}", name, "mend it"
            )
    for name in generator.mistakes:
        if name not in named:
            report.at("distractors").add("missing-mistake", f"a distractor for {name}", Phrase("none"), "add it")
    try:
        numbers.draw(record, 0)
    except ValueError as error:
        report.at("tolerance").add("tolerance", "one that tells the mistakes apart", Phrase(str(error)), "narrow it")
    if record["unit"] == "none" and record.get("accepts"):
        report.at("accepts").add(
            "unit", "no words behind a number without unit", record["accepts"], "remove them or give the unit"
        )
    allowed = {"question": set(generator.names), "solution": {*generator.names, "answer"}}
    for tag in LANGUAGES:
        for field, text in written(record, tag):
            known = allowed.get(
                field, {*generator.names, "answer", "wrong"} if field.startswith("distractors") else set()
            )
            for name in _PLACEHOLDER.findall(text):
                if name not in known:
                    report.at(f"{field}.{tag}").add(
                        "placeholder",
                        f"placeholders of {', '.join(sorted(known)) or 'none'}",
                        name,
                        "mend or remove it",
                    )
    sets = [frozenset(_PLACEHOLDER.findall(record["question"][tag])) for tag in LANGUAGES]
    if sets[0] != sets[1]:
        report.at("question").add(
            "parity", "the same placeholders in both languages", Phrase("others"), "use the same ones"
        )


def _expression(record: Mapping, report: Report) -> None:
    _unique(record["mistakes"], "id", report.at("mistakes"))
    expression_rules.check(record, report)


def _code(record: Mapping, report: Report) -> None:
    places = [("starter", record["starter"]), ("model", record["model"])]
    for key in ("equivalents", "mutants"):
        _unique(record[key], "id", report.at(key))
        places += [(f"{key}[{index}].code", one["code"]) for index, one in enumerate(record[key])]
    for field, code in places:
        try:
            tree = ast.parse(code)  # parsed, never run
        except (SyntaxError, ValueError, RecursionError) as error:
            report.at(field).add("code", "Python that parses", Phrase(str(error)), "mend it")
            continue
        if record["function"] not in [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]:
            report.at(field).add("code", f"a function {record['function']}", Phrase("none"), "define it")
    for index, one in enumerate(record["mutants"]):
        if one["code"].strip() == record["model"].strip():
            report.at("mutants").at(index).add(
                "mutant", "code that differs from the model", Phrase("the model"), "change it"
            )


def _diagnose(record: Mapping, report: Report) -> None:
    measures = _unique(record["measurements"], "id", report.at("measurements"))
    _known(record["needs"], measures, "measurements", report.at("needs"))
    causes = report.at("causes")
    _unique(record["causes"], "id", causes)
    right = [one["id"] for one in record["causes"] if one.get("right", False)]
    if len(right) != 1:
        causes.add("right", "exactly one cause with right: true", Phrase(", ".join(right) or "none"), "mark one cause")
    for index, one in enumerate(record["causes"]):
        if not one.get("right", False):
            if "ruled_out_by" not in one:
                causes.at(index).add(
                    "ruled-out", "ruled_out_by: a measurement", Phrase("none"), "say which rules it out"
                )
            else:
                _known_one(one["ruled_out_by"], measures, causes.at(index).at("ruled_out_by"))


_KINDS = {
    "explain": _explain,
    "choice": _choice,
    "number": _number,
    "expression": _expression,
    "code": _code,
    "diagnose": _diagnose,
}


def check(record: Mapping, slug: str | None, report: Report) -> None:
    """Write down every fault across the fields of ``record``; ``slug`` is the chapter of the file's name, if any."""
    _common(record, slug, report)
    _markup(record, report)
    _KINDS[record["kind"]](record, report)
