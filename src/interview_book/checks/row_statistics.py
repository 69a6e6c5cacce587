"""What a softmax makes of many random rows of scores: entropy, largest weight, Jacobian, each with its interval.

Draw rows with :func:`score_rows` (Queries and Keys themselves) or :func:`normal_score_rows` (the same law, faster),
hand them to :func:`summarise_rows`, and ask the result for means, medians and quantiles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from interview_book.checks.arguments import require_count, require_generator, require_real
from interview_book.checks.estimates import Estimate, mean_estimate
from interview_book.checks.moments import Moments
from interview_book.checks.quantiles import Quantile, quantile

# Bytes of one chunk when the caller leaves them open: a few MiB, which stay in a core's cache better than more.
MEMORY = 4 * 2**20
# Numbers held for each row at the peak of `measure_rows`: so many for each score (the chunk itself is one of them), and
# so many more.
PER_SCORE, PER_ROW = 7, 16


class RowMeasures(NamedTuple):
    """Measures of each row, all of shape ``(...)``; NaN for a row without a finite score.

    ``entropy`` H = −Σ p log p in nats; ``deficit`` log n − H in nats, n the finite scores of the row; ``largest`` the
    largest weight; ``squares`` Σ p²; ``jacobian`` ‖J‖_F with J = diag(p) − p pᵀ, the derivative in the scaled scores.
    """

    entropy: Float[np.ndarray, ...]
    deficit: Float[np.ndarray, ...]
    largest: Float[np.ndarray, ...]
    squares: Float[np.ndarray, ...]
    jacobian: Float[np.ndarray, ...]


def measure_rows(z: Float[np.ndarray, "*rows n"]) -> RowMeasures:
    """Measure the softmax of each row of scaled scores ``(..., n)``; −inf stands for a Key that may not be seen.

    The largest weight p₁ = 1 − e is kept apart and e is added up from the others, so that a saturated row keeps its
    digits: H = log(1 + Σ' exp(z_j − z₁)) + Σ' p_j (z₁ − z_j), and
    ‖J‖_F² = p₁² e² + Σ' p_j² (1 − p_j)² + 2 p₁² R₂ + R₂² − R₄ with R_m = Σ' p_j^m, which is Σp² − 2Σp³ + (Σp²)² without
    its cancellation. Computed in float64.
    """
    z = np.asarray(z, dtype=np.float64)
    n = np.isfinite(z).sum(axis=-1)
    place = z.argmax(axis=-1)[..., np.newaxis]
    top = np.take_along_axis(z, place, axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        below = np.where(np.isneginf(z), 0.0, top - z)
        p = np.where(np.isneginf(z), 0.0, np.exp(-below))
        np.put_along_axis(p, place, 0.0, axis=-1)
        others = p.sum(axis=-1)
        p /= 1 + others[..., np.newaxis]
        rest, first = others / (1 + others), 1 / (1 + others)
        entropy = np.log1p(others) + np.einsum("...n,...n->...", p, below)
        two = np.einsum("...n,...n->...", p, p)
        jacobian = (first * rest) ** 2 + 2 * first**2 * two + two**2
        jacobian += ((p * (1 - p)) ** 2 - p**4).sum(axis=-1)
        measures = (entropy, np.log(n) - entropy, first, first**2 + two, np.sqrt(jacobian))
    # Equal scores make the deficit −4e−16; it is never negative.
    entropy, deficit, *others = (np.where(n > 0, one, np.nan) for one in measures)
    return RowMeasures(entropy, np.maximum(deficit, 0.0), *others)


@dataclass(frozen=True, eq=False)
class RowStatistics:
    """The measures of ``rows`` independent rows with ``n`` Keys each, one number per row (40 bytes a row).

    Quantiles need every row, so memory grows with the rows, but not with Keys or features.
    """

    n: int
    measures: RowMeasures

    @property
    def rows(self) -> int:
        """How many rows were measured."""
        return self.measures.entropy.size

    def mean(self, name: str, theory: float | None = None, confidence: float = 0.95) -> Estimate:
        """Estimate the mean of one measure, for example ``"entropy"``."""
        return mean_estimate(Moments.of(self._values(name)), theory, confidence)

    def median(self, name: str, theory: float | None = None, confidence: float = 0.95) -> Quantile:
        """Estimate the median of one measure; the interval needs no assumption about its distribution."""
        return quantile(self._values(name), 0.5, theory, confidence)

    def quantile(self, name: str, q: float, theory: float | None = None, confidence: float = 0.95) -> Quantile:
        """Estimate the ``q`` quantile of one measure, 0 < q < 1, in the same way."""
        return quantile(self._values(name), q, theory, confidence)

    def merge(self, other: RowStatistics) -> RowStatistics:
        """Return the rows of both together, ours first; for parts computed elsewhere."""
        if not isinstance(other, RowStatistics):
            raise TypeError(f"merge: expected RowStatistics, got {type(other).__name__}; try summarise_rows(chunks)")
        if self.n != other.n:
            raise ValueError(f"merge: expected rows with one number of Keys, got {self.n} and {other.n}")
        pairs = zip(self.measures, other.measures, strict=True)
        return RowStatistics(self.n, RowMeasures(*(np.concatenate(pair) for pair in pairs)))

    def _values(self, name: str) -> np.ndarray:
        if name not in RowMeasures._fields:
            raise ValueError(f"name: expected one of {', '.join(map(repr, RowMeasures._fields))}, got {name!r}")
        return getattr(self.measures, name)


def summarise_rows(chunks: Iterable[Float[np.ndarray, "_rows n"]], divisor: float = 1.0) -> RowStatistics:
    """Divide rows of raw scores by ``divisor``, take their softmax and measure it.

    Parameters
    ----------
    chunks : arrays ``(rows, n)`` of finite raw scores, drawn by :func:`score_rows` or by anything else; taken one at
        a time.
    divisor : ``c`` in ``z = s/c``; √d_k, d_k, or 1 for none.

    Raises
    ------
    ValueError : no rows, another number of Keys from chunk to chunk, a score that is not finite, a divisor not above 0.
    """
    require_real("divisor", divisor, above=0.0)
    parts, n = [], None
    for chunk in chunks:
        if chunk.ndim != 2 or chunk.shape[1] == 0 or n not in {None, chunk.shape[1]}:
            raise ValueError(f"chunks: expected arrays (rows, n) with one n ≥ 1, got shape {chunk.shape} (n {n})")
        if not np.isfinite(chunk).all():
            raise ValueError(f"chunks: expected finite scores, got NaN or infinite ones in shape {chunk.shape}")
        n = chunk.shape[1]
        parts.append(measure_rows(chunk / divisor))
    if not parts:
        raise ValueError("chunks: expected at least one array of rows, got none; a generator serves only once")
    return RowStatistics(n, RowMeasures(*(np.concatenate(columns) for columns in zip(*parts, strict=True))))


def score_rows(
    rng: np.random.Generator, rows: int, n: int, d_k: int, memory: int = MEMORY
) -> Iterator[Float[np.ndarray, "_rows n"]]:
    """Yield rows of raw scores ``s_j = q·k_j``, each with a Query and n Keys of its own of standard normal components.

    Within a row the scores share the Query: uncorrelated, not independent. Rows are independent.

    Parameters
    ----------
    rng : generator; each row takes the next ``(1 + n) d_k`` normals, so the same seed gives the same rows whatever the
        memory.
    rows, n, d_k : counts ≥ 1.
    memory : bytes that a chunk and its measuring in :func:`summarise_rows` may take; a row whose Keys do not fit is
        drawn in blocks of Keys.

    Raises
    ------
    TypeError : no Generator, or a count that is no integer. ValueError : a count below 1, or a memory too small for one
        row of scores, a Query and a Key.
    """
    require_generator(rng)
    for name, count in (("rows", rows), ("n", n), ("d_k", d_k), ("memory", memory)):
        require_count(name, count)
    measuring = PER_SCORE * n + PER_ROW
    block = (memory // 8 - measuring - d_k) // d_k
    if block < 1:
        raise ValueError(f"memory: expected at least {8 * (measuring + 2 * d_k)} bytes for one row, got {memory}")
    return _vector_rows(rng, rows, n, d_k, memory, min(block, n))


def _vector_rows(rng, rows, n, d_k, memory, block):
    together = memory // (8 * ((1 + n) * d_k + PER_SCORE * n + PER_ROW))
    if together >= 1:
        buffer = np.empty((min(together, rows), 1 + n, d_k))
        for start in range(0, rows, together):
            drawn = buffer[: min(together, rows - start)]
            rng.standard_normal(out=drawn)
            yield (drawn[:, 1:] @ drawn[:, 0, :, np.newaxis])[..., 0]
        return
    buffer = np.empty((block, d_k))
    for _ in range(rows):
        query, row = rng.standard_normal(d_k), np.empty((1, n))
        for start in range(0, n, block):
            keys = buffer[: min(block, n - start)]
            rng.standard_normal(out=keys)
            row[0, start : start + block] = keys @ query
        yield row


def normal_score_rows(
    rng: np.random.Generator, rows: int, n: int, d_k: int, memory: int = MEMORY
) -> Iterator[Float[np.ndarray, "_rows n"]]:
    """Yield rows with exactly the law of :func:`score_rows` at ``1 + n`` numbers a row instead of ``(1 + n) d_k``.

    Given the Query, ``q·k_j`` are independent normals of variance ``‖q‖²``, and ``‖q‖²`` is chi-squared with ``d_k``
    degrees of freedom. So a row is ``√χ² · (g_1, …, g_n)``. Arguments and errors as in :func:`score_rows`; the rows
    come from two children of ``rng``, so they do not depend on the memory.
    """
    require_generator(rng)
    for name, count in (("rows", rows), ("n", n), ("d_k", d_k), ("memory", memory)):
        require_count(name, count)
    row = 8 * (PER_SCORE * n + PER_ROW)
    together = memory // row
    if together < 1:
        raise ValueError(f"memory: expected at least {row} bytes for one row, got {memory}")
    return _norm_rows(*rng.spawn(2), rows, n, d_k, together)


def _norm_rows(norms, normals, rows, n, d_k, together):
    for start in range(0, rows, together):
        drawn = normals.standard_normal((min(together, rows - start), n))
        drawn *= np.sqrt(norms.chisquare(d_k, (len(drawn), 1)))
        yield drawn
