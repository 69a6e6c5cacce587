"""The stepper with numbers of the reader's own: every step follows, what is no number changes nothing."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from interview_book.widgets import deck_files
from tests.browser import stepper_page as page_of
from tests.browser.stepper_expected import faults, lookups, numbers_in, sentence_faults, sight, table_faults
from tests.browser.stepper_lesson import MODES, SENTENCES, STEPS, N, embeddings, fits, worked

FIELDS = f"{page_of.ROOT} .stage .inputs input"
ALL = [{"mode": mode, "step": step} for mode in MODES for step in range(1, STEPS + 1)]

# What is typed where, in the sentence in which it is typed; and the number that it is.
EDITS = {
    "river": [
        ("bank", 0, "−1.5", -1.5),
        ("the", 2, "２．２５", 2.25),
        ("by", 1, "1/4", 0.25),
        ("by", 3, " -0.125 ", -0.125),
        ("river", 0, "1.75e0", 1.75),
    ],
    "savings": [("savings", 2, "－０.７", -0.7), ("at", 0, "3", 3.0), ("the", 0, "0.05", 0.05)],
}
# Refused while it is typed, or, as it may still become a number, when the field is left.
AT_ONCE = ["abc", "1e400", "-1e400", "1000.5", "1e4", "1,5", "1/0", "--1", "2 kg", "NaN", "Infinity", "∞", "0.3.1"]
WHEN_LEFT = ["", "   ", "-", "2e", "．"]

# Put a view of a model that can be changed from outside, as a notebook's can, in the place of the page's.
_BESIDE = """async ([root, url]) => {
  const host = document.querySelector(root).closest(".book-widget"), heard = {};
  const state = JSON.parse(host.querySelector("script").textContent), { default: widget } = await import(url);
  window.beside = {
    get: name => state[name], set: (name, value) => void (state[name] = value), save_changes() {}, off() {},
    on: (name, act) => void (heard[name] ??= []).push(act),
    change: (name, value) => ((state[name] = value), heard[`change:${name}`].forEach(act => act())),
  };
  const el = document.createElement("div");
  host.querySelector(":scope > div").replaceWith(el);
  widget.render({ model: window.beside, el });
}"""


@pytest.fixture
def opened(visit, edition):
    return page_of.alone(visit, edition)


@pytest.fixture
def japanese(visit):
    """For what is the same in both languages."""
    return page_of.alone(visit, "ja")


def field(page, word: str, axis: int):
    sentence = page_of.show(page)["sentence"]
    return page.locator(FIELDS).nth(SENTENCES[sentence].index(word) * N + axis)


def wrong(shown: dict, table: dict) -> list[str]:
    now, scaled = (worked(table, shown["sentence"], mode) for mode in (shown["mode"], "scaled"))
    return faults(shown, now, scaled)


def test_every_step_follows_what_is_typed(opened):
    """In both sentences: bank, the and an edit of either are seen in the other too. Compared with plain NumPy."""
    table = embeddings()
    for (sentence, edits), queries in zip(EDITS.items(), ((3,), (0, 2)), strict=True):
        page_of.show(opened, sentence=sentence, step=1, mode="scaled", query=3)
        for word, axis, typed, value in edits:
            one = field(opened, word, axis)
            one.fill(typed)
            table[word][axis] = value
            now, beside = worked(table, sentence, "scaled"), page_of.show(opened)["contrast"]
            assert one.input_value() == typed
            assert table_faults(beside, lookups(now, now, 3)) == [], "it follows while one types"
            one.press("Enter")
            shown = page_of.show(opened)
            assert wrong(shown, table) == [] and shown["edited"]
            assert "changed" in one.get_attribute("class")
        states = [{"sentence": name, "query": query} for query in queries for name in SENTENCES]
        for shown in page_of.walk(opened, [{**one, **state} for one in states for state in ALL]):
            now, scaled = (worked(table, shown["sentence"], mode) for mode in (shown["mode"], "scaled"))
            assert faults(shown, now, scaled) + sentence_faults(shown, now, scaled) == []


def test_extremes_and_ties(opened, edition):
    """The largest entries, weights of one and of nothing; two Keys that tie; nothing but zeros; sums that cancel."""
    cases = [
        {"bank": [1000, -1000, 1000, 0], "river": [1000, 1000, -1000, 1000]},
        {"bank": [0, 0, 0, 2], "river": [0.001, 0, 0, -30], "by": [9, -9, 0, 0]},
        {"bank": [2, 0, 0, 0]},  # as river: they tie for themselves
        {word: [0, 0, 0, 0] for word in SENTENCES["river"]},
        {"by": [0.1, 0.2, -0.15, 0], "the": [1, 1, 0, 1]},  # 0.1 + 0.2 − 0.3
    ]
    tie = {"ja": "同点", "zh-Hant": "同分"}[edition]
    for case in cases:
        table = embeddings()
        page_of.show(opened, step=1)
        for word, row in case.items():
            for axis, value in enumerate(row):
                if table[word][axis] != value:
                    one = field(opened, word, axis)
                    one.fill(str(value))
                    one.press("Enter")
            table[word] = [float(one) for one in row]
        walked = page_of.walk(opened, [{"query": query, **state} for query in (1, 3) for state in ALL])
        for at, shown in enumerate(walked):
            assert wrong(shown, table) == []
            scores = sorted(worked(table, "river", "raw")["S"][shown["query"]])
            assert (tie in shown["told"]) == (scores[-1] - scores[-2] <= 1e-9), shown["told"]
            # The sentence says nothing that no step of this Query shows, but sums, counts, √dₖ and even weights.
            first = at - at % len(ALL)
            known = set().union(*map(sight, walked[first : first + len(ALL)])) | {"0", "1", "2", "4", "0.25", "1.386"}
            assert set(numbers_in(shown["live"])) <= known, shown["live"]
        page_of.show(opened, mode="scaled", query=3)
        opened.locator(f"{page_of.ROOT} .widget-head button").click()
        assert not page_of.show(opened)["edited"]


def refusal(page, one) -> str:
    """What is said at the field, by all the ways in which it must be said."""
    assert one.get_attribute("aria-invalid") == "true"
    said = page.locator(f"[id='{one.get_attribute('aria-describedby')}']")
    assert said.count() == 1 and said.is_visible() and said.get_attribute("role") == "alert"
    apart = said.bounding_box()["y"] - (one.bounding_box()["y"] + one.bounding_box()["height"])
    assert 0 <= apart < 24, "beside the field, not somewhere"
    return said.inner_text()


def test_what_is_no_number_is_refused_in_words_and_changes_nothing(opened, edition):
    before = page_of.show(opened)
    one, other = field(opened, "bank", 2), field(opened, "the", 1)
    reasons = {}
    for typed in AT_ONCE + WHEN_LEFT:
        one.fill(typed)
        if typed in WHEN_LEFT:
            assert one.get_attribute("aria-invalid") is None and page_of.show(opened)["refused"] == [], typed
            one.evaluate("one => one.blur()")
        text = refusal(opened, one)
        assert one.input_value() == typed, "what was typed stays, to be corrected"
        name = page_of.AXES[edition][2]
        assert "bank" in text and name in text and fits(numbers_in(text)[-1], "short", 1), text
        assert one.get_attribute("aria-label") in text
        reasons[typed] = text
        shown = page_of.show(opened)
        assert len(shown["refused"]) == 1 and not shown["edited"]
        assert (shown["live"], shown["contrast"]) == (before["live"], before["contrast"])
        one.fill("1")
        assert page_of.show(opened) == before, "the field takes a number again"
        assert one.get_attribute("aria-invalid") is None
    assert len(set(reasons.values())) >= 6, "it says what is wrong"
    assert len({reasons[typed] for typed in ("", "   ")}) == 1
    assert len({reasons[typed] for typed in ("", "abc", "1e400", "1000.5", "1/0", "1,5")}) == 6
    assert bool(re.search("[ぁ-ヿ]", reasons["abc"])) == (edition == "ja")

    # Two at once, each beside its own row; they wait while the reader looks at the other steps.
    one.fill("abc")
    other.fill("x")
    other.press("Tab")
    assert len({refusal(opened, one), refusal(opened, other)}) == 2
    for shown in page_of.walk(opened, [{"step": step} for step in range(2, STEPS + 1)]):
        assert wrong(shown, embeddings()) == [] and not shown["edited"]
    shown = page_of.show(opened, step=1)
    assert {**shown, "tables": 0, "refused": []} == {**before, "tables": 0} and len(shown["refused"]) == 2
    assert (one.input_value(), other.input_value()) == ("abc", "x")
    one.fill("1")
    other.fill("0")
    assert page_of.show(opened) == before and opened.locator(f"{FIELDS}[aria-invalid]").count() == 0


def test_the_caret_stays_where_one_types(japanese):
    one = field(japanese, "river", 0)
    one.focus()
    one.evaluate("one => { one.dataset.mine = 1; one.setSelectionRange(0, 0); }")
    for sign in "12.5":
        japanese.keyboard.press(sign)
    assert one.input_value() == "12.52"
    caret = "[document.activeElement.dataset.mine, document.activeElement.selectionStart]"
    assert japanese.evaluate(caret) == ["1", 4]
    one.press("Backspace")
    assert (one.input_value(), japanese.evaluate(caret)) == ("12.2", ["1", 3])
    assert wrong(page_of.show(japanese), {**embeddings(), "river": [12.2, 0, 0, 0]}) == []


@pytest.mark.parametrize("typed", ["7e400", "5 kg"])
def test_what_is_refused_changes_nothing_typed_sign_by_sign_either(japanese, typed):
    """On the way to 7e400 stands 7, which is a number."""
    one = field(japanese, "river", 0)
    one.focus()
    japanese.keyboard.press("Control+a")
    for sign in typed:
        japanese.keyboard.press(sign)
    japanese.keyboard.press("Tab")
    assert numbers_in(refusal(japanese, one))[-1] == "2"
    for shown in page_of.walk(japanese, [{"step": step} for step in (2, 4)]):
        assert wrong(shown, embeddings()) == [] and not shown["edited"]
    assert len(page_of.show(japanese, step=1)["refused"]) == 1 and one.input_value() == typed


def test_a_step_may_change_while_something_is_being_typed(japanese):
    """Pressed by assistive software, or set by Python, which leaves the focus in the field that goes."""
    field(japanese, "river", 0).focus()
    japanese.keyboard.press("Control+a")
    japanese.keyboard.press("5")
    table = {**embeddings(), "river": [5, 0, 0, 0]}
    for shown in page_of.walk(japanese, [{"step": step} for step in (2, 3, 5, 1)]):
        assert wrong(shown, table) == [] and shown["refused"] == []


def test_what_an_input_method_composes_counts_when_it_is_done(japanese):
    one, before = field(japanese, "bank", 3), page_of.show(japanese)
    one.focus()
    japanese.keyboard.press("Control+a")
    client = japanese.context.new_cdp_session(japanese)
    for text in ("１", "１．", "１．５"):
        client.send("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})
        shown = page_of.show(japanese)
        assert (shown["live"], shown["contrast"], shown["edited"]) == (before["live"], before["contrast"], False)
    client.send("Input.insertText", {"text": "１．５"})
    assert page_of.show(japanese)["live"] != before["live"], "nobody has to press a key or leave for it"
    one.press("Enter")
    assert wrong(page_of.show(japanese), {**embeddings(), "bank": [0.3, 0.3, 1, 1.5]}) == []


@pytest.mark.parametrize("width", [360, 1440])
def test_the_field_stays_where_it_is_while_one_types(visit, width):
    page = page_of.alone(visit, "ja", folded=True, width=width)
    one = field(page, "bank", 0)
    one.scroll_into_view_if_needed()
    places = {one.bounding_box()["y"]}
    for typed in ("0.35", "0", "0.3", "abc", "2"):
        one.fill(typed)
        places.add(one.bounding_box()["y"])
    assert max(places) - min(places) < 0.01


def test_a_press_reaches_what_it_is_on_though_a_field_is_left_by_it(visit):
    """Leaving «1e» puts a line into the table, which moves all below it; not before the button has been let go."""
    page = page_of.alone(visit, "ja", folded=True, width=360)
    for word in ("by", "the", "river"):
        field(page, word, 0).fill("zz")
    one, following = field(page, "bank", 0), page.locator(f"{page_of.ROOT} .widget-foot button").last
    one.fill("1e")
    following.scroll_into_view_if_needed()
    box = following.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.wait_for_timeout(150)
    assert abs(following.bounding_box()["y"] - box["y"]) < 0.01
    page.mouse.up()
    assert page_of.show(page)["step"] == 2
    page_of.show(page, step=1)
    expect(page.locator(f"{page_of.ROOT} .stage .refused")).to_have_count(4)
    assert len(page_of.show(page, step=1)["refused"]) == 4, "and then it says what was wrong"


def test_a_number_that_comes_from_outside_is_newer_than_what_is_being_typed(japanese):
    """From Python, or from another view of the same model: leaving the field must not put the old number back."""
    url = japanese.url.replace("alone.html", "stepper.mjs")
    module = deck_files.module("stepper")
    japanese.route(url, lambda route: route.fulfill(body=module, content_type="text/javascript; charset=utf-8"))
    japanese.evaluate(_BESIDE, [page_of.ROOT, url])
    page_of.unfolded(japanese)
    one = field(japanese, "by", 0)
    one.fill("6x")
    assert len(page_of.show(japanese)["refused"]) == 1
    japanese.evaluate("() => beside.change('X', beside.get('X').map((row, i) => i ? row : [1.5, ...row.slice(1)]))")
    assert one.input_value() == "1.5" and page_of.show(japanese)["refused"] == []
    japanese.keyboard.press("Tab")
    assert japanese.evaluate("beside.get('X')[0]") == [1.5, 0.2, 0, 1]
    assert wrong(page_of.show(japanese), {**embeddings(), "by": [1.5, 0.2, 0, 1]}) == []


def test_a_reset_returns_the_numbers_and_another_everything(japanese):
    start, walked = page_of.show(japanese), page_of.walk(japanese, ALL)
    assert not page_of.show(japanese, step=1, mode="raw", sentence="savings", query=1)["edited"]
    field(japanese, "bank", 1).fill("5")
    field(japanese, "at", 1).fill("x")
    japanese.locator(f"{page_of.ROOT} .stage .edited button").click()
    assert japanese.evaluate("document.activeElement.ariaCurrent") == "step", "its own button is gone"
    shown = page_of.show(japanese)
    assert shown["refused"] == [] and not shown["edited"]
    assert (shown["sentence"], shown["mode"], shown["query"], shown["step"]) == ("savings", "raw", 1, 1)
    assert wrong(shown, embeddings()) == []

    field(japanese, "bank", 1).fill("5")
    field(japanese, "bank", 1).press("Enter")
    page_of.show(japanese, step=6)
    page_of.show(japanese, computed=2)
    japanese.locator(f"{page_of.ROOT} .widget-head button").click()
    assert page_of.show(japanese) == start
    assert page_of.walk(japanese, ALL) == walked


@pytest.mark.parametrize("typed", ["5", "1e", "abc"])
@pytest.mark.parametrize("button", [".stage .edited button", ".widget-head button"])
def test_what_was_being_typed_does_not_come_back_after_a_reset(japanese, button, typed):
    """Pressing the button leaves the field, which waits for the press to end; by then it has nothing more to say."""
    page_of.show(japanese, step=1)
    field(japanese, "bank", 0).fill("7")
    field(japanese, "by", 1).fill(typed)
    japanese.locator(f"{page_of.ROOT} {button}").click()
    japanese.wait_for_timeout(200)  # the field would speak 60 ms after the press
    shown = page_of.show(japanese)
    assert field(japanese, "by", 1).input_value() == "0.2" and shown["refused"] == [] and not shown["edited"]


def test_a_field_that_is_taken_away_is_left(japanese):
    """Its row goes with the other sentence, as Python may do it: the focus goes to the step, the refusal stays."""
    page_of.show(japanese, step=1)
    field(japanese, "river", 1).fill("1e")
    page_of.show(japanese, sentence="savings")
    assert japanese.evaluate("document.activeElement.ariaCurrent") == "step"
    page_of.show(japanese, sentence="river")
    assert field(japanese, "river", 1).input_value() == "1e"
    assert field(japanese, "river", 1).get_attribute("aria-invalid") == "true" and page_of.show(japanese)["refused"]


def test_the_comparison_of_the_sentences_is_computed(opened):
    """Once «at» differs from «by», scores and weights differ, and the line says by how much."""
    page_of.show(opened, sentence="savings")
    field(opened, "at", 0).fill("1.2")
    table = {**embeddings(), "at": [1.2, 0.2, 0, 1]}
    here, there = (worked(table, sentence, "scaled") for sentence in ("savings", "river"))
    shown = page_of.show(opened, step=3)
    numbers = numbers_in(shown["against"])
    assert len(numbers) == 2
    assert fits(numbers[0], "short", here["S"][3][0]) and fits(numbers[1], "short", there["S"][3][0])
    assert "四" in page_of.show(opened, step=4)["against"], "of one Query all weights differ"
    outputs = [(a, b) for a, b in zip(here["output"][3], there["output"][3], strict=True) if abs(a - b) > 1e-9]
    numbers = numbers_in(page_of.show(opened, step=5)["against"])
    pairs = [one for pair in outputs for one in pair]
    assert len(numbers) == len(pairs) and all(fits(a, "three", b) for a, b in zip(numbers, pairs, strict=True))
    rows = zip(here["A"], there["A"], strict=True)
    differ = sum(abs(a - b) > 1e-9 for p, q in rows for a, b in zip(p, q, strict=True))
    told = ["16"] if differ == N * N else ["16", str(differ)]
    assert numbers_in(page_of.show(opened, step=6)["against"]) == told
