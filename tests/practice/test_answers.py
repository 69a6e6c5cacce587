"""Typed numbers: the shared table of cases, and no text that breaks the reader."""

import json
import math
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interview_book.practice.answers import MAX_LENGTH, REASONS, Judgement, Read, Unreadable, judge, read
from interview_book.practice.tolerances import Tolerance

# tests/deck reads the same table for the JavaScript version.
CASES = json.loads((Path(__file__).parent / "answers.json").read_text(encoding="utf-8"))["numbers"]
READABLE = [case for case in CASES if "value" in case]
UNREADABLE = [case for case in CASES if "reason" in case]


def name(case):
    return ascii(case["typed"])[:40]


def test_the_table_is_wide():
    assert len(READABLE) >= 150
    assert len(UNREADABLE) >= 150
    assert {case["reason"] for case in UNREADABLE} == set(REASONS) - {"name", "equation"}
    assert len({(case["typed"], *case.get("accepts", [])) for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", READABLE, ids=name)
def test_reads(case):
    got = read(case["typed"], case.get("accepts", ()))
    assert isinstance(got, Read), got
    # A few ulp: roots and powers may round differently in another language.
    assert got.value == pytest.approx(case["value"], rel=1e-14, abs=0)


@pytest.mark.parametrize("case", UNREADABLE, ids=name)
def test_does_not_guess(case):
    assert read(case["typed"], case.get("accepts", ())) == Unreadable(case["reason"])


def test_minus_zero_is_zero():
    assert math.copysign(1, read("-0").value) == 1


ALPHABET = st.sampled_from("0123456789.,/×^*()√−-ー+eE%sqrt １２．，³⁻⁰½⅙―=≈約{}倍ナnat。、xX\u200b\u3000")


@settings(deadline=None, max_examples=400)
@given(st.one_of(st.text(), st.text(ALPHABET, max_size=MAX_LENGTH)), st.lists(st.text(max_size=3), max_size=2))
def test_never_raises_and_is_always_finite(typed, accepts):
    got = read(typed, accepts)
    if isinstance(got, Read):
        assert math.isfinite(got.value)
    else:
        assert got.reason in REASONS


@settings(deadline=None)
@given(st.floats(min_value=-1e15, max_value=1e15, allow_subnormal=False).filter(lambda x: x == 0 or abs(x) > 1e-290))
def test_every_float_that_python_prints_is_read_back(value):
    assert read(repr(value)) == Read(value + 0.0)
    full_width = "".join(chr(ord(sign) + 0xFEE0) for sign in repr(value))
    assert read(full_width) == Read(value + 0.0)


@given(st.integers(min_value=-(10**12), max_value=10**12))
def test_groups_of_three_are_read_back(value):
    assert read(f"{value:,}") == Read(float(value))


@pytest.mark.parametrize("typed", ["(" * 250, "√" * 250, "9^" * 120, "1e" * 120, "-" * 250, "9" * 60 + "^9"])
def test_time_is_bounded(typed):
    start = time.perf_counter()
    read(typed)
    # Microseconds in truth; a second leaves room for the busiest machine, and backtracking would take far longer.
    assert time.perf_counter() - start < 1


@pytest.mark.parametrize(
    ("typed", "right", "tolerance", "verdict"),
    [
        ("0.881", 0.8807970779778823, Tolerance("absolute", 0.001), "right"),
        ("0.8798", 0.8807970779778823, Tolerance("absolute", 0.001), "right"),
        ("0.8797", 0.8807970779778823, Tolerance("absolute", 0.001), "wrong"),
        ("88.1%", 0.8807970779778823, Tolerance("absolute", 0.001), "right"),
        ("2.95", 2.9722, Tolerance("relative", 0.01), "right"),
        ("2.94", 2.9722, Tolerance("relative", 0.01), "wrong"),
        ("0.881", 0.8807970779778823, Tolerance("significant", 3), "right"),
        ("0.88", 0.8807970779778823, Tolerance("significant", 3), "wrong"),
        ("−1/8", -0.125, Tolerance("relative", 1e-9), "right"),
        ("1/8", -0.125, Tolerance("relative", 0.5), "wrong"),
    ],
)
def test_judges_by_the_stated_tolerance(typed, right, tolerance, verdict):
    assert judge(typed, right, tolerance).verdict == verdict


def test_unreadable_is_not_wrong():
    assert judge("1,5", 1.5, Tolerance("absolute", 0.1)) == Judgement("unreadable", reason="comma")


def test_a_percent_sign_that_is_the_unit_does_not_divide():
    assert judge("12%", 12, Tolerance("absolute", 0.1), ["%"]).verdict == "right"
    assert judge("12%", 0.12, Tolerance("absolute", 0.001)).verdict == "right"
