"""Scaled dot-product attention: Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V, one function per stage.

Letters: ``n_q`` Queries, ``n_k`` Keys and Values, ``d_k`` features of a Query and of a Key, ``d_v`` of a Value. Axes
before the last two are batch axes and broadcast. Every function computes in the dtype of its result, float16 in
float32, and rounds once at the end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from interview_book.attention.inputs import (
    broadcast_batch,
    check_scores,
    check_values,
    require_finite,
    require_floats,
    rounded,
    select_used,
    split_factor,
    working_dtype,
)
from interview_book.attention.masks import find_empty_rows, pairs, refuse_empty_rows, settle_empty_rows
from interview_book.attention.normalise import softmax


def scores(
    q: Float[np.ndarray, "*#batch n_q d_k"], k: Float[np.ndarray, "*#batch n_k d_k"], scale: float | None = None
) -> Float[np.ndarray, "... n_q n_k"]:
    """Say how well each Query matches each Key: ``z_ij = scale · Σ_f q_if k_jf``.

    Parameters
    ----------
    q : Queries, ``(..., n_q, d_k)``.
    k : Keys, ``(..., n_k, d_k)``.
    scale : multiplies the dot products; ``None`` means ``1/√d_k`` with ``d_k`` read from the last axis of ``q``,
        ``scale=1`` gives the raw scores, ``scale=1/c`` divides by ``c``.

    Returns
    -------
    ``(..., n_q, n_k)`` of dtype ``numpy.result_type(q, k)``.

    Raises
    ------
    TypeError : an argument is no float array, or ``scale`` no real number.
    ValueError : ``d_k`` differs or is 0, there are no Keys, batch axes do not broadcast, an entry is not finite, or a
        score does not fit into the dtype.

    Source: Vaswani et al. (2017), section 3.2.1.
    """
    factor = check_scores(q, k, scale)
    require_finite("q", q)
    require_finite("k", k)
    dtype = np.result_type(q, k)
    return rounded("scores", _products(q, k, factor, working_dtype(dtype)), dtype)


def weights(
    q: Float[np.ndarray, "*#batch n_q d_k"],
    k: Float[np.ndarray, "*#batch n_k d_k"],
    *,
    allow: Bool[np.ndarray, "*#mask m_q m_k"] | None = None,
    causal: bool = False,
    align: str | None = None,
    scale: float | None = None,
    empty_rows: str = "raise",
) -> Float[np.ndarray, "... n_q n_k"]:
    """Say how much of each Key's Value each Query takes: ``softmax(scores(q, k, scale))`` over the allowed Keys.

    Returns ``(..., n_q, n_k)`` of dtype ``numpy.result_type(q, k)``; for each Query the weights along the Keys add up
    to 1, and a masked one is exactly 0. Arguments and errors as in :func:`attend`, policies of empty rows too.
    """
    factor = check_scores(q, k, scale)
    dtype = np.result_type(q, k)
    found = find_weights(q, k, allow, causal, align, factor, empty_rows, dtype)
    return settle_empty_rows(found.p.astype(dtype, copy=False), found.empty, empty_rows)


def mix(
    p: Float[np.ndarray, "*#batch n_q n_k"], v: Float[np.ndarray, "*#batch n_k d_v"]
) -> Float[np.ndarray, "... n_q d_v"]:
    """Average the Values with the weights: ``o_i = Σ_j p_ij v_j``.

    Parameters
    ----------
    p : weights, ``(..., n_q, n_k)``.
    v : Values, ``(..., n_k, d_v)``; one row for each Key. Every Value must be finite, even one with weight 0, because
        ``0 · NaN`` is NaN; :func:`attend` leaves out those that are masked.

    Returns
    -------
    ``(..., n_q, d_v)`` of dtype ``numpy.result_type(p, v)``.

    Raises
    ------
    TypeError : an argument is no float array.
    ValueError : the numbers of Keys and Values differ or are 0, batch axes do not broadcast, an entry is not finite, or
        the result does not fit into the dtype.
    """
    require_floats("p", p, "(..., n_q, n_k)")
    require_floats("v", v, "(..., n_k, d_v)")
    if p.shape[-1] != v.shape[-2]:
        raise ValueError(
            f"p and v: expected one Value for each Key, got weights on {p.shape[-1]} Keys and {v.shape[-2]} Values "
            f"(p {p.shape}, v {v.shape}); v has one row per Key"
        )
    if p.shape[-1] == 0:
        raise ValueError(f"p and v: expected at least one Key, got none (p {p.shape}, v {v.shape})")
    broadcast_batch("p", p.shape, "v", v.shape)
    require_finite("p", p)
    require_finite("v", v)
    dtype = np.result_type(p, v)
    return rounded("mix", _mixed(p, v, working_dtype(dtype)), dtype)


def attend(
    q: Float[np.ndarray, "*#batch n_q d_k"],
    k: Float[np.ndarray, "*#batch n_k d_k"],
    v: Float[np.ndarray, "*#batch n_k d_v"],
    *,
    allow: Bool[np.ndarray, "*#mask m_q m_k"] | None = None,
    causal: bool = False,
    align: str | None = None,
    scale: float | None = None,
    empty_rows: str = "raise",
) -> Float[np.ndarray, "... n_q d_v"]:
    """Attend: ``mix(weights(q, k), v)``, that is ``softmax(Q Kᵀ/√d_k) V``, each Query over the Keys it may see.

    Parameters
    ----------
    q, k, v : ``(..., n_q, d_k)``, ``(..., n_k, d_k)``, ``(..., n_k, d_v)``. ``d_v`` need not be ``d_k``, nor ``n_q``
        ``n_k`` (cross-attention, a cache of Keys).
    allow : booleans, True = may attend. The last two axes are ``n_q`` (or 1) and ``n_k`` (or 1); the rank is 2 or that
        of the scores, so that a batch of masks cannot be taken for masks of the heads. Batch axes broadcast.
    causal : each Query sees the Keys up to its own place only; with ``allow``, both must permit a pair.
    align : which places the Queries have, needed with ``causal`` if ``n_q ≠ n_k``: ``"top-left"`` or
        ``"bottom-right"``, see :func:`causal_allow`.
    scale : as in :func:`scores`.
    empty_rows : what becomes of a Query that may see no Key. ``"raise"``: a ValueError that counts them. ``"zero"``:
        its weights and its output are the constant 0, so no gradient flows through it. ``"skip"``: it is no part of
        the result, which is (always) a ``numpy.ma.MaskedArray`` with those rows masked, over 0, so that means and sums
        leave them out; what comes back to it as a gradient is never read.

    Returns
    -------
    ``(..., n_q, d_v)`` of dtype ``numpy.result_type(q, k, v)``, a new array. A masked pair is selected away and not
    multiplied by 0: a Key or Value that no Query of its batch may see, and a Query that sees nothing, may hold NaN or
    infinity and reach nothing.

    Raises
    ------
    TypeError : an argument is no float array, ``allow`` no boolean one (an additive mask), ``scale`` no real number.
    ValueError : sizes or batch axes do not fit, ``d_k`` is 0, there are no Keys, ``allow`` has a wrong rank or size,
        ``align`` is missing, an entry that some pair uses is not finite, an allowed score does not fit into the dtype,
        or a row is empty under ``"raise"``.
    """
    factor = check_scores(q, k, scale)
    check_values(q, k, v)
    dtype = np.result_type(q, k, v)
    found = find_weights(q, k, allow, causal, align, factor, empty_rows, dtype)
    broadcast_batch("scores under allow", found.p.shape, "v", v.shape)
    v = select_used("v", v, found.allowed, -2)
    mixed = within_range(_mixed(found.p, v, found.p.dtype))
    return settle_empty_rows(rounded("attend", mixed, dtype), found.empty, empty_rows)


class Found(NamedTuple):
    """What the forward pass leaves for the rest of it and for the backward pass.

    ``p`` are the weights in the dtype to compute in, 0 where masked; ``q`` and ``k`` the arguments with 0 in what no
    pair uses; ``factor`` is the scale; ``allowed`` and ``empty`` are masks ``(..., n_q, n_k)`` and ``(..., n_q)`` or
    ``None``.
    """

    p: np.ndarray
    q: np.ndarray
    k: np.ndarray
    factor: float
    allowed: np.ndarray | None
    empty: np.ndarray | None


def find_weights(q, k, allow, causal, align, factor, empty_rows, dtype) -> Found:
    """Compute the weights for a result of ``dtype``; ``q``, ``k`` and ``factor`` have passed :func:`check_scores`."""
    allowed = pairs(q.shape, k.shape, allow, causal, align)
    empty = find_empty_rows(allowed)
    refuse_empty_rows(empty, empty_rows)
    q, k = select_used("q", q, allowed, -1), select_used("k", k, allowed, -2)
    wide = working_dtype(dtype)
    z = rounded("scores", _products(q, k, factor, wide), wide, allowed)
    # Empty rows stay plain zeros here; the policy is applied to the last result only.
    return Found(softmax(z, allowed, "zero"), q, k, factor, allowed, empty)


def _products(q: np.ndarray, k: np.ndarray, factor: float, wide: np.dtype) -> np.ndarray:
    """Return ``factor · Q Kᵀ`` in ``wide``; infinite or NaN where it does not fit."""
    # The factor goes to the Query and not to the product: fewer multiplications, and less that can overflow.
    for_q, for_k = split_factor(factor, wide)
    with np.errstate(over="ignore", invalid="ignore"):
        k = k.astype(wide, copy=False)
        return (q.astype(wide, copy=False) * for_q) @ (k if for_k == 1 else k * for_k).swapaxes(-1, -2)


def _mixed(p: np.ndarray, v: np.ndarray, wide: np.dtype) -> np.ndarray:
    """Return ``P V`` in ``wide``; infinite or NaN where it does not fit."""
    with np.errstate(over="ignore", invalid="ignore"):
        return p.astype(wide, copy=False) @ v.astype(wide, copy=False)


def within_range(average: np.ndarray) -> np.ndarray:
    """Return an average of finite numbers without the infinity that rounding can make of the largest of them."""
    most = float(np.finfo(average.dtype).max)
    return np.clip(average, -most, most)
