"""multi_head against torch's nn.MultiheadAttention: projections, biases, heads and masks, in float64."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from interview_book.attention.heads import multi_head
from tests.libraries.cases import draw
from tests.torch.adapters import tensor

B, N_Q, N_K = 2, 5, 7
D_MODEL, HEADS = 33, 3  # 11 features a head
EXACT = {"rtol": 1e-11, "atol": 1e-12}  # sums of at most 33 products of numbers near 1


def layer(**options):
    """Return torch's layer with every parameter, biases included, drawn at random."""
    made = torch.nn.MultiheadAttention(D_MODEL, HEADS, batch_first=True, dtype=torch.float64, **options).eval()
    with torch.no_grad():
        for seed, parameter in enumerate(made.parameters()):
            parameter.copy_(tensor(draw(seed, *parameter.shape)) / np.sqrt(D_MODEL))
    return made


def parameters(made) -> dict[str, np.ndarray]:
    """Return them under our names: torch keeps the transposes, and the first three in one matrix."""
    if made.in_proj_weight is not None:
        w_q, w_k, w_v = made.in_proj_weight.chunk(3)
    else:
        w_q, w_k, w_v = made.q_proj_weight, made.k_proj_weight, made.v_proj_weight
    b_q, b_k, b_v = made.in_proj_bias.chunk(3)
    named = {"w_q": w_q.T, "w_k": w_k.T, "w_v": w_v.T, "w_o": made.out_proj.weight.T}
    named |= {"b_q": b_q, "b_k": b_k, "b_v": b_v, "b_o": made.out_proj.bias}
    return {name: x.detach().numpy().copy() for name, x in named.items()}


def masks() -> dict[str, np.ndarray | None]:
    """Return what may attend, ``(n_q, n_k)`` or ``(B, h or 1, n_q or 1, n_k)``."""
    per_head = draw(7, B, HEADS, N_Q, N_K) > 0
    per_head[..., 1] = True  # no row is empty
    return {
        "no mask": None,
        "causal": np.tri(N_Q, N_K, N_K - N_Q, dtype=bool),
        "padding": np.arange(N_K) < np.array([4, 6]).reshape(B, 1, 1, 1),
        "a mask per head": per_head,
    }


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("name", list(masks()))
def test_cross_attention(name, need_weights):
    made, x, y, allow = layer(), draw(11, B, N_Q, D_MODEL), draw(12, B, N_K, D_MODEL), masks()[name]
    drop = None
    if allow is not None:  # True means «drop» to this layer
        drop = tensor(~np.broadcast_to(allow, (B, HEADS, N_Q, N_K)).reshape(B * HEADS, N_Q, N_K))
    theirs, _ = made(tensor(x), tensor(y), tensor(y), attn_mask=drop, need_weights=need_weights)
    ours = multi_head(x, y, **parameters(made), heads=HEADS, allow=allow)
    np.testing.assert_allclose(ours, theirs.detach(), **EXACT)


def test_its_own_padding_mask():
    made, x, y, allow = layer(), draw(11, B, N_Q, D_MODEL), draw(12, B, N_K, D_MODEL), masks()["padding"]
    theirs, _ = made(tensor(x), tensor(y), tensor(y), key_padding_mask=tensor(~allow[:, 0, 0]), need_weights=False)
    ours = multi_head(x, y, **parameters(made), heads=HEADS, allow=allow)
    np.testing.assert_allclose(ours, theirs.detach(), **EXACT)


@pytest.mark.parametrize("need_weights", [True, False])
def test_self_attention_with_its_causal_hint(need_weights):
    made, x = layer(), draw(11, B, N_K, D_MODEL)
    drop = torch.nn.Transformer.generate_square_subsequent_mask(N_K, dtype=torch.float64)
    theirs, _ = made(*[tensor(x)] * 3, attn_mask=drop, is_causal=True, need_weights=need_weights)
    np.testing.assert_allclose(
        multi_head(x, x, **parameters(made), heads=HEADS, causal=True), theirs.detach(), **EXACT
    )


@pytest.mark.parametrize("need_weights", [True, False])
def test_self_attention_without_gradients(need_weights):
    # In eval() and without gradients self-attention takes another, fused way through the layer.
    made, x = layer(), draw(11, B, N_K, D_MODEL)
    with torch.no_grad():
        x_ = tensor(x)
        theirs, _ = made(x_, x_, x_, need_weights=need_weights)
    np.testing.assert_allclose(multi_head(x, x, **parameters(made), heads=HEADS), theirs, **EXACT)


def test_keys_of_another_width():
    made, x, y = layer(kdim=13, vdim=13), draw(11, B, N_Q, D_MODEL), draw(12, B, N_K, 13)
    theirs, _ = made(tensor(x), tensor(y), tensor(y))
    np.testing.assert_allclose(multi_head(x, y, **parameters(made), heads=HEADS), theirs.detach(), **EXACT)


def test_the_scale_is_that_of_one_head():
    # √d_model in place of √d_k changes the result by far more than the tolerance above.
    made, x = layer(), draw(11, B, N_K, D_MODEL)
    theirs, _ = made(*[tensor(x)] * 3)
    wrong = multi_head(x, x, **parameters(made), heads=HEADS, scale=D_MODEL**-0.5)
    assert np.abs(wrong - theirs.detach().numpy()).max() > 0.01


def test_empty_rows_keep_the_bias_of_the_output():
    made, x, y = layer(), draw(11, B, N_Q, D_MODEL), draw(12, B, N_K, D_MODEL)
    allow = np.ones((N_Q, N_K), dtype=bool)
    allow[2] = False
    theirs, _ = made(tensor(x), tensor(y), tensor(y), attn_mask=tensor(~allow), need_weights=False)
    named = parameters(made)
    ours = multi_head(x, y, **named, heads=HEADS, allow=allow, empty_rows="zero")
    np.testing.assert_allclose(ours, theirs.detach(), **EXACT)
    np.testing.assert_allclose(ours[:, 2], np.broadcast_to(named["b_o"], (B, D_MODEL)), rtol=0, atol=0)
