"""Estimates with their intervals: values that print, merge, and are compared with theory and with each other."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from statistics import NormalDist

from interview_book.checks.arguments import require_count, require_probability, require_real
from interview_book.checks.exact_tests import two_sided_chance, two_sided_chance_of_parts
from interview_book.checks.moments import Moments


@dataclass(frozen=True)
class Estimate:
    """A number measured from ``n`` independent trials, with its standard error.

    By the central limit theorem the error is nearly normal for large n, so ``low`` to ``high`` covers the true value
    with a probability near ``confidence``, and ``z`` is nearly standard normal where ``theory`` is right.
    ``error_in_theory`` is the standard error that the theory itself predicts, where it predicts one: ``z`` then
    divides by that, and not by the measured one.

    Make them with :func:`proportion`, :func:`mean_estimate` and :func:`variance_estimate`.
    """

    value: float
    standard_error: float
    n: int
    theory: float | None = None
    confidence: float = 0.95
    error_in_theory: float | None = None

    @property
    def quantile(self) -> float:
        """The standard normal quantile that belongs to ``confidence`` (1.96 for 0.95)."""
        return NormalDist().inv_cdf((1 + self.confidence) / 2)

    @property
    def low(self) -> float:
        """Lower end of the interval."""
        return self.value - self.quantile * self.standard_error

    @property
    def high(self) -> float:
        """Upper end of the interval."""
        return self.value + self.quantile * self.standard_error

    @property
    def z(self) -> float | None:
        """How many standard errors the value lies above the theory; ``None`` without a theory.

        If the theory is right, ``|z|`` exceeds a normal quantile with (nearly) the probability that belongs to it:
        1.96 in 5 % of runs, 4.89 in one run of a million.
        """
        return None if self.theory is None else self.z_against(self.theory)

    def z_against(self, theory: float) -> float:
        """Return z as if ``theory`` were the theory; ±inf where no error is known but a difference is."""
        error = self.standard_error if self.error_in_theory is None else self.error_in_theory
        return _ratio(self.value - theory, error)

    def agrees(self, false_alarm: float) -> bool:
        """Say whether the theory survives a test that rejects a right theory with probability ``false_alarm``."""
        if self.theory is None:
            raise ValueError("agrees: this estimate has no theory to agree with; give one with theory=...")
        return abs(self.z) <= _threshold(false_alarm)


@dataclass(frozen=True, init=False)
class Proportion(Estimate):
    """``hits`` of ``n`` independent trials, and what they say about the probability of a hit.

    ``value`` is hits/n. ``standard_error`` is ``√(value (1 − value)/n)``: 0 without hits or with nothing but hits,
    where only the interval is useful. ``low`` to ``high`` is Wilson's interval: the probabilities that a two-sided
    score test with the normal quantile of ``confidence`` does not reject. So ``theory`` lies inside exactly when
    ``|z|`` is at most that quantile, and the interval never leaves [0, 1].

    Source: Wilson (1927), J. Am. Stat. Assoc. 22, 209–212.
    """

    hits: int = field(default=0)

    def __init__(self, hits: int, n: int, theory: float | None = None, confidence: float = 0.95) -> None:
        value = hits / n
        for name, one in (
            ("value", value),
            ("standard_error", math.sqrt(value * (1 - value) / n)),
            ("n", n),
            ("theory", theory),
            ("confidence", confidence),
            ("error_in_theory", None if theory is None else math.sqrt(theory * (1 - theory) / n)),
            ("hits", hits),
        ):
            object.__setattr__(self, name, one)

    @property
    def low(self) -> float:
        """Lower end of Wilson's interval."""
        return 0.0 if self.hits == 0 else self._wilson(-1)

    @property
    def high(self) -> float:
        """Upper end of Wilson's interval."""
        return 1.0 if self.hits == self.n else self._wilson(1)

    def z_against(self, theory: float) -> float:
        """Return ``(value − theory)/√(theory (1 − theory)/n)``."""
        return (self.value - theory) / math.sqrt(theory * (1 - theory) / self.n)

    def agrees(self, false_alarm: float) -> bool:
        """Say whether the theory survives an exact two-sided binomial test.

        It rejects a right theory with a probability of at most ``false_alarm``, also where hits are rare and ``z`` is
        far from normal: one hit expected and six seen is z = 5, and happens in one run of 1,700.
        """
        if self.theory is None:
            raise ValueError("agrees: this estimate has no theory to agree with; give one with theory=...")
        require_probability("false_alarm", false_alarm, mend="1e-6")
        return two_sided_chance(self.hits, self.n, self.theory) > false_alarm

    def merge(self, other: Proportion) -> Proportion:
        """Return the estimate from both parts together; exact, so the order and the cut do not matter."""
        if not isinstance(other, Proportion):
            raise TypeError(f"merge: expected a Proportion, got {type(other).__name__}; try proportion(hits, n)")
        if (self.theory, self.confidence) != (other.theory, other.confidence):
            raise ValueError(
                f"merge: expected parts of one question, got theory {self.theory} at confidence {self.confidence} and "
                f"theory {other.theory} at confidence {other.confidence}; make both with the same arguments"
            )
        return Proportion(self.hits + other.hits, self.n + other.n, self.theory, self.confidence)

    def _wilson(self, sign: int) -> float:
        p, n, q = self.value, self.n, self.quantile
        centre = p + q * q / (2 * n)
        half = q * math.sqrt(p * (1 - p) / n + q * q / (4 * n * n))
        return (centre + sign * half) / (1 + q * q / n)


def proportion(hits: int, n: int, theory: float | None = None, confidence: float = 0.95) -> Proportion:
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
        try:
            require_count(name, count, least=-math.inf)
        except TypeError as error:
            raise TypeError(f"{error} trials; try int(np.count_nonzero(...))") from None
    if n < 1 or not 0 <= hits <= n:
        raise ValueError(f"hits and n: expected 0 ≤ hits ≤ n and n ≥ 1, got hits = {hits} and n = {n}")
    if theory is not None:
        require_probability("theory", theory)
    require_probability("confidence", confidence)
    return Proportion(int(hits), int(n), None if theory is None else float(theory), float(confidence))


def mean_estimate(
    moments: Moments, theory: float | None = None, confidence: float = 0.95, *, variance: float | None = None
) -> Estimate:
    """Estimate a mean: standard error ``√(s²/n)`` with the unbiased variance s².

    Parameters
    ----------
    moments : of n ≥ 2 independent numbers (one float each, not an array of moments).
    theory : the mean to compare with. confidence : of the interval, strictly between 0 and 1.
    variance : that of one number by theory, where it is known; ``z`` then divides by ``√(variance/n)``.

    Raises
    ------
    TypeError : no Moments, or no number. ValueError : fewer than 2 numbers, or a parameter out of its range.
    """
    s2 = _unbiased_variance(moments)
    _require_theory(theory, confidence)
    known = None
    if variance is not None:
        require_real("variance", variance, above=0)
        known = math.sqrt(variance / moments.n)
    return Estimate(moments.mean, math.sqrt(s2 / moments.n), moments.n, theory, confidence, known)


def variance_estimate(
    moments: Moments, theory: float | None = None, confidence: float = 0.95, *, kurtosis: float | None = None
) -> Estimate:
    """Estimate a variance: the unbiased s², with the standard error from the fourth moment.

    The standard error is ``√((m4 − s⁴ (n − 3)/(n − 1))/n)`` with ``m4 = Σ(x − mean)⁴/n``; no law is assumed but that
    m4 exists. **Where the fourth moment is infinite (Student t with at most 4 degrees of freedom) it is void**: the
    formula still gives a number, which settles at nothing and whose interval covers less than it says. No sample
    shows this by itself, so say what you know: with ``kurtosis=math.inf`` this function refuses.

    Parameters
    ----------
    moments : of n ≥ 2 independent numbers (one float each, not an array of moments).
    theory : the variance to compare with, > 0. confidence : of the interval, strictly between 0 and 1.
    kurtosis : that of one number by theory (3 for a normal law), where it is known; ``z`` then divides by
        :func:`variance_error` of the theory.

    Raises
    ------
    TypeError : no Moments, or no number. ValueError : fewer than 2 numbers, a parameter out of its range, an infinite
    kurtosis, a kurtosis without a theory.
    """
    s2 = _unbiased_variance(moments)
    _require_theory(theory, confidence, above=0)
    known = None
    if kurtosis is not None:
        if theory is None:
            raise ValueError("kurtosis: it belongs to the law of a theory, and there is none; give theory=... too")
        known = variance_error(theory, kurtosis, moments.n)
    n = moments.n
    # Never negative: m4 ≥ (s² (n − 1)/n)² ≥ s⁴ (n − 3)/(n − 1), up to rounding.
    error = math.sqrt(max(0.0, moments.m4 / n - s2 * s2 * (n - 3) / (n - 1)) / n)
    return Estimate(s2, error, n, theory, confidence, known)


def variance_error(variance: float, kurtosis: float, n: int) -> float:
    """Return the standard error of the unbiased variance of ``n`` independent numbers: ``σ² √((κ − 1 + 2/(n − 1))/n)``.

    ``κ`` is 3 for a normal law, where this is ``σ² √(2/(n − 1))``; for the score of d_k standard normal components it
    is ``3 + 6/d_k``. ``ValueError`` for κ = ∞, where the standard error is void: the unbiased variance has no variance.
    """
    require_count("n", n, least=2)
    require_real("variance", variance, above=0)
    require_real("kurtosis", kurtosis, finite=False)
    if kurtosis == math.inf:
        raise ValueError(
            "kurtosis: expected a finite fourth moment, got inf, where the standard error of a variance is void; "
            "compare quantiles or proportions instead"
        )
    if kurtosis < 1:
        raise ValueError(f"kurtosis: expected at least 1, got {kurtosis!r}; that of a normal law is 3, not 0")
    return variance * math.sqrt((kurtosis - 1 + 2 / (n - 1)) / n)


def differ(a: Estimate, b: Estimate, false_alarm: float) -> bool:
    """Say whether two independent estimates differ, by a test that separates equals with probability ``false_alarm``.

    The difference is compared with ``√(se_a² + se_b²)``, nearly right for large n; two proportions are compared by
    Fisher's test, right for any n and at most that often. The trials of ``a`` and ``b`` must be independent.

    Raises
    ------
    TypeError : no Estimate. ValueError : ``false_alarm`` is no probability.
    """
    for name, one in (("a", a), ("b", b)):
        if not isinstance(one, Estimate):
            raise TypeError(f"{name}: expected an Estimate, got {type(one).__name__}; try variance_estimate(moments)")
    if isinstance(a, Proportion) and isinstance(b, Proportion):
        require_probability("false_alarm", false_alarm, mend="1e-6")
        return two_sided_chance_of_parts(a.hits, a.n, b.hits, b.n) <= false_alarm
    error = math.hypot(a.standard_error, b.standard_error)
    return abs(_ratio(a.value - b.value, error)) > _threshold(false_alarm)


def _threshold(false_alarm: float) -> float:
    require_probability("false_alarm", false_alarm, mend="1e-6")
    # The lower tail: 1 − 1e-20 is 1, whose quantile is infinite.
    return -NormalDist().inv_cdf(false_alarm / 2)


def _ratio(difference: float, error: float) -> float:
    if error == 0:
        return math.copysign(math.inf, difference) if difference else 0.0
    return difference / error


def _unbiased_variance(moments: Moments) -> float:
    if not isinstance(moments, Moments):
        raise TypeError(f"moments: expected Moments, got {type(moments).__name__}; try Moments.of(x)")
    if not isinstance(moments.mean, float):
        raise TypeError(
            f"moments: expected those of one sample, got an array of them of shape {moments.mean.shape}; "
            "try Moments.of(x) without an axis"
        )
    return moments.variance()


def _require_theory(theory: float | None, confidence: float, above: float = -math.inf) -> None:
    if theory is not None:
        require_real("theory", theory, above=above)
    require_probability("confidence", confidence)
