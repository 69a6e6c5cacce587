"""How near a typed number must come, and how many digits of a right one are shown."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

# Nearer than this is rounding of binary fractions: 0.8805 typed for 0.880 must not hang on the last bit.
_SLACK = 1e-9


@dataclass(frozen=True)
class Tolerance:
    """``kind`` is absolute, relative or significant (digits); ``size`` its number."""

    kind: str
    size: float

    @classmethod
    def of(cls, record: Mapping[str, float]) -> Tolerance:
        """From ``{absolute: 0.001}``, ``{relative: 0.01}`` or ``{significant: 3}`` of a valid question."""
        ((kind, size),) = record.items()
        return cls(kind, size)

    def margin(self, right: float) -> float:
        """The largest distance from ``right`` that still counts.

        Absolute: ``size``. Relative: ``size`` of ``|right|``. Significant: half a unit of the last of ``size`` digits.
        """
        if self.kind == "absolute":
            return self.size
        if self.kind == "relative":
            return self.size * abs(right)
        if right == 0:
            return 0.0
        return 0.5 * 10.0 ** (_exponent(right, int(self.size)) - int(self.size) + 1)

    def holds(self, typed: float, right: float) -> bool:
        """True when ``typed`` counts as ``right``."""
        margin = self.margin(right)
        return abs(typed - right) <= margin + _SLACK * max(margin, abs(right))

    def show(self, value: float) -> str:
        """``value`` in ASCII with as many digits as the tolerance asks for: a shown answer always holds itself."""
        if self.kind == "absolute":
            digits = max(0, math.ceil(-math.log10(self.size) - _SLACK))
            text = f"{value:.{digits}f}"
        else:
            digits = (
                int(self.size) if self.kind == "significant" else max(2, math.ceil(-math.log10(self.size) - _SLACK) + 1)
            )
            if value == 0:
                return "0"
            text = f"{value:.{max(0, digits - 1 - _exponent(value, digits))}f}"
        return text.removeprefix("-") if float(text) == 0 else text


def _exponent(value: float, digits: int) -> int:
    """Power of ten of the first digit of ``value`` after rounding to ``digits`` (0.9996 to three is 1.00)."""
    return int(f"{value:.{digits - 1}e}".split("e")[1])
