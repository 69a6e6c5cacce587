"""Spaces, brackets, punctuation, numbers: right and wrong beside each other."""

from __future__ import annotations

import pytest

from interview_book.book.language_rules import language_findings


def _rules(text, tag="ja"):
    return [one.rule for one in language_findings(text, tag)]


@pytest.mark.parametrize(
    ("rule", "tag", "wrong", "right"),
    [
        ("spacing", "ja", "dₖが 64", "dₖ が 64"),
        ("spacing", "ja", "重みは0.5", "重みは 0.5"),
        ("spacing", "zh-Hant", "除以2之後", "除以 2 之後"),
        ("spacing", "ja", "差は$d$です", "差は $d$ です"),
        ("spacing", "ja", "関数`softmax`です", "関数 `softmax` です"),
        ("spacing", "ja", "√dₖで割る", "√dₖ で割る"),
        ("spacing", "ja", "95%信頼区間", "95% 信頼区間"),
        ("spacing", "ja", "[4, 0]を割る", "[4, 0] を割る"),
        ("spacing", "ja", "[Query]{.role .q}と", "[Query]{.role .q} と"),
        ("spacing", "ja", "図 {numref}`fig-a`では", "{numref}`fig-a` では"),
        ("spacing", "ja", "式 {eq}`a`を", "式 {eq}`a` を"),
        ("spacing", "ja", "割ります。 次に", "割ります。次に"),
        ("spacing", "ja", "Key 、Value", "Key、Value"),
        ("spacing", "zh-Hant", "除以 √dₖ （縮放）", "除以 √dₖ（縮放）"),
        ("spacing", "ja", "重み を 割る", "重みを割る"),
        ("spacing", "ja", "softmax  関数", "softmax 関数"),
        ("spacing", "ja", "第　一", "第一"),
        ("spacing", "ja", "5 % です", "5% です"),
        ("multiplication", "ja", "4 × 4 の行列", "4×4 の行列"),
        ("multiplication", "ja", "4x4 の行列", "4×4 の行列"),
        ("brackets", "ja", "分散(variance)", "分散（variance）"),
        ("brackets", "zh-Hant", "變異數 (variance)", "變異數（variance）"),
        ("brackets", "ja", "softmax (関数)", "softmax（関数）"),
        ("punctuation", "ja", "割ります.", "割ります。"),
        ("punctuation", "zh-Hant", "除完,比較", "除完，比較"),
        ("punctuation", "ja", "Key, 重み", "Key、重み"),
        ("punctuation", "ja", "割る，測る", "割る、測る"),
        ("punctuation", "ja", "なぜですか？", "なぜですか。"),
        ("punctuation", "ja", "割る、、測る", "割る、測る"),
        ("quotes", "ja", "“消える”と言う", "「消える」と言う"),
        ("quotes", "zh-Hant", '說"消失"', "說「消失」"),
        ("dash", "ja", "待って…ください", "待って……ください"),
        ("dash", "zh-Hant", "等等...不對", "等等……不對"),
        ("dash", "ja", "割る—測る", "割る――測る"),
        ("range", "ja", "1～1,024 個", "1〜1,024 個"),
        ("range", "ja", "16-64 個", "16〜64 個"),
        ("range", "ja", "16 〜 64 個", "16〜64 個"),
        ("range", "zh-Hant", "1〜64 個", "1 到 64 個"),
        ("minus", "ja", "差は -3 です", "差は −3 です"),
        ("thousands", "ja", "2048 個", "2,048 個"),
        ("thousands", "ja", "100000 組", "100,000 組"),
        ("units", "ja", "0.5 nat です", "0.5 ナットです"),
        ("multiples", "zh-Hant", "梯度大了 9 倍", "梯度是原來的 9 倍"),
        ("multiples", "zh-Hant", "增加 9 倍", "變成 9 倍"),
        ("full-width-latin", "ja", "Ｋｅｙ を見る", "Key を見る"),
    ],
)
def test_wrong_and_right(rule, tag, wrong, right):
    assert _rules(right, tag) == []
    assert set(_rules(wrong, tag)) == {rule}


@pytest.mark.parametrize(
    ("tag", "text"),
    [
        ("ja", "2017 年の論文（2017）"),
        ("ja", "3.14159 は円周率"),
        ("ja", "GPT-2 と float-16、2026-10-18 の版"),
        ("ja", "Vaswani, A. et al. (2017). Attention Is All You Need. NeurIPS 30. 3.2.1 節の脚注"),
        ("ja", "「はい。」と言う"),
        ("ja", "ヘッドは 4、8、16 個"),
        ("ja", "p(1 − p) だけでできている"),
        ("ja", "測定：差はふだんどれくらいか"),
        ("ja", "あります {cite:p}`vaswani2017`。"),
        ("ja", "64 個・1,024 個"),
        ("zh-Hant", "Query、Key、Value 各一個"),
        ("zh-Hant", "0.5 nat"),
        ("zh-Hant", "《注意力》一文"),
        ("ja", "| 値 | — |\n|---|---|\n| 1 | — |"),
    ],
)
def test_right(tag, text):
    assert _rules(text, tag) == []


def test_the_message_shows_the_place():
    (found,) = language_findings("スコアの重みは0.5 です", "ja")
    assert "near «スコアの重みは0.5 です»" in found.message
    assert found.mend == "put one space there"


def test_in_a_book(book):
    book.replace("want-ja", "二つのスコアから", "二つのscoreから")
    book.expect("spacing", "near «二つのscore", where="cell 2 (want-ja)")


def test_a_caption_and_a_question_are_read_too(book):
    book.cell("figure", lambda cell: cell["metadata"]["book"]["figure"]["caption"].update({"ja": "重み$p$ は 0.982"}))
    book.file("chapters/example.questions.yml", "剛好一半", "剛好一半.")
    book.file("chapters/claims.yml", "權重的總和是 1。", "權重的總和是1。")
    assert [(place, rule) for place, rule, _ in book.faults()] == [
        ("chapters/claims.yml: claim weights-sum-to-one statement.zh-Hant", "spacing"),
        ("chapters/example.ipynb: cell 12 (figure) caption.ja", "spacing"),
        ("chapters/example.questions.yml: question example.weight options[1].text.zh-Hant", "punctuation"),
    ]
