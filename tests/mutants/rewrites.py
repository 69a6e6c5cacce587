"""``attend`` written again, in stages that a mutant can replace, and in ways that a reader may prefer.

Arguments are checked by the functions of the package (their sentences are part of what ``attend`` promises); all that
is computed is computed here. Every rewrite keeps every promise of tests/attention/contract.py.
"""

from __future__ import annotations

import math

import numpy as np

from interview_book.attention.inputs import check_scores, check_values, rounded, select_used, working_dtype
from interview_book.attention.masks import find_empty_rows, pairs, refuse_empty_rows


class Staged:
    """``attend`` in stages. A mutant overrides one of them; this class alone is a rewrite that is right."""

    def __call__(self, q, k, v, *, allow=None, causal=False, align=None, scale=None, empty_rows="raise"):
        check_scores(q, k, scale)
        check_values(q, k, v)
        dtype = self.result_dtype(q, k, v)
        allowed = self.allowed(q, k, allow, causal, align)
        empty = find_empty_rows(allowed)
        self.refuse(empty, empty_rows)
        q, k, v = self.select(q, k, v, allowed)
        z = self.scores(q, k, self.factor(q, k, v, scale), self.wide(dtype))
        self.refuse_overflow(z, allowed)
        out = self.mix(self.weights(z, allowed, dtype), v)
        return self.settle(self.round(out, dtype), v, empty, empty_rows)

    def result_dtype(self, q, k, v):
        """Return the dtype of the result."""
        return np.result_type(q, k, v)

    def wide(self, dtype):
        """Return the dtype to compute in."""
        return working_dtype(dtype)

    def factor(self, q, k, v, scale):
        """Return what the dot products are multiplied by."""
        return 1 / math.sqrt(q.shape[-1]) if scale is None else float(scale)

    def allowed(self, q, k, allow, causal, align):
        """Return the pairs that may attend, ``(..., n_q, n_k)``, or None."""
        return pairs(q.shape, k.shape, allow, causal, align)

    def refuse(self, empty, empty_rows):
        """Raise where the policy says so."""
        refuse_empty_rows(empty, empty_rows)

    def select(self, q, k, v, allowed):
        """Put zeros in what no pair uses; raise where what is used is not finite."""
        return (
            select_used("q", q, allowed, -1),
            select_used("k", k, allowed, -2),
            select_used("v", v, allowed, -2),
        )

    def scores(self, q, k, factor, wide):
        """Return the scaled scores in ``wide``."""
        with np.errstate(over="ignore", invalid="ignore"):
            return (q.astype(wide) * wide.type(factor)) @ k.astype(wide).swapaxes(-1, -2)

    def refuse_overflow(self, z, allowed):
        """Raise where an allowed score is not finite."""
        rounded("scores", z, z.dtype, allowed)

    def weights(self, z, allowed, dtype):
        """Return the weights, 0 where masked and in empty rows."""
        if allowed is not None:
            z = np.where(allowed, z, -np.inf)
        top = z.max(axis=-1, keepdims=True)
        e = np.exp(z - np.where(np.isneginf(top), 0, top))
        total = e.sum(axis=-1, keepdims=True)
        return e / np.where(total == 0, 1, total)

    def mix(self, p, v):
        """Return the averages of the Values."""
        with np.errstate(over="ignore", invalid="ignore"):
            return p @ v.astype(p.dtype)

    def round(self, out, dtype):
        """Return the result in its dtype."""
        return rounded("attend", out, dtype)

    def settle(self, out, v, empty, empty_rows):
        """Give empty rows what the policy promises."""
        if empty is not None:
            out = np.where(empty[..., np.newaxis], out.dtype.type(0), out)
        if empty_rows != "skip":
            return out
        mask = False if empty is None else np.broadcast_to(empty[..., np.newaxis], out.shape)
        return np.ma.MaskedArray(out, mask=np.zeros(out.shape, dtype=bool) | mask, fill_value=0)


class ByEinsum(Staged):
    """Products by einsum, in another order of the factors."""

    def scores(self, q, k, factor, wide):
        with np.errstate(over="ignore", invalid="ignore"):
            return np.einsum("...qd,...kd->...qk", q.astype(wide) * wide.type(factor), k.astype(wide))

    def mix(self, p, v):
        with np.errstate(over="ignore", invalid="ignore"):
            return np.einsum("...qk,...kd->...qd", p, v.astype(p.dtype))


class InLogarithms(Staged):
    """Weights as exp of their logarithms."""

    def weights(self, z, allowed, dtype):
        if allowed is not None:
            z = np.where(allowed, z, -np.inf)
        # logaddexp of −inf and −inf is −inf, and log 0 never arises.
        total = np.logaddexp.reduce(z, axis=-1, keepdims=True)
        return np.exp(z - np.where(np.isneginf(total), 0, total))


class OneQueryAtATime(Staged):
    """A loop over the Queries, each over the Keys it may see and no others: nothing is ever masked."""

    def __call__(self, q, k, v, *, allow=None, causal=False, align=None, scale=None, empty_rows="raise"):
        check_scores(q, k, scale)
        check_values(q, k, v)
        dtype = self.result_dtype(q, k, v)
        wide = self.wide(dtype)
        allowed = self.allowed(q, k, allow, causal, align)
        empty = find_empty_rows(allowed)
        self.refuse(empty, empty_rows)
        q, k, v = self.select(q, k, v, allowed)
        batch = np.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2], () if empty is None else empty.shape[:-1])
        seen = np.broadcast_to(True if allowed is None else allowed, (*batch, q.shape[-2], k.shape[-2]))
        q, k, v = (np.broadcast_to(x, (*batch, *x.shape[-2:])) for x in (q, k, v))
        out = np.zeros((*batch, q.shape[-2], v.shape[-1]), dtype=wide)
        for at in np.ndindex(*out.shape[:-1]):
            if seen[at].any():
                keys, values = k[at[:-1]][seen[at]], v[at[:-1]][seen[at]]
                z = self.scores(q[at][np.newaxis], keys, self.factor(q, k, v, scale), wide)
                self.refuse_overflow(z, None)
                out[at] = self.mix(self.weights(z, None, dtype), values)[0]
        return self.settle(self.round(out, dtype), v, empty, empty_rows)


class ThroughFloat64(Staged):
    """Everything in float64, rounded once."""

    def wide(self, dtype):
        return np.dtype(np.float64)


class WeightsLast(Staged):
    """Divide by the sum after mixing: fewer divisions if d_v < n_k, as fused kernels do."""

    def weights(self, z, allowed, dtype):
        if allowed is not None:
            z = np.where(allowed, z, -np.inf)
        top = z.max(axis=-1, keepdims=True)
        return np.exp(z - np.where(np.isneginf(top), 0, top))

    def mix(self, p, v):
        total = p.sum(axis=-1, keepdims=True)
        return super().mix(p, v) / np.where(total == 0, 1, total)


REWRITES = {
    made.__name__: made() for made in (Staged, ByEinsum, InLogarithms, OneQueryAtATime, ThroughFloat64, WeightsLast)
}
