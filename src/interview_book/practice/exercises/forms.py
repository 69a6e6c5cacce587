"""The form of an exercise: inputs to probe a function with, and properties that its outputs must have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

Texts = Mapping[str, str]  # language -> text

#: Of the expected value or, where that is near 0, of the largest one. With scores of some thousands, as the probes have
#: them, rounding in float64 stays below 1e-9 in any order of the sums; the mildest mistake, float32, is above 3e-5.
TOLERANCE = 1e-6


@dataclass(frozen=True, eq=False)
class Probe:
    """One call.

    Attributes
    ----------
    name : of the probe, for the properties.
    arguments : arrays that the function gets, fresh copies each time.
    shape : of the right result.
    ordinary : False where numbers are so large that only a careful function copes.
    tolerance : of its output; larger for single precision.
    """

    name: str
    arguments: tuple[np.ndarray, ...]
    shape: tuple[int, ...]
    ordinary: bool = True
    tolerance: float = TOLERANCE


@dataclass(frozen=True)
class Miss:
    """Where an output is furthest from what it should be.

    Attributes
    ----------
    probe, index : the call and the place in its output.
    got, want : the number there and the right one, or with ``base`` the function's own number for another input that
        must give the same.
    """

    probe: str
    index: tuple[int, ...]
    got: float
    want: float
    base: bool = False


Answers = Mapping[str, np.ndarray]  # name of a probe -> output, float64, of the right shape, finite


@dataclass(frozen=True, eq=False)
class Property:
    """Something that must hold.

    Attributes
    ----------
    key : its name.
    title : what holds, as a sentence.
    probes : names of the probes it looks at.
    test : outputs -> where it does not hold, or None.
    """

    key: str
    title: Texts
    probes: tuple[str, ...]
    test: Callable[[Answers], Miss | None]


@dataclass(frozen=True, eq=False)
class Exercise:
    """A function to write.

    Attributes
    ----------
    question : id of its question.
    version : 1 to 31, a part of the result token; it grows when the exercise asks for more.
    arguments : names of the arguments.
    probes : a generator of random numbers -> the probes; only the probe ``random`` depends on it.
    properties : probes -> the properties, in the order in which a learner should hear of them.
    """

    question: str
    version: int
    arguments: tuple[str, ...]
    probes: Callable[[np.random.Generator], tuple[Probe, ...]]
    properties: Callable[[tuple[Probe, ...]], tuple[Property, ...]]


def nearby(got: np.ndarray, want: np.ndarray, tolerance: float = TOLERANCE) -> bool:
    """True when every entry is right within ``tolerance``; not-a-numbers and infinities must be the same ones."""
    return got.shape == want.shape and not (_excess(got, want, tolerance) > 0).any()


def furthest(
    probe: str, got: np.ndarray, want: np.ndarray, base: bool = False, tolerance: float = TOLERANCE
) -> Miss | None:
    """Where ``got`` is furthest from ``want``, None when it is near everywhere. Both have the same shape."""
    excess = _excess(got, want, tolerance)
    if not (excess > 0).any():
        return None
    index = tuple(int(at) for at in np.unravel_index(np.argmax(excess), excess.shape))
    return Miss(probe, index, float(got[index]), float(np.broadcast_to(want, got.shape)[index]), base)


def _excess(got: np.ndarray, want: np.ndarray, tolerance: float) -> np.ndarray:
    """How far beyond the tolerance each entry is; infinite where only one of the two is no finite number."""
    want = np.broadcast_to(np.asarray(want, dtype=float), got.shape)
    finite = np.isfinite(want)
    most = np.abs(want[finite]).max(initial=0.0)
    with np.errstate(invalid="ignore", over="ignore"):
        excess = np.abs(got - want) - tolerance * np.maximum(np.abs(want), most)
    same = (got == want) | (np.isnan(got) & np.isnan(want))
    return np.where(same, 0.0, np.where(np.isfinite(got) & finite, excess, np.inf))
