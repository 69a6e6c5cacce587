"""Running totals of coins, the picture of why a spread grows like a root."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from numbers import Integral

import numpy as np

from interview_book.checks.arguments import require_count, require_generator
from interview_book.figures.drawing import Drawing, dot, italic, key, line, number, path, text


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
    TypeError : ``rng`` is no Generator, a count no whole number. ValueError : another ``n``, or no people.
    """
    require_generator(rng)
    if isinstance(n, bool) or not isinstance(n, Integral):
        raise TypeError(f"n: expected the square of a multiple of 4 (16, 64, 144 …), got {n!r}")
    require_count("people", people)
    # Whole numbers of Python, which have no end: 2^n of NumPy's would be 0.
    n, people = int(n), int(people)
    root = math.isqrt(n) if n > 0 else 0
    if root * root != n or root % 4 or not root:
        raise ValueError(f"n: expected the square of a multiple of 4 (16, 64, 144 …), got {n!r}")
    coins = 2 * rng.integers(0, 2, (people, n)) - 1
    reach = max(3 * root + 1, int(np.abs(coins.cumsum(axis=1)).max()) + 1)
    left, right, end, top, middle = 44.0, 668.0, 560.0, 26.0, 228.0
    dx, dy = (end - left) / n, (middle - top) / reach

    parts = [
        path("f-grid", f"M{number(left)} {number(middle - k * root * dy)}H{number(right)}") for k in (-2, -1, 1, 2)
    ]
    parts.append(
        path(
            "f-axis",
            f"M{number(left)} {number(middle)}H{number(right)}M{number(left)} {number(top)}V{number(2 * middle - top)}",
        )
    )
    # One path each: where many walks meet, the ink adds up.
    walks = "".join(path("f-walk", _walk(row)) for row in coins)
    parts.append(f'<g transform="translate({number(left)} {number(middle)}) scale({dx:.4f} {dy:.4f})">{walks}</g>')
    # in steps of √x, so that the steep beginning is as smooth as the rest
    roots = [root * i / 48 for i in range(49)]
    for sign in (-1, 1):
        parts.append(path("f-root", line([(left + r * r * dx, middle + sign * r * dy) for r in roots])))
    for j in (1, 2, 3, 4):
        r = root * j // 4
        parts += [dot(left + r * r * dx, middle + sign * r * dy) for sign in (-1, 1)]
    parts += _bars(n, root, reach, end + 8, middle, dy)
    for j in (2, 3, 4):
        parts.append(text(left + (root * j // 4) ** 2 * dx, 2 * middle - top + 24, str((root * j // 4) ** 2), "middle"))
    parts.append(text(left + 0.78 * (end - left), 2 * middle - top + 24, italic("n"), "middle"))
    for k in (2, 1, 0, -1, -2):
        parts.append(text(left - 9, middle - k * root * dy + 4.5, f"{k * root}".replace("-", "−"), "end"))
    parts.append(key(end - 6, middle - root * dy - 15, f"√{italic('n')}", "end"))
    parts.append(key(end - 6, middle + root * dy + 31, f"−√{italic('n')}", "end"))
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
            f'<rect class="{name}" x="{number(x)}" y="{number(middle - s * dy - height / 2)}" width="{number(width)}" '
            f'height="{number(height)}"/>'
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
