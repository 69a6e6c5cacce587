"""Every kind of card from question to grade, in a real Chromium, on a page that holds nothing but the card."""

from __future__ import annotations

import json
import re
from datetime import date
from html import escape

import pytest
from playwright.sync_api import expect, sync_playwright

from interview_book.book import node
from interview_book.book.languages import LANGUAGES
from interview_book.practice import bank, compiled, grading, tokens

EXPLAIN = "scaling.why-sqrt-dk"  # two musts of 3, two points of 2; five fatal statements
_BUILD = """
import * as esbuild from "esbuild";
const { entry, outfile } = JSON.parse(process.argv[2]);
await esbuild.build({
  entryPoints: [entry], outfile, bundle: true, format: "iife", charset: "utf8", target: "es2022",
  jsx: "automatic", jsxImportSource: "preact",
});
"""


class _Anything(dict):
    """Every claim belongs to the one topic."""

    def __contains__(self, key):
        return True

    def __missing__(self, key):
        return "topic"


@pytest.fixture(scope="module")
def questions(root):
    """Of both chapters, and one short record of every other kind."""
    files = [*sorted((root / "chapters").glob("*.questions.yml")), root / "tests" / "book" / "kinds.questions.yml"]
    return {one.id: one for path in files for one in bank.load(path)}


@pytest.fixture(scope="module")
def pages(tmp_path_factory, root, questions):
    """Language -> address of the page."""
    folder = tmp_path_factory.mktemp("cards")
    job = {"entry": (root / "tests/browser/cards.jsx").as_posix(), "outfile": (folder / "cards.js").as_posix()}
    node.run_node(["--input-type=module", "-", json.dumps(job)], input=_BUILD, cwd=root)
    static = root / "src/interview_book/book/static"
    icons = (root / "src/interview_book/book/templates/icons.svg").read_text(encoding="utf-8")
    # Written into the page: from a file axe may not read a linked stylesheet.
    sheets = "".join((static / name).read_text(encoding="utf-8") for name in ("tokens.css", "book.css"))
    out = {}
    for tag, language in LANGUAGES.items():
        setting = compiled.Setting(
            chapters={one.chapter: {"title": one.chapter, "href": f"{one.chapter}.html"} for one in questions.values()},
            topics={"topic": "topic"},
            topic_of=_Anything(),
            note=lambda question: "±",
        )
        # As KaTeX has it: what one sees is «d k», without the sign that is typed.
        made = compiled.compile(
            questions.values(),
            tag,
            lambda all_tex: {tex: f"<var>{escape(tex.replace('_', ' '))}</var>" for tex in all_tex},
            setting,
        )
        (folder / f"{tag}.js").write_text(f"window.bank = {json.dumps(made)};", encoding="utf-8")
        page = folder / f"{tag}.html"
        page.write_text(
            f"""<!DOCTYPE html>
<html lang="{language.html}" data-theme="light"><head><meta charset="utf-8"><title>card</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>{sheets}</style>
<link rel="icon" href="data:,"></head>
<body class="has-deck">{icons}<main id="main-content" class="bd-main"><div class="bd-content">
<div class="bd-article-container"><article class="bd-article">
<section><h1>card</h1><div id="deck"></div></section></article></div></div></main>
<script src="{tag}.js"></script><script src="cards.js"></script></body></html>""",
            encoding="utf-8",
        )
        out[tag] = page.as_uri()
    return out


# A browser of its own: the site need not be built for this module.
@pytest.fixture(scope="module")
def own_browser(chromium, chromium_flags):
    with sync_playwright() as playwright:
        one = playwright.chromium.launch(executable_path=chromium, args=chromium_flags)
        yield one
        one.close()


@pytest.fixture
def show(own_browser, pages):
    """``show(id, language="ja", context={}, **options)``: a page with this card; its errors fail the test."""
    contexts, errors = [], []

    def open_card(card, language="ja", *, context=None, **options):
        made = own_browser.new_context(
            **{"viewport": {"width": 1440, "height": 900}, "reduced_motion": "reduce", **(context or {})}
        )
        made.set_default_timeout(5_000)
        contexts.append(made)
        page = made.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: message.type == "error" and errors.append(message.text))
        page.goto(pages[language])
        page.evaluate("options => show(options)", {"id": card, "language": language, **options})
        return page

    yield open_card
    for one in contexts:
        one.close()
    assert errors == []


def main(page):
    page.locator(".button.primary:visible").last.click()


def speak(page, seconds):
    """Say the answer: start, let time pass, stop."""
    main(page)
    page.evaluate("seconds => pass(seconds)", seconds)
    main(page)


def tick(page, *places):
    for place in places:
        page.locator(".marking .rubric input").nth(place).check()


def done(page):
    return page.evaluate("window.done")


def result_focused(page):
    page.wait_for_function("document.activeElement.matches('.outcome h2')")


def proposed(page):
    return page.locator(".grade").evaluate_all("all => all.findIndex(one => one.matches('.proposed')) + 1")


# == explain ==


def test_say_the_answer_tick_and_see_the_verdict(show):
    page = show(EXPLAIN)
    expect(page.locator(".q-ask")).to_have_text(
        f"「{page.evaluate(f'bank.parts[`why-sqrt-dk`].records[`{EXPLAIN}`].ask')}」"
    )
    assert page.locator(".rubric").count() == 0  # answer first
    assert page.locator(".segments :checked").count() == 2
    main(page)
    expect(page.locator(".timer-note")).to_have_text("計測中")
    page.evaluate("pass(27)")
    expect(page.locator(".timer b")).to_have_text("27")
    assert float(
        page.locator(".timer").evaluate("one => parseFloat(one.style.getPropertyValue('--t'))")
    ) == pytest.approx(90, abs=2)
    main(page)
    expect(page.locator(".timer-note")).to_have_text("時間内に話し終えました")
    tick(page, 1, 2)
    page.locator(".manner input").first.check()
    main(page)
    result_focused(page)
    expect(page.locator(".outcome h2")).to_have_text("不足")
    expect(page.locator(".score")).to_have_text("5 / 10")
    # What was said comes first, then what was missed.
    assert page.locator(".outcome .points > li").evaluate_all("all => all.map(one => one.className)") == [
        "got",
        "got",
        "miss",
        "miss",
    ]
    expect(page.locator(".delivery")).to_contain_text("27 秒（目安 30 秒）")
    expect(page.locator(".delivery")).to_contain_text("結論が最初の一文にありました")
    assert proposed(page) == 1
    expect(page.locator(".grade.proposed")).to_have_attribute(
        "aria-describedby", page.locator(".grades .fine").get_attribute("id")
    )
    page.keyboard.press("1")
    page.keyboard.press("1")
    (result,) = done(page)
    assert (result["verdict"], result["proposed"], result["grade"], result["aloud"]) == ("weak", 1, 1, True)
    assert (result["points"], result["total"], result["missing"], result["fatal"]) == (5, 10, ["scale"], [])
    assert (result["spoken"], result["slot"], result["seconds"]) == (27, 30, 27)


@pytest.mark.parametrize(
    ("seconds", "ticked", "head", "grade"),
    [
        (27, (0, 1), "合格ライン", 2),
        (27, (0, 1, 2), "優れた回答", 3),
        (36, (0, 1, 2, 3), "合格ライン", 2),
        (3, (), "不足", 1),
    ],
)
def test_verdicts_and_what_they_propose(show, seconds, ticked, head, grade):
    page = show(EXPLAIN)
    speak(page, seconds)
    tick(page, *ticked)
    main(page)
    expect(page.locator(".outcome h2")).to_have_text(head)
    assert proposed(page) == grade


def test_the_second_time_an_acceptable_answer_is_good(show):
    page = show(EXPLAIN, history={"reviews": 2, "passed": 1})
    speak(page, 20)
    tick(page, 0, 1)
    main(page)
    assert proposed(page) == 3


def test_a_fatal_statement_caps_the_verdict_and_is_named(show):
    page = show(EXPLAIN, "zh-Hant")
    speak(page, 20)
    tick(page, 0, 1, 2, 3)
    page.locator(".marking summary").first.click()
    page.locator(".fatal input").nth(1).check()
    expect(page.locator(".marking summary").first).to_have_text("有沒有出現這些說法（勾了 1 句）")
    main(page)
    expect(page.locator(".outcome h2")).to_have_text("不足")
    expect(page.locator(".fatal-said")).to_contain_text("√d_model")
    page.keyboard.press("2")
    assert done(page)[0]["fatal"] == [1]
    assert done(page)[0]["grade"] == 2  # the learner's choice, whatever was proposed


def test_follow_ups_are_about_what_was_missed(show, questions):
    page = show(EXPLAIN)
    speak(page, 20)
    tick(page, 1, 2)
    main(page)
    asked = page.locator(".next").first.locator(".q-ask").all_text_contents()
    by_point = {one["when_missing"]: f"「{one['ask']['ja']}」" for one in questions[EXPLAIN]["follow_ups"]}
    assert asked == [by_point["scale"], by_point["limits"]]  # the must first
    push = f"「{questions[EXPLAIN]['push_back']['ask']['ja']}」"
    page.get_by_role("button", name="揺さぶりの質問も受けてみる").click()
    assert page.locator(".next").first.locator(".q-ask").all_text_contents() == [*asked, push]


def test_a_push_back_is_drawn_one_time_in_three_and_full_marks_go_deeper(show, questions):
    for draw, drawn in ((0.33, True), (0.34, False)):
        page = show(EXPLAIN, draw=draw)
        speak(page, 20)
        tick(page, 0, 1, 2, 3)
        main(page)
        asked = page.locator(".next").first.locator(".q-ask").all_text_contents()
        deeper, push = (f"「{questions[EXPLAIN][name]['ask']['ja']}」" for name in ("deeper", "push_back"))
        assert asked == ([deeper, push] if drawn else [deeper])


def test_say_again_forgets_the_ticks_and_retick_keeps_them(show):
    page = show(EXPLAIN)
    speak(page, 40)
    tick(page, 0, 1)
    page.get_by_role("button", name="もう一度話す").click()
    assert page.locator(".rubric").count() == 0
    page.evaluate("pass(25)")
    main(page)
    assert page.locator(".rubric :checked").count() == 0
    tick(page, 0, 1)
    main(page)
    page.get_by_role("button", name="印をつけ直す").click()
    assert page.locator(".rubric :checked").count() == 2
    tick(page, 2)
    main(page)
    expect(page.locator(".outcome h2")).to_have_text("優れた回答")
    assert done(page) == []


def test_a_very_short_answer_is_told_not_praised(show):
    for seconds, note, tone in ((2.8, "2 秒で止めました", ""), (5, "時間内に話し終えました", " holds")):
        page = show(EXPLAIN)
        speak(page, seconds)
        expect(page.locator(".timer-note")).to_have_text(note)
        assert page.locator(".timer-note").get_attribute("class") == f"timer-note{tone}"
        expect(page.locator(".timer b")).to_have_text(str(int(seconds)))
        main(page)
        expect(page.locator(".delivery")).to_contain_text(f"{int(seconds)} 秒（目安 30 秒）")


@pytest.mark.parametrize("timed", [True, False])
@pytest.mark.parametrize("size", [(390, 844), (390, 760), (1280, 760)])
def test_the_first_points_are_in_sight_after_speaking(show, size, timed):
    page = show(EXPLAIN, context={"viewport": dict(zip(("width", "height"), size, strict=True))})
    if timed:
        speak(page, 20)
    else:
        page.get_by_role("button", name="測らずに答えた").click()
    heading, point = page.locator(".marking h2").bounding_box(), page.locator(".rubric li").first.bounding_box()
    bar = page.locator(".actions").last.bounding_box()
    assert heading["y"] >= 0
    assert point["y"] + 40 < min(bar["y"], size[1])


def test_two_minutes_and_no_stopwatch(show):
    page = show(EXPLAIN)
    page.get_by_label("2 分").check(force=True)
    main(page)
    page.evaluate("pass(107)")
    expect(page.locator(".timer b")).to_have_text("1:47")
    assert page.locator(".segments").first.locator("input").first.is_disabled()
    main(page)
    page.evaluate("show({ id: 'scaling.why-sqrt-dk', language: 'ja' })")
    page.get_by_role("button", name="測らずに答えた").click()
    tick(page, 0, 1, 2, 3)
    main(page)
    expect(page.locator(".outcome h2")).to_have_text("優れた回答")
    assert "時間" not in page.locator(".delivery dt").all_text_contents()
    page.keyboard.press("3")
    assert (done(page)[0]["spoken"], done(page)[0]["aloud"], done(page)[0]["slot"]) == (None, True, 120)


def test_what_is_written_stays_beside_the_points_and_nowhere_else(show):
    page = show(EXPLAIN, "zh-Hant")
    page.get_by_label("用寫的").check(force=True)
    assert page.evaluate("document.activeElement.matches('textarea')")
    assert page.locator(".timer").count() == 0
    expect(page.locator(".button.primary")).to_be_disabled()
    text = "變異數會隨維度增加，\n除以根號 d k。"
    page.locator("textarea").fill(text)
    expect(page.locator(".writing .fine")).to_contain_text("17 字")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".own-words-text")).to_have_text(text)
    expect(page.locator(".cond dt.holds").first).to_have_text("這樣就算")
    box, first = page.locator(".own-words").bounding_box(), page.locator(".rubric > li").first.bounding_box()
    assert box["x"] >= first["x"] + first["width"]  # in the margin of a wide page
    page.set_viewport_size({"width": 1000, "height": 700})
    page.locator(".rubric > li").last.scroll_into_view_if_needed()
    assert page.locator(".own-words").bounding_box()["y"] >= 0  # else sticky at the top
    page.get_by_role("button", name="再改一下").click()
    assert page.locator("textarea").input_value() == text
    main(page)
    tick(page, 0, 1)
    main(page)
    page.keyboard.press("2")
    (result,) = done(page)
    assert (result["aloud"], result["spoken"], result["verdict"]) == (False, None, "acceptable")
    assert text not in json.dumps(result, ensure_ascii=False)
    # An opaque origin may refuse its storage; what can be read holds nothing.
    assert (
        page.evaluate("(() => { try { return localStorage.length + sessionStorage.length } catch { return 0 } })()")
        == 0
    )


def test_the_habit_of_answering_stays_for_the_next_card(show):
    page = show(EXPLAIN)
    page.get_by_label("書く").check(force=True)
    page.evaluate("show({ id: 'sqrt.not-dk', language: 'ja' })")
    assert page.locator("textarea").count() == 1


def test_silent_is_read_think_and_tick(show):
    page = show(EXPLAIN, silent=True)
    assert page.locator(".timer, .segments, textarea").count() == 0
    main(page)
    tick(page, 0, 1)
    main(page)
    expect(page.locator(".outcome h2")).to_have_text("合格ライン")
    assert page.locator(".delivery").count() == 0
    page.keyboard.press("2")
    assert done(page)[0]["aloud"] is False


def test_who_looks_first_is_asked_again(show, questions):
    page = show(EXPLAIN)
    page.get_by_role("button", name="回答例を見る").click()
    result_focused(page)
    first = questions[EXPLAIN]["answer_30s"]["ja"].strip()
    expect(page.locator(".models details[open] .said")).to_have_text(first)
    assert page.locator(".score").count() == 0
    page.keyboard.press("1")
    assert (done(page)[0]["verdict"], done(page)[0]["proposed"], done(page)[0]["aloud"]) == ("seen", 1, False)


def test_samples_say_what_each_earns(show, questions):
    page = show(EXPLAIN)
    page.get_by_role("button", name="回答例を見る").click()
    page.locator("summary", has_text="三つの回答と評価").click()
    question = questions[EXPLAIN]
    for figure, (name, sample) in zip(page.locator(".sample").all(), question["samples"].items(), strict=True):
        judged = grading.verdict(question, sample["earns"], sample.get("fatal", ()))
        expect(figure.locator("figcaption span")).to_have_text(f"{judged.points} / {judged.total}")
        assert figure.locator(".points > li.got").count() == len(sample["earns"]), name
        assert figure.locator(".points > li:not(.got)").count() == len(sample.get("fatal", ()))


def test_an_interview_in_english_gets_its_first_sentence_first(show, questions):
    page = show(EXPLAIN, english=True)
    speak(page, 20)
    main(page)
    first = page.locator(".outcome + .next")
    expect(first).to_contain_text(questions[EXPLAIN]["english_first_line"])
    assert first.locator("[lang=en]").count() == 1


# == choice ==


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_chosen_option_gives_its_misconception_back(show, questions, language):
    question = questions["two-scores.weak-contribution"]
    right = next(one for one in question["options"] if one.get("right"))
    wrong = next(one for one in question["options"] if one["id"] == "swap")
    page = show(question.id, language)
    expect(page.locator(".button.primary")).to_be_disabled()
    assert page.locator(".pick .letter").all_text_contents() == ["A.", "B.", "C.", "D."]
    page.locator(".pick", has_text=wrong["text"][language]).click()
    main(page)
    result_focused(page)
    letter = page.locator(".pick", has_text=right["text"][language]).locator(".letter").text_content()[0]
    expect(page.locator(".outcome h2")).to_have_text(
        {"ja": f"正解は {letter}", "zh-Hant": f"答案是 {letter}"}[language]
    )
    entries = page.locator(".outcome > .rubric > li")
    expect(entries.nth(0)).to_contain_text(wrong["misconception"][language])
    expect(entries.nth(0)).to_contain_text(wrong["why"][language])
    expect(entries.nth(1)).to_contain_text(right["why"][language])
    assert entries.count() == 2
    assert page.locator(".pick input:enabled").count() == 0
    assert proposed(page) == 1
    page.keyboard.press("1")
    assert (done(page)[0]["verdict"], done(page)[0]["points"], done(page)[0]["total"]) == ("wrong", 0, 1)


def test_the_right_option_is_good(show):
    page = show("kinds.choice")
    page.locator(".pick", has_text="減る").click()
    main(page)
    expect(page.locator(".outcome h2")).to_have_text("正解")
    assert proposed(page) == 3


# == number and expression ==


def number(page, question, language="ja", seed=0):
    record = page.evaluate(f"bank.parts[{json.dumps(question.chapter)}].records[{json.dumps(question.id)}]")
    return record, record["items"][seed]


def test_an_enter_of_the_input_method_never_submits(show, questions):
    page = show("two-scores.weight-after-division")
    field = page.locator(".typed input")
    field.fill("0.5")
    fire = """(one, init) => one.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...init }))"""
    assert field.evaluate(fire, {"isComposing": True}) is True  # not prevented either: the input method needs it
    assert field.evaluate(fire, {"keyCode": 229}) is True
    page.locator("form.typed").evaluate("one => one.requestSubmit()")
    assert page.locator(".outcome, .unreadable").count() == 0
    field.press("Enter")
    assert page.locator(".outcome").count() == 1
    assert field.input_value() == "0.5"


def test_a_composed_answer_is_read_once_it_is_there(show, questions):
    """Chromium's own composition, as an input method makes it."""
    page = show("two-scores.weight-after-division")
    page.locator(".typed input").focus()
    client = page.context.new_cdp_session(page)
    client.send("Input.imeSetComposition", {"text": "０．５", "selectionStart": 3, "selectionEnd": 3})
    client.send("Input.dispatchKeyEvent", {"type": "keyDown", "key": "Enter", "windowsVirtualKeyCode": 229})
    assert page.locator(".outcome, .unreadable").count() == 0
    client.send("Input.insertText", {"text": "０．５"})
    page.keyboard.press("Enter")
    expect(page.locator(".outcome .point").first).to_contain_text("= 0.5")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_cannot_be_read_costs_nothing(show, questions, language):
    question = questions["two-scores.gradient-ratio"]
    page = show(question.id, language)
    record, item = number(page, question, language)
    field = page.locator(".typed input")
    assert field.get_attribute("inputmode") == "decimal" and field.get_attribute("type") == "text"
    for typed in ("0,5", "abc", ""):
        field.fill(typed)
        main(page)
        box = page.locator(".unreadable")
        unread = {"ja": "読み取れませんでした（不正解にはなりません）", "zh-Hant": "看不懂這個輸入（不算答錯）"}
        nothing = {"ja": "答えを入力してください", "zh-Hant": "請先輸入答案"}
        expect(box.locator("b")).to_have_text((unread if typed else nothing)[language])
        expect(box).to_contain_text(record["example"])
        assert page.locator(".example").count() == 1  # not printed twice
        assert field.input_value() == typed
        assert field.evaluate(
            "(one, box) => one.getAttribute('aria-describedby').split(' ').includes(box.id)", box.element_handle()
        )
        assert page.evaluate("document.activeElement.matches('.typed input')")
        assert page.locator(".outcome, .grade").count() == 0
    field.fill(item["shown"])
    main(page)
    assert proposed(page) == 3
    page.keyboard.press("3")
    assert done(page)[0]["verdict"] == "right"


def test_a_named_mistake_is_recognised(show, questions):
    question = questions["two-scores.gradient-ratio"]
    page = show(question.id)
    _, item = number(page, question)
    mistake = item["distractors"][2]
    page.locator(".typed input").fill(mistake["shown"])
    page.locator(".typed input").press("Enter")
    result_focused(page)
    expect(page.locator(".outcome h2")).to_have_text(f"正しい値は {item['shown']} 倍")
    entries = page.locator(".outcome > .rubric > li")
    expect(entries.nth(0)).to_contain_text("分子と分母の取り違え")
    expect(entries.nth(1).locator("dd")).to_be_visible()
    assert page.locator("details .rubric > li").count() == len(item["distractors"]) - 1
    assert proposed(page) == 1
    assert page.locator(".typed input").evaluate("one => one.readOnly")


def test_a_number_comes_with_other_parameters_each_time(show, questions):
    question = questions["sqrt.deviation-after-constant"]
    asked = []
    for reviews in (0, 1, 2, 19, 20):
        page = show(question.id, history={"reviews": reviews, "passed": 0})
        asked.append(page.locator(".q-ask").text_content())
    assert asked[0] == asked[4]
    assert len(set(asked)) == 4


def test_an_expression_is_compared_by_value(show, questions):
    question = questions["sqrt.variance-of-scaled"]
    page = show(question.id)
    page.locator(".typed input").fill("d_k (sigma_q sigma_k / c)^2")
    page.locator(".typed input").press("Enter")
    expect(page.locator(".outcome h2")).to_have_text("正解")


def test_a_wrong_expression_names_its_mistake(show, questions):
    question = questions["sqrt.variance-of-scaled"]
    page = show(question.id, "zh-Hant")
    page.locator(".typed input").fill(question["mistakes"][1]["expression"])
    main(page)
    expect(page.locator(".outcome > .rubric > li").first).to_contain_text(question["mistakes"][1]["name"]["zh-Hant"])
    page.evaluate(f"show({{ id: '{question.id}', language: 'zh-Hant' }})")
    page.locator(".typed input").fill("n * sigma_q")
    main(page)
    expect(page.locator(".unreadable")).to_contain_text("「n」")
    expect(page.locator(".unreadable")).to_contain_text("d_k、sigma_q、sigma_k、c")


@pytest.mark.parametrize(("language", "names"), [("ja", "sigma_q（σ_q でも可）"), ("zh-Hant", "sigma_q（或 σ_q）")])
def test_the_names_that_can_be_typed_are_listed(show, language, names):
    page = show("sqrt.variance-of-scaled", language)
    expect(page.locator(".typed > .fine")).to_contain_text(names)
    assert page.locator(".unreadable").count() == 0


def test_signs_that_a_decimal_keypad_lacks_have_keys(show):
    page = show("two-scores.gradient-ratio")
    field, keys = page.locator(".typed input"), page.locator(".insert .button")
    assert keys.all_inner_texts() == ["−", "/", "√", "^"]
    field.fill("3")
    for place in (1, 2):
        keys.nth(place).click()
    field.press_sequentially("2")
    assert field.input_value() == "3/√2"
    field.press("Enter")
    expect(page.locator(".outcome .point").first).to_contain_text("= 2.12132")
    assert keys.count() == 0


def test_names_are_put_where_the_caret_is(show):
    page = show("sqrt.variance-of-scaled")
    field = page.locator(".typed input")
    field.fill("c/2")
    field.evaluate("one => one.setSelectionRange(1, 1)")
    page.get_by_role("button", name="sigma_q を入れる").click()
    assert field.input_value() == "c sigma_q/2"
    page.get_by_role("button", name="^ を入れる").click()
    page.keyboard.type("2")
    assert field.input_value() == "c sigma_q^2/2"


@pytest.mark.parametrize(("language", "name"), [("ja", "d k ：d_k を入れる"), ("zh-Hant", "d k ：插入 d_k")])
def test_what_is_seen_on_a_key_is_a_part_of_its_name(show, language, name):
    """So that who speaks to the machine can say it (WCAG 2.5.3), and what it puts is heard."""
    page = show("sqrt.variance-of-scaled", language)
    expect(page.locator(".insert .button").first).to_have_accessible_name(name)
    signs = page.locator(".insert .key")
    for n, sign in enumerate(signs.all_inner_texts()):
        expect(signs.nth(n)).to_have_accessible_name(re.compile(re.escape(sign)))
    signs.get_by_text("√").click()
    assert page.locator(".typed input").input_value() == "sqrt("


LONG = {
    "number": ("two-scores.gradient-ratio", "9" * 60),
    "brackets": ("sqrt.variance-of-scaled", f"{'(' * 15}d_k{')' * 15}*12345678901234567890"),
    "formula": ("sqrt.variance-of-scaled", "d_k*" * 40 + "d_k"),
    "unknown": ("sqrt.variance-of-scaled", "dk" * 90 + "z"),
    "token": ("kinds.code", "x" * 300),
}


@pytest.mark.parametrize("width", [360, 320])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", LONG)
def test_a_long_answer_without_a_space_makes_no_page_wider(show, name, language, width):
    card, typed = LONG[name]
    page = show(card, language, context={"viewport": {"width": width, "height": 740}})
    wide = []
    for text in ("7", typed):
        page.evaluate("options => show(options)", {"id": card, "language": language})
        page.locator(".typed input").fill(text)
        main(page)
        assert page.locator(".outcome, .unreadable").count() == 1
        wide.append(page.evaluate("document.documentElement.scrollWidth"))
        over = (
            "(all, width) => all.filter(one => one.getBoundingClientRect().right > width).map(one => one.textContent)"
        )
        assert page.locator(".typed, .typed > *, .unreadable > p, .point").evaluate_all(over, width) == []
    assert wide[1] <= max(wide[0], width)  # the formulas of a solution stand here as text, which may be wide itself


@pytest.mark.parametrize("width", [360, 320])
def test_a_long_word_in_ones_own_answer_makes_no_page_wider(show, width):
    page = show(EXPLAIN, context={"viewport": {"width": width, "height": 740}})
    page.locator(".segments input").nth(1).check(force=True)
    page.locator("textarea").fill("softmax" * 60)
    main(page)
    text = page.locator(".own-words-text")
    expect(text).to_contain_text("softmax")
    assert text.evaluate("one => one.scrollWidth - one.clientWidth") == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width


# == grade ==


@pytest.mark.parametrize("sample", ["weak", "acceptable", "strong"])
def test_a_sample_is_graded_point_by_point(show, questions, sample):
    question = questions[EXPLAIN]
    grade = next(one for one in grading.grades(question) if one.sample == sample)
    points = [one["id"] for one in question["rubric"]]

    def fill(page, ticked):
        tick(page, *(points.index(one) for one in ticked))
        page.locator(".marking summary").first.click()
        for n in grade.fatal:
            page.locator(".fatal input").nth(n).check()
        main(page)

    page = show(grade.id)
    assert (
        "grade" not in page.locator(".card").inner_text()
        and question["samples"][sample]["why"]["ja"] not in page.content()
    )
    fill(page, grade.earns)
    result_focused(page)
    expect(page.locator(".outcome h2")).to_have_text("採点がすべて一致")
    assert page.locator(".points > li.miss").count() == 0
    assert proposed(page) == 3
    page.keyboard.press("3")
    assert done(page)[0]["verdict"] == "right"
    page = show(grade.id)
    fill(page, set(grade.earns) ^ {"root"})
    expect(page.locator(".points > li.miss")).to_have_count(1)
    expect(page.locator(".points > li.miss .tag")).to_have_text(
        "印なし → 言えている" if "root" in grade.earns else "印あり → まだ足りない"
    )
    assert proposed(page) == 2


# == code and diagnose ==


def test_code_shows_hints_one_by_one_and_never_the_model(show, questions):
    page = show("kinds.code")
    assert questions["kinds.code"]["model"].strip().splitlines()[-1].strip() not in page.locator(".card").inner_text()
    hints = page.evaluate("bank.parts.kinds.records['kinds.code'].hints.length")
    for shown in range(hints):
        assert page.locator(".hints li").count() == shown
        page.locator(".hints button").click()
    assert page.locator(".hints button").count() == 0
    expect(page.locator(".code-block pre").last).to_contain_text('grade("kinds.code", double, language="ja")')


def test_a_result_token_is_read(show):
    page = show("kinds.code", "zh-Hant")
    page.locator(".typed input").fill("not a token")
    main(page)
    expect(page.locator(".unreadable")).to_contain_text("不算答錯")
    assert page.locator(".outcome").count() == 0
    example = page.locator(".unreadable .example").text_content().split()[-1]
    page.locator(".typed input").fill(example)  # the example has the shape, and is no token
    main(page)
    assert page.locator(".outcome").count() == 0
    page.get_by_role("button", name="之後再寫").click()
    assert done(page) == [{"later": True}]
    assert page.locator(".grade").count() == 0


def test_the_token_of_the_notebook_makes_it_good(show, questions):
    question = questions["attention.scaled-attention"]
    page = show(question.id)
    text = page.locator(".card").inner_text()
    secret = [line for line in question["model"].splitlines() if line not in question["starter"].splitlines()]
    assert secret and [line for line in secret if line.strip() in text] == []
    page.locator(".typed input").fill(tokens.token(question.id, 1, date(2025, 12, 1)))
    page.keyboard.press("Enter")
    result_focused(page)
    expect(page.locator(".outcome h2")).to_have_text("すべての性質を満たしました")
    assert proposed(page) == 3
    page.keyboard.press("3")
    assert done(page)[0]["verdict"] == "right"


@pytest.mark.parametrize(
    ("measured", "cause", "head", "grade"),
    [
        (0, "割り忘れ", "原因を突き止めました", 3),
        (1, "割り忘れ", "原因は合っています", 2),
        (0, "学習", "本当の原因", 1),
    ],
)
def test_a_diagnosis_measures_first(show, measured, cause, head, grade):
    page = show("kinds.diagnose")
    assert page.locator(".choices").count() == 0  # no cause before something was measured
    assert page.locator(".cond").count() == 0
    expect(page.locator(".button.primary")).to_be_disabled()
    page.locator(".measures input").nth(measured).check()
    main(page)
    expect(page.locator(".measures li").nth(measured).locator("dd")).to_be_visible()
    assert page.locator(".cond").count() == 1
    page.locator(".pick", has_text=cause).click()
    main(page)
    result_focused(page)
    expect(page.locator(".outcome h2")).to_have_text(head)
    assert proposed(page) == grade


# == everything, for everybody ==


def test_a_whole_explain_by_the_keyboard(show):
    page = show(EXPLAIN, "zh-Hant")
    page.keyboard.press("Space")
    page.evaluate("pass(21)")
    page.keyboard.press("Space")
    expect(page.locator(".timer-note")).to_have_text("在時間內講完了")
    assert page.evaluate("document.activeElement.matches('.marking h2')")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    assert page.locator(".rubric :checked").count() == 2
    page.locator(".marking h2").focus()
    page.keyboard.press("Space")
    expect(page.locator(".outcome h2")).to_have_text("及格")
    page.keyboard.press("2")
    assert done(page)[0]["grade"] == 2


def test_a_choice_by_the_keyboard(show):
    page = show("kinds.choice")
    page.keyboard.press("2")
    page.keyboard.press("ArrowDown")
    assert page.locator(".pick input").nth(2).is_checked()
    page.locator(".q-ask").focus()
    page.keyboard.press("Space")
    result_focused(page)
    page.keyboard.press("4")
    assert done(page)[0]["grade"] == 4


def test_what_takes_the_place_of_a_button_takes_its_focus(show):
    def focused(page, selector):
        page.wait_for_function("selector => document.activeElement.matches(selector)", arg=selector)

    page = show(EXPLAIN)
    speak(page, 20)
    focused(page, ".marking h2")
    page.get_by_role("button", name="回答例を見る").click()
    focused(page, ".marking div:has(> details[open])")
    page.get_by_role("button", name="もう一度話す").click()
    focused(page, ".button.primary")
    main(page)
    main(page)
    page.get_by_role("button", name="揺さぶりの質問も受けてみる").click()
    focused(page, ".asked:last-of-type")
    page.evaluate("show({ id: 'kinds.code', language: 'ja' })")
    page.locator(".hints button").click()
    focused(page, ".hints li")
    page.evaluate("show({ id: 'kinds.diagnose', language: 'ja' })")
    page.locator(".measures input").nth(1).check()
    main(page)
    focused(page, ".measures li:has(dd)")


def test_what_a_screen_reader_is_told(show, questions):
    page = show(EXPLAIN)
    speak(page, 20)
    tick(page, 0, 1)
    main(page)
    live = page.locator("[role=status]")
    expect(live).to_have_text("合格ライン。必須の二項目が、両方そろいました。あと一つ足せば「優れた回答」です。")
    page.evaluate("show({ id: 'two-scores.gradient-ratio', language: 'ja' })")
    page.locator(".typed input").fill("1,5")
    main(page)
    expect(live).to_contain_text("読み取れませんでした（不正解にはなりません）")
    page.evaluate("show({ id: 'kinds.diagnose', language: 'ja' })")
    page.locator(".measures input").first.check()
    main(page)
    expect(live).to_have_text("比は 1")


def test_a_notebook_has_no_links_into_the_book(show):
    for notebook, links in ((False, 1), (True, 0)):
        page = show("kinds.choice", notebook=notebook)
        _chosen(page)
        assert page.locator(".q-passage a").count() == links


def _explain_marked(page):
    speak(page, 20)
    tick(page, 0)
    page.locator(".marking summary").first.click()


def _explain_result(page):
    _explain_marked(page)
    page.locator(".fatal input").first.check()
    main(page)
    page.evaluate("document.querySelectorAll('details').forEach(one => (one.open = true))")


def _written(page):
    page.locator(".segments input").nth(1).check(force=True)
    page.locator("textarea").fill("分散 d k")
    main(page)


def _chosen(page):
    page.locator(".pick").first.click()
    main(page)


def _unread(page):
    page.locator(".typed input").fill("1,5")
    main(page)


def _typed(page):
    page.locator(".typed input").fill("7")
    main(page)


def _graded(page):
    tick(page, 0)
    main(page)


def _diagnosed(page):
    page.locator(".measures input").first.check()
    main(page)
    _chosen(page)


STATES = {
    "explain": (EXPLAIN, {}, lambda page: None),
    "marking": (EXPLAIN, {}, _explain_marked),
    "result": (EXPLAIN, {}, _explain_result),
    "written": (EXPLAIN, {}, _written),
    "silent": (EXPLAIN, {"silent": True}, lambda page: None),
    "choice": ("kinds.choice", {}, _chosen),
    "number": ("two-scores.gradient-ratio", {}, _unread),
    "number-result": ("two-scores.gradient-ratio", {}, _typed),
    "expression": ("sqrt.variance-of-scaled", {}, _unread),
    "expression-result": ("sqrt.variance-of-scaled", {}, _typed),
    "grade": (f"{EXPLAIN}.grade.weak", {}, lambda page: None),
    "grade-result": (f"{EXPLAIN}.grade.weak", {}, _graded),
    "code": ("kinds.code", {}, _unread),
    "diagnose": ("kinds.diagnose", {}, _diagnosed),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("state", STATES)
def test_axe_has_nothing_to_say(show, axe, state, language):
    card, options, act = STATES[state]
    page = show(card, language, **options)
    act(page)
    for theme in ("light", "dark"):
        page.evaluate("theme => (document.documentElement.dataset.theme = theme)", theme)
        assert axe(page) == []


@pytest.mark.parametrize("state", STATES)
def test_a_finger_finds_everything_and_nothing_is_cut_off(show, state):
    """At 360 px, with a coarse pointer: targets of 44 px, and no sideways scrolling of the page."""
    card, options, act = STATES[state]
    page = show(
        card, "ja", context={"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}, **options
    )
    act(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    small = page.evaluate("""() => [...document.querySelectorAll(
        "#deck :is(button, summary, textarea, .typed input, label:has(> input), a)")]
      .filter(one => one.checkVisibility())
      .map(one => [one.textContent.trim() || one.tagName, one.getBoundingClientRect()])
      .filter(([, box]) => box.height < 43.5).map(([name, box]) => `${name}: ${box.width} x ${box.height}`)""")
    assert small == []
