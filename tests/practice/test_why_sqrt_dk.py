"""The items on the spread of a score, against closed forms written by hand."""

from math import sqrt

import pytest

from interview_book.practice import numbers, why_sqrt_dk
from interview_book.practice.tolerances import Tolerance
from interview_book.practice.why_sqrt_dk import aligned, deviation, divisor, error, kurtosis


def wrong(generator, p):
    return {name: formula(p) for name, formula in generator.mistakes.items()}


@pytest.mark.parametrize("p", deviation.grid[::3], ids=str)
def test_deviation(p):
    d, c, a, b = p["d_k"], p["c"], p["a"], p["b"]
    assert deviation.answer(p) == pytest.approx(sqrt(d) * a * b / c, rel=1e-12)
    assert wrong(deviation, p) == pytest.approx(
        {
            "forgot-the-root": d * a * b / c,
            "variance-for-deviation": d * a**2 * b**2 / c**2,
            "squared-the-divisor": sqrt(d) * a * b / c**2,
            "added-variances": sqrt(d * (a**2 + b**2)) / c,
        },
        rel=1e-12,
    )


@pytest.mark.parametrize("p", kurtosis.grid, ids=str)
def test_kurtosis(p):
    d, q, k = p["d_k"], p["kappa_q"], p["kappa_k"]
    # E s⁴: d products at the fourth power, and 3 d (d − 1) pairs of different products
    right = (d * q * k + 3 * d * (d - 1)) / d**2
    assert kurtosis.answer(p) == pytest.approx(right, rel=1e-12)
    assert wrong(kurtosis, p) == pytest.approx(
        {
            "excess": right - 3,
            "one-product-only": q * k,
            "counted-twice": (d * q * k + 3 * d**2) / d**2,
            "added-excesses": 3 + (q + k - 6) / d,
        },
        rel=1e-9,
    )


@pytest.mark.parametrize("p", aligned.grid, ids=str)
def test_aligned(p):
    d, rho = p["d_k"], p["rho"]
    assert aligned.answer(p) == pytest.approx(rho * d / sqrt(d + rho**2 * d), rel=1e-12)
    # Neither divisor moves it.
    for c in (sqrt(d), d):
        assert aligned.answer(p) == pytest.approx((rho * d / c) / sqrt(d * (1 + rho**2) / c**2), rel=1e-12)
    assert wrong(aligned, p) == pytest.approx(
        {
            "forgot-the-growth": rho * sqrt(d),
            "variance-for-deviation": rho * sqrt(d) / (1 + rho**2),
            "wrong-sign": rho * sqrt(d) / sqrt(1 - rho**2),
            "forgot-the-dimension": rho / sqrt(1 + rho**2),
        },
        rel=1e-12,
    )


@pytest.mark.parametrize("p", divisor.grid[::3], ids=str)
def test_divisor(p):
    d, a, b, v = p["d_k"], p["a"], p["b"], p["v"]
    c = divisor.answer(p)
    assert d * a**2 * b**2 / c**2 == pytest.approx(v, rel=1e-12)
    assert wrong(divisor, p) == pytest.approx(
        {
            "forgot-the-deviations": sqrt(d / v),
            "forgot-the-root": d * a**2 * b**2 / v,
            "target-as-deviation": sqrt(d) * a * b / v,
            "inverted-target": sqrt(d * v) * a * b,
        },
        rel=1e-12,
    )


@pytest.mark.parametrize("p", error.grid, ids=str)
def test_error(p):
    d, n = p["d_k"], p["n"]
    assert error.answer(p) == pytest.approx(sqrt((2 + 6 / d + 2 / (n - 1)) / n), rel=1e-12)
    assert wrong(error, p) == pytest.approx(
        {
            "normal-kurtosis": sqrt(2 / (n - 1)),
            "forgot-minus-one": sqrt((3 + 6 / d + 2 / (n - 1)) / n),
            "forgot-the-root": (2 + 6 / d + 2 / (n - 1)) / n,
            "error-of-the-mean": sqrt(1 / n),
        },
        rel=1e-12,
    )
    # Who leaves out 2/(n − 1) is within the tolerance of the question.
    assert sqrt((2 + 6 / d) / n) == pytest.approx(error.answer(p), rel=0.01)


def test_no_item_is_answered_by_the_chapter_itself():
    assert not [p for p in aligned.grid if (p["d_k"], p["rho"]) == (64, 0.3)]
    assert not [p for p in kurtosis.grid if p["kappa_q"] == p["kappa_k"] == 3]
    assert not [p for p in (*deviation.grid, *divisor.grid) if p["a"] * p["b"] == 1]


def test_what_hides_the_dimension_is_wrong():
    """The answer 3, for a normal score, must not pass as the kurtosis."""
    tolerance = Tolerance("relative", 0.01)
    assert not [p for p in kurtosis.grid if tolerance.holds(3, kurtosis.answer(p))]


@pytest.mark.parametrize("generator", why_sqrt_dk.ALL, ids=lambda one: one.name)
def test_no_number_of_the_page_needs_a_comma(generator):
    for seed in numbers.PAGE_SEEDS:
        item = numbers.item(generator, seed, Tolerance("relative", 0.01))
        assert all(abs(value) < 1000 for value in (item.answer, *item.distractors.values(), *item.parameters.values()))


def test_the_order_of_seeds_is_for_ever():
    """A learner's stored answer names a seed. Pinned by ``numbers.item(generator, 0, relative 0.01)``."""
    drawn = [dict(numbers.item(one, 0, Tolerance("relative", 0.01)).parameters) for one in why_sqrt_dk.ALL]
    assert drawn == [
        {"d_k": 256, "c": 12, "a": 0.8, "b": 1.5},
        {"d_k": 4, "kappa_q": 1.8, "kappa_k": 4.2},
        {"d_k": 256, "rho": 0.6},
        {"d_k": 100, "a": 0.5, "b": 3, "v": 0.25},
        {"d_k": 4, "n": 400},
    ]
