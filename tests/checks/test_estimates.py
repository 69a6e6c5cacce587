"""Estimates and their intervals: by hand, by exact sums, and by how often they cover."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from interview_book.checks.chi_square import chi_square_quantile, normal_variance_estimate
from interview_book.checks.estimates import (
    Estimate,
    Proportion,
    differ,
    mean_estimate,
    proportion,
    variance_error,
    variance_estimate,
)
from interview_book.checks.moments import Moments

counts = st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def binomial(k, n, p):
    return math.comb(n, k) * p**k * (1 - p) ** (n - k)


def test_wilson_published_values():
    # Newcombe (1998), Statistics in Medicine 17, table I, method 3: 81/263 and 15/148
    for hits, n, low, high in ((81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)):
        e = proportion(hits, n)
        assert (round(e.low, 4), round(e.high, 4)) == (low, high)


@given(counts, st.floats(0.001, 0.999), st.sampled_from([0.9, 0.95, 0.99]))
def test_theory_lies_inside_exactly_when_the_score_test_accepts(pair, theory, confidence):
    e = proportion(*pair, theory=theory, confidence=confidence)
    margin = abs(abs(e.z) - e.quantile)
    if margin > 1e-9:
        assert (e.low <= theory <= e.high) == (abs(e.z) <= e.quantile)
    assert 0 <= e.low <= e.value <= e.high <= 1


@pytest.mark.parametrize(("n", "theory"), [(1, 0.75), (17, 0.3), (1009, 0.001), (2003, 0.9985)])
@pytest.mark.parametrize("false_alarm", [0.05, 1e-3, 1e-6])
def test_a_right_probability_is_rejected_no_more_often_than_stated(n, theory, false_alarm):
    """By the normal law, 1 in 1000 would be rejected 600 times as often as 1e-6 says."""
    laws = stats.binom(n, theory)
    refused = [hits for hits in range(n + 1) if not proportion(hits, n, theory).agrees(false_alarm)]
    assert sum(laws.pmf(hits) for hits in refused) <= false_alarm
    # and no test of equal tails could reject more
    for hits in set(range(n + 1)) - set(refused):
        assert 2 * min(laws.cdf(hits), laws.sf(hits - 1)) > false_alarm * (1 - 1e-9)


@given(st.lists(counts, min_size=2, max_size=5), st.randoms(use_true_random=False))
def test_merging_is_exact_in_any_order(parts, random):
    estimates = [proportion(*p, theory=0.25) for p in parts]
    random.shuffle(estimates)
    merged = estimates[0]
    for e in estimates[1:]:
        merged = merged.merge(e)
    assert merged == proportion(sum(h for h, _ in parts), sum(n for _, n in parts), theory=0.25)


def test_interval_covers_about_as_often_as_it_says():
    # exact coverage by summing the binomial, no drawing: n = 200, p = 0.1427
    n, p = 200, 0.1427
    covered = sum(binomial(k, n, p) for k in range(n + 1) if proportion(k, n).low <= p <= proportion(k, n).high)
    assert 0.93 < covered < 0.97


def test_standard_error_and_z_by_hand():
    e = proportion(20, 100, theory=0.25)
    assert e.value == 0.2
    assert math.isclose(e.standard_error, math.sqrt(0.2 * 0.8 / 100), rel_tol=1e-15)
    assert math.isclose(e.z, -0.05 / math.sqrt(0.25 * 0.75 / 100), rel_tol=1e-12)
    assert proportion(20, 100).z is None


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ((1.0, 2), TypeError, "hits: expected a whole number"),
        ((1, True), TypeError, "n: expected a whole number"),
        ((3, 2), ValueError, "got hits = 3 and n = 2"),
        ((-1, 2), ValueError, "hits = -1"),
        ((0, 0), ValueError, "n = 0"),
        ((1, 2, 0.0), ValueError, "theory: expected a number strictly between 0 and 1, got 0.0"),
        ((1, 2, math.nan), ValueError, "theory"),
        ((1, 2, 0.5, 1), ValueError, "confidence"),
    ],
)
def test_bad_arguments_are_named(arguments, error, says):
    with pytest.raises(error, match=says):
        proportion(*arguments)


def test_only_parts_of_one_question_merge():
    with pytest.raises(ValueError, match=r"merge: .*theory 0\.5 .* and theory None"):
        proportion(1, 2, theory=0.5).merge(proportion(1, 2))
    with pytest.raises(TypeError, match="merge: expected a Proportion, got int"):
        proportion(1, 2).merge(3)
    with pytest.raises(ValueError, match="no theory to agree with"):
        proportion(1, 2).agrees(1e-6)
    with pytest.raises(ValueError, match="false_alarm"):
        proportion(1, 2, 0.5).agrees(0)


FOUR = Moments.of(np.array([1.0, 2.0, 3.0, 4.0]))  # mean 2.5, s² 5/3, Σ(x − mean)⁴ = 10.25


def test_mean_by_hand():
    e = mean_estimate(FOUR, theory=2.0)
    assert (e.value, e.n) == (2.5, 4)
    assert math.isclose(e.standard_error, math.sqrt(5 / 12), rel_tol=1e-15)
    assert math.isclose(e.z, 0.5 / math.sqrt(5 / 12), rel_tol=1e-15)
    assert math.isclose(e.high - e.low, 2 * 1.959963984540054 * math.sqrt(5 / 12), rel_tol=1e-14)
    # the theory's own variance 4: standard error 1
    assert mean_estimate(FOUR, theory=2.0, variance=4).z == 0.5
    assert mean_estimate(FOUR).z is None


def test_variance_by_hand():
    e = variance_estimate(FOUR, theory=2.0)
    # (10.25/4 − (5/3)² · 1/3)/4
    assert math.isclose(e.standard_error, math.sqrt((2.5625 - 25 / 27) / 4), rel_tol=1e-14)
    assert math.isclose(e.z, (5 / 3 - 2) / e.standard_error, rel_tol=1e-14)
    # normal numbers of variance 2: standard error 2 √(2/3)
    assert math.isclose(variance_estimate(FOUR, theory=2.0, kurtosis=3).z, -math.sqrt(3 / 2) / 6, rel_tol=1e-14)


@pytest.mark.parametrize("n", [2, 3, 5, 7])
def test_standard_error_of_a_variance_is_exact(n):
    # every sample of n throws of a die with faces 0, 1, 5, weighed by its probability: no drawing
    faces, weights = np.array([0.0, 1.0, 5.0]), np.array([0.5, 0.375, 0.125])
    samples = np.array(np.meshgrid(*[range(3)] * n)).reshape(n, -1)
    probability = weights[samples].prod(axis=0)
    s2 = faces[samples].var(axis=0, ddof=1)
    mean = faces @ weights
    variance, fourth = ((faces - mean) ** 2) @ weights, ((faces - mean) ** 4) @ weights
    assert math.isclose(s2 @ probability, variance, rel_tol=1e-13)
    spread = math.sqrt((s2 - variance) ** 2 @ probability)
    assert math.isclose(spread, variance_error(variance, fourth / variance**2, n), rel_tol=1e-12)


def test_variance_error_of_the_score_of_one_pair():
    # traps F10: d = 1, n = 1000 has √(8/n) = 0.0894, not √(2/(n − 1)) = 0.0447
    assert f"{variance_error(1.0, 9.0, 1000):.4f}" == "0.0895"
    assert math.isclose(variance_error(1.0, 3.0, 1000), math.sqrt(2 / 999), rel_tol=1e-14)


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=11).filter(lambda x: len(set(x)) > 1))
def test_standard_error_of_any_sample_is_a_number(values):
    e = variance_estimate(Moments.of(np.array(values)))
    assert math.isfinite(e.standard_error) and e.low <= e.value <= e.high


def test_void_standard_error_is_refused():
    with pytest.raises(ValueError, match=r"expected a finite fourth moment, got inf, where .* void"):
        variance_estimate(FOUR, theory=2.0, kurtosis=math.inf)
    with pytest.raises(ValueError, match="that of a normal law is 3, not 0"):
        variance_estimate(FOUR, theory=2.0, kurtosis=0)
    with pytest.raises(ValueError, match="kurtosis: it belongs to the law of a theory"):
        variance_estimate(FOUR, kurtosis=3)


@pytest.mark.parametrize(("df", "tolerance"), [(30, 1e-2), (100, 1e-3), (1000, 1e-4), (100_000, 1e-6)])
@pytest.mark.parametrize("p", [0.005, 0.025, 0.5, 0.975, 0.995])
def test_chi_square_quantile_is_as_good_as_it_says(p, df, tolerance):
    assert math.isclose(chi_square_quantile(p, df), stats.chi2.ppf(p, df), rel_tol=tolerance)


def test_normal_variance_by_hand():
    e = normal_variance_estimate(FOUR, theory=2.0)
    assert math.isclose(e.standard_error, 5 / 3 * math.sqrt(2 / 3), rel_tol=1e-14)
    assert math.isclose(e.z, -1 / 3 / (2 * math.sqrt(2 / 3)), rel_tol=1e-14)
    wide = Moments(1001, 0.0, 1000.0, 0.0, 3000.0)
    e = normal_variance_estimate(wide, confidence=0.9)
    # 1000/χ² with the table's quantiles 1074.679 and 927.594; the interval leans to the right
    assert math.isclose(e.low, 1000 / 1074.679, rel_tol=1e-4) and math.isclose(e.high, 1000 / 927.594, rel_tol=1e-4)


def products(rng, runs, n):
    """Moments of n scores with d_k = 1, along the runs."""
    return Moments.of(rng.standard_normal((runs, n)) * rng.standard_normal((runs, n)), axis=1)


def one(moments, i):
    return Moments(moments.n, *(float(getattr(moments, name)[i]) for name in ("mean", "m2", "m3", "m4")))


@pytest.mark.montecarlo(false_alarm=1e-6)
def test_normal_theory_covers_two_times_in_three_and_the_fourth_moment_nearly_always(rng):
    runs = 401
    samples = products(rng, runs, 1009)
    kinds = (normal_variance_estimate, variance_estimate)
    naive, ours = (sum(e.low <= 1 <= e.high for e in (kind(one(samples, i)) for i in range(runs))) for kind in kinds)
    # Coverage is 0.66 (traps F10) and about 0.93 (s² and its error are correlated): both are more than 6 sd of their
    # count away from these limits.
    assert 0.51 * runs < naive < 0.81 * runs and 0.85 * runs < ours


@pytest.mark.montecarlo(false_alarm=1e-6)
def test_spread_of_variances_is_the_formula(rng, false_alarm):
    # s² of 1009 scores is itself nearly normal; 2003 of them, and their variance against the formula
    s2 = products(rng, 2003, 1009).variance()
    assert variance_estimate(Moments.of(s2), theory=variance_error(1.0, 9.0, 1009) ** 2).agrees(false_alarm)


@pytest.mark.montecarlo(false_alarm=1e-6)
def test_equals_are_told_apart_as_rarely_as_stated(rng, false_alarm):
    a, b = (rng.laplace(size=n) for n in (20_011, 30_011))
    pairs = [
        (mean_estimate(Moments.of(a)), mean_estimate(Moments.of(b))),
        (variance_estimate(Moments.of(a)), variance_estimate(Moments.of(b))),
        (proportion(int((a > 1).sum()), a.size), proportion(int((b > 1).sum()), b.size)),
    ]
    for pair in pairs:
        assert not differ(*pair, false_alarm / len(pairs))


def test_what_differs_is_told_apart():
    a, b = Estimate(1.0, 0.3, 100), Estimate(2.0, 0.4, 100)  # two standard errors of the difference: 4.6 %
    assert differ(a, b, 0.05) and not differ(a, b, 0.04)
    # 30/100 and 50/100: 30 or fewer of the 80 hits are in the first half with probability 0.297 %
    chance = 2 * stats.hypergeom(200, 80, 100).cdf(30)
    assert differ(proportion(30, 100), proportion(50, 100), chance * 1.001)
    assert not differ(proportion(30, 100), proportion(50, 100), chance * 0.999)
    assert differ(proportion(0, 7), proportion(7, 7), 0.01) and not differ(proportion(7, 7), proportion(11, 11), 0.99)
    exact = Estimate(1.0, 0.0, 2)
    assert not differ(exact, exact, 0.5) and differ(exact, Estimate(2.0, 0.0, 2), 1e-300)


def test_a_smaller_false_alarm_never_rejects_more():
    e = Estimate(9.0, 1.0, 100, theory=0.0)
    assert [e.agrees(a) for a in (1e-3, 1e-18, 1e-20, 1e-300)] == [False, False, True, True]  # P(|z| > 9) = 2.3e-19


def test_proportion_is_one_value():
    e = proportion(3, 7, 0.5)
    assert pickle.loads(pickle.dumps(e)) == e and hash(e) == hash(proportion(3, 7, 0.5)) and e != proportion(3, 7)
    assert isinstance(e, Proportion) and isinstance(e, Estimate)
    assert math.isclose(e.error_in_theory, math.sqrt(0.25 / 7), rel_tol=1e-15)


@pytest.mark.parametrize(
    ("ask", "error", "says"),
    [
        (lambda: mean_estimate(np.ones(3)), TypeError, r"moments: expected Moments, got ndarray; try Moments.of\(x\)"),
        (lambda: mean_estimate(Moments.of(np.ones((3, 2)), 0)), TypeError, r"an array of them of shape \(2,\)"),
        (lambda: variance_estimate(Moments.of(np.ones(1))), ValueError, "expected at least 2 numbers, got n = 1"),
        (lambda: variance_estimate(FOUR, theory=0), ValueError, "theory: expected a finite number above 0, got 0"),
        (lambda: mean_estimate(FOUR, theory="0"), TypeError, "theory: expected a real number, got '0'"),
        (lambda: mean_estimate(FOUR, variance=0), ValueError, "variance: expected a finite number above 0"),
        (lambda: mean_estimate(FOUR, confidence=95), ValueError, "confidence: expected .* between 0 and 1, got 95"),
        (lambda: differ(1.0, proportion(1, 2), 0.1), TypeError, "a: expected an Estimate, got float"),
        (lambda: differ(proportion(1, 2), proportion(1, 2), 1), ValueError, "false_alarm: .* got 1; try 1e-6"),
    ],
)
def test_what_cannot_be_estimated_is_named(ask, error, says):
    with pytest.raises(error, match=says):
        ask()


@pytest.mark.parametrize(("n", "m", "p"), [(5, 701, 0.003), (29, 31, 0.4), (61, 7, 0.97)])
@pytest.mark.parametrize("false_alarm", [0.05, 1e-3, 1e-6])
def test_equal_probabilities_are_separated_no_more_often_than_stated(n, m, p, false_alarm):
    """By the normal law a single hit among 5 beside 2 among 701 would differ at 1e-6; it happens in 1.5 % of runs."""
    one, two = stats.binom(n, p).pmf(range(n + 1)), stats.binom(m, p).pmf(range(m + 1))
    least = false_alarm * 1e-9 / (n * m)  # pairs rarer than this add up to nothing
    apart = sum(
        one[a] * two[b]
        for a in range(n + 1)
        for b in range(m + 1)
        if one[a] * two[b] > least and differ(proportion(a, n), proportion(b, m), false_alarm)
    )
    assert apart <= false_alarm


def test_large_proportions_differ_as_the_normal_law_says():
    a, b = proportion(500_000_000, 10**9), proportion(500_100_000, 10**9)  # z = −4.47, 7.7e-6
    assert differ(a, b, 9e-6) and not differ(a, b, 7e-6)
