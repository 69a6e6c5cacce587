"""Moments up to order four as one value that merges: in chunks or at once, in any cut, the result is the same.

Source: Pébay (2008), Formulas for robust, one-pass parallel computation of covariances and arbitrary-order statistical
moments, Sandia report SAND2008-6212; order two is due to Chan, Golub and LeVeque (1979).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from interview_book.checks.arguments import require_count

# Numbers at a time. What is smaller than 128 KiB is not given back to the system and asked for again each time, which
# would take three times as long as the arithmetic.
BLOCK = 16_000


@dataclass(frozen=True, eq=False)
class Moments:
    """Count, mean, and the sums of the second, third and fourth powers of the deviations from that mean.

    ``n`` numbers x with mean m: ``m2 = Σ(x − m)²``, ``m3 = Σ(x − m)³``, ``m4 = Σ(x − m)⁴``. Each is a float, or an
    array where moments are taken along one axis of an array. Sums of powers of the numbers themselves are never
    formed: next to a mean of 10⁸ a variance of 1 would drown in them.

    Make them with :meth:`of`; ``Moments()`` has seen nothing and merges with everything.
    """

    n: int = 0
    mean: float | Float[np.ndarray, "*shape"] = 0.0
    m2: float | Float[np.ndarray, "*shape"] = 0.0
    m3: float | Float[np.ndarray, "*shape"] = 0.0
    m4: float | Float[np.ndarray, "*shape"] = 0.0

    @classmethod
    def of(cls, x: Float[np.ndarray, "*shape"], axis: int | None = None) -> Moments:
        """Return the moments of all entries of ``x``, or of those along ``axis``.

        Added up in float64 whatever floats ``x`` holds; ``x`` is not changed. Along an axis this needs room for two
        float64 arrays of the size of ``x``, without one for 256 KiB.

        Raises
        ------
        TypeError : ``x`` is no array of floats. ValueError : an entry is NaN or infinite, or ``x`` has no such axis.
        """
        if not isinstance(x, np.ndarray) or isinstance(x, np.ma.MaskedArray) or x.dtype.kind != "f":
            got = f"{x.dtype} of shape {x.shape}" if isinstance(x, np.ndarray) else type(x).__name__
            mend = "x.compressed()" if isinstance(x, np.ma.MaskedArray) else "np.asarray(x, dtype=np.float64)"
            raise TypeError(f"x: expected a NumPy array of floats without a mask, got {got}; try {mend}")
        if axis is not None and (isinstance(axis, bool) or not -x.ndim <= axis < x.ndim):
            raise ValueError(f"axis: expected None or an axis of x, got {axis} for shape {x.shape}; try axis=-1")
        # One axis, the first, so that a step subtracts a row from rows.
        flat = x.reshape(-1) if axis is None else np.moveaxis(x, axis, 0)
        if axis is not None or flat.size <= BLOCK:
            return cls._at_once(flat)
        whole = cls()
        for start in range(0, flat.size, BLOCK):
            whole = whole.merge(cls._at_once(flat[start : start + BLOCK]))
        return whole

    @classmethod
    def _at_once(cls, flat: Float[np.ndarray, "*shape"]) -> Moments:
        if flat.shape[0] == 0:
            return cls()
        n = flat.shape[0]
        with np.errstate(over="ignore", invalid="ignore"):
            first = np.add.reduce(flat, axis=0, dtype=np.float64) / n
            deviations = np.subtract(flat, first, dtype=np.float64)
            # A mean rounded at 1e8 is off by 1e-8; the mean of the deviations is that error, and is taken away.
            error = np.add.reduce(deviations, axis=0) / n
            deviations -= error
            squares = deviations * deviations
            m2 = np.add.reduce(squares, axis=0)
            # Not through BLAS, which adds up in another order on another number of threads.
            m3 = np.einsum("n...,n...->...", squares, deviations)
            m4 = np.einsum("n...,n...->...", squares, squares)
        if not np.isfinite(m4).all():
            bad = int(np.count_nonzero(~np.isfinite(flat)))
            raise ValueError(
                f"x: expected finite numbers whose fourth powers float64 can add up, got {bad} that are NaN or "
                f"infinite (among {flat.size}); try np.isfinite(x) to find them, or divide x by a constant"
            )
        sums = (first + error, m2, m3, m4)
        return cls(n, *(float(one) if np.ndim(one) == 0 else one for one in sums))

    def merge(self, other: Moments) -> Moments:
        """Return the moments of both parts together; neither is changed, either may be empty.

        Raises
        ------
        TypeError : ``other`` is no Moments. ValueError : parts of different shapes.
        """
        if not isinstance(other, Moments):
            raise TypeError(f"merge: expected Moments, got {type(other).__name__}; try Moments.of(x)")
        if other.n == 0 or self.n == 0:
            return self if other.n == 0 else other
        if np.shape(self.mean) != np.shape(other.mean):
            raise ValueError(
                f"merge: expected parts of one shape, got {np.shape(self.mean)} and {np.shape(other.mean)}; "
                "take both along the same axis of arrays that agree in the others"
            )
        a, b, n = self.n, other.n, self.n + other.n
        d = other.mean - self.mean
        # Shares of the whole instead of products of counts, which would leave the integers a float can hold.
        u, v = a / n, b / n
        m2 = self.m2 + other.m2 + d * d * (u * b)
        m3 = self.m3 + other.m3 + d**3 * (u * b * (u - v)) + 3 * d * (u * other.m2 - v * self.m2)
        m4 = (
            self.m4
            + other.m4
            + d**4 * (u * b * (u * u - u * v + v * v))
            + 6 * d * d * (u * u * other.m2 + v * v * self.m2)
            + 4 * d * (u * other.m3 - v * self.m3)
        )
        # Weighed from the larger part, whose mean is the better known one.
        mean = self.mean + d * v if a >= b else other.mean - d * u
        return Moments(n, mean, m2, m3, m4)

    def variance(self, ddof: int = 1) -> float | Float[np.ndarray, "*shape"]:
        """Return ``m2/(n − ddof)``: unbiased with ddof = 1, the default; the plain mean square with ddof = 0.

        NumPy's default is 0, PyTorch's is 1: [1, 2, 3, 4] has 1.25 and 1.6667. ``ValueError`` unless n > ddof.
        """
        require_count("ddof", ddof, least=0)
        self._require(ddof + 1, f"the variance with ddof = {ddof}")
        return self.m2 / (self.n - ddof)

    def deviation(self, ddof: int = 1) -> float | Float[np.ndarray, "*shape"]:
        """Return the square root of :meth:`variance`; biased a little low even with ddof = 1."""
        root = np.sqrt(self.variance(ddof))
        return float(root) if np.ndim(root) == 0 else root

    def skewness(self) -> float | Float[np.ndarray, "*shape"]:
        """Return ``(m3/n)/(m2/n)^(3/2)``, 0 for what is symmetric; not corrected for bias."""
        return self._standardised(self.m3, 3, "skewness")

    def kurtosis(self) -> float | Float[np.ndarray, "*shape"]:
        """Return ``(m4/n)/(m2/n)²``, 3 for a normal law (nothing is subtracted); not corrected for bias."""
        return self._standardised(self.m4, 4, "kurtosis")

    def _standardised(self, power_sum, order: int, what: str):
        self._require(2, f"the {what}")
        if not np.all(self.m2 > 0):
            raise ValueError(f"{what}: expected numbers that differ, got {self.n} equal ones, whose variance is 0")
        # The root first: a square of m2 could leave float64 where the ratio does not.
        spread = np.sqrt(self.m2 / self.n)
        ratio = power_sum / self.n
        for _ in range(order):
            ratio = ratio / spread
        return float(ratio) if np.ndim(ratio) == 0 else ratio

    def _require(self, least: int, what: str) -> None:
        if self.n < least:
            raise ValueError(
                f"{what}: expected at least {least} numbers, got n = {self.n}; merge or draw more before asking"
            )
