"""A quantile with an interval that assumes nothing about the distribution."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from statistics import NormalDist

import numpy as np
from jaxtyping import Float

from interview_book.checks.arguments import require_probability, require_real
from interview_book.checks.estimates import Estimate
from interview_book.checks.exact_tests import binomial, two_sided_chance


@dataclass(frozen=True, init=False, eq=False)
class Quantile(Estimate):
    """The sample quantile of ``n`` independent numbers, and what it says about that of their law.

    ``low`` and ``high`` are two of the numbers. How many of n numbers lie below the true ``q`` quantile of a continuous
    law is binomial(n, q), whatever the law; so the true quantile lies between the two with probability at least
    ``confidence``. If the law has atoms, the interval covers at least as often.

    ``value`` is NumPy's default (linear between two neighbours). ``standard_error`` is the length of the interval over
    twice the normal quantile of ``confidence``, for printing; nothing rests on it but ``differ``. Made by
    :func:`quantile`.

    Source: David and Nagaraja (2003), Order statistics, section 7.1.
    """

    q: float = 0.5
    ordered: np.ndarray = field(default=None, repr=False)

    def __init__(self, ordered: np.ndarray, q: float, theory: float | None = None, confidence: float = 0.95) -> None:
        ranks = order_ranks(len(ordered), q, confidence)
        low, high = (float(ordered[rank]) for rank in ranks)
        for name, one in (
            ("value", float(np.quantile(ordered, q))),
            ("standard_error", (high - low) / (2 * NormalDist().inv_cdf((1 + confidence) / 2))),
            ("n", len(ordered)),
            ("theory", theory),
            ("confidence", confidence),
            ("error_in_theory", None),
            ("q", q),
            ("ordered", ordered),
            ("_ends", (low, high)),
        ):
            object.__setattr__(self, name, one)

    @property
    def low(self) -> float:
        """Lower end of the interval, one of the numbers."""
        return self._ends[0]

    @property
    def high(self) -> float:
        """Upper end of the interval, one of the numbers."""
        return self._ends[1]

    def z_against(self, theory: float) -> float:
        """Return ``(n q − below)/√(n q (1 − q))``, ``below`` counting x ≤ theory; > 0 if the sample lies above."""
        return (self.n * self.q - self._below(theory)) / math.sqrt(self.n * self.q * (1 - self.q))

    def agrees(self, false_alarm: float) -> bool:
        """Say whether the theory survives an exact two-sided binomial test.

        It rejects a right theory about a continuous law with a probability of at most ``false_alarm``.
        """
        if self.theory is None:
            raise ValueError("agrees: this quantile has no theory to agree with; try quantile(x, q, theory=...)")
        require_probability("false_alarm", false_alarm, "1e-6")
        return two_sided_chance(self._below(self.theory), self.n, self.q) > false_alarm

    def _below(self, theory: float) -> int:
        return int(np.searchsorted(self.ordered, theory, side="right"))


def quantile(
    x: Float[np.ndarray, " n"], q: float, theory: float | None = None, confidence: float = 0.95
) -> Quantile:
    """Estimate the ``q`` quantile of the law that independent numbers ``x`` come from.

    Parameters
    ----------
    x : ``(n,)`` finite numbers.
    q : strictly between 0 and 1; 0.5 is the median.
    theory : the quantile to compare with, in the units of ``x``.
    confidence : of the interval, strictly between 0 and 1.

    Returns
    -------
    Quantile in the units of ``x``.

    Raises
    ------
    ValueError : another shape, a number that is not finite, ``q`` or ``confidence`` out of range, or too few numbers
        for an interval (the median at 95 % needs 6).
    """
    require_probability("q", q)
    require_probability("confidence", confidence)
    if theory is not None:
        require_real("theory", theory)
    x = np.asarray(x, dtype=np.float64)
    if x.ndim != 1 or not np.isfinite(x).all():
        raise ValueError(
            f"x: expected finite numbers of shape (n,), got {int((~np.isfinite(x)).sum())} that are NaN or infinite in "
            f"shape {x.shape}; try x[np.isfinite(x)]"
        )
    ordered = np.sort(x)
    ordered.flags.writeable = False
    return Quantile(ordered, float(q), None if theory is None else float(theory), float(confidence))


def order_ranks(n: int, q: float, confidence: float) -> tuple[int, int]:
    """Return which two of ``n`` sorted numbers (counted from 0) enclose the ``q`` quantile, equal tails at most.

    With B ~ binomial(n, q) numbers below the quantile it is missed on the left if ``B ≤ low`` and on the right if
    ``B > high``; each has a probability of at most ``(1 − confidence)/2``. ``ValueError`` if ``n`` is too small.
    """
    tail = (1 - confidence) / 2
    if n < 1 or max(q**n, (1 - q) ** n) > tail:
        least = math.ceil(math.log(tail) / math.log(max(q, 1 - q)))
        raise ValueError(f"x: expected at least {least} numbers for q = {q} at confidence {confidence}, got {n}")
    counts, chances = binomial(n, q)
    low = int(counts[np.cumsum(chances) <= tail].max(initial=0))
    above = np.cumsum(chances[::-1])[::-1]  # P(B ≥ count)
    high = int(counts[above <= tail].min(initial=n)) - 1
    return low, high
