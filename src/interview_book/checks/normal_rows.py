"""Rows of n normal scores for finite n: expectations by quadrature, without random numbers.

``1/Z`` and ``log Z`` become integrals over t of ``E e^{−tZ} = φ(t)^n``, with ``φ(t) = E e^{−t e^z}`` a single integral
over one score. All integrands are analytic and fall off fast, so the trapezoidal rule converges exponentially: halving
both steps moves no result by more than ``ERROR``, which the tests check.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np

ERROR = 1e-9
"""Bound on the relative error of what this module returns; for an entropy, relative to log n."""

# What is left out of an integral is below e^−CUT of it.
CUT = 40.0
# Steps of the trapezoidal rule, in units of the width over which e^−e^u falls.
STEP = 0.2
# Entries of the largest array held at a time: 4 MB.
HELD = 1 << 19


@dataclass(frozen=True)
class RowMeans:
    """Expectations over rows of n scores: ``log Z``, and the sum of squared weights ``Σ p²``; entropies in nats."""

    n: float
    variance: float
    log_sum: float
    squares: float

    @property
    def deficit(self) -> float:
        """``E (log n − H)`` in nats: ``log n − E log Z + σ² (1 − E Σ p²)``.

        ``E Σ p z = σ² Σ E p (1 − p)`` by integration by parts under the normal density.
        """
        return math.log(self.n) - self.log_sum + self.variance * (1 - self.squares)

    @property
    def entropy(self) -> float:
        """``E H`` in nats."""
        return math.log(self.n) - self.deficit


def normal_row(n: float, sigma: float) -> RowMeans:
    """Return the expectations for n independent normal scores of mean 0 and standard deviation ``sigma``.

    ``E log Z = log κ + ∫ (e^{−t/κ} − φ(t)^n) dt/t`` for any κ > 0, and ``E Σ p² = n ∫ t φ''(t) φ(t)^{n−1} dt``.
    Relative error below :data:`ERROR`. ``n`` may be as large as a float can be: 2.0**320 is in order.

    Raises
    ------
    TypeError : ``n`` or ``sigma`` no real number. ValueError : n < 2, no whole number, sigma ≤ 0 or not finite.
    """
    n, sigma = _checked(n, sigma)
    size = math.log(n)
    frozen = sigma * sigma > 2 * size
    # About E log Z, and how far below it n φ is still felt (Chernoff's bound, at the best exponent up to 1)
    centre = sigma * math.sqrt(2 * size) if frozen else size + sigma * sigma / 2
    below = CUT * (sigma / math.sqrt(2 * size) if frozen else 1)
    u = np.arange(-centre - below, -centre + 10 * sigma + 6, STEP)
    step = min(0.3, STEP / sigma)
    x = np.arange(-10, math.sqrt(2 * size) + 10, step)
    density = np.exp(-x * x / 2) * (step / math.sqrt(2 * math.pi))
    log_phi, bend = np.empty_like(u), np.empty_like(u)
    rows = max(1, HELD // len(x))
    for start in range(0, len(u), rows):
        part = slice(start, start + rows)
        y = u[part, np.newaxis] + sigma * x
        t = np.exp(np.minimum(y, 700.0))
        # t² φ'' ; 1 − φ without cancellation, kept off 1 where φ is 0 to machine precision
        bend[part] = np.exp(2 * y - t) @ density
        log_phi[part] = np.log1p(-np.minimum(-np.expm1(-t) @ density, 1 - 2.0**-53))
    powers = np.exp(np.maximum(n * log_phi, -745))
    log_sum = centre + STEP * float((np.exp(-np.exp(u + centre)) - powers).sum())
    squares = n * STEP * float((bend * np.exp(np.maximum((n - 1) * log_phi, -745))).sum())
    return RowMeans(n, sigma * sigma, log_sum, squares)


def product_row(n: float, d_k: int, divisor: float = 1.0) -> RowMeans:
    """Return the same for rows of scaled scores ``q·k_j/c`` with independent standard normal components.

    Given the Query the n scores are normal of variance ``|q|²/c²``, and ``|q|²`` has the χ² law with d_k degrees of
    freedom: one more quadrature, over ``log |q|²``. ``variance`` is the mean one, ``d_k/c²``.

    Raises
    ------
    TypeError, ValueError : as :func:`normal_row`; d_k no whole number ≥ 1; a divisor that is not positive.
    """
    if isinstance(d_k, bool) or not isinstance(d_k, Integral):
        raise TypeError(f"d_k: expected a whole number of features, got {d_k!r}")
    if d_k < 1:
        raise ValueError(f"d_k: expected at least 1, got {d_k}")
    if not (isinstance(divisor, Real) and math.isfinite(divisor) and divisor > 0):
        raise ValueError(f"divisor: expected a finite number above 0, got {divisor!r}; try math.sqrt(d_k)")
    half = d_k / 2
    # y = log |q|²/d_k has the density exp(half (y − e^y + 1)) up to a constant: steps of 0.4 of its width
    step = 0.4 / math.sqrt(max(half, 1.0))
    low, high = (CUT / half + 1, 4.0) if half < 4 else (12 / math.sqrt(half), 12 / math.sqrt(half))
    y = np.arange(-low, high, step)
    weight = np.exp(half * (y - np.expm1(y)))
    kept = weight > weight.max() * math.exp(-CUT)
    y, weight = y[kept], weight[kept] / weight[kept].sum()
    rows = [normal_row(n, math.sqrt(d_k * math.exp(one)) / divisor) for one in y]
    # E Σ p z needs σ² (1 − Σ p²) row by row, so the mean of the deficit is put together from means of rows.
    deficit = float(np.dot(weight, [row.deficit for row in rows]))
    squares = float(np.dot(weight, [row.squares for row in rows]))
    variance = d_k / divisor**2
    log_sum = math.log(n) + variance * (1 - squares) - deficit
    return RowMeans(float(n), variance, log_sum, squares)


def expected_maximum_of(n: float) -> float:
    """Return ``E max`` of n independent standard normals: ``n ∫ x φ(x) Φ(x)^{n−1} dx``.

    Relative error below :data:`ERROR`: 0.5642 (1/√π) for 2, 3.6261 for 4096. Errors as in :func:`normal_row`.
    """
    n, _ = _checked(n, 1.0)
    x = np.arange(-12, math.sqrt(2 * math.log(n)) + 10, 0.01)
    # log Φ from whichever tail is the smaller, so that no digits cancel
    tail = np.array([math.erfc(abs(one) / math.sqrt(2)) / 2 for one in x])
    log_below = np.where(x < 0, np.log(np.maximum(tail, 1e-300)), np.log1p(-tail))
    terms = x * np.exp(-x * x / 2 + (n - 1) * log_below)
    return n * 0.01 / math.sqrt(2 * math.pi) * float(terms.sum())


def maximum_approximation(n: float) -> float:
    """Return ``√(2L) − (log L + log 4π)/(2 √(2L)) + γ/√(2L)`` with ``L = log n``, for E max of n standard normals.

    The three terms that survive as n → ∞ up to o(1/√L); 0.7 % above E max at n = 4096 (:func:`expected_maximum_of`).
    """
    n, _ = _checked(n, 1.0)
    size = math.log(n)
    root = math.sqrt(2 * size)
    return root - (math.log(size) + math.log(4 * math.pi)) / (2 * root) + float(np.euler_gamma) / root


def frozen_squares_limit(n: float, sigma: float) -> float:
    """Return ``max(0, 1 − √(2 log n)/σ)``, the limit of ``E Σ p²`` for n → ∞ at a fixed ratio of σ² to log n."""
    n, sigma = _checked(n, sigma)
    return max(0.0, 1 - math.sqrt(2 * math.log(n)) / sigma)


def freezing_width(n: float) -> float:
    """Return ``2 log n``, the width d_k above which a row of unscaled scores is frozen: 13.9 for 1024 Keys."""
    n, _ = _checked(n, 1.0)
    return 2 * math.log(n)


def _checked(n: float, sigma: float) -> tuple[float, float]:
    for name, one in (("n", n), ("sigma", sigma)):
        if isinstance(one, bool) or not isinstance(one, Real):
            raise TypeError(f"{name}: expected a real number, got {one!r}")
    if not (math.isfinite(n) and n >= 2 and float(n).is_integer()):
        raise ValueError(f"n: expected a whole number of Keys, at least 2, got {n!r}")
    if not (math.isfinite(sigma) and sigma > 0):
        raise ValueError(f"sigma: expected a finite standard deviation above 0, got {sigma!r}")
    return float(n), float(sigma)
