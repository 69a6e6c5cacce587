"""The gradients of one lookup: proofs, and the same statements for random Keys and for the lesson in floats."""

import numpy as np
import pytest
import sympy

from interview_book.attention import attend, attend_gradients, lesson_steps, softmax
from interview_book.checks import lookup_gradients as lookup
from interview_book.checks.derivations import DerivationError
from tests.checks.proving import breaks, proved

EVERY = pytest.mark.parametrize("result", proved("lookup_gradients"))


@EVERY
def test_every_result_is_proved(result):
    made = result.make()
    assert made.verify() is made


@EVERY
def test_another_last_line_is_refused(result):
    breaks(result.make())


@pytest.mark.parametrize("n", [2, 5])
def test_pairs_for_other_numbers_of_keys(n):
    assert lookup.pull_of_pairs(n).verify()


def test_results_are_those_of_the_lesson():
    p, v, o = lookup.WEIGHT, lookup.VALUE, lookup.OUTPUT
    assert lookup.output_by_score().result == p * (v - o)
    assert lookup.output_by_raw_score().result == lookup.BETA * p * (v - o)
    assert lookup.output_by_value().result == p
    assert (lookup.hard_by_score().result, lookup.hard_by_value().result) == (0, 1)


def test_the_limit_of_the_scores_is_that_of_two_weights():
    """The line that is taken as given says β p_1 p_2 (v_1 − v_2) with ``p = softmax(β [D, 0])``."""
    given = lookup.hard_by_score().steps[0].expression
    pair = next(one for one in given.args if isinstance(one, sympy.Limit)).args[0]
    p = [sympy.exp(lookup.BETA * s) for s in (lookup.GAP, 0)]
    assert sympy.simplify(pair - lookup.BETA * p[0] * p[1] / (p[0] + p[1]) ** 2) == 0


def test_without_a_lead_the_gradient_does_not_vanish():
    """A tie is what «unique maximum» keeps out: with D = 0 the pair stays at β/4, so that the proof must break."""
    tied = lookup.hard_by_score().steps[0].expression.subs(lookup.GAP, 0)
    with pytest.raises(DerivationError):
        chain = lookup.hard_by_score()
        type(chain)(chain.left, (type(chain.steps[0])(tied, "given", "tied"), chain.steps[1])).verify()


@pytest.mark.parametrize(("n", "d_v", "beta"), [(5, 3, 1.0), (7, 2, 0.37)])
def test_formulas_against_central_differences(n, d_v, beta):
    rng = np.random.Generator(np.random.PCG64(41))
    s, v = rng.standard_normal(n), rng.standard_normal((n, d_v))
    p = softmax(beta * s)
    o, h = p @ v, 1e-6
    for j in range(n):
        step = h * np.eye(n)[j]
        by_score = (softmax(beta * (s + step)) @ v - softmax(beta * (s - step)) @ v) / (2 * h)
        # Central differences: h² times third derivatives of about 1, and ε/h = 2e−10 of rounding
        assert np.allclose(by_score, beta * p[j] * (v[j] - o), rtol=0, atol=1e-9)
        by_value = (p @ (v + step[:, np.newaxis]) - p @ (v - step[:, np.newaxis])) / (2 * h)
        assert np.allclose(by_value, p[j], rtol=0, atol=1e-9)


def test_the_lesson_pulls_towards_river_and_away_from_the_rest():
    """By hand from lesson.md: p (v − o) in the first feature, o = 1.4337; the four pulls add up to 0."""
    one = lesson_steps("river")
    o = one.output[3, 0]
    pull = one.A[3] * (one.V[:, 0].astype(float) - o)
    assert [f"{x:.4f}" for x in pull] == ["-0.1343", "-0.0985", "0.3881", "-0.1553"]
    assert abs(pull.sum()) < 1e-15  # four numbers below 1, so that 1e−15 is a few roundings
    first = np.zeros((4, 4))
    first[3, 0] = 1  # the loss is the first feature of bank's output
    back = attend_gradients(*(getattr(one, name).astype(float) for name in "QKV"), first)
    # beta = 1/2; sums of four products below 2, so that 1e−15 is a few roundings
    assert np.allclose(back.q[3], pull @ one.K.astype(float) / 2, rtol=0, atol=1e-15)
    assert np.allclose(back.v[:, 0], one.A[3], rtol=0, atol=1e-15)


def test_an_argmax_does_not_move_until_its_lead_is_gone():
    """Exactly: 2.3 − 0.69 = 1.61 of lead, so a step of 1.6 changes nothing and one of 1.62 everything."""
    one = lesson_steps("river")
    z, v = one.Z[3].astype(float), one.V.astype(float)

    def hard(scores):
        return v[scores.argmax()]

    for j in range(4):
        for step in (1e-6, 1.6):
            moved = z + step * np.eye(4)[j] * (1 if j != 2 else -1)
            assert np.array_equal(hard(moved), hard(z))
    assert not np.array_equal(hard(z + 1.62 * np.eye(4)[3]), hard(z))


def test_gradients_in_the_projections_against_central_differences():
    """dL/dW_Q = Xᵀ dL/dQ and so on: what the chapter's training steps use."""
    rng = np.random.Generator(np.random.PCG64(43))
    x, w = rng.standard_normal((5, 3)), rng.standard_normal((3, 3, 2))
    target = rng.standard_normal((5, 2))

    def loss(matrices):
        return ((attend(*(x @ matrices)) - target) ** 2).sum() / 2

    back = attend_gradients(*(x @ w), attend(*(x @ w)) - target)
    found = x.T @ np.stack([back.q, back.k, back.v])
    assert np.all(np.linalg.norm(found, axis=(1, 2)) > 0.01)
    for index in np.ndindex(w.shape):
        step = np.zeros_like(w)
        step[index] = 1e-6
        # h² times third derivatives of a few, and ε/h = 2e−10 times a loss of about 5
        assert abs((loss(w + step) - loss(w - step)) / 2e-6 - found[index]) < 1e-8
