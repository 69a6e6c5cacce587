"""What «soft-lookup» states of its cost, of common mistakes and of what the toy does not show, computed anew."""

from __future__ import annotations

import tracemalloc
from functools import cache

import numpy as np

from interview_book.attention import attend, online_attend
from tests.chapters.lookup_own import (
    BANK,
    BY,
    SENSE,
    THE,
    W_K,
    W_Q,
    W_V,
    attention,
    embeddings,
    exact,
    mixed,
    softmax,
    steps,
    times,
    transpose,
)


def products(n: int, d_model: int, d_k: int, d_v: int) -> dict[str, int]:
    """Multiplications of each stage: rows times columns times what is summed over."""
    blocks = [min(4, n - start) for start in range(0, n, 4)]
    return {
        "projections": sum(n * d_model * d for d in (d_k, d_k, d_v)),
        "scores": n * n * d_k,
        "mix": n * n * d_v,
        "blocks": sum(a * b * d_k for a in blocks for b in blocks),
        "linear": n * d_k * d_v + n * d_k * d_v,
        "output": n * d_v * d_model,
    }


def equal(d_model: int, d: int, *stages: str) -> int:
    """Return the number of tokens at which scores and mixing cost as much as other stages together."""
    for n in range(1, 99):
        cost = products(n, d_model, d, d)
        if cost["scores"] + cost["mix"] == sum(cost[stage] for stage in stages):
            return n
    raise AssertionError("nowhere equal")


def cost() -> dict[str, object]:
    once, longer, wider = products(13, 11, 7, 5), products(26, 11, 7, 5), products(13, 11, 14, 10)
    found: dict[str, object] = {}
    for name in ("projections", "scores", "mix", "blocks", "linear"):
        found |= {
            f"cost.{name}": once[name],
            f"cost.{name}.doubled": longer[name] / once[name],
            f"cost.{name}.wider": wider[name] / once[name],
        }
    return found | {
        "cost.equal": equal(8, 3, "projections"),
        "cost.equal.output": equal(8, 3, "projections", "output"),
        "cost.overtakes": 3 * 512 // 2,  # 2 n² d = 3 n d_model d
    }


def peak(lookup, n: int) -> int:
    """Return the bytes that a lookup among n tokens holds at most; what it allocates at its first call is left out."""
    arrays = np.random.Generator(np.random.PCG64(n)).standard_normal((3, n, 64))
    lookup(*arrays)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    result = lookup(*arrays)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert result.shape == (n, 64)
    return most - before


def memory() -> dict[str, object]:
    """What ``attend`` and ``online_attend`` hold is theirs alone to say, so it is measured again; and it has bounds."""
    found: dict[str, object] = {"memory.same": True, "cost.slower": True}  # 8² = 64 is far above 16
    square, row = 8 * 2048**2, 8 * 2048 * 64
    for name, lookup in (("direct", attend), ("blocks", lambda *qkv: online_attend(*qkv, block=64))):
        small, large = peak(lookup, 1024), peak(lookup, 2048)
        # all scores at once, or the result and some blocks of 64 scores and features
        assert large >= square if name == "direct" else row <= large <= row + 10 * 8 * 64 * (64 + 128)
        found |= {f"memory.{name}": round(large / square, 2), f"memory.{name}.growth": round(large / small, 1)}
    return found


def mistakes() -> dict[str, object]:
    """What comes out where one is made."""
    one, x = steps(), embeddings()
    p, output = one.A[BANK], one.output[BANK]
    # over the Queries of each Key, and then along the Keys of each Query
    wrong = transpose([softmax([s / 2 for s in column]) for column in transpose(one.S)])
    heard = [[value + (j == THE and feature == 3) for feature, value in enumerate(row)] for j, row in enumerate(one.V)]
    other_q, other_k = exact([[0] * 4] * 4), exact([[0] * 4] * 4)
    other_q[2][3], other_k[3][3], other_k[0][3] = 4, 4, -5
    shared = times(x, W_Q)
    alike = attention(shared, shared, x, 0.5)
    return {
        "mistake.axis": [sum(row) for row in wrong],
        "mistake.transposed": p[SENSE],
        "mistake.columns": [sum(column) for column in transpose(one.A)],
        "mistake.zero": [one.S[BANK][THE], p[THE], mixed(p, heard)[3]],
        "mistake.meaning": attention(times(x, other_q), times(x, other_k), x, 0.5).A[BANK],
        "mistake.same": attention(x, x, x, 0.5).A[BANK],
        # the Values with the fourth feature of the embedding, which W_V leaves out
        "mistake.value": mixed(p, [[*value[:3], row[3]] for value, row in zip(one.V, x, strict=True)]),
        "mistake.shared.scores": transpose(alike.S) == alike.S,
        "mistake.shared.gap": max(abs(alike.A[i][j] - alike.A[j][i]) for i in range(4) for j in range(i)),
        "mistake.chosen": max(abs(a - float(b)) for a, b in zip(output, one.V[SENSE], strict=True)),
        "mistake.smallest": min(p),
        "mistake.replaced": one.output[BY],
        "mistake.residual": [float(a) + b for a, b in zip(x[BY], one.output[BY], strict=True)],
        "mistake.argmax": [float(j == SENSE) for j in range(4)],  # only the chosen Value moves the output
    }


def rotation() -> dict[str, object]:
    """Another basis: X R and Rᵀ W with an orthogonal R of halves, in fractions."""
    r = exact([[f"{sign}/2" for sign in row] for row in ([1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1])])
    assert times(r, transpose(r)) == exact([[int(i == j) for j in range(4)] for i in range(4)])
    x, one = times(embeddings(), r), steps()
    # W_O = I becomes R, which is the same as W_V R
    matrices = (*(times(transpose(r), w) for w in (W_Q, W_K)), times(times(transpose(r), W_V), r))
    turned = attention(*(times(x, w) for w in matrices), 0.5)
    expected = times(one.output, r)
    sums = [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(embeddings(), one.output, strict=True)]
    turned_sums = [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(x, turned.output, strict=True)]

    def equal_to_rounding(left, right) -> bool:
        return all(abs(a - b) < 1e-12 for rows in zip(left, right, strict=True) for a, b in zip(*rows, strict=True))

    return {
        "rotate.weights": turned.A == one.A,
        "rotate.output": equal_to_rounding(turned.output, expected),
        "rotate.residual": equal_to_rounding(turned_sums, times(sums, r)),
        "rotate.bank": x[BANK],
    }


@cache
def facts() -> dict[str, object]:
    return cost() | memory() | mistakes() | rotation()
