"""From what a function returned to what is wrong with it. No words here, and no function is called."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from interview_book.practice.exercises.forms import Answers, Miss, Probe, Property
from interview_book.practice.messages import Outcome
from interview_book.practice.sandbox import Run

#: Properties of every exercise, before its own: what comes back at all, its shape, its numbers, the arguments after it.
GENERAL = ("array", "shape", "finite", "untouched")


@dataclass(frozen=True)
class Trouble:
    """Something about one output that can be told without a reference.

    Attributes
    ----------
    key : the property of `GENERAL` that it breaks.
    kind : ``raised``, ``exit``, ``other``, ``dtype``, ``shape``, ``finite`` or ``changed``.
    probe, outcome : the call and how it ended.
    """

    key: str
    kind: str
    probe: Probe
    outcome: Outcome


@dataclass(frozen=True)
class Judged:
    """What was found.

    Attributes
    ----------
    stopped : why not all calls came to an end, None when they did; then nothing else was looked at.
    ready_made : libraries that were used; then nothing else was looked at.
    troubles : the first one of each kind.
    missed : properties that do not hold, general ones by their key alone, in order, with where. Those that could not
        be looked at, because an output they need is in trouble, are among them without a place.
    held : number of properties that hold. ``total`` : of all.
    """

    stopped: str | None = None
    ready_made: tuple[str, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    missed: tuple[tuple[Property | str, Miss | None], ...] = ()
    held: int = 0
    total: int = 0

    @property
    def right(self) -> bool:
        """True when everything was looked at and holds."""
        return not (self.stopped or self.ready_made or self.missed)

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the properties that do not hold."""
        return tuple(one if isinstance(one, str) else one.key for one, _ in self.missed)


def judge(run: Run, probes: tuple[Probe, ...], properties: tuple[Property, ...]) -> Judged:
    """Judge the outcomes of all ``probes``."""
    libraries = sorted({name for one in run.outcomes for name in one.ready_made})
    if libraries:
        return Judged(ready_made=tuple(libraries))
    if run.stopped:
        return Judged(stopped=run.stopped)
    found: dict[str, list[Trouble]] = {}
    answers: dict[str, np.ndarray] = {}
    for probe, outcome in zip(probes, run.outcomes, strict=True):
        troubles = _troubles(probe, outcome)
        found[probe.name] = troubles
        if not [one for one in troubles if one.kind != "changed"]:
            answers[probe.name] = outcome.value.astype(np.float64)
    flat = [one for troubles in found.values() for one in troubles]
    broken = {one.key for one in flat}
    missed: list[tuple[Property | str, Miss | None]] = [(key, None) for key in GENERAL if key in broken]
    for one in properties:
        miss = _test(one, answers)
        if miss is not _HOLDS:
            missed.append((one, miss))
    total = len(GENERAL) + len(properties)
    return Judged(None, (), _first_of_each(flat), tuple(missed), total - len(missed), total)


_HOLDS = object()


def _test(one: Property, answers: Answers) -> Miss | object | None:
    if not all(name in answers for name in one.probes):
        return None
    miss = one.test(answers)
    return _HOLDS if miss is None else miss


def _troubles(probe: Probe, outcome: Outcome) -> list[Trouble]:
    def trouble(key: str, kind: str) -> Trouble:
        return Trouble(key, kind, probe, outcome)

    found = []
    if outcome.kind != "array":
        found.append(trouble("array", outcome.kind))
    elif not _real(outcome.dtype):
        found.append(trouble("array", "dtype"))
    elif outcome.shape != probe.shape or outcome.value is None:
        found.append(trouble("shape", "shape"))
    elif not np.isfinite(outcome.value).all():
        found.append(trouble("finite", "finite"))
    if outcome.changed:
        found.append(trouble("untouched", "changed"))
    return found


def _real(dtype: str) -> bool:
    try:
        return np.dtype(dtype).kind == "f"
    except TypeError:  # a record with fields, whose name was cut
        return False


def _first_of_each(troubles: list[Trouble]) -> tuple[Trouble, ...]:
    first: dict[str, Trouble] = {}
    for one in troubles:
        first.setdefault(one.kind, one)
    return tuple(first.values())
