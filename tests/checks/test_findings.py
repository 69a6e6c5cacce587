"""Simulated models with one known fault each: the lead is found, and what is well gives none.

The simulations draw random numbers, but what they are judged by are ratios that hold exactly, or thresholds so far away
that a failure is beyond any seed; where that is not exact, the distance is said.
"""

import math

import numpy as np
import pytest

from interview_book.attention import attend
from interview_book.attention.masks import causal_allow
from interview_book.checks.diagnostics import observed_report, report
from interview_book.checks.findings import RULES, Finding, diagnose
from interview_book.checks.leaks import causal_leaks, padding_leaks

L, B, H, N, D = 2, 3, 5, 17, 64
WIDTH = H * D


def generator(seed=23):
    return np.random.Generator(np.random.PCG64(seed))


def model(n=N, heads=H, d_k=D, *, variance=None, grow=1.0, shift=0.0, inputs=1.0, seed=23):
    """Queries and Keys of random projections of normalised tokens, and the tokens."""
    rng, width = generator(seed), heads * d_k
    x = inputs * (rng.standard_normal((L, B, n, width)) + shift)
    sd = math.sqrt(1 / width if variance is None else variance) * grow
    w_q, w_k = sd * rng.standard_normal((2, L, heads, width, d_k))
    return [np.einsum("lbnw,lhwd->lbhnd", x, w, optimize=True) for w in (w_q, w_k)], x


def observed(q, k, divisor, d_k=D, **more):
    before = q @ k.swapaxes(-1, -2)
    return observed_report(before, before / divisor, d_k=d_k, q=q, k=k, **more)


def ids(reports, baseline=None, **more):
    return {finding.id for finding in diagnose(reports, baseline, **more)}


@pytest.fixture(scope="module")
def healthy():
    (q, k), x = model()
    return observed(q, k, math.sqrt(D), x=x)


# --- nothing to report ---


def test_a_healthy_model_gives_no_lead(healthy):
    assert diagnose(healthy) == []
    # 3.684 − log 64 in theory 2.1 is 0.47 at n = 64; about 0.41 at 17 Keys
    assert 0.3 < healthy.deficit.min() < healthy.deficit.max() < 0.6


def test_low_entropy_alone_gives_none():
    # A head that copies: each Query points at one Key, all of ordinary length. √64 = 8 nats above the others.
    (q, k), _ = model()
    copying = observed(1.5 * np.roll(k, 1, axis=-2), k, math.sqrt(D))
    assert copying.entropy.max() < 0.1 and copying.largest_weight.min() > 0.95
    assert diagnose(copying) == []
    assert diagnose([observed(q, k, math.sqrt(D)), copying]) == []


def test_another_number_of_keys_alone_gives_none():
    reports = []
    for n in (5, 17, 101):
        (q, k), _ = model(n)
        reports.append(observed(q, k, math.sqrt(D)))
    assert np.ptp([one.entropy.mean() for one in reports]) > math.log(15)
    assert diagnose(reports) == []
    (q, k), _ = model(101)
    assert diagnose([reports[0], observed(q, k, math.sqrt(D), causal=True)]) == []


def test_a_bias_between_the_scores_is_no_divisor():
    (q, k), _ = model()
    before = q @ k.swapaxes(-1, -2)
    distance = -np.abs(np.subtract.outer(np.arange(N), np.arange(N)))
    assert diagnose(observed_report(before, before / 8 + distance, d_k=D)) == []
    # Unrelated scores of the same spread have the ratio of a missing scale, and say nothing about a scale either.
    unrelated = observed_report(before, np.roll(before, 1, axis=1), d_k=D)
    assert diagnose(unrelated) == []
    same_spread = observed_report(before, before[:, :, :, :, ::-1].copy(), d_k=D)
    np.testing.assert_allclose(same_spread.ratio, 1, rtol=1e-12)
    assert diagnose(same_spread) == []


@pytest.mark.parametrize("heads", [1, 5])
def test_one_feature_or_one_head_makes_no_difference(heads):
    (q, k), _ = model(heads=heads, d_k=1)
    assert "missing-scale" not in ids(observed(q, k, 1.0, d_k=1))
    (q, k), _ = model(heads=1)
    assert diagnose(observed(q, k, math.sqrt(D))) == []  # √d_model is √d_k


# --- one fault each ---


@pytest.mark.parametrize(
    ("divisor", "expected"),
    [
        (1.0, {"missing-scale"}),
        (float(D), {"double-scale"}),
        (math.sqrt(WIDTH), {"width-divisor"}),
        (math.sqrt(N), {"other-divisor"}),
    ],
)
def test_a_wrong_divisor_is_named_in_every_head(divisor, expected):
    (q, k), _ = model()
    found = diagnose(observed(q, k, divisor))
    assert {one.id for one in found} == expected
    assert [one.where for one in found] == [(layer, head) for layer in range(L) for head in range(H)]
    first = found[0]
    assert first.evidence["ratio"] == pytest.approx(divisor, rel=1e-12)
    assert first.explanation == f"finding.{first.id}" and first.report == 0
    assert first.alternatives == RULES[first.id][1]


def test_one_bad_head_among_good_ones_is_found():
    (q, k), _ = model()
    before = q @ k.swapaxes(-1, -2)
    after = before / math.sqrt(D)
    after[1, :, 3] = before[1, :, 3]
    found = diagnose(observed_report(before, after, d_k=D))
    assert [(one.id, one.where) for one in found] == [("missing-scale", (1, 3))]


def test_entropy_goes_the_way_theory_says():
    # theory 2.1: √d_model as the divisor flattens, as the width of the initialisation it sharpens
    (q, k), _ = model()
    right, flat = (observed(q, k, c).deficit.mean() for c in (math.sqrt(D), math.sqrt(WIDTH)))
    (q, k), _ = model(variance=1 / D)
    sharp = observed(q, k, math.sqrt(D)).deficit.mean()
    assert flat < 0.3 * right < right < 3 * right < sharp


def test_when_heads_are_as_many_as_features_two_faults_look_alike():
    # √d_model = √(h d_k) = d_k: both are named, and each names the other as an alternative
    (q, k), _ = model(heads=7, d_k=7)
    assert ids(observed(q, k, 7.0, d_k=7)) == {"double-scale", "width-divisor"}
    assert "width-divisor" in RULES["double-scale"][1] and "double-scale" in RULES["width-divisor"][1]


def test_a_query_scaled_before_the_kernel_scales_again():
    (q, k), _ = model()
    assert ids(observed(q / math.sqrt(D), k, math.sqrt(D))) == {"double-scale"}
    # a Query as long as the Key: nothing
    assert ids(observed(q, k, math.sqrt(D))) == set()


def test_maximal_update_divides_by_d_k_on_purpose():
    (q, k), _ = model()
    assert ids(observed(q, k, D), divisor=D) == set()
    assert ids(observed(q, k, math.sqrt(D)), divisor=D) == {"other-divisor"}
    assert "maximal-update" in RULES["double-scale"][1]


def test_the_width_misused_in_the_initialisation(healthy):
    # Var W = 1/d_k: norms √h = 2.24 times too long in all heads, score spread h = 5 times too large
    (q, k), _ = model(variance=1 / D)
    found = observed(q, k, math.sqrt(D))
    assert {"width-initialisation"} <= ids(found) <= {"width-initialisation", "grown-projections"}
    # with a baseline of ordinary length the same norms have grown
    assert ids(found, healthy) == {"grown-projections"}
    # and one head that long is no initialisation
    (other, keys), _ = model()
    other[0, :, 2], keys[0, :, 2] = q[0, :, 2], k[0, :, 2]
    found = diagnose(observed(other, keys, math.sqrt(D)))
    assert {(one.id, one.where) for one in found} == {("grown-projections", (0, 2))}


def test_grown_projections_and_grown_inputs_are_told_apart_by_the_inputs(healthy):
    (q, k), x = model(grow=2.0)
    grown = observed(q, k, math.sqrt(D), x=x)
    assert ids(grown, healthy) == {"grown-projections"}
    assert ids([healthy, grown]) == {"grown-projections"}
    assert {one.report for one in diagnose([healthy, healthy, grown])} == {2}
    (q, k), x = model(inputs=2.0)
    assert ids(observed(q, k, math.sqrt(D), x=x), healthy) == {"shifted-inputs"}
    # without the inputs nobody can tell: the lead names the other
    assert ids(observed(q, k, math.sqrt(D)), healthy) == {"grown-projections"}
    assert "input-scale" in RULES["grown-projections"][1]
    evidence = diagnose(grown, healthy)[0].evidence
    assert evidence["growth"] == pytest.approx(4, rel=1e-6)  # the same draw, twice as long on either side


def test_a_constant_in_the_keys_is_a_shift_and_no_growth(healthy):
    # theory 3.3: pooled spread up, spread within rows and weights as before
    (q, k), _ = model()
    moved = observed(q, k + 3, math.sqrt(D))
    assert ids(moved) == ids(moved, healthy) == {"shifted-inputs"}
    evidence = diagnose(moved)[0].evidence
    assert evidence["k_shift"] > 0.8 and evidence["sd_before"] > 2 * evidence["sd_before_within"]
    # a mean of 2 beside a variance of 1 is 0.8 of the square
    (q, k), x = model(shift=2.0)
    shifted = observed(q, k, math.sqrt(D), x=x)
    assert "shifted-inputs" in ids(shifted, healthy)
    assert diagnose(shifted)[-1].evidence["x_shift"] == pytest.approx(0.8, abs=0.02)
    # Keys with a bias of their own while the inputs stay: not the inputs
    (q, k), x = model()
    assert ids(observed(q, k + 3, math.sqrt(D), x=x), healthy) == set()


def test_low_precision_overflow_foreseen_and_observed():
    q = np.full((1, 1, 1, 3, 128), 30, np.float16)
    # All vectors are one and the same, which is a shift; and next to 10182 neighbours in float16 are 8 apart.
    assert ids(report(q, q)) == {"low-precision-overflow", "coarse-scores", "shifted-inputs"}
    found = next(one for one in diagnose(report(q, q)) if one.id == "low-precision-overflow")
    assert found.evidence["max_before"] == 115200 and found.evidence["limit"] == 65504
    before = np.full((1, 1, 1, 3, 3), np.inf, np.float16)
    assert ids(observed_report(before, before, d_k=128)) == {"low-precision-overflow"}


def test_bfloat16_scores_beyond_256_are_coarse():
    # theory 2.10: spacing 2 at 256; float32 has 2^-15 there
    (q, k), _ = model()
    q, k = q * 8, k * 8
    assert "coarse-scores" in ids(report(q, k, dtype="bfloat16"))
    assert "coarse-scores" not in ids(report(q, k, dtype="float32"))
    found = next(one for one in diagnose(report(q, k, dtype="bfloat16")) if one.id == "coarse-scores")
    assert found.evidence["spacing"] in {1.0, 2.0, 4.0}


def test_masks_that_empty_rows_or_let_the_future_through():
    (q, k), _ = model()
    allow = np.ones((N, N), bool)
    allow[5] = False
    found = diagnose(report(q, k, allow=allow))
    assert {one.id for one in found} == {"fully-masked-rows"}
    assert found[0].evidence == {"empty_rows": pytest.approx(1 / N), "rows": B * N}

    before = q @ k.swapaxes(-1, -2)
    z = before / math.sqrt(D)
    p = np.exp(z) / np.exp(z).sum(axis=-1, keepdims=True)
    causal = np.where(causal_allow(N, N), p, 0)
    options = {"d_k": D, "causal": True}
    assert ids(observed_report(before, z, weights=p, **options)) == {"future-leak"}
    # masked after the softmax: nothing leaks by weight, but the rows no longer add up
    assert ids(observed_report(before, z, weights=causal, **options)) == {"row-sums"}
    renormalised = causal / causal.sum(axis=-1, keepdims=True)
    assert ids(observed_report(before, z, weights=renormalised, **options)) == set()
    pad = np.arange(N)[np.newaxis] < 13
    assert ids(observed_report(before, z, d_k=D, weights=p, allow=pad)) == {"mask-leak"}


def test_leaks_found_by_perturbation_become_findings(healthy):
    q, k, v = generator().standard_normal((3, 5, 3))

    def leaky(q, k, v):
        z = q @ k.T
        return np.exp(z - z.max(-1, keepdims=True)) @ v

    found = diagnose(healthy, leaks={(1, 3): causal_leaks(leaky, q, k, v)})
    assert [(one.id, one.where) for one in found] == [("future-leak", (1, 3))]
    assert found[0].evidence["leaks"] > 0


def test_inputs_that_are_not_finite():
    (q, k), _ = model()
    q[1, 0, 2, 3, 5] = np.nan
    found = diagnose(report(q, k))
    assert [(one.id, one.where) for one in found] == [("nonfinite-inputs", (1, 2))]
    assert found[0].evidence["broken_rows"] == pytest.approx(1 / (B * N))


def test_saturation_needs_many_heads_and_measured_gradients():
    # claim diagnose-early-low-entropy-with-weak-gradient: fires on unscaled heads at d_k = 1021, n = 17, not on scaled
    rng = generator()
    q, k = rng.standard_normal((2, L, B, H, N, 1021))
    v, g = rng.standard_normal((2, L, B, H, N, 3))
    assert "saturated" in ids(report(q, k, v=v, g=g, scale=1.0))
    assert "saturated" not in ids(report(q, k, scale=1.0))  # low entropy without gradients
    assert ids(report(q, k, v=v, g=g)) == set()
    few = np.full((L, H), 1 / math.sqrt(1021))
    few[:, :2] = 1.0
    assert "saturated" not in ids(report(q, k, v=v, g=g, scale=few))  # 4 of 10 heads
    few[:, :3] = 1.0
    places = {one.where for one in diagnose(report(q, k, v=v, g=g, scale=few)) if one.id == "saturated"}
    assert places == {(layer, head) for layer in range(L) for head in range(3)}
    # theory 3.4: with n = 1021 and d_k = 61 unscaled lets *more* through, and is not called saturated
    q, k = rng.standard_normal((2, 1, 1, 1, 1021, 61))
    v, g = rng.standard_normal((2, 1, 1, 1, 1021, 3))
    assert "saturated" not in ids(report(q, k, v=v, g=g, scale=1.0))


# --- the form ---


def test_every_lead_names_alternatives_and_no_alternative_is_itself():
    required = {
        "missing-scale",
        "double-scale",
        "width-divisor",
        "width-initialisation",
        "grown-projections",
        "shifted-inputs",
        "low-precision-overflow",
        "fully-masked-rows",
        "future-leak",
    }
    assert required <= set(RULES)
    for name, (_, alternatives) in RULES.items():
        assert alternatives and name not in alternatives and len(set(alternatives)) == len(alternatives)


def test_a_finding_is_plain_data(healthy):
    (q, k), _ = model()
    found = diagnose(observed(q, k, 1.0))[0]
    assert isinstance(found, Finding) and all(type(x) is float for x in found.evidence.values())
    assert not any(math.isnan(x) for x in found.evidence.values())
    assert found.where == (0, 0) and all(type(x) is int for x in found.where)


def test_bad_arguments_are_named(healthy):
    with pytest.raises(ValueError, match="reports: expected at least one Report, got none"):
        diagnose([])
    with pytest.raises(TypeError, match="reports: expected Reports, got int"):
        diagnose([3])
    (q, k), _ = model(heads=3)
    with pytest.raises(ValueError, match=r"reports and baseline: expected one shape .* \(2, 5\) and \(2, 3\)"):
        diagnose(healthy, report(q, k))


def test_nan_in_one_row_hides_no_leak_in_another():
    rng = generator()
    scores = rng.standard_normal((1, 1, 2, N, N))
    past = causal_allow(N, N)
    weights = np.exp(np.where(past, scores, -np.inf))
    weights /= weights.sum(axis=-1, keepdims=True)
    weights[0, 0, 0, 5] = np.nan
    broken = observed_report(scores * 8, scores, d_k=D, weights=weights, causal=True)
    assert ids(broken) == {"row-sums"}  # NaN is no weight on the future, but no row of weights either
    assert [one.where for one in diagnose(broken)] == [(0, 0)]
    weights[0, 0, 0, 2] = 1 / N
    leaky = observed_report(scores * 8, scores, d_k=D, weights=weights, causal=True)
    assert {"future-leak"} <= ids(leaky)
    assert leaky.future_weight[0, 0] == 1 / N


def test_padding_that_leaks_is_not_the_future(healthy):
    q, k, v = generator().standard_normal((3, 2, 3, 5, 7))
    seen = padding_leaks(lambda q, k, v: attend(q, k, v), q, k, v, np.array([3, 5]))
    assert ids(healthy, leaks={(1, 2): seen}) == {"mask-leak"}
    seen = causal_leaks(lambda q, k, v: attend(q, k, v), q, k, v)
    assert ids(healthy, leaks={(1, 2): seen}) == {"future-leak"}
    with pytest.raises(ValueError, match=r"leaks: expected \(layer, head\) within \(2, 5\)"):
        diagnose(healthy, leaks={(L, 0): seen})
