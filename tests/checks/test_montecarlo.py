"""Gaps drawn in chunks, against theory. Each statistical test states how often it rejects a right program."""

import math
import tracemalloc

import numpy as np
import pytest

from interview_book.checks import crossover, gap_tail, proportion, score_gaps
from interview_book.checks.components import Components, score_theory
from interview_book.checks.estimates import mean_estimate, variance_estimate
from interview_book.checks.moments import Moments
from interview_book.checks.montecarlo import CACHED, measure_scores
from interview_book.checks.samplers import MEMORY, raw_scores
from interview_book.checks.streaming import ChunkError

# Two-sided, by the normal approximation, which at 200,000 trials holds so far out.
SAMPLES = 200_000


def generator(seed):
    return np.random.Generator(np.random.PCG64(seed))


@pytest.fixture
def gaps(rng):
    return np.concatenate(list(score_gaps(rng, SAMPLES, 4)))


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


@pytest.mark.montecarlo(false_alarm=1e-6)
@pytest.mark.parametrize("x", [1.0, 2.0, 4.0, 8.0])
def test_tail_is_the_exact_one_and_not_the_normal_one(gaps, x, false_alarm):
    estimate = proportion(int(np.count_nonzero(np.abs(gaps) >= x)), SAMPLES, theory=float(gap_tail(x)))
    assert estimate.agrees(false_alarm), f"z = {estimate.z:.2f}"


@pytest.mark.montecarlo(false_alarm=1e-6)  # the exact tail lies 18 standard errors off: to come within 5 takes 13
def test_the_normal_approximation_is_rejected(gaps):
    hits = int(np.count_nonzero(np.abs(gaps) >= 4))
    assert not proportion(hits, SAMPLES, theory=math.erfc(4 / math.sqrt(8) / math.sqrt(2))).agrees(1e-6)


@pytest.mark.montecarlo(false_alarm=1e-6)
def test_six_gaps_in_ten_lie_below_the_crossover(gaps, false_alarm):
    below = int(np.count_nonzero(np.abs(gaps) < crossover()))
    assert proportion(below, SAMPLES, theory=1 - float(gap_tail(crossover()))).agrees(false_alarm)


@pytest.mark.montecarlo(false_alarm=1e-6)
def test_mean_and_variance(gaps, false_alarm):
    # D = √2 s: variance 8, kurtosis 3 + 6/d = 4.5
    moments = Moments.of(gaps)
    assert mean_estimate(moments, 0.0, variance=8).agrees(false_alarm / 2)
    assert variance_estimate(moments, 8.0, kurtosis=4.5).agrees(false_alarm / 2)


@pytest.mark.montecarlo(false_alarm=1e-6)
@pytest.mark.parametrize("d_k", [1, 2, 16, 64, 257])
def test_variance_grows_with_the_features_and_a_divisor_takes_it_away(d_k, rng, false_alarm):
    raw = measure_scores(rng, 20_011, d_k)
    scaled = measure_scores(rng, 20_011, d_k, divisor=math.sqrt(d_k))
    twice = measure_scores(rng, 20_011, d_k, divisor=d_k)
    kurtosis = 3 + 6 / d_k
    for moments, theory in ((raw, d_k), (scaled, 1.0), (twice, 1 / d_k)):
        assert variance_estimate(moments, theory, kurtosis=kurtosis).agrees(false_alarm / 3)


@pytest.mark.montecarlo(false_alarm=1e-6)
def test_a_wrong_divisor_is_rejected(rng):
    # √d_model of 4 heads for √d_k: variance 1/4 at d_k = 16; the error of s² is 0.02 of that, so 1 is 150 of them off
    moments = measure_scores(rng, 4_001, 16, divisor=math.sqrt(64))
    assert not variance_estimate(moments, 1.0, kurtosis=3 + 6 / 16).agrees(1e-6)
    assert not variance_estimate(moments, 1.0).agrees(1e-6)


def test_measured_moments_are_those_of_the_scores_of_the_chunks():
    law = {"q": Components("laplace", mean=0.5), "k": Components(within=0.3)}
    measured = measure_scores(generator(6), 101, 7, divisor=2.0, chunk=43, **law)
    drawn = [next(raw_scores(rng, n, 7, **law)) for rng, n in zip(generator(6).spawn(3), (43, 43, 15), strict=True)]
    whole = Moments.of(np.concatenate(drawn) / 2)
    for name in ("n", "mean", "m2", "m3", "m4"):
        # another order of a hundred additions
        assert math.isclose(getattr(measured, name), getattr(whole, name), rel_tol=1e-12)
    assert score_theory(7, **law).variance > 0


@pytest.mark.parametrize("d_k", [3, 64])
def test_measuring_holds_no_more_than_its_memory(d_k):
    measure_scores(generator(1), 5, d_k)  # what is imported on first use is not ours
    for memory in (65_536, MEMORY):
        tracemalloc.start()
        try:
            measure_scores(generator(1), 60_013, d_k, chunk=30_000, memory=memory)
            assert tracemalloc.get_traced_memory()[1] <= memory
        finally:
            tracemalloc.stop()


@pytest.mark.parametrize(
    ("arguments", "more", "error", "says"),
    [
        ((7, 3, 4), {}, TypeError, "rng: expected a numpy.random.Generator, got int"),
        ((generator(1), 3, 0), {}, ValueError, "d_k: expected at least 1"),
        ((generator(1), 0, 4), {}, ValueError, "samples: expected at least 1, got 0"),
        ((generator(1), 3, 4), {"divisor": 0}, ValueError, "divisor: expected a finite number above 0, got 0"),
        ((generator(1), 3, 4), {"rho": 2}, ValueError, "rho"),
        ((generator(1), 3, 4), {"memory": 8200}, ValueError, "memory: expected at least"),
        ((generator(1), 3, 4), {"chunk": 0}, ValueError, "chunk"),
    ],
)
def test_bad_measurements_are_named_at_once_and_not_by_a_chunk(arguments, more, error, says):
    with pytest.raises(error, match=says) as caught:
        measure_scores(*arguments, **more)
    assert not isinstance(caught.value, ChunkError)


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
