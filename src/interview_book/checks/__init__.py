"""Proofs and measurements: what the book claims, checked.

* :func:`state` prints a value that the prose quotes.
* :class:`Derivation` is a chain of lines, each proved to follow from the one before; ours are in ``two_positions`` and
  ``gaps``.
* :func:`score_gaps` draws gaps between two scores, :func:`proportion` turns counts into an :class:`Estimate`.
"""

from importlib import import_module

# Imported on first use: SymPy alone takes half a second.
_HOME = {
    "Derivation": "derivations",
    "DerivationError": "derivations",
    "Estimate": "estimates",
    "Step": "derivations",
    "best_gap": "two_positions",
    "crossover": "two_positions",
    "gap_tail": "gaps",
    "normal_tail": "gaps",
    "proportion": "estimates",
    "raw_gradient": "two_positions",
    "score_gaps": "montecarlo",
    "state": "statements",
}

__all__ = [*_HOME]


def __getattr__(name: str):
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(sorted(_HOME))}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
