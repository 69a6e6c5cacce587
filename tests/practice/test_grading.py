"""Verdicts, at every edge of their definition."""

import pytest

from interview_book.practice.bank import load
from interview_book.practice.grading import grades, points, total, verdict


def rubric(*weights, must=()):
    entries = [{"id": f"p{index}", "weight": weight, "must": index in must} for index, weight in enumerate(weights)]
    return {"id": "topic.x", "kind": "explain", "rubric": entries, "fatal": [{}, {}, {}]}


def test_points_are_weights_and_count_once():
    question = rubric(3, 5, 2)
    assert total(question) == 10
    assert points(question, ["p0", "p2"]) == 5
    assert points(question, ["p1", "p1"]) == 5
    assert points(question, []) == 0


def test_a_missing_must_is_weak_whatever_else_was_said():
    got = verdict(rubric(1, 5, 5, must=[0]), ["p1", "p2"])
    assert (got.label, got.points, got.total, got.missing, got.fatal) == ("weak", 10, 11, ("p0",), ())


def test_a_fatal_statement_is_weak_at_full_marks():
    got = verdict(rubric(2, 3, must=[0]), ["p0", "p1"], fatal=[2, 0, 2])
    assert (got.label, got.points, got.fatal) == ("weak", 5, (0, 2))


@pytest.mark.parametrize(
    ("weights", "ticked", "label"),
    [
        ((3, 1, 1), ["p0", "p1"], "strong"),  # 4 of 5 is 80 % exactly
        ((3, 3, 2, 2), ["p0", "p1", "p2"], "strong"),  # 8 of 10
        ((3, 3, 1, 2), ["p0", "p1", "p2"], "acceptable"),  # 7 of 9 is 77.8 %
        ((3, 3, 2, 2), ["p0", "p1"], "acceptable"),
        ((5, 5), ["p0"], "acceptable"),
        ((5, 5), ["p0", "p1"], "strong"),
    ],
)
def test_eighty_percent_is_strong(weights, ticked, label):
    assert verdict(rubric(*weights, must=[0]), ticked).label == label


@pytest.mark.parametrize(
    ("seconds", "slot", "label", "in_time"),
    [
        (None, 120, "strong", True),
        (120, 120, "strong", True),
        (120.5, 120, "acceptable", False),
        (30, 30, "strong", True),
        (31, 30, "acceptable", False),
    ],
)
def test_strong_needs_the_slot_and_delivery_stays_apart(seconds, slot, label, in_time):
    got = verdict(rubric(5, 5, must=[0]), ["p0", "p1"], seconds=seconds, slot=slot)
    assert (got.label, got.points, got.delivery.in_time, got.delivery.seconds) == (label, 10, in_time, seconds)


def test_time_cannot_make_an_acceptable_answer_weak():
    assert verdict(rubric(5, 5, must=[0]), ["p0"], seconds=999).label == "acceptable"


def test_what_is_not_there_is_refused():
    with pytest.raises(ValueError, match="expected points of p0, p1, got 'p7'"):
        verdict(rubric(1, 1), ["p7"])
    for number in (3, -1):
        with pytest.raises(ValueError, match="expected fatal statements of 0 to 2"):
            verdict(rubric(1, 1), [], fatal=[number])


def test_grading_exercises_are_made_from_the_samples(calibration, records):
    question = load(calibration)[2]
    made = grades(question)
    assert [one.id for one in made] == [
        f"monitoring.low-entropy-one-head.grade.{name}" for name in ("weak", "acceptable", "strong")
    ]
    assert made[0].fatal == (0,) and made[0].earns == ()
    assert made[1].earns == ("not-a-verdict", "scale-or-learned")
    assert made[2].text["zh-Hant"].startswith("光是熵低")
    # Every exercise's right ticks give the verdict that its sample stands for.
    assert [verdict(question, one.earns, one.fatal).label for one in made] == [one.sample for one in made]
    assert grades(records["choice"]) == []
