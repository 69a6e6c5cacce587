"""attend and its gradients against jax: its own function, and its automatic derivatives of the plain formula.

``jax.nn.dot_product_attention`` computes float64 in float32 and wants d_v = d_k, so it is held to float32; the formula
in ``jax.numpy``, differentiated by jax, is held to float64.
"""

from __future__ import annotations

import numpy as np
import pytest

from interview_book.attention import attend
from interview_book.attention.backward import attend_gradients
from interview_book.attention.heads import repeat_groups
from tests.libraries import cases
from tests.libraries.cases import D_K, N_K, N_Q, B, draw

# Sums of at most 13 products of numbers near 1, and as many roundings: 1e-12 is a thousand of them.
EXACT = {"rtol": 1e-11, "atol": 1e-12}
# The same for float32, whose unit is 6e-8, with fewer to spare.
SINGLE = {"rtol": 2e-5, "atol": 2e-6}


@pytest.fixture(scope="module")
def oracle(jax):
    """Compiled output, and gradients in q, k, v and beta, of the formula: no −inf and no empty row ever meets exp."""
    np_ = jax.numpy

    def output(q, k, v, beta, seen):
        z = np_.where(seen, beta * np_.einsum("bhid,bhjd->bhij", q, k), -1e30)
        e = np_.where(seen, np_.exp(z - z.max(-1, keepdims=True)), 0)
        total = e.sum(-1, keepdims=True)
        return np_.einsum("bhij,bhjf->bhif", e / np_.where(total == 0, 1, total), v)

    def run(q, k, v, beta, seen, g):
        out, back = jax.vjp(lambda *x: output(*x, seen), q, k, v, beta)
        return out, back(g)

    return jax.jit(run)


@pytest.fixture(scope="module")
def library(jax):
    """Compiled output and gradients of ``jax.nn.dot_product_attention``, with our axes."""
    swap = jax.numpy.swapaxes

    def output(q, k, v, scale, causal, seen):
        turned = (swap(x, 1, 2) for x in (q, k, v))
        return swap(jax.nn.dot_product_attention(*turned, mask=seen, scale=scale, is_causal=causal), 1, 2)

    def run(q, k, v, g, seen, scale, causal):
        out, back = jax.vjp(lambda *x: output(*x, scale, causal, seen), q, k, v)
        return out, back(g)

    return jax.jit(run, static_argnames=("scale", "causal"))


@pytest.mark.parametrize("name", cases.NAMES)
def test_outputs_and_gradients_of_the_formula(oracle, name):
    case = cases.make()[name]
    out, (d_q, d_k, d_v, d_beta) = oracle(case.q, case.k, case.v, case.scale, case.seen, case.g)
    np.testing.assert_allclose(attend(case.q, case.k, case.v, **case.options), out, **EXACT)
    ours = attend_gradients(case.q, case.k, case.v, case.g, **case.options)
    np.testing.assert_allclose(ours.q, d_q, **EXACT)
    np.testing.assert_allclose(ours.k, d_k, **EXACT)
    np.testing.assert_allclose(ours.v, d_v, **EXACT)
    np.testing.assert_allclose(ours.beta, d_beta, **EXACT)


def test_gradients_are_summed_over_broadcast_axes(oracle):
    case = cases.make()["plain"]
    q, k, v = case.q[:, :1], case.k[0], case.v[:1, :1]  # (2, 1, …), (3, …) and (1, 1, …)
    spread = [np.broadcast_to(x, of.shape) for x, of in ((q, case.q), (k, case.k), (v, case.v))]
    _, (d_q, d_k, d_v, _) = oracle(*spread, case.scale, case.seen, case.g)
    ours = attend_gradients(q, k, v, case.g)
    np.testing.assert_allclose(ours.q, np.sum(d_q, axis=1, keepdims=True), **EXACT)
    np.testing.assert_allclose(ours.k, np.sum(d_k, axis=0), **EXACT)
    np.testing.assert_allclose(ours.v, np.sum(d_v, axis=(0, 1), keepdims=True), **EXACT)


# Its rows without a Key become mean(V): conventions.yml. Bottom-right it has no word for; a mask says it.
@pytest.mark.parametrize("name", [name for name in cases.NAMES if name != "an empty row"])
def test_outputs_and_gradients_of_the_library(library, name):
    case = cases.make(d_v=D_K)[name]
    causal = case.options.get("causal", False) and case.options.get("align") != "bottom-right"
    mask = case.options.get("allow")
    if mask is None and not causal:
        mask = case.seen
    mask = None if mask is None else np.broadcast_to(mask, case.seen.shape)
    # Nothing is said about the scale unless the case does, so that the defaults are compared too.
    out, gradients = library(case.q, case.k, case.v, case.g, mask, scale=case.options.get("scale"), causal=causal)
    np.testing.assert_allclose(attend(case.q, case.k, case.v, **case.options), out, **SINGLE)
    ours = attend_gradients(case.q, case.k, case.v, case.g, **case.options)
    for mine, theirs in zip((ours.q, ours.k, ours.v), gradients, strict=True):
        np.testing.assert_allclose(mine, theirs, **SINGLE)


def test_grouped_queries_of_the_library(library):
    q, k, v = draw(1, B, 6, N_Q, D_K), draw(2, B, 2, N_K, D_K), draw(3, B, 2, N_K, D_K)
    seen = np.ones((B, 6, N_Q, N_K), dtype=bool)
    out, _ = library(q, k, v, q, seen, scale=None, causal=False)
    np.testing.assert_allclose(attend(q, repeat_groups(k, 3), repeat_groups(v, 3)), out, **SINGLE)
    tiled = attend(q, np.tile(k, (1, 3, 1, 1)), np.tile(v, (1, 3, 1, 1)))
    assert np.abs(tiled - out).max() > 0.1  # else this test could not tell them apart


def test_the_oracle_by_hand(oracle):
    # One Query, Keys with scores ln 1, ln 2 and ln 5, the last one masked: weights 1/3 and 2/3, output 3/3 + 12/3 = 5.
    # dV = p g; J = 2/9 [[1, −1], [−1, 1]], so dz = (−2/3, 2/3), dq = Σ dz k = 2/3 ln 2, and dbeta the same (s = k).
    q, k, v = np.ones((1, 1, 1, 1)), np.log([1.0, 2, 5]).reshape(1, 1, 3, 1), np.array([3.0, 6, 80]).reshape(1, 1, 3, 1)
    out, (d_q, d_k, d_v, d_beta) = oracle(q, k, v, 1.0, np.array([[True, True, False]]), np.ones((1, 1, 1, 1)))
    for got, want in ((out, [5]), (d_q, [2 / 3 * np.log(2)]), (d_beta, [2 / 3 * np.log(2)])):
        np.testing.assert_allclose(np.ravel(got), want, rtol=1e-14)
    np.testing.assert_allclose(np.ravel(d_k), [-2 / 3, 2 / 3, 0], rtol=1e-14)
    np.testing.assert_allclose(np.ravel(d_v), [1 / 3, 2 / 3, 0], rtol=1e-14)
