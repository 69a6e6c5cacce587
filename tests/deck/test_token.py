"""token.js reads the tokens that tokens.py writes, and says the same of everything else."""

from __future__ import annotations

import json
import random
from datetime import date, timedelta

import pytest

from interview_book.practice import tokens

ID = "attention.scaled-attention"


@pytest.fixture(scope="module")
def read(call):
    """``read(list of typed, id)``: what token.js says of each."""
    return lambda typed, card=ID: call("token", "typed.map(one => m.readToken(one, card))", typed=typed, card=card)


@pytest.fixture(scope="module")
def table(root):
    return json.loads((root / "tests" / "practice" / "tokens.json").read_text(encoding="utf-8"))


def as_js(got):
    if isinstance(got, tokens.Result):
        return {"ok": True, "verdict": "right", "version": got.version, "day": got.day.isoformat()}
    return {"ok": False, "reason": got.reason, **({"name": got.name} if got.name else {})}


def test_the_table(read, table):
    rows = table["read"]
    for row, got in zip(rows, read([row["typed"] for row in rows]), strict=True):
        if "day" in row:
            assert got == {"ok": True, "verdict": "right", "version": 1, "day": row["day"]}, row
        else:
            assert got == {"ok": False, **{key: row[key] for key in ("reason", "name") if key in row}}, row


def test_what_python_writes(read, table):
    for row in table["written"]:
        made = tokens.token(row["id"], row["version"], date.fromisoformat(row["day"]))
        assert read([made], row["id"]) == [
            {"ok": True, "verdict": "right", "version": row["version"], "day": row["day"]}
        ]


def test_both_say_the_same_of_junk(read):
    rng = random.Random(11)
    pieces = [
        "-",
        "－",
        "ー",
        " ",
        "12EW",
        "Y3",
        "i2ew",
        "scaled",
        "attention",
        "：",
        ":",
        "é",
        "ﬁ",
        "ß",
        "𝟙",
        "。",
        "U",
    ]
    days = [tokens.token(ID, 1, date(2026, 1, 1) + timedelta(one)) for one in range(200)]
    typed = days + ["".join(rng.choices(pieces, k=rng.randrange(9))) for _ in range(3000)] + ["x" * 121, "𝟙" * 119]
    # a slip of a finger in each
    typed += [one[:-2] + rng.choice(tokens.SIGNS) + one[-1] for one in days]
    assert read(typed) == [as_js(tokens.read(one, ID)) for one in typed]


def test_a_huge_text_is_refused_before_it_is_looked_at(call):
    """Five million signs of two halves each; spread into a list they took up to 700 ms."""
    body = """(() => {
      const long = ["√", "𝟙"].map(sign => sign.repeat(5_000_000)), from = performance.now();
      return [...long.map(text => m.readToken(text, card)), performance.now() - from];
    })()"""
    *told, spent = call("token", body, card=ID)
    assert told == [{"ok": False, "reason": "form"}] * 2
    assert spent < 20  # microseconds in truth


def test_the_example_has_the_shape_of_a_token_and_is_none(call, read):
    shown = call("token", "m.exampleToken(card)", card=ID)
    assert shown.startswith("scaled-attention-") and len(shown) == len("scaled-attention-12EW-Y3")
    assert read([shown]) == [{"ok": False, "reason": "check"}]
    assert call("token", "m.tokenName(card)", card="topic.part.two-words") == tokens.name("topic.part.two-words")
