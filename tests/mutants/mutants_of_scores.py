"""Wrong scales and scores."""

from __future__ import annotations

import math

import numpy as np

from tests.mutants.register import killed_by
from tests.mutants.rewrites import Staged


class _Scale(Staged):
    def factor(self, q, k, v, scale):
        return self.default(q, k, v) if scale is None else float(scale)


@killed_by("default_scale_is_one_over_root_d_k")
class NoScale(_Scale):
    def default(self, q, k, v):
        return 1.0


@killed_by("default_scale_is_one_over_root_d_k")
class DividedByDk(_Scale):
    def default(self, q, k, v):
        return 1 / q.shape[-1]


@killed_by("heads_and_batches_stay_apart")
class RootOfDModel(_Scale):
    """√(h·d_k): right whenever there is one head."""

    def default(self, q, k, v):
        heads = q.shape[-3] if q.ndim > 2 else 1
        return 1 / math.sqrt(heads * q.shape[-1])


@killed_by("default_scale_is_one_over_root_d_k")
class RootOfKeys(_Scale):
    def default(self, q, k, v):
        return 1 / math.sqrt(k.shape[-2])


@killed_by("default_scale_is_one_over_root_d_k")
class RootOfDv(_Scale):
    def default(self, q, k, v):
        return 1 / math.sqrt(v.shape[-1])


@killed_by("default_scale_is_one_over_root_d_k")
class TimesRootOfDk(_Scale):
    def default(self, q, k, v):
        return math.sqrt(q.shape[-1])


@killed_by("scale_multiplies_the_scores")
class ScaledTwice(Staged):
    def factor(self, q, k, v, scale):
        return super().factor(q, k, v, scale) ** 2


@killed_by("scale_multiplies_the_scores")
class ScaleDivides(Staged):
    def factor(self, q, k, v, scale):
        return 1 / scale if scale else super().factor(q, k, v, None)


@killed_by("scale_multiplies_the_scores")
class ScaleIgnored(Staged):
    def factor(self, q, k, v, scale):
        return super().factor(q, k, v, None)


@killed_by("scale_multiplies_the_scores")
class ScaleZeroTakenForNone(Staged):
    def factor(self, q, k, v, scale):
        return super().factor(q, k, v, scale or None)


@killed_by("scale_multiplies_the_scores")
class ScaleWithoutItsSign(Staged):
    def factor(self, q, k, v, scale):
        return abs(super().factor(q, k, v, scale))


@killed_by("scale_multiplies_the_scores")
class ScaleOnTopOfTheDefault(Staged):
    def factor(self, q, k, v, scale):
        return super().factor(q, k, v, None) * (1 if scale is None else float(scale))




@killed_by("float16_is_scaled_before_it_overflows")
class Float16ProductThenScale(Staged):
    """The product in the arguments' own dtype, the scale after it."""

    def scores(self, q, k, factor, wide):
        with np.errstate(over="ignore", invalid="ignore"):
            return (q @ k.swapaxes(-1, -2)).astype(wide) * wide.type(factor)

    def refuse_overflow(self, z, allowed):
        pass

    def weights(self, z, allowed, dtype):
        with np.errstate(invalid="ignore"):
            return super().weights(z, allowed, dtype)

    def round(self, out, dtype):
        return out.astype(dtype)


@killed_by("default_scale_is_one_over_root_d_k")
class CosineScores(Staged):
    def scores(self, q, k, factor, wide):
        def unit(x):
            with np.errstate(over="ignore"):
                length = np.sqrt((x.astype(wide) ** 2).sum(axis=-1, keepdims=True))
            return x / np.where(length == 0, 1, length)

        return super().scores(unit(q), unit(k), factor, wide)


@killed_by("large_scores_do_not_overflow")
class ScoresClipped(Staged):
    def scores(self, q, k, factor, wide):
        return np.clip(super().scores(q, k, factor, wide), -500, 500)


@killed_by("heads_and_batches_stay_apart")
class KeysOfTheNeighbour(Staged):
    """Batch b looks at the Keys of batch b − 1."""

    def scores(self, q, k, factor, wide):
        return super().scores(q, np.roll(k, 1, axis=0) if k.ndim > 2 else k, factor, wide)


@killed_by("heads_and_batches_stay_apart")
class SoftmaxOverTheBatchToo(Staged):
    def weights(self, z, allowed, dtype):
        p = super().weights(z, allowed, dtype)
        return p / p.mean(axis=0, keepdims=True) / p.shape[0] if p.ndim > 2 and allowed is None else p
