"""Attention over the lesson's two sentences, computed without the book's code: fractions, then ``math.exp``.

The numbers are those of the lesson, typed once more; everything else follows from the formulas.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from types import SimpleNamespace

Row = Sequence[Fraction | float]
Matrix = Sequence[Row]

EMBEDDINGS = {
    "by": ("1/5", "1/5", 0, 1),
    "at": ("1/5", "1/5", 0, 1),
    "the": (0, 0, 0, 1),
    "river": (2, 0, 0, 0),
    "savings": (0, 2, 0, 0),
    "bank": ("3/10", "3/10", 1, 0),
}
SENTENCES = {"river": ("by", "the", "river", "bank"), "savings": ("at", "the", "savings", "bank")}
BETAS = {"scaled": Fraction(1, 2), "raw": Fraction(1), "uniform": Fraction(0)}
BY, THE, SENSE, BANK = range(4)


def exact(rows) -> list[list[Fraction]]:
    return [[Fraction(entry) for entry in row] for row in rows]


W_Q = exact([[1, 0, 0, 0], [0, 1, 0, 0], [2, 2, 0, 0], [0, 0, 1, 0]])
W_K = exact([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 2, 0], [0, 0, 0, 0]])
W_V = exact([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]])


def embeddings(sentence: str = "river") -> list[list[Fraction]]:
    return exact(EMBEDDINGS[token] for token in SENTENCES[sentence])


def dot(a: Row, b: Row) -> Fraction | float:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def transpose(m: Matrix) -> list[list]:
    return [list(column) for column in zip(*m, strict=True)]


def times(a: Matrix, b: Matrix) -> list[list]:
    """Return the product of two matrices, entry by entry."""
    columns = transpose(b)
    return [[dot(row, column) for column in columns] for row in a]


def half_up(x: float) -> float:
    """Round to two decimals; none of the numbers here lies on the edge between two roundings."""
    assert abs(x * 100 % 1 - 0.5) > 1e-6
    return math.floor(x * 100 + 0.5) / 100


def softmax(row: Row) -> list[float]:
    """Weights of one Query; the scores of the lesson are small, so nothing is subtracted before exp."""
    powers = [math.exp(z) for z in row]
    total = math.fsum(powers)
    return [one / total for one in powers]


def entropy(row: Row) -> float:
    """In nats; a weight of 0 adds nothing."""
    return -math.fsum(p * math.log(p) for p in row if p)


def mixed(p: Row, v: Matrix) -> list[float]:
    return [math.fsum(float(weight) * float(x) for weight, x in zip(p, column, strict=True)) for column in transpose(v)]


def attention(q: Matrix, k: Matrix, v: Matrix, beta: Fraction | float) -> SimpleNamespace:
    """Every step for all Queries: raw scores S, weights A, outputs and entropies, one list for each Query."""
    raw = times(q, transpose(k))
    weights = [softmax([beta * s for s in row]) for row in raw]
    return SimpleNamespace(
        Q=q, K=k, V=v, S=raw, A=weights, output=[mixed(p, v) for p in weights], entropy=[entropy(p) for p in weights]
    )


def steps(sentence: str = "river", mode: str = "scaled", x: Matrix | None = None) -> SimpleNamespace:
    """Every step of one sentence in one mode; ``x`` takes the place of its embeddings."""
    x = embeddings(sentence) if x is None else x
    return attention(times(x, W_Q), times(x, W_K), times(x, W_V), BETAS[mode])
