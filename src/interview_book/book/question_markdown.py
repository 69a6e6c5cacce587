"""Questions as Markdown, for notebooks that leave the book: JupyterLab shows ``details`` with Markdown inside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from interview_book.book.question_kinds import LETTERS
from interview_book.book.question_words import WORDS, tolerance_words, unit_words
from interview_book.practice import numbers
from interview_book.practice.grading import verdict
from interview_book.practice.order import shuffled
from interview_book.practice.tolerances import Tolerance


def markdown(question: Mapping, language: str, number: int) -> str:
    """One question as Markdown with ``$…$`` maths; answers stand in closed ``details``."""
    words, kind = WORDS[language], question["kind"]
    comma = "、"
    head = words["question"].format(number)
    about = comma.join([words[kind], words[question["level"]], words[f"{kind}.time"]])
    parts = [f"### {head}（{about}）", *_KINDS[kind](question, language)]
    parts.insert(2, words[f"{kind}.do"])
    if question.get("passage"):
        parts.append(f"[{words['passage']}](#{question['passage']})")
    if "english_first_line" in question:
        parts.append(f"English: {question['english_first_line']}")
    return "\n\n".join(parts) + "\n"


def escaped(text: str) -> str:
    """Our texts hold no Markdown but code and maths; what would be read as such is escaped outside them."""
    out, code, maths = [], False, False
    for sign in text.strip():
        code ^= sign == "`" and not maths
        maths ^= sign == "$" and not code
        if not code and not maths and sign in "*_<[]":
            out.append("&lt;" if sign == "<" else f"\\{sign}")
        else:
            out.append(sign)
    return "".join(out)


def _fold(title: str, blocks: Iterable[str]) -> str:
    return "\n\n".join([f"<details><summary>{title}</summary>", *blocks, "</details>"])


def _quote(text: str) -> str:
    return "> " + escaped(text).replace("\n\n", "\n>\n> ")


def _explain(question: Mapping, language: str) -> list[str]:
    words = WORDS[language]
    rubric = []
    for one in question["rubric"]:
        notes = [words["must"]] if one["must"] else []
        notes.append(words["weight"].format(one["weight"]))
        rubric.append(
            f"- {escaped(one['point'][language])}（{'、'.join(notes)}）\n"
            f"  - {words['counts_if']}：{escaped(one['counts_if'][language])}\n"
            f"  - {words['not_enough']}：{escaped(one['not_enough'][language])}"
        )
    fatal = "\n".join(f"- {escaped(one[language])}" for one in question["fatal"])
    samples = []
    for name, one in question["samples"].items():
        got = verdict(question, one["earns"], one.get("fatal", ()))
        samples += [
            f"{words[name]}（{got.points} / {got.total}）",
            _quote(one[language]),
            escaped(one["why"][language]),
        ]
    asked = [("", one) for one in question["follow_ups"]]
    asked += [(f"{words[name]}：", question[name]) for name in ("push_back", "deeper")]
    follow = []
    for label, one in asked:
        follow += [f"{label}「{escaped(one['ask'][language])}」", _quote(one["good_answer"][language])]
    return [
        f"「{escaped(question['question'][language])}」",
        *(_fold(words[field], [escaped(question[field][language])]) for field in ("answer_30s", "answer_2min")),
        _fold(words["rubric"], ["\n".join(rubric), words["fatal"], fatal]),
        _fold(words["samples"], samples),
        _fold(words["follow_ups"], follow),
    ]


def _choice(question: Mapping, language: str) -> list[str]:
    words = WORDS[language]
    lettered = list(zip(LETTERS, shuffled(question), strict=False))
    listed = "\n".join(f"- {letter}. {escaped(one['text'][language])}" for letter, one in lettered)
    notes = []
    for letter, one in lettered:
        head = (
            words["right"]
            if one.get("right", False)
            else f"{words['misconception']}：{escaped(one['misconception'][language])}"
        )
        notes.append(f"- {letter}. {head}\n  - {escaped(one['why'][language])}")
    return [escaped(question["question"][language]), listed, _fold(words["options"], ["\n".join(notes)])]


def _number(question: Mapping, language: str) -> list[str]:
    words = WORDS[language]
    item = numbers.draw(question, 0)
    values = item.words()
    unit = "" if question["unit"] == "none" else f" {question['unit'][language]}"
    notes = unit_words(question["unit"], language) + tolerance_words(Tolerance.of(question["tolerance"]), language)
    mistakes = []
    for one in question["distractors"]:
        wrong = {**values, "wrong": item.tolerance.show(item.distractors[one["mistake"]])}
        name, why = (escaped(numbers.fill(one[field][language], wrong)) for field in ("name", "why"))
        mistakes.append(f"- {name}\n  - {why}")
    answer = words["answer"] + values["answer"].replace("-", "−") + unit
    solution = escaped(numbers.fill(question["solution"][language], values))
    return [
        escaped(numbers.fill(question["question"][language], values)) + f"\n\n{notes}",
        _fold(words["result"], [answer, solution, "\n".join(mistakes)]),
    ]


def _expression(question: Mapping, language: str) -> list[str]:
    words = WORDS[language]
    forms = f"{words['equivalents']}：" + " ".join(f"`{one}`" for one in question["equivalents"])
    mistakes = [
        f"- `{one['expression']}` {escaped(one['name'][language])}\n  - {escaped(one['why'][language])}"
        for one in question["mistakes"]
    ]
    answer = f"{words['answer']}${question['tex']}$"
    body = [answer, escaped(question["solution"][language]), forms, "\n".join(mistakes)]
    return [escaped(question["question"][language]), _fold(words["result"], body)]


def _code(question: Mapping, language: str) -> list[str]:
    words = WORDS[language]
    mistakes = [
        f"- {escaped(one['name'][language])}\n  - {escaped(one['why'][language])}" for one in question["mutants"]
    ]
    hints = [
        _fold(words["hint"].format(number), [escaped(hint[language])])
        for number, hint in enumerate(question["hints"], start=1)
    ]
    return [
        escaped(question["question"][language]),
        _python(question["starter"]),
        words["example"] + escaped(question["example"][language]),
        words["code.cells"],
        *hints,
        _fold(words["code.fold"], [escaped(question["solution"][language]), "\n".join(mistakes)]),
    ]


def _python(text: str) -> str:
    return f"```python\n{text.rstrip()}\n```"


def _diagnose(question: Mapping, language: str) -> list[str]:
    words = WORDS[language]
    names = {one["id"]: escaped(one["name"][language]) for one in question["measurements"]}
    shows = [f"- {names[one['id']]}\n  - {escaped(one['shows'][language])}" for one in question["measurements"]]
    causes = []
    for one in question["causes"]:
        head = words["right"] if one.get("right", False) else f"{words['ruled_out_by']}：{names[one['ruled_out_by']]}"
        causes.append(f"- {escaped(one['text'][language])}（{head}）\n  - {escaped(one['why'][language])}")
    listed = f"{words['measurements']}\n\n" + "\n".join(f"- {name}" for name in names.values())
    return [
        escaped(question["question"][language]) + f"\n\n{listed}",
        _fold(words["shows"], ["\n".join(shows)]),
        _fold(words["causes"], [escaped(question["solution"][language]), "\n".join(causes)]),
    ]


_KINDS = {
    "explain": _explain,
    "choice": _choice,
    "number": _number,
    "expression": _expression,
    "code": _code,
    "diagnose": _diagnose,
}
