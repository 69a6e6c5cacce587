"""Notes for Anki are as new as their files, and what has changed is newer, also where the clock went back."""

import json

import pytest

from interview_book.practice.anki_times import Times

NOON = 1_800_000_000


def test_a_note_is_as_new_as_its_chapter_and_a_note_type_as_what_all_share():
    times = Times({"one": NOON, "two": NOON + 5}, NOON - 7)
    assert times.of("a.b ja", ["text"], "one") == NOON
    assert times.of("a.c ja", ["text"], "two") == NOON + 5
    assert times.of("note type", ["text"]) == NOON - 7


@pytest.mark.parametrize(
    ("content", "now", "time"),
    [
        ("same", NOON, NOON),
        ("same", NOON + 9, NOON + 9),  # a function of the files, not of the memory
        ("same", NOON - 9, NOON),
        ("other", NOON, NOON + 1),  # changed within the second
        ("other", NOON + 9, NOON + 9),
        ("other", NOON - 9, NOON + 1),
    ],
)
def test_what_says_something_else_is_newer(content, now, time):
    first = Times({"one": NOON}, 0)
    first.of("a.b ja", "same", "one")
    second = Times({"one": now}, 0, first.text())
    assert second.of("a.b ja", content, "one") == time
    assert Times({"one": NOON - 99}, 0, second.text()).of("a.b ja", content, "one") == time


def test_what_has_left_comes_back_newer():
    first = Times({"one": NOON}, 0)
    first.of("a.gone ja", "text", "one")
    second = Times({"one": NOON}, 0, first.text())
    second.of("a.other ja", "text", "one")
    assert Times({"one": 5}, 0, second.text()).of("a.gone ja", "changed", "one") == NOON + 1


@pytest.mark.parametrize("content", [["a"], ["b"], "a", {"a": 1}, [["a"], []]])
def test_every_difference_counts(content):
    times = Times({}, NOON)
    times.of("a.a ja", [["a"], ["b"]])
    assert Times({}, NOON, times.text()).of("a.a ja", content) == NOON + 1


def test_the_memory_is_an_entry_a_line_in_order():
    times = Times({}, NOON)
    for name in ("b.b ja", "a.a zh-Hant", "a.a ja"):
        times.of(name, "text")
    lines = times.text().splitlines()
    assert [line.split('"')[1] for line in lines[1:-1]] == ["a.a ja", "a.a zh-Hant", "b.b ja"]
    assert {time for _, time in json.loads(times.text()).values()} == {NOON}


@pytest.mark.parametrize(
    "memory", ["", "{", "[1]", "7", '{"a.a ja": 5}', '{"a.a ja": ["x"]}', '{"a.a ja": ["x", "y"]}']
)
def test_what_is_no_memory_is_none(memory):
    times = Times({}, NOON, memory)
    assert times.of("a.a ja", "text") == NOON
    assert list(json.loads(times.text())) == ["a.a ja"]
