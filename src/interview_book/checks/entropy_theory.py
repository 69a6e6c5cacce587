"""The entropy of a softmax row, in nats: its forms, its extremes, and how it answers to the multiplier beta; proved."""

from __future__ import annotations

from sympy import (
    Derivative,
    Function,
    IndexedBase,
    Integral,
    Rational,
    Sum,
    Symbol,
    exp,
    log,
    symbols,
)

from interview_book.checks.bounds import Bound
from interview_book.checks.derivations import Derivation, Step
from interview_book.checks.softmax_theory import N, numbered, weights_of

BETA = Symbol("beta", positive=True)
X, Y = symbols("x y", positive=True)
T = Symbol("t", positive=True)
J = Symbol("j", integer=True, positive=True)
# F(beta) = log Σ exp(beta s_j); M(beta) is the sum itself
F, M = Function("F"), Function("M")


def entropy_form(n: int = 3) -> Derivation:
    """Derive ``H = log Σ e^{z_j} − Σ p_i z_i``: no logarithm of a weight, hence no 0 log 0."""
    z, (p, _) = numbered("z", n, real=True), weights_of(n)
    total = sum(exp(one) for one in z)
    rows = [exp(one) / total for one in z]
    names = dict(zip(p, rows, strict=True))
    return Derivation(
        "H",
        (
            Step(-sum(one * log(one) for one in p), "given", "entropy.definition"),
            Step(
                sum(-a * (one - log(total)) for a, one in zip(rows, z, strict=True)),
                "define",
                "entropy.log-of-weight",
                where=names,
            ),
            Step(
                log(total) - sum(a * one for a, one in zip(p, z, strict=True)),
                "define",
                "entropy.weights-add-up",
                where=names,
            ),
        ),
    )


def uniform_entropy() -> Derivation:
    """Derive ``H = log n`` for n equal weights."""
    return Derivation(
        "H",
        (
            Step(-Sum(log(1 / N) / N, (J, 1, N)), "given", "uniform.equal-weights"),
            Step(log(N), "evaluate", "uniform.sum"),
        ),
    )


def mean_score() -> Derivation:
    """Derive ``d/dβ log Σ e^{β s_j} = Σ s_j e^{β s_j}/Σ e^{β s_j}``, the mean of s under p, for any n."""
    s = IndexedBase("s", real=True)
    total = Sum(exp(BETA * s[J]), (J, 1, N))
    return Derivation(
        r"F'(\beta)",
        (
            Step(Derivative(log(total), BETA), "given", "mean.definition"),
            Step(Sum(s[J] * exp(BETA * s[J]), (J, 1, N)) / total, "evaluate", "mean.chain-rule"),
        ),
    )


def variance_of_scores() -> Derivation:
    """Derive ``F'' = M''/M − (M'/M)² = E_p[s²] − (E_p s)² = Var_p(s)`` for ``F = log M``, ``M = Σ e^{β s_j}``."""
    m = M(BETA)
    return Derivation(
        r"F''(\beta)",
        (
            Step(Derivative(log(m), (BETA, 2)), "given", "variance.definition"),
            Step(
                Derivative(m, (BETA, 2)) / m - (Derivative(m, BETA) / m) ** 2, "evaluate", "variance.second-derivative"
            ),
        ),
    )


def entropy_slope() -> Derivation:
    """Derive ``dH/dβ = −β F''`` from ``H = F − β F'``; ``F''`` is the variance of the raw scores under p, for any n."""
    f = F(BETA)
    return Derivation(
        r"\frac{d H}{d \beta}",
        (
            Step(Derivative(f - BETA * Derivative(f, BETA), BETA), "given", "slope.entropy-of-beta"),
            Step(-BETA * Derivative(f, (BETA, 2)), "evaluate", "slope.product-rule"),
        ),
    )


def entropy_falls(n: int = 3) -> Bound:
    """Prove ``−dH/dβ ≥ 0`` from the entropy itself: ``β Σ_{i<j} p_i p_j (s_i − s_j)²``, 0 only for a constant row."""
    s = numbered("s", n, real=True)
    total = sum(exp(BETA * one) for one in s)
    p = [exp(BETA * one) / total for one in s]
    entropy = log(total) - BETA * sum(a * one for a, one in zip(p, s, strict=True))
    pairs = sum(p[i] * p[j] * (s[i] - s[j]) ** 2 for i in range(n) for j in range(i + 1, n))
    return Bound(
        Rational(0),
        BETA * pairs,
        Derivation(
            r"-\frac{d H}{d \beta}",
            (
                Step(-Derivative(entropy, BETA), "given", "falls.definition"),
                Step(BETA * pairs, "evaluate", "falls.pairs"),
            ),
        ),
    )


def divergence(n: int = 3) -> Derivation:
    """Derive ``log n − H = Σ p_i log(n p_i)``, the divergence of the weights from uniform ones."""
    p, cover = weights_of(n)
    return Derivation(
        r"\log n - H",
        (
            Step(log(n) + sum(one * log(one) for one in p), "given", "divergence.definition"),
            Step(sum(one * (log(n) + log(one)) for one in p), "rewrite", "divergence.weights-add-up"),
        ),
        cover,
    )


def divergence_term_above() -> Bound:
    """Prove ``x log x − x + 1 ≥ 0`` for ``x = e^y > 1``: with ``x = n p_i``, its mean over i is ``log n − H``."""
    value = exp(Y) * Y - exp(Y) + 1
    return Bound(
        Rational(0),
        value,
        Derivation(
            r"x \log x - x + 1",
            (
                Step(value, "given", "term.above"),
                Step(Integral(T * exp(T), (T, 0, Y)), "evaluate", "term.integral"),
            ),
        ),
    )


def divergence_term_below() -> Bound:
    """Prove the same for ``x = e^−y < 1``; together with x = 1, where it is 0, this gives ``H ≤ log n``."""
    value = -exp(-Y) * Y - exp(-Y) + 1
    return Bound(
        Rational(0),
        value,
        Derivation(
            r"x \log x - x + 1",
            (
                Step(value, "given", "term.below"),
                Step(Integral(T * exp(-T), (T, 0, Y)), "evaluate", "term.integral"),
            ),
        ),
    )


def copying_error() -> Bound:
    """Prove that copying one Value wants all the weight: the squared error ``(1 − p)² (v_1 − v_2)²`` is 0 at p = 1.

    Choosing a single position is what such a task needs, so a low entropy is no fault in itself.
    """
    p, first, second = symbols("p v_1 v_2", real=True)
    error = (p * first + (1 - p) * second - first) ** 2
    return Bound(
        Rational(0),
        error,
        Derivation(
            r"(o - v_{1})^{2}",
            (
                Step(error, "given", "copying.error"),
                Step((1 - p) ** 2 * (first - second) ** 2, "rewrite", "copying.factor"),
            ),
        ),
    )
