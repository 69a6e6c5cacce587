"""Heads: layouts by hand, multi_head against an independent einsum and against one head at a time."""

import math

import numpy as np
import pytest

from interview_book.attention import attend
from interview_book.attention.heads import merge_heads, multi_head, repeat_groups, split_heads

# Distinct primes throughout; widths are products of them.
B, N_Q, N_K, H, H_KV, D_K, D_V, D_MODEL, D_KV, D_OUT = 2, 3, 5, 6, 2, 7, 11, 13, 17, 19


def draw(seed, *shape, dtype=np.float64):
    return np.random.Generator(np.random.PCG64(seed)).standard_normal(shape).astype(dtype)


def arguments(kv_heads=H, dtype=np.float64, batch=(B,)):
    """Embeddings and matrices, scaled so that the scores are of order 1."""
    x_q, x_kv = draw(1, *batch, N_Q, D_MODEL), draw(2, *batch, N_K, D_KV)
    w_q, w_k = draw(3, D_MODEL, H * D_K) / math.sqrt(D_MODEL), draw(4, D_KV, kv_heads * D_K) / math.sqrt(D_KV)
    w_v, w_o = draw(5, D_KV, kv_heads * D_V) / math.sqrt(D_KV), draw(6, H * D_V, D_OUT) / math.sqrt(H * D_V)
    return [x.astype(dtype) for x in (x_q, x_kv, w_q, w_k, w_v, w_o)]


def biases(kv_heads=H):
    return {
        "b_q": draw(7, H * D_K),
        "b_k": draw(8, kv_heads * D_K),
        "b_v": draw(9, kv_heads * D_V),
        "b_o": draw(10, 19),
    }


def independent(x_q, x_kv, w_q, w_k, w_v, w_o, kv_heads, allow=None, scale=None, b_q=0, b_k=0, b_v=0, b_o=0):
    """Multi-head attention by einsum on one axis per letter; the Key head of Query head i is i // (h/h_kv)."""
    q = (np.einsum("bnm,mc->bnc", x_q, w_q) + b_q).reshape(B, N_Q, H, D_K)
    k = (np.einsum("bnm,mc->bnc", x_kv, w_k) + b_k).reshape(B, N_K, kv_heads, D_K)
    v = (np.einsum("bnm,mc->bnc", x_kv, w_v) + b_v).reshape(B, N_K, kv_heads, D_V)
    total = np.zeros((B, N_Q, w_o.shape[1])) + b_o
    for i in range(H):
        j = i // (H // kv_heads)
        z = np.einsum("bqd,bkd->bqk", q[:, :, i], k[:, :, j]) * (1 / math.sqrt(D_K) if scale is None else scale)
        e = np.exp(z) if allow is None else np.exp(z) * np.broadcast_to(allow, (B, H, N_Q, N_K))[:, i]
        p = e / e.sum(axis=-1, keepdims=True)
        total += np.einsum("bqk,bkd->bqd", p, v[:, :, j]) @ w_o[i * D_V : (i + 1) * D_V]
    return total


# Sums of a few hundred terms of order 1 in another order.
CLOSE = {"rtol": 1e-11, "atol": 1e-13}


def test_split_by_hand():
    x = np.arange(12.0).reshape(2, 6)  # two rows, three heads of two features
    split = split_heads(x, 3)
    assert split.tolist() == [[[0, 1], [6, 7]], [[2, 3], [8, 9]], [[4, 5], [10, 11]]]
    np.testing.assert_array_equal(merge_heads(split), x)
    # a plain reshape, the usual slip, would mix the rows
    assert split.tolist() != x.reshape(3, 2, 2).tolist()


@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
def test_split_and_merge_are_inverse(batch):
    x = draw(1, *batch, N_Q, H * D_K)
    split = split_heads(x, H)
    assert split.shape == (*batch, H, N_Q, D_K)
    for i in range(H):
        np.testing.assert_array_equal(split[..., i, :, :], x[..., i * D_K : (i + 1) * D_K])
    np.testing.assert_array_equal(merge_heads(split), x)
    np.testing.assert_array_equal(split_heads(merge_heads(split), H), split)


def test_repeat_is_no_tile():
    a, b = draw(1, N_K, D_K), draw(2, N_K, D_K)
    repeated = repeat_groups(np.stack([a, b]), 2)
    np.testing.assert_array_equal(repeated, np.stack([a, a, b, b]))
    assert not np.array_equal(repeated, np.tile(np.stack([a, b]), (2, 1, 1)))
    np.testing.assert_array_equal(repeat_groups(draw(3, B, 3, N_K, D_K), 1), draw(3, B, 3, N_K, D_K))


def test_results_are_new():
    x = draw(1, 3, N_K, 2)
    before = x.copy()
    for result in (split_heads(x, 1), split_heads(x, 2), merge_heads(x), repeat_groups(x, 1)):
        result[:] = 7
    np.testing.assert_array_equal(x, before)


@pytest.mark.parametrize("kv_heads", [H, 3, H_KV, 1])
@pytest.mark.parametrize("scale", [None, 0.25])
def test_equals_einsum(kv_heads, scale):
    given, extra = arguments(kv_heads), biases(kv_heads)
    plain = multi_head(*given, heads=H, kv_heads=kv_heads, scale=scale)
    assert plain.shape == (B, N_Q, D_OUT)
    np.testing.assert_allclose(plain, independent(*given, kv_heads, scale=scale), **CLOSE)
    biased = multi_head(*given, heads=H, kv_heads=kv_heads, scale=scale, **extra)
    np.testing.assert_allclose(biased, independent(*given, kv_heads, scale=scale, **extra), **CLOSE)
    assert not np.allclose(plain, biased)


def test_the_signatures_say_what_happens(enforce):
    checked = [enforce(f) for f in (split_heads, merge_heads, repeat_groups, multi_head)]
    x = draw(1, B, N_Q, H * D_K)
    np.testing.assert_array_equal(checked[1](checked[0](x, H)), x)
    assert checked[2](draw(1, B, H_KV, N_K, D_V), 3).shape == (B, H, N_K, D_V)
    mask = np.ones((N_Q, N_K), dtype=bool)
    for policy in ("raise", "skip"):
        ours = checked[3](*arguments(H_KV), heads=H, kv_heads=H_KV, allow=mask, empty_rows=policy, **biases(H_KV))
        assert ours.shape == (B, N_Q, D_OUT)


def test_one_head_is_attention():
    x_q, x_kv, *_ = arguments()
    w_q, w_k, w_v, w_o = draw(3, D_MODEL, D_K), draw(4, D_KV, D_K), draw(5, D_KV, D_V), draw(6, D_V, D_OUT)
    ours = multi_head(x_q, x_kv, w_q, w_k, w_v, w_o, heads=1)
    np.testing.assert_allclose(ours, attend(x_q @ w_q, x_kv @ w_k, x_kv @ w_v) @ w_o, **CLOSE)


def test_the_scale_is_that_of_one_head():
    given = arguments()
    ours = multi_head(*given, heads=H)
    np.testing.assert_array_equal(ours, multi_head(*given, heads=H, scale=1 / math.sqrt(D_K)))
    for width in (H * D_K, D_MODEL, D_V):
        assert not np.allclose(ours, multi_head(*given, heads=H, scale=1 / math.sqrt(width)), rtol=1e-3)


def test_grouped_queries_are_repeated_columns():
    given = arguments(H_KV)
    wide = list(given)
    for place, d in ((3, D_K), (4, D_V)):
        columns = given[place].reshape(D_KV, H_KV, d)
        wide[place] = np.stack([columns[:, i // 3] for i in range(H)], axis=1).reshape(D_KV, H * d)
    np.testing.assert_allclose(multi_head(*given, heads=H, kv_heads=H_KV), multi_head(*wide, heads=H), **CLOSE)


def test_masks_of_both_ranks():
    given = arguments()
    rng = np.random.Generator(np.random.PCG64(11))
    shared = rng.random((N_Q, N_K)) < 0.6
    shared[:, 2] = True
    np.testing.assert_allclose(multi_head(*given, heads=H, allow=shared), independent(*given, H, allow=shared), **CLOSE)
    padding = (np.arange(N_K) < np.array([2, 4])[:, np.newaxis])[:, np.newaxis, np.newaxis]  # (B, 1, 1, n_k)
    np.testing.assert_allclose(
        multi_head(*given, heads=H, allow=padding), independent(*given, H, allow=padding), **CLOSE
    )
    per_head = rng.random((B, H, N_Q, N_K)) < 0.6
    per_head[..., 1] = True
    np.testing.assert_allclose(
        multi_head(*given, heads=H, allow=per_head), independent(*given, H, allow=per_head), **CLOSE
    )
    causal = np.array([[j - i <= N_K - N_Q for j in range(N_K)] for i in range(N_Q)])
    np.testing.assert_allclose(
        multi_head(*given, heads=H, allow=padding, causal=True, align="bottom-right"),
        independent(*given, H, allow=padding & causal),
        **CLOSE,
    )


def test_a_mask_without_the_axis_of_heads_is_refused():
    # with B = H a mask (B, n_q, n_k) would silently mean the heads
    for batch in (B, H):
        given = arguments(batch=(batch,))
        allow = np.ones((batch, N_Q, N_K), dtype=bool)
        with pytest.raises(ValueError, match=r"allow: .*rank 2 or 4 .*allow\[:, np\.newaxis\].*heads"):
            multi_head(*given, heads=H, allow=allow)
        ours = multi_head(*given, heads=H, allow=allow[:, np.newaxis])
        np.testing.assert_array_equal(ours, multi_head(*given, heads=H))


@pytest.mark.parametrize("policy", ["zero", "skip"])
def test_a_masked_embedding_reaches_nothing(policy):
    given = arguments()
    allow = np.ones((B, 1, N_Q, N_K), dtype=bool)
    allow[0, :, :, 3:] = False
    allow[1, :, 2] = False
    expected = multi_head(*given, heads=H, allow=allow, empty_rows=policy)
    poisoned = [x.copy() for x in given]
    poisoned[1][0, 3:] = [[np.nan], [np.inf]]
    poisoned[0][1, 2] = np.nan  # a Query that sees nothing
    ours = multi_head(*poisoned, heads=H, allow=allow, empty_rows=policy)
    np.testing.assert_array_equal(np.ma.getdata(ours), np.ma.getdata(expected))
    poisoned[1][1, 0] = np.nan
    with pytest.raises(ValueError, match=r"k: .*\[q, k, v: x_q, x_kv, x_kv, each projected"):
        multi_head(*poisoned, heads=H, allow=allow, empty_rows=policy)


def test_empty_rows():
    given, b_o = arguments(), draw(10, D_OUT)
    allow = np.ones((B, H, N_Q, N_K), dtype=bool)
    allow[1, :, 2] = False  # in every head
    allow[0, 4, 1] = False  # in one head
    with pytest.raises(ValueError, match=f" {H + 1} of {B * H * N_Q} rows"):
        multi_head(*given, heads=H, allow=allow)
    zero = multi_head(*given, heads=H, allow=allow, b_o=b_o, empty_rows="zero")
    np.testing.assert_array_equal(zero[1, 2], b_o)
    others = list(given)
    others[5] = given[5].copy()
    others[5][4 * D_V : 5 * D_V] = 0  # what head 4 says is not heard
    np.testing.assert_allclose(zero[0, 1], multi_head(*others, heads=H, b_o=b_o)[0, 1], **CLOSE)
    skip = multi_head(*given, heads=H, allow=allow, b_o=b_o, empty_rows="skip")
    assert isinstance(skip, np.ma.MaskedArray) and skip.fill_value == 0
    mask = np.zeros((B, N_Q, D_OUT), dtype=bool)
    mask[1, 2] = True
    np.testing.assert_array_equal(np.ma.getmaskarray(skip), mask)
    np.testing.assert_array_equal(skip.data, np.where(mask, 0, zero))
    assert isinstance(multi_head(*given, heads=H, empty_rows="skip"), np.ma.MaskedArray)


def test_batches_broadcast_and_may_be_missing():
    x_q, x_kv, *matrices = arguments()
    ours = multi_head(x_q[:, np.newaxis], x_kv, *matrices, heads=H)
    assert ours.shape == (B, B, N_Q, D_OUT)
    single = multi_head(x_q[1], x_kv[0], *matrices, heads=H)
    np.testing.assert_allclose(ours[1, 0], single, **CLOSE)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_dtype_is_that_of_the_arguments(dtype):
    given = arguments(dtype=dtype)
    ours = multi_head(*given, heads=H)
    assert ours.dtype == dtype
    exact = independent(*(x.astype(np.float64) for x in given), H)
    # float16 is rounded once, from float32: half a unit of a number below 4; float32 sums a few hundred terms
    np.testing.assert_allclose(ours, exact, rtol=0, atol={np.float16: 2**-10 + 1e-5, np.float32: 1e-5}[dtype])
    np.testing.assert_array_equal(ours, multi_head(*(x.astype(np.float32) for x in given), heads=H).astype(dtype))


def test_inputs_stay_as_they_were():
    given, extra = arguments(), biases()
    before = [x.copy() for x in (*given, *extra.values())]
    multi_head(*given, heads=H, **extra)[:] = 7
    for x, was in zip((*given, *extra.values()), before, strict=True):
        np.testing.assert_array_equal(x, was)


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"heads": 0}, ValueError, "heads: expected at least 1, got 0"),
        ({"heads": -2}, ValueError, "heads: expected at least 1, got -2"),
        ({"heads": 5}, ValueError, r"w_q: expected columns that 5 heads can share, got 42 \(shape \(13, 42\)\)"),
        ({"heads": 6.0}, TypeError, r"heads: expected a whole number, got 6\.0"),
        ({"heads": True}, TypeError, "heads: expected a whole number, got True"),
        ({"kv_heads": 4}, ValueError, "kv_heads: expected a divisor of heads = 6, got 4"),
        ({"kv_heads": 0}, ValueError, "kv_heads: expected at least 1, got 0"),
        ({"kv_heads": 2}, ValueError, r"w_q and w_k: expected the same d_k .* got 7 and 21"),
        ({"w_q": draw(1, 42, 13)}, ValueError, r"w_q: expected shape \(13, …\).*got \(42, 13\).*try w_q\.T"),
        ({"w_o": draw(1, 65, 19)}, ValueError, r"w_o: expected shape \(66, …\)"),
        ({"w_v": np.ones(17)}, ValueError, r"w_v: expected shape \(n, d\), got \(17,\)"),
        ({"w_v": np.ones((13, 66))}, ValueError, r"w_v: expected shape \(17, …\), one row per feature of x_kv"),
        ({"w_v": np.ones((17, 6, 11))}, ValueError, r"w_v: expected shape \(17, …\).* got \(17, 6, 11\)"),
        ({"w_v": np.ones((17, 66), dtype=int)}, TypeError, "w_v: .*got int64"),
        ({"w_v": np.full((17, 66), np.nan)}, ValueError, "w_v: expected finite numbers"),
        ({"w_k": np.ones((17, 0))}, ValueError, "w_k: expected columns"),
        ({"b_q": np.ones(41)}, ValueError, r"b_q: expected shape \(42,\), one number per column of w_q, got \(41,\)"),
        ({"b_o": np.full(19, np.inf)}, ValueError, "b_o: expected finite numbers"),
        ({"x_q": np.ones(13)}, ValueError, r"x_q: expected shape \(\.\.\., n, d\), got \(13,\)"),
        ({"allow": np.zeros((3, 5))}, TypeError, "allow: expected booleans"),
        ({"causal": True}, ValueError, "align: expected"),
        ({"empty_rows": "mean"}, ValueError, "empty_rows: expected one of"),
    ],
)
def test_bad_arguments_are_named(change, error, says):
    names = ("x_q", "x_kv", "w_q", "w_k", "w_v", "w_o")
    options = dict(zip(names, arguments(), strict=True)) | {"heads": H} | change
    with pytest.raises(error, match=says):
        multi_head(**options)


def test_bad_heads_are_named():
    with pytest.raises(ValueError, match=r"heads: expected a divisor of the width 7, got 2 \(x \(3, 7\)\)"):
        split_heads(draw(1, 3, 7), 2)
    with pytest.raises(ValueError, match="groups: expected at least 1, got 0"):
        repeat_groups(draw(1, 2, 3, 7), 0)
    with pytest.raises(ValueError, match=r"x: expected shape \(\.\.\., h, n, d\), got \(3, 7\)"):
        merge_heads(draw(1, 3, 7))
    with pytest.raises(ValueError, match="h_kv"):
        repeat_groups(draw(1, 3, 7), 2)


def test_the_transpose_is_tried_only_where_it_helps():
    x, w = draw(1, 3, 5), draw(2, 5, 8)
    with pytest.raises(ValueError, match=r"w_q: .* got \(8, 5\) .*torch keeps the transpose: try w_q\.T"):
        multi_head(x, x, w.T, w, w, w.T, heads=2)
    for wrong in (draw(3, 7, 8), draw(3, 2, 5, 8)):
        with pytest.raises(ValueError, match=r"w_q: expected shape \(5, …\).*the widths of both must agree"):
            multi_head(x, x, wrong, w, w, w.T, heads=2)
