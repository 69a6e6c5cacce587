"""Result tokens: what a notebook prints for a solved exercise and the practice page reads.

``scaled-attention-12EW-Y3`` is the exercise ``attention.scaled-attention`` in version 1, solved on 2026-11-29.

A token guards against typing errors and against the token of another exercise, not against cheating: whoever wants to
can compute one, and cheats nobody else. It holds the exercise's version, the day, and a check over these and the id::

    token = name "-" body "-" check          name: the question id without its topic, dots as hyphens
    body  = 4 signs: version (5 bits), days since 2020-01-01 (15 bits)
    check = 2 signs: the bytes of the id (base 256), then the signs of the body (base 32), modulo 1021

1021 is prime and neither base is 0 or 1 modulo it, so one wrong sign or two neighbours that changed places are always
noticed; anything else passes once in a thousand. ``token.js`` reads the same; both are tested on one table.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date, timedelta

SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: no I, L, O, U
REASONS = ("empty", "form", "other", "check")
MAX_LENGTH = 120
_START = date(2020, 1, 1)
_PRIME = 1021

_LIKE = str.maketrans({"O": "0", "I": "1", "L": "1"})
_HYPHENS = re.compile(r"[ \t\n\r\f\v\u200b\u2060\ufeff\u2010-\u2015\u2212\u30fc\u2500\u2501_-]+")
_EDGE = re.compile(r"^[-.。、,「」()]+|[-.。、,「」()]+$")
_TOKEN = re.compile(r"(?:([A-Z0-9-]+?)-)?([0-9A-Z]{4})-?([0-9A-Z]{2})")


@dataclass(frozen=True)
class Result:
    """A token that was read: ``version`` of the exercise, ``day`` on which it was solved."""

    version: int
    day: date


@dataclass(frozen=True)
class Unreadable:
    """No result was read; ``reason`` is one of `REASONS`, ``name`` the exercise that another token is of."""

    reason: str
    name: str = ""


def name(question_id: str) -> str:
    """The readable part of a token: ``scaled-attention`` for ``attention.scaled-attention``."""
    return question_id.partition(".")[2].replace(".", "-")


def _signs(number: int, count: int) -> str:
    return "".join(SIGNS[number >> 5 * at & 31] for at in reversed(range(count)))


def _check(question_id: str, body: str) -> str:
    total = 0
    for byte in question_id.encode("utf-8"):
        total = (total * 256 + byte) % _PRIME
    for sign in body:
        total = (total * 32 + SIGNS.index(sign)) % _PRIME
    return _signs(total, 2)


def token(question_id: str, version: int, day: date) -> str:
    """The token of an exercise of ``version`` 1 to 31, solved on ``day`` (2020 to 2109); ``ValueError`` beyond."""
    days = (day - _START).days
    if not 1 <= version <= 31 or not 0 <= days < 1 << 15:
        raise ValueError(f"expected version 1 to 31 and a day of 2020-01-01 or later, got {version} and {day}; mend it")
    body = _signs(version << 15 | days, 4)
    return f"{name(question_id)}-{body}-{_check(question_id, body)}"


def read(typed: str, question_id: str) -> Result | Unreadable:
    """Read the token of an exercise as a person types it: full width, lower case, O for 0, without the name.

    Never raises. A name with a typing error is «check»; a whole token of another exercise is «other» with its name.
    """
    if len(typed) > MAX_LENGTH:
        return Unreadable("form")
    # What stands before a colon is the label that was copied along.
    text = unicodedata.normalize("NFKC", typed).upper().rpartition(":")[2]
    text = _EDGE.sub("", _HYPHENS.sub("-", text))
    if not text:
        return Unreadable("empty")
    match = _TOKEN.fullmatch(text)
    if not match:
        return Unreadable("form")
    named, body, check = match[1] or "", match[2].translate(_LIKE), match[3].translate(_LIKE)
    fits = set(body) <= set(SIGNS) and check == _check(question_id, body)
    if named and named.translate(_LIKE) != name(question_id).upper().translate(_LIKE):
        return Unreadable("check") if fits else Unreadable("other", named.lower())
    if not fits:
        return Unreadable("check")
    number = 0
    for sign in body:
        number = number * 32 + SIGNS.index(sign)
    if not number >> 15:
        return Unreadable("check")
    return Result(number >> 15, _START + timedelta(days=number & 0x7FFF))
