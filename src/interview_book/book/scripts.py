"""Which characters may stand in which language: Taiwan's in Chinese, today's Japanese in Japanese."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from interview_book.book.findings import Finding
from interview_book.book.spans import HAN, KANA, near

_HAN = re.compile(f"[{HAN}]")
_KANA_RUN = re.compile(f"[{KANA}]+")
# Ours to forbid by hand: legal in JIS X 0208, so no converter objects, but never written in Japanese prose today.
_CHINESE_ONLY = re.compile("[這們很你您嗎呢哪啥啦喔哦]|沒有|什麼|怎麼")
# Big5 holds these, and so does OpenCC's Simplified table; in Taiwan they are ordinary words of their own
# (峰度, 若干, 上游, 占比, 公里), so only context could tell.
_BOTH = frozenset("丑占准划台吃唇岩岳峰床干征朴杰晒余游灶痴皂秘粽群里雇厘霉")
_BOTH_WORDS = re.compile(r"特征|计划|計划|余弦|这里|那里|哪里|(?<![公英千哩海])里(?![程長民亞斯])|准确|标准")
# Japanese forms that Big5 happens to hold.
_JAPANESE_FORMS = frozenset("糸芸弁缶払込匂")
_FULL_WIDTH = re.compile(r"[Ａ-Ｚａ-ｚ０-９％＋－＝＜＞＊＆＠＃｜＿]")


@lru_cache(maxsize=4)
def _converter(name: str) -> Any:
    # Loaded at the first use: the tables take a moment, and most commands never ask for them.
    import opencc

    return opencc.OpenCC(name)


@lru_cache(maxsize=20_000)
def _encodes(character: str, encoding: str) -> bool:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


@lru_cache(maxsize=20_000)
def _traditional(character: str) -> str:
    """The Taiwan form of a Simplified or Japanese character; itself when there is none or it is one."""
    if character == "着":
        return "著"
    if (found := str(_converter("s2t").convert(character))) != character or _encodes(character, "big5"):
        return found
    return str(_converter("jp2t").convert(character))


@lru_cache(maxsize=20_000)
def _japanese(character: str) -> str:
    return str(_converter("t2jp").convert(character))


def _taiwan(block: str) -> list[Finding]:
    found = []
    if run := _KANA_RUN.search(block):
        found.append(
            Finding(
                "kana-in-chinese",
                f"expected no kana in a Chinese half, found {run[0]!r} near {near(block, *run.span())}",
                "write it in Chinese or Latin letters",
            )
        )
    for match in _HAN.finditer(block):
        character = match[0]
        where = near(block, *match.span())
        better = _traditional(character)
        if not _encodes(character, "big5"):
            hint = f" ({better})" if better != character else ""
            found.append(
                Finding(
                    "not-traditional",
                    f"expected characters of Taiwan (Big5), found {character!r} near {where}",
                    f"write the Taiwan form{hint}; it is Simplified or Japanese",
                )
            )
        elif (better != character and character not in _BOTH) or character in _JAPANESE_FORMS:
            hint = better if better != character else "the Taiwan form"
            found.append(
                Finding(
                    "not-traditional",
                    f"expected characters of Taiwan, found {character!r} near {where}",
                    f"write {hint}",
                )
            )
    for match in _BOTH_WORDS.finditer(block):
        found.append(
            Finding(
                "not-traditional",
                f"expected characters of Taiwan, found {match[0]!r} near {near(block, *match.span())}",
                "write the Taiwan form (特徵, 計畫, 餘弦, 裡, 準)",
            )
        )
    return found


def _japan(block: str) -> list[Finding]:
    found = []
    if chinese := _CHINESE_ONLY.search(block):
        found.append(
            Finding(
                "chinese-in-japanese",
                f"expected Japanese, found {chinese[0]!r} near {near(block, *chinese.span())}",
                "write it in Japanese; perhaps the halves were exchanged",
            )
        )
    for match in _HAN.finditer(block):
        character = match[0]
        better = _japanese(character)
        if better != character or not _encodes(character, "shift_jis"):
            hint = f" {better}" if better != character else " the Japanese form"
            found.append(
                Finding(
                    "not-japanese",
                    f"expected characters in use in Japan, found {character!r} near {near(block, *match.span())}",
                    f"write{hint}; it is a Chinese or an old form",
                )
            )
    return found


def script_findings(block: str, tag: str) -> list[Finding]:
    """The characters of one block that do not belong to its language, each once a place.

    Parameters
    ----------
    block : visible text; see ``spans.blocks``.
    tag : ``ja`` or ``zh-Hant``.
    """
    found = _japan(block) if tag == "ja" else _taiwan(block)
    if wide := _FULL_WIDTH.search(block):
        found.append(
            Finding(
                "full-width-latin",
                f"expected half-width letters, digits and signs, found {wide[0]!r} near {near(block, *wide.span())}",
                "type it half-width",
            )
        )
    return list(dict.fromkeys(found))
