"""The algebra of expectations against enumeration, generating functions and sums written out."""

from collections import defaultdict
from fractions import Fraction
from itertools import chain, product
from math import prod

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Eq, IndexedBase, Integer, Matrix, Rational, Sum, Symbol, expand, symbols

from interview_book.checks.derivations import Derivation, DerivationError, Step
from interview_book.checks.expectations import Cov, E, Law, SumOfDistinct, Var
from interview_book.checks.index_sums import canonical, partitions, sum_by_cases, total
from interview_book.checks.laws import (
    Gaussian,
    GaussianField,
    Independent,
    Joint,
    MomentError,
    Vector,
    isserlis,
    normal,
    spread,
    standard,
)
from interview_book.checks.letters import D_K, SCORE, STANDARD, K, Q, i, j, over_features
from interview_book.checks.typesetting import latex

a, c, x, y, z = symbols("a c x y z", real=True)
F, G = IndexedBase("f", real=True), IndexedBase("g", real=True)

# A distribution: values with their probabilities.
RADEMACHER = {Fraction(-1): Fraction(1, 2), Fraction(1): Fraction(1, 2)}
SKEWED = {Fraction(-1): Fraction(2, 3), Fraction(1, 2): Fraction(1, 5), Fraction(3): Fraction(2, 15)}


def moments(distribution, orders=4):
    return tuple(_rational(sum(p * v**n for v, p in distribution.items())) for n in range(1, orders + 1))


def _rational(fraction):
    return Rational(fraction.numerator, fraction.denominator)


def score_moment(law_q, law_k, d, n):
    """E sⁿ by convolving the law of one product d times: exact, and without any of our algebra."""
    law = {Fraction(0): Fraction(1)}
    for _ in range(d):
        following = defaultdict(Fraction)
        for (s, p), (q, p_q), (k, p_k) in product(law.items(), law_q.items(), law_k.items()):
            following[s + q * k] += p * p_q * p_k
        law = following
    return _rational(sum(p * s**n for s, p in law.items()))


distributions = st.lists(
    st.tuples(st.fractions(-3, 3, max_denominator=5), st.integers(1, 7)),
    min_size=2,
    max_size=3,
    unique_by=lambda v: v[0],
).map(lambda pairs: {v: Fraction(w, sum(weight for _, weight in pairs)) for v, w in pairs})


@settings(max_examples=23)  # one example takes 0.1 s
@given(distributions, distributions)
def test_a_sum_of_d_terms_has_the_moments_of_the_convolution(law_q, law_k):
    law = Law((Independent(Q, moments(law_q)), Independent(K, moments(law_k))), (D_K,))
    for n in range(1, 5):
        formula = law.value(E(SCORE**n))
        for d in range(1, 5):
            assert formula.subs(D_K, d) == score_moment(law_q, law_k, d, n)


@pytest.mark.parametrize("n", range(1, 7))
def test_rademacher_scores_by_enumeration(n):
    ones = Law((Independent(Q, (0, 1) * 3), Independent(K, (0, 1) * 3)), (D_K,))
    formula = ones.value(E(SCORE**n))
    for d in range(1, 7):
        signs = list(product((-1, 1), repeat=d))
        total_ = sum(sum(q * k for q, k in zip(one, two, strict=True)) ** n for one in signs for two in signs)
        assert formula.subs(D_K, d) == Rational(total_, 4**d)


@pytest.mark.parametrize("d", range(1, 6))
def test_symbolic_sums_equal_sums_written_out(d):
    """The same law at a fixed d, where the algebra meets no sum at all."""
    law = Law((Independent(Q, symbols("m1:5")), Independent(K, symbols("n1:5"))), (D_K,))
    written = sum(Q[n] * K[n] for n in range(1, d + 1))
    for power in (1, 2, 3, 4) if d < 4 else (1, 2):
        assert expand(law.value(E(SCORE**power)).subs(D_K, d) - law.value(E(written**power))) == 0
    assert expand(law.value(Var(SCORE)).subs(D_K, d) - law.value(Var(written))) == 0


def test_moments_of_one_index_may_depend_on_it():
    m, v = IndexedBase("m"), IndexedBase("v")
    law = Law((Independent(Q, lambda n: (m[n], v[n])),), (D_K, m, v))
    found = law.value(E(over_features(Q[i]) ** 2))
    for d in (1, 2, 3):
        by_hand = sum(v[n] for n in range(1, d + 1)) + sum(
            m[n] * m[other] for n in range(1, d + 1) for other in range(1, d + 1) if n != other
        )
        assert expand(found.subs(D_K, d).doit() - by_hand) == 0


def test_dependent_letters_by_enumeration():
    """A joint law of (q, k) at one index; three points, uncorrelated and yet dependent."""
    points = {(1, 0): Fraction(1, 4), (-1, 0): Fraction(1, 4), (0, 2): Fraction(1, 3), (0, -3): Fraction(1, 6)}
    joint = {
        (r, s): _rational(sum(p * q**r * k**s for (q, k), p in points.items())) for r, s in product(range(5), repeat=2)
    }
    law = Law((Joint((Q, K), joint),), (D_K,))
    for n, power in product((1, 2, 3), (1, 2)):
        expression = over_features((Q[i] - 2 * K[i] + 1) ** power)
        sample = sum(
            prod(p for _, p in chosen) * (sum((q - 2 * k + 1) ** power for (q, k), _ in chosen)) ** 2
            for chosen in product(points.items(), repeat=n)
        )
        assert law.value(E(expression**2)).subs(D_K, n) == _rational(sample)


def test_isserlis_is_the_derivative_of_the_generating_function():
    s, t, u = symbols("s t u")
    means, covariance = (Integer(1), Rational(-1, 2), Integer(0)), Matrix([[2, 1, 0], [1, 3, -1], [0, -1, 1]])
    exponents = Matrix([s, t, u])
    generating = sympy.exp((exponents.T * Matrix(means))[0] + (exponents.T * covariance * exponents)[0] / 2)
    law = Law((Gaussian((x, y, z), covariance, means),))
    for powers in ((1, 0, 0), (1, 1, 0), (2, 1, 1), (0, 3, 1), (2, 2, 0)):
        derivative = generating
        for symbol, power in zip((s, t, u), powers, strict=True):
            derivative = sympy.diff(derivative, symbol, power)
        assert law.value(E(x ** powers[0] * y ** powers[1] * z ** powers[2])) == derivative.subs({s: 0, t: 0, u: 0})


def test_isserlis_counts_pairings():
    # (2n − 1)!! ways to pair 2n equal standard normal factors
    assert [isserlis(("x",) * n, lambda a: 0, lambda a, b: 1) for n in range(1, 9)] == [0, 1, 0, 3, 0, 15, 0, 105]
    assert normal(8) == (0, 1, 0, 3, 0, 15, 0, 105)
    assert normal(4, a) == (0, a**2, 0, 3 * a**4)


def test_a_normal_family_may_depend_across_indices():
    rho = Symbol("rho")
    # one variable for all indices, so that a sum of d of them is d times it
    one = Law((GaussianField((F,), lambda first, second: Integer(1)),), (D_K,))
    assert one.value(E(over_features(F[i]) ** 4)) == 3 * D_K**4
    # and one in which only different indices are correlated by rho
    some = Law((GaussianField((F,), lambda p, q: Integer(1) if p == q else rho),), (D_K, rho))
    assert expand(some.value(Var(over_features(F[i]))) - D_K - D_K * (D_K - 1) * rho) == 0


def test_definitions_of_variance_and_covariance():
    law = Law((Joint((x, y), {(1, 0): 2, (0, 1): 3, (1, 1): 7, (2, 0): 5, (0, 2): 11}),), (c,))
    assert law.value(Var(x)) == 5 - 4 and law.value(Cov(x, y)) == 7 - 6 and law.value(Cov(x, x)) == 1
    assert expand(law.value(Var(x + c * y)) - (1 + 2 * c + 2 * c**2)) == 0
    assert law.value(E(x * E(y))) == 6 and law.value(E(c)) == c
    assert law.value(Matrix([[E(x), Var(y)]])) == Matrix([[2, 2]])
    assert law.value(Eq(E(x), 2)) == Eq(2, 2, evaluate=False)
    assert standard() == (0, 1) and standard(5, 7) == (0, 1, 5, 7) and spread(a, c) == (a, a**2 + c**2)


@pytest.mark.parametrize(
    ("law", "expression", "says"),
    [
        (STANDARD, E(Q[i] ** 3), r"moment of order 3 of q is not specified; the law gives orders 1 to 2"),
        # a 0 beside it does not hide it
        (STANDARD, E(Q[i] ** 3 * K[i]), "order 3 of q is not specified"),
        (STANDARD, E(SCORE**3), "order 3"),
        (STANDARD, E(Q[i] * x), "nothing is specified of x"),
        (STANDARD, E(Q[i] * F[i]), "nothing is specified of f"),
        (STANDARD, E(x), "nothing is specified of x"),
        (STANDARD, E(1 / Q[i]), "expected a polynomial in the random letters q, k"),
        (STANDARD, E(sympy.exp(Q[i])), "expected a polynomial"),
        (STANDARD, E(Sum(Q[i], (i, 1, j), (j, 1, D_K))), "expected a polynomial"),
        (STANDARD, Sum(E(Q[i] * Q[j]), (i, 1, j), (j, 1, D_K)), "ranges of their own; try SumOfDistinct"),
        (STANDARD, E(Q[j] * over_features(Q[i])), "all free or all bound"),
        (STANDARD, over_features(E(Q[i] * Q[j])), "all free or all bound"),
        (Law((Joint((x, y), {(1, 1): a}),)), E(x**2), r"exponents \(2, 0\) of \(x, y\) is not specified"),
        (Law((Vector(F, lambda n: 0, lambda n, m: 1),)), E(F[1] * F[2] * F[3]), "order 3 of f is not specified"),
    ],
)
def test_what_the_moments_do_not_determine_is_refused(law, expression, says):
    with pytest.raises(MomentError, match=says):
        law.value(expression)


def test_laws_that_contradict_themselves_are_refused():
    with pytest.raises(ValueError, match="expected x in one block"):
        Law((Independent(x, (0,)), Independent(x, (1,))))
    with pytest.raises(ValueError, match="not among the fixed letters"):
        Law((Independent(x, (0,)),), (x,))
    with pytest.raises(ValueError, match="got the random letter x"):
        Law((Independent(x, (0,)), Independent(y, (x,))))
    with pytest.raises(ValueError, match="expected no gap below order 4"):
        standard(None, 3)
    with pytest.raises(ValueError, match=r"symmetric matrix of shape \(2, 2\)"):
        Gaussian((x, y), Matrix([[1, 0], [a, 1]]))
    with pytest.raises(ValueError, match="means: expected 2"):
        Gaussian((x, y), Matrix([[1, 0], [0, 1]]), (a,))
    with pytest.raises(TypeError, match="Cov: expected 2 arguments, got 1"):
        Cov(x)
    with pytest.raises(TypeError, match="no derivative of an expectation"):
        sympy.diff(E(a * x), a)


def test_partitions_are_counted_by_bell_numbers():
    for n, bell in enumerate((1, 1, 2, 5, 15, 52)):
        found = list(partitions(list(range(n))))
        assert len(found) == len({tuple(sorted(map(tuple, map(sorted, blocks)))) for blocks in found}) == bell
        assert all(sorted(chain(*blocks)) == list(range(n)) for blocks in found)


def test_sums_over_different_numbers():
    """Against loops: d = 2 indices of one range and one of another."""
    n, m, h = (Symbol(name, integer=True) for name in ("n", "m", "h"))
    e = Symbol("e", integer=True, positive=True)

    def value(names):
        return (2 if names[n] == names[m] else 1) * F[names[n]] * F[names[m]] * G[names[h]]

    found = sum_by_cases(value, [(n, 1, D_K), (m, 1, D_K), (h, 1, e)])
    apart = sum_by_cases(value, [(n, 1, D_K), (m, 1, D_K), (h, 1, e)], distinct=True)
    for d, last in ((1, 2), (2, 3), (5, 2)):
        numbers, others = range(1, d + 1), range(1, last + 1)
        pairs = sum(F[p] * F[q] for p in numbers for q in numbers if p != q)
        squares, outside = sum(F[p] ** 2 for p in numbers), sum(G[p] for p in others)
        assert expand(apart.subs({D_K: d, e: last}).doit() - pairs * outside) == 0
        assert expand(found.subs({D_K: d, e: last}).doit() - (pairs + 2 * squares) * outside) == 0


def test_normal_form_of_sums():
    n, m = Symbol("n", integer=True), Symbol("m", integer=True)
    assert canonical(Sum(F[n], (n, 1, D_K))) == canonical(Sum(F[m], (m, 1, D_K)))
    assert canonical(Sum(2 * F[n] * G[m], (n, 1, D_K), (m, 1, D_K))) == (
        2 * Sum(F[i], (i, 1, D_K)) * Sum(G[i], (i, 1, D_K))
    )
    matrix = IndexedBase("A")
    first, second = (Sum(matrix[p, q] * matrix[q, p] * F[p], (p, 1, D_K), (q, 1, D_K)) for p, q in ((n, m), (m, n)))
    assert canonical(first) == canonical(second) and canonical(first) != canonical(first.subs(F, G))
    swapped = Sum(matrix[n, m] * matrix[m, n] * F[n], (m, 1, D_K), (n, 1, D_K))
    assert canonical(swapped) == canonical(first)
    assert canonical(Sum(c, (n, 2, D_K))) == expand(c * (D_K - 1))
    # a name that is taken outside, or by a sum inside, is not captured
    assert canonical(Sum(matrix[i, n], (n, 1, D_K))) == Sum(matrix[i, j], (j, 1, D_K))
    inside = total(F[m] * Sum(matrix[m, i], (i, 1, D_K)), [(m, 1, D_K)])
    written = sum(F[p] * matrix[p, q] for p in (1, 2, 3) for q in (1, 2, 3))
    assert expand(inside.subs(D_K, 3).doit() - written) == 0
    # a range that depends on an index is left alone
    triangle = Sum(F[i], (i, 1, j), (j, 1, D_K))
    assert canonical(triangle) == triangle


def test_print():
    assert latex(Var(SCORE)) == r"\operatorname{Var}\left(\sum_{i=1}^{d_{k}} q_{i} k_{i}\right)"
    assert latex(Cov(Q[i] * K[i], Q[j] * K[j])) == r"\operatorname{Cov}\left(q_{i} k_{i}, q_{j} k_{j}\right)"
    assert latex(E(Q[i] ** 2 * K[i] ** 2) - E(Q[i] * K[i]) ** 2) == (
        r"\operatorname{E}\left[q_{i}^{2} k_{i}^{2}\right] - \operatorname{E}\left[q_{i} k_{i}\right]^{2}"
    )
    assert latex(SumOfDistinct(F[i] + F[j], i, j, D_K)) == r"\sum_{i \neq j} \left(f_{i} + f_{j}\right)"
    assert latex(Sum(IndexedBase("m_q")[i], (i, 1, D_K / 2))) == r"\sum_{i=1}^{d_{k} / 2} m_{q,i}"
    assert latex(SumOfDistinct(F[i], i, j, D_K) * E(x)) in (
        r"\operatorname{E}\left[x\right] \sum_{i \neq j} f_{i}",
        r"\left(\sum_{i \neq j} f_{i}\right) \operatorname{E}\left[x\right]",
    )


def prove(first, second, law):
    return Derivation("f", (Step(first, "given", "start"), Step(second, "expectation", "step")), law=law).verify()


DEPENDENT = Law(
    (Joint((Q, K), {(1, 0): 0, (0, 1): 0, (1, 1): 0, (2, 0): 1, (0, 2): 1, (2, 2): Symbol("m_22")}),), (D_K,)
)


@pytest.mark.parametrize(
    ("first", "second", "law", "says"),
    [
        (Var(SCORE), 2 * D_K, STANDARD, "left between them: -d_k"),
        (Var(SCORE), D_K**2, STANDARD, "left between them"),
        (Var(SCORE), over_features(Var(Q[i])) + 1, STANDARD, "left between them: -1"),
        # uncorrelated is not independent
        (E(Q[i] ** 2 * K[i] ** 2), E(Q[i] ** 2) * E(K[i] ** 2), DEPENDENT, "left between them: m_22 - 1"),
        (E(Q[i] ** 2), E(Q[i]) ** 2, STANDARD, "left between them: 1"),
        (Var(SCORE), D_K, None, "expected a law of the random letters"),
        (E(Q[i] ** 4), Integer(3), STANDARD, "moment of order 4 of q is not specified"),
        (E(Q[i]), Eq(E(Q[i]), 0), STANDARD, "one line is an equation"),
    ],
)
def test_the_rule_refuses_what_does_not_follow(first, second, law, says):
    with pytest.raises(DerivationError, match=says):
        prove(first, second, law)


def test_the_rule_proves_what_follows():
    assert prove(E(Q[i] * K[i]), Integer(0), DEPENDENT)
    assert prove(Eq(E(Q[i] ** 2), 1), Eq(Var(Q[i]), 1), STANDARD)
    assert prove(Matrix([[Var(SCORE), E(SCORE)]]), Matrix([[D_K, 0]]), STANDARD)
    # without the algebra an expectation is opaque
    opaque = Derivation("f", (Step(E(Q[i] + K[i]), "given", "a"), Step(E(Q[i]) + E(K[i]), "rewrite", "b")))
    with pytest.raises(DerivationError):
        opaque.verify()


N_OTHER = Symbol("n", integer=True, positive=True)


@pytest.mark.parametrize(
    "expression",
    [
        # min(d_k, n), d_k − 1, min(d_k, n), d_k − 1: the indices may meet, which gives more than 0
        E(over_features(Q[i]) * Sum(Q[j], (j, 1, N_OTHER))),
        E(over_features(Q[i]) * Sum(Q[j], (j, 2, D_K))),
        Sum(E(Q[i] * Q[j]), (i, 1, D_K), (j, 1, N_OTHER)),
        E(over_features(Q[i + 1]) * over_features(Q[i + 2])),
        # a free index beside those of SumOfDistinct
        SumOfDistinct(E(Q[i] * Q[Symbol("l", integer=True)]), i, j, D_K),
    ],
    ids=str,
)
def test_indices_that_may_meet_are_refused(expression):
    with pytest.raises(MomentError, match="expected"):
        STANDARD.value(expression)


def test_indices_of_different_letters_may_have_different_ranges():
    assert STANDARD.value(E(over_features(Q[i] ** 2) * Sum(K[j] ** 2, (j, 1, N_OTHER)))) == D_K * N_OTHER


def test_the_value_of_an_expectation_is_not_random():
    n = Symbol("m", integer=True, positive=True)
    law = Law((Independent(n, (2, 5)), Independent(Q, (3, 10))))
    with pytest.raises(MomentError, match="expected a number"):
        law.value(E(Sum(Q[i], (i, 1, n))))
    law = Law((Independent(Q, lambda index: (0, K[index])), Independent(K, standard())))
    with pytest.raises(MomentError, match="expected a number"):
        law.value(E(Q[i] ** 2))


@pytest.mark.parametrize(
    "block",
    [
        lambda: Independent(x, (0, -1)),
        lambda: Independent(x, (2, 1)),
        lambda: Independent(x, standard(0, Rational(1, 2))),
        lambda: Independent(x, standard(2, 2)),  # the kurtosis is at least 1 + skewness²
        lambda: Joint((x, y), {(2, 0): 1, (0, 2): 1, (1, 1): 2}),
        lambda: Joint((x, y), {(0, 0): 2, (2, 0): 1}),
        lambda: Gaussian((x, y), Matrix([[1, 2], [2, 1]])),
        lambda: Law((Independent(Q, lambda index: (0, -1)),)).value(E(Q[i])),
    ],
)
def test_moments_that_no_variable_has_are_refused(block):
    with pytest.raises(ValueError, match="expected"):
        block()


def test_moments_at_the_edge_of_what_is_possible():
    assert Law((Independent(x, standard(2, 5)),)).value(Var(x)) == 1
    assert Law((Gaussian((x, y), Matrix([[1, 1], [1, 1]])),)).value(Var(x - y)) == 0


@pytest.mark.parametrize(
    ("block", "product"),
    [
        (Joint((x, Q), {(1, 0): 0, (0, 1): 0, (1, 1): Rational(1, 2)}), x * Q[i]),
        (Gaussian((Q, K), Matrix([[1, 1], [1, 1]])), Q[i] * K[i, j]),
        (Independent(Q, standard()), Q[i] * Q[i, j]),
    ],
)
def test_variables_with_different_numbers_of_indices_are_not_taken_as_independent(block, product):
    with pytest.raises(MomentError, match="as many indices"):
        Law((block,)).value(E(product))
