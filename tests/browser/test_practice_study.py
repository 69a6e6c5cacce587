"""A sitting at the practice page: by mouse, keyboard and finger; undo, «again», stopping; what a key must not do."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

SHORT = {"minutes": 15}


@pytest.fixture
def index(site_folder, edition, learner):
    return learner.bank(site_folder, edition)


@pytest.fixture
def says(deck_says, edition):
    return lambda what: deck_says(edition, what)


@pytest.fixture
def sitting(practise, learner):
    """``sitting(**settings)``: a sitting that has begun, short, with nothing learnt yet."""

    def begin(settings=SHORT, **options):
        one = practise(learner.record(settings=settings), **options)
        one.begin()
        return one

    return begin


# == whole sittings ==


def test_a_whole_sitting(sitting, learner, index, says, scheme):
    one = sitting(scheme=scheme)
    page = one.page
    number = one.place[1]
    assert number >= 2
    assert page.locator(".run .dots i").count() == number
    left = page.locator(".run-left").inner_text()
    for turn in range(number):
        assert one.place == [turn + 1, number]
        assert page.locator(".run .dots i.on").count() == turn
        one.grade(3)
    expect(page.locator(".practice-end h2").first).to_have_text(says("w.endOver"))
    expect(page.locator(".practice-end h2").first).to_be_focused()
    assert page.locator(".practice-end .points li").count() == number
    assert int(re.findall(r"\d+", left)[-1]) <= 15
    page.locator(".practice-end .button.primary").click()
    one.ready()
    expect(page.locator(".today h2")).to_be_focused()
    taken = one.take()
    asked = {card["id"] for card in index["cards"]}
    assert len(taken["cards"]) == number
    assert set(taken["cards"]) <= asked
    assert all(card["reps"] == 1 for card in taken["cards"].values())
    page.reload()
    assert one.ready().take()["cards"] == taken["cards"]


def test_a_sitting_by_keyboard_alone(sitting, practise, learner, says):
    one = practise(learner.record(settings=SHORT))
    page = one.page
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.today .button.primary')"):
            break
    page.keyboard.press("Enter")
    page.locator(".practice-card .card").wait_for()
    expect(page.locator(".card .q-ask").first).to_be_focused()
    turns = 0
    for _ in range(200):
        if not page.locator(".practice-card").count():
            break
        field = page.locator(".practice-card input[type=text]:visible")
        if page.locator(".grade:visible").count():
            page.keyboard.press("3")
            turns += 1
        elif page.locator(".practice-card .button.primary:enabled:visible").count() and not field.count():
            page.keyboard.press("Space")
        elif page.locator("[data-options]:visible input:enabled").count():
            page.keyboard.press("1")
        elif field.count():
            while not page.evaluate("document.activeElement.matches('input[type=text]')"):
                page.keyboard.press("Tab")
            page.keyboard.type("2")
            page.keyboard.press("Enter")
        page.wait_for_timeout(30)
    expect(page.locator(".practice-end h2").first).to_be_focused()
    page.evaluate("new Promise(done => setTimeout(() => setTimeout(done), 60))")  # Preact's effects may give it again
    assert turns >= 2
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".practice-start .today h2")).to_be_focused()


def test_a_sitting_by_touch(sitting):
    one = sitting(width=390, has_touch=True, is_mobile=True)
    page = one.page
    number = one.place[1]
    page.evaluate("() => { window.clicks = 0; addEventListener('click', () => (window.clicks += 1), true); }")

    def tap(where):
        before = page.evaluate("window.clicks")
        where.tap()
        # The browser makes a click of the touch afterwards.
        page.wait_for_function("before => window.clicks > before", arg=before)

    for _ in range(200):
        if not page.locator(".practice-card").count():
            break
        field = page.locator(".practice-card input[type=text]:visible")
        if page.locator(".grade:visible").count():
            tap(page.locator(".grade").nth(2))
        elif field.count() and not field.first.input_value():
            tap(field.first)
            page.keyboard.insert_text("2")
        elif page.locator(".practice-card .button.primary:enabled:visible").count():
            tap(page.locator(".practice-card .button.primary:enabled:visible").last)
        else:
            tap(page.locator("[data-options] label:visible").first)
        page.wait_for_timeout(30)
    assert page.locator(".practice-end .points li").count() == number
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0


def test_no_violation_on_the_way(sitting, axe):
    one = sitting()
    page = one.page
    page.locator(".keys summary").click()
    found = []

    def look(where):
        for width in (1440, 390):
            page.set_viewport_size({"width": width, "height": 900})
            for theme in ("light", "dark"):
                page.evaluate("theme => Object.assign(document.documentElement.dataset, { theme, mode: theme })", theme)
                found.extend(f"{where} {width} {theme}: {line}" for line in axe(page))

    look("card")
    one.grade(1)
    look("second card")
    one.finish()
    look("end")
    assert found == []


def test_no_violation_where_formulas_stand_on_keys(practise, axe):
    """On the site, where KaTeX has set them: their text is not what is typed."""
    page = practise().page
    page.locator(".free > summary").click()
    page.locator(".free select").nth(2).select_option("expression")
    page.locator(".free .button").click()
    page.locator(".insert .katex").first.wait_for()
    assert axe(page) == []
    page.locator(".practice-card .button.primary").click()
    page.locator(".unreadable").wait_for()
    assert axe(page) == []


# == what the next answer rests on ==


@pytest.mark.one_edition
def test_again_comes_back_in_the_same_sitting(sitting, says):
    one = sitting()
    number = one.place[1]
    first = one.page.locator(".q-ask").first.inner_text()
    one.grade(1)
    expect(one.page.locator(".run-last span")).to_have_text(says("w.comesBack"))
    assert one.place == [2, number + 1]
    seen = []
    while one.page.locator(".practice-card").count():
        again = one.page.locator(".run").get_by_text(says("w.again")).count()
        seen.append((one.page.locator(".q-ask").first.inner_text(), again))
        one.grade(3)
    assert [text for text, again in seen if again] == [first]
    assert len(seen) == number
    assert one.page.locator(".practice-end .points li").count() == number


@pytest.mark.one_edition
def test_what_was_chosen_is_said_with_the_next_day(sitting, says, learner):
    one = sitting()
    days = int(re.search(r"\d+", one.page.evaluate("""async () => {
      for (let i = 0; i < 20 && !document.querySelector(".grade"); i++) {
        document.querySelector(".practice-card .button.primary").click();
        await new Promise(done => setTimeout(done, 20));
      }
      return document.querySelectorAll(".grade span")[2].textContent;
    }"""))[0])  # fmt: skip
    one.grade(3)
    day = f"2025-12-{5 + days:02}"
    sentence = says(f"w.graded(w.grades[2], w.when('{day}', '{learner.TODAY}'))")
    expect(one.page.locator(".run-last span")).to_have_text(sentence)
    expect(one.page.locator(".deck > [role=status]")).to_have_text(sentence)


@pytest.mark.one_edition
@pytest.mark.parametrize("way", ["button", "key", "end"])
def test_undo_brings_the_last_card_back(sitting, says, way):
    one = sitting({"minutes": 5} if way == "end" else SHORT)
    page = one.page
    assert page.locator(".run-last").count() == 0
    page.keyboard.press("u")
    assert one.place[0] == 1
    one.grade(2)
    if way == "button":
        page.locator(".run-last button").click()
    elif way == "key":
        page.keyboard.press("u")
    else:
        one.finish()
        while page.locator(".practice-end").count() or one.place[0] > 1:
            page.get_by_role("button", name=says("w.undo")).first.click()
            page.locator(".practice-card .outcome").wait_for()
    expect(page.locator(".grade")).to_have_count(4)
    assert one.place[0] == 1
    expect(page.locator(".outcome h2").first).to_be_focused()
    expect(page.locator(".deck > [role=status]")).to_have_text(says("w.undone"))
    page.get_by_role("button", name=says("w.stop")).click()
    assert one.ready().take()["cards"] == {}


@pytest.mark.one_edition
def test_undo_shows_the_result_with_the_same_ticks(sitting, says):
    one = sitting({"minutes": 5})
    page = one.page
    page.locator(".segments input").nth(1).check(force=True)
    page.locator("textarea").fill("√d_k")
    for _ in range(2):
        page.locator(".practice-card .button.primary:visible").last.click()
        if page.locator(".rubric input").count():
            page.locator(".rubric input").nth(1).check()
            page.locator(".marking summary").first.click()
            page.locator(".fatal input").first.check()
    result = page.locator(".outcome").inner_html
    before = result().replace("deck-", "")
    page.keyboard.press("2")
    page.get_by_role("button", name=says("w.undo")).first.click()
    page.locator(".grade").first.wait_for()
    kept = [re.sub(r'id="[^"]*"', "", text) for text in (before, result().replace("deck-", ""))]
    assert kept[0] == kept[1]
    page.locator(".grades .fine button").click()
    assert page.locator(".rubric input").nth(1).is_checked()
    assert page.locator(".fatal input").first.is_checked()
    expect(page.locator(".own-words-text")).to_have_text("√d_k")


@pytest.mark.one_edition
def test_what_was_written_stands_whole_in_the_margin(sitting):
    page = sitting({"minutes": 5}, width=1920).page
    page.locator(".segments input").nth(1).check(force=True)
    page.locator("textarea").fill("√d_k " * 30)
    page.locator(".practice-card .button.primary:visible").last.click()
    box, first = page.locator(".own-words").bounding_box(), page.locator(".rubric > li").first.bounding_box()
    assert box["x"] >= first["x"] + first["width"]
    corners = """element => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const seen = (x, y) => element.contains(document.elementFromPoint(x, y));
      return [left + 2, right - 2].flatMap(x => [seen(x, top + 12), seen(x, bottom - 12)]);
    }"""
    assert page.locator(".own-words").evaluate(corners) == [True] * 4  # what a box cuts off is not hit either


@pytest.mark.one_edition
def test_after_undo_no_line_tells_of_the_grade_that_is_no_more(sitting, says):
    one = sitting()
    page = one.page
    line, undo = page.locator(".run-last span"), page.locator(".run-last button")
    one.grade(3)
    one.grade(3)
    undo.click()
    expect(line).to_have_text("")
    expect(undo).to_have_count(1)  # the first grade can be taken back as well
    one.grade(3)
    expect(line).not_to_have_text("")
    page.keyboard.press("u")
    expect(line).to_have_text("")
    page.keyboard.press("u")
    expect(line).to_have_count(0)
    assert one.place[0] == 1
    page.keyboard.press("u")
    assert one.place[0] == 1


CODE = "attention.scaled-attention"


@pytest.mark.one_edition
@pytest.mark.parametrize("way", ["button", "key"])
def test_undo_beside_a_putting_off_takes_that_back_and_no_grade(practise, learner, index, says, way):
    first, last = [card["id"] for card in index["cards"] if card["kind"] == "choice"][:2]
    # all due, in this order: the least certain comes first
    cards = {
        key: learner.card(last=learner.NOW - 9 * learner.DAY, days=5, stability=stability)
        for stability, key in enumerate((first, CODE, last), 1)
    }
    one = practise(learner.record(cards))
    page = one.page
    page.locator(".free > summary").click()
    page.locator(".free .button").click()
    number = one.place[1]
    one.grade(3)
    asked = page.locator(".q-ask").inner_text()
    page.get_by_role("button", name=says("w.stop")).wait_for()
    later = page.locator(".card > .actions .button:not(.primary)")
    later.click()
    expect(page.locator(".run-last span")).to_have_text(says("w.putOff"))
    assert one.place == [2, number - 1]
    if way == "button":
        page.locator(".run-last button").click()
    else:
        page.keyboard.press("u")
    expect(page.locator(".deck > [role=status]")).to_have_text(says("w.undone"))
    expect(page.locator(".q-ask")).to_have_text(asked)
    assert one.place == [2, number]
    assert page.locator(".run-last span").inner_text() == ""
    later.click()
    page.locator(".run-last button").click()
    page.get_by_role("button", name=says("w.stop")).click()
    page.locator(".practice-end .button.primary").click()
    taken = one.ready().take()
    assert taken["deferred"] == {} and taken["cards"][first]["reps"] == 2
    assert taken["cards"][CODE] == cards[CODE]


@pytest.mark.one_edition
def test_the_last_card_that_is_put_off_can_be_had_back(practise, learner, index, says):
    rest = learner.studied([card for card in index["cards"] if card["id"] != CODE], ago=1, days=900)
    due = {CODE: learner.card(last=learner.NOW - 9 * learner.DAY, days=5)}
    one = practise(learner.record(rest | due))
    page = one.page
    one.begin()
    assert one.place == [1, 1]
    later = page.locator(".card > .actions .button:not(.primary)")
    later.click()
    end = page.locator(".practice-end")
    expect(end.locator("h2").first).to_be_focused()
    expect(end).to_contain_text(says("w.putOff"))
    assert page.locator(".practice-end .points, .practice-end h2").count() == 1, "no list of nothing"
    page.get_by_role("button", name=says("w.undo")).click()
    expect(page.locator(".hints")).to_have_count(1)
    later.click()
    end.locator(".button.primary").click()
    expect(page.locator(".today h2")).to_have_text(says("w.nothingDue"))
    assert one.ready().take()["deferred"] == {CODE: "2025-12-06"}


@pytest.mark.one_edition
def test_stopping_keeps_what_was_done(sitting, says):
    one = sitting()
    number = one.place[1]
    one.grade(3)
    one.page.get_by_role("button", name=says("w.stop")).click()
    expect(one.page.locator(".practice-end h2").first).to_have_text(says("w.endStopped"))
    expect(one.page.locator(".practice-end")).to_contain_text(says(f"w.endRest({number - 1})"))
    one.page.locator(".practice-end .button.primary").click()
    one.ready()
    title = one.page.locator(".today h2").inner_text()
    rest, minutes = map(int, re.findall(r"\d+", title))
    assert rest == number - 1
    assert title == says(f"w.remaining({rest}, {minutes})")
    expect(one.page.locator(".today .button.primary")).to_have_text(says(f"w.goOn({rest})"))
    one.page.reload()
    expect(one.ready().page.locator(".today h2")).to_have_text(title)


@pytest.mark.one_edition
def test_what_was_forgotten_is_for_tomorrow_wherever_it_is_said(sitting, says, learner):
    one = sitting()
    page, number = one.page, one.place[1]
    one.grade(1)
    expect(page.locator(".run-last span")).to_have_text(says("w.comesBack"))
    page.get_by_role("button", name=says("w.stop")).click()
    ending = page.locator(".practice-end .today")
    expect(ending).to_contain_text(says(f"w.endRest({number - 1})"))
    tomorrow = says(f"w.nextDay('2025-12-06', '{learner.TODAY}', 1, 5)")
    expect(ending).to_contain_text(tomorrow)
    page.locator(".practice-end .button.primary").click()
    one.ready()
    assert int(re.findall(r"\d+", page.locator(".today h2").inner_text())[0]) == number - 1
    expect(page.locator(".today p").first).to_have_text(says(f"w.mix(0, {number - 1})"))
    assert page.locator(".columns b").all_inner_texts()[:2] == ["", "1"]


@pytest.mark.one_edition
def test_after_midnight_the_page_says_when_the_day_turns(practise, learner, says):
    one = practise(learner.record())
    for hours, told in ((11, 0), (12.5, 1), (15.9, 1), (16, 0)):  # from noon on
        one.at(learner.NOW + int(hours * 3_600_000))
        assert one.page.get_by_text(says("w.dayTurns")).count() == told


@pytest.mark.one_edition
def test_code_can_be_put_off_until_tomorrow_without_a_grade(practise, learner, index, says, edition):
    code = [card for card in index["cards"] if card["kind"] == "code"]
    explain = next(card for card in index["cards"] if card["kind"] == "explain")
    known = {card["id"]: learner.card(last=learner.NOW - 9 * learner.DAY, days=3) for card in [*code[:1], explain]}
    one = practise(learner.record(known, settings={"minutes": 25}))
    page, before = one.page, one.take()["cards"]
    one.begin()
    assert one.place == [1, 2]
    one.grade(3)
    page.get_by_role("button", name={"ja": "あとで書く"}.get(edition, "之後再寫")).click()
    expect(page.locator(".practice-end")).to_contain_text(says(f"w.nextDay('2025-12-06', '{learner.TODAY}', 1, 20)"))
    page.locator(".practice-end .button.primary").click()
    taken = one.ready().take()
    assert taken["cards"][code[0]["id"]] == before[code[0]["id"]]
    assert len(taken["reviews"]) and taken["deferred"] == {code[0]["id"]: "2025-12-06"}


@pytest.mark.one_edition
def test_what_is_said_aloud_counts_for_the_language_of_the_interview(practise, learner, index, edition, says):
    spoken = next(one for one in index["cards"] if one["kind"] == "explain")
    for language in (edition, "en"):
        one = practise(learner.record(settings={"language": language, "minutes": 5}))
        one.begin()
        one.grade(3)
        one.page.locator(".practice-end .today .button.primary").click()
        said = one.ready().take()["said"]
        assert {key: list(value) for key, value in said.items()} == {spoken["id"]: [language]}


@pytest.mark.one_edition
def test_stopping_before_the_first_answer_leads_back(sitting, says):
    one = sitting()
    one.page.get_by_role("button", name=says("w.stop")).click()
    expect(one.ready().page.locator(".today h2")).to_be_focused()


# == focus and keys ==


@pytest.mark.one_edition
def test_the_question_has_the_focus_and_the_page_stays(sitting, landed):
    one = sitting()
    page = one.page
    expect(page.locator(".card .q-ask").first).to_be_focused()
    assert page.evaluate("scrollY") == 0
    one.grade(3)
    page.locator(".practice-card .card").wait_for()
    expect(page.locator(".card .q-ask")).to_be_focused()
    landed(page, ".practice-card", 400)  # the next card is seen from its top


@pytest.mark.one_edition
@pytest.mark.parametrize("event", [{"isComposing": True}, {"keyCode": 229}])
def test_a_composing_key_does_nothing(sitting, event):
    one = sitting()
    page = one.page
    before = page.locator(".practice-card").inner_html()
    page.evaluate(
        """event => {
          for (const key of [" ", "1", "u", "ArrowDown", "Enter"]) {
            const typed = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...event });
            document.activeElement.dispatchEvent(typed);
          }
        }""",
        event,
    )
    assert page.locator(".practice-card").inner_html() == before


@pytest.mark.one_edition
def test_keys_belong_to_a_dialog_while_it_is_open(sitting):
    one = sitting()
    page = one.page
    for _ in range(20):
        if page.locator(".grade").count():
            break
        page.locator(".practice-card .button.primary:visible").last.click()
    page.keyboard.press("/")
    expect(page.locator(".search-dialog")).to_be_visible()
    page.keyboard.type("1")
    assert one.place[0] == 1
    page.keyboard.press("Escape")
    page.keyboard.press("3")
    page.locator(".run-last").wait_for()
    assert one.place[0] == 2


@pytest.mark.one_edition
@pytest.mark.parametrize("key", ["Space", "Enter"])
def test_a_key_held_down_is_one_press(sitting, key):
    one = sitting()
    page = one.page
    start = page.locator(".card .button.primary")
    start.focus() if key == "Enter" else expect(page.locator(".q-ask").first).to_be_focused()
    for _ in range(12):
        page.keyboard.down(key)
        page.wait_for_timeout(30)
    page.keyboard.up(key)
    assert one.place[0] == 1
    assert page.locator(".practice-card .outcome, .practice-card .marking").count() == 0
    expect(page.locator(".timer b")).to_be_visible()


@pytest.mark.one_edition
def test_arrows_go_through_the_points(sitting, says):
    one = sitting()
    page = one.page
    while not page.locator(".rubric input:visible").count():
        page.locator(".practice-card .button.primary:visible").last.click()
    page.locator(".card .q-ask").focus()
    points = page.locator(".rubric input:visible")
    page.keyboard.press("ArrowDown")
    expect(points.first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(points.nth(1)).to_be_focused()
    page.keyboard.press("Space")
    expect(points.nth(1)).to_be_checked()
    page.keyboard.press("ArrowUp")
    expect(points.first).to_be_focused()


# == what can go wrong ==


@pytest.mark.one_edition
def test_a_part_that_does_not_load_can_be_asked_for_again(practise, learner, index, says, record):
    one = practise(learner.record(settings=SHORT))
    page = one.page
    record.expect("failed:")
    record.expect("ERR_FAILED")
    page.route("**/_static/deck/*.js?*", lambda route: route.abort())
    page.locator(".today .button.primary").click()
    expect(page.locator(".practice-card .notice")).to_have_text(says("w.notLoaded"))
    page.unroute("**/_static/deck/*.js?*")
    page.get_by_role("button", name=says("w.retry")).click()
    page.locator(".card .q-ask").wait_for()
    one.grade(3)


@pytest.mark.one_edition
def test_a_question_that_is_gone_from_its_part_can_be_left_out(practise, learner):
    """A page that was open while the site was renewed has the old index, and gets the new parts."""
    one = practise(learner.record(settings=SHORT))
    page = one.page
    empty = """interviewBookDeck({ part: {
      chapter: document.currentScript.src.match(/([^/]+)[.]js/)[1], records: {}, html: [] } });"""
    page.route(
        re.compile(r"/_static/deck/(?!index\.js).*\.js"),
        lambda route: route.fulfill(body=empty, content_type="text/javascript"),
    )
    page.locator(".today .button.primary").click()
    number = one.place[1]
    for _ in range(number):
        page.locator(".practice-card .card .button:not(.primary)").click()
    one.ready()


@pytest.mark.one_edition
def test_the_study_day_turns_while_one_looks(practise, learner, index, says):
    """Due tomorrow, looked at until 4 a.m.: it is there without a touch."""
    cards = learner.studied(index["cards"][:1], ago=1, days=2)
    one = practise(learner.record(cards, settings={"minutes": 5}), shared=False)  # its clock goes on by itself
    page = one.page
    page.clock.install(time=(learner.NOW + 15.9 * 3_600_000) / 1000)  # 3:54
    page.reload()
    expect(one.ready().page.locator(".today p").first).to_contain_text(says("w.mix(0, 1)"))
    page.clock.fast_forward("10:00")
    expect(page.locator(".today p").first).to_contain_text(says("w.mix(1, 0)"))


@pytest.mark.one_edition
def test_a_night_between_is_no_time_of_practice(sitting, learner, says):
    one = sitting()
    one.page.clock.set_fixed_time(learner.NOW / 1000 + 9 * 3600)
    one.grade(3)
    one.page.get_by_role("button", name=says("w.stop")).click()
    expect(one.page.locator(".practice-end .today p").first).to_contain_text(says("w.endNote(1, 60)"))


def test_every_card_of_the_bank_can_be_answered(practise, learner, index):
    """Free practice, twenty at a time, until every card was seen once: no card stops the deck."""
    one = practise(learner.record())
    kinds = [card["kind"] for card in index["cards"]]
    for kind in sorted(set(kinds)):
        for _ in range(0, kinds.count(kind), 20):
            one.page.locator(".free > summary").click()
            one.page.locator(".free select").nth(2).select_option(kind)
            one.page.locator(".free .button").click()
            one.page.locator(".practice-card .card").wait_for()
            one.finish()
            one.page.locator(".practice-end .button.primary").click()
            one.ready()
    taken = one.take()
    code = {card["id"] for card in index["cards"] if card["kind"] == "code"}
    assert set(taken["deferred"]) == code
    assert set(taken["cards"]) == {card["id"] for card in index["cards"]} - code
