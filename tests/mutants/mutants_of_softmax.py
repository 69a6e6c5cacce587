"""Wrong ways from scores to weights."""

from __future__ import annotations

import numpy as np

from tests.mutants.register import Unchecked, killed_by
from tests.mutants.rewrites import Staged


def _softmax(z, allowed, axis=-1, top_axis=-1, shift=True):
    """Softmax with its choices open."""
    z = z if allowed is None else np.where(allowed, z, -np.inf)
    top = z.max(axis=top_axis, keepdims=True) if shift else 0.0
    with np.errstate(over="ignore", invalid="ignore"):
        e = np.exp(z - np.where(np.isneginf(top), 0, top))
        total = e.sum(axis=axis, keepdims=True)
        return e / np.where(total == 0, 1, total)


@killed_by("each_query_averages_over_the_keys")
class SoftmaxOverTheQueries(Unchecked):
    def weights(self, z, allowed, dtype):
        return _softmax(z, allowed, axis=-2, top_axis=-2)


@killed_by("each_query_averages_over_the_keys")
class SoftmaxOverEverything(Unchecked):
    def weights(self, z, allowed, dtype):
        return _softmax(z, allowed, axis=(-2, -1), top_axis=(-2, -1))


@killed_by("large_scores_do_not_overflow")
class NoMaximumShift(Unchecked):
    def weights(self, z, allowed, dtype):
        return _softmax(z, allowed, shift=False)


@killed_by("queries_do_not_meet")
class OneMaximumForAllRows(Unchecked):
    def weights(self, z, allowed, dtype):
        return _softmax(z, allowed, top_axis=None)


@killed_by("default_scale_is_one_over_root_d_k")
class MaximumOfTheColumn(Unchecked):
    def weights(self, z, allowed, dtype):
        return _softmax(z, allowed, top_axis=-2)


@killed_by("a_masked_weight_is_exactly_zero")
class MaximumOverMaskedKeysToo(Unchecked):
    """The shift is taken before the mask: a high masked score pushes every allowed one to 0."""

    def weights(self, z, allowed, dtype):
        if allowed is None:
            return super().weights(z, None, dtype)
        with np.errstate(invalid="ignore"):
            e = np.where(allowed, np.exp(z - z.max(axis=-1, keepdims=True)), 0)
        total = e.sum(axis=-1, keepdims=True)
        return e / np.where(total == 0, 1, total)


@killed_by("default_scale_is_one_over_root_d_k")
class PowersOfTwo(Staged):
    def weights(self, z, allowed, dtype):
        return super().weights(z * np.log(2).astype(z.dtype), allowed, dtype)


@killed_by("each_query_averages_over_the_keys")
class OneMoreInTheSum(Staged):
    """«Attention is off by one»: exp(z)/(1 + Σ exp(z))."""

    def weights(self, z, allowed, dtype):
        p = super().weights(z, allowed, dtype)
        e = np.exp(z - z.max(axis=-1, keepdims=True))
        return p * (e.sum(axis=-1, keepdims=True) / (1 + e.sum(axis=-1, keepdims=True))).astype(p.dtype)


@killed_by("each_query_averages_over_the_keys")
class EpsilonInTheSum(Staged):
    def weights(self, z, allowed, dtype):
        return super().weights(z, allowed, dtype) / z.dtype.type(1 + 1e-9)


@killed_by("each_query_averages_over_the_keys")
class DropoutLeftOn(Staged):
    """Inverted dropout with the same draws in every call: nothing tells but the numbers."""

    def weights(self, z, allowed, dtype):
        p = super().weights(z, allowed, dtype)
        keep = np.random.Generator(np.random.PCG64(1)).random(p.shape) > 0.1
        return np.where(keep, p / p.dtype.type(0.9), p.dtype.type(0))


@killed_by("the_same_call_gives_the_same_bits")
class DropoutOnOccasion(Staged):
    """Every third call loses a weight."""

    def __init__(self):
        self.calls = 0

    def weights(self, z, allowed, dtype):
        self.calls += 1
        p = super().weights(z, allowed, dtype).copy()
        if self.calls % 3 == 0:
            p[..., 0] = 0
        return p


@killed_by("float16_is_added_up_in_float32")
class Float16Sums(Unchecked):
    """Weights and averages of float16 are added up in float16, one after the other."""

    def weights(self, z, allowed, dtype):
        z = z if allowed is None else np.where(allowed, z, -np.inf)
        top = z.max(axis=-1, keepdims=True)
        e = np.exp(z - np.where(np.isneginf(top), 0, top)).astype(dtype)
        total = np.add.accumulate(e, axis=-1, dtype=dtype)[..., -1:]
        return (e / np.where(total == 0, 1, total).astype(dtype)).astype(z.dtype)


@killed_by("float16_is_rounded_once")
class WeightsRoundedToFloat16(Staged):
    def weights(self, z, allowed, dtype):
        return super().weights(z, allowed, dtype).astype(dtype).astype(z.dtype)


@killed_by("default_scale_is_one_over_root_d_k")
class EverythingInFloat32(Unchecked):
    """As jax.nn.dot_product_attention does: float64 in, float64 out, float32 between."""

    def wide(self, dtype):
        return np.dtype(np.float32)

    def refuse_overflow(self, z, allowed):
        pass


@killed_by("small_weights_count")
class SmallWeightsDropped(Staged):
    def weights(self, z, allowed, dtype):
        p = super().weights(z, allowed, dtype)
        return np.where(p < 1e-6, p.dtype.type(0), p)
