"""The items on two scores, against closed forms written by hand."""

from math import cosh, exp

import pytest

from interview_book.practice import two_scores
from interview_book.practice.two_scores import gradient_ratio, jacobian, output, weight


def sigma(x):
    return 1 / (1 + exp(-x))


def slope(x):
    # sigma' in another form than p(1 - p)
    return 1 / (4 * cosh(x / 2) ** 2)


@pytest.mark.parametrize("p", weight.grid, ids=str)
def test_weight(p):
    a, c = p["a"], p["c"]
    assert p["d_k"] == c**2
    assert weight.answer(p) == pytest.approx(sigma(a / c), rel=1e-12)
    assert {name: f(p) for name, f in weight.mistakes.items()} == pytest.approx(
        {
            "forgot-to-divide": sigma(a),
            "divided-by-square": sigma(a / c**2),
            "swapped-positions": sigma(-a / c),
        },
        rel=1e-12,
    )


@pytest.mark.parametrize("p", output.grid[::7], ids=str)
def test_output(p):
    a, c, v1, v2 = p["a"], p["c"], p["v1"], p["v2"]
    assert output.answer(p) == pytest.approx(v2 + sigma(a / c) * (v1 - v2), rel=1e-12)
    assert {name: f(p) for name, f in output.mistakes.items()} == pytest.approx(
        {
            "forgot-to-divide": v2 + sigma(a) * (v1 - v2),
            "swapped-positions": v1 + sigma(a / c) * (v2 - v1),
            "plain-average": (v1 + v2) / 2,
            "first-value-only": sigma(a / c) * v1,
        },
        rel=1e-11,
    )


@pytest.mark.parametrize("p", jacobian.grid, ids=str)
def test_jacobian(p):
    a, c = p["a"], p["c"]
    assert jacobian.answer(p) == pytest.approx(slope(a / c), rel=1e-11)
    assert {name: f(p) for name, f in jacobian.mistakes.items()} == pytest.approx(
        {
            "forgot-to-divide": slope(a),
            "forgot-complement": sigma(a / c),
            "sign-of-off-diagonal": -slope(a / c),
        },
        rel=1e-9,
    )


@pytest.mark.parametrize("p", gradient_ratio.grid, ids=str)
def test_gradient_ratio(p):
    a, c = p["a"], p["c"]
    assert gradient_ratio.answer(p) == pytest.approx(slope(a / c) / c / slope(a), rel=1e-9)
    assert {name: f(p) for name, f in gradient_ratio.mistakes.items()} == pytest.approx(
        {
            "forgot-chain-rule": slope(a / c) / slope(a),
            "divided-by-square": slope(a / c**2) / c**2 / slope(a),
            "inverted-ratio": slope(a) / (slope(a / c) / c),
        },
        rel=1e-9,
    )


def test_the_chapters_own_numbers():
    """[4, 0] with c = 2 by hand: 1/(1 + e⁻²), its slope, the ratio 2.972, the output of 10 and 0."""
    p = {"a": 4, "c": 2, "d_k": 4, "v1": 10, "v2": 0}
    assert weight.answer(p) == pytest.approx(0.880797, abs=5e-7)
    assert jacobian.answer(p) == pytest.approx(0.104994, abs=5e-7)
    assert gradient_ratio.answer(p) == pytest.approx(2.972, abs=5e-4)
    assert output.answer(p) == pytest.approx(8.80797, abs=5e-6)


def test_no_item_is_answered_by_the_chapter_itself():
    for one in two_scores.ALL:
        assert all(p["a"] != 2 * p["c"] for p in one.grid)
