"""Promises of ``attend`` and ``multi_head`` that tests/attention/contract.py leaves open; mutants found the gaps."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from tests.attention.contract import CLOSE, by_loops, draw

CHECKS: list[Callable] = []
HEAD_CHECKS: list[Callable] = []


def promise(check: Callable) -> Callable:
    """Put ``check`` on the list of those that take an ``attend``."""
    CHECKS.append(check)
    return check


def promise_of_heads(check: Callable) -> Callable:
    """Put ``check`` on the list of those that take a ``multi_head``."""
    HEAD_CHECKS.append(check)
    return check


@promise
def a_square_mask_is_not_turned(attend):
    q, k, v = draw(1, 5, 7), draw(2, 5, 7), draw(3, 5, 11)
    allow = np.eye(5, dtype=bool)  # no row is empty, turned or not
    allow[:, 0] = allow[1, 3] = allow[4, 1] = True
    np.testing.assert_allclose(attend(q, k, v, allow=allow), by_loops(q, k, v, None, allow), **CLOSE)


@promise
def small_weights_count(attend):
    # A weight of e⁻³⁰ on a Value of e³⁰ is worth 1.
    q, k, v = np.array([[1.0]]), np.array([[0.0], [-30.0]]), np.array([[0.0], [math.exp(30)]])
    np.testing.assert_allclose(attend(q, k, v, scale=1), [[1 / (1 + math.exp(-30))]], **CLOSE)


@promise
def float16_is_rounded_once(attend):
    q, k, v = (draw(seed, n, 13, dtype=np.float16) for seed, n in ((1, 17), (2, 19), (3, 19)))
    exact = by_loops(q, k, v)
    nearest = exact.astype(np.float16)
    # Summed in float32, 20 terms err by some 1e-6: of 221 entries at most a few lie so near a tie of float16 (spacing
    # 1e-3 at most) that they round the other way. Weights rounded to float16 first change about every third.
    assert (attend(q, k, v) != nearest).mean() < 0.03


def embeddings(heads: int, kv_heads: int, seed: int = 10, self_attention: bool = False) -> dict[str, np.ndarray]:
    """Arguments of ``multi_head``: 2 sequences, 3 Queries, 5 Keys, d_k = 7, d_v = 11 and widths 13, 17 and 19."""
    wide = 13 if self_attention else 17
    shapes = {"x_q": (2, 3, 13), "x_kv": (2, 5, wide), "w_q": (13, heads * 7), "w_k": (wide, kv_heads * 7),
              "w_v": (wide, kv_heads * 11), "w_o": (heads * 11, 19), "b_q": (heads * 7,), "b_k": (kv_heads * 7,),
              "b_v": (kv_heads * 11,), "b_o": (19,)}  # fmt: skip
    made = {name: draw(seed + i, *shape) / shape[0] ** 0.5 for i, (name, shape) in enumerate(shapes.items())}
    return made | {"x_kv": made["x_q"]} if self_attention else made


def heads_by_loops(given: dict, heads: int, kv_heads: int, scale: float | None = None, allow=None) -> np.ndarray:
    """Several heads, one after the other: head i has its own columns of the projections and rows of W_O."""
    out = np.zeros((*given["x_q"].shape[:-1], given["w_o"].shape[1])) + given["b_o"]
    for i in range(heads):
        j = i // (heads // kv_heads)  # neighbours share a head of Keys and Values
        q = given["x_q"] @ given["w_q"][:, 7 * i : 7 * i + 7] + given["b_q"][7 * i : 7 * i + 7]
        k = given["x_kv"] @ given["w_k"][:, 7 * j : 7 * j + 7] + given["b_k"][7 * j : 7 * j + 7]
        v = given["x_kv"] @ given["w_v"][:, 11 * j : 11 * j + 11] + given["b_v"][11 * j : 11 * j + 11]
        seen = allow if allow is None or allow.ndim == 2 else allow[:, i]
        out += by_loops(q, k, v, scale, seen) @ given["w_o"][11 * i : 11 * i + 11]
    return out


@promise_of_heads
def each_head_has_its_own_features(multi_head):
    given = embeddings(3, 3)
    np.testing.assert_allclose(multi_head(**given, heads=3), heads_by_loops(given, 3, 3), **CLOSE)
    given = embeddings(1, 1)
    np.testing.assert_allclose(multi_head(**given, heads=1), heads_by_loops(given, 1, 1), **CLOSE)


@promise_of_heads
def the_scale_is_that_of_one_head(multi_head):
    given = embeddings(3, 3)
    np.testing.assert_allclose(multi_head(**given, heads=3), heads_by_loops(given, 3, 3, 7**-0.5), **CLOSE)
    out = multi_head(**given, heads=3, scale=0.25)
    np.testing.assert_allclose(out, heads_by_loops(given, 3, 3, 0.25), **CLOSE)


@promise_of_heads
def neighbours_share_a_head_of_keys(multi_head):
    for heads, kv_heads in ((6, 2), (5, 1)):
        given = embeddings(heads, kv_heads)
        out = multi_head(**given, heads=heads, kv_heads=kv_heads)
        np.testing.assert_allclose(out, heads_by_loops(given, heads, kv_heads), **CLOSE)


@promise_of_heads
def queries_ask_and_keys_answer(multi_head):
    given = embeddings(3, 3, self_attention=True)
    np.testing.assert_allclose(multi_head(**given, heads=3), heads_by_loops(given, 3, 3), **CLOSE)
    other = given | {"x_kv": draw(40, 2, 5, 13)}
    np.testing.assert_allclose(multi_head(**other, heads=3), heads_by_loops(other, 3, 3), **CLOSE)


@promise_of_heads
def biases_are_optional_and_apart(multi_head):
    given = embeddings(3, 3)
    for name in ("b_q", "b_k", "b_v", "b_o"):
        without = {key: value for key, value in given.items() if key != name}
        zero = given | {name: np.zeros_like(given[name])}
        np.testing.assert_allclose(multi_head(**without, heads=3), heads_by_loops(zero, 3, 3), **CLOSE)


@promise_of_heads
def masks_reach_their_heads(multi_head):
    given = embeddings(3, 3)
    for shape in ((3, 5), (2, 1, 1, 5), (1, 3, 3, 5), (2, 3, 3, 5)):
        allow = draw(50 + len(shape), *shape) > 0
        allow[..., 1] = True  # no row is empty
        out = multi_head(**given, heads=3, allow=allow)
        want = heads_by_loops(given, 3, 3, None, np.broadcast_to(allow, (2, 3, 3, 5)))
        np.testing.assert_allclose(out, want, **CLOSE)
    late = np.array([[j <= i + 2 for j in range(5)] for i in range(3)])
    out = multi_head(**given, heads=3, causal=True, align="bottom-right")
    np.testing.assert_allclose(out, heads_by_loops(given, 3, 3, None, late), **CLOSE)
