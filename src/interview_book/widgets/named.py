"""What traitlets lets pass and our widgets do not: a mistyped name, and None in place of a value."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

import traitlets


class Checked(traitlets.Any):
    """Anything that the widget's own check lets pass; ``Any`` would let None pass without asking it."""

    allow_none = False


def require_traits(widget: traitlets.HasTraits, given: Iterable[str], names: Iterable[str]) -> None:
    """Raise ``TypeError`` when ``given`` holds a name that ``widget`` does not know; ``names`` are what it shows.

    ``keys`` is a trait of every widget, but nobody who writes it means that one.
    """
    if unknown := sorted(name for name in given if name == "keys" or not widget.has_trait(name)):
        kind, known = type(widget).__name__, {one.lower(): one for one in (*names, "language")}
        close = [known[one] for name in unknown for one in difflib.get_close_matches(name.lower(), known, 1, 0.75)]
        mend = f"did you mean {' and '.join(close)}?" if close else "mend the name"
        raise TypeError(f"{kind}: expected {', '.join(names)} or language, got {', '.join(unknown)}; {mend}")
