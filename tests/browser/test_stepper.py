"""The stepper of the chapter: every number of lesson.md in all six states, and what the sentences say of them."""

from __future__ import annotations

import re

import pytest

from tests.browser import stepper_page as page_of
from tests.browser.stepper_expected import faults, numbers_in, sentence_faults, sight, tokens_in
from tests.browser.stepper_lesson import MODES, SENTENCES, STEPS, N, lesson

# A mode or a sentence is changed while a step stands: the steps are gone through in the outer loop.
STATES = [
    {"step": step, "query": query, "sentence": sentence, "mode": mode}
    for step in range(1, STEPS + 1)
    for query in range(N)
    for sentence in SENTENCES
    for mode in MODES
]
HALVES = [
    {"step": 6, "query": 1, "sentence": sentence, "mode": mode, "computed": computed}
    for sentence in SENTENCES
    for mode in MODES
    for computed in (0, 1, 2, 3, 4)
]
# One walk an edition serves all tests here.
_seen: dict[str, dict] = {}


def key(one: dict) -> tuple:
    return one["sentence"], one["mode"], one["query"], one["step"]


@pytest.fixture
def seen(visit, edition):
    """What is shown: `first`, then by sentence, mode, Query and step, and `halves` of step 6."""
    if edition not in _seen:
        page = page_of.opened(visit, edition)
        first, *walked = page_of.walk(page, [{}, *STATES])
        _seen[edition] = {"first": first, **dict(zip(map(key, STATES), walked, strict=True))}
        _seen[edition]["halves"] = page_of.walk(page, HALVES)
    return _seen[edition]


def expected(one: dict) -> tuple[dict, dict]:
    return lesson(one["sentence"], one["mode"]), lesson(one["sentence"], "scaled")


def states(seen: dict) -> list[dict]:
    return [one for name, one in seen.items() if isinstance(name, tuple)]


def test_it_begins_with_the_question_of_bank(seen, edition):
    first = seen["first"]
    assert key(first) == ("river", "scaled", 3, 1) and not first["edited"] and not first["against"]
    assert faults(first, *expected(first)) == []
    assert bool(re.search("[ぁ-ヿ]", first["live"])) == (edition == "ja")


def test_every_number_of_the_lesson_in_every_state(seen):
    found = states(seen)
    assert len(found) == 6 * N * STEPS
    assert [fault for one in found for fault in faults(one, *expected(one))] == []


def test_a_choice_moves_nothing_else(seen):
    """Mode, sentence and Query keep the step: the walk presses a step only when it wants another."""
    for (sentence, mode, query, step), one in ((name, one) for name, one in seen.items() if isinstance(name, tuple)):
        assert key(one) == (sentence, mode, query, step)
        assert not one["edited"] and not one["refused"]


def test_the_sentence_says_the_numbers_of_its_state(seen):
    assert [fault for one in states(seen) for fault in sentence_faults(one, *expected(one))] == []


def test_the_numbers_of_the_sentence_stand_in_the_tables(seen):
    for one in states(seen):
        seen_now, (sentence, mode, query, step) = sight(one), key(one)
        # √dₖ = 2, log 4 and the weight that is not 0 are words.
        seen_now |= {3: {"2"}, 4: {"4", "0"}}.get(step, set())
        if mode == "uniform" and step == 6:  # back from the other token, under √dₖ
            seen_now |= sight(seen[sentence, "scaled", query, 6])
        assert set(numbers_in(one["live"])) <= seen_now, one["live"]


def test_a_mode_shows_scaled_beside_and_says_where_it_changes_nothing(seen, edition):
    nothing = {"ja": "変わりません", "zh-Hant": "不會變|都不會變"}[edition]
    for one in states(seen):
        cells = [cell for table in one["tables"] for row in table["rows"] for cell in row]
        beside = one["mode"] != "scaled" and one["step"] >= 3
        assert any(cell["was"] for cell in cells) == beside
        if one["mode"] != "scaled":
            assert bool(re.search(nothing, one["live"])) == (one["step"] <= 2), one["live"]
            assert one["live"] != seen[(one["sentence"], "scaled", one["query"], one["step"])]["live"]


def test_the_other_sentence_is_compared(seen, edition):
    """lesson.md: by and at are alike, river and savings are mirrored; no weight differs, every output is mirrored."""
    axes = page_of.AXES[edition][:2]
    for one in states(seen):
        other = "savings" if one["sentence"] == "river" else "river"
        title = f"「{' '.join(SENTENCES[other])}」"
        # The walk starts in the sentence at first sight, which nobody has changed yet.
        if not one["against"]:
            assert key(one) in {("river", mode, 0, 1) for mode in MODES}
            continue
        assert title in one["against"]
        line, mine, there = one["against"].replace(title, ""), SENTENCES[one["sentence"]], SENTENCES[other]
        if one["step"] <= 2:
            wanted = [mine[2], there[2], *([mine[one["query"]]] if one["query"] != 2 else [])]
            assert tokens_in(line) == wanted, line
        assert all((axis in line) == (one["step"] >= 5) for axis in axes), line
        assert numbers_in(line.replace(" ", "")) == (["16"] if one["step"] == 6 else []), line


def swapped(step: int, tables: list[dict], contrast: list[dict]) -> list:
    """All cells, with river's words for savings' and the first two axes exchanged."""
    def told(text: str) -> str:
        return re.sub(r"\bat\b", "by", text, flags=re.A).replace("savings", "river")

    def turned(row: list[dict], places: tuple) -> list:
        shown = [(told(cell["text"]), cell["was"], cell["factors"], cell["framed"]) for cell in row]
        for at in places:
            shown[at], shown[at + 1] = shown[at + 1], shown[at]
        return shown

    # Where the first of both axes stands; in step 2 once for each role.
    places = {1: (1,), 2: (1, 5, 9), 3: (1,), 4: (), 5: (2,), 6: ()}[step]
    found = [[turned(row, places) for row in table["rows"]] for table in tables]
    if step == 2:  # the axes of a matrix stand beside its rows too
        first, second = found[0][:2]
        first[1:], second[1:] = second[1:], first[1:]
    pairs = zip(contrast, ((1,), (), (2,)), strict=True)
    return [*found, *([turned(row, at) for row in table["rows"]] for table, at in pairs)]


def plain(tables: list[dict]) -> list:
    names = ("text", "was", "factors", "framed")
    return [[[tuple(cell[name] for name in names) for cell in row] for row in table["rows"]] for table in tables]


def test_the_sentences_mirror_each_other(seen):
    for sentence, mode, query, step in map(key, states(seen)):
        if sentence == "savings":
            here, there = seen[sentence, mode, query, step], seen["river", mode, query, step]
            assert swapped(step, here["tables"], here["contrast"]) == plain(there["tables"] + there["contrast"])
            assert (plain(here["tables"]) == plain(there["tables"])) is False, "the words at least"


def test_the_closed_form_of_the_bank_row(seen):
    """Z = e^(23/50) + 1 + e^(23/10) + e^(69/100) = 14.55197…; the printed weights add up to 1.01."""
    *rows, last = seen["river", "scaled", 3, 4]["tables"][0]["rows"]
    assert [row[3]["text"] for row in rows] == ["0.1088563109", "0.0687192088", "0.6854179264", "0.1370065540"]
    assert [row[4]["text"] for row in rows] == ["0.11", "0.07", "0.69", "0.14"]
    assert [cell["text"] for cell in last[2:]] == ["14.552", "1", "1.01"]
    entropies = [seen["river", mode, 3, 4]["readings"][0]["text"].split()[0] for mode in MODES]
    assert entropies == ["0.957", "0.322", "1.386"]


def test_step_6_half_computed(seen):
    """Rows beyond those computed wait with raw scores, in every mode the same, and no line leaves them."""
    halves = seen["halves"]
    assert [one["computed"] for one in halves] == [one["computed"] for one in HALVES]
    for one in halves:
        assert faults(one, *expected(one)) + sentence_faults(one, *expected(one)) == []
        waiting = [cell["text"] for row in one["tables"][0]["rows"] for cell in row if cell["raw"]]
        assert len(waiting) == N * (N - one["computed"])
