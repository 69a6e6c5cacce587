"""The stepper's numbers: the lesson's to the digits of lesson.md, a reader's own by loops, gradients by differences."""

import json
import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from interview_book.attention import LESSON_SENTENCES, attend
from interview_book.widgets import stepper_data as data
from interview_book.widgets.stepper_inputs import matrix, names_of

# The lesson as it was handed over, with its own numbers; the package does not read it.
LESSON = json.loads(Path(__file__).parents[1].joinpath("attention", "lesson.json").read_text(encoding="utf-8"))
MODES = ("scaled", "raw", "uniform")


def by_hand(x, w_q, w_k, w_v, beta):
    """Attention by loops over plain numbers."""
    n, d_model = len(x), len(w_q)

    def times(w):
        return [[sum(x[i][f] * w[f][c] for f in range(d_model)) for c in range(len(w[0]))] for i in range(n)]

    q, k, v = times(w_q), times(w_k), times(w_v)
    terms = [[[a * b for a, b in zip(q[i], k[j], strict=True)] for j in range(n)] for i in range(n)]
    s = [[sum(one) for one in row] for row in terms]
    z = [[beta * one for one in row] for row in s]
    a = []
    for row in z:
        powers = [math.exp(one - max(row)) for one in row]
        a.append([one / sum(powers) for one in powers])
    weighted = [[[a[i][j] * one for one in v[j]] for j in range(n)] for i in range(n)]
    output = [[sum(weighted[i][j][f] for j in range(n)) for f in range(len(v[0]))] for i in range(n)]
    entropy = [-sum(p * math.log(p) for p in row if p) for row in a]
    made = (q, k, v, terms, s, z, a, weighted, output, entropy)
    return dict(zip(("Q", "K", "V", "terms", "S", "Z", "A", "weighted", "output", "entropy"), made, strict=True))


def numbers_of_lesson_md(root):
    """``(sentence, mode or None, table) → rows`` of the numbers printed in lesson.md."""
    found, sentence, mode, table = {}, None, None, None
    for line in (root / "tests" / "attention" / "lesson.md").read_text(encoding="utf-8").splitlines():
        if match := re.match(r"## Sentence '\w+ the (\w+) bank'", line):
            sentence, mode = match[1], None
        elif line.startswith("## "):
            sentence = None
        elif match := re.match(r"mode (\w+): (weights|outputs)", line):
            mode, table = match[1], {"weights": "A", "outputs": "output"}[match[2]]
        elif match := re.match(r"([QKVS])( =.*)?$", line):
            mode, table = None, match[1]
        elif sentence and (match := re.match(r"\| (?:by|at|the|river|savings|bank) \| (.*) \|$", line)):
            found.setdefault((sentence, mode, table), []).append(match[1].split(" | "))
    return found


def agrees(value, printed):
    """Whether a number rounds to what is printed; fractions and short decimals are exact."""
    decimals = len(printed.partition(".")[2]) if "/" not in printed else 0
    want = float(Fraction(printed))
    # Half a unit of the last digit, or rounding where it is exact: 1e-11 for the twelve digits that a page gets.
    return abs(value - want) <= (0.5 * 10**-decimals if decimals > 5 else 0) + 1e-11


def test_every_number_of_the_lesson_is_in_what_the_page_gets(root):
    values, printed = data.lesson()["values"], numbers_of_lesson_md(root)
    assert len(printed) == 2 * (4 + 3 * 2)
    count = 0
    for (sentence, mode, table), rows in printed.items():
        of = values[sentence]["modes"][mode] if mode else values[sentence]
        for i, row in enumerate(rows):
            want = [*of[table][i], *([of["entropy"][i]] if table == "A" else [])]
            assert len(row) == len(want)
            assert all(agrees(value, one) for value, one in zip(want, row, strict=True)), (sentence, mode, table, i)
            count += len(row)
    assert count == 2 * (4 * 16 + 3 * (16 + 4 + 16))


def test_the_lesson_has_one_table_for_both_sentences():
    given = data.lesson()
    assert given["lesson"] is True and given["features"] is None
    assert given["sentences"] == [
        {"name": "river", "tokens": ["by", "the", "river", "bank"], "rows": [0, 2, 3, 5]},
        {"name": "savings", "tokens": ["at", "the", "savings", "bank"], "rows": [1, 2, 4, 5]},
    ]
    words = ("by", "at", "the", "river", "savings", "bank")
    assert given["X"] == [[float(Fraction(one)) for one in LESSON["embeddings"][word]] for word in words]
    for name in ("W_q", "W_k", "W_v"):
        assert given[name] == [[float(Fraction(one)) for one in row] for row in LESSON[name.upper()]]


def test_the_sentences_are_mirrors():
    """The mirror P of the first two features maps one sentence to the other: equal weights, exchanged outputs."""
    given = data.lesson()
    for mode in MODES:
        river, savings = (given["values"][name]["modes"][mode] for name in LESSON_SENTENCES)
        assert (river["Z"], river["A"], river["entropy"]) == (savings["Z"], savings["A"], savings["entropy"])
        assert [[b, a, c, d] for a, b, c, d in river["output"]] == savings["output"]


def test_no_digit_of_the_lesson_can_move():
    """Twelve digits stay whatever the last bits are: 32 units in the last place of a float move none."""
    values = data.lesson()["values"]
    for sentence in LESSON_SENTENCES:
        for mode in MODES:
            for name in ("A", "output", "entropy"):
                exact = np.array(data.reading(data.lesson(), data.lesson()["X"], sentence, mode, 0)[name])
                for factor in (1 - 2**-47, 1 + 2**-47):
                    assert data.nested(exact * factor, data.DIGITS) == values[sentence]["modes"][mode][name]


def test_json_carries_it_and_it_is_small():
    text = json.dumps(data.lesson(), separators=(",", ":"), allow_nan=False)
    assert json.loads(text) == data.lesson()
    assert len(text) < 5_000 and "e-" not in text and "-0" not in text


@pytest.mark.parametrize("mode", MODES)
def test_own_numbers_against_loops(mode):
    rng = np.random.default_rng(17)
    x, w_q, w_k, w_v = (rng.normal(size=shape) for shape in ((5, 7), (7, 3), (7, 3), (7, 2)))
    given = data.own(["a", "b", "a", "c", "b"], x, w_q, w_k, w_v, features=[f"f{i}" for i in range(7)])
    beta = {"scaled": 3**-0.5, "raw": 1, "uniform": 0}[mode]
    want = by_hand(*(one.tolist() for one in (x, w_q, w_k, w_v)), beta)
    now = data.reading(given, given["X"], "own", mode, 4)
    for name, value in want.items():
        # Sums of at most seven products of numbers of order 1 to 10.
        assert np.allclose(now[name], value, rtol=1e-11, atol=1e-12), name
    of = given["values"]["own"]
    for name in ("Q", "K", "V", "S"):
        assert np.allclose(of[name], want[name], rtol=1e-11, atol=1e-12)
    for name in ("Z", "A", "output", "entropy"):
        assert np.allclose(of["modes"][mode][name], want[name], rtol=1e-11, atol=1e-12)
    assert given["sentences"] == [{"name": "own", "tokens": ["a", "b", "a", "c", "b"], "rows": [0, 1, 2, 3, 4]}]
    assert (given["lesson"], given["features"]) == (False, ["f0", "f1", "f2", "f3", "f4", "f5", "f6"])
    assert given["X"] == x.tolist() and given["W_v"] == w_v.tolist()


@pytest.mark.parametrize("sentence", LESSON_SENTENCES)
@pytest.mark.parametrize("mode", MODES)
def test_an_edit_is_computed_anew(sentence, mode):
    """Of a table of which every row was changed; the sentence takes its four, in their order."""
    given, rng = data.lesson(), np.random.default_rng(23)
    x = rng.normal(size=(6, 4)).round(3).tolist()
    rows = [x[i] for i in {"river": (0, 2, 3, 5), "savings": (1, 2, 4, 5)}[sentence]]
    beta = {"scaled": 0.5, "raw": 1, "uniform": 0}[mode]
    want = by_hand(rows, *(given[name] for name in ("W_q", "W_k", "W_v")), beta)
    now = data.reading(given, x, sentence, mode, 2)
    assert now["X"] == rows and now["beta"] == beta and now["tokens"] == list(LESSON_SENTENCES[sentence])
    for name, value in want.items():
        assert np.allclose(now[name], value, rtol=1e-11, atol=1e-12), name
    q, k, v = (np.array(now[name], dtype=np.float64) for name in "QKV")
    assert np.allclose(attend(q, k, v, scale=float(beta)), now["output"], rtol=1e-12, atol=1e-13)
    scaled = by_hand(rows, *(given[name] for name in ("W_q", "W_k", "W_v")), 0.5)
    assert set(now["scaled"]) == {"Z", "A", "output", "entropy"}
    for name, value in now["scaled"].items():
        assert np.allclose(value, scaled[name], rtol=1e-11, atol=1e-12), name


@pytest.mark.parametrize(
    ("word", "seen"), [("bank", 3), ("the", 3), ("by", 1), ("river", 1), ("at", 2), ("savings", 2)]
)
def test_an_edit_is_seen_in_every_sentence_with_the_word(word, seen):
    given = data.lesson()
    x = [list(one) for one in given["X"]]
    x[("by", "at", "the", "river", "savings", "bank").index(word)][0] += 1
    for bit, name in enumerate(LESSON_SENTENCES):
        before, after = (data.reading(given, one, name, "scaled", 3)["output"] for one in (given["X"], x))
        # An edited table is computed from floats, which may move last bits elsewhere too.
        assert np.allclose(before, after, rtol=1e-9, atol=1e-12) is not bool(seen >> bit & 1)


@pytest.mark.parametrize("mode", MODES)
def test_soft_gradients_by_differences(mode):
    """Each score and each Value is moved, and the output followed; both ends by a loop of this file."""
    rng, step = np.random.default_rng(41), 1e-6
    given = data.own(list("abcde"), *(0.4 * rng.normal(size=s) for s in ((5, 7), (7, 3), (7, 3), (7, 2))))
    now = data.reading(given, given["X"], "own", mode, 1)
    s, v, beta = np.array(now["S"][1]), np.array(now["V"]), now["beta"]

    def output(z, values):
        powers = np.exp(z - z.max())
        return (powers / powers.sum()) @ values

    for j in range(5):
        one = np.eye(5)[j] * step
        in_z = (output(beta * s + one, v) - output(beta * s - one, v)) / (2 * step)
        in_s = (output(beta * (s + one), v) - output(beta * (s - one), v)) / (2 * step)
        # Central differences: error of order step² and of rounding over step.
        assert np.allclose(now["soft"]["score_gradient"][j], in_z, atol=1e-8)
        assert np.allclose(now["soft"]["raw_gradient"][j], in_s, atol=1e-8)
        moved = np.array(v)
        moved[j, 1] += step
        in_v = (output(beta * s, moved) - output(beta * s, v)) / step
        assert np.allclose([0, now["soft"]["value_gradient"][j]], in_v, atol=1e-8)
    assert np.all(np.abs(now["soft"]["score_gradient"]) > 1e-4), "so large that the differences can tell"
    assert now["soft"]["weights"] == now["A"][1] and now["soft"]["output"] == now["output"][1]


def test_hard_lookup_in_the_lesson():
    for sentence, value in (("river", [2, 0, 0, 0]), ("savings", [0, 2, 0, 0])):
        for mode in MODES:
            now = data.reading(data.lesson(), data.lesson()["X"], sentence, mode, 3)
            zeros = [[0] * 4] * 4
            assert now["hard"] == {
                "chosen": 2,
                "tied": [2],
                "tie": False,
                "weights": [0, 0, 1, 0],
                "output": value,
                "score_gradient": zeros,
                "raw_gradient": zeros,
                "value_gradient": [0, 0, 1, 0],
            }


def test_a_tie_is_told_and_its_first_is_chosen(stepper_vectors):
    """Keys 0 and 1 give 0.1 + 0.2 and 0.3: in floats one sum is 0.30000000000000004."""
    ties = [one for one in stepper_vectors if one["reading"]["hard"]["tie"]]
    assert sorted({tuple(one["reading"]["hard"]["tied"]) for one in ties}) == [(0, 1), (0, 1, 2, 3)]
    for one in ties:
        hard = one["reading"]["hard"]
        assert hard["chosen"] == 0 and hard["weights"] == hard["value_gradient"] == [1, 0, 0, 0]
    near = np.array([[0.3, 0.3 + 1e-9]])
    told = data.hard_lookup(near[0], near.T, np.array([[1.0], [2.0]]))
    assert told["tied"].tolist() == [1] and told["output"].tolist() == [2]


def test_what_cancels_is_no_tie():
    """Terms of 10¹² whose sum is 1: far above their rounding, 2·10⁻⁴, so Key 0 is ahead of Key 1, which has 0."""
    q, k = np.array([1e6, 1e6]), np.array([[1e6 + 1e-6, -1e6], [1e6, -1e6]])
    told = data.hard_lookup(k @ q, k * q, np.eye(2))
    assert told["chosen"] == 0 and not told["tie"]


def test_the_largest_numbers_stay_finite(stepper_vectors):
    largest = [one for one in stepper_vectors if len(one["reading"]["tokens"]) == 12]
    assert len(largest) == 3
    for one in largest:
        now = one["reading"]
        assert np.isfinite(np.concatenate([np.ravel(now[name]) for name in ("Q", "S", "Z", "A", "output")])).all()
        assert np.max(np.abs(now["S"])) > 1e14


def test_vectors_are_of_distinct_states(stepper_vectors):
    states = {json.dumps(one["state"]) for one in stepper_vectors}
    assert len(states) == len(stepper_vectors) == 51


GOOD = {
    "tokens": ["a", "b", "c"],
    "x": np.ones((3, 5)),
    "w_q": np.ones((5, 2)),
    "w_k": np.ones((5, 2)),
    "w_v": np.ones((5, 7)),
}


@pytest.mark.parametrize(
    ("name", "value", "kind", "says"),
    [
        ("tokens", "abc", TypeError, r"tokens: expected a list of strings, got 'abc'; try tokens="),
        ("tokens", 3, TypeError, "tokens: expected a list of strings, got 3"),
        ("tokens", [], ValueError, "tokens: expected 1 to 12 strings, got 0; give at least one"),
        ("tokens", np.array("a"), TypeError, "tokens: expected a list of strings, got array"),
        ("tokens", b"abc", TypeError, "tokens: expected a list of strings, got b'abc'"),
        ("tokens", ["a", "\u200b\ufeff", "c"], ValueError, r"tokens\[1\]: expected visible characters"),
        ("tokens", ["a", "b", "\u3164"], ValueError, r"tokens\[2\]: expected visible characters"),
        ("tokens", ["\u202eabc", "b", "c"], ValueError, r"tokens\[0\]: expected visible characters"),
        ("tokens", ["a"] * 13, ValueError, "tokens: expected 1 to 12 strings, got 13; take fewer"),
        ("tokens", ["a", 2, "c"], TypeError, r"tokens\[1\]: expected a string, got 2; try str"),
        ("tokens", ["a", " ", "c"], ValueError, r"tokens\[1\]: expected visible characters, got ' '"),
        ("tokens", ["a", "\n", "c"], ValueError, r"tokens\[1\]: expected visible characters"),
        ("tokens", ["a", "b", "\ud800"], ValueError, r"tokens\[2\]: expected visible characters, got '\\ud800'"),
        ("tokens", ["a", "b"], ValueError, r"tokens and X: .* got 2 tokens and 3 rows \(X \(3, 5\)\); .* \(2, "),
        ("x", np.ones(5), ValueError, r"X: expected shape \(n, d_model\), got \(5,\); give a list of rows"),
        ("x", np.ones((3, 17)), ValueError, r"X: .* sizes from 1 to 16, got \(3, 17\)"),
        ("x", np.ones((3, 0)), ValueError, r"X: .* sizes from 1 to 16, got \(3, 0\)"),
        ("x", [[1, 2], [3]], ValueError, "X: expected shape .*rows of different lengths; make them equal"),
        ("x", [np.ones((2, 2)), np.ones((2, 3))], ValueError, "X: expected shape .*rows of different lengths"),
        ("x", [[1, "2"]], TypeError, r"X: expected a matrix of .* got '2' at \[0\]\[1\]; write a number"),
        ("x", [[True]], TypeError, r"X: expected a matrix of numbers.* got True at \[0\]\[0\]"),
        ("x", [np.ma.array([1, 2], mask=[0, 1]), [3, 4]], TypeError, "got a masked array; fill it"),
        ("x", [[1000.0000001]], ValueError, r"from -1000 to 1000, got 1000\.0000001"),
        ("x", np.ones((3, 5), dtype=bool), TypeError, "X: expected a matrix of numbers"),
        ("x", np.ones((3, 5), dtype=complex), TypeError, r"got .*1\+0j.* at \[0\]\[0\]; give its real part"),
        ("x", np.ma.masked_array(np.ones((3, 5))), TypeError, "got a masked array"),
        ("x", None, TypeError, "X: expected a matrix of numbers, .* got None"),
        ("x", [[math.nan]], ValueError, r"X\[0\]\[0\]: expected a number from -1000 to 1000, got nan \(X \(1, 1\)\)"),
        ("x", [[0, 1], [2, math.inf]], ValueError, r"X\[1\]\[1\]: .* got inf"),
        ("x", [[-1000.1]], ValueError, r"X\[0\]\[0\]: .* got -1000\.1"),
        ("x", [[10**400]], ValueError, "X: .* got one that no float holds"),
        ("w_q", np.ones((4, 2)), ValueError, r"X and W_q: .* got 5 and 4 \(X \(3, 5\), W_q \(4, 2\)\)"),
        ("w_k", np.ones((4, 2)), ValueError, r"X and W_k: .* got 5 and 4"),
        ("w_v", np.ones((4, 7)), ValueError, r"X and W_v: .* got 5 and 4"),
        ("w_k", np.ones((5, 3)), ValueError, r"W_q and W_k: .* d_k, got 2 and 3 \(W_q \(5, 2\), W_k \(5, 3\)\)"),
        ("w_v", np.full((5, 7), 1e200), ValueError, r"W_v\[0\]\[0\]: .* from -1000 to 1000, got 1e\+200"),
        ("features", ["f"] * 4, ValueError, r"features and X: .* 5 features, got 4 \(X \(3, 5\)\)"),
        ("features", "abcde", TypeError, "features: expected a list of strings"),
    ],
)
def test_what_cannot_be_used_is_named(name, value, kind, says):
    with pytest.raises(kind, match=says):
        data.own(**{**GOOD, name: value})


def test_what_else_is_a_number_or_a_name():
    assert matrix("X", [[Fraction(1, 4), np.float32(2)], (3, np.int64(-4))], "(n, d)").tolist() == [[0.25, 2], [3, -4]]
    assert matrix("X", np.array([[-0.0]]), "(n, d)").tobytes() == np.zeros((1, 1)).tobytes()
    assert names_of("tokens", ("河", " bank", "<b>", np.str_("é")), 12) == ["河", " bank", "<b>", "é"]
    x = np.ones((1, 1))
    matrix("X", x, "(n, d)")[0, 0] = 5
    assert x[0, 0] == 1
