"""From ticked points to a verdict, and the grading exercises that the samples give for nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

SLOTS = (30, 120)  # seconds of a short and of a long answer


@dataclass(frozen=True)
class Delivery:
    """How it was said, apart from the points. ``seconds`` is None where nothing was timed."""

    seconds: float | None
    slot: int

    @property
    def in_time(self) -> bool:
        """True when nothing was timed or the slot was kept."""
        return self.seconds is None or self.seconds <= self.slot


@dataclass(frozen=True)
class Verdict:
    """``label`` is weak, acceptable or strong, with ``points`` of ``total``.

    ``missing`` are ids of ``must`` points that were not said, ``fatal`` the numbers of fatal statements that were.
    """

    label: str
    points: int
    total: int
    missing: tuple[str, ...]
    fatal: tuple[int, ...]
    delivery: Delivery


def total(question: Mapping) -> int:
    """Sum of the weights of the rubric."""
    return sum(point["weight"] for point in question["rubric"])


def points(question: Mapping, ticked: Collection[str]) -> int:
    """Weight of the ticked points; each counts once. ``ValueError`` for an id that is not in the rubric."""
    known = [point["id"] for point in question["rubric"]]
    for name in ticked:
        if name not in known:
            raise ValueError(f"{question['id']}: expected points of {', '.join(known)}, got {name!r}; tick one of them")
    return sum(point["weight"] for point in question["rubric"] if point["id"] in ticked)


def verdict(
    question: Mapping,
    ticked: Collection[str],
    fatal: Iterable[int] = (),
    seconds: float | None = None,
    slot: int = 120,
) -> Verdict:
    """Judge an ``explain`` by its rubric.

    Parameters
    ----------
    ticked : ids of the points that were said.
    fatal : numbers (from 0) of the fatal statements that were said.
    seconds : length of the spoken answer, None where it was not timed.
    slot : 30 or 120 seconds.

    A missing ``must`` or any fatal statement makes it weak; at least 80 % of the weight, in time, makes it strong;
    everything else is acceptable. ``ValueError`` for an unknown point or statement.
    """
    said = tuple(sorted(set(fatal)))
    if said and not 0 <= said[0] <= said[-1] < len(question["fatal"]):
        raise ValueError(
            f"{question['id']}: expected fatal statements of 0 to {len(question['fatal']) - 1}, got {list(said)}"
        )
    got, of = points(question, ticked), total(question)
    missing = tuple(point["id"] for point in question["rubric"] if point["must"] and point["id"] not in ticked)
    delivery = Delivery(seconds, slot)
    if missing or said:
        name = "weak"
    elif got * 5 >= of * 4 and delivery.in_time:  # whole numbers: 80 % must not hang on a rounding
        name = "strong"
    else:
        name = "acceptable"
    return Verdict(name, got, of, missing, said, delivery)


@dataclass(frozen=True)
class Grade:
    """A grading exercise: read ``text``, say which points it earned. ``earns`` and ``fatal`` are the right ticks."""

    id: str
    question: str
    sample: str
    text: Mapping[str, str]
    earns: tuple[str, ...]
    fatal: tuple[int, ...]
    why: Mapping[str, str]


def grades(question: Mapping) -> list[Grade]:
    """The grading exercises of an ``explain``, one a sample, called ``<question>.grade.<sample>``."""
    if question["kind"] != "explain":
        return []
    return [
        Grade(
            id=f"{question['id']}.grade.{name}",
            question=question["id"],
            sample=name,
            text={tag: sample[tag] for tag in ("ja", "zh-Hant")},
            earns=tuple(point["id"] for point in question["rubric"] if point["id"] in sample["earns"]),
            fatal=tuple(sorted(sample.get("fatal", ()))),
            why=sample["why"],
        )
        for name, sample in question["samples"].items()
    ]
