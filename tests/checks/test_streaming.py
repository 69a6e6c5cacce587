"""Chunks on any executor: the same bits, whoever runs them and whatever finishes first."""

import multiprocessing
import threading
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

from interview_book.checks.moments import Moments
from interview_book.checks.montecarlo import measure_scores
from interview_book.checks.streaming import ChunkError, run_chunks

SAMPLES, CHUNK = 10_007, 997  # eleven chunks, the last of 37


def generator(seed=20):
    return np.random.Generator(np.random.PCG64(seed))


def normals(rng, count):
    return Moments.of(rng.standard_normal(count))


def listed(rng, count):
    return [(rng.integers(2**62), count)]


def failing(rng, count):
    if count == 37:
        raise ZeroDivisionError("the last one")
    return normals(rng, count)


class Backwards:
    """An executor that does the newest first, and only when it must."""

    def __init__(self):
        self.open, self.done, self.cancelled, self.most = [], [], 0, 0

    def submit(self, work, *arguments):
        future = Future()
        self.open.append((future, work, arguments))
        self.most = max(self.most, len(self.open))
        future.result = lambda: self._finish(future)
        return future

    def _finish(self, wanted):
        while wanted not in self.done:
            future, work, arguments = self.open.pop()
            future.set_result(work(*arguments))
            self.done.append(future)
        return Future.result(wanted)


def bits(moments):
    return moments.n, *(float(getattr(moments, name)).hex() for name in ("mean", "m2", "m3", "m4"))


@pytest.fixture(scope="module")
def alone():
    return bits(run_chunks(normals, generator(), SAMPLES, chunk=CHUNK))


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_threads_give_the_same_bits(alone, workers):
    with ThreadPoolExecutor(workers) as pool:
        assert bits(run_chunks(normals, generator(), SAMPLES, chunk=CHUNK, executor=pool)) == alone


def test_processes_give_the_same_bits():
    alone = bits(measure_scores(generator(), SAMPLES, 5, q="laplace", chunk=CHUNK))
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        for _ in range(2):
            assert bits(measure_scores(generator(), SAMPLES, 5, q="laplace", chunk=CHUNK, executor=pool)) == alone


@pytest.mark.parametrize("ahead", [1, 3, 100])
def test_the_order_of_finishing_does_not_matter(alone, ahead):
    executor = Backwards()
    assert bits(run_chunks(normals, generator(), SAMPLES, chunk=CHUNK, executor=executor, ahead=ahead)) == alone
    assert executor.most == min(ahead, 11)


def test_chunks_are_merged_in_their_order_and_each_has_a_generator_of_its_own():
    children = generator().spawn(11)
    expected = [(child.integers(2**62), count) for child, count in zip(children, [997] * 10 + [37], strict=True)]
    for executor in (None, Backwards()):
        assert run_chunks(listed, generator(), SAMPLES, chunk=CHUNK, executor=executor, merge=list.__add__) == expected


def test_a_second_call_gets_other_children():
    rng = generator()
    first, second = (run_chunks(listed, rng, 3, chunk=1, merge=list.__add__) for _ in range(2))
    assert not set(first) & set(second)
    assert rng.random() == generator().random()


def test_one_chunk_is_not_merged():
    assert run_chunks(lambda rng, count: count, generator(), 5, merge=None) == 5


@pytest.mark.parametrize("pool", [None, ThreadPoolExecutor])
def test_an_error_says_which_chunk(pool):
    executor = pool and pool(2)
    with pytest.raises(ChunkError, match=r"chunk 10 of 11 \(37 samples\): ZeroDivisionError: the last one") as caught:
        run_chunks(failing, generator(), SAMPLES, chunk=CHUNK, executor=executor)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    if executor:
        assert executor.submit(int, "7").result() == 7  # it stays open
        executor.shutdown()


def test_after_an_error_nothing_is_begun():
    begun = []

    def work(rng, count):
        begun.append(count)
        raise KeyError("first")

    with pytest.raises(ChunkError, match="chunk 0 of 5"):
        run_chunks(work, generator(), 5, chunk=1)
    assert begun == [1]


def test_after_an_error_waiting_chunks_are_cancelled():
    begun, gate = [], threading.Event()

    def work(rng, count):
        begun.append(count)
        if len(begun) == 1:
            raise KeyError("first")
        gate.wait(20)

    with ThreadPoolExecutor(1) as pool:
        with pytest.raises(ChunkError, match="chunk 0 of 50"):
            run_chunks(work, generator(), 50, chunk=1, executor=pool)
        gate.set()
    assert len(begun) <= 2  # the second may have begun before the first was known to have failed


def test_a_pool_that_was_shut_down_is_told():
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(ChunkError, match=r"chunk 0 of 11 .*RuntimeError: cannot schedule new futures after shutdown"):
        run_chunks(normals, generator(), SAMPLES, chunk=CHUNK, executor=pool)


@pytest.mark.parametrize(
    ("more", "error", "says"),
    [
        ({"samples": 0}, ValueError, "samples: expected at least 1, got 0"),
        ({"chunk": 1.5}, TypeError, "chunk: expected a whole number, got 1.5"),
        ({"ahead": 0}, ValueError, "ahead: expected at least 1, got 0"),
        ({"rng": 7}, TypeError, "rng: expected a numpy.random.Generator, got int"),
        ({"executor": 2}, TypeError, "executor: expected a concurrent.futures.Executor or None, got int; try Process"),
    ],
)
def test_bad_arguments_are_named(more, error, says):
    with pytest.raises(error, match=says):
        run_chunks(**({"work": normals, "rng": generator(), "samples": 5} | more))


def test_a_generator_without_a_seed_is_named():
    legacy = np.random.RandomState(1)._bit_generator
    with pytest.raises(TypeError, match="rng: expected a generator made from a seed, which can give children"):
        run_chunks(normals, np.random.Generator(legacy), 5)
