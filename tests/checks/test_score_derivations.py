"""Every derivation about the variance of scores: proved, printable, and with the result of the theory."""

import math
import re
from dataclasses import replace

import pytest
import sympy
from sympy import Rational, sqrt

from interview_book.book import formulas
from interview_book.checks import DerivationError
from interview_book.checks import dependence as dep
from interview_book.checks import divisors as div
from interview_book.checks import initialisation as ini
from interview_book.checks import sampling as sam
from interview_book.checks import score_shape as shape
from interview_book.checks import score_spread as spread
from interview_book.checks.derivations import difference
from interview_book.checks.expectations import E, Var
from interview_book.checks.letters import (
    D_K,
    GAMMA_K,
    GAMMA_Q,
    KAPPA_K,
    KAPPA_Q,
    RHO,
    SCORE,
    SIGMA_K,
    SIGMA_Q,
    C,
    K,
    Q,
    i,
)
from tests.checks.proving import printed_under


def public(module):
    return [
        function
        for name, function in vars(module).items()
        if getattr(function, "__module__", "") == module.__name__ and callable(function) and not name.startswith("_")
    ]


def all_derivations():
    for module in (spread, div, shape, dep, ini, sam):
        for function in public(module):
            if function is dep.correlated_divided:
                for divisor in (sqrt(D_K), D_K):
                    yield from ((f"{function.__name__}-{divisor}-{n}", one) for n, one in enumerate(function(divisor)))
            elif function in (dep.score_variance_entries, dep.correlated_variance_entries):
                yield from ((f"{function.__name__}-{d}", function(d)) for d in (2, 3))
            else:
                yield function.__name__, function()
    yield "initialisation_variance-same", ini.initialisation_variance(same_token=True)


NAMED = dict(all_derivations())
PROOFS = pytest.mark.parametrize("derivation", NAMED.values(), ids=NAMED.keys())


def result(function):
    """The last line; that it is proved is the first test."""
    return function().result


@PROOFS
def test_every_step_is_proved(derivation):
    assert derivation.verify() is derivation and len(derivation.steps) >= 2
    assert all(re.fullmatch(r"[a-z][a-z.-]+", step.reason) for step in derivation.steps)
    reasons = [step.reason for step in derivation.steps]
    assert len(set(reasons)) == len(reasons)


@PROOFS
def test_a_wrong_last_line_is_refused(derivation):
    *before, last = derivation.steps
    if isinstance(last.expression, sympy.Eq):
        wrong = sympy.Eq(last.expression.lhs, 2 * last.expression.rhs)
    else:
        wrong = last.expression + 1
    with pytest.raises(DerivationError):
        replace(derivation, steps=(*before, replace(last, expression=wrong))).verify()


def test_every_line_printed_is_set_by_katex(root):
    printed = [(derivation.latex(), True) for derivation in NAMED.values()]
    assert formulas.messages(root, printed) == {}
    for tex, _ in printed:
        assert tex.isascii() and not re.search(r"k_\{i\} q_\{i\}|k_\{i\}\^\{2\} q", tex)


def test_latex_does_not_depend_on_the_hash_seed():
    modules = ("score_spread", "divisors", "score_shape", "dependence", "initialisation", "sampling")
    program = (
        "from importlib import import_module\n"
        f"for m in {modules}:\n"
        "    module = import_module('interview_book.checks.' + m)\n"
        "    for n, f in sorted(vars(module).items()):\n"
        "        if getattr(f, '__module__', '') == module.__name__ and callable(f) and not n.startswith('_'):\n"
        "            if not f.__code__.co_argcount:\n"
        "                print(f().latex())"
    )
    printed = printed_under(program, "0", "4242")
    assert len(printed) == 1 and printed.pop().count(r"\begin{aligned}") > 25


def test_results_are_those_of_the_theory():
    n_q, n_k, v, kappa, n = sam.N_Q, sam.N_K, sam.VARIANCE, sam.KAPPA, sam.N
    theory = {
        spread.product_mean: 0,
        spread.product_second_moment: 1,
        spread.product_covariance: 0,
        spread.score_mean: 0,
        spread.score_variance: D_K,
        div.unit_variance: 1,
        div.unit_variance_divisor: sympy.Eq(C, sqrt(D_K)),
        div.variance_divided_by_dk: 1 / D_K,
        div.component_deviations: SIGMA_Q**2 * SIGMA_K**2,
        div.unit_deviations: sympy.Eq(SIGMA_Q * SIGMA_K, 1),
        shape.score_third_moment: D_K * GAMMA_Q * GAMMA_K,
        shape.score_skewness: GAMMA_Q * GAMMA_K / sqrt(D_K),
        shape.score_fourth_moment: D_K * KAPPA_Q * KAPPA_K + 3 * D_K * (D_K - 1),
        shape.score_kurtosis: 3 + (KAPPA_Q * KAPPA_K - 3) / D_K,
        shape.score_deviation: sqrt(D_K),
        dep.correlated_mean: RHO * D_K,
        dep.correlated_variance: D_K * (1 + RHO**2),
        ini.key_gap_variance: 2 * D_K,
        ini.scaled_gap_variance: 2,
        ini.shared_query_covariance: 0,
        ini.shared_query_squares: D_K * (KAPPA_Q - 1),
        ini.gap_mean: 2 / sqrt(sympy.pi),
        ini.rotary_variance: D_K,
        sam.sample_variance_mean: v,
        sam.sample_variance_variance: v**2 * (kappa - 1 + 2 / (n - 1)) / n,
        sam.matrix_mean_square: ((2 + 6 / D_K) + (2 / D_K) * (n_q + n_k - 2)) / (n_q * n_k),
    }
    for function, expected in theory.items():
        found = result(function)
        if isinstance(found, sympy.Eq):
            assert found == expected, function.__name__
        else:
            assert sympy.simplify(difference(found) - expected) == 0, function.__name__
    fixed = result(div.fixed_constant)
    assert fixed.rhs == C**2 and str(fixed.lhs) == "d_k"


def test_numbers_of_the_theory():
    """theory.md 3.1 to 3.3, 3.6: rho = 0.3, d_k = 64; d_k = 16 with n = m = 32; a gap of √2 standard deviations."""
    (mean, variance), (mean_by_dk, variance_by_dk) = (dep.correlated_divided(c) for c in (sqrt(D_K), D_K))
    at = {RHO: Rational(3, 10), D_K: 64}
    assert mean.result.subs(at) == Rational(24, 10) and variance.result.subs(at) == Rational(109, 100)
    assert mean_by_dk.result.subs(at) == Rational(3, 10) and f"{float(variance_by_dk.result.subs(at)):.4f}" == "0.0170"
    square = result(sam.matrix_mean_square).subs({D_K: 16, sam.N_Q: 32, sam.N_K: 32})
    naive = (2 + Rational(6, 16)) / 32**2
    assert f"{math.sqrt(square):.3f}" == "0.099" and f"{math.sqrt(naive):.3f}" == "0.048"
    assert f"{float(result(ini.gap_mean)):.3f}" == "1.128"
    error = result(sam.sample_variance_error).subs({D_K: 1, KAPPA_Q: 3, KAPPA_K: 3, sam.N: 1000})
    assert math.isclose(error, math.sqrt((8 + 2 / 999) / 1000), rel_tol=1e-14)  # traps F10: about √(8/n)


def test_a_chain_begins_with_what_its_left_side_says():
    """The first line is taken as given, so nothing may be proved in it: no linearity, no independence."""
    first = {
        spread.product_mean: E(Q[i] * K[i]),
        spread.score_variance_components: Var(SCORE),
        div.component_deviations: Var(SCORE / sqrt(D_K)),
    }
    for make, line in first.items():
        assert make().steps[0].expression == line
