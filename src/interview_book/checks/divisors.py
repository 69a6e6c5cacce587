"""What a divisor does to the variance of a score, and which divisor makes it 1."""

from __future__ import annotations

from sympy import Eq, Integer, Symbol, sqrt

from interview_book.checks.derivations import Derivation, Step
from interview_book.checks.expectations import E, Law, Var
from interview_book.checks.laws import Independent
from interview_book.checks.letters import (
    D_K,
    SCORE,
    SIGMA_K,
    SIGMA_Q,
    STANDARD,
    C,
    K,
    Q,
    i,
    over_features,
)

S = Symbol("s", real=True)
T = Symbol("t", positive=True)
Y = Symbol("y", positive=True)
# Any law with a mean and a variance: both moments are symbols.
ANY = Law((Independent(S, (Symbol("mu", real=True), Symbol("m_2", real=True))),), (C,))


def scaled_variance() -> Derivation:
    """Derive ``Var(s/c) = Var(s)/c²`` for any score that has a variance."""
    return Derivation(
        r"\operatorname{Var}\left(\frac{s}{c}\right)",
        (
            Step(E((S / C) ** 2) - E(S / C) ** 2, "given", "scaled.definition"),
            Step(E(S**2) / C**2 - E(S) ** 2 / C**2, "expectation", "scaled.linear"),
            Step((E(S**2) - E(S) ** 2) / C**2, "rewrite", "scaled.factor"),
            Step(Var(S) / C**2, "expectation", "scaled.name-the-variance"),
        ),
        law=ANY,
    )


def unit_variance() -> Derivation:
    """Derive ``Var(s/√d_k) = 1``."""
    return Derivation(
        r"\operatorname{Var}\left(\frac{s}{\sqrt{d_{k}}}\right)",
        (
            Step(Var(SCORE / sqrt(D_K)), "given", "unit.sum-of-products"),
            Step(Var(SCORE) / D_K, "expectation", "unit.scaled"),
            Step(Integer(1), "expectation", "unit.variance-of-score"),
        ),
        law=STANDARD,
    )


def unit_variance_divisor() -> Derivation:
    """Solve ``d_k/c² = 1`` for a positive divisor: ``c = √d_k``, and no other."""
    return Derivation(
        "c",
        (
            Step(Eq(D_K / C**2, 1), "given", "divisor.unit-variance"),
            Step(Eq(C**2, D_K), "scale", "divisor.clear-denominator", factor=-(C**2)),
            Step(Eq(C, sqrt(D_K)), "solve", "divisor.positive-root", where={C: T}),
        ),
    )


def variance_divided_by_dk() -> Derivation:
    """Derive ``Var(s/d_k) = 1/d_k``: by d_k the scores shrink as d_k grows, as long as q and k are independent."""
    return Derivation(
        r"\operatorname{Var}\left(\frac{s}{d_{k}}\right)",
        (
            Step(Var(SCORE / D_K), "given", "by-dk.sum-of-products"),
            Step(Var(SCORE) / D_K**2, "expectation", "by-dk.scaled"),
            Step(1 / D_K, "expectation", "by-dk.variance-of-score"),
        ),
        law=STANDARD,
    )


def fixed_constant() -> Derivation:
    """Solve ``d_k/c² = 1`` for the dimension: a constant divisor is right at ``d_k = c²`` and nowhere else.

    The dimension is a positive real number here, which is more than needed.
    """
    d = Symbol("d_k", positive=True)
    return Derivation(
        "d_{k}",
        (
            Step(Eq(d / C**2, 1), "given", "constant.unit-variance"),
            Step(Eq(d, C**2), "solve", "constant.only-dimension", where={d: T}),
        ),
    )


SPREAD = Law((Independent(Q, (0, SIGMA_Q**2)), Independent(K, (0, SIGMA_K**2))), (D_K, C))
"""Independent components of mean 0 and standard deviations sigma_q and sigma_k."""


def component_deviations() -> Derivation:
    """Derive ``Var(s/√d_k) = σ_q² σ_k²`` for components of standard deviations σ_q and σ_k."""
    return Derivation(
        r"\operatorname{Var}\left(\frac{s}{\sqrt{d_{k}}}\right)",
        (
            Step(Var(SCORE / sqrt(D_K)), "given", "deviations.sum-of-products"),
            Step(Var(SCORE) / D_K, "expectation", "deviations.scaled"),
            Step(over_features(E(Q[i] ** 2) * E(K[i] ** 2)) / D_K, "expectation", "deviations.independent"),
            Step(over_features(SIGMA_Q**2 * SIGMA_K**2) / D_K, "expectation", "deviations.moments"),
            Step(SIGMA_Q**2 * SIGMA_K**2, "evaluate", "deviations.count"),
        ),
        law=SPREAD,
    )


def unit_deviations() -> Derivation:
    """Solve ``σ_q² σ_k² = 1``: √d_k gives variance 1 if and only if ``σ_q σ_k = 1``."""
    both = SIGMA_Q * SIGMA_K
    return Derivation(
        r"\sigma_{q} \sigma_{k}",
        (
            Step(Eq(SIGMA_Q**2 * SIGMA_K**2, 1), "given", "unit-deviations.unit-variance"),
            Step(Eq(Y**2, 1), "define", "unit-deviations.name-the-product", where={Y: both}),
            Step(Eq(Y, 1), "solve", "unit-deviations.positive-root", where={Y: T}),
            Step(Eq(both, 1), "define", "unit-deviations.write-out", where={Y: both}),
        ),
    )
