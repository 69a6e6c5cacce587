"""What was learnt, as pictures and numbers; the record taken away, brought back, deleted; and storage that fails."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect


@pytest.fixture
def index(site_folder, edition, learner):
    return learner.bank(site_folder, edition)


@pytest.fixture
def says(deck_says, edition):
    return lambda what: deck_says(edition, what)


def same(one: dict, other: dict) -> bool:
    """Two exported records hold the same, whoever wrote them."""
    return all(one[key] == other[key] for key in ("cards", "said", "deferred", "reviews"))


def number(text: str) -> int:
    return int(re.search(r"\d+", text)[0])


# == pictures ==


def test_mastery_by_topic(practise, learner, index):
    questions = learner.questions(index)
    # By thirds: learnt (stable for a week), begun (not stable, or failed last), untouched.
    last = learner.NOW - 3 * learner.DAY
    cards = {
        one["id"]: learner.card(last=last, days=9, stability=(7.0, 6.9, 30.0)[n % 3], state=(2, 2, 3)[n % 3])
        for n, one in enumerate(questions)
        if n % 4
    }
    page = practise(learner.record(cards)).page
    rows = page.locator(".progress-table").first.locator("tbody tr")
    shown = {row.locator("th").inner_text(): row for row in rows.all()}
    by_topic: dict[str, list[bool | None]] = {}
    for one in questions:
        card = cards.get(one["id"])
        known = card and card["state"] == 2 and card["stability"] >= 7
        by_topic.setdefault(index["topics"][one["topic"]], []).append(known if card else None)
    assert set(shown) == set(by_topic)
    for topic, marks in by_topic.items():
        learnt, begun = marks.count(True), len(marks) - marks.count(None)
        row = shown[topic]
        expect(row.locator("td.num [aria-hidden]")).to_have_text(f"{learnt} / {len(marks)}")
        style = row.locator(".bar").get_attribute("style")
        a, b = (float(one) for one in re.findall(r"([\d.]+)%", style))
        assert (a, b) == pytest.approx((100 * learnt / len(marks), 100 * begun / len(marks)), abs=1e-6)


def test_the_forecast_says_the_same_in_three_ways(practise, learner, index, says):
    cards = learner.studied(index["cards"], ago=4)
    page = practise(learner.record(cards)).page
    counts = [int(text or 0) for text in page.locator(".columns b").all_inner_texts()]
    assert len(counts) == 14
    # ago 4: what was due 1 to 4 days later is due today, the n-th of the rest on day n − 4
    assert counts == [4] + [1] * 13
    assert page.locator(".columns").get_attribute("aria-label") == says("w.forecastAlt(17, 4, '2025-12-05')")
    page.locator(".progress details summary").first.click()
    table = page.locator(".day-table tbody tr")
    assert [number(row.locator("td").first.inner_text()) for row in table.all()] == counts
    assert table.first.locator("th").inner_text() == says("w.when('2025-12-05', '2025-12-05')")
    heights = page.locator(".columns i").evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")
    assert heights[0] == pytest.approx(4 * heights[1], rel=0.02)


@pytest.mark.one_edition
def test_the_weeks_behind(practise, learner, index, says):
    cards = {}
    for n, one in enumerate(index["cards"][:9]):
        cards[one["id"]] = learner.card(last=learner.NOW - (0, 1, 1, 4, 4, 4, 11, 24, 60)[n] * learner.DAY, days=99)
    page = practise(learner.record(cards)).page
    cells = page.locator(".weeks tbody tr")
    assert cells.count() == 4
    # Friday, 5 December 2025; the weeks begin on Mondays, 10, 17 and 24 November and 1 December
    shown = [[cell.inner_text() for cell in row.locator("td").all()] for row in cells.all()]
    assert shown == [
        ["", "1", "", "", "", "", ""],
        ["", "", "", "", "", "", ""],
        ["1", "", "", "", "", "", ""],
        ["3", "", "", "2", "1", "", ""],
    ]
    expect(page.locator(".weeks caption")).to_contain_text(says("w.historyAlt(8, 8, 5)"))
    assert [th.inner_text() for th in page.locator(".weeks thead th").all()] == says("w.weekdays")


@pytest.mark.one_edition
def test_said_aloud_is_kept_by_language(practise, learner, index, says):
    spoken = [one["id"] for one in index["cards"] if one["kind"] == "explain"]
    cards = learner.studied(index["cards"][:1], ago=1)
    said = {spoken[0]: {"ja": learner.NOW, "zh-Hant": learner.NOW}, spoken[1]: {"ja": learner.NOW}}
    page = practise(learner.record(cards, said=said)).page
    rows = page.locator(".progress-table").nth(1).locator("tbody tr")
    shown = {row.locator("th").inner_text(): row.locator("[aria-hidden]").last.inner_text() for row in rows.all()}
    assert shown == {says("w.languages.ja"): f"2 / {len(spoken)}", says("w.languages['zh-Hant']"): f"1 / {len(spoken)}"}


def test_one_record_for_both_editions(practise, learner, index, edition):
    other = {"ja": "zh-Hant", "zh-Hant": "ja"}[edition]
    one = practise(learner.record(learner.studied(index["cards"], ago=1)))
    taken = one.take()
    one.page.goto(one.page.url.replace(f"/{edition}/", f"/{other}/"))
    assert same(one.ready().take(), taken)


# == the record in the reader's hands ==


def test_taken_away_deleted_and_brought_back(practise, learner, index, says, scheme):
    one = practise(learner.record(learner.studied(index["cards"], ago=2, days=9)), scheme=scheme)
    page = one.page
    taken = one.take()
    expect(page.locator(".panel-box")).to_contain_text(f"interview-book-progress-{learner.TODAY}.json")

    page.get_by_role("button", name=says("w.clear")).click()
    expect(page.locator(".panel-box")).to_contain_text(
        says(f"w.clearNote({len(index['cards'])}, {len(index['cards'])})")
    )
    assert same(one.take(), taken), "the first click deletes nothing"
    page.get_by_role("button", name=says("w.clear")).click()
    page.get_by_role("button", name=says("w.clearGo")).click()
    expect(page.locator(".record-note")).to_contain_text(says("w.cleared"))
    assert one.take()["cards"] == {}
    page.reload()
    assert one.ready().take()["cards"] == {}

    page.get_by_role("button", name=says("w.load")).click()
    page.locator("[type=file]").set_input_files(
        {"name": "mine.json", "mimeType": "application/json", "buffer": json.dumps(taken).encode()}
    )
    expect(page.locator(".record-note")).to_contain_text(says(f"w.loaded({len(index['cards'])})"))
    page.reload()
    assert same(one.ready().take(), taken)


@pytest.mark.one_edition
def test_deleting_can_be_cancelled_and_undone(practise, learner, index, says):
    one = practise(learner.record(learner.studied(index["cards"], ago=2, days=9)))
    page = one.page
    taken = one.take()
    page.get_by_role("button", name=says("w.clear")).click()
    page.get_by_role("button", name=says("w.cancel")).click()
    assert page.locator(".panel-box").count() == 0
    page.get_by_role("button", name=says("w.clear")).click()
    page.get_by_role("button", name=says("w.clearGo")).click()
    assert one.take()["cards"] == {}, "an export between does not take the way back away"
    page.get_by_role("button", name=says("w.clear")).click()
    page.get_by_role("button", name=says("w.clearGo")).click()
    expect(page.locator(".panel-box")).to_have_count(0)
    page.locator(".record-note button").click()
    expect(page.locator(".record-note")).to_have_text(says("w.restored"))
    page.reload()
    assert same(one.ready().take(), taken)


@pytest.mark.one_edition
def test_an_import_can_be_undone(practise, learner, index, says):
    mine = learner.studied(index["cards"][:3], ago=2, days=9)
    one = practise(learner.record(mine))
    taken = one.take()
    page = one.page
    one.paste(learner.record(learner.studied(index["cards"][3:8], ago=3, days=9)))
    expect(page.locator(".record-note")).to_contain_text(says("w.loaded(8)"))
    page.locator(".record-note button").click()
    page.reload()
    assert same(one.ready().take(), taken)


@pytest.mark.one_edition
def test_a_file_can_be_dropped(practise, learner, index, says):
    one = practise()
    page = one.page
    page.get_by_role("button", name=says("w.load")).click()
    page.locator(".drop").evaluate(
        """(box, text) => {
          const data = new DataTransfer();
          data.items.add(new File([text], "mine.json"));
          for (const kind of ["dragover", "drop"])
            box.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
        }""",
        learner.record(learner.studied(index["cards"], ago=2, days=9)),
    )
    expect(page.locator(".record-note")).to_contain_text(says(f"w.loaded({len(index['cards'])})"))


@pytest.mark.one_edition
def test_a_file_that_cannot_be_read_is_said(practise, says):
    page = practise().page
    page.get_by_role("button", name=says("w.load")).click()
    page.evaluate("void (Blob.prototype.text = async () => { throw new DOMException('gone', 'NotFoundError'); })")
    page.locator(".drop input").set_input_files({"name": "mine.json", "mimeType": "application/json", "buffer": b"{}"})
    expect(page.locator(".record-note")).to_have_text(says("w.notLoadedText(w.problems['not-json'])"))
    assert page.locator(".drop input").input_value() == "", "so that the same file can be chosen again"


@pytest.mark.one_edition
def test_the_focus_is_never_lost(practise, learner, index, says):
    """Whatever takes itself away by its own press."""
    cards = learner.studied(index["cards"], ago=20, days=1)
    one = practise(learner.record(cards, settings={"minutes": 5}))
    page = one.page

    def press(where):
        where.press("Enter")
        page.wait_for_timeout(60)
        assert page.evaluate("document.activeElement !== document.body"), f"lost by {where}"

    clear = page.locator(".record .data .danger")
    press(clear)
    expect(page.locator(".panel-box")).to_be_focused()
    press(page.get_by_role("button", name=says("w.cancel")))
    press(clear)
    expect(page.locator(".panel-box")).to_be_focused()
    press(page.locator(".panel-box .danger"))
    press(page.locator(".record-note button"))
    press(page.locator(".backlog button"))
    page.locator(".path input").first.check()
    press(page.locator(".path-none button"))
    page.evaluate("localStorage['interview-book:v1:deck:head'] = 'ERROR'")
    page.reload()
    press(one.ready().page.locator(".notice .quiet"))
    page.route("**/_static/deck/*.js?*", lambda route: route.fulfill(body="", content_type="text/javascript"))
    press(page.locator(".today .button.primary"))
    press(page.get_by_role("button", name=says("w.retry")))


@pytest.mark.one_edition
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("mine", "not-json"),
        ('{"version": 1, "cards": {', "not-json"),
        ('{"name": "somebody else", "version": "2"}', "foreign"),
        ('{"version": 99, "scheduler": "ts-fsrs 9"}', "future"),
        ('{"version": 1, "scheduler": "ts-fsrs 5 FSRS-6", "created": 0, "settings": {}}', "damaged"),
    ],
)
def test_what_cannot_be_brought_is_said_and_changes_nothing(practise, learner, index, says, text, problem):
    one = practise(learner.record(learner.studied(index["cards"][:2], ago=2, days=9)))
    taken = one.take()
    one.paste(text)
    expect(one.page.locator(".record-note")).to_have_text(says(f"w.notLoadedText(w.problems['{problem}'])"))
    assert one.page.locator(".record-note button").count() == 0
    assert same(one.take(), taken)


@pytest.mark.one_edition
def test_the_text_can_be_copied_where_no_file_can_be_kept(practise, learner, index, says):
    one = practise(learner.record(learner.studied(index["cards"][:2], ago=2, days=9)))
    one.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    taken = one.take()
    one.page.get_by_role("button", name=says("w.copy")).click()
    expect(one.page.locator(".panel-box")).to_contain_text(says("w.copied"))
    assert same(json.loads(one.page.evaluate("navigator.clipboard.readText()")), taken)


@pytest.mark.one_edition
def test_without_a_clipboard_the_text_is_shown(practise, learner, index, says):
    one = practise(learner.record(learner.studied(index["cards"][:2], ago=2, days=9)))
    refuse = "navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'));"
    one.page.evaluate(f"() => {{ {refuse} }}")
    taken = one.take()
    one.page.get_by_role("button", name=says("w.copy")).click()
    assert same(json.loads(one.page.locator(".panel-box textarea").input_value()), taken)


# == storage that fails ==

_BLOCKED = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("not allowed", "SecurityError"); },
});"""
_FULL = """(() => {
  const put = Storage.prototype.setItem;
  Storage.prototype.setItem = function (key, value) {
    if (key.startsWith("interview-book:v1:deck:") && window.full) throw new DOMException("full", "QuotaExceededError");
    return put.call(this, key, value);
  };
})();"""


@pytest.mark.one_edition
def test_without_storage_one_practises_and_is_told(practise, says):
    one = practise()
    page = one.page
    page.add_init_script(_BLOCKED)
    page.reload()
    one.ready()
    expect(page.locator(".notice p")).to_have_text(says("w.notices.blocked"))
    expect(page.locator(".deck > [role=status]")).to_have_text(says("w.notices.blocked"))
    one.begin()
    assert page.locator(".notice").count() == 0, "one is told once, not at each card"
    one.grade(3)
    one.grade(3)
    page.get_by_role("button", name=says("w.stop")).click()
    with page.expect_download():
        page.locator(".notice .button").click()
    page.locator(".practice-end .today .button").click()
    one.ready()
    assert len(one.take()["cards"]) == 2


@pytest.mark.one_edition
def test_a_full_storage_is_said_when_it_happens(practise, learner, index, says):
    one = practise(learner.record(learner.studied(index["cards"][:4], ago=2, days=1)))
    page = one.page
    page.add_init_script(_FULL)
    page.reload()
    one.ready().begin()
    page.evaluate("window.full = true")
    one.grade(3)
    expect(page.locator(".notice p")).to_have_text(says("w.notices.full"))
    page.evaluate("window.full = false")
    one.grade(3)
    expect(page.locator(".notice")).to_have_count(0)
    page.get_by_role("button", name=says("w.stop")).click()
    page.reload()
    assert sum(card["reps"] > 1 for card in one.ready().take()["cards"].values()) == 2, "nothing was lost"


@pytest.mark.one_edition
@pytest.mark.parametrize(("value", "kind"), [("ERROR", "corrupt"), ('["somebody"]', "foreign"), ("{", "corrupt")])
def test_what_cannot_be_read_is_kept_aside(practise, learner, index, says, value, kind):
    one = practise(learner.record(learner.studied(index["cards"][:4], ago=2, days=9)))
    page = one.page
    keys = page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('interview-book:v1:deck:'))")
    head = min(keys, key=len)
    page.evaluate("([key, value]) => localStorage.setItem(key, value)", [head, value])
    page.reload()
    one.ready()
    expect(page.locator(".notice p").first).to_contain_text(says(f"w.notices['{kind}']"))
    kept = page.evaluate("value => Object.keys(localStorage).filter(key => localStorage[key] === value)", value)
    assert [key for key in kept if key != head], "the value is still there under another name"
    page.set_viewport_size({"width": 320, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320, "that name is one long word"
    page.get_by_role("button", name=says("w.close")).first.click()
    expect(page.locator(".notice")).to_have_count(0)
    one.begin()
    one.grade(3)


@pytest.mark.one_edition
def test_a_record_of_a_newer_version_is_never_written_over(practise, learner, index, says):
    one = practise(learner.record(learner.studied(index["cards"][:4], ago=2, days=9)))
    page = one.page
    keys = page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('interview-book:v1:deck:'))")
    head = min(keys, key=len)
    page.evaluate(
        "key => localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage[key]), version: 99 }))", head
    )
    before = page.evaluate("key => localStorage[key]", head)
    page.reload()
    one.ready()
    expect(page.locator(".notice p")).to_have_text(says("w.notices.future"))
    one.begin()
    one.grade(3)
    assert page.evaluate("key => localStorage[key]", head) == before


@pytest.mark.one_edition
def test_two_tabs_lose_nothing(practise, learner, index, says):
    one = practise(learner.record(learner.studied(index["cards"][:2], ago=2, days=9)))
    other = learner.Practice(one.page.context.new_page())
    other.page.goto(one.page.url)
    other.at()
    one.begin()
    other.begin()
    one.grade(3)
    other.grade(2)
    one.grade(3)
    expect(one.page.locator(".notice p")).to_have_text(says("w.notices['other-tab']"))
    for tab in (one, other):
        tab.page.get_by_role("button", name=says("w.stop")).click()
        tab.page.locator(".practice-end .today .button.primary").click()
        tab.ready()
    rows = one.page.locator(".weeks .heat")
    assert sum(int(text or 0) for text in rows.all_inner_texts()) == 5
    assert same(one.take(), other.take())


@pytest.mark.one_edition
def test_a_clock_that_was_ahead_can_be_mended(practise, learner, index, says):
    cards = learner.studied(index["cards"], ago=-400, days=3)
    page = practise(learner.record(cards)).page
    expect(page.locator(".notice p")).to_have_text(says(f"w.clock({len(cards)})"))
    page.locator(".notice .button").click()
    expect(page.locator(".notice")).to_have_count(0)
    assert [int(text or 0) for text in page.locator(".columns b").all_inner_texts()][3] == len(cards)
