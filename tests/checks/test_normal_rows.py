"""Quadrature for rows of normal scores: against direct integrals, other steps, and drawn rows."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from scipy import integrate

from interview_book.checks import normal_rows, row_measurements
from interview_book.checks.normal_rows import expected_maximum_of, normal_row, product_row


def row_of(z):
    top = z.max(axis=-1, keepdims=True)
    e = np.exp(z - top)
    p = e / e.sum(axis=-1, keepdims=True)
    log_sum = np.log(e.sum(axis=-1)) + top[..., 0]
    deficit = math.log(z.shape[-1]) - log_sum + (p * z).sum(axis=-1)
    return log_sum, (p**2).sum(axis=-1), deficit


@pytest.mark.parametrize("sigma", [0.3, 1.0, 5.0])
def test_two_keys_by_an_integral_over_their_distance(sigma):
    """Two scores are their mean and half their distance either way; the mean drops out of the weights."""
    density = NormalDist(0, sigma * math.sqrt(2)).pdf

    def mean(f):
        return 2 * integrate.quad(lambda d: f(d) * density(d), 0, 12 * sigma, epsabs=1e-13, epsrel=1e-12)[0]

    row = normal_row(2, sigma)
    for k, found in enumerate((row.log_sum, row.squares, row.deficit)):
        direct = mean(lambda d, k=k: float(row_of(np.array([d / 2, -d / 2]))[k]))
        assert math.isclose(found, direct, rel_tol=1e-9)


def test_three_keys_by_a_grid():
    x = np.arange(-9, 9.1, 0.25)
    w = np.exp(-x * x / 2) * 0.25 / math.sqrt(2 * math.pi)
    z = np.stack(np.meshgrid(x, x, x, indexing="ij"), axis=-1)
    means = [np.einsum("ijk,i,j,k->", one, w, w, w) for one in row_of(z)]
    row = normal_row(3, 1.0)
    # The trapezoidal rule with step 1/4 of functions analytic in a strip: e^(−2π · 1.5/0.25) < 1e-15
    assert np.allclose([row.log_sum, row.squares, row.deficit], means, rtol=1e-12)


@pytest.mark.parametrize(("n", "sigma"), [(2, 0.01), (2, 8.0), (16, 1.0), (1024, 8.0), (1024, 16.0), (2.0**80, 13.0)])
def test_half_the_step_moves_nothing(monkeypatch, n, sigma):
    before = normal_row(n, sigma)
    monkeypatch.setattr(normal_rows, "STEP", normal_rows.STEP / 2)
    monkeypatch.setattr(normal_rows, "CUT", normal_rows.CUT + 10)
    after = normal_row(n, sigma)
    for one in ("log_sum", "squares", "deficit"):
        assert math.isclose(getattr(before, one), getattr(after, one), rel_tol=normal_rows.ERROR), one
    assert math.isclose(before.entropy, after.entropy, abs_tol=normal_rows.ERROR * math.log(n))


def test_equal_scores_in_the_limit():
    # log n − H = σ² (n − 1)/(2 n) + O(σ⁴): the expected sample variance of n scores, halved
    row = normal_row(7, 0.001)
    assert math.isclose(row.deficit, 1e-6 * 6 / 14, rel_tol=1e-5)
    assert math.isclose(row.squares, 1 / 7, rel_tol=1e-5) and math.isclose(row.entropy, math.log(7), rel_tol=1e-6)


@pytest.mark.montecarlo(false_alarm=1e-6)
@pytest.mark.parametrize(("n", "d_k", "divisor"), [(17, 3, 3**0.5), (31, 37, 1.0)])
def test_product_rows_against_drawn_ones(rng, false_alarm, n, d_k, divisor):
    """Means over 4,003 rows of q·k_j/c; both tests together reject with the stated rate (Bonferroni)."""
    rows = 4003
    q = rng.standard_normal((rows, d_k))
    z = np.einsum("rd,rnd->rn", q, rng.standard_normal((rows, n, d_k))) / divisor
    _, squares, deficit = row_of(z)
    row = product_row(n, d_k, divisor)
    for drawn, expected in ((squares, row.squares), (deficit, row.deficit)):
        error = (drawn.mean() - expected) / (drawn.std(ddof=1) / math.sqrt(rows))
        assert abs(error) <= NormalDist().inv_cdf(1 - false_alarm / 4)
    assert row.variance == d_k / divisor**2


def test_a_wide_query_is_a_fixed_length():
    # |q|²/d_k = 1 ± √(2/d_k): the rows of width 10⁶ are those of unit variance up to 1e-6 or so
    wide, fixed = product_row(11, 10**6, 1000.0), normal_row(11, 1.0)
    assert math.isclose(wide.squares, fixed.squares, rel_tol=1e-5)
    assert math.isclose(wide.deficit, fixed.deficit, rel_tol=1e-5)
    assert math.isclose(wide.log_sum, fixed.log_sum, rel_tol=1e-5)


def test_maxima_known_exactly():
    # 1/√π and 3/(2√π); for n = 5 the tables of order statistics give 1.16296
    assert math.isclose(expected_maximum_of(2), 1 / math.sqrt(math.pi), rel_tol=1e-12)
    assert math.isclose(expected_maximum_of(3), 1.5 / math.sqrt(math.pi), rel_tol=1e-12)
    assert f"{expected_maximum_of(5):.5f}" == "1.16296"


@pytest.mark.parametrize("n", [2, 17, 4096, 2.0**200])
def test_maxima_stay_below_the_bound(n):
    assert expected_maximum_of(n) < math.sqrt(2 * math.log(n))
    # by another formula: E max = ∫ (1 − Φⁿ) over x > 0, less ∫ Φⁿ over x < 0
    x = np.linspace(-12, 35, 200_001)
    tail = np.array([math.erfc(abs(one) / math.sqrt(2)) / 2 for one in x])
    power = np.exp(n * np.where(x < 0, np.log(tail), np.log1p(-tail)))
    integral = np.trapezoid(np.where(x < 0, -power, -np.expm1(np.log(np.maximum(power, 1e-300)))), x)
    # The two pieces jump at 0 by one, half a step of which is lost
    assert math.isclose(expected_maximum_of(n), integral, abs_tol=47 / 200_000)


def test_freezing():
    # theory.md 3.7
    assert f"{normal_rows.freezing_width(1024):.1f}" == "13.9" and f"{normal_rows.freezing_width(131072):.1f}" == "23.6"
    assert f"{normal_rows.frozen_squares_limit(1024, 8):.3f}" == "0.535"
    assert normal_rows.frozen_squares_limit(1024, 3) == 0


@pytest.mark.parametrize("d_k", [4, 64])
def test_the_deficit_moves_to_half_a_nat(d_k):
    found = row_measurements.deficit_when_scaled(d_k=d_k)
    assert found.approaches and found.distances[-1] < 0.002 and max(found.values) < 0.5


def test_the_deficit_of_dk_moves_to_its_law():
    found = row_measurements.deficit_when_divided_by_dk()
    # σ⁴ terms: relative 1/d_k at most
    assert all(distance < 1 / d for distance, d in zip(found.distances, found.at, strict=True))


def test_squares_and_freezing_move_to_their_limits():
    assert row_measurements.squares_times_n().approaches and row_measurements.squares_times_n().distances[-1] < 0.01
    frozen = row_measurements.frozen_squares_slowly((10, 20, 40, 60))
    assert frozen.approaches and 0.06 < frozen.distances[0] < 0.07 and frozen.distances[-1] < 0.018


@pytest.mark.parametrize("ratio", [0.5, 4.0])
def test_the_log_sum_has_two_phases(ratio):
    found = row_measurements.log_sum_per_log_n((10, 20, 40, 60), ratio)
    assert found.approaches and found.distances[-1] < 0.08
    other = math.sqrt(2 * ratio) if ratio <= 2 else 1 + ratio / 2
    assert abs(found.values[-1] - other) > 3 * found.distances[-1]  # and not to the law of the other phase


def test_wide_heads_concentrate_without_scaling():
    values = row_measurements.concentration_unscaled((4, 16, 64), 131).values
    assert values[0] < 0.2 < values[1] < 0.5 < values[2]
    # with the divisor the width does not matter: n Σ p² stays near e
    scaled = [131 * product_row(131, d, math.sqrt(d)).squares for d in (4, 16, 64)]
    assert max(scaled) < 4


def test_the_refined_maximum_gains_on_the_true_one():
    found = row_measurements.largest_of_normals((16, 4096, 2.0**24, 2.0**48))
    assert found.approaches and found.distances[-1] < 0.005


@pytest.mark.parametrize(
    ("call", "kind", "says"),
    [
        (lambda: normal_row(1, 1), ValueError, "n: expected a whole number of Keys, at least 2, got 1"),
        (lambda: normal_row(2.5, 1), ValueError, "n: expected a whole number"),
        (lambda: normal_row("2", 1), TypeError, "n: expected a real number, got '2'"),
        (lambda: normal_row(2, 0), ValueError, "sigma: expected a finite standard deviation above 0, got 0"),
        (lambda: normal_row(2, True), TypeError, "sigma: expected a real number, got True"),
        (lambda: product_row(2, 0), ValueError, "d_k: expected at least 1, got 0"),
        (lambda: product_row(2, 1.5), TypeError, "d_k: expected a whole number of features, got 1.5"),
        (lambda: product_row(2, 3, 0), ValueError, "divisor: expected a finite number above 0, got 0"),
        (lambda: expected_maximum_of(math.inf), ValueError, "n: expected a whole number of Keys"),
    ],
)
def test_bad_arguments_are_named(call, kind, says):
    with pytest.raises(kind, match=says):
        call()
