"""The exact law of the gap for d_k = 4, by independent integration."""

import math

import mpmath
import numpy as np
import pytest
import sympy

from interview_book.checks import crossover, gap_tail, gaps, normal_tail


def bessel_density(s):
    """Density of q·k for d_k = 4 from the Bessel function: |s|^(3/2) K_{3/2}(|s|) / (√π 2^(3/2) Γ(2))."""
    s = abs(s)
    return s**1.5 * mpmath.besselk(1.5, s) / (mpmath.sqrt(mpmath.pi) * 2**1.5 * mpmath.gamma(2))


@pytest.mark.parametrize("s", [0.125, 1.0, 3.0, -5.0])
def test_density_equals_the_bessel_form(s):
    assert math.isclose(gaps.density(s), float(bessel_density(s)), rel_tol=1e-13)


@pytest.mark.parametrize("x", [0.0, 1.0, 4.0, 11.0])
def test_tail_equals_a_numerical_integral(x):
    integral = 2 * mpmath.quad(bessel_density, [x / mpmath.sqrt(2) + mpmath.mpf("1e-30"), 10, mpmath.inf])
    assert math.isclose(gap_tail(x), float(integral), rel_tol=1e-10)


def test_numbers_of_the_book():
    assert math.isclose(gap_tail(4), (1 + math.sqrt(2)) * math.exp(-2 * math.sqrt(2)), rel_tol=1e-15)
    assert f"{gap_tail(4):.4f}" == "0.1427" and f"{normal_tail(4):.4f}" == "0.1573"
    assert f"{1 - gap_tail(crossover()):.4f}" == "0.6098"


def test_function_is_the_proved_formula():
    formula = gaps.gap_tail_derivation().verify().result
    for x in (0.5, 2.0, 4.0):
        assert math.isclose(gap_tail(x), float(formula.subs(gaps.X, sympy.Float(x, 30))), rel_tol=1e-14)
    assert gap_tail(0) == 1


def test_variance_of_the_density_is_that_of_the_gap():
    s = sympy.Symbol("s", positive=True)
    variance = 2 * sympy.integrate(s**2 * (1 + s) * sympy.exp(-s) / 4, (s, 0, sympy.oo))
    assert 2 * variance == gaps.VARIANCE == 8
    assert 2 * sympy.integrate((1 + s) * sympy.exp(-s) / 4, (s, 0, sympy.oo)) == 1


def test_arrays_keep_their_shape():
    x = np.array([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])
    for tail in (gap_tail, normal_tail):
        assert tail(x).shape == (2, 3) and (np.diff(tail(x).ravel()) < 0).all()
        assert tail(x)[1, 1] == tail(4.0)


@pytest.mark.parametrize("x", [-1.0, math.nan, np.array([1.0, -1.0])])
def test_bad_gaps_are_named(x):
    for tail in (gap_tail, normal_tail):
        with pytest.raises(ValueError, match="x: expected the size of a gap"):
            tail(x)
    with pytest.raises(ValueError, match="sd: expected a finite number above 0"):
        normal_tail(1, 0)
