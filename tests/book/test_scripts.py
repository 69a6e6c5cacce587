"""Characters of the right country."""

from __future__ import annotations

import pytest

from interview_book.book.scripts import script_findings


@pytest.mark.parametrize(
    ("text", "rule", "named"),
    [
        ("权重", "not-traditional", "權"),
        ("変異数", "not-traditional", "變"),
        ("内積", "not-traditional", "內"),
        ("這里有", "not-traditional", "裡"),
        ("特征", "not-traditional", "特徵"),
        ("跟着", "not-traditional", "著"),
        ("万一", "not-traditional", "萬"),
        ("大体上", "not-traditional", "體"),
        ("糸", "not-traditional", "Taiwan"),
        ("重みの和", "kana-in-chinese", "Chinese or Latin"),
    ],
)
def test_not_of_taiwan(text, rule, named):
    found = script_findings(text, "zh-Hant")
    assert {one.rule for one in found} == {rule}
    assert any(named in one.mend for one in found)


@pytest.mark.parametrize(
    "text", ["峰度若干，上游占比，公里，準備，計畫，台灣，裡面，群組", "縮放點積注意力，變異數，內積"]
)
def test_of_taiwan(text):
    assert script_findings(text, "zh-Hant") == []


@pytest.mark.parametrize(
    ("text", "rule", "named"),
    [
        ("變分", "not-japanese", "変"),
        ("内積の數", "not-japanese", "数"),
        ("权重", "not-japanese", "Japanese form"),
        ("這は", "chinese-in-japanese", "Japanese"),
        ("很よい", "chinese-in-japanese", "exchanged"),
        ("們", "chinese-in-japanese", "exchanged"),
    ],
)
def test_not_of_japan(text, rule, named):
    found = script_findings(text, "ja")
    assert rule in {one.rule for one in found}
    assert any(named in one.mend for one in found)


@pytest.mark.parametrize(
    "text", ["分散と標準偏差、しきい値、々、〇、ヶ月", "尖度・歪度・凸結合・添字・桁落ち・逆伝播・閾値"]
)
def test_of_japan(text):
    assert script_findings(text, "ja") == []


def test_a_simplified_character_in_a_book(book):
    book.replace("want-zh-Hant", "兩個分數", "两個分數")
    book.expect("not-traditional", "found '两' near", where="cell 3 (want-zh-Hant)")


def test_a_japanese_character_in_the_chinese_half(book):
    book.replace("want-zh-Hant", "分數放在", "分数放在")
    book.expect("not-traditional", "found '数' near", where="cell 3 (want-zh-Hant)")


def test_a_chinese_character_in_the_japanese_half(book):
    book.replace("want-ja", "差は", "這差は")
    assert {rule for _, rule, _ in book.faults()} == {"chinese-in-japanese"}


def test_an_element_with_lang_is_judged_by_its_own_language(book):
    book.replace("lead-ja", "除法", "除数", slug="index")
    book.expect("not-traditional", "found '数'", where="index.ipynb: cell 2 (lead-ja)")
