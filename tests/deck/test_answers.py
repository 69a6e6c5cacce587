"""Typed answers in JavaScript: the table that the Python version reads, with the same verdicts, reasons and values."""

import json
import math
import random

import pytest

from interview_book.practice import answers, expressions, numbers
from interview_book.practice.bank import load
from interview_book.practice.comparing import evaluate, points
from interview_book.practice.elementary import exp, log, power
from interview_book.practice.expressions import Parsed
from interview_book.practice.reading import MAX_EXPONENT, REASONS
from interview_book.practice.tolerances import Tolerance

NAMES = ["d_k", "sigma_q", "sigma_k", "c", "rho", "kappa_q", "beta"]


@pytest.fixture(scope="module")
def table(root):
    return json.loads((root / "tests" / "practice" / "answers.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def bank(root):
    return [one for path in sorted((root / "chapters").glob("*.questions.yml")) for one in load(path)]


def compiled(question):
    """The fields of an expression's record that the deck compares with."""
    return {
        "variables": [
            {"name": name, "low": low, "high": high} for name, low, high in expressions.ranges(question["variables"])
        ],
        "answer": question["answer"],
        "mistakes": [{"expression": one["expression"]} for one in question["mistakes"]],
    }


def listed(tree):
    """A tree as JSON holds it."""
    return [listed(part) for part in tree] if isinstance(tree, tuple) else tree


def test_both_have_the_same_limits_and_reasons(call):
    assert call("reading", "[m.REASONS, m.MAX_EXPONENT]") == [list(REASONS), MAX_EXPONENT]


def test_the_table_is_wide(table):
    assert len(table["numbers"]) + len(table["expressions"]) >= 300
    assert len(table["expressions"]) >= 100


def test_numbers_of_the_table(call, table):
    cases = table["numbers"]
    got = call("answers", "cases.map(one => m.readNumber(one.typed, one.accepts))", cases=cases)
    assert len(got) == len(cases)
    for case, one in zip(cases, got, strict=True):
        python = answers.read(case["typed"], case.get("accepts", ()))
        if "reason" in case:
            assert one == {"reason": case["reason"]} == {"reason": python.reason}, ascii(case)
        else:
            assert one["value"] == pytest.approx(case["value"], rel=1e-14, abs=0), ascii(case)
            assert float(one["value"]) == python.value, ascii(case)  # to the last bit


def test_expressions_of_the_table(call, table):
    cases = [{"names": NAMES, **case} for case in table["expressions"]]
    got = call("expressions", "cases.map(one => m.readExpression(one.typed, one.names))", cases=cases)
    assert len(got) == len(cases)
    for case, one in zip(cases, got, strict=True):
        python = expressions.read(case["typed"], case["names"])
        if "reason" in case:
            expected = {key: case[key] for key in ("reason", "name") if key in case}
            assert one == expected, ascii(case)
            assert (python.reason, python.name) == (one["reason"], one.get("name")), ascii(case)
        else:
            assert one == {"tree": listed(python.tree)}, ascii(case)


def test_judgements_of_the_table(call, table):
    records = {
        key: {
            "variables": [{"name": name, "low": low, "high": high} for name, (low, high) in one["variables"].items()],
            "answer": one["answer"],
            "mistakes": [{"expression": text} for text in one["mistakes"]],
        }
        for key, one in table["questions"].items()
    }
    got = call(
        "expressions",
        "cases.map(one => m.judgeExpression(one.typed, records[one.question]))",
        cases=table["judged"],
        records=records,
    )
    expected = [{key: case[key] for key in case if key not in ("question", "typed")} for case in table["judged"]]
    assert got == expected


def test_points_and_values_agree_to_the_last_bit(call, table):
    limits = [("d_k", 1.0, 64.0), ("c", 1e-3, 1e5), ("z", -3.0, 2.0), ("ζ𝜎", 0.0, 1.0)]
    trees = [
        expressions.read(text, ["d_k", "c", "z"]).tree
        for text in ("exp(z/3) log(c) - d_k^0.3", "c^-3 + d_k^17", "√(c/d_k) e^(-c)", "z^3/(z^2+1) - c^z")
    ]
    names = [{"name": name, "low": low, "high": high} for name, low, high in limits]
    drawn = "m.points('seed é🙂', names, 40).map(Object.fromEntries)"
    assert call("comparing", drawn, names=names) == points("seed é🙂", limits, 40)
    got = call(
        "comparing", "trees.map(tree => m.values(tree, m.points('seed é🙂', names, 40)))", names=names, trees=trees
    )
    python = [[evaluate(tree, point) for point in points("seed é🙂", limits, 40)] for tree in trees]
    # A large float comes back from JSON as a whole number with the shortest digits.
    got = [[math.nan if value is None else float(value) for value in row] for row in got]
    assert [list(map(repr, row)) for row in got] == [list(map(repr, row)) for row in python]


def test_elementary_functions_agree_to_the_last_bit(call):
    draw = random.Random(7)
    scale = [draw.uniform(-330, 310) for _ in range(2000)]
    logs = [math.ldexp(draw.random(), int(one * 3.3)) for one in scale]
    exps = [draw.uniform(-760, 720) for _ in range(2000)]
    powers = [
        (draw.uniform(-50, 50), draw.choice([draw.uniform(-90, 90), float(draw.randint(-300, 300))])) for _ in exps
    ]
    got = call(
        "elementary",
        "[logs.map(m.log), exps.map(m.exp), powers.map(pair => m.power(...pair))].map(row => row.map(String))",
        logs=logs,
        exps=exps,
        powers=powers,
    )
    python = [list(map(log, logs)), list(map(exp, exps)), [power(*pair) for pair in powers]]
    assert all(sum(math.isnan(one) for one in row) > 10 for row in python[1:])
    assert [[repr(float(one)) for one in row] for row in got] == [[repr(one + 0.0) for one in row] for row in python]


def test_every_shown_number_is_right(call, bank):
    rows = []
    for question in bank:
        if question.kind != "number":
            continue
        tolerance = Tolerance.of(question["tolerance"])
        for seed in numbers.PAGE_SEEDS:
            item = numbers.draw(question, seed)
            shown = item.words()["answer"]
            accepts = list(question.get("accepts", ()))
            # As it is typed, as the page shows it, and with the unit behind it.
            typed = [shown, numbers.fill("<answer>", {"answer": shown}), *(f"{shown} {word}" for word in accepts)]
            for text in typed:
                assert answers.judge(text, item.answer, tolerance, accepts).verdict == "right", (question.id, text)
                rows.append([text, item.answer, {"kind": tolerance.kind, "size": tolerance.size}, accepts])
            for name, wrong in item.distractors.items():
                text = tolerance.show(wrong)
                assert answers.judge(text, item.answer, tolerance, accepts).verdict == "wrong", (question.id, name)
    assert len(rows) >= 300
    verdicts = call("answers", "rows.map(row => m.judgeNumber(...row).verdict)", rows=rows)
    assert set(verdicts) == {"right"}


def test_every_shown_expression_is_right(call, bank):
    rows, expected = [], []
    for question in bank:
        if question.kind != "expression":
            continue
        record = compiled(question)
        for text in (question["answer"], *question["equivalents"]):
            rows.append([text, record])
            expected.append({"verdict": "right"})
        for index, mistake in enumerate(question["mistakes"]):
            rows.append([mistake["expression"], record])
            expected.append({"verdict": "wrong", "mistake": index})
    assert len(rows) >= 20
    assert call("expressions", "rows.map(row => m.judgeExpression(...row))", rows=rows) == expected


@pytest.mark.parametrize(
    ("kind", "size", "right"),
    [("absolute", 0.001, 0.8807970779778823), ("relative", 0.01, 2.9722), ("relative", 1e-9, -0.125)]
    + [("significant", digits, right) for digits in (1, 3, 6) for right in (0.9996, 9.5, 99.5, 1234.5678, -3e-7, 0)],
)
def test_tolerances_are_the_same(call, kind, size, right):
    tolerance = Tolerance(kind, size)
    margin = tolerance.margin(right)
    typed = [right + sign * margin * part for sign in (-1, 1) for part in (0, 0.5, 0.999999, 1, 1.000001, 2)]
    python = [tolerance.holds(value, right) for value in typed]
    assert len(set(python)) == 2 or margin == 0
    got = call(
        "answers",
        "typed.map(value => m.holds(tolerance, value, right))",
        typed=typed,
        tolerance={"kind": kind, "size": size},
        right=right,
    )
    assert got == python


def test_a_number_is_judged_with_its_reason(call):
    judged = call("answers", 'm.judgeNumber("1,5", 1.5, { kind: "absolute", size: 0.1 })')
    assert judged == {"verdict": "unreadable", "reason": "comma"}
    judged = call("answers", 'm.judgeNumber("12 %", 12, { kind: "absolute", size: 0.1 }, ["%"])')
    assert judged == {"verdict": "right", "value": 12}


def test_parsed_trees_have_no_other_leaves_than_numbers_and_variables(table):
    def leaves(tree):
        return [leaf for part in tree[1:] for leaf in leaves(part)] if isinstance(tree, tuple) else [tree]

    for case in table["expressions"]:
        got = expressions.read(case["typed"], case.get("names", NAMES))
        if isinstance(got, Parsed):
            assert all(isinstance(leaf, float) or leaf in case.get("names", NAMES) for leaf in leaves(got.tree))
