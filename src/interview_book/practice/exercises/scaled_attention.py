"""The exercise ``scaled_attention(q, k, v)``: softmax(Q Kᵀ/√d_k) V for unmasked arrays of any leading axes.

Sizes are primes that differ, so that no two axes can be mixed up unnoticed. Most properties need no reference: they
compare the function with itself or with a value that one can see (equal Keys, Values of 1, one Key).
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from interview_book.attention import attend
from interview_book.practice.exercises.forms import Answers, Exercise, Miss, Probe, Property, furthest

_PRIMES = (2, 3, 5, 7, 11, 13)
# Up and down by as much as makes exp overflow or vanish in float64 (beyond ±745), and by what exp still copes with:
# there, who subtracts a wrong number fails and who subtracts nothing does not.
_SHIFTS = np.array([1000.0, -1000.0, 600.0])
# The same for float32, whose exp ends at 88.7 and vanishes below -104.
_NARROWER = 1 / 8
_SHARP = 1e5


def _draw(rng: np.random.Generator, n_q: int, n_k: int, d_k: int, d_v: int, batch: tuple[int, ...] = ()):
    """Standard normal q, k, v: scaled scores of deviation 1, so that no weight is near 0 or 1."""
    return tuple(rng.standard_normal((*batch, *size)) for size in ((n_q, d_k), (n_k, d_k), (n_k, d_v)))


def _probe(name: str, q: np.ndarray, k: np.ndarray, v: np.ndarray, **more: object) -> Probe:
    return Probe(name, (q, k, v), (*q.shape[:-1], v.shape[-1]), **more)


def _shifted(q: np.ndarray, k: np.ndarray, shifts: np.ndarray) -> np.ndarray:
    """The Keys with a vector u added for which q_i · u/√d_k = the i-th shift: it moves all scores of a Query alike."""
    u = np.linalg.pinv(q) @ shifts[..., None] * sqrt(q.shape[-1])
    return k + u.swapaxes(-1, -2)


def _single(*arrays: np.ndarray) -> list[np.ndarray]:
    return [one.astype(np.float32) for one in arrays]


def probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    """All calls; the last one has sizes and numbers of ``rng``, the others are always the same."""
    fixed = np.random.Generator(np.random.PCG64(2017))
    q, k, v = _draw(fixed, 3, 5, 7, 2)
    order = np.array([3, 0, 4, 2, 1])
    example = (np.ones((1, 4)), np.array([[1.0, 1, 1, 1], [1, -1, 1, -1]]), np.array([[10.0], [0.0]]))
    square = _draw(fixed, 5, 5, 3, 11)
    one, two = _draw(fixed, 5, 3, 11, 7, (2,)), _draw(fixed, 5, 7, 3, 13, (3, 2))
    wide = tuple(np.concatenate([x, x], axis=-1) / 2**0.25 for x in (q, k))
    single = _single(*_draw(fixed, 7, 3, 5, 11))
    many = _draw(fixed, 7, 2, 5, 3, (2, 3, 2))
    alike = _draw(fixed, 7, 7, 3, 3)  # as in self-attention, where an output may be added to an input unnoticed
    long, thin = _draw(fixed, 7, 131, 5, 3), _draw(fixed, 3, 5, 1, 2)  # longer than usual blocks and buffers; √1
    far = _shifted(q, k[:1], np.full(3, min(_SHIFTS)))  # one more Key, of no weight
    qs, ks, vs = _draw(fixed, 3, 5, 7, 2, (2, 3))
    # Up and down in each pair of the first half, and from pair to pair for each Query; all down in the second: no
    # maximum that several Queries share, along whatever axes, copes with both.
    turned = np.array([[np.roll(_SHIFTS, at) for at in range(3)], [np.full(3, min(_SHIFTS))] * 3])
    narrow = _shifted(qs, ks, _NARROWER * turned)
    sizes = [int(size) for size in rng.permutation(_PRIMES)[:5]]
    return (
        _probe("example", *example),
        _probe("plain", q, k, v),
        _probe("wide", *wide, v),
        _probe("ones", q, k, np.ones_like(v)),
        _probe("alone", q[1:2], k, v),
        _probe("ordered", q, k[order], v[order]),
        _probe("equal", q, np.repeat(k[:1], 5, axis=0), v),
        _probe("one-key", q, k[:1], v[:1]),
        _probe("square", *square),
        _probe("alike", *alike),
        _probe("batch", *one),
        _probe("batches", *two),
        _probe("many", *many),
        _probe("long", *long),
        _probe("thin", *thin),
        # Single precision has 24 bits; the sums of a few products lose some of them, and scores of 125 seven more.
        _probe("single", *single, tolerance=1e-4),
        _probe("shifted", q, _shifted(q, k, _SHIFTS), v, ordinary=False),
        _probe("sharp", _SHARP * q, k, v, ordinary=False),
        _probe("far", q, np.concatenate([k, far]), np.concatenate([v, np.full_like(v[:1], 100)]), ordinary=False),
        _probe("shifted-batch", qs, _shifted(qs, ks, turned), vs, ordinary=False),
        _probe("sharp-batch", _SHARP * qs, ks, vs, ordinary=False),
        _probe("shifted-single", *_single(qs, narrow, vs), ordinary=False, tolerance=1e-3),
        _probe("sharp-single", *_single(_SHARP * qs, ks, vs), ordinary=False, tolerance=1e-3),
        _probe("random", *_draw(rng, *sizes[:4], batch=tuple(sizes[4:]))),
    )


def properties(called: tuple[Probe, ...]) -> tuple[Property, ...]:
    """What must hold for the outputs of `probes`."""
    given = {one.name: one.arguments for one in called}
    tolerance = {one.name: one.tolerance for one in called}

    def right(*names: str):
        def test(answers: Answers) -> Miss | None:
            wanted = {name: attend(*(x.astype(np.float64) for x in given[name])) for name in names}
            found = (furthest(name, answers[name], wanted[name], tolerance=tolerance[name]) for name in names)
            return next((miss for miss in found if miss), None)

        return names, test

    def equal(name: str, want) -> tuple:
        return (name,), lambda answers: furthest(name, answers[name], want)

    def same(name: str, base: str, choose=lambda output: output) -> tuple:
        return (name, base), lambda answers: furthest(name, answers[name], choose(answers[base]), base=True)

    def averages(answers: Answers) -> Miss | None:
        v = given["plain"][2]
        return furthest("equal", answers["equal"], v.mean(axis=0)) or furthest("one-key", answers["one-key"], v[:1])

    def largest(answers: Answers) -> Miss | None:
        q, k, v = given["sharp"]
        top = (q @ k.T).argmax(axis=-1)
        return furthest("sharp", answers["sharp"], v[top]) or furthest(
            "far", answers["far"], answers["plain"], base=True
        )

    tests = {
        "example": equal("example", 10 / (1 + np.exp(-2))),
        "features": same("wide", "plain"),
        "rows": equal("ones", 1.0),
        "queries": same("alone", "plain", lambda output: output[1:2]),
        "order": same("ordered", "plain"),
        "average": (("equal", "one-key"), averages),
        "values": right("plain", "square", "alike", "long", "thin", "random"),
        "batch": right("batch", "batches", "many"),
        "single": right("single"),
        "shift": same("shifted", "plain"),
        "sharp": (("sharp", "far", "plain"), largest),
        "large-batch": right("shifted-batch", "sharp-batch"),
        "large-single": right("shifted-single", "sharp-single"),
    }
    return tuple(Property(key, TITLES[key], *test) for key, test in tests.items())


TITLES = {
    "example": {
        "ja": "例題の出力が 8.81 になる",
        "zh-Hant": "例題的輸出是 8.81",
    },
    "features": {
        "ja": "dₖ が 2 倍、内積が √2 倍になっても、出力は変わらない（割る数は √dₖ）",
        "zh-Hant": "dₖ 變 2 倍、內積變 √2 倍，輸出不變（除數是 √dₖ）",
    },
    "rows": {
        "ja": "Value がすべて 1 なら、出力もすべて 1（Query ごとに、重みの和は 1）",
        "zh-Hant": "Value 全是 1，輸出也全是 1（每個 Query 的權重加起來是 1）",
    },
    "queries": {
        "ja": "Query を一つだけ渡しても、その Query の出力は変わらない",
        "zh-Hant": "只給其中一個 Query，那個 Query 的輸出不變",
    },
    "order": {
        "ja": "Key と Value を同じ順に並べ替えても、出力は変わらない",
        "zh-Hant": "Key 和 Value 用同樣的順序重新排列，輸出不變",
    },
    "average": {
        "ja": "Key がすべて同じなら、出力は Value の平均。Key が一つなら、その Value",
        "zh-Hant": "Key 全部相同，輸出就是 Value 的平均值；只有一個 Key，輸出就是它的 Value",
    },
    "values": {
        "ja": "乱数の入力で、正しい値と相対誤差 1e-6 以内で一致する",
        "zh-Hant": "亂數輸入時，和正確值的相對誤差在 1e-6 以內",
    },
    "batch": {
        "ja": "先頭にバッチの軸があっても、一組ずつ計算した値と一致する",
        "zh-Hant": "前面有 batch 軸，結果也跟一組一組分開算的相同",
    },
    "single": {
        "ja": "float32 の配列も受け取り、相対誤差 1e-4 以内で計算できる",
        "zh-Hant": "也能處理 float32 的陣列，相對誤差在 1e-4 以內",
    },
    "shift": {
        "ja": "同じベクトルをすべての Key に足し、スコアが 1,000 ずれても、出力は変わらない",
        "zh-Hant": "每個 Key 都加上同一個向量，分數平移了 1,000，輸出還是不變",
    },
    "sharp": {
        "ja": "スコアの差がとても大きければ、最大のスコアの Value だけが出る。ずっと小さいスコアの Value は混ざらない",
        "zh-Hant": "分數差非常大的時候，輸出就是分數最高的那個 Value，分數遠遠落後的 Value 不會混進來",
    },
    "large-batch": {
        "ja": "バッチの軸があり、スコアもとても大きいとき、一組ずつ計算した値と一致する",
        "zh-Hant": "有 batch 軸、分數又非常大，結果也跟一組一組分開算的相同",
    },
    "large-single": {
        "ja": "float32 でスコアがとても大きくても、相対誤差 1e-3 以内で計算できる",
        "zh-Hant": "float32 的分數非常大，相對誤差也在 1e-3 以內",
    },
}

EXERCISE = Exercise(
    question="attention.scaled-attention",
    version=2,
    arguments=("q", "k", "v"),
    probes=probes,
    properties=properties,
)
