"""Small experiments on a lookup: change the order, a token or a weight, and look how far the outputs move.

A ``model`` is any callable from embeddings ``(n, d_model)`` to one output for each token, ``(n, …)``, for example
:class:`~interview_book.checks.lookup_models.SelfAttention`. Gaps are largest absolute differences, in the units of the
outputs. :func:`train_projections` learns the three projections, :func:`stage_multiplications` counts what each stage
costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int, Shaped

from interview_book.attention import attend, attend_gradients
from interview_book.checks.arguments import require_count, require_real
from interview_book.checks.counting import multiplications

Model = Callable[[np.ndarray], np.ndarray]
# 8! = 40,320 orders take some seconds, 9! nine times as long.
MOST_TOKENS = 8


def max_gap(a: Shaped[np.ndarray, "*shape"], b: Shaped[np.ndarray, "*shape"]) -> float:
    """Return the largest absolute difference ``max |a − b|`` of two arrays of one shape (``ValueError`` otherwise).

    NaN if a difference is NaN, so that no comparison with a tolerance holds.
    """
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if a.shape != b.shape or a.size == 0:
        raise ValueError(f"a and b: expected two arrays of one shape with entries, got {a.shape} and {b.shape}")
    return float(np.abs(a - b).max())


def agree(a: Shaped[np.ndarray, "*shape"], b: Shaped[np.ndarray, "*shape"], tolerance: float = 1e-12) -> bool:
    """Say whether two arrays of one shape differ by less than ``tolerance`` everywhere; NaN never agrees."""
    return max_gap(a, b) < tolerance


def moved(
    new: Shaped[np.ndarray, "*shape"], old: Shaped[np.ndarray, "*shape"], axis: int, tolerance: float = 1e-12
) -> Int[np.ndarray, " places"]:
    """Return the places along ``axis`` at which anything differs by more than ``tolerance``, or by NaN.

    For weights ``(n_q, n_k)``, ``axis=0`` gives the Queries and ``axis=1`` the Keys. Raises ``ValueError`` if the
    shapes differ.
    """
    new, old = np.asarray(new, dtype=np.float64), np.asarray(old, dtype=np.float64)
    if new.shape != old.shape:
        raise ValueError(f"new and old: expected one shape, got {new.shape} and {old.shape}")
    same = np.moveaxis(np.abs(new - old) <= tolerance, axis, 0)
    return np.flatnonzero(~same.reshape(len(same), -1).all(axis=1))


def refuses(function: Callable[..., object], *arguments: object) -> bool:
    """Say whether ``function(*arguments)`` raises ``ValueError``; any other error is raised on."""
    try:
        function(*arguments)
    except ValueError:
        return True
    return False


def equivariance_gap(
    model: Model, x: Shaped[np.ndarray, "n d_model"], orders: Iterable[Sequence[int]] | None = None
) -> float:
    """Say how far a model is from permutation equivariance: ``max |f(x[order]) − f(x)[order]|`` over the orders.

    0, up to rounding, if the outputs always move with their tokens.

    Parameters
    ----------
    model, x : what is called, and the embeddings.
    orders : which orders to try, each the numbers 0 to n − 1; ``None`` means all n! of them, n at most 8.

    Raises
    ------
    ValueError : no orders, an entry that is no order of the n tokens, too many tokens for all orders, or another number
        of outputs than of tokens.
    """
    x = np.asarray(x, dtype=np.float64)
    if orders is None:
        orders = _all_orders(len(x))
    before, gaps = _outputs(model, x), []
    for order in orders:
        order = list(order)
        if sorted(order) != list(range(len(x))):
            raise ValueError(f"orders: expected each of 0 to {len(x) - 1} once, got {order}")
        gaps.append(max_gap(_outputs(model, x[order]), before[order]))
    if not gaps:
        raise ValueError("orders: expected at least one, got none")
    return float(np.max(gaps))


def prefix_gap(model: Model, x: Shaped[np.ndarray, "n d_model"]) -> float:
    """Say how far the last output depends on the order of the tokens before it, which are put into every order.

    The largest range of one of its features over the (n − 1)! orders; 0, up to rounding, if the last token cannot tell
    them apart. ``ValueError`` for fewer than 2 tokens, or more than 9.
    """
    x = np.asarray(x, dtype=np.float64)
    require_count("tokens", len(x), least=2)
    last = [_outputs(model, x[[*order, len(x) - 1]])[-1] for order in _all_orders(len(x) - 1)]
    return float(np.ptp(last, axis=0).max())


def cache_gap(model: Model, x: Shaped[np.ndarray, "n d_model"]) -> float:
    """Say how far the outputs of the first n − 1 tokens move when the last token is appended to them.

    0, up to rounding, if what was computed for earlier tokens stays valid, so that their Keys and Values in deeper
    layers can be kept (KV cache). ``ValueError`` for fewer than 2 tokens.
    """
    x = np.asarray(x, dtype=np.float64)
    require_count("tokens", len(x), least=2)
    return max_gap(_outputs(model, x)[:-1], _outputs(model, x[:-1]))


def token_influence(model: Model, x: Shaped[np.ndarray, "n d_model"], change: float = 1.0) -> Float[np.ndarray, "n n"]:
    """Return how far each output (row) moves when ``change`` is added to every feature of one token (column).

    The largest absolute difference over the features of the output; 0 where a token does not reach an output.
    """
    x = np.asarray(x, dtype=np.float64)
    require_real("change", change)
    before, columns = _outputs(model, x), []
    for token in range(len(x)):
        changed = x.copy()
        changed[token] += change
        columns.append(np.abs(_outputs(model, changed) - before).reshape(len(x), -1).max(axis=1))
    return np.stack(columns, axis=1)


def numerical_gradient(
    function: Callable[[np.ndarray], np.ndarray | float], x: Shaped[np.ndarray, "*shape"], step: float = 1e-5
) -> Float[np.ndarray, ...]:
    """Differentiate by central differences: ``(f(x + h e_i) − f(x − h e_i))/2h`` for every entry i of ``x``.

    Exact for quadratic functions; otherwise the error is ``h²/6`` times the third derivative, and rounding adds about
    ``1e−16 |f|/h``.

    Parameters
    ----------
    function : gives a number or an array, of the same shape every time.
    x : where to differentiate.
    step : h, above 0, in the units of ``x`` (``ValueError``).

    Returns
    -------
    The axes of ``x``, then those of the result of ``function``.
    """
    require_real("step", step, above=0)
    x = np.asarray(x, dtype=np.float64)
    slopes = []
    for index in np.ndindex(x.shape):
        ahead, behind = x.copy(), x.copy()
        ahead[index] += step
        behind[index] -= step
        slopes.append((np.asarray(function(ahead)) - np.asarray(function(behind))) / (2 * step))
    return np.reshape(slopes, x.shape + np.shape(slopes)[1:]).astype(np.float64)


class Training(NamedTuple):
    """What was learned: ``w`` ``(3, ..., d_model, d)``; ``errors`` ``(steps + 1, ...)``, first and after each step."""

    w: Float[np.ndarray, "3 *batch d_model d"]
    errors: Float[np.ndarray, "times ..."]


def train_projections(
    x: Shaped[np.ndarray, "n d_model"],
    target: Shaped[np.ndarray, "n d"],
    w: Shaped[np.ndarray, "3 *batch d_model d"],
    w_v: Shaped[np.ndarray, "d_model d"] | None = None,
    *,
    steps: int,
    rate: float = 0.2,
) -> Training:
    """Learn W_Q, W_K and W_V by gradient descent, so that self-attention on ``x`` gives ``target``.

    The error is half the sum of squares ``½ Σ (O − target)²``, its gradient ``dL/dW_Q = Xᵀ dL/dQ``, and so on; every
    step takes ``rate`` times the gradient off.

    Parameters
    ----------
    x, target : embeddings, and the outputs that are wanted.
    w : where to begin: W_Q, W_K and W_V, stacked, for any number of independent runs; it is not changed.
    w_v : keep W_V at this value in every run and learn the other two; ``None`` learns all three.
    steps : number of steps, at least 1.
    rate : step size, above 0. If an error goes up on the way, try a smaller one.

    Raises
    ------
    TypeError, ValueError : another kind or size of argument, or a rate so large that the numbers overflow.
    """
    require_count("steps", steps)
    require_real("rate", rate, above=0)
    x, target, w = (np.array(one, dtype=np.float64) for one in (x, target, w))
    if w.ndim < 3 or len(w) != 3 or w.shape[-2] != x.shape[-1]:
        raise ValueError(f"w: expected (3, ..., {x.shape[-1]}, d) for x {x.shape}, got {w.shape}")
    if target.shape != (len(x), w.shape[-1]):
        raise ValueError(f"target: expected one output for each token, ({len(x)}, {w.shape[-1]}), got {target.shape}")
    learned = slice(3)
    if w_v is not None:
        w[2], learned = np.asarray(w_v, dtype=np.float64), slice(2)
    errors = []
    for step in range(steps + 1):
        qkv = x @ w
        g = attend(*qkv) - target
        errors.append((g**2).sum(axis=(-2, -1)) / 2)
        if step < steps:
            w[learned] -= rate * (x.T @ np.stack(attend_gradients(*qkv, g)[learned]))
    return Training(w, np.array(errors))


def stage_multiplications(n: int, d_model: int, d_k: int, d_v: int, *, block: int | None = None) -> dict[str, int]:
    """Count the multiplications of each stage of self-attention on ``n`` tokens, one head, by doing them.

    ``projections``: X W_Q, X W_K and X W_V. ``scores``: Q Kᵀ. ``blocks``: the same scores, of ``block`` Queries and
    ``block`` Keys at a time (the last block may be smaller; ``None`` means all in one). ``mix``: A V. ``output``: the
    outputs times W_O, back to ``d_model``. ``linear``: Q (Kᵀ V), what scores and mix could be if no softmax
    stood between them. All sizes are at least 1 (``ValueError``).
    """
    sizes = {"n": n, "d_model": d_model, "d_k": d_k, "d_v": d_v, "block": n if block is None else block}
    for name, size in sizes.items():
        require_count(name, size)
    x, q, v, a = (np.ones((n, width)) for width in (d_model, d_k, d_v, n))
    parts = [q[start : start + sizes["block"]] for start in range(0, n, sizes["block"])]

    def products(left: np.ndarray, right: np.ndarray) -> int:
        return multiplications(np.matmul, left, right)

    return {
        "projections": sum(products(x, np.ones((d_model, width))) for width in (d_k, d_k, d_v)),
        "scores": products(q, q.T),
        "blocks": sum(products(queries, keys.T) for queries in parts for keys in parts),
        "mix": products(a, v),
        "output": products(v, np.ones((d_v, d_model))),
        "linear": products(q.T, v) + products(q, np.ones((d_k, d_v))),
    }


def break_even_length(d_model: int, d: int, *, output: bool = False) -> int:
    """Return the number of tokens at which scores and mix together cost exactly as much as the three projections.

    Counted with :func:`stage_multiplications` for n = 1, 2, …, with ``d_k = d_v = d``; ``output=True`` adds the output
    projection to the other three. In theory ``3 d_model/2`` and ``2 d_model``, whatever d. Every product is done one by
    one, so keep the sizes small. ``ValueError`` if the two sides never meet: for an odd ``d_model``.
    """
    n = 0
    while True:
        n += 1
        cost = stage_multiplications(n, d_model, d, d)
        pairs, each = cost["scores"] + cost["mix"], cost["projections"] + (cost["output"] if output else 0)
        if pairs == each:
            return n
        if pairs > each:
            raise ValueError(f"d_model: scores and mix overtake between {n - 1} and {n} tokens; try an even d_model")


def _all_orders(n: int) -> list[tuple[int, ...]]:
    if n > MOST_TOKENS:
        raise ValueError(f"tokens: expected at most {MOST_TOKENS} for all orders, got {n}; try some orders of them")
    return list(permutations(range(n)))


def _outputs(model: Model, x: np.ndarray) -> np.ndarray:
    outputs = np.asarray(model(x), dtype=np.float64)
    if outputs.ndim < 1 or len(outputs) != len(x):
        raise ValueError(f"model: expected one output for each of {len(x)} tokens, got shape {outputs.shape}")
    return outputs
