"""What is pointed at must be there."""

from __future__ import annotations

import pytest

from interview_book.book.references import Reference, citations, formula_label, found_in, heading_label


def test_references_of_a_text():
    text = "[a](#b) [c](d.ipynb#e) ![f](g.svg) {eq}`h` {numref}`fig-i` {cite:p}`j,k` [Query]{.role .q} [m](https://n.org/o)"
    assert found_in(text) == {
        Reference("link", "#b"),
        Reference("link", "d.ipynb#e"),
        Reference("link", "g.svg"),
        Reference("eq", "h"),
        Reference("numref", "fig-i"),
        Reference("cite", "j"),
        Reference("cite", "k"),
        Reference("link", "https://n.org/o"),
    }


def test_labels():
    assert heading_label("(a-b)=\n## 題") == "a-b"
    assert heading_label("## 題") is None
    assert formula_label("$$\nx\n$$ (odds)\n") == "odds"
    assert formula_label("$$x$$") is None


def test_citations(tmp_path):
    (tmp_path / "chapters").mkdir()
    assert citations(tmp_path) == set()
    text = "@article{a2017,\n title = {x}\n}\n@book{ b2018 ,\n}\n"
    (tmp_path / "chapters" / "references.bib").write_text(text, encoding="utf-8")
    assert citations(tmp_path) == {"a2017", "b2018"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{eq}`softmax`", "{eq}`softmin`", "eq softmin"),
        ("{numref}`fig-line`", "{numref}`fig-lime`", "numref fig-lime"),
        ("{cite:p}`vaswani2017`", "{cite:p}`vaswani2016`", "cite vaswani2016"),
        ("式 {eq}`softmax`", "[式](#nowhere) {eq}`softmax`", "link #nowhere"),
        ("式 {eq}`softmax`", "[式](glossary.ipynb#division) {eq}`softmax`", "link glossary.ipynb#division"),
        ("式 {eq}`softmax`", "[式](none.ipynb) {eq}`softmax`", "link none.ipynb"),
    ],
)
def test_unknown_references(book, old, new, said):
    for tag in ("ja", "zh-Hant"):
        book.replace(f"read-{tag}", old, new)
    book.expect("unknown-reference", said, where="cell 5 (read-ja)")


@pytest.mark.parametrize(
    "link", ["[式](index.ipynb)", "[式](glossary.ipynb#term-softmax)", "[式](#p-want)", "[式](mailto:a@b.c)"]
)
def test_known_references(book, link):
    for tag in ("ja", "zh-Hant"):
        book.replace(f"read-{tag}", "式 {eq}`softmax`", f"{link} {{eq}}`softmax`")
    assert book.faults() == []


def test_questions_of_no_chapter(book):
    book.both("questions", "```{questions} other\n```", "```{questions} other\n```")
    rules = {(place, rule) for place, rule, _ in book.faults()}
    assert ("chapters/example.ipynb: cell 14 (questions-ja)", "unknown-reference") in rules
    assert ("chapters/example.questions.yml: ", "unplaced-questions") in rules  # no passage shows them any more
