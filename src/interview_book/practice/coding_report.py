"""The words of a grading: a list of blocks, shown as text or as HTML. Whatever a learner's code said is escaped."""

from __future__ import annotations

import linecache
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from interview_book.practice.coding_words import words
from interview_book.practice.exercises.forms import Exercise, Miss, Probe, Property
from interview_book.practice.judging import Judged, Trouble
from interview_book.practice.resemblance import Likeness
from interview_book.practice.sandbox import Run

SHOWN = 1_200  # signs of what was printed
LINES = 12
DETAILS = 3  # properties that are told with numbers


@dataclass(frozen=True)
class Block:
    """``kind``: head, token, text, fine, code (as it is); item of a list, and its detail and lines (code)."""

    kind: str
    text: str


def text(whole: Sequence[Block]) -> str:
    """All blocks as plain text."""
    lines = []
    for one in whole:
        if one.kind in ("code", "lines"):
            lines += ["    " + line for line in one.text.splitlines()]
        else:
            lines.append({"item": "- ", "detail": "  "}.get(one.kind, "") + one.text.replace("`", ""))
    return "\n".join(lines)


def html(whole: Sequence[Block], language: str) -> str:
    """All blocks as HTML that needs no stylesheet."""
    out: list[str] = []
    listed = False
    for one in whole:
        inside = one.kind in ("item", "detail", "lines")
        if inside != listed:
            out.append("<ul>" if inside else "</ul>")
            listed = inside
        if one.kind in ("detail", "lines"):
            out[-1] = out[-1].removesuffix("</li>") + _SHAPES[one.kind].format(_marked(one)) + "</li>"
        else:
            out.append(_SHAPES[one.kind].format(_marked(one)))
    if listed:
        out.append("</ul>")
    return f'<div class="grade-report" lang="{language}">{"".join(out)}</div>'


_SHAPES = {
    "head": "<p><strong>{}</strong></p>",
    "token": "<p>{}</p>",
    "text": "<p>{}</p>",
    "fine": "<p><small>{}</small></p>",
    "code": "<pre>{}</pre>",
    "item": "<li>{}</li>",
    "detail": "<br><small>{}</small>",
    "lines": "<pre>{}</pre>",
}


def _marked(one: Block) -> str:
    """Code between backticks; everything is escaped."""
    if one.kind in ("code", "lines"):
        return escape(one.text)
    parts = one.text.split("`")
    return "".join(f"<code>{escape(part)}</code>" if at % 2 else escape(part) for at, part in enumerate(parts))


def blocks(
    exercise: Exercise,
    probes: Sequence[Probe],
    run: Run,
    judged: Judged,
    likeness: Likeness | None,
    token: str | None,
    language: str,
    *,
    seconds: float,
    seed: int,
) -> tuple[Block, ...]:
    """Everything that is told about one grading, in the order in which it is told."""
    say, speak = words(language), _Speaker(exercise, probes, language)
    out: list[Block] = []
    if judged.stopped or judged.ready_made:
        out.append(Block("head", say["ungraded"]))
        if judged.ready_made:
            names = say["comma"].join(f"`{name}`" for name in judged.ready_made)
            out.append(Block("text", say["ready-made"].format(names=names)))
        else:
            at = min(len(run.outcomes), len(probes) - 1)
            told = {"inputs": speak.inputs(probes[at]), "seconds": f"{seconds:g}", "detail": run.detail}
            out.append(Block("text", say[f"stopped.{judged.stopped}"].format(**told)))
    elif judged.right:
        out.append(Block("head", say["right"].format(total=judged.total)))
        out.append(Block("token", f"{say['token']}`{token}`"))
        out.append(Block("fine", say["token.do"]))
    else:
        out.append(Block("head", say["wrong"].format(total=judged.total, held=judged.held)))
        if likeness:
            out.append(Block("text", say["likeness" if likeness.wholly else "likeness.ordinary"]))
            out.append(Block("item", likeness.mutant["name"][language]))
            out.append(Block("detail", likeness.mutant["why"][language]))
        out.append(Block("text", say["missed"]))
        out += speak.missed(judged)
        if any(miss and miss.probe == "random" for _, miss in judged.missed):
            out.append(Block("fine", say["seed"].format(seed=seed)))
    if run.missing and not judged.right:
        names = say["comma"].join(f"`{name}`" for name in run.missing)
        out.append(Block("fine", say["missing"].format(names=names)))
    return (*out, *_printed(run, say))


def _printed(run: Run, say: dict[str, str]) -> Iterator[Block]:
    said = "".join(sign if sign.isprintable() or sign in "\n\t" else " " for sign in run.printed).strip("\n")
    if said:
        lines = said[:SHOWN].splitlines()
        cut = run.cut or len(said) > SHOWN or len(lines) > LINES
        yield Block("text", say["printed.cut" if cut else "printed"])
        yield Block("code", "\n".join(lines[:LINES]))


class _Speaker:
    """Sentences about inputs and outputs in one language."""

    def __init__(self, exercise: Exercise, probes: Sequence[Probe], language: str) -> None:
        self._names, self._language, self._words = exercise.arguments, language, words(language)
        self._probes = {one.name: one for one in probes}

    def inputs(self, probe: Probe) -> str:
        """``q (3, 7)、k (5, 7)、v (5, 2)``: names and shapes, the dtype where it is not float64, and large numbers."""
        told = []
        for name, array in zip(self._names, probe.arguments, strict=True):
            dtype = "" if array.dtype.name == "float64" else f" {array.dtype.name}"
            told.append(f"`{name}` {array.shape}{dtype}")
        whole = self._words["comma"].join(told)
        return whole if probe.ordinary else self._words["inputs.large"].format(inputs=whole)

    def trouble(self, one: Trouble) -> Iterator[Block]:
        """One trouble, an exception with the learner's own lines."""
        outcome, kind = one.outcome, one.kind
        key = f"other.{outcome.type}" if f"other.{outcome.type}" in self._words and kind == "other" else kind
        if kind == "raised" and outcome.type == "MemoryError":
            key = "memory"
        told = {
            "inputs": self.inputs(one.probe),
            "type": outcome.type.replace("`", ""),
            "dtype": _dtype(outcome.dtype),
            "got": outcome.shape,
            "want": one.probe.shape,
        }
        changed = [f"`{name}`" for at, name in enumerate(self._names) if at in outcome.changed]
        told["names"] = self._words["comma"].join(changed)
        yield Block("detail", self._words[key].format(**told))
        if key == "raised":
            said = f"{outcome.type}: {outcome.text}".rstrip(": ")
            yield Block("lines", "\n".join([*map(_line, outcome.steps), said]))

    def missed(self, judged: Judged) -> Iterator[Block]:
        """The properties that do not hold, the first ones with numbers, and how many could not be looked at."""
        details = 0
        for one, miss in judged.missed:
            if not isinstance(one, Property):
                yield Block("item", self._words[f"{one}.title"])
                for trouble in judged.troubles:
                    if trouble.key == one:
                        yield from self.trouble(trouble)
            elif miss is not None:
                yield Block("item", one.title[self._language])
                details += 1
                if details <= DETAILS:
                    yield Block("detail", self._miss(miss))
        unseen = sum(isinstance(one, Property) and miss is None for one, miss in judged.missed)
        if unseen:
            yield Block("item", self._words["unseen"].format(count=unseen))

    def _miss(self, miss: Miss) -> str:
        got, want = _apart(miss.got, miss.want)
        told = {"index": f"{list(miss.index)}", "got": got, "want": want}
        told["inputs"] = self.inputs(self._probes[miss.probe])
        return self._words["miss.base" if miss.base else "miss"].format(**told)


def _dtype(name: str) -> str:
    try:
        return np.dtype(name).name
    except TypeError:
        return name.replace("`", "")


def _apart(one: float, other: float) -> tuple[str, str]:
    """Both numbers with six digits, or with as many more as it takes to tell them apart."""
    for digits in range(6, 18):
        pair = tuple(f"{value:.{digits}g}".replace("-", "−") for value in (one, other))
        if pair[0] != pair[1]:
            break
    return pair


def _line(step: tuple[str, int, str]) -> str:
    file, line, name = step
    said = linecache.getline(file, line).strip()[:120]
    return f"line {line}, {name}" + (f": {said}" if said else "")
