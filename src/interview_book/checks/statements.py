"""``state`` prints a value that the prose quotes, on one stable line.

``interview-book check`` reads these lines from the committed outputs and holds every number of the text against them.
"""

from __future__ import annotations

import math
import re
from numbers import Integral, Real

import numpy as np

from interview_book.checks.estimates import Estimate, Proportion

NAME = re.compile(r"[a-z][a-z0-9_.-]*")
UNIT = re.compile(r"[A-Za-z%][A-Za-z0-9%/^*-]*")
DIGITS = 6
# A relative change of this size must not move a printed digit; the last bits of exp differ between machines.
TOLERANCE = 1e-9


def state(name: str, value: object, unit: str | None = None) -> None:
    """Print ``name = value``, the line that binds a number of the prose.

    A real number is printed to 6 significant digits, without trailing zeros but always with a point; to 7 where 6 would
    lie within a relative 1e−9 of the edge between two roundings. Whole numbers are exact and have no point, truth
    values are ``true`` and ``false``, arrays are written in brackets, row by row, and an
    :class:`~interview_book.checks.estimates.Estimate` with its standard error and interval::

        jacobian.unscaled = 0.0176627
        weights.scaled = [0.880797, 0.119203]
        entropy = 0.365334 nat
        gap.far = 0.14284  se 0.00035  95% [0.14215, 0.14353]  theory 0.14269  z 0.42

    Nothing is remembered between calls, so that a cell can be changed and run again; that two cells of a chapter state
    one name differently is for ``interview-book check`` to find.

    Parameters
    ----------
    name : lower-case words joined by ``.``, ``_`` or ``-``, for example ``jacobian.mean.unscaled``.
    value : number, truth value, array or nested list of them, or Estimate.
    unit : the unit behind a number or array, for example ``nat``.

    Raises
    ------
    TypeError : ``name`` is no text or ``value`` nothing that can be stated.
    ValueError : a name or unit spelt otherwise, NaN or infinity, an empty array, a unit behind an Estimate, an Estimate
    whose standard error is 0 and which has no interval.
    """
    if not isinstance(name, str):
        raise TypeError(f"name: expected text, got {name!r}")
    if not NAME.fullmatch(name):
        raise ValueError(
            f"name: expected lower-case words joined by . _ or -, beginning with a letter, got {name!r}; "
            "try a name like jacobian.mean.unscaled"
        )
    if unit is not None and not (isinstance(unit, str) and UNIT.fullmatch(unit)):
        raise ValueError(f"unit of {name}: expected one word without spaces, got {unit!r}; try nat")
    if isinstance(value, Estimate):
        if unit is not None:
            kind = "a proportion has none" if isinstance(value, Proportion) else "an Estimate is printed without one"
            raise ValueError(f"unit of {name}: {kind}, got {unit!r}; leave the unit out")
        print(f"{name} = {_estimate(name, value)}")
    else:
        print(f"{name} = {_text(name, value)}" + (f" {unit}" if unit else ""))


def _text(name: str, value: object) -> str:
    if isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim):
        if len(value) == 0:
            raise ValueError(f"{name}: expected at least one number, got an empty array")
        return "[" + ", ".join(_text(name, one) for one in value) + "]"
    if isinstance(value, np.ndarray):
        value = value[()]
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Real) or (hasattr(value, "__float__") and not isinstance(value, np.generic)):
        return _number(name, float(value))
    raise TypeError(
        f"{name}: expected a real number, a truth value, an array or an Estimate, got {type(value).__name__} {value!r}"
    )


def _number(name: str, x: float) -> str:
    if not math.isfinite(x):
        raise ValueError(f"{name}: expected a finite number, got {x}; state what the text quotes, not NaN or infinity")
    if x == 0:
        return "0.0"
    # Rounding is monotonic: if both ends agree, so does everything between. An edge between two roundings to 6 digits
    # is the centre of one to 7, so 7 are always enough.
    ends = {f"{end:.{DIGITS}g}" for end in _around(x)}
    digits = ends.pop() if len(ends) == 1 else f"{x:.{DIGITS + 1}g}"
    # With a point even where none is needed: a number without one is exact, and 0.99999998 is not exactly 1.
    return f"{digits}.0" if digits.lstrip("-").isdecimal() else digits


def _around(x: float) -> tuple[float, float]:
    return x * (1 - 1.001 * TOLERANCE), x * (1 + 1.001 * TOLERANCE)


def _estimate(name: str, e: Estimate) -> str:
    """Print an estimate to two digits of its standard error (of a quarter of the interval where that is 0)."""
    error = e.standard_error or (e.high - e.low) / 4
    numbers = [e.value, e.standard_error, e.low, e.high] + ([] if e.theory is None else [e.theory])
    if not (error > 0 and all(map(math.isfinite, numbers))):
        raise ValueError(
            f"{name}: expected an estimate with finite numbers and a standard error above 0, got {e.value} with "
            f"standard error {e.standard_error}; state the number alone if it is exact"
        )
    decimals = _decimals(numbers, max(2, 1 - math.floor(math.log10(error))))
    value, se, low, high, *theory = (_unsigned_zero(x, decimals) for x in numbers)
    line = f"{value}  se {se}  {100 * e.confidence:.10g}% [{low}, {high}]"
    if theory:
        line += f"  theory {theory[0]}  z {_z(e)}"
    return line


def _z(e: Estimate) -> str:
    """Print z to two decimals, or to as many as a relative 1e−9 of the numbers in it leaves alone."""
    # A proportion comes from counts, which are exact; z falls as the theory grows, so the ends are enough.
    values = (e.value,) if isinstance(e, Proportion) else _around(e.value)
    ends = [e.z_against(theory + e.value - value) for value in values for theory in _around(e.theory)]
    decimals = next((d for d in (2, 3, 4, 1) if len({_unsigned_zero(z, d) for z in ends}) == 1), 0)
    return _unsigned_zero(e.z, decimals)


def _unsigned_zero(x: float, decimals: int) -> str:
    text = f"{x:.{decimals}f}"
    return text if float(text) else text.lstrip("-")


def _decimals(numbers: list[float], least: int) -> int:
    """Return the fewest decimals, at least ``least``, at which no number lies on the edge between two roundings."""
    for decimals in range(least, least + 6):
        if all(len({f"{end:.{decimals}f}" for end in _around(x)}) == 1 for x in numbers):
            return decimals
    return least
