"""The lesson's toy model against lesson.json and lesson.md, which another program computed in long arithmetic.

lesson.json holds weights and outputs to 20 digits, lesson.md prints them to 10; both are data of the tests only.
"""

import json
import re
from fractions import Fraction
from pathlib import Path

import mpmath
import numpy as np
import pytest

from interview_book.attention import attend
from interview_book.attention.lesson import (
    LESSON_MODES,
    LESSON_SENTENCES,
    LESSON_W_K,
    LESSON_W_Q,
    LESSON_W_V,
    lesson_steps,
)

HERE = Path(__file__).parent
MODEL = json.loads((HERE / "lesson.json").read_text(encoding="utf-8"))
PRINTED = (HERE / "lesson.md").read_text(encoding="utf-8")
BOTH = pytest.mark.parametrize("sentence", ["river", "savings"])
MODES = pytest.mark.parametrize("mode", ["scaled", "raw", "uniform"])
SWAP = np.array([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])  # exchanges geography and finance
BY, THE, SENSE, BANK = range(4)
# A dozen roundings of numbers below 2.
CLOSE = {"rtol": 0, "atol": 12 * 2**-53}


def exact(rows):
    return np.array([[Fraction(entry) for entry in row] for row in rows], dtype=object)


def floats(x):
    return x.astype(np.float64)


def tables(text):
    """Map each title to the entries of the table below it, row by row, without the names of tokens and columns."""
    found = {}
    for title, body in re.findall(r"^(\S.*)\n\n\|.*\n\|[-|]+\n((?:\|.*\n)+)", text, re.M):
        found[title] = [[cell.strip() for cell in line.split("|")[2:-1]] for line in body.splitlines()]
    return found


def test_the_matrices():
    for matrix, name in ((LESSON_W_Q, "W_Q"), (LESSON_W_K, "W_K"), (LESSON_W_V, "W_V")):
        np.testing.assert_array_equal(matrix, exact(MODEL[name]))
        np.testing.assert_array_equal(matrix, exact(tables(PRINTED.replace("\n\n\n", "\n\n"))[f"## {name}"]))


def test_the_printed_embeddings():
    printed = exact(tables(PRINTED.replace("\n\n\n", "\n\n"))["## Embeddings"])
    words = re.findall(r"^\| (\w+) \|", PRINTED.split("## Embeddings")[1].split("\n## ")[0], re.M)
    assert words == ["token", *MODEL["embeddings"]]
    for sentence in LESSON_SENTENCES:
        for token, row in zip(lesson_steps(sentence).tokens, lesson_steps(sentence).X, strict=True):
            np.testing.assert_array_equal(row, printed[words.index(token) - 1])


@BOTH
@MODES
def test_everything_before_the_softmax_is_exact(sentence, mode):
    steps, model = lesson_steps(sentence, mode), MODEL["sentences"][sentence]
    assert list(steps.tokens) == model["tokens"] == list(LESSON_SENTENCES[sentence])
    np.testing.assert_array_equal(steps.X, exact([MODEL["embeddings"][token] for token in steps.tokens]))
    for name, key in (("X", "X"), ("Q", "Q"), ("K", "K"), ("V", "V"), ("S", "S_raw")):
        value = getattr(steps, name)
        assert {type(entry) for entry in value.ravel()} == {Fraction}
        np.testing.assert_array_equal(value, exact(model[key]))
    beta = {"scaled": "1/2", "raw": "1", "uniform": "0"}[mode]
    assert steps.beta == LESSON_MODES[mode] == Fraction(beta)
    np.testing.assert_array_equal(steps.Z, steps.S * Fraction(beta))
    if mode == "scaled":
        np.testing.assert_array_equal(steps.Z, exact(model["S_scaled"]))


@BOTH
@MODES
def test_everything_from_the_softmax_on_is_right_to_the_last_digits(sentence, mode):
    steps, model = lesson_steps(sentence, mode), MODEL["sentences"][sentence]["modes"][mode]
    np.testing.assert_allclose(steps.A, np.array(model["A"], dtype=np.float64), **CLOSE)
    np.testing.assert_allclose(steps.output, np.array(model["output"], dtype=np.float64), **CLOSE)
    # given to 12 decimals
    np.testing.assert_allclose(steps.entropy, np.array(model["entropy"], dtype=np.float64), rtol=0, atol=6e-13)
    np.testing.assert_allclose(steps.jacobian_norm, np.array(model["jacobian_fro"], dtype=np.float64), atol=6e-13)
    assert [steps.most(i)[0] for i in range(4)] == model["argmax"]


@BOTH
@MODES
def test_the_printed_tables(sentence, mode):
    steps = lesson_steps(sentence, mode)
    part = PRINTED.split(f"## Sentence '{' '.join(steps.tokens)}'\n")[1].split("\n## ")[0]
    printed = tables(part)
    for name in ("Q", "K", "V"):
        np.testing.assert_array_equal(getattr(steps, name), exact(printed[name]))
    np.testing.assert_array_equal(steps.S, exact(printed["S = Q K^T (raw; divide by 2 for scaled)"]))
    rows = zip(steps.A, steps.entropy, strict=True)
    assert [[*(f"{p:.10f}" for p in row), f"{h:.6f}"] for row, h in rows] == printed[
        f"mode {mode}: weights A (rows = queries)"
    ]
    assert [[f"{x:.10f}" for x in row] for row in steps.output] == printed[f"mode {mode}: outputs A V"]


def test_the_bank_row_in_closed_form():
    steps, closed = lesson_steps(), MODEL["bank_closed_form"]
    with mpmath.workdps(30):
        names = {"exp": mpmath.exp}

        def value(text):
            # 23/50 would be a float division; mpf makes it one of 30 digits
            return eval(re.sub(r"\b(\d+)\b", r"mpf(\1)", text), {"mpf": mpmath.mpf, **names})

        names["Z"] = value(closed["Z"])
        assert mpmath.almosteq(names["Z"], mpmath.mpf(closed["Z_value"]), 1e-28)
        assert closed["Z_value"] == re.search(r"^Z = .* = ([\d.]+)$", PRINTED, re.M)[1]
        weights = [float(value(text)) for text in closed["weights"]]
        output = [float(value(text)) for text in closed["output"]]
    np.testing.assert_allclose(steps.A[BANK], weights, **CLOSE)
    np.testing.assert_allclose(steps.output[BANK], output, **CLOSE)
    np.testing.assert_allclose(np.exp(floats(steps.Z[BANK])).sum(), 14.5519719730522848, rtol=1e-15)


@BOTH
@MODES
def test_the_steps_fit_together(sentence, mode):
    steps = lesson_steps(sentence, mode)
    for i in range(4):
        for j in range(4):
            for f in range(4):
                assert steps.terms[i, j, f] == steps.Q[i, f] * steps.K[j, f]
            assert sum(steps.terms[i, j]) == steps.S[i, j]
    np.testing.assert_allclose(steps.weighted.sum(axis=1), steps.output, **CLOSE)
    for j in range(4):
        np.testing.assert_array_equal(steps.weighted[:, j], np.outer(steps.A[:, j], floats(steps.V[j])))
    np.testing.assert_allclose(steps.A.sum(axis=1), 1, **CLOSE)
    ours = attend(floats(steps.Q), floats(steps.K), floats(steps.V), scale=float(steps.beta))
    np.testing.assert_allclose(steps.output, ours, **CLOSE)
    squares = (steps.A**2).sum(axis=1)
    np.testing.assert_allclose(steps.jacobian_norm**2, squares - 2 * (steps.A**3).sum(axis=1) + squares**2, **CLOSE)


def test_uniform_takes_no_notice_of_the_scores():
    steps = lesson_steps("river", "uniform")
    np.testing.assert_array_equal(steps.A, np.full((4, 4), 0.25))
    assert steps.most(BANK) == steps.tokens  # all four tie; lesson.json names the first
    np.testing.assert_allclose(steps.output, [[0.625, 0.125, 0.25, 0]] * 4, **CLOSE)  # the mean of the Values
    np.testing.assert_allclose(steps.jacobian_norm, np.sqrt(3) / 4, **CLOSE)


def test_the_numbers_the_lesson_prints():
    steps = lesson_steps()
    assert steps.Q[BANK].tolist() == [Fraction(23, 10), Fraction(23, 10), 0, 0]
    assert steps.S[BANK].tolist() == [Fraction(23, 25), 0, Fraction(23, 5), Fraction(69, 50)]
    assert [f"{p:.2f}" for p in steps.A[BANK]] == ["0.11", "0.07", "0.69", "0.14"]
    assert [f"{x:.2f}" for x in steps.output[BANK]] == ["1.43", "0.06", "0.14", "0.00"]
    assert steps.output[BANK, 3] == 0
    # the weights must not be rounded before they mix: 0.11/5 + 0.69 · 2 + 0.14 · 3/10 = 1.444, and they add up to 1.01
    rounded = steps.A[BANK].round(2)
    assert f"{(rounded @ floats(steps.V))[0]:.2f}" == "1.44" and f"{rounded.sum():.2f}" == "1.01"
    assert [f"{lesson_steps('river', mode).entropy[BANK]:.3f}" for mode in ("uniform", "scaled", "raw")] == [
        "1.386",
        "0.957",
        "0.322",
    ]


def test_what_the_lesson_says_of_bank():
    steps = lesson_steps()
    assert steps.most(BANK) == ("river",)
    shares = np.linalg.norm(steps.weighted[BANK], axis=-1)
    assert shares.argmax() == SENSE and shares[THE] == 0
    # a score of 0 is no weight of 0; «the» hands over nothing because its Value is 0
    assert steps.S[BANK, THE] == 0 and f"{steps.A[BANK, THE]:.4f}" == "0.0687"
    assert steps.output[BANK, 0] > max(steps.X[BANK, 0], steps.V[BANK, 0])
    assert (steps.A[BANK] > 0.05).all() and abs(steps.output[BANK] - floats(steps.V[SENSE])).max() > 0.1
    # two different numbers are printed as 0.69: the scaled score of bank with itself and the weight of river
    assert f"{float(steps.Z[BANK, BANK]):.2f}" == f"{steps.A[BANK, SENSE]:.2f}" == "0.69"


@MODES
def test_the_sentences_mirror_each_other(mode):
    river, savings = lesson_steps("river", mode), lesson_steps("savings", mode)
    for matrix in (LESSON_W_Q, LESSON_W_K, LESSON_W_V):
        np.testing.assert_array_equal(SWAP @ matrix @ SWAP, matrix)
    for name in ("X", "Q", "K", "V"):
        np.testing.assert_array_equal(getattr(savings, name), getattr(river, name) @ SWAP)
    np.testing.assert_array_equal(savings.S, river.S)
    np.testing.assert_array_equal(savings.A, river.A)
    np.testing.assert_array_equal(savings.output, river.output @ SWAP)
    if mode != "uniform":
        assert abs(savings.output[BANK] - river.output[BANK]).max() > 1


def test_keys_decide_who_is_heard_and_values_what_is_said():
    river, savings = lesson_steps("river"), lesson_steps("savings")
    q = floats(river.Q)
    np.testing.assert_allclose(attend(q, floats(savings.K), floats(river.V))[BANK], river.output[BANK], **CLOSE)
    np.testing.assert_allclose(attend(q, floats(river.K), floats(savings.V))[BANK], savings.output[BANK], **CLOSE)


@BOTH
def test_the_scores_are_not_symmetric(sentence):
    steps = lesson_steps(sentence)
    twist = LESSON_W_Q @ LESSON_W_K.T - LESSON_W_K @ LESSON_W_Q.T
    np.testing.assert_array_equal(steps.S - steps.S.T, steps.X @ twist @ steps.X.T)
    assert (steps.S != steps.S.T).any()


def test_another_basis_changes_no_weight():
    steps = lesson_steps()
    # a rational rotation (3-4-5) in two planes: X R with W → Rᵀ W leaves Q, K and V as they are, exactly
    c, s = Fraction(3, 5), Fraction(4, 5)
    turn = exact([[c, 0, s, 0], [0, c, 0, s], [-s, 0, c, 0], [0, -s, 0, c]])
    np.testing.assert_array_equal(turn @ turn.T, np.eye(4))
    for name, matrix in (("Q", LESSON_W_Q), ("K", LESSON_W_K), ("V", LESSON_W_V)):
        np.testing.assert_array_equal((steps.X @ turn) @ (turn.T @ matrix), getattr(steps, name))


def test_the_query_matrix_is_one_of_a_family():
    for a, b in ((1, 0), (0, 1), (Fraction(3, 7), Fraction(5, 11))):
        r = Fraction(23, 10) - Fraction(3, 10) * (a + b)
        family = exact([[a, b, 0, 0], [b, a, 0, 0], [r, r, 0, 0], [0, 0, 1, 0]])
        np.testing.assert_array_equal(lesson_steps().X[BANK] @ family, lesson_steps().Q[BANK])
    # r >= 0 leaves a + b <= 7, and of all whole numbers only these two; with (0, 1, 2) content asks for the other kind
    tenths = [(a, b, 23 - 3 * (a + b)) for a in range(8) for b in range(8)]
    assert [(a, b, r // 10) for a, b, r in tenths if r >= 0 and r % 10 == 0] == [(0, 1, 2), (1, 0, 2)]
    assert LESSON_W_Q[:3, :2].tolist() == [[1, 0], [0, 1], [2, 2]]


def test_what_the_printed_numbers_leave_open():
    steps = lesson_steps()
    # the Query (2.3, 2.3, 0, 0) sees of each Key the sum of its first two features, and no more
    sums = [sum(key[:2]) for key in steps.K]
    assert sums == [Fraction(2, 5), 0, 2, Fraction(3, 5)]
    np.testing.assert_array_equal(steps.S[BANK], Fraction(23, 10) * np.array(sums))
    # «the» may hand over anything that leaves the output at 1.43, 0.06, 0.14, 0.00
    rest = steps.output[BANK] - steps.weighted[BANK, THE]
    ends = [(np.array([1.43, 0.06, 0.14, 0]) + side * 0.005 - rest) / steps.A[BANK, THE] for side in (-1, 1)]
    assert [[f"{low:.3f}", f"{high:.3f}"] for low, high in zip(*ends, strict=True)] == [
        ["-0.127", "0.019"],
        ["-0.115", "0.031"],
        ["-0.029", "0.116"],
        ["-0.073", "0.073"],
    ]


def test_a_smaller_variant_prints_the_same_row_but_hardly_tells_the_others_apart():
    steps = lesson_steps()
    x = floats(steps.X)
    x[BY], x[THE] = [0.2, 0.2, 0, 0], [0, 0, 0, 0.05]
    w_q = floats(LESSON_W_Q)
    w_q[3] = [0, 0, 0, 1]
    z = x @ w_q @ x.T / 2  # W_K = W_V = I: Keys and Values are the embeddings
    np.testing.assert_allclose(z[BANK], floats(steps.Z[BANK]), **CLOSE)
    a = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    assert [f"{value:.2f}" for value in (a @ x)[BANK]] == ["1.43", "0.06", "0.14", "0.00"]
    flat = -(a * np.log(a)).sum(axis=1)
    # nearly flat: a hundredth of a nat below log 4, where the lesson's rows lie a tenth below
    assert (np.log(4) - flat[:2] < 0.01).all() and (np.log(4) - steps.entropy[:2] > 0.1).all()


def test_nobody_can_change_it():
    steps = lesson_steps()
    for name in ("X", "Q", "terms", "S", "Z", "A", "weighted", "output", "entropy"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(steps, name)[0] = 0
    with pytest.raises(AttributeError):
        steps.A = None
    with pytest.raises(ValueError, match="read-only"):
        LESSON_W_Q[0, 0] = 2


def test_another_word_is_named():
    with pytest.raises(ValueError, match="sentence: expected one of 'river', 'savings', got 'money'"):
        lesson_steps("money")
    with pytest.raises(ValueError, match="mode: expected one of 'scaled', 'raw', 'uniform', got 'sqrt'"):
        lesson_steps("river", "sqrt")
