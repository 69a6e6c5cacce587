"""Running chunks of a measurement anywhere: here, in threads, in processes, on a cluster.

Each chunk has a generator of its own, the chunks are merged in their order, and how they are cut does not depend on
who runs them. So a result is the same to the last bit for any number of workers and any order in which they finish.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from typing import TypeVar

import numpy as np

from interview_book.checks.arguments import require_count, require_generator

Part = TypeVar("Part")

CHUNK = 2**17
"""Samples of a chunk: some milliseconds at d_k = 1, a tenth of a second at d_k = 64."""
# Chunks handed out and not yet merged. Enough for the cores of one machine, few enough for the memory of any.
AHEAD = 64


class ChunkError(RuntimeError):
    """A chunk failed; the message says which one, the cause is the error itself."""


def run_chunks(
    work: Callable[[np.random.Generator, int], Part],
    rng: np.random.Generator,
    samples: int,
    *,
    chunk: int = CHUNK,
    executor: Executor | None = None,
    merge: Callable[[Part, Part], Part] | None = None,
    ahead: int = AHEAD,
) -> Part:
    """Return what ``work`` measures on ``samples`` trials, cut into chunks and merged.

    Parameters
    ----------
    work : takes a generator and a number of trials, returns what it measured on them. For processes and clusters it
        must be picklable: a function of a module, or ``functools.partial`` of one.
    rng : gives one child generator to each chunk (``rng.spawn``); its own stream does not move, but a second call with
        it gets other children.
    samples : trials altogether, ≥ 1.
    chunk : trials of a chunk, ≥ 1; the last has the rest. It is part of the question: another chunk draws other
        numbers. The number of workers is not.
    executor : any ``concurrent.futures.Executor``, for example ``ProcessPoolExecutor()`` or, for a cluster, dask's
        ``client.get_executor()``; None runs everything in this thread. It stays open.
    merge : puts two parts together, the earlier one first; by default ``earlier.merge(later)``.
    ahead : chunks handed out before the first of them is merged, ≥ 1: what bounds the memory of a long run.

    Raises
    ------
    ChunkError : a chunk raised; chunks not yet begun are cancelled. TypeError, ValueError : an argument is of no use.
    """
    require_generator(rng)
    for name, count in (("samples", samples), ("chunk", chunk), ("ahead", ahead)):
        require_count(name, count)
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise TypeError(
            f"executor: expected a concurrent.futures.Executor or None, got {type(executor).__name__}; "
            "try ProcessPoolExecutor(), or client.get_executor() of a dask client"
        )
    merge = merge or (lambda earlier, later: earlier.merge(later))
    counts = [min(chunk, samples - start) for start in range(0, samples, chunk)]
    parts = _here(work, rng, counts) if executor is None else _there(work, rng, counts, executor, ahead)
    whole = next(parts)
    for part in parts:
        whole = merge(whole, part)
    return whole


def _child(rng: np.random.Generator) -> np.random.Generator:
    try:
        return rng.spawn(1)[0]
    except TypeError:
        raise TypeError(
            "rng: expected a generator made from a seed, which can give children; "
            "try np.random.Generator(np.random.PCG64(seed))"
        ) from None


def _here(work: Callable, rng: np.random.Generator, counts: list[int]) -> Iterator:
    for index, count in enumerate(counts):
        child = _child(rng)
        try:
            part = work(child, count)
        except Exception as error:
            raise _told(index, counts, error) from error
        yield part


def _there(work: Callable, rng: np.random.Generator, counts: list[int], executor: Executor, ahead: int) -> Iterator:
    waiting: deque = deque()
    try:
        for index in range(len(counts) + 1):
            while len(waiting) == ahead or (waiting and index == len(counts)):
                yield _result(waiting, counts)
            if index < len(counts):
                child = _child(rng)
                try:
                    future = executor.submit(work, child, counts[index])
                except Exception as error:
                    # A pool that has broken refuses what comes next; the chunk that broke it is among those waiting.
                    while waiting:
                        _result(waiting, counts)
                    raise _told(index, counts, error) from error
                waiting.append((index, future))
    finally:
        for _, future in waiting:
            future.cancel()


def _result(waiting: deque, counts: list[int]):
    index, future = waiting.popleft()
    try:
        return future.result()
    except Exception as error:
        raise _told(index, counts, error) from error


def _told(index: int, counts: list[int], error: Exception) -> ChunkError:
    return ChunkError(f"chunk {index} of {len(counts)} ({counts[index]} samples): {type(error).__name__}: {error}")
