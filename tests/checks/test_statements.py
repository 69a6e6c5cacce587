"""The lines that bind numbers of the prose."""

import fractions
import math

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from interview_book.checks import proportion, state
from interview_book.checks.chi_square import normal_variance_estimate
from interview_book.checks.estimates import Estimate, mean_estimate, variance_estimate
from interview_book.checks.moments import Moments


def line(capsys, *arguments):
    state(*arguments)
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.9820137900379085, "0.982014"),
        (4, "4"),
        (10**20, "100000000000000000000"),
        (np.int64(-7), "-7"),
        (0.5, "0.5"),
        (10.0, "10.0"),
        (0.99999998, "1.0"),
        (100000.4, "100000.0"),
        (-0.0, "0.0"),
        (0.0, "0.0"),
        (-2.5, "-2.5"),
        (1234567.0, "1.23457e+06"),
        (1.27e-14, "1.27e-14"),
        (True, "true"),
        (np.bool_(False), "false"),
        (fractions.Fraction(1, 3), "0.333333"),
        (sympy.Rational(1, 3), "0.333333"),
        (sympy.Integer(5), "5"),
        (2 * sympy.acosh(sympy.GoldenRatio), "2.12255"),
        (np.float32(0.1), "0.1"),
        (np.array(0.25), "0.25"),
        (np.array([0.9820137900379085, 0.01798620996209156]), "[0.982014, 0.0179862]"),
        ([4, 0], "[4, 0]"),
        ((0.5, 0.5), "[0.5, 0.5]"),
        (np.array([[0.25, -0.25], [-0.25, 0.25]]), "[[0.25, -0.25], [-0.25, 0.25]]"),
        (np.array([True, False]), "[true, false]"),
        # on the edge between two roundings to 6 digits: 7
        (0.1234565, "0.1234565"),
        (0.1234565 * (1 - 9e-10), "0.1234565"),
        (0.1234565 * (1 - 1e-8), "0.123456"),
        (math.pi, "3.14159"),
    ],
)
def test_text_of_a_value(capsys, value, text):
    assert line(capsys, "some.name", value) == f"some.name = {text}\n"


def test_unit_stands_behind(capsys):
    assert line(capsys, "entropy", 0.369, "nat") == "entropy = 0.369 nat\n"
    assert line(capsys, "pair", [1, 2], "nat") == "pair = [1, 2] nat\n"


def test_estimate_by_hand(capsys):
    # p = 0.5, n = 100: se 0.05; Wilson (0.5 ± 0 → 0.40383…, 0.59617…) ; z = (0.5 − 0.4)/√(0.24/100) = 2.0412
    assert line(capsys, "coin", proportion(50, 100, theory=0.4)) == (
        "coin = 0.500  se 0.050  95% [0.404, 0.596]  theory 0.400  z 2.04\n"
    )
    # q = 2.5758: half = q √(0.25/100 + q²/40000)/(1 + q²/100) = 0.13300/1.06635 = 0.12472
    assert line(capsys, "coin", proportion(50, 100, confidence=0.99)) == "coin = 0.500  se 0.050  99% [0.375, 0.625]\n"
    # no hits: q²/(n + q²) = 3.8415/1003.8415 = 0.0038268
    assert line(capsys, "none", proportion(0, 1000)) == "none = 0.00000  se 0.00000  95% [0.00000, 0.00383]\n"


def test_means_and_variances_by_hand(capsys):
    # s² = 64 and m4 = 3 · 64², so that the standard error of s² is √((3 − 0.998) · 64²/1001) = 64 √0.002
    moments = Moments(1001, -0.5, 64_000.0, 0.0, 1001 * 3 * 64.0**2)
    # mean: √(64/1001) = 0.25286; ± 1.95996 of it; z = −0.5/0.25286 = −1.9774
    assert line(capsys, "mean", mean_estimate(moments, theory=0.0)) == (
        "mean = -0.50  se 0.25  95% [-1.00, 0.00]  theory 0.00  z -1.98\n"
    )
    # variance: 64 √0.002 = 2.8622; z = 4/2.8622
    assert line(capsys, "variance", variance_estimate(moments, theory=60)) == (
        "variance = 64.00  se 2.86  95% [58.39, 69.61]  theory 60.00  z 1.40\n"
    )
    # the theory's own error: 60 √((3 − 1 + 2/1000)/1001) = 60 √0.002 = 2.6833; z = 4/2.6833
    assert line(capsys, "variance", variance_estimate(moments, theory=60, kurtosis=3)).endswith("z 1.49\n")
    # χ² with 1000 degrees of freedom: 64000/1089.53 and 64000/914.257
    assert line(capsys, "naive", normal_variance_estimate(moments)) == ("naive = 64.00  se 2.86  95% [58.74, 70.00]\n")


def test_an_estimate_without_an_error_is_a_number(capsys):
    for bad in (Estimate(1.0, 0.0, 5), Estimate(math.nan, 1.0, 5), Estimate(1.0, math.inf, 5)):
        with pytest.raises(
            ValueError, match=r"some\.name: expected an estimate with finite numbers and a standard error"
        ):
            line(capsys, "some.name", bad)


@given(st.floats(-6, 6), st.floats(1e-3, 1e3), st.floats(0.5, 1e6), st.floats(-1, 1), st.floats(-1, 1))
def test_a_relative_billionth_of_value_and_theory_moves_no_z(z, error, theory, part, other):
    from interview_book.checks.statements import _z

    one = Estimate(theory + z * error, error, 100, theory)
    moved = Estimate(one.value * (1 + part * 1e-9), error, 100, theory * (1 + other * 1e-9))
    if len(_z(one)) == len(_z(moved)):  # another length means more decimals, where one of the two lay on an edge
        assert _z(one) == _z(moved)


def test_estimate_without_difference_has_no_signed_zero(capsys):
    assert line(capsys, "coin", proportion(499_999, 1_000_000, theory=0.5)).endswith("z 0.00\n")


def test_estimate_does_not_stop_on_an_edge(capsys):
    # 0.0125 is the edge between 0.012 and 0.013; one more decimal makes it a centre
    printed = line(capsys, "edge", proportion(1, 80, theory=0.0125))
    assert printed.startswith("edge = 0.0125  se 0.0124  ") and "theory 0.0125  z 0.00" in printed


floats = st.floats(allow_nan=False, allow_infinity=False, min_value=1e-300, max_value=1e300)


@given(floats | floats.map(lambda x: -x), st.floats(-1, 1))
def test_a_relative_billionth_moves_no_printed_digit(x, part):
    from interview_book.checks.statements import _number

    text = _number("x", x)
    text = text.removesuffix(".0")  # the point that every real number gets
    digits = len(text.partition("e")[0].replace(".", "").replace("-", "").lstrip("0"))
    shown = 7 if digits == 7 else 6
    assert f"{x * (1 + part * 1e-9):.{shown}g}" == text
    assert abs(float(text) - x) <= 0.5 * 10 ** (math.floor(math.log10(abs(x))) - 5) * (1 + 1e-9)


@given(st.floats(-50, 50), st.floats(0.001, 0.999), st.floats(-1, 1))
def test_a_relative_billionth_of_the_theory_moves_nothing_of_an_estimate(z, theory, part):
    from interview_book.checks.estimates import Proportion
    from interview_book.checks.statements import _estimate

    # so many hits that the theory is about z standard errors off
    hits = min(max(round(10**6 * theory + z * 1000 * math.sqrt(theory * (1 - theory))), 0), 10**6)
    one, other = (_estimate("x", Proportion(hits, 10**6, t)) for t in (theory, theory * (1 + part * 1e-9)))
    if len(one) == len(other):  # a longer line means more decimals, where one of the two lay on an edge
        assert one == other


@pytest.mark.parametrize(
    ("name", "value", "unit", "error", "says"),
    [
        ("Gap", 1, None, ValueError, "name: expected lower-case words .* got 'Gap'; try"),
        ("1gap", 1, None, ValueError, "beginning with a letter"),
        ("gap size", 1, None, ValueError, "name"),
        ("gap\n", 1, None, ValueError, "name"),
        ("差", 1, None, ValueError, "name"),
        (3, 1, None, TypeError, "name: expected text"),
        ("gap", math.nan, None, ValueError, "gap: expected a finite number, got nan"),
        ("gap", [1.0, math.inf], None, ValueError, "got inf"),
        ("gap", [], None, ValueError, "at least one number"),
        ("gap", np.empty((2, 0)), None, ValueError, "at least one number"),
        ("gap", "1", None, TypeError, "got str '1'"),
        ("gap", None, None, TypeError, "got NoneType"),
        ("gap", 1j, None, TypeError, "got complex"),
        ("gap", np.array([1j]), None, TypeError, "got complex128"),
        ("gap", 1, "two words", ValueError, "unit of gap: expected one word"),
        ("gap", 1, "", ValueError, "unit of gap"),
        ("gap", proportion(1, 2), "nat", ValueError, "unit of gap: a proportion has none"),
        ("gap", Estimate(1.0, 0.5, 2), "nat", ValueError, "unit of gap: an Estimate is printed without one"),
    ],
)
def test_what_cannot_be_stated_is_named(capsys, name, value, unit, error, says):
    with pytest.raises(error, match=says):
        state(name, value, unit)
    assert capsys.readouterr().out == ""


def test_a_cell_may_run_again_with_another_value(capsys):
    assert line(capsys, "gap", 1) + line(capsys, "gap", 2) == "gap = 1\ngap = 2\n"
