"""Widgets: each is a pair ``stem.py`` (state, checked in Python) and ``stem.js`` (one ES module that shows it)."""

from importlib import import_module

# Imported on first use: ipywidgets takes a third of a second.
_HOME = {"ScalingLab": "scaling_lab", "TwoScores": "two_scores"}

__all__ = [*_HOME]


def __getattr__(name: str):
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(sorted(_HOME))}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
