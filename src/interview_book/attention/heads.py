"""Several heads: split the features, attend in each head, put the heads side by side again.

Letters: ``h`` heads, ``h_kv`` heads of Keys and Values (grouped queries if fewer than ``h``), ``d_model`` the width of
an embedding, ``d_k`` and ``d_v`` the features of one head.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float

from interview_book.attention.dot_product import attend
from interview_book.attention.inputs import require_finite, require_floats, rounded, working_dtype


def split_heads(x: Float[np.ndarray, "*batch n width"], heads: int) -> Float[np.ndarray, "*batch heads n d"]:
    """Cut the features of each row into ``heads`` consecutive parts: ``(..., n, h·d) → (..., h, n, d)``.

    Head 0 gets features 0 to d − 1. The result is a new array.

    Raises
    ------
    TypeError : ``x`` is no float array or ``heads`` no whole number. ValueError : ``heads`` is below 1 or does not
    divide the width.
    """
    require_floats("x", x, "(..., n, h·d)")
    heads = _require_heads("heads", heads)
    width = x.shape[-1]
    if width % heads:
        raise ValueError(
            f"heads: expected a divisor of the width {width}, got {heads} (x {x.shape}); each head takes width/heads "
            f"features"
        )
    # (..., n, h·d) -> (..., n, h, d) -> (..., h, n, d)
    return x.reshape(*x.shape[:-1], heads, width // heads).swapaxes(-3, -2).copy()


def merge_heads(x: Float[np.ndarray, "*batch heads n d"]) -> Float[np.ndarray, "*batch n width"]:
    """Put the heads side by side again: ``(..., h, n, d) → (..., n, h·d)``, the inverse of :func:`split_heads`.

    The result is a new array. Raises ``TypeError`` if ``x`` is no float array, ``ValueError`` without an axis of heads.
    """
    require_floats("x", x, "(..., h, n, d)")
    heads, n, d = x.shape[-3:]
    # (..., h, n, d) -> (..., n, h, d) -> (..., n, h·d)
    return x.swapaxes(-3, -2).copy().reshape(*x.shape[:-3], n, heads * d)


def repeat_groups(x: Float[np.ndarray, "*batch kv_heads n d"], groups: int) -> Float[np.ndarray, "*batch heads n d"]:
    """Give each head of Keys or Values to ``groups`` heads of Queries next to each other.

    ``(..., h_kv, n, d) → (..., h_kv·groups, n, d)``; result head ``i`` is head ``i // groups``: heads a, b with two
    groups become a, a, b, b (repeat) and not a, b, a, b (tile), which would give Queries the Keys of another group.

    Raises
    ------
    TypeError : ``x`` is no float array or ``groups`` no whole number. ValueError : no axis of heads, ``groups`` < 1.

    Source: Ainslie et al. (2023), section 2.2.
    """
    require_floats("x", x, "(..., h_kv, n, d)")
    return np.repeat(x, _require_heads("groups", groups), axis=-3)


def multi_head(
    x_q: Float[np.ndarray, "*#batch n_q d_model"],
    x_kv: Float[np.ndarray, "*#batch n_k d_kv"],
    w_q: Float[np.ndarray, "d_model heads_d_k"],
    w_k: Float[np.ndarray, "d_kv kv_heads_d_k"],
    w_v: Float[np.ndarray, "d_kv kv_heads_d_v"],
    w_o: Float[np.ndarray, "heads_d_v d_out"],
    *,
    heads: int,
    kv_heads: int | None = None,
    b_q: Float[np.ndarray, " heads_d_k"] | None = None,
    b_k: Float[np.ndarray, " kv_heads_d_k"] | None = None,
    b_v: Float[np.ndarray, " kv_heads_d_v"] | None = None,
    b_o: Float[np.ndarray, " d_out"] | None = None,
    allow: Bool[np.ndarray, ...] | None = None,
    causal: bool = False,
    align: str | None = None,
    scale: float | None = None,
    empty_rows: str = "raise",
) -> Float[np.ndarray, "... n_q d_out"]:
    """Attend in several heads at once: ``merge(head_1, …, head_h) W_O``, each head on features of its own.

    Head ``i`` is ``attend(q_i, k_i, v_i)`` where ``q = x_q W_Q + b_q``, ``k = x_kv W_K + b_k``, ``v = x_kv W_V + b_v``
    are split into heads. Each head has ``d_k = (columns of W_Q)/h`` features, and the default scale is 1/√d_k with that
    d_k, not with the width of the embedding.

    Parameters
    ----------
    x_q, x_kv : embeddings that ask, ``(..., n_q, d_model)``, and that are asked, ``(..., n_k, d_kv)``; the same array
        twice is self-attention.
    w_q, w_k, w_v, w_o : ``(d_model, h·d_k)``, ``(d_kv, h_kv·d_k)``, ``(d_kv, h_kv·d_v)``, ``(h·d_v, d_out)``. torch
        keeps the transposes of these.
    heads, kv_heads : ``h`` and ``h_kv``; ``None`` means ``h``. ``h_kv < h``: grouped queries; ``h_kv = 1``: one head of
        Keys and Values for all.
    b_q, b_k, b_v, b_o : added to the projections, one number per column.
    allow : ``(n_q, n_k)``, or of the rank of the scores ``(..., h, n_q, n_k)`` with the axis of heads, of size 1 if all
        heads share it. Without that axis it is refused: it would meet the heads where it means the batch.
    causal, align, scale, empty_rows : as in :func:`~interview_book.attention.attend`. A head in which a row is empty
        gives 0 to it under ``"zero"`` and ``"skip"``, so that with all heads empty ``b_o`` is left; ``"skip"`` masks
        the rows that are empty in every head.

    Returns
    -------
    ``(..., n_q, d_out)`` of the dtype of all arguments together. float16 is computed in float32 between the input and
    the output and rounded once.

    Raises
    ------
    TypeError : an argument is no float array, or a number of heads no whole number.
    ValueError : widths that do not fit, heads that do not divide them, and whatever ``attend`` refuses.

    Source: Vaswani et al. (2017), section 3.2.2; grouped queries: Ainslie et al. (2023).
    """
    heads = _require_heads("heads", heads)
    kv_heads = heads if kv_heads is None else _require_heads("kv_heads", kv_heads)
    if heads % kv_heads:
        raise ValueError(
            f"kv_heads: expected a divisor of heads = {heads}, got {kv_heads}; every head of Keys serves the same "
            f"number of heads of Queries"
        )
    given = [("x_q", x_q), ("x_kv", x_kv), ("w_q", w_q), ("w_k", w_k), ("w_v", w_v), ("w_o", w_o)]
    given += [(name, b) for name, b in (("b_q", b_q), ("b_k", b_k), ("b_v", b_v), ("b_o", b_o)) if b is not None]
    for name, x in given:
        require_floats(name, x, {"x": "(..., n, d)", "w": "(n, d)", "b": "(n)"}[name[0]])
    dtype = np.result_type(*(x for _, x in given))
    wide = working_dtype(dtype)
    q = split_heads(_project("x_q", x_q, "w_q", w_q, "b_q", b_q, heads, wide), heads)
    k = split_heads(_project("x_kv", x_kv, "w_k", w_k, "b_k", b_k, kv_heads, wide), kv_heads)
    v = split_heads(_project("x_kv", x_kv, "w_v", w_v, "b_v", b_v, kv_heads, wide), kv_heads)
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(
            f"w_q and w_k: expected the same d_k in each head, got {q.shape[-1]} and {k.shape[-1]} "
            f"(w_q {w_q.shape} in {heads} heads, w_k {w_k.shape} in {kv_heads})"
        )
    groups = heads // kv_heads
    k, v = repeat_groups(k, groups), repeat_groups(v, groups)
    try:
        mixed = attend(q, k, v, allow=allow, causal=causal, align=align, scale=scale, empty_rows=empty_rows)
    except ValueError as error:
        raise ValueError(f"{error} [q, k, v: x_q, x_kv, x_kv, each projected and split into heads]") from None
    data = np.ma.getdata(mixed)
    result = rounded("multi_head", _project("heads", merge_heads(data), "w_o", w_o, "b_o", b_o, 1, wide), dtype)
    if not isinstance(mixed, np.ma.MaskedArray):
        return result
    # All features of a row are masked or none; a row leaves the result when no head has anything to say about it.
    empty = np.ma.getmaskarray(mixed).all(axis=(-3, -1))[..., np.newaxis]
    return np.ma.MaskedArray(np.where(empty, 0, result), mask=np.broadcast_to(empty, result.shape).copy(), fill_value=0)


def _project(name, x, w_name, w, b_name, b, heads: int, wide: np.dtype) -> np.ndarray:
    """Return ``x w + b`` in the dtype to compute in; a row of x that is not finite stays so, and reaches no other."""
    if w.ndim != 2 or w.shape[0] != x.shape[-1]:
        turned = w.ndim == 2 and w.shape[1] == x.shape[-1]
        mend = f"torch keeps the transpose: try {w_name}.T" if turned else "the widths of both must agree"
        raise ValueError(
            f"{w_name}: expected shape ({x.shape[-1]}, …), one row per feature of {name}, got {w.shape} "
            f"({name} {x.shape}); {mend}"
        )
    if w.shape[1] == 0 or w.shape[1] % heads:
        raise ValueError(
            f"{w_name}: expected columns that {heads} heads can share, got {w.shape[1]} (shape {w.shape}); "
            f"each head takes the same number of them"
        )
    if b is not None and b.shape != (w.shape[1],):
        raise ValueError(f"{b_name}: expected shape ({w.shape[1]},), one number per column of {w_name}, got {b.shape}")
    require_finite(w_name, w)
    with np.errstate(over="ignore", invalid="ignore"):
        projected = x.astype(wide, copy=False) @ w.astype(wide, copy=False)
        if b is not None:
            require_finite(b_name, b)
            projected += b.astype(wide, copy=False)
    return projected


def _require_heads(name: str, value: object) -> int:
    """Return ``value`` as an int of at least 1."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name}: expected a whole number, got {value!r}")
    if value < 1:
        raise ValueError(f"{name}: expected at least 1, got {value}")
    return int(value)
