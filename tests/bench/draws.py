"""Drawing and measuring scores against NumPy drawing the same normals, and against the script everyone writes."""

from __future__ import annotations

import multiprocessing
import statistics
import time
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np

from interview_book.checks import montecarlo, samplers

PAIRS = 21
NORMALS = 6_000_000  # a run: about 60 ms, long against the clock and a context switch
DIMENSIONS = (1, 2, 4, 16, 64)
SCORES, D_K = 1_000_000, 64
RUNS = 3
POOL_SCORES, POOL_RUNS = 2_000_000, 5


def _generator() -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(7))


def _cpu(work: Callable[[], object]) -> float:
    start = time.process_time()  # of this process: what else the machine does is not counted
    work()
    return time.process_time() - start


def _wall(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _gaps(d_k: int, samples: int) -> None:
    for _ in montecarlo.score_gaps(_generator(), samples, d_k):
        pass


def _raw(d_k: int, samples: int) -> None:
    for _ in samplers.raw_scores(_generator(), samples, d_k):
        pass


def _moments(d_k: int, samples: int) -> None:
    montecarlo.measure_scores(_generator(), samples, d_k)


def _numpy(vectors: int, d_k: int, samples: int) -> None:
    """The same normals into one buffer of 1 MiB, which suits NumPy best."""
    rng = _generator()
    chunk = max(1, montecarlo.CACHED // (vectors * d_k))
    buffer = np.empty((min(chunk, samples), vectors, d_k))
    for start in range(0, samples, chunk):
        rng.standard_normal(out=buffer[: min(chunk, samples - start)])


def _two_arrays() -> float:
    """What everyone writes: all Queries, all Keys, their products, the variance."""
    rng = _generator()
    q, k = rng.standard_normal((SCORES, D_K)), rng.standard_normal((SCORES, D_K))
    return (q * k).sum(axis=-1).var(ddof=1)


def ratios(ours: Callable[[int, int], None] = _gaps, vectors: int = 3) -> dict[int, float]:
    """Return how many times as long ours takes, by d_k: the median over pairs taken in turns."""
    found = {}
    for d_k in DIMENSIONS:
        samples = NORMALS // (vectors * d_k)
        pairs = [
            (_cpu(lambda d=d_k, n=samples: ours(d, n)), _cpu(lambda d=d_k, n=samples: _numpy(vectors, d, n)))
            for _ in range(PAIRS)
        ]
        found[d_k] = statistics.median(one / plain for one, plain in pairs[1:])
    return found


def memory(work: Callable[[], object] = lambda: _gaps(D_K, SCORES)) -> float:
    """Return the peak of what ``work`` asks for, in MB; by default a million gaps at d_k = 64."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def against_two_arrays() -> tuple[float, float]:
    """Return the time of measuring a million scores at d_k = 64 over that of the two-array script, with its one thread.

    With two threads, which give the same bits, and with one: medians of runs taken in turns. One thread can hardly be
    below what the drawing alone takes, and how much the script adds to that depends on the machine's memory.
    """
    with ThreadPoolExecutor(2) as threads:
        runs = [
            (
                _wall(lambda: montecarlo.measure_scores(_generator(), SCORES, D_K, executor=threads)),
                _wall(lambda: _moments(D_K, SCORES)),
                _wall(_two_arrays),
            )
            for _ in range(RUNS)
        ]
    return tuple(statistics.median(run[i] / run[2] for run in runs) for i in (0, 1))


def _share(pool: ProcessPoolExecutor | None) -> object:
    return montecarlo.measure_scores(_generator(), POOL_SCORES, D_K, executor=pool)


def two_processes() -> tuple[float, float]:
    """Return wall time with two processes over that with one, and the same of drawing twice, apart from each other.

    Both are medians of pairs taken in turns; the pools are already open. The second number is what the machine has to
    give: on two cores that others use too it is far above 1/2.
    """
    spawn = multiprocessing.get_context("spawn")
    half = POOL_SCORES // 2
    with ProcessPoolExecutor(1, mp_context=spawn) as one, ProcessPoolExecutor(2, mp_context=spawn) as two:
        for pool in (one, two, two):
            montecarlo.measure_scores(_generator(), 64, 1, chunk=1, executor=pool)  # until every worker has started
        ours, machine = [], []
        for _ in range(POOL_RUNS):
            alone = _wall(lambda: _share(one))
            ours.append(_wall(lambda: _share(two)) / alone)
            apart = _wall(lambda: [f.result() for f in [two.submit(_numpy, 2, D_K, half) for _ in range(2)]])
            machine.append(apart / _wall(lambda: one.submit(_numpy, 2, D_K, 2 * half).result()))
    return statistics.median(ours), statistics.median(machine)


def rows() -> Iterator[tuple]:
    """Yield the rows of the table: what, limit, measured, unit, how."""
    kinds = (("score_gaps", _gaps, 3), ("raw_scores", _raw, 2), ("measure_scores (moments)", _moments, 2))
    for name, ours, vectors in kinds:
        for d_k, ratio in ratios(ours, vectors).items():
            limit = 1.25 if d_k <= 4 else 1.08
            yield f"{name}, d_k = {d_k}", limit, ratio, "×", f"NumPy drawing the same normals; median of {PAIRS - 1}"
    yield "score_gaps, 10⁶ at d_k = 64: extra memory", 32, memory(), "MB", "tracemalloc"
    heaviest = memory(lambda: _moments(D_K, SCORES))
    yield "measure_scores, 10⁶ at d_k = 64: extra memory", 32, heaviest, "MB", "tracemalloc"
    two, one = against_two_arrays()
    told = f"wall time, two threads; one thread {one:.2f}; median of {RUNS}"
    yield "measure_scores, 10⁶ at d_k = 64", 0.5, two, "× two-array", told
    ours, machine = two_processes()
    told = f"≥ 1.6 × faster; bare drawing {1 / machine:.2f} ×, ours {1 / ours:.2f} ×; median of {POOL_RUNS}"
    yield "measure_scores: two processes", 0.625, ours, "× one", told
