"""Measurements of scores by drawing them: memory stays the same however many are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from functools import partial
from numbers import Integral

import numpy as np
from jaxtyping import Float

from interview_book.checks.arguments import require_count, require_generator, require_real
from interview_book.checks.components import Components, as_components, require_pair
from interview_book.checks.moments import BLOCK, Moments
from interview_book.checks.samplers import FEW, MEMORY, raw_scores
from interview_book.checks.streaming import CHUNK, run_chunks

# Numbers drawn at a time when the caller leaves the chunk open: 1 MiB of float64, which stays in a core's cache.
CACHED = 131_072


def measure_scores(
    rng: np.random.Generator,
    samples: int,
    d_k: int,
    *,
    q: Components | str = "normal",
    k: Components | str = "normal",
    rho: float = 0.0,
    divisor: float = 1.0,
    executor: Executor | None = None,
    chunk: int = CHUNK,
    memory: int = MEMORY,
) -> Moments:
    """Return the moments of ``samples`` scores ``q·k/divisor``, drawn in chunks by any number of workers.

    The result is the same to the last bit whoever runs the chunks; see
    :func:`~interview_book.checks.streaming.run_chunks` for ``rng``, ``chunk`` and ``executor``, and
    :func:`~interview_book.checks.samplers.raw_scores` for the rest. ``memory`` is that of one worker.

    Raises
    ------
    TypeError, ValueError : as those two, at once; ``divisor`` is not above 0. ChunkError : a chunk failed.
    """
    require_generator(rng)
    require_real("divisor", divisor, above=0)
    q, k = as_components("q", q), as_components("k", k)
    require_pair(d_k, q, k, rho)
    raw_scores(
        np.random.Generator(np.random.PCG64(0)), 1, d_k, q=q, k=k, rho=rho, memory=_drawing(memory)
    )  # draws nothing
    work = partial(_moments, d_k=d_k, q=q, k=k, rho=rho, divisor=float(divisor), memory=memory)
    return run_chunks(work, rng, samples, chunk=chunk, executor=executor)


def _moments(rng: np.random.Generator, samples: int, *, divisor: float, memory: int, **law) -> Moments:
    whole, held = Moments(), 0
    # Many features make short chunks of scores, and moments of few numbers cost as much as of many: gather them.
    gathered = np.empty(_gathered(memory))
    for scores in raw_scores(rng, samples, memory=_drawing(memory), **law):
        if divisor != 1:
            scores /= divisor
        if held + scores.size > gathered.size:
            whole, held = whole.merge(Moments.of(gathered[:held])), 0
        if scores.size > gathered.size // 2:
            whole = whole.merge(Moments.of(scores))
        else:
            gathered[held : held + scores.size] = scores
            held += scores.size
    return whole.merge(Moments.of(gathered[:held]))


def _gathered(memory: int) -> int:
    """Return how many scores are gathered: with the two copies that their moments take, an eighth of the memory."""
    return memory // (8 * 8 * 3)


def _drawing(memory: int) -> int:
    return memory - 3 * 8 * _gathered(memory)


def score_gaps(
    rng: np.random.Generator, samples: int, d_k: int, chunk: int | None = None
) -> Iterator[Float[np.ndarray, " gaps"]]:
    """Yield gaps between the raw scores of two Keys: ``D = q·k₁ − q·k₂`` with independent standard normal components.

    Each gap has mean 0 and variance ``2 d_k``, and is independent of the others: every one has its own Query and Keys.

    Parameters
    ----------
    rng : the generator to draw from; each gap takes the next ``3 d_k`` normals, so the same seed gives the same gaps
        whatever the chunk.
    samples : how many gaps altogether, ≥ 1.
    d_k : features of a Query and of a Key, ≥ 1.
    chunk : gaps at a time; by default as many as fit into 1 MiB, and at most 16,000.

    Yields
    ------
    float64 arrays of at most ``chunk`` gaps that add up to ``samples``; each is new and the caller's to keep.

    Raises
    ------
    TypeError : no Generator, or a count that is no integer. ValueError : a count below 1.
    """
    require_generator(rng)
    if chunk is None and isinstance(d_k, Integral) and d_k >= 1:
        chunk = max(1, min(BLOCK, CACHED // (3 * int(d_k))))
    for name, count in (("samples", samples), ("d_k", d_k)) + ((("chunk", chunk),) if chunk is not None else ()):
        require_count(name, count)
    # Checked here and not in the generator below, whose body would not run before the first gap is asked for.
    return _draw(rng, int(samples), int(d_k), int(chunk))


def _draw(rng: np.random.Generator, samples: int, d_k: int, chunk: int) -> Iterator[np.ndarray]:
    buffer = np.empty((min(chunk, samples), 3, d_k))
    for start in range(0, samples, chunk):
        rows = buffer[: min(chunk, samples - start)]
        rng.standard_normal(out=rows)
        query, first, second = rows[:, 0], rows[:, 1], rows[:, 2]
        if d_k <= FEW:
            gaps = query[:, 0] * (first[:, 0] - second[:, 0])
            for i in range(1, d_k):
                gaps += query[:, i] * (first[:, i] - second[:, i])
        else:
            gaps = np.einsum("nd,nd->n", query, first)
            gaps -= np.einsum("nd,nd->n", query, second)
        yield gaps
