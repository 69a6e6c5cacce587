"""Intervals of quantiles: exact coverage by summing the binomial, no drawing needed."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from interview_book.checks import state
from interview_book.checks.quantiles import order_ranks, quantile


@given(st.integers(8, 3000), st.floats(0.02, 0.98), st.sampled_from([0.8, 0.95, 0.999]))
def test_ranks_enclose_as_often_as_they_say_and_no_tighter_pair_does(n, q, confidence):
    tail = (1 - confidence) / 2
    if max(q**n, (1 - q) ** n) > tail:
        with pytest.raises(ValueError, match=f"x: expected at least .* numbers for q = .*, got {n}"):
            order_ranks(n, q, confidence)
        return
    low, high = order_ranks(n, q, confidence)
    # SciPy's binomial is an independent one. Missed on the left: at most `low` numbers below; on the right: > `high`.
    below = stats.binom(n, q)
    slack = 1e-10  # two ways to add up the same chances
    assert below.cdf(low) <= tail + slack < below.cdf(low + 1) + 2 * slack
    assert below.sf(high) <= tail + slack < below.sf(high - 1) + 2 * slack
    assert 0 <= low < high < n


def test_least_sample_for_a_median():
    # 2 · (1/2)^6 = 0.031 < 0.05 < 2 · (1/2)^5: six numbers, and then the extremes
    assert order_ranks(6, 0.5, 0.95) == (0, 5)
    with pytest.raises(ValueError, match=r"expected at least 6 numbers for q = 0\.5 at confidence 0\.95, got 5"):
        quantile(np.arange(5.0), 0.5)


def test_published_ranks_for_a_median():
    # Conover (1999), Practical nonparametric statistics: ranks (counted from 1) 6 and 15 of n = 20, coverage 0.9586
    low, high = order_ranks(20, 0.5, 0.95)
    assert (low + 1, high + 1) == (6, 15)


def test_values_z_and_test_by_hand():
    x = np.array([5.0, 1.0, 3.0, 2.0, 4.0, 7.0, 6.0, 9.0, 8.0])
    e = quantile(x, 0.5, theory=7.5)
    assert e.value == 5 and (e.low, e.high) == (2, 8) and e.n == 9
    assert e.low == np.sort(x)[1] and e.high == np.sort(x)[7]
    # 7 of 9 lie below 7.5 where 4.5 are expected, with standard deviation 1.5
    assert math.isclose(e.z, -2.5 / 1.5, rel_tol=1e-15)
    # P(B ≥ 7) = (36 + 9 + 1)/512, twice that is 0.1797
    assert e.agrees(0.17) and not e.agrees(0.19)
    np.testing.assert_array_equal(x[:3], [5, 1, 3])
    with pytest.raises(ValueError, match="no theory to agree with"):
        quantile(x, 0.5).agrees(0.1)


@given(st.floats(0.1, 0.9), st.integers(61, 199))
def test_exact_test_and_interval_say_the_same(q, n):
    # The theory is rejected at 5 % exactly when it lies outside: below or at the low end, or above the high end.
    x = np.arange(n, dtype=np.float64)
    chances, ends = stats.binom(n, q), quantile(x, q)
    for theory in (ends.low - 0.5, ends.low + 0.5, ends.value, ends.high - 0.5, ends.high + 0.5):
        e = quantile(x, q, theory=theory)
        below = int(np.count_nonzero(x <= theory))
        p = 2 * min(chances.cdf(below), chances.sf(below - 1))
        if abs(p - 0.05) > 1e-9:
            assert e.agrees(0.05) == (p > 0.05) == (e.low <= theory <= e.high)


@pytest.mark.montecarlo(false_alarm=1e-6)
@pytest.mark.parametrize("q", [0.1, 0.5, 0.9])
def test_quantiles_of_a_skewed_law(rng, false_alarm, q):
    assert quantile(rng.exponential(size=20_011), q, theory=-math.log(1 - q)).agrees(false_alarm)


def test_a_wrong_theory_is_rejected():
    x = np.random.Generator(np.random.PCG64(3)).exponential(size=20_011)
    assert not quantile(x, 0.5, theory=1.0).agrees(1e-6)  # that is the mean; the median is 0.693


def test_it_prints_as_an_estimate(capsys):
    state("median", quantile(np.arange(101.0), 0.5, theory=52.5))
    assert capsys.readouterr().out == "median = 50.00  se 5.10  95% [40.00, 60.00]  theory 52.50  z -0.50\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((np.arange(20.0), 0.0), "q: expected a number strictly between 0 and 1"),
        ((np.arange(20.0), 0.5, None, 1.0), "confidence"),
        ((np.arange(20.0).reshape(4, 5), 0.5), r"x: expected finite numbers of shape \(n,\), .* shape \(4, 5\)"),
        ((np.array([1.0, np.nan]), 0.5), "got 1 that are NaN or infinite"),
        ((np.arange(20.0), 0.5, math.nan), "theory"),
    ],
)
def test_bad_arguments_are_named(arguments, says):
    with pytest.raises(ValueError, match=says):
        quantile(*arguments)
