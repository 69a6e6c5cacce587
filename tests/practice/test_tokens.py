"""Result tokens: written and read back, and every slip of a finger noticed."""

from __future__ import annotations

import json
import random
from datetime import date, timedelta
from pathlib import Path

import pytest

from interview_book.practice import tokens

TABLE = json.loads((Path(__file__).parent / "tokens.json").read_text(encoding="utf-8"))
ID = "attention.scaled-attention"


def test_the_table_is_large_enough():
    assert len(TABLE["read"]) >= 35


def test_a_token_by_hand():
    # 2026-11-29 is day 2524 (7 years of 365 days less the rest of 2026, and the leap days of 2020 and 2024):
    assert (date(2026, 11, 29) - date(2020, 1, 1)).days == 6 * 365 + 2 + 332 == 2524
    # version 1 and day 2524 in base 32: 1·32³ + 2·32² + 14·32 + 28, that is 1, 2, E (14), W (28)
    assert [32**3 + 2524] == [1 * 32**3 + 2 * 32**2 + 14 * 32 + 28] and tokens.SIGNS[14] + tokens.SIGNS[28] == "EW"
    # the check as one large number, as the docstring says it
    number = (int.from_bytes(ID.encode(), "big") * 32**4 + 32**3 + 2524) % 1021
    assert tokens.SIGNS[number // 32] + tokens.SIGNS[number % 32] == "Y3"
    assert tokens.token(ID, 1, date(2026, 11, 29)) == "scaled-attention-12EW-Y3" == TABLE["written"][0]["token"]


@pytest.mark.parametrize("row", TABLE["written"], ids=lambda row: f"{row['id']} {row['day']}")
def test_what_is_written_is_read(row):
    day = date.fromisoformat(row["day"])
    made = tokens.token(row["id"], row["version"], day)
    assert tokens.read(made, row["id"]) == tokens.Result(row["version"], day)


@pytest.mark.parametrize("row", TABLE["read"], ids=lambda row: row["typed"])
def test_what_a_person_types(row):
    got = tokens.read(row["typed"], ID)
    if "day" in row:
        assert got == tokens.Result(1, date.fromisoformat(row["day"]))
    else:
        assert got == tokens.Unreadable(row["reason"], row.get("name", ""))
        assert row["reason"] in tokens.REASONS


def test_one_wrong_sign_and_two_swapped_ones_are_always_noticed():
    like = {"0": "O", "1": "IL"}
    for shift in range(0, 4000, 97):
        whole = tokens.token(ID, 1 + shift % 31, date(2024, 2, 27) + timedelta(shift))
        head, body, check = whole.rpartition("-")[0][:-4], whole[-7:-3], whole[-2:]
        signs = body + check
        for at, sign in enumerate(signs):
            for other in set(tokens.SIGNS) - {sign}:
                typed = signs[:at] + other + signs[at + 1 :]
                assert tokens.read(head + typed[:4] + "-" + typed[4:], ID) == tokens.Unreadable("check")
            for other in like.get(sign, ""):
                typed = signs[:at] + other + signs[at + 1 :]
                assert isinstance(tokens.read(head + typed[:4] + "-" + typed[4:], ID), tokens.Result)
        for at in range(3):  # neighbours of the body; of the check too
            typed = body[:at] + body[at + 1] + body[at] + body[at + 2 :]
            assert typed == body or tokens.read(f"{head}{typed}-{check}", ID) == tokens.Unreadable("check")
        assert check[0] == check[1] or tokens.read(f"{head}{body}-{check[::-1]}", ID) == tokens.Unreadable("check")


def test_the_token_of_another_exercise_is_refused_by_its_name():
    other = tokens.token("attention.causal-attention", 1, date(2026, 11, 29))
    assert tokens.read(other, ID) == tokens.Unreadable("other", "causal-attention")
    # and without its name, but for one in a thousand
    days = [date(2024, 1, 1) + timedelta(one) for one in range(2000)]
    passed = [tokens.read(tokens.token("attention.causal-attention", 1, day)[-7:], ID) for day in days]
    assert sum(isinstance(one, tokens.Result) for one in passed) <= 10


@pytest.mark.parametrize(
    ("version", "day"), [(0, "2026-01-01"), (32, "2026-01-01"), (1, "2019-12-31"), (1, "2109-09-19")]
)
def test_what_does_not_fit_is_refused(version, day):
    with pytest.raises(ValueError, match="version 1 to 31"):
        tokens.token(ID, version, date.fromisoformat(day))


def test_junk_never_raises():
    rng = random.Random(7)
    pieces = [
        "-",
        "－",
        "ー",
        " ",
        "12EW",
        "Y3",
        "scaled",
        "attention",
        "：",
        ":",
        "\ud800",
        "é",
        "ﬁ",
        "ß",
        "𝟙",
        "\0",
        "9" * 90,
    ]
    for _ in range(5000):
        typed = "".join(rng.choices(pieces, k=rng.randrange(8)))
        assert isinstance(tokens.read(typed, ID), (tokens.Result, tokens.Unreadable))
    assert tokens.read("x" * 1_000_000, ID) == tokens.Unreadable("form")
