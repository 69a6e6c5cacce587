"""What the stepper shows: every value of attention over a few tokens, for the lesson or for a reader's own numbers.

The lesson's values come from its exact fractions; a table of embeddings that was edited is computed anew from floats.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import numpy as np
from jaxtyping import Float

from interview_book.attention import LESSON_MODES, LESSON_SENTENCES, entropy, lesson_steps, mix, scores, softmax
from interview_book.attention.lesson import LESSON_W_K, LESSON_W_Q, LESSON_W_V
from interview_book.widgets.stepper_inputs import MOST_FEATURES, MOST_TOKENS, matrix, names_of

MODES = tuple(LESSON_MODES)
# Rows of the table of embeddings. Words that both sentences have stand there once, so that an edit is seen in both.
LESSON_TABLE = ("by", "at", "the", "river", "savings", "bank")
OWN = "own"
# Digits of what went through exp(): its last digit may differ from machine to machine, these do not.
DIGITS = 12
# Scores that differ by less than this part of their terms are a tie: that is rounding of the sums, not a difference.
_TIE = 5e-15


def beta_of(mode: str, d_k: int) -> float:
    """Return the multiplier of the raw scores: 1/√d_k (``"scaled"``), 1 (``"raw"``) or 0 (``"uniform"``)."""
    return {"scaled": 1 / math.sqrt(d_k), "raw": 1.0, "uniform": 0.0}[mode]


def steps(
    x: Float[np.ndarray, "n d_model"],
    w_q: Float[np.ndarray, "d_model d_k"],
    w_k: Float[np.ndarray, "d_model d_k"],
    w_v: Float[np.ndarray, "d_model d_v"],
    beta: float,
) -> dict[str, np.ndarray]:
    """Compute attention of n tokens over themselves, every step by its name.

    Returns
    -------
    ``Q``, ``K`` ``(n, d_k)`` and ``V`` ``(n, d_v)``: x times its matrix. ``terms`` ``(n, n, d_k)``: Q_if K_jf, which
    add up to ``S`` ``(n, n)``, the raw scores. ``Z`` = beta S. ``A`` ``(n, n)``: weights. ``weighted`` ``(n, n, d_v)``:
    A_ij V_j. ``output`` ``(n, d_v)`` = A V. ``entropy`` ``(n,)`` of each row of A, in nats.
    """
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    raw = scores(q, k, scale=1)
    z = beta * raw
    p = softmax(z)
    return {
        "Q": q,
        "K": k,
        "V": v,
        "terms": q[:, np.newaxis, :] * k[np.newaxis, :, :],
        "S": raw,
        "Z": z,
        "A": p,
        "weighted": p[:, :, np.newaxis] * v,
        "output": mix(p, v),
        "entropy": entropy(z),
    }


@cache
def lesson() -> dict:
    """Return what a page gets of the lesson: JSON types only; it is the caller's to leave as it is.

    Returns
    -------
    ``lesson`` True; ``features`` None (the page has words for them); ``sentences``: ``name``, ``tokens`` and ``rows``
    of the table of embeddings; ``X``, that table; ``W_q``, ``W_k``, ``W_v``; and ``values`` of each sentence: ``Q``,
    ``K``, ``V``, ``S`` and in ``modes`` of each mode ``Z``, ``A``, ``output``, ``entropy``.
    """
    found = {name: lesson_steps(name) for name in LESSON_SENTENCES}
    words = {token: row for one in found.values() for token, row in zip(one.tokens, one.X, strict=True)}
    return {
        "lesson": True,
        "features": None,
        "sentences": [
            {"name": name, "tokens": list(tokens), "rows": [LESSON_TABLE.index(token) for token in tokens]}
            for name, tokens in LESSON_SENTENCES.items()
        ],
        "X": nested([words[token] for token in LESSON_TABLE]),
        "W_q": nested(LESSON_W_Q),
        "W_k": nested(LESSON_W_K),
        "W_v": nested(LESSON_W_V),
        "values": {name: _values(lambda mode, name=name: _lesson_steps(name, mode)) for name in LESSON_SENTENCES},
    }


def _lesson_steps(sentence: str, mode: str) -> dict[str, np.ndarray]:
    """As `steps`, from exact fractions, each rounded once."""
    exact = vars(lesson_steps(sentence, mode))
    names = ("Q", "K", "V", "terms", "S", "Z", "A", "weighted", "output", "entropy")
    return {name: exact[name].astype(np.float64) for name in names}


def own(
    tokens: Sequence[str],
    x: Sequence[Sequence[float]],
    w_q: Sequence[Sequence[float]],
    w_k: Sequence[Sequence[float]],
    w_v: Sequence[Sequence[float]],
    features: Sequence[str] | None = None,
) -> dict:
    """Return what a page gets of a reader's own numbers: as `lesson`, with one sentence called ``"own"``.

    Raises
    ------
    TypeError, ValueError : what an argument is not; the message names it, with both shapes where two do not fit.
    """
    words = names_of("tokens", tokens, MOST_TOKENS)
    embeddings = matrix("X", x, "(n, d_model)")
    if len(embeddings) != len(words):
        raise ValueError(
            f"tokens and X: expected one row of X for each token, got {len(words)} tokens and {len(embeddings)} rows "
            f"(X {embeddings.shape}); give X the shape ({len(words)}, d_model)"
        )
    projections = {}
    for name, value, width in (("W_q", w_q, "d_k"), ("W_k", w_k, "d_k"), ("W_v", w_v, "d_v")):
        one = projections[name] = matrix(name, value, f"(d_model, {width})")
        if one.shape[0] != embeddings.shape[1]:
            raise ValueError(
                f"X and {name}: expected the same d_model, got {embeddings.shape[1]} and {one.shape[0]} "
                f"(X {embeddings.shape}, {name} {one.shape}); {name} has one row for each feature of X"
            )
    if projections["W_q"].shape != projections["W_k"].shape:
        raise ValueError(
            f"W_q and W_k: expected the same d_k, got {projections['W_q'].shape[1]} and {projections['W_k'].shape[1]} "
            f"(W_q {projections['W_q'].shape}, W_k {projections['W_k'].shape}); a Query meets Keys of its own width"
        )
    if features is not None:
        features = names_of("features", features, MOST_FEATURES)
        if len(features) != embeddings.shape[1]:
            raise ValueError(
                f"features and X: expected one name for each of the {embeddings.shape[1]} features, got "
                f"{len(features)} (X {embeddings.shape}); name them all or leave features out"
            )
    d_k = projections["W_q"].shape[1]
    return {
        "lesson": False,
        "features": features,
        "sentences": [{"name": OWN, "tokens": words, "rows": list(range(len(words)))}],
        "X": nested(embeddings),
        **{name: nested(one) for name, one in projections.items()},
        "values": {OWN: _values(lambda mode: steps(embeddings, *projections.values(), beta_of(mode, d_k)))},
    }


def _values(computed: Callable[[str], dict]) -> dict:
    """Pack what ``computed(mode)`` gives for each mode."""
    by_mode = {mode: computed(mode) for mode in MODES}
    whole = {name: nested(by_mode["raw"][name]) for name in ("Q", "K", "V", "S")}
    return {
        **whole,
        "modes": {
            mode: {"Z": nested(one["Z"])} | {name: nested(one[name], DIGITS) for name in ("A", "output", "entropy")}
            for mode, one in by_mode.items()
        },
    }


def reading(given: Mapping, x: Sequence[Sequence[float]], sentence: str, mode: str, query: int) -> dict:
    """Compute what the stepper shows for one state; JSON types only, nothing rounded.

    Parameters
    ----------
    given : of `lesson` or `own`. x : the table of embeddings as it is now, of the shape of ``given["X"]``.
    query : the row of the sentence that asks in the steps 3 to 5.

    Returns
    -------
    ``tokens``, ``beta``, ``X`` (the rows of the sentence) and every value of `steps`; ``scaled``: ``Z``, ``A``,
    ``output`` and ``entropy`` as they would be under 1/√d_k; ``soft`` and ``hard``: the two ways to look up for the
    Query, see `soft_lookup` and `hard_lookup`.
    """
    of = next(one for one in given["sentences"] if one["name"] == sentence)
    unedited = given["lesson"] and x == given["X"]
    rows = np.array([x[i] for i in of["rows"]], dtype=np.float64)
    w_q, w_k, w_v = (np.array(given[name], dtype=np.float64) for name in ("W_q", "W_k", "W_v"))

    def computed(name: str) -> dict[str, np.ndarray]:
        return _lesson_steps(sentence, name) if unedited else steps(rows, w_q, w_k, w_v, beta_of(name, w_q.shape[1]))

    now, scaled, beta = computed(mode), computed("scaled"), beta_of(mode, w_q.shape[1])
    parts = {
        "soft": soft_lookup(now["A"][query], now["V"], now["output"][query], beta),
        "hard": hard_lookup(now["S"][query], now["terms"][query], now["V"]),
    }
    return {
        "tokens": of["tokens"],
        "beta": beta,
        "X": nested(rows),
        **{name: nested(one) for name, one in now.items()},
        "scaled": {name: nested(scaled[name]) for name in ("Z", "A", "output", "entropy")},
        **{part: {name: _json(one) for name, one in found.items()} for part, found in parts.items()},
    }


def soft_lookup(
    p: Float[np.ndarray, " n"], v: Float[np.ndarray, "n d_v"], o: Float[np.ndarray, " d_v"], beta: float
) -> dict:
    """Say what one Query gets from all Values, and the gradients that reach scores and Values.

    Returns
    -------
    ``weights`` p, ``output`` o = Σ p_j v_j; ``score_gradient`` ∂o/∂z_j = p_j (v_j − o) of shape ``(n, d_v)``;
    ``raw_gradient`` ∂o/∂s_j = beta times that; ``value_gradient`` ∂o_f/∂v_jf = p_j, the same for every f.
    """
    slope = p[:, np.newaxis] * (v - o)
    return {"weights": p, "output": o, "score_gradient": slope, "raw_gradient": beta * slope, "value_gradient": p}


def hard_lookup(s: Float[np.ndarray, " n"], terms: Float[np.ndarray, "n d_k"], v: Float[np.ndarray, "n d_v"]) -> dict:
    """Say what one Query gets that takes the Value with the highest raw score alone.

    Returns
    -------
    ``chosen``, the row of that Key; ``tied``, all rows with the highest score, of which the first is chosen, and
    ``tie``, whether there are several; ``weights`` 1 and 0; ``output``; ``score_gradient`` ``(n, d_v)`` and
    ``raw_gradient``: 0, for a small change of a score changes no choice (at a tie there is no derivative);
    ``value_gradient`` 1 for the chosen Value, 0 for the others.
    """
    close = s >= s.max() - _TIE * np.abs(terms).sum(axis=-1).max()
    tied = np.flatnonzero(close)
    weights = np.zeros(len(s))
    weights[tied[0]] = 1
    none = np.zeros_like(v)
    return {
        "chosen": int(tied[0]),
        "tied": tied,
        "tie": len(tied) > 1,
        "weights": weights,
        "output": v[tied[0]],
        "score_gradient": none,
        "raw_gradient": none,
        "value_gradient": weights,
    }


def _json(value: np.ndarray | bool | int) -> list | bool | int:
    return nested(value) if isinstance(value, np.ndarray) else value


def nested(array: np.ndarray | Sequence, digits: int | None = None) -> list | float:
    """Return nested lists of plain numbers, as JSON writes them shortest: 4 and not 4.0; to so many digits if given."""
    if isinstance(array, (np.ndarray, list, tuple)) and np.ndim(array):
        return [nested(one, digits) for one in array]
    value = float(array) if digits is None else float(f"{float(array):.{digits}g}")
    return int(value) if value == int(value) else value
