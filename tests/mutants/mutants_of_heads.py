"""``multi_head`` written again in stages, and wrong versions of it with the check that must find each."""

from __future__ import annotations

import numpy as np

from interview_book.attention import attend

MUTANTS: dict[str, tuple[type[StagedHeads], str]] = {}


class StagedHeads:
    """``multi_head`` in stages, without the checks of its arguments; alone it is right."""

    def __call__(self, x_q, x_kv, w_q, w_k, w_v, w_o, *, heads, kv_heads=None, b_q=None, b_k=None, b_v=None, b_o=None,
                 allow=None, causal=False, align=None, scale=None, empty_rows="raise"):  # fmt: skip
        kv_heads = heads if kv_heads is None else kv_heads
        x_kv = self.asked(x_q, x_kv)
        q = self.split(self.project(x_q, w_q, b_q, "q"), heads)
        k = self.split(self.project(x_kv, w_k, b_k, "k"), kv_heads)
        v = self.split(self.project(x_kv, w_v, b_v, "v"), kv_heads)
        k, v = (self.share(x, heads // kv_heads) for x in (k, v))
        options = {"causal": causal, "align": align, "empty_rows": empty_rows}
        scale = self.scale(q, heads // kv_heads) if scale is None else scale
        mixed = attend(q, k, v, allow=self.mask(allow), scale=scale, **options)
        return self.project(self.merge(mixed), w_o, b_o, "o")

    def asked(self, x_q, x_kv):
        """Return the embeddings that are asked."""
        return x_kv

    def project(self, x, w, b, name):
        """Return x w + b."""
        return x @ w if b is None else x @ w + b

    def split(self, x, heads):
        """Cut the features into heads: (..., n, h·d) → (..., h, n, d)."""
        return x.reshape(*x.shape[:-1], heads, -1).swapaxes(-3, -2)

    def share(self, x, groups):
        """Give each head of Keys or Values to its Queries."""
        return np.repeat(x, groups, axis=-3)

    def mask(self, allow):
        """Return the mask."""
        return allow

    def scale(self, q, groups):
        """Return the default multiplier."""
        return q.shape[-1] ** -0.5

    def merge(self, x):
        """Put the heads side by side: (..., h, n, d) → (..., n, h·d)."""
        return x.swapaxes(-3, -2).reshape(*x.shape[:-3], x.shape[-2], -1)


def killed_by(check: str):
    """Put the mutant on the list, with the check that is meant to find it."""

    def put(mutant: type[StagedHeads]) -> type[StagedHeads]:
        MUTANTS[mutant.__name__] = (mutant, check)
        return mutant

    return put


@killed_by("the_scale_is_that_of_one_head")
class RootOfAllHeads(StagedHeads):
    """√(h·d_k), the width of the embedding in most models."""

    def scale(self, q, groups):
        return (q.shape[-3] * q.shape[-1]) ** -0.5


@killed_by("neighbours_share_a_head_of_keys")
class RootOfTheGroup(StagedHeads):
    def scale(self, q, groups):
        return (groups * q.shape[-1]) ** -0.5


@killed_by("neighbours_share_a_head_of_keys")
class TileForRepeat(StagedHeads):
    """a, b, a, b, … where a, a, b, b, … is meant."""

    def share(self, x, groups):
        return np.concatenate([x] * groups, axis=-3)


@killed_by("neighbours_share_a_head_of_keys")
class FirstHeadOfKeysForAll(StagedHeads):
    def share(self, x, groups):
        return np.repeat(x[..., :1, :, :], x.shape[-3], axis=-3) if groups == 1 else np.repeat(
            x[..., :1, :, :], groups * x.shape[-3], axis=-3
        )


@killed_by("neighbours_share_a_head_of_keys")
class PositionsRepeatedForHeads(StagedHeads):
    """The repeat goes along the Keys, and what is left is cut to size."""

    def share(self, x, groups):
        return np.tile(np.repeat(x, groups, axis=-2)[..., : x.shape[-2], :], (groups, 1, 1))


@killed_by("each_head_has_its_own_features")
class SplitWithoutTurning(StagedHeads):
    """(n, h·d) is read as (h, n, d): the sizes fit and the rows are torn."""

    def split(self, x, heads):
        return x.reshape(*x.shape[:-2], heads, x.shape[-2], -1)


@killed_by("each_head_has_its_own_features")
class FeaturesInterleaved(StagedHeads):
    """Head i takes every h-th feature."""

    def split(self, x, heads):
        return np.moveaxis(x.reshape(*x.shape[:-1], -1, heads), -1, -3)


@killed_by("each_head_has_its_own_features")
class MergedWithoutTurning(StagedHeads):
    def merge(self, x):
        return x.reshape(*x.shape[:-3], x.shape[-2], -1)


@killed_by("each_head_has_its_own_features")
class HeadsInReverse(StagedHeads):
    def merge(self, x):
        return super().merge(x[..., ::-1, :, :])


@killed_by("queries_ask_and_keys_answer")
class SelfAttentionAlways(StagedHeads):
    """The Keys come from the Queries' embeddings wherever the width lets them."""

    def asked(self, x_q, x_kv):
        return x_q if x_q.shape[-1] == x_kv.shape[-1] else x_kv


@killed_by("biases_are_optional_and_apart")
class BiasOfTheValuesForgotten(StagedHeads):
    def project(self, x, w, b, name):
        return super().project(x, w, None if name == "v" else b, name)


@killed_by("biases_are_optional_and_apart")
class BiasOfTheOutputForgotten(StagedHeads):
    def project(self, x, w, b, name):
        return super().project(x, w, None if name == "o" else b, name)


@killed_by("each_head_has_its_own_features")
class OutputNotProjected(StagedHeads):
    """W_O is cut to the identity."""

    def project(self, x, w, b, name):
        return super().project(x, np.eye(*w.shape) if name == "o" else w, b, name)


@killed_by("masks_reach_their_heads")
class MaskOfTheFirstHeadForAll(StagedHeads):
    def mask(self, allow):
        return allow if allow is None or allow.ndim == 2 else allow[..., :1, :, :]


@killed_by("masks_reach_their_heads")
class MaskOfTheFirstSequenceForAll(StagedHeads):
    def mask(self, allow):
        return allow if allow is None or allow.ndim == 2 else allow[:1]
