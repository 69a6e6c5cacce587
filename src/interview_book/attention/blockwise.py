"""Attention block by block: the same outputs without ever holding all n_q × n_k scores."""

from __future__ import annotations

import operator
from collections.abc import Iterator

import numpy as np
from jaxtyping import Bool, Float

from interview_book.attention.dot_product import within_range
from interview_book.attention.inputs import (
    broadcast_batch,
    check_scores,
    check_values,
    fold,
    require_finite,
    rounded,
    split_factor,
    working_dtype,
)
from interview_book.attention.masks import pairs, refuse_empty_rows, settle_empty_rows


def online_attend(
    q: Float[np.ndarray, "*#batch n_q d_k"],
    k: Float[np.ndarray, "*#batch n_k d_k"],
    v: Float[np.ndarray, "*#batch n_k d_v"],
    *,
    block: int,
    allow: Bool[np.ndarray, "*#mask m_q m_k"] | None = None,
    causal: bool = False,
    align: str | None = None,
    scale: float | None = None,
    empty_rows: str = "raise",
) -> Float[np.ndarray, "... n_q d_v"]:
    """Attend with a running maximum and sum: equal to :func:`attend`, whatever the block.

    For each block of Queries the blocks of Keys pass by. With the maximum ``m`` and the sum ``l`` of ``exp(z − m)``
    over the Keys seen so far, a new block with scores ``z`` gives::

        m' = max(m, max z)      l' = l e^(m − m') + Σ_j e^(z_j − m')
        o' = (l e^(m − m')/l') o + Σ_j (e^(z_j − m')/l') v_j

    so that ``o`` is at every moment the attention over the Keys seen so far. (FlashAttention divides by ``l`` once, at
    the end; dividing on the way keeps ``o`` between the Values, so that it never overflows.)

    Parameters
    ----------
    block : Queries and Keys of one block, at least 1; a block beyond n_q or n_k is all of them.
    q, k, v, allow, causal, align, scale, empty_rows : as in :func:`attend`. An ``allow`` that is given is sliced; the
        causal part is made for one block at a time.

    Returns
    -------
    As :func:`attend`; the sums are added up in another order, so that the last digits may differ. Beside the result it
    holds some ``block × (block + d_k + d_v)`` numbers and ``n_q + n_k`` truth values for each batch entry; all batch
    entries go through a block together.

    Raises
    ------
    As :func:`attend`; and ``block`` is no whole number (TypeError) or below 1 (ValueError).

    Source: Milakov and Gimelshein (2018); Dao et al. (2022).
    """
    factor = check_scores(q, k, scale)
    check_values(q, k, v)
    block = _require_block(block)
    dtype = np.result_type(q, k, v)
    wide = working_dtype(dtype)
    n_q, n_k, d_v = q.shape[-2], k.shape[-2], v.shape[-1]

    def allowed_in(rows: slice, keys: slice) -> np.ndarray | None:
        return pairs(q.shape, k.shape, allow, causal, align, rows=rows, keys=keys)

    nothing = allowed_in(slice(0), slice(0))  # checks the masks and has their batch axes
    if nothing is None:
        batch, seeing, seen, empty = broadcast_batch("q", q.shape, "k", k.shape), None, None, None
    else:
        batch = nothing.shape[:-2]
        seeing, seen = _partners(allowed_in, batch, n_q, n_k, block)
        empty = ~seeing[..., 0]
    refuse_empty_rows(empty, empty_rows)
    result = np.empty((*broadcast_batch("scores under allow", (*batch, n_q, n_k), "v", v.shape), n_q, d_v), dtype)
    # What no pair uses becomes 0 in each block, so that there everything is finite, and what is masked only left out.
    used_q = _used_rows("q", q, seeing, -1, block)
    used_k, used_v = _used_rows("k", k, seen, -2, block), _used_rows("v", v, seen, -2, block)
    for_q, for_k = split_factor(factor, wide)

    for rows in _blocks(n_q, block):
        with np.errstate(over="ignore", invalid="ignore"):
            queries = _take(q, used_q, rows, wide) * for_q
        top = np.full((*batch, queries.shape[-2], 1), -np.inf, wide)
        total = np.zeros_like(top)
        output = np.zeros((*result.shape[:-2], queries.shape[-2], d_v), wide)
        for keys in _blocks(n_k, block):
            allowed = allowed_in(rows, keys)
            if allowed is not None and not allowed.any():
                continue  # nothing to see, as in the future of a causal block
            z = _scores(queries, _take(k, used_k, keys, wide), for_k, allowed)
            top, total, output = _absorb(top, total, output, z, _take(v, used_v, keys, wide))
        result[..., rows, :] = rounded("online_attend", output, dtype)
    return settle_empty_rows(result, empty, empty_rows)


def _absorb(top, total, output, z, v) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Let one more block of Keys into the maximum, the sum and the output; −inf in ``z`` is masked."""
    new_top = np.maximum(top, z.max(axis=-1, keepdims=True))
    # A row that has seen nothing yet has no maximum to subtract, and −inf − −inf is NaN.
    shift = np.where(np.isneginf(new_top), 0, new_top)
    with np.errstate(over="ignore", invalid="ignore"):
        e = np.exp(z - shift)
        kept = total * np.exp(top - shift)
        new_total = kept + e.sum(axis=-1, keepdims=True)
        divisor = np.where(new_total == 0, 1, new_total)
        return new_top, new_total, within_range(output * (kept / divisor) + (e / divisor) @ v)


def _scores(q, k, for_k, allowed) -> np.ndarray:
    """Return one block of scores, −inf where masked; an allowed one must fit into the dtype."""
    with np.errstate(over="ignore", invalid="ignore"):
        k = k if for_k == 1 else k * for_k
        z = rounded("scores", q @ k.swapaxes(-1, -2), q.dtype, allowed)
    return z if allowed is None else np.where(allowed, z, -np.inf)


def _partners(allowed_in, batch: tuple[int, ...], n_q: int, n_k: int, block: int) -> tuple[np.ndarray, np.ndarray]:
    """Return which Queries see a Key, ``(..., n_q, 1)``, and which Keys a Query sees, ``(..., 1, n_k)``."""
    seeing, seen = np.zeros((*batch, n_q, 1), dtype=bool), np.zeros((*batch, 1, n_k), dtype=bool)
    for rows in _blocks(n_q, block):
        for keys in _blocks(n_k, block):
            allowed = allowed_in(rows, keys)
            seeing[..., rows, :] |= allowed.any(axis=-1, keepdims=True)
            seen[..., :, keys] |= allowed.any(axis=-2, keepdims=True)
    return seeing, seen


def _used_rows(name: str, x: np.ndarray, partners: np.ndarray | None, axis: int, block: int) -> np.ndarray | None:
    """Ask of ``x`` what ``select_used`` asks, a block at a time; return None if all is finite, else the used rows."""
    n = x.shape[-2]
    if all(np.isfinite(x[..., rows, :]).all() for rows in _blocks(n, block)):
        return None
    if partners is None:
        require_finite(name, x)
    used = np.broadcast_to(fold(partners.any(axis=axis), x.shape[:-1], np.any), x.shape[:-1])[..., np.newaxis]
    if any((~np.isfinite(x[..., rows, :]) & used[..., rows, :]).any() for rows in _blocks(n, block)):
        require_finite(name, x, used)
    return used


def _take(x: np.ndarray, used: np.ndarray | None, rows: slice, wide: np.dtype) -> np.ndarray:
    """Return a block of rows in the dtype to compute in, with 0 in what no pair uses."""
    x = x[..., rows, :].astype(wide, copy=False)
    return x if used is None else np.where(used[..., rows, :], x, wide.type(0))


def _blocks(n: int, block: int) -> Iterator[slice]:
    return (slice(start, min(start + block, n)) for start in range(0, n, block))


def _require_block(value: object) -> int:
    """Return ``value`` as an int of at least 1."""
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"block: expected a whole number of rows, got {value!r}; try block=64")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"block: expected a whole number of rows, got {value!r}; try block=64") from None
    if number < 1:
        raise ValueError(f"block: expected at least 1, got {number}; try block=64")
    return number
