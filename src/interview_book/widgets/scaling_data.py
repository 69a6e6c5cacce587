"""What the scaling lab shows, measured once per process: laws of scores, means over rows of weights, one row.

Within a row, Keys with correlation ρ to the Query are ``k_j = ρ q + √(1 − ρ²) g_j``, so for σ = 1 the raw scores are
``ρ‖q‖² + √(1 − ρ²) ‖q‖ g_j`` with standard normal ``g_j``. The softmax does not see the common first term: weights
depend on d_k, on n and on σ² √(1 − ρ²)/c. The *level* σ²/c is what the lists below are ordered by.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import numpy as np
from jaxtyping import Float

from interview_book.attention import entropy, softmax
from interview_book.checks import Moments, normal_score_rows, raw_scores, summarise_rows

SIZES = (1, 4, 16, 64, 256, 1024)
KEYS = (4, 16, 64, 256)
DEVIATIONS = (0.5, 1, 1.5, 2)
CORRELATIONS = (0, 0.1, 0.3, 0.6)
HEADS = 8
# √d_model is √(heads · d_k): what an implementation divides by that takes the wrong width.
DIVISORS = ("none", "sqrt", "d_k", "8", "sqrt_d_model")

SEED = 20170612
SCORES, ROWS = 10_000, 2_000
# Bins of the standardised score: BINS of them from −BINS·BIN/2 on.
BIN, BINS = 0.25, 40
# Rows drawn, of which the most typical one is shown.
CANDIDATES = 401
# The scaled scores that the picture has room for: from −EDGE to EDGE.
EDGE = 12
# So many of the largest weights get a bar; with more Keys the last bar is all the others.
BARS = 16
# Units of the integers that stand for means.
NAT, WEIGHT = 1e-3, 1e-4
# Rows of 256 Keys are measured in a core's cache.
_MEMORY = 2**19


def divisor_of(name: str, d_k: int) -> float:
    """Return ``c`` of one of :data:`DIVISORS`."""
    return {"none": 1.0, "sqrt": math.sqrt(d_k), "d_k": float(d_k), "8": 8.0, "sqrt_d_model": math.sqrt(HEADS * d_k)}[
        name
    ]


def levels(d_k: int) -> list[float]:
    """Return every σ²/c that the controls can set, ascending, each once."""
    found = []
    for level in sorted(s * s / divisor_of(c, d_k) for s in DEVIATIONS for c in DIVISORS):
        if not found or level > found[-1] * (1 + 1e-9):
            found.append(level)
    return found


def measure(rng: np.random.Generator, scores: int = SCORES, rows: int = ROWS) -> dict:
    """Measure everything, unrounded.

    Returns
    -------
    ``laws[d][r]`` : :class:`Moments` of raw scores at σ = 1, ``counts`` in the bins of the score standardised by
    theory, ``outside`` (below −EDGE, above EDGE) for every level. ``entropy`` and ``largest`` : means over rows, of
    shape ``(sizes, keys, levels, correlations)`` as nested lists. ``norms`` ‖q‖ for each size and ``normals`` g_j: the
    one row that is shown. ``margin`` : how close any score comes to an edge, in standard deviations.
    """
    for_laws, for_rows, for_one = rng.spawn(3)
    laws, margin = [], math.inf
    for d_k, child in zip(SIZES, for_laws.spawn(len(SIZES)), strict=True):
        laws.append([])
        for rho, one in zip(CORRELATIONS, child.spawn(len(CORRELATIONS)), strict=True):
            law, near = _law(one, scores, d_k, rho)
            laws[-1].append(law)
            margin = min(margin, near)
    entropies, largest = [], []
    for d_k, child in zip(SIZES, for_rows.spawn(len(SIZES)), strict=True):
        entropies.append([])
        largest.append([])
        for n, one in zip(KEYS, child.spawn(len(KEYS)), strict=True):
            drawn = list(normal_score_rows(one, rows, n, d_k, memory=_MEMORY))
            # The same rows for every level and ρ, so that differences are not luck.
            summaries = [
                [summarise_rows(drawn, 1 / (level * math.sqrt(1 - rho * rho))) for rho in CORRELATIONS]
                for level in levels(d_k)
            ]
            for name, whole in (("entropy", entropies), ("largest", largest)):
                whole[-1].append([[float(one.mean(name).value) for one in row] for row in summaries])
    norms, normals = _typical(for_one, entropies)
    return {
        "laws": laws,
        "entropy": entropies,
        "largest": largest,
        "norms": norms,
        "normals": normals,
        "margin": margin,
    }


def _typical(rng: np.random.Generator, entropies: list) -> tuple[list[float], Float[np.ndarray, " n"]]:
    """Draw many rows and return one that is like their mean: the median ‖q‖ of each size, and one row of normals.

    Its first n numbers are the row with n Keys. It is the one whose entropies, d_k = 64, divided by 1 and by 8, with
    any number of Keys, are nearest to the means.
    """
    norms = [math.sqrt(float(np.median(rng.chisquare(d_k, CANDIDATES)))) for d_k in SIZES]
    normals = rng.standard_normal((CANDIDATES, max(KEYS)))
    size, off = SIZES.index(64), np.zeros(CANDIDATES)
    for level in (1.0, 1 / 8):
        place = min(range(len(levels(64))), key=lambda i: abs(levels(64)[i] - level))
        for n, means in zip(KEYS, entropies[size], strict=True):
            off += ((entropy(normals[:, :n] * (norms[size] * level)) - means[place][0]) / math.log(n)) ** 2
    return norms, normals[off.argmin()]


def _law(rng: np.random.Generator, scores: int, d_k: int, rho: float) -> tuple[dict, float]:
    raw = np.concatenate(list(raw_scores(rng, scores, d_k, rho=rho)))
    place = (raw - rho * d_k) / math.sqrt(d_k * (1 + rho * rho)) / BIN
    bins = np.floor(place).astype(int) + BINS // 2
    counts = np.bincount(bins[(bins >= 0) & (bins < BINS)], minlength=BINS)
    outside = [(int((raw * level < -EDGE).sum()), int((raw * level > EDGE).sum())) for level in levels(d_k)]
    near = min(float(np.abs(np.abs(raw * level) - EDGE).min()) / level for level in levels(d_k)) / math.sqrt(d_k)
    near = min(near, float(np.abs(place - np.round(place)).min()) * BIN)
    return {"moments": Moments.of(raw), "counts": counts.tolist(), "outside": outside}, near


def rounded(measured: dict, scores: int = SCORES, rows: int = ROWS) -> dict:
    """Return the measurements as the page gets them: JSON types, four digits, means as integers.

    ``outside`` is flat and begins with the largest level: below, above, below, …; what is missing at its end is 0.
    """
    laws = [
        [
            {
                "mean": _digits(law["moments"].mean),
                "deviation": _digits(math.sqrt(law["moments"].variance())),
                "counts": law["counts"],
                "outside": _without_zeros([count for pair in reversed(law["outside"]) for count in pair]),
            }
            for law in of_size
        ]
        for of_size in measured["laws"]
    ]
    return {
        "scores": scores,
        "rows": rows,
        "bin": BIN,
        "levels": [[_digits(level, 6) for level in levels(d_k)] for d_k in SIZES],
        "laws": laws,
        "norms": [_digits(one) for one in measured["norms"]],
        "normals": [_digits(one, 3) for one in measured["normals"]],
        "entropy": _integers(measured["entropy"], NAT),
        "largest": _integers(measured["largest"], WEIGHT),
    }


@cache
def measured() -> dict:
    """Return the data of the book's seed, computed at the first call; it is the caller's to leave as it is."""
    return rounded(measure(np.random.Generator(np.random.PCG64(SEED))))


def reading(data: dict, d_k: int, key_count: int, deviation: float, correlation: float, divisor: str) -> dict:
    """Compute what the widget shows for one state of its controls; JSON types only.

    Returns
    -------
    ``c``; ``mean``, ``deviation`` of s/c measured and ``theory`` of both; ``outside``, the shares below and above the
    axis; ``order``, ``z`` and ``p`` of the row's largest weights and ``rest``, the sum of the others; ``row`` and
    ``mean_row``: entropy and largest weight of the row and on average over rows; ``spread``, the standard deviation
    within a row by theory; ``kind`` of state: ``"flat"``, ``"initial"``, ``"sharp"``, ``"frozen"``.
    """
    c, variance = divisor_of(divisor, d_k), deviation * deviation
    size, r, n = SIZES.index(d_k), CORRELATIONS.index(correlation), KEYS.index(key_count)
    of_size = data["levels"][size]
    place = min(range(len(of_size)), key=lambda i: abs(of_size[i] * c / variance - 1))
    law, within = data["laws"][size][r], math.sqrt(1 - correlation * correlation)
    level = variance / c
    outside = [*law["outside"], *[0] * 2 * len(of_size)][2 * (len(of_size) - 1 - place) :][:2]
    z = np.array([level * within * data["norms"][size] * g for g in data["normals"][:key_count]])
    p = softmax(z)
    order = np.argsort(-z, kind="stable")[: key_count if key_count <= BARS else BARS - 1]
    mean_entropy, mean_largest = data["entropy"][size][n][place][r] * NAT, data["largest"][size][n][place][r] * WEIGHT
    spread = level * within * math.sqrt(d_k)
    shift = level * correlation * data["norms"][size] ** 2
    kind = "flat" if spread < 0.55 else "initial" if spread < 1.45 else "sharp" if mean_largest < 0.75 else "frozen"
    return {
        "c": c,
        "mean": law["mean"] * level,
        "deviation": law["deviation"] * level,
        "theory": {
            "mean": level * correlation * d_k,
            "deviation": level * math.sqrt(d_k * (1 + correlation * correlation)),
        },
        "outside": [count / data["scores"] for count in outside],
        "order": (order + 1).tolist(),
        "z": (z[order] + shift).tolist(),
        "p": p[order].tolist(),
        "rest": float(np.delete(p, order).sum()),
        "row": {"entropy": float(entropy(z)), "largest": float(p.max())},
        "mean_row": {"entropy": mean_entropy, "largest": mean_largest},
        "spread": spread,
        "kind": kind,
    }


def _digits(x: float, digits: int = 4) -> float:
    value = float(f"{x:.{digits}g}")
    return int(value) if value == int(value) else value


def _without_zeros(counts: list[int]) -> list[int]:
    while counts and counts[-1] == 0:
        counts.pop()
    return counts


def _integers(nested: Sequence | Float[np.ndarray, ...], unit: float) -> list | int:
    return [_integers(one, unit) for one in nested] if isinstance(nested, list) else round(nested / unit)
