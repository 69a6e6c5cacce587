"""A :class:`Drawing` and the strokes it is made of.

The SVG is written by hand and not by matplotlib, because the book colours its figures with CSS classes (``f-axis``,
``f-root``, ``f-dot`` …): one file follows the page's light and dark theme, its fonts and its phone layout, where
matplotlib writes fixed colours and glyphs as outlines. It also is the same byte for byte on every machine: every
coordinate is rounded to a tenth of a unit. A figure holds symbols and numbers only, so one serves both editions.

In a notebook there is no stylesheet of the book; there the first element, ``<style>``, gives both themes. The site
removes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# The book's tokens, for a page that has none. The ground is painted too: a notebook may show the picture as an image,
# which follows the system's theme even where the notebook's own is the other one.
STYLE = (
    "<style>.fig{background:#fafbf8;--ink:#162420;--ink-2:#3e4b46;--line:#dde1dc;--line-strong:#b9c0ba;--accent:#065b44;"
    "--paper:#fafbf8;--pale:#b2bfb9;--deep:#5c7268}"
    "@media(prefers-color-scheme:dark){.fig{background:#111e1a;--ink:#e8e8e1;--ink-2:#c1c6bd;--line:#2b3a35;"
    "--line-strong:#44544d;--accent:#84dcb8;--paper:#111e1a;--pale:#44564c;--deep:#8fa397}}"
    '.fig text{font:13px sans-serif;fill:var(--ink-2)}.fig .f-it{font:italic 16px "Times New Roman",serif}'
    '.fig .f-key{fill:var(--accent);font:18px "Times New Roman",serif}.fig .f-key .f-it{font-size:18px}'
    ".f-axis,.f-grid,.f-tie{fill:none;stroke:var(--line-strong)}.f-grid{stroke:var(--line)}"
    ".f-walk{fill:none;stroke:var(--ink);stroke-opacity:.26;vector-effect:non-scaling-stroke;stroke-linejoin:round}"
    ".f-root{fill:none;stroke:var(--accent);stroke-width:2.5;stroke-linecap:round}"
    ".f-dot{fill:var(--paper);stroke:var(--accent);stroke-width:2}.f-bar{fill:var(--pale)}.f-bar.f-in{fill:var(--deep)}"
    "</style>"
)
# Dashed, for the second of two curves that otherwise look alike: colour never is the only carrier.
DASHED = 'stroke-dasharray="9 7"'


@dataclass(frozen=True)
class Drawing:
    """A finished figure. ``body`` is what stands inside ``<svg>``, ``says`` one line of its numbers for plain text.

    ``style`` is the element that stands in for the book's stylesheet in a notebook.
    """

    name: str
    width: int
    height: int
    body: str
    says: str
    style: str = STYLE

    @property
    def svg(self) -> str:
        """The whole SVG with its fallback style."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="fig" role="img" width="{self.width}" '
            f'height="{self.height}" viewBox="0 0 {self.width} {self.height}">{self.style}{self.body}</svg>'
        )

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        return {"image/svg+xml": self.svg, "text/plain": repr(self)}

    def __repr__(self) -> str:
        return f"{self.name}: {self.says}"


def number(x: float) -> str:
    """Write a coordinate to a tenth of a unit."""
    digits = f"{x:.1f}".removesuffix(".0")
    return "0" if digits == "-0" else digits


def line(points: Sequence[tuple[float, float]]) -> str:
    """Return path data through ``points``."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)


def path(name: str, d: str) -> str:
    """Return an open path of a class."""
    return f'<path class="{name}" d="{d}"/>'


def dot(x: float, y: float) -> str:
    """Return the ring that marks a point."""
    return f'<circle class="f-dot" cx="{number(x)}" cy="{number(y)}" r="3.4"/>'


def text(x: float, y: float, body: str, anchor: str, name: str = "f-text") -> str:
    """Return a label; ``body`` is SVG already."""
    return f'<text class="{name}" x="{number(x)}" y="{number(y)}" text-anchor="{anchor}">{body}</text>'


def key(x: float, y: float, body: str, anchor: str) -> str:
    """Return a label in the figure's accent, in the type of formulas."""
    return text(x, y, body, anchor, "f-text f-key")


def italic(letter: str) -> str:
    """Return a letter as formulas write it."""
    return f'<tspan class="f-it">{letter}</tspan>'
