"""The model texts pass: a rule that objects to them is wrong."""

from __future__ import annotations

import pytest

from interview_book.book.language_rules import language_findings
from interview_book.book.markdown_rules import markdown_findings
from interview_book.book.terms import forbidden, load

# Sentences of the two model openings and of three model question records, chosen for what they risk.
JA = """
「アテンションのスコアを √dₖ で割るのは、なぜですか。」面接でそう聞かれて、式を書けない人はあまりいません。
硬貨を 64 回投げて、表なら 1 点、裏なら −1 点と数えてみましょう。合計の標準偏差は 8 点、つまり √64 です。
積のひとつひとつが公平な硬貨であり、スコアはまさにこの合計点なのです。
dₖ が 64 でも 1,024 でも、割ったあとの標準偏差は 1 になり、softmax はヘッドの次元数を気にせずにすみます。
この話は「成分が互いに独立で、平均 0、分散 1」という約束の上に成り立っています。
dₖ = 64、Key も 64 個、成分は標準正規分布という、教科書どおりの設定です。
重みのエントロピーは平均して、割れば 3.69 ナット、割らなければ 0.59 ナットでした。
上限は log 64、つまり 4.16 ナットです。
softmax のヤコビ行列のノルムは、平均すると、割らない場合が 0.214、割った場合が 0.183 で、割らないほうが大きいのです。
""".strip().splitlines()
JA_SAID = """
Transformer のアテンションでは、スコアを √dₖ で割りますよね。あれはなぜですか。
数を c で割ると分散は c の 2 乗分の 1 になりますから、√dₖ で割れば、分散はちょうど 1 です。
避けたいのは、マイナス無限大の代わりにマイナス 10 億を入れる書き方です。
扱い方は三つです。入力エラーにする、出力をゼロにする、その Query を計算から外す。
では、あなたならこのヘッドに手を入れますか。
オーバーフローや勾配爆発を防ぐためだと言った（指数のオーバーフローは最大値を引けば防げ、スケーリングとは別の話）
NaN になること、その理由（∞ − ∞、または 0 ÷ 0）
見てよい Key の数をそろえる。log n − H で比べる
""".strip().splitlines()
ZH = """
「分數為什麼要除以 √dₖ？」面試被問到這一題，寫不出公式的人不多，理由通常也講得出一句。
拿一枚硬幣丟 64 次，正面記 1 分，反面記 −1 分，總分幾乎不可能是 64；它的標準差是 8，也就是 √64。
如果 Query 和 Key 的每個分量，都以相同的機率取 1 或 −1，那麼每個乘積就是一枚公正的硬幣。
不論 dₖ 是 64 還是 1,024，縮放之後的標準差都是 1，softmax 不必理會 head 的維度有多大。
但它其實一口氣說了三件事。這一章要把三件事拆開，一件一件量。先講結果：兩件站得住腳，剩下那一件要看條件。
縮放之後，權重的熵平均是 3.69 nat；不縮放，只剩 0.59 nat。上限是 log 64，也就是 4.16 nat。
softmax 的雅可比矩陣（Jacobian），範數的平均值是：不縮放 0.214，縮放 0.183，不縮放的反而大。
傳到 Query 的梯度差得更多，不縮放的大約是縮放的 9 倍。
""".strip().splitlines()
ZH_SAID = """
數字除以 c，變異數會除以 c 平方，所以除以 √dₖ，變異數剛好是 1。改成除以 dₖ 的話，變異數只剩 dₖ 分之一。
dₖ 是 64、key 也有 64 個的時候，熵會從 3.7 掉到 0.6 nat。
說反正那個 query 不算 loss，NaN 放著沒關係（下一層 0 × NaN 會擴散）
說是誤除以 √d_model 造成的（當除數用時方向相反）
不行。第 t 個 query 只能看 t 個 key，上限是 log t，第一個一定是 0。
會不會是誤用 √d_model 去除，所以熵才變低？
不只前向，梯度也要是有限值；並用含空列（row）的測試守住
處理方式有三種：當成錯誤擋下來、輸出零，或是跳過那個 query。
""".strip().splitlines()


@pytest.fixture(scope="module")
def words(root):
    """The forbidden spellings of the book's own glossary."""
    return forbidden(load(root))


@pytest.mark.parametrize(
    ("tag", "spoken", "text"),
    [
        (tag, spoken, text)
        for tag, spoken, texts in (
            ("ja", False, JA),
            ("ja", True, JA_SAID),
            ("zh-Hant", False, ZH),
            ("zh-Hant", True, ZH_SAID),
        )
        for text in texts
    ],
)
def test_model_texts_are_clean(words, tag, spoken, text):
    assert language_findings(text, tag, forbidden=words, spoken=spoken) == []
    assert markdown_findings(text) == []


@pytest.mark.parametrize(
    ("tag", "text", "rule"),
    [
        ("ja", "本章では、スケーリングの重要性について説明することができます。", "machine-phrase"),
        ("ja", "この結果は、softmax が飽和されることを示しています。", "translationese"),
        ("ja", "我々は dₖ を増加させることによって、分散の増加を観察することができる。", "translationese"),
        ("ja", "行方向に softmax を適用します。", "axis"),
        ("zh-Hant", "對於每一個 Query 來說，我們對其進行 softmax 的操作。", "translationese"),
        ("zh-Hant", "當維度被增加時，變異數會進行增長。", "translationese"),
        ("zh-Hant", "這是一個非常重要的結果，它有助於我們更好地理解注意力機制。", "translationese"),
        ("zh-Hant", "除了之後，標準差是 1。", "division"),
        ("zh-Hant", "梯度大了 9 倍。", "multiples"),
    ],
)
def test_spoilt_texts_are_caught(tag, text, rule):
    assert rule in [one.rule for one in language_findings(text, tag)]


def test_a_finding_is_said_once():
    found = language_findings("重みは0.5 と、重みは0.5 と", "ja")
    assert len(found) == len(set(found))
