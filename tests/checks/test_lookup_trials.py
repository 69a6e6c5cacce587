"""The small experiments: models whose answer is known by hand, so that a trial which sees nothing is found out."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from interview_book.checks.lookup_trials import (
    agree,
    break_even_length,
    cache_gap,
    equivariance_gap,
    max_gap,
    moved,
    numerical_gradient,
    prefix_gap,
    refuses,
    stage_multiplications,
    token_influence,
    train_projections,
)


def generator(seed):
    return np.random.Generator(np.random.PCG64(seed))


def running_sum(x):
    return np.cumsum(x, axis=0)


def weighted_sum(x):
    """Each token the sum of itself and of the tokens before it, each times its place from 1 on."""
    return np.cumsum(np.arange(1, len(x) + 1)[:, None] * x, axis=0)


COLUMN = np.array([[2.0], [3.0], [7.0]])


def test_the_gap_is_the_largest_difference_of_either_sign():
    assert max_gap([1, 5, 2], [2, 3, 2]) == 2.0
    assert max_gap([[Fraction(1, 2)]], [[0.75]]) == 0.25
    assert np.isnan(max_gap([1.0, np.nan], [1.0, 2.0]))


def test_agreement_is_strict_and_never_holds_for_nan():
    assert agree([1.0, 2.0], [1.0, 2.25], 0.5) and not agree([1.0, 2.0], [1.0, 2.5], 0.5)
    assert not agree([np.nan], [np.nan])
    assert agree([1.0], [1.0 + 1e-13]) and not agree([1.0], [1.0 + 1e-11])


def test_the_gap_does_not_broadcast():
    for a, b in (([[1.0], [1.0]], [1.0, 1.0]), ([], [])):
        with pytest.raises(ValueError, match="a and b: expected two arrays of one shape with entries, got"):
            max_gap(a, b)


def test_moved_names_places_along_the_axis():
    old = np.zeros((3, 5))
    new = old.copy()
    new[2, 1], new[2, 4], new[0, 3] = 1e-11, -1, 1e-13  # the last is below the tolerance
    assert moved(new, old, axis=0).tolist() == [2]
    assert moved(new, old, axis=1).tolist() == [1, 4]
    assert moved(new, old, axis=-1, tolerance=1e-14).tolist() == [1, 3, 4]
    new[1, 0] = np.nan
    assert moved(new, old, axis=0).tolist() == [1, 2]
    with pytest.raises(ValueError, match=r"new and old: expected one shape, got \(3, 5\) and \(5,\)"):
        moved(new, old[0], axis=0)


def test_refusing_is_a_value_error_and_nothing_else():
    assert refuses(int, "seven") and not refuses(int, "7")
    with pytest.raises(TypeError):
        refuses(int, [])


def test_what_treats_every_token_alike_is_equivariant():
    x = generator(2).standard_normal((5, 3))
    for model in (np.tanh, lambda x: x - x.mean(axis=0), lambda x: np.sort(x, axis=1)):
        assert equivariance_gap(model, x) < 1e-14  # a mean of five numbers, added in another order


def test_the_gap_of_a_running_sum_by_hand():
    """Sums 2, 5, 12. In the order 7, 3, 2 they are 7, 10, 12, where 12, 5, 2 would have moved along: 10 for the 2."""
    assert equivariance_gap(running_sum, COLUMN, [[2, 1, 0]]) == 10.0
    assert equivariance_gap(running_sum, COLUMN, [(0, 1, 2)]) == 0.0
    # Most for a token that had nothing before it and then has both others: 3 + 7.
    assert equivariance_gap(running_sum, COLUMN) == 10.0
    assert equivariance_gap(running_sum, COLUMN, iter(permutations(range(3)))) == 10.0
    assert equivariance_gap(running_sum, COLUMN, [np.array([1, 0, 2])]) == 3.0


def test_invariance_is_not_equivariance():
    """The sorted tokens stay where they are: 2, 3, 7 against 7, 3, 2."""
    assert equivariance_gap(lambda x: np.sort(x, axis=0), COLUMN, [[2, 1, 0]]) == 5.0


def test_orders_that_are_none_are_refused():
    for order in ([0, 1, 1], [0, 1], [1, 2, 3]):
        with pytest.raises(ValueError, match="orders: expected each of 0 to 2 once, got"):
            equivariance_gap(running_sum, COLUMN, [order])
    with pytest.raises(ValueError, match="orders: expected at least one, got none"):
        equivariance_gap(running_sum, COLUMN, [])
    with pytest.raises(ValueError, match="tokens: expected at most 8 for all orders, got 9; try some"):
        equivariance_gap(running_sum, np.ones((9, 1)))
    with pytest.raises(ValueError, match=r"model: expected one output for each of 3 tokens, got shape \(1,\)"):
        equivariance_gap(lambda x: x.sum(axis=0), COLUMN)


def test_the_last_output_may_or_may_not_know_the_order_before_it():
    assert prefix_gap(running_sum, COLUMN) == 0.0
    # 1·2 + 2·3 = 8 and 1·3 + 2·2 = 7, and the last token adds 21 to both.
    assert prefix_gap(weighted_sum, COLUMN) == 1.0
    assert prefix_gap(lambda x: x[::-1], COLUMN) == 1.0  # the last output is 2 or 3
    with pytest.raises(ValueError, match="tokens: expected at least 2, got 1"):
        prefix_gap(running_sum, COLUMN[:1])


def test_the_last_token_stays_last():
    seen = []
    prefix_gap(lambda x: seen.append(x[:, 0].tolist()) or x, np.array([[2.0], [3.0], [5.0], [7.0]]))
    assert sorted(seen) == sorted([*map(float, order), 7.0] for order in permutations((2, 3, 5)))


def test_a_cache_holds_if_nothing_looks_ahead():
    assert cache_gap(running_sum, COLUMN) == 0.0
    # The mean of 2 and 3 is 2.5, that of all three 4.
    assert cache_gap(lambda x: x - x.mean(axis=0), COLUMN) == 1.5
    with pytest.raises(ValueError, match="tokens: expected at least 2, got 1"):
        cache_gap(running_sum, COLUMN[:1])


def test_influence_is_the_absolute_matrix_of_a_linear_model():
    """O = M X: adding c to token j moves output i by c M_ij in every feature."""
    m = generator(11).standard_normal((5, 5))
    x = generator(13).standard_normal((5, 3))
    np.testing.assert_allclose(token_influence(lambda x: m @ x, x, change=-2), 2 * np.abs(m), rtol=0, atol=1e-13)
    # One feature of the output moves by 3, the other by 1: the larger counts.
    assert token_influence(lambda x: x * [1.0, 3.0], np.zeros((2, 2))).tolist() == [[3, 0], [0, 3]]
    assert token_influence(lambda x: x[:, 0], np.zeros((2, 2))).tolist() == [[1, 0], [0, 1]]


def test_numerical_gradients_of_known_functions():
    a = generator(3).standard_normal((5, 5))
    x = generator(5).standard_normal(5)
    # Exact for a quadratic; what is left is rounding, 1e−16/1e−5.
    np.testing.assert_allclose(numerical_gradient(lambda x: x @ a @ x, x), (a + a.T) @ x, rtol=0, atol=1e-9)
    np.testing.assert_allclose(numerical_gradient(np.sin, np.array(0.5)), np.cos(0.5), rtol=0, atol=1e-10)
    np.testing.assert_allclose(numerical_gradient(lambda x: a @ x, x), a.T, rtol=0, atol=1e-9)
    # x³ at 1 with h = 1: (8 − 0)/2.
    assert numerical_gradient(lambda x: x**3, np.array([1.0]), step=1).tolist() == [[4.0]]


def test_a_numerical_gradient_has_the_axes_of_the_argument_first():
    x = np.arange(6).reshape(2, 3)
    found = numerical_gradient(lambda x: x.sum(axis=0), x)
    expected = np.broadcast_to(np.eye(3), (2, 3, 3))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]
    with pytest.raises(ValueError, match="step: expected a finite number above 0, got 0"):
        numerical_gradient(np.sum, x, step=0)


def loss(x, target, w):
    """Half the sum of squares, with einsum and exponentials only."""
    q, k, v = np.einsum("nm,amd->and", x, w)
    powers = np.exp(np.einsum("id,jd->ij", q, k) / w.shape[2] ** 0.5)
    outputs = np.einsum("ij,jd->id", powers / powers.sum(axis=1, keepdims=True), v)
    return ((outputs - target) ** 2).sum() / 2


def lesson_to_learn():
    rng = generator(17)
    return rng.standard_normal((5, 3)), rng.standard_normal((5, 2)), rng.standard_normal((3, 7, 3, 2)) / 2


@pytest.mark.parametrize("kept", [False, True])
def test_training_is_gradient_descent_on_half_the_squares(kept):
    """Three steps with gradients by differences of a loss that is written here."""
    x, target, start = lesson_to_learn()
    w_v = generator(19).standard_normal((3, 2)) if kept else None
    fit = train_projections(x, target, start, w_v, steps=3, rate=0.1)
    assert fit.w.shape == start.shape and fit.errors.shape == (4, 7)
    for run in range(7):
        w = start[:, run].copy()
        if kept:
            w[2] = w_v
        for step in range(4):
            assert fit.errors[step, run] == pytest.approx(loss(x, target, w), rel=1e-8)
            if step < 3:
                slope = numerical_gradient(lambda w: loss(x, target, w), w)
                w[: 2 if kept else 3] -= 0.1 * slope[: 2 if kept else 3]
        # Central differences err by about h² = 1e−10.
        np.testing.assert_allclose(fit.w[:, run], w, rtol=0, atol=1e-8)


def test_training_leaves_the_start_and_the_kept_values_as_they_are():
    x, target, start = lesson_to_learn()
    before, w_v = start.copy(), np.ones((3, 2))
    fit = train_projections(x, target, start, w_v, steps=2)
    assert (start == before).all()
    assert (fit.w[2] == 1).all() and (w_v == 1).all()
    assert (fit.w[:2] != start[:2]).all()


def test_one_run_needs_no_batch_axis():
    x, target, start = lesson_to_learn()
    fit, many = train_projections(x, target, start[:, 3], steps=5), train_projections(x, target, start, steps=5)
    assert fit.errors.shape == (6,)
    np.testing.assert_allclose(fit.w, many.w[:, 3], rtol=0, atol=1e-14)


def test_the_default_rate_is_a_fifth():
    x, target, start = lesson_to_learn()
    found = train_projections(x, target, start, steps=2).w
    assert (found == train_projections(x, target, start, steps=2, rate=0.2).w).all()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"w": np.ones((2, 3, 2))}, r"w: expected \(3, \.\.\., 3, d\) for x \(5, 3\), got \(2, 3, 2\)"),
        ({"w": np.ones((3, 2, 2))}, r"w: expected \(3, \.\.\., 3, d\) for x \(5, 3\), got \(3, 2, 2\)"),
        ({"target": np.ones((5, 3))}, r"target: expected one output for each token, \(5, 2\), got \(5, 3\)"),
        ({"steps": 0}, "steps: expected at least 1, got 0"),
        ({"rate": 0.0}, "rate: expected a finite number above 0, got 0.0"),
    ],
)
def test_training_says_what_does_not_fit(changes, says):
    x, target, start = lesson_to_learn()
    with pytest.raises(ValueError, match=says):
        train_projections(**{"x": x, "target": target, "w": start, "steps": 1} | changes)


@pytest.mark.parametrize("sizes", [(13, 11, 7, 5), (2, 3, 5, 7), (1, 2, 1, 3)])
def test_stages_cost_what_the_formulas_say(sizes):
    n, d_model, d_k, d_v = sizes
    assert stage_multiplications(n, d_model, d_k, d_v) == {
        "projections": n * d_model * (2 * d_k + d_v),
        "scores": n * n * d_k,
        "blocks": n * n * d_k,
        "mix": n * n * d_v,
        "output": n * d_v * d_model,
        "linear": 2 * n * d_k * d_v,
    }


@pytest.mark.parametrize("block", [1, 4, 7, 13, 17])
def test_blocks_save_no_multiplication(block):
    assert stage_multiplications(13, 2, 3, 5, block=block)["blocks"] == 13 * 13 * 3


def test_sizes_below_one_are_refused():
    for name, place in {"n": 0, "d_model": 1, "d_k": 2, "d_v": 3}.items():
        sizes = [2, 3, 5, 7]
        sizes[place] = 0
        with pytest.raises(ValueError, match=f"{name}: expected at least 1, got 0"):
            stage_multiplications(*sizes)
    with pytest.raises(ValueError, match="block: expected at least 1, got 0"):
        stage_multiplications(2, 3, 5, 7, block=0)


@pytest.mark.parametrize(("d_model", "d"), [(2, 1), (4, 3), (8, 3)])
def test_the_pairs_catch_up_at_three_halves_and_at_twice_the_width(d_model, d):
    """n² · 2d = n d_model · 3d, and n² · 2d = n d_model · 4d with the output projection."""
    assert break_even_length(d_model, d) == 3 * d_model // 2
    assert break_even_length(d_model, d, output=True) == 2 * d_model


def test_an_odd_width_has_no_number_of_tokens_between():
    with pytest.raises(ValueError, match="overtake between 7 and 8 tokens; try an even d_model"):
        break_even_length(5, 2)
    assert break_even_length(5, 2, output=True) == 10
