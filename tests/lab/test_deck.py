"""The practice deck in JupyterLab: the same deck as on the page, its progress in a file beside the notebook."""

import importlib.util
import json
import time
from pathlib import Path

import pytest

from interview_book.widgets import deck_files
from interview_book.widgets.progress_file import ProgressFile

pytestmark = pytest.mark.lab

_spec = importlib.util.spec_from_file_location("learner", Path(__file__).parents[1] / "browser" / "practice.py")
learner = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(learner)

# What JupyterLab itself looks like, from a few of its parts.
PARTS = ("body", ".jp-Toolbar", ".jp-InputArea-editor", ".jp-RenderedHTMLCommon h1", ".jp-RenderedHTMLCommon p")
_LOOK = """parts => parts.map(one => getComputedStyle(document.querySelector(one)))
  .map(one => [one.fontFamily, one.fontSize, one.color, one.backgroundColor, one.lineHeight].join("|"))"""


def notebook(root, tag, source):
    """Write a book of one chapter, ``alpha``, with a title, a cell of code and an end, as the lab serves it."""
    folder = root / "_build" / "notebooks" / tag
    folder.mkdir(parents=True)
    cells = [
        {"cell_type": "markdown", "id": "title", "metadata": {}, "source": "# Alpha\n\n…"},
        {"cell_type": "code", "id": "deck", "metadata": {}, "execution_count": None, "outputs": [], "source": source},
        {"cell_type": "markdown", "id": "end", "metadata": {}, "source": "end"},
    ]
    spec = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    made = {"cells": cells, "metadata": {"kernelspec": spec}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "alpha.ipynb").write_text(json.dumps(made), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def document(esm):
    """``document(text)``: a document of progress as the deck's own code reads it, with its reviews as rows."""
    call = esm(Path(deck_files.__file__).with_name("practice_deck"))
    return lambda text: call("documents", "m.check(JSON.parse(text))", text=text)


def held(path, document, fits):
    """The document in the file as soon as its rows are as wanted."""
    deadline = time.monotonic() + 20
    while True:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        value = document(text) if text else {"reviews": []}
        if text and fits(value["reviews"]):
            return value
        assert time.monotonic() < deadline, value["reviews"]
        time.sleep(0.05)


@pytest.mark.parametrize(("tag", "title"), [("ja", "今日は"), ("zh-Hant", "今天")], ids=["ja", "zh-Hant"])
def test_a_card_is_answered_by_keyboard_and_the_file_holds_it(serve, page, run_all, tmp_path, document, tag, title):
    language = "" if tag == "ja" else f', language="{tag}"'
    source = f'from interview_book.widgets import Deck\n\nDeck(progress="practice.json"{language})'
    folder = notebook(tmp_path, tag, source)
    path = folder / "practice.json"
    with serve(tmp_path, tag, "lab") as address:
        page.goto(f"{address}/lab/tree/alpha.ipynb")
        page.locator(".jp-RenderedHTMLCommon h1").wait_for()
        run_all(address)
        deck = page.locator(".deck-notebook")
        deck.locator(".practice-start .progress").wait_for()
        assert title in deck.locator(".today h2").inner_text()
        before = page.evaluate(_LOOK, PARTS)
        # The deck has its colours and its icons.
        assert deck.locator(".today").evaluate("one => getComputedStyle(one).backgroundColor") == "rgb(229, 243, 236)"
        assert page.locator("symbol#i-next").count() == 1

        one = learner.Practice(page)
        one.begin()
        deck.locator(".q-ask").first.wait_for()
        while not deck.locator(".grade").count():
            page.evaluate(learner._STEP, 3)
            page.wait_for_timeout(30)
        # «3» grades the card, and does nothing to JupyterLab's cells.
        deck.locator(".grade").nth(2).focus()
        page.keyboard.press("3")
        (row,) = held(path, document, lambda rows: len(rows) == 1)["reviews"]
        assert row[2] == 3
        assert page.locator(".jp-MarkdownCell").count() == 2 and page.locator(".jp-CodeCell").count() == 1
        # Formulas are set as MathML: KaTeX's own half has no stylesheet here.
        assert deck.locator(".katex-html").evaluate_all("all => all.every(one => !one.checkVisibility())")
        # Undone, the file holds none again.
        one.page.keyboard.press("u")
        held(path, document, lambda rows: rows == [])
        one.grade(4)
        (row,) = held(path, document, lambda rows: len(rows) == 1)["reviews"]
        assert row[2] == 4
        assert page.evaluate(_LOOK, PARTS) == before
        assert page.wrong == []


def test_what_the_page_exported_goes_on_here_and_what_another_kernel_wrote_is_merged(
    serve, page, run_all, tmp_path, document
):
    folder = notebook(tmp_path, "ja", 'from interview_book.widgets import Deck\n\nDeck(progress="export.json")')
    path = folder / "export.json"
    cards = {"two-scores.halving": learner.card(last=1_700_000_000_000, days=3000)}
    path.write_text(learner.record(cards), encoding="utf-8")
    with serve(tmp_path, "ja", "lab") as address:
        page.goto(f"{address}/lab/tree/alpha.ipynb")
        run_all(address)
        one = learner.Practice(page).ready()
        one.begin()
        one.grade(3)
        mine = held(path, document, lambda rows: len(rows) == 2)
        assert "two-scores.halving" in [row[1] for row in mine["reviews"]]
        assert mine["cards"]["two-scores.halving"]["due"] == cards["two-scores.halving"]["due"]
        # Another kernel goes on from the same file.
        other = ProgressFile(path)
        assert document(other.read()) == mine
        row = [int(time.time() * 1000), "two-scores.weak-contribution", 3, 20, 1, 0]
        assert other.write(json.dumps({**mine, "reviews": [*mine["reviews"], row]})) is None
        one.grade(3)
        both = held(path, document, lambda rows: len(rows) == 4)
        assert row in both["reviews"] and all(old in both["reviews"] for old in mine["reviews"])
        assert page.wrong == []


def test_a_folder_one_may_not_write_and_a_corrupt_file_are_told(serve, page, run_all, tmp_path):
    source = (
        "from IPython.display import display\nfrom interview_book.widgets import Deck\n\n"
        'display(Deck(progress="alpha.ipynb/practice.json"))\ndisplay(Deck(progress="corrupt.json"))'
    )
    folder = notebook(tmp_path, "ja", source)
    (folder / "corrupt.json").write_text("ERROR", encoding="utf-8")
    with serve(tmp_path, "ja", "lab") as address:
        page.goto(f"{address}/lab/tree/alpha.ipynb")
        run_all(address)
        decks = page.locator(".deck-notebook")
        decks.nth(1).locator(".practice-start .progress").wait_for()
        for number in range(2):
            assert decks.nth(number).locator(".notice, .notices").first.inner_text().strip()
        assert (folder / "corrupt.json").read_text(encoding="utf-8") == "ERROR"
        assert page.wrong == []
