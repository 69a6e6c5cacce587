"""The practice page's first screen: what to do now, paths, conditions, free practice, and what the storage says."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

WIDTHS = (1440, 390)


@pytest.fixture
def index(site_folder, edition, learner):
    return learner.bank(site_folder, edition)


@pytest.fixture
def says(deck_says, edition):
    return lambda what: deck_says(edition, what)


def everything_open(page):
    page.evaluate("document.querySelectorAll('.practice details').forEach(one => (one.open = true))")
    page.locator(".free select").first.wait_for()


# == what to do now ==


def test_one_sentence_and_one_button(practise, scheme, says):
    one = practise(scheme=scheme)
    page = one.page
    assert page.locator(".practice .button.primary").count() == 1
    title = page.locator(".today h2").inner_text()
    number, minutes = map(int, re.findall(r"\d+", title))
    assert title == says(f"w.today({number}, {minutes})")
    assert 1 <= minutes <= 40
    expect(page.locator(".today > p").first).to_have_text(says(f"w.mix(0, {number})") + says("w.aloudFirst"))
    one.begin()
    assert one.place == [1, number]


@pytest.mark.one_edition
def test_today_is_never_longer_than_its_minutes(practise):
    one = practise()
    for minutes in (5, 15, 60):
        one.page.locator(".plan summary").first.click()
        field = one.page.locator(".plan [type=number]")
        field.fill(str(minutes))
        field.press("Enter")
        one.page.reload()
        one.ready()
        shown = int(re.findall(r"\d+", one.page.locator(".today h2").inner_text())[-1])
        assert 0 < shown <= minutes


@pytest.mark.one_edition
@pytest.mark.parametrize(("typed", "kept"), [("1", "5"), ("999", "240"), ("-3", "40"), ("", "40"), ("52.4", "52")])
def test_minutes_are_brought_into_their_range(practise, typed, kept):
    page = practise().page
    page.locator(".plan summary").first.click()
    field = page.locator(".plan [type=number]")
    field.fill(typed)
    field.press("Enter")
    expect(field).to_have_value(kept)
    page.reload()
    expect(page.locator(".plan [type=number]")).to_have_value(kept)


@pytest.mark.one_edition
def test_silence_changes_what_is_asked(practise, says):
    one = practise()
    box = one.page.locator(".today [type=checkbox]")
    box.check()
    expect(one.page.locator(".today > p").first).to_contain_text(says("w.silentFirst"))
    one.begin()
    assert one.page.locator(".timer").count() == 0
    one.page.reload()
    expect(one.ready().page.locator(".today [type=checkbox]")).to_be_checked()


@pytest.mark.one_edition
def test_who_keeps_silent_is_not_told_to_speak(practise, learner, says):
    today = learner.TODAY
    for silent, word in ((False, "w.lastDay"), (True, "w.lastDaySilent")):
        page = practise(learner.record(settings={"silent": silent, "date": today})).page
        expect(page.locator(".today > p").first).to_have_text(says(word))


@pytest.mark.one_edition
def test_a_day_without_spoken_questions_does_not_speak_of_them(practise, learner, index, says):
    due = [card for card in index["cards"] if card["kind"] in ("choice", "number")]
    cards = learner.studied(due, ago=30, days=5) | learner.studied(
        [card for card in index["cards"] if card not in due], ago=1, days=900
    )
    page = practise(learner.record(cards, settings={"minutes": 60})).page
    said = page.locator(".today > p", has_text=says(f"w.mix({len(due)}, 0)"))
    expect(said).to_have_text(says(f"w.mix({len(due)}, 0)"))


@pytest.mark.one_edition
def test_nothing_to_do_is_said_kindly(practise, learner, index, says):
    cards = learner.studied(index["cards"], ago=1, days=5)
    one = practise(learner.record(cards))
    page = one.page
    expect(page.locator(".today h2")).to_have_text(says("w.nothingDue"))
    minutes = sum(card["seconds"] for card in index["cards"]) / 60
    day = f"w.nextDay('2025-12-09', '{learner.TODAY}', {len(cards)}, {-(-minutes // 1)})"
    expect(page.locator(".today > p").first).to_have_text(says(day))
    assert page.locator(".practice .button.primary").count() == 0
    page.get_by_role("button", name=says("w.chooseFreely")).click()
    expect(page.locator(".free > summary")).to_be_focused()
    expect(page.locator(".free .button")).to_be_enabled()


# == paths ==


@pytest.mark.one_edition
def test_paths_are_as_long_as_the_bank_allows(practise, learner, index, says):
    page = practise().page
    all_of_them = len(learner.questions(index))
    for path, (name, size, days) in zip(
        page.locator(".path").all(), [("tonight", 8, 1), ("three-days", 20, 3), ("week", 45, 7)], strict=True
    ):
        real = min(size, all_of_them)
        assert path.locator(".dots i").count() == real
        expect(path.locator(".path-name")).to_have_text(says(f"w.pathNames['{name}']"))
        text = path.locator(".path-size").inner_text()
        minutes = int(re.findall(r"\d+", text)[-1])
        assert text == says(f"w.pathSize({real}, {days}, {minutes})")
        if real < size:
            expect(path.locator(".path-note")).to_have_text(says(f"w.pathAll({real})"))


@pytest.mark.one_edition
def test_a_chosen_path_stays_and_can_be_left(practise, says):
    one = practise()
    one.page.locator(".path input").nth(1).check()
    expect(one.page.locator(".deck > [role=status]")).to_have_text(says("w.pathChosen(w.pathNames['three-days'])"))
    one.page.reload()
    expect(one.ready().page.locator(".path input").nth(1)).to_be_checked()
    one.page.get_by_role("button", name=says("w.noPath")).click()
    assert one.page.locator(".path input:checked").count() == 0
    one.page.reload()
    assert one.ready().page.locator(".path input:checked").count() == 0


@pytest.mark.one_edition
def test_a_path_makes_the_day_as_long_as_it_needs(practise, learner, index, says):
    one = practise(learner.record(settings={"minutes": 5}))
    page = one.page
    needs = int(re.findall(r"\d+", page.locator(".path-size").first.inner_text())[-1])
    minutes = -(-needs // 5) * 5
    page.locator(".path input").first.check()
    expect(page.locator(".deck > [role=status]")).to_have_text(
        says(f"w.pathChosen(w.pathNames.tonight) + w.minutesRaised({minutes})")
    )
    size = min(8, len(learner.questions(index)))
    expect(page.locator(".today h2")).to_have_text(says(f"w.today({size}, {needs})"))
    page.reload()
    one.ready()
    page.locator(".plan summary").first.click()
    expect(page.locator(".plan [type=number]")).to_have_value(str(minutes))
    page.locator(".path input").nth(2).check()
    expect(page.locator(".plan [type=number]")).to_have_value(str(minutes))


@pytest.mark.one_edition
def test_the_end_of_a_path_can_be_seen(practise, learner, index, says):
    cards = learner.studied(learner.questions(index), ago=1, days=9)
    page = practise(learner.record(cards, settings={"path": "tonight"})).page
    expect(page.locator(".today h2")).to_have_text(says("w.pathOver(w.pathNames.tonight)"))
    for path in page.locator(".path").all():
        expect(path.locator(".path-note")).to_have_text(says("w.pathFinished"))
        assert path.locator(".dots i:not(.on)").count() == 0


# == conditions ==


@pytest.mark.one_edition
@pytest.mark.parametrize(
    ("date", "left"), [("2025-12-05", 0), ("2025-12-06", 1), ("2025-12-11", 6), ("2025-12-04", None)]
)
def test_the_date_of_the_interview(practise, says, date, left):
    one = practise()
    one.page.locator(".plan summary").first.click()
    one.page.locator("[type=date]").fill(date)
    sentence = says("w.dayPassed" if left is None else f"w.daysLeft({left})")
    expect(one.page.locator(".today .fine")).to_have_text(sentence)
    one.page.reload()
    expect(one.ready().page.locator(".today .fine")).to_have_text(sentence)
    one.page.locator(".plan summary").first.click()
    one.page.locator("[type=date]").fill("")
    expect(one.page.locator(".today .fine")).to_have_count(0)


@pytest.mark.one_edition
def test_a_date_can_be_typed_key_by_key(practise, says):
    """While the year is typed it is 0002, 0020 and 0202 on the way."""
    page = practise(locale="en-US").page
    page.locator(".plan summary").first.click()
    page.locator("[type=date]").press_sequentially("12112025")
    expect(page.locator("[type=date]")).to_have_value("2025-12-11")
    expect(page.locator(".today .fine")).to_have_text(says("w.daysLeft(6)"))


def test_an_interview_in_the_other_language_leads_to_the_other_edition(practise, edition, says, learner):
    other = {"ja": "zh-Hant", "zh-Hant": "ja"}[edition]
    one = practise()
    assert one.page.locator(".today a").count() == 0
    one.page.locator(".plan summary").first.click()
    one.page.locator(".plan select").nth(0).select_option(other)
    expect(one.page.locator(".today .fine")).to_contain_text(says(f"w.otherEdition('{other}')"))
    one.page.locator(".today a").click()
    one.page.wait_for_url(f"**/{other}/{learner.PAGE}*")
    one.ready()
    assert one.page.locator(".today .fine").count() == 0, "one record for both editions: here the languages agree"


def test_an_interview_in_english_shows_the_first_line_in_english(practise, learner, says):
    one = practise(learner.record(settings={"language": "en"}))
    expect(one.page.locator(".today .fine")).to_have_text(says("w.english"))
    one.begin()
    line = one.page.locator(".practice-card [lang=en]").first
    for _ in range(6):
        if line.count():
            break
        one.page.locator(".practice-card .button.primary:visible").last.click()
    assert re.fullmatch(r"[\x20-\x7e’“”–—√]+", line.inner_text())


# == free practice ==


@pytest.mark.one_edition
@pytest.mark.parametrize(
    ("place", "field"), [(0, "topic"), (1, "level"), (2, "kind"), (3, "frequency"), (4, "chapter")]
)
def test_filters_count_what_the_bank_has(practise, index, says, place, field):
    one = practise()
    one.page.locator(".free > summary").click()
    box = one.page.locator(".free select").nth(place)
    box.wait_for()
    values = box.locator("option").evaluate_all("all => all.map(one => one.value)")
    assert set(values) == {"", *(card[field] for card in index["cards"])}
    for value in values[1:]:
        box.select_option(value)
        number = sum(card[field] == value for card in index["cards"])
        sentence = f"w.freeAll({number})" if number <= 20 else f"w.freeSome(20, {number})"
        expect(one.page.locator(".free [role=status]")).to_have_text(says(sentence))
    expect(one.page.locator(".free .button")).to_have_text(says(f"w.freeStart({min(20, number)})"))
    one.page.locator(".free .button").click()
    one.page.locator(".practice-card .card").wait_for()
    assert one.place == [1, min(20, number)]


@pytest.mark.one_edition
def test_filters_that_leave_nothing(practise, index, says):
    has = {(card["kind"], card["level"]) for card in index["cards"]}
    pairs = ((one["kind"], other["level"]) for one in index["cards"] for other in index["cards"])
    kind, level = next(pair for pair in pairs if pair not in has)
    page = practise().page
    page.locator(".free > summary").click()
    page.locator(".free select").nth(1).select_option(level)
    page.locator(".free select").nth(2).select_option(kind)
    expect(page.locator(".free [role=status]")).to_have_text(says("w.freeNone"))
    expect(page.locator(".free .button")).to_be_disabled()


# == after an absence ==


@pytest.mark.one_edition
def test_a_backlog_is_offered_to_be_spread(practise, learner, index, says):
    cards = learner.studied(index["cards"], ago=20, days=9)
    one = practise(learner.record(cards, settings={"minutes": 15}))
    page = one.page
    title = page.locator(".today h2").inner_text()
    shown, minutes = map(int, re.findall(r"\d+", title))
    assert minutes <= 15 < sum(card["seconds"] for card in index["cards"]) / 60
    expect(page.locator(".today > p").first).to_have_text(says(f"w.welcome({minutes})"))
    rest = len(cards) - shown
    expect(page.locator(".backlog p")).to_contain_text(str(rest))
    page.locator(".backlog .button").click()
    expect(page.locator(".deck > [role=status]")).to_have_text(says(f"w.spreadDone({rest})"))
    expect(page.locator(".backlog")).to_have_count(0)
    page.reload()
    one.ready()
    assert page.locator(".backlog").count() == 0
    counts = [int(text or 0) for text in page.locator(".columns b").all_inner_texts()]
    assert sum(counts) == len(cards)
    assert counts[0] == shown
    assert len([count for count in counts if count]) > 2


@pytest.mark.one_edition
def test_after_an_absence_a_day_is_no_longer_than_its_minutes(practise, learner, index, says):
    """The least certain card is a function to program, which takes four times as long as this day has."""
    cards = learner.studied(index["cards"], ago=60, days=9)
    code = next(card["id"] for card in index["cards"] if card["kind"] == "code")
    cards[code]["stability"] = 1.0
    page = practise(learner.record(cards, settings={"minutes": 5})).page
    shown, minutes = map(int, re.findall(r"\d+", page.locator(".today h2").inner_text()))
    assert shown >= 1 and minutes <= 5
    expect(page.locator(".today > p").first).to_have_text(says(f"w.welcome({minutes})"))


@pytest.mark.one_edition
def test_a_day_that_is_longer_than_its_minutes_is_not_called_short(practise, learner, index, says):
    """Two long cards, and nothing else: one of them comes, and nobody says «only»."""
    code = next(card for card in index["cards"] if card["kind"] == "code")
    long = [code, next(card for card in index["cards"] if card["kind"] == "choice")]
    rest = learner.studied([card for card in index["cards"] if card not in long], ago=9, days=900)
    one = practise(learner.record(rest | learner.studied(long, ago=9, days=5), settings={"minutes": 5}))

    def longer(route):
        text = route.fetch().text()
        whole = json.loads(text.removeprefix("interviewBookDeck(").rstrip().removesuffix(");"))
        next(card for card in whole["index"]["cards"] if card["id"] == long[1]["id"])["seconds"] = 1200
        route.fulfill(body=f"interviewBookDeck({json.dumps(whole)});", content_type="text/javascript")

    one.page.route("**/deck/index.js*", longer)
    one.page.reload()
    page = one.ready().page
    expect(page.locator(".today h2")).to_have_text(says("w.today(1, 20)"))
    expect(page.locator(".backlog")).to_have_count(1)
    expect(page.locator(".today > p").first).to_contain_text(says("w.mix(1, 0)"))


# == looks and access ==


def test_no_violation(practise, axe, learner, index):
    cards = learner.studied(index["cards"], ago=9)
    page = practise(learner.record(cards, settings={"date": "2025-12-11", "minutes": 15})).page
    everything_open(page)
    found = []
    for panel in (1, 2):
        page.locator(".record .data button").nth(panel).click()
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            for theme in ("light", "dark"):
                page.evaluate("theme => Object.assign(document.documentElement.dataset, { theme, mode: theme })", theme)
                found += [f"{width} {theme}: {line}" for line in axe(page)]
    assert found == []


@pytest.mark.parametrize("width", [320, 360, 390, 600, 768, 1100, 1440])
def test_nothing_scrolls_sideways(practise, learner, index, width):
    cards = learner.studied(index["cards"], ago=9)
    one = practise(learner.record(cards, settings={"minutes": 240}), width=width)
    everything_open(one.page)
    one.page.locator(".record .data button").nth(1).click()
    too_wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert one.page.evaluate(too_wide) == 0
    one.begin()
    assert one.page.evaluate(too_wide) == 0


def test_targets_are_large_enough_for_a_finger(practise, learner, index):
    cards = learner.studied(index["cards"], ago=9, days=4)
    one = practise(learner.record(cards, settings={"path": "week", "minutes": 5}), width=390, has_touch=True)
    everything_open(one.page)
    one.page.locator(".record .data button").nth(1).click()
    small = """() => [...document.querySelectorAll(".practice :is(button, select, input, textarea, summary, .button)")]
      .filter(one => one.checkVisibility() && !one.classList.contains("visually-hidden"))
      .map(one => (one.matches("[type=checkbox], [type=radio]") ? one.closest("label") : one))
      .filter(one => one.getBoundingClientRect().height < 44 || one.getBoundingClientRect().width < 44)
      .map(one => one.outerHTML.slice(0, 120))"""
    assert one.page.evaluate(small) == []


@pytest.mark.one_edition
def test_nothing_moves_for_who_wants_it_still(practise):
    one = practise()
    one.page.locator(".free > summary").click()
    one.page.locator(".path input").nth(0).check()
    one.begin()
    assert one.page.evaluate("document.getAnimations().length") == 0


def test_on_paper_stands_what_was_learnt(practise, learner, index):
    cards = learner.studied(index["cards"], ago=9, days=12)
    page = practise(learner.record(cards)).page
    page.emulate_media(media="print")
    for shown in (".progress-table", ".columns", ".weeks", ".today h2"):
        expect(page.locator(shown).first).to_be_visible()
    for hidden in (".plan", ".record", ".today .actions"):
        expect(page.locator(hidden).first).to_be_hidden()
