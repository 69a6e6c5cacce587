"""Does a position that may not be seen reach the output? Found by changing it and looking, without gradients.

:func:`causal_leaks`, :func:`padding_leaks` and :func:`mask_leaks` take any callable ``(q, k, v) -> outputs`` that reads
and returns NumPy arrays; whatever is inside it (a mask, a kernel, another library) stays closed. One position of one
input is changed at a time and every output row is compared with what it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Integer

from interview_book.attention.masks import causal_allow, padding_allow, spread_allow

Attention = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
# How far a position is moved, in units of the largest entry. Far, so that a forbidden Key outweighs a mask of −10 or
# −50; not further, so that float16 (65504) still holds the moved vector and its scores.
FAR = 1000.0
INJECTIONS = ("finite", "nan")


class Leak(NamedTuple):
    """One output row that answers to a position it may not see.

    ``source`` is the input that was changed: ``"q"``, ``"k"`` or ``"v"`` at ``position``, or ``"batch"``: all three of
    the batch entry ``position``. ``batch`` and ``row`` say which output row answered (−1: the whole entry) and
    ``change`` by how much at most, in units of the output: ``inf`` if it became, or ceased to be, NaN or infinite, or
    if the callable refused a position that nobody may see.
    """

    source: str
    batch: tuple[int, ...]
    row: int
    position: int
    change: float


@dataclass(frozen=True, eq=False)
class LeakReport:
    """What moved what. ``clean`` says that nothing forbidden did; only together with an empty ``blind`` is it evidence.

    ``q`` ``(..., n_q, n_q)`` and ``k``, ``v`` ``(..., n_q, n_k)`` hold the largest change of each output row (last axis
    but one) by each position (last axis), in units of the output; ``across`` ``(B, B)`` that of each batch entry by the
    others. ``allowed`` ``(..., n_q, n_k)`` is what was permitted. ``refused`` lists (source, position) that raised.
    """

    allowed: Bool[np.ndarray, "... n_q n_k"]
    q: Float[np.ndarray, "... n_q n_q"]
    k: Float[np.ndarray, "... n_q n_k"]
    v: Float[np.ndarray, "... n_q n_k"]
    across: Float[np.ndarray, "b b"]
    refused: tuple[tuple[str, int], ...]
    refused_unseen: tuple[tuple[str, int], ...]
    tolerance: float

    @property
    def leaks(self) -> tuple[Leak, ...]:
        """Every forbidden change above the tolerance, from Queries, Keys, Values and other batch entries."""
        own = np.eye(self.q.shape[-1], dtype=bool)
        found = [Leak(source, (), -1, position, np.inf) for source, position in self.refused_unseen]
        for source, changes, may in (("q", self.q, own), ("k", self.k, self.allowed), ("v", self.v, self.allowed)):
            for *batch, row, position in np.argwhere((changes > self.tolerance) & ~may).tolist():
                found.append(Leak(source, tuple(batch), row, position, float(changes[*batch, row, position])))
        for changed, cause in np.argwhere((self.across > self.tolerance) & ~np.eye(len(self.across), dtype=bool)):
            found.append(Leak("batch", (int(changed),), -1, int(cause), float(self.across[changed, cause])))
        return tuple(found)

    @property
    def blind(self) -> tuple[tuple[int, ...], ...]:
        """The allowed pairs (batch …, row, position) whose Value moves nothing.

        A function that returns nothing but zeros leaks nothing. Here it is found out, and so are masks that hide too
        much. A weight that underflows to 0 is also listed: try scores of ordinary size first.
        """
        return tuple(tuple(one) for one in np.argwhere((self.v <= self.tolerance) & self.allowed).tolist())

    @property
    def clean(self) -> bool:
        """True if nothing leaked."""
        return not self.leaks


def causal_leaks(
    attend: Attention,
    q: Float[np.ndarray, "*q_batch n_q d_k"],
    k: Float[np.ndarray, "*k_batch n_k d_k"],
    v: Float[np.ndarray, "*k_batch n_k d_v"],
    *,
    align: str | None = None,
    inject: str = "finite",
    tolerance: float = 0.0,
) -> LeakReport:
    """Look for Keys and Values of the future that reach an output row.

    ``align`` says where Queries and Keys meet if their numbers differ, as in
    :func:`~interview_book.attention.masks.causal_allow`: ``"top-left"`` or ``"bottom-right"``. With ``"bottom-right"``
    and ``n_q > n_k`` the first rows see nothing, so ``attend`` must not raise there. The rest as in
    :func:`mask_leaks`. Example: ``causal_leaks(lambda q, k, v: attend(q, k, v, causal=True), q, k, v)``.
    """
    allow = causal_allow(q.shape[-2], k.shape[-2], align)
    return mask_leaks(attend, q, k, v, allow, inject=inject, tolerance=tolerance)


def padding_leaks(
    attend: Attention,
    q: Float[np.ndarray, "*q_batch n_q d_k"],
    k: Float[np.ndarray, "*k_batch n_k d_k"],
    v: Float[np.ndarray, "*k_batch n_k d_v"],
    lengths: Integer[np.ndarray, "*batch"] | int,
    *,
    inject: str = "finite",
    tolerance: float = 0.0,
) -> LeakReport:
    """Look for padding that reaches an output row: Keys and Values at positions ``≥ length``.

    ``lengths`` holds the number of real Keys of each sequence; its axes are the leading batch axes of the outputs. For
    padding in front, or together with a causal mask, pass the whole mask to :func:`mask_leaks`, where the rest is told.
    """
    lengths = np.asarray(lengths)
    missing = q.ndim - 2 - lengths.ndim
    if missing < 0:
        raise ValueError(
            f"lengths: expected at most the batch axes of the Queries {q.shape[:-2]}, got shape {lengths.shape} "
            f"(q {q.shape}); pass one length per sequence"
        )
    allow = padding_allow(lengths.reshape(lengths.shape + (1,) * (missing if lengths.ndim else 0)), k.shape[-2])
    return mask_leaks(attend, q, k, v, allow, inject=inject, tolerance=tolerance)


def mask_leaks(
    attend: Attention,
    q: Float[np.ndarray, "*q_batch n_q d_k"],
    k: Float[np.ndarray, "*k_batch n_k d_k"],
    v: Float[np.ndarray, "*k_batch n_k d_v"],
    allow: Bool[np.ndarray, "... n_k"],
    *,
    inject: str = "finite",
    tolerance: float = 0.0,
) -> LeakReport:
    """Change one position at a time and say which output rows answer, allowed or not.

    Parameters
    ----------
    attend : callable ``(q, k, v) -> (..., n_q, d)`` with its masks inside. It is called with copies about
        ``n_q + 3 n_k + B`` times, so keep the sizes small. It must give the same for the same.
    q, k, v : inputs of ordinary size; the axes before the last two may be batch and heads, also fewer heads of Keys.
    allow : what is permitted, ``(n_q or 1, n_k)`` or with the batch axes of the outputs in front; True = may attend.
    inject : ``"finite"``: the position is moved far, its Key to either side, so that a finite mask (−10, −50) shows.
        ``"nan"``: a Key or Value becomes NaN. Where some row may see it ``attend`` may raise ValueError (then it is in
        ``refused``); where nobody may see it, raising counts as a leak.
    tolerance : largest change that counts as none, in units of the output. 0 asks for the same bits, which a mask that
        selects keeps; give a few roundings to code that subtracts the maximum over hidden scores too.

    Returns
    -------
    LeakReport.

    Raises
    ------
    TypeError, ValueError : no callable, a mask of another shape, outputs without a row per Query, or two calls with the
        same inputs that differ by more than ``tolerance`` (dropout left on?).
    """
    if not callable(attend):
        raise TypeError(f"attend: expected a callable (q, k, v) -> outputs, got {type(attend).__name__}")
    if inject not in INJECTIONS:
        raise ValueError(f"inject: expected one of {', '.join(map(repr, INJECTIONS))}, got {inject!r}")
    if not tolerance >= 0:
        raise ValueError(f"tolerance: expected a number ≥ 0 in units of the output, got {tolerance!r}")
    before = _call(attend, q, k, v)
    if before.ndim < 2 or before.shape[-2] != q.shape[-2]:
        raise ValueError(f"attend: expected outputs (..., n_q, d) with n_q = {q.shape[-2]}, got shape {before.shape}")
    noise = float(_change(before, _call(attend, q, k, v)).max(initial=0.0))
    if noise > tolerance:
        raise ValueError(
            f"attend: expected the same outputs for the same inputs, got a difference of {noise:.3g} between two "
            f"calls; switch dropout off, or pass a tolerance above it"
        )
    allowed = spread_allow(allow, (*before.shape[:-1], k.shape[-2]))
    trial = _Trial(attend, (q, k, v), before, allowed)
    if inject == "nan":
        changes = trial.nans()
    else:
        changes = {"q": trial.moves("q", (1,)), "k": trial.moves("k", (1, -1)), "v": trial.moves("v", (1,))}
    across = trial.batches() if inject == "finite" else np.zeros((0, 0))
    refused, unseen = tuple(trial.refused), tuple(trial.refused_unseen)
    return LeakReport(allowed, changes["q"], changes["k"], changes["v"], across, refused, unseen, float(tolerance))


class _Trial:
    """One callable, its inputs, and what it gave for them."""

    def __init__(self, attend, inputs, before, allowed):
        self.attend, self.before, self.allowed = attend, before, allowed
        self.inputs = dict(zip("qkv", inputs, strict=True))
        self.refused, self.refused_unseen = [], []

    def after(self, **changed) -> np.ndarray:
        """Return the largest change of each output row, ``(..., n_q)``."""
        return _change(self.before, _call(self.attend, **{**self.inputs, **changed}))

    def moves(self, name: str, signs) -> np.ndarray:
        """Move each position of one input far away and return ``(..., n_q, positions)``."""
        x = self.inputs[name]
        columns = []
        for position in range(x.shape[-2]):
            moved = []
            for sign in signs:
                other = x.copy()
                other[..., position, :] += sign * _far(x)
                moved.append(self.after(**{name: other}))
            columns.append(np.maximum.reduce(moved))
        return np.stack(columns, axis=-1)

    def nans(self) -> dict[str, np.ndarray]:
        """Put NaN into each Key and each Value."""
        n_q = self.before.shape[-2]
        changes = {"q": np.zeros((*self.before.shape[:-1], n_q))}
        for name in "kv":
            columns = [self._nan(name, position) for position in range(self.inputs[name].shape[-2])]
            changes[name] = np.stack(columns, axis=-1)
        return changes

    def _nan(self, name: str, position: int) -> np.ndarray:
        x, change = self.inputs[name], np.zeros(self.before.shape[:-1])
        # The entries of the first axis in which no row may see this position; all or none if there is no such axis.
        seen = self.allowed[..., position]
        batched = x.ndim > 2 and seen.ndim > 1 and x.shape[0] == seen.shape[0]
        unseen = ~(seen.any(axis=tuple(range(1, seen.ndim))) if batched else seen.any(keepdims=True).ravel()[:1])
        for everywhere, log in ((False, self.refused_unseen), (True, self.refused)):
            where = np.ones_like(unseen) if everywhere else unseen
            if not where.any() or (everywhere and unseen.all()):
                continue
            other = x.copy()
            other[(*((where,) if batched else ()), ..., position, slice(None))] = np.nan
            try:
                change = np.maximum(change, self.after(**{name: other}))
            except (ValueError, FloatingPointError):
                log.append((name, position))
        return change

    def batches(self) -> np.ndarray:
        """Move whole entries of the first batch axis and return how far each moves the others, ``(B, B)``."""
        first = {x.shape[0] if x.ndim > 2 else 1 for x in (*self.inputs.values(), self.before)}
        if len(first) > 1 or first == {1}:
            return np.zeros((0, 0))
        columns = []
        for entry in range(first.pop()):
            other = {name: x.copy() for name, x in self.inputs.items()}
            for x in other.values():
                x[entry] += _far(x)
            change = self.after(**other)
            columns.append(change.reshape(len(change), -1).max(axis=1, initial=0.0))
        return np.stack(columns, axis=-1)


def _call(attend, q, k, v) -> np.ndarray:
    """Call with copies; what a masked array hides counts as NaN, which never differs from itself."""
    with np.errstate(all="ignore"):
        result = attend(q.copy(), k.copy(), v.copy())
    if isinstance(result, np.ma.MaskedArray):
        return result.astype(np.float64).filled(np.nan)
    return np.array(result, dtype=np.float64)


def _far(x: np.ndarray) -> np.ndarray:
    """Return a long vector with no zero and no regular pattern: no ordinary Query is orthogonal to it."""
    finite = np.abs(x[np.isfinite(x)]).max(initial=0.0)
    place = np.arange(x.shape[-1])
    pattern = (0.5 + ((place + 1) * 0.6180339887498949) % 1) * np.where(place * (place + 1) // 2 % 2, -1, 1)
    return (FAR * (finite or 1.0) * pattern).astype(x.dtype)


def _change(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Return the largest absolute change along the features; ∞ where a number became NaN or infinite, or ceased to."""
    if before.shape != after.shape:
        raise ValueError(f"attend: expected outputs of one shape, got {before.shape} and then {after.shape}")
    same = (before == after) | (np.isnan(before) & np.isnan(after))
    with np.errstate(invalid="ignore"):
        change = np.where(same, 0.0, np.abs(after - before))
    return np.where(np.isnan(change), np.inf, change).max(axis=-1, initial=0.0)
