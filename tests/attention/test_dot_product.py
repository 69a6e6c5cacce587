"""scores, weights, mix and attend against an independent einsum, by hand and by invariance; the contract of attend."""

import importlib.util
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interview_book.attention import attend, mix, scores, softmax, weights

N_Q, N_K, D_K, D_V = 3, 5, 7, 11


def _beside(name):
    """Load a module that stands beside this one (pytest imports test files without their folder)."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


contract = _beside("contract")


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_attend_keeps_its_promise(check):
    check(attend)


def draw(seed, *shape, dtype=np.float64):
    return np.random.Generator(np.random.PCG64(seed)).standard_normal(shape).astype(dtype)


def independent(q, k, v, scale):
    """Attention by einsum, in float64, softmax without a shift."""
    s = np.einsum("...qd,...kd->...qk", q.astype(np.float64), k.astype(np.float64)) * scale
    e = np.exp(s)
    p = e / np.einsum("...qk->...q", e)[..., np.newaxis]
    return s, p, np.einsum("...qk,...kd->...qd", p, v.astype(np.float64))


@pytest.mark.parametrize("scale", [None, 1.0, 0.25])
def test_equals_einsum_when_no_two_sizes_agree(checked, scale):
    q, k, v = draw(1, 2, N_Q, D_K), draw(2, 2, N_K, D_K), draw(3, 2, N_K, D_V)
    s, p, o = independent(q, k, v, 1 / math.sqrt(D_K) if scale is None else scale)
    np.testing.assert_allclose(checked.scores(q, k, scale), s, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(checked.weights(q, k, scale=scale), p, rtol=1e-12)
    np.testing.assert_allclose(checked.mix(p, v), o, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(checked.attend(q, k, v, scale=scale), o, rtol=1e-12, atol=1e-14)


@given(st.sampled_from([1, 2, 3, 5, 13]), st.sampled_from([1, 7, 17]), st.sampled_from([1, 2, 11, 19]))
def test_shapes_and_row_sums(n_q, n_k, d_k):
    q, k, v = draw(1, n_q, d_k), draw(2, n_k, d_k), draw(3, n_k, 23)
    p = weights(q, k)
    assert p.shape == (n_q, n_k) and attend(q, k, v).shape == (n_q, 23)
    np.testing.assert_allclose(p.sum(axis=-1), 1, atol=n_k * 2**-53)


def test_batch_axes_broadcast(checked):
    q, k, v = draw(1, 3, 1, N_Q, D_K), draw(2, 5, N_K, D_K), draw(3, 1, 1, N_K, D_V)
    result = checked.attend(q, k, v)
    assert result.shape == (3, 5, N_Q, D_V)
    for a in range(3):
        for b in range(5):
            np.testing.assert_allclose(result[a, b], attend(q[a, 0], k[b], v[0, 0]), rtol=1e-13)


def test_default_divides_by_the_root_of_the_features_of_one_query():
    q, k = np.ones((1, 49)), np.ones((1, 49))
    np.testing.assert_array_equal(scores(q, k), [[7.0]])  # 49/7, and neither 49 nor 49/49
    np.testing.assert_array_equal(scores(q, k, 1), [[49.0]])


def test_scale_multiplies():
    q, k = draw(1, N_Q, D_K), draw(2, N_K, D_K)
    np.testing.assert_array_equal(scores(q, k, 0.5), scores(q, k, 1) / 2)
    np.testing.assert_array_equal(scores(q, k, -1), -scores(q, k, 1))
    np.testing.assert_array_equal(weights(q, k, scale=0), np.full((N_Q, N_K), 1 / N_K))


def test_scaling_keeps_the_order_of_the_keys():
    q, k = draw(1, N_Q, D_K), draw(2, N_K, D_K)
    for scale in (2.0, 0.5, 0.01):
        np.testing.assert_array_equal(weights(q, k, scale=scale).argsort(axis=-1), scores(q, k, 1).argsort(axis=-1))


def test_reordering_keys_with_values_changes_no_output():
    q, k, v = draw(1, N_Q, D_K), draw(2, N_K, D_K), draw(3, N_K, D_V)
    order = [3, 0, 4, 1, 2]
    np.testing.assert_allclose(attend(q, k[order], v[order]), attend(q, k, v), rtol=1e-13)
    # the matrix product may add up in another order
    np.testing.assert_allclose(weights(q, k[order]), weights(q, k)[:, order], rtol=1e-13)
    np.testing.assert_allclose(attend(q[[2, 0, 1]], k, v), attend(q, k, v)[[2, 0, 1]], rtol=1e-13)


def test_output_lies_between_the_values(checked):
    q, k, v = draw(1, 17, D_K), draw(2, N_K, D_K), draw(3, N_K, D_V)
    o = checked.attend(q, k, v)
    assert ((o >= v.min(axis=0) - 1e-14) & (o <= v.max(axis=0) + 1e-14)).all()
    np.testing.assert_allclose(attend(q, k, np.full((N_K, 1), 3.0)), 3, rtol=1e-15)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_dtype_is_that_of_the_arguments(checked, dtype):
    q, k, v = draw(1, N_Q, D_K, dtype=dtype), draw(2, N_K, D_K, dtype=dtype), draw(3, N_K, D_V, dtype=dtype)
    s, p, o = independent(q, k, v, 1 / math.sqrt(D_K))
    half_unit = float(np.finfo(dtype).eps) / 2
    for result, exact in ((checked.scores(q, k), s), (checked.weights(q, k), p), (checked.attend(q, k, v), o)):
        assert result.dtype == dtype
        # numbers below 8, three roundings on the way at most
        np.testing.assert_allclose(result.astype(np.float64), exact, atol=3 * 8 * half_unit)


def test_mixed_dtypes_widen_and_a_scalar_does_not():
    q, k = draw(1, N_Q, D_K, dtype=np.float32), draw(2, N_K, D_K)
    assert scores(q, k).dtype == np.float64
    assert scores(q, k.astype(np.float32), np.float64(0.5)).dtype == np.float32


def test_float16_is_scaled_before_the_product():
    forty = np.full((1, 64), 40, dtype=np.float16)
    np.testing.assert_array_equal(scores(forty, forty), [[12800]])  # 102400/8: the raw score is beyond 65504
    with pytest.raises(ValueError, match=r"scores: the result does not fit into float16 .* 65504\); try a"):
        scores(forty, forty, 1)
    with pytest.raises(ValueError, match="scores: the result does not fit into float64"):
        scores(np.full((1, 2), 1e200), np.full((1, 2), 1e200))


def test_float16_adds_up_in_float32():
    q, k = np.ones((1, 4099), dtype=np.float16), np.ones((1, 4099), dtype=np.float16)
    np.testing.assert_array_equal(scores(q, k, 1), [[np.float16(4099)]])  # a float16 sum would stand still at 2048


def test_no_queries_is_an_empty_answer(checked):
    assert checked.attend(np.empty((0, D_K)), draw(2, N_K, D_K), draw(3, N_K, D_V)).shape == (0, D_V)


@pytest.mark.parametrize(
    ("q", "k", "error", "says"),
    [
        (draw(1, 3, 7), draw(2, 5, 2), ValueError, r"q and k: .*d_k, got 7 and 2 \(q \(3, 7\), k \(5, 2\)\); project"),
        (np.empty((3, 0)), np.empty((5, 0)), ValueError, r"d_k ≥ 1, got 0 \(q \(3, 0\), k \(5, 0\)\)"),
        (draw(1, 3, 7), np.empty((0, 7)), ValueError, r"k: expected at least one Key.*\(q \(3, 7\), k \(0, 7\)\)"),
        (draw(1, 2, 3, 7), draw(2, 5, 11, 7), ValueError, r"q and k: batch axes \(2,\) and \(5,\) do not broadcast"),
        (np.ones(4), np.ones((2, 4)), ValueError, r"q: expected shape \(.*n_q, d_k\), got \(4,\); try q\[np\.newaxis"),
        (np.ones((1, 4)), np.ones(4), ValueError, r"k: expected shape \(\.\.\., n_k, d_k\), got \(4,\)"),
        (np.ones((1, 4), dtype=int), np.ones((2, 4)), TypeError, r"q: .*got int64 of shape \(1, 4\); try q\.astype"),
        (np.ones((1, 4)), np.ones((2, 4), dtype=bool), TypeError, "k: .*got bool"),
        (np.ones((1, 4)), [[1.0] * 4], TypeError, "k: expected a NumPy array"),
        (np.array([[1.0, np.nan]]), np.ones((2, 2)), ValueError, r"q: .*got 1 that .*index \(0, 1\), shape \(1, 2\)"),
        (np.ones((1, 2)), np.array([[1.0, 1.0], [np.inf, 1.0]]), ValueError, r"k: .*got 1 that .*index \(1, 0\)"),
    ],
)
def test_bad_queries_and_keys_are_named(q, k, error, says):
    for function in (scores, weights, lambda q, k: attend(q, k, np.ones((2, 1)))):
        with pytest.raises(error, match=says):
            function(q, k)


@pytest.mark.parametrize(
    ("scale", "error", "says"),
    [
        (True, TypeError, "scale: expected one real number"),
        ("0.5", TypeError, "got '0.5'; try scale=1.0"),
        (np.ones(2), TypeError, "scale: expected one real number"),
        (math.nan, ValueError, "scale: expected a finite number, got nan"),
        (math.inf, ValueError, "1/sqrt"),
    ],
)
def test_bad_scale_is_named(scale, error, says):
    with pytest.raises(error, match=says):
        scores(np.ones((1, 4)), np.ones((2, 4)), scale)


@pytest.mark.parametrize(
    ("p", "v", "error", "says"),
    [
        (draw(1, 3, 5), draw(2, 7, 2), ValueError, r"p and v: .*5 Keys and 7 Values \(p \(3, 5\), v \(7, 2\)\); v has"),
        (np.empty((3, 0)), np.empty((0, 2)), ValueError, r"p and v: expected at least one Key"),
        (draw(1, 2, 3, 5), draw(2, 7, 5, 2), ValueError, r"p and v: batch axes \(2,\) and \(7,\)"),
        (np.ones(5), draw(2, 5, 2), ValueError, r"p: expected shape \(\.\.\., n_q, n_k\)"),
        (draw(1, 3, 5), np.ones(5), ValueError, r"v: expected shape \(\.\.\., n_k, d_v\), got \(5,\)"),
        (draw(1, 3, 5), np.ones((5, 2), dtype=np.int32), TypeError, "v: .*got int32"),
        (draw(1, 3, 5), np.full((5, 2), np.nan), ValueError, "v: expected finite numbers, got 10"),
    ],
)
def test_bad_weights_and_values_are_named(p, v, error, says):
    with pytest.raises(error, match=says):
        mix(p, v)


def test_inputs_stay_as_they_were():
    q, k, v = draw(1, N_Q, D_K), draw(2, N_K, D_K), draw(3, N_K, D_V)
    before = [x.copy() for x in (q, k, v)]
    for result in (scores(q, k, 1), weights(q, k), attend(q, k, v), mix(softmax(scores(q, k)), v)):
        result[:] = 7
    for x, was in zip((q, k, v), before, strict=True):
        np.testing.assert_array_equal(x, was)


def some_mask(*shape):
    """A mask that leaves the first Key to everybody."""
    allow = draw(4, *shape) > 0
    allow[..., 0] = True
    return allow


def test_weights_are_what_attend_mixes(checked):
    q, k, v, allow = draw(1, 2, N_Q, D_K), draw(2, N_K, D_K), draw(3, N_K, D_V), some_mask(2, N_Q, N_K)
    options = {"allow": allow, "causal": True, "align": "bottom-right", "scale": 0.5}
    p = checked.weights(q, k, **options)
    allowed = allow & (np.arange(N_K) <= np.arange(N_Q)[:, np.newaxis] + N_K - N_Q)
    assert (p[~allowed] == 0).all() and (p[allowed] > 0).all()
    np.testing.assert_allclose(p.sum(axis=-1), 1, atol=N_K * 2**-53)
    e = np.where(allowed, np.exp(0.5 * np.einsum("bqf,kf->bqk", q, k)), 0)
    np.testing.assert_allclose(p, e / e.sum(axis=-1, keepdims=True), rtol=1e-13)
    np.testing.assert_allclose(checked.mix(p, v), checked.attend(q, k, v, **options), rtol=1e-13, atol=1e-15)


def test_weights_follow_the_policy_of_empty_rows(checked):
    q, k, allow = draw(1, N_Q, D_K), draw(2, N_K, D_K), np.array([[True], [False], [True]])
    with pytest.raises(ValueError, match=r"none in 1 of 3 rows \(first at index \(1,\)"):
        weights(q, k, allow=allow)
    zero = checked.weights(q, k, allow=allow, empty_rows="zero")
    np.testing.assert_array_equal(zero.sum(axis=-1) > 0.5, allow[:, 0])
    assert (zero[1] == 0).all()
    skipped = checked.weights(q, k, allow=allow, empty_rows="skip")
    np.testing.assert_array_equal(np.ma.getmaskarray(skipped), np.broadcast_to(~allow, (N_Q, N_K)))
    np.testing.assert_array_equal(skipped.data, zero)
    assert isinstance(checked.weights(q, k, empty_rows="skip"), np.ma.MaskedArray)


def test_masked_keys_may_be_undefined_for_weights(checked):
    q, k = draw(1, N_Q, D_K), draw(2, N_K, D_K)
    allow = np.array([[True, True, False, True, True]])
    expected = checked.weights(q, k[[0, 1, 3, 4]])
    k[2] = np.nan
    p = checked.weights(q, k, allow=allow)
    assert (p[:, 2] == 0).all()
    np.testing.assert_allclose(p[:, [0, 1, 3, 4]], expected, rtol=1e-13)
    with pytest.raises(ValueError, match=r"k: .*index \(2, 0\)"):
        weights(q, k)


def test_float16_weights_are_rounded_once():
    q, k = draw(1, N_Q, 64, dtype=np.float16), draw(2, N_K, 64, dtype=np.float16)
    _, p, _ = independent(q, k, np.ones((N_K, 1)), 30 / 8)  # scores up to 100: a float16 there is off by 1/32
    # a weight below 1 rounded once is off by 2⁻¹² at most; float32 scores add 100 · 2⁻²³
    np.testing.assert_allclose(weights(q, k, scale=30 / 8), p, rtol=0, atol=2**-12 + 100 * 2**-22)


def test_extreme_rows_of_float16():
    q, k = np.array([[65504.0], [-65504.0]], dtype=np.float16), np.array([[65504.0], [-65504.0]], dtype=np.float16)
    v = np.array([[1.0], [2.0]], dtype=np.float16)
    np.testing.assert_array_equal(attend(q, k, v, scale=1), [[1], [2]])


@given(st.sampled_from([1, 2, 3, 5, 13]), st.sampled_from([1, 7, 17]), st.booleans(), st.sampled_from(["zero", "skip"]))
def test_masks_equal_the_softmax_of_what_is_left(n_q, n_k, causal, policy):
    q, k, v, allow = draw(1, n_q, 5), draw(2, n_k, 5), draw(3, n_k, 11), draw(4, n_q, n_k) > 0
    options = {"causal": True, "align": "bottom-right"} if causal else {}
    out = np.ma.getdata(attend(q, k, v, allow=allow, empty_rows=policy, **options))
    seen = allow & np.tri(n_q, n_k, n_k - n_q, dtype=bool) if causal else allow
    for i in range(n_q):
        expected = attend(q[[i]], k[seen[i]], v[seen[i]])[0] if seen[i].any() else np.zeros(11)
        np.testing.assert_allclose(out[i], expected, rtol=1e-12, atol=1e-14)


def test_batch_axes_of_the_mask_and_of_the_values_must_agree():
    q, k, v = draw(1, 1, 3, 7), draw(2, 1, 5, 7), draw(3, 13, 5, 11)
    says = r"scores under allow and v: batch axes \(2,\) and \(13,\) .*\(2, 3, 5\), v \(13, 5, 11\)"
    for options in ({}, {"empty_rows": "zero"}):
        with pytest.raises(ValueError, match=says):
            attend(q, k, v, allow=np.ones((2, 3, 5), dtype=bool), **options)


@pytest.mark.parametrize("size", [-50, 50])
def test_a_scale_beyond_the_normal_numbers_of_float32(size):
    q, k = draw(1, 3, 7), draw(2, 5, 7)
    part = 10.0 ** (-size / 2)
    found = scores((q * part).astype(np.float32), (k * part).astype(np.float32), scale=10.0**size)
    # seven products below 10, each of three numbers rounded to float32
    np.testing.assert_allclose(found, q @ k.T, rtol=0, atol=7 * 10 * 4 * 2**-24)
    np.testing.assert_array_equal(scores(q.astype(np.float32), k.astype(np.float32), scale=1e-300), np.zeros((3, 5)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_an_average_of_the_largest_numbers_is_one(dtype):
    most = float(np.finfo(dtype).max)
    for n_k in range(1, 41):  # for most of them the rounded weights add up to more than 1
        q, k = draw(n_k, 3, 2, dtype=dtype), draw(n_k + 1, n_k, 2, dtype=dtype)
        for sign in (1, -1):
            out = attend(q, k, np.full((n_k, 1), sign * most, dtype=dtype))
            np.testing.assert_allclose(out / dtype(most), np.full((3, 1), sign), rtol=n_k * float(np.finfo(dtype).eps))
