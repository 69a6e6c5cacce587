"""Undefined numbers, empty rows, dtypes and the caller's arrays in wrong hands."""

from __future__ import annotations

import numpy as np

from interview_book.attention.inputs import require_finite, rounded
from interview_book.attention.masks import find_empty_rows, refuse_empty_rows
from tests.mutants.register import MaskAdded, Unchecked, killed_by
from tests.mutants.rewrites import Staged


@killed_by("what_nobody_may_see_may_be_undefined")
class UndefinedThroughAMaskedValue(Unchecked):
    """Weight 0 times NaN is NaN."""

    def select(self, q, k, v, allowed):
        q, k, _ = super().select(q, k, v, allowed)
        return q, k, v


@killed_by("what_nobody_may_see_may_be_undefined")
class UndefinedThroughAMaskedKey(MaskAdded):
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
