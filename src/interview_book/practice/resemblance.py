"""Which named mistake a wrong function behaves like: its mutants are called on the same inputs and compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from interview_book.practice.exercises.forms import TOLERANCE, Probe, nearby
from interview_book.practice.messages import Outcome, clean
from interview_book.practice.sandbox_child import MAX_TEXT


@dataclass(frozen=True)
class Likeness:
    """``mutant``: record of the mistake; ``wholly``: every output agrees, not only those of ordinary size."""

    mutant: Mapping
    wholly: bool


def compiled(code: str, function: str) -> Callable:
    """The function that a piece of code of a question file defines; NumPy is there as ``np``.

    The code is the book's own, as trusted as this module; what a learner writes never comes here.
    """
    space: dict[str, object] = {"np": np, "__name__": "question"}
    exec(compile(code, f"<{function}>", "exec"), space)
    return space[function]


def called(fn: Callable, probes: Sequence[Probe]) -> list[Outcome]:
    """Call one of our own functions on all probes, in this process."""
    found = []
    for number, probe in enumerate(probes):
        given = [one.copy() for one in probe.arguments]
        with np.errstate(all="ignore"):
            try:
                result = fn(*given)
            except Exception as error:
                found.append(Outcome(number, "raised", type=type(error).__name__, text=clean(str(error)[:MAX_TEXT])))
                continue
        changed = tuple(
            at for at, (one, was) in enumerate(zip(given, probe.arguments, strict=True)) if not np.array_equal(one, was)
        )
        if not isinstance(result, np.ndarray):
            found.append(Outcome(number, "other", type=type(result).__name__, changed=changed))
        else:
            found.append(Outcome(number, "array", result, result.shape, result.dtype.str, changed=changed))
    return found


def alike(one: Outcome, other: Outcome, tolerance: float = TOLERANCE) -> bool:
    """True when two calls ended in the same way: the same numbers, exception word for word, and changes.

    The words name the operation and the shapes, by which a ValueError of one mistake is told from that of another.
    """
    if (one.kind, one.changed) != (other.kind, other.changed):
        return False
    if one.kind != "array":
        return (one.type, one.text) == (other.type, other.text)
    if one.value is None or other.value is None or one.shape != other.shape:
        return False
    if not (one.value.dtype.kind == other.value.dtype.kind == "f"):
        return False
    return nearby(one.value.astype(np.float64), other.value.astype(np.float64), tolerance)


def likeness(outcomes: Sequence[Outcome], probes: Sequence[Probe], question: Mapping) -> Likeness | None:
    """The mutant whose outcomes are these, on all probes or else on all ordinary ones; None where no one's are.

    On ordinary inputs alone only a mutant counts that is wrong there: who forgets the maximum is right on them.
    """
    ordinary = [at for at, probe in enumerate(probes) if probe.ordinary]
    right = called(compiled(question["model"], question["function"]), probes)
    partly = None
    for mutant in question["mutants"]:
        theirs = called(compiled(mutant["code"], question["function"]), probes)
        same = [alike(*each, probe.tolerance) for *each, probe in zip(outcomes, theirs, probes, strict=True)]
        if all(same):
            return Likeness(mutant, True)
        differs = not all(alike(right[at], theirs[at]) for at in ordinary)
        if partly is None and differs and all(same[at] for at in ordinary):
            partly = Likeness(mutant, False)
    return partly
