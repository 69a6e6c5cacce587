"""Parametrised ``number`` items: any seed gives parameters, an answer and distractors, always the same ones."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from interview_book.practice import soft_lookup, two_scores, why_sqrt_dk
from interview_book.practice.generators import Generator, Parameters
from interview_book.practice.tolerances import Tolerance

GENERATORS: dict[str, Generator] = {one.name: one for one in (*soft_lookup.ALL, *two_scores.ALL, *why_sqrt_dk.ALL)}
PAGE_SEEDS = range(20)  # precomputed on the page; a notebook takes any


@dataclass(frozen=True)
class Item:
    """One drawn item: ``parameters``, the right ``answer``, and ``distractors`` by name of the mistake."""

    generator: str
    seed: int
    parameters: Parameters
    answer: float
    distractors: Mapping[str, float]
    tolerance: Tolerance

    def words(self) -> dict[str, str]:
        """What stands for each placeholder: the parameters and ``answer``, as ASCII numbers."""
        return {
            **{name: str(value) for name, value in self.parameters.items()},
            "answer": self.tolerance.show(self.answer),
        }


def _separate(values: list[float], tolerance: Tolerance) -> bool:
    """True when every pair differs by more than twice the tolerance (nothing typed fits both) and looks different."""
    if not all(math.isfinite(value) for value in values):
        return False
    apart = all(
        abs(one - two) > tolerance.margin(one) + tolerance.margin(two)
        for index, one in enumerate(values)
        for two in values[:index]
    )
    return apart and len({tolerance.show(value) for value in values}) == len(values)


@lru_cache(maxsize=64)
def _usable(generator: Generator, tolerance: Tolerance) -> tuple[tuple[Parameters, float, dict[str, float]], ...]:
    """The grid without the sets whose distractors cannot be told from the answer, in an order that looks drawn."""
    found = []
    for parameters in generator.grid:
        answer = generator.answer(parameters)
        wrong = {name: formula(parameters) for name, formula in generator.mistakes.items()}
        if _separate([answer, *wrong.values()], tolerance):
            found.append((parameters, answer, wrong))

    # A hash instead of a generator of random numbers: no library version can change the order, and no seed repeats
    # before all are used.
    def key(entry: tuple[Parameters, float, dict[str, float]]) -> bytes:
        words = ",".join(f"{name}={value}" for name, value in entry[0].items())
        return hashlib.sha256(f"{generator.name}:{words}".encode()).digest()

    return tuple(sorted(found, key=key))


def item(generator: Generator | str, seed: int, tolerance: Tolerance) -> Item:
    """Draw the item of ``seed`` (any whole number).

    The same seed gives the same item, and distractors never come within the tolerance of the answer or of each other.
    ``ValueError`` for an unknown generator, a seed that is no whole number, or a tolerance too wide to keep them apart.
    """
    if isinstance(generator, str):
        if generator not in GENERATORS:
            raise ValueError(
                f"expected a generator of {', '.join(sorted(GENERATORS))}, got {generator!r}; mend the name"
            )
        generator = GENERATORS[generator]
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise ValueError(f"expected a whole number as seed, got {seed!r}; give for example 0")
    usable = _usable(generator, tolerance)
    if not usable:
        raise ValueError(
            f"{generator.name}: expected a tolerance that separates the mistakes, got {tolerance}; narrow it"
        )
    parameters, answer, wrong = usable[seed % len(usable)]
    return Item(generator.name, seed, dict(parameters), answer, dict(wrong), tolerance)


def draw(question: Mapping, seed: int = 0) -> Item:
    """Draw the item of a ``number`` question."""
    return item(question["generator"], seed, Tolerance.of(question["tolerance"]))


_MATHS = re.compile(r"(?<!\\)(\$[^$]*\$)")


def fill(text: str, words: Mapping[str, str]) -> str:
    """Put ``words`` for the placeholders ``<name>`` of ``text``; a minus is U+2212 outside ``$…$``. Others stay."""

    def put(part: str, maths: bool) -> str:
        def one(match: re.Match[str]) -> str:
            word = words.get(match[1])
            if word is None:
                return match[0]
            return word if maths else word.replace("-", "−")

        return re.sub(r"<([a-z][a-z0-9_]*)>", one, part)

    return "".join(put(part, index % 2 == 1) for index, part in enumerate(_MATHS.split(text)))
