"""Drawing scores against NumPy drawing the same normals and doing nothing with them."""

from __future__ import annotations

import statistics
import time
import tracemalloc
from collections.abc import Callable

import numpy as np

from interview_book.checks import montecarlo

PAIRS = 21
NORMALS = 6_000_000  # a run: about 60 ms, long against the clock and a context switch
DIMENSIONS = (1, 2, 4, 16, 64)


def _seconds(work: Callable[[], None]) -> float:
    start = time.process_time()  # of one thread: what else the machine does is not counted
    work()
    return time.process_time() - start


def _ours(d_k: int, samples: int) -> None:
    rng = np.random.Generator(np.random.PCG64(7))
    for _ in montecarlo.score_gaps(rng, samples, d_k):
        pass


def _numpy(d_k: int, samples: int) -> None:
    """The same normals into one buffer of the same size, which suits NumPy best."""
    rng = np.random.Generator(np.random.PCG64(7))
    chunk = max(1, montecarlo.CACHED // (3 * d_k))
    buffer = np.empty((min(chunk, samples), 3, d_k))
    for start in range(0, samples, chunk):
        rng.standard_normal(out=buffer[: min(chunk, samples - start)])


def ratios() -> dict[int, float]:
    """Return how many times as long ours takes, by d_k: the median over pairs taken in turns."""
    found = {}
    for d_k in DIMENSIONS:
        samples = NORMALS // (3 * d_k)
        pairs = [
            (_seconds(lambda d=d_k, n=samples: _ours(d, n)), _seconds(lambda d=d_k, n=samples: _numpy(d, n)))
            for _ in range(PAIRS)
        ]
        found[d_k] = statistics.median(ours / plain for ours, plain in pairs[1:])
    return found


def memory() -> float:
    """Return the peak of what a million gaps at d_k = 64 ask for, in MB."""
    tracemalloc.start()
    try:
        _ours(64, 1_000_000)
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()
