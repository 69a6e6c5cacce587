"""The words around a question, composed in each language on its own."""

from __future__ import annotations

from collections.abc import Mapping

from interview_book.practice.kind_names import KINDS_AND_LEVELS
from interview_book.practice.tolerances import Tolerance

# kind -> icon of the sprite; none where no sign says more than the word
ICONS = {
    "explain": "i-voice",
    "choice": "i-contents",
    "number": "i-root",
    "expression": "i-root",
    "diagnose": "i-search",
}

# verdict -> (icon, class) of the discs, as everywhere in the book
DISCS = {
    "weak": ("i-question", "untested"),
    "acceptable": ("i-half", "depends"),
    "strong": ("i-check", "holds"),
    "right": ("i-check", "holds"),
    "wrong": ("i-cross", "fails"),
}

WORDS: dict[str, dict[str, str]] = {
    "ja": {
        "question": "質問 {}",
        **KINDS_AND_LEVELS["ja"],
        "explain.time": "30 秒・2 分",
        "choice.time": "20 秒",
        "number.time": "2 分",
        "expression.time": "3 分",
        "code.time": "10 分",
        "diagnose.time": "5 分",
        "explain.do": "まず自分の言葉で答え、それから開いてください。",
        "choice.do": "まず一つ選び、それから開いてください。",
        "number.do": "まず自分で計算し、それから開いてください。",
        "expression.do": "まず自分で式を導き、それから開いてください。",
        "code.do": "まず自分で書き、それから開いてください。",
        "diagnose.do": "まず何を測るかを決め、それから開いてください。",
        "answer_30s": "回答例（30 秒）",
        "answer_2min": "回答例（2 分）",
        "rubric": "評価の観点",
        "must": "必須",
        "weight": "配点 {}",
        "counts_if": "言えた",
        "not_enough": "足りない",
        "fatal": "次のどれかを言うと、ほかが言えていても「不足」になります。",
        "samples": "三つの回答と評価",
        "weak": "不足",
        "acceptable": "合格ライン",
        "strong": "優れた回答",
        "follow_ups": "追加の質問",
        "push_back": "揺さぶり",
        "deeper": "深掘り",
        "good_answer": "回答例",
        "options": "正解と解説",
        "right": "正解",
        "wrong": "誤り",
        "why": "解説",
        "misconception": "誤解",
        "result": "正解とよくある間違い",
        "answer": "正解：",
        "mistake": "間違い",
        "equivalents": "同じ式とみなす形",
        "example": "例：",
        "code.cells": "質問の後ろに、書き始めのセルと採点のセルがあります。",
        "code.run": "ノートブックでは、次のように採点できます。",
        "hint": "ヒント {}",
        "code.fold": "解説とよくある間違い",
        "measurements": "測定の候補",
        "shows": "測定の結果",
        "causes": "原因と解説",
        "ruled_out_by": "除外の根拠",
        "unit": "単位は{}です。",
        "absolute": "誤差 ±{} 以内なら正解です。",
        "relative": "正しい値との差が {} 以内なら正解です。",
        "significant": "有効数字 {} 桁で答えてください。",
        "passage": "この節を読む",
        "practise": "この質問を練習する",
    },
    "zh-Hant": {
        "question": "第 {} 題",
        **KINDS_AND_LEVELS["zh-Hant"],
        "explain.time": "30 秒、2 分鐘",
        "choice.time": "20 秒",
        "number.time": "2 分鐘",
        "expression.time": "3 分鐘",
        "code.time": "10 分鐘",
        "diagnose.time": "5 分鐘",
        "explain.do": "先用自己的話回答，再打開看。",
        "choice.do": "先選一個，再打開看。",
        "number.do": "先自己算，再打開看。",
        "expression.do": "先自己推導，再打開看。",
        "code.do": "先自己寫，再打開看。",
        "diagnose.do": "先決定要量什麼，再打開看。",
        "answer_30s": "參考回答（30 秒）",
        "answer_2min": "參考回答（2 分鐘）",
        "rubric": "評分要點",
        "must": "必講",
        "weight": "配分 {}",
        "counts_if": "這樣算有講到",
        "not_enough": "這樣還不夠",
        "fatal": "只要講了下面任何一句，就算其他都講到，也只能算「不足」。",
        "samples": "三種回答與評分",
        "weak": "不足",
        "acceptable": "及格",
        "strong": "出色",
        "follow_ups": "追問",
        "push_back": "面試官反駁",
        "deeper": "再往下問",
        "good_answer": "參考回答",
        "options": "答案與說明",
        "right": "正確",
        "wrong": "不對",
        "why": "說明",
        "misconception": "迷思",
        "result": "答案與常見的錯誤",
        "answer": "答案：",
        "mistake": "錯誤",
        "equivalents": "也算對的寫法",
        "example": "例子：",
        "code.cells": "題目後面有兩個儲存格，一個寫程式，一個評分。",
        "code.run": "在 notebook 裡，這樣就能評分：",
        "hint": "提示 {}",
        "code.fold": "說明與常見的錯誤",
        "measurements": "可以量的項目",
        "shows": "量到的結果",
        "causes": "原因與說明",
        "ruled_out_by": "排除的依據",
        "unit": "單位是{}。",
        "absolute": "誤差在 ±{} 以內都算對。",
        "relative": "和正確的值相差 {} 以內都算對。",
        "significant": "請取 {} 位有效數字。",
        "passage": "讀這一節",
        "practise": "練習這一題",
    },
}


def grade_call(question: Mapping, language: str) -> str:
    """The lines that grade the function of a ``code`` question in a notebook."""
    call = f'grade("{question["id"]}", {question["function"]}, language="{language}")'
    return f"from interview_book.practice.coding import grade\n\n{call}\n"


def plain_number(value: float) -> str:
    """A number of the schema as a person writes it: 0.001, 1."""
    return f"{value:.12f}".rstrip("0").rstrip(".")


def tolerance_words(tolerance: Tolerance, language: str) -> str:
    """The sentence that tells how near an answer must come."""
    size = f"{plain_number(100 * tolerance.size)}%" if tolerance.kind == "relative" else plain_number(tolerance.size)
    return WORDS[language][tolerance.kind].format(size)


def unit_words(unit: dict[str, str] | str, language: str) -> str:
    """The sentence that names the unit, empty without one. A Latin unit keeps its spaces: 單位是 nat。"""
    if unit == "none":
        return ""
    word = unit[language]
    return WORDS[language]["unit"].format(f" {word} " if word[-1].isascii() else word).replace(" 。", "。")
