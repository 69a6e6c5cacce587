"""The decks for Anki of a book: its files, their times, their links."""

import json
import os
import sqlite3
import zipfile
from pathlib import Path

import pytest

from interview_book import cli
from interview_book.book import anki_files
from interview_book.book.errors import BookError, Faults
from interview_book.practice import anki_types

LATER = 4_000_000_000  # than every file


@pytest.fixture(autouse=True)
def no_epoch(monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)


def changed(book, name, time):
    os.utime(book.root / "chapters" / name, (time, time))


def rows(path, folder, sql):
    with zipfile.ZipFile(path) as archive:
        archive.extract("collection.anki2", folder)
    database = sqlite3.connect(folder / "collection.anki2")
    try:
        return database.execute(sql).fetchall()
    finally:
        database.close()


def times(path, folder):
    return {fields.split("\x1f")[-1]: time for fields, time in rows(path, folder, "select flds, mod from notes")}


def test_three_packages_with_their_notes(book, tmp_path):
    changed(book, "example.questions.yml", LATER)
    paths = anki_files.write(book.root, tmp_path / "out")
    assert [path.name for path in paths] == list(anki_types.FILES.values())
    assert sorted(os.listdir(tmp_path / "out")) == sorted(path.name for path in paths)
    assert times(paths[0], tmp_path) == {"example.weight": LATER}
    fields, tags = rows(paths[1], tmp_path, "select flds, tags from notes")[0]
    assert r"分數是 4 和 0，第一個權重 \(p\) 是多少？" in fields
    assert " interview-book::chapter::example " in tags
    assert len(rows(paths[2], tmp_path, "select id from notes")) == 2


def test_the_same_files_give_the_same_bytes_and_a_changed_one_later_notes(book, tmp_path):
    changed(book, "example.questions.yml", LATER)
    whole = [path.read_bytes() for path in anki_files.write(book.root, tmp_path / "out")]
    assert [path.read_bytes() for path in anki_files.write(book.root, tmp_path / "again")] == whole
    (book.root / "_build" / "anki.json").unlink()
    assert [path.read_bytes() for path in anki_files.write(book.root, tmp_path / "again")] == whole
    book.file("chapters/example.questions.yml", "ちょうど半分", "ぴったり半分")
    changed(book, "example.questions.yml", LATER + 60)
    ja, *_ = anki_files.write(book.root, tmp_path / "out")
    assert times(ja, tmp_path) == {"example.weight": LATER + 60}


@pytest.mark.parametrize("name", ["example.questions.yml", "example.ipynb", "claims.yml", "topics.yml"])
def test_every_file_that_a_note_is_made_from_makes_it_newer(book, tmp_path, name):
    anki_files.write(book.root, tmp_path / "out")
    changed(book, name, LATER)
    ja, *_ = anki_files.write(book.root, tmp_path / "out")
    assert times(ja, tmp_path) == {"example.weight": LATER}


def test_the_code_of_the_cards_makes_every_note_newer(book, tmp_path):
    for path in (book.root / "chapters").iterdir():
        os.utime(path, (1000, 1000))
    (time,) = times(anki_files.write(book.root, tmp_path / "out")[0], tmp_path).values()
    code = [Path(anki_types.__file__).with_name(name) for name in ("anki_cards.py", "anki_words.py", "anki_cards.css")]
    assert all(time >= int(path.stat().st_mtime) for path in code)


def test_a_file_of_another_chapter_does_not(book, tmp_path):
    first = times(anki_files.write(book.root, tmp_path / "out")[0], tmp_path)
    changed(book, "glossary.ipynb", LATER)
    assert times(anki_files.write(book.root, tmp_path / "out")[0], tmp_path) == first


@pytest.mark.parametrize("back", [0, 60])
def test_a_change_under_a_clock_that_went_back_is_newer_all_the_same(book, tmp_path, back):
    changed(book, "example.questions.yml", LATER)
    anki_files.write(book.root, tmp_path / "out")
    book.file("chapters/example.questions.yml", "ちょうど半分", "ぴったり半分")
    changed(book, "example.questions.yml", LATER - back)
    ja, zh, _ = anki_files.write(book.root, tmp_path / "site")
    assert times(ja, tmp_path) == {"example.weight": LATER + 1}
    assert times(zh, tmp_path) == {"example.weight": LATER}


def test_an_epoch_is_the_time_of_everything(book, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1800000000")
    paths = anki_files.write(book.root, tmp_path / "out")
    whole = [path.read_bytes() for path in paths]
    assert times(paths[2], tmp_path) == {"example.weight": 1800000000}
    for path in (book.root / "chapters").iterdir():
        os.utime(path, (LATER, LATER))
    assert [path.read_bytes() for path in anki_files.write(book.root, tmp_path / "out")] == whole
    assert not (book.root / "_build").exists()


def test_an_address_links_pages(book, tmp_path):
    ja, zh, _ = anki_files.write(book.root, tmp_path / "out", "https://example.org/book/")
    for path, tag, field in ((ja, "ja", "ページ"), (zh, "zh-Hant", "頁面")):
        ((models,),) = rows(path, tmp_path, "select models from col")
        for model in json.loads(models).values():
            assert f'href="https://example.org/book/{tag}/chapters/{{{{{field}}}}}"' in model["tmpls"][0]["afmt"]
        ((fields,),) = rows(path, tmp_path, "select flds from notes")
        assert "example.html#division" in fields.split("\x1f")


def test_the_command_writes_the_packages(book, capsys):
    cli.main(["--root", str(book.root), "anki"])
    said = capsys.readouterr().out.splitlines()
    folder = book.root / "_build" / "anki"
    assert said == [f"anki: {folder / name}" for name in anki_types.FILES.values()]
    assert all((folder / name).stat().st_size > 1000 for name in anki_types.FILES.values())


def test_sources_are_left_alone(book, tmp_path):
    before = {path: path.read_bytes() for path in (book.root / "chapters").iterdir()}
    anki_files.write(book.root, tmp_path / "out")
    assert {path: path.read_bytes() for path in (book.root / "chapters").iterdir()} == before


@pytest.mark.parametrize("given", ["yesterday", "", "-5", "1.5"])
def test_a_clock_that_is_none_is_told(book, tmp_path, monkeypatch, given):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", given)
    with pytest.raises(BookError, match=r"^SOURCE_DATE_EPOCH: expected seconds since 1970"):
        anki_files.write(book.root, tmp_path / "out")


@pytest.mark.parametrize("url", ["notaurl", "javascript:alert(1)", "https://x/{{ID}}", 'https://x/"><b>', ""])
def test_what_is_no_address_is_told(book, tmp_path, url):
    with pytest.raises(BookError, match=r"^--url .* is no address"):
        anki_files.write(book.root, tmp_path / "out", url)


def test_a_faulty_question_is_told(book, tmp_path):
    book.file("chapters/example.questions.yml", "kind: choice", "kind: chance")
    with pytest.raises(Faults, match="expected one of"):
        anki_files.write(book.root, tmp_path / "out")


def test_a_book_without_questions_has_no_packages(book, tmp_path):
    (book.root / "chapters" / "example.questions.yml").unlink()
    assert anki_files.write(book.root, tmp_path / "out") == []
