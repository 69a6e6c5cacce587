"""Every figure that «soft-lookup» states, computed again without the book's code and compared digit for digit.

``lookup_facts`` holds the own values by name, ``lookup_reading`` reads the committed outputs. Nothing here is random:
what the chapter draws is drawn again from its seed. Then each printed number is altered, and that must be found.
"""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction
from numbers import Real

import pytest

from tests.chapters import lookup_reading
from tests.chapters.lookup_facts import facts, unit_of
from tests.chapters.lookup_formulas import altered_formulas, formula_faults, own_matrices
from tests.chapters.lookup_own import half_up
from tests.chapters.lookup_reading import (
    Number,
    Statement,
    agrees,
    committed,
    committed_text,
    leaves,
    lines_of,
    read,
    with_line,
)
from tests.chapters.lookup_stepper import altered_data, altered_tables, data_faults, stepper_faults, table_faults

SHOWN = {"attention_shapes", "Stepper"}


def listed(value: object) -> object:
    """Nested lists of bools, ints and floats; fractions and tuples become such."""
    if isinstance(value, (list, tuple)):
        return [listed(one) for one in value]
    if isinstance(value, (bool, int)) and not isinstance(value, Fraction):
        return value
    assert isinstance(value, Real), f"no number: {value!r}"
    return float(value)


def differences(found: object, own: object, place: str = "") -> list[str]:
    """What of a stated value is not as computed here, with its place in the list."""
    if isinstance(own, list) or isinstance(found, list):
        if not (isinstance(own, list) and isinstance(found, list) and len(own) == len(found)):
            return [f"{place} another shape: {found}, but {own}"]
        pairs = enumerate(zip(found, own, strict=True))
        return [fault for i, (a, b) in pairs for fault in differences(a, b, f"{place}[{i}]")]
    if isinstance(own, bool) or isinstance(found, bool):
        return [] if found is own else [f"{place} {found}, but {own}"]
    return [] if agrees(found, own) else [f"{place} {found.text}, but {own!r} by own computation"]


def faults_of(name: str, one: Statement | None) -> list[str]:
    """What of one statement is not as computed here."""
    if one is None or name not in facts():
        return ["no longer stated" if one is None else "stated, but not covered here"]
    unit = [] if one.unit == unit_of(name) else [f"unit {one.unit}, expected {unit_of(name)}"]
    return unit + differences(one.value, listed(facts()[name]))


def all_faults(statements: dict[str, Statement]) -> dict[str, list[str]]:
    """Every name that is missing, unknown or not as computed here."""
    names = [*statements, *(name for name in facts() if name not in statements)]
    found = {name: faults_of(name, statements.get(name)) for name in names}
    return {name: faults for name, faults in found.items() if faults}


def test_every_figure_is_what_it_is_said_to_be():
    notebook = committed()
    assert all_faults(notebook.statements) == {}
    assert set(notebook.shown) == SHOWN


def altered(name: str) -> list[str]:
    """Lines with one number moved in its fifth digit or by a twentieth, a truth value flipped, an entry or a unit more.

    A 0 is moved to 1e-6, a whole number by one.
    """
    line = lookup_reading.stated_lines()[name]
    head, _, tail = line.partition(" = ")
    found = [f"{head} = {tail.removesuffix(' nat')} bit", line.removesuffix(" nat") + " nat" * (" nat" not in line)]
    for match in re.finditer(rf"true|false|{lookup_reading.NUMBER}", tail):
        text, start, end = match[0], *match.span()
        if text in ("true", "false"):
            others = ["false" if text == "true" else "true"]
        elif re.fullmatch(r"-?\d+", text):
            others = [str(int(text) + 1), str(int(text) - 1), f"{text}.0"]
        else:
            x = float(text)
            steps = (2e-5 * abs(x), 0.05 * abs(x)) if x else (1e-6,)
            others = [f"{x + sign * step:.7g}" for step in steps for sign in (-1, 1)]
            others = [other if re.search("[.e]", other) else f"{other}.0" for other in others]
        found += [f"{head} = {tail[:start]}{other}{tail[end:]}" for other in others]
        if tail.startswith("["):
            found.append(f"{head} = {tail[:start]}{text}, {text}{tail[end:]}")
    return found


def test_each_altered_figure_is_found():
    missed, count = [], 0
    for name in facts():
        for other in altered(name):
            count += 1
            if not faults_of(name, lines_of([other])[name]):
                missed.append(other)
    assert missed == []
    assert count > 3 * sum(len(list(leaves(listed(value)))) for value in facts().values())


def test_a_figure_more_or_less_is_found():
    name, line = next(iter(lookup_reading.stated_lines().items()))
    assert all_faults(with_line(name, f"{line}\nnew.figure = 1.0")).keys() == {"new.figure"}
    assert all_faults(with_line(name, None)).keys() == {name}
    with pytest.raises(AssertionError, match="stated twice"):
        with_line(name, f"{line}\n{line}")
    with pytest.raises(AssertionError, match="cannot read"):
        with_line(name, f"{name} is 64")


def test_an_output_more_is_found():
    notebook = json.loads(committed_text())
    cell = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    cell["outputs"].append({"output_type": "display_data", "data": {"text/plain": ["walks: 3"]}, "metadata": {}})
    assert set(read(notebook).shown) != SHOWN


@pytest.mark.parametrize("left", own_matrices())
def test_the_numbers_of_the_derivations_are_own_ones(left):
    tex = committed().formulas[left]
    assert formula_faults(left, tex) == []
    others = list(altered_formulas(tex))
    assert [other for other in others if not formula_faults(left, other)] == []
    assert len(others) >= 20


def test_the_stepper_shows_own_numbers():
    assert stepper_faults(committed().shown["Stepper"]["text/html"]) == []


@pytest.mark.parametrize(
    ("altered", "faults", "least"),
    [(altered_data, data_faults, 500), (altered_tables, lambda html: table_faults(html, "zh-Hant"), 300)],
    ids=["data", "tables"],
)
def test_each_altered_number_of_the_stepper_is_found(altered, faults, least):
    others = list(altered(committed().shown["Stepper"]["text/html"]))
    assert [i for i, other in enumerate(others) if not faults(other)] == []
    assert len(others) >= least


PLACE = re.compile(r"([a-z][a-z0-9_.-]*?)((?:\[\d+\])*)")


def at(name: str) -> Number | bool:
    """The stated value that a passage binds: ``hand.weights[2]``."""
    base, places = PLACE.fullmatch(name).groups()
    value = committed().statements[base].value
    for i in re.findall(r"\d+", places):
        value = value[int(i)]
    return value


def test_the_numbers_of_the_text_are_those_of_the_outputs():
    """Numbers that the text is bound to are roundings of what is stated; an expression of several names is left out."""
    bound = 0
    for cell in json.loads(committed_text())["cells"]:
        for text, names in cell["metadata"].get("book", {}).get("values", {}).items():
            if not re.fullmatch(rf"(?:{lookup_reading.NUMBER})%?", text.replace("−", "-").replace(",", "")):
                continue
            number, percent = Number.of(text.rstrip("%")), 100 if text.endswith("%") else 1
            for name in [names] if isinstance(names, str) else names:
                if PLACE.fullmatch(name):
                    found = at(name).value * percent
                    assert abs(found - number.value) <= number.unit / 2 * (1 + 1e-9), (text, name)
                    bound += 1
    assert bound >= 100


def test_the_closed_form_to_the_digits_of_the_lesson():
    """The sum of exponentials as a series of fractions: 14.5519719730522848437198233473."""

    def exp(x: Fraction) -> Fraction:
        term = total = Fraction(1)
        for i in range(1, 60):
            term *= x / i
            total += term
        return total

    total = sum(exp(Fraction(z)) for z in ("23/50", "0", "23/10", "69/100"))
    assert round(total * 10**28) == 145519719730522848437198233473
    assert math.isclose(facts()["hand.exp.sum"], total, rel_tol=1e-15)
    assert half_up(facts()["hand.exp.sum"]) == 14.55
