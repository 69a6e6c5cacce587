"""What reading a typed number and reading a typed expression share: signs folded to one form, and the ways to say no.

The JavaScript twin is `widgets/practice_deck/reading.js`; both must read every text alike. So nothing here asks a
Unicode database of unknown age which sign is a letter: the classes are written out.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

MAX_EXPONENT = 300

#: Keys of the reasons for «could not read»; the interface has words for each. ``unit`` belongs to numbers, ``name`` and
#: ``equation`` to expressions.
REASONS = (
    "empty",
    "too-long",
    "too-large",
    "undefined",
    "comma",
    "ambiguous",
    "unit",
    "name",
    "equation",
    "form",
)


@dataclass(frozen=True)
class Unreadable:
    """Nothing was read; ``reason`` is one of `REASONS`, and with ``name`` the name that is not among the variables."""

    reason: str
    name: str | None = None


@dataclass(frozen=True)
class Judgement:
    """``verdict`` is right, wrong or unreadable.

    ``value``: the number that was read; ``reason`` (and ``name``): why nothing was, as in `Unreadable`; ``mistake``:
    the place of the named mistake that a wrong expression equals.
    """

    verdict: str
    value: float | None = None
    reason: str | None = None
    name: str | None = None
    mistake: int | None = None


class Stop(Exception):
    """Leaves a grammar; its arguments are those of `Unreadable`."""


#: Letters but the long-vowel mark, for classes of regular expressions.
LETTERS = (
    "A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u03ff\u0400-\u052f\u1e00-\u1fff\u3005-\u3007"
    "\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff6f\uff71-\uff9d"
)

_FOLD = {0x3000: " ", **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}}
_FOLD.update(dict.fromkeys(map(ord, "\t\n\r\u00a0\u2002\u2003\u2007\u2009\u202f"), " "))
_FOLD.update(dict.fromkeys(map(ord, "\u200b\u200e\u200f\u2060\ufeff"), None))
_FOLD.update(dict.fromkeys(map(ord, "−‐‑‒–—―─﹣"), "-"))
_FOLD.update(dict.fromkeys(map(ord, "⁄∕÷"), "/"))
_FOLD.update(dict.fromkeys(map(ord, "✕✖⋅∙"), "×"))
# Keyboards and IMEs of both languages have one of these for the middle dot.
_FOLD.update(dict.fromkeys(map(ord, "・･‧"), "·"))
_FOLD.update({ord("ｰ"): "ー", ord("ˆ"): "^", ord("﹢"): "+", ord("∗"): "*"})
# Signs of mathematical alphabets, as copied from a formula. Of the rest nothing is normalised: ① is no 1.
_FOLD.update({code: unicodedata.normalize("NFKC", chr(code)) for code in range(0x1D400, 0x1D800)})
_FOLD.update({ord(sign): unicodedata.normalize("NFKC", sign) for sign in "ℎµϵϑϕϰϖϱ"})

#: One sign for a fraction -> above and below the bar.
VULGAR = dict(
    zip(
        "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒",
        ((1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (1, 5), (2, 5), (3, 5), (4, 5), (1, 6), (5, 6), (1, 7), (1, 8), (3, 8),
         (5, 8), (7, 8), (1, 9), (1, 10)),
        strict=True,
    )
)  # fmt: skip

_SUPERSCRIPT = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-", strict=True))
_POWERS = re.compile("[" + "".join(_SUPERSCRIPT) + "]+")
# The ideographic full stop between digits comes from an IME; at the end it is only a full stop.
_STOP_AS_POINT = re.compile(r"(?<=[0-9])。(?=[0-9])")
# 0·88 may be 0.88 or a product; 1·10^-3 is a product.
_DOT_AS_POINT = re.compile(r"[0-9]·(?!10 *\^)[0-9]")
# x^1/2 and x^3/2 may be roots; nobody raises to the first power.
_POWER_AS_ROOT = re.compile(r"\^ *[+-]? *(?:0*1 */|[0-9]*[13579] */ *2(?![0-9.,]))")

_DECIMAL = re.compile(r"[0-9][0-9,]*(?:\.[0-9]*)?|\.[0-9]+")
_GROUPS = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+")
#: The exponent behind a decimal, spaces allowed.
EXPONENT = re.compile(r" *([eE]) *([+-]?) *([0-9]+)")


def fold(typed: str) -> str:
    """Return the text with one sign for each meaning: ``- / × ^ . e``, powers as ``^(3)``; superscripts stay powers.

    Full-width forms become ASCII. Raises `Stop` where a sign can mean two things.
    """
    # Before folding: 10³ must not become 103.
    text = _POWERS.sub(lambda match: "^(" + "".join(_SUPERSCRIPT[sign] for sign in match[0]) + ")", typed)
    text = text.translate(_FOLD).replace("**", "^").replace("*", "×").strip(" ")
    text = _STOP_AS_POINT.sub(".", text)
    if _DOT_AS_POINT.search(text) or _POWER_AS_ROOT.search(text):
        raise Stop("ambiguous")
    return text.replace("·", "×")


def power_of(sign: str, digits: str) -> int:
    """The exponent that ``sign`` and ``digits`` write; raises `Stop` beyond `MAX_EXPONENT`."""
    if int(digits) > MAX_EXPONENT:  # at most some hundred digits come here
        raise Stop("too-large")
    return -int(digits) if sign == "-" else int(digits)


def decimal(text: str, at: int, spaced: bool) -> tuple[float, int]:
    """Read the decimal at ``at``; return it and where it ends. ``spaced``: an exponent may have spaces around its e.

    Raises `Stop` when none is there, or one that can be read in two ways.
    """
    match = _DECIMAL.match(text, at)
    if not match:
        raise Stop("comma" if text.startswith((",", "、"), at) else "form")
    digits, point, rest = match[0].partition(".")
    at = match.end()
    if "," in digits:
        # 1,000 is a thousand; 1,5 and 0,123 are a decimal comma or a slip, and nobody can tell.
        if not _GROUPS.fullmatch(digits):
            raise Stop("comma")
        digits = digits.replace(",", "")
    exponent = EXPONENT.match(text, at)
    power = 0
    if exponent:
        if not spaced and " " in exponent[0]:
            raise Stop("ambiguous")
        at = exponent.end()
        power = power_of(exponent[2], exponent[3])
    if text.startswith((",", "、"), at):
        raise Stop("comma")
    value = float(f"{digits or '0'}{point}{rest}e{power}")
    if value == float("inf") or (value == 0 and (digits + rest).strip("0")):
        raise Stop("too-large")
    return value, at
