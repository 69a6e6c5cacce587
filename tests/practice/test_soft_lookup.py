"""The items on attention as lookup against closed forms written by hand, and what the answers say without a binding."""

from itertools import permutations
from math import exp, log, sqrt

import numpy as np
import pytest

from interview_book.attention import attend, attend_gradients, lesson_steps, softmax
from interview_book.checks.counting import multiplications
from interview_book.practice import numbers, soft_lookup
from interview_book.practice.soft_lookup import equal_scores, one_weight, overtaking, score_memory, zero_score
from interview_book.practice.tolerances import Tolerance

BY, THE, RIVER, BANK = range(4)
#: What the questions of the chapter allow.
TOLERANCES = {
    "soft-lookup.zero-score": Tolerance("absolute", 0.001),
    "soft-lookup.one-weight": Tolerance("absolute", 0.001),
    "soft-lookup.overtaking": Tolerance("relative", 0.01),
    "soft-lookup.score-memory": Tolerance("relative", 0.01),
    "soft-lookup.equal-scores": Tolerance("absolute", 0.001),
}


@pytest.fixture
def rng():
    return np.random.default_rng(20261130)


def wrong(generator, p):
    return {name: formula(p) for name, formula in generator.mistakes.items()}


def numbers_of(array):
    return array.astype(np.float64)


@pytest.mark.parametrize("p", zero_score.grid, ids=str)
def test_zero_score(p):
    a, b, c = p["a"], p["b"], p["c"]
    others = exp(a / c) + exp(b / c)
    assert zero_score.answer(p) == pytest.approx(1 / (1 + others), rel=1e-12)
    assert wrong(zero_score, p) == pytest.approx(
        {
            "zero-is-zero": 0,
            "forgot-to-divide": 1 / (1 + exp(a) + exp(b)),
            "forgot-itself": 1 / others,
            "uniform": 1 / 3,
        },
        rel=1e-12,
    )
    assert zero_score.answer(p) > 0.01


@pytest.mark.parametrize("p", one_weight.grid, ids=str)
def test_one_weight(p):
    a, b, c, d = p["a"], p["b"], p["c"], p["d"]
    assert one_weight.answer(p) == pytest.approx(1 / (1 + exp(a - b)), rel=1e-12)
    assert wrong(one_weight, p) == pytest.approx(
        {
            "query-axis": 1 / (1 + exp(d - b)),
            "transposed": 1 / (1 + exp(d - c)),
            "all-together": exp(b) / (exp(a) + exp(b) + exp(c) + exp(d)),
            "no-exponential": b / (a + b),
        },
        rel=1e-12,
    )


def count(n, d_m, d_k, d_v):
    """Multiplications of the projections, and of scores with mixing: rows × inner × columns of each product."""
    projections = n * d_m * d_k + n * d_m * d_k + n * d_m * d_v
    return projections, n * d_k * n + n * n * d_v


@pytest.mark.parametrize("p", overtaking.grid, ids=str)
def test_overtaking(p):
    d_m, d_k, d_v = p["d_m"], p["d_k"], p["d_v"]
    n = overtaking.answer(p)
    for whole, later in ((int(n), False), (int(n) + 1, True)):
        projections, pairs = count(whole, d_m, d_k, d_v)
        assert pairs == projections if whole == n else (pairs > projections) == later
    assert wrong(overtaking, p) == pytest.approx(
        {
            "scores-only": d_m * (2 + d_v / d_k),
            "values-not-projected": 2 * d_m / (1 + d_v / d_k),
            "one-of-two": d_m,
            "equal-widths": 1.5 * d_m,
        },
        rel=1e-12,
    )


@pytest.mark.parametrize("p", score_memory.grid, ids=str)
def test_score_memory(p):
    batch, heads, k, size = p["batch"], p["heads"], p["k"], p["bytes"]
    # (1024 k)² numbers are k² times 2²⁰.
    assert score_memory.answer(p) == batch * heads * k**2 * size
    assert wrong(score_memory, p) == pytest.approx(
        {
            "forgot-heads": batch * k**2 * size,
            "forgot-batch": heads * k**2 * size,
            "forgot-bytes": batch * heads * k**2,
            "not-squared": batch * heads * k * size / 1024,
        },
        rel=1e-12,
    )


@pytest.mark.parametrize("p", equal_scores.grid, ids=str)
def test_equal_scores(p):
    """The slope by central differences of the output itself; h = 10⁻⁵ leaves an error of order h²."""
    values, r, h = np.array([p["a"], p["b"], p["c"]]), p["r"], 1e-5
    output = [softmax(np.array([s, 0, 0]) / r) @ values for s in (h, -h)]
    assert equal_scores.answer(p) == pytest.approx((output[0] - output[1]) / (2 * h), abs=1e-9)
    own = [softmax(np.array([s, 0, 0]) / r)[0] * values[0] for s in (h, -h)]
    assert wrong(equal_scores, p) == pytest.approx(
        {
            "flat-is-zero": 0,
            "no-divisor": r * equal_scores.answer(p),
            "only-own-value": p["a"] / (3 * r),
            "only-own-weight": (own[0] - own[1]) / (2 * h),
        },
        abs=1e-9,
    )
    assert abs(equal_scores.answer(p)) > 0.01, "a first Value equal to the mean would have no slope"


def test_both_signs_of_a_slope_are_asked():
    drawn = [numbers.item(equal_scores, seed, TOLERANCES[equal_scores.name]).answer for seed in numbers.PAGE_SEEDS]
    assert min(drawn) < 0 < max(drawn) and 0 not in drawn


@pytest.mark.parametrize("generator", soft_lookup.ALL, ids=lambda one: one.name)
def test_no_number_of_the_page_needs_a_comma(generator):
    for seed in numbers.PAGE_SEEDS:
        item = numbers.item(generator, seed, TOLERANCES[generator.name])
        assert all(abs(value) < 1000 for value in (item.answer, *item.distractors.values(), *item.parameters.values()))


def test_no_item_is_answered_by_the_chapter_itself():
    """d_v = d_k, where n = 3 d_m / 2, stands in the chapter; 1,024 tokens with one head and batch would be no item."""
    assert not [p for p in overtaking.grid if p["d_k"] == p["d_v"]]
    assert not [p for p in score_memory.grid if 1 in (p["batch"], p["heads"])]


def test_the_order_of_seeds_is_for_ever():
    """A learner's stored answer names a seed. Pinned by ``numbers.item(generator, 0, TOLERANCES[generator.name])``."""
    drawn = [dict(numbers.item(one, 0, TOLERANCES[one.name]).parameters) for one in soft_lookup.ALL]
    assert drawn == [
        {"a": 3, "b": 1.5, "c": 3},
        {"a": 0.5, "b": 1.5, "c": 2, "d": 3},
        {"d_m": 192, "d_k": 64, "d_v": 48},
        {"batch": 3, "heads": 12, "k": 1, "bytes": 4},
        {"a": 8, "b": 5, "c": 3, "r": 4},
    ]


# --- What the spoken answers and the reasons at the options say in words, bound to no stated value of the chapter.


def test_one_projection_for_all_roles_loses_the_direction_and_not_the_best_match():
    """Scores 4.6 and 0.6 need two projections; that another token wins does not, so the answers do not say so."""
    x, s = numbers_of(lesson_steps().X), lesson_steps().S
    assert s[BANK, RIVER] != s[RIVER, BANK]
    shared = np.diag([1.0, 1, 0, 0])
    shared[2, 0] = 0.5  # the open noun leans to the shore
    raw = (x @ shared) @ (x @ shared).T
    assert raw == pytest.approx(raw.T, abs=1e-15)
    assert raw[BANK].argmax() == RIVER and (np.delete(raw[BANK], RIVER) < raw[BANK, RIVER]).all()


def test_a_key_handed_over_as_value_mixes_its_marks_into_the_output():
    """Nothing else moves: the same weights, another output."""
    steps = lesson_steps()
    q, k, v = (numbers_of(one) for one in (steps.Q, steps.K, steps.V))
    assert abs(attend(q, k, k) - attend(q, k, v)).max() > 0.1


def test_two_small_matrices_are_fewer_numbers_below_half_the_width(rng):
    """2 d_model d_k against d_model²; and the product has rank d_k at most."""
    d_model = 14
    for d_k in range(1, d_model):
        assert (2 * d_model * d_k < d_model**2) == (d_k < d_model / 2)
    w_q, w_k = rng.normal(size=(2, 13, 5))
    assert np.linalg.matrix_rank(w_q @ w_k.T) == 5


def turned(x):
    """Pairs of features turned by the place times an angle, as RoPE does."""
    turns = np.exp(1j * np.outer(np.arange(len(x)), [1, 0.1]))
    return (x.view(complex) * turns).view(float)


def test_rotating_queries_and_keys_together_goes_unseen_without_positions_only(rng):
    q, k = rng.normal(size=(2, 7, 4))
    r = np.linalg.qr(rng.normal(size=(4, 4)))[0]
    assert (q @ r) @ (k @ r).T == pytest.approx(q @ k.T, abs=1e-12)
    assert abs(turned(q @ r) @ turned(k @ r).T - turned(q) @ turned(k).T).max() > 0.1


def test_of_vectors_of_one_length_none_beats_the_own_score(rng):
    x = rng.normal(size=(7, 5))
    x /= np.linalg.norm(x, axis=-1, keepdims=True)
    raw = x @ x.T
    assert (raw.diagonal()[:, np.newaxis] >= raw - 1e-12).all()


def test_another_value_moves_the_output_by_the_weight_alone():
    """Weight 0.69, 1 added to one feature of river's Value: 0.69 more, in that feature only."""
    steps = lesson_steps()
    q, k, v = (numbers_of(one) for one in (steps.Q, steps.K, steps.V))
    other = v.copy()
    other[RIVER, 1] += 1
    moved = attend(q, k, other)[BANK] - attend(q, k, v)[BANK]
    assert moved == pytest.approx([0, steps.A[BANK, RIVER], 0, 0], abs=1e-12)


def test_a_value_equal_to_the_output_makes_its_score_harmless(rng):
    """However far the score moves, the output stays."""
    z, v = rng.normal(size=5), rng.normal(size=5)
    p = softmax(z)
    v[2] = (p @ v - p[2] * v[2]) / (1 - p[2])  # the mean of the others, so that the output is v[2]
    for step in (-3.0, 0.01, 5.0):
        z[2] += step
        assert softmax(z) @ v == pytest.approx(v[2], abs=1e-12)


def test_the_gradient_of_the_expression(rng):
    """∂o/∂s_j = β p_j (v_j − o), by central differences; raising s_j by h makes an error of order h²."""
    beta, s, v, h = 0.7, rng.normal(size=5), rng.normal(size=5), 1e-5
    p = softmax(beta * s)
    for j in range(5):
        step = h * np.eye(5)[j]
        measured = (softmax(beta * (s + step)) @ v - softmax(beta * (s - step)) @ v) / (2 * h)
        assert measured == pytest.approx(beta * p[j] * (v[j] - p @ v), abs=1e-9)


def test_equal_scores_have_gradients_until_both_projections_are_zero(rng):
    """Every weight 1/7 through W_Q = 0: W_Q has a gradient, W_K has none; with W_K = 0 too neither has."""
    x, g = rng.normal(size=(7, 5)), rng.normal(size=(7, 2))
    w_k, w_v = rng.normal(size=(5, 3)), rng.normal(size=(5, 2))
    nothing = np.zeros((5, 3))
    for keys, moves in ((w_k, True), (nothing, False)):
        found = attend_gradients(x @ nothing, x @ keys, x @ w_v, g)
        assert (abs(x.T @ found.q).max() > 0.1) == moves and (x.T @ found.q != 0).any() == moves
        assert (x.T @ found.k == 0).all()


def test_longer_contributions_follow_the_weights_only_where_values_are_of_one_length(rng):
    p, v = softmax(rng.normal(size=7)), rng.normal(size=(7, 3))
    assert (np.argsort(p) != np.argsort(p * np.linalg.norm(v, axis=-1))).any()
    v /= np.linalg.norm(v, axis=-1, keepdims=True)
    assert (np.argsort(p) == np.argsort(np.linalg.norm(p[:, np.newaxis] * v, axis=-1))).all()


def test_hiding_a_key_raises_all_other_weights_and_another_value_none():
    p = lesson_steps().A[BANK]
    rest = np.delete(p, RIVER) / (1 - p[RIVER])
    scaled = numbers_of(lesson_steps().Z)[BANK]
    scaled[RIVER] = -np.inf
    hidden = softmax(scaled)
    assert hidden[RIVER] == 0 and np.delete(hidden, RIVER) == pytest.approx(rest) and (rest > np.delete(p, RIVER)).all()


def test_a_mark_at_the_head_and_a_causal_mean_tell_the_place():
    """All weights equal, a mark in the first Value only: the t-th output is 1/t."""
    n = 7
    v = np.eye(n)[:, :1]
    flat = np.zeros((n, 3))
    assert attend(flat, flat, v, causal=True)[:, 0] == pytest.approx([1 / t for t in range(1, n + 1)])


def test_what_the_answers_on_cost_say():
    assert count(768, 512, 64, 64)[0] == count(768, 512, 64, 64)[1]  # 768 = 1.5 × 512
    projections, pairs = count(128, 512, 64, 64)
    assert projections == 6 * pairs
    # Twice the tokens: projections twice, pairs four times.
    assert count(256, 512, 64, 64) == (2 * projections, 4 * pairs)
    # All heads, h d = d_m: 2 n² d_m; the four projections need 4 n d_m², a feed-forward of width 4 d_m 8 n d_m² more.
    d_m = 512
    for per_token, n in ((4 * d_m**2, 2 * d_m), (4 * d_m**2 + 2 * 4 * d_m**2, 6 * d_m)):
        assert 2 * n * n * d_m == n * per_token
    # 10,000 tokens in half precision: 200 MB a head, 6.4 GB for 32.
    assert 10_000**2 * 2 == 200 * 10**6 and 32 * 200 * 10**6 == 6.4 * 10**9


def test_a_new_token_with_kept_keys_and_values(rng):
    """Its output is that of the causal layer over all, and needs n (d_k + d_v) multiplications and one Query."""
    n, d_k, d_v = 7, 5, 3
    q, k = rng.normal(size=(2, n, d_k))
    v = rng.normal(size=(n, d_v))
    assert attend(q[-1:], k, v)[0] == pytest.approx(attend(q, k, v, causal=True)[-1], abs=1e-14)
    scores = multiplications(np.matmul, q[-1:], k.T)
    assert scores + multiplications(np.matmul, np.ones((1, n)), v) == n * (d_k + d_v)
    # One token more leaves the earlier outputs as they were.
    earlier = attend(q[:-1], k[:-1], v[:-1], causal=True)
    assert attend(q, k, v, causal=True)[:-1] == pytest.approx(earlier, abs=1e-14)


def test_a_block_with_a_larger_maximum_mends_what_was_kept(rng):
    """Sum and output so far, times exp(old − new maximum), go on as if the maximum had been known."""
    z, v = rng.normal(size=7), rng.normal(size=(7, 3))
    z[5] = 9
    old, new = z[:4].max(), z.max()
    first, second = np.exp(z[:4] - old), np.exp(z[4:] - new)
    total = first.sum() * exp(old - new) + second.sum()
    output = (first @ v[:4]) * exp(old - new) + second @ v[4:]
    assert output / total == pytest.approx(softmax(z) @ v, abs=1e-14)


def test_shared_projections_make_scores_symmetric_and_weights_not(rng):
    x, w = rng.normal(size=(5, 7)), rng.normal(size=(7, 3))
    raw = (x @ w) @ (x @ w).T
    p = softmax(raw / sqrt(3))
    assert raw == pytest.approx(raw.T, abs=1e-12)
    assert abs(p - p.T).max() > 0.01
    other_axis = softmax(raw.T / sqrt(3)).T  # the transposed table, which is another one
    assert other_axis == pytest.approx(p.T, abs=1e-12)


def test_symmetric_weights_need_equal_sums(rng):
    """Two tokens of one length after the projection have them; and symmetric scores with equal sums are enough."""
    y = rng.normal(size=(2, 3))
    y /= np.linalg.norm(y, axis=-1, keepdims=True)
    p = softmax(y @ y.T)
    assert p == pytest.approx(p.T, abs=1e-12)
    y[1] *= 2
    p = softmax(y @ y.T)
    assert abs(p - p.T).max() > 0.01


def test_a_symmetric_product_needs_no_shared_matrix(rng):
    """W_Q W_Kᵀ symmetric with W_K = 2 W_Q."""
    x, w = rng.normal(size=(5, 7)), rng.normal(size=(7, 3))
    raw = (x @ w) @ (x @ (2 * w)).T
    assert raw == pytest.approx(raw.T, abs=1e-12)


def test_other_projections_put_the_first():
    """The same embeddings, another W_Q: bank's best match becomes «the»."""
    x = numbers_of(lesson_steps().X)
    w_q, w_k = np.zeros((4, 4)), np.eye(4)
    w_q[2, 3] = 1  # an open noun asks for a function word
    w_k[0, 3] = w_k[1, 3] = -1  # «by» carries other features too
    raw = (x @ w_q)[BANK] @ (x @ w_k).T
    assert raw.argmax() == THE and (np.delete(raw, THE) < raw[THE]).all()


@pytest.mark.parametrize("order", [*permutations(range(4))], ids=str)
def test_a_permutation_of_tokens_permutes_the_outputs(order):
    steps = lesson_steps()
    q, k, v = (numbers_of(one)[list(order)] for one in (steps.Q, steps.K, steps.V))
    assert attend(q, k, v) == pytest.approx(steps.output[list(order)], abs=1e-14)


def layer(x, w, causal):
    """Attention with a residual and a function of each token alone, as a feed-forward is."""
    y = x + attend(*(x @ w), causal=causal)
    return y + np.tanh(y)


def test_layers_without_mask_stay_equivariant_and_twins_stay_twins(rng):
    x, w = rng.normal(size=(5, 4)), rng.normal(size=(3, 4, 4)) / 4
    x[3] = x[1]
    once, moved, order = x, x[[4, 2, 0, 1, 3]], [4, 2, 0, 1, 3]
    for _ in range(24):
        once, moved = (one / np.linalg.norm(one, axis=-1, keepdims=True) for one in (once, moved))
        once, moved = layer(once, w, False), layer(moved, w, False)
    assert moved == pytest.approx(once[order], abs=1e-12)
    assert once[3] == pytest.approx(once[1], abs=1e-12)


def test_the_last_token_learns_the_order_from_the_second_causal_layer_on(rng):
    x, w = rng.normal(size=(5, 4)), rng.normal(size=(3, 4, 4))
    other = x[[2, 0, 3, 1, 4]]
    one, two = layer(x, w, True), layer(other, w, True)
    assert one[-1] == pytest.approx(two[-1], abs=1e-12)
    assert abs(one[1] - two[3]).max() > 0.01  # the same token, at another place, saw others
    assert abs(layer(one, w, True)[-1] - layer(two, w, True)[-1]).max() > 0.01


def test_one_query_does_not_see_the_order_of_the_pairs(rng):
    q, k, v = rng.normal(size=(1, 5)), rng.normal(size=(7, 5)), rng.normal(size=(7, 3))
    order = rng.permutation(7)
    assert attend(q, k[order], v[order]) == pytest.approx(attend(q, k, v), abs=1e-14)


def test_values_alone_swap_the_output_and_keys_alone_do_not():
    river, savings = lesson_steps("river"), lesson_steps("savings")
    assert (river.A == savings.A).all()
    q = numbers_of(river.Q)
    values = attend(q, numbers_of(river.K), numbers_of(savings.V))[BANK]
    keys = attend(q, numbers_of(savings.K), numbers_of(river.V))[BANK]
    assert values == pytest.approx(savings.output[BANK], abs=1e-14)
    assert keys == pytest.approx(river.output[BANK], abs=1e-14)
    assert values[[1, 0]] == pytest.approx(river.output[BANK][:2], abs=1e-14)


def test_uniform_weights_keep_the_input_and_lose_the_query():
    river, savings = lesson_steps("river", "uniform"), lesson_steps("savings", "uniform")
    assert (river.output == river.output[0]).all() and (river.output != savings.output).any()
    assert river.entropy[BANK] == pytest.approx(log(4), rel=1e-12)


def test_a_finite_score_can_lose_its_weight_to_rounding():
    assert softmax(np.array([0.0, -746.0]))[1] == 0 < softmax(np.array([0.0, -700.0]))[1]


def test_the_wrong_axis_breaks_every_sum():
    """Over the Queries, a Query's weights do not add up to 1; over all scores they add up to 1/n on average."""
    z = numbers_of(lesson_steps().Z)
    over_queries, over_all = softmax(z.T).T, softmax(z.ravel()).reshape(4, 4)
    assert abs(over_queries.sum(axis=-1) - 1).min() > 0.01
    assert abs(softmax(z[:3].T).T - over_queries[:3]).max() > 0.1  # a Query more moves the weights of the others
    assert over_all.sum(axis=-1).mean() == pytest.approx(1 / 4)
