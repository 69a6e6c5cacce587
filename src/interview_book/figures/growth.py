"""How the variance of a score grows with d_k, before and after dividing."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
from numbers import Integral

from interview_book.checks.estimates import Estimate
from interview_book.figures.drawing import STYLE, Drawing, italic, key, line, number, path, text

# Symbols, not words: the caption says which law is which.
SYMBOLS = {"normal": "N", "uniform": "U", "rademacher": "±1", "laplace": "L", "student_t": "t"}
SHAPES = ("ring", "square", "triangle", "lozenge", "cross")
TICKS = (1, 4, 16, 64, 256, 1024)
MARKS = (
    ".f-mark{fill:var(--paper);stroke:var(--ink);stroke-width:1.6;stroke-linejoin:round}.f-mark.f-in{fill:var(--ink)}"
    ".f-err{fill:none;stroke:var(--ink-2);stroke-width:1.5}.fig .f-thin{stroke-width:1.75}"
    ".fig .f-sub{font-size:.8em}.fig .f-sub .f-it{font-size:1em}"
)
LEFT, RIGHT = 92.0, 638.0
# Room at both ends for the shapes of d_k = 1 and 1,024 beside one another.
FIRST, LAST = LEFT + 40, RIGHT - 40
# the upper part, logarithmic, and the lower one, which magnifies the middle line
TOP, BOTTOM = 44.0, 324.0
HIGH, LOW = 406.0, 592.0


def variance_growth(measured: Mapping[str, Mapping[int, Estimate]]) -> Drawing:
    """Draw the variance of the raw score ``s``, of ``s/√d_k`` and of ``s/d_k`` over d_k from 1 to 1,024.

    Above, both axes are logarithmic: the lines are the theory d_k, 1 and 1/d_k, the rings what was measured; dividing
    by c divides an estimate and its error by c². There a percent is less than a stroke, so the lower part shows
    ``Var(s/√d_k)`` magnified: each law has a shape of its own and stands beside the others at one d_k, with the
    interval of its estimate, against the theory 1.

    Parameters
    ----------
    measured : law → {d_k: estimate of the variance of the raw score}, one to five laws, drawn in this order. A law is
        a family of ``Components``, student_t with its degrees of freedom: "student_t9".

    Raises
    ------
    ValueError : no law or more than five, an unknown one, a d_k outside 1 to 1,024, a theory that is not d_k, an
    estimate that a logarithmic axis does not hold, an interval whose ends are reversed, several confidences.
    TypeError : no Estimate, no mapping, a law that is no string, a d_k that is no whole number.
    """
    _require(measured)
    ratios = {law: {d: _over(e, d) for d, e in by.items()} for law, by in measured.items()}
    every = [one for by in ratios.values() for one in by.values()]
    reach = _reach(max(max(abs(low - 1), abs(high - 1)) for _, low, high in every))
    parts = [*_scales(), *_theory(), *_rings(measured), *_magnified(ratios, reach), *_legend(measured)]
    ends = [min(value for value, _, _ in every), max(value for value, _, _ in every)]
    covered = sum(low <= 1 <= high for _, low, high in every)
    confidence = next(e.confidence for by in measured.values() for e in by.values())
    says = (
        f"{len(measured)} laws, {len(every)} estimates; Var(s)/d_k from {ends[0]:.4f} to {ends[1]:.4f}, "
        f"{covered} of {len(every)} intervals ({100 * confidence:.10g}%) hold 1"
    )
    return Drawing("variance_growth", 646, 642, "".join(parts), says, STYLE.replace("</style>", f"{MARKS}</style>"))


def _require(measured: Mapping[str, Mapping[int, Estimate]]) -> None:
    if not isinstance(measured, Mapping) or not all(isinstance(by, Mapping) for by in measured.values()):
        raise TypeError("measured: expected a mapping, law → {d_k: Estimate}, got something else")
    if not 1 <= len(measured) <= len(SHAPES):
        raise ValueError(f"measured: expected one to {len(SHAPES)} laws, each has a shape, got {len(measured)}")
    confidences = set()
    for law, by in measured.items():
        _symbol(law)
        if not by:
            raise ValueError(f"measured[{law!r}]: expected estimates by d_k, got none")
        for d_k, e in by.items():
            where = f"measured[{law!r}][{d_k!r}]"
            if not isinstance(e, Estimate):
                raise TypeError(
                    f"{where}: expected an Estimate, got {type(e).__name__}; try variance_estimate(moments)"
                )
            if isinstance(d_k, bool) or not isinstance(d_k, Integral):
                raise TypeError(f"{where}: expected a whole number as d_k, got {d_k!r}")
            if not 1 <= d_k <= TICKS[-1]:
                raise ValueError(f"{where}: expected d_k from 1 to {TICKS[-1]}, where the axis is")
            if e.theory is not None and not math.isclose(e.theory, d_k):
                raise ValueError(f"{where}: expected the variance of the raw score, theory {d_k}, got {e.theory}")
            if not (math.isfinite(e.high) and e.low > 0 and 1 / TICKS[-1] ** 2 < e.value / d_k < TICKS[-1] ** 2):
                raise ValueError(f"{where}: expected an interval above 0, got {e.low} to {e.high}; draw more")
            if e.low > e.high:
                raise ValueError(f"{where}: expected an interval from low to high, got {e.low} to {e.high}")
            confidences.add(e.confidence)
    if len(confidences) > 1:
        raise ValueError(f"measured: expected intervals of one confidence, got {sorted(confidences)}")


def _symbol(law: str) -> str:
    if not isinstance(law, str):
        raise TypeError(f"law: expected {', '.join(SYMBOLS)} with its df (student_t9), got {law!r}")
    found = re.fullmatch(r"(student_t)(\d+)|([a-z]+)", law)
    family = found and (found[1] or found[3])
    if family not in SYMBOLS or (family == "student_t") != bool(found[2]):
        raise ValueError(f"law: expected {', '.join(SYMBOLS)} with its df (student_t9), got {law!r}")
    letter = SYMBOLS[family] if family == "rademacher" else italic(SYMBOLS[family])
    return letter + (_sub(found[2]) if found[2] else "")


def _over(e: Estimate, d_k: int) -> tuple[float, float, float]:
    return e.value / d_k, e.low / d_k, e.high / d_k


def _reach(furthest: float) -> float:
    """Return half the height of the lower part: 1, 2 or 5 of a power of ten."""
    power = 10.0 ** math.floor(math.log10(max(furthest, 1e-4)))
    return next(step * power for step in (1, 2, 5, 10) if furthest * 1.04 <= step * power)


def _x(d_k: float) -> float:
    return FIRST + math.log2(d_k) / 10 * (LAST - FIRST)


def _y(variance: float) -> float:
    return (TOP + BOTTOM) / 2 - math.log2(variance) / 20 * (BOTTOM - TOP)


def _near(ratio: float, reach: float) -> float:
    return (HIGH + LOW) / 2 - (ratio - 1) / reach * (LOW - HIGH) / 2


def _sub(body: str) -> str:
    return f'<tspan class="f-sub" dy="5">{body}</tspan>'


def _scales() -> Iterable[str]:
    for exponent in (10, 5, -5, -10):
        yield path("f-grid", f"M{number(LEFT)} {number(_y(2.0**exponent))}H{number(RIGHT)}")
    yield path(
        "f-axis", f"M{number(LEFT)} {number(TOP - 8)}V{number(BOTTOM)}M{number(LEFT)} {number(HIGH)}V{number(LOW)}"
    )
    for exponent, label in ((10, "1,024"), (5, "32"), (0, "1"), (-5, "1/32"), (-10, "1/1,024")):
        yield text(LEFT - 10, _y(2.0**exponent) + 4.5, label, "end")
    for tick in TICKS:
        yield text(_x(tick), LOW + 34, f"{tick:,}", "middle")
    yield text((_x(256) + _x(1024)) / 2, LOW + 34, italic("d") + _sub(italic("k")), "middle")


def _theory() -> Iterable[str]:
    """Draw the three lines; the flat one is the theory of the lower part too."""
    for power in (1, 0, -1):
        ends = [(_x(d), _y(float(d) ** power)) for d in (1, 1024)]
        yield path("f-root" if power == 0 else "f-root f-thin", line(ends))
    root = italic("d") + _sub(italic("k"))
    x = _x(64)
    yield key(x - 16, _y(64) - 16, f"Var({italic('s')}) = {root}", "end")
    yield key(x + 22, _y(1) - 14, f"Var({italic('s')}/√{root}{_back(')')} = 1", "start")
    yield key(x - 16, _y(1 / 64) + 30, f"Var({italic('s')}/{root}{_back(')')} = 1/{root}", "end")


def _back(body: str) -> str:
    """Return to the line after a subscript."""
    return f'<tspan dy="-5">{body}</tspan>'


def _rings(measured: Mapping[str, Mapping[int, Estimate]]) -> Iterable[str]:
    """Draw each estimate three times; equal rings, of which one hides the others, are drawn once."""
    drawn = {
        (number(_x(d)), number(_y(e.value / d**divided)))
        for by in measured.values()
        for d, e in by.items()
        for divided in (0, 1, 2)
    }
    for x, y in sorted(drawn, key=lambda pair: (float(pair[0]), float(pair[1]))):
        yield f'<circle class="f-dot" cx="{x}" cy="{y}" r="3.4"/>'


def _magnified(ratios: Mapping[str, Mapping[int, tuple[float, float, float]]], reach: float) -> Iterable[str]:
    middle = _near(1, reach)
    digits = max(0, -math.floor(math.log10(reach)))
    for ratio in (1 + reach, 1 - reach):
        yield path("f-grid", f"M{number(LEFT)} {number(_near(ratio, reach))}H{number(RIGHT)}")
        yield text(LEFT - 10, _near(ratio, reach) + 4.5, f"{ratio:.{digits}f}".replace("-", "−"), "end")
    yield path("f-root", line([(LEFT, middle), (RIGHT, middle)]))
    yield text(LEFT - 10, middle + 4.5, "1", "end")
    places = sorted({d for by in ratios.values() for d in by})
    nearest = min((_x(b) - _x(a) for a, b in pairwise(places)), default=RIGHT - LEFT)
    step = min(16.0, 0.85 * nearest / len(ratios))
    for rank, by in enumerate(ratios.values()):
        for d_k in sorted(by):
            value, low, high = by[d_k]
            x = _x(d_k) + (rank - (len(ratios) - 1) / 2) * step
            yield path("f-err", f"M{number(x)} {number(_near(low, reach))}V{number(_near(high, reach))}")
            yield _mark(SHAPES[rank], x, _near(value, reach))


def _legend(measured: Mapping[str, Mapping[int, Estimate]]) -> Iterable[str]:
    width = (RIGHT - LEFT) / len(SHAPES)
    for rank, law in enumerate(measured):
        x = LEFT + 14 + rank * width
        yield _mark(SHAPES[rank], x, HIGH - 36)
        yield text(x + 14, HIGH - 31, _symbol(law), "start")


def _mark(shape: str, x: float, y: float) -> str:
    """Return a shape of about ten units; two of the five are full, so that they differ when small."""
    if shape == "ring":
        return f'<circle class="f-mark" cx="{number(x)}" cy="{number(y)}" r="5"/>'
    if shape == "square":
        return f'<rect class="f-mark f-in" x="{number(x - 4.5)}" y="{number(y - 4.5)}" width="9" height="9"/>'
    corners = {
        "triangle": [(x, y - 6), (x + 5.8, y + 4.4), (x - 5.8, y + 4.4)],
        "lozenge": [(x, y - 6.6), (x + 5.6, y), (x, y + 6.6), (x - 5.6, y)],
    }.get(shape)
    if corners is None:
        d = f"M{number(x - 4.4)} {number(y - 4.4)}l8.8 8.8M{number(x - 4.4)} {number(y + 4.4)}l8.8-8.8"
        return path("f-mark", d)
    return path("f-mark f-in" if shape == "lozenge" else "f-mark", line(corners) + "Z")
