"""Who may attend to whom: boolean masks, how they combine, and what becomes of a Query that may attend to nothing.

A mask is called ``allow`` and True means «may attend», as in torch's ``scaled_dot_product_attention`` and in jax;
torch's ``nn.MultiheadAttention`` means the opposite. Masks that must all hold are combined with ``&``.
"""

from __future__ import annotations

import math
import operator

import numpy as np
from jaxtyping import Bool, Integer

from interview_book.attention.inputs import broadcast_batch

POLICIES = ("raise", "zero", "skip")
ALIGNMENTS = ("top-left", "bottom-right")


def causal_allow(n_q: int, n_k: int, align: str | None = None) -> Bool[np.ndarray, "n_q n_k"]:
    """Let each Query see the Keys up to its own place: ``allow_ij = (j ≤ i + offset)``.

    Parameters
    ----------
    n_q, n_k : numbers of Queries and Keys.
    align : where the two sequences meet, needed if ``n_q ≠ n_k``. ``"top-left"``: both begin together, offset 0.
        ``"bottom-right"``: both end together, offset ``n_k − n_q``, as with a cache of Keys; when ``n_q > n_k`` the
        first ``n_q − n_k`` Queries then see nothing.

    Returns
    -------
    A new boolean array ``(n_q, n_k)``, True = may attend.

    Raises
    ------
    TypeError : a size is no whole number. ValueError : a size is out of range, ``align`` missing or another word.
    """
    return window_allow(n_q, n_k, None, 0, align)


def window_allow(
    n_q: int, n_k: int, before: int | None, after: int | None = 0, align: str | None = None
) -> Bool[np.ndarray, "n_q n_k"]:
    """Let each Query see only the Keys near its own place: ``allow_ij = (−before ≤ j − (i + offset) ≤ after)``.

    ``before`` and ``after`` count Keys besides the Query's own place; ``None`` means no limit on that side. So
    ``window_allow(n, n, 2)`` is causal with a window of three Keys. ``align``, result and errors as in
    :func:`causal_allow`.
    """
    n_q, n_k = _count("n_q", n_q, 0), _count("n_k", n_k, 1)
    # Beyond n_q + n_k there are no Keys, and NumPy cannot compare with any number.
    before = None if before is None else min(_count("before", before, 0), n_q + n_k)
    after = None if after is None else min(_count("after", after, 0), n_q + n_k)
    return _window(n_q, n_k, before, after, _offset(n_q, n_k, align), slice(None), slice(None))


def padding_allow(lengths: Integer[np.ndarray, "*batch"] | int, n_k: int) -> Bool[np.ndarray, "*batch 1 n_k"]:
    """Let every Query of a sequence see its real Keys and not the padding behind them: ``allow_j = (j < length)``.

    Parameters
    ----------
    lengths : number of real Keys of each sequence, ``(...)``. Beside scores with an axis of heads pass
        ``lengths[:, np.newaxis]``, which gives ``(B, 1, 1, n_k)``.
    n_k : number of Keys, padding included.

    Returns
    -------
    A new boolean array ``(..., 1, n_k)``, True = may attend; ``[..., ::-1]`` of it is for padding in front.

    Raises
    ------
    TypeError : no whole numbers. ValueError : a length below 0 or above ``n_k``.
    """
    n_k = _count("n_k", n_k, 1)
    if isinstance(lengths, np.ma.MaskedArray):
        raise TypeError(f"lengths: expected no masked array (shape {lengths.shape}); try lengths.filled(0)")
    array = np.asarray(lengths)
    if array.dtype.kind not in "iu":
        raise TypeError(
            f"lengths: expected whole numbers of Keys, got {array.dtype} of shape {array.shape}; "
            f"try mask.sum(axis=-1) if it is a mask of the real Keys"
        )
    if ((array < 0) | (array > n_k)).any():
        raise ValueError(
            f"lengths: expected numbers from 0 to n_k = {n_k}, got {array.min()} to {array.max()} "
            f"(shape {array.shape}); n_k counts the padding too"
        )
    return np.arange(n_k) < array[..., np.newaxis, np.newaxis]


def pairs(
    q_shape: tuple[int, ...],
    k_shape: tuple[int, ...],
    allow: np.ndarray | None = None,
    causal: bool = False,
    align: str | None = None,
    *,
    rows: slice = slice(None),
    keys: slice = slice(None),
) -> Bool[np.ndarray, "... n_q n_k"] | None:
    """Resolve the options of attention into one mask: the pairs that both ``allow`` and ``causal`` permit.

    Parameters
    ----------
    q_shape, k_shape : shapes of the Queries ``(..., n_q, d_k)`` and of the Keys ``(..., n_k, d_k)``.
    allow, causal, align : as in :func:`~interview_book.attention.attend`.
    rows, keys : the block of Queries and of Keys that is wanted; only the block of the causal part is made, and
        ``allow`` is sliced, not copied.

    Returns
    -------
    ``None`` if every pair is allowed, else a read-only boolean array ``(..., n_q, n_k)`` (or the block of it) with the
    batch axes of the scores, broadcast with those of ``allow``.

    Raises
    ------
    TypeError : ``allow`` is no boolean array, ``causal`` neither True nor False.
    ValueError : ``allow`` has a wrong rank or size, ``align`` is missing, another word, or given without ``causal``.
    """
    scores = (*broadcast_batch("q", q_shape, "k", k_shape), q_shape[-2], k_shape[-2])
    if not isinstance(causal, (bool, np.bool_)):
        raise TypeError(f"causal: expected True or False, got {causal!r}; the alignment goes into align=")
    if align is not None and not causal:
        raise ValueError(f"align: expected nothing without causal=True, got {align!r}; pass causal=True as well")
    given = None if allow is None else spread_allow(allow, scores)[..., rows, keys]
    if not causal:
        return given
    n_q, n_k = scores[-2:]
    past = _window(n_q, n_k, None, 0, _offset(n_q, n_k, align), rows, keys)
    combined = past if given is None else past & given
    return np.broadcast_to(combined, np.broadcast_shapes(combined.shape, (*scores[:-2], 1, 1)))


def spread_allow(allow: object, scores: tuple[int, ...], *, source: str = "q") -> Bool[np.ndarray, ...]:
    """Check ``allow`` against the shape of the scores and return it with all of their axes, read-only, not copied.

    ``source`` is the argument that gives the scores their axes: the Queries, or the scores ``"z"`` themselves.
    """
    if not isinstance(allow, np.ndarray) or isinstance(allow, (np.ma.MaskedArray, np.matrix)):
        raise TypeError(
            f"allow: expected a NumPy array of booleans (True = may attend), got {type(allow).__name__}; "
            f"try {'allow.filled(False)' if isinstance(allow, np.ma.MaskedArray) else 'np.array(allow)'}"
        )
    if allow.dtype != np.bool_:
        additive = "an additive mask? try allow = mask == 0, or np.isfinite(mask) if it also carries a bias"
        mend = additive if allow.dtype.kind == "f" else "try allow.astype(bool) if 1 means may attend"
        raise TypeError(
            f"allow: expected booleans (True = may attend), got {allow.dtype} of shape {allow.shape}; {mend}"
        )
    if allow.ndim not in {2, len(scores)} or (allow.ndim == 2 and len(scores) < 2):
        raise ValueError(
            f"allow: expected rank {' or '.join(sorted({str(min(2, len(scores))), str(len(scores))}))} beside scores "
            f"of shape {scores}, got shape {allow.shape}; {_mend_rank(allow.shape, scores, source)}"
        )
    last = scores[-2:]
    if any(got not in {1, want} for got, want in zip(allow.shape[-2:], last, strict=True)):
        turned = allow.ndim >= 2 and allow.shape[-2:] == last[::-1]
        mend = "try allow.swapaxes(-1, -2)" if turned else "the last two axes are n_q (or 1) and n_k (or 1)"
        raise ValueError(f"allow: expected {last} on the last axes beside scores {scores}, got {allow.shape}; {mend}")
    try:
        return np.broadcast_to(allow, np.broadcast_shapes(allow.shape, scores))
    except ValueError:
        raise ValueError(
            f"allow: batch axes {allow.shape[:-2]} do not broadcast with {scores[:-2]} of the scores "
            f"(allow {allow.shape}, scores {scores}); each pair must be equal or contain a 1"
        ) from None


def find_empty_rows(allowed: Bool[np.ndarray, "... n_q n_k"] | None) -> Bool[np.ndarray, "... n_q"] | None:
    """Return True for each Query that may attend to nothing; ``None`` if there is no mask."""
    return None if allowed is None else ~allowed.any(axis=-1)


def refuse_empty_rows(
    empty: Bool[np.ndarray, "... n_q"] | None,
    empty_rows: str,
    mend: str = 'let them see a Key, or try empty_rows="zero" or "skip"',
) -> None:
    """Raise if the policy is no policy, or if it is ``"raise"`` and a row is empty. Call before computing.

    Parameters
    ----------
    empty : True for each row without an allowed Key, ``(..., n_q)``; ``None`` if no row can be empty.
    empty_rows : ``"raise"``, ``"zero"`` or ``"skip"``, as in :func:`~interview_book.attention.attend`.
    mend : what to try.
    """
    if not isinstance(empty_rows, str) or empty_rows not in POLICIES:
        raise ValueError(f"empty_rows: expected one of {', '.join(map(repr, POLICIES))}, got {empty_rows!r}")
    if empty_rows == "raise" and empty is not None and empty.any():
        first = tuple(int(i) for i in np.argwhere(empty)[0])
        raise ValueError(
            f"empty rows: expected in every row a Key that is allowed and scores above −inf, got none in "
            f"{int(empty.sum())} of {empty.size} rows (first at index {first}, shape of the rows {empty.shape}); {mend}"
        )


def settle_empty_rows(
    result: np.ndarray, empty: Bool[np.ndarray, "... n_q"] | None, empty_rows: str
) -> np.ndarray | np.ma.MaskedArray:
    """Give the empty rows of ``result`` what the policy promises. Call last, on a result of our own.

    ``result`` is ``(..., n_q, d)`` (weights or outputs) and is changed in place: its empty rows become 0. ``empty``,
    ``(..., n_q)``, broadcasts against its rows. With ``"skip"`` a masked array is returned, always: empty rows masked,
    fill value 0. Otherwise ``result`` itself.
    """
    if empty is not None:
        empty = np.broadcast_to(empty[..., np.newaxis], result.shape)
        np.copyto(result, 0, where=empty)
    if empty_rows != "skip":
        return result
    mask = np.zeros(result.shape, dtype=bool) if empty is None else empty.copy()
    return np.ma.MaskedArray(result, mask=mask, fill_value=0)


def _window(n_q, n_k, before, after, offset, rows: slice, keys: slice) -> np.ndarray:
    """Return one block of a window; ``None`` is no limit."""
    place = np.arange(*rows.indices(n_q))[:, np.newaxis] + offset
    key = np.arange(*keys.indices(n_k))
    allowed = np.ones((place.shape[0], key.shape[0]), dtype=bool)
    if before is not None:
        allowed &= key >= place - before
    if after is not None:
        allowed &= key <= place + after
    return allowed


def _offset(n_q: int, n_k: int, align: str | None) -> int:
    """Return the Key at the place of the first Query."""
    if align is None and n_q != n_k:
        raise ValueError(
            f"align: expected 'top-left' or 'bottom-right' because n_q = {n_q} and n_k = {n_k} differ, got None; "
            f"'bottom-right' if the Queries are the last of the sequence (a cache of Keys), else 'top-left'"
        )
    if align is not None and (not isinstance(align, str) or align not in ALIGNMENTS):
        raise ValueError(f"align: expected 'top-left' or 'bottom-right', got {align!r}")
    return n_k - n_q if align == "bottom-right" else 0


def _count(name: str, value: object, least: int) -> int:
    """Return ``value`` as an int of at least ``least``."""
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}: expected a whole number, got {value!r}")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected a whole number, got {value!r}; try int({name})") from None
    if number < least:
        raise ValueError(f"{name}: expected at least {least}, got {number}")
    return number


def _mend_rank(shape: tuple[int, ...], scores: tuple[int, ...], source: str) -> str:
    """Say how a mask of the wrong rank gets the right one."""
    if math.prod(shape) == 1 and len(shape) < 2:
        return f"try allow.reshape{(1,) * min(2, len(scores))}"
    n_q, n_k = scores[-2:] if len(scores) > 1 else (None, scores[-1])
    if len(shape) == 1 and shape[0] == n_k:
        return "try allow[np.newaxis, :] to mask Keys for every Query"
    if len(shape) == 1 and shape[0] == n_q:
        return "try allow[:, np.newaxis] to mask whole Queries"
    if 2 < len(shape) < len(scores):
        return "try allow[:, np.newaxis] if the missing axis is the heads (it would broadcast against the wrong one)"
    if len(shape) > len(scores):
        more = ", ".join(["np.newaxis"] * (len(shape) - len(scores)))
        # The rows of z are not those of a product, and a mask cannot give it new ones.
        mend = f"{source}[{more}]" if len(scores) > 1 else f"np.broadcast_to({source}, {(*shape[:-1], *scores)})"
        return f"try {mend}, so that the scores have those axes too"
    return f"try allow.reshape(...) to {scores}"
