"""行 and 列 with their gloss; what the hook before hand-in objects to is a fault here as well."""

from __future__ import annotations

import pytest

from interview_book.book.language_rules import language_findings


def _rules(text, tag, **more):
    return [one.rule for one in language_findings(text, tag, **more)]


@pytest.mark.parametrize(
    ("tag", "text"),
    [
        ("ja", "行の和は 1 です"),
        ("ja", "列を見る"),
        ("ja", "行（column）の和"),
        ("ja", "列（row）の和"),
        ("ja", "列（line）の和"),
        ("ja", "行（row）と列の和"),
        ("ja", "**行**（row）の和"),
        ("ja", "一行ずつ証明する"),
        ("zh-Hant", "列的總和"),
        ("zh-Hant", "列（column）的總和"),
        ("zh-Hant", "行（row）的總和"),
        ("zh-Hant", "這樣不行"),
        ("ja", "```{tip} 題\n行の和\n```"),
        ("zh-Hant", "行[（column）](#a)的總和"),
    ],
)
def test_without_or_with_the_wrong_gloss(tag, text):
    assert _rules(text, tag) == ["row-column-gloss"]


@pytest.mark.parametrize(
    ("tag", "text"),
    [
        ("ja", "行（row）の和。次の行も同じ"),
        ("ja", "列（column）と行（rows）"),
        ("ja", "コードの行（line）を数える"),
        ("ja", "行列、逆行列、配列、系列、実行、並列、行う、整列、行列式"),
        ("ja", "`行` と $x$ と [章](行.ipynb)"),
        ("ja", "置換行列と変換行列"),
        ("zh-Hant", "列（row）的總和，每個列都一樣"),
        ("zh-Hant", "一行（line）程式碼"),
        ("zh-Hant", "序列、陣列、進行、執行、平行、系列、排列、列出、行為、可行"),
    ],
)
def test_with_gloss_or_inside_a_word(tag, text):
    assert "row-column-gloss" not in _rules(text, tag)


def test_said_aloud_fine_is_no_column():
    assert _rules("不行。第一個 query 只能看自己。", "zh-Hant", spoken=True) == []
    assert _rules("看每個列。", "zh-Hant", spoken=True) == ["row-column-gloss"]


def test_the_gloss_is_due_in_every_passage_anew(book):
    book.replace("tip-ja", "行（row）ごとの和", "行（row）と行の和")
    assert book.faults() == []
    book.replace("want-ja", "差は", "行の差は")
    book.expect("row-column-gloss", "expected 行（row） at the first use", where="cell 2 (want-ja)")
