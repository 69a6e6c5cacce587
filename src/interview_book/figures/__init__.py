"""Figures and tables for notebooks and the book: numbers in, a :class:`Drawing` or a :class:`VerdictTable` out.

* :func:`gradient_crossing`, :func:`coin_walks`, :func:`variance_growth` and :func:`attention_shapes` draw.
* :func:`verdict_table` and :func:`verdict_grid` hold estimates against theory, in both languages; :func:`row` and
  :func:`untested` make rows of the first, :func:`words` finds what the package says under a key.
"""

from importlib import import_module

# Imported on first use: each notebook needs few.
_HOME = {
    "STYLE": "drawing",
    "Drawing": "drawing",
    "VerdictTable": "verdicts",
    "attention_shapes": "shapes",
    "coin_walks": "walks",
    "gradient_crossing": "gradients",
    "row": "judgement",
    "untested": "judgement",
    "variance_growth": "growth",
    "verdict_grid": "verdicts",
    "verdict_table": "verdicts",
    "words": "wording",
}

__all__ = [*_HOME]


def __getattr__(name: str):
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(sorted(_HOME))}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
