"""Drawing raw scores of many laws in chunks that never exceed a set memory."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from jaxtyping import Float

from interview_book.checks.arguments import require_count, require_generator
from interview_book.checks.components import Components, as_components, require_pair
from interview_book.checks.moments import BLOCK

MEMORY = 2**20
"""Bytes that a sampler may hold at a time: 1 MiB stays in a core's cache."""

# Up to so many features a loop over them is faster than einsum, whose inner loop is then too short.
FEW = 4
# Headers of arrays, the generator's own state, views: counted once and not by the row.
_FIXED = 8192
_FLOAT = 8
# NumPy works on vectors inside an array through up to three buffers of this many floats, fewer if there are fewer.
_BUFFERS, _BUFFER = 3, 8192


def raw_scores(
    rng: np.random.Generator,
    samples: int,
    d_k: int,
    *,
    q: Components | str = "normal",
    k: Components | str = "normal",
    rho: float = 0.0,
    memory: int = MEMORY,
) -> Iterator[Float[np.ndarray, " scores"]]:
    """Yield raw scores ``s = q·k``, each with a Query and a Key of its own, so that all are independent.

    What theory says of them is in :func:`~interview_book.checks.components.score_theory`: mean 0 and variance d_k for
    standardised components.

    Parameters
    ----------
    rng : the generator to draw from. The same seed gives the same scores whatever the memory. Where q and k are of
        different families each draws from a child of it (``rng.spawn``).
    samples : how many scores altogether, ≥ 1.
    d_k : features of a Query and of a Key, ≥ 1.
    q, k : the laws of their components, as :class:`Components` or by the name of a standardised family ("normal",
        "uniform", "rademacher", "laplace").
    rho : correlation of q_i with k_i, −1 ≤ rho ≤ 1; for normal components without correlation within a vector.
    memory : bytes never exceeded; the scores at hand, those yielded just before and what
        :meth:`~interview_book.checks.moments.Moments.of` needs are included.

    Yields
    ------
    float64 arrays that add up to ``samples``; each is new and the caller's to keep.

    Raises
    ------
    TypeError : no Generator, a count that is no integer. ValueError : a number out of its range, laws that do not go
    together, a memory that cannot hold one score.
    """
    require_generator(rng)
    require_count("samples", samples)
    require_count("memory", memory)
    q, k = as_components("q", q), as_components("k", k)
    require_pair(d_k, q, k, rho)
    floats, row = (memory - _FIXED) // _FLOAT, _floats_of_a_row(d_k, q, k, rho)
    rows = floats // row
    if rho or not (_plain(q) and _plain(k)):
        small = _BUFFERS * d_k  # of a row, as long as all rows together do not fill the buffers
        rows = max(floats // (row + small), (floats - _BUFFERS * _BUFFER) // row)
        row += small
    if rows < 1:
        raise ValueError(
            f"memory: expected at least {_FIXED + _FLOAT * row} bytes for one score with d_k = {d_k}, got {memory}"
        )
    # Checked here and not in the generators below, whose bodies would not run before the first score is asked for.
    return _scores(_vectors(rng, samples, d_k, min(rows, BLOCK, samples), q, k), rho, q, k)


def _plain(law: Components) -> bool:
    """Whether the components are taken as they are drawn."""
    return not (law.within or np.any(law.mean) or np.any(np.not_equal(law.deviation, 1)))


def _floats_of_a_row(d_k: int, q: Components, k: Components, rho: float) -> int:
    vectors = 2 * d_k + (q.within > 0) + (k.within > 0)
    # NumPy cannot draw these into an array of ours: for a moment there are two.
    copies = 2 if {q.family, k.family} & {"laplace", "student_t"} else 1
    scratch = d_k if rho else 0
    return (
        copies * vectors + scratch + 5
    )  # the scores, those yielded before, one product, two copies where their moments are taken


def _vectors(rng, samples: int, d_k: int, rows: int, q: Components, k: Components) -> Iterator[tuple]:
    """Yield standardised vectors, each array of shape (rows, d_k) and good until the next pair."""
    width_q, width_k = d_k + (q.within > 0), d_k + (k.within > 0)
    if (q.family, q.df) == (k.family, k.df):
        buffer = np.empty((rows, width_q + width_k))
        for start in range(0, samples, rows):
            drawn = buffer[: samples - start]
            _fill(rng, drawn, q)
            yield _correlated(drawn[:, :width_q], q.within), _correlated(drawn[:, width_q:], k.within)
        return
    rng_q, rng_k = rng.spawn(2)
    buffers = np.empty((rows, width_q)), np.empty((rows, width_k))
    for start in range(0, samples, rows):
        queries, keys = (buffer[: samples - start] for buffer in buffers)
        _fill(rng_q, queries, q)
        _fill(rng_k, keys, k)
        yield _correlated(queries, q.within), _correlated(keys, k.within)


def _fill(rng: np.random.Generator, out: np.ndarray, law: Components) -> None:
    """Fill a contiguous array with independent numbers of the law's family, of variance 1 where it exists."""
    if law.family == "normal":
        rng.standard_normal(out=out)
    elif law.family == "uniform":
        rng.random(out=out)
        out -= 0.5
        out *= math.sqrt(12)
    elif law.family == "rademacher":
        # Half of the numbers that random can give lie below 1/2.
        rng.random(out=out)
        out -= 0.5
        np.copysign(1.0, out, out=out)
    elif law.family == "laplace":
        out[...] = rng.laplace(scale=math.sqrt(0.5), size=out.shape)
    else:
        out[...] = rng.standard_t(law.df, size=out.shape)
        if law.df > 2:
            out *= math.sqrt((law.df - 2) / law.df)


def _correlated(drawn: np.ndarray, within: float) -> np.ndarray:
    """Mix the last column into the others, in place: ``√(1 − r) y_i + √r y_0``."""
    if not within:
        return drawn
    mixed, shared = drawn[:, :-1], drawn[:, -1:]
    mixed *= math.sqrt(1 - within)
    shared *= math.sqrt(within)
    mixed += shared
    return mixed


def _scores(vectors: Iterator[tuple], rho: float, q: Components, k: Components) -> Iterator[np.ndarray]:
    # Asked once: a few calls for each chunk would be a hundredth of its time.
    plain = not rho and _plain(q) and _plain(k)
    for queries, keys in vectors:
        if rho:
            keys *= math.sqrt(1 - rho * rho)
            keys += rho * queries
        for drawn, law in () if plain else ((queries, q), (keys, k)):
            drawn *= law.deviation
            drawn += law.mean
        yield products(queries, keys)


def products(queries: Float[np.ndarray, "n d_k"], keys: Float[np.ndarray, "n d_k"]) -> Float[np.ndarray, " n"]:
    """Return ``s_i = Σ_f q_if k_if``, the score of each Query with the Key of the same row. Not through BLAS.

    BLAS adds up in another order on another number of threads, and results shall not depend on that.
    """
    if queries.shape[1] > FEW:
        return np.einsum("nd,nd->n", queries, keys)
    scores = queries[:, 0] * keys[:, 0]
    for i in range(1, queries.shape[1]):
        scores += queries[:, i] * keys[:, i]
    return scores
