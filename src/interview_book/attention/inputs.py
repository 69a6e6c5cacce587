"""What every function here asks of its arguments, and the sentences that say so.

A message names the argument, what was expected, what was got, and what to try.
"""

from __future__ import annotations

import math
from numbers import Real

import numpy as np

FLOATS = (np.float16, np.float32, np.float64)


def require_floats(name: str, x: object, axes: str) -> None:
    """Raise unless ``x`` is a plain float16/32/64 array with at least the axes that ``axes`` names.

    ``axes`` is written as it stands in the documentation, for example ``"(..., n_q, d_k)"``.
    Integers are refused rather than converted: a float16 Query times an int64 Key would silently become float64.
    """
    # A masked array would lose its mask on the way, a matrix would multiply where an array divides.
    if not isinstance(x, np.ndarray) or isinstance(x, (np.ma.MaskedArray, np.matrix)):
        raise TypeError(
            f"{name}: expected a NumPy array of floats of shape {axes}, got {type(x).__name__}; "
            f"try np.array({name}, dtype=np.float64)"
        )
    if x.dtype.type not in FLOATS:
        raise TypeError(
            f"{name}: expected float16, float32 or float64, got {x.dtype} of shape {x.shape}; "
            f"try {name}.astype(np.float64)"
        )
    least = axes.count(",") + 1 - ("..." in axes)
    if x.ndim < least:
        mend = f"{name}[np.newaxis, :] if it is a single row" if x.ndim == 1 else f"{name}.reshape(...)"
        raise ValueError(f"{name}: expected shape {axes}, got {x.shape}; try {mend}")


def require_finite(name: str, x: np.ndarray) -> None:
    """Raise ``ValueError`` that says how many entries of ``x`` are NaN or infinite and where the first one is."""
    bad = ~np.isfinite(x)
    if bad.any():
        first = tuple(int(i) for i in np.argwhere(bad)[0])
        raise ValueError(
            f"{name}: expected finite numbers, got {int(bad.sum())} that are NaN or infinite "
            f"(first at index {first}, shape {x.shape}); try np.isfinite({name}) to find where they come from"
        )


def broadcast_batch(name_a: str, shape_a: tuple[int, ...], name_b: str, shape_b: tuple[int, ...]) -> tuple[int, ...]:
    """Return the batch axes (those before the last two) of two shapes together; raise ``ValueError`` if they differ."""
    try:
        return np.broadcast_shapes(shape_a[:-2], shape_b[:-2])
    except ValueError:
        raise ValueError(
            f"{name_a} and {name_b}: batch axes {shape_a[:-2]} and {shape_b[:-2]} do not broadcast "
            f"({name_a} {shape_a}, {name_b} {shape_b}); each pair must be equal or contain a 1"
        ) from None


def multiplier(scale: object) -> float:
    """Return ``scale`` as a float; a float64 scalar would otherwise widen a float32 product."""
    if isinstance(scale, (bool, np.bool_)) or not isinstance(scale, Real):
        raise TypeError(f"scale: expected one real number that multiplies the scores, got {scale!r}; try scale=1.0")
    try:
        value = float(scale)
    except OverflowError:
        raise ValueError("scale: expected a number that float64 can hold; the default is 1/sqrt(d_k)") from None
    if not math.isfinite(value):
        raise ValueError(f"scale: expected a finite number, got {scale!r}; the default is 1/sqrt(d_k)")
    return value


def working_dtype(dtype: np.dtype) -> np.dtype:
    """Return the dtype to add up in: float16 sums are kept in float32 and rounded once at the end."""
    return np.dtype(np.float32) if dtype == np.float16 else np.dtype(dtype)


def rounded(name: str, x: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Return finite ``x`` as ``dtype``; raise ``ValueError`` where it no longer fits."""
    with np.errstate(over="ignore"):
        result = x.astype(dtype, copy=False)
    if not np.isfinite(result).all():
        raise ValueError(
            f"{name}: the result does not fit into {np.dtype(dtype)} (largest finite number "
            f"{float(np.finfo(dtype).max):.6g}); try a wider dtype or a smaller scale"
        )
    return result
