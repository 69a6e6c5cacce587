"""softmax, its logarithm and its Jacobian: by hand, by mpmath, by finite differences and by invariance."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from interview_book.attention import log_softmax, softmax, softmax_jacobian

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


@pytest.mark.parametrize("function", [softmax, log_softmax])
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
        (np.array([[0.0, 1.0], [-np.inf, -np.inf]]), ValueError, r"1 with nothing but −inf \(shape \(2, 2\)\)"),
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


@pytest.mark.parametrize("function", [softmax, log_softmax, lambda z: softmax_jacobian(softmax(z))])
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
