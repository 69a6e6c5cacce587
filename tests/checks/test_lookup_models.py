"""Self-attention as a layer, against loops and complex numbers, and against what each kind of position must do."""

from fractions import Fraction

import numpy as np
import pytest

from interview_book.attention import lesson_steps
from interview_book.attention.lesson import LESSON_W_K, LESSON_W_Q, LESSON_W_V
from interview_book.checks.lookup_models import POSITIONS, PostNormStack, SelfAttention, rotate, sinusoids

N, D_MODEL, D, D_OUT = 5, 14, 6, 11
LESSON = np.stack([LESSON_W_Q, LESSON_W_K, LESSON_W_V])
# Sums of some ten products of numbers around 1 in float64, in two orders of adding.
CLOSE = {"rtol": 0, "atol": 1e-12}


def generator(seed):
    return np.random.Generator(np.random.PCG64(seed))


def drawn(seed=3):
    rng = generator(seed)
    return rng.standard_normal((N, D_MODEL)), rng.standard_normal((3, D_MODEL, D)) / 3


def by_hand(x, w, score, sees):
    """Attention in loops: ``score(i, j, q, k)`` before the exponential, ``sees(i, j)`` who takes part."""
    q, k, v = (np.array([[np.sum(row * column) for column in one.T] for row in x]) for one in w)
    weights, outputs = np.zeros((len(x), len(x))), np.zeros((len(x), w.shape[2]))
    for i in range(len(x)):
        powers = {j: np.exp(score(i, j, q[i], k[j])) for j in range(len(x)) if sees(i, j)}
        for j, power in powers.items():
            weights[i, j] = power / sum(powers.values())
            outputs[i] += weights[i, j] * v[j]
    return weights, outputs


def dot(i, j, q, k):
    return q @ k / 6**0.5


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("position", [None, "distance"])
def test_one_head_is_the_loop_over_queries_and_keys(position, causal):
    x, w = drawn()
    slope = 1 if position else 0
    weights, outputs = by_hand(
        x, w, lambda i, j, q, k: dot(i, j, q, k) - slope * abs(i - j), lambda i, j: j <= i or not causal
    )
    layer = SelfAttention(w, position=position, causal=causal)
    np.testing.assert_allclose(layer.weights(x), weights, **CLOSE)
    np.testing.assert_allclose(layer(x), outputs, **CLOSE)


def test_sinusoids_are_added_to_the_embeddings():
    x, w = drawn()
    places = np.array(
        [[(np.sin, np.cos)[f % 2](p / 10_000 ** (f // 2 * 2 / D_MODEL)) for f in range(D_MODEL)] for p in range(N)]
    )
    np.testing.assert_allclose(sinusoids(N, D_MODEL), places, **CLOSE)
    outputs = by_hand(x + places, w, dot, lambda i, j: True)[1]
    np.testing.assert_allclose(SelfAttention(w, position="sinusoidal")(x), outputs, **CLOSE)


def test_rotation_is_a_product_of_complex_numbers():
    x = drawn()[0]
    turns = np.exp(1j * np.outer(np.arange(N), [10_000 ** (-2 * i / D_MODEL) for i in range(D_MODEL // 2)]))
    np.testing.assert_allclose(rotate(x), (x.view(complex) * turns).view(float), **CLOSE)
    np.testing.assert_allclose(rotate(np.stack([x, 2 * x])), [rotate(x), 2 * rotate(x)], **CLOSE)


def test_rotated_products_depend_on_the_distance_alone():
    """By hand: turning both by one more place changes no product, turning one of them does."""
    q, k = generator(5).standard_normal((2, D))
    products = rotate(np.tile(q, (7, 1))) @ rotate(np.tile(k, (7, 1))).T
    for offset in range(-6, 7):
        assert np.ptp(np.diagonal(products, offset)) < 1e-12
    assert np.ptp(products[0]) > 0.1
    np.testing.assert_allclose(np.linalg.norm(rotate(np.tile(q, (7, 1))), axis=1), np.linalg.norm(q), **CLOSE)


def test_rotation_turns_queries_and_keys_and_no_values():
    """With features (1, 0) everywhere the angle of places i and j is i − j radians; the Values stay (1, 0)."""
    w = np.stack([np.eye(2)] * 3)
    x = np.tile([1.0, 0.0], (3, 1))
    z = np.array([[np.cos(i - j) for j in range(3)] for i in range(3)]) / 2**0.5
    layer = SelfAttention(w, position="rotary")
    np.testing.assert_allclose(layer.weights(x), np.exp(z) / np.exp(z).sum(axis=1, keepdims=True), **CLOSE)
    np.testing.assert_allclose(layer(x), x, **CLOSE)


def test_the_lesson_comes_out_exactly_as_it_was_computed():
    steps = lesson_steps("river")
    assert isinstance(steps.X[0, 0], Fraction)
    np.testing.assert_allclose(SelfAttention(LESSON).weights(steps.X), steps.A, **CLOSE)
    np.testing.assert_allclose(SelfAttention(LESSON)(steps.X), steps.output, **CLOSE)


def test_the_output_projection_comes_last():
    x, w = drawn()
    w_o = generator(7).standard_normal((D, D_OUT))
    found = SelfAttention(w, w_o=w_o)(x)
    np.testing.assert_allclose(found, np.einsum("nd,do->no", SelfAttention(w)(x), w_o), **CLOSE)
    assert found.shape == (N, D_OUT)


def test_a_stack_adds_then_divides_by_the_root_mean_square():
    x, w = drawn()
    layer, expected = SelfAttention(w, w_o=generator(7).standard_normal((D, D_MODEL))), x
    for _ in range(3):
        expected = np.array([row / (sum(e * e for e in row) / D_MODEL) ** 0.5 for row in expected + layer(expected)])
    np.testing.assert_allclose(PostNormStack(layer, 3)(x), expected, **CLOSE)


def test_a_stack_calls_its_layer_once_for_each_level():
    calls = []

    def layer(x):
        calls.append(x)
        return 2 * x

    found = PostNormStack(layer, 5)(np.array([[3.0, 4.0]]))
    assert len(calls) == 5
    # √((9 + 16)/2) = 5/√2: the direction stays, the mean square is 1.
    np.testing.assert_allclose(found, [[0.6 * 2**0.5, 0.8 * 2**0.5]], **CLOSE)


def test_arguments_stay_as_they_were():
    x, w = drawn()
    kept = x.copy(), w.copy()
    for position in POSITIONS:
        PostNormStack(SelfAttention(w, w_o=np.ones((D, D_MODEL)), position=position), 2)(x)
    assert (x == kept[0]).all() and (w == kept[1]).all()


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (
            lambda: SelfAttention(np.ones((2, 5, 7))),
            r"w: expected W_Q, W_K and W_V as \(3, d_model, d\), got \(2, 5, 7\)",
        ),
        (lambda: SelfAttention(np.ones((3, 5))), r"w: expected .*, got \(3, 5\)"),
        (lambda: SelfAttention(np.ones((3, 5, 7)), w_o=np.ones((5, 7))), r"w_o: expected \(7, d_out\) .* got \(5, 7\)"),
        (
            lambda: SelfAttention(np.ones((3, 5, 7)), position="rope"),
            "position: expected None or one of .*, got 'rope'",
        ),
        (lambda: SelfAttention(np.ones((3, 5, 7)))(np.ones((2, 7))), r"x: expected embeddings \(n, 5\) .*got \(2, 7\)"),
        (lambda: SelfAttention(np.ones((3, 5, 7)))(np.ones(5)), r"x: expected embeddings \(n, 5\) .*got \(5,\)"),
        (lambda: SelfAttention(np.ones((3, 4, 7)), position="rotary")(np.ones((2, 4))), "expected an even number"),
        (lambda: sinusoids(3, 5), "d: expected an even number of features, which go in pairs, got 5; try 6"),
        (lambda: sinusoids(0, 4), "n: expected at least 1, got 0"),
        (lambda: PostNormStack(lambda x: x, 0), "depth: expected at least 1, got 0"),
        (lambda: PostNormStack(lambda x: x[:1], 1)(np.ones((2, 3))), r"expected outputs of the shape \(2, 3\)"),
    ],
)
def test_what_does_not_fit_is_refused_with_both_shapes(call, says):
    with pytest.raises(ValueError, match=says):
        call()
