"""Everything at once: a good book is clean, a bad one gives all its faults, sorted, and none hides another."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from interview_book.book import check
from interview_book.book.errors import Fault


def test_the_good_book_is_clean(book):
    assert check.faults(book.root) == []


def test_all_faults_of_all_files_at_once(book):
    book.replace("want-ja", "差は", "差は、")
    book.write("title-ja", "(glossary-title)=\n# $x$", slug="glossary")
    book.file("chapters/terms.yml", "key: array", "key: Array")
    book.file("chapters/claims.yml", "kind: exact", "kind: rumour")
    book.file("chapters/example.questions.yml", "level: core", "level: hard")
    found = check.faults(book.root)
    assert {one.file for one in found} == {
        "chapters/example.ipynb",
        "chapters/glossary.ipynb",
        "chapters/terms.yml",
        "chapters/claims.yml",
        "chapters/example.questions.yml",
    }
    assert found == sorted(found)
    assert all(one.rule and one.message and one.mend for one in found)


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"{", "expected JSON"), (b"\xff", "expected UTF-8"), (b'{"nbformat": 4, "nbformat_minor": 2}', "nbformat 4.5")],
)
def test_an_unreadable_chapter_is_a_fault_among_others(book, content, said):
    book.path("glossary").write_bytes(content)
    book.replace("want-ja", "差は", "差は、")
    found = book.faults()
    assert [(place, rule) for place, rule, _ in found] == [
        ("chapters/example.ipynb: cell 2 (want-ja)", "spacing"),
        ("chapters/glossary.ipynb: ", "unreadable"),
    ]
    assert said in found[1][2]


def test_a_missing_chapter(book):
    book.path("glossary").unlink()
    book.expect("unreadable", "found no file", where="chapters/glossary.ipynb")


def test_a_missing_table_of_contents(book):
    (book.root / "_toc.yml").unlink()
    assert ("_toc.yml: ", "unreadable") in [(place, rule) for place, rule, _ in book.faults()]


def test_a_fault_of_the_question_schema(book):
    book.file("chapters/example.questions.yml", "kind: choice", "kind: riddle")
    found = book.faults()
    assert {place.split(":")[0] for place, _, _ in found} == {"chapters/example.questions.yml"}
    assert "riddle" in found[0][2]


def test_a_question_about_no_passage(book):
    book.file("chapters/example.questions.yml", "passage: division", "passage: nowhere")
    book.expect("unknown-passage", "chapter example, found 'nowhere'", where="question example.weight")


def test_a_book_of_odd_shapes_is_no_crash(book):
    def action(notebook):
        odd = {"values": 3, "claims": [3], "allow": {}, "relations": 7}
        notebook["cells"][2]["metadata"] = {"tags": "lang-ja", "book": odd}
        notebook["cells"][12]["metadata"]["book"] = {"figure": "fig-line", "values": {"0.5": [3]}}
        notebook["cells"][4].pop("id")

    book.change(action)
    rules = {rule for _, rule, _ in book.faults()}
    assert {"bad-metadata", "cell-id"} <= rules


@pytest.mark.parametrize(("broken", "status", "said"), [(False, 0, "no faults"), (True, 1, "1 fault")])
def test_the_command(book, broken, status, said):
    if broken:
        book.replace("want-ja", "差は", "差は、")
    command = [sys.executable, "-m", "interview_book.cli", "--root", str(book.root), "check"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    output = done.stdout + done.stderr
    assert (done.returncode, said in output) == (status, True), output
    if broken:
        assert "chapters/example.ipynb: cell 2 (want-ja): [spacing]" in output
        assert "-> take the space out" in output


def test_the_book_is_checked_within_three_seconds(root):
    # Our own time, so that a busy machine does not fail it; KaTeX's process takes a tenth of a second beside.
    start = time.process_time()
    found = check.faults(root)
    assert time.process_time() - start < 3
    assert all(isinstance(one, Fault) for one in found)


def test_a_comparison_a_question_makes_is_evaluated(book):
    allowed = 'allow: ["4", "0"]'
    book.file("chapters/example.questions.yml", allowed, f'{allowed}\n  relations: ["example:weights[0] > 0.5"]')
    assert check.faults(book.root) == []
    book.file("chapters/example.questions.yml", "weights[0] > 0.5", "weights[0] < 0.5")
    book.expect("relation", "example:weights[0] < 0.5", where="question example.weight")


def test_an_answer_that_does_not_fill_its_time(book, root):
    text = (root / "chapters" / "two-scores.questions.yml").read_text(encoding="utf-8")
    lines = text.split("\n")
    start = lines.index("  answer_30s:") + 2
    lines[start] = "      順位は同じです。"
    path = book.root / "chapters" / "two-scores.questions.yml"
    path.write_text("\n".join(lines), encoding="utf-8")
    found = [one for one in check.faults(book.root) if one.rule == "speech"]
    assert [one.where for one in found] == ["question two-scores.halving answer_30s.ja"]
    assert "expected 150 to 190 morae" in found[0].message


def test_one_id_in_two_files(book):
    path = book.root / "chapters" / "example.questions.yml"
    again = path.read_text(encoding="utf-8").replace("chapter: example", "chapter: glossary")
    (path.parent / "glossary.questions.yml").write_text(again, encoding="utf-8")
    assert "duplicate-id" in {one.rule for one in check.faults(book.root)}


def test_questions_that_no_passage_shows(book):
    path = book.root / "chapters" / "example.questions.yml"
    again = path.read_text(encoding="utf-8").replace("chapter: example", "chapter: glossary")
    again = again.replace("id: example.weight", "id: example.other")
    again = again.replace("passage: division", "passage: glossary-title")
    (path.parent / "glossary.questions.yml").write_text(again, encoding="utf-8")
    book.expect("unplaced-questions", "expected a passage that shows them", where="chapters/glossary.questions.yml")
