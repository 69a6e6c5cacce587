"""From scores to weights: softmax, its logarithm, its Jacobian and its entropy. The last axis holds the Keys."""

from __future__ import annotations

import math

import numpy as np
from jaxtyping import Bool, Float

from interview_book.attention.inputs import require_floats, working_dtype
from interview_book.attention.masks import refuse_empty_rows, settle_empty_rows, spread_allow


def softmax(
    z: Float[np.ndarray, "*#batch n"], allow: Bool[np.ndarray, "*#mask m"] | None = None, empty_rows: str = "raise"
) -> Float[np.ndarray, "*rows n"]:
    """Turn each row of scaled scores into weights that are positive and add up to 1.

    ``p_i = exp(z_i − m) / Σ_j exp(z_j − m)`` with ``m = max_j z_j`` over the allowed Keys: subtracting the maximum
    changes no weight and keeps ``exp`` from overflowing.

    Parameters
    ----------
    z : scaled scores, ``(..., n)`` with n ≥ 1. An entry may be −inf (weight 0). What is masked is not looked at: it may
        be NaN.
    allow : booleans, True = takes part; as in :func:`~interview_book.attention.attend`, here beside ``z``.
    empty_rows : what becomes of a row in which no Key is allowed or every allowed score is −inf: ``"raise"``;
        ``"zero"`` gives weights 0; ``"skip"`` gives a masked array without it.

    Returns
    -------
    Weights of the dtype of ``z`` and its shape, broadcast with ``allow``; masked ones are exactly 0. float16 is
    computed in float32 and rounded once.

    Raises
    ------
    TypeError : ``z`` is no float array, ``allow`` no boolean one. ValueError : no entries, an allowed NaN or +inf, a
    mask of the wrong rank or size, an empty row.

    Source: Vaswani et al. (2017), equation 1.
    """
    shifted, empty = _shifted(z, allow)
    refuse_empty_rows(empty, empty_rows)
    return settle_empty_rows(_normalised(shifted, empty).astype(z.dtype, copy=False), empty, empty_rows)


def log_softmax(
    z: Float[np.ndarray, "*#batch n"], allow: Bool[np.ndarray, "*#mask m"] | None = None
) -> Float[np.ndarray, "*rows n"]:
    """Return ``log softmax(z, allow)`` in nats without forming weights that underflow; −inf where masked.

    ``log p_i = (z_i − m) − log(1 + Σ_{j ≠ top} exp(z_j − m))``: leaving the largest entry's own 1 out of the sum keeps
    the digits of a weight next to 1 (``z = [40, 0]`` gives −4.2e−18 and not 0).

    Shapes, dtype and errors as in :func:`softmax`; an empty row has no logarithm and always raises.
    """
    shifted, empty = _shifted(z, allow)
    refuse_empty_rows(empty, "raise", "a row without Keys has no logarithm: leave it out or let it see a Key")
    result = shifted - np.log1p(_besides_top(shifted).sum(axis=-1, keepdims=True))
    with np.errstate(over="ignore"):
        cast = result.astype(z.dtype, copy=False)
    allowed = ~np.isneginf(z) if allow is None else ~np.isneginf(z) & allow
    if (np.isinf(cast) & allowed).any():
        least = result.min(where=allowed, initial=0)
        raise ValueError(f"z: log softmax does not fit into {z.dtype} (down to {least:.6g}); try a wider dtype")
    return cast


def entropy(
    z: Float[np.ndarray, "*#batch n"], allow: Bool[np.ndarray, "*#mask m"] | None = None, empty_rows: str = "raise"
) -> Float[np.ndarray, ...]:
    """Say how evenly each row spreads its weights: ``H = log Σ_j exp(z_j) − Σ_j p_j z_j`` over the allowed Keys.

    In nats: 0 if one Key takes everything, ``log n`` if the row's n allowed Keys share evenly. Computed from the scores
    and not as ``−Σ p log p``, so that a weight of 0 gives no ``0 · log 0`` and a weight next to 1 keeps its digits.
    Masked Keys take no part: padding changes nothing.

    Parameters
    ----------
    z, allow : scaled scores ``(..., n)`` and mask, as in :func:`softmax`.
    empty_rows : an empty row has no entropy. ``"zero"`` writes 0, which counts in a mean as if the row were sharp;
        ``"skip"`` gives a masked array, whose mean leaves the row out.

    Returns
    -------
    ``(...)``, one number for each row, of the dtype of ``z``. Errors as in :func:`softmax`.
    """
    shifted, empty = _shifted(z, allow)
    refuse_empty_rows(empty, empty_rows)
    p = _normalised(shifted, empty)
    # Both terms are ≥ 0 (the shifted scores are ≤ 0), so nothing cancels.
    drop = np.where(np.isneginf(shifted), 0, -shifted)
    h = np.log1p(_besides_top(shifted).sum(axis=-1, keepdims=True)) + (p * drop).sum(axis=-1, keepdims=True)
    return settle_empty_rows(h.astype(z.dtype, copy=False), empty, empty_rows)[..., 0]


def softmax_jacobian(p: Float[np.ndarray, "*batch n"]) -> Float[np.ndarray, "*batch n n"]:
    """Return how each weight answers to each scaled score: ``J_ij = ∂p_i/∂z_j = p_i (δ_ij − p_j)``.

    The derivative is in the scaled scores ``z = s/c``; in the raw scores ``s`` it is ``J/c``. The diagonal is summed as
    ``p_i Σ_{j≠i} p_j``, which is ``p_i (1 − p_i)`` without the digits that ``1 − p_i`` loses next to 1.

    Parameters
    ----------
    p : weights, ``(..., n)``; every row is ≥ 0 and adds up to 1. A row of nothing but 0 is an empty row under
        ``empty_rows="zero"``: it is constant, so its Jacobian is 0.

    Returns
    -------
    ``(..., n, n)`` in the dtype of ``p``; symmetric, positive semidefinite, every row and column adds up to 0.

    Raises
    ------
    TypeError : ``p`` is no float array. ValueError : no entries, a negative weight, or a row that adds up neither to 1
    nor, being all 0, to 0.
    """
    require_floats("p", p, "(..., n)")
    n = p.shape[-1]
    if n == 0:
        raise ValueError(f"p: expected at least one Key on the last axis, got shape {p.shape}")
    sums = p.sum(axis=-1, dtype=np.float64)
    # One rounding of each weight, log2(n) of the pairwise sum that normalised them, and float16's coarse subnormals.
    kind = np.finfo(p.dtype)
    allowed = (8 + math.log2(n)) * float(kind.eps) + n * float(kind.smallest_subnormal)
    if not ((p >= 0).all() and ((np.abs(sums - 1) <= allowed) | (sums == 0)).all()):
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


def _shifted(z: np.ndarray, allow: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Check both; return ``z − max`` per row in the dtype to compute in, −inf where masked, and the empty rows."""
    require_floats("z", z, "(..., n)")
    if z.shape[-1] == 0:
        raise ValueError(f"z: expected at least one Key on the last axis, got shape {z.shape}")
    if allow is not None:
        z = np.where(spread_allow(allow, z.shape, source="z"), z, z.dtype.type(-np.inf))
    top = z.max(axis=-1, keepdims=True)
    if np.isnan(top).any() or np.isposinf(top).any():
        raise ValueError(
            f"z: expected no NaN and no +inf, got {int(np.isnan(z).sum())} NaN and {int(np.isposinf(z).sum())} +inf "
            f"in shape {z.shape}; try a wider dtype or a smaller scale if the scores overflowed"
        )
    empty = np.isneginf(top)
    wide = working_dtype(z.dtype)
    # −inf − (−inf) is undefined, so an empty row is shifted by 0.
    top = np.where(empty, wide.type(0), top.astype(wide, copy=False))
    # In float16 z − max can overflow (−65504 − 65504), so widen before subtracting.
    with np.errstate(over="ignore"):
        return z.astype(wide, copy=False) - top, empty[..., 0]


def _normalised(shifted: np.ndarray, empty: np.ndarray) -> np.ndarray:
    """Return the weights of shifted scores; an empty row stays 0."""
    e = np.exp(shifted)
    return e / (e.sum(axis=-1, keepdims=True) + empty[..., np.newaxis])


def _besides_top(shifted: np.ndarray) -> np.ndarray:
    """Return ``exp(shifted)`` without the 1 of each row's largest entry."""
    others = np.exp(shifted)
    np.put_along_axis(others, shifted.argmax(axis=-1, keepdims=True), 0, axis=-1)
    return others
