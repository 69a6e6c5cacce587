"""Named values: parsing the printed lines, rounding, and every fault of a number in prose."""

from __future__ import annotations

from fractions import Fraction

import pytest

from interview_book.book.values import (
    binding_fault,
    interval,
    literals,
    number_faults,
    numbers,
    read_line,
    rounding,
    scope,
    states,
    values_of,
)
from interview_book.checks import state


def _stated(*lines):
    return {value.name: value for line in lines for value in read_line(line)}


def test_a_scalar_with_its_unit():
    (value,) = read_line("entropy.scaled = 0.365334 nat")
    assert (value.name, value.text, value.unit) == ("entropy.scaled", "0.365334", "nat")
    assert (value.low, value.high) == (Fraction("0.3653335"), Fraction("0.3653345"))


def test_a_list_has_elements():
    assert {name: one.text for name, one in _stated("w = [0.982014, 0.0179862, -3]").items()} == {
        "w[0]": "0.982014",
        "w[1]": "0.0179862",
        "w[2]": "-3",
    }


def test_a_matrix_has_elements_of_elements():
    assert set(_stated("m = [[1, 2.5], [3e-05, 4]]")) == {"m[0][0]", "m[0][1]", "m[1][0]", "m[1][1]"}


def test_an_estimate_has_parts():
    found = _stated("gap.tail = 0.14268  se 0.00035  95% [0.14199, 0.14337]  theory 0.14270  z -0.06")
    assert {name: one.text for name, one in found.items()} == {
        "gap.tail": "0.14268",
        "gap.tail.se": "0.00035",
        "gap.tail.low": "0.14199",
        "gap.tail.high": "0.14337",
        "gap.tail.theory": "0.14270",
        "gap.tail.z": "-0.06",
    }
    # An estimate keeps its zeros: four decimals of 0.1427 are not six digits.
    assert found["gap.tail.theory"].high == Fraction("0.142705")


@pytest.mark.parametrize("line", ["", "hello", "x is 3", "x = y", "x = [1, two]", "x = [1, 2", "x: 3", " x = 3"])
def test_other_lines_state_nothing(line):
    assert read_line(line) == []


@pytest.mark.parametrize(
    ("printed", "significant", "low", "high"),
    [
        ("0.5", 0, "0.45", "0.55"),
        ("0.5", 6, "0.4999995", "0.5000005"),
        ("12.5", 6, "12.49995", "12.50005"),
        ("1234567.25", 6, "1234567.245", "1234567.255"),
        ("-2.5", 6, "-2.500005", "-2.499995"),
        ("3e-05", 6, "0.0000299999500", "0.0000300000500"),
        ("64", 6, "64", "64"),
    ],
)
def test_the_interval_of_printed_digits(printed, significant, low, high):
    assert interval(printed, significant) == (Fraction(low), Fraction(high))


@pytest.mark.parametrize("value", [0.5, 1 / 3, 2 / 3e7, 12345.678912, -0.1, 1e-9, 7.0, 3, 1e7 / 3])
def test_what_state_prints_holds_the_value(capsys, value):
    state("x", value)
    (stated,) = read_line(capsys.readouterr().out.strip())
    assert stated.low <= Fraction(value) <= stated.high


def test_truth_values_are_one_and_zero():
    assert [(one.low, one.high) for one in (*read_line("a = true"), *read_line("b = false"))] == [(1, 1), (0, 0)]


def _notebook(*texts, name="stdout"):
    outputs = [{"output_type": "stream", "name": name, "text": text} for text in texts]
    return {"cells": [{"cell_type": "code", "id": "c", "outputs": [one]} for one in outputs]}


def test_values_of_a_notebook():
    assert set(values_of(_notebook("a = 1\nb = [2, 3]\n", ["c = 4\n", "d = 5"]))) == {"a", "b[0]", "b[1]", "c", "d"}
    assert values_of(_notebook("a = 1", name="stderr")) == {}


def test_a_name_stated_twice():
    values, twice = states(_notebook("a = 1.5", "a = 1.5", "a = 2.5"))
    assert values["a"].text == "1.5"
    assert [(place, "1.5 and as 2.5" in message) for place, message in twice] == [("cell 2 (c)", True)]


def test_a_name_stated_twice_is_a_fault(book):
    text = "weights = [0.982014, 0.0179862]\ngap = -4\ngap = 4\n"
    book.cell("weights", lambda cell: cell["outputs"][0].update(text=text))
    book.expect("stated-twice", "'gap' is stated twice, as -4 and as 4", where="(weights)")


# --- literals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("重みは 0.982、残りは 1.8% です", ["0.982", "1.8%"]),
        ("1,024 個と 20,000.5", ["1,024", "20,000.5"]),
        ("差は −3、範囲は −0.5〜2", ["−3", "−0.5", "2"]),
        ("10 − 6 は 4、n−1 は整数", ["10", "6", "4", "1"]),
        ("dₖ−1 と 3−2", ["1", "3", "2"]),
        ("[4, 0] と (2) と ±8", ["4", "0", "2", "8"]),
        ("3.2.1 節", ["3.2.1"]),
        ("10⁻⁹ と 1.2×10⁻⁵", ["10⁻⁹", "1.2×10⁻⁵"]),
        ("2×2 の行列", ["2", "2"]),
        ("fp16、k1、d_2、一つ、兩個、二つ目", []),
        ("2D と 3rd", ["2", "3"]),
    ],
)
def test_literals(text, found):
    assert [literal for literal, _, _ in literals(text)] == found


@pytest.mark.parametrize(
    "text",
    [
        "`0.5` と ``x = 7``",
        "[本文](other5.ipynb#s3)",
        "![](figure7.svg)",
        "{eq}`loss2` {numref}`fig-3` {cite:p}`vaswani2017`",
        "https://example.org/2017/07",
        "<https://example.org/5>",
        '<div class="w3"></div>',
        "(label-5)=",
        "$d_k = 64$ $x_{12}$ $1{,}024$",
        "```{questions} chapter-7\n```",
        "```{bibliography}\n:filter: year == 2017\n```",
        "```python\nx = 5\n```",
        "1. はじめ\n2. つぎ",
        "注[^3]",
    ],
)
def test_what_needs_no_binding(text):
    assert numbers(text) == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("$p = 0.982$", ["0.982"]),
        ("$x = -0.5$", ["−0.5"]),
        ("$1 - 0.25$", ["0.25"]),
        (r"$x \approx -2.12$", ["−2.12"]),
        ("$$\n0.5 x\n$$", ["0.5"]),
        ("```{tip} 題 7\n本文は 9 です\n```", ["7", "9"]),
        ("[章 3](a.ipynb)", ["3"]),
        ('<img alt="高さ 7"/>', ["7"]),
        ("| a | 5 |\n|---|---|\n| b | 6 |", ["5", "6"]),
        ("# 題 8", ["8"]),
    ],
)
def test_what_needs_one(text, found):
    assert list(numbers(text)) == found


@pytest.mark.parametrize(
    ("literal", "low", "high"),
    [
        ("0.982", "0.9815", "0.9825"),
        ("1,024", "1023.5", "1024.5"),
        ("−3", "-3.5", "-2.5"),
        ("14.3%", "0.1425", "0.1435"),
        ("1.2×10⁻⁵", "0.0000115", "0.0000125"),
        ("10⁻³", "0.0005", "0.0015"),
    ],
)
def test_what_a_literal_is_the_rounding_of(literal, low, high):
    assert rounding(literal) == (Fraction(low), Fraction(high))


@pytest.mark.parametrize("literal", ["3.2.1", "abc", "1 024", "", "0,5"])
def test_what_is_no_number(literal):
    assert rounding(literal) is None


# --- faults -----------------------------------------------------------------------------------------------------------

STATED = _stated(
    "w = [0.982014, 0.0179862]",
    "ratio = 6.62745",
    "n = 64",
    "half = 0.125",
    "coarse = 0.1427  se 0.0004  95% [0.1, 0.2]",
)


def _faults(text, values=None, allow=()):
    return number_faults([text], values or {}, allow, STATED)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("0.982", {"0.982": "w[0]"}),
        ("0.98", {"0.98": "w[0]"}),
        ("98.2%", {"98.2%": "w[0]"}),
        ("1", {"1": "w[0]"}),
        ("6.63 倍", {"6.63": "ratio"}),
        ("64", {"64": "n"}),
        ("54.6", {"54.6": "w[0] / w[1]"}),
        ("0.98", {"0.98": ["w[0]", "1 - w[1]"]}),
        ("−0.98", {"−0.98": "-w[0]"}),
        # An exact tie may go either way.
        ("0.13", {"0.13": "1 / 8"}),
        ("0.12", {"0.12": "1 / 8"}),
    ],
)
def test_right_bindings(text, values):
    assert _faults(text, values) == []


@pytest.mark.parametrize(
    ("text", "values", "said"),
    [
        ("0.983", {"0.983": "w[0]"}, "value '0.983' is not the rounding of w[0] = 0.982014"),
        ("0.881", {"0.881": "w[0]"}, "is not the rounding"),
        ("9.82", {"9.82": "w[0]"}, "is not the rounding"),
        ("0.143", {"0.143": "missing"}, "'missing': it names 'missing', which no `state` line"),
        ("0.98", {"0.98": "w"}, "'w': it is a list; bind one element, w[0] to w[n]"),
        ("0.98", {"0.98": ["w[0]", "w[1]"]}, "is not the rounding of w[1]"),
        ("0.98", {"0.98": "w[0] +"}, "ends where a name or number was expected"),
        ("3.2.1", {"3.2.1": "n"}, "is not a number as prose writes it"),
        ("0.142700", {"0.142700": "coarse"}, "cannot be decided from coarse = 0.1427: state more digits or"),
        ("0.125", {"0.12500": "half", "0.125": "half"}, "value '0.12500' is bound but does not occur"),
    ],
)
def test_wrong_bindings(text, values, said):
    found = _faults(text, values)
    assert len(found) == 1
    assert said in found[0]


def test_an_unbound_number_is_named_with_its_place():
    assert _faults("重みは 0.5 です") == [
        "number '0.5' near «重みは 0.5 です» is neither bound to a stated value nor on the allow-list"
    ]


def test_the_allow_list():
    assert _faults("二つで 4 個、1,024 個", allow=["4", "1,024"]) == []
    (found,) = _faults("二つで 4 個", allow=["4", "7"])
    assert found == "number '7' is on the allow-list but does not occur in the text"


def test_texts_share_their_bindings():
    assert number_faults(["0.982", "1.8%"], {"0.982": "w[0]", "1.8%": "w[1]"}, [], STATED) == []


def test_scope():
    chapters = {"one": _stated("a = 1"), "two": _stated("a = 2")}
    found = scope(chapters, "one")
    assert (found["a"].text, found["one:a"].text, found["two:a"].text) == ("1", "1", "2")
    assert "a" not in scope(chapters)
    assert number_faults(["2"], {"2": "two:a"}, [], found) == []


# --- in a book --------------------------------------------------------------------------------------------------------


def test_a_wrong_value_in_a_passage(book):
    book.cell("weights", lambda cell: cell["outputs"][0].update(text="weights = [0.982714, 0.0179862]\ngap = -4\n"))
    found = book.faults()
    assert {rule for _, rule, _ in found} == {"number", "relation"}
    assert any("'0.982' is not the rounding of weights[0] = 0.982714" in message for _, _, message in found)
    files = {place.split(": ")[0] for place, _, _ in found}
    assert files == {"chapters/example.ipynb", "chapters/example.questions.yml"}


def test_an_unbound_number_in_one_half(book):
    book.replace("want-zh-Hant", "從兩個分數", "從 3 個分數")
    book.expect("number", "number '3' near", where="cell 3 (want-zh-Hant)")


def test_an_unbound_number_in_a_caption(book):
    book.cell("figure", lambda cell: cell["metadata"]["book"]["figure"]["alt"].update({"ja": "7 本の直線"}))
    book.expect("number", "number '7' near «7 本の直線»", where="(figure)")


def test_an_unbound_number_in_a_question(book):
    book.file("chapters/example.questions.yml", "ちょうど半分", "ちょうど 0.5")
    book.expect("number", "number '0.5' near", where="question example.weight")


def test_a_decimal_in_a_displayed_formula(book):
    book.replace("softmax", "p_i =", "0.5 =")
    book.expect("number", "number '0.5' near «$0.5 =", where="(softmax)")


def test_a_chapter_that_was_not_run_says_so_once(book):
    def action(notebook):
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                cell["outputs"] = []

    book.change(action)
    book.expect("not-run", "expected the outputs of the code cells, found none", where="chapters/example.ipynb")
    assert len(book.faults()) == 1


@pytest.mark.parametrize(
    "line", ["a = 1e999999999999", "a = " + "1" * 5_000, "a = " + "[" * 9_000, "a = [" + "1" * 5_000 + "]"]
)
def test_digits_without_end_are_no_value(line):
    assert read_line(line) == []


@pytest.mark.parametrize("literal", ["1" * 5_000, "10⁹⁹⁹⁹⁹⁹⁹⁹", "0⁻³", "1×10⁹⁹⁹⁹⁹⁹⁹⁹"])
def test_a_literal_without_end_is_told(literal):
    assert binding_fault(literal, "a", {}) == [
        f"value {literal!r} is not a number as prose writes it (0.982, 1,024, −3, 14.3%)"
    ]


def test_a_real_number_next_to_a_whole_one_is_not_exact(capsys):
    state("p", 0.99999998)
    (value,) = read_line(capsys.readouterr().out)
    assert value.low < 1 < value.high
    assert binding_fault("1.0000000", "p", {"p": value}) != []
    assert binding_fault("1.00", "p", {"p": value}) == []
