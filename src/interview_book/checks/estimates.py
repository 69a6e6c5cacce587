"""A proportion with its interval: one value that prints, merges, and is compared with theory."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral
from statistics import NormalDist


@dataclass(frozen=True)
class Estimate:
    """``hits`` of ``n`` independent trials, and what they say about the probability of a hit.

    ``low`` to ``high`` is Wilson's interval: the probabilities that a two-sided score test with the normal quantile of
    ``confidence`` does not reject. So ``theory`` lies inside exactly when ``|z|`` is at most that quantile, and the
    interval never leaves [0, 1].

    Source: Wilson (1927), J. Am. Stat. Assoc. 22, 209–212.
    """

    hits: int
    n: int
    theory: float | None = None
    confidence: float = 0.95

    @property
    def value(self) -> float:
        """The observed proportion, hits/n."""
        return self.hits / self.n

    @property
    def standard_error(self) -> float:
        """``√(value (1 − value)/n)``; 0 without hits or with nothing but hits, where only the interval is useful."""
        return math.sqrt(self.value * (1 - self.value) / self.n)

    @property
    def quantile(self) -> float:
        """The standard normal quantile that belongs to ``confidence`` (1.96 for 0.95)."""
        return NormalDist().inv_cdf((1 + self.confidence) / 2)

    @property
    def low(self) -> float:
        """Lower end of Wilson's interval."""
        return 0.0 if self.hits == 0 else self._wilson(-1)

    @property
    def high(self) -> float:
        """Upper end of Wilson's interval."""
        return 1.0 if self.hits == self.n else self._wilson(1)

    @property
    def z(self) -> float | None:
        """``(value − theory)/√(theory (1 − theory)/n)``; ``None`` without a theory.

        If the theory is right, ``|z|`` exceeds a normal quantile with (nearly) the probability that belongs to it:
        1.96 in 5 % of runs, 4.89 in one run of a million.
        """
        if self.theory is None:
            return None
        return (self.value - self.theory) / math.sqrt(self.theory * (1 - self.theory) / self.n)

    def agrees(self, false_alarm: float) -> bool:
        """Say whether the theory survives a test that rejects a right theory with probability ``false_alarm``."""
        if self.theory is None:
            raise ValueError("agrees: this estimate has no theory to agree with; try proportion(hits, n, theory=...)")
        if not 0 < false_alarm < 1:
            raise ValueError(f"false_alarm: expected a probability between 0 and 1, got {false_alarm!r}; try 1e-6")
        return abs(self.z) <= NormalDist().inv_cdf(1 - false_alarm / 2)

    def merge(self, other: Estimate) -> Estimate:
        """Return the estimate from both parts together; exact, so the order and the cut do not matter."""
        if not isinstance(other, Estimate):
            raise TypeError(f"merge: expected an Estimate, got {type(other).__name__}; try proportion(hits, n)")
        if (self.theory, self.confidence) != (other.theory, other.confidence):
            raise ValueError(
                f"merge: expected parts of one question, got theory {self.theory} at confidence {self.confidence} and "
                f"theory {other.theory} at confidence {other.confidence}; make both with the same arguments"
            )
        return Estimate(self.hits + other.hits, self.n + other.n, self.theory, self.confidence)

    def _wilson(self, sign: int) -> float:
        p, n, q = self.value, self.n, self.quantile
        centre = p + q * q / (2 * n)
        half = q * math.sqrt(p * (1 - p) / n + q * q / (4 * n * n))
        return (centre + sign * half) / (1 + q * q / n)


def proportion(hits: int, n: int, theory: float | None = None, confidence: float = 0.95) -> Estimate:
    """Estimate a probability from ``hits`` among ``n`` independent trials.

    Parameters
    ----------
    hits, n : counts, 0 ≤ hits ≤ n and n ≥ 1.
    theory : the probability to compare with, strictly between 0 and 1.
    confidence : of the interval, strictly between 0 and 1.

    Raises
    ------
    TypeError : a count is no integer. ValueError : a number out of its range.
    """
    for name, count in (("hits", hits), ("n", n)):
        if isinstance(count, bool) or not isinstance(count, Integral):
            raise TypeError(f"{name}: expected a whole number of trials, got {count!r}; try int(np.count_nonzero(...))")
    if n < 1 or not 0 <= hits <= n:
        raise ValueError(f"hits and n: expected 0 ≤ hits ≤ n and n ≥ 1, got hits = {hits} and n = {n}")
    for name, p in (("theory", theory), ("confidence", confidence)):
        if p is not None and not 0 < p < 1:
            raise ValueError(f"{name}: expected a number strictly between 0 and 1, got {p!r}")
    return Estimate(int(hits), int(n), None if theory is None else float(theory), float(confidence))
