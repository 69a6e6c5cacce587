"""The scaling lab: d_k, Keys, spread and correlation of Query and Key, and a divisor; scores and weights follow.

Every number is measured by :mod:`~interview_book.widgets.scaling_data`; the page looks them up, and takes the softmax
of the one row it draws.
"""

from __future__ import annotations

import html
import json
import math
from collections.abc import Mapping
from numbers import Real
from pathlib import Path

import anywidget
import numpy as np
import traitlets

from interview_book.widgets import scaling_data as data
from interview_book.widgets.named import Checked, require_traits

_HERE = Path(__file__).parent

CHOICES: Mapping[str, tuple] = {
    "d_k": data.SIZES,
    "key_count": data.KEYS,
    "deviation": data.DEVIATIONS,
    "correlation": data.CORRELATIONS,
    "divisor": data.DIVISORS,
}
LANGUAGES = ("ja", "zh-Hant")


class ScalingLab(anywidget.AnyWidget):
    """The widget. ``ScalingLab()`` starts as the book does: d_k = 64, 64 Keys, σ = 1, ρ = 0, divided by √d_k.

    Parameters
    ----------
    d_k : features of Query and Key: 1, 4, 16, 64, 256 or 1024.
    key_count : n, Keys of a row: 4, 16, 64 or 256.
    deviation : σ, standard deviation of the components of Query and Key: 0.5, 1, 1.5 or 2.
    correlation : ρ of q_i and k_i, the same for every Key: 0, 0.1, 0.3 or 0.6.
    divisor : ``"none"``, ``"sqrt"`` (√d_k), ``"d_k"``, ``"8"``, or ``"sqrt_d_model"`` (√(8 d_k), with 8 heads).
    language : ``"ja"`` or ``"zh-Hant"``, of the words in a notebook; on a page of the book the page decides.

    The first widget of a process measures for some seconds.

    Raises
    ------
    traitlets.TraitError : a value that is none of these; the widget keeps its old state. TypeError : a name that is
    none of these.
    """

    _esm = _HERE / "scaling_lab.js"
    _css = _HERE / "scaling_lab.css"

    d_k = Checked(64).tag(sync=True)
    # Not «keys»: every widget keeps the names of its synchronised traits there.
    key_count = Checked(64).tag(sync=True)
    deviation = Checked(1).tag(sync=True)
    correlation = Checked(0).tag(sync=True)
    divisor = Checked("sqrt").tag(sync=True)
    language = Checked("ja").tag(sync=True)
    measured = traitlets.Dict(read_only=True).tag(sync=True)

    def __init__(
        self,
        d_k: int = 64,
        key_count: int = 64,
        deviation: float = 1,
        correlation: float = 0,
        divisor: str = "sqrt",
        language: str = "ja",
        **more: object,
    ) -> None:
        state = {
            "d_k": d_k,
            "key_count": key_count,
            "deviation": deviation,
            "correlation": correlation,
            "divisor": divisor,
        }
        require_traits(self, more, CHOICES)
        super().__init__(**state, language=language, **more)

    # Asked for when the view opens, after the state was checked.
    @traitlets.default("measured")
    def _measure(self) -> dict:
        return data.measured()

    @traitlets.validate(*CHOICES)
    def _check_choice(self, proposal: Mapping) -> float | str:
        return _chosen(proposal["trait"].name, proposal["value"])

    @traitlets.validate("language")
    def _check_language(self, proposal: Mapping) -> str:
        if not isinstance(proposal["value"], str) or proposal["value"] not in LANGUAGES:
            raise traitlets.TraitError(f"language: expected 'ja' or 'zh-Hant', got {proposal['value']!r}")
        return str(proposal["value"])

    # A page may send the state back, but no numbers of its own.
    @traitlets.validate("measured")
    def _check_measured(self, proposal: Mapping) -> dict:
        if proposal["value"] != data.measured():
            raise traitlets.TraitError("measured: expected what Python measured, got something else; leave it out")
        return data.measured()

    @property
    def state(self) -> dict:
        """The five controls, by name."""
        return {name: getattr(self, name) for name in CHOICES}

    @property
    def reading(self) -> dict:
        """What the widget shows for its present state; see :func:`scaling_data.reading`."""
        return data.reading(self.measured, **self.state)

    def _repr_mimebundle_(self, **kwargs: object) -> tuple[dict, dict]:
        bundle, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**bundle, "text/plain": repr(self), "text/html": self._html()}, metadata

    def __repr__(self) -> str:
        return f"ScalingLab({', '.join(f'{name}={json.dumps(value)}' for name, value in self.state.items())})"

    def _html(self) -> str:
        """The element that the book's pages bring to life, with its data and a table for those without scripts."""
        state = json.dumps({**self.state, "measured": self.measured}, separators=(",", ":"))
        # No tag can begin inside a script element, whatever the data becomes.
        state = state.replace("<", "\\u003c")
        return (
            f'<div class="book-widget" data-widget="scaling_lab"><script type="application/json">{state}</script>'
            f"{_tables(self.state, self.reading)}</div>"
        )


def _chosen(name: str, value: object) -> float | str:
    """Return the choice that equals ``value``, as a plain Python number or string."""
    choices = CHOICES[name]
    text = isinstance(choices[0], str)
    if isinstance(value, str if text else Real) and not isinstance(value, (bool, np.bool_)):
        for one in choices:
            if one == value:
                return one
    listed = ", ".join(json.dumps(one) for one in choices)
    near = ""
    # A comparison, because a whole number may be too large to be made a float.
    if not text and isinstance(value, Real) and not isinstance(value, (bool, np.bool_)) and -1e9 < value < 1e9:
        near = f"; the nearest is {min(choices, key=lambda one: abs(one - value)):g}"
    raise traitlets.TraitError(f"{name}: expected one of {listed}, got {value!r}{near}")


def _tables(state: Mapping, now: Mapping) -> str:
    n, theory = state["key_count"], now["theory"]
    setting = (
        f"<var>d<sub>k</sub></var> = {state['d_k']:,}, <var>n</var> = {n}, σ = {state['deviation']}, "
        f"ρ = {state['correlation']}, <var>c</var> = {_shown(now['c'])}"
    )
    scores = _table(
        f"{_both('スコア', '分數')} <var>s</var>/<var>c</var> ({setting})",
        (_both("実測値", "實測值"), _both("理論値", "理論值")),
        [
            (_both("平均", "平均值"), now["mean"], theory["mean"]),
            (_both("標準偏差", "標準差"), now["deviation"], theory["deviation"]),
        ],
    )
    weights = _table(
        f"{_both('重み', '權重')} <var>p</var>",
        (_both("多くの行（row）の平均", "許多列（row）的平均值"), _both("一様なら", "均勻的話")),
        [
            (_both("最大の重み", "最大的權重"), now["mean_row"]["largest"], 1 / n),
            (_both("エントロピー（ナット）", "熵（nat）"), now["mean_row"]["entropy"], math.log(n)),
        ],
    )
    return scores + weights


def _table(caption: str, head: tuple[str, str], rows: list[tuple[str, float, float]]) -> str:
    columns = "".join(f'<th scope="col">{name}</th>' for name in head)
    body = "".join(
        f'<tr><th scope="row">{name}</th><td class="num">{_shown(one)}</td><td class="num">{_shown(other)}</td></tr>'
        for name, one, other in rows
    )
    return f"<table><caption>{caption}</caption><thead><tr><td></td>{columns}</tr></thead><tbody>{body}</tbody></table>"


def _both(ja: str, zh: str) -> str:
    return f'<span lang="ja">{html.escape(ja)}</span><span lang="zh-Hant">{html.escape(zh)}</span>'


def _shown(x: float) -> str:
    """To three significant digits, with the minus of the book."""
    mantissa, _, exponent = f"{x:.3g}".partition("e")
    power = f"×10<sup>{int(exponent)}</sup>" if exponent else ""
    return (mantissa + power).replace("-", "−")
