"""Reading a number that a person typed, by a small grammar of our own. Nothing is ever evaluated as code.

Full-width forms are folded first; superscripts are read as powers before any folding could turn 10³ into 103::

    answer  = ["=" | "≈" | "≒" | "約"] [sign] value [percent] [unit word] ["。"]
    value   = product ["/" factor]
    product = factor { "×" factor }             2√3 is a product too
    factor  = ( decimal | ["sqrt"] "(" [sign] value ")" ) ["^" power]
            | ("√" | "sqrt") decimal | "√(" [sign] value ")"
    power   = [sign] plain | [sign] "(" [sign] plain ["/" plain] ")", or with { } as in TeX
    plain   = digits, a point and digits after it
    decimal = digits, or groups of three with commas; a point; an exponent such as e-3

Where a person could mean two things (1,5 or 1/2×3 or 1/2√3) the answer is «could not read», which costs nothing. So are
3 1/2 and 3½, since a space and nothing at all are products elsewhere (2 d_k, 2√3), and sums: 1×10-3 is a power that
lost its place more often than it is 7.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

from interview_book.practice.elementary import power
from interview_book.practice.reading import (
    LETTERS,
    MAX_EXPONENT,
    REASONS,
    VULGAR,
    Judgement,
    Stop,
    Unreadable,
    decimal,
    fold,
)
from interview_book.practice.tolerances import Tolerance

__all__ = ["MAX_DEPTH", "MAX_LENGTH", "REASONS", "Judgement", "Read", "Unreadable", "judge", "read"]

MAX_LENGTH = 64
MAX_DEPTH = 8


@dataclass(frozen=True)
class Read:
    """A number was read: ``value``, always finite."""

    value: float


# What stands before a number that is equal, or nearly.
_EQUAL = re.compile("^[=≈≒約] *(?=.)")
# The long-vowel mark is a minus only where a sign may stand and a number follows: an IME types it for «-».
_BAR_AS_MINUS = re.compile(r"(?:^|(?<=[eE^({]))( *)ー(?= *[0-9.√(sS])")
_PLAIN = r"([0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
_POWER = re.compile(rf"\^ *([+-]?) *(?:{_PLAIN}|(?:\(|(\{{)) *([+-]?) *{_PLAIN}(?: */ *{_PLAIN})? *(?(3)\}}|\)))")
_LETTER = re.compile(f"[{LETTERS}]")


def _fold(typed: str) -> str:
    text = _EQUAL.sub("", fold(typed))
    for sign, (above, below) in VULGAR.items():  # 1½ becomes 1(1/2), which is no number; never 11/2
        text = text.replace(sign, f"({above}/{below})")
    return _BAR_AS_MINUS.sub(r"\1-", text)


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
        value, self.at = decimal(self.text, self.at, spaced=True)
        return value

    def bracket(self) -> float:
        """What stands after «(», up to and with «)»."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Stop("form")
        value = self.sign() * self.value()
        if not self.take(")"):
            raise Stop("form")
        self.depth -= 1
        self.fraction = False
        return value

    def factor(self) -> float:
        root = self.take("√", "sqrt")
        opened = self.take("(")
        base = self.bracket() if opened else self.decimal()
        if root:
            if base < 0:
                raise Stop("undefined")
            base = math.sqrt(base)
        self.skip()
        if not self.text.startswith("^", self.at):
            return base
        # √2^2 can be read in two ways; sqrt(2)^2 cannot.
        if root and not (root == "sqrt" and opened):
            raise Stop("ambiguous")
        match = _POWER.match(self.text, self.at)
        if not match:
            raise Stop("form")
        self.at = match.end()
        if self.take("^"):
            raise Stop("ambiguous")
        exponent = _exponent(match)
        # A root of a negative number has no real value that everybody agrees on: (-8)^(1/3).
        if (base == 0 and exponent <= 0) or (base < 0 and exponent % 1):
            raise Stop("undefined")
        return _finite(power(base, exponent), nonzero=base != 0)

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
                raise Stop("ambiguous")
            if below == 0:
                raise Stop("undefined")
            self.fraction = True
            value = _finite(value / below, nonzero=value != 0)
        return value


def _exponent(match: re.Match) -> float:
    value = float(match[2] or match[5])
    if match[6]:
        if not float(match[6]):
            raise Stop("undefined")
        value /= float(match[6])
    if value > MAX_EXPONENT:
        raise Stop("too-large")
    return -value if (match[1] == "-") != (match[4] == "-") else value


def _finite(value: float, nonzero: bool) -> float:
    if not math.isfinite(value) or (nonzero and value == 0):
        raise Stop("too-large")
    return value


def _word(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower().strip(" ")


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
    try:
        text = _fold(typed)
        if not text:
            return Unreadable("empty")
        if len(text) > MAX_LENGTH:
            return Unreadable("too-long")
        reader = _Reader(text)
        value = reader.sign() * reader.value()
        return _with_unit(value, text[reader.at :].removesuffix("。").strip(" "), accepts, reader.fraction)
    except Stop as stop:
        return Unreadable(*stop.args)


def _with_unit(value: float, rest: str, accepts: Collection[str], fraction: bool) -> Read | Unreadable:
    """``value`` with what stands behind it; ``fraction``: a slash stands in front, outside brackets."""
    word, words = _word(rest), {_word(one) for one in accepts}
    if not rest or word in words:
        return Read(value + 0.0)
    if word.startswith("%") and (not word[1:].strip(" ") or word[1:].strip(" ") in words):
        # 1/2% is (1/2)% or 1/(2%).
        return Unreadable("ambiguous") if fraction else Read(_finite(value / 100, nonzero=value != 0))
    return Unreadable("unit" if _LETTER.match(rest) and not re.search("[0-9]", rest) else "form")


def judge(typed: str, right: float, tolerance: Tolerance, accepts: Collection[str] = ()) -> Judgement:
    """Right, wrong or unreadable, by the tolerance that the question states."""
    got = read(typed, accepts)
    if isinstance(got, Unreadable):
        return Judgement("unreadable", reason=got.reason)
    return Judgement("right" if tolerance.holds(got.value, right) else "wrong", value=got.value)
