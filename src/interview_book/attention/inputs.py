"""What every function here asks of its arguments, and the sentences that say so.

A message names the argument, what was expected, what was got, and what to try.
"""

from __future__ import annotations

import math
from collections.abc import Callable
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
        masked = isinstance(x, np.ma.MaskedArray)  # np.array would uncover what is masked
        mend = f"{name}.filled(0)" if masked else f"np.array({name}, dtype=np.float64)"
        raise TypeError(f"{name}: expected a NumPy array of floats of shape {axes}, got {type(x).__name__}; try {mend}")
    if x.dtype.type not in FLOATS:
        raise TypeError(
            f"{name}: expected float16, float32 or float64, got {x.dtype} of shape {x.shape}; "
            f"try {name}.astype(np.float64)"
        )
    least = axes.count(",") + 1 - ("..." in axes)
    if x.ndim < least:
        mend = f"{name}.reshape(...)"
        if (x.ndim, least) == (1, 2):
            mend = f"{name}[np.newaxis, :] if it is a single row, {name}[:, np.newaxis] if it is a single column"
        raise ValueError(f"{name}: expected shape {axes}, got {x.shape}; try {mend}")


def require_finite(name: str, x: np.ndarray, used: np.ndarray | None = None) -> None:
    """Raise ``ValueError`` that says how many entries of ``x`` are NaN or infinite and where the first one is.

    ``used``, of the shape of ``x`` or broadcasting to it, says which entries are asked at all.
    """
    bad = ~np.isfinite(x)
    if used is not None:
        bad &= used
    if bad.any():
        first = tuple(int(i) for i in np.argwhere(bad)[0])
        raise ValueError(
            f"{name}: expected finite numbers, got {int(bad.sum())} that are NaN or infinite "
            f"(first at index {first}, shape {x.shape}); try np.isfinite({name}) to find where they come from"
        )


def fold(x: np.ndarray, shape: tuple[int, ...], reduce: Callable) -> np.ndarray:
    """Undo a broadcast: ``reduce`` (``np.sum``, ``np.any``) the axes of ``x`` along which ``shape`` was repeated.

    The result broadcasts to ``shape``, and has it if ``x`` has every axis of ``shape`` in full.
    """
    if x.ndim > len(shape):
        x = reduce(x, axis=tuple(range(x.ndim - len(shape))))
    there = shape[len(shape) - x.ndim :]
    repeated = tuple(i for i, (got, want) in enumerate(zip(x.shape, there, strict=True)) if want == 1 != got)
    return reduce(x, axis=repeated, keepdims=True) if repeated else x


def select_used(name: str, x: np.ndarray, allowed: np.ndarray | None, axis: int) -> np.ndarray:
    """Return ``x`` with 0 in the rows that no allowed pair uses, so that a NaN there reaches nothing.

    Zero by selection, because ``0 · NaN`` is NaN. A row that is used must be finite, else ``ValueError``.

    ``x`` is ``(..., n, d)``. ``allowed`` is ``(..., n_q, n_k)``, its batch axes broadcast in either direction, ``None``
    means that every pair is allowed. ``axis`` is the axis of the partners: −1 for Queries, −2 for Keys and Values.
    """
    if np.isfinite(x).all():
        return x  # the normal case costs one look at x
    if allowed is None:
        require_finite(name, x)
    rows = np.broadcast_to(fold(allowed.any(axis=axis), x.shape[:-1], np.any), x.shape[:-1])[..., np.newaxis]
    require_finite(name, x, rows)
    return np.where(rows, x, x.dtype.type(0))


def broadcast_batch(name_a: str, shape_a: tuple[int, ...], name_b: str, shape_b: tuple[int, ...]) -> tuple[int, ...]:
    """Return the batch axes (those before the last two) of two shapes together; raise ``ValueError`` if they differ."""
    try:
        return np.broadcast_shapes(shape_a[:-2], shape_b[:-2])
    except ValueError:
        raise ValueError(
            f"{name_a} and {name_b}: batch axes {shape_a[:-2]} and {shape_b[:-2]} do not broadcast "
            f"({name_a} {shape_a}, {name_b} {shape_b}); each pair must be equal or contain a 1"
        ) from None


def check_scores(q: object, k: object, scale: object) -> float:
    """Raise unless ``q`` and ``k`` have types and sizes that give scores; return the factor that ``scale`` means."""
    require_floats("q", q, "(..., n_q, d_k)")
    require_floats("k", k, "(..., n_k, d_k)")
    d_k = q.shape[-1]
    if k.shape[-1] != d_k:
        raise ValueError(
            f"q and k: expected the same number of features d_k, got {d_k} and {k.shape[-1]} "
            f"(q {q.shape}, k {k.shape}); project both to one width"
        )
    if d_k == 0:
        raise ValueError(f"q and k: expected d_k ≥ 1, got 0 (q {q.shape}, k {k.shape}); give each vector a feature")
    if k.shape[-2] == 0:
        raise ValueError(f"k: expected at least one Key, got none (q {q.shape}, k {k.shape}); pass one row per Key")
    broadcast_batch("q", q.shape, "k", k.shape)
    return 1 / math.sqrt(d_k) if scale is None else multiplier(scale)


def check_values(q: np.ndarray, k: np.ndarray, v: object) -> None:
    """Raise unless ``v`` holds one Value for each Key and its batch axes broadcast with those of ``q`` and ``k``."""
    require_floats("v", v, "(..., n_k, d_v)")
    if v.shape[-2] != k.shape[-2]:
        raise ValueError(
            f"k and v: expected one Value for each Key, got {k.shape[-2]} Keys and {v.shape[-2]} Values "
            f"(k {k.shape}, v {v.shape}); v has one row per Key"
        )
    batch = broadcast_batch("q", q.shape, "k", k.shape)
    broadcast_batch("scores", (*batch, q.shape[-2], k.shape[-2]), "v", v.shape)


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


def split_factor(factor: float, wide: np.dtype) -> tuple[np.floating, np.floating]:
    """Return two numbers of ``wide`` whose product is ``factor``, for the Queries and for the Keys.

    They are ``factor`` and 1. Only a factor beyond the normal numbers of ``wide`` is shared between both: as 0 or
    infinity it would spoil scores that fit.
    """
    limits = np.finfo(wide)
    if factor == 0 or float(limits.tiny) <= abs(factor) <= float(limits.max):
        return wide.type(factor), wide.type(1)
    mantissa, exponent = math.frexp(factor)
    with np.errstate(over="ignore"):
        return wide.type(math.ldexp(mantissa, exponent // 2)), wide.type(math.ldexp(1, exponent - exponent // 2))


def working_dtype(dtype: np.dtype) -> np.dtype:
    """Return the dtype to add up in: float16 sums are kept in float32 and rounded once at the end."""
    return np.dtype(np.float32) if dtype == np.float16 else np.dtype(dtype)


def rounded(name: str, x: np.ndarray, dtype: np.dtype, used: np.ndarray | None = None) -> np.ndarray:
    """Return ``x`` as ``dtype``; raise ``ValueError`` where it no longer fits. ``used`` says which entries matter."""
    with np.errstate(over="ignore", invalid="ignore"):
        result = x.astype(dtype, copy=False)
    fits = np.isfinite(result)
    if not fits.all() and (used is None or not (fits | ~used).all()):
        raise ValueError(
            f"{name}: the result does not fit into {np.dtype(dtype)} (largest finite number "
            f"{float(np.finfo(dtype).max):.6g}); try a wider dtype or a smaller scale"
        )
    return result
