"""exp, log and powers against the C library's."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interview_book.practice.elementary import exp, log, power, whole_power

EPS = 2.0**-52


@given(st.floats(-708, 709.7))
def test_exp(x):
    assert exp(x) == pytest.approx(math.exp(x), rel=2 * EPS, abs=0)


@given(st.floats(-745.1, -708))
def test_exp_below_the_normal_numbers(x):
    assert exp(x) == pytest.approx(math.exp(x), rel=2 * EPS, abs=5e-324)


@given(st.floats(5e-324, 1.7e308, allow_subnormal=True))
def test_log(x):
    assert log(x) == pytest.approx(math.log(x), rel=3 * EPS, abs=0)


@given(st.floats(-0.6, 0.6))
def test_log_near_one(x):
    assert log(1 + x) == pytest.approx(math.log(1 + x), rel=3 * EPS, abs=0)


@pytest.mark.parametrize("x", [2.0**k for k in range(-1074, 1024)])
def test_log_at_powers_of_two(x):
    assert log(x) == pytest.approx(math.log(x), rel=3 * EPS, abs=0)


def test_values_that_are_exact():
    assert exp(0.0) == 1 and log(1.0) == 0 and power(7.0, 0.0) == 1
    assert [whole_power(2.0, k) for k in range(-1022, 1024)] == [math.ldexp(1.0, k) for k in range(-1022, 1024)]
    assert [whole_power(-3.0, k) for k in range(6)] == [1, -3, 9, -27, 81, -243]
    assert power(0.0, 2.0) == power(0.0, 0.5) == 0


@given(st.floats(1e-3, 1e3), st.integers(-100, 100))
def test_whole_powers(base, exponent):
    assert whole_power(base, exponent) == pytest.approx(base**exponent, rel=abs(exponent) * EPS + EPS, abs=0)
    assert power(base, float(exponent)) == whole_power(base, exponent)


@given(st.floats(1e-3, 1e3), st.floats(-100, 100))
def test_other_powers(base, exponent):
    assert power(base, exponent) == pytest.approx(base**exponent, rel=1e-12, abs=0)


@pytest.mark.parametrize(
    "value",
    [
        *(exp(x) for x in (709.8, 709.79, 1e308, math.inf, math.nan)),
        *(log(x) for x in (0.0, -0.0, -1.0, -math.inf, math.inf, math.nan)),
        *(whole_power(0.0, k) for k in (0, -1, -2)),
        *(whole_power(*pair) for pair in ((10.0, 309), (-1e200, 3))),
        *(
            power(*pair)
            for pair in ((-2.0, 0.5), (0.0, -0.5), (0.0, 0.0), (1.0, 1e6 + 1), (1.0, -1e6 - 1), (1e300, 1.5))
        ),
    ],
)
def test_no_value(value):
    assert math.isnan(value)


def test_the_ends():
    assert exp(709.78) == pytest.approx(math.exp(709.78), rel=2 * EPS)
    assert exp(-745.3) == exp(-math.inf) == whole_power(10.0, -400) == 0
    assert power(1.0, 1e6) == power(-1.0, -1e6) == 1
