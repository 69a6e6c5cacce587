"""Low precision: bfloat16 against the bits of float32 and another implementation, sums and scores by hand."""

import math
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interview_book.attention import scores
from interview_book.attention.precision import low_precision_scores, round_bfloat16, round_to, running_sum


def by_bits(x):
    """bfloat16 is the upper half of a float32: add just under half a unit, plus one if the kept part is odd."""
    bits = x.astype(np.float32).view(np.uint32).astype(np.uint64)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    return rounded.astype(np.uint32).view(np.float32)


def around(halves):
    """Each bfloat16 with these upper halves, and the float32 numbers just beside it and beside the ties above it."""
    low = np.array([0x0000, 0x0001, 0x7FFF, 0x8000, 0x8001, 0xFFFF], dtype=np.uint32)
    return ((halves.astype(np.uint32)[:, np.newaxis] << 16) | low).ravel().view(np.float32)


def test_every_bfloat16_and_its_ties_round_as_the_bits_say():
    x = around(np.arange(2**16))
    x = x[~np.isnan(x)]
    ours = round_bfloat16(x)
    assert ours.dtype == np.float32
    # bit by bit, so that −0 is not 0
    np.testing.assert_array_equal(ours.view(np.uint32), by_bits(x).view(np.uint32))
    with np.errstate(over="ignore"):
        theirs = x.astype(ml_dtypes.bfloat16).astype(np.float32)
    np.testing.assert_array_equal(ours.view(np.uint32), theirs.view(np.uint32))


def test_ties_go_to_the_even_neighbour():
    x = np.array([256, 257, 257.5, 258, 259, 260, 1 + 2**-8, 1 + 3 * 2**-8])
    np.testing.assert_array_equal(round_bfloat16(x), [256, 256, 258, 258, 260, 260, 1, 1 + 2**-6])


def test_float64_is_rounded_once():
    above = 1 + 2**-8 + 2**-40  # just above a tie; float32 would drop the last bit and then round down
    assert round_bfloat16(np.array([above]))[0] == 1 + 2**-7
    assert round_bfloat16(np.array([above], dtype=np.float32))[0] == 1


def test_the_ends_of_bfloat16():
    largest = (2 - 2**-7) * 2.0**127
    x = np.array([largest, largest * (1 + 2**-10), 3.4e38, 1e300, -1e300, np.inf, np.nan, 2.0**-133, 2.0**-135, -0.0])
    ours = round_bfloat16(x)
    np.testing.assert_array_equal(ours, [largest, largest, np.inf, np.inf, -np.inf, np.inf, np.nan, 2.0**-133, 0, 0])
    assert np.signbit(ours[-1])
    assert round_bfloat16(np.array([5e-324]))[0] == 0


def test_any_shape_and_new_arrays():
    x = np.full((2, 3, 5), 257.0)
    result = round_bfloat16(x)
    assert result.shape == (2, 3, 5) and round_bfloat16(np.empty((0, 7))).shape == (0, 7)
    result[:] = 0
    assert (x == 257).all()
    assert round_bfloat16(np.array([65504], dtype=np.float16))[0] == 65536
    assert round_bfloat16(np.array(257.0)) == 256 and running_sum(np.array([256.0, 1.0]), "bfloat16") == 256


@given(st.lists(st.floats(-1e39, 1e39), min_size=1, max_size=13))
def test_nearest_of_all(numbers):
    grid = around(np.arange(0x7F80)).reshape(-1, 6)[:, 0]  # all bfloat16 from 0 up
    for x, ours in zip(numbers, round_bfloat16(np.array(numbers)), strict=True):
        if math.isinf(ours):
            assert abs(x) >= (2 - 2**-8) * 2.0**127  # half a unit beyond the largest
            continue
        place = np.searchsorted(grid, abs(ours))
        assert grid[place] == abs(ours)
        error = abs(Fraction(x) - Fraction(float(ours)))
        for other in grid[max(place - 1, 0) : place + 2]:
            assert error <= abs(Fraction(abs(x)) - Fraction(float(other)))


def test_ones_stand_still():
    ones = np.ones((2, 4099))
    np.testing.assert_array_equal(running_sum(ones, "float16"), [2048, 2048])
    np.testing.assert_array_equal(running_sum(ones, "bfloat16"), [256, 256])
    np.testing.assert_array_equal(running_sum(ones, "float32"), [4099, 4099])
    assert running_sum(ones, "float16").dtype == np.float16
    assert running_sum(ones[:, :0], "float16").tolist() == [0, 0]


def test_a_running_sum_rounds_after_every_addition():
    x = np.random.Generator(np.random.PCG64(11)).normal(0, 100, (3, 97)).astype(np.float16)
    expected = np.zeros(3, dtype=np.float16)
    for column in x.T:
        expected = expected + column  # NumPy's own float16 addition
    np.testing.assert_array_equal(running_sum(x, "float16"), expected)
    in_bfloat16 = ml_dtypes.bfloat16
    total = np.zeros(3, dtype=in_bfloat16)
    for column in round_bfloat16(x).T:
        total = total + column.astype(in_bfloat16)
    np.testing.assert_array_equal(running_sum(round_bfloat16(x), "bfloat16"), total.astype(np.float32))


def low(q, k, dtype, scale_first, **options):
    return low_precision_scores(q, k, dtype=dtype, scale_first=scale_first, **options)


def test_forties_overflow_only_after_the_product():
    forty = np.full((1, 64), 40.0)
    assert low(forty, forty, "float16", False).tolist() == [[np.inf]]  # 102400 does not fit into float16
    assert low(forty, forty, "float16", True).tolist() == [[12800]]  # 5 · 40 · 64, exact
    for scale_first in (True, False):
        assert low(forty, forty, "float32", scale_first).tolist() == [[12800]]
        assert low(forty, forty, "bfloat16", scale_first).tolist() == [[12800]]  # 102400 = 200 · 2⁹ has 8 bits


def test_scaling_first_is_no_cure():
    big = np.full((1, 64), 256.0)
    for scale_first in (True, False):
        assert low(big, big, "float16", scale_first).tolist() == [[np.inf]]  # 524288 even after the division by 8


def test_thirties_in_128_features():
    thirty = np.full((1, 128), 30.0)
    raw = low(thirty, thirty, "float16", False)
    assert raw.tolist() == [[np.inf]]  # 115200
    with np.errstate(invalid="ignore"):
        assert np.isnan(raw - raw.max()).all()  # which is what softmax computes first
    exact = 900 * 128 / math.sqrt(128)
    assert f"{exact:.1f}" == "10182.3"
    # q becomes 1358/512, its product with 30 adds up to 10185, and float16 has steps of 8 there
    assert low(thirty, thirty, "float16", True).tolist() == [[10184]]
    for scale_first in (True, False):
        in_bfloat16 = low(thirty, thirty, "bfloat16", scale_first)
        assert np.isfinite(in_bfloat16).all() and abs(in_bfloat16[0, 0] - exact) <= exact * 2**-7


def test_bfloat16_cannot_tell_256_from_257():
    q, k = np.ones((1, 2)), np.array([[256.0, 0.0], [256.0, 1.0]])
    assert low(q, k, "bfloat16", False, scale=1).tolist() == [[256, 256]]
    assert low(q, k, "float16", False, scale=1).tolist() == [[256, 257]]


@pytest.mark.parametrize("scale_first", [True, False])
def test_the_inputs_are_rounded_first(scale_first):
    x, three = np.array([[1 + 3 * 2**-12]]), np.array([[3.0]])
    # float16 makes 1 + 2⁻¹⁰ of it; three times that is a tie, 1537.5 steps of 2⁻⁹, and goes to the even 1538.
    # Unrounded it would be 1537.125 steps.
    for q, k in ((x, three), (three, x)):
        assert low(q, k, "float16", scale_first, scale=1).tolist() == [[1538 * 2**-9]]


def test_the_accumulator_may_stand_still():
    ones = np.ones((1, 4096))
    for scale_first in (True, False):
        options = {"scale": 1, "scale_first": scale_first}
        assert low_precision_scores(ones, ones, dtype="float16", accumulate="float16", **options).item() == 2048
        assert low_precision_scores(ones, ones, dtype="float16", accumulate="float32", **options).item() == 4096
        assert low_precision_scores(ones, ones, dtype="bfloat16", accumulate="bfloat16", **options).item() == 256
    # dividing first makes the terms smaller, not fewer: the sum of 1/64 stands still at 2048/64
    assert low(ones, ones, "float16", True, accumulate="float16").item() == 32
    assert low(ones, ones, "float16", False, accumulate="float16").item() == 32


@pytest.mark.parametrize("scale_first", [True, False])
def test_float32_is_near_the_exact_scores_and_broadcasts(scale_first):
    rng = np.random.Generator(np.random.PCG64(5))
    q, k = rng.standard_normal((2, 1, 3, 7)), rng.standard_normal((5, 11, 7))
    ours = low(q, k, "float32", scale_first)
    assert ours.shape == (2, 5, 3, 11) and ours.dtype == np.float32
    # 7 products and sums below 16, each rounded by at most half a unit of float32
    np.testing.assert_allclose(ours, scores(q, k), rtol=0, atol=16 * 16 * 2**-24)


@pytest.mark.parametrize("scale_first", [True, False])
def test_float16_equals_numpys_own_float16(scale_first):
    rng = np.random.Generator(np.random.PCG64(7))
    q, k = (rng.standard_normal((n, 17)).astype(np.float16) for n in (3, 5))
    factor = np.float16(0.3)  # no power of two, so that multiplying rounds
    left = q * factor if scale_first else q
    expected = np.zeros((3, 5), dtype=np.float16)
    for f in range(17):
        expected = expected + left[:, f, np.newaxis] * k[:, f]
    expected = expected if scale_first else expected * factor
    assert expected.dtype == np.float16
    np.testing.assert_array_equal(
        low(q, k, "float16", scale_first, scale=float(factor), accumulate="float16"), expected
    )


def test_bad_arguments_are_named():
    one = np.ones((1, 3))
    with pytest.raises(ValueError, match="dtype: expected 'float16', 'float32' or 'bfloat16', got 'float8'"):
        round_to(one, "float8")
    with pytest.raises(ValueError, match=r"accumulate: .* got 'int8'"):
        low(one, one, "float16", True, accumulate="int8")
    with pytest.raises(TypeError, match=r"scale_first: expected True or False, got 0\.5; .* scale="):
        low(one, one, "float16", 0.5)
    with pytest.raises(ValueError, match=r"q and k: .* got 3 and 5 \(q \(1, 3\), k \(1, 5\)\)"):
        low(one, np.ones((1, 5)), "float16", True)
    with pytest.raises(ValueError, match="d_k ≥ 1"):
        low(np.ones((2, 0)), np.ones((3, 0)), "float16", True)
    with pytest.raises(ValueError, match="do not broadcast"):
        low(np.ones((2, 1, 3)), np.ones((5, 1, 3)), "float16", True)
    with pytest.raises(TypeError, match="scale: expected one real number"):
        low(one, one, "float16", True, scale="1")
    with pytest.raises(TypeError, match=r"x: .*got int64"):
        round_bfloat16(np.arange(3))
    with pytest.raises(TypeError, match="x: expected a NumPy array"):
        running_sum([1.0], "float16")


def test_the_largest_float64_and_a_signaling_nan_warn_of_nothing():
    most = np.finfo(np.float64).max
    np.testing.assert_array_equal(round_bfloat16(np.array([most, -most])), [np.inf, -np.inf])
    np.testing.assert_array_equal(running_sum(np.array([most, 1.0]), "bfloat16"), np.inf)
    assert np.isnan(round_bfloat16(np.array([0x7F800001], dtype=np.uint32).view(np.float32)))
