"""The binomial law, exact: what proportions and quantiles are tested against."""

from __future__ import annotations

import math

import numpy as np


def binomial(n: int, q: float) -> tuple[np.ndarray, np.ndarray]:
    """Return counts and their binomial chances, leaving out counts whose chances add up to less than 1e−30."""
    centre, reach = n * q, 12 * math.sqrt(n * q * (1 - q)) + 60
    counts = np.arange(max(0, math.floor(centre - reach)), min(n, math.ceil(centre + reach)) + 1)
    ratios = (n - counts[:-1]) / counts[1:] * (q / (1 - q))
    logs = np.concatenate(([0.0], np.cumsum(np.log(ratios))))
    chances = np.exp(logs - logs.max())
    return counts, chances / chances.sum()


def two_sided_chance(hits: int, n: int, q: float) -> float:
    """Return twice the smaller of the chances of at most and of at least ``hits`` among ``n``, each of chance ``q``."""
    counts, chances = binomial(n, q)
    return float(2 * min(chances[counts <= hits].sum(), chances[counts >= hits].sum()))
