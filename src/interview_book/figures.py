"""Figures: numbers in, a :class:`Drawing` out.

The SVG is written by hand and not by matplotlib, because the book colours its figures with CSS classes (``f-axis``,
``f-root``, ``f-dot`` …): one file follows the page's light and dark theme, its fonts and its phone layout, where
matplotlib writes fixed colours and glyphs as outlines. It also is the same byte for byte on every machine: every
coordinate is rounded to a tenth of a unit. A figure holds symbols and numbers only, so one serves both editions.

In a notebook there is no stylesheet of the book; there the first element, ``<style>``, gives both themes. The site
removes it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from interview_book.checks.two_positions import crossover, raw_gradient

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
    """A finished figure. ``body`` is what stands inside ``<svg>``, ``says`` one line of its numbers for plain text."""

    name: str
    width: int
    height: int
    body: str
    says: str

    @property
    def svg(self) -> str:
        """The whole SVG with its fallback style."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="fig" role="img" width="{self.width}" '
            f'height="{self.height}" viewBox="0 0 {self.width} {self.height}">{STYLE}{self.body}</svg>'
        )

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        return {"image/svg+xml": self.svg, "text/plain": repr(self)}

    def __repr__(self) -> str:
        return f"{self.name}: {self.says}"


def gradient_crossing(gap: float = 4.0, divisor: float = 2.0, reach: float = 8.0) -> Drawing:
    """Draw the gradient in a raw score, ``p (1 − p)/c``, over the gap ``D``: c = 1 solid, c = ``divisor`` dashed.

    The point where the curves cross is marked on the axis; left of it the area by which the undivided gradient is the
    larger one is filled. Both gradients at ``gap`` are marked and given.

    Parameters
    ----------
    gap : the example's gap of raw scores, between 0 and ``reach``.
    divisor : above 1.
    reach : end of the axis; beyond the crossover and ``gap``.

    Raises
    ------
    ValueError : a divisor of at most 1, or a reach that leaves a mark outside.
    """
    if not (math.isfinite(divisor) and divisor > 1):
        raise ValueError(f"divisor: expected a finite number above 1, got {divisor!r}; try 2")
    meeting = crossover(divisor)
    if not (math.isfinite(reach) and 0 < gap <= reach and meeting < reach):
        raise ValueError(
            f"reach: expected the axis to end beyond the crossover {meeting:.3f} and to hold gap > 0, "
            f"got reach = {reach!r} and gap = {gap!r}"
        )
    left, right, top, bottom = 62.0, 630.0, 32.0, 356.0
    highest = 0.25

    def at(d: float, g: float) -> tuple[float, float]:
        return left + d / reach * (right - left), bottom - g / highest * (bottom - top)

    ds = [reach * i / 160 for i in range(161)]
    plain = [at(d, raw_gradient(d)) for d in ds]
    divided = [at(d, raw_gradient(d, divisor)) for d in ds]
    before = [d for d in ds if d < meeting] + [meeting]
    area = [at(d, raw_gradient(d)) for d in before] + [at(d, raw_gradient(d, divisor)) for d in reversed(before)]

    parts = [_path("f-grid", f"M{_n(left)} {_n(at(0, g)[1])}H{_n(right)}") for g in (0.05, 0.1, 0.15, 0.2, 0.25)]
    parts.append(f'<path class="f-bar" fill-opacity=".45" d="{_line(area)}Z"/>')
    parts.append(_path("f-axis", f"M{_n(left)} {_n(top - 12)}V{_n(bottom)}H{_n(right)}"))
    cross, low, high = (
        at(meeting, raw_gradient(meeting)),
        at(gap, raw_gradient(gap)),
        at(gap, raw_gradient(gap, divisor)),
    )
    parts.append(_path("f-tie", f"M{_n(cross[0])} {_n(cross[1])}V{_n(bottom)}"))
    parts.append(_path("f-tie", f"M{_n(low[0])} {_n(high[1])}V{_n(bottom)}"))
    parts.append(f'<path class="f-root" {DASHED} d="{_line(divided)}"/>')
    parts.append(_path("f-root", _line(plain)))
    parts += [_dot(*point) for point in (cross, low, high)]

    for d in range(0, int(reach) + 1, 2 if reach <= 12 else 4):
        if abs(d - meeting) > reach / 14:
            parts.append(_text(at(d, 0)[0], bottom + 26, str(d), "middle"))
    parts.append(_key(cross[0], bottom + 28, f"{meeting:.2f}", "middle"))
    parts.append(_text(left + 0.875 * (right - left), bottom + 26, _italic("D"), "middle"))
    for g in (0, 0.05, 0.1, 0.15, 0.2, 0.25):
        parts.append(_text(left - 10, at(0, g)[1] + 4.5, f"{g:.2f}" if g else "0", "end"))
    parts.append(_text(left + 10, top - 14, f"{_italic('p')}(1 − {_italic('p')})/{_italic('c')}", "start"))
    # each name beside its own curve, on the side where the other is not
    one, two = at(1.15, raw_gradient(1.15)), at(0.12 * reach, raw_gradient(0.12 * reach, divisor))
    parts.append(_key(one[0] + 14, one[1] - 6, f"{_italic('c')} = 1", "start"))
    parts.append(_key(two[0] - 22, two[1] + 40, f"{_italic('c')} = {divisor:g}", "middle"))
    parts.append(_text(high[0] + 14, high[1] - 8, f"{raw_gradient(gap, divisor):.4f}", "start"))
    parts.append(_text(low[0] - 11, bottom - 7, f"{raw_gradient(gap):.4f}", "end"))
    says = (
        f"D* = {meeting:.5f}; p(1-p)/c at D = {gap:g}: {raw_gradient(gap):.6f} for c = 1, "
        f"{raw_gradient(gap, divisor):.6f} for c = {divisor:g}"
    )
    return Drawing("gradient_crossing", 646, 396, "".join(parts), says)


def coin_walks(rng: np.random.Generator, n: int = 64, people: int = 48) -> Drawing:
    """Draw ``people`` running totals of ``n`` fair coins of ±1 inside ``±√n``, and the exact law of the last total.

    The bars are the binomial probabilities, computed in whole numbers; those within one standard deviation are darker.

    Parameters
    ----------
    rng : the generator that tosses; one call for n × people coins.
    n : coins each, the square of a multiple of 4, so that ±√n and its quarters fall on whole numbers.
    people : walks, ≥ 1.

    Raises
    ------
    TypeError : ``rng`` is no Generator. ValueError : another ``n``, or no people.
    """
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng: expected a numpy.random.Generator, got {type(rng).__name__}")
    root = math.isqrt(n) if n > 0 else 0
    if root * root != n or root % 4 or not root:
        raise ValueError(f"n: expected the square of a multiple of 4 (16, 64, 144 …), got {n!r}")
    if people < 1:
        raise ValueError(f"people: expected at least 1, got {people!r}")
    coins = 2 * rng.integers(0, 2, (people, n)) - 1
    reach = max(3 * root + 1, int(np.abs(coins.cumsum(axis=1)).max()) + 1)
    left, right, end, top, middle = 44.0, 668.0, 560.0, 26.0, 228.0
    dx, dy = (end - left) / n, (middle - top) / reach

    parts = [_path("f-grid", f"M{_n(left)} {_n(middle - k * root * dy)}H{_n(right)}") for k in (-2, -1, 1, 2)]
    parts.append(_path("f-axis", f"M{_n(left)} {_n(middle)}H{_n(right)}M{_n(left)} {_n(top)}V{_n(2 * middle - top)}"))
    # One path each: where many walks meet, the ink adds up.
    walks = "".join(_path("f-walk", _walk(row)) for row in coins)
    parts.append(f'<g transform="translate({_n(left)} {_n(middle)}) scale({dx:.4f} {dy:.4f})">{walks}</g>')
    # in steps of √x, so that the steep beginning is as smooth as the rest
    roots = [root * i / 48 for i in range(49)]
    for sign in (-1, 1):
        parts.append(_path("f-root", _line([(left + r * r * dx, middle + sign * r * dy) for r in roots])))
    for j in (1, 2, 3, 4):
        r = root * j // 4
        parts += [_dot(left + r * r * dx, middle + sign * r * dy) for sign in (-1, 1)]
    parts += _bars(n, root, reach, end + 8, middle, dy)
    for j in (2, 3, 4):
        parts.append(
            _text(left + (root * j // 4) ** 2 * dx, 2 * middle - top + 24, str((root * j // 4) ** 2), "middle")
        )
    parts.append(_text(left + 0.78 * (end - left), 2 * middle - top + 24, _italic("n"), "middle"))
    for k in (2, 1, 0, -1, -2):
        parts.append(_text(left - 9, middle - k * root * dy + 4.5, f"{k * root}".replace("-", "−"), "end"))
    parts.append(_key(end - 6, middle - root * dy - 15, f"√{_italic('n')}", "end"))
    parts.append(_key(end - 6, middle + root * dy + 31, f"−√{_italic('n')}", "end"))
    inside = sum(math.comb(n, (n + s) // 2) for s in range(-root, root + 1, 2)) / 2**n
    last = coins.sum(axis=1)
    says = (
        f"{people} x {n} coins; {int((np.abs(last) <= root).sum())} end within {root}, expected {people * inside:.1f}"
    )
    return Drawing("coin_walks", 680, 470, "".join(parts), says)


def _bars(n: int, root: int, reach: int, x: float, middle: float, dy: float) -> Iterable[str]:
    """One bar for each possible last total; a bar is one total high, so the gap between two is closed to a hairline."""
    height, widest = 2 * dy - 2, math.comb(n, n // 2)
    for s in range(-reach + (reach - n) % 2, reach + 1, 2):
        if abs(s) > n or abs(s) >= reach:
            continue
        width = 88 * math.comb(n, (n + s) // 2) / widest
        if width < 0.5:
            continue
        name = "f-bar f-in" if abs(s) <= root else "f-bar"
        yield (
            f'<rect class="{name}" x="{_n(x)}" y="{_n(middle - s * dy - height / 2)}" width="{_n(width)}" '
            f'height="{_n(height)}"/>'
        )


def _walk(coins: Sequence[int]) -> str:
    """One walk as a path in whole steps, with equal steps run together; a head goes up, and up is negative in SVG."""
    path, run, last = ["M0 0"], 0, 0
    for coin in [int(c) for c in coins] + [0]:
        if coin != last and run:
            path.append(f"l{run} {-last * run}" if last < 0 else f"l{run}-{run}")
            run = 0
        last, run = coin, run + 1
    return "".join(path)


def _n(x: float) -> str:
    text = f"{x:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _line(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points)


def _path(name: str, d: str) -> str:
    return f'<path class="{name}" d="{d}"/>'


def _dot(x: float, y: float) -> str:
    return f'<circle class="f-dot" cx="{_n(x)}" cy="{_n(y)}" r="3.4"/>'


def _text(x: float, y: float, text: str, anchor: str, name: str = "f-text") -> str:
    return f'<text class="{name}" x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}">{text}</text>'


def _key(x: float, y: float, text: str, anchor: str) -> str:
    return _text(x, y, text, anchor, "f-text f-key")


def _italic(letter: str) -> str:
    return f'<tspan class="f-it">{letter}</tspan>'
