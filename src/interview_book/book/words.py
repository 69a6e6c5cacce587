"""Words and phrases language.md forbids, as one table: mainland words, translationese, phrases of a machine, 除.

A word that other words happen to contain lists those words; what they cover is not the word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from interview_book.book.findings import Finding
from interview_book.book.spans import CODE, MATH, near


@dataclass(frozen=True)
class Word:
    """A pattern forbidden in the language ``tag``; ``spoken`` ones only outside of what is said aloud."""

    tag: str
    rule: str
    pattern: re.Pattern[str]
    write: str
    unless: tuple[str, ...] = ()
    prose_only: bool = False


def _words(tag: str, rule: str, table: str) -> list[Word]:
    """Read lines of ``word -> what to write | words that contain it``."""
    found = []
    for line in table.strip().splitlines():
        word, _, rest = line.strip().partition(" -> ")
        write, _, unless = rest.partition(" | ")
        found.append(Word(tag, rule, re.compile(word), write, tuple(unless.split())))
    return found


# language.md 1.5, «Forbidden in zh» without the (H) entries, which are style; glossary terms stand in terms.yml.
_MAINLAND = _words(
    "zh-Hant",
    "mainland-word",
    """
    字符 -> 字元 | 數字符
    代碼 -> 程式碼 | 替代碼
    程序 -> 程式 | 工程序 過程序
    運行 -> 執行
    默認 -> 預設
    調用 -> 呼叫 | 強調用
    內存 -> 記憶體 | 內存在
    緩存 -> 快取
    線程 -> 執行緒 | 線程度 線程式
    魯棒 -> 穩健
    信息 -> 資訊
    質量 -> 品質
    水平 -> 水準 | 水平線 水平軸 水平方向 水平翻轉
    支持 -> 支援（功能）或 佐證（證據）
    反饋 -> 回饋
    打印 -> 印出
    視頻 -> 影片
    泛函 -> 函數
    """,
)
# The translationese a pattern can tell. 被, 它, 一個 and 是……的 are right in the model texts and stay with the editors.
_CALQUES = [
    *_words(
        "zh-Hant",
        "translationese",
        """
        進行(?![中式得到著曲]) -> 直接用動詞（訓練、計算）
        對於?[^，。；：？！]{1,20}(?:來說|而言) -> 對 X 改成主詞
        (?<![相應適恰正])當(?![作成然初年前中])[^，。；：？！「」]{1,20}(?<![同及小即用])時(?![間刻候點序]) -> ……時
        更好地 -> 改寫整句
        使得 -> 讓
        作為 -> 當、是
        之一 -> 改寫（「重要的一個」也不必） | 分之一
        它們 -> 名詞再說一次
        """,
    ),
    *_words(
        "ja",
        "translationese",
        """
        ことができ -> 可能の動詞（割れます、測れます）
        を行[いうわっなえ] -> 動詞そのもの（計算します） | を行って戻 を行った り来
        我々|われわれ -> 主語を略す
        それは、 -> 名詞をもう一度言う
        これらの -> この二つの、など
        を持(?:つ|ち|って|た) -> がある、〜が〜だ
        飽和され -> 飽和し
        1 つの -> 一つの（冠詞なら略す）
        (?:における[^。]*){2} -> 文を分ける
        (?:に対する[^。]*){2} -> 文を分ける
        (?:の場合[^。]*){2} -> 文を分ける
        (?:されます[^。]*。[^。]*){3} -> 能動の文にする
        """,
    ),
    Word("ja", "translationese", re.compile("あなた"), "主語を略す", prose_only=True),
]
_MACHINE = [
    *_words(
        "ja",
        "machine-phrase",
        """
        本章では[^。]*について(?:説明|解説|紹介) -> 事実から始める
        非常に重要(?:です|な) -> なぜ効くのかを書く
        (?:^|[。」])まとめると -> 結論だけを書く
        いかがでした -> 消す
        近年、 -> 消す
        """,
    ),
    *_words(
        "zh-Hant",
        "machine-phrase",
        """
        眾所周知 -> 刪去
        值得(?:注意|一提)的是 -> 直接講
        總而言之|綜上所述 -> 只留結論
        讓我們一起 -> 刪去
        隨著[^，。]{1,30}的(?:快速|不斷)?發展 -> 刪去
        非常重要的 -> 說明為什麼
        """,
    ),
]
# 除以 A = divided by A; 除 A means the reverse, and 除了 reads «except».
_DIVISION = [
    Word(
        "zh-Hant",
        "division",
        re.compile(rf"除(?= ?[0-9√A-Za-z{MATH}{CODE}])"),
        "除以（「除 A」的意思正好相反）",
    ),
    Word(
        "zh-Hant",
        "division",
        re.compile(rf"除了(?=之後|以後|後|再|才| ?[0-9√{MATH}])"),
        "除完、除過之後、除以……之後（「除了」會讀成「除……以外」）",
    ),
    Word("zh-Hant", "division", re.compile(r"(?<![以了])除以(?=，|。|；)"), "除以什麼，要說出來"),
]
# An axis is named by what lies on it; the opposite meanings of these words differ by country and by speaker.
_AXES = [
    Word(tag, "axis", re.compile(r"行方向|列方向|逐[行列]|沿著?(?:每[一個]*)?[行列]"), write)
    for tag, write in (
        ("ja", "Query ごとに、Key の軸に沿って"),
        ("zh-Hant", "每個 Query 各自對所有 Key"),
    )
]
WORDS: tuple[Word, ...] = (*_MAINLAND, *_CALQUES, *_MACHINE, *_DIVISION, *_AXES)


def covered(text: str, words: tuple[str, ...]) -> list[tuple[int, int]]:
    """The places in ``text`` where one of ``words`` stands."""
    return [match.span() for word in words for match in re.finditer(re.escape(word), text)]


def word_findings(block: str, tag: str, *, spoken: bool = False) -> list[Finding]:
    """Forbidden words of one visible block.

    Parameters
    ----------
    block : visible text; see ``spans.blocks``.
    tag : ``ja`` or ``zh-Hant``.
    spoken : True for what people say to one another in a question, where 「あなた」 is right.
    """
    found = []
    for word in WORDS:
        if word.tag != tag or (spoken and word.prose_only):
            continue
        free = None
        for match in word.pattern.finditer(block):
            free = covered(block, word.unless) if free is None else free
            start, end = match.span()
            if any(low <= start and end <= high for low, high in free):
                continue
            where = near(block, start, min(end, start + 10))
            message = f"expected none of «{match[0][:12]}» ({word.rule}), found it near {where}"
            found.append(Finding(word.rule, message, f"write {word.write}" if word.write else "rewrite"))
    return list(dict.fromkeys(found))
