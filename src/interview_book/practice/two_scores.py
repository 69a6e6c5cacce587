"""Items on two scores [a, 0] divided by c = √d_k: weight, output, Jacobian entry, ratio of gradients.

Every value comes from the functions the chapter teaches, with the mistake put in where a person makes it.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from interview_book.attention import softmax, softmax_jacobian
from interview_book.practice.generators import Generator, Parameters

_ROOTS = (2, 3, 4, 5)  # c; d_k = c² is a number whose root one knows by heart
# The chapter prints a = 4 with c = 2 and with c = 4; an exercise whose answer stands above it is none, so a/c = 2 and
# a/c = 1 are left out. Above a = 6 the weight without division would be printed as 1.
_SCORES = tuple(
    {"a": a, "c": c, "d_k": c * c}
    for a, c in product((1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6), _ROOTS)
    if a not in (c, 2 * c)
)
_VALUES = ((10, 2), (8, -2), (6, 1), (-3, 5), (2, 12), (20, 10))
_MIXED = tuple({**one, "v1": first, "v2": second} for one, (first, second) in product(_SCORES, _VALUES))


def _weights(a: float, divisor: float) -> np.ndarray:
    """Weights (2,) of the scores [a, 0] after division."""
    return softmax(np.array([a, 0.0]) / divisor)


def _entry(a: float, divisor: float, column: int = 0) -> float:
    """∂p₁/∂z₁ (column 0) or ∂p₁/∂z₂ (column 1) at z = [a, 0] / divisor."""
    return float(softmax_jacobian(_weights(a, divisor))[0, column])


def _mix(p: Parameters, weights: np.ndarray) -> float:
    return float(weights @ np.array([p["v1"], p["v2"]], dtype=float))


def _ratio(p: Parameters, divisor: float) -> float:
    """∂p₁/∂s₁ with the division over the same without it; the chain rule gives 1/divisor."""
    return _entry(p["a"], divisor) / divisor / _entry(p["a"], 1)


weight = Generator(
    name="two-scores.weight",
    grid=_SCORES,
    answer=lambda p: float(_weights(p["a"], p["c"])[0]),
    mistakes={
        "forgot-to-divide": lambda p: float(_weights(p["a"], 1)[0]),
        "divided-by-square": lambda p: float(_weights(p["a"], p["d_k"])[0]),
        "swapped-positions": lambda p: float(_weights(p["a"], p["c"])[1]),
    },
)

output = Generator(
    name="two-scores.output",
    grid=_MIXED,
    answer=lambda p: _mix(p, _weights(p["a"], p["c"])),
    mistakes={
        "forgot-to-divide": lambda p: _mix(p, _weights(p["a"], 1)),
        "swapped-positions": lambda p: _mix(p, _weights(p["a"], p["c"])[::-1]),
        "plain-average": lambda p: (p["v1"] + p["v2"]) / 2,
        "first-value-only": lambda p: float(_weights(p["a"], p["c"])[0]) * p["v1"],
    },
)

jacobian = Generator(
    name="two-scores.jacobian",
    grid=_SCORES,
    answer=lambda p: _entry(p["a"], p["c"]),
    mistakes={
        "forgot-to-divide": lambda p: _entry(p["a"], 1),
        "forgot-complement": lambda p: float(_weights(p["a"], p["c"])[0]),
        "sign-of-off-diagonal": lambda p: _entry(p["a"], p["c"], column=1),
    },
)

gradient_ratio = Generator(
    name="two-scores.gradient-ratio",
    # a ratio next to 1 would not show which of the two is larger
    grid=tuple(one for one in _SCORES if abs(_ratio(one, one["c"]) - 1) > 0.05),
    answer=lambda p: _ratio(p, p["c"]),
    mistakes={
        "forgot-chain-rule": lambda p: _entry(p["a"], p["c"]) / _entry(p["a"], 1),
        "divided-by-square": lambda p: _ratio(p, p["d_k"]),
        "inverted-ratio": lambda p: 1 / _ratio(p, p["c"]),
    },
)

ALL = (weight, output, jacobian, gradient_ratio)
