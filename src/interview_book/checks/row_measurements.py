"""Asymptotic statements about rows of normal scores, measured for finite n; by quadrature, so nothing is random.

A statement «as n → ∞» is not proved by numbers at finite n: each function shows how near its limit the numbers are and
whether they move towards it, and is marked «measured» in ``theory_results``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from interview_book.checks.normal_rows import (
    ERROR,
    expected_maximum_of,
    frozen_squares_limit,
    maximum_approximation,
    normal_row,
    product_row,
)


@dataclass(frozen=True)
class Measurement:
    """``values`` measured at the points ``at``, beside what the asymptotic statement says there.

    ``at`` holds numbers of Keys n, or widths d_k where the function says so. ``error`` bounds the relative error of
    each value; the distance to ``limit`` is that of the statement, not of the measurement.
    """

    at: tuple[float, ...]
    values: tuple[float, ...]
    limit: tuple[float, ...]
    error: float = ERROR
    method: str = "quadrature"

    @property
    def distances(self) -> tuple[float, ...]:
        """``|value − limit|``, point by point."""
        return tuple(abs(a - b) for a, b in zip(self.values, self.limit, strict=True))

    @property
    def approaches(self) -> bool:
        """Whether each value is nearer to its limit than the one before."""
        return all(b < a for a, b in zip(self.distances, self.distances[1:], strict=False))


KEYS = (16, 64, 256, 1024, 4096)
WIDTHS = (4, 16, 64, 256)


def deficit_when_scaled(keys: Iterable[int] = KEYS, d_k: int = 64) -> Measurement:
    """Measure ``E (log n − H)`` in nats for scores divided by √d_k: towards ½, whatever n and d_k."""
    keys = tuple(keys)
    return Measurement(
        keys, tuple(product_row(n, d_k, math.sqrt(d_k)).deficit for n in keys), (0.5,) * len(keys)
    )  # fmt: skip


def deficit_when_divided_by_dk(widths: Iterable[int] = WIDTHS, n: int = 1024) -> Measurement:
    """Measure ``2 d_k E (log n − H)`` for scores divided by d_k: the deficit is about 1/(2 d_k) nats.

    For a fixed n the limit is ``1 − 1/n``, not 1: the mean of a row is no part of its spread.
    """
    widths = tuple(widths)
    values = tuple(2 * d * product_row(n, d, d).deficit for d in widths)
    return Measurement(widths, values, (1 - 1 / n,) * len(widths))


def squares_times_n(keys: Iterable[int] = KEYS, sigma: float = 1.0) -> Measurement:
    """Measure ``n E Σ p²``: towards ``e^{σ²}``, as long as σ² < (log n)/2."""
    keys = tuple(keys)
    values = tuple(n * normal_row(n, sigma).squares for n in keys)
    return Measurement(keys, values, (math.exp(sigma**2),) * len(keys))


def frozen_squares_slowly(
    doublings: Iterable[int] = (10, 20, 40, 80, 160), ratio: float = 64 / math.log(1024)
) -> Measurement:
    """Measure ``E Σ p²`` in the frozen phase, σ² = ratio · log n with n = 2^10 … 2^160: towards ``1 − √(2/ratio)``.

    The distance falls like a power of 1/log n: at 1024 Keys and σ² = 64 it is still 0.067.
    """
    keys = tuple(2.0**one for one in doublings)
    pairs = [(n, math.sqrt(ratio * math.log(n))) for n in keys]
    return Measurement(
        keys,
        tuple(normal_row(n, sigma).squares for n, sigma in pairs),
        tuple(frozen_squares_limit(n, sigma) for n, sigma in pairs),
    )


def log_sum_per_log_n(doublings: Iterable[int] = (10, 20, 40, 80, 160), ratio: float = 4.0) -> Measurement:
    """Measure ``E log Z/log n`` at σ² = ratio · log n: towards ``1 + ratio/2`` below 2, ``√(2 ratio)`` above.

    That kink is the condensation: above it the sum is made of the few largest scores.
    """
    keys = tuple(2.0**one for one in doublings)
    values = tuple(normal_row(n, math.sqrt(ratio * math.log(n))).log_sum / math.log(n) for n in keys)
    limit = 1 + ratio / 2 if ratio <= 2 else math.sqrt(2 * ratio)
    return Measurement(keys, values, (limit,) * len(keys))


def concentration_unscaled(widths: Iterable[int] = WIDTHS, n: int = 1024) -> Measurement:
    """Measure ``E Σ p²`` of rows of unscaled scores at growing widths, beside ``max(0, 1 − √(2 log n/d_k))``.

    It rises with the width for untrained Queries and Keys: concentration that comes from the scale alone. ``Σ p²`` is
    at most the largest weight and at least its square.
    """
    widths = tuple(widths)
    return Measurement(
        widths,
        tuple(product_row(n, d).squares for d in widths),
        tuple(frozen_squares_limit(n, math.sqrt(d)) for d in widths),
    )


def largest_of_normals(keys: Iterable[float] = (16, 256, 4096, 2.0**24, 2.0**48)) -> Measurement:
    """Measure ``E max`` of n standard normals beside the refined asymptotic form: 3.6261 and 3.6502 at n = 4096.

    ``√(2 log n)``, which is a bound (proved), is 4.08 there.
    """
    keys = tuple(keys)
    return Measurement(
        keys, tuple(expected_maximum_of(n) for n in keys), tuple(maximum_approximation(n) for n in keys)
    )  # fmt: skip
