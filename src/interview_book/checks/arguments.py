"""What the measurements ask of their arguments, and the sentences that say so."""

from __future__ import annotations

import math
from numbers import Integral, Real

import numpy as np


def require_generator(rng: object) -> None:
    """Raise ``TypeError`` unless ``rng`` is a NumPy generator: a seed, a module or a RandomState is none."""
    if not isinstance(rng, np.random.Generator):
        raise TypeError(
            f"rng: expected a numpy.random.Generator, got {type(rng).__name__}; "
            "try np.random.Generator(np.random.PCG64(seed))"
        )


def require_count(name: str, count: object, least: int = 1) -> None:
    """Raise unless ``count`` is a whole number of at least ``least``."""
    if isinstance(count, bool) or not isinstance(count, Integral):
        raise TypeError(f"{name}: expected a whole number, got {count!r}")
    if count < least:
        raise ValueError(f"{name}: expected at least {least}, got {count}")


def require_probability(name: str, p: object, mend: str = "") -> None:
    """Raise ``ValueError`` unless ``p`` lies strictly between 0 and 1."""
    if isinstance(p, bool) or not isinstance(p, Real) or not 0 < p < 1:
        raise ValueError(f"{name}: expected a number strictly between 0 and 1, got {p!r}{mend and f'; try {mend}'}")


def require_real(name: str, x: object, *, above: float = -math.inf, finite: bool = True) -> None:
    """Raise unless ``x`` is one real number above ``above``, finite unless infinity is allowed."""
    if isinstance(x, (bool, np.bool_)) or not isinstance(x, Real):
        raise TypeError(f"{name}: expected a real number, got {x!r}")
    if math.isnan(x) or not x > above or (finite and math.isinf(x)):
        kind = "a finite number" if finite else "a number"
        raise ValueError(f"{name}: expected {kind}{'' if above == -math.inf else f' above {above:g}'}, got {x!r}")
