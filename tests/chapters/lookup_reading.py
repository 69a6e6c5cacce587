"""What a committed chapter shows, read from its JSON: the stated lines by name, and the other outputs by kind."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace

CHAPTER = Path(__file__).parents[2] / "chapters" / "soft-lookup.ipynb"
NUMBER = r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?"
LINE = re.compile(rf"(?P<name>[a-z][a-z0-9_.-]*) = (?P<value>true|false|\[.*\]|{NUMBER})(?: (?P<unit>[A-Za-z%]\S*))?")


# Symbolic proofs, which SymPy verifies; their tests stand with the modules that make them.
PROOFS = ("Derivation", "Bound")


@dataclass(frozen=True)
class Number:
    """A printed number: its text, its value and the worth of one unit of its last digit."""

    text: str
    value: float
    unit: float

    @classmethod
    def of(cls, text: str) -> Number:
        plain = text.replace(",", "").replace("−", "-")
        mantissa, _, exponent = plain.partition("e")
        decimals = len(mantissa.partition(".")[2])
        return cls(text, float(plain), 10.0 ** (int(exponent or 0) - decimals))


@dataclass(frozen=True)
class Statement:
    """One stated line: a Number, a truth value, or lists of them, and the unit behind it."""

    value: Number | bool | list
    unit: str | None


def value_of(text: str) -> Number | bool | list:
    """Read what stands behind « = »: a number, a truth value, or a list of such in brackets."""
    if text in ("true", "false"):
        return text == "true"
    if not text.startswith("["):
        assert re.fullmatch(NUMBER, text), f"a value that this file cannot read: {text!r}"
        return Number.of(text)
    parts, depth, start = [], 0, 1
    for i, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if (letter == "," and depth == 1) or depth == 0:
            parts.append(value_of(text[start:i].strip()))
            start = i + 1
    return parts


def leaves(value) -> Iterator:
    """Yield the numbers and truth values of nested lists, in their order."""
    if isinstance(value, list):
        for one in value:
            yield from leaves(one)
    else:
        yield value


def joined(text) -> str:
    return text if isinstance(text, str) else "".join(text)


@cache
def committed_text() -> str:
    return CHAPTER.read_text(encoding="utf-8")


def outputs(notebook: dict) -> Iterator[dict]:
    for cell in notebook["cells"]:
        yield from cell.get("outputs", ())


def lines_of(lines: Iterable[str]) -> dict[str, Statement]:
    """Read stated lines, each name once."""
    found: dict[str, Statement] = {}
    for line in lines:
        match = LINE.fullmatch(line)
        assert match, f"a line that this file cannot read: {line!r}"
        assert match["name"] not in found, f"stated twice: {match['name']}"
        found[match["name"]] = Statement(value_of(match["value"]), match["unit"])
    return found


def read(notebook: dict) -> SimpleNamespace:
    """Return the statements by name, the LaTeX of proofs by their left sides, and what else is shown by its kind."""
    lines, formulas, shown = [], {}, {}
    for output in outputs(notebook):
        if output["output_type"] == "stream":
            lines += joined(output["text"]).splitlines()
            continue
        plain = joined(output["data"]["text/plain"])
        kind = re.match(r"\w+", plain)[0]
        if kind in PROOFS:
            tex = joined(output["data"]["text/latex"])
            formulas[re.sub(r"^[\s$]*\\begin\{aligned\}|&.*", "", tex, flags=re.DOTALL).strip()] = tex
            continue
        assert kind not in shown, f"shown twice: {kind}"
        shown[kind] = {name: joined(text) for name, text in output["data"].items()}
    return SimpleNamespace(statements=lines_of(lines), formulas=formulas, shown=shown)


@cache
def committed() -> SimpleNamespace:
    return read(json.loads(committed_text()))


@cache
def stated_lines() -> dict[str, str]:
    """Return every stated line by its name."""
    lines = [
        line
        for output in outputs(json.loads(committed_text()))
        if output["output_type"] == "stream"
        for line in joined(output["text"]).splitlines()
    ]
    found = {line.split(" = ")[0]: line for line in lines}
    assert len(found) == len(lines)
    return found


def with_line(name: str, put: str | None) -> dict[str, Statement]:
    """Read the statements once more, with another line in the place of one of them, or none (None)."""
    lines = {**stated_lines(), name: put}
    text = "".join(f"{line}\n" for line in lines.values() if line)
    return read({"cells": [{"outputs": [{"output_type": "stream", "text": text}]}]}).statements


def agrees(found: Number, own: float | int) -> bool:
    """A whole number must be exact and have no point; any other agrees in all six printed digits.

    1.1e-9 of the number is left to the last bits of exp, as the book's own rule of printing has it.
    """
    if isinstance(own, int):
        return found.text == str(own)
    unit = 10.0 ** (math.floor(math.log10(abs(own))) - 5) if own else 0.0
    half = 0.5 * min(unit, max(found.unit, unit)) + 1.1e-9 * abs(own)
    return bool(re.search("[.e]", found.text)) and abs(found.value - own) <= half
