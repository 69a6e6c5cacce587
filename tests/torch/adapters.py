"""torch behind the one signature that ``tests.libraries.probes`` calls."""

from __future__ import annotations

import torch
from torch.nn.functional import scaled_dot_product_attention

from tests.libraries.probes import NotApplicable


def tensor(x):
    """Return a NumPy array as a tensor that shares nothing with it; ``None`` stays."""
    return None if x is None else torch.tensor(x)


class Sdpa:
    """``torch.nn.functional.scaled_dot_product_attention``."""

    def call(self, q, k, v, *, mask, causal, scale, bias):
        given = tensor(mask if bias is None else bias)
        out = scaled_dot_product_attention(*map(tensor, (q, k, v)), attn_mask=given, is_causal=causal, scale=scale)
        return out.numpy()

    def gradients(self, q, k, v, g, *, mask):
        leaves = [tensor(x).requires_grad_() for x in (q, k, v)]
        scaled_dot_product_attention(*leaves, attn_mask=tensor(mask)).backward(tensor(g))
        return tuple(x.grad.numpy() for x in leaves)


class Mha:
    """``torch.nn.MultiheadAttention`` whose projections are identities, so that what is left is attention."""

    def __init__(self, need_weights: bool):
        self.need_weights = need_weights

    def _run(self, q, k, v, *, mask, causal=False):
        batch, heads, n_q, d = q.shape
        if v.shape[-1] != d or k.shape[1] != heads or v.shape[1] != heads:
            raise NotApplicable  # the widths are those of its own projections
        layer = torch.nn.MultiheadAttention(heads * d, heads, bias=False, batch_first=True, dtype=q.dtype)
        with torch.no_grad():
            layer.in_proj_weight.copy_(torch.eye(heads * d).repeat(3, 1))
            layer.out_proj.weight.copy_(torch.eye(heads * d))
        if mask is not None:
            mask = mask.expand(batch, heads, n_q, k.shape[-2]).flatten(0, 1)
        merged = (x.transpose(1, 2).flatten(2) for x in (q, k, v))
        out, _ = layer(*merged, attn_mask=mask, is_causal=causal, need_weights=self.need_weights)
        return out.unflatten(2, (heads, d)).transpose(1, 2)

    def call(self, q, k, v, *, mask, causal, scale, bias):
        if scale is not None:
            raise NotApplicable
        if q.dtype.kind != "f":  # the layer's own weights are floats
            layer = torch.nn.MultiheadAttention(q.shape[-1], 1)
            return layer(*(tensor(x[0, 0]) for x in (q, k, v)))
        given = tensor(mask if bias is None else bias)
        return self._run(*map(tensor, (q, k, v)), mask=given, causal=causal).detach().numpy()

    def gradients(self, q, k, v, g, *, mask):
        leaves = [tensor(x).requires_grad_() for x in (q, k, v)]
        self._run(*leaves, mask=tensor(mask)).backward(tensor(g))
        return tuple(x.grad.numpy() for x in leaves)
