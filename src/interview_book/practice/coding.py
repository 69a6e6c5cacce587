"""``grade(question_id, fn)``: is a learner's function right, and if not, what does it do instead?

The function runs in a child process on inputs of many sizes (`sandbox`); its outputs must have the properties of the
exercise (`exercises`); a wrong one is compared with the question's named mistakes (`likeness`). What is told holds
numbers and the learner's own lines, never a solution.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date

import numpy as np

from interview_book.practice import carried, exercises, sandbox, shelf, tokens
from interview_book.practice.coding_report import Block, blocks, html, text
from interview_book.practice.coding_words import words
from interview_book.practice.judging import Judged, judge
from interview_book.practice.resemblance import Likeness, likeness

_NOTHING = sandbox.Run((), "start")


@dataclass(frozen=True)
class Report:
    """What a function was found to be. A notebook shows it as HTML, ``print`` as text, both in ``language``.

    Attributes
    ----------
    question, language : as given.
    right : True when every property holds.
    token : the result token of a right function, else None.
    judged : what was found, property by property.
    run : the outcomes, what was printed, what stopped it.
    likeness : the named mistake it behaves like, if any.
    """

    question: str
    language: str
    right: bool
    token: str | None
    judged: Judged
    run: sandbox.Run = field(repr=False)
    likeness: Likeness | None = field(repr=False)
    blocks: tuple[Block, ...] = field(repr=False)

    def __str__(self) -> str:
        return text(self.blocks)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html(self.blocks, self.language)


def grade(
    question_id: str,
    fn: Callable,
    *,
    seconds: float = 10.0,
    language: str = "ja",
    today: date | None = None,
    seed: int | None = None,
    way: str | None = None,
) -> Report:
    """Grade a function against a question of kind ``code``.

    Parameters
    ----------
    question_id : for example ``"attention.scaled-attention"``.
    fn : the function; it runs in a child process and may use NumPy and the standard library.
    seconds : time limit for all calls together.
    language : of the report, ``"ja"`` or ``"zh-Hant"``.
    today : day in the result token; by default the local date.
    seed : of the one random input; by default another one each time, so that sizes cannot be learned by heart.
    way : how the function gets into the child, see `sandbox.run`.

    Raises
    ------
    ValueError : an unknown question or language, or ``seconds`` out of range. What the function does never raises.
    """
    say = words(language)
    if question_id not in exercises.QUESTIONS:
        known = ", ".join(exercises.QUESTIONS)
        raise ValueError(f"expected a question of kind code ({known}), got {question_id!r}; mend the id")
    with np.errstate(all="ignore"):  # the notebook's own settings may let every underflow raise
        return _graded(question_id, fn, say, seconds, language, today, seed, way)


def _graded(
    question_id: str,
    fn: Callable,
    say: dict[str, str],
    seconds: float,
    language: str,
    today: date | None,
    seed: int | None,
    way: str | None,
) -> Report:
    exercise, question = exercises.exercise(question_id), shelf.question(question_id)
    seed = secrets.randbits(32) if seed is None else seed
    probes = exercise.probes(np.random.Generator(np.random.PCG64(seed)))
    told = {"question": question_id, "function": question["function"], "type": type(fn).__name__}

    def refused(sentence: str) -> Report:
        whole = (Block("head", say["ungraded"]), Block("text", say[sentence].format(**told)))
        return Report(question_id, language, False, None, Judged(stopped=sentence), _NOTHING, None, whole)

    if not callable(fn):
        return refused("callable")
    try:
        run = sandbox.run(fn, [one.arguments for one in probes], seconds=seconds, way=way)
    except carried.Unpackable:
        return refused("unpackable")
    judged = judge(run, probes, exercise.properties(probes))
    found = likeness(run.outcomes, probes, question) if judged.missed else None
    token = tokens.token(question_id, exercise.version, today or date.today()) if judged.right else None
    whole = blocks(exercise, probes, run, judged, found, token, language, seconds=seconds, seed=seed)
    return Report(question_id, language, judged.right, token, judged, run, found, whole)
