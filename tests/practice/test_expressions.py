"""Typed expressions: the shared table of cases, what counts as equal, and no text that breaks the reader."""

import json
import math
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interview_book.practice.bank import load
from interview_book.practice.comparing import POINTS, evaluate, points, same, uniform, values
from interview_book.practice.expressions import Parsed, judge, ranges, read
from interview_book.practice.grammar import MAX_LENGTH, spellings
from interview_book.practice.reading import REASONS, Judgement, Unreadable

# tests/deck reads the same table for the JavaScript version. ``means`` is written in Python.
TABLE = json.loads((Path(__file__).parent / "answers.json").read_text(encoding="utf-8"))
CASES = TABLE["expressions"]
READABLE = [case for case in CASES if "means" in case]
UNREADABLE = [case for case in CASES if "reason" in case]
NAMES = ["d_k", "sigma_q", "sigma_k", "c", "rho", "kappa_q", "beta"]

# What Python itself makes of ``means``: another parser and other functions than ours.
MATHS = {name: getattr(math, name) for name in ("sqrt", "exp", "log", "pi", "e", "nan")}


def name(case):
    return ascii(case["typed"])[:40]


def names_of(case):
    return case.get("names", NAMES)


def question(key):
    one = TABLE["questions"][key]
    variables = {name: {"low": low, "high": high} for name, (low, high) in one["variables"].items()}
    return {**one, "variables": variables, "mistakes": [{"expression": text} for text in one["mistakes"]]}


def test_the_table_is_wide():
    assert len(READABLE) >= 200
    assert len(UNREADABLE) >= 200
    assert {case["reason"] for case in UNREADABLE} == set(REASONS) - {"unit", "undefined"}
    assert len({(case["typed"], *names_of(case)) for case in CASES}) == len(CASES)
    assert {case["verdict"] for case in TABLE["judged"]} == {"right", "wrong", "unreadable"}


@pytest.mark.parametrize("case", READABLE, ids=name)
def test_reads(case):
    got = read(case["typed"], names_of(case))
    assert isinstance(got, Parsed), got
    for shift in (0, 0.61):
        point = {name: 1.3 + shift + 0.37 * index for index, name in enumerate(names_of(case))}
        python = {"lambda_" if name == "lambda" else name: value for name, value in point.items()}
        means = eval(case["means"], {"__builtins__": {}, **MATHS}, python)
        assert evaluate(got.tree, point) == pytest.approx(means, rel=1e-12, abs=0, nan_ok=True)


@pytest.mark.parametrize("case", UNREADABLE, ids=name)
def test_does_not_guess(case):
    assert read(case["typed"], names_of(case)) == Unreadable(case["reason"], case.get("name"))


@pytest.mark.parametrize("case", TABLE["judged"], ids=name)
def test_judges(case):
    expected = Judgement(case["verdict"], reason=case.get("reason"), name=case.get("name"), mistake=case.get("mistake"))
    assert judge(case["typed"], question(case["question"])) == expected


def expressions_of_the_book(root):
    found = [one for path in sorted((root / "chapters").glob("*.questions.yml")) for one in load(path)]
    found = [one for one in found if one.kind == "expression"]
    assert len(found) >= 3
    return found


def test_every_model_answer_is_right_and_every_mistake_is_named(root):
    for one in expressions_of_the_book(root):
        for text in (one["answer"], *one["equivalents"]):
            assert judge(text, one) == Judgement("right"), (one.id, text)
        for index, mistake in enumerate(one["mistakes"]):
            assert judge(mistake["expression"], one) == Judgement("wrong", mistake=index), (one.id, mistake["id"])


def test_every_spelling_of_a_name_is_that_name():
    assert spellings(("sigma_q", "rho", "c")) == {
        **dict.fromkeys(["sigma_q", "sigmaq", "σ_q", "σq"], "sigma_q"),
        **dict.fromkeys(["rho", "ρ"], "rho"),
        "c": "c",
    }
    assert spellings(("d_k", "dk")) == {"d_k": "d_k"}
    assert set(spellings(("sigma_beta",)).values()) == {"sigma_beta"}
    assert len(spellings(("sigma_beta",))) == 8


def test_points_are_the_same_for_ever_and_whatever_the_order():
    # From mulberry32 as its author published it, seeded with 0xE40C292C, by its authors the FNV-1a of «a».
    assert uniform("a", 2) == pytest.approx([0.621685681398958, 0.30822347407229245], rel=0, abs=0)
    limits = (("p", 0.1, 0.9), ("z", -3.0, 3.0))
    drawn = points("p - z", limits)
    assert drawn == points("p - z", limits[::-1])
    assert len({point["p"] for point in drawn}) == len(drawn) == POINTS >= 12
    assert drawn != points("z - p", limits)


@given(st.text(max_size=20), st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
def test_points_lie_in_the_range(seed, low, width):
    slack = 1e-12 * (abs(low) + width)
    for point in points(seed, [("x", low, low + width)]):
        assert low - slack <= point["x"] <= low + width + slack


def test_points_of_a_wide_range_fall_into_every_power_of_ten():
    drawn = [point["n"] for point in points("n", [("n", 1.0, 1e6)], count=600)]
    per_power = [sum(10**k <= n < 10 ** (k + 1) for n in drawn) for k in range(6)]
    assert min(per_power) > 60 and sum(per_power) == 600
    below_zero = [point["x"] for point in points("x", [("x", -1.0, 3.0)], count=600)]
    assert 100 < sum(x < 0 for x in below_zero) < 200


def test_equal_means_equal_wherever_one_has_a_value():
    nan = math.nan
    assert same([1.0, nan], [1.0 + 1e-12, nan])
    assert not same([1.0, nan], [1.0, 2.0])
    assert not same([1.0, 2.0], [1.0, nan])
    assert not same([nan, nan], [nan, nan])
    assert not same([1.0, 2.0], [1.0, 2.0 + 1e-6])
    assert same([0.0], [0.0]) and not same([0.0], [1e-300])


def test_an_answer_that_differs_in_one_corner_of_the_range_is_wrong():
    # 1 + exp(-30 p) is 1 to nine digits for p above 0.7 alone.
    record = {"variables": {"p": {"low": 0.01, "high": 1}}, "answer": "1 + exp(-30 p)", "mistakes": []}
    assert judge("1", record).verdict == "wrong"


def test_an_unreadable_model_answer_is_the_authors_fault():
    record = {"variables": {"p": {"low": 0.1, "high": 1}}, "answer": "1/2p", "mistakes": []}
    with pytest.raises(ValueError, match=r"expected an expression in p, got '1/2p' \(ambiguous\)"):
        judge("p", record)


ALPHABET = st.sampled_from("0123456789.,/×·^*()√−-+ー={}_eE%sqrtexplogn dkσρcｄσ²⁻₃ₖ½⅙―\\¥π\u200b\u3000'[]|次")


@settings(deadline=None, max_examples=500)
@given(st.one_of(st.text(), st.text(ALPHABET, max_size=MAX_LENGTH)))
def test_never_raises_and_values_are_finite_or_nan(typed):
    got = read(typed, NAMES)
    if isinstance(got, Parsed):
        limits = [(name, 0.5, 8.0) for name in NAMES]
        assert not any(map(math.isinf, values(got.tree, points("any", limits))))
    else:
        assert got.reason in REASONS
        assert (got.name is not None) == (got.reason == "name")


@settings(deadline=None)
@given(st.text(ALPHABET, max_size=40))
def test_a_judgement_is_complete(typed):
    got = judge(typed, question("variance"))
    assert (got.reason is not None) == (got.verdict == "unreadable")
    assert got.mistake is None or got.verdict == "wrong"


@pytest.mark.parametrize(
    "typed",
    ["(" * 790, "√" * 790, "c^" * 390, "1e" * 390, "-" * 790, "dk" * 390, "²" * 60, "sqrt" * 49, "c" * 200, "e^" * 99],
)
def test_time_is_bounded(typed):
    start = time.perf_counter()
    judge(typed, question("variance"))
    # A millisecond or two in truth; a second leaves room for the busiest machine. Backtracking would take far longer.
    assert time.perf_counter() - start < 1


def test_ranges_are_floats():
    assert ranges({"d_k": {"low": 1, "high": 64, "tex": "d_k"}}) == (("d_k", 1.0, 64.0),)
