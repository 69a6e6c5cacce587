"""The lesson's derivations: exact numbers of the lesson's table, other sizes, and what a broken line is told."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import mpmath
import numpy as np
import pytest
from sympy import ImmutableMatrix, MatMul, Matrix, MatrixSymbol, Rational, Symbol

from interview_book.attention import attend, scores
from interview_book.checks import lookup_steps
from interview_book.checks.derivations import Derivation, DerivationError, Step
from interview_book.checks.letters import D_K, key, query
from tests.checks.proving import breaks

MODEL = json.loads((Path(__file__).parents[1] / "attention" / "lesson.json").read_text(encoding="utf-8"))
ALL = [
    lookup_steps.projection,
    lookup_steps.bank_scores,
    lookup_steps.bank_output,
    lookup_steps.score_matrix,
    lookup_steps.only_products,
]
BOTH = pytest.mark.parametrize("sentence", ["river", "savings"])
BANK = 3


def row(entries):
    """Return a row of the lesson's table, written as fractions, as a matrix."""
    return Matrix([[Rational(*Fraction(entry).as_integer_ratio()) for entry in entries]])


@pytest.mark.parametrize("make", ALL, ids=lambda make: make.__name__)
def test_every_derivation_is_proved_and_its_last_line_cannot_be_another(make):
    made = make()
    assert made.verify() is made
    breaks(made)


@BOTH
@pytest.mark.parametrize("role", ["Q", "K", "V"])
@pytest.mark.parametrize("token", range(4))
def test_projections_are_those_of_the_table(role, token, sentence):
    made = lookup_steps.projection(role, token, sentence).verify()
    assert made.result == row(MODEL["sentences"][sentence][role][token])
    assert made.left == f"{role.lower()} = x W_{{{role}}}"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("q",), "role: expected one of 'Q', 'K', 'V', got 'q'"),
        (("Q", 4), "token: expected a place from 0 to 3, got 4"),
        (("Q", True), "token: expected a place from 0 to 3, got True"),
        (("Q", 3, "bank"), "sentence: expected one of 'river', 'savings', got 'bank'"),
    ],
)
def test_another_role_token_or_sentence_is_named(arguments, says):
    with pytest.raises(ValueError, match=says):
        lookup_steps.projection(*arguments)


@BOTH
def test_scores_of_bank_are_those_of_the_table(sentence):
    made = lookup_steps.bank_scores(sentence).verify()
    assert made.result == row(MODEL["sentences"][sentence]["S_raw"][BANK])
    assert made.result == Matrix([[Rational(23, 25), 0, Rational(23, 5), Rational(69, 50)]])


@BOTH
def test_the_closed_form_is_the_output_of_the_table(sentence):
    made = lookup_steps.bank_output(sentence).verify()
    with mpmath.workdps(40):
        total = sum(mpmath.exp(mpmath.mpf(z)) for z in ("0.46", "0", "2.3", "0.69"))
        # lesson.md prints Z to 30 digits.
        assert mpmath.almosteq(total, mpmath.mpf("14.5519719730522848437198233473"), rel_eps=mpmath.mpf("1e-29"))
        known = MODEL["sentences"][sentence]["modes"]["scaled"]["output"][BANK]
        for step in made.steps:
            value = step.expression.doit().as_explicit().subs(Symbol("Z", positive=True), total).evalf(40)
            for got, want in zip(value, known, strict=True):
                # lesson.json has 20 digits.
                assert abs(mpmath.mpf(str(got)) - mpmath.mpf(want)) < mpmath.mpf("1e-18")


@pytest.mark.parametrize("sizes", [(2, 3, 2), (3, 2, 5), (1, 7, 3), (5, 1, 1)])
def test_a_row_of_scores_holds_one_query_and_every_key(sizes):
    n_q, n_k, d_k = sizes
    made = lookup_steps.score_matrix(*sizes).verify()
    result = made.result
    assert result.shape == (n_q, n_k)
    q, k = query("q"), key("k")
    rng = np.random.Generator(np.random.PCG64(n_q * 100 + n_k * 10 + d_k))
    left, right = rng.integers(-9, 10, (n_q, d_k)), rng.integers(-9, 10, (n_k, d_k))
    numbers = {q[i + 1, f + 1]: int(left[i, f]) for i in range(n_q) for f in range(d_k)}
    numbers |= {k[j + 1, f + 1]: int(right[j, f]) for j in range(n_k) for f in range(d_k)}
    # small whole numbers: the product of floats is exact
    assert result.subs(numbers) == Matrix(scores(left.astype(float), right.astype(float), scale=1).astype(int))
    for i in range(n_q):
        names = {str(one) for entry in result.row(i) for one in entry.free_symbols if "[" in str(one)}
        assert names == {f"q[{i + 1}, {f + 1}]" for f in range(d_k)} | {
            f"k[{j + 1}, {f + 1}]" for j in range(n_k) for f in range(d_k)
        }


@pytest.mark.parametrize("name", ["n_q", "n_k", "d_k"])
@pytest.mark.parametrize("size", [0, -1, 2.0, True, "2"])
def test_sizes_are_whole_numbers(name, size):
    with pytest.raises(ValueError, match=f"{name}: expected a whole number of at least 1, got"):
        lookup_steps.score_matrix(**{name: size})


def test_only_products_needs_the_inverse():
    q, column, r = MatrixSymbol("q", 1, D_K), MatrixSymbol("c", D_K, 1), MatrixSymbol("R", D_K, D_K)
    for wrong in (MatMul(q, r, r, column), MatMul(q, r, r.T, column)):
        steps = (Step(wrong, "given", "turned.wrong"), Step(MatMul(q, column), "rewrite", "turned.cancel"))
        with pytest.raises(DerivationError):
            replace(lookup_steps.only_products(), steps=steps).verify()


@pytest.mark.parametrize("d_k", [1, 2, 3])
def test_the_first_line_of_only_products_is_its_left_side(d_k):
    # (q R)(k R⁻ᵀ)ᵀ = q R R⁻¹ kᵀ, which the derivation takes as given, in fractions
    rng = np.random.Generator(np.random.PCG64(d_k))
    q, k = (ImmutableMatrix(rng.integers(-7, 8, (1, d_k)).tolist()) for _ in "qk")
    r = ImmutableMatrix((rng.integers(-3, 4, (d_k, d_k)) + 11 * np.eye(d_k, dtype=int)).tolist())
    made = lookup_steps.only_products()
    names = {str(one): one for one in made.steps[0].expression.atoms(MatrixSymbol)}
    given = made.steps[0].expression.subs({D_K: d_k})
    given = given.subs({names[name].subs({D_K: d_k}): value for name, value in (("q", q), ("R", r))})
    given = given.subs({names[r"k^{\mathsf{T}}"].subs({D_K: d_k}): k.T})
    turned = (q * r) * (k * r.inv().T).T
    assert given.doit() == turned == q * k.T


@BOTH
def test_attend_agrees_with_the_lesson(sentence):
    q, k, v = (
        np.array([[float(Fraction(x)) for x in line] for line in MODEL["sentences"][sentence][name]]) for name in "QKV"
    )
    closed = lookup_steps.bank_output(sentence).result.doit().as_explicit()
    total = sum(np.exp(z) for z in (0.46, 0.0, 2.3, 0.69))
    floats = np.array(closed.subs(Symbol("Z", positive=True), float(total)).evalf(), dtype=float)[0]
    # a dozen roundings of numbers below 2
    np.testing.assert_allclose(attend(q, k, v)[BANK], floats, rtol=0, atol=1e-14)


def test_every_function_that_returns_a_derivation_is_tested_here():
    made = {
        name
        for name, one in vars(lookup_steps).items()
        if getattr(one, "__module__", "") == lookup_steps.__name__
        and getattr(one, "__annotations__", {}).get("return") == Derivation.__name__
    }
    assert made == {make.__name__ for make in ALL}
