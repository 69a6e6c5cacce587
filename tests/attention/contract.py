"""What ``attend`` promises, one function for each promise.

Each takes an ``attend`` (the signature of ``interview_book.attention.attend``) and raises ``AssertionError`` if the
promise is broken; what breaks it worse may raise anything. :data:`CHECKS` lists them. Warnings are meant to be errors.
Expected values come by hand, from plain loops in :func:`by_loops`, or from an invariance, never from an ``attend``.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

CHECKS: list[Callable] = []
N_Q, N_K, D_K, D_V = 3, 5, 7, 11  # no two sizes agree
# Sums of at most 13 terms below 10 in float64 are good to 1e-14; a rewrite may add up in another order.
CLOSE = {"rtol": 1e-12, "atol": 1e-12}


def promise(check: Callable) -> Callable:
    """Put ``check`` on the list."""
    CHECKS.append(check)
    return check


def draw(seed: int, *shape: int, dtype: type = np.float64) -> np.ndarray:
    """Standard normal numbers."""
    return np.random.Generator(np.random.PCG64(seed)).standard_normal(shape).astype(dtype)


def usual(*batch: int, dtype: type = np.float64) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Queries, Keys and Values of which no two sizes agree."""
    return (draw(1, *batch, N_Q, D_K, dtype=dtype), draw(2, *batch, N_K, D_K, dtype=dtype),
            draw(3, *batch, N_K, D_V, dtype=dtype))  # fmt: skip


def by_loops(q, k, v, scale: float | None = None, allowed: np.ndarray | None = None) -> np.ndarray:
    """Attention in plain Python floats, one pair after the other; 0 for a Query that may see nothing."""
    n_q, n_k, d_v = q.shape[-2], k.shape[-2], v.shape[-1]
    allowed = np.ones((n_q, n_k), dtype=bool) if allowed is None else allowed
    batch = np.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2], allowed.shape[:-2])
    q, k, v, allowed = (np.broadcast_to(x, (*batch, *x.shape[-2:])) for x in (q, k, v, allowed))
    allowed = np.broadcast_to(allowed, (*batch, n_q, n_k))
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    out = np.zeros((*batch, n_q, d_v))
    for b in np.ndindex(*batch):
        for i in range(n_q):
            seen = [j for j in range(n_k) if allowed[b][i, j]]
            z = {j: scale * math.fsum(float(x) * float(y) for x, y in zip(q[b][i], k[b][j], strict=True)) for j in seen}
            total = math.fsum(math.exp(z[j] - max(z.values())) for j in seen)
            for f in range(d_v):
                terms = (math.exp(z[j] - max(z.values())) * float(v[b][j, f]) for j in seen)
                out[b][i, f] = math.fsum(terms) / total if seen else 0.0
    return out


def refuses(kind: type, words: tuple[str, ...], call: Callable, *args, **options) -> None:
    """Assert that the call raises ``kind`` and that the message holds all the ``words``."""
    try:
        call(*args, **options)
    except kind as error:
        missing = [word for word in words if word not in str(error)]
        assert not missing, f"{missing} not in {error}"
    else:
        raise AssertionError(f"no {kind.__name__}")


def past(n_q: int, n_k: int, offset: int = 0) -> np.ndarray:
    """The causal mask by loops."""
    return np.array([[j <= i + offset for j in range(n_k)] for i in range(n_q)])


@promise
def default_scale_is_one_over_root_d_k(attend):
    q, k, v = usual()
    np.testing.assert_allclose(attend(q, k, v), by_loops(q, k, v, 1 / math.sqrt(7)), **CLOSE)
    np.testing.assert_array_equal(attend(q, k, v, scale=None), attend(q, k, v))


@promise
def two_positions_by_hand(attend):
    q, k = np.ones((1, 4)), np.array([[1.0, 1, 1, 1], [1, -1, 1, -1]])
    out = attend(q, k, np.array([[10.0], [0.0]]))  # scores 4 and 0, scaled 2 and 0
    np.testing.assert_allclose(out, [[10 / (1 + math.exp(-2))]], **CLOSE)


@promise
def scale_multiplies_the_scores(attend):
    q, k, v = usual()
    for scale in (1.0, 0.25, -0.5, 3):
        np.testing.assert_allclose(attend(q, k, v, scale=scale), by_loops(q, k, v, scale), **CLOSE)
    np.testing.assert_allclose(attend(q, k, v, scale=0), np.tile(v.mean(axis=0), (N_Q, 1)), **CLOSE)


@promise
def each_query_averages_over_the_keys(attend):
    q, k, _ = usual()
    np.testing.assert_allclose(attend(q, k, np.full((N_K, 2), 3.0)), np.full((N_Q, 2), 3.0), **CLOSE)
    p = attend(q, k, np.eye(N_K))
    assert p.shape == (N_Q, N_K) and (p > 0).all()
    assert np.ptp(p.sum(axis=0)) > 0.1  # the other axis is not normalised


@promise
def heads_and_batches_stay_apart(attend):
    q, k, v = draw(1, 2, 3, 5, 11), draw(2, 2, 3, 7, 11), draw(3, 2, 3, 7, 13)
    np.testing.assert_allclose(attend(q, k, v), by_loops(q, k, v), **CLOSE)
    for b in np.ndindex(2, 3):
        np.testing.assert_allclose(attend(q, k, v)[b], attend(q[b], k[b], v[b]), **CLOSE)


@promise
def batch_axes_broadcast(attend):
    q, k, v = draw(1, 3, 1, N_Q, D_K), draw(2, 2, N_K, D_K), draw(3, 1, 1, N_K, D_V)
    out = attend(q, k, v)
    assert out.shape == (3, 2, N_Q, D_V)
    np.testing.assert_allclose(out, by_loops(q, k, v), **CLOSE)
    wide = draw(4, 13, 1, 1, N_K, D_V)
    assert attend(q, k, wide).shape == (13, 3, 2, N_Q, D_V)


@promise
def reordering_keys_with_values_changes_nothing(attend):
    q, k, v = usual()
    allow, order = draw(4, N_Q, N_K) > -0.5, [3, 0, 4, 1, 2]
    allow[:, 0] = True
    expected = attend(q, k, v, allow=allow)
    np.testing.assert_allclose(attend(q, k[order], v[order], allow=allow[:, order]), expected, **CLOSE)
    turn = [2, 0, 1]
    np.testing.assert_allclose(attend(q[turn], k, v, allow=allow[turn]), expected[turn], **CLOSE)


@promise
def queries_do_not_meet(attend):
    q, k, v = usual()
    q *= np.array([[1e4], [1.0], [1e-3]])  # rows of very different sizes
    for i in range(N_Q):
        np.testing.assert_allclose(attend(q, k, v)[[i]], attend(q[[i]], k, v), **CLOSE)
    far = np.array([[1.0], [-1.0]])  # scores about 2000 and −2000: a common maximum would leave nothing of the second
    out = attend(far, np.array([[2000.0], [2001.0]]), np.array([[0.0], [1.0]]), scale=1)
    np.testing.assert_allclose(out[:, 0], [1 / (1 + math.exp(-1)), 1 / (1 + math.e)], **CLOSE)


@promise
def a_common_shift_of_the_keys_changes_nothing(attend):
    q, k, v = usual()
    # Each score is moved by q·c, up to 20: 20 units of 1e-16 lost in it.
    np.testing.assert_allclose(attend(q, k + draw(5, D_K), v), attend(q, k, v), **CLOSE)


@promise
def large_scores_do_not_overflow(attend):
    q, v = np.array([[1.0]]), np.eye(3)
    e = math.exp(-1)
    two = [1 / (1 + e), e / (1 + e), 0]
    for k, p in (([1000, 999, -1000], two), ([-1000, -1001, -3000], two), ([-1000, 0, 1000], [0, 0, 1])):
        np.testing.assert_allclose(attend(q, np.array(k)[:, np.newaxis] * 1.0, v, scale=1), [p], **CLOSE)
    np.testing.assert_array_equal(attend(q, np.array([[1e300], [-1e300]]), np.eye(2)), [[1, 0]])


@promise
def float16_is_scaled_before_it_overflows(attend):
    q = np.full((1, 64), 40, dtype=np.float16)
    k = np.array([[40.0] * 64, [20.0] * 64], dtype=np.float16)  # 102400 is beyond 65504; scaled 12800 and 6400
    np.testing.assert_array_equal(attend(q, k, np.eye(2, dtype=np.float16)), [[1, 0]])


@promise
def float16_is_added_up_in_float32(attend):
    ones = np.ones((4099, 1), dtype=np.float16)  # a float16 sum of ones stands still at 2048
    np.testing.assert_array_equal(attend(ones[:1], ones, ones), [[1]])
    np.testing.assert_array_equal(attend(ones[:1], ones, ones * np.float16(0.1)), [[np.float16(0.1)]])


@promise
def result_has_the_dtype_of_the_arguments(attend):
    for dtype in (np.float16, np.float32, np.float64):
        q, k, v = usual(dtype=dtype)
        out = attend(q, k, v, allow=past(N_Q, N_K, 1))
        assert out.dtype == dtype
        # Values below 4: one rounding of the result, and a dozen of float32 on the way.
        units = 1 if dtype == np.float16 else 12
        expected = by_loops(q, k, v, None, past(N_Q, N_K, 1))
        np.testing.assert_allclose(out, expected, rtol=0, atol=4 * units * float(np.finfo(dtype).eps))
    q, k, v = usual(dtype=np.float32)
    assert attend(q, k, v.astype(np.float64)).dtype == np.float64
    assert attend(q, k, v, scale=np.float64(0.5)).dtype == np.float32


@promise
def arguments_stay_and_the_result_is_new(attend):
    q, k, v = usual()
    allow = np.array([[True, False, True, True, False]] * N_Q)
    allow[1], k[1], v[4] = False, np.nan, np.inf
    given = (q, k, v, allow)
    for policy in ("zero", "skip"):
        before = [x.tobytes() for x in given]
        out = attend(q, k, v, allow=allow, causal=True, align="bottom-right", empty_rows=policy)
        assert [x.tobytes() for x in given] == before
        assert not any(np.shares_memory(out, x) for x in given)
        out[:] = 7
        assert [x.tobytes() for x in given] == before
    for x in given:
        x.flags.writeable = False
    attend(q, k, v, allow=allow, empty_rows="zero")
    v = draw(3, 1, D_V)
    assert not np.shares_memory(attend(q[:1], q[:1], v), v)  # one Key: the output equals its Value
    np.testing.assert_array_equal(attend(q[:1], q[:1], v), v)


@promise
def the_same_call_gives_the_same_bits(attend):
    q, k, v = usual()
    first = attend(q, k, v, causal=True, align="top-left").tobytes()
    for _ in range(3):
        assert attend(q, k, v, causal=True, align="top-left").tobytes() == first


@promise
def true_means_may_attend(attend):
    q, k, v = usual()
    for j in range(N_K):
        only = np.arange(N_K)[np.newaxis, :] == j
        np.testing.assert_array_equal(attend(q, k, v, allow=only), np.tile(v[j], (N_Q, 1)))


@promise
def a_mask_leaves_the_softmax_of_what_is_allowed(attend):
    q, k, v = usual()
    kept = [0, 2, 3]
    allow = np.isin(np.arange(N_K), kept)[np.newaxis, :]
    np.testing.assert_allclose(attend(q, k, v, allow=allow), attend(q, k[kept], v[kept]), **CLOSE)
    some = draw(4, N_Q, N_K) > 0
    some[:, 2] = True
    np.testing.assert_allclose(attend(q, k, v, allow=some), by_loops(q, k, v, None, some), **CLOSE)
    np.testing.assert_array_equal(attend(q, k, v, allow=np.ones((1, 1), dtype=bool)), attend(q, k, v))


@promise
def masks_broadcast_over_batch_and_heads(attend):
    q, k, v = draw(1, 2, 3, 5, 11), draw(2, 2, 3, 7, 11), draw(3, 2, 3, 7, 13)
    for shape in ((5, 7), (1, 7), (2, 1, 1, 7), (1, 3, 5, 1), (2, 3, 5, 7), (2, 1, 5, 7)):
        allow = draw(sum(shape), *shape) > -0.2
        expected = by_loops(q, k, v, None, allow)
        np.testing.assert_allclose(attend(q, k, v, allow=allow, empty_rows="zero"), expected, **CLOSE)
    one = usual(1)
    allow = draw(9, 2, N_Q, N_K) > -1
    allow[..., 1] = True
    np.testing.assert_allclose(attend(*one, allow=allow), by_loops(*one, None, allow), **CLOSE)


@promise
def a_masked_weight_is_exactly_zero(attend):
    q, v = np.array([[1.0]]), np.array([[1.0], [1e300]])
    for low in (0.0, -50.0, -1e5, -3e9, -1e30, -1.7976931348623157e308):  # however low, no stand-in for −inf wins
        for other in (0.0, 50.0, low, 1e30):
            out = attend(q, np.array([[low], [other]]), v, allow=np.array([[True, False]]), scale=1)
            np.testing.assert_array_equal(out, [[1]])
    for dtype in (np.float16, np.float32):
        lowest, values = np.array([[np.finfo(dtype).min], [0]], dtype=dtype), np.array([[1], [6e4]], dtype=dtype)
        out = attend(q.astype(dtype), lowest, values, allow=np.array([[True, False]]), scale=1)
        np.testing.assert_array_equal(out, [[1]])


@promise
def causal_by_hand(attend):
    flat, small = np.zeros((4, 1)), np.eye(4)
    expected = [[1, 0, 0, 0], [1 / 2, 1 / 2, 0, 0], [1 / 3, 1 / 3, 1 / 3, 0], [1 / 4] * 4]
    for align in (None, "top-left", "bottom-right"):
        np.testing.assert_allclose(attend(flat, flat, small, causal=True, align=align), expected, **CLOSE)
    two, five = np.zeros((2, 1)), np.zeros((5, 1))
    top = attend(two, five, np.eye(5), causal=True, align="top-left")
    np.testing.assert_allclose(top, [[1, 0, 0, 0, 0], [0.5, 0.5, 0, 0, 0]], **CLOSE)
    bottom = attend(two, five, np.eye(5), causal=True, align="bottom-right")
    np.testing.assert_allclose(bottom, [[0.25] * 4 + [0], [0.2] * 5], **CLOSE)
    top = attend(five, two, np.eye(2), causal=True, align="top-left")
    np.testing.assert_allclose(top, [[1, 0]] + [[0.5, 0.5]] * 4, **CLOSE)
    bottom = attend(five, two, np.eye(2), causal=True, align="bottom-right", empty_rows="zero")
    np.testing.assert_allclose(bottom, [[0, 0]] * 3 + [[1, 0], [0.5, 0.5]], **CLOSE)


@promise
def causal_equals_its_mask_and_keeps_no_state(attend):
    for n_q, n_k in ((13, 13), (3, 5), (7, 2), (5, 5)):
        q, k, v = draw(1, n_q, D_K), draw(2, n_k, D_K), draw(3, n_k, D_V)
        for align, offset in (("top-left", 0), ("bottom-right", n_k - n_q)):
            out = attend(q, k, v, causal=True, align=align, empty_rows="zero")
            np.testing.assert_allclose(out, by_loops(q, k, v, None, past(n_q, n_k, offset)), **CLOSE)


@promise
def causal_needs_to_know_the_alignment(attend):
    q, k, v = usual()
    refuses(ValueError, ("align", "top-left", "bottom-right", "3", "5"), attend, q, k, v, causal=True)
    refuses(ValueError, ("align", "causal=True"), attend, q, k, v, align="top-left")
    refuses(ValueError, ("align", "'lower'"), attend, q, k, v, causal=True, align="lower")
    refuses(TypeError, ("causal", "align="), attend, q, k, v, causal="top-left")


@promise
def no_future_leak(attend):
    n = 5
    q, k, v = draw(1, 2, n, D_K), draw(2, 2, n, D_K), draw(3, 2, n, D_V)
    before = attend(q, k, v, causal=True)
    for j in range(1, n):
        other_k, other_v = k.copy(), v.copy()
        other_k[:, j:] = 5 * draw(4, 2, n - j, D_K)
        other_v[:, j:] = 1e100 * draw(5, 2, n - j, D_V)
        after = attend(q, other_k, other_v, causal=True)
        np.testing.assert_allclose(after[:, :j], before[:, :j], **CLOSE)
        assert (np.abs(after[:, j] - before[:, j]) > 1).any()  # the own place is seen


@promise
def no_padding_leak_together_with_causal(attend):
    n, real = 7, 5
    q, k, v = draw(1, 2, n, D_K), draw(2, 2, n, D_K), draw(3, 2, n, D_V)
    behind = np.broadcast_to(np.arange(n) < real, (2, 1, n)).copy()
    for allow, padded in ((behind, slice(real, n)), (behind[..., ::-1], slice(0, n - real))):
        options = {"allow": allow, "causal": True, "empty_rows": "zero"}
        before = attend(q, k, v, **options)
        np.testing.assert_allclose(before, by_loops(q, k, v, None, allow & past(n, n)), **CLOSE)
        other_k, other_v = k.copy(), v.copy()
        other_k[:, padded], other_v[:, padded] = 50, 1e100
        np.testing.assert_allclose(attend(q, other_k, other_v, **options), before, **CLOSE)
        other_k, other_v = k.copy(), v.copy()
        other_k[:, 4:], other_v[:, 4:] = 50, 1e100
        np.testing.assert_allclose(attend(q, other_k, other_v, **options)[:, :4], before[:, :4], **CLOSE)


@promise
def what_nobody_may_see_may_be_undefined(attend):
    for bad in (np.nan, np.inf, -np.inf):
        q, k, v = usual(2)
        allow = np.array([[[True, True, False, True, True]], [[False, True, True, True, True]]])
        expected = by_loops(q, k, v, None, allow)
        k[0, 2], v[0, 2] = bad, bad  # masked in their own batch only
        k[1, 0, 3], v[1, 0, 0] = bad, bad
        for policy in ("raise", "zero", "skip"):
            np.testing.assert_allclose(attend(q, k, v, allow=allow, empty_rows=policy), expected, **CLOSE)
        q, k, v = usual()
        allow = past(N_Q, N_K, -1)  # the first Query sees nothing, and nobody the last three Keys
        expected = by_loops(q, k, v, None, allow)
        q[0], k[2:], v[2:] = bad, bad, bad
        for policy in ("zero", "skip"):
            out = np.ma.getdata(attend(q, k, v, allow=allow, empty_rows=policy))
            np.testing.assert_allclose(out, expected, **CLOSE)


@promise
def what_somebody_may_see_must_be_finite(attend):
    allow = np.zeros((N_Q, N_K), dtype=bool)
    allow[0, 0] = allow[1, 1] = allow[2, 1] = True
    for bad in (np.nan, np.inf):
        for which, name in enumerate("qkv"):
            given = usual()
            given[which][0, 0] = bad
            for policy in ("raise", "zero", "skip"):
                refuses(ValueError, (name, "finite", "(0, 0)"), attend, *given, allow=allow, empty_rows=policy)
            refuses(ValueError, (name, "finite"), attend, *given)
    q, k, v = usual(2)
    v = v[:1].copy()
    v[0, 4] = np.nan  # masked for one batch, but the other one uses the same Value
    allow = np.ones((2, 1, N_K), dtype=bool)
    allow[0, 0, 4] = False
    refuses(ValueError, ("v", "finite"), attend, q, k, v, allow=allow)


@promise
def a_masked_pair_may_overflow_and_an_allowed_one_not(attend):
    big = np.array([[1e200], [1.0]])
    allow = np.array([[False, True], [True, True]])
    out = attend(big, big, np.eye(2), allow=allow, scale=1e-100)
    np.testing.assert_array_equal(out, [[0, 1], [1, 0]])
    refuses(ValueError, ("scores", "float64"), attend, big, big, np.eye(2), scale=1)
    out = attend(big, big, np.eye(2), allow=allow, scale=1)
    np.testing.assert_array_equal(out, [[0, 1], [1, 0]])


@promise
def empty_rows_are_refused_by_default(attend):
    given, allow = usual(2), np.ones((2, N_Q, N_K), dtype=bool)
    allow[0, 2] = allow[1, 0] = False
    for options in ({}, {"empty_rows": "raise"}):
        refuses(ValueError, ("2 of 6", "(0, 2)", "empty_rows"), attend, *given, allow=allow, **options)
    refuses(ValueError, ("empty_rows", "'raise'", "'zero'", "'skip'", "'nan'"), attend, *given, empty_rows="nan")
    # only both masks together empty a row
    options = {"allow": np.array([[False, True, True, True, True]]), "causal": True, "align": "top-left"}
    refuses(ValueError, ("1 of 3", "(0,)"), attend, *usual(), **options)


@promise
def empty_rows_become_zero(attend):
    q, k, v = usual(2)
    v = -np.abs(v)
    allow = np.ones((2, N_Q, N_K), dtype=bool)
    allow[0, 2] = allow[1, 0] = False
    out = attend(q, k, v, allow=allow, empty_rows="zero")
    assert not isinstance(out, np.ma.MaskedArray)
    assert (out[0, 2] == 0).all() and (out[1, 0] == 0).all() and not np.signbit(out[0, 2]).any()
    np.testing.assert_allclose(out, by_loops(q, k, v, None, allow), **CLOSE)
    none = attend(q, k, v, allow=np.zeros((1, 1), dtype=bool), empty_rows="zero")
    np.testing.assert_array_equal(none, np.zeros((2, N_Q, D_V)))
    half = attend(*usual(dtype=np.float16), allow=np.zeros((1, 1), dtype=bool), empty_rows="zero")
    assert half.dtype == np.float16 and (half == 0).all()


@promise
def empty_rows_are_left_out(attend):
    q, k, v = usual()
    allow = np.ones((N_Q, N_K), dtype=bool)
    allow[1] = False
    out = attend(q, k, v, allow=allow, empty_rows="skip")
    assert isinstance(out, np.ma.MaskedArray) and out.shape == (N_Q, D_V) and out.fill_value == 0
    np.testing.assert_array_equal(np.ma.getmaskarray(out), [[False] * D_V, [True] * D_V, [False] * D_V])
    assert (out.data[1] == 0).all()
    kept = by_loops(q[[0, 2]], k, v)
    np.testing.assert_allclose(out.mean(axis=0), kept.mean(axis=0), **CLOSE)
    whole = attend(q, k, v, empty_rows="skip")
    assert isinstance(whole, np.ma.MaskedArray) and not np.ma.getmaskarray(whole).any()
    np.testing.assert_allclose(whole.data, by_loops(q, k, v), **CLOSE)


@promise
def wrong_types_are_named(attend):
    q, k, v = usual()
    for which, name in enumerate("qkv"):
        for wrong, says in ((np.ones((5, 7), dtype=int), "int64"), (np.ones((5, 7), dtype=bool), "bool"),
                            ([[1.0] * 7] * 5, "list")):  # fmt: skip
            given = [q, k, v]
            given[which] = wrong
            refuses(TypeError, (f"{name}:", says, "float64"), attend, *given)
    masked = np.where(past(N_Q, N_K), 0.0, -np.inf)
    refuses(TypeError, ("allow", "additive", "mask == 0", "(3, 5)"), attend, q, k, v, allow=masked)
    refuses(TypeError, ("allow", "int64", "astype(bool)"), attend, q, k, v, allow=past(N_Q, N_K).astype(np.int64))
    refuses(TypeError, ("allow", "list"), attend, q, k, v, allow=past(N_Q, N_K).tolist())
    refuses(TypeError, ("scale", "True"), attend, q, k, v, scale=True)
    refuses(ValueError, ("scale", "nan"), attend, q, k, v, scale=math.nan)


@promise
def wrong_shapes_are_named(attend):
    q, k, v = usual()
    cases = (
        ((q, k[:, :2], v), ("q and k", "7", "2", "(3, 7)", "(5, 2)")),
        ((q[:, :0], k[:, :0], v), ("d_k", "(3, 0)", "(5, 0)")),
        ((q, k[:0], v[:0]), ("Key", "(0, 7)")),
        ((q, k, v[:4]), ("k and v", "5", "4", "(5, 7)", "(4, 11)")),
        ((q[0], k, v), ("q:", "(7,)", "np.newaxis")),
        ((draw(1, 2, 3, 7), draw(2, 13, 5, 7), v), ("q and k", "(2,)", "(13,)", "broadcast")),
        ((draw(1, 2, 3, 7), k, draw(3, 13, 5, 11)), ("v", "(2,)", "(13,)", "broadcast")),
    )
    for given, words in cases:
        refuses(ValueError, words, attend, *given)


@promise
def wrong_masks_are_named(attend):
    q, k, v = draw(1, 2, 3, 5, 11), draw(2, 2, 3, 7, 11), draw(3, 2, 3, 7, 13)
    yes = np.ones((2, 3, 5, 7), dtype=bool)
    cases = (
        (yes[0, 0, 0], ("allow", "(7,)", "(2, 3, 5, 7)", "allow[np.newaxis, :]")),
        (yes[0, 0, :, 0], ("allow", "(5,)", "(2, 3, 5, 7)", "allow[:, np.newaxis]")),
        (yes[:, 0], ("allow", "(2, 5, 7)", "(2, 3, 5, 7)", "allow[:, np.newaxis]")),
        (yes[np.newaxis], ("allow", "(1, 2, 3, 5, 7)", "(2, 3, 5, 7)")),
        (yes[0, 0].T, ("allow", "(7, 5)", "(5, 7)", "swapaxes")),
        (yes[..., :3], ("allow", "(2, 3, 5, 3)", "(2, 3, 5, 7)")),
        (np.ones((13, 1, 5, 7), dtype=bool), ("allow", "(13, 1, 5, 7)", "broadcast")),
    )
    for allow, words in cases:
        refuses(ValueError, words, attend, q, k, v, allow=allow)
