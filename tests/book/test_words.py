"""Words and phrases that are not written, and the words that merely contain them."""

from __future__ import annotations

import pytest

from interview_book.book.words import WORDS, word_findings


@pytest.mark.parametrize(
    ("tag", "rule", "text"),
    [
        ("zh-Hant", "mainland-word", "字符"),
        ("zh-Hant", "mainland-word", "代碼"),
        ("zh-Hant", "mainland-word", "程序"),
        ("zh-Hant", "mainland-word", "運行"),
        ("zh-Hant", "mainland-word", "默認"),
        ("zh-Hant", "mainland-word", "調用"),
        ("zh-Hant", "mainland-word", "內存"),
        ("zh-Hant", "mainland-word", "緩存"),
        ("zh-Hant", "mainland-word", "線程"),
        ("zh-Hant", "mainland-word", "魯棒"),
        ("zh-Hant", "mainland-word", "信息"),
        ("zh-Hant", "mainland-word", "質量"),
        ("zh-Hant", "mainland-word", "水平很高"),
        ("zh-Hant", "mainland-word", "支持"),
        ("zh-Hant", "mainland-word", "反饋"),
        ("zh-Hant", "mainland-word", "打印"),
        ("zh-Hant", "mainland-word", "視頻"),
        ("zh-Hant", "mainland-word", "泛函"),
        ("zh-Hant", "translationese", "我們對其進行訓練"),
        ("zh-Hant", "translationese", "對於每一個 Query 來說"),
        ("zh-Hant", "translationese", "對模型而言"),
        ("zh-Hant", "translationese", "當維度增加時，變異數也增加"),
        ("zh-Hant", "translationese", "更好地理解"),
        ("zh-Hant", "translationese", "使得權重集中"),
        ("zh-Hant", "translationese", "作為除數"),
        ("zh-Hant", "translationese", "重要的原因之一"),
        ("zh-Hant", "translationese", "它們都是 0"),
        ("ja", "translationese", "観察することができる"),
        ("ja", "translationese", "計算を行う"),
        ("ja", "translationese", "我々は測る"),
        ("ja", "translationese", "それは、違います"),
        ("ja", "translationese", "これらの値"),
        ("ja", "translationese", "意味を持つ"),
        ("ja", "translationese", "softmax が飽和されます"),
        ("ja", "translationese", "1 つの値"),
        ("ja", "translationese", "初期化における分散における差"),
        ("ja", "translationese", "差が 4 の場合と 1 の場合"),
        ("ja", "translationese", "測定されます。確認されます。報告されます。"),
        ("ja", "translationese", "あなたは測ります"),
        ("ja", "machine-phrase", "本章では softmax について説明します"),
        ("ja", "machine-phrase", "これは非常に重要です"),
        ("ja", "machine-phrase", "まとめると、割ります"),
        ("ja", "machine-phrase", "いかがでしたか"),
        ("zh-Hant", "machine-phrase", "眾所周知"),
        ("zh-Hant", "machine-phrase", "值得注意的是"),
        ("zh-Hant", "machine-phrase", "總而言之"),
        ("zh-Hant", "machine-phrase", "讓我們一起看"),
        ("zh-Hant", "machine-phrase", "隨著深度學習的發展"),
        ("zh-Hant", "division", "除 2"),
        ("zh-Hant", "division", "除了之後，標準差是 1"),
        ("zh-Hant", "division", "除了 √dₖ，梯度就回來"),
        ("zh-Hant", "division", "分數除 c"),
        ("ja", "axis", "行方向に和を取る"),
        ("ja", "axis", "列方向"),
        ("zh-Hant", "axis", "逐行計算"),
        ("zh-Hant", "axis", "沿列加總"),
        ("zh-Hant", "axis", "沿著列加總"),
    ],
)
def test_not_written(tag, rule, text):
    assert rule in [one.rule for one in word_findings(text, tag)]


@pytest.mark.parametrize(
    ("tag", "text"),
    [
        ("zh-Hant", "由 dₖ 個數組成，數字符合理論值，區間內存在最小值，強調用法，水平軸"),
        ("zh-Hant", "dₖ 分之一，當成錯誤，當作除數，相當小，訓練進行中，當除數用時方向相反"),
        ("zh-Hant", "除以 2，除數，除法，刪除，除非，除了 Query 以外，不除"),
        ("zh-Hant", "均值、採樣和樣本量是風格，不是錯誤"),
        ("ja", "割れる数、行って戻る、一つの Key に集中する"),
        ("ja", "差が 4 の場合は割ります。差が 1 の場合は割りません"),
        ("ja", "行列の行（row）を見る"),
    ],
)
def test_written(tag, text):
    assert word_findings(text, tag) == []


def test_said_aloud_a_person_may_be_addressed():
    assert [one.rule for one in word_findings("では、あなたなら測りますか", "ja")] == ["translationese"]
    assert word_findings("では、あなたなら測りますか", "ja", spoken=True) == []


def test_every_word_says_what_to_write():
    assert all(word.write for word in WORDS)


def test_a_mainland_word_in_a_book(book):
    book.replace("want-zh-Hant", "差是", "信息是")
    book.expect("mainland-word", "found it near", "«信息»", where="cell 3 (want-zh-Hant)")
