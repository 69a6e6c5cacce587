"""What low precision does to scores: rounding to bfloat16, running sums, and scaling before or after the product.

:func:`~interview_book.attention.scores` adds up in a wide dtype and refuses what does not fit. The functions here
really compute in float16 or bfloat16 and return infinities, because showing the failure is their purpose.
"""

from __future__ import annotations

import math

import numpy as np
from jaxtyping import Float

from interview_book.attention.inputs import broadcast_batch, multiplier, require_floats

# Significant bits (the leading one counted) and the exponents of the least subnormal and of the first power of two
# that is too large.
_BFLOAT16 = (8, -133, 128)


def round_bfloat16(x: Float[np.ndarray, "*shape"]) -> Float[np.ndarray, "*shape"]:
    """Round to the nearest bfloat16, ties to the even one; NumPy has no such dtype.

    bfloat16 has the exponents of float32 (up to 3.39e38) and 8 significant bits: its neighbours are 2 apart from 256
    on, so that 256 and 257 coincide. float16 has 11 bits but ends at 65504.

    Parameters
    ----------
    x : float16, float32 or float64, any shape; NaN and infinities stay. float64 is rounded once, not by way of float32.

    Returns
    -------
    A new float32 array of the same shape whose values are those of bfloat16; beyond 3.39e38 they are infinite.

    Raises
    ------
    TypeError : ``x`` is no float array.
    """
    require_floats("x", x, "(...)")
    bits, least, limit = _BFLOAT16
    # The largest float64 overflow here, and a signaling NaN turns into a quiet one: both are as promised.
    with np.errstate(over="ignore", invalid="ignore"):
        wide = x.astype(np.float64)
        exponent = np.frexp(wide)[1]
        # The distance of two neighbours at x; below the normal numbers it stays that of the subnormal ones.
        unit = np.maximum(exponent - bits, least)
        # Powers of two are exact, and rint rounds ties to even.
        result = np.asarray(np.ldexp(np.rint(np.ldexp(wide, -unit)), unit))
    return np.where(np.abs(result) >= 2.0**limit, np.copysign(np.inf, result), result).astype(np.float32)


def round_to(x: Float[np.ndarray, "*shape"], dtype: str) -> Float[np.ndarray, "*shape"]:
    """Round to ``dtype``: ``"float16"``, ``"float32"`` or ``"bfloat16"`` (kept in a float32 array, see above).

    What is too large becomes infinite, silently. Raises ``TypeError`` if ``x`` is no float array, ``ValueError`` for
    another dtype.
    """
    require_floats("x", x, "(...)")
    _require_known("dtype", dtype)
    if dtype == "bfloat16":
        return round_bfloat16(x)
    with np.errstate(over="ignore"):
        return x.astype(dtype)


def running_sum(x: Float[np.ndarray, "*batch n"], dtype: str) -> Float[np.ndarray, "*batch"]:
    """Add up the last axis from left to right and round to ``dtype`` after every addition.

    Once the sum is so large that half the distance to its neighbour is more than what comes, it stands still: ones in
    float16 add up to 2048 and no further, in bfloat16 to 256.

    ``x`` is ``(..., n)`` and is rounded to ``dtype`` first; the result is ``(...)``, in the dtype of :func:`round_to`.
    Infinities are returned and not refused; opposite ones add up to NaN. Errors as in :func:`round_to`.
    """
    require_floats("x", x, "(..., n)")
    terms = round_to(x, dtype).astype(np.float64)
    total = round_to(np.zeros(x.shape[:-1]), dtype)
    with np.errstate(over="ignore", invalid="ignore"):
        for i in range(x.shape[-1]):
            # float64 has more than twice the bits of two such numbers, so rounding their sum twice is rounding it once.
            total = round_to(np.asarray(total + terms[..., i]), dtype)
    return total


def low_precision_scores(
    q: Float[np.ndarray, "*#batch n_q d_k"],
    k: Float[np.ndarray, "*#batch n_k d_k"],
    *,
    dtype: str,
    scale_first: bool,
    scale: float | None = None,
    accumulate: str = "float32",
) -> Float[np.ndarray, "... n_q n_k"]:
    """Compute scaled scores as a kernel in low precision would, rounding at every step.

    ``scale_first=True``: q is multiplied by ``scale`` and rounded, then the product is taken. ``scale_first=False``:
    the product is taken and rounded, which may overflow, and only then multiplied. In exact arithmetic both are the
    same. Scaling first helps as long as the scaled score fits; it is no cure for one that does not.

    Parameters
    ----------
    q, k : ``(..., n_q, d_k)``, ``(..., n_k, d_k)``; rounded to ``dtype`` first.
    dtype : ``"float16"`` or ``"bfloat16"`` (or ``"float32"``), of the inputs, of the raw score and of the result.
    scale_first : see above.
    scale : multiplier; ``None`` means ``1/√d_k``. It is kept in float64.
    accumulate : the dtype of the running sum over the ``d_k`` products: ``"float32"``, as matrix units do, or
        ``"float16"`` or ``"bfloat16"``, rounded after every product and every addition.

    Returns
    -------
    ``(..., n_q, n_k)``, a float16 array for ``"float16"``, else float32. Overflow gives infinities, never an error. For
    small examples: all ``n_q · n_k · d_k`` products are held at once.

    Raises
    ------
    TypeError : no float arrays, a ``scale`` that is no number, or a ``scale_first`` that is neither True nor False.
    ValueError : another dtype, ``d_k`` differs or is 0, or batch axes do not broadcast.
    """
    require_floats("q", q, "(..., n_q, d_k)")
    require_floats("k", k, "(..., n_k, d_k)")
    d_k = q.shape[-1]
    if d_k != k.shape[-1] or d_k == 0:
        raise ValueError(
            f"q and k: expected the same number of features d_k ≥ 1, got {d_k} and {k.shape[-1]} "
            f"(q {q.shape}, k {k.shape}); project both to one width"
        )
    broadcast_batch("q", q.shape, "k", k.shape)
    _require_known("dtype", dtype)
    _require_known("accumulate", accumulate)
    if not isinstance(scale_first, (bool, np.bool_)):
        raise TypeError(f"scale_first: expected True or False, got {scale_first!r}; the multiplier goes into scale=")
    factor = 1 / math.sqrt(d_k) if scale is None else multiplier(scale)
    q, k = round_to(q, dtype), round_to(k, dtype)
    with np.errstate(over="ignore", invalid="ignore"):
        if scale_first:
            q = round_to(q.astype(np.float64) * factor, dtype)
        # Two numbers of at most 24 bits: float64 holds each product exactly, and rounding it is what a multiplier does.
        products = q.astype(np.float64)[..., :, np.newaxis, :] * k.astype(np.float64)[..., np.newaxis, :, :]
        z = round_to(running_sum(products, accumulate), dtype)
        if not scale_first:
            z = round_to(z.astype(np.float64) * factor, dtype)
    return z


def _require_known(name: str, dtype: str) -> None:
    if dtype not in ("float16", "float32", "bfloat16"):
        raise ValueError(f"{name}: expected 'float16', 'float32' or 'bfloat16', got {dtype!r}")
