"""Items on attention as lookup: the weight of a score of 0, the axis of the softmax, slopes, the cost of a head.

Weights come from the functions the chapter teaches, counts from the shapes, with the mistake put in where a person
makes it.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from interview_book.attention import softmax
from interview_book.practice.generators import Generator, Parameters


def _middle(p: Parameters, divisor: float) -> float:
    """Weight of the second of three Keys with raw scores [a, 0, b]."""
    return float(softmax(np.array([p["a"], 0.0, p["b"]]) / divisor)[1])


def _without_itself(p: Parameters) -> float:
    """1 over the sum of the other two exponentials, as if exp(0) were 0."""
    return float(1 / np.exp(np.array([p["a"], p["b"]]) / p["c"]).sum())


def _table(p: Parameters) -> np.ndarray:
    """Scaled scores (Query, Key): A and B against 1 and 2."""
    return np.array([[p["a"], p["b"]], [p["c"], p["d"]]], dtype=float)


def _pairs(p: Parameters) -> int:
    """Multiplications of scores and mixing, over n²."""
    return p["d_k"] + p["d_v"]


def _overtaking(p: Parameters, projections: int, pairs: int) -> float:
    """Number of tokens at which n² ``pairs`` equals n d_m ``projections``."""
    return p["d_m"] * projections / pairs


def _mebibytes(batch: int, heads: int, rows: int, columns: int, size: int) -> float:
    """Size of ``batch × heads`` tables of ``rows × columns`` numbers of ``size`` bytes, in MiB."""
    return batch * heads * rows * columns * size / 2**20


def _memory(p: Parameters, **other: int) -> float:
    n = p["k"] * 1024
    sizes = {"batch": p["batch"], "heads": p["heads"], "rows": n, "columns": n, "size": p["bytes"]}
    return _mebibytes(**{**sizes, **other})


def _own_value(p: Parameters) -> float:
    """p₁ v₁ / √dₖ: the slope by the first raw score as if no other weight gave way."""
    return p["a"] / 3 / p["r"]


def _slope(p: Parameters, divisor: float) -> float:
    """∂o/∂s₁ = p₁ (v₁ − o) / divisor of three Keys with one raw score s and Values a, b, c."""
    values = np.array([p["a"], p["b"], p["c"]], dtype=float)
    weights = softmax(np.zeros(3))
    return float(weights[0] * (values[0] - weights @ values) / divisor)


zero_score = Generator(
    name="soft-lookup.zero-score",
    grid=tuple({"a": a, "b": b, "c": c} for a, b, c in product((2, 3, 4, 5, 6), (-2, -1, 1, 1.5), (2, 3, 4))),
    answer=lambda p: _middle(p, p["c"]),
    mistakes={
        "zero-is-zero": lambda p: 0.0,
        "forgot-to-divide": lambda p: _middle(p, 1),
        "forgot-itself": _without_itself,
        "uniform": lambda p: 1 / 3,
    },
)

one_weight = Generator(
    name="soft-lookup.one-weight",
    # Positive scores, so that their plain shares look like weights too; no two of one Query or one Key alike.
    grid=tuple(
        {"a": a, "b": b, "c": c, "d": d}
        for a, b, c, d in product((0.5, 1, 2), (0.5, 1.5, 2.5), (0.2, 1, 2), (0.4, 1.2, 3))
        if a not in (b, c) and d not in (b, c)
    ),
    answer=lambda p: float(softmax(_table(p))[0, 1]),
    mistakes={
        "query-axis": lambda p: float(softmax(_table(p).T)[1, 0]),
        "transposed": lambda p: float(softmax(_table(p))[1, 0]),
        "all-together": lambda p: float(softmax(_table(p).ravel())[1]),
        "no-exponential": lambda p: p["b"] / (p["a"] + p["b"]),
    },
)

overtaking = Generator(
    name="soft-lookup.overtaking",
    # d_v = d_k would give 3 d_m / 2, which the chapter says itself; numbers of four digits would need a comma.
    grid=tuple(
        {"d_m": d_m, "d_k": d_k, "d_v": d_v}
        for d_m, (d_k, d_v) in product(
            (96, 128, 160, 192, 224, 240), ((64, 32), (32, 64), (64, 48), (64, 96), (96, 32), (48, 80))
        )
    ),
    answer=lambda p: _overtaking(p, 2 * p["d_k"] + p["d_v"], _pairs(p)),
    mistakes={
        "scores-only": lambda p: _overtaking(p, 2 * p["d_k"] + p["d_v"], p["d_k"]),
        "values-not-projected": lambda p: _overtaking(p, 2 * p["d_k"], _pairs(p)),
        "one-of-two": lambda p: _overtaking(p, p["d_k"] + p["d_v"], _pairs(p)),
        "equal-widths": lambda p: _overtaking(p, 3, 2),
    },
)

score_memory = Generator(
    name="soft-lookup.score-memory",
    grid=tuple(
        one
        for batch, heads, k, size in product((2, 3, 4, 6), (6, 8, 12, 16), (1, 2, 3), (2, 4))
        # Numbers of four digits would need a comma.
        if _memory(one := {"batch": batch, "heads": heads, "k": k, "bytes": size}) < 1000
    ),
    answer=_memory,
    mistakes={
        "forgot-heads": lambda p: _memory(p, heads=1),
        "forgot-batch": lambda p: _memory(p, batch=1),
        "forgot-bytes": lambda p: _memory(p, size=1),
        "not-squared": lambda p: _memory(p, columns=1),
    },
)

equal_scores = Generator(
    name="soft-lookup.equal-scores",
    # The first Value above and below the mean, so that both signs are asked; positive ones read well in a sum.
    grid=tuple(
        {"a": a, "b": b, "c": c, "r": r}
        for a, b, c, r in product((1, 2, 7, 8, 9), (3, 4, 5), (2, 3, 6), (2, 3, 4))
        if len({a, b, c}) == 3
    ),
    answer=lambda p: _slope(p, p["r"]),
    mistakes={
        "flat-is-zero": lambda p: 0.0,
        "no-divisor": lambda p: _slope(p, 1),
        "only-own-value": _own_value,
        "only-own-weight": lambda p: _own_value(p) * (1 - 1 / 3),
    },
)

ALL = (zero_score, one_weight, overtaking, score_memory, equal_scores)
