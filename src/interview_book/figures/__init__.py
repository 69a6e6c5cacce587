"""Figures for notebooks and the book: numbers in, a :class:`Drawing` out."""

from importlib import import_module

# Imported on first use: each notebook needs few.
_HOME = {
    "STYLE": "drawing",
    "Drawing": "drawing",
    "coin_walks": "walks",
    "gradient_crossing": "gradients",
}

__all__ = [*_HOME]


def __getattr__(name: str):
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(sorted(_HOME))}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
