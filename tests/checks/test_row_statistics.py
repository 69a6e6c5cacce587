"""Rows of random scores: measures by definition, laws by quadrature and by the exact two-Key case.

Monte Carlo tests state how often they reject a right program; several comparisons in one test share that rate.
"""

import math
import tracemalloc

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, optimize, special, stats

from interview_book.attention.normalise import entropy, softmax, softmax_jacobian
from interview_book.checks import gap_tail
from interview_book.checks.row_statistics import (
    RowMeasures,
    measure_rows,
    normal_score_rows,
    score_rows,
    summarise_rows,
)

ALARM = 1e-6


def generator(seed):
    return np.random.Generator(np.random.PCG64(seed))


# --- measures of one row ---


@given(st.lists(st.floats(-30, 30), min_size=1, max_size=11))
def test_measures_are_those_of_the_definition(scores):
    z = np.array([scores])
    p = softmax(z)
    found = measure_rows(z)
    # The definitions lose digits next to one-hot rows, hence the absolute tolerance; see the next test for those.
    jacobian = np.linalg.norm(softmax_jacobian(p), axis=(-2, -1))
    for got, expected in (
        (found.entropy, entropy(z)),
        (found.deficit, math.log(len(scores)) - entropy(z)),
        (found.largest, p.max(-1)),
        (found.squares, (p**2).sum(-1)),
        (found.jacobian, jacobian),
    ):
        np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("scores", [(60.0, 0.0, -3.0, 1.5, 0.25), (800.0, 0.0), (3.0, 3.0, -40.0), (0.0,) * 7])
def test_saturated_rows_keep_their_digits(scores):
    with mpmath.workdps(900):  # e^−800 must not vanish beside 1
        z = [mpmath.mpf(one) for one in scores]
        total = sum(mpmath.exp(one) for one in z)
        p = [mpmath.exp(one) / total for one in z]
        squares = sum(one**2 for one in p)
        norm = mpmath.sqrt(squares - 2 * sum(one**3 for one in p) + squares**2)
        exact = (-sum(one * mpmath.log(one) for one in p), norm)
        found = measure_rows(np.array([scores]))
        for got, expected in zip((found.entropy[0], found.jacobian[0]), exact, strict=True):
            # e^−800 underflows to 0 in float64; anything above the least normal number keeps 12 digits
            assert math.isclose(got, float(expected), rel_tol=1e-12, abs_tol=1e-300)
    assert found.deficit[0] >= 0


def test_hidden_keys_change_nothing():
    z = generator(7).standard_normal((5, 7))
    padded = np.full((5, 11), -np.inf)
    places = np.array([10, 0, 3, 7, 2, 5, 8])
    padded[:, places] = z
    for seen, hidden in zip(measure_rows(z), measure_rows(padded), strict=True):
        np.testing.assert_allclose(hidden, seen, rtol=1e-13)


def test_a_row_without_keys_is_nan_and_disturbs_nobody():
    z = np.array([[-np.inf, -np.inf, -np.inf], [1.0, -np.inf, 1.0]])
    for one, expected in zip(measure_rows(z), (math.log(2), 0.0, 0.5, 0.5, 0.5), strict=True):
        assert math.isnan(one[0]) and math.isclose(one[1], expected, abs_tol=1e-15)


# --- laws ---


def two_keys(q):
    """The gap that a raw gap of d_k = 4 exceeds with probability q: the law is exact (see gaps)."""
    return optimize.brentq(lambda x: gap_tail(x) - q, 0, 200)


@pytest.mark.montecarlo(false_alarm=ALARM)
@pytest.mark.parametrize("draw", [score_rows, normal_score_rows])
@pytest.mark.parametrize("divisor", [1.0, 2.0])
@pytest.mark.parametrize("q", [0.1, 0.5, 0.9])
def test_quantiles_for_two_keys_follow_the_exact_law(rng, false_alarm, draw, divisor, q):
    rows = summarise_rows(draw(rng, 20_011, 2, 4), divisor)
    # ‖J‖_F = 2 p (1 − p) = 1/(2 cosh²(D/2)) falls as the gap |D| grows, so its q quantile is at the gap exceeded with
    # probability q; the largest weight grows with the gap.
    falling, growing = two_keys(q) / divisor, two_keys(1 - q) / divisor
    assert rows.quantile("jacobian", q, theory=1 / (2 * math.cosh(falling / 2) ** 2)).agrees(false_alarm / 2)
    assert rows.quantile("largest", q, theory=1 / (1 + math.exp(-growing))).agrees(false_alarm / 2)


def quadrature(n, sigma):
    """E Σp² and E H for n independent N(0, σ²) scores, by quadrature and not by drawing.

    1/S² = ∫ t e^{−tS} dt and log S = ∫ (e^{−t} − e^{−tS})/t dt for S = Σ e^{z}; the terms of S are independent, so each
    factor is a one-dimensional integral. By parts (Stein), E Σ p z = σ² (1 − E Σp²), and H = log S − Σ p z.
    """
    z, w = np.polynomial.hermite_e.hermegauss(160)
    w = w / w.sum()
    # t = e^u, wide enough that both ends are 0; the trapezoid rule converges fast for such integrands
    u = np.linspace(-40, 40, 2_001)
    x = np.exp(sigma * z)
    te = np.exp(u)[:, np.newaxis] * x
    phi = np.exp(-te) @ w
    pair = (np.exp(-te) * x**2) @ w
    t = np.exp(u)
    squares = n * np.trapezoid(t * t * pair * phi ** (n - 1), u)
    log_s = np.trapezoid(np.exp(-t) - phi**n, u)
    return squares, log_s - sigma**2 * (1 - squares)


def scaled_rows(rng, rows, n, sigma):
    yield from (sigma * rng.standard_normal((500, n)) for _ in range(rows // 500))


def test_the_quadrature_by_hand():
    # No spread: uniform. Two scores: E Σp² = 1 − E[2p(1−p)] with one normal gap of variance 2σ², by SciPy's integral.
    squares, mean = quadrature(5, 1e-6)
    assert math.isclose(squares, 0.2, rel_tol=1e-9) and math.isclose(mean, math.log(5), rel_tol=1e-9)
    for sigma in (0.5, 1.0, 2.0):
        density = stats.norm(scale=math.sqrt(2) * sigma).pdf
        expected, _ = integrate.quad(lambda d, f=density: f(d) * (1 - 1 / (1 + math.cosh(d))), -60, 60, points=[0.0])
        assert math.isclose(quadrature(2, sigma)[0], expected, rel_tol=1e-7)


@pytest.mark.montecarlo(false_alarm=ALARM)
@pytest.mark.parametrize(("n", "sigma"), [(5, 1.0), (16, 1.0), (67, 1.0), (257, 1.0), (16, 2.0), (67, 2.0)])
def test_means_follow_the_quadrature(rng, false_alarm, n, sigma):
    squares, mean = quadrature(n, sigma)
    rows = summarise_rows(scaled_rows(rng, 4_000, n, sigma))
    assert rows.mean("squares", theory=squares).agrees(false_alarm / 3)
    assert rows.mean("entropy", theory=mean).agrees(false_alarm / 3)
    assert rows.mean("deficit", theory=math.log(n) - mean).agrees(false_alarm / 3)


@pytest.mark.montecarlo(false_alarm=ALARM)
@pytest.mark.parametrize("draw", [score_rows, normal_score_rows])
def test_both_samplers_have_the_law_of_scores(rng, false_alarm, draw):
    # Given the Query the scores are N(0, ‖q‖²), and ‖q‖²/2 has the weight function of generalised Laguerre quadrature.
    n, d_k = 11, 7
    halves, chances = special.roots_genlaguerre(10, d_k / 2 - 1)
    values = np.array([quadrature(n, math.sqrt(2 * half / d_k)) for half in halves])
    squares, mean = chances @ values / chances.sum()
    rows = summarise_rows(draw(rng, 20_011, n, d_k), math.sqrt(d_k))
    assert rows.mean("squares", theory=squares).agrees(false_alarm / 2)
    assert rows.mean("entropy", theory=mean).agrees(false_alarm / 2)


def test_half_a_nat_at_initialisation_whatever_the_length():
    # theory 3.7: log n − H → 1/2 for unit-variance scores, and n Σp² → e
    deficits, squares = zip(
        *((math.log(n) - h, n * s) for n in (16, 64, 256, 1024, 4096) for s, h in [quadrature(n, 1.0)]), strict=True
    )
    assert [round(one, 3) for one in deficits] == pytest.approx([0.415, 0.473, 0.493, 0.498, 0.500], abs=1.1e-3)
    assert list(np.diff(deficits) > 0) == [True] * 4 and deficits[-1] < 0.5
    assert squares[-1] == pytest.approx(math.e, rel=0.01)


# --- the table of theory 3.4 ---


@pytest.mark.montecarlo(false_alarm=ALARM)
@pytest.mark.parametrize(
    ("n", "d_k", "unscaled", "scaled"),
    # Medians of ‖J‖_F from 10⁵ rows and more; the margins are three of their standard errors.
    [
        (16, 64, (0.110, 0.003), (0.3035, 0.001)),
        (16, 1024, (1.6e-5, 0.3e-5), (0.3043, 0.001)),
        (1024, 64, (0.2956, 0.003), (0.0501, 0.0003)),
        (1024, 1024, (0.0029, 0.0004), (0.0503, 0.0003)),
    ],
)
def test_medians_of_the_jacobian(rng, false_alarm, n, d_k, unscaled, scaled):
    for (value, margin), divisor in ((unscaled, 1.0), (scaled, math.sqrt(d_k))):
        rows = summarise_rows(normal_score_rows(rng, 2_003 if n > 100 else 20_011, n, d_k), divisor)
        median = rows.median("jacobian", confidence=1 - false_alarm / 2)
        assert median.low <= value + margin and median.high >= value - margin


# Measured once with 16,000 rows: of the unscaled rows 54 or 55 % lie above the scaled median at the width before, 58 or
# 59 % below it at the width named. With 4,001 rows 54 % are 5 standard deviations from half: 4 failures in 10⁶ cases.
@pytest.mark.montecarlo(false_alarm=4e-6)
@pytest.mark.parametrize(("n", "first"), [(16, 32), (256, 256), (1024, 512)])
def test_first_width_at_which_the_unscaled_jacobian_is_the_smaller(rng, n, first):
    for d_k, smaller in ((first // 2, False), (first, True)):
        plain = summarise_rows(normal_score_rows(rng, 4_001, n, d_k)).median("jacobian")
        scaled = summarise_rows(normal_score_rows(rng, 1_009, n, d_k), math.sqrt(d_k)).median("jacobian")
        assert (plain.value < scaled.value) == smaller


# --- drawing ---


def test_a_row_is_a_query_times_keys():
    n, d_k = 5, 3
    normals = generator(3).standard_normal((7, 1 + n, d_k))
    (rows,) = score_rows(generator(3), 7, n, d_k)
    expected = [[normals[r, 0] @ normals[r, 1 + j] for j in range(n)] for r in range(7)]
    np.testing.assert_allclose(rows, expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("memory", [8 * (7 * 11 + 16 + 2 * 5), 1200, 3000, 10_000, 1 << 20])
@pytest.mark.parametrize("draw", [score_rows, normal_score_rows])
def test_memory_does_not_change_the_rows(draw, memory):
    whole = np.concatenate(list(draw(generator(5), 101, 11, 5, 1 << 22)))
    parts = list(draw(generator(5), 101, 11, 5, memory))
    np.testing.assert_allclose(np.concatenate(parts), whole, rtol=1e-12, atol=1e-13)
    assert whole.shape == (101, 11) and (len(parts) > 1 or memory > 100_000)


@pytest.mark.parametrize(("n", "d_k"), [(1021, 64), (11, 3), (3, 1), (1021, 127)])
def test_drawing_and_measuring_stay_within_the_memory(n, d_k):
    memory = 1 << 19
    tracemalloc.start()
    try:
        for chunk in score_rows(generator(1), 4 * memory // (8 * n * d_k) + 2, n, d_k, memory):
            measure_rows(chunk)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1.05 * memory  # 5 % for the interpreter's own objects


def test_parts_merge_to_the_whole():
    chunks = [generator(9).standard_normal((r, 7)) for r in (3, 11, 2)]
    whole = summarise_rows(chunks, 2.0)
    merged = summarise_rows(chunks[:1], 2.0).merge(summarise_rows(chunks[1:], 2.0))
    assert merged.rows == whole.rows == 16 and merged.n == 7
    for a, b in zip(merged.measures, whole.measures, strict=True):
        np.testing.assert_array_equal(a, b)
    assert whole.mean("largest").value == pytest.approx(measure_rows(np.concatenate(chunks) / 2).largest.mean())
    assert whole.median("largest").value == np.median(whole.measures.largest)


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: score_rows(7, 3, 5, 2), TypeError, "rng: expected a numpy.random.Generator"),
        (lambda: normal_score_rows(7, 3, 5, 2), TypeError, "rng: expected a numpy.random.Generator"),
        (lambda: score_rows(generator(1), 0, 5, 2), ValueError, "rows: expected at least 1, got 0"),
        (lambda: score_rows(generator(1), 3, 5.0, 2), TypeError, "n: expected a whole number"),
        (lambda: score_rows(generator(1), 3, 5, 2, 439), ValueError, "memory: expected at least 440 bytes for one row"),
        (lambda: normal_score_rows(generator(1), 3, 5, 2, 407), ValueError, "memory: expected at least 408 bytes"),
        (lambda: summarise_rows([]), ValueError, "chunks: expected at least one array of rows"),
        (lambda: summarise_rows([np.ones((2, 3)), np.ones((2, 5))]), ValueError, r"got shape \(2, 5\) \(n 3\)"),
        (lambda: summarise_rows([np.full((2, 3), np.nan)]), ValueError, "chunks: expected finite scores"),
        (lambda: summarise_rows([np.ones((2, 3))], 0.0), ValueError, "divisor"),
        (lambda: summarise_rows([np.ones((2, 3))]).mean("max"), ValueError, "name: expected one of 'entropy'"),
        (lambda: summarise_rows([np.ones((2, 3))]).merge(3), TypeError, "merge: expected RowStatistics"),
    ],
)
def test_bad_arguments_are_named_at_once(call, error, says):
    with pytest.raises(error, match=says):
        call()
    assert RowMeasures._fields == ("entropy", "deficit", "largest", "squares", "jacobian")
