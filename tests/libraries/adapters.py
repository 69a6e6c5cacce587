"""The libraries of this environment behind the one signature that :mod:`probes` calls."""

from __future__ import annotations

import math

import numpy as np

from interview_book.attention import attend
from tests.libraries.probes import NotApplicable


class NaiveNumPy:
    """The formula as it is usually typed: exp without a shift, −inf where the mask is False, a triangle for causal."""

    def call(self, q, k, v, *, mask, causal, scale, bias):
        z = q @ k.swapaxes(-1, -2) * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
        if bias is not None:
            z = z + bias
        if mask is not None:
            z = np.where(mask, z, -np.inf)
        if causal:
            z = np.where(np.tril(np.ones(z.shape[-2:])), z, -np.inf)
        with np.errstate(invalid="ignore"):  # 0/0 of an empty row is what is asked for
            e = np.exp(z)
            return e / e.sum(axis=-1, keepdims=True) @ v

    def gradients(self, q, k, v, g, *, mask):
        raise NotApplicable


class Ours:
    """``interview_book.attention.attend``, with one of its policies for empty rows."""

    def __init__(self, empty_rows: str = "raise"):
        self.empty_rows = empty_rows

    def call(self, q, k, v, *, mask, causal, scale, bias):
        # Its boolean mask and its additive mask are one argument, and it says which one it wants.
        allow = mask if bias is None else bias
        return attend(q, k, v, allow=allow, causal=causal, scale=scale, empty_rows=self.empty_rows)

    def gradients(self, q, k, v, g, *, mask):
        from interview_book.attention.backward import attend_gradients

        found = attend_gradients(q, k, v, g, allow=mask, empty_rows=self.empty_rows)
        return found.q, found.k, found.v


class Jax:
    """``jax.nn.dot_product_attention``; its own axis order is (B, n, h, d)."""

    def __init__(self, jax):
        self.jax = jax

    def _call(self, q, k, v, mask, bias=None, causal=False, scale=None):
        swap = self.jax.numpy.swapaxes
        q, k, v = (swap(x, 1, 2) for x in (q, k, v))
        out = self.jax.nn.dot_product_attention(q, k, v, bias=bias, mask=mask, is_causal=causal, scale=scale)
        return swap(out, 1, 2)

    def _spread(self, mask, q, k):
        return None if mask is None else np.broadcast_to(mask, (*q.shape[:-1], k.shape[-2]))

    def call(self, q, k, v, *, mask, causal, scale, bias):
        def run(q, k, v, mask, bias):
            return self._call(q, k, v, mask, bias, causal, scale)

        # Compiled as a whole it is five times as fast, but float16 is then refused on a CPU.
        run = run if q.dtype == np.float16 else self.jax.jit(run)
        return np.asarray(run(q, k, v, self._spread(mask, q, k), self._spread(bias, q, k)))

    def gradients(self, q, k, v, g, *, mask):
        def back(q, k, v, g, mask):
            return self.jax.vjp(lambda q, k, v: self._call(q, k, v, mask), q, k, v)[1](g)

        return tuple(np.asarray(x) for x in self.jax.jit(back)(q, k, v, g, self._spread(mask, q, k)))
