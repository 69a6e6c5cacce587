"""From scores to weights: softmax, its logarithm and its Jacobian. The last axis holds the Keys."""

from __future__ import annotations

import math

import numpy as np
from jaxtyping import Float

from interview_book.attention.inputs import require_floats, working_dtype


def softmax(z: Float[np.ndarray, "*batch n"]) -> Float[np.ndarray, "*batch n"]:
    """Turn each row of scaled scores into weights that are positive and add up to 1.

    ``p_i = exp(z_i − m) / Σ_j exp(z_j − m)`` with ``m = max_j z_j``: subtracting the maximum changes no weight and
    keeps ``exp`` from overflowing.

    Parameters
    ----------
    z : scaled scores, ``(..., n)`` with n ≥ 1. An entry may be −inf (weight 0), never a whole row.

    Returns
    -------
    Weights of the shape and dtype of ``z``; float16 is computed in float32 and rounded once.

    Raises
    ------
    TypeError : ``z`` is no float array. ValueError : no entries, NaN, +inf, or a row of nothing but −inf.

    Source: Vaswani et al. (2017), equation 1.
    """
    shifted = _shifted(z)
    e = np.exp(shifted)
    return (e / e.sum(axis=-1, keepdims=True)).astype(z.dtype, copy=False)


def log_softmax(z: Float[np.ndarray, "*batch n"]) -> Float[np.ndarray, "*batch n"]:
    """Return ``log softmax(z)`` in nats without forming weights that underflow.

    ``log p_i = (z_i − m) − log(1 + Σ_{j ≠ top} exp(z_j − m))``: leaving the largest entry's own 1 out of the sum keeps
    the digits of a weight next to 1 (``z = [40, 0]`` gives −4.2e−18 and not 0).

    Shapes, dtype and errors as in :func:`softmax`.
    """
    shifted = _shifted(z)
    others = np.exp(shifted)
    np.put_along_axis(others, shifted.argmax(axis=-1, keepdims=True), 0, axis=-1)
    result = shifted - np.log1p(others.sum(axis=-1, keepdims=True))
    with np.errstate(over="ignore"):
        cast = result.astype(z.dtype, copy=False)
    if (np.isinf(cast) & ~np.isneginf(z)).any():
        raise ValueError(f"z: log softmax does not fit into {z.dtype} (down to {result.min():.6g}); try a wider dtype")
    return cast


def softmax_jacobian(p: Float[np.ndarray, "*batch n"]) -> Float[np.ndarray, "*batch n n"]:
    """Return how each weight answers to each scaled score: ``J_ij = ∂p_i/∂z_j = p_i (δ_ij − p_j)``.

    The derivative is in the scaled scores ``z = s/c``; in the raw scores ``s`` it is ``J/c``. The diagonal is summed as
    ``p_i Σ_{j≠i} p_j``, which is ``p_i (1 − p_i)`` without the digits that ``1 − p_i`` loses next to 1.

    Parameters
    ----------
    p : weights, ``(..., n)``; every row is ≥ 0 and adds up to 1.

    Returns
    -------
    ``(..., n, n)`` in the dtype of ``p``; symmetric, positive semidefinite, every row and column adds up to 0.

    Raises
    ------
    TypeError : ``p`` is no float array. ValueError : no entries, a negative weight, or a row that does not add up to 1.
    """
    require_floats("p", p, "(..., n)")
    n = p.shape[-1]
    if n == 0:
        raise ValueError(f"p: expected at least one Key on the last axis, got shape {p.shape}")
    sums = p.sum(axis=-1, dtype=np.float64)
    # One rounding of each weight, log2(n) of the pairwise sum that normalised them, and float16's coarse subnormals.
    kind = np.finfo(p.dtype)
    allowed = (8 + math.log2(n)) * float(kind.eps) + n * float(kind.smallest_subnormal)
    if not ((p >= 0).all() and (np.abs(sums - 1) <= allowed).all()):
        raise ValueError(
            f"p: expected weights (each ≥ 0, adding up to 1 along the last axis), got shape {p.shape} "
            f"with sums from {sums.min():.6g} to {sums.max():.6g} and least entry {p.min():.6g}; try softmax(z) first"
        )
    wide = p.astype(working_dtype(p.dtype), copy=False)
    jacobian = -wide[..., :, np.newaxis] * wide[..., np.newaxis, :]
    diagonal = np.arange(n)
    jacobian[..., diagonal, diagonal] = 0
    jacobian[..., diagonal, diagonal] = -jacobian.sum(axis=-1)
    return jacobian.astype(p.dtype, copy=False)


def _shifted(z: np.ndarray) -> np.ndarray:
    """Check ``z`` and return ``z − max`` per row, in the dtype to compute in."""
    require_floats("z", z, "(..., n)")
    if z.shape[-1] == 0:
        raise ValueError(f"z: expected at least one Key on the last axis, got shape {z.shape}")
    top = z.max(axis=-1, keepdims=True)
    if np.isnan(top).any() or np.isposinf(top).any():
        raise ValueError(
            f"z: expected no NaN and no +inf, got {int(np.isnan(z).sum())} NaN and {int(np.isposinf(z).sum())} +inf "
            f"in shape {z.shape}; try a wider dtype or a smaller scale if the scores overflowed"
        )
    if np.isneginf(top).any():
        raise ValueError(
            f"z: expected a finite score in every row, got {int(np.isneginf(top).sum())} with nothing but −inf "
            f"(shape {z.shape}); leave such a row out or let it see at least one Key"
        )
    wide = working_dtype(z.dtype)
    # In float16 z − max can overflow (−65504 − 65504), so widen before subtracting.
    with np.errstate(over="ignore"):
        return z.astype(wide, copy=False) - top.astype(wide, copy=False)
