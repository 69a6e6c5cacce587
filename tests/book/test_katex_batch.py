"""Many formulas, one process."""

import re

import pytest

from interview_book.book import katex_batch, node
from interview_book.book.errors import BookError


def test_each_formula_has_a_visual_and_a_mathml_half(root):
    made, bad = katex_batch.set_inline(root, [r"\sqrt{d_k}", "a<b", r"\sqrt{d_k}"])
    assert bad == {} and set(made) == {r"\sqrt{d_k}", "a<b"}
    for tex, html in made.items():
        assert html.startswith('<span class="katex">') and html.count("<span") == html.count("</span>")
        assert '<span class="katex-html" aria-hidden="true">' in html
        assert tex.replace("<", "&lt;") in re.search(r"<annotation[^>]*>(.*?)</annotation>", html)[1]
        assert "katex-display" not in html
    assert "<msqrt><msub><mi>d</mi><mi>k</mi></msub></msqrt>" in made[r"\sqrt{d_k}"]


def test_what_katex_refuses_is_told_by_its_own_words(root):
    made, bad = katex_batch.set_inline(root, ["x", r"\oops", r"\frac{1}"])
    assert set(made) == {"x"}
    assert bad[r"\oops"].startswith(r"Undefined control sequence: \oops") and "\n" not in bad[r"\frac{1}"]


def test_commands_that_reach_out_of_the_formula_are_refused(root):
    made, bad = katex_batch.set_inline(root, [r"\href{javascript:alert(1)}{x}", r"\htmlClass{a}{x}"])
    assert "href=" not in "".join(made.values()) and 'class="enclosing a"' not in "".join(made.values())
    assert len(made) + len(bad) == 2


def test_nothing_starts_no_process(root, monkeypatch):
    monkeypatch.setattr(node, "run_node", lambda *_, **__: pytest.fail("a process was started"))
    assert katex_batch.set_inline(root, []) == ({}, {})


def test_a_missing_katex_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr("interview_book.book.frontend.PROJECT", tmp_path)
    with pytest.raises(BookError, match="make setup"):
        katex_batch.set_inline(tmp_path, ["x"])
