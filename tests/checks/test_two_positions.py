"""The two-position softmax: proofs, their printed form, and numbers by independent means."""

import math
import re
from dataclasses import replace

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from interview_book.attention import softmax, softmax_jacobian
from interview_book.checks import DerivationError, best_gap, crossover, gaps, raw_gradient, two_positions
from tests.checks.proving import printed_under

PROOFS = [
    two_positions.jacobian,
    two_positions.jacobian_norm,
    two_positions.gradient,
    two_positions.gradient_of_gap,
    two_positions.slope_of_jacobian,
    two_positions.crossover_equation,
    two_positions.best_divisor_equation,
    gaps.product_given_query,
    gaps.sum_of_four,
    gaps.density_transform,
    gaps.gap_tail_derivation,
]
# Known to KaTeX and to MathJax without extensions.
WORDS = (
    r"\begin|\end|\left|\right|\frac|\sqrt|\partial|\cosh|\sinh|\tanh|\cos|\operatorname|\iff|\infty|\int|\displaystyle|\pi"
    r"|\lVert|\rVert|\mid|\geq"
)
COMMANDS = {*WORDS.split("|"), r"\,", "\\\\"}


@pytest.mark.parametrize("proof", PROOFS, ids=lambda f: f.__name__)
def test_every_step_is_proved(proof):
    derivation = proof()
    assert derivation.verify() is derivation and len(derivation.steps) >= 2
    assert all(re.fullmatch(r"[a-z][a-z.-]+", step.reason) for step in derivation.steps)


@pytest.mark.parametrize("proof", PROOFS, ids=lambda f: f.__name__)
def test_latex_uses_only_what_both_renderers_know(proof):
    latex = proof().latex()
    used = set(re.findall(r"\\(?:[A-Za-z]+|[^A-Za-z\s])", latex))
    assert used <= COMMANDS, used - COMMANDS
    assert set(re.findall(r"\\begin\{(\w+)\}", latex)) <= {"aligned", "matrix"}
    assert latex.count(r"\begin") == latex.count(r"\end") and latex.count(r"\left") == latex.count(r"\right")
    assert latex.isascii()


def test_latex_does_not_depend_on_the_hash_seed():
    program = (
        "from interview_book.checks import two_positions as t, gaps as g\n"
        f"for m, n in {[(p.__module__.rsplit('.', 1)[1][0], p.__name__) for p in PROOFS]}:\n"
        "    print(getattr({'t': t, 'g': g}[m], n)().latex())"
    )
    printed = printed_under(program, "0", "1", "4242")
    assert len(printed) == 1 and printed.pop().count("aligned") == 2 * len(PROOFS)


def test_results_are_those_the_book_states():
    p, c = two_positions.P, two_positions.C
    assert two_positions.jacobian().result == sympy.MatMul(
        p * (1 - p), sympy.Matrix([[1, -1], [-1, 1]]), evaluate=False
    )
    assert two_positions.jacobian_norm().result == 2 * p * (1 - p)
    assert two_positions.gradient().result == p * (1 - p) / c
    golden = (1 + sympy.sqrt(5)) / 2
    assert two_positions.crossover_equation().result == sympy.Eq(two_positions.D, 2 * sympy.acosh(golden))


def test_the_golden_ratio_needs_the_range_of_the_cosh():
    chain = two_positions.crossover_equation()
    bare = [replace(step, above=None) for step in chain.steps]
    with pytest.raises(DerivationError, match="does not know y > 1"):
        replace(chain, steps=tuple(bare)).verify()


def test_the_jacobian_grows_as_the_gap_shrinks():
    slope = two_positions.slope_of_jacobian().verify().result
    assert slope.is_negative  # for x > 0
    for gap, divisor in ((0.1, 1.01), (1, 2), (4, 2), (7, 3)):
        p, q = (1 / (1 + math.exp(-x)) for x in (gap, gap / divisor))
        assert q * (1 - q) > p * (1 - p)


def test_spectral_norm_equals_frobenius_norm():
    p = sympy.Symbol("p", positive=True)
    eigenvalues = (p * (1 - p) * sympy.Matrix([[1, -1], [-1, 1]])).eigenvals()
    assert {sympy.factor(e - 2 * p * (1 - p)): m for e, m in eigenvalues.items()}.get(0) == 1
    assert 0 in eigenvalues


def test_numbers_of_the_example():
    assert math.isclose(raw_gradient(4), 0.017662706213291114, rel_tol=1e-14)  # theory.md 3.4
    assert round(raw_gradient(4, 2), 4) == 0.0525
    assert round(2 * raw_gradient(4, 2) / raw_gradient(4), 3) == 5.944  # the Jacobians
    assert round(raw_gradient(4, 2) / raw_gradient(4), 3) == 2.972  # the gradients in the raw scores
    assert round(raw_gradient(1), 4) == 0.1966 and round(raw_gradient(1, 2), 4) == 0.1175


@given(st.floats(-60, 60), st.floats(0.25, 16))
def test_gradient_equals_the_jacobian_over_the_divisor(gap, divisor):
    jacobian = softmax_jacobian(softmax(np.array([gap, 0.0]) / divisor))
    assert math.isclose(raw_gradient(gap, divisor), jacobian[0, 0] / divisor, rel_tol=1e-12)


def test_gradient_far_out_does_not_overflow():
    assert raw_gradient(1e6) == 0 and raw_gradient(-700) == raw_gradient(700) > 0


def test_crossover_in_forty_digits():
    with mpmath.workdps(40):
        exact = 2 * mpmath.acosh((1 + mpmath.sqrt(5)) / 2)
    assert math.isclose(crossover(), float(exact), rel_tol=4e-16) and f"{crossover():.6f}" == "2.122550"


@given(st.floats(1.01, 16))
def test_crossover_separates(divisor):
    d = crossover(divisor)
    assert math.isclose(raw_gradient(d), raw_gradient(d, divisor), rel_tol=1e-10)
    assert raw_gradient(d / 2) > raw_gradient(d / 2, divisor)
    assert raw_gradient(2 * d) < raw_gradient(2 * d, divisor)
    assert math.isclose(crossover(1 / divisor) * divisor, d, rel_tol=1e-12)


def test_two_is_no_special_case_of_the_bisection():
    assert math.isclose(crossover(math.nextafter(2, 3)), crossover(2), rel_tol=1e-12)


def test_best_gap_in_forty_digits_and_by_search():
    with mpmath.workdps(40):
        exact = mpmath.findroot(lambda x: x * mpmath.tanh(x / 2) - 1, 1.5)
    assert math.isclose(best_gap(), float(exact), rel_tol=4e-16) and f"{best_gap():.6f}" == "1.543405"
    best = 4 / best_gap()
    assert all(raw_gradient(4, best) > raw_gradient(4, best * f) for f in (0.5, 0.99, 1.01, 2))


@pytest.mark.parametrize("divisor", [0, -2, math.nan, math.inf])
def test_bad_divisors_are_named(divisor):
    for function in (crossover, lambda c: raw_gradient(1, c)):
        with pytest.raises(ValueError, match="divisor: expected a finite number above 0"):
            function(divisor)


def test_no_crossover_without_division():
    with pytest.raises(ValueError, match="divisor: expected anything but 1"):
        crossover(1)
