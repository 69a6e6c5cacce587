"""Two scores, a divisor and two Values that the reader can move: weights, output and gradients follow.

The divisor has three names for d_k = 4: 1 divides nothing, 2 is √d_k, 4 is d_k. The gradient is shown beside the one
without division, because the divided one is not always the larger.
"""

from __future__ import annotations

import html
import json
import math
from collections.abc import Mapping, Sequence
from numbers import Real
from pathlib import Path

import anywidget
import numpy as np
import traitlets

from interview_book.attention import mix, softmax, softmax_jacobian
from interview_book.widgets.named import Checked, require_traits

_HERE = Path(__file__).parent

STEP = 0.5
RANGES: Mapping[str, tuple[float, float]] = {"scores": (-8, 8), "divisor": (0.5, 8), "values": (-20, 20)}
LANGUAGES = ("ja", "zh-Hant")


class TwoScores(anywidget.AnyWidget):
    """The widget. ``TwoScores()`` is the example: scores [4, 0], divided by 2, Values [10, 0].

    Parameters
    ----------
    scores : two raw scores, from −8 to 8 in steps of 0.5.
    divisor : from 0.5 to 8 in steps of 0.5.
    values : two scalar Values, from −20 to 20 in steps of 0.5.
    language : ``"ja"`` or ``"zh-Hant"``, of the words in a notebook; on a page of the book the page decides.

    Raises
    ------
    traitlets.TraitError : a value outside, between two steps, or of another kind; the widget keeps its old state.
    TypeError : a name that is none of these.
    """

    _esm = _HERE / "two_scores.js"
    _css = _HERE / "two_scores.css"

    scores = Checked((4.0, 0.0)).tag(sync=True)
    divisor = Checked(2.0).tag(sync=True)
    values = Checked((10.0, 0.0)).tag(sync=True)
    language = Checked("ja").tag(sync=True)

    def __init__(
        self,
        scores: Sequence[float] = (4, 0),
        divisor: float = 2,
        values: Sequence[float] = (10, 0),
        language: str = "ja",
        **more: object,
    ) -> None:
        require_traits(self, more, RANGES)
        super().__init__(scores=scores, divisor=divisor, values=values, language=language, **more)

    @traitlets.validate("scores", "values")
    def _check_pair(self, proposal: Mapping) -> tuple[float, float]:
        name, pair = proposal["trait"].name, proposal["value"]
        if isinstance(pair, (str, bytes)) or not isinstance(pair, (Sequence, np.ndarray)) or len(pair) != 2:
            raise traitlets.TraitError(f"{name}: expected two numbers, got {pair!r}; try {name}=[4, 0]")
        return _number(f"{name}[0]", pair[0], *RANGES[name]), _number(f"{name}[1]", pair[1], *RANGES[name])

    @traitlets.validate("divisor")
    def _check_divisor(self, proposal: Mapping) -> float:
        return _number("divisor", proposal["value"], *RANGES["divisor"])

    @traitlets.validate("language")
    def _check_language(self, proposal: Mapping) -> str:
        if not isinstance(proposal["value"], str) or proposal["value"] not in LANGUAGES:
            raise traitlets.TraitError(f"language: expected 'ja' or 'zh-Hant', got {proposal['value']!r}")
        return proposal["value"]

    @property
    def reading(self) -> dict:
        """What the widget shows for its present state; see :func:`reading`."""
        return reading(self.scores, self.divisor, self.values)

    def _repr_mimebundle_(self, **kwargs: object) -> tuple[dict, dict]:
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**data, "text/plain": repr(self), "text/html": self._html()}, metadata

    def __repr__(self) -> str:
        state = {name: _plain(getattr(self, name)) for name in RANGES}
        return f"TwoScores({', '.join(f'{name}={json.dumps(value)}' for name, value in state.items())})"

    def _html(self) -> str:
        """The element that the book's pages bring to life, with its data and a table for those without scripts."""
        state = json.dumps({name: _plain(getattr(self, name)) for name in RANGES}, separators=(",", ":"))
        # No tag can begin inside a script element, whatever the data becomes.
        state = state.replace("<", "\\u003c")
        return (
            f'<div class="book-widget" data-widget="two_scores"><script type="application/json">{state}</script>'
            f"{_table(self.scores, self.divisor, self.values)}</div>"
        )


def reading(scores: Sequence[float], divisor: float, values: Sequence[float]) -> dict:
    """Compute what the widget shows, from the book's own functions.

    Returns
    -------
    ``scaled`` and ``unscaled`` (the same with divisor 1), each with ``z`` (scaled scores), ``p`` (weights), ``mixed``
    (weight × Value), ``output``, ``jacobian`` (p(1−p)) and ``gradient`` (p(1−p)/c, in the raw scores); and ``larger``,
    which of the two gradients is: ``"scaled"``, ``"unscaled"`` or ``"tie"``. JSON types only.
    """
    both = {}
    for name, c in (("scaled", float(divisor)), ("unscaled", 1.0)):
        z = np.array([[float(s) for s in scores]]) / c
        p = softmax(z)
        v = np.array([[float(one)] for one in values])
        slope = float(softmax_jacobian(p)[0, 0, 0])
        both[name] = {
            "z": z[0].tolist(),
            "p": p[0].tolist(),
            "mixed": (p[0] * v[:, 0]).tolist(),
            "output": float(mix(p, v)[0, 0]),
            "jacobian": slope,
            "gradient": slope / c,
        }
    gap = both["scaled"]["gradient"] - both["unscaled"]["gradient"]
    tie = abs(gap) <= 1e-12 * both["unscaled"]["gradient"]
    return {**both, "larger": "tie" if tie else "scaled" if gap > 0 else "unscaled"}


def _number(name: str, x: object, low: float, high: float) -> float:
    if isinstance(x, (bool, np.bool_)) or not isinstance(x, Real) or not math.isfinite(x) or not low <= x <= high:
        raise traitlets.TraitError(f"{name}: expected a number from {low:g} to {high:g}, got {x!r}")
    if x % STEP:
        near = round(x / STEP) * STEP
        raise traitlets.TraitError(f"{name}: expected a multiple of {STEP}, got {x!r}; the nearest is {near:g}")
    return float(x) + 0.0  # + 0.0 makes −0.0 a plain 0


def _plain(x: float | Sequence[float]) -> object:
    """Return the number as JSON writes it shortest: 4 and not 4.0."""
    return [_plain(one) for one in x] if isinstance(x, (list, tuple)) else int(x) if x == int(x) else x


def _table(scores: Sequence[float], divisor: float, values: Sequence[float]) -> str:
    now = reading(scores, divisor, values)["scaled"]
    rows = [
        ("<var>s</var>", [_shown(s) for s in scores], ""),
        (f"<var>s</var>/{_shown(divisor)}", [_shown(z) for z in now["z"]], ""),
        (_both("重み", "權重") + " <var>p</var>", [_shown(p) for p in now["p"]], "1"),
        ("Value <var>v</var>", [_shown(v) for v in values], ""),
        (
            "<var>p</var> <var>v</var>",
            [_shown(m) for m in now["mixed"]],
            f"{_both('出力', '輸出')} {_shown(now['output'])}",
        ),
        (_both("ヤコビ行列", "雅可比矩陣") + " <var>p</var>(1 − <var>p</var>)", [_shown(now["jacobian"])] * 2, ""),
        (
            _both("勾配", "梯度") + f" <var>p</var>(1 − <var>p</var>)/{_shown(divisor)}",
            [_shown(now["gradient"])] * 2,
            "",
        ),
    ]
    head = "".join(f'<th scope="col">{name}</th>' for name in ("Key", "1", "2", "Σ"))
    body = "".join(
        f'<tr><th scope="row">{name}</th>'
        + "".join(f'<td class="num">{cell}</td>' for cell in (*cells, total))
        + "</tr>"
        for name, cells, total in rows
    )
    caption = _both("二つの Key のスコア、重み、出力", "兩個 Key 的分數、權重與輸出")
    return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _both(ja: str, zh: str) -> str:
    return f'<span lang="ja">{html.escape(ja)}</span><span lang="zh-Hant">{html.escape(zh)}</span>'


def _shown(x: float) -> str:
    """To three significant digits, with the minus of the book."""
    mantissa, _, exponent = f"{x:.3g}".partition("e")
    power = f"×10<sup>{int(exponent)}</sup>" if exponent else ""
    return (mantissa + power).replace("-", "−")
