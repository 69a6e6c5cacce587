"""What to watch in attention while a model trains: one number per layer and head, computed from tensors of the model.

:func:`report` recomputes the scores from Queries and Keys with the scale it is told; :func:`observed_report` reads the
scores that an instrumented model itself gave before and after scaling, and so sees which divisor it really used.
Neither raises because an input is not finite: that is what a report is for. What the numbers may mean says
:func:`~interview_book.checks.findings.diagnose`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np
from jaxtyping import Bool, Float

from interview_book.attention.masks import pairs
from interview_book.checks.head_measures import measure_gradients, measure_scores, measure_vectors, measure_weights
from interview_book.checks.layer_tensors import DTYPES, Layers, as_layers, dtype_name, require_fit

PerHead = Float[np.ndarray, "layers heads"]


@dataclass(frozen=True, eq=False)
class Report:
    """Measures of attention, arrays ``[layer, head]``; NaN where nothing could be measured or was given.

    Scores, over allowed pairs of rows with at least two allowed Keys and finite scores:
    ``sd_before``, ``sd_after`` pooled over all rows, ``sd_before_within``, ``sd_after_within`` around the mean of each
    row (what the softmax sees), ``ratio`` = before/after within rows, that is the divisor, ``correlation`` of the two
    within rows (1 if nothing but a divisor stands between); ``keys`` the mean number of allowed Keys; means over rows
    of ``entropy`` H and ``deficit`` log n − H in nats, n the row's own allowed Keys, and of ``largest_weight``;
    ``jacobian`` the median of ‖J‖_F. Over all allowed pairs: ``max_before``, ``max_after`` the largest finite absolute
    score.

    Vectors in use: ``q_norm``, ``k_norm`` root mean square, ``_max`` the largest, ``_shift`` the share of their mean
    (0 … 1); ``x_norm``, ``x_shift`` the same of the layer's inputs.

    Faults: ``rows`` and the shares ``empty_rows`` (no allowed Key) and ``broken_rows`` (an allowed score not finite);
    counts ``nonfinite_q``, ``_k``, ``_v`` of entries, ``nonfinite_before``, ``_after`` and ``overflow`` of allowed
    pairs, the last where finite vectors gave a score beyond the dtype.

    Gradients: Frobenius norms ``gradient_q``, ``_k``, ``_v``; ``softmax_gain``, see ``measure_gradients``.

    Weights that the model gave: the largest on a future pair (``future_weight``), on another pair that may not attend
    (``hidden_weight``), ``row_sum_error`` the largest |Σp − 1| in units of their dtype's spacing at 1,
    ``empty_row_weight`` the largest |Σp| of an empty row.
    """

    d_k: tuple[int, ...]
    d_model: tuple[int, ...]
    dtype: str
    sd_before: PerHead
    sd_after: PerHead
    sd_before_within: PerHead
    sd_after_within: PerHead
    ratio: PerHead
    correlation: PerHead
    keys: PerHead
    entropy: PerHead
    deficit: PerHead
    largest_weight: PerHead
    jacobian: PerHead
    max_before: PerHead
    max_after: PerHead
    q_norm: PerHead
    q_norm_max: PerHead
    q_shift: PerHead
    k_norm: PerHead
    k_norm_max: PerHead
    k_shift: PerHead
    x_norm: PerHead
    x_shift: PerHead
    rows: PerHead
    empty_rows: PerHead
    broken_rows: PerHead
    nonfinite_q: PerHead
    nonfinite_k: PerHead
    nonfinite_v: PerHead
    nonfinite_before: PerHead
    nonfinite_after: PerHead
    overflow: PerHead
    gradient_q: PerHead
    gradient_k: PerHead
    gradient_v: PerHead
    softmax_gain: PerHead
    future_weight: PerHead
    hidden_weight: PerHead
    row_sum_error: PerHead
    empty_row_weight: PerHead

    @property
    def shape(self) -> tuple[int, int]:
        """(layers, heads)."""
        return self.ratio.shape


def report(
    q: Layers,
    k: Layers,
    *,
    v: Layers | None = None,
    g: Layers | None = None,
    x: Layers | None = None,
    scale: float | Float[np.ndarray, ...] | None = None,
    allow: Bool[np.ndarray, "... m_q m_k"] | None = None,
    causal: bool = False,
    align: str | None = None,
    dtype: str | None = None,
    d_model: int | None = None,
) -> Report:
    """Report on attention from its Queries and Keys, as if it were computed exactly.

    Parameters
    ----------
    q, k, v : ``(layers, batch, heads, n, d)``, or one ``(batch, heads, n, d)`` array per layer; any floats, NaN and
        infinity too. Keys and Values may have fewer heads (grouped Queries), each for neighbouring Query heads.
    g : gradient in each head's outputs, ``(…, n_q, d_v)``; with ``v`` it gives the gradient norms.
    x : the layers' inputs, ``(layers, batch, n, width)``: tells grown projections from grown inputs.
    scale : multiplies the scores; a number or anything that broadcasts to [layer, head]; default 1/√d_k.
        The report says what follows from it, not what the model did: for that see :func:`observed_report`.
    allow, causal, align : as in :func:`~interview_book.attention.attend`, beside scores ``(batch, heads, n_q, n_k)``.
    dtype : what the model multiplies in, ``"float16"``, ``"bfloat16"``, …; default the dtype of ``q``. Scores beyond it
        count as overflow although they are computed here in float64.
    d_model : width of the model; default heads · d_k.

    Raises
    ------
    TypeError, ValueError : shapes that do not fit, an unknown dtype. Never for values.
    """
    q, k = as_layers("q", q, 4), as_layers("k", k, 4)
    v, g = (None if one is None else as_layers(name, one, 4) for name, one in (("v", v), ("g", g)))
    d_k = tuple(one.shape[-1] for one in q)
    heads = q[0].shape[1]
    require_fit(q=q, k=k, v=v, g=g)
    factor = np.array([[1 / math.sqrt(d)] * heads for d in d_k]) if scale is None else np.asarray(scale, np.float64)
    factor = np.broadcast_to(factor, (len(q), heads))
    dtype = dtype_name(dtype, q[0])

    def one(layer: int, head: int) -> dict[str, float]:
        qh, kh, vh, gh = (_head(t, layer, head, heads) for t in (q, k, v, g))
        before = qh @ kh.swapaxes(-1, -2)
        after = before * factor[layer, head]
        allowed, _ = masks[layer]
        row = measure_scores(before, after, allowed[:, head], DTYPES[dtype][0], _sound(qh, kh))
        row |= _vectors(qh, kh, vh, allowed[:, head]) | measure_weights(None, allowed[:, head], allowed[:, head], 1.0)
        if vh is None or gh is None:
            return row | dict.fromkeys(GRADIENTS, math.nan)
        return row | measure_gradients(after, allowed[:, head], qh, kh, vh, gh, factor[layer, head])

    masks = [_masks((*qi.shape[:-1], ki.shape[-2]), allow, causal, align) for qi, ki in zip(q, k, strict=True)]
    return _assemble(one, len(q), heads, x, d_k, d_model, dtype)


def observed_report(
    before: Layers,
    after: Layers,
    *,
    d_k: int,
    weights: Layers | None = None,
    q: Layers | None = None,
    k: Layers | None = None,
    x: Layers | None = None,
    gradients: tuple[Layers, Layers, Layers] | None = None,
    allow: Bool[np.ndarray, "... m_q m_k"] | None = None,
    causal: bool = False,
    align: str | None = None,
    dtype: str | None = None,
    d_model: int | None = None,
) -> Report:
    """Report on scores that a model gave before and after scaling: a missing scale is a ratio of 1, a double one d_k.

    Parameters
    ----------
    before, after : ``(layers, batch, heads, n_q, n_k)``, or one array per layer: q·k, and what goes into the softmax.
        In ``after`` −inf may stand for masked pairs; a large negative number may not: pass ``allow``.
    d_k : features of a Query and of a Key.
    weights : what came out of the softmax; shows weight where there must be none.
    q, k, x : as in :func:`report`, for norms. gradients : the model's own ``(dQ, dK, dV)``, shaped like q, k, v.
    allow, causal, align : what *should* be allowed. dtype : default that of ``before``. d_model : default heads · d_k.

    Raises
    ------
    TypeError, ValueError : shapes that do not fit, an unknown dtype. Never for values.
    """
    before, after = as_layers("before", before, 4), as_layers("after", after, 4)
    heads = before[0].shape[1]
    q, k, p = (None if t is None else as_layers(n, t, 4) for n, t in (("q", q), ("k", k), ("weights", weights)))
    names = ("dQ", "dK", "dV")
    slopes = {n: as_layers(n, t, 4) for n, t in zip(names, gradients, strict=True)} if gradients else {}
    require_fit(before=before, after=after, weights=p, q=q, k=k, **slopes)
    dtype = dtype_name(dtype, before[0])
    epsilon = 1.0 if p is None else DTYPES[dtype_name(None if p[0].dtype != before[0].dtype else dtype, p[0])][1]
    masks = [_masks(one.shape, allow, causal, align) for one in before]

    def one(layer: int, head: int) -> dict[str, float]:
        b, a, w, qh, kh = (_head(t, layer, head, heads) for t in (before, after, p, q, k))
        allowed, past = (mask[:, head] for mask in masks[layer])
        sound = None if qh is None or kh is None else _sound(qh, kh)
        row = measure_scores(b, a, allowed, DTYPES[dtype][0], sound) | _vectors(qh, kh, None, allowed)
        row |= measure_weights(w, allowed, past, epsilon) | dict.fromkeys(GRADIENTS, math.nan)
        norms = (float(np.linalg.norm(_head(t, layer, head, heads))) for t in slopes.values())
        return row | dict(zip(GRADIENTS, norms, strict=False))

    return _assemble(one, len(before), heads, x, (d_k,) * len(before), d_model, dtype)


GRADIENTS = ("gradient_q", "gradient_k", "gradient_v", "softmax_gain")


def _assemble(one, layers: int, heads: int, x, d_k, d_model, dtype) -> Report:
    inputs = [None] * layers if x is None else as_layers("x", x, 3)
    with np.errstate(all="ignore"):  # the values may be anything
        rows = [[one(layer, head) for head in range(heads)] for layer in range(layers)]
        wholes = [measure_vectors("x", None if t is None else _wide(t)) for t in inputs]
    for row, whole in zip(rows, wholes, strict=True):
        for head in row:
            head |= {name: whole[name] for name in ("x_norm", "x_shift")}
    names = [f.name for f in fields(Report)][3:]
    arrays = {name: np.array([[head[name] for head in row] for row in rows]) for name in names}
    return Report(d_k, tuple(heads * d if d_model is None else d_model for d in d_k), dtype, **arrays)


def _masks(scores: tuple[int, ...], allow, causal, align) -> tuple[np.ndarray, np.ndarray]:
    """Return the whole mask and its causal part, both ``(batch, heads, n_q, n_k)``."""
    shapes = (*scores[:-1], 1), (*scores[:-2], scores[-1], 1)
    found = (pairs(*shapes, allow, causal, align), pairs(*shapes, None, causal, align))
    return tuple(np.broadcast_to(True if mask is None else mask, scores) for mask in found)


def _head(x: list | None, layer: int, head: int, heads: int) -> np.ndarray | None:
    """Return one head in float64; a head of Keys serves its neighbouring Query heads."""
    return None if x is None else _wide(x[layer][:, head * x[layer].shape[1] // heads])


def _wide(x: np.ndarray) -> np.ndarray:
    return x.astype(np.float64)


def _sound(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    return np.isfinite(q).all(axis=-1)[:, :, np.newaxis] & np.isfinite(k).all(axis=-1)[:, np.newaxis, :]


def _vectors(q, k, v, allowed) -> dict[str, float]:
    row = measure_vectors("q", q, allowed.any(axis=-1)) | measure_vectors("k", k, allowed.any(axis=-2))
    return row | measure_vectors("v", v, allowed.any(axis=-2))
