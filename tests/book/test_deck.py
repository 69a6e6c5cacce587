"""The deck's data: compiled from the book, set by KaTeX once, written as scripts and as a notebook's files."""

import json
import re
import zipfile

import pytest

from interview_book.book import built, deck, fingerprint, katex_batch, modules, node, wheel
from interview_book.book.errors import BookError, Faults
from interview_book.book.languages import LANGUAGES

CHAPTERS = ["soft-lookup", "two-scores", "why-sqrt-dk"]


@pytest.fixture(scope="module")
def made(root):
    return deck.banks(root)


def test_chapters_with_questions_in_the_order_of_the_contents(root, made):
    assert list(deck.files(root)) == CHAPTERS
    for tag, one in made.items():
        assert list(one["parts"]) == list(one["index"]["chapters"]) == CHAPTERS
        assert one["index"]["language"] == tag
    titles = [made[tag]["index"]["chapters"]["why-sqrt-dk"]["title"] for tag in LANGUAGES]
    assert titles == ["なぜ √dₖ で割るのか", "為什麼要除以 √dₖ"]
    assert made["ja"]["index"]["chapters"]["two-scores"]["href"] == "two-scores.html"
    assert made["ja"]["index"]["topics"]["variance"] == "スコアの分散"


def test_formulas_are_katex_in_both_forms(made):
    for one in made.values():
        for part in one["parts"].values():
            assert len(part["formulas"]) > 50
            for html in part["formulas"]:
                assert html.startswith('<span class="katex"><span class="katex-mathml"><math')
                assert '<span class="katex-html" aria-hidden="true">' in html


def test_both_languages_and_all_chapters_share_one_process(root, monkeypatch):
    runs = []
    run = katex_batch.node.run_node
    monkeypatch.setattr(node, "run_node", lambda *args, **more: runs.append(args) or run(*args, **more))
    deck.banks(root)
    assert len(runs) == 1, "what the second language needs, the first had already"


def test_numbers_say_unit_and_tolerance(made):
    record = made["ja"]["parts"]["two-scores"]["records"]["two-scores.gradient-ratio"]
    assert record["note"] == "単位は倍です。正しい値との差が 1% 以内なら正解です。"


def test_every_link_leads_to_a_heading_of_its_chapter(root, made):
    texts = {slug: (root / "chapters" / f"{slug}.ipynb").read_text(encoding="utf-8") for slug in CHAPTERS}
    labels = {slug: set(re.findall(r'"\(([\w-]+)\)=\\n"', text)) for slug, text in texts.items()}
    for card in made["zh-Hant"]["index"]["cards"]:
        page, _, label = card["href"].partition("#")
        assert page == f"{card['chapter']}.html" and label in labels[card["chapter"]]


def test_scripts_are_small_and_say_what_they_hold(made, tmp_path):
    import gzip

    (tmp_path / "gone.js").write_text("", encoding="utf-8")
    deck.write_scripts(made["ja"], tmp_path)
    assert {one.name for one in tmp_path.iterdir()} == {"index.js", *(f"{slug}.js" for slug in CHAPTERS)}
    read = "const got = []; globalThis.interviewBookDeck = one => got.push(one);\n"
    text = "".join((tmp_path / f"{name}.js").read_text(encoding="utf-8") for name in ("index", *CHAPTERS))
    got = json.loads(node.run_node(["-"], input=f"{read}{text}process.stdout.write(JSON.stringify(got))").stdout)
    assert [list(one) for one in got] == [["index"], *[["part"]] * len(CHAPTERS)]
    assert got[0]["index"] == made["ja"]["index"] and got[-1]["part"] == made["ja"]["parts"]["why-sqrt-dk"]
    sizes = {one.stem: len(gzip.compress(one.read_bytes(), 9)) for one in tmp_path.iterdir()}
    assert sizes["index"] < 5_000 and max(sizes.values()) < 60_000


def test_the_version_follows_questions_and_titles(book):
    seen = {deck.version(book.root)}
    assert seen == {deck.version(book.root)}
    for change in (
        lambda: book.file("chapters/example.questions.yml", "level: core", "level: advanced"),
        lambda: book.replace("title-ja", "# ", "# 新しい"),
        lambda: book.file("chapters/topics.yml", "softmax の重み", "softmax の値"),
        lambda: book.file("chapters/claims.yml", "check: prose", "check: read"),
    ):
        change()
        seen.add(deck.version(book.root))
    assert len(seen) == 5


def test_a_title_without_its_backslashes(book):
    book.replace("title-ja", "# ", r"# \[4, 0\] ")
    assert deck.titles(book.root, "example")["ja"].startswith("[4, 0] ")
    (book.root / "chapters" / "example.ipynb").write_text("{", encoding="utf-8")
    with pytest.raises(BookError, match=r"example\.ipynb: expected a notebook"):
        deck.titles(book.root, "example")


def test_a_broken_formula_is_named(book):
    book.file("chapters/example.questions.yml", "一つ目の重み $p$", r"一つ目の重み $\oops$")
    with pytest.raises(Faults) as caught:
        deck.banks(book.root)
    (fault,) = caught.value.faults
    assert (fault.file, fault.where) == ("chapters/example.questions.yml", "question example.weight question.ja")
    assert r"«\oops»: Undefined control sequence" in fault.message


def test_a_broken_file_is_named(book):
    book.file("chapters/example.questions.yml", "level: core", "level: easy")
    with pytest.raises(Faults, match=r"example\.questions\.yml: question example\.weight level: \[choice\]"):
        deck.banks(book.root)


def test_a_topic_without_a_name_is_named(book):
    book.file("chapters/topics.yml", "softmax:", "soft:")
    with pytest.raises(Faults, match="topic softmax"):
        deck.banks(book.root)


def test_writing_twice_does_nothing_the_second_time(book):
    folder = deck.write(book.root)
    assert folder == book.root / "_build" / "deck"
    assert {one.name for one in folder.iterdir()} == {"bank.json", "deck.mjs", "deck.css", built.MARK}
    bank = json.loads((folder / "bank.json").read_text(encoding="utf-8"))
    assert (bank["version"], bank["url"], list(bank["languages"])) == (1, None, list(LANGUAGES))
    assert deck.read(folder, "ja") == bank["languages"]["ja"]
    module = (folder / "deck.mjs").read_text(encoding="utf-8")
    assert re.search(r"export ?\{\w+ as default", module) and "import.meta" not in module
    stamps = {one.name: one.stat().st_mtime_ns for one in folder.iterdir()}
    assert deck.write(book.root) == folder
    assert {one.name: one.stat().st_mtime_ns for one in folder.iterdir()} == stamps

    def url():
        return json.loads((folder / "bank.json").read_text(encoding="utf-8"))["url"]

    deck.write(book.root, "https://example.org")
    assert url() == "https://example.org"
    (folder / built.MARK).unlink()  # as a killed build leaves it
    deck.write(book.root)
    assert url() is None


def test_a_failed_write_leaves_the_deck_that_was_there(book):
    folder = deck.write(book.root)
    before = (folder / "bank.json").read_bytes()
    book.file("chapters/example.questions.yml", "一つ目の重み $p$", r"一つ目の重み $\oops$")
    with pytest.raises(Faults):
        deck.write(book.root)
    assert (folder / "bank.json").read_bytes() == before
    assert [one.name for one in folder.parent.iterdir() if "new" in one.name] == []


def test_the_wheel_carries_deck_questions_and_modules(book, tmp_path):
    folder = deck.write(book.root)
    made = wheel.write(tmp_path / "out", tmp_path / "cache", book.root, folder)
    with zipfile.ZipFile(made) as archive:
        names = set(archive.namelist())
        for name in ("bank.json", "deck.mjs", "deck.css"):
            assert archive.read(f"interview_book/widgets/deck_data/{name}") == (folder / name).read_bytes()
        assert archive.read("interview_book/chapters/example.questions.yml")
        module = modules.write(book.root) / "stepper.mjs"
        assert archive.read("interview_book/widgets/deck_data/stepper.mjs") == module.read_bytes()
        assert {f"interview_book/widgets/stepper{end}" for end in (".py", ".css", "_layout.css")} <= names
    assert f"interview_book/widgets/deck_data/{built.MARK}" not in names
    assert not [name for name in names if "__pycache__" in name]
    assert not (fingerprint.PACKAGE / "widgets" / "deck_data").exists(), "nothing built stands in the sources"
    again = made.read_bytes()
    assert wheel.write(tmp_path / "again", tmp_path / "cache2", book.root, folder).read_bytes() == again
    # Kept while nothing changes, made again when the deck does.
    (kept,) = (tmp_path / "cache").iterdir()
    wheel.write(tmp_path / "out", tmp_path / "cache", book.root, folder)
    assert [one.name for one in (tmp_path / "cache").iterdir()] == [kept.name]
    (folder / "deck.css").write_text("other", encoding="utf-8")
    wheel.write(tmp_path / "out", tmp_path / "cache", book.root, folder)
    assert [one.name for one in (tmp_path / "cache").iterdir()] != [kept.name]
