"""How Latin words, letters, signs and numbers are said: kana in Japanese, a number of syllables inside Chinese."""

from __future__ import annotations

# word in lower case: (kana in a Japanese sentence, syllables of the English word inside a Chinese one)
WORDS: dict[str, tuple[str, int]] = {
    "adam": ("アダム", 2),
    "ai": ("エーアイ", 2),
    "argmax": ("アーグマックス", 2),
    "attention": ("アテンション", 3),
    "backward": ("バックワード", 2),
    "bank": ("バンク", 1),
    "batch": ("バッチ", 1),
    "bf": ("ビーエフ", 2),
    "by": ("バイ", 1),
    "cache": ("キャッシュ", 1),
    "causal": ("コーザル", 2),
    "checkpoint": ("チェックポイント", 2),
    "config": ("コンフィグ", 2),
    "cos": ("コサイン", 3),
    "cross": ("クロス", 1),
    "dimension": ("ディメンション", 3),
    "dot": ("ドット", 1),
    "embedding": ("エンベディング", 3),
    "entropy": ("エントロピー", 3),
    "exp": ("エクスポネンシャル", 4),
    "forward": ("フォワード", 2),
    "fp": ("エフピー", 2),
    "gradient": ("グラディエント", 3),
    "head": ("ヘッド", 1),
    "jacobian": ("ヤコビアン", 4),
    "kernel": ("カーネル", 2),
    "key": ("キー", 1),
    "kl": ("ケーエル", 2),
    "kv": ("ケーブイ", 2),
    "layer": ("レイヤー", 2),
    "log": ("ログ", 1),
    "logit": ("ロジット", 2),
    "logits": ("ロジット", 2),
    "loss": ("ロス", 1),
    "mask": ("マスク", 1),
    "model": ("モデル", 2),
    "nan": ("ナン", 1),
    "nat": ("ナット", 1),
    "norm": ("ノルム", 1),
    "padding": ("パディング", 2),
    "product": ("プロダクト", 2),
    "python": ("パイソン", 2),
    "pytorch": ("パイトーチ", 2),
    "query": ("クエリ", 2),
    "rank": ("ランク", 1),
    "residual": ("レジデュアル", 4),
    "river": ("リバー", 2),
    "rms": ("アールエムエス", 3),
    "rope": ("ロープ", 1),
    "savings": ("セービングス", 2),
    "scale": ("スケール", 1),
    "score": ("スコア", 1),
    "seed": ("シード", 1),
    "self": ("セルフ", 1),
    "sequence": ("シーケンス", 2),
    "softmax": ("ソフトマックス", 2),
    "sqrt": ("ルート", 3),
    "the": ("ザ", 1),
    "token": ("トークン", 2),
    "tokens": ("トークン", 2),
    "train": ("トレイン", 1),
    "transformer": ("トランスフォーマー", 3),
    "transpose": ("トランスポーズ", 2),
    "value": ("バリュー", 2),
    "variance": ("バリアンス", 3),
    "weight": ("ウェイト", 1),
}

LETTERS: dict[str, tuple[str, int]] = dict(
    zip(
        "abcdefghijklmnopqrstuvwxyz",
        [
            ("エー", 1), ("ビー", 1), ("シー", 1), ("ディー", 1), ("イー", 1), ("エフ", 1), ("ジー", 1), ("エイチ", 1),
            ("アイ", 1), ("ジェー", 1), ("ケー", 1), ("エル", 1), ("エム", 1), ("エヌ", 1), ("オー", 1), ("ピー", 1),
            ("キュー", 1), ("アール", 1), ("エス", 1), ("ティー", 1), ("ユー", 1), ("ブイ", 1), ("ダブリュー", 3),
            ("エックス", 1), ("ワイ", 1), ("ゼット", 1),
        ],
        strict=True,
    )
)  # fmt: skip

# Greek letters and signs that have one reading: kana, and words of a Chinese sentence as syllables.
SIGNS: dict[str, tuple[str, int]] = {
    "α": ("アルファ", 3),
    "β": ("ベータ", 2),
    "δ": ("デルタ", 2),
    "κ": ("カッパ", 2),
    "ρ": ("ロー", 1),
    "σ": ("シグマ", 2),
    "τ": ("タウ", 1),
    "%": ("パーセント", 3),  # 百分之, said before the number
    "−": ("マイナス", 1),
}

# Formulas every chapter says; the `readings` of a file come before these.
FORMULAS: dict[str, dict[str, str]] = {
    "√dₖ": {"ja": "ルートディーケー", "zh-Hant": "根號 d k"},
    "dₖ": {"ja": "ディーケー", "zh-Hant": "d k"},
    "dᵥ": {"ja": "ディーブイ", "zh-Hant": "d v"},
    "√d_model": {"ja": "ルートディーモデル", "zh-Hant": "根號 d model"},
    "d_model": {"ja": "ディーモデル", "zh-Hant": "d model"},
}

_DIGITS = "〇一二三四五六七八九"
_UNITS = ("", "十", "百", "千")
_MYRIADS = {"ja": ("", "万", "億", "兆"), "zh-Hant": ("", "萬", "億", "兆")}


def _four(digits: str, language: str, leading: bool) -> str:
    """Up to four digits in Han: ja 千二十四, zh-Hant 一千零二十四. ``leading`` is True for the highest group."""
    out, gap = "", False
    width = len(digits)
    for place, digit in enumerate(digits):
        unit = _UNITS[width - 1 - place]
        if digit == "0":
            gap = gap or bool(out) or not leading
            continue
        if gap and language == "zh-Hant":
            out += "零"
        gap = False
        # Japanese says 百, 千 without one; Chinese leaves it out only before a leading 十.
        bare = digit == "1" and unit and (language == "ja" or (unit == "十" and not out and leading))
        out += unit if bare else _DIGITS[int(digit)] + unit
    return out


def number(text: str, language: str) -> str:
    """An unsigned number (digits, thousands commas, a point) in Han as it is said.

    ``3.7`` is 三点七 in ja and 三點七 in zh-Hant, ``128`` is 百二十八 and 一百二十八.

    ``ValueError`` above 10¹⁶.
    """
    whole, point, fraction = text.replace(",", "").partition(".")
    whole = whole.lstrip("0")
    if len(whole) > 16:
        raise ValueError(f"expected at most 16 digits, got {len(whole)}")
    groups = [whole[max(0, end - 4) : end] for end in range(len(whole), 0, -4)]
    said = ""
    for index in range(len(groups) - 1, -1, -1):
        part = _four(groups[index], language, leading=index == len(groups) - 1)
        if part:
            # 一万, never 万 alone
            said += ("一" if part == "" else part) + _MYRIADS[language][index]
    zero = "零" if language == "zh-Hant" or point else "ゼロ"
    said = said or zero
    if point:
        said += ("点" if language == "ja" else "點") + "".join(_DIGITS[int(digit)] for digit in fraction).replace(
            "〇", "零"
        )
    return said
