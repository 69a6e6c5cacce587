"""Gaps drawn in chunks, against theory. Each statistical test states how often it rejects a right program."""

import math
import tracemalloc

import numpy as np
import pytest

from interview_book.checks import crossover, gap_tail, proportion, score_gaps
from interview_book.checks.montecarlo import CACHED

FALSE_ALARM = 1e-6  # of each statistical test below, two-sided, by the normal approximation at 200,000 trials
SAMPLES = 200_000


def generator(seed):
    return np.random.Generator(np.random.PCG64(seed))


@pytest.fixture(scope="module")
def gaps():
    return np.concatenate(list(score_gaps(generator(20_170_612), SAMPLES, 4)))


def test_every_gap_is_a_query_times_the_difference_of_two_keys():
    q, k1, k2 = (generator(3).standard_normal((7, 3, 5))[:, i] for i in range(3))
    ((gap,),) = [list(score_gaps(generator(3), 7, 5))]
    np.testing.assert_allclose(gap, [q[i] @ k1[i] - q[i] @ k2[i] for i in range(7)], rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("chunk", [1, 3, 7, 100, 101, 1000])
def test_chunks_do_not_change_the_gaps(chunk):
    whole = np.concatenate(list(score_gaps(generator(5), 101, 7, chunk=101)))
    parts = list(score_gaps(generator(5), 101, 7, chunk=chunk))
    assert [len(p) for p in parts] == [min(chunk, 101 - s) for s in range(0, 101, chunk)]
    np.testing.assert_allclose(np.concatenate(parts), whole, rtol=1e-12, atol=1e-14)


def test_chunks_are_the_callers_to_keep():
    first, second = score_gaps(generator(5), 4, 3, chunk=2)
    kept = first.copy()
    second[:] = 0
    np.testing.assert_array_equal(first, kept)


@pytest.mark.parametrize("x", [1.0, 2.0, 4.0, 8.0])
def test_tail_is_the_exact_one_and_not_the_normal_one(gaps, x):
    estimate = proportion(int(np.count_nonzero(np.abs(gaps) >= x)), SAMPLES, theory=float(gap_tail(x)))
    assert estimate.agrees(FALSE_ALARM), f"z = {estimate.z:.2f}; a right program fails with probability {FALSE_ALARM}"


def test_the_normal_approximation_is_rejected(gaps):
    hits = int(np.count_nonzero(np.abs(gaps) >= 4))
    assert not proportion(hits, SAMPLES, theory=math.erfc(4 / math.sqrt(8) / math.sqrt(2))).agrees(FALSE_ALARM)


def test_six_gaps_in_ten_lie_below_the_crossover(gaps):
    below = int(np.count_nonzero(np.abs(gaps) < crossover()))
    assert proportion(below, SAMPLES, theory=1 - float(gap_tail(crossover()))).agrees(FALSE_ALARM)


def test_mean_and_variance(gaps):
    # D = √2 s with kurtosis 3 + 6/d = 4.5: Var(mean) = 8/n, Var(mean of squares) = (4.5 − 1)·64/n; 4.89 sd = 1e-6
    assert abs(gaps.mean()) < 4.89 * math.sqrt(8 / SAMPLES)
    assert abs((gaps**2).mean() - 8) < 4.89 * math.sqrt(3.5 * 64 / SAMPLES)


def test_memory_is_that_of_one_chunk():
    def peak(samples):
        tracemalloc.start()
        try:
            for _ in score_gaps(generator(1), samples, 64):
                pass
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    few, many = peak(5_000), peak(50_000)
    assert many < few * 1.1 and many < 3 * 8 * CACHED


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ((np.random, 3, 4), TypeError, "rng: expected a numpy.random.Generator, got module; try np.random.Generator"),
        ((7, 3, 4), TypeError, "got int"),
        ((generator(1), 0, 4), ValueError, "samples: expected at least 1, got 0"),
        ((generator(1), 3, 0), ValueError, "d_k: expected at least 1, got 0"),
        ((generator(1), 3, 4, 0), ValueError, "chunk: expected at least 1"),
        ((generator(1), 3.0, 4), TypeError, "samples: expected a whole number, got 3.0"),
        ((generator(1), 3, "4"), TypeError, "d_k: expected a whole number, got '4'"),
        ((generator(1), True, 4), TypeError, "samples"),
    ],
)
def test_bad_arguments_are_named_at_once(arguments, error, says):
    with pytest.raises(error, match=says):
        score_gaps(*arguments)
