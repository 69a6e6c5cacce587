"""Drawing scores in chunks: memory stays the same however many are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral

import numpy as np
from jaxtyping import Float

# Numbers drawn at a time when the caller leaves the chunk open: 1 MiB of float64, which stays in a core's cache.
CACHED = 131_072
# Up to so many features a loop over them is faster than einsum, whose inner loop is then too short.
FEW = 4


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
    chunk : gaps at a time; by default as many as fit into 1 MiB.

    Yields
    ------
    float64 arrays of at most ``chunk`` gaps that add up to ``samples``; each is new and the caller's to keep.

    Raises
    ------
    TypeError : no Generator, or a count that is no integer. ValueError : a count below 1.
    """
    if not isinstance(rng, np.random.Generator):
        raise TypeError(
            f"rng: expected a numpy.random.Generator, got {type(rng).__name__}; "
            "try np.random.Generator(np.random.PCG64(seed))"
        )
    if chunk is None and isinstance(d_k, Integral) and d_k >= 1:
        chunk = max(1, CACHED // (3 * int(d_k)))
    for name, count in (("samples", samples), ("d_k", d_k)) + ((("chunk", chunk),) if chunk is not None else ()):
        if isinstance(count, bool) or not isinstance(count, Integral):
            raise TypeError(f"{name}: expected a whole number, got {count!r}")
        if count < 1:
            raise ValueError(f"{name}: expected at least 1, got {count}")
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
