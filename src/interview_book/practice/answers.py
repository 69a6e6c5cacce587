"""Reading a number that a person typed, by a small grammar of our own. Nothing is ever evaluated as code.

Full-width forms are folded first; superscripts are read as powers before any folding could turn 10³ into 103::

    answer  = [sign] value [percent] [unit word] ["。"]
    value   = product ["/" factor]
    product = factor { "×" factor }             2√3 is a product too
    factor  = ( decimal | "(" [sign] value ")" ) ["^" [sign] whole | "^(" [sign] whole ")"]
            | ("√" | "sqrt") ( decimal | "(" [sign] value ")" )
    decimal = digits, or groups of three with commas; a point; an exponent such as e-3

Where a person could mean two things (1,5 or 1/2×3 or 1/2√3) the answer is «could not read», which costs nothing.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

from interview_book.practice.tolerances import Tolerance

MAX_LENGTH = 64
MAX_EXPONENT = 300
MAX_DEPTH = 8

#: Keys of the reasons for «could not read»; the interface has words for each.
REASONS = ("empty", "too-long", "too-large", "undefined", "comma", "unit", "form")


@dataclass(frozen=True)
class Read:
    """A number was read: ``value``, always finite."""

    value: float


@dataclass(frozen=True)
class Unreadable:
    """No number was read; ``reason`` is one of `REASONS`."""

    reason: str


@dataclass(frozen=True)
class Judgement:
    """``verdict`` is right, wrong or unreadable; ``value`` what was read, ``reason`` why nothing was."""

    verdict: str
    value: float | None = None
    reason: str | None = None


class _Stop(Exception):
    """Leaves the grammar with a reason."""


_FOLD = {0x3000: " ", **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}}
_FOLD.update(dict.fromkeys(map(ord, "\t\n\r\u00a0\u2002\u2003\u2007\u2009\u202f"), " "))
_FOLD.update(dict.fromkeys(map(ord, "\u200b\u200e\u200f\u2060\ufeff"), None))
_FOLD.update(dict.fromkeys(map(ord, "−‐‑–﹣"), "-"))
_FOLD.update(dict.fromkeys(map(ord, "⁄∕÷"), "/"))
_FOLD.update(dict.fromkeys(map(ord, "*✕⋅·"), "×"))
_SUPERSCRIPT = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-", strict=True))
_FRACTION = {"½": "(1/2)", "⅓": "(1/3)", "⅔": "(2/3)", "¼": "(1/4)", "¾": "(3/4)", "⅕": "(1/5)", "⅛": "(1/8)"}

_POWERS = re.compile("[" + "".join(_SUPERSCRIPT) + "]+")
# The long-vowel mark is a minus only where a sign may stand and a number follows: an IME types it for «-».
_BAR_AS_MINUS = re.compile(r"(?:^|(?<=[eE^(]))( *)ー(?= *[0-9.√(sS])")
# Likewise the ideographic full stop between digits; at the end it is only a full stop.
_STOP_AS_POINT = re.compile(r"(?<=[0-9])。(?=[0-9])")

_DECIMAL = re.compile(r"[0-9][0-9,]*(?:\.[0-9]*)?|\.[0-9]+")
_GROUPS = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+")
_EXPONENT = re.compile(r" *[eE] *([+-]?) *([0-9]+)")
_POWER = re.compile(r"\^ *(?:([+-]?) *([0-9]+)|\( *([+-]?) *([0-9]+) *\))")


def _fold(typed: str) -> str:
    # Before folding: 10³ must not become 103, and 1½ must not become 11/2.
    text = _POWERS.sub(lambda match: "^(" + "".join(_SUPERSCRIPT[sign] for sign in match[0]) + ")", typed)
    text = text.replace("**", "^").replace("＊＊", "^")
    for sign, words in _FRACTION.items():
        text = text.replace(sign, words)
    text = text.translate(_FOLD).strip(" ")
    text = _STOP_AS_POINT.sub(".", text)
    return _BAR_AS_MINUS.sub(r"\1-", text)


def _power_of(sign: str, digits: str) -> int:
    if len(digits.lstrip("0")) > 3 or int(digits) > MAX_EXPONENT:
        raise _Stop("too-large")
    return -int(digits) if sign == "-" else int(digits)


class _Reader:
    """One pass over the folded text, from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.depth = text, 0, 0
        self.fraction = False  # a slash outside brackets

    def skip(self) -> None:
        while self.text.startswith(" ", self.at):
            self.at += 1

    def take(self, *signs: str) -> str:
        """The first of ``signs`` that comes next, or the empty string."""
        self.skip()
        for sign in signs:
            if self.text[self.at : self.at + len(sign)].lower() == sign:
                self.at += len(sign)
                return sign
        return ""

    def sign(self) -> int:
        return -1 if self.take("-", "+") == "-" else 1

    def decimal(self) -> float:
        self.skip()
        match = _DECIMAL.match(self.text, self.at)
        if not match:
            raise _Stop("comma" if self.text.startswith((",", "、"), self.at) else "form")
        digits, point, rest = match[0].partition(".")
        self.at = match.end()
        if "," in digits:
            # 1,000 is a thousand; 1,5 and 0,123 are a decimal comma or a slip, and nobody can tell.
            if not _GROUPS.fullmatch(digits):
                raise _Stop("comma")
            digits = digits.replace(",", "")
        exponent = _EXPONENT.match(self.text, self.at)
        power = 0
        if exponent:
            self.at = exponent.end()
            power = _power_of(exponent[1], exponent[2])
        if self.text.startswith((",", "、"), self.at):
            raise _Stop("comma")
        return _finite(float(f"{digits or '0'}{point}{rest}e{power}"), nonzero=bool((digits + rest).strip("0")))

    def bracket(self) -> float:
        """What stands after «(», up to and with «)»."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise _Stop("form")
        value = self.sign() * self.value()
        if not self.take(")"):
            raise _Stop("form")
        self.depth -= 1
        self.fraction = False
        return value

    def factor(self) -> float:
        if self.take("√", "sqrt"):
            value = self.bracket() if self.take("(") else self.decimal()
            if value < 0:
                raise _Stop("undefined")
            if self.take("^"):  # √2^2 can be read in two ways
                raise _Stop("form")
            return math.sqrt(value)
        base = self.bracket() if self.take("(") else self.decimal()
        self.skip()
        if not self.text.startswith("^", self.at):
            return base
        match = _POWER.match(self.text, self.at)
        if not match:
            raise _Stop("form")
        self.at = match.end()
        if self.take("^"):
            raise _Stop("form")
        power = _power_of(match[1] or match[3] or "", match[2] or match[4])
        if base == 0 and power < 0:
            raise _Stop("undefined")
        try:
            return _finite(base**power, nonzero=base != 0)
        except OverflowError:
            raise _Stop("too-large") from None

    def more(self) -> bool:
        """True when another factor follows: a times sign, the x of 3x10^2 (0x10 is none), or a root behind a number."""
        if self.take("×"):
            return True
        self.skip()
        if re.match(r"[xX] *10 *\^", self.text[self.at :]):
            self.at += 1
            return True
        return self.text[self.at : self.at + 1] == "√" or self.text[self.at : self.at + 4].lower() == "sqrt"

    def value(self) -> float:
        value = self.factor()
        while self.more():
            factor = self.factor()
            value = _finite(value * factor, nonzero=value != 0 and factor != 0)
        if self.take("/"):
            below = self.factor()
            # 1/2×3, 1/2√3 and 1/2/3 can be read in two ways.
            if self.more() or self.take("/"):
                raise _Stop("form")
            if below == 0:
                raise _Stop("undefined")
            self.fraction = True
            value = _finite(value / below, nonzero=value != 0)
        return value


def _finite(value: float, nonzero: bool) -> float:
    if not math.isfinite(value) or (nonzero and value == 0):
        raise _Stop("too-large")
    return value


def _word(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip(" ")


def read(typed: str, accepts: Collection[str] = ()) -> Read | Unreadable:
    """Read one number.

    Parameters
    ----------
    typed : what a person typed, at most 64 characters.
    accepts : words that may stand behind the number (nat, ナット, 倍). Where ``%`` is among them it is a unit and does
        not divide by 100.

    Never raises, whatever the text; takes time linear in its length.
    """
    if len(typed) > 4 * MAX_LENGTH:
        return Unreadable("too-long")
    text = _fold(typed)
    if not text:
        return Unreadable("empty")
    if len(text) > MAX_LENGTH:
        return Unreadable("too-long")
    reader = _Reader(text)
    try:
        value = reader.sign() * reader.value()
        rest = _word(text[reader.at :].removesuffix("。"))
        words = {_word(word) for word in accepts}
        if rest in words or not rest:
            return Read(value + 0.0)
        if rest.startswith("%") and (not rest[1:].strip(" ") or rest[1:].strip(" ") in words):
            # 1/2% is (1/2)% or 1/(2%).
            return Unreadable("form") if reader.fraction else Read(value / 100)
        return Unreadable("unit" if rest[0].isalpha() and rest[0] != "ー" and not re.search(r"[0-9]", rest) else "form")
    except _Stop as stop:
        return Unreadable(str(stop))


def judge(typed: str, right: float, tolerance: Tolerance, accepts: Collection[str] = ()) -> Judgement:
    """Right, wrong or unreadable, by the tolerance that the question states."""
    got = read(typed, accepts)
    if isinstance(got, Unreadable):
        return Judgement("unreadable", reason=got.reason)
    return Judgement("right" if tolerance.holds(got.value, right) else "wrong", value=got.value)
