"""The way between the editions: to the same passage, with and without scripts, and in at the front door."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from interview_book.book.languages import LANGUAGES, other

CHAPTER = "chapters/two-scores.html"
# Headings and passages of the chapter, from its beginning to its end.
PLACES = ["p-opening", "intuition", "p-outputs-read", "fig-crossing", "lab", "p-limits-text"]

# Where something is, in pixels below the header; and how far the page could still be scrolled.
_PLACED = """id => {
  const header = document.querySelector(".bd-header").getBoundingClientRect().bottom;
  const root = document.documentElement;
  return { top: document.getElementById(id).getBoundingClientRect().top - header,
           rest: root.scrollHeight - root.clientHeight - root.scrollY };
}"""


def _at_top(page, place: str) -> None:
    placed = page.evaluate(_PLACED, place)
    assert -1 <= placed["top"] <= 60, f"{place} is {placed['top']} px below the header ({page.url})"


def test_switch_keeps_the_passage(visit, edition):
    page = visit(f"{edition}/{CHAPTER}")
    here, there = edition, other(edition).tag
    for place in PLACES:
        page.evaluate("id => document.getElementById(id).scrollIntoView({ behavior: 'instant' })", place)
        _at_top(page, place)
        page.locator(".tool-language").click()
        page.wait_for_url(f"**/{there}/{CHAPTER}#{place}")
        assert page.locator("html").get_attribute("lang") == LANGUAGES[there].html
        _at_top(page, place)
        here, there = there, here  # the next place on the way back


def test_switch_keeps_a_place_inside_a_long_passage(visit, edition):
    page = visit(f"{edition}/{CHAPTER}", width=390, height=700)
    page.evaluate("document.getElementById('p-opening').scrollIntoView({ behavior: 'instant' })")
    page.evaluate("scrollBy({ top: 200, behavior: 'instant' })")
    page.locator(".tool-language").click()
    page.wait_for_url(f"**/{other(edition).tag}/{CHAPTER}#p-opening")


def test_switch_at_the_very_top_lands_at_the_top(visit, edition, document):
    page = visit(f"{edition}/{document}.html")
    page.locator(".tool-language").click()
    page.wait_for_url(f"**/{other(edition).tag}/{document}.html*")
    assert page.evaluate("scrollY") < 200


def test_switch_keeps_the_passage_from_files_and_by_keyboard(visit, edition):
    page = visit(f"{edition}/{CHAPTER}", scheme="file")
    page.evaluate("document.getElementById('p-raw-read').scrollIntoView({ behavior: 'instant' })")
    page.locator(".tool-language").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{other(edition).tag}/{CHAPTER}#p-raw-read")
    page.wait_for_load_state("load")
    _at_top(page, "p-raw-read")


def test_switch_works_without_scripts(visit, edition, scheme):
    page = visit(f"{edition}/{CHAPTER}", scheme=scheme, java_script_enabled=False)
    page.locator(".tool-language").click()
    page.wait_for_url(f"**/{other(edition).tag}/{CHAPTER}")
    assert page.locator("html").get_attribute("lang") == other(edition).html


def test_foot_of_the_page_switches_as_well(visit, edition):
    page = visit(f"{edition}/{CHAPTER}")
    page.locator(".bd-footer-content .language-switch").click()
    page.wait_for_url(f"**/{other(edition).tag}/{CHAPTER}*")


def test_a_page_without_scripts_shows_no_dead_button(visit, edition):
    page = visit(f"{edition}/{CHAPTER}", java_script_enabled=False)
    dead = [one for one in page.locator("button").all() if one.is_visible()]
    assert dead == []
    assert page.locator("article .passage").first.is_visible()
    assert page.locator(".book-widget table").is_visible(), "the widget's fallback"


# What a browser asks for, and where it is led; None: it stays and chooses.
ASKED = [
    ("ja-JP", "ja"), ("ja", "ja"), ("zh-TW", "zh-Hant"), ("zh-HK", "zh-Hant"), ("zh-CN", "zh-Hant"),
    ("en-US", None), ("de-DE", None), ("jam-JM", None),
]  # fmt: skip


@pytest.mark.parametrize(("locale", "expected"), ASKED)
def test_front_door_follows_the_browser(visit, scheme, locale, expected):
    page = visit("" if scheme == "http" else "index.html", scheme=scheme, locale=locale)
    if expected:
        page.wait_for_url(f"**/{expected}/chapters/index.html")
    else:
        assert page.url.rstrip("/").endswith(("index.html", str(urlsplit(page.url).port)))
        assert page.locator("[data-language]").count() == 2
        assert all(one.is_visible() for one in page.locator("[data-language]").all())


def test_front_door_follows_the_second_language_a_browser_asks_for(visit, browser, addresses, record):
    context = browser.new_context(locale="en-US")
    record.watch(context)
    context.add_init_script("Object.defineProperty(navigator, 'languages', { get: () => ['en-US', 'zh-TW', 'ja'] })")
    page = context.new_page()
    page.goto(addresses["http"])
    page.wait_for_url("**/zh-Hant/chapters/index.html")
    context.close()


@pytest.mark.parametrize("locale", ["ja-JP", "zh-TW", "en-US"])
def test_front_door_follows_the_choice_made_before(visit, edition, locale):
    there = other(edition).tag
    page = visit(f"{edition}/{CHAPTER}", locale=locale)
    page.locator(".tool-language").click()
    page.wait_for_url(f"**/{there}/{CHAPTER}*")
    page.goto(page.url.split(f"/{there}/")[0] + "/")
    page.wait_for_url(f"**/{there}/chapters/index.html")


def test_front_door_remembers_its_own_button(visit, edition):
    page = visit("#choose", locale="en-US")
    page.locator(f"[data-language={edition}]").click()
    page.wait_for_url(f"**/{edition}/chapters/index.html")
    page.goto(page.url.split(f"/{edition}/")[0] + "/")
    page.wait_for_url(f"**/{edition}/chapters/index.html")


def test_front_door_stays_open_for_who_wants_to_choose(visit):
    page = visit("#choose", locale="ja-JP")
    assert page.url.endswith("/#choose")
    expect(page.locator("[data-language=zh-Hant]")).to_be_visible()


def test_front_door_works_without_scripts(visit, scheme, edition):
    page = visit("" if scheme == "http" else "index.html", scheme=scheme, locale="ja-JP", java_script_enabled=False)
    assert page.locator("button:visible").count() == 0
    page.locator(f"[data-language={edition}]").click()
    page.wait_for_url(f"**/{edition}/chapters/index.html")


@pytest.mark.parametrize("scripts", [True, False])
def test_edition_folder_leads_to_its_first_page(visit, edition, scripts):
    page = visit(f"{edition}/", java_script_enabled=scripts)
    page.wait_for_url(f"**/{edition}/chapters/index.html")
