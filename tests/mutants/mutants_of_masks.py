"""Wrong masks: what is given, what is causal, and how they meet."""

from __future__ import annotations

import numpy as np

from interview_book.attention.inputs import rounded
from tests.mutants.register import MaskAdded, Unchecked, killed_by
from tests.mutants.rewrites import Staged


@killed_by("a_mask_leaves_the_softmax_of_what_is_allowed")
class MaskAfterTheSoftmax(Staged):
    def weights(self, z, allowed, dtype):
        p = super().weights(z, None, dtype)
        return p if allowed is None else np.where(allowed, p, 0)

    def refuse_overflow(self, z, allowed):
        rounded("scores", z, z.dtype)


@killed_by("a_masked_weight_is_exactly_zero")
class MaskAfterTheSoftmaxRenormalised(Unchecked):
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


@killed_by("a_mask_leaves_the_softmax_of_what_is_allowed")
class MinusTenAsMask(MaskAdded):
    low = -10.0


@killed_by("a_masked_weight_is_exactly_zero")
class MinusTenThousandAsMask(MaskAdded):
    low = -1e4


@killed_by("result_has_the_dtype_of_the_arguments")
class MinusBillionInFloat16(MaskAdded):
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
