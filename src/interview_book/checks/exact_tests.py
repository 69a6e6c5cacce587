"""Exact laws of counts: what proportions and quantiles are tested against."""

from __future__ import annotations

import math

import numpy as np


def binomial(n: int, q: float) -> tuple[np.ndarray, np.ndarray]:
    """Return counts and their binomial chances, leaving out counts whose chances add up to less than 1e−30."""
    counts = _around(n * q, n * q * (1 - q), 0, n)
    return counts, _chances((n - counts[:-1]) / counts[1:] * (q / (1 - q)))


def two_sided_chance(hits: int, n: int, q: float) -> float:
    """Return twice the smaller of the chances of at most and of at least ``hits`` among ``n``, each of chance ``q``."""
    return _two_sided(hits, *binomial(n, q))


def two_sided_chance_of_parts(hits: int, n: int, other_hits: int, other_n: int) -> float:
    """Return the same for the hits of one part, given those of both: exact, whatever the common chance of a hit.

    Of ``hits + other_hits`` among all trials those in the first part are hypergeometric.

    Source: Fisher (1935), J. R. Stat. Soc. 98, 39–82.
    """
    whole, total = n + other_n, hits + other_hits
    share = n / whole
    spread = total * share * (1 - share) * (1 - total / whole)
    counts = _around(total * share, spread, max(0, total - other_n), min(n, total))
    before = counts[:-1].astype(float)
    return _two_sided(
        hits, counts, _chances((total - before) / (before + 1) * ((n - before) / (other_n - total + before + 1)))
    )


def _around(mean: float, variance: float, least: int, most: int) -> np.ndarray:
    reach = 12 * math.sqrt(variance) + 60
    return np.arange(max(least, math.floor(mean - reach)), min(most, math.ceil(mean + reach)) + 1)


def _chances(ratios: np.ndarray) -> np.ndarray:
    """Return chances whose neighbours have these ratios."""
    logs = np.concatenate(([0.0], np.cumsum(np.log(ratios))))
    chances = np.exp(logs - logs.max())
    return chances / chances.sum()


def _two_sided(hits: int, counts: np.ndarray, chances: np.ndarray) -> float:
    return float(2 * min(chances[counts <= hits].sum(), chances[counts >= hits].sum()))
