"""The practice page: the deck appears where scripts run, its data comes when needed, and the list is always there."""

import gzip
import json
import re
from urllib.parse import urlsplit

import pytest

from interview_book.book.question_words import WORDS
from interview_book.widgets.progress_file import ProgressFile

PAGE = "chapters/practice.html"
# design.md §7; what is sent compressed counts compressed.
FIRST_LOAD = 600_000


def opened(visit, edition, hash="", **options):
    page = visit(f"{edition}/{PAGE}{hash}", **options)
    page.locator(".book-deck .practice-start").wait_for()
    return page


def asked(page) -> list[str]:
    """The data files that the page has asked for, in order."""
    names = page.evaluate("performance.getEntriesByType('resource').map(one => one.name)")
    return [urlsplit(one).path.rpartition("/")[2] for one in names if "/_static/deck/" in one]


def test_the_deck_appears(visit, edition, scheme):
    page = opened(visit, edition, scheme=scheme)
    assert page.locator(".book-deck").evaluate("one => one.closest('[lang]').lang")
    assert page.locator(".book-deck .button.primary").count() == 1
    assert page.locator(".book-deck > p").count() == 0, "the sentence for those without scripts has gone"
    kana = re.search(r"[ぁ-ヿ]", page.locator(".book-deck").inner_text())
    assert bool(kana) == (edition == "ja")
    assert not page.locator(".deck-list").evaluate("one => one.open"), "folded: one thing to do on this page"
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(one => one.id)")
    assert len(ids) == len(set(ids))


def test_data_comes_when_it_is_needed(visit, edition):
    page = opened(visit, edition)
    assert asked(page) == ["index.js"]
    page.locator(".book-deck .button.primary").click()
    page.locator(".practice-card .q-ask").first.wait_for()
    first, *parts = asked(page)
    assert first == "index.js" and len(parts) == len(set(parts)) >= 1


@pytest.mark.parametrize("kind", ["explain", "choice", "number", "code"])
def test_a_question_of_a_chapter_leads_to_itself(visit, edition, scheme, kind):
    page = visit(f"{edition}/chapters/why-sqrt-dk.html", scheme=scheme)
    question = page.locator(f".question:has(> .q-do):has-text('{WORDS[edition][kind + '.do']}')").first
    said, identifier = question.locator(".q-ask").first.inner_text(), question.get_attribute("id").removeprefix("q-")
    question.locator("> .q-passage a").last.click()
    ask = page.locator(".practice-card .q-ask").first
    ask.wait_for()
    assert ask.inner_text() == said
    assert "#" not in page.url  # loaded again, the page begins at the start
    page.reload()
    page.locator(".book-deck .practice-start").wait_for()
    page.evaluate("id => location.hash = `practise=${id}`", identifier)
    page.locator(".practice-card .q-ask").first.wait_for()


@pytest.mark.parametrize("hash_", ["#practise=no.such", "#practise=%E0%A4%A", "#practise=", "#practise=__proto__"])
def test_an_unknown_question_leads_to_the_start(visit, edition, hash_):
    page = opened(visit, edition, hash=hash_)
    assert page.locator(".book-deck .button.primary").count() == 1


def test_a_card_works_from_files(visit, edition):
    page = opened(visit, edition, scheme="file")
    page.locator(".book-deck .button.primary").click()
    assert page.locator(".practice-card .q-ask").first.inner_text().strip()
    assert not page.locator(".deck-list").is_visible()


def test_the_first_load_is_small(visit, browser, addresses, edition):
    context = browser.new_context()
    page, sizes = context.new_page(), {}

    def weigh(response):
        body = response.body()
        packed = body if response.url.partition("?")[0].endswith(".woff2") else gzip.compress(body, 9)
        sizes[urlsplit(response.url).path] = min(len(body), len(packed))

    responses = []
    page.on("response", lambda one: responses.append(one))
    page.goto(addresses["http"] + f"{edition}/{PAGE}", wait_until="networkidle")
    page.locator(".book-deck .practice-start").wait_for()
    for response in responses:
        weigh(response)
    context.close()
    assert any(name.endswith("/deck.js") for name in sizes) and any(name.endswith("/index.js") for name in sizes)
    assert sum(sizes.values()) < FIRST_LOAD, sizes


def test_every_page_leads_there_and_loads_nothing_of_it(visit, edition, document):
    page = visit(f"{edition}/{document}.html")
    if page.url.endswith(PAGE):
        assert page.locator(".tool-practice[aria-current=page]").count() == 1
        return
    assert page.locator("script[src*='deck.js']").count() == 0
    page.locator(".tool-practice").click()
    page.locator(".book-deck .practice-start").wait_for()


def test_the_first_page_has_two_doors(visit, edition):
    page = visit(f"{edition}/chapters/index.html")
    doors = page.locator(".hero-text .actions a")
    assert doors.count() == 2
    doors.nth(1).click()
    page.locator(".book-deck .practice-start").wait_for()


def test_without_scripts_the_list_of_all_questions_is_there(visit, edition, scheme, site_folder):
    page = visit(f"{edition}/{PAGE}", scheme=scheme, java_script_enabled=False)
    assert page.locator(".book-deck > p").inner_text().strip()
    links = page.locator(".deck-list li a")
    text = (site_folder / edition / "_static" / "deck" / "index.js").read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("interviewBookDeck(").removesuffix(");\n"))["index"]
    questions = [one for one in index["cards"] if "of" not in one]
    assert links.count() == len(questions)
    assert links.first.is_visible()
    for link, question in zip(links.all(), questions, strict=True):
        assert link.inner_text().strip()
        target = link.get_attribute("href")
        assert target == f"{question['chapter']}.html#q-{question['id']}"
        html = (site_folder / edition / "chapters" / f"{question['chapter']}.html").read_text(encoding="utf-8")
        assert f'id="q-{question["id"]}"' in html


def test_data_that_does_not_come_leaves_the_list(visit, browser, addresses, record, edition):
    record.expect("index.js")
    context = browser.new_context(reduced_motion="reduce")
    record.watch(context)
    page = context.new_page()
    page.route("**/deck/index.js*", lambda route: route.abort())
    page.goto(addresses["http"] + f"{edition}/{PAGE}")
    page.locator(".book-deck.ready > p").wait_for()
    assert page.locator(".deck-list").evaluate("one => one.open")
    assert page.locator(".deck-list li a").first.is_visible()
    context.close()


def test_nothing_flashes_before_the_deck(visit, browser, addresses, edition):
    """While the data is on its way, the sentence for those without scripts and the list stay unseen."""
    context = browser.new_context(reduced_motion="no-preference")
    page = context.new_page()
    held = []
    page.route("**/deck/index.js*", lambda route: held.append(route))
    page.goto(addresses["http"] + f"{edition}/{PAGE}", wait_until="commit")
    page.locator(".book-deck > p").wait_for(state="attached")
    page.wait_for_function("document.fonts.status === 'loaded' && document.styleSheets.length >= 3")
    hidden = "one => getComputedStyle(one).visibility"
    assert page.locator(".book-deck > p").evaluate(hidden) == "hidden"
    assert page.locator(".deck-list").evaluate(hidden) == "hidden"
    while not held:
        page.wait_for_timeout(20)
    held[0].continue_()
    page.locator(".book-deck .practice-start").wait_for()
    assert page.locator(".deck-list").evaluate(hidden) == "visible"
    context.close()


def test_search_does_not_hold_the_questions_twice(site_folder, edition):
    text = (site_folder / edition / "_static" / "search-text.js").read_text(encoding="utf-8")
    pages = json.loads(text.removeprefix("window.bookText=").removesuffix(";\n"))
    ((_, title, segments),) = [one for one in pages if one[0] == PAGE]
    assert title == "練習"
    assert [segment[0] for segment in segments] == ["practice-title", "p-list-lead"]


def test_a_notebook_s_file_is_imported_and_an_export_is_a_notebook_s_file(practise, learner, edition, tmp_path):
    card = learner.card(last=learner.NOW - 5 * learner.DAY, days=30)
    # The file of a notebook says besides which writer's saves it includes.
    kept = {**json.loads(learner.record({"two-scores.halving": card})), "seen": {"abc": 3}}
    page = practise(json.dumps(kept))
    exported = page.take()
    assert exported["cards"] == {"two-scores.halving": card}
    path = tmp_path / "practice.json"
    path.write_text(json.dumps(exported), encoding="utf-8")
    one = ProgressFile(path)
    assert json.loads(one.read()) == exported and one.state == "ok"
    assert one.write(json.dumps(kept)) is None
