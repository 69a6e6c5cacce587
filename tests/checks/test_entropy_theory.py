"""Entropy: proofs, and the same statements for random rows in floats."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from interview_book.attention import softmax
from interview_book.checks import entropy_theory
from tests.checks.proving import breaks, proved

ROWS = arrays.arrays(float, st.integers(2, 7), elements=st.floats(-3, 3))


@pytest.mark.parametrize("result", proved("entropy_theory"))
def test_every_result_is_proved(result):
    made = result.make()
    assert made.verify() is made


@pytest.mark.parametrize(
    "make",
    [
        entropy_theory.uniform_entropy,
        entropy_theory.mean_score,
        entropy_theory.entropy_slope,
        entropy_theory.variance_of_scores,
    ],
    ids=lambda f: f.__name__,
)
def test_another_last_line_is_refused(make):
    breaks(make())


@pytest.mark.parametrize("make", [entropy_theory.entropy_form, entropy_theory.entropy_falls, entropy_theory.divergence])
def test_two_positions(make):
    assert make(2).verify()


def naive_entropy(p):
    return -(p * np.log(p)).sum()


@given(ROWS)
def test_the_form_without_logarithms_of_weights(z):
    p = softmax(z)
    assert math.isclose(naive_entropy(p), np.log(np.exp(z).sum()) - p @ z, abs_tol=1e-13)
    # log n − H is the divergence from equal weights, and not negative
    assert math.isclose(math.log(len(z)) - naive_entropy(p), (p * np.log(len(z) * p)).sum(), abs_tol=1e-13)
    assert naive_entropy(p) <= math.log(len(z)) + 1e-14


@given(ROWS, st.floats(0.25, 2))
def test_slope_of_the_entropy_against_differences(s, beta):
    p, h = softmax(beta * s), 1e-5
    slope = -beta * (p @ s**2 - (p @ s) ** 2)
    difference = (naive_entropy(softmax((beta + h) * s)) - naive_entropy(softmax((beta - h) * s))) / (2 * h)
    # h²/6 times a third derivative below 6³ · 10, and ε log 7/h = 4e−11
    assert math.isclose(slope, difference, abs_tol=1e-7)


def test_uniform_rows():
    assert float(entropy_theory.uniform_entropy().result.subs(entropy_theory.N, 11)) == math.log(11)
    assert math.isclose(naive_entropy(np.full(11, 1 / 11)), math.log(11), rel_tol=1e-15)


def test_the_integrals_of_the_divergence_are_its_terms():
    for y in (0.5, 2.0):
        x, t = math.exp(y), np.linspace(0, y, 20001)
        for term, integrand in ((x * y - x + 1, t * np.exp(t)), (1 - y / x - 1 / x, t * np.exp(-t))):
            # the trapezoidal rule: (y/20000)² y e² (2 + 2)/12 < 1e-7
            assert math.isclose(term, np.trapezoid(integrand, t), abs_tol=1e-7)
