"""The stepper as it is seen: from http and from a file, without scripts, on a phone, in both themes, without motion."""

from __future__ import annotations

import re

import pytest

from tests.browser import stepper_page as page_of
from tests.browser.stepper_expected import faults, lookups, numbers_in, printed_sum, sentence_faults, stage
from tests.browser.stepper_lesson import MODES, STEPS, N, lesson, value_of

ROOT = page_of.ROOT
BANK = 3
ALL = [{"step": step, "mode": mode} for step in range(1, STEPS + 1) for mode in MODES]


def test_every_step_from_http_and_from_a_file(visit, edition, scheme):
    page = page_of.opened(visit, edition, scheme=scheme)
    assert page.url.startswith(scheme)
    assert page.locator(".stepper-tables").count() == 0, "the tables have gone"
    for shown in page_of.walk(page, ALL):
        now, scaled = lesson("river", shown["mode"]), lesson("river", "scaled")
        assert faults(shown, now, scaled) + sentence_faults(shown, now, scaled) == []


def test_paper_says_what_it_shows(visit, edition):
    """On paper there are no controls: one line names step, sentence, divisor and Query of what is printed."""
    page = page_of.opened(visit, edition)
    line = page.locator(f"{ROOT} .on-paper")
    last = {"step": 6, "sentence": "savings", "mode": "uniform"}
    for state in ({"step": 1}, {"step": 4, "mode": "raw", "query": 1}, last):
        shown = page_of.show(page, **state)
        assert not line.is_visible()
        page.emulate_media(media="print")
        assert line.is_visible() and not page.locator(f"{ROOT} > .controls").is_visible()
        text = line.inner_text()
        assert text.startswith(f"{shown['step']}.")
        words = {"river": "by the river bank", "savings": "at the savings bank"}[shown["sentence"]]
        chosen = page.locator(f"{ROOT} > .controls > fieldset label:has(:checked) > span")
        _, mode, query = chosen.evaluate_all("all => all.map(one => one.firstChild.textContent)")
        assert all(one in text for one in (words, mode, query)), text
        page.emulate_media(media="screen")


def static_numbers() -> list[list[list[float]]]:
    """By table and row, the numbers that the page shows without scripts: the Query of bank, by the river, scaled."""
    now = lesson("river", "scaled")
    steps = [stage(step, now, now, BANK, N) for step in range(1, STEPS + 1)]
    inputs, products, scores, softmax, mixing, every = (
        [[float(one) for cell in row if cell for one in (*cell.factors, cell.value)] for _, row in table]
        for (table,) in steps
    )
    softmax[-1].append(float(printed_sum([f"{float(p):.2f}" for p in now["A"][BANK]])))
    mixing[-1] = [1, *map(float, now["V"][2])]  # by argmax, and not its own Value
    every = [[*row, float(now["entropy"][i])] for i, row in enumerate(every)]
    return [inputs, products, scores, softmax, mixing, every]


def test_six_tables_without_scripts(visit, edition):
    scheme = {"ja": "file", "zh-Hant": "http"}[edition]
    page = visit(f"{edition}/{page_of.CHAPTER}", scheme=scheme, java_script_enabled=False, width=360)
    assert page.locator(ROOT).count() == 0
    tables = page.locator(".book-widget[data-widget='stepper'] table")
    assert tables.count() == STEPS
    for number, (table, expected) in enumerate(zip(tables.all(), static_numbers(), strict=True), 1):
        caption = table.locator("caption").inner_text()
        assert caption.startswith(str(number)) and bool(re.search("[ぁ-ヿ]", caption)) == (edition == "ja")
        assert all(one.get_attribute("scope") for one in table.locator("th").all())
        found = []
        for row in table.locator("tbody tr").all():
            texts = row.locator("td").all_inner_texts()
            found += [[text for cell in texts for text in numbers_in(cell)]] if texts else []
        for texts, numbers in zip(found, expected, strict=True):
            halves = [0.5 * 10.0 ** -len(text.partition(".")[2]) if "." in text else 0 for text in texts]
            pairs = zip(texts, numbers, halves, strict=True)
            assert all(abs(value_of(text) - one) <= half + 1e-9 for text, one, half in pairs), (number, texts, numbers)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


# Animations that run after a control was touched, and parts of the widget that would move when something changes.
_MOVING = """root => {
  const widget = document.querySelector(root);
  const still = style => style.transitionDuration.split(", ").every(one => parseFloat(one) === 0)
    || style.transitionProperty === "none";
  const styles = one => ["", "::before", "::after"].map(part => getComputedStyle(one, part));
  const parts = [...widget.querySelectorAll("*")].flatMap(styles);
  return [document.getAnimations().length, parts.filter(one => !still(one) || one.animationName !== "none").length];
}"""


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_nothing_moves_where_motion_is_reduced(visit, motion):
    """The other preference shows that the test would see it: there the sign of the fold turns."""
    page = page_of.alone(visit, "ja", reduced_motion=motion)
    if motion == "no-preference":  # longer, so that it still moves when a slow machine looks
        page.add_style_tag(content=":root { --quick: 5s ease-out }")
    found = []
    for step in range(1, STEPS + 1):
        page.locator(f"{ROOT} .steps button").nth(step - 1).click()
        page.locator(f"{ROOT} summary").click()
        found.append(page.evaluate(_MOVING, ROOT))
        page.locator(f"{ROOT} fieldset label").nth(2 + step % 3).click()
        found.append(page.evaluate(_MOVING, ROOT))
    page.locator(f"{ROOT} .stage .button").click()
    found.append(page.evaluate(_MOVING, ROOT))
    if motion == "reduce":
        assert found == [[0, 0]] * len(found)
    else:
        assert sum(running for running, _ in found) and all(parts for _, parts in found)


def refuse(page) -> None:
    """Let the widget say that 1e400 is no number, and that another entry was edited."""
    for place, typed in ((5, "1e400"), (0, "2")):
        page.locator(f"{ROOT} .stage .inputs input").nth(place).fill(typed)
        page.keyboard.press("Tab")
    assert page.locator(f"{ROOT} .stage .refused").count() == 1


def test_nothing_scrolls_sideways_or_leaves_the_widget(visit, edition):
    page = page_of.opened(visit, edition)
    for width in (1440, 360):
        page.set_viewport_size({"width": width, "height": 900})
        for state in [*ALL, {"computed": 2}, {"step": 1, "sentence": "savings"}]:
            page_of.show(page, **state)
            if state.get("step") == 1:
                refuse(page)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, state
            assert page.evaluate(page_of.BEYOND, ROOT) == [], (width, state)


@pytest.mark.parametrize("width", [390, 1440])
def test_axe_finds_nothing_in_any_step_and_theme(visit, axe, width):
    page = page_of.alone(visit, {390: "ja", 1440: "zh-Hant"}[width], width=width)
    for step in range(1, STEPS + 1):
        page_of.show(page, step=step, mode=MODES[step % 3])
        if step == 1:
            refuse(page)
        if step == 6:
            page_of.show(page, computed=2)
        for theme in ("light", "dark"):
            page.evaluate("theme => Object.assign(document.documentElement.dataset, { theme, mode: theme })", theme)
            assert axe(page) == [], (step, theme)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_ink_grows_with_the_weight_and_the_strongest_is_framed(visit, theme):
    page = page_of.alone(visit, "ja", color_scheme=theme)
    page_of.show(page, step=6)
    inks = page.evaluate("""root => [...document.querySelectorAll(root + " .scale i")]
      .map(one => getComputedStyle(one).backgroundColor)""", ROOT)  # fmt: skip
    bright = [sum(map(int, re.findall(r"\d+", one)[:3])) for one in inks]
    assert len(set(bright)) == 8 and bright == sorted(bright, reverse=theme == "light")
    frames = """root => [...document.querySelectorAll(root + " .stage tbody td")].map(one => {
      const style = getComputedStyle(one);
      return style.outlineStyle === "solid" && parseFloat(style.outlineWidth) >= 2;
    })"""
    for step, mode in ((3, "scaled"), (4, "raw"), (5, "scaled"), (6, "raw"), (6, "uniform")):
        shown = page_of.show(page, step=step, mode=mode)
        framed = [cell["framed"] for table in shown["tables"] for row in table["rows"] for cell in row[1:]]
        assert page.evaluate(frames, ROOT) == framed and any(framed) == (mode != "uniform")


# The bars of step 5 by column and row: where each begins and ends inside its cell, in pixels.
_BARS = """root => {
  const rows = [...document.querySelectorAll(root + " .waterfall tbody tr")].filter(row => row.querySelector(".fall"));
  return [...rows[0].cells].slice(2).map((_, f) => rows.map(row => {
    const bar = row.cells[f + 2].querySelector(".fall"), cell = row.cells[f + 2].getBoundingClientRect();
    const { left, right, width } = bar.getBoundingClientRect();
    return bar.classList.contains("none") || !width ? null : [left - cell.left, right - cell.left];
  }));
}"""


@pytest.mark.parametrize("negative", [False, True])
def test_weighted_values_stack_up_into_the_output(visit, negative):
    """One measure for all columns; each bar starts where the one before it ended, and the output is as long as all."""
    page = page_of.alone(visit, "ja")
    if negative:
        page.locator(f"{ROOT} .stage .inputs input").nth(9).fill("-1.5")  # river's second axis
    shown = page_of.show(page, step=5)
    rows = [[value_of(cell["text"]) for cell in row[2:]] for row in shown["tables"][0]["rows"][: N + 1]]
    assert (min(map(min, rows)) < 0) == negative
    columns = page.evaluate(_BARS, ROOT)
    scale = (columns[0][-1][1] - columns[0][-1][0]) / abs(rows[-1][0])
    assert scale > 50
    zero = columns[2][-1][0]  # the third axis has no negative part
    for f, column in enumerate(columns):
        at = zero
        for part, bar in zip([row[f] for row in rows[:-1]], column[:-1], strict=True):
            ends = sorted((at, at + scale * part))
            # Three decimals and a least width of two pixels.
            assert (bar is None) == (part == 0)
            assert bar is None or (abs(bar[0] - ends[0]) <= 1 and abs(bar[1] - max(ends[1], ends[0] + 2)) <= 2)
            at += scale * part
        ends, bar = sorted((zero, zero + scale * rows[-1][f])), column[-1]
        assert bar is None or (abs(bar[0] - ends[0]) <= 1 and abs(bar[1] - max(ends[1], ends[0] + 2)) <= 2)
        assert abs(at - zero - scale * rows[-1][f]) <= 1


def test_the_contrast_names_the_one_and_the_mix(visit, edition):
    """lesson.md: bank's best Key is river; its Value is (2, 0, 0, 0), the mix (1.434, 0.063, 0.137, 0)."""
    page = page_of.alone(visit, edition)
    shown = page_of.show(page)
    assert [[cell["text"] for cell in row[1:]] for row in shown["contrast"][0]["rows"]] == [
        ["2", "0", "0", "0"],
        ["1.434", "0.063", "0.137", "0"],
    ]
    assert [[cell["text"] for cell in row[1:]] for row in shown["contrast"][1]["rows"]] == [
        ["0", "0.11"], ["0", "0.07"], ["1", "0.69"], ["0", "0.14"],
    ]  # fmt: skip
    # Through the scores: argmax nothing, soft p_j (v_j − o) / 2, for river (2 − 1.4337) 0.6854 / 2 = 0.194.
    assert [cell["text"] for cell in shown["contrast"][2]["rows"][2][1:3]] == ["0", "0.194"]
    assert "river" in shown["told"] and {"0", "1"} <= set(numbers_in(shown["told"]))
    told = {one["told"] for one in page_of.walk(page, [{"mode": mode} for mode in MODES])}
    assert len(told) == 2, "where all weights are alike, no score has a gradient"
    now, scaled = lesson("river", "uniform"), lesson("river", "scaled")
    assert all(cell.value == 0 for _, row in lookups(now, scaled, BANK)[2] for cell in row[1:])


def test_steps_that_are_not_shown_make_no_page_wider(visit):
    """Long numbers: what is hidden from the eye alone stays in its scrolling box, in hidden steps, too."""
    page = page_of.alone(visit, "ja", folded=True, width=320)
    page_of.show(page, step=1)
    for one in page.locator(f"{ROOT} .stage input").all():
        one.fill("-987.654321")
    page.wait_for_function(f"document.querySelectorAll(`{ROOT} .stage-place > *`).length === {STEPS}")
    for step in range(1, STEPS + 1):
        page_of.show(page, step=step)
        assert page.evaluate("document.documentElement.scrollWidth") == 320, step
