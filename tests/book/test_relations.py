"""Relations: what holds, what is false, what the digits do not decide, and what cannot be read."""

from __future__ import annotations

from fractions import Fraction

import pytest

from interview_book.book.relations import Interval, RelationError, evaluate, names, normal, relation_fault


def _between(low, high):
    return Interval(Fraction(low), Fraction(high))


STATED = {
    "a": _between("2.5", "2.7"),
    "b": _between("1.1", "1.3"),
    "near": _between("2.6", "2.8"),
    "n": _between(7, 7),
    "zero": _between("-0.1", "0.1"),
    "w[1]": _between("0.3", "0.5"),
    "gap.tail.low": _between(5, 5),
    "two-scores:w[1]": _between(11, 13),
    "d_k": _between(4, 4),
}


@pytest.mark.parametrize(
    "relation",
    [
        "a > b",
        "b < a",
        "a >= b",
        "n >= 7",
        "n <= 7",
        "n == 7",
        "a == near",
        "0 < b < a < 3",
        "a + b > 3.5",
        "a - b < 1.7",
        "2 * b > 2",
        "a / b > 1.9",
        "-a < -b",
        "(a - b) * 2 < n",
        "n - 2 - 3 == 2",
        "n - (2 - 3) == 8",
        "8 / 2 / 2 == 2",
        "2 + 3 * 2 == 8",
        "w[1] < 1",
        "gap.tail.low == 5",
        "two-scores:w[1] > 10",
        "d_k == 4",
        "n-3 == 4",
    ],
)
def test_holds(relation):
    assert relation_fault(relation, STATED) is None


@pytest.mark.parametrize(
    "relation", ["a < b", "b >= a", "n < 7", "n > 7", "a == b", "0 < a < b", "n == 6.99", "b - b > 1"]
)
def test_is_false(relation):
    assert "is false" in relation_fault(relation, STATED)


@pytest.mark.parametrize("relation", ["a > near", "near < a", "a <= near", "a < 2.6", "a - a > -0.1", "a > b > 1.2"])
def test_is_not_decided(relation):
    assert "cannot be decided from the printed digits" in relation_fault(relation, STATED)


@pytest.mark.parametrize(
    ("relation", "said"),
    [
        ("a > missing", "names 'missing'"),
        ("other:w[1] > 1", "names 'other:w[1]'"),
        ("a", "compares nothing"),
        ("a >", "ends where"),
        ("> a", "has '>' where a name or number"),
        ("a > b c", "has 'c' where one of"),
        ("(a > b", "bracket that is not closed"),
        ("a ** b > 1", "has '*' where a name"),
        ("a != b", "holds '!'"),
        ("a = b", "holds '='"),
        ("a > 1 / zero", "may be zero"),
        ("a > 1 / 0", "may be zero"),
        ("__import__('os') > 1", "holds"),
        ("a > " + "(" * 21 + "b" + ")" * 21, "nested deeper"),
        ("a > b " + " " * 300, "more than 300"),
    ],
)
def test_cannot_be_read(relation, said):
    found = relation_fault(relation, STATED)
    assert said in found
    assert found.startswith("relation ")


def test_the_message_shows_both_sides():
    assert relation_fault("a < b", STATED) == "relation 'a < b' is false: [2.5, 2.7] < [1.1, 1.3]"


def test_multiplication_of_intervals_takes_all_corners():
    # [-1, 2] * [-5, 3]: corners 5, -3, -10, 6.
    found = evaluate("x * y", {"x": _between(-1, 2), "y": _between(-5, 3)})
    assert (found.low, found.high) == (-10, 6)


def test_division_by_a_negative_interval():
    # [1, 2] / [-4, -2] = [-1, -1/4].
    found = evaluate("x / y", {"x": _between(1, 2), "y": _between(-4, -2)})
    assert (found.low, found.high) == (-1, Fraction(-1, 4))


def test_a_term_is_no_relation():
    with pytest.raises(RelationError, match="where its end was expected"):
        evaluate("a > b", STATED)


def test_names_and_normal_form():
    assert names("two-scores:w[1] / a>6") == {"two-scores:w[1]", "a"}
    assert normal("a>b  /c") == normal("a > b / c") == "a > b / c"


def test_a_false_relation_in_a_passage(book):
    for tag in ("ja", "zh-Hant"):
        book.cell(f"read-{tag}", lambda cell: cell["metadata"]["book"]["relations"].append("weights[0] < weights[1]"))
    book.expect("relation", "'weights[0] < weights[1]' is false", where="cell 5 (read-ja)")
