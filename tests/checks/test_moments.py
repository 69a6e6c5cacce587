"""Moments against exact fractions, in every cut."""

import math
import tracemalloc
from fractions import Fraction
from functools import reduce
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interview_book.checks.moments import BLOCK, Moments

numbers = st.lists(st.integers(-(2**20), 2**20).map(lambda i: i / 64), min_size=1, max_size=53)


def exact(values):
    """Count, mean, sums of powers of the deviations, all exact; and of their sizes, to measure rounding against."""
    values = [Fraction(float(x)) for x in values]
    mean = sum(values) / len(values)
    sums = [sum((x - mean) ** k for x in values) for k in (2, 3, 4)]
    sizes = [float(sum(abs(x - mean) ** k for x in values)) for k in (2, 3, 4)]
    return len(values), mean, sums, sizes


def assert_exact(moments, values, tolerance):
    """``tolerance`` is relative to the sum of the sizes, since positive and negative cubes may cancel."""
    n, mean, sums, sizes = exact(values)
    assert moments.n == n
    assert abs(moments.mean - float(mean)) <= tolerance * float(max(abs(Fraction(float(x))) for x in values))
    for got, expected, size in zip((moments.m2, moments.m3, moments.m4), sums, sizes, strict=True):
        assert abs(got - float(expected)) <= tolerance * size


def test_by_hand():
    m = Moments.of(np.array([1.0, 2.0, 3.0, 4.0]))
    assert (m.n, m.mean, m.m2, m.m3, m.m4) == (4, 2.5, 5.0, 0.0, 10.25)
    assert (m.variance(), m.variance(ddof=0)) == (5 / 3, 1.25)
    assert math.isclose(m.kurtosis(), 1.64, rel_tol=1e-15) and m.skewness() == 0
    assert m.deviation(ddof=0) == math.sqrt(1.25)
    # deviations −1, −1, 2: squares sum to 6, cubes to 6, fourth powers to 18
    m = Moments.of(np.array([0.0, 0.0, 3.0]))
    assert math.isclose(m.skewness(), 1 / math.sqrt(2), rel_tol=1e-15)
    assert math.isclose(m.kurtosis(), 1.5, rel_tol=1e-15)


@given(numbers, st.lists(st.integers(0, 53), max_size=7))
def test_any_cut_is_exact(values, cuts):
    edges = [0, *sorted(min(cut, len(values)) for cut in cuts), len(values)]
    parts = [Moments.of(np.array(values[a:b], float)) for a, b in pairwise(edges)]
    # some hundred roundings of 2⁻⁵³, of which a cube or fourth power of a rounded difference takes four
    assert_exact(reduce(Moments.merge, parts), values, 1e-13)
    assert_exact(reduce(Moments.merge, reversed(parts)), values, 1e-13)


@pytest.mark.parametrize("offset", [1e8, -1e8, 1e12])
def test_a_large_offset_drowns_nothing(offset):
    x = offset + np.random.Generator(np.random.PCG64(2)).standard_normal(997)
    whole, parts = Moments.of(x), reduce(Moments.merge, map(Moments.of, np.split(x, [3, 101, 541])))
    # Means of parts are rounded to 2⁻⁵³ of the offset, 1e-4 of a deviation at 1e12, and enter the sums with the power.
    assert_exact(whole, x, 1e-13)
    assert_exact(parts, x, max(1e-13, abs(offset) * 1e-15))
    assert abs(x.var() - float(exact(x)[2][0]) / 997) < 1e-3
    naive = (x * x).mean() - x.mean() ** 2
    assert abs(naive - x.var()) > 0.1  # what sums of squares would have said


def test_parts_far_apart_and_of_other_sizes():
    a = np.tile([999_999.0, 1_000_001.0], 500)
    b = np.tile([1_000_004.0, 1_000_006.0], 1500)
    m = Moments.of(a).merge(Moments.of(b))
    # within 1, between 1/4 · 3/4 · 5²; the mean of the two variances would be 1
    assert m.variance(ddof=0) == 1 + 75 / 16
    assert m.mean == 1_000_003.75


def test_longer_than_a_block():
    x = np.random.Generator(np.random.PCG64(3)).laplace(7.0, size=2 * BLOCK + 4099)
    m = Moments.of(x)
    mean = math.fsum(x) / x.size
    for got, power in ((m.m2, 2), (m.m3, 3), (m.m4, 4)):
        # math.fsum adds without rounding; pairwise sums of 36,099 numbers keep 1e-13
        terms = [(one - mean) ** power for one in x.tolist()]
        assert abs(got - math.fsum(terms)) <= 1e-12 * math.fsum(map(abs, terms))
    assert m.n == x.size


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_along_an_axis(axis):
    x = np.random.Generator(np.random.PCG64(4)).standard_normal((5, 3, 7)) ** 3
    m = Moments.of(x, axis)
    kept = np.moveaxis(x, axis, -1)
    for index in np.ndindex(kept.shape[:-1]):
        one = Moments(m.n, m.mean[index], m.m2[index], m.m3[index], m.m4[index])
        assert_exact(one, kept[index], 1e-14 * x.size)
    merged = Moments.of(np.take(x, [0], axis), axis).merge(Moments.of(np.delete(x, 0, axis), axis))
    for name in ("mean", "m2", "m3", "m4"):
        # ten roundings; cubes of both signs cancel, so beside the largest
        np.testing.assert_allclose(
            getattr(merged, name), getattr(m, name), rtol=1e-13, atol=1e-13 * np.abs(x).max() ** 4
        )
    assert m.variance().shape == m.skewness().shape == m.kurtosis().shape == m.deviation().shape == kept.shape[:-1]


def test_other_floats_are_added_up_in_float64_and_left_alone():
    for dtype in (np.float16, np.float32):
        x = (2048 + np.arange(5003) % 7).astype(dtype)
        before = x.tobytes()
        assert_exact(Moments.of(x), x, 1e-13)
        assert x.tobytes() == before


def test_empty_merges_with_everything():
    part = Moments.of(np.array([[1.0, 2.0], [5.0, 11.0], [7.0, 3.0]]), axis=0)
    for whole in (Moments().merge(part), part.merge(Moments()), part.merge(Moments.of(np.empty((0, 2)), axis=0))):
        assert whole is part
    assert Moments().merge(Moments()).n == 0


def test_counts_beyond_what_floats_hold():
    half = Moments(2**60 + 1, 0.0, 1.0, 0.0, 1.0)
    whole = half.merge(half)
    assert whole.n == 2**61 + 2 and whole.m2 == 2.0


def test_memory_is_that_of_a_block():
    x = np.random.Generator(np.random.PCG64(5)).standard_normal(1_000_003)
    tracemalloc.start()
    try:
        Moments.of(x)
        assert tracemalloc.get_traced_memory()[1] <= 256 * 1024 + 8192  # two blocks, and some Python objects
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("ask", "error", "says"),
    [
        (
            lambda: Moments().variance(),
            ValueError,
            r"the variance with ddof = 1: expected at least 2 numbers, got n = 0",
        ),
        (lambda: Moments.of(np.ones(1)).variance(), ValueError, "got n = 1"),
        (lambda: Moments.of(np.empty(0)).variance(0), ValueError, "at least 1 numbers, got n = 0"),
        (lambda: Moments.of(np.ones(1)).skewness(), ValueError, "the skewness: expected at least 2"),
        (lambda: Moments.of(np.ones(3)).kurtosis(), ValueError, "kurtosis: expected numbers that differ, got 3 equal"),
        (lambda: Moments.of(np.ones(3)).variance(-1), ValueError, "ddof: expected at least 0, got -1"),
        (lambda: Moments.of([1.0, 2.0]), TypeError, "x: expected a NumPy array of floats without a mask, got list"),
        (lambda: Moments.of(np.arange(3)), TypeError, r"got int64 of shape \(3,\); try np.asarray"),
        (lambda: Moments.of(np.ma.array([1.0, 2.0], mask=[0, 1])), TypeError, "try x.compressed"),
        (lambda: Moments.of(np.array([1.0, np.nan, np.inf])), ValueError, "got 2 that are NaN or infinite"),
        (lambda: Moments.of(np.array([1e200, -1e200])), ValueError, "fourth powers float64 can add up, got 0"),
        (lambda: Moments.of(np.ones((2, 3)), axis=2), ValueError, r"axis: .* got 2 for shape \(2, 3\)"),
        (lambda: Moments.of(np.ones(2)).merge(3), TypeError, "merge: expected Moments, got int"),
        (
            lambda: Moments.of(np.ones((2, 3)), 0).merge(Moments.of(np.ones((2, 5)), 0)),
            ValueError,
            r"one shape, got \(3,\) and \(5,\)",
        ),
    ],
)
def test_what_cannot_be_answered_is_named(ask, error, says):
    with pytest.raises(error, match=says):
        ask()


@pytest.mark.parametrize("value", [0.1, 1e8 + 0.1, -7e-9])
def test_equal_numbers_have_no_variance_at_all(value):
    # 11 × 0.1 is rounded, so that the mean is not 0.1; what is left must not pass for a variance
    assert Moments.of(np.full(11, value)).m2 == 0
