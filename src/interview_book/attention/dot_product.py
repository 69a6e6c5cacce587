"""Scaled dot-product attention: Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V, one function per stage.

Letters: ``n_q`` Queries, ``n_k`` Keys and Values, ``d_k`` features of a Query and of a Key, ``d_v`` of a Value. Axes
before the last two are batch axes and broadcast. float16 is added up in float32 and rounded once at the end of each
stage.
"""

from __future__ import annotations

import math

import numpy as np
from jaxtyping import Float

from interview_book.attention.inputs import (
    broadcast_batch,
    multiplier,
    require_finite,
    require_floats,
    rounded,
    working_dtype,
)
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
    require_finite("q", q)
    require_finite("k", k)
    factor = 1 / math.sqrt(d_k) if scale is None else multiplier(scale)
    dtype = np.result_type(q, k)
    wide = working_dtype(dtype)
    # The factor goes to the Query and not to the product: fewer multiplications, and less that can overflow.
    with np.errstate(over="ignore", invalid="ignore"):
        z = (q.astype(wide, copy=False) * wide.type(factor)) @ k.astype(wide, copy=False).swapaxes(-1, -2)
    return rounded("scores", z, dtype)


def weights(
    q: Float[np.ndarray, "*#batch n_q d_k"], k: Float[np.ndarray, "*#batch n_k d_k"], *, scale: float | None = None
) -> Float[np.ndarray, "... n_q n_k"]:
    """Say how much of each Key's Value each Query takes: ``softmax(scores(q, k, scale))`` over the Keys.

    Returns ``(..., n_q, n_k)``; for each Query the weights along the Keys add up to 1. Shapes, dtype and errors as in
    :func:`scores`.
    """
    return softmax(scores(q, k, scale))


def mix(
    p: Float[np.ndarray, "*#batch n_q n_k"], v: Float[np.ndarray, "*#batch n_k d_v"]
) -> Float[np.ndarray, "... n_q d_v"]:
    """Average the Values with the weights: ``o_i = Σ_j p_ij v_j``.

    Parameters
    ----------
    p : weights, ``(..., n_q, n_k)``.
    v : Values, ``(..., n_k, d_v)``; one row for each Key.

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
    wide = working_dtype(dtype)
    with np.errstate(over="ignore", invalid="ignore"):
        mixed = p.astype(wide, copy=False) @ v.astype(wide, copy=False)
    return rounded("mix", mixed, dtype)


def attend(
    q: Float[np.ndarray, "*#batch n_q d_k"],
    k: Float[np.ndarray, "*#batch n_k d_k"],
    v: Float[np.ndarray, "*#batch n_k d_v"],
    *,
    scale: float | None = None,
) -> Float[np.ndarray, "... n_q d_v"]:
    """Attend: ``mix(weights(q, k), v)``, that is ``softmax(Q Kᵀ/√d_k) V``.

    Parameters
    ----------
    q, k, v : ``(..., n_q, d_k)``, ``(..., n_k, d_k)``, ``(..., n_k, d_v)``. ``d_v`` need not be ``d_k``, nor ``n_q``
        ``n_k`` (cross-attention, a cache of Keys).
    scale : as in :func:`scores`.

    Returns
    -------
    ``(..., n_q, d_v)`` of dtype ``numpy.result_type(q, k, v)``.

    Raises
    ------
    As :func:`scores` and :func:`mix`.
    """
    return mix(weights(q, k, scale=scale), v)
