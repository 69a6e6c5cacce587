"""Attention in six steps over a few tokens: inputs, projections, scores, softmax, mixing, all Queries at once.

``Stepper()`` is the lesson, two sentences with one ``bank``; ``Stepper(tokens, X, W_q, W_k, W_v)`` takes any tokens.
Python computes every value by :mod:`~interview_book.widgets.stepper_data`; the page computes anew what a reader edits.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from numbers import Real
from pathlib import Path

import anywidget
import numpy as np
import traitlets

from interview_book.widgets import deck_files, stepper_tables
from interview_book.widgets import stepper_data as data
from interview_book.widgets.named import Checked, require_traits
from interview_book.widgets.stepper_inputs import matrix

_HERE = Path(__file__).parent

STEPS = 6
CONTROLS = ("sentence", "mode", "query", "step", "computed")
LANGUAGES = ("ja", "zh-Hant")


class Stepper(anywidget.AnyWidget):
    """The widget. ``Stepper()`` starts as the book does: by the river bank, scaled, the Query of bank, step 1.

    Parameters
    ----------
    tokens : one to twelve strings of your own, which may repeat. Without them it is the lesson, and ``X``, ``W_q``,
        ``W_k``, ``W_v`` and ``features`` are left out too.
    X : embeddings, ``(n, d_model)``, one row a token.
    W_q, W_k : ``(d_model, d_k)``. W_v : ``(d_model, d_v)``. No size above 16, no number beyond ±1000.
    features : names of the d_model features, for the page.
    sentence : ``"river"`` or ``"savings"`` in the lesson, else ``"own"``.
    mode : ``"scaled"`` divides the scores by √d_k, ``"raw"`` does not, ``"uniform"`` gives every Key the same weight.
    query : the row of the token that asks; without it, the last.
    step : 1 to 6. computed : how many Queries step 6 has computed, from the first on; without it, all.
    language : ``"ja"`` or ``"zh-Hant"``, of the words in a notebook; on a page of the book the page decides.

    Attributes
    ----------
    X : the table of embeddings as it is now; an entry may be edited here and on the page. In the lesson its rows are
        ``by, at, the, river, savings, bank``, because the sentences share two words.
    given : what the page knows from the start, see :func:`stepper_data.lesson`; read only.

    Raises
    ------
    TypeError, ValueError : tokens or matrices that cannot be used; the message names them and their shapes.
    traitlets.TraitError : a control or an edited ``X`` that cannot be; the widget keeps its old state.
    RuntimeError : the widget's module is missing and cannot be made; the message says what to do.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    sentence = Checked("river").tag(sync=True)
    mode = Checked("scaled").tag(sync=True)
    query = Checked(3).tag(sync=True)
    step = Checked(1).tag(sync=True)
    computed = Checked(4).tag(sync=True)
    X = Checked().tag(sync=True)
    language = Checked("ja").tag(sync=True)
    given = traitlets.Dict(read_only=True).tag(sync=True)

    def __init__(
        self,
        tokens: Sequence[str] | None = None,
        X: Sequence[Sequence[float]] | None = None,
        W_q: Sequence[Sequence[float]] | None = None,
        W_k: Sequence[Sequence[float]] | None = None,
        W_v: Sequence[Sequence[float]] | None = None,
        features: Sequence[str] | None = None,
        *,
        sentence: str | None = None,
        mode: str = "scaled",
        query: int | None = None,
        step: int = 1,
        computed: int | None = None,
        language: str = "ja",
        **more: object,
    ) -> None:
        require_traits(self, more, ("tokens", "X", "W_q", "W_k", "W_v", "features", *CONTROLS))
        own = {"tokens": tokens, "X": X, "W_q": W_q, "W_k": W_k, "W_v": W_v}
        missing = [name for name, value in own.items() if value is None]
        if len(missing) == len(own) and features is None:
            self._given = data.lesson()
        elif missing:
            raise TypeError(
                f"Stepper: expected {', '.join(own)} together, got none for {', '.join(missing)}; give them all, or "
                f"none for the lesson"
            )
        else:
            self._given = data.own(*own.values(), features)
        first = self._given["sentences"][0]
        count = len(first["tokens"])
        super().__init__(
            _esm=deck_files.module("stepper"),
            _css="".join((_HERE / name).read_text(encoding="utf-8") for name in ("stepper.css", "stepper_layout.css")),
            sentence=first["name"] if sentence is None else sentence,
            mode=mode,
            query=count - 1 if query is None else query,
            step=step,
            computed=count if computed is None else computed,
            X=self._given["X"],
            language=language,
            **more,
        )

    @traitlets.default("given")
    def _give(self) -> dict:
        return self._given

    # A page may send the state back, but no values of its own.
    @traitlets.validate("given")
    def _check_given(self, proposal: Mapping) -> dict:
        if proposal["value"] != self._given:
            raise traitlets.TraitError("given: expected what Python computed, got something else; leave it out")
        return self._given

    @traitlets.validate("sentence", "mode", "language")
    def _check_choice(self, proposal: Mapping) -> str:
        name, value = proposal["trait"].name, proposal["value"]
        choices = {"sentence": [one["name"] for one in self._given["sentences"]], "mode": data.MODES}
        known = choices.get(name, LANGUAGES)
        if not isinstance(value, str) or value not in known:
            raise traitlets.TraitError(f"{name}: expected {' or '.join(map(repr, known))}, got {value!r}")
        return str(value)

    @traitlets.validate("query", "step", "computed")
    def _check_count(self, proposal: Mapping) -> int:
        name, value = proposal["trait"].name, proposal["value"]
        # As many tokens in both sentences of the lesson.
        count = len(self._given["sentences"][0]["tokens"])
        low, high = {"query": (0, count - 1), "step": (1, STEPS), "computed": (0, count)}[name]
        whole = isinstance(value, Real) and not isinstance(value, (bool, np.bool_)) and value in range(low, high + 1)
        if not whole:
            raise traitlets.TraitError(f"{name}: expected a whole number from {low} to {high}, got {value!r}")
        return int(value)

    @traitlets.validate("X")
    def _check_table(self, proposal: Mapping) -> list[list[float]]:
        table = self._given["X"]
        try:
            return data.nested(matrix("X", proposal["value"], "(rows, d_model)", (len(table), len(table[0]))))
        except (TypeError, ValueError) as error:
            raise traitlets.TraitError(str(error)) from None

    @property
    def state(self) -> dict:
        """The five controls, by name."""
        return {name: getattr(self, name) for name in CONTROLS}

    @property
    def edited(self) -> bool:
        """Whether an entry of ``X`` differs from the one that was given."""
        table = self.X
        return table != self._given["X"]

    @property
    def reading(self) -> dict:
        """What the widget shows for its present state; see :func:`stepper_data.reading`."""
        return data.reading(self._given, self.X, self.sentence, self.mode, self.query)

    def _repr_mimebundle_(self, **kwargs: object) -> tuple[dict, dict]:
        bundle, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**bundle, "text/plain": repr(self), "text/html": self._html()}, metadata

    def __repr__(self) -> str:
        state = ", ".join(f"{name}={json.dumps(value)}" for name, value in self.state.items())
        if self._given["lesson"]:
            return f"Stepper({state})"
        return f"Stepper({len(self.X)} tokens, d_model={len(self.X[0])}, {state})"

    def _html(self) -> str:
        """The element that the book's pages bring to life, with its data and six tables for those without scripts."""
        state = json.dumps({**self.state, "X": self.X, "given": self._given}, separators=(",", ":"))
        # No tag can begin inside a script element, whatever a token is called.
        state = state.replace("<", "\\u003c")
        return (
            f'<div class="book-widget" data-widget="stepper"><script type="application/json">{state}</script>'
            f"{stepper_tables.tables(self._given, self.reading, self.query, self.mode)}</div>"
        )
