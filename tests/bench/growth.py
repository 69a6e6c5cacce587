"""From ten thousand scores to ten million: the time of one and the memory of all stay what they were."""

from __future__ import annotations

import statistics
import time
import tracemalloc
from collections.abc import Iterator

import numpy as np

from interview_book.checks import montecarlo

SAMPLES = (10_000, 100_000, 1_000_000, 10_000_000)
DIMENSIONS = (4, 64)
# 10⁷ scores at d_k = 64: 1.28 thousand million normals, some twelve seconds.
LARGEST = 640_000_000
# Ten thousand scores at d_k = 4 are over in a millisecond, so that small counts are measured again and again.
NORMALS = 4_000_000
SLOWER = 1.25
HEAVIER = 1.25


def _measure(samples: int, d_k: int) -> None:
    montecarlo.measure_scores(np.random.Generator(np.random.PCG64(7)), samples, d_k)


def nanoseconds(samples: int, d_k: int) -> float:
    """Return the processor time of one score: the median of three rounds."""
    repeats = max(1, NORMALS // (2 * d_k * samples))
    rounds = []
    for _ in range(3 if samples * d_k * 20 <= LARGEST else 1):
        start = time.process_time()
        for _ in range(repeats):
            _measure(samples, d_k)
        rounds.append((time.process_time() - start) / repeats / samples * 1e9)
    return statistics.median(rounds)


def peak(samples: int, d_k: int) -> float:
    """Return the most memory held at a time, in MB."""
    tracemalloc.start()
    try:
        _measure(samples, d_k)
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def rows() -> Iterator[tuple]:
    """Yield the rows of the table: what, limit, measured, unit, how."""
    for d_k in DIMENSIONS:
        counts = [n for n in SAMPLES if n * d_k <= LARGEST]
        _measure(counts[0], d_k)
        times = [nanoseconds(n, d_k) for n in counts]
        peaks = [peak(n, d_k) for n in counts]
        span = (
            f"10⁴ … 10{str(len(counts) + 3).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))} scores, d_k = {d_k}"
        )
        told = ", ".join(f"{one:.0f}" for one in times) + " ns a score"
        yield f"{span}: slowest", SLOWER, max(times) / times[0], "× of 10⁴", told
        told = ", ".join(f"{one:.2f}" for one in peaks) + " MB"
        yield f"{span}: heaviest", HEAVIER, max(peaks) / peaks[0], "× of 10⁴", told
