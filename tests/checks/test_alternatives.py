"""Other scales: proofs, and the numbers of the theory by independent means."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from interview_book.attention import softmax
from interview_book.checks import alternatives, context_length
from tests.checks.proving import breaks, proved

ROWS = arrays.arrays(float, st.integers(2, 7), elements=st.floats(-5, 5))


@pytest.mark.parametrize("result", proved("alternatives", "context_length"))
def test_every_result_is_proved(result):
    made = result.make()
    assert made.verify() is made


@pytest.mark.parametrize(
    "make",
    [
        alternatives.absorbed_gradient,
        alternatives.double_scaling,
        alternatives.softcap_small,
        context_length.lead_needed,
        context_length.cauchy_schwarz,
    ],
    ids=lambda f: f.__name__,
)
def test_another_last_line_is_refused(make):
    breaks(make())


@given(ROWS, st.floats(0.5, 8), st.floats(0.5, 8))
def test_another_divisor_is_a_power_of_the_weights(s, old, new):
    power = softmax(s / old) ** (old / new)
    # The logarithm of a weight above e^−20 keeps 20 ε, and the power is at most 16
    assert np.allclose(power / power.sum(), softmax(s / new), rtol=1e-12, atol=0)
    assert np.allclose(softmax(s * (new / old) / new), softmax(s / old), rtol=1e-14, atol=0)


@given(st.floats(-60, 60), st.floats(0.5, 50))
def test_soft_cap_in_floats(z, cap):
    capped = cap * math.tanh(z / cap)
    assert abs(capped) <= cap and abs(capped) <= abs(z) and capped * z >= 0
    if abs(z) < cap / 4:
        # The next term is 17 z⁷/(315 c⁶)
        series = z - z**3 / (3 * cap**2) + 2 * z**5 / (15 * cap**4)
        assert abs(capped - series) <= 17 / 315 * abs(z) ** 7 / cap**6 + 1e-15 * abs(z)


def test_absorbed_scale_by_a_gradient_step():
    # L = (β w − 1)² at w = 3, β = 1/2, against w' = 2 w, β' = β/2; a step of 1/100: by hand
    def step(w, beta):
        return 0.01 * 2 * beta * (beta * w - 1)

    assert step(3, 0.5) == 0.005 and step(6, 0.25) == 0.0025  # the gradient is a = 2 times smaller
    assert math.isclose((step(3, 0.5) / 3) / (step(6, 0.25) / 6), 4, rel_tol=1e-15)  # beside its weight a² times


def test_numbers_of_theory():
    # theory.md 3.8
    assert f"{context_length.largest_weight(1, 1024):.5f}" == "0.00717"
    assert f"{context_length.lead_for(0.9, 1024) / 2:.3f}" == "4.564"
    assert [f"{context_length.weight_at(4, n):.1g}" for n in (256, 4096, 65536)] == ["0.2", "0.01", "0.0008"]
    assert [round(context_length.weight_at(4, n), 3) for n in (16, 256, 4096)] == [0.784, 0.176, 0.013]


@given(st.floats(0.01, 0.99), st.integers(2, 10**6))
def test_lead_and_weight_are_inverse(weight, n):
    assert math.isclose(context_length.weight_at(context_length.lead_for(weight, n), n), weight, rel_tol=1e-12)


@given(ROWS)
def test_no_weight_is_above_the_cap(z):
    bound = np.abs(z).max()
    assert softmax(z).max() <= context_length.largest_weight(bound, len(z)) * (1 + 1e-14)
    # and it is met by one leader over equal others
    extreme = np.full(len(z), -bound)
    extreme[0] = bound
    assert math.isclose(softmax(extreme)[0], context_length.largest_weight(bound, len(z)), rel_tol=1e-13)


def test_softmax_of_equal_competitors_is_the_law():
    for lead, n in ((4.0, 17), (-3.0, 5), (0.0, 7)):
        row = np.zeros(n)
        row[3] = lead
        assert math.isclose(context_length.weight_at(lead, n), softmax(row)[3], rel_tol=1e-14)


def test_the_spectral_norm_bounds_the_scores():
    rng = np.random.Generator(np.random.PCG64(7))
    w_q, w_k, x = rng.standard_normal((5, 3)), rng.standard_normal((5, 3)), rng.standard_normal((11, 5))
    scores = x @ w_q @ w_k.T @ x.T
    lengths = np.linalg.norm(x, axis=1)
    spectral = np.linalg.norm(w_q @ w_k.T, 2)
    assert (np.abs(scores) <= spectral * np.outer(lengths, lengths) * (1 + 1e-13)).all()
    # met by the leading singular vectors
    u, singular, v = np.linalg.svd(w_q @ w_k.T)
    assert math.isclose(u[:, 0] @ (w_q @ w_k.T) @ v[0], singular[0], rel_tol=1e-13)


def test_capping_at_higher_dimension():
    assert context_length.cauchy_schwarz(5).verify() and alternatives.checkpoint_factor(2).verify()


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: context_length.largest_weight(-1, 5), "bound: expected a finite number, at least 0, got -1"),
        (lambda: context_length.largest_weight(1, 0), "n: expected at least one Key, got 0"),
        (lambda: context_length.lead_for(1, 5), "weight: expected a number strictly between 0 and 1, got 1"),
        (lambda: context_length.lead_for(0.5, 1), "n: expected at least two Keys, got 1"),
        (lambda: context_length.weight_at(math.nan, 5), "lead: expected a finite number, got nan"),
        (lambda: context_length.weight_at(1, 0), "n: expected at least one Key, got 0"),
    ],
)
def test_bad_arguments_are_named(call, says):
    with pytest.raises(ValueError, match=says):
        call()
