"""Order of tokens, of a pair, of axes, and of the cost: proofs, and the same statements in floats."""

from itertools import permutations

import numpy as np
import pytest
import sympy

from interview_book.attention import attend, scores, weights
from interview_book.checks import lookup_order as order
from interview_book.checks.counting import multiplications
from tests.checks.proving import breaks, proved

EVERY = pytest.mark.parametrize("result", proved("lookup_order"))


@EVERY
def test_every_result_is_proved(result):
    made = result.make()
    assert made.verify() is made


@EVERY
def test_another_last_line_is_refused(result):
    breaks(result.make())


def test_asymmetry_in_other_numbers_of_features():
    for d_model in (3, 4):
        assert order.asymmetry(d_model).verify()


@pytest.mark.parametrize("make", [order.permuted_weights, order.permuted_output], ids=lambda make: make.__name__)
def test_every_order_of_two_three_and_four_tokens(make):
    for n in (2, 3, 4):
        for one in permutations(range(1, n + 1)):
            assert make(one).verify()


@pytest.mark.parametrize("wrong", [(1,), (0, 1, 2), (1, 1, 2), (1, 3), (2.5, 1)])
def test_what_is_no_order_is_named(wrong):
    with pytest.raises(ValueError, match="order: expected the numbers 1 to n, each once, n at least 2, got"):
        order.permuted_weights(wrong)


def test_the_moved_matrices_are_those_of_a_permutation():
    """The lines that are taken as given: row 1 is token 2's, its Keys in the new order; (P A Pᵀ)_ij = A_π(i)π(j)."""
    first = order.permuted_weights((2, 3, 1)).steps[0].expression
    z = [sympy.Symbol(f"z_2{key}", real=True) for key in (1, 2, 3)]
    total = sum(map(sympy.exp, z))
    assert first == sympy.Matrix([[sympy.exp(z[key]) / total for key in (1, 2, 0)]])
    moved, values = order.permuted_output((2, 3, 1)).steps[0].expression.args
    assert [[str(entry) for entry in moved.row(i)] for i in range(3)] == [
        ["p_22", "p_23", "p_21"],
        ["p_32", "p_33", "p_31"],
        ["p_12", "p_13", "p_11"],
    ]
    assert [str(one) for one in values] == ["v_2", "v_3", "v_1"]


def test_more_than_nine_tokens_keep_their_letters_apart():
    one = order.permuted_output((11, *range(1, 11)))
    assert one.verify()
    assert len(one.steps[0].expression.args[0].free_symbols) == 11 * 11


def test_attention_follows_its_tokens():
    rng = np.random.Generator(np.random.PCG64(47))
    n, d_model = 7, 5
    x, w = rng.standard_normal((n, d_model)), rng.standard_normal((3, d_model, 3))
    p = weights(*(x @ w)[:2])
    for _ in range(20):
        move = rng.permutation(n)
        q, k, v = x[move] @ w
        # Sums of 7 products of about 1: 1e-13 is some hundred roundings.
        assert np.allclose(attend(q, k, v), attend(*(x @ w))[move], rtol=0, atol=1e-13)
        assert np.allclose(weights(q, k), p[np.ix_(move, move)], rtol=0, atol=1e-13)
        assert not np.allclose(attend(q, k, v, causal=True), attend(*(x @ w), causal=True)[move], atol=0.1)


def test_asymmetry_is_what_is_not_symmetric_in_the_product():
    rng = np.random.Generator(np.random.PCG64(53))
    x, w_q, w_k = rng.standard_normal((5, 3)), rng.standard_normal((3, 2)), rng.standard_normal((3, 2))
    s = scores(x @ w_q, x @ w_k, scale=1)
    formula = x @ (w_q @ w_k.T - w_k @ w_q.T) @ x.T
    assert np.allclose(s - s.T, formula, rtol=0, atol=1e-12) and np.abs(formula).max() > 1
    shared = scores(x @ w_q, x @ w_q, scale=1)
    assert np.allclose(shared, shared.T, rtol=0, atol=1e-12)
    p = weights(x @ w_q, x @ w_q)
    assert np.abs(p - p.T).max() > 0.1  # symmetric scores, and still no symmetric weights


def test_other_axes_turn_the_output_with_the_embedding_and_change_no_weight():
    """For any invertible R, and with d_v another width than d_model: x + o W_O turns as x does."""
    rng = np.random.Generator(np.random.PCG64(59))
    x, w, w_o = rng.standard_normal((7, 5)), rng.standard_normal((3, 5, 3)), rng.standard_normal((3, 5))
    turn = rng.standard_normal((5, 5))
    assert np.linalg.cond(turn) < 50 and not np.allclose(turn @ turn.T, np.eye(5), atol=0.5)
    turned = (x @ turn) @ (np.linalg.inv(turn) @ w)
    # Sums of a few products of about 1, the condition number times: 1e-12 is some hundred roundings.
    assert np.allclose(weights(*turned[:2]), weights(*(x @ w)[:2]), rtol=0, atol=1e-12)
    after, before = x @ turn + attend(*turned) @ (w_o @ turn), x + attend(*(x @ w)) @ w_o
    assert np.allclose(after, before @ turn, rtol=0, atol=1e-12)
    # With the old axes on the output side the sum would be another one.
    assert not np.allclose(x @ turn + attend(*turned) @ w_o, before @ turn, atol=0.5)


def test_the_turned_output_in_other_widths():
    assert order.turned_output(1).verify() and order.turned_output(7).verify()
    for wrong in (0, -1, 2.0, True):
        with pytest.raises(ValueError, match="d_model: expected a whole number of at least 1, got"):
            order.turned_output(wrong)


def test_one_causal_layer_does_not_tell_its_last_token_the_order_and_two_do():
    rng = np.random.Generator(np.random.PCG64(61))
    x, w = rng.standard_normal((5, 3)), rng.standard_normal((3, 3, 3))

    def layers(x, count, causal):
        for _ in range(count):
            x = x + attend(*(x @ w), causal=causal)
            x = x / np.sqrt((x**2).mean(axis=1, keepdims=True))
        return x

    for move in ([1, 0, 2, 3, 4], [3, 2, 1, 0, 4]):
        # Sums of 5 products of about 1: 1e-13 is some hundred roundings.
        assert np.allclose(layers(x[move], 1, True)[4], layers(x, 1, True)[4], rtol=0, atol=1e-13)
        assert np.abs(layers(x[move], 2, True)[4] - layers(x, 2, True)[4]).max() > 1e-4
        assert np.allclose(layers(x[move], 7, False), layers(x, 7, False)[move], rtol=0, atol=1e-12)


@pytest.mark.parametrize(("d_model", "d_k", "d_v"), [(8, 3, 3), (10, 7, 7), (9, 5, 2), (7, 2, 5)])
def test_overtaking_is_where_the_counts_cross(d_model, d_k, d_v):
    """Counted, not computed: below the formula the projections need more products, above it the pairs."""

    def both(n):
        x, q, p, v = np.ones((n, d_model)), np.ones((n, d_k)), np.ones((n, n)), np.ones((n, d_v))
        projections = sum(multiplications(np.matmul, x, np.ones((d_model, d))) for d in (d_k, d_k, d_v))
        return projections, multiplications(lambda a, b: a @ b.T, q, q) + multiplications(np.matmul, p, v)

    equal = order.overtaking().steps[1].expression.rhs
    crossing = equal.subs({order.D_MODEL: d_model, order.D_K: d_k, order.D_V: d_v})
    for n in range(int(crossing) - 1, int(crossing) + 3):
        projections, pairs = both(n)
        assert sympy.sign(pairs - projections) == sympy.sign(n - crossing), n
    if d_k == d_v:
        assert order.overtaking().result.rhs.subs(order.D_MODEL, d_model) == crossing
