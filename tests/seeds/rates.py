"""How probable it is that right programs fail so often."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np


def tail(failures: int, rates: Mapping[float, int]) -> float:
    """Return P(at least ``failures``) of independent runs, ``rates[p]`` of which fail with probability ``p``.

    The probabilities of 0, 1, … are built up run by run, all terms positive, so that even a tiny tail keeps its
    digits; only what lies at or above ``failures`` is put together into the last cell.
    """
    if failures == 0:
        return 1.0
    probability = np.zeros(failures + 1)
    probability[0] = 1.0
    for rate, runs in rates.items():
        for _ in range(runs):
            moved = rate * probability[:-1]
            probability[:-1] -= moved
            probability[1:] += moved
    return float(probability[-1])
