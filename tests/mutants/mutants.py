"""Wrong versions of ``attend``, each with one fault that was made somewhere, and the check that must find it.

Every mutant has the signature of ``attend`` and is complete: apart from its fault it is :class:`rewrites.Staged`, which
keeps every promise.
"""

from __future__ import annotations

import math

import numpy as np

from interview_book.attention.inputs import require_finite, rounded
from interview_book.attention.masks import find_empty_rows, refuse_empty_rows
from tests.mutants.rewrites import Staged

MUTANTS: dict[str, tuple[type[Staged], str, type[Exception]]] = {}


def killed_by(check: str, error: type[Exception] = AssertionError):
    """Put the mutant on the list, with the check that is meant to find it.

    ``error`` is what that check then raises: an AssertionError, or, from a mutant that refuses too much, its own.
    """

    def put(mutant: type[Staged]) -> type[Staged]:
        MUTANTS[mutant.__name__] = (mutant, check, error)
        return mutant

    return put


# --- The scale ---------------------------------------------------------------------------------------------------


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


# --- The scores --------------------------------------------------------------------------------------------------


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


# --- The softmax -------------------------------------------------------------------------------------------------


def _softmax(z, allowed, axis=-1, top_axis=-1, shift=True):
    """Softmax with its choices open."""
    z = z if allowed is None else np.where(allowed, z, -np.inf)
    top = z.max(axis=top_axis, keepdims=True) if shift else 0.0
    with np.errstate(over="ignore", invalid="ignore"):
        e = np.exp(z - np.where(np.isneginf(top), 0, top))
        total = e.sum(axis=axis, keepdims=True)
        return e / np.where(total == 0, 1, total)


class _Unchecked(Staged):
    """What is undefined goes on to the output, as it does where nobody looks."""

    def mix(self, p, v):
        with np.errstate(over="ignore", invalid="ignore"):
            return p @ v.astype(p.dtype)

    def round(self, out, dtype):
        with np.errstate(over="ignore"):
            return out.astype(dtype)


@killed_by("each_query_averages_over_the_keys")
class SoftmaxOverTheQueries(_Unchecked):
    def weights(self, z, allowed, dtype):
        return _softmax(z, allowed, axis=-2, top_axis=-2)


@killed_by("each_query_averages_over_the_keys")
class SoftmaxOverEverything(_Unchecked):
    def weights(self, z, allowed, dtype):
        return _softmax(z, allowed, axis=(-2, -1), top_axis=(-2, -1))


@killed_by("large_scores_do_not_overflow")
class NoMaximumShift(_Unchecked):
    def weights(self, z, allowed, dtype):
        return _softmax(z, allowed, shift=False)


@killed_by("queries_do_not_meet")
class OneMaximumForAllRows(_Unchecked):
    def weights(self, z, allowed, dtype):
        return _softmax(z, allowed, top_axis=None)


@killed_by("default_scale_is_one_over_root_d_k")
class MaximumOfTheColumn(_Unchecked):
    def weights(self, z, allowed, dtype):
        return _softmax(z, allowed, top_axis=-2)


@killed_by("a_masked_weight_is_exactly_zero")
class MaximumOverMaskedKeysToo(_Unchecked):
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
class Float16Sums(_Unchecked):
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
class EverythingInFloat32(_Unchecked):
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


# --- The mask ----------------------------------------------------------------------------------------------------


@killed_by("a_mask_leaves_the_softmax_of_what_is_allowed")
class MaskAfterTheSoftmax(Staged):
    def weights(self, z, allowed, dtype):
        p = super().weights(z, None, dtype)
        return p if allowed is None else np.where(allowed, p, 0)

    def refuse_overflow(self, z, allowed):
        rounded("scores", z, z.dtype)


@killed_by("a_masked_weight_is_exactly_zero")
class MaskAfterTheSoftmaxRenormalised(_Unchecked):
    """Right on paper; a masked score far above the others leaves 0/0."""

    def weights(self, z, allowed, dtype):
        if allowed is None:
            return super().weights(z, None, dtype)
        top = z.max(axis=-1, keepdims=True)
        with np.errstate(invalid="ignore", over="ignore"):
            e = np.where(allowed, np.exp(z - np.where(np.isfinite(top), top, 0)), 0)
            total = e.sum(axis=-1, keepdims=True)
            return np.where(allowed.any(axis=-1, keepdims=True), e / total, 0)


@killed_by("a_mask_leaves_the_softmax_of_what_is_allowed")
class MaskTimesScores(Staged):
    """A masked score becomes 0, which is a score like any other."""

    def weights(self, z, allowed, dtype):
        return super().weights(z if allowed is None else np.where(allowed, z, 0), None, dtype)


class _MaskAdded(_Unchecked):
    """A finite number added to masked scores, in the dtype of the arguments."""

    def refuse_overflow(self, z, allowed):
        pass

    def weights(self, z, allowed, dtype):
        if allowed is None:
            return super().weights(z, None, dtype)
        with np.errstate(over="ignore", invalid="ignore"):
            z = z + (~allowed).astype(dtype) * np.float64(self.low).astype(dtype)
            return super().weights(z, None, dtype)


@killed_by("a_mask_leaves_the_softmax_of_what_is_allowed")
class MinusTenAsMask(_MaskAdded):
    low = -10.0


@killed_by("a_masked_weight_is_exactly_zero")
class MinusTenThousandAsMask(_MaskAdded):
    low = -1e4


@killed_by("result_has_the_dtype_of_the_arguments")
class MinusBillionInFloat16(_MaskAdded):
    """−1e9 is −inf in float16, and 0 · −inf is NaN for every pair that was allowed."""

    low = -1e9

    def refuse_overflow(self, z, allowed):
        if z.dtype == np.float64:
            Staged.refuse_overflow(self, z, allowed)

    def weights(self, z, allowed, dtype):
        if dtype != np.float16:  # the fault shows in float16 only
            return Staged.weights(self, z, allowed, dtype)
        with np.errstate(invalid="ignore"):
            return super().weights(z, allowed, dtype)


@killed_by("a_masked_weight_is_exactly_zero")
class MinusBillionAsMask(Staged):
    """Put in, not added: wins against an allowed score that is lower still."""

    def weights(self, z, allowed, dtype):
        low = z.dtype.type(-1e9)
        return super().weights(z if allowed is None else np.where(allowed, z, low), None, dtype)


@killed_by("a_masked_weight_is_exactly_zero")
class LowestNumberAsMask(Staged):
    """Put in: loses only to an allowed score that is the lowest number itself."""

    def weights(self, z, allowed, dtype):
        if allowed is None:
            return super().weights(z, None, dtype)
        with np.errstate(over="ignore"):
            p = super().weights(np.where(allowed, z, np.finfo(z.dtype).min), None, dtype)
        return np.where(allowed.any(axis=-1, keepdims=True), p, p.dtype.type(0))


@killed_by("true_means_may_attend")
class InvertedMask(Staged):
    def allowed(self, q, k, allow, causal, align):
        return super().allowed(q, k, None if allow is None else ~allow, causal, align)


@killed_by("a_square_mask_is_not_turned")
class SquareMaskTurned(Staged):
    """Rows and columns of the mask change places; only a square one lets them."""

    def allowed(self, q, k, allow, causal, align):
        both = super().allowed(q, k, allow, causal, align)  # for its errors
        if allow is None or allow.shape[-2] != allow.shape[-1]:
            return both
        return super().allowed(q, k, allow.swapaxes(-1, -2), causal, align)


@killed_by("no_padding_leak_together_with_causal")
class PaddedQueriesInPlaceOfKeys(Staged):
    """A mask of Keys lands on the Queries when there are as many."""

    def allowed(self, q, k, allow, causal, align):
        both = super().allowed(q, k, allow, causal, align)  # for its errors
        if allow is None or allow.shape[-2] != 1 or q.shape[-2] != allow.shape[-1]:
            return both
        return super().allowed(q, k, allow.swapaxes(-1, -2), causal, align)


@killed_by("masks_broadcast_over_batch_and_heads")
class OneMaskForAllBatches(Staged):
    def allowed(self, q, k, allow, causal, align):
        both = super().allowed(q, k, allow, causal, align)  # for its errors
        return both if allow is None or allow.ndim == 2 else super().allowed(q, k, allow[:1], causal, align)


@killed_by("wrong_masks_are_named")
class MaskOfARankLess(Staged):
    """A (B, n_q, n_k) mask beside (B, h, n_q, n_k) scores is let through and meets the heads."""

    def allowed(self, q, k, allow, causal, align):
        if isinstance(allow, np.ndarray) and 2 < allow.ndim < max(q.ndim, k.ndim):
            allow = allow[..., np.newaxis, :, :]
        return super().allowed(q, k, allow, causal, align)


@killed_by("wrong_types_are_named")
class IntegerMaskTaken(Staged):
    def allowed(self, q, k, allow, causal, align):
        if isinstance(allow, np.ndarray) and allow.dtype.kind == "i":
            allow = allow.astype(bool)
        return super().allowed(q, k, allow, causal, align)


@killed_by("wrong_types_are_named")
class AdditiveMaskTakenForBoolean(Staged):
    """0 means «may attend» there and «may not» here."""

    def allowed(self, q, k, allow, causal, align):
        if isinstance(allow, np.ndarray) and allow.dtype.kind == "f":
            allow = allow.astype(bool)
        return super().allowed(q, k, allow, causal, align)


# --- Causal ------------------------------------------------------------------------------------------------------


@killed_by("causal_by_hand")
class TopLeftForBottomRight(Staged):
    def allowed(self, q, k, allow, causal, align):
        return super().allowed(q, k, allow, causal, align and "top-left")


@killed_by("causal_by_hand")
class BottomRightForTopLeft(Staged):
    def allowed(self, q, k, allow, causal, align):
        return super().allowed(q, k, allow, causal, align and "bottom-right")


@killed_by("causal_needs_to_know_the_alignment")
class AlignmentGuessed(Staged):
    def allowed(self, q, k, allow, causal, align):
        return super().allowed(q, k, allow, causal, "top-left" if causal is True and align is None else align)


class _Triangle(Staged):
    """The causal part is made here."""

    def allowed(self, q, k, allow, causal, align):
        both = super().allowed(q, k, allow, causal, align)  # for its errors
        if not causal:
            return both
        n_q, n_k = q.shape[-2], k.shape[-2]
        past = np.tri(n_q, n_k, (n_k - n_q if align == "bottom-right" else 0) + self.shift, dtype=bool)
        return past if allow is None else self.combine(past, super().allowed(q, k, allow, False, None))

    def combine(self, past, given):
        return past & given

    shift = 0


@killed_by("causal_equals_its_mask_and_keeps_no_state")
class WithoutTheOwnPlace(_Triangle):
    """j < i."""

    shift = -1


@killed_by("no_future_leak")
class OnePlaceTooFar(_Triangle):
    """j ≤ i + 1."""

    shift = 1


@killed_by("no_padding_leak_together_with_causal")
class PaddingIgnoredIfCausal(_Triangle):
    def combine(self, past, given):
        return past


@killed_by("no_padding_leak_together_with_causal")
class CausalIgnoredIfPadding(_Triangle):
    def combine(self, past, given):
        return given


@killed_by("no_padding_leak_together_with_causal")
class EitherMaskIsEnough(_Triangle):
    def combine(self, past, given):
        return past | given


@killed_by("causal_by_hand")
class CausalIgnored(Staged):
    def allowed(self, q, k, allow, causal, align):
        super().allowed(q, k, allow, causal, align)
        return super().allowed(q, k, allow, False, None)


@killed_by("causal_by_hand")
class FutureForPast(_Triangle):
    def allowed(self, q, k, allow, causal, align):
        found = super().allowed(q, k, allow, causal, align)
        return found[..., ::-1, ::-1] if causal and allow is None else found


@killed_by("causal_equals_its_mask_and_keeps_no_state")
class FirstTriangleKept(_Triangle):
    """The triangle of the first causal call is kept and cut to size: bottom-right comes out shifted."""

    def __init__(self):
        self.kept = None

    def allowed(self, q, k, allow, causal, align):
        found, sizes = super().allowed(q, k, allow, causal, align), (q.shape[-2], k.shape[-2])
        if not causal or allow is not None:
            return found
        if self.kept is None or self.kept.shape[0] < sizes[0] or self.kept.shape[1] < sizes[1]:
            self.kept = found
        return self.kept[: sizes[0], : sizes[1]]


# --- What is undefined, and empty rows ---------------------------------------------------------------------------


@killed_by("what_nobody_may_see_may_be_undefined")
class UndefinedThroughAMaskedValue(_Unchecked):
    """Weight 0 times NaN is NaN."""

    def select(self, q, k, v, allowed):
        q, k, _ = super().select(q, k, np.zeros((k.shape[-2], 1)), allowed)
        used = np.isfinite(super().select(q, k, np.where(np.isfinite(v), v, 0), allowed)[2])
        if allowed is None:
            require_finite("v", v, used)
        return q, k, v


@killed_by("what_nobody_may_see_may_be_undefined")
class UndefinedThroughAMaskedKey(_MaskAdded):
    """NaN plus −1e30 is NaN."""

    low = -1e30

    def select(self, q, k, v, allowed):
        return q, k, super().select(np.zeros((q.shape[-2], 1)), np.zeros((k.shape[-2], 1)), v, allowed)[2]


@killed_by("what_somebody_may_see_must_be_finite")
class UndefinedMadeZero(Staged):
    """nan_to_num: nobody hears of it."""

    def select(self, q, k, v, allowed):
        return tuple(np.nan_to_num(x, posinf=0.0, neginf=0.0) for x in (q, k, v))


@killed_by("what_nobody_may_see_may_be_undefined", ValueError)
class UndefinedRefusedEverywhere(Staged):
    def select(self, q, k, v, allowed):
        for name, x in zip("qkv", (q, k, v), strict=True):
            require_finite(name, x)
        return q, k, v


@killed_by("a_masked_pair_may_overflow_and_an_allowed_one_not", ValueError)
class OverflowRefusedEverywhere(Staged):
    def refuse_overflow(self, z, allowed):
        rounded("scores", z, z.dtype)


@killed_by("empty_rows_become_zero")
class EmptyRowIsTheMeanOfTheValues(Staged):
    def settle(self, out, v, empty, empty_rows):
        if empty is not None and empty_rows == "zero":
            return np.where(empty[..., np.newaxis], v.mean(axis=-2, keepdims=True), out).astype(out.dtype)
        return super().settle(out, v, empty, empty_rows)


@killed_by("empty_rows_become_zero")
class EmptyRowIsUndefined(Staged):
    def settle(self, out, v, empty, empty_rows):
        if empty is not None and empty_rows == "zero":
            return np.where(empty[..., np.newaxis], out.dtype.type(np.nan), out)
        return super().settle(out, v, empty, empty_rows)


@killed_by("empty_rows_are_refused_by_default")
class EmptyRowsNeverRefused(Staged):
    def refuse(self, empty, empty_rows):
        refuse_empty_rows(None, empty_rows)


@killed_by("empty_rows_are_refused_by_default")
class EmptyOnlyByTheMaskGiven(Staged):
    """A row that only causal and allow together empty goes through."""

    def allowed(self, q, k, allow, causal, align):
        both = super().allowed(q, k, allow, causal, align)
        self.given = super().allowed(q, k, allow, False, None)
        return both

    def refuse(self, empty, empty_rows):
        refuse_empty_rows(find_empty_rows(self.given), empty_rows)


@killed_by("empty_rows_are_left_out")
class EmptyRowsCountAsZero(Staged):
    def settle(self, out, v, empty, empty_rows):
        return super().settle(out, v, empty, "zero")


@killed_by("empty_rows_are_left_out")
class MaskedArrayOnlyIfNeeded(Staged):
    """"skip" gives a plain array when no row is empty: the type depends on the data."""

    def settle(self, out, v, empty, empty_rows):
        return super().settle(out, v, empty, "zero" if empty is None or not empty.any() else empty_rows)


# --- Values, dtypes and the caller's arrays ----------------------------------------------------------------------


@killed_by("queries_do_not_meet")
class ValuesFromKeys(Staged):
    """The wrong matrix, wherever its width lets it pass."""

    def select(self, q, k, v, allowed):
        q, k, v = super().select(q, k, v, allowed)
        return q, k, (k if k.shape == v.shape else v)


@killed_by("reordering_keys_with_values_changes_nothing")
class ValuesBackwards(Staged):
    def mix(self, p, v):
        return super().mix(p, v[..., ::-1, :])


@killed_by("result_has_the_dtype_of_the_arguments")
class AlwaysFloat64(Staged):
    def result_dtype(self, q, k, v):
        return np.dtype(np.float64)


@killed_by("result_has_the_dtype_of_the_arguments")
class DtypeOfTheQuery(Staged):
    def result_dtype(self, q, k, v):
        return q.dtype


@killed_by("wrong_types_are_named")
class IntegersConverted(Staged):
    def __call__(self, q, k, v, **options):
        given = [x.astype(np.float64) if isinstance(x, np.ndarray) and x.dtype.kind == "i" else x for x in (q, k, v)]
        return super().__call__(*given, **options)


@killed_by("arguments_stay_and_the_result_is_new")
class QueriesScaledInPlace(Staged):
    def scores(self, q, k, factor, wide):
        z = super().scores(q, k, factor, wide)
        if q.flags.writeable:
            q *= q.dtype.type(factor)
        return z


@killed_by("arguments_stay_and_the_result_is_new")
class MaskedValuesErasedInPlace(Staged):
    def select(self, q, k, v, allowed):
        if v.flags.writeable and not np.isfinite(v).all():
            v[~np.isfinite(v)] = 0
        return super().select(q, k, v, allowed)


@killed_by("arguments_stay_and_the_result_is_new")
class MaskChangedInPlace(Staged):
    def allowed(self, q, k, allow, causal, align):
        both = super().allowed(q, k, allow, causal, align)
        if causal and allow is not None and allow.flags.writeable and allow.shape == both.shape:
            allow &= both
        return both


@killed_by("arguments_stay_and_the_result_is_new")
class ResultSharedWithTheValues(Staged):
    """One Key: its Value is handed out itself."""

    def settle(self, out, v, empty, empty_rows):
        same = empty is None and empty_rows != "skip" and v.shape == out.shape and v.dtype == out.dtype
        return v if same and v.shape[-2] == 1 else super().settle(out, v, empty, empty_rows)


@killed_by("batch_axes_broadcast")
class BatchOfTheQueryOnly(Staged):
    """Values whose batch has more axes are cut to that of the Queries."""

    def settle(self, out, v, empty, empty_rows):
        while out.ndim > 4:
            out = out[0]
        return super().settle(out, v, empty, empty_rows)
