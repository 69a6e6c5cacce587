"""Proportions and their intervals."""

import math
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interview_book.checks import proportion

counts = st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def binomial(k, n, p):
    return math.comb(n, k) * p**k * (1 - p) ** (n - k)


def test_wilson_published_values():
    # Newcombe (1998), Statistics in Medicine 17, table I, method 3: 81/263 and 15/148
    for hits, n, low, high in ((81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)):
        e = proportion(hits, n)
        assert (round(e.low, 4), round(e.high, 4)) == (low, high)


@given(counts, st.floats(0.001, 0.999), st.sampled_from([0.9, 0.95, 0.99]))
def test_theory_lies_inside_exactly_when_the_score_test_accepts(pair, theory, confidence):
    e = proportion(*pair, theory=theory, confidence=confidence)
    margin = abs(abs(e.z) - e.quantile)
    if margin > 1e-9:
        assert (e.low <= theory <= e.high) == (abs(e.z) <= e.quantile)
    assert 0 <= e.low <= e.value <= e.high <= 1
    assert e.agrees(1 - confidence) == (abs(e.z) <= NormalDist().inv_cdf(1 - (1 - confidence) / 2))


@given(st.lists(counts, min_size=2, max_size=5), st.randoms(use_true_random=False))
def test_merging_is_exact_in_any_order(parts, random):
    estimates = [proportion(*p, theory=0.25) for p in parts]
    random.shuffle(estimates)
    merged = estimates[0]
    for e in estimates[1:]:
        merged = merged.merge(e)
    assert merged == proportion(sum(h for h, _ in parts), sum(n for _, n in parts), theory=0.25)


def test_interval_covers_about_as_often_as_it_says():
    # exact coverage by summing the binomial, no drawing: n = 200, p = 0.1427
    n, p = 200, 0.1427
    covered = sum(binomial(k, n, p) for k in range(n + 1) if proportion(k, n).low <= p <= proportion(k, n).high)
    assert 0.93 < covered < 0.97


def test_standard_error_and_z_by_hand():
    e = proportion(20, 100, theory=0.25)
    assert e.value == 0.2
    assert math.isclose(e.standard_error, math.sqrt(0.2 * 0.8 / 100), rel_tol=1e-15)
    assert math.isclose(e.z, -0.05 / math.sqrt(0.25 * 0.75 / 100), rel_tol=1e-12)
    assert proportion(20, 100).z is None


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ((1.0, 2), TypeError, "hits: expected a whole number"),
        ((1, True), TypeError, "n: expected a whole number"),
        ((3, 2), ValueError, "got hits = 3 and n = 2"),
        ((-1, 2), ValueError, "hits = -1"),
        ((0, 0), ValueError, "n = 0"),
        ((1, 2, 0.0), ValueError, "theory: expected a number strictly between 0 and 1, got 0.0"),
        ((1, 2, math.nan), ValueError, "theory"),
        ((1, 2, 0.5, 1), ValueError, "confidence"),
    ],
)
def test_bad_arguments_are_named(arguments, error, says):
    with pytest.raises(error, match=says):
        proportion(*arguments)


def test_only_parts_of_one_question_merge():
    with pytest.raises(ValueError, match=r"merge: .*theory 0\.5 .* and theory None"):
        proportion(1, 2, theory=0.5).merge(proportion(1, 2))
    with pytest.raises(TypeError, match="merge: expected a Proportion, got int"):
        proportion(1, 2).merge(3)
    with pytest.raises(ValueError, match="no theory to agree with"):
        proportion(1, 2).agrees(1e-6)
    with pytest.raises(ValueError, match="false_alarm"):
        proportion(1, 2, 0.5).agrees(0)
