"""The deck's verdicts against practice/grading.py: every tick pattern of every explain of the book."""

import itertools

import pytest

from interview_book.practice import bank, grading

TIMES = [(seconds, slot) for slot in grading.SLOTS for seconds in (None, 0, slot, slot + 0.1)]

_ALL = """(() => {
  const all = list => [...Array(2 ** list.length).keys()].map(bits => list.filter((_, n) => (bits >> n) & 1));
  const out = [];
  for (const ticked of all(record.rubric.map(point => point.id)))
    for (const fatal of all(record.fatal.map((_, n) => n)))
      for (const [seconds, slot] of times) {
        const got = m.verdict(record, ticked, fatal, seconds, slot);
        out.push([got.label, got.points, got.total, got.missing, got.fatal, got.inTime]);
      }
  return out;
})()"""


def explains(root):
    found = [one for path in sorted((root / "chapters").glob("*.questions.yml")) for one in bank.load(path)]
    found = [one for one in found if one.kind == "explain"]
    assert len(found) >= 4
    return found


def record(question):
    """What the verdict needs of a compiled record."""
    rubric = [{key: point[key] for key in ("id", "weight", "must")} for point in question["rubric"]]
    samples = [
        {"name": name, "earns": list(one["earns"]), "fatal": list(one.get("fatal", ()))}
        for name, one in question["samples"].items()
    ]
    return {"rubric": rubric, "fatal": ["" for _ in question["fatal"]], "samples": samples}


def subsets(items):
    return [[one for n, one in enumerate(items) if bits >> n & 1] for bits in range(2 ** len(items))]


def test_every_pattern_gets_the_verdict_of_python(call, root):
    count = 0
    for question in explains(root):
        got = call("grading", _ALL, record=record(question), times=TIMES)
        patterns = itertools.product(
            subsets([point["id"] for point in question["rubric"]]), subsets(range(len(question["fatal"]))), TIMES
        )
        for mine, (ticked, fatal, (seconds, slot)) in zip(got, patterns, strict=True):
            theirs = grading.verdict(question, ticked, fatal, seconds, slot)
            assert mine == [
                theirs.label,
                theirs.points,
                theirs.total,
                list(theirs.missing),
                list(theirs.fatal),
                theirs.delivery.in_time,
            ], (question.id, ticked, fatal, seconds, slot)
            count += 1
    sizes = [len(one["rubric"]) + len(one["fatal"]) for one in explains(root)]
    assert count == len(TIMES) * sum(2**size for size in sizes)


RUBRIC = {
    "rubric": [
        {"id": "a", "weight": 3, "must": True},
        {"id": "b", "weight": 2, "must": False},
        {"id": "c", "weight": 5, "must": False},
    ],
    "fatal": ["one", "two"],
}


@pytest.mark.parametrize(("ticked", "fatal"), [(["d"], []), ([], [2]), ([], [-1]), ([], [0.5])])
def test_what_is_not_there_is_refused(call, ticked, fatal):
    tried = "(() => { try { m.verdict(record, ticked, fatal); } catch (error) { return error.message; } })()"
    said = call("grading", tried, record=RUBRIC, ticked=ticked, fatal=fatal)
    assert said.startswith("expected ") and "got " in said


@pytest.mark.parametrize(
    ("ticked", "more"),
    [("", 2), ("a", 1), ("b", 2), ("c", 1), ("ac", 0), ("ab", 1), ("bc", 1), ("abc", 0)],
)
def test_how_many_points_are_left_to_strong(call, ticked, more):
    """Of 10, 8 are needed: 5 + 3 are enough, 5 + 2 are not."""
    assert call("grading", "m.toStrong(record, ticked)", record=RUBRIC, ticked=list(ticked)) == more


@pytest.mark.parametrize(
    ("ticked", "fatal", "passed", "proposed", "why"),
    [
        ([], [], 0, 1, "missing"),
        (["b", "c"], [], 3, 1, "missing"),  # a must is missing, however often it was there before
        (["a", "b", "c"], [0], 0, 1, "fatal"),
        ([], [0], 0, 1, "missing"),
        (["a"], [], 0, 2, "first"),
        (["a"], [], 1, 3, "later"),
        (["a", "c"], [], 0, 3, "strong"),
        (["a", "b", "c"], [], 9, 3, "strong"),  # Easy is only ever chosen by the learner
    ],
)
def test_the_proposed_grade(call, ticked, fatal, passed, proposed, why):
    got = call(
        "grading",
        "m.proposal(m.verdict(record, ticked, fatal), passed)",
        record=RUBRIC,
        ticked=ticked,
        fatal=fatal,
        passed=passed,
    )
    assert got == {"proposed": proposed, "why": why}


def test_an_answer_that_is_late_is_no_more_than_acceptable(call):
    labels = call(
        "grading", "[120, 120.1, null].map(s => m.verdict(record, ['a', 'b', 'c'], [], s, 120).label)", record=RUBRIC
    )
    assert labels == ["strong", "acceptable", "strong"]


def test_a_grading_card_is_right_when_every_tick_agrees(call, root):
    """Against grading.grades, the source of the cards; then with each single tick turned over."""
    for question in explains(root):
        asked, points = record(question), [point["id"] for point in question["rubric"]]
        for grade in grading.grades(question):
            sample = next(one for one in asked["samples"] if one["name"] == grade.sample)
            right = call(
                "grading",
                "m.compare(record, sample, earns, fatal)",
                record=asked,
                sample=sample,
                earns=list(grade.earns),
                fatal=list(grade.fatal),
            )
            assert (right["verdict"], right["proposed"], right["agreed"]) == ("right", 3, right["of"])
            assert right["of"] == len(points) + len(grade.fatal)
            for name in points:
                turned = sorted(set(grade.earns) ^ {name})
                got = call(
                    "grading",
                    "m.compare(record, sample, earns, fatal)",
                    record=asked,
                    sample=sample,
                    earns=turned,
                    fatal=list(grade.fatal),
                )
                assert (got["verdict"], got["proposed"], got["agreed"]) == ("acceptable", 2, right["of"] - 1)
                assert [row["id"] for row in got["rows"] if not row["agree"]] == [name]
            break  # one sample of each question: a call starts a Node


def test_two_differences_bring_the_card_back(call):
    sample = {"earns": ["a"], "fatal": [1]}
    got = call("grading", "m.compare(record, sample, ['a', 'b'], [])", record=RUBRIC, sample=sample)
    assert (got["verdict"], got["proposed"], got["agreed"], got["of"]) == ("weak", 1, 2, 4)
    assert got["fatal"] == [
        {"n": 0, "mine": False, "said": False, "agree": True},
        {"n": 1, "mine": False, "said": True, "agree": False},
    ]


@pytest.mark.parametrize(
    ("measured", "cause", "expected"),
    [
        (["x", "y"], "right", ("right", 3, [])),
        (["x", "y", "z"], "right", ("right", 3, [])),
        (["x"], "right", ("acceptable", 2, ["y"])),
        ([], "right", ("acceptable", 2, ["x", "y"])),
        (["x", "y"], "other", ("wrong", 1, [])),
        (["z"], "other", ("wrong", 1, ["x", "y"])),
    ],
)
def test_a_diagnosis_needs_its_measurements(call, measured, cause, expected):
    asked = {"needs": ["x", "y"], "causes": [{"id": "other", "right": False}, {"id": "right", "right": True}]}
    got = call("grading", "m.diagnosis(record, measured, cause)", record=asked, measured=measured, cause=cause)
    assert (got["verdict"], got["proposed"], got["open"]) == expected
