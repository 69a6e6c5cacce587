"""attend and its gradients against torch's scaled_dot_product_attention, in float64."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn.attention.bias import causal_lower_right
from torch.nn.functional import scaled_dot_product_attention

from interview_book.attention import attend
from interview_book.attention.backward import attend_gradients
from interview_book.attention.heads import repeat_groups
from tests.libraries import cases
from tests.libraries.cases import D_K, D_V, N_K, N_Q, B, draw
from tests.torch.adapters import tensor

# Sums of at most 13 products of numbers near 1, and as many roundings: 1e-12 is a thousand of them.
EXACT = {"rtol": 1e-11, "atol": 1e-12}


def run(case, **options):
    """Return torch's output and its gradients in q, k and v."""
    leaves = [tensor(x).requires_grad_() for x in (case.q, case.k, case.v)]
    out = scaled_dot_product_attention(*leaves, scale=case.options.get("scale"), **options)
    out.backward(tensor(case.g))
    return out.detach().numpy(), [x.grad.numpy() for x in leaves]


def compare(case, out, gradients):
    """Hold ours to torch's."""
    np.testing.assert_allclose(attend(case.q, case.k, case.v, **case.options), out, **EXACT)
    ours = attend_gradients(case.q, case.k, case.v, case.g, **case.options)
    for mine, theirs in zip((ours.q, ours.k, ours.v), gradients, strict=True):
        np.testing.assert_allclose(mine, theirs, **EXACT)


# d_v = d_k is answered by the fused kernel, another d_v by the plain one.
@pytest.mark.parametrize("d_v", [D_K, D_V])
@pytest.mark.parametrize("name", cases.NAMES)
def test_outputs_and_gradients(name, d_v):
    case = cases.make(d_v)[name]
    masked = name not in {"plain", "scale"}
    compare(case, *run(case, attn_mask=tensor(case.seen) if masked else None))


@pytest.mark.parametrize("d_v", [D_K, D_V])
@pytest.mark.parametrize("name", ["causal", "causal top-left"])
def test_its_own_causal_mask(name, d_v):
    case = cases.make(d_v)[name]
    compare(case, *run(case, is_causal=True))


def test_its_own_lower_right_mask():
    case = cases.make()["causal bottom-right"]
    compare(case, *run(case, attn_mask=causal_lower_right(N_Q, N_K)))


def test_causal_alignments_by_hand():
    zeros, keys, values = np.zeros((1, 1, 2, 5)), np.zeros((1, 1, 5, 5)), np.eye(5)[np.newaxis, np.newaxis]
    early = [[1, 0, 0, 0, 0], [0.5, 0.5, 0, 0, 0]]
    late = [[0.25, 0.25, 0.25, 0.25, 0], [0.2, 0.2, 0.2, 0.2, 0.2]]
    theirs = scaled_dot_product_attention(*map(tensor, (zeros, keys, values)), is_causal=True)
    np.testing.assert_allclose(theirs[0, 0], early, rtol=1e-15)
    theirs = scaled_dot_product_attention(*map(tensor, (zeros, keys, values)), attn_mask=causal_lower_right(2, 5))
    np.testing.assert_allclose(theirs[0, 0], late, rtol=1e-15)
    for align, want in (("top-left", early), ("bottom-right", late)):
        ours = attend(zeros, keys, values, causal=True, align=align)
        np.testing.assert_allclose(ours[0, 0], want, rtol=1e-15)


def test_grouped_queries():
    q, k, v = draw(1, B, 6, N_Q, D_K), draw(2, B, 2, N_K, D_K), draw(3, B, 2, N_K, D_V)
    theirs = scaled_dot_product_attention(*map(tensor, (q, k, v)), enable_gqa=True).numpy()
    np.testing.assert_allclose(attend(q, repeat_groups(k, 3), repeat_groups(v, 3)), theirs, **EXACT)
    tiled = attend(q, np.tile(k, (1, 3, 1, 1)), np.tile(v, (1, 3, 1, 1)))
    assert np.abs(tiled - theirs).max() > 0.1  # else this test could not tell them apart


def test_dropout_has_no_switch_of_its_own():
    # A function knows nothing of train() and eval(): whoever passes dropout_p gets dropout.
    case = cases.make()["plain"]
    torch.manual_seed(1)
    dropped = scaled_dot_product_attention(*map(tensor, (case.q, case.k, case.v)), dropout_p=0.5).numpy()
    assert np.abs(dropped - attend(case.q, case.k, case.v)).max() > 0.1


@pytest.mark.parametrize(("dtype", "units"), [(np.float16, 4), (np.float32, 32)])
def test_outputs_in_lower_precision(dtype, units):
    # Both add up in float32; in float16 each rounds once or twice at the end. Outputs are below 4, one unit there is
    # 2 eps; float32 also keeps the roundings of 11 and 7 terms on both sides.
    case = cases.make()["padding"]
    q, k, v = (x.astype(dtype) for x in (case.q, case.k, case.v))
    theirs = scaled_dot_product_attention(*map(tensor, (q, k, v)), attn_mask=tensor(case.seen)).numpy()
    ours = attend(q, k, v, **case.options)
    assert ours.dtype == theirs.dtype == dtype
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=units * np.finfo(dtype).eps)
