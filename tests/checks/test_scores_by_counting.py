"""The results about scores against counted cases.

The oracles know nothing of the algebra: finite distributions whose outcomes are all visited, in exact fractions where
the numbers are rational and in float64 where they are not.
"""

import math
from fractions import Fraction
from functools import cache
from itertools import product

import mpmath
import numpy as np
import pytest
import sympy
from sympy import Matrix, Rational, sqrt

from interview_book.checks import dependence as dep
from interview_book.checks import gaps
from interview_book.checks import initialisation as ini
from interview_book.checks import sampling as sam
from interview_book.checks import score_shape as shape
from interview_book.checks import score_spread as spread
from interview_book.checks.letters import D_K, GAMMA_K, GAMMA_Q, KAPPA_K, KAPPA_Q, RHO, Q


@cache
def result(function, *arguments):
    return function(*arguments).verify().result


SIGNS = {Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 2)}
SKEWED = {Fraction(-1): Fraction(2, 3), Fraction(1, 2): Fraction(1, 5), Fraction(19, 5): Fraction(2, 15)}


def rational(fraction):
    return Rational(fraction.numerator, fraction.denominator)


def outcomes(*laws):
    """Every combination of independent draws with its probability."""
    for drawn in product(*(law.items() for law in laws)):
        yield tuple(v for v, _ in drawn), math.prod(p for _, p in drawn)


def mean_and_variance(pairs):
    pairs = [(value, p) for value, p in pairs]
    mean = sum(p * value for value, p in pairs)
    return rational(mean), rational(sum(p * (value - mean) ** 2 for value, p in pairs))


@pytest.mark.parametrize("d", range(1, 7))
def test_variance_of_a_score_of_signs(d):
    pairs = ((sum(q * k for q, k in zip(x[:d], x[d:], strict=True)), p) for x, p in outcomes(*[SIGNS] * (2 * d)))
    assert mean_and_variance(pairs) == (0, result(spread.score_variance).subs(D_K, d))


def moments_of(law, orders=4):
    return [rational(sum(p * v**n for v, p in law.items())) for n in range(1, orders + 1)]


def test_variance_of_components_with_means():
    laws = [SKEWED, {Fraction(2): Fraction(1, 3), Fraction(-5, 7): Fraction(2, 3)}, SIGNS]
    queries, keys = laws, laws[1:] + laws[:1]
    pairs = ((sum(q * k for q, k in zip(x[:3], x[3:], strict=True)), p) for x, p in outcomes(*queries, *keys))
    formula = result(spread.score_variance_components).subs(D_K, 3).doit()
    values = {}
    for means, deviations, side in ((spread.M_Q, spread.S_Q, queries), (spread.M_K, spread.S_K, keys)):
        for n, law in enumerate(side, start=1):
            first, second = moments_of(law, 2)
            values |= {means[n]: first, deviations[n]: sqrt(second - first**2)}
    assert formula.subs(values) == mean_and_variance(pairs)[1]


def vectors_of(points):
    """Mean vector and covariance matrix of a distribution on vectors."""
    d = len(next(iter(points)))
    mean = Matrix([rational(sum(p * v[n] for v, p in points.items())) for n in range(d)])
    second = Matrix(d, d, lambda m, n: rational(sum(p * v[m] * v[n] for v, p in points.items())))
    return mean, second - mean * mean.T


@pytest.mark.parametrize("d", [2, 3])
def test_variance_from_covariance_matrices(d):
    """Dependent components in q and in k; q and k independent of each other."""
    rows = [(1, 0, 2), (-2, 1, 1), (3, -1, 0), (0, 2, -5)], [(2, 1, -1), (1, -3, 0), (0, 1, 4)]
    chances = [Fraction(n, 11) for n in (2, 3, 5, 1)], [Fraction(n, 7) for n in (1, 4, 2)]
    queries, keys = (
        {row[:d]: p for row, p in zip(points, probabilities, strict=True)}
        for points, probabilities in zip(rows, chances, strict=True)
    )
    pairs = ((Fraction(sum(x * y for x, y in zip(q, k, strict=True))), p) for (q, k), p in outcomes(queries, keys))
    expected = mean_and_variance(pairs)[1]
    (m_q, s_q), (m_k, s_k) = vectors_of(queries), vectors_of(keys)
    assert (s_q * s_k).trace() + (m_q.T * s_k * m_q)[0] + (m_k.T * s_q * m_k)[0] == expected
    values = {}
    for letter, matrix in ((dep.S_Q, s_q), (dep.S_K, s_k)):
        values |= {letter[m + 1, n + 1]: matrix[m, n] for m in range(d) for n in range(d)}
    for letter, vector in ((dep.M_Q, m_q), (dep.M_K, m_k)):
        values |= {letter[n + 1]: vector[n] for n in range(d)}
    assert result(dep.score_variance_entries, d).doit().subs(values) == expected
    sums = dep.score_variance_covariances().verify().steps[-2].expression
    assert sums.subs(D_K, d).doit().subs(values) == expected


@pytest.mark.parametrize("d", [2, 3])
def test_correlated_normal_vectors(d):
    """q = A z and k = B z with standard normal z: moments of z one by one, no theorem about pairs."""
    size = 4
    z = sympy.symbols(f"z1:{size + 1}")
    first = Matrix(d, size, lambda m, n: (m + 2 * n + m * n) % 5 - 2)
    second = Matrix(d, size, lambda m, n: (3 * m + n * n + 1) % 7 - 3)
    score = sympy.Poly(((first * Matrix(z)).T * (second * Matrix(z)))[0], *z)

    def expectation(polynomial):
        normal = {0: 1, 1: 0, 2: 1, 3: 0, 4: 3}
        return sum(c * math.prod(normal[n] for n in powers) for powers, c in polynomial.terms())

    mean, variance = expectation(score), expectation(score**2) - expectation(score) ** 2
    s_q, s_k, cross = first * first.T, second * second.T, first * second.T
    assert cross.trace() == mean != 0 and (s_q * s_k).trace() + (cross * cross).trace() == variance
    values = {}
    for letter, matrix in ((dep.S_Q, s_q), (dep.S_K, s_k), (dep.CROSS, cross)):
        values |= {letter[m + 1, n + 1]: matrix[m, n] for m in range(d) for n in range(d)}
    assert result(dep.correlated_variance_entries, d).doit().subs(values) == variance
    sums = dep.correlated_variance_trace().verify().steps[-2].expression
    assert sums.subs(D_K, d).doit().subs(values) == variance
    assert dep.correlated_mean_trace().verify().steps[-2].expression.subs(D_K, d).doit().subs(values) == mean


def test_shared_magnitude():
    """r² = 1 ± 3/4: E r² = 1 and E r⁴ = 25/16; d = 3."""
    square = {Fraction(1, 4): Fraction(1, 2), Fraction(7, 4): Fraction(1, 2)}
    d = 3
    pairs = (
        (x[0] * sum(u * w for u, w in zip(x[1 : d + 1], x[d + 1 :], strict=True)), p)
        for x, p in outcomes(square, *[SIGNS] * (2 * d))
    )
    formula = dep.SHARED.value(result(dep.shared_magnitude)).subs({D_K: d, dep.FOURTH: Rational(25, 16)})
    assert mean_and_variance(pairs) == (0, formula)
    assert formula == Rational(75, 16) != d


def random_projection_scores(d, d_model, keys):
    """Scores ``(x W_Q)·(y W_K)`` for every W of entries ±1/√d_model and each of the key tokens; times d_model."""
    x = np.array([2, -1, 3])[:d_model]
    entries = d * d_model
    choices = np.array(list(product((-1, 1), repeat=entries))).reshape(-1, d_model, d)
    q = np.einsum("a,wad->wd", x, choices)
    return x, [np.einsum("wd,vd->wv", q, np.einsum("a,vad->vd", y, choices)).ravel() for y in keys]


def test_random_projections():
    """All 4096 pairs of weight matrices for d_model = 3, d_k = 2, in whole numbers; also for y = x."""
    d, d_model, y, z = 2, 3, np.array([1, 5, -2]), np.array([4, 1, 1])
    x, (same, first, second) = random_projection_scores(d, d_model, [np.array([2, -1, 3]), y, z])
    for scores, token in ((same, x), (first, y)):
        assert scores.sum() == 0
        # Var(d_model s) = d_model² d |x|² |y|²/d_model²
        assert np.sum(scores**2) == len(scores) * d * (x @ x) * (token @ token)
    gap = y - z
    assert np.sum((first - second) ** 2) == len(first) * d * (x @ x) * (gap @ gap)
    for derivation, norms in (
        (ini.initialisation_variance(), (x @ x, y @ y)),
        (ini.row_gap_variance(), (x @ x, gap @ gap)),
        (ini.initialisation_variance(same_token=True), (x @ x,)),
    ):
        where = derivation.steps[-1].where
        squares = dict(zip(where, norms, strict=True)) if len(where) > 1 else {next(iter(where)): norms[0]}
        formula = derivation.result.subs({norm: sqrt(int(value)) for norm, value in squares.items()})
        expected = Rational(int(d * norms[0] * norms[-1]), d_model**2)
        assert formula.subs({D_K: d, ini.D_MODEL: d_model}) == expected


def test_two_keys_of_one_query():
    """d = 2, a Query of three values with variance 1 and kurtosis 5/2, Keys of signs."""
    # mean 0 and variance 1 up to the factor √(5/2) that is taken out: values 0 (p = 3/5) and ±1 (p = 1/5 each)
    query = {Fraction(0): Fraction(3, 5), Fraction(1): Fraction(1, 5), Fraction(-1): Fraction(1, 5)}
    variance, d = Rational(2, 5), 2
    kappa = Rational(2, 5) / variance**2
    rows = [
        (x[0] * x[2] + x[1] * x[3], x[0] * x[4] + x[1] * x[5], p)
        for x, p in outcomes(query, query, SIGNS, SIGNS, SIGNS, SIGNS)
    ]

    def mean(function):
        return rational(sum(p * function(s, t) for s, t, p in rows))

    assert mean(lambda s, t: s * t) == 0 and mean(lambda s, t: s) == 0
    assert mean(lambda s, t: (s - t) ** 2) / variance == result(ini.key_gap_variance).subs(D_K, d) == 4
    covariance = mean(lambda s, t: s**2 * t**2) - mean(lambda s, t: s**2) * mean(lambda s, t: t**2)
    assert covariance / variance**2 == result(ini.shared_query_squares).subs({D_K: d, KAPPA_Q: kappa}) == 3


def test_conditional_variance():
    q = (2, -3, 5)
    pairs = ((Fraction(sum(x * y for x, y in zip(q, k, strict=True))), p) for k, p in outcomes(*[SIGNS] * 3))
    assert mean_and_variance(pairs) == (0, 38)
    norm_squared = ini.conditional_variance().verify().steps[-2].expression
    values = {Q[n]: value for n, value in enumerate(q, start=1)}
    assert norm_squared.subs(D_K, 3).doit().subs(values) == 38


@pytest.mark.parametrize("d", [1, 4, 11])
def test_mean_gap_at_a_finite_dimension(d):
    """E|D| of the scaled gap: through the norm of the Query, and by the density of s, a Bessel function."""
    norm = result(ini.query_norm_mean).subs(D_K, d)
    formula = result(ini.gap_mean_given_query).subs({D_K: d, ini.RADIUS: norm})
    order = mpmath.mpf(d - 1) / 2

    def weighted(s):  # |s| times the density of a raw score, for s > 0
        return s ** (order + 1) * mpmath.besselk(order, s) / (mpmath.sqrt(mpmath.pi) * 2**order * mpmath.gamma(d / 2))

    # D = √2 s/√d in law, and the density is even
    numeric = 2 * mpmath.sqrt(mpmath.mpf(2) / d) * mpmath.quad(weighted, [0, 1, 10, mpmath.inf])
    assert math.isclose(formula, numeric, rel_tol=1e-9)
    assert formula < result(ini.gap_mean)
    if d == 4:  # gaps.gap_tail integrated over x > 0 is E|D| of the raw gap
        x = sympy.Symbol("x", positive=True)
        tail = gaps.gap_tail_derivation().result.subs(gaps.X, x)
        assert sympy.simplify(formula - sympy.integrate(tail, (x, 0, sympy.oo)) / 2) == 0


def test_the_mean_gap_grows_to_that_of_a_normal_gap():
    # by mpmath: SymPy would write Γ(500000) out
    norm = sympy.lambdify(D_K, result(ini.query_norm_mean), "mpmath")
    means = [2 / mpmath.sqrt(mpmath.pi * d) * norm(mpmath.mpf(d)) for d in (1, 4, 64, 10**6)]
    # E‖q‖/√d = 1 − 1/(4d) + O(1/d²)
    assert means == sorted(means) and math.isclose(means[-1], 2 / math.sqrt(math.pi), rel_tol=1e-6)


@pytest.mark.parametrize("angle", [0.0, 0.7, 2.0])
def test_one_rotary_plane(angle):
    """All 16 signs; the tolerance is that of float64 sums of a few terms."""
    x = np.array(list(product((-1.0, 1.0), repeat=4)))
    rotation = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    scores = np.einsum("na,ab,nb->n", x[:, :2], rotation, x[:, 2:])
    assert math.isclose(np.mean(scores**2), 2, rel_tol=1e-14) and abs(scores.mean()) < 1e-15
    # k = q is correlation 1: the mean is 2 cos
    mean = np.mean(np.einsum("na,ab,nb->n", x[:, :2], rotation, x[:, :2]))
    at = {RHO: 1, D_K: 2}
    formula = result(ini.rotary_mean).subs(at).doit().subs({ini.M: angle, ini.THETA[1]: 1})
    assert math.isclose(mean, formula, rel_tol=1e-14) and math.isclose(mean, 2 * math.cos(angle), rel_tol=1e-14)


@pytest.mark.parametrize("n", [2, 3, 5])
def test_sample_variance_by_counting(n):
    first, *_ = moments_of(SKEWED)
    centred = {v - Fraction(first.p, first.q): p for v, p in SKEWED.items()}
    _, v, _, m4 = moments_of(centred)
    pairs = []
    for x, p in outcomes(*[SKEWED] * n):
        average = sum(x) / n
        pairs.append((sum((one - average) ** 2 for one in x) / (n - 1), p))
    at = {sam.N: n, sam.VARIANCE: v, sam.KAPPA: m4 / v**2}
    assert mean_and_variance(pairs) == (v, result(sam.sample_variance_variance).subs(at))


@pytest.mark.parametrize(("n_q", "n_k", "d"), [(2, 3, 1), (3, 1, 2), (1, 2, 3)])
def test_mean_square_of_one_matrix(n_q, n_k, d):
    """Entries −√3, 0, √3 with 1/6, 2/3, 1/6 share the normal moments up to the fourth, all that the formula uses."""
    entries = (n_q + n_k) * d
    values = np.array(list(product((-1, 0, 1), repeat=entries)))
    # 6^entries times the probability; whole numbers below 2^53, and s² is 9 times that of the values ±1
    chances = np.prod(np.where(values == 0, 4, 1), axis=1)
    q = values[:, : n_q * d].reshape(-1, n_q, d)
    k = values[:, n_q * d :].reshape(-1, n_k, d)
    squares = 9 * np.sum(np.einsum("xad,xbd->xab", q, k) ** 2, axis=(1, 2))
    total, power = 6**entries, [int(np.sum(chances * squares**n)) for n in (1, 2)]
    mean, second = (Rational(power[n - 1], total) / (n_q * n_k * d) ** n for n in (1, 2))
    assert mean == 1
    assert second - 1 == result(sam.matrix_mean_square).subs({D_K: d, sam.N_Q: n_q, sam.N_K: n_k})


def test_higher_moments_of_a_skewed_law():
    """Standardised skewed components at d = 1, 2, 3: third and fourth moments by counting, in exact fractions."""
    first, *_ = moments_of(SKEWED)
    centred = {v - Fraction(first.p, first.q): p for v, p in SKEWED.items()}
    _, v, m3, m4 = moments_of(centred)
    at = {KAPPA_Q: m4 / v**2, KAPPA_K: m4 / v**2}
    for d in (1, 2):
        pairs = [(sum(q * k for q, k in zip(x[:d], x[d:], strict=True)), p) for x, p in outcomes(*[centred] * (2 * d))]
        third, fourth = (rational(sum(p * s**n for s, p in pairs)) for n in (3, 4))
        skewness = result(shape.score_third_moment).subs({D_K: d, GAMMA_Q: m3, GAMMA_K: m3})
        assert third == skewness != 0
        assert fourth == v**4 * result(shape.score_fourth_moment).subs({D_K: d, **at})
        kurtosis = result(shape.score_kurtosis).subs({D_K: d, **at})
        assert fourth == kurtosis * (d * v**2) ** 2


def test_only_small_matrices_are_written_out():
    for function in (dep.score_variance_entries, dep.correlated_variance_entries):
        with pytest.raises(ValueError, match="d_k: expected 2 or 3"):
            function(4)
