"""online_attend equals attend for every block, holds little, and keeps every promise about masks."""

import functools
import importlib.util
import math
import tracemalloc
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interview_book.attention import attend
from interview_book.attention.blockwise import online_attend
from interview_book.attention.masks import pairs


def _beside(stem):
    """The module of that name beside this file; pytest imports test files as no package."""
    spec = importlib.util.spec_from_file_location(f"{stem}_beside_blockwise", Path(__file__).with_name(f"{stem}.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


contract = _beside("contract")
N_Q, N_K, D_K, D_V = 7, 11, 5, 13
BLOCKS = (1, 2, 3, 5, 7, 10, 11, 12, 10**9)
# Weights of at most 1 times Values below 5, each output a sum of 11; a handful of roundings for each block.
CLOSE = {"rtol": 0, "atol": 5 * 11 * 4 * 2**-53}


def draw(seed, *shape, dtype=np.float64):
    return np.random.Generator(np.random.PCG64(seed)).standard_normal(shape).astype(dtype)


def inputs(*batch, n_q=N_Q, n_k=N_K, dtype=np.float64):
    shapes = ((n_q, D_K), (n_k, D_K), (n_k, D_V))
    return [draw(seed, *batch, *shape, dtype=dtype) for seed, shape in enumerate(shapes)]


def random_allow(seed, *shape, share=0.4):
    return np.random.Generator(np.random.PCG64(seed)).random(shape) < share


MASKS = {
    "none": {},
    "causal, top-left": {"causal": True, "align": "top-left"},
    "causal, bottom-right": {"causal": True, "align": "bottom-right"},
    "padding": {"allow": np.arange(N_K) < np.array([3, 11])[:, np.newaxis, np.newaxis, np.newaxis]},
    "padding of Queries": {"allow": (np.arange(N_Q) < 5)[:, np.newaxis], "empty_rows": "zero"},
    "any": {"allow": random_allow(11, 2, 3, N_Q, N_K), "empty_rows": "zero"},
    "sparse": {"allow": random_allow(13, N_Q, N_K, share=0.1), "empty_rows": "zero"},
    "any and causal": {
        "allow": random_allow(17, 2, 1, N_Q, N_K),
        "causal": True,
        "align": "bottom-right",
        "empty_rows": "zero",
    },
    "nothing": {"allow": np.zeros((N_Q, N_K), dtype=bool), "empty_rows": "zero"},
}


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_it_promises_what_attend_promises(check):
    for block in (1, 2, 64):
        check(functools.partial(online_attend, block=block))


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("block", BLOCKS)
def test_equals_attend_for_every_block(mask, block):
    q, k, v = inputs(2, 3)
    for scale in (None, 3.0):
        ours = online_attend(q, k, v, block=block, scale=scale, **MASKS[mask])
        np.testing.assert_allclose(ours, attend(q, k, v, scale=scale, **MASKS[mask]), **CLOSE)


def test_the_signature_says_what_happens(enforce):
    checked = enforce(online_attend)
    assert checked(*inputs(2, 3), block=3, **MASKS["any"]).shape == (2, 3, N_Q, D_V)
    assert checked(*inputs(), block=3, empty_rows="skip").shape == (N_Q, D_V)


@given(st.integers(1, 13), st.integers(1, 13), st.integers(1, 15), st.integers(0, 2**32), st.booleans())
def test_any_sizes_and_masks(n_q, n_k, block, seed, causal):
    q, k, v = inputs(n_q=n_q, n_k=n_k)
    options = {"allow": random_allow(seed, n_q, n_k, share=0.5), "empty_rows": "zero", "causal": causal}
    options["align"] = "bottom-right" if causal else None
    np.testing.assert_allclose(online_attend(q, k, v, block=block, **options), attend(q, k, v, **options), **CLOSE)


def test_by_hand_with_scores_that_are_logarithms():
    # scores log 1, log 2, log 3, log 6: weights 1/12, 2/12, 3/12, 6/12, in ascending and descending order
    k, v = np.log(np.array([[1.0], [2.0], [3.0], [6.0]])), np.array([[5.0], [7.0], [11.0], [13.0]])
    exact = float(Fraction(5 * 1 + 7 * 2 + 11 * 3 + 13 * 6, 12))
    for order in ([0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]):
        for block in (1, 2, 3, 4):
            ours = online_attend(np.ones((1, 1)), k[order], v[order], block=block)
            np.testing.assert_allclose(ours, [[exact]], rtol=1e-15)


@pytest.mark.parametrize("block", [1, 2, 4])
def test_extreme_scores(block):
    k, v = np.array([[-1.0], [1.0], [0.999], [-1.0]]), np.array([[3.0], [5.0], [7.0], [11.0]])
    for size in (1e3, 1e6, 1e300):
        # the rest of the weight is e^-size/1000 or less
        far = 1 / (1 + math.exp(-size / 1000)) if size < 1e5 else 1.0
        np.testing.assert_allclose(online_attend(np.array([[size]]), k, v, block=block), [[7 - 2 * far]], rtol=1e-12)
        ours = online_attend(np.array([[-size]]), k, v, block=block)
        np.testing.assert_allclose(ours, [[7.0]], rtol=1e-15)  # two Keys tie at the top: (3 + 11)/2
    huge = np.full((4, 1), 1.7e308)
    np.testing.assert_allclose(online_attend(np.array([[1.0]]), k, huge, block=block), [[1.7e308]], rtol=1e-14)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("block", [1, 3, 64])
def test_dtype_is_that_of_the_arguments(dtype, block):
    q, k, v = inputs(2, dtype=dtype)
    ours = online_attend(q, k, v, block=block, causal=True, align="bottom-right")
    assert ours.dtype == dtype
    wide = attend(*(x.astype(np.float64) for x in (q, k, v)), causal=True, align="bottom-right")
    # float16 is rounded once, from float32: half a unit of a number below 4
    np.testing.assert_allclose(ours, wide, rtol=0, atol={np.float16: 2**-10 + 1e-5, np.float32: 1e-5}[dtype])
    in_float32 = online_attend(
        *(x.astype(np.float32) for x in (q, k, v)), block=block, causal=True, align="bottom-right"
    )
    np.testing.assert_array_equal(ours, in_float32.astype(dtype))
    assert online_attend(q, k, v.astype(np.float64), block=block).dtype == np.float64


def test_batch_axes_broadcast():
    q, k, v = draw(1, 2, 1, N_Q, D_K), draw(2, 3, N_K, D_K), draw(3, 5, 1, 1, N_K, D_V)
    for options in ({}, {"causal": True, "align": "bottom-right"}):
        ours = online_attend(q, k, v, block=3, **options)
        assert ours.shape == (5, 2, 3, N_Q, D_V)
        np.testing.assert_allclose(ours, attend(q, k, v, **options), **CLOSE)


@pytest.mark.parametrize("block", [1, 3, 64])
def test_what_is_masked_reaches_nothing(block):
    q, k, v = inputs(2)
    allow = np.ones((2, N_Q, N_K), dtype=bool)
    allow[0, :, 4:6] = False
    allow[1, 2] = False
    options = {"allow": allow, "empty_rows": "zero", "block": block}
    expected = online_attend(q, k, v, **options)
    k[0, 4], k[0, 5], v[0, 4], v[0, 5], q[1, 2] = np.nan, np.inf, -np.inf, np.nan, np.nan
    np.testing.assert_array_equal(online_attend(q, k, v, **options), expected)
    for x, name, place in ((q, "q", (1, 3, 2)), (k, "k", (0, 7, 1)), (v, "v", (1, 5, 3))):
        bad = x.copy()
        bad[place] = np.inf
        given = [bad if name == other else y for other, y in (("q", q), ("k", k), ("v", v))]
        with pytest.raises(ValueError, match=rf"{name}: .*got 1 that .*\({place[0]}, {place[1]}, {place[2]}\)"):
            online_attend(*given, **options)


def test_one_look_from_any_query_counts():
    q, k, v = inputs()
    k[4] = np.nan
    for only in range(N_Q):
        allow = np.ones((N_Q, N_K), dtype=bool)
        allow[:, 4] = np.arange(N_Q) == only
        with pytest.raises(ValueError, match=r"k: .*\(4, 0\)"):
            online_attend(q, k, v, block=2, allow=allow)


def test_a_masked_score_may_overflow_and_an_allowed_one_may_not():
    q, k, v = np.ones((2, 1)), np.array([[1.0], [1e200], [2.0]]), np.array([[3.0], [5.0], [7.0]])
    q[1] = 1e200
    allow = np.array([[True, True, True], [True, False, False]])
    np.testing.assert_array_equal(online_attend(q, k, v, block=1, allow=allow), [[5], [3]])
    with pytest.raises(ValueError, match="scores: the result does not fit into float64"):
        online_attend(q, k, v, block=1)


@pytest.mark.parametrize("block", [1, 3, 64])
def test_empty_rows(block):
    q, k, v = inputs(2)
    allow = random_allow(19, 2, N_Q, N_K)
    allow[1, 2] = allow[0, 6] = False
    with pytest.raises(ValueError, match=r" 2 of 14 rows .*\(0, 6\)"):
        online_attend(q, k, v, block=block, allow=allow)
    assert (online_attend(q, k, v, block=block, allow=allow, empty_rows="zero")[[1, 0], [2, 6]] == 0).all()
    ours = online_attend(q, k, v, block=block, allow=allow, empty_rows="skip")
    theirs = attend(q, k, v, allow=allow, empty_rows="skip")
    assert isinstance(ours, np.ma.MaskedArray) and ours.fill_value == 0
    np.testing.assert_array_equal(np.ma.getmaskarray(ours), np.ma.getmaskarray(theirs))
    np.testing.assert_allclose(ours.data, theirs.data, **CLOSE)
    assert isinstance(online_attend(q, k, v, block=block, empty_rows="skip"), np.ma.MaskedArray)


def test_no_queries_is_an_empty_answer():
    q, k, v = inputs(n_q=0)
    for options in ({}, {"causal": True, "align": "top-left"}):
        assert online_attend(q, k, v, block=3, **options).shape == (0, D_V)


def peak(function):
    """Largest memory in bytes that Python and NumPy held during the call, beside what was there before."""
    function()  # the first call imports numpy.ma, which is not ours to count
    tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        function()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def test_it_never_holds_all_pairs():
    n_q, n_k = 1021, 1031
    q, k, v = inputs(n_q=n_q, n_k=n_k)
    padding = (np.arange(n_k) < 1009)[np.newaxis]
    options = {"causal": True, "align": "bottom-right"}
    # The result and a copy of a few blocks; all pairs would be 1.1 MB as truth values and 8.4 MB as scores.
    limit = 8 * n_q * D_V + 2**19
    assert limit < n_q * n_k
    for masks in ({}, options, options | {"allow": padding}, options | {"allow": padding & np.ones((n_q, 1), bool)}):
        assert peak(lambda masks=masks: online_attend(q, k, v, block=64, empty_rows="zero", **masks)) < limit
    assert peak(lambda: attend(q, k, v)) > 8 * n_q * n_k  # so that the measurement can fail


def test_inputs_stay_as_they_were():
    q, k, v = inputs(2)
    allow = random_allow(23, 2, N_Q, N_K, share=0.9)
    before = [x.copy() for x in (q, k, v, allow)]
    for block in (3, 64):
        online_attend(q, k, v, block=block, allow=allow)[:] = 7
    for x, was in zip((q, k, v, allow), before, strict=True):
        np.testing.assert_array_equal(x, was)


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"block": 0}, ValueError, "block: expected at least 1, got 0"),
        ({"block": -3}, ValueError, "block: expected at least 1, got -3"),
        ({"block": 2.0}, TypeError, r"block: expected a whole number of rows, got 2\.0"),
        ({"block": True}, TypeError, "block: .* got True"),
        ({"causal": True}, ValueError, "align: expected"),
        ({"align": "top-left"}, ValueError, "align: expected nothing without causal"),
        ({"causal": 0}, TypeError, "causal: expected True or False"),
        ({"allow": np.zeros((N_Q, N_K))}, TypeError, "allow: .*additive mask"),
        ({"allow": np.ones(N_K, dtype=bool)}, ValueError, r"allow: .*try allow\[np\.newaxis, :\]"),
        ({"empty_rows": "mean"}, ValueError, "empty_rows: expected one of"),
        ({"scale": "1"}, TypeError, "scale: expected one real number"),
        ({"k": np.ones((N_K, 3))}, ValueError, "q and k: .*d_k, got 5 and 3"),
        ({"k": np.empty((0, D_K)), "v": np.empty((0, D_V))}, ValueError, "k: expected at least one Key"),
        ({"v": np.ones((3, D_V))}, ValueError, "k and v: expected one Value for each Key"),
        ({"v": np.ones((N_K, D_V), dtype=int)}, TypeError, "v: .*got int64"),
    ],
)
def test_bad_arguments_are_named(change, error, says):
    q, k, v = inputs()
    options = {"q": q, "k": k, "v": v, "block": 3} | change
    with pytest.raises(error, match=says):
        online_attend(**options)


def test_the_largest_values_do_not_overflow():
    most = np.finfo(np.float64).max
    for n_k in range(1, 41):
        q, k = draw(n_k, 3, 2), draw(n_k + 1, n_k, 2)
        out = online_attend(q, k, np.full((n_k, 1), -most), block=3)
        np.testing.assert_allclose(out / most, np.full((3, 1), -1), rtol=n_k * 2**-50)


@pytest.mark.parametrize("holes", [False, True])
def test_it_holds_no_truth_value_for_each_feature(holes):
    n_q, n_k, d = 8, 4099, 64
    q, k, v = draw(1, n_q, d), draw(2, n_k, d), draw(3, n_k, d)
    options = {"block": 16}
    if holes:
        options["allow"] = (np.arange(n_k) != 5)[np.newaxis]
        k[5] = v[5] = np.nan
    # A block has 16 (16 + 64 + 64) numbers, of which a few copies live at a time; truth values of k would be n_k d.
    limit = 4 * 8 * 16 * (16 + 2 * d) + 2 * (n_q + n_k) + 8 * n_q * d
    assert limit < n_k * d
    assert peak(lambda: online_attend(q, k, v, **options)) < limit


def test_a_causal_block_costs_no_more_in_a_long_sequence():
    def held(n):
        allowed = [slice(n // 2, n // 2 + 4)] * 2
        return peak(lambda: pairs((n, 1), (n, 1), causal=True, rows=allowed[0], keys=allowed[1]))

    assert held(10**6) < 2**14  # the places of the whole sequence would be 8 MB


def test_batch_axes_of_the_mask_and_of_the_values_must_agree():
    q, k, v = draw(1, 1, 3, 7), draw(2, 1, 5, 7), draw(3, 13, 5, 11)
    with pytest.raises(ValueError, match=r"scores under allow and v: batch axes \(2,\) and \(13,\)"):
        online_attend(q, k, v, block=2, allow=np.ones((2, 3, 5), dtype=bool))


@pytest.mark.parametrize("size", [-50, 50])
def test_a_scale_beyond_the_normal_numbers_of_float32(size):
    q, k, v = inputs(dtype=np.float32)
    part = np.float32(10.0 ** (-size / 2))
    found = online_attend(q * part, k * part, v, block=3, scale=10.0**size)
    np.testing.assert_allclose(found, online_attend(q, k, v, block=3, scale=1.0), rtol=0, atol=1e-4)
