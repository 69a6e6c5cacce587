"""Each fault of an expression question is found, named, and the only one."""

import pytest

from interview_book.practice.bank import QuestionFaults, load


def both(text="文"):
    return {"ja": text, "zh-Hant": text}


def mistake(name, expression):
    return {"id": name, "expression": expression, "name": both(), "why": both()}


def faults(path):
    with pytest.raises(QuestionFaults) as caught:
        load(path)
    for one in caught.value.faults:
        assert one.expected and one.got and one.mend
    return [(one.rule, one.field) for one in caught.value.faults]


@pytest.fixture
def record(records):
    """The variance of a scaled score, valid."""
    ranges = {"d_k": (1, 64), "sigma_q": (0.5, 3), "c": (0.5, 16)}
    return {
        **records["expression"],
        "variables": {name: {"low": low, "high": high, "tex": "x"} for name, (low, high) in ranges.items()},
        "answer": "d_k * sigma_q^2 / c^2",
        "equivalents": ["(√d_k σ_q/c)²"],
        "mistakes": [mistake("not-squared", "d_k σ_q²/c"), mistake("deviation", "√d_k σ_q/c")],
    }


def test_a_valid_record_has_none(record, write):
    assert load(write(record))[0]["answer"] == record["answer"]


UNREAD = [
    ("d_k sigma_q^2 / c * c", "ambiguous"),
    ("Var = d_k", "equation"),
    ("d_k * kappa", "name"),
    ("d_k * (sigma_q", "form"),
    ("1,5 d_k", "comma"),
    ("d_k" + " + d_k" * 40, "too-long"),
    ("d_k^400", "too-large"),
]


@pytest.mark.parametrize(("text", "reason"), UNREAD)
def test_every_formula_must_be_read(record, write, text, reason):
    for change, field in (
        ({"answer": text}, "answer"),
        ({"equivalents": ["d_k σ_q²/c²", text]}, "equivalents[1]"),
        ({"mistakes": [*record["mistakes"], mistake("third", text)]}, "mistakes[2]"),
    ):
        path = write({**record, **change})
        assert faults(path) == [("unread", field)]
        with pytest.raises(QuestionFaults, match=rf"\({reason}"):
            load(path)


def test_the_unknown_name_and_the_known_ones_are_said(record, write):
    with pytest.raises(QuestionFaults, match=r"d_k, sigma_q, c(?s:.*)name: κ(?s:.*)add the variable"):
        load(write({**record, "answer": "d_k κ"}))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"equivalents": ["d_k σ_q²/c²", "d_k σ_q²/c"]}, ("equivalent", "equivalents[1]")),
        ({"equivalents": ["d_k σ_q²/c² + 1e-6"]}, ("equivalent", "equivalents[0]")),
        ({"equivalents": ["(√(d_k - 2))²"]}, ("equivalent", "equivalents[0]")),
        ({"mistakes": [mistake("same", "(σ_q/c)(σ_q/c) d_k")]}, ("right", "mistakes[0]")),
        ({"mistakes": [mistake("one", "d_k"), mistake("two", "d_k c/c")]}, ("duplicate-mistake", "mistakes[1]")),
        ({"mistakes": [mistake("one", "d_k"), mistake("one", "c")]}, ("duplicate-id", "mistakes[1].id")),
        ({"mistakes": [mistake("none", "1/(c - c)")]}, ("undefined", "mistakes[0]")),
        ({"answer": "sqrt(c - 2)", "equivalents": ["(c-2)^0.5"]}, ("undefined", "answer")),
        ({"answer": "d_k - d_k", "equivalents": ["0"]}, ("zero", "answer")),
    ],
)
def test_formulas_get_their_verdicts(record, write, change, fault):
    assert faults(write({**record, **change})) == [fault]


@pytest.mark.parametrize("name", ["e", "E", "pi", "log", "ln", "exp", "sqrt", "Log"])
def test_the_grammars_own_words_are_no_names(record, write, name):
    record["variables"][name] = {"low": 1, "high": 2, "tex": "x"}
    assert faults(write(record)) == [("name", f"variables.{name}")]


@pytest.mark.parametrize(
    ("names", "faulty"),
    [
        (["dk"], ["variables.d_k", "variables.dk"]),
        (["d", "k"], ["variables.d_k"]),
        (["sigmaq"], ["variables.sigma_q", "variables.sigmaq"]),
        (["kappa", "C", "d_q"], None),
    ],
)
def test_no_spelling_belongs_to_two(record, write, names, faulty):
    record["variables"].update({name: {"low": 1, "high": 2, "tex": "x"} for name in names})
    if faulty is None:
        assert load(write(record))
    else:
        assert faults(write(record)) == [("name", field) for field in faulty]


def test_the_other_names_are_said(record, write):
    record["variables"]["dk"] = {"low": 1, "high": 2, "tex": "x"}
    with pytest.raises(QuestionFaults, match="nobody can take for d_k, sigma_q, c, in any spelling"):
        load(write(record))


@pytest.mark.parametrize("limits", [{"low": 3, "high": 3}, {"low": 3, "high": 2}, {"low": 3, "high": -3}])
def test_a_range_that_is_none_stops_the_comparison(record, write, limits):
    record["variables"]["c"].update(limits)
    assert faults(write(record)) == [("range", "variables.c")]


def test_a_number_too_long_for_floating_point_is_a_fault(record, records, write):
    record["variables"]["c"]["high"] = 10**400
    assert faults(write(record)) == [("type", "variables.c.high")]
    records["number"]["tolerance"] = {"relative": 10**400}
    assert "tolerance" in faults(write(records["number"]))[0][1]
