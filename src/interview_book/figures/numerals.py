"""Numbers of a table: as many digits as the interval bears, and none that a change of the last bits would move."""

from __future__ import annotations

import math
from collections.abc import Iterable

from interview_book.checks.estimates import Estimate
from interview_book.checks.statements import TOLERANCE

# Decimals beyond which nobody counts zeros.
MOST = 12


def around(x: float) -> tuple[float, float]:
    """Return the ends of what counts as the same number."""
    return x * (1 - 1.001 * TOLERANCE), x * (1 + 1.001 * TOLERANCE)


def stable_decimals(numbers: Iterable[float], least: int) -> int:
    """Return the fewest decimals from ``least`` on at which none of ``numbers`` lies on the edge of two roundings."""
    numbers = list(numbers)
    for decimals in range(least, least + 6):
        if all(len({f"{end:.{decimals}f}" for end in around(x)}) == 1 for x in numbers):
            return decimals
    return least


def decimals_for(e: Estimate) -> int:
    """Return the decimals of an estimate: half its interval is 5 to 50 units of the last one."""
    half = (e.high - e.low) / 2
    if not (half > 0 and all(map(math.isfinite, (e.value, e.low, e.high)))):
        return stable_decimals([e.value], 4)
    # The length of an interval is known less well than its ends: a difference of near numbers.
    slack = 2 * TOLERANCE * (abs(e.value) + half)
    least = max(-math.floor(math.log10(max(end, half / 10) / 5)) for end in (half - slack, half + slack))
    return stable_decimals((e.value, e.low, e.high), min(MOST, max(0, least)))


def written(x: float, decimals: int) -> str:
    """Write a number with comma and U+2212, and no minus before zeros."""
    digits = f"{x:,.{decimals}f}"
    if not float(digits.replace(",", "")):
        digits = digits.lstrip("-")
    return digits.replace("-", "\u2212")


def exactly(x: float, decimals: int) -> str:
    """Write a theory: in full where at most six digits say it, else to ``decimals`` or more."""
    if x == 0:
        return "0"
    if abs(x) < 1e15:
        for few in range(MOST + 1):
            short = f"{x:.{few}f}"
            if len(short.strip("-0.").replace(".", "").rstrip("0")) > 6:
                break
            # Wider than the change that must not show: what was 64 before it still is.
            if math.isclose(float(short), x, rel_tol=4 * TOLERANCE):
                return written(float(short), few)
    return written(x, stable_decimals([x], decimals))


def z_written(e: Estimate) -> str:
    """Write z in ASCII, to two decimals or to as many as a relative 1e−9 of the numbers in it leaves alone."""
    if math.isinf(e.z):
        return f"{e.z}"
    error = abs((e.value - e.theory) / e.z) if e.z else math.inf
    slack = abs(e.z) * TOLERANCE + TOLERANCE * (abs(e.value) + abs(e.theory)) / error
    decimals = next((d for d in (2, 3, 4, 1) if len({f"{end:.{d}f}" for end in (e.z - slack, e.z + slack)}) == 1), 0)
    digits = f"{e.z:.{decimals}f}"
    return digits if float(digits) else digits.lstrip("-")
