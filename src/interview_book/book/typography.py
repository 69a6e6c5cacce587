"""Spaces, brackets, punctuation and numbers as language.md sets them, one table of patterns."""

from __future__ import annotations

import re
from dataclasses import dataclass

from interview_book.book.findings import Finding
from interview_book.book.spans import CITATION, CODE, EQUATION, FIGURE, HAN, KANA, MATH, near

_W = f"[{HAN}{KANA}]"
# What stands like a Latin word beside Han or kana: letters, digits, Greek, scripts, signs of relation, maths and code.
_NARROW = f"A-Za-z0-9À-ɏͰ-Ͽ²³¹⁰-ₜ√∞∂∑−±+=<>≤≥≈≠→×÷‖{MATH}{CODE}{EQUATION}"
_OPENS = f"[{_NARROW}\\[#@]"
_CLOSES = f"[{_NARROW}%°′\\]{FIGURE}]"
_FULL = "、。，．；：？！（）「」『』《》〈〉【】〔〕・…—―"
_COUNT = r"(?:[\d.,]+|[一二三四五六七八九十百幾]+)"


@dataclass(frozen=True)
class _Rule:
    rule: str
    pattern: re.Pattern[str]
    message: str
    mend: str
    tag: str | None = None


def _rule(rule: str, pattern: str, message: str, mend: str, tag: str | None = None) -> _Rule:
    return _Rule(rule, re.compile(pattern), message, mend, tag)


RULES: tuple[_Rule, ...] = (
    # Spaces
    _rule(
        "spacing",
        f"(?<={_W})(?={_OPENS})|(?<={_CLOSES})(?={_W})",
        "expected one half-width space between Han or kana and Latin, digits or inline maths, found none",
        "put one space there",
    ),
    _rule(
        "spacing",
        f"(?<=[{_FULL}]) +(?=[^ {CITATION}])|(?<=[^ {CITATION}]) +(?=[{_FULL}])",
        "expected no space beside full-width punctuation, found one",
        "take the space out",
    ),
    _rule("spacing", f"(?<={_W}) +(?={_W})", "expected no space inside Han or kana, found one", "take the space out"),
    _rule("spacing", r"(?<=\S)  +(?=\S)", "expected one space, found several", "leave one"),
    _rule(
        "spacing",
        f"[\u3000\t]|(?<=[{HAN}{KANA}{_FULL}])\u00a0|\u00a0(?=[{HAN}{KANA}{_FULL}])",
        "expected a half-width space, found another kind",
        "type a plain space",
    ),
    _rule("spacing", r"\d +[%°′]", "expected no space before % ° ′, found one", "take the space out"),
    _rule(
        "multiplication",
        r"\d ?[x*] ?\d|\d × \d",
        "expected a size as 4×4 without spaces, found another form",
        "write 4×4, or a product as inline maths",
    ),
    # Brackets and punctuation
    _rule(
        "brackets",
        rf"{_W} ?\(|\({_W}|{_W}\)|\){_W}",
        "expected full-width brackets beside Han or kana, found half-width ones",
        "write （） without spaces; a formula belongs in $…$",
    ),
    _rule(
        "punctuation",
        rf"{_W}[,;:?!.](?![\d.])|[,;?!] ?{_W}",
        "expected full-width punctuation in a sentence of Han or kana, found half-width",
        "write 、。 in Japanese, ，。；：、 in Chinese",
    ),
    _rule("punctuation", "[，．]", "expected 、 and 。 in Japanese, found ， or ．", "write 、 or 。", "ja"),
    _rule(
        "punctuation",
        "か？",
        "expected か。 in Japanese prose and interview lines, found か？",
        "write か。; ？ only ends a question without か",
        "ja",
    ),
    _rule("punctuation", "[、，]{2,}|。{2,}|[。、，][、，。]", "expected one mark, found two in a row", "leave one"),
    _rule(
        "quotes",
        rf"[“”‘’]|(?:^|{_W})\"|\"{_W}",
        "expected the quotation marks 「」 (inner 『』), found Western ones",
        "write 「」",
    ),
    _rule(
        "dash",
        rf"(?<!…)…(?!…)|…{{3,}}|{_W} ?([—―])(?!\1)|(?<![—―])[—―] ?{_W}|{_W}\.{{2,}}|・{{2,}}",
        "expected …… and ――／—— in pairs, and rather none, found another form",
        "rewrite the sentence without it, or write ……",
    ),
    # Numbers
    _rule(
        "range",
        r"[～]|\d ?~ ?\d|\d[–—]\d",
        "expected the range sign 〜 (U+301C) or 到, found another",
        "write ja 1〜1,024, zh 1 到 1,024",
    ),
    _rule(
        "range",
        r"(?<![\d-])\d{1,3}-\d{1,3}(?![\d-])|\d +〜|〜 +\d",
        "expected a range as ja 1〜1,024 or zh 1 到 1,024, found another form",
        "write the range in the form of the language; a minus is U+2212",
    ),
    _rule("range", r"\d ?〜 ?\d", "expected 到 in a Chinese range, found 〜", "write 1 到 1,024", "zh-Hant"),
    _rule(
        "minus",
        rf"(?:^|(?<=[\s,\[(（、，「{HAN}{KANA}]))-(?=\d)",
        "expected a minus as U+2212, found a hyphen",
        "write −",
    ),
    _rule(
        "thousands",
        r"(?<![\d.,/-])(?!19[5-9]\d(?!\d)|20[0-3]\d(?!\d))\d{4,}(?![\d/-])",
        "expected thousands set off by a comma, found none",
        "write 1,024",
    ),
    _rule("units", r"\d ?nat(?![A-Za-z])", "expected the unit as the word ナット, found nat", "write 0.5 ナット", "ja"),
    _rule(
        "multiples",
        rf"[大多高快長重強]了 ?(?:約|大約|將近)? ?{_COUNT} ?多?倍|增加了? ?(?:約|大約)? ?{_COUNT} ?多?倍",
        "expected a multiple as 是……的 9 倍, found one that may be read as 9 or 10 times",
        "write 是原來的 9 倍",
        "zh-Hant",
    ),
)


def typography_findings(block: str, tag: str) -> list[Finding]:
    """The broken rules of one visible block, each place once.

    Parameters
    ----------
    block : visible text; see ``spans.blocks``.
    tag : ``ja`` or ``zh-Hant``.
    """
    found = []
    for one in RULES:
        if one.tag not in (None, tag):
            continue
        for match in one.pattern.finditer(block):
            start, end = match.span()
            found.append(Finding(one.rule, f"{one.message} near {near(block, start, end)}", one.mend))
    return list(dict.fromkeys(found))
