"""The gradient in a raw score of two positions, with and without a divisor."""

from __future__ import annotations

from interview_book.checks.arguments import require_real
from interview_book.checks.two_positions import crossover, raw_gradient
from interview_book.figures.drawing import DASHED, Drawing, dot, italic, key, line, number, path, text


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
    TypeError : no real number. ValueError : a divisor of at most 1, or a reach that leaves a mark outside.
    """
    for name, one in (("gap", gap), ("divisor", divisor), ("reach", reach)):
        require_real(name, one)
    if not divisor > 1:
        raise ValueError(f"divisor: expected a finite number above 1, got {divisor!r}; try 2")
    meeting = crossover(divisor)
    if not (0 < gap <= reach and meeting < reach):
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

    parts = [
        path("f-grid", f"M{number(left)} {number(at(0, g)[1])}H{number(right)}") for g in (0.05, 0.1, 0.15, 0.2, 0.25)
    ]
    parts.append(f'<path class="f-bar" fill-opacity=".45" d="{line(area)}Z"/>')
    parts.append(path("f-axis", f"M{number(left)} {number(top - 12)}V{number(bottom)}H{number(right)}"))
    cross, low, high = (
        at(meeting, raw_gradient(meeting)),
        at(gap, raw_gradient(gap)),
        at(gap, raw_gradient(gap, divisor)),
    )
    parts.append(path("f-tie", f"M{number(cross[0])} {number(cross[1])}V{number(bottom)}"))
    parts.append(path("f-tie", f"M{number(low[0])} {number(high[1])}V{number(bottom)}"))
    parts.append(f'<path class="f-root" {DASHED} d="{line(divided)}"/>')
    parts.append(path("f-root", line(plain)))
    parts += [dot(*point) for point in (cross, low, high)]

    step = 2
    while reach > 6 * step:
        step *= 2
    for d in range(0, int(reach) + 1, step):
        if abs(d - meeting) > reach / 14:
            parts.append(text(at(d, 0)[0], bottom + 26, str(d), "middle"))
    parts.append(key(cross[0], bottom + 28, f"{meeting:.2f}", "middle"))
    parts.append(text(left + 0.875 * (right - left), bottom + 26, italic("D"), "middle"))
    for g in (0, 0.05, 0.1, 0.15, 0.2, 0.25):
        parts.append(text(left - 10, at(0, g)[1] + 4.5, f"{g:.2f}" if g else "0", "end"))
    parts.append(text(left + 10, top - 14, f"{italic('p')}(1 − {italic('p')})/{italic('c')}", "start"))
    # each name beside its own curve, on the side where the other is not
    one, two = at(1.15, raw_gradient(1.15)), at(0.12 * reach, raw_gradient(0.12 * reach, divisor))
    parts.append(key(one[0] + 14, one[1] - 6, f"{italic('c')} = 1", "start"))
    parts.append(key(two[0] - 22, two[1] + 40, f"{italic('c')} = {divisor:g}", "middle"))
    parts.append(text(high[0] + 14, high[1] - 8, f"{raw_gradient(gap, divisor):.4f}", "start"))
    parts.append(text(low[0] - 11, bottom - 7, f"{raw_gradient(gap):.4f}", "end"))
    says = (
        f"D* = {meeting:.5f}; p(1-p)/c at D = {gap:g}: {raw_gradient(gap):.6f} for c = 1, "
        f"{raw_gradient(gap, divisor):.6f} for c = {divisor:g}"
    )
    return Drawing("gradient_crossing", 646, 396, "".join(parts), says)
