"""Softmax, its Jacobian and its bounds: proofs, and the same statements for random rows in floats."""

import math

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from interview_book.attention import softmax, softmax_jacobian
from interview_book.checks import jacobian_bounds, score_gradients, softmax_theory
from tests.checks.proving import breaks, proved

ROWS = arrays.arrays(float, st.integers(2, 7), elements=st.floats(-20, 20))


@pytest.mark.parametrize("result", proved("softmax_theory", "score_gradients", "jacobian_bounds"))
def test_every_result_is_proved(result):
    made = result.make()
    assert made.verify() is made


@pytest.mark.parametrize(
    "make",
    [
        softmax_theory.ratio,
        softmax_theory.jacobian_entry,
        softmax_theory.jacobian_rows,
        softmax_theory.frobenius_square,
        softmax_theory.uniform_norm,
        score_gradients.beta_gradient,
        jacobian_bounds.trace_bound,
        jacobian_bounds.half_bound,
    ],
    ids=lambda f: f.__name__,
)
def test_another_last_line_is_refused(make):
    breaks(make())


@pytest.mark.parametrize("n", [2, 4])
@pytest.mark.parametrize(
    "make",
    [
        softmax_theory.weights_add_up,
        softmax_theory.shift,
        softmax_theory.jacobian_of,
        softmax_theory.jacobian_rows,
        softmax_theory.quadratic_form,
        softmax_theory.jacobian_trace,
        softmax_theory.frobenius_square,
        score_gradients.raw_scores_gradient,
        score_gradients.beta_gradient,
        jacobian_bounds.frobenius_below_trace,
        jacobian_bounds.spectral_bound,
    ],
    ids=lambda f: f.__name__,
)
def test_other_numbers_of_positions(make, n):
    assert make(n).verify()


@pytest.mark.parametrize("n", [1, 0, 2.0, True])
def test_too_few_positions_are_named(n):
    with pytest.raises(ValueError, match="n: expected a whole number of positions, at least 2, got"):
        softmax_theory.jacobian_of(n)


@given(ROWS)
def test_formulas_of_the_jacobian_hold_for_random_rows(z):
    p = softmax(z)
    j = softmax_jacobian(p)
    # All sides are sums of at most 49 products below 1, so 1e-13 is a few hundred roundings.
    assert math.isclose(np.trace(j), 1 - (p**2).sum(), abs_tol=1e-13)
    frobenius = (p**2).sum() - 2 * (p**3).sum() + (p**2).sum() ** 2
    assert math.isclose((j**2).sum(), frobenius, abs_tol=1e-13)
    assert np.allclose(j.sum(axis=1), 0, atol=1e-13)


@given(ROWS)
def test_bounds_hold_for_random_rows(z):
    p = softmax(z)
    j, missing = softmax_jacobian(p), np.sort(p)[:-1].sum()
    gap = np.diff(np.sort(z)[-2:])[0]
    room = 1 + 1e-12  # roundings of the two sides
    assert missing <= (len(z) - 1) * math.exp(-gap) * room
    assert np.linalg.norm(j) <= np.trace(j) * room <= (2 * missing - missing**2) * room**2
    largest = np.linalg.eigvalsh(j)[-1]
    assert largest <= 2 * (p * (1 - p)).max() * room + 1e-15 and largest <= 0.5 * room


def test_norms_of_theory():
    # theory.md 3.4, by hand: 2p(1 − p) with p = 1/(1 + e^−4); √(n − 1)/n for equal weights
    assert f"{np.linalg.norm(softmax_jacobian(softmax(np.array([4.0, 0.0])))) / 2:.6f}" == "0.017663"
    for n in (2, 7, 11):
        norm = np.linalg.norm(softmax_jacobian(np.full(n, 1 / n)))
        formula = softmax_theory.uniform_norm().result.subs(softmax_theory.N, n)
        assert math.isclose(norm, formula, rel_tol=1e-14) and math.isclose(norm, math.sqrt(n - 1) / n, rel_tol=1e-14)


def test_gradient_in_the_raw_scores_against_differences():
    s, g, c = np.array([0.3, -1.1, 2.0]), np.array([1.0, -2.0, 0.5]), 1.7
    proved_ = score_gradients.raw_scores_gradient().result
    p = softmax(s / c)
    values = {score_gradients.C: c}
    for i in range(3):
        values |= {sympy.Symbol(f"p_{i + 1}", positive=True): p[i], sympy.Symbol(f"g_{i + 1}", real=True): g[i]}
    formula = np.array(proved_.subs(values), dtype=float).ravel()
    h = 1e-6
    for i in range(3):
        step = h * np.eye(3)[i]
        difference = (softmax((s + step) / c) - softmax((s - step) / c)) @ g / (2 * h)
        # Central differences: h² times third derivatives of about 1, and ε/h = 2e−10 of rounding
        assert math.isclose(formula[i], difference, abs_tol=1e-9)


def test_two_positions_nearly_meet_the_bound():
    e = sympy.Rational(1, 7)
    j = sympy.Matrix([[1, -1], [-1, 1]]) * e * (1 - e)
    assert 2 * e - e**2 - j.norm() == e**2
