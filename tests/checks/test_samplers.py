"""Scores of many laws: theory by enumeration, draws against theory, and the memory they take."""

import math
import tracemalloc
from itertools import product

import numpy as np
import pytest
from scipy import stats

from interview_book.checks.components import Components, score_theory
from interview_book.checks.estimates import mean_estimate, variance_estimate
from interview_book.checks.moments import Moments
from interview_book.checks.samplers import MEMORY, products, raw_scores

STEPS = np.array([0.25, 0.5, 0.75, 1.0, 1.25])
LAWS = {
    "normal": {},
    "uniform": {"q": "uniform", "k": "uniform"},
    "rademacher": {"q": "rademacher", "k": "rademacher"},
    "laplace and normal": {"q": "laplace"},
    "t9 twice": {"q": Components("student_t", df=9), "k": Components("student_t", df=9)},
    "means and deviations": {"q": Components(mean=0.5, deviation=STEPS), "k": Components("uniform", mean=-STEPS)},
    "rho": {"rho": 0.3},
    "rho = -1": {"rho": -1.0},
    "rho, means, deviations": {"q": Components(mean=STEPS, deviation=2), "k": Components(mean=0.5), "rho": -0.6},
    "one vector all alike": {"q": Components(within=1.0)},
    "both partly alike": {
        "q": Components("uniform", mean=0.5, deviation=STEPS, within=0.3),
        "k": Components("laplace", mean=STEPS, within=0.6),
    },
}


def generator(seed):
    return np.random.Generator(np.random.PCG64(seed))


def whole(rng, samples, d_k, **law):
    return np.concatenate(list(raw_scores(rng, samples, d_k, **law)))


def enumerated(d_k, q, k, scale_q, scale_k):
    """Mean, variance, kurtosis of q·k with components mean ± deviation: every one of the 4^d cases."""
    cases = []
    for signs in product((-1, 1), repeat=2 * d_k):
        x, y = np.array(signs[:d_k]), np.array(signs[d_k:])
        cases.append((q + scale_q * x) @ (k + scale_k * y))
    s = np.array(cases)
    centred = s - s.mean()
    return s.mean(), (centred**2).mean(), (centred**4).mean() / (centred**2).mean() ** 2


@pytest.mark.parametrize("d_k", [1, 2, 3, 5])
def test_theory_equals_every_case_of_signs(d_k):
    m, a, n, b = STEPS[:d_k], STEPS[:d_k][::-1], STEPS[:d_k] - 1, 1 + STEPS[:d_k]
    theory = score_theory(d_k, q=Components("rademacher", m, a), k=Components("rademacher", n, b))
    np.testing.assert_allclose(theory, enumerated(d_k, m, n, a, b), rtol=1e-12)


def test_theory_by_hand():
    assert score_theory(7) == (0, 7, 3 + 6 / 7)
    # theory 3.6: 3 + (kq kk − 3)/d
    assert math.isclose(score_theory(7, q="laplace", k="uniform").kurtosis, 3 + (6 * 1.8 - 3) / 7, rel_tol=1e-14)
    assert score_theory(7, q=Components("student_t", df=10)).kurtosis == 3 + (3 * 4 - 3) / 7
    # theory 3.1: one shared variable against independent ones d, both shared d²
    assert score_theory(8, q=Components(within=1)).variance == 8
    assert score_theory(8, q=Components(within=1), k=Components(within=1)).variance == 64
    # theory 3.2
    mean, variance, _ = score_theory(64, rho=0.3)
    assert math.isclose(mean / 8, 2.4, rel_tol=1e-14) and math.isclose(variance, 64 * 1.09, rel_tol=1e-14)
    # rho = 1: a sum of squares, χ² with kurtosis 3 + 12/d
    np.testing.assert_allclose(score_theory(5, rho=1), (5, 10, 3 + 12 / 5), rtol=1e-14)
    assert score_theory(16, q=Components("student_t", df=3)) == (0, 16, math.inf)


@pytest.mark.montecarlo(false_alarm=1e-6)
@pytest.mark.parametrize("name", LAWS)
def test_draws_have_the_mean_and_variance_of_theory(name, rng, false_alarm):
    theory = score_theory(5, **LAWS[name])
    moments = Moments.of(whole(rng, 60_013, 5, **LAWS[name]))
    assert mean_estimate(moments, theory.mean, variance=theory.variance).agrees(false_alarm / 2)
    assert variance_estimate(moments, theory.variance, kurtosis=theory.kurtosis).agrees(false_alarm / 2)


@pytest.mark.montecarlo(false_alarm=1e-6)
@pytest.mark.parametrize(
    ("family", "df", "law"),
    [
        ("normal", None, stats.norm()),
        ("uniform", None, stats.uniform(-math.sqrt(3), 2 * math.sqrt(3))),
        ("laplace", None, stats.laplace(scale=math.sqrt(0.5))),
        ("student_t", 3, stats.t(3, scale=math.sqrt(1 / 3))),
        ("student_t", 1.5, stats.t(1.5)),
    ],
)
def test_families_are_what_they_are_called(family, df, law, rng, false_alarm):
    # times ±1, which changes nothing of a symmetric law
    drawn = whole(rng, 20_011, 1, q=Components(family, df=df), k="rademacher")
    assert stats.kstest(drawn, law.cdf).pvalue >= false_alarm


def test_rademacher_has_two_values():
    assert set(whole(generator(1), 997, 1, q="rademacher", k="rademacher")) == {-1.0, 1.0}


def test_kurtosis_of_the_families_is_that_of_scipy():
    for family, law in (("normal", stats.norm), ("uniform", stats.uniform), ("laplace", stats.laplace)):
        assert math.isclose(Components(family).kurtosis, 3 + law.stats(moments="k"), rel_tol=1e-12)
    assert math.isclose(Components("student_t", df=7).kurtosis, 3 + stats.t(7).stats(moments="k"), rel_tol=1e-12)
    assert Components("student_t", df=4).kurtosis == math.inf


def test_a_score_is_a_query_times_a_key():
    drawn = generator(3).standard_normal((7, 2, 5))
    expected = [q @ k for q, k in drawn]
    np.testing.assert_allclose(whole(generator(3), 7, 5), expected, rtol=1e-12, atol=1e-14)
    correlated = [q @ (0.6 * q + 0.8 * k) for q, k in drawn]
    np.testing.assert_allclose(whole(generator(3), 7, 5, rho=0.6), correlated, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("d_k", [1, 2, 3, 4, 5, 7, 11])
def test_products_are_row_by_row(d_k):
    q, k = generator(d_k).standard_normal((2, 13, d_k))
    before = q.copy(), k.copy()
    np.testing.assert_allclose(
        products(q, k), [math.fsum(a * b) for a, b in zip(q, k, strict=True)], rtol=1e-13, atol=1e-15
    )
    np.testing.assert_array_equal((q, k), before)


@pytest.mark.parametrize("name", LAWS)
def test_memory_does_not_change_the_scores(name):
    ample = whole(generator(5), 1009, 5, **LAWS[name])
    parts = list(raw_scores(generator(5), 1009, 5, memory=16_384, **LAWS[name]))
    assert len(parts) > 3
    # rows are added up in another order where einsum meets them elsewhere in a block: a few units of 2⁻⁵³
    np.testing.assert_allclose(np.concatenate(parts), ample, rtol=1e-12, atol=1e-13)


def test_scores_are_the_callers_to_keep():
    first, *_ = kept = list(raw_scores(generator(5), 1009, 5, memory=16_384))
    again = first.copy()
    kept[1][:] = 0
    np.testing.assert_array_equal(first, again)


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("memory", [65_536, MEMORY])
def test_memory_is_never_exceeded(name, memory):
    law = LAWS[name]
    for _ in raw_scores(generator(1), 3, 5, **law):
        pass  # what is imported on first use is not ours
    rng = generator(1)
    tracemalloc.start()
    try:
        for _ in raw_scores(rng, 100_003, 5, memory=memory, **law):
            pass
        assert tracemalloc.get_traced_memory()[1] <= memory
    finally:
        tracemalloc.stop()


def test_memory_at_many_features():
    rng = generator(1)
    tracemalloc.start()
    try:
        count = sum(len(scores) for scores in raw_scores(rng, 2003, 4099))
        assert count == 2003 and tracemalloc.get_traced_memory()[1] <= MEMORY
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("arguments", "more", "error", "says"),
    [
        ((7, 3, 4), {}, TypeError, "rng: expected a numpy.random.Generator, got int"),
        ((generator(1), 0, 4), {}, ValueError, "samples: expected at least 1, got 0"),
        ((generator(1), 3, 4.0), {}, TypeError, "d_k: expected a whole number, got 4.0"),
        ((generator(1), 3, 0), {}, ValueError, "d_k: expected at least 1, got 0"),
        ((generator(1), 3, 4), {"q": "cauchy"}, ValueError, "family: expected one of normal, .* got 'cauchy'"),
        ((generator(1), 3, 4), {"k": "student_t"}, ValueError, r"df: .* got None with student_t; try Components\("),
        ((generator(1), 3, 4), {"k": 3}, TypeError, r"k: expected Components or .* got 3; try k=Components\(\)"),
        ((generator(1), 3, 4), {"rho": 1.5}, ValueError, "rho: expected a correlation from -1 to 1, got 1.5"),
        ((generator(1), 3, 4), {"rho": 0.5, "q": "laplace"}, ValueError, "rho: expected 0 unless .* with laplace"),
        ((generator(1), 3, 4), {"rho": 0.5, "q": Components(within=0.5)}, ValueError, "rho: expected 0 unless"),
        ((generator(1), 3, 4), {"q": Components(mean=STEPS)}, ValueError, r"q.mean: .* \(4,\) for d_k = 4, got \(5,\)"),
        ((generator(1), 3, 4096), {"memory": 65_536}, ValueError, "memory: expected at least 73768 bytes for one"),
        ((generator(1), 3, 4), {"memory": 0}, ValueError, "memory: expected at least 1, got 0"),
    ],
)
def test_bad_arguments_are_named_at_once(arguments, more, error, says):
    with pytest.raises(error, match=says):
        raw_scores(*arguments, **more)


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (lambda: Components(deviation=0), ValueError, "deviation: expected a finite number above 0, got 0"),
        (lambda: Components(deviation=STEPS - 1), ValueError, r"deviation: expected finite numbers above 0 of shape"),
        (lambda: Components(mean=np.ones((2, 2))), ValueError, r"mean: .* of shape \(d_k,\), got shape \(2, 2\)"),
        (lambda: Components(mean="0"), TypeError, "mean: expected a real number"),
        (lambda: Components(within=1.5), ValueError, "within: expected a correlation from 0 to 1, got 1.5"),
        (lambda: Components("student_t", df=0), ValueError, "df: expected a finite number above 0"),
        (lambda: Components(df=3), ValueError, "df: .* and with nothing else, got 3 with normal"),
        (lambda: score_theory(3, q=Components("student_t", df=2)), ValueError, "q: .* the variance is void"),
    ],
)
def test_laws_that_are_none_are_named(make, error, says):
    with pytest.raises(error, match=says):
        make()
