"""The stepper with tokens and matrices of the reader's own: other sizes, up to the largest."""

from __future__ import annotations

import numpy as np
import pytest

from interview_book.widgets import Stepper
from tests.browser import stepper_page as page_of
from tests.browser.stepper_expected import faults, numbers_in, sight
from tests.browser.stepper_lesson import MODES, STEPS, attention, fits

ALL = [{"step": step, "mode": mode} for step in range(1, STEPS + 1) for mode in MODES]
TOKENS = ["alpha", "β", "河岸", "<b>", "a & b", "7", "é", "x-y", "long-hyphenated", "岸", "ニ", "z"]


def own(n: int, d_model: int, d_k: int, d_v: int, size: float) -> list:
    """Tokens, X, W_q, W_k and W_v, of two decimals."""
    rng = np.random.default_rng([n, d_model, d_k, d_v])
    shapes = ((n, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_v))
    return [TOKENS[:n], *((size * rng.uniform(-1, 1, shape)).round(2).tolist() for shape in shapes)]


def opened(visit, edition: str, given: list, **options):
    element = Stepper(*given)._repr_mimebundle_()[0]["text/html"]
    return page_of.alone(visit, edition, element=element, **options)


@pytest.mark.parametrize(("tag", "sizes"), [("ja", (5, 7, 3, 2)), ("zh-Hant", (1, 2, 1, 3)), ("ja", (2, 3, 13, 11))])
def test_numbers_of_other_sizes(visit, tag, sizes):
    given = own(*sizes, size=1)
    page = opened(visit, tag, given)
    for query in {0, sizes[0] - 1}:
        for shown in page_of.walk(page, [{"query": query, **state} for state in ALL]):
            now, scaled = (attention(*given, mode) for mode in (shown["mode"], "scaled"))
            assert shown["query"] == query and faults(shown, now, scaled) == []
            if shown["step"] == 5:  # the largest weight and the outputs
                assert set(numbers_in(shown["live"])) <= sight(shown) | {f"{1 / sizes[0]:.2f}"}
    page_of.show(page, step=1, mode="scaled", query=0)
    field = page.locator(f"{page_of.ROOT} .stage .inputs input").first
    field.fill("-0.5")
    field.press("Enter")
    given[1][0][0] = -0.5
    now = attention(*given, "scaled")
    assert all(faults(shown, now, now) == [] for shown in page_of.walk(page, [{"step": step} for step in (1, 4, 6)]))


@pytest.mark.parametrize("width", [360, 1440])
def test_the_largest_fits_and_is_read(visit, axe, width):
    """Twelve tokens, sixteen features, numbers up to ±1000: every number there, the boxes scroll and not the page."""
    given = own(12, 16, 16, 16, size=1000)
    page = opened(visit, {360: "ja", 1440: "zh-Hant"}[width], given, width=width)
    for state in [*ALL[1::3], {"computed": 5}]:
        shown = page_of.show(page, **state)
        now = attention(*given, shown["mode"])
        assert fits(shown["contrast"][1]["rows"][0][2]["text"], "two", now["A"][11][0])
        assert [len(table["rows"]) for table in shown["tables"]] == [
            {1: 12, 2: 28, 3: 12, 4: 13, 5: 14, 6: 12}[shown["step"]]
        ]
        assert page.evaluate("document.documentElement.scrollWidth") <= width, state
        assert page.evaluate(page_of.BEYOND, page_of.ROOT) == [], state
        assert width < 400 or axe(page) == [], state
