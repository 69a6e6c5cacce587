"""What is measured of one head: numbers only, from scores and vectors that may hold NaN and infinity."""

from __future__ import annotations

import math

import numpy as np
from jaxtyping import Bool, Float

from interview_book.checks.row_statistics import measure_rows

NAN = math.nan


def measure_scores(
    before: Float[np.ndarray, "b n_q n_k"],
    after: Float[np.ndarray, "b n_q n_k"],
    allowed: Bool[np.ndarray, "b n_q n_k"],
    limit: float,
    sound: Bool[np.ndarray, "b n_q n_k"] | None,
) -> dict[str, float]:
    """Measure the scores of one head before and after scaling, on allowed pairs only.

    ``limit`` is the largest number of the dtype that the model multiplies in; ``sound`` says of which pairs both
    vectors are known to be finite (``None``: nothing is known). A pair whose score is finite before and −inf after was
    masked by the model and counts as not allowed. Rows with a score that is not finite are counted and then left out;
    so are, from spreads and averages, rows with a single allowed Key, which have no choice. Standard deviations divide
    by degrees of freedom: pairs − 1 pooled, pairs − rows within rows.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        allowed = allowed & ~(np.isneginf(after) & np.isfinite(before))
        finite = np.isfinite(before) & np.isfinite(after)
        lost = allowed & (np.isinf(before) | (np.abs(before) > limit))
        if sound is not None:
            lost = (lost | (allowed & np.isnan(before))) & sound
        seen = allowed.any(axis=-1)
        broken = (allowed & ~finite).any(axis=-1)
        result = {
            "rows": float(seen.size),
            "empty_rows": _share(~seen),
            "broken_rows": _share(broken),
            "nonfinite_before": float((allowed & ~np.isfinite(before)).sum()),
            "nonfinite_after": float((allowed & ~np.isfinite(after)).sum()),
            "overflow": float(lost.sum()),
            "max_before": _largest(before, allowed),
            "max_after": _largest(after, allowed),
        }
        chosen = seen & ~broken & (allowed.sum(axis=-1) > 1)
        raw, z, may = before[chosen], after[chosen], allowed[chosen]
        keys = may.sum(axis=-1)
        raw_within, z_within = _centred(raw, may, keys), _centred(z, may, keys)
        free = keys.sum() - len(keys)
        result |= {
            "keys": _mean(keys),
            "sd_before": _sd(raw[may]),
            "sd_after": _sd(z[may]),
            "sd_before_within": math.sqrt((raw_within**2).sum() / free) if free else NAN,
            "sd_after_within": math.sqrt((z_within**2).sum() / free) if free else NAN,
            "correlation": _cosine(raw_within, z_within),
        }
        result["ratio"] = _divided(result["sd_before_within"], result["sd_after_within"])
        if not len(keys):
            return result | dict.fromkeys(("entropy", "deficit", "largest_weight", "jacobian"), NAN)
        measured = measure_rows(np.where(may, z, -np.inf))
        return result | {
            "entropy": _mean(measured.entropy),
            "deficit": _mean(measured.deficit),
            "largest_weight": _mean(measured.largest),
            "jacobian": float(np.median(measured.jacobian)),
        }


def measure_vectors(
    name: str, x: Float[np.ndarray, "b n d"] | None, used: Bool[np.ndarray, "b n"] | None = None
) -> dict[str, float]:
    """Measure the vectors ``x`` that are used: norms (root mean square and largest) and the share of their mean.

    ``_shift`` is ``‖mean‖²/mean ‖x‖²``, corrected for the 1/N it has by chance: 0 for vectors around zero, 1 if all are
    equal. Vectors that are not finite are counted (all of them, used or not) and left out.
    """
    keys = (f"{name}_norm", f"{name}_norm_max", f"{name}_shift", f"nonfinite_{name}")
    if x is None:
        return dict.fromkeys(keys, NAN)
    good = np.isfinite(x).all(axis=-1)
    bad = float((~np.isfinite(x)).sum())
    vectors = x[good if used is None else good & used]
    if not len(vectors):
        return dict(zip(keys, (NAN, NAN, NAN, bad), strict=True))
    squares = (vectors**2).sum(axis=-1)
    mean_square, count = float(squares.mean()), len(vectors)
    share = _divided(float((vectors.mean(axis=0) ** 2).sum()), mean_square)
    shift = max(0.0, (share - 1 / count) / (1 - 1 / count)) if count > 1 else NAN
    return dict(zip(keys, (math.sqrt(mean_square), math.sqrt(squares.max()), shift, bad), strict=True))


def measure_weights(
    p: Float[np.ndarray, "b n_q n_k"] | None,
    allowed: Bool[np.ndarray, "b n_q n_k"],
    past: Bool[np.ndarray, "b n_q n_k"],
    epsilon: float,
) -> dict[str, float]:
    """Measure weights that a model gave: what lies on pairs that may not attend, and what rows add up to.

    ``past`` is the causal part of the mask alone. ``row_sum_error`` is in units of ``epsilon``, the spacing of the
    weights' dtype at 1; infinite if a row with an allowed Key holds NaN. NaN elsewhere hides nothing.
    """
    if p is None:
        return dict.fromkeys(("future_weight", "hidden_weight", "row_sum_error", "empty_row_weight"), NAN)
    seen = allowed.any(axis=-1)
    sums = p.sum(axis=-1)
    return {
        "future_weight": _peak(np.abs(p)[~past & seen[..., np.newaxis]]),
        "hidden_weight": _peak(np.abs(p)[past & ~allowed & seen[..., np.newaxis]]),
        "row_sum_error": _peak(np.where(np.isnan(sums), np.inf, np.abs(sums - 1))[seen]) / epsilon,
        "empty_row_weight": float(np.abs(sums[~seen]).max()) if not seen.all() else NAN,
    }


def measure_gradients(
    after: Float[np.ndarray, "b n_q n_k"],
    allowed: Bool[np.ndarray, "b n_q n_k"],
    q: Float[np.ndarray, "b n_q d_k"],
    k: Float[np.ndarray, "b n_k d_k"],
    v: Float[np.ndarray, "b n_k d_v"],
    g: Float[np.ndarray, "b n_q d_v"],
    scale: float,
) -> dict[str, float]:
    """Carry ``g``, the gradient in the outputs, back through one head and return Frobenius norms.

    ``softmax_gain`` is the median over rows of ``‖dz‖/‖dp − mean dp‖`` times the allowed Keys of the row: how much of
    the gradient in the weights gets through the softmax, where 1 is what uniform weights let through. Rows with a score
    that is not finite take no part.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        allowed = allowed & ~np.isneginf(after)
        good = allowed.any(axis=-1) & ~(allowed & ~np.isfinite(after)).any(axis=-1)
        allowed = allowed & good[..., np.newaxis]
        z = np.where(allowed, after, -np.inf)
        p = np.exp(z - np.where(good, z.max(axis=-1), 0.0)[..., np.newaxis])
        p /= np.where(good, p.sum(axis=-1), 1.0)[..., np.newaxis]
        # What no allowed pair uses is selected away; 0 · NaN would be NaN.
        q, g = (np.where(good[..., np.newaxis], x, 0.0) for x in (q, g))
        k, v = (np.where(allowed.any(axis=-2)[..., np.newaxis], x, 0.0) for x in (k, v))
        d_p = np.where(allowed, g @ v.swapaxes(-1, -2), 0.0)
        d_z = p * (d_p - (p * d_p).sum(axis=-1, keepdims=True))
        keys = allowed.sum(axis=-1)
        chosen = keys > 1
        spread = np.linalg.norm(_centred(d_p[chosen], allowed[chosen], keys[chosen]), axis=-1)
        gain = np.linalg.norm(d_z[chosen], axis=-1)[spread > 0] / spread[spread > 0] * keys[chosen][spread > 0]
        return {
            "gradient_q": _norm(scale * (d_z @ k)),
            "gradient_k": _norm(scale * (d_z.swapaxes(-1, -2) @ q)),
            "gradient_v": _norm(p.swapaxes(-1, -2) @ g),
            "softmax_gain": float(np.median(gain)) if gain.size else NAN,
        }


def _centred(z: np.ndarray, may: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """Return each row minus its mean over the allowed Keys, 0 elsewhere."""
    means = np.where(may, z, 0.0).sum(axis=-1, keepdims=True) / np.maximum(keys, 1)[..., np.newaxis]
    return np.where(may, z - means, 0.0)


def _cosine(a: np.ndarray, b: np.ndarray) -> float:
    return _divided(float((a * b).sum()), math.sqrt(float((a**2).sum())) * math.sqrt(float((b**2).sum())))


def _divided(a: float, b: float) -> float:
    return a / b if b else NAN


def _largest(z: np.ndarray, allowed: np.ndarray) -> float:
    finite = np.abs(z[allowed & np.isfinite(z)])
    return float(finite.max()) if finite.size else NAN


def _mean(x: np.ndarray) -> float:
    return float(x.mean()) if x.size else NAN


def _norm(x: np.ndarray) -> float:
    return float(np.sqrt((x**2).sum()))


def _peak(x: np.ndarray) -> float:
    return float(np.fmax.reduce(x, axis=None, initial=0.0))


def _sd(x: np.ndarray) -> float:
    return float(x.std(ddof=1)) if x.size > 1 else NAN


def _share(x: np.ndarray) -> float:
    return float(x.mean()) if x.size else NAN
