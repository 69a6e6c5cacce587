"""Limits: proofs, and numbers that move towards them."""

import math

import numpy as np
import pytest
import sympy

from interview_book.attention import softmax, softmax_jacobian
from interview_book.checks import normal_limits, saturation
from tests.checks.proving import breaks, proved


@pytest.mark.parametrize("result", proved("saturation", "normal_limits"))
def test_every_result_is_proved(result):
    made = result.make()
    assert made.verify() is made


@pytest.mark.parametrize(
    "make",
    [
        saturation.leader_row,
        saturation.tie_of_many,
        normal_limits.entropy_deficit,
        normal_limits.best_tilt,
        normal_limits.poisson_squares,
    ],
    ids=lambda f: f.__name__,
)
def test_another_last_line_is_refused(make):
    breaks(make())


@pytest.mark.parametrize("m", [1, 6])
def test_saturation_in_floats(m):
    x = 20.0
    row = np.full(m + 1, -x)
    row[0] = 0
    p = softmax(row)
    j, e = softmax_jacobian(p), math.exp(-x)
    # Each is right up to a relative m e^−20 < 2e−8
    near = dict(rel_tol=1e-7)
    assert math.isclose(p[1:].sum(), m * e, **near) and math.isclose(j[0, 0], m * e, **near)
    assert math.isclose(j[0, 1], -e, **near) and math.isclose(j[1, 1], e, **near)
    if m > 1:
        assert math.isclose(j[1, 2], -(e**2), **near)
    assert math.isclose(-(p * np.log(p)).sum(), m * (x + 1) * e, **near)


def test_a_tie_keeps_its_quarter():
    j = softmax_jacobian(softmax(np.array([800.0, 800.0, 0.0])))
    assert np.array_equal(j, [[0.25, -0.25, 0], [-0.25, 0.25, 0], [0, 0, 0]])
    assert not softmax_jacobian(softmax(np.array([1600.0, 800.0, 0.0]))).any()


def test_more_scale_can_make_an_entry_larger():
    small, large = (softmax_jacobian(softmax(np.array([0.0, 0.0, -x]))) for x in (1.0, 2.0))
    assert abs(large[0, 1]) > abs(small[0, 1])
    assert math.isclose(-large[0, 1], 1 / (2 + math.exp(-2)) ** 2, rel_tol=1e-14)


def test_a_tie_of_many():
    m = 5
    j = softmax_jacobian(softmax(np.array([800.0] * m + [0.0] * 3)))
    assert math.isclose(j[0, 0], saturation.tie_of_many().result.subs(saturation.M, m), rel_tol=1e-14)


def gauss_hermite(f, sigma):
    x, w = np.polynomial.hermite_e.hermegauss(61)
    return (w * f(sigma * x)).sum() / math.sqrt(2 * math.pi)


@pytest.mark.parametrize("sigma", [0.5, 1.0, 1.5])
def test_moments_by_another_quadrature(sigma):
    at = {normal_limits.SIGMA: sigma, normal_limits.K: 2}
    moment = normal_limits.exponential_moment().result.subs(at)
    # 61 nodes are exact to rounding: the next moment left out is (k σ)^122/122!, and the terms reach e^(2 · 1.5 · 15)
    assert math.isclose(gauss_hermite(lambda z: np.exp(2 * z), sigma), moment, rel_tol=1e-11)
    mean = normal_limits.tilted_mean().result.subs(at)
    assert math.isclose(gauss_hermite(lambda z: z * np.exp(2 * z), sigma), mean, rel_tol=1e-11)


def test_half_a_nat_whatever_the_width():
    assert normal_limits.deficit_of_divisor().result == sympy.Rational(1, 2)
    assert normal_limits.deficit_of_dk().result.subs(normal_limits.DK, 64) == sympy.Rational(1, 128)


def test_maximum_of_two():
    # E max = E|z1 − z2|/2, by hand 1/√π
    assert float(normal_limits.maximum_of_two().result) == pytest.approx(1 / math.sqrt(math.pi), rel=1e-15)


def test_mills_ratio_at_a_large_x():
    x = 30.0
    ratio = x * math.exp(x * x / 2) * math.erfc(x / math.sqrt(2)) / 2
    # The next term of the ratio is −1/x²
    assert math.isclose(ratio, float(normal_limits.mills_ratio().result), rel_tol=1.1 / x**2)
    assert ratio < float(normal_limits.mills_ratio().result)
