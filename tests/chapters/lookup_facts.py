"""What every stated name of «soft-lookup» must be: own values, computed with ``lookup_own`` and NumPy's generator.

An int is a whole number or printed without a point, a bool is a truth value, everything else is known to six digits.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import numpy as np

from interview_book.attention import scores
from tests.chapters import lookup_cost_and_mistakes, lookup_hard_and_order
from tests.chapters.lookup_own import (
    BANK,
    BETAS,
    BY,
    SENSE,
    SENTENCES,
    THE,
    W_K,
    W_Q,
    W_V,
    dot,
    embeddings,
    half_up,
    mixed,
    softmax,
    steps,
    times,
    transpose,
)

NATS = "nat"  # the unit of every entropy


def hand() -> dict[str, object]:
    """The lookup of «bank», one number after another."""
    one, other, x = steps(), steps("savings"), embeddings()
    q, p = one.Q[BANK], one.A[BANK]
    powers = [math.exp(s / 2) for s in one.S[BANK]]
    parts = [[weight * value for value in row] for weight, row in zip(p, one.V, strict=True)]
    rounded = [half_up(weight) for weight in p]
    terms = [[a * b for a, b in zip(q, key, strict=True)] for key in one.K]
    each = {"embedding": x, "value": one.V, "terms": terms, "parts": parts}
    tokens = SENTENCES["river"]
    return {f"hand.{name}.{tokens[i]}": row for name, rows in each.items() for i, row in enumerate(rows)} | {
        "hand.same": embeddings("savings")[BANK] == x[BANK],
        "hand.alone": all(alone(sentence) for sentence in SENTENCES),
        "hand.query": q,
        "hand.raw": [dot(q, key) for key in one.K],
        "hand.savings.raw": other.S[BANK],
        "hand.divisor": math.sqrt(len(q)),
        "hand.scaled": [s / 2 for s in one.S[BANK]],
        "hand.exp": powers,
        "hand.exp.sum": math.fsum(powers),
        "hand.weights": p,
        "hand.function": p[BY] + p[THE],
        "hand.printed": rounded,
        "hand.printed.sum": math.fsum(rounded),
        "hand.diluted": softmax([s / 2 for s in one.S[BANK]] + [0] * 100)[SENSE],
        # e^−746 is below half of the smallest double, 2^−1074 = e^−744.4
        "hand.underflow": 0.0,
        "hand.share": [math.hypot(*row) for row in parts],
        "hand.output": mixed(p, one.V),
        "hand.rounded.output": mixed(rounded, one.V),
    }


def alone(sentence: str) -> bool:
    """Whether each token's Q, K and V are what its own embedding gives, without the others."""
    one = steps(sentence)
    return all(
        times([row], w)[0] == made[i]
        for w, made in ((W_Q, one.Q), (W_K, one.K), (W_V, one.V))
        for i, row in enumerate(embeddings(sentence))
    )


def drawn(**sizes: tuple[int, ...]) -> dict[str, np.ndarray]:
    """Draw the random arrays of a cell again, in the order in which it asks for them."""
    rng = np.random.Generator(np.random.PCG64(7))
    return {name: rng.standard_normal(size) for name, size in sizes.items()}


def weights_of(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    """Return softmax(q kᵀ/√d_k), one Query after another."""
    return np.array([softmax([dot(row, key) / math.sqrt(len(row)) for key in k]) for row in q])


def matrix() -> dict[str, object]:
    """What each of Query, Key and Value changes, and the matrix of all four Queries."""
    d, one = drawn(q=(5, 3), k=(7, 3), v=(7, 2)), steps()
    q, k, v = (d[name].copy() for name in "qkv")
    before, scores_before = weights_of(q, k), q @ k.T
    q[1] += 1
    query_rows = np.flatnonzero(np.abs(weights_of(q, d["k"]) - before).max(axis=1) > 1e-9)
    k[2] += 1
    key_columns = np.flatnonzero(np.abs(d["q"] @ k.T - scores_before).max(axis=0) > 1e-9)
    shared = int((np.abs(weights_of(d["q"], k) - before) > 1e-9).sum())
    v[4] += 1
    moved = before @ v - before @ d["v"]
    columns = transpose(one.V)
    plain_scores = [Fraction(2), Fraction(-1), Fraction(-9, 10)]
    return {
        "matrix.role.query": [int(i) for i in query_rows],
        "matrix.role.key": [int(j) for j in key_columns],
        "matrix.role.all": shared,
        "matrix.role.value": bool(np.abs(moved - before[:, 4:5]).max() < 1e-12),
        # one by one is how this file computes; in one go by NumPy
        "matrix.loop": bool(np.abs(at_once() - np.array(one.output)).max() < 1e-12),
        "matrix.weights.bank.river": one.A[BANK][SENSE],
        "matrix.weights.river.bank": one.A[SENSE][BANK],
        # P W P = W for the P that changes «shore» and «finance»: entry by entry, rows and columns changed alike
        "matrix.mirror": all(
            w[SWAP[i]][SWAP[j]] == w[i][j] for w in (W_Q, W_K, W_V) for i in range(4) for j in range(4)
        ),
        "matrix.weights.same": steps("savings").A == one.A,
        "matrix.weights.the": one.A[THE],
        "matrix.weights.edited": steps("river", x=[*embeddings()[:BANK], [2, *embeddings()[BANK][1:]]]).A[BANK],
        "matrix.sums": [math.fsum(row) for row in one.A],
        "matrix.divided": [float(s / sum(plain_scores)) for s in plain_scores],
        "matrix.between": all(
            min(column) <= x <= max(column) for row in one.output for x, column in zip(row, columns, strict=True)
        ),
    }


SWAP = (1, 0, 2, 3)


def at_once() -> np.ndarray:
    """softmax(Q Kᵀ/2) V of the lesson as matrices."""
    one = steps()
    q, k, v = (np.array(getattr(one, name), dtype=float) for name in "QKV")
    powers = np.exp(q @ k.T / 2)
    return powers / powers.sum(axis=1, keepdims=True) @ v


def shape() -> dict[str, object]:
    """Two heads with sizes as distinct primes, and Queries and Keys that are turned in opposite ways."""
    h, n_q, n_k, d_model, d_other, d_k, d_v = 2, 3, 5, 13, 17, 7, 11
    d = drawn(
        **{"X": (n_q, d_model), "Y": (n_k, d_other)},
        **{"W_Q": (h, d_model, d_k), "W_K": (h, d_other, d_k), "W_V": (h, d_other, d_v)},
        **{"W_O": (h * d_v, d_model), "R": (d_k, d_k), "M": (d_v, d_v)},
    )
    x, y = d["X"] / 4, d["Y"] / 4
    moved, weight_gaps, output_gaps, outputs, scaled, shifted = [], [], [], [], [], {"keys": [], "queries": []}
    value_gaps = []
    more = np.arange(d_k)
    for w_q, w_k, w_v in zip(d["W_Q"], d["W_K"], d["W_V"], strict=True):
        q, k, v = x @ w_q, y @ w_k, y @ w_v
        # R⁻ᵀ applied to the Keys, by solving: R kᵀ′ = kᵀ
        turned_q, turned_k = q @ d["R"], np.linalg.solve(d["R"], k.T).T
        gap = weights_of(turned_q, turned_k) - weights_of(q, k)
        moved.append(np.abs(turned_q - q).max())
        weight_gaps.append(np.abs(gap).max())
        output_gaps.append(np.abs(gap @ v).max())
        outputs.append(weights_of(q, k) @ v)
        back = np.linalg.solve(d["M"].T, (weights_of(q, k) @ (v @ d["M"])).T).T  # o M = what turned Values give
        value_gaps.append(np.abs(back - outputs[-1]).max())
        by_hand = [[math.fsum(a * b for a, b in zip(row, key, strict=True)) / math.sqrt(d_k) for key in k] for row in q]
        scaled.append(np.abs(scores(q, k) - np.array(by_hand)).max())
        for name, (new_q, new_k) in {"keys": (q, k + more), "queries": (q + more, k)}.items():
            shifted[name].append(np.abs(weights_of(new_q, new_k) - weights_of(q, k)).max())
    # Entry (i, head, feature) where the heads change places with the Queries, and the same numbers in their old order.
    beside = [[o[i][f] for o in outputs for f in range(d_v)] for i in range(n_q)]
    in_order = iter([o[i][f] for o in outputs for i in range(n_q) for f in range(d_v)])
    return {
        "shape.q": [h, n_q, d_k],
        "shape.k": [h, n_k, d_k],
        "shape.v": [h, n_k, d_v],
        "shape.scores": [h, n_q, n_k],
        "shape.output": [h, n_q, d_v],
        "shape.beside": [n_q, h * d_v],
        "shape.whole": [n_q, d_model],
        "shape.refused.d_k": True,  # 7 features against 6 have no dot product
        "shape.refused.n_k": True,  # 5 Keys and 4 Values are no pairs
        "shape.turned.query": float(max(moved)),
        "shape.turned.weights": bool(max(weight_gaps) < 1e-9),
        "shape.turned.output": bool(max(output_gaps) < 1e-9),
        "shape.turned.value": bool(max(value_gaps) < 1e-9),
        "shape.scaled": bool(max(scaled) < 1e-12),
        "shape.silent": max(abs(float(one - next(in_order))) for row in beside for one in row),
        "shape.shifted.keys": bool(max(shifted["keys"]) < 1e-9),
        "shape.shifted.queries": float(max(shifted["queries"])),
    }


def mode() -> dict[str, object]:
    """Scaled, unscaled and uniform as one formula with three multipliers, and the gradients where it is 0."""
    found: dict[str, object] = {}
    for name, beta in BETAS.items():
        one = steps("river", name)
        found |= {
            f"mode.beta.{name}": beta,
            f"mode.river.{name}": one.A[BANK][SENSE],
            f"mode.entropy.{name}": one.entropy[BANK],
            f"mode.entropies.{name}": one.entropy,
            f"mode.output.{name}": one.output[BANK],
        }
    rows, one = steps("river", "uniform").output, steps()
    # equal scores, β = 1/2: p = 1/4; G = 1 for bank alone, so dA_j = Σ v_j, ds_j = (dA_j − mean)/4, dq = Σ ds_j k_j/2
    by_weight = [sum(value) for value in one.V]
    by_score = [(x - sum(by_weight) / 4) / 4 for x in by_weight]
    by_query = [dot(by_score, column) / 2 for column in transpose(one.K)]
    return found | {
        "mode.level.query": max(abs(x) for x in by_query),
        "mode.stuck.query": 0.0,  # the same sum of Keys that are 0
        # dz = β ds and β = 0, so nothing of the output moves with a Query or Key; each Value moves it by its weight
        "mode.gradient.query": 0.0,
        "mode.gradient.key": 0.0,
        "mode.gradient.value": [Fraction(1, 4)] * 4,
        "mode.same.uniform": all(row == rows[0] for row in rows),
        "mode.savings.uniform": [sum(column) / 4 for column in transpose(steps("savings").V)],
    }


@cache
def facts() -> dict[str, object]:
    """Every name and its value."""
    found = hand() | matrix() | shape() | mode()
    return found | lookup_hard_and_order.facts() | lookup_cost_and_mistakes.facts()


def unit_of(name: str) -> str | None:
    """Return the unit that stands behind a value."""
    return NATS if name.startswith(("mode.entropy.", "mode.entropies.")) else None
