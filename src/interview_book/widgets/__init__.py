"""Widgets: each is a pair ``stem.py`` (state, checked in Python) and ``stem.js`` (one ES module that shows it).

The practice deck is ``deck.py`` and the modules of ``practice_deck/``, which are bundled into one. So are, for a
notebook, the parts of a script in a folder ``stem_view``.
"""

from importlib import import_module

# Imported on first use: ipywidgets takes a third of a second.
_HOME = {"Deck": "deck", "ScalingLab": "scaling_lab", "Stepper": "stepper", "TwoScores": "two_scores"}

__all__ = [*_HOME]


def __getattr__(name: str):
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(sorted(_HOME))}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
