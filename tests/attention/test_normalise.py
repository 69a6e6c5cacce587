"""softmax, its logarithm, its Jacobian and its entropy: by hand, by mpmath, by finite differences and by invariance."""

import math
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from interview_book.attention import log_softmax, softmax, softmax_jacobian
from interview_book.attention.normalise import entropy

SHAPES = [(7,), (5, 7), (2, 3, 5)]
rows = arrays(np.float64, st.sampled_from(SHAPES), elements=st.floats(-50, 50))


def exact_softmax(row):
    """An independent softmax and its logarithm in 120 digits, without the shift; log p = −1e−44 keeps 70 of them."""
    with mpmath.workdps(120):
        e = [mpmath.exp(mpmath.mpf(float(x))) for x in row]
        total = mpmath.fsum(e)
        return [float(x / total) for x in e], [float(mpmath.log(x / total)) for x in e]


def test_two_positions_by_hand(checked):
    e4, e2 = math.exp(-4), math.exp(-2)
    np.testing.assert_allclose(checked.softmax(np.array([4.0, 0.0])), [1 / (1 + e4), e4 / (1 + e4)], rtol=1e-15)
    np.testing.assert_allclose(checked.softmax(np.array([2.0, 0.0])), [1 / (1 + e2), e2 / (1 + e2)], rtol=1e-15)


@given(rows)
def test_equals_the_exact_one(z):
    flat = z.reshape(-1, z.shape[-1])
    for row, p, log_p in zip(flat, softmax(z).reshape(flat.shape), log_softmax(z).reshape(flat.shape), strict=True):
        exact, exact_log = exact_softmax(row)
        # exp amplifies the half unit lost in z − max (|z| ≤ 100) to 100 · 2⁻⁵³ relative.
        np.testing.assert_allclose(p, exact, rtol=3e-14)
        np.testing.assert_allclose(log_p, exact_log, rtol=1e-13, atol=0)


def test_log_softmax_keeps_the_digits_of_a_weight_next_to_one(checked):
    with mpmath.workdps(50):
        expected = [float(-mpmath.log1p(mpmath.exp(-40))), float(-40 - mpmath.log1p(mpmath.exp(-40)))]
    np.testing.assert_allclose(checked.log_softmax(np.array([40.0, 0.0])), expected, rtol=1e-14)
    assert expected[0] != 0


@given(rows, st.integers(-64, 64))
def test_common_shift_changes_nothing(z, shift):
    z = np.round(z * 8) / 8  # eighths, so that adding a whole number is exact
    np.testing.assert_array_equal(softmax(z + shift), softmax(z))


@given(rows, st.randoms(use_true_random=False))
def test_keys_may_be_reordered(z, random):
    order = list(range(z.shape[-1]))
    random.shuffle(order)
    np.testing.assert_allclose(softmax(z[..., order]), softmax(z)[..., order], rtol=1e-15 * z.shape[-1])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_rows_are_weights_in_every_dtype(checked, dtype):
    z = np.random.Generator(np.random.PCG64(11)).normal(0, 3, (5, 13)).astype(dtype)
    p = checked.softmax(z)
    assert p.dtype == dtype and (p >= 0).all()
    # 13 roundings of at most half a unit of a number below 1
    np.testing.assert_allclose(p.sum(axis=-1, dtype=np.float64), 1, atol=13 * np.finfo(dtype).eps / 2)
    assert not np.allclose(p.sum(axis=-2, dtype=np.float64), 1)  # the other axis is not normalised
    assert checked.log_softmax(z).dtype == dtype


def test_large_scores_do_not_overflow(checked):
    np.testing.assert_array_equal(checked.softmax(np.array([1e300, -1e300, 1e300])), [0.5, 0, 0.5])
    np.testing.assert_array_equal(checked.softmax(np.array([65504, -65504], dtype=np.float16)), [1, 0])
    np.testing.assert_array_equal(checked.softmax(np.array([3e38, -3e38], dtype=np.float32)), [1, 0])


def test_minus_infinity_takes_no_weight(checked):
    np.testing.assert_array_equal(checked.softmax(np.array([0.0, -np.inf, 0.0])), [0.5, 0, 0.5])
    np.testing.assert_array_equal(checked.log_softmax(np.array([0.0, -np.inf]))[1], -np.inf)


def test_a_single_key_takes_everything(checked):
    np.testing.assert_array_equal(checked.softmax(np.array([[-3.0]])), [[1.0]])
    np.testing.assert_array_equal(checked.softmax_jacobian(np.array([[1.0]])), [[[0.0]]])


def test_jacobian_of_two_positions_by_hand(checked):
    p = 1 / (1 + math.exp(-4))
    expected = p * (1 - p) * np.array([[1, -1], [-1, 1]])
    jacobian = checked.softmax_jacobian(softmax(np.array([4.0, 0.0])))
    np.testing.assert_allclose(jacobian, expected, rtol=1e-13)
    np.testing.assert_allclose(np.linalg.norm(jacobian), 2 * p * (1 - p), rtol=1e-13)
    np.testing.assert_allclose(np.linalg.norm(jacobian, 2), 2 * p * (1 - p), rtol=1e-13)


@given(arrays(np.float64, (5,), elements=st.floats(-8, 8)))
def test_jacobian_is_the_derivative(z):
    jacobian = softmax_jacobian(softmax(z))
    h = 1e-5  # central differences: h²/6 · |third derivative| ≤ 2e-11, rounding 1e-16/h = 1e-11
    for j in range(5):
        step = h * np.eye(5)[j]
        np.testing.assert_allclose(jacobian[:, j], (softmax(z + step) - softmax(z - step)) / (2 * h), atol=2e-10)


@given(rows)
def test_jacobian_is_symmetric_and_flat_in_the_common_direction(z):
    p = softmax(z)
    jacobian = softmax_jacobian(p)
    assert jacobian.shape == (*z.shape, z.shape[-1])
    np.testing.assert_array_equal(jacobian, jacobian.swapaxes(-1, -2))
    # each sum has n terms of at most 1/4
    np.testing.assert_allclose(jacobian.sum(axis=-1), 0, atol=z.shape[-1] * 2**-53)
    independent = np.einsum("...i,ij->...ij", p, np.eye(p.shape[-1])) - np.einsum("...i,...j->...ij", p, p)
    np.testing.assert_allclose(jacobian, independent, atol=1e-15)


def test_jacobian_keeps_digits_next_to_one(checked):
    p = softmax(np.array([40.0, 0.0]))
    with mpmath.workdps(50):
        exact = float(mpmath.exp(-40) / (1 + mpmath.exp(-40)) ** 2)
    np.testing.assert_allclose(np.abs(checked.softmax_jacobian(p)), np.full((2, 2), exact), rtol=1e-14)
    assert 1 - p[0] == 0  # the plain formula would have returned 0


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_jacobian_accepts_weights_rounded_in_their_dtype(checked, dtype):
    p = softmax(np.random.Generator(np.random.PCG64(5)).normal(0, 1, (3, 127)).astype(dtype))
    assert checked.softmax_jacobian(p).dtype == dtype


@pytest.mark.parametrize("function", [softmax, log_softmax, entropy])
@pytest.mark.parametrize(
    ("z", "error", "says"),
    [
        (np.array([4, 0]), TypeError, r"z: .*float64, got int64 of shape \(2,\); try z\.astype"),
        (np.array([True, False]), TypeError, "got bool"),
        (np.array([1, 1j]), TypeError, "got complex128"),
        (np.array([1.0], dtype=np.longdouble), TypeError, "expected float16, float32 or float64"),
        ([4.0, 0.0], TypeError, r"z: expected a NumPy array .* got list; try np\.array\(z"),
        (np.ma.masked_array([4.0, 0.0], [0, 1]), TypeError, "got MaskedArray"),
        (np.float64(4), TypeError, "got float64"),
        (np.array(4.0), ValueError, r"expected shape \(\.\.\., n\), got \(\)"),
        (np.empty((3, 0)), ValueError, r"at least one Key on the last axis, got shape \(3, 0\)"),
        (np.array([[0.0, np.nan, 1.0]]), ValueError, r"1 NaN and 0 \+inf in shape \(1, 3\); try"),
        (np.array([np.inf, 0.0]), ValueError, r"0 NaN and 1 \+inf"),
        (np.array([[0.0, 1.0], [-np.inf, -np.inf]]), ValueError, r"none in 1 of 2 rows \(first at index \(1,\)"),
    ],
)
def test_bad_scores_are_named(function, z, error, says):
    with pytest.raises(error, match=says):
        function(z)


@pytest.mark.parametrize(
    ("p", "error", "says"),
    [
        (np.array([1, 0]), TypeError, "p: .*got int64"),
        (np.array([0.9, 0.2]), ValueError, r"adding up to 1.*shape \(2,\) with sums from 1\.1 to 1\.1.*try softmax"),
        (np.array([1.5, -0.5]), ValueError, "least entry -0.5"),
        (np.array([np.nan, 0.5]), ValueError, "expected weights"),
        (np.empty((2, 0)), ValueError, "at least one Key"),
    ],
)
def test_bad_weights_are_named(p, error, says):
    with pytest.raises(error, match=says):
        softmax_jacobian(p)


@pytest.mark.parametrize("function", [softmax, log_softmax, entropy, lambda z: softmax_jacobian(softmax(z))])
def test_inputs_stay_and_results_are_new(function):
    z = np.array([[4.0, 0.0, -1.0], [1.0, 2.0, 3.0]])
    before = z.copy()
    result = function(z)
    result[:] = 7
    np.testing.assert_array_equal(z, before)


def test_a_logarithm_that_float16_cannot_hold_is_told():
    z = np.array([65504, -65504], dtype=np.float16)
    with pytest.raises(ValueError, match="log softmax does not fit into float16"):
        log_softmax(z)
    assert log_softmax(z.astype(np.float32)).tolist() == [0, -131008]
    assert log_softmax(np.array([1, -np.inf], dtype=np.float16)).tolist() == [0, -np.inf]


MASKED = np.array([[True, True, False, True, True], [False, False, True, False, False], [True] * 5])


@pytest.mark.parametrize("bad", [5.0, 1e300, np.nan, np.inf, -np.inf])
def test_masked_scores_are_not_looked_at(checked, enforce, bad):
    z = np.random.Generator(np.random.PCG64(3)).normal(0, 3, (3, 5))
    expected = [
        (softmax(row[seen]), log_softmax(row[seen]), entropy(row[seen])) for row, seen in zip(z, MASKED, strict=True)
    ]
    z[~MASKED] = bad
    p, log_p, h = checked.softmax(z, MASKED), checked.log_softmax(z, MASKED), enforce(entropy)(z, MASKED)
    assert (p[~MASKED] == 0).all() and np.isneginf(log_p[~MASKED]).all()
    for i, (p_i, log_p_i, h_i) in enumerate(expected):
        np.testing.assert_allclose(p[i, MASKED[i]], p_i, rtol=1e-15)
        np.testing.assert_allclose(log_p[i, MASKED[i]], log_p_i, rtol=1e-14)
        np.testing.assert_allclose(h[i], h_i, rtol=1e-14)


def test_masks_broadcast(checked, enforce):
    z = np.random.Generator(np.random.PCG64(3)).normal(0, 1, (2, 3, 5))
    for allow in (MASKED, MASKED[2:], MASKED[np.newaxis], np.ones((2, 3, 1), dtype=bool)):
        full = np.broadcast_to(allow, z.shape)
        for function in (checked.softmax, checked.log_softmax, enforce(entropy)):
            np.testing.assert_array_equal(function(z, allow), function(z, full))
    assert checked.softmax(z[:1], np.ones((7, 3, 5), dtype=bool)).shape == (7, 3, 5)
    np.testing.assert_array_equal(checked.softmax(np.zeros(3), np.array([True, False, True])), [0.5, 0, 0.5])


@pytest.mark.parametrize("function", [softmax, log_softmax, entropy])
@pytest.mark.parametrize(
    ("allow", "error", "says"),
    [
        (
            np.where(MASKED, 0.0, -np.inf),
            TypeError,
            r"allow: .*float64 of shape \(3, 5\); an additive mask\? try allow =",
        ),
        (MASKED.astype(int), TypeError, r"allow: .*int64.*try allow\.astype\(bool\)"),
        (MASKED[0], ValueError, r"allow: expected rank 2 .*got shape \(5,\); try allow\[np\.newaxis, :\]"),
        (MASKED.T, ValueError, r"allow: expected \(3, 5\) .*got \(5, 3\); try allow\.swapaxes"),
        (np.zeros((3, 5), dtype=bool), ValueError, r"none in 3 of 3 rows \(first at index \(0,\)"),
        (MASKED & [[True] * 5, [False] * 5, [True] * 5], ValueError, r"none in 1 of 3 rows \(first at index \(1,\)"),
    ],
)
def test_bad_masks_of_scores_are_named(function, allow, error, says):
    with pytest.raises(error, match=says):
        function(np.zeros((3, 5)), allow)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_empty_rows_follow_the_policy(checked, enforce, dtype):
    z = np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0], [-np.inf, 0.0, -np.inf]], dtype=dtype)
    allow = np.array([[True, True, True], [False, False, False], [True, False, True]])  # the last: only −inf is left
    zero, skipped = checked.softmax(z, allow, "zero"), checked.softmax(z, allow, "skip")
    assert zero.dtype == skipped.dtype == dtype and type(zero) is np.ndarray
    np.testing.assert_array_equal(zero, [softmax(z[0]), [0] * 3, [0] * 3])
    np.testing.assert_array_equal(skipped.data, zero)
    np.testing.assert_array_equal(np.ma.getmaskarray(skipped), [[False] * 3, [True] * 3, [True] * 3])
    assert skipped.fill_value == 0
    h_zero, h_skipped = enforce(entropy)(z, allow, "zero"), enforce(entropy)(z, allow, "skip")
    np.testing.assert_array_equal(h_zero, [entropy(z[0]), 0, 0])
    assert h_skipped.mean() == entropy(z[0]) and h_skipped.count() == 1 and h_skipped.dtype == dtype
    np.testing.assert_array_equal(checked.softmax_jacobian(zero)[1:], np.zeros((2, 3, 3)))
    for function in (softmax, entropy):
        with pytest.raises(ValueError, match=r"none in 2 of 3 rows \(first at index \(1,\).*or try empty_rows"):
            function(z, allow)
        with pytest.raises(ValueError, match="empty_rows: expected one of 'raise', 'zero', 'skip', got 'nan'"):
            function(z, allow, "nan")
    with pytest.raises(ValueError, match=r"none in 2 of 3 rows .* has no logarithm: leave it out"):
        log_softmax(z, allow)
    assert isinstance(softmax(z[0], None, "skip"), np.ma.MaskedArray)


def test_entropy_by_hand(enforce):
    h = enforce(entropy)
    np.testing.assert_allclose(h(np.zeros((2, 7))), math.log(7), rtol=1e-15)
    np.testing.assert_allclose(h(np.full(5, -1e300)), math.log(5), rtol=1e-15)
    p = 1 / (1 + math.exp(-2))
    np.testing.assert_allclose(h(np.array([2.0, 0.0])), -p * math.log(p) - (1 - p) * math.log1p(-p), rtol=1e-14)
    np.testing.assert_allclose(h(np.array([0.0, 0.0, -np.inf])), math.log(2), rtol=1e-15)
    assert h(np.array([3.0])) == 0 and h(np.array([1e308, -1e308])) == 0
    assert h(np.array([0.0, 0.0])).shape == () and isinstance(h(np.array([0.0, 0.0])), np.ndarray)


@given(rows)
def test_entropy_equals_the_exact_one(z):
    flat = z.reshape(-1, z.shape[-1])
    for row, h in zip(flat, entropy(z).reshape(-1), strict=True):
        with mpmath.workdps(120):
            e = [mpmath.exp(mpmath.mpf(float(x))) for x in row]
            total = mpmath.fsum(e)
            exact = float(-mpmath.fsum(x / total * mpmath.log(x / total) for x in e))
        # exp amplifies the half unit lost in z − max (|z| ≤ 100) to 100 · 2⁻⁵³ relative; nothing cancels.
        np.testing.assert_allclose(h, exact, rtol=3e-14)


def test_entropy_keeps_its_digits_next_to_zero(enforce):
    with mpmath.workdps(50):
        t = mpmath.exp(-40)
        exact = float(mpmath.log1p(t) + 40 * t / (1 + t))
    np.testing.assert_allclose(enforce(entropy)(np.array([40.0, 0.0])), exact, rtol=1e-14)


@given(rows)
def test_entropy_falls_when_scores_are_sharpened(z):
    h = [entropy(beta * z) for beta in (0.0, 0.5, 1.0, 2.0)]
    for flatter, sharper in pairwise(h):
        # dH/dbeta = −beta Var_p(s) ≤ 0; equal rows differ by rounding only
        assert (sharper <= flatter + 1e-13).all()


def test_padding_changes_no_entropy(enforce):
    z = np.random.Generator(np.random.PCG64(3)).normal(0, 1, (3, 5))
    longer = np.concatenate([z, np.full((3, 8), 7.0)], axis=-1)
    np.testing.assert_allclose(enforce(entropy)(longer, np.arange(13)[np.newaxis] < 5), entropy(z), rtol=1e-14)


def test_a_masked_logarithm_need_not_fit():
    z = np.array([[65504, -65504]], dtype=np.float16)
    assert log_softmax(z, np.array([[True, False]])).tolist() == [[0, -np.inf]]


def test_the_mend_of_a_mask_is_one_of_z():
    z, allow = np.array([1.0, 2.0, 4.0]), np.ones((2, 3), dtype=bool)
    with pytest.raises(
        ValueError, match=r"try np\.broadcast_to\(z, \(2, 3\)\), so that the scores have those axes too"
    ):
        softmax(z, allow)
    assert softmax(np.broadcast_to(z, (2, 3)), allow).shape == (2, 3)
    with pytest.raises(ValueError, match=r"try z\[np\.newaxis\], so"):
        softmax(z[np.newaxis], allow[:, np.newaxis])
    assert softmax(z[np.newaxis][np.newaxis], allow[:, np.newaxis]).shape == (2, 1, 3)
    with pytest.raises(ValueError, match=r"try allow\.reshape\(1,\)"):
        softmax(z, np.array(True))
    assert softmax(z, np.array(True).reshape(1)).shape == (3,)
