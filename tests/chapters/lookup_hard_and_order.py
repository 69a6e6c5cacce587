"""What «soft-lookup» states of argmax, learning, context, the Query's own Key, asymmetry and order, computed anew."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise, permutations

import numpy as np

from tests.chapters.lookup_own import (
    BANK,
    SENSE,
    W_K,
    W_Q,
    W_V,
    attention,
    dot,
    embeddings,
    mixed,
    softmax,
    steps,
    times,
    transpose,
)

TURNED = [list(move) for move in permutations(range(4))]


def best(scores) -> int:
    """Return the place of the largest score; the first of equal ones."""
    return max(range(len(scores)), key=lambda j: scores[j])


def hard_and_soft() -> dict[str, object]:
    """The same Query by argmax and by softmax: outputs, what another Value changes, and derivatives by formula."""
    one = steps()
    p, v, output, place = one.A[BANK], one.V, one.output[BANK], best(one.S[BANK])
    chosen = [float(j == place) for j in range(4)]
    # 10 more in every feature of bank's own Value
    more = [[x + 10 * (j == BANK) for x in row] for j, row in enumerate(v)]
    return {
        "soft.output": output,
        "soft.moved": [after - before for after, before in zip(mixed(p, more), output, strict=True)],
        "hard.output": v[place],
        "hard.moved": [after - before for after, before in zip(more[place], v[place], strict=True)],
        # of the first feature of the output: ∂o/∂z_j = p_j (v_j − o), ∂o/∂v_j = p_j
        "soft.score.gradient": [p[j] * (v[j][0] - output[0]) for j in range(4)],
        "soft.raw.gradient": [p[j] * (v[j][0] - output[0]) / 2 for j in range(4)],
        "soft.value.gradient": p,
        # a score that moves a little moves no output, as long as the first place is held by one alone
        "hard.score.gradient": [0.0] * 4,
        "hard.raw.gradient": [0.0] * 4,
        "hard.value.gradient": chosen,
        # two first places of weight 1/2 with Values 2 and 0: beta p (v − o) of the first
        "tie.gradient.10": 10 * 0.5 * (2 - 1.0),
        "tie.gradient.100": 100 * 0.5 * (2 - 1.0),
    }


def forward(x: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, ...]:
    q, k, v = x @ w[0], x @ w[1], x @ w[2]
    powers = np.exp(q @ k.T / math.sqrt(q.shape[1]))
    return q, k, v, powers / powers.sum(axis=1, keepdims=True)


def train(trained: tuple[int, ...], seed: int) -> tuple[list[float], float]:
    """Descend along dV = Aᵀ G, dS = A ∘ (dA − Σ A ∘ dA), dQ = dS K/2, dK = dSᵀ Q/2 for a hundred steps of 0.2.

    Returns the errors before the first step and after each, and bank's weight on river after the last.
    """
    x = np.array(embeddings(), dtype=float)
    target = np.array(steps().output)
    w = np.random.Generator(np.random.PCG64(seed)).standard_normal((3, 4, 4)) / 2
    if 2 not in trained:
        w[2] = np.array(W_V, dtype=float)
    q, k, v, a = forward(x, w)
    errors = [float(((a @ v - target) ** 2).sum()) / 2]
    for _ in range(100):
        g = a @ v - target
        by_weight = g @ v.T
        by_score = a * (by_weight - (a * by_weight).sum(axis=1, keepdims=True)) / 2
        for i, by_vector in enumerate((by_score @ k, by_score.T @ q, a.T @ g)):
            if i in trained:
                w[i] -= 0.2 * x.T @ by_vector
        q, k, v, a = forward(x, w)
        errors.append(float(((a @ v - target) ** 2).sum()) / 2)
    return errors, float(a[BANK, SENSE])


def learn() -> dict[str, object]:
    found: dict[str, object] = {}
    for name, trained in (("all", (0, 1, 2)), ("scores", (0, 1))):
        runs = [train(trained, seed) for seed in range(1, 7)]
        found |= {
            f"learn.{name}.error": [max(errors[step] for errors, _ in runs) for step in (0, 50, 100)],
            f"learn.{name}.falls": all(after < before for errors, _ in runs for before, after in pairwise(errors)),
            f"learn.{name}.weights": [weight for _, weight in runs],
        }
    return found


def context() -> dict[str, object]:
    """The river sentence with the Keys, and then with the Values, of the other sentence."""
    river, savings = steps("river"), steps("savings")
    keys = attention(river.Q, savings.K, river.V, 0.5)
    values = attention(river.Q, river.K, savings.V, 0.5)
    moved = []
    for other in range(4):
        x = [[entry + (i == other) for entry in row] for i, row in enumerate(embeddings())]
        pairs = zip(steps("river", x=x).output, river.output, strict=True)
        moved += [max(abs(a - b) for a, b in zip(*rows, strict=True)) for rows in pairs]
    return {
        "context.same": embeddings("river")[BANK] == embeddings("savings")[BANK],
        "context.river": river.output[BANK],
        "context.savings": savings.output[BANK],
        "context.keys": keys.output[BANK],
        "context.values": values.output[BANK],
        "context.attended": savings.A[BANK],
        "context.moved": min(moved),
        "context.asked": river.A[SENSE][SENSE],
        "context.asked.keys": keys.A[SENSE][SENSE],
    }


def own_key_and_asymmetry() -> dict[str, object]:
    one, x = steps(), embeddings()
    product = times(W_Q, transpose(W_K))
    twist = [[a - b for a, b in zip(*rows, strict=True)] for rows in zip(product, transpose(product), strict=True)]
    right = times(times(x, twist), transpose(x))
    left = [[a - b for a, b in zip(*rows, strict=True)] for rows in zip(one.S, transpose(one.S), strict=True)]
    return {
        "self.diagonal": [one.A[i][i] for i in range(4)],
        # of the last of the Keys that a causal mask leaves
        "self.causal": [softmax([s / 2 for s in one.S[i][: i + 1]])[-1] for i in range(4)],
        "self.best": [best(row) == i for i, row in enumerate(one.S)],
        "self.shared": [sum(a * b for a, b in zip(q, one.Q[SENSE], strict=True)) for q in one.Q],
        "asymmetry.weight.bank.river": one.A[BANK][SENSE],
        "asymmetry.weight.river.bank": one.A[SENSE][BANK],
        "asymmetry.raw.bank.river": one.S[BANK][SENSE],
        "asymmetry.raw.river.bank": one.S[SENSE][BANK],
        "asymmetry.formula": left == right,
    }


def vectors(x) -> tuple[list, list, list]:
    return times(x, W_Q), times(x, W_K), times(x, W_V)


def plain(x) -> list[list[float]]:
    return attention(*vectors(x), 0.5).output


def added(x) -> list[list[float]]:
    """A position vector sin t, cos t, sin t/100, cos t/100 on each embedding."""
    where = [(math.sin(t), math.cos(t), math.sin(t / 100), math.cos(t / 100)) for t in range(len(x))]
    return plain([[float(a) + b for a, b in zip(*pair, strict=True)] for pair in zip(x, where, strict=True)])


def relative(x) -> list[list[float]]:
    """Each score less the distance between the two places."""
    q, k, v = vectors(x)
    return [mixed(softmax([dot(q[t], key) / 2 - abs(t - u) for u, key in enumerate(k)]), v) for t in range(len(x))]


def rotated(x) -> list[list[float]]:
    """Query and Key number t turned by t in the first plane and by t/100 in the second; Values as they are."""

    def turn(row, t: int) -> list[float]:
        found = []
        for plane, angle in ((0, t), (2, t / 100)):
            a, b, c, s = float(row[plane]), float(row[plane + 1]), math.cos(angle), math.sin(angle)
            found += [a * c - b * s, a * s + b * c]
        return found

    q, k, v = vectors(x)
    turned_q, turned_k = ([turn(row, t) for t, row in enumerate(rows)] for rows in (q, k))
    return attention(turned_q, turned_k, v, 0.5).output


def causal(x) -> list[list[float]]:
    """Query number t among the Keys 0 to t alone."""
    q, k, v = vectors(x)
    return [mixed(softmax([dot(q[t], key) / 2 for key in k[: t + 1]]), v[: t + 1]) for t in range(len(x))]


def gap(model, x) -> float:
    """Return how far reordering first and reordering last come apart at most, over all orders."""
    before = model(x)
    return max(
        abs(a - b)
        for move in TURNED
        for rows in zip(model([x[i] for i in move]), [before[i] for i in move], strict=True)
        for a, b in zip(*rows, strict=True)
    )


def reversed_gap(model) -> float:
    rows = zip(model(embeddings()[::-1]), model(embeddings())[::-1], strict=True)
    return max(abs(a - b) for pair in rows for a, b in zip(*pair, strict=True))


def one_token_more(model) -> float:
    """Return how far a fourth token moves the outputs of the first three."""
    rows = zip(model(embeddings()[:3]), model(embeddings())[:3], strict=True)
    return max(abs(a - b) for pair in rows for a, b in zip(*pair, strict=True))


def order() -> dict[str, object]:
    worst = [gap(plain, embeddings(sentence)) for sentence in ("river", "savings")]
    rng = np.random.Generator(np.random.PCG64(7))
    x, w = rng.standard_normal((7, 5)), rng.standard_normal((3, 5, 3))
    *_, v, a = forward(x, w)
    for _ in range(200):
        move = rng.permutation(7)
        *_, moved_v, moved_a = forward(x[move], w)
        worst.append(float(np.abs(moved_a @ moved_v - (a @ v)[move]).max()))
    return {
        "order.worst": round(max(worst), 12),
        "cache.causal": round(one_token_more(causal), 12),
        "cache.free": round(one_token_more(plain), 12),
        "order.added": gap(added, embeddings()),
        "order.relative": gap(relative, embeddings()),
        "order.rotated": gap(rotated, embeddings()),
        "order.causal": gap(causal, embeddings()),
        "order.deep": round(gap(lambda x: stacked(plain, x, 24), embeddings()), 12),
        "order.twins": round(twins(24), 12),
        "order.reversed": round(reversed_gap(relative), 12),
        "order.last": [round(gap_of_last(layers), 12) for layers in (1, 2, 3)],
    }


def stacked(model, x, layers: int) -> list[list[float]]:
    """Layers on one another: what a layer gives is added, and then each token is brought to the root mean square 1."""
    for _ in range(layers):
        x = [[float(a) + b for a, b in zip(*rows, strict=True)] for rows in zip(x, model(x), strict=True)]
        x = [[a / math.sqrt(math.fsum(b * b for b in row) / len(row)) for a in row] for row in x]
    return x


def twins(layers: int) -> float:
    """Return how far the outputs of one token that stands at two places come apart."""
    by, the, river, _ = embeddings()
    found = stacked(plain, [by, the, river, the], layers)
    return max(abs(a - b) for a, b in zip(found[1], found[3], strict=True))


def gap_of_last(layers: int) -> float:
    """Return how much the last token's output, under a causal mask, varies with the order of the three before it."""
    found = [
        stacked(causal, [*before, embeddings()[BANK]], layers)[BANK] for before in permutations(embeddings()[:BANK])
    ]
    return max(max(feature) - min(feature) for feature in transpose(found))


@cache
def facts() -> dict[str, object]:
    return hard_and_soft() | learn() | context() | own_key_and_asymmetry() | order()
