"""Cosines of random directions: proofs, and the law by independent integration and by drawing directions."""

import math
from statistics import NormalDist

import mpmath
import numpy as np
import pytest
import sympy

from interview_book.checks import cosine_law
from tests.checks.proving import breaks, proved


@pytest.mark.parametrize("result", proved("cosine_law"))
def test_every_result_is_proved(result):
    made = result.make()
    assert made.verify() is made


@pytest.mark.parametrize(
    "make",
    [cosine_law.component_square, cosine_law.cosine_variance, cosine_law.beta_variance, cosine_law.gained_variance],
    ids=lambda f: f.__name__,
)
def test_another_last_line_is_refused(make):
    breaks(make())


def on_the_sphere(f, d):
    """Return the mean of f(cos) for a uniform direction, from the area of a sphere's caps: sin^(d−2) of the angle."""
    area = mpmath.quad(lambda angle: mpmath.sin(angle) ** (d - 2), [0, mpmath.pi / 2, mpmath.pi])
    total = mpmath.quad(
        lambda angle: f(mpmath.cos(angle)) * mpmath.sin(angle) ** (d - 2), [0, mpmath.pi / 2, mpmath.pi]
    )
    return float(total / area)


@pytest.mark.parametrize("d", [2, 3, 5, 11])
def test_moments_by_the_area_of_caps(d):
    assert math.isclose(on_the_sphere(lambda t: t**2, d), 1 / d, rel_tol=1e-12)
    fourth = cosine_law.cosine_fourth_moment().result.subs(cosine_law.DIM, d)
    assert math.isclose(on_the_sphere(lambda t: t**4, d), fourth, rel_tol=1e-12)


@pytest.mark.parametrize("d", [2, 3, 5, 11])
def test_density_by_the_area_of_caps(d):
    density = sympy.lambdify(
        cosine_law.T, cosine_law.density_of_square().result.subs(cosine_law.HALF, sympy.Rational(d - 1, 2)), "mpmath"
    )
    # from cos = 0.2 to 0.7, both ways
    by_density = float(mpmath.quad(density, [mpmath.mpf("0.2"), mpmath.mpf("0.7")]))
    low, high = mpmath.acos(mpmath.mpf("0.7")), mpmath.acos(mpmath.mpf("0.2"))
    caps = mpmath.quad(lambda a: mpmath.sin(a) ** (d - 2), [low, high]) / mpmath.quad(
        lambda a: mpmath.sin(a) ** (d - 2), [0, mpmath.pi / 2, mpmath.pi]
    )
    assert math.isclose(by_density, float(caps), rel_tol=1e-12)
    if d == 3:  # Archimedes: the cosine is uniform
        assert math.isclose(by_density, 0.25, rel_tol=1e-12)


def test_the_beta_law_of_three_dimensions_is_uniform():
    assert cosine_law.beta_law().result.subs(cosine_law.HALF, 1) == 1


def test_order_of_the_example():
    q, first, second = np.array([1.0, 0]), np.array([3.0, 4]), np.array([2.0, 0])
    assert q @ first > q @ second
    assert q @ first / np.linalg.norm(first) < q @ second / np.linalg.norm(second)


@pytest.mark.montecarlo(false_alarm=1e-6)
@pytest.mark.parametrize("d", [2, 7])
def test_variance_of_drawn_directions(rng, false_alarm, d):
    """One direction uniform, the other fixed: the mean of cos² is 1/d, with variance 3/(d(d + 2)) − 1/d² per draw."""
    n = 20_011
    u = rng.standard_normal((n, d))
    v = np.arange(1.0, d + 1)
    cosine = u @ v / np.linalg.norm(u, axis=1) / np.linalg.norm(v)
    z = ((cosine**2).mean() - 1 / d) / math.sqrt((3 / (d * (d + 2)) - 1 / d**2) / n)
    assert abs(z) <= NormalDist().inv_cdf(1 - false_alarm / 2)
