"""From measures to leads: what a report may mean, with its evidence and with what else would look the same.

A finding is a lead, never a verdict. Low entropy alone yields none: a head that copies one token must be sharp. Another
number of Keys alone yields none: entropy is read as log n − H, and even that only beside other evidence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from interview_book.checks.diagnostics import Report
from interview_book.checks.layer_tensors import DTYPES
from interview_book.checks.leaks import LeakReport

# The ratio of two spreads of the same scores is exact but for rounding; bfloat16 rounds each score to 0.4 %.
EXACT = 0.03
# A norm averages over tokens and features: a few per cent by chance, so 15 % tells √2 from 1.
NORM = 0.15
# Below this correlation more than a divisor stands between the scores (a bias, a soft cap), and the ratio says nothing.
SAME = 0.99
# From this many features a Query shorter by √d_k cannot be chance.
MANY = 16
# Growth of |q||k| that doubles the spread of the scores; without a baseline four times that of initialisation.
GROWN, GROWN_ABSOLUTE = 2.0, 4.0
# Share of the squared norm that lies in the mean; and its increase over a baseline. Growth of the inputs' norm.
SHIFTED, SHIFT_GROWN, INPUTS_GROWN = 0.5, 0.25, 1.5
# Rounding each of the weights moves a row sum by at most half a spacing at 1; twice a spacing is beyond that.
ROW_SUM = 2.0
# Less than a tenth of what uniform weights would let through, and more than half of the largest possible deficit.
WEAK, SHARP = 0.1, 0.5


@dataclass(frozen=True)
class Finding:
    """A lead: ``id`` names the suspicion, ``where`` is (layer, head), ``report`` which of the reports (from 0).

    ``evidence`` holds the numbers it rests on, ``explanation`` the key of its text, ``alternatives`` the keys of what
    else could look like this. The words stand in the chapters.
    """

    id: str
    where: tuple[int, int]
    report: int
    evidence: Mapping[str, float]
    explanation: str
    alternatives: tuple[str, ...]


@dataclass(frozen=True)
class Head:
    """One head of a report beside the same head of the baseline, if there is one."""

    report: Report
    baseline: Report | None
    layer: int
    head: int
    divisor: float | None

    def __getattr__(self, name: str) -> float:
        return float(getattr(self.report, name)[self.layer, self.head])

    def numbers(self, *names: str) -> dict[str, float]:
        """Return measures by name; those that are not there are left out."""
        return {name: value for name in names if not math.isnan(value := getattr(self, name))}

    @property
    def features(self) -> int:
        """d_k of the layer."""
        return self.report.d_k[self.layer]

    @property
    def width(self) -> int:
        """d_model of the layer."""
        return self.report.d_model[self.layer]

    @property
    def expected(self) -> float:
        """The divisor that should be there."""
        return math.sqrt(self.features) if self.divisor is None else self.divisor

    @property
    def before(self) -> Head | None:
        """The same head of the baseline."""
        return None if self.baseline is None else Head(self.baseline, None, self.layer, self.head, self.divisor)

    def divided_by(self, c: float) -> bool:
        """Say whether the scores were divided by ``c``, if that is not the expected divisor."""
        known = self.correlation > SAME and not _near(self.ratio, self.expected, EXACT)
        return known and _near(self.ratio, c, EXACT)

    def spread(self, name: str) -> float:
        """Return the root-mean-square norm of Queries or Keys around their mean."""
        shift = getattr(self, f"{name}_shift")
        return getattr(self, f"{name}_norm") * math.sqrt(1 - (0.0 if math.isnan(shift) else min(shift, 1.0)))


def _near(a: float, b: float, tolerance: float) -> bool:
    return a > 0 and b > 0 and abs(math.log(a / b)) <= math.log1p(tolerance)


SCALE = ("ratio", "correlation", "sd_before_within", "sd_after_within", "deficit", "jacobian")


def _missing_scale(h: Head):
    return h.numbers(*SCALE) if h.divided_by(1.0) else None


def _double_scale(h: Head):
    if h.divided_by(h.features):
        return h.numbers(*SCALE)
    # Scaled once before the capture: the Query is shorter than the Key by √d_k, and the ratio looks right.
    once = h.features >= MANY and _near(h.ratio, math.sqrt(h.features), EXACT) and h.divisor is None
    if once and _near(h.q_norm * math.sqrt(h.features), h.k_norm, NORM):
        return h.numbers("q_norm", "k_norm", *SCALE)
    return None


def _width_divisor(h: Head):
    return {"d_model": h.width, **h.numbers(*SCALE)} if h.divided_by(math.sqrt(h.width)) else None


def _other_divisor(h: Head):
    named = (1.0, h.features, math.sqrt(h.width), h.expected)
    other = h.correlation > SAME and not any(_near(h.ratio, c, EXACT) for c in named)
    return h.numbers(*SCALE) if other and h.ratio > 0 else None


def _width_initialisation(h: Head):
    """Var W = 1/d_k for 1/d_model makes every norm √(d_model/d_k) too long, in all heads of the layer alike."""
    factor = math.sqrt(h.width / h.features)
    if not factor > 1 + NORM or (h.before is not None and not _long(h.before, factor)):
        return None
    if not all(_long(Head(h.report, None, h.layer, head, None), factor) for head in range(h.report.shape[1])):
        return None
    return {"factor": factor, **h.numbers("q_norm", "k_norm", "sd_after_within", "deficit")}


def _long(h: Head, factor: float) -> bool:
    length = factor * math.sqrt(h.features)
    return _near(h.spread("q"), length, NORM) and _near(h.spread("k"), length, NORM)


def _grown_projections(h: Head):
    product, names = h.spread("q") * h.spread("k"), ("q_norm", "k_norm", "x_norm", "sd_after_within")
    if h.before is None:
        growth = product / h.features
        grown = growth >= GROWN_ABSOLUTE and h.sd_after_within >= GROWN_ABSOLUTE
    else:
        growth = product / (h.before.spread("q") * h.before.spread("k") or math.nan)
        inputs = h.x_norm / h.before.x_norm if h.before.x_norm else math.nan
        # Inputs a times longer make the product a² times larger: that part is not the projections'.
        grown = growth / (1.0 if math.isnan(inputs) else inputs**2) >= GROWN
    return {"growth": growth, **h.numbers(*names)} if grown else None


def _shifted_inputs(h: Head):
    names = ("q_shift", "k_shift", "x_shift", "x_norm", "sd_before", "sd_before_within")
    shares = [h.x_shift] if not math.isnan(h.x_shift) else [h.q_shift, h.k_shift]
    if h.before is None:
        return h.numbers(*names) if any(share >= SHIFTED for share in shares) else None
    old = [h.before.x_shift] if not math.isnan(h.x_shift) else [h.before.q_shift, h.before.k_shift]
    moved = any(now - then >= SHIFT_GROWN for now, then in zip(shares, old, strict=True))
    growth = h.x_norm / h.before.x_norm if h.before.x_norm else math.nan
    if moved or growth >= INPUTS_GROWN or growth <= 1 / INPUTS_GROWN:
        return {**({} if math.isnan(growth) else {"growth": growth}), **h.numbers(*names)}
    return None


def _low_precision_overflow(h: Head):
    limit = {"limit": DTYPES[h.report.dtype][0]}
    return limit | h.numbers("overflow", "broken_rows", "max_before", "max_after") if h.overflow > 0 else None


def _coarse_scores(h: Head):
    """Neighbouring numbers a whole nat apart: weights that differ by a factor of e coincide."""
    if not 0 < h.max_after < math.inf:
        return None
    spacing = DTYPES[h.report.dtype][1] * 2.0 ** math.floor(math.log2(h.max_after))
    return {"spacing": spacing, **h.numbers("max_after")} if spacing >= 1 else None


def _fully_masked_rows(h: Head):
    return h.numbers("empty_rows", "empty_row_weight", "rows") if h.empty_rows > 0 else None


def _nonfinite_inputs(h: Head):
    numbers = h.numbers("nonfinite_q", "nonfinite_k", "nonfinite_v")
    return numbers | h.numbers("broken_rows") if any(count > 0 for count in numbers.values()) else None


def _future_leak(h: Head):
    return h.numbers("future_weight") if h.future_weight > 0 else None


def _mask_leak(h: Head):
    return h.numbers("hidden_weight") if h.hidden_weight > 0 else None


def _row_sums(h: Head):
    return h.numbers("row_sum_error") if h.row_sum_error > ROW_SUM else None


def _saturated(h: Head):
    return h.numbers("deficit", "softmax_gain", "keys", "jacobian", "gradient_q", "gradient_k") if _weak(h) else None


def _weak(h: Head) -> bool:
    return h.softmax_gain < WEAK and h.deficit > SHARP * math.log(h.keys)


# Each suspicion, how it is recognised, and what else looks like it.
Rule = Callable[[Head], dict[str, float] | None]
RULES: dict[str, tuple[Rule, tuple[str, ...]]] = {
    "missing-scale": (_missing_scale, ("scale-inside-kernel", "scale-inside-projection", "normalised-queries")),
    "double-scale": (_double_scale, ("divided-by-d_k", "maximal-update", "width-divisor", "small-query-projection")),
    "width-divisor": (_width_divisor, ("double-scale", "other-temperature")),
    "other-divisor": (_other_divisor, ("learned-temperature", "other-width", "normalised-queries")),
    "width-initialisation": (_width_initialisation, ("grown-projections", "input-scale", "normalisation-gain")),
    "grown-projections": (_grown_projections, ("input-scale", "width-initialisation", "selective-head")),
    "shifted-inputs": (_shifted_inputs, ("projection-bias", "anisotropic-tokens", "other-data")),
    "low-precision-overflow": (_low_precision_overflow, ("scale-after-product", "large-norms", "additive-mask")),
    "coarse-scores": (_coarse_scores, ("large-norms", "missing-scale")),
    "fully-masked-rows": (_fully_masked_rows, ("padded-queries", "alignment", "inverted-mask")),
    "nonfinite-inputs": (_nonfinite_inputs, ("earlier-layer", "unused-padding", "bad-data")),
    "future-leak": (_future_leak, ("inverted-mask", "alignment", "mask-after-softmax", "weak-additive-mask")),
    "mask-leak": (_mask_leak, ("inverted-mask", "mask-shape", "mask-after-softmax", "weak-additive-mask")),
    "row-sums": (_row_sums, ("mask-after-softmax", "dropout", "low-precision-sums", "wrong-axis")),
    "saturated": (_saturated, ("missing-scale", "grown-projections", "width-initialisation", "selective-head")),
}


def diagnose(
    reports: Report | Sequence[Report],
    baseline: Report | None = None,
    *,
    divisor: float | None = None,
    leaks: Mapping[tuple[int, int], LeakReport] | None = None,
) -> list[Finding]:
    """Return the leads that one report or several give, in the order of reports, rules, layers, heads.

    Parameters
    ----------
    reports : one, or several of the same model in time; without a ``baseline`` the first serves the later ones as one.
    baseline : a report of the same layers and heads when all was well, for example at initialisation. Without it norms
        are compared with √d_k.
    divisor : what scores should be divided by; default √d_k of each layer. With muP pass d_k, with normalised Queries
        and Keys the inverse of the gain.
    leaks : what :func:`~interview_book.checks.leaks.causal_leaks` or ``padding_leaks`` found for (layer, head), where
        the weights cannot be seen.

    ``"saturated"`` speaks only if gradients were given and at least half of all heads are sharp *and* let little
    through.

    Raises
    ------
    TypeError : no Report. ValueError : none, a baseline of another shape, leaks of a head that is not there.
    """
    reports = (reports,) if isinstance(reports, Report) else tuple(reports)
    if not reports:
        raise ValueError("reports: expected at least one Report, got none")
    for one in (*reports, *(() if baseline is None else (baseline,))):
        if not isinstance(one, Report):
            raise TypeError(f"reports: expected Reports, got {type(one).__name__}; make them with report(q, k)")
        if one.shape != reports[0].shape:
            raise ValueError(
                f"reports and baseline: expected one shape (layers, heads), got {reports[0].shape} and {one.shape}"
            )
    if strange := [place for place in leaks or {} if place not in set(np.ndindex(reports[0].shape))]:
        raise ValueError(f"leaks: expected (layer, head) within {reports[0].shape}, got {strange}")
    found = []
    for number, one in enumerate(reports):
        before = baseline if baseline is not None or number == 0 else reports[0]
        heads = [Head(one, before, *map(int, place), divisor) for place in np.ndindex(one.shape)]
        many = sum(map(_weak, heads)) * 2 >= len(heads)
        for name, (rule, alternatives) in RULES.items():
            for head in heads:
                evidence = None if name == "saturated" and not many else rule(head)
                if evidence:
                    place = head.layer, head.head
                    found.append(Finding(name, place, number, evidence, f"finding.{name}", alternatives))
    return found + list(_leaked(leaks or {}))


def _leaked(leaks: Mapping[tuple[int, int], LeakReport]) -> Iterator[Finding]:
    for place, seen in leaks.items():
        if not seen.clean:
            changes = [leak.change for leak in seen.leaks]
            evidence = {"leaks": float(len(changes)), "largest_change": max(changes)}
            # Padding is hidden from all rows alike, the future is not.
            name = "future-leak" if (seen.allowed != seen.allowed[..., :1, :]).any() else "mask-leak"
            yield Finding(name, place, 0, evidence, f"finding.{name}", RULES[name][1])
