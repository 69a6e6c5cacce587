"""The stepper without a pointer: every control by its keys, where the focus is, and what a screen reader is told."""

from __future__ import annotations

import itertools

import pytest
from playwright.sync_api import expect

from tests.browser import stepper_page as page_of
from tests.browser.stepper_expected import faults, sentence_faults
from tests.browser.stepper_lesson import MODES, SENTENCES, STEPS, N, lesson

ROOT = page_of.ROOT
# Where the focus is, which node that is, and how far from the top of the screen and of the page.
_FOCUS = """() => {
  const one = document.activeElement;
  one.dataset.seen ??= String(Math.random());
  return { node: one.dataset.seen, tag: one.tagName, top: one.getBoundingClientRect().top, scroll: scrollY,
    inside: Boolean(one.closest(".stepper")), text: one.ariaLabel ?? one.textContent.trim(), type: one.type ?? "" };
}"""


def right(shown: dict) -> bool:
    """Whether all that is shown, and said, is as lesson.md has it."""
    now, scaled = (lesson(shown["sentence"], mode) for mode in (shown["mode"], "scaled"))
    return faults(shown, now, scaled) + sentence_faults(shown, now, scaled) == []


def press(page, key: str, moves: float = 1) -> dict:
    """Press a key; the focus stays in its place on the screen, but for so many pixels. Return what is then shown."""
    before = page.evaluate(_FOCUS)
    page.keyboard.press(key)
    after = page.evaluate(_FOCUS)
    assert after["inside"] and abs(after["top"] - before["top"]) <= moves, (key, before, after)
    if before["node"] != after["node"]:
        assert before["tag"] == after["tag"] == "BUTTON" and key not in ("Enter", "Space"), "only the arrows move it"
    shown = page_of.show(page)
    assert right(shown)
    return shown


@pytest.fixture
def opened(visit):
    """The chapter: on its long page something could jump. Keys do the same in both languages.

    Without scroll anchoring, which Safari lacks: there the widget itself has to hold what is pressed.
    """
    page = page_of.opened(visit, "ja")
    page.add_style_tag(content="* { overflow-anchor: none !important }")
    return page


@pytest.fixture
def alone(visit, edition):
    return page_of.alone(visit, edition)


def test_all_steps_forwards_and_backwards_by_each_control(opened):
    steps = opened.locator(f"{ROOT} .steps button")
    foot = opened.locator(f"{ROOT} .widget-foot :is(button, input)")
    there, back = [2, 3, 4, 5, 6, 6], [5, 4, 3, 2, 1, 1]
    for forth, to in (("ArrowRight", "ArrowLeft"), ("ArrowDown", "ArrowUp")):
        steps.first.focus()
        assert [press(opened, forth)["step"] for _ in there] == there
        assert opened.evaluate("document.activeElement.ariaCurrent") == "step"
        assert [press(opened, to)["step"] for _ in back] == back
        assert opened.evaluate("document.activeElement.ariaCurrent") == "step"
    assert [press(opened, key)["step"] for key in ("End", "Home")] == [6, 1]
    for place in steps.all():
        assert place.get_attribute("tabindex") == ("0" if place.get_attribute("aria-current") == "step" else "-1")

    before, slider, following = foot.all()
    slider.focus()
    for forth, to in (("ArrowRight", "ArrowLeft"), ("ArrowUp", "ArrowDown")):
        assert [press(opened, forth)["step"] for _ in there] == there
        assert [press(opened, to)["step"] for _ in back] == back
    for key, step in (("End", 6), ("Home", 1)):
        assert press(opened, key)["step"] == step
        assert slider.get_attribute("aria-valuetext").startswith(str(step))

    for button, key, expected in ((following, "Enter", there), (before, "Space", back)):
        button.focus()
        assert [press(opened, key)["step"] for _ in expected] == expected
        assert button.get_attribute("aria-disabled") == "true", "at the end it says that it leads nowhere"
        assert not button.evaluate("one => one.disabled"), "or it would lose the focus"


def test_from_any_step_to_any_other(visit):
    page = page_of.alone(visit, "zh-Hant")
    steps = page.locator(f"{ROOT} .steps button")
    for a, b in itertools.permutations(range(1, STEPS + 1), 2):
        page_of.show(page, step=a)
        steps.nth(b - 1).focus()
        assert press(page, "Enter")["step"] == b
    assert page.locator(f"{ROOT} [aria-current]").count() == 1


def test_the_whole_widget_is_one_walk_by_tab(visit, edition):
    """Every stop once, in the order of the page, each with a name, and the key leads out again."""
    page, stops = page_of.alone(visit, edition, folded=True), []
    for _ in range(40):
        page.keyboard.press("Tab")
        one = page.evaluate(_FOCUS)
        if stops and not one["inside"]:
            break
        stops.append(one)
    kinds = [(one["tag"], one["type"]) for one in stops]
    radios, fields = [("INPUT", "radio")] * 3, [("INPUT", "text")] * (N * N)
    foot = [("BUTTON", "button"), ("INPUT", "range"), ("BUTTON", "button")]
    scroll = [("DIV", "")]
    expected = [("BUTTON", "button"), *radios, ("BUTTON", "button"), *scroll, *fields, ("SUMMARY", ""), *foot]
    assert kinds == expected
    labels = [one["text"] for one in stops if one["type"] == "text"]
    words = SENTENCES["river"]
    assert len(set(labels)) == N * N
    for i, label in enumerate(labels):
        assert words[i // N] in label and page_of.AXES[edition][i % N] in label
    bare = """one => [...one.querySelectorAll("button, input")].filter(one => one.checkVisibility()
      && !(one.ariaLabel ?? one.labels?.[0]?.textContent ?? one.textContent).trim()).length"""
    assert page.locator(ROOT).evaluate(bare) == 0


@pytest.mark.parametrize("width", [320, 390, 1440])
def test_steps_and_choices_stay_under_the_finger(visit, edition, width):
    page = page_of.alone(visit, edition, folded=True, width=width)
    for part in (".steps li", ".segments label"):
        all_, places = page.locator(f"{ROOT} {part}"), set()
        box = "all => all.map(one => one.getBoundingClientRect()).map(one => [one.x, one.y + scrollY, one.width])"
        places.add(str(all_.evaluate_all(box)))
        for one in all_.all():
            one.locator("button, input").evaluate("one => one.click()")
            if part == ".steps li" or "river" not in one.inner_text():
                places.add(str(all_.evaluate_all(box)))
        assert len(places) == (1 if part == ".steps li" else 2), "2: the tokens of the other sentence are others"


def test_steps_that_were_seen_are_out_of_reach(visit):
    """They stay in the page so that going back is quick: not for the eye, the ear, the tabulator or a search."""
    page = page_of.alone(visit, "ja", folded=True)
    steps = page.locator(f"{ROOT} .steps button")
    for step in [2, 3, 4, 5, 6, 1, 6]:
        steps.nth(step - 1).focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")  # at once, before what was hidden is out of the tabulator's way by itself
        assert page.evaluate("document.activeElement.closest('.stage-place > *')?.className") == "stage", step
    boxes = page.locator(f"{ROOT} .stage-place > *")
    assert boxes.count() == STEPS
    page.wait_for_function("root => document.querySelectorAll(root + ' .away[inert]').length === 5", arg=ROOT)
    for box in boxes.all():
        away = box.get_attribute("class") == "away"
        height, seen = box.evaluate("one => [one.offsetHeight, one.checkVisibility({ checkOpacity: true })]")
        assert (height == 0) is away and seen is not away and (box.get_attribute("inert") is not None) is away
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    tables = [one for one in tree if one.get("role", {}).get("value") == "table" and not one["ignored"]]
    assert len(tables) == page.locator(f"{ROOT} .stage table").count() == 1
    stops = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        stops.add(page.evaluate("document.activeElement.closest('.stage-place > *')?.className ?? ''"))
    assert stops == {"", "stage"}
    page.emulate_media(media="print")
    assert page.locator(f"{ROOT} .away").first.evaluate("one => getComputedStyle(one).display") == "none"


def test_what_is_not_shown_is_drawn_ahead(visit):
    """A page at rest has every step up to date: one that is asked for then has only to appear."""
    page = page_of.alone(visit, "ja", folded=True)
    texts = f"[...document.querySelectorAll(`{ROOT} .stage-place > *`)].map(one => one.textContent)"
    assert len(page.evaluate(texts)) == 1, "whoever only reads on needs no other step"

    def shown(step: int, **state) -> str:
        page_of.show(page, step=step, **state)
        return page.locator(f"{ROOT} .stage").inner_text()

    def rest(old: list[str]) -> list[str]:
        page.wait_for_function(f"old => {texts}.length === 6 && !{texts}.some(one => old.includes(one))", arg=old)
        return page.evaluate(texts)

    state = {"sentence": "savings", "mode": "raw", "query": 0}  # whose tokens stand in every step
    drawn_when_asked = [shown(step, **state) for step in range(1, STEPS + 1)]
    before = page.evaluate(texts)
    page_of.show(page, step=2, sentence="river", mode="uniform", query=3)
    others = rest(before)
    page_of.show(page, step=4, **state)
    rest(others)
    page.evaluate(
        """root => {
          window.changes = [];
          const watch = new MutationObserver(all => window.changes.push(...all));
          for (const box of document.querySelectorAll(root + " .stage-place > *"))
            watch.observe(box, { childList: true, characterData: true, subtree: true });
        }""",
        ROOT,
    )
    assert [shown(step) for step in range(1, STEPS + 1)] == drawn_when_asked
    assert page.evaluate("changes.length") == 0
    page_of.show(page, mode="scaled")
    assert page.evaluate("changes.length") > 0, "who counts changes sees them"


def test_sentence_mode_and_query_by_arrows_in_every_step(opened):
    groups = opened.locator(f"{ROOT} .controls > fieldset")
    legends = [groups.nth(i).locator("legend").inner_text() for i in range(3)]
    assert len(set(legends)) == 3 and all(legends)
    for step in range(1, STEPS + 1):
        page_of.show(opened, step=step, sentence="river", mode="scaled", query=3)
        for place, name, order in ((0, "sentence", list(SENTENCES)), (1, "mode", MODES), (2, "query", [0, 1, 2, 3])):
            groups.nth(place).locator("input:checked").focus()
            at = order.index(page_of.show(opened)[name])
            for _ in order:
                before, at = page_of.show(opened), (at + 1) % len(order)
                opened.keyboard.press("ArrowRight")
                shown = page_of.show(opened)
                assert right(shown) and shown[name] == order[at]
                kept = ("sentence", "mode", "query", "step")
                assert all(shown[one] == before[one] for one in kept if one != name)
                assert opened.evaluate("document.activeElement.checked")


def test_step_6_is_computed_by_keys(opened):
    page_of.show(opened, step=6)
    opened.locator(f"{ROOT} .stage:not([inert])").wait_for()  # a script's focus() is refused until then
    button, line = opened.locator(f"{ROOT} .stage .button"), 24  # a note comes and goes above
    button.focus()
    assert line < button.bounding_box()["height"] - 1
    assert [press(opened, "Enter", line)["computed"] for _ in range(6)] == [0, 1, 2, 3, 4, 0]
    opened.locator(f"{ROOT} .stage input[type=range]").focus()
    keys = ["ArrowRight", "ArrowRight", "ArrowLeft", "End", "Home"]
    assert [press(opened, key, line)["computed"] for key in keys] == [1, 2, 1, 4, 0]


def test_contrast_opens_and_everything_returns_by_key(opened):
    opened.locator(f"{ROOT} summary").focus()
    tables = opened.locator(f"{ROOT} .contrast table")
    for count in (0, 3):  # it is open here
        opened.keyboard.press("Enter")
        expect(tables.filter(visible=True)).to_have_count(count)
    page_of.show(opened, step=5, mode="raw", sentence="savings", query=0)
    opened.locator(f"{ROOT} .widget-head button").focus()
    shown = press(opened, "Enter")
    assert [shown[name] for name in ("sentence", "mode", "query", "step")] == ["river", "scaled", 3, 1]


# Of every region that speaks by itself.
_REGIONS = """root => ["[aria-live]", "[role=status]", "[role=alert]"]
  .flatMap(one => [...document.querySelectorAll(`${root} ${one}`)])
  .map(one => [one.className, one.ariaLive, one.ariaAtomic, Boolean(one.mine)])"""


def test_the_sentence_is_one_live_region_that_stays(alone):
    """A region that is made anew is not read; and only the two sentences speak."""
    alone.evaluate("root => { document.querySelector(root + ' .live').mine = true; }", ROOT)
    said = set()
    for state in [{"step": step, "mode": mode} for step in range(1, STEPS + 1) for mode in MODES]:
        said.add(page_of.show(alone, **state)["live"])
        spoken, compared = alone.evaluate(_REGIONS, ROOT)
        assert (spoken, compared[:3]) == (["live", "polite", "true", True], ["against", "polite", "true"])
    assert len(said) == STEPS * len(MODES) - 2, "in steps 1 and 2 no other mode changes anything"


# Of every table in sight: its caption, whether all rows are as long, and how many heads are wrong or empty.
_TABLES = """root => [...document.querySelectorAll(`${root} :is(.stage, .contrast) table`)].map(table => {
  const width = row => [...row.cells].reduce((sum, one) => sum + one.colSpan, 0);
  const body = [...table.querySelectorAll("tbody tr:not(.band)")], last = [...table.tHead.rows].at(-1);
  return {
    caption: table.caption.textContent.trim(), widths: [...new Set([...table.rows].map(width))].length,
    rows: body.filter(row => row.cells[0].tagName !== "TH" || row.cells[0].scope !== "row").length,
    columns: [...last.cells].slice(1).filter(one => one.scope !== "col" || !one.textContent.trim()).length,
    corner: last.cells[0].tagName === "TD" || last.cells[0].scope === "col",
    heads: body.filter(row => !row.cells[0].textContent.trim()).length,
    groups: [...table.querySelectorAll("[colspan]")].filter(one => one.scope !== "colgroup").length,
  };
})"""


def test_every_table_has_heads_and_a_caption(alone):
    for step, mode in itertools.product(range(1, STEPS + 1), MODES):
        page_of.show(alone, step=step, mode=mode)
        tables = alone.evaluate(_TABLES, ROOT)
        assert len(tables) == 1 + 3
        captions = [one.pop("caption") for one in tables]
        assert all(captions) and len(set(captions)) == len(captions)
        well = {"widths": 1, "rows": 0, "columns": 0, "corner": True, "heads": 0, "groups": 0}
        assert tables == [well] * len(tables)
    picture = alone.locator(f"{ROOT} .stage .links")
    assert picture.get_attribute("role") == "img"
    shown, label = page_of.show(alone, mode="scaled"), picture.get_attribute("aria-label")
    for i, row in enumerate(shown["tables"][0]["rows"]):
        (framed,) = [cell["text"] for cell in row if cell["framed"]]
        assert SENTENCES["river"][i] in label and framed in label


def test_what_goes_out_of_sight_with_the_focus_hands_it_to_the_step(opened):
    """As when Python sets the step while one types: the next key must not begin at the top of the page."""
    opened.locator(f"{page_of.ROOT} .stage input[type=text]").first.focus()
    opened.locator(f"{page_of.ROOT} .steps button").nth(3).evaluate("one => one.click()")  # moves no focus itself
    assert opened.evaluate("document.activeElement.ariaCurrent") == "step"
    assert opened.evaluate("document.activeElement.querySelector('.n').textContent") == "4"
