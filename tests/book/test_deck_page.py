"""The practice page of a small book: the list of its questions, the deck's data, the ways there."""

import json
import re
import shutil
import subprocess
import sys
import zipfile

import pytest
from bs4 import BeautifulSoup

from interview_book.book import deck, deck_page, plain, questions, site
from interview_book.practice import numbers

TAGS = ("ja", "zh-Hant")


def _with_practice(folder, root):
    shutil.copy(root / "chapters" / "practice.ipynb", folder / "chapters")
    toc = folder / "_toc.yml"
    text = toc.read_text(encoding="utf-8")
    entry = "      - file: chapters/glossary\n"
    assert entry in text
    toc.write_text(text.replace(entry, f"      - file: chapters/practice\n{entry}"), encoding="utf-8")


@pytest.fixture(scope="module")
def built(prepare_book, root, tmp_path_factory):
    """Both editions of the good book with a practice page."""
    folder = tmp_path_factory.mktemp("practice") / "book"
    prepare_book(folder)
    _with_practice(folder, root)
    assert site.build(folder) == folder / "_build" / "site"
    return folder


def page(built, tag, name):
    path = built / "_build" / "site" / tag / "chapters" / f"{name}.html"
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


@pytest.mark.parametrize("tag", TAGS)
def test_deck_list_and_script_are_on_the_page(built, tag):
    soup = page(built, tag, "practice")
    (host,) = soup.select(".book-deck")
    assert [one.get("lang") for one in host.select("p")] == [tag], "one language of the two"
    assert not host.find_parent(class_="cell").select(".cell_input"), "the code is for notebooks"
    scripts = [re.sub(r"\?.*", "", one["src"]) for one in soup.select("script[src]")]
    assert scripts == ["../_static/book.js", "../_static/theme.js", "../_static/deck.js"]
    (fold,) = soup.select("details.deck-list")
    assert fold.has_attr("open") and re.fullmatch(r"[0-9a-f]{8}", fold["data-bank"])
    (link,) = fold.select("li a")
    assert link["href"] == "example.html#q-example.weight"
    assert link.get_text().startswith({"ja": "スコアが 4 と 0 のとき", "zh-Hant": "分數是 4 和 0"}[tag])
    assert link.select(".katex") and "$" not in fold.get_text()
    assert page(built, tag, "example").find(id="q-example.weight")
    assert fold.select_one(".deck-chapter a").get_text() == page(built, tag, "example").h1.find(string=True)


@pytest.mark.parametrize("tag", TAGS)
def test_data_and_packages_are_beside_it(built, tag):
    out = built / "_build" / "site"
    folder = out / tag / "_static" / "deck"
    assert {one.name for one in folder.iterdir()} == {"index.js", "example.js"}
    text = (folder / "index.js").read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("interviewBookDeck(").removesuffix(");\n"))["index"]
    assert index["language"] == tag and [one["id"] for one in index["cards"]] == ["example.weight"]
    for link in page(built, tag, "practice").select(".deck-anki a"):
        assert (out / tag / "chapters" / link["href"]).resolve().is_file()


def test_the_wheel_has_the_deck(built):
    (made,) = (built / "_build" / "site" / "wheel").iterdir()
    with zipfile.ZipFile(made) as archive:
        bank = json.loads(archive.read("interview_book/widgets/deck_data/bank.json"))
    assert list(bank["languages"]["ja"]["parts"]) == ["example"]


@pytest.mark.parametrize("tag", TAGS)
def test_header_and_search(built, tag):
    (link,) = page(built, tag, "example").select(".tool-practice")
    assert (link["href"], link.get_text(), link.get("aria-current")) == ("practice.html", "練習", None)
    assert page(built, tag, "practice").select_one(".tool-practice")["aria-current"] == "page"
    text = (built / "_build" / "site" / tag / "_static" / "search-text.js").read_text(encoding="utf-8")
    pages = json.loads(text.removeprefix("window.bookText=").removesuffix(";\n"))
    (segments,) = [one[2] for one in pages if one[0] == "chapters/practice.html"]
    title, lead = segments
    assert title[2] == "練習" and lead[0] == "p-list-lead", "its questions are found on their own page"


@pytest.mark.parametrize("tag", TAGS)
def test_the_notebook_runs_the_deck_and_lists_the_questions(built, tag):
    notebook = plain.plain_file(built, "practice", tag)
    (code,) = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    language = "" if tag == "ja" else 'language="zh-Hant"'
    assert code["source"] == f"from interview_book.widgets import Deck\n\nDeck({language})"
    text = notebook["cells"][-1]["source"]
    assert "](example.ipynb#q-example.weight)" in text and "{practice}" not in text
    assert ("一つ目の重み $p$" in text) == (tag == "ja")


def test_a_changed_question_changes_list_and_data(built, tmp_path):
    folder = shutil.copytree(built, tmp_path / "book")
    before = page(folder, "ja", "practice").select_one(".deck-list")["data-bank"]
    path = folder / "chapters" / "example.questions.yml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("一つ目の重み $p$ は", "最初の重み $p$ は"), encoding="utf-8")
    site.build(folder)
    after = page(folder, "ja", "practice").select_one(".deck-list")
    assert "最初の重み" in after.get_text() and after["data-bank"] != before
    data = folder / "_build" / "site" / "ja" / "_static" / "deck" / "example.js"
    assert "最初の重み" in data.read_text(encoding="utf-8")


def test_a_lone_build_has_its_own_data(prepare_book, root, tmp_path):
    folder = tmp_path / "book"
    prepare_book(folder)
    _with_practice(folder, root)
    command = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()", "build", str(folder), "-W", "-q"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    out = folder / "_build" / "html"
    assert {one.name for one in (out / "_static" / "deck").iterdir()} == {"index.js", "example.js"}
    soup = BeautifulSoup((out / "chapters" / "practice.html").read_text(encoding="utf-8"), "html.parser")
    assert soup.select("script[src*='deck.js']") and (out / "_static" / "deck.js").is_file()
    assert not soup.select(".deck-anki"), "no packages stand beside a lone build"


def test_a_book_without_the_page_has_none_of_it(book):
    assert not deck.shown(book.root)
    assert plain.names(book.root, "ja").keys() == {"example", "glossary"}


@pytest.mark.parametrize("tag", TAGS)
def test_what_is_asked_is_said_in_full(root, tag):
    """Every kind as the reader meets it: quoted when it is said, filled in when it is drawn."""
    for path in deck.files(root).values():
        for one in questions.load(path, root):
            text = deck_page.asked(one, tag)
            source = one["question"][tag].strip()
            if one.kind == "explain":
                assert text == f"「{source}」"
            elif one.kind == "number":
                assert not re.search(r"<[a-z_]+>", text)
                assert str(next(iter(numbers.draw(one, 0).parameters.values()))).lstrip("-") in text
            else:
                assert text == source
