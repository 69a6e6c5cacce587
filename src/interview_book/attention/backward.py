"""The derivatives of attention in closed form, stage by stage backwards, through masks and empty rows."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from interview_book.attention.dot_product import find_weights
from interview_book.attention.inputs import (
    broadcast_batch,
    check_scores,
    check_values,
    fold,
    require_finite,
    require_floats,
    rounded,
    select_used,
    split_factor,
    working_dtype,
)


class Gradients(NamedTuple):
    """What the loss L answers to each argument: ``dL/dQ``, ``dL/dK``, ``dL/dV`` and, for ``z = beta s``, ``dL/dbeta``.

    ``q``, ``k`` and ``v`` have the shapes of the arguments; ``beta`` is one number.
    """

    q: np.ndarray
    k: np.ndarray
    v: np.ndarray
    beta: float


def attend_gradients(
    q: Float[np.ndarray, "*#batch n_q d_k"],
    k: Float[np.ndarray, "*#batch n_k d_k"],
    v: Float[np.ndarray, "*#batch n_k d_v"],
    g: Float[np.ndarray, "*#batch n_q d_v"],
    *,
    allow: Bool[np.ndarray, "*#mask m_q m_k"] | None = None,
    causal: bool = False,
    align: str | None = None,
    scale: float | None = None,
    empty_rows: str = "raise",
) -> Gradients:
    """Carry ``g = dL/dO``, the gradient in the output of :func:`attend`, back to its arguments.

    With weights P, multiplier beta (``scale``) and raw scores S = Q Kᵀ::

        dV = Pᵀ G     dP = G Vᵀ     dZ_ij = P_ij (dP_ij − Σ_l P_il dP_il)
        dQ = beta dZ K     dK = beta dZᵀ Q     dbeta = Σ_ij dZ_ij S_ij

    Parameters
    ----------
    q, k, v, allow, causal, align, scale : as in :func:`attend`.
    g : of the shape of the output, ``(..., n_q, d_v)``.
    empty_rows : ``"raise"``; ``"zero"``: the output of an empty row is the constant 0, so nothing flows back through
        it, but its row of ``g`` must be finite; ``"skip"``: its row of ``g`` is never read (it may be NaN), and ``g``
        may be a masked array that masks those rows and no others.

    Returns
    -------
    :class:`Gradients` of dtype ``numpy.result_type(q, k, v, g)``, plain arrays of the shapes of ``q``, ``k`` and ``v``:
    where a batch axis was broadcast, the gradients are added up along it. Exactly 0 for a Key and Value that no Query
    may see and for a Query that sees nothing, whatever they hold. ``beta`` is added up in float64.

    Raises
    ------
    As :func:`attend`; and ``g`` of another shape, or not finite or masked in a row that counts.

    Source: the chain rule; the same formulas in Dao et al. (2022), appendix B.2.
    """
    factor = check_scores(q, k, scale)
    check_values(q, k, v)
    hidden = None
    if isinstance(empty_rows, str) and empty_rows == "skip" and isinstance(g, np.ma.MaskedArray):
        g, hidden = np.ma.getdata(g), np.ma.getmaskarray(g)
    require_floats("g", g, "(..., n_q, d_v)")
    dtype = np.result_type(q, k, v, g)
    wide = working_dtype(dtype)
    found = find_weights(q, k, allow, causal, align, factor, empty_rows, dtype)
    p, allowed = found.p, found.allowed
    output = (*broadcast_batch("scores under allow", p.shape, "v", v.shape), q.shape[-2], v.shape[-1])
    if g.shape != output:
        raise ValueError(f"g: expected the shape of the output {output}, got {g.shape}; g is dL/d(output)")
    if hidden is not None:
        hidden = hidden if found.empty is None else hidden & ~found.empty[..., np.newaxis]
        if hidden.any():
            raise ValueError(
                f"g: expected a mask over empty rows only, got {int(hidden.sum())} masked entries in other rows (first "
                f"at index {tuple(int(i) for i in np.argwhere(hidden)[0])}, shape {g.shape}); try g.filled(0) if the "
                f"loss does not depend on them"
            )
    if empty_rows == "skip":
        g = select_used("g", g, allowed, -1)
    require_finite("g", g)
    v = select_used("v", v, allowed, -2)
    q, k, v, g = (x.astype(wide, copy=False) for x in (found.q, found.k, v, g))
    with np.errstate(over="ignore", invalid="ignore"):
        d_z = _scaled_score_gradient(p, g @ v.swapaxes(-1, -2), allowed)
        mixed_keys = d_z @ k
        # Σ_ij dZ_ij (q_i · k_j) = Σ_i q_i · (dZ K)_i: no masked score is ever formed.
        beta = float(np.multiply(q, mixed_keys, dtype=np.float64).sum())
        half, other = split_factor(factor, wide)
        d_q, d_k = mixed_keys * half * other, d_z.swapaxes(-1, -2) @ q * half * other
        d_v = p.swapaxes(-1, -2) @ g
        d_q, d_k, d_v = (fold(x, of.shape, np.sum) for x, of in ((d_q, q), (d_k, k), (d_v, v)))
    if not math.isfinite(beta):
        raise ValueError("gradient in beta: the result does not fit; try a wider dtype or smaller arguments")
    named = (("q", d_q), ("k", d_k), ("v", d_v))
    return Gradients(*(rounded(f"gradient in {name}", x, dtype) for name, x in named), beta)


def _scaled_score_gradient(p: np.ndarray, d_p: np.ndarray, allowed: np.ndarray | None) -> np.ndarray:
    """Return ``dZ_ij = P_ij (dP_ij − Σ_l P_il dP_il)``, 0 where masked."""
    # Taking each row's entry at its largest weight away first changes no dZ (the weights add up to 1), and keeps the
    # digits of a dZ whose weight is next to 1: its own term is then exactly 0.
    top = np.broadcast_to(p, d_p.shape).argmax(axis=-1, keepdims=True)
    d_p = d_p - np.take_along_axis(d_p, top, axis=-1)
    if allowed is not None:
        d_p = np.where(allowed, d_p, d_p.dtype.type(0))  # a masked product may have overflowed
    return p * (d_p - (p * d_p).sum(axis=-1, keepdims=True))
