"""Third and fourth moments of a raw score: how far from normal it is, and how large a sample variance errs.

Components are independent with mean 0, variance 1, skewness gamma and kurtosis kappa (3 for a normal variable).
"""

from __future__ import annotations

from sympy import Rational, sqrt

from interview_book.checks.derivations import Derivation, Step
from interview_book.checks.expectations import E, SumOfDistinct, Var
from interview_book.checks.letters import (
    D_K,
    GAMMA_K,
    GAMMA_Q,
    KAPPA_K,
    KAPPA_Q,
    SCORE,
    STANDARD_TO_FOURTH,
    K,
    Q,
    i,
    j,
    over_features,
)

PRODUCT, OTHER = Q[i] * K[i], Q[j] * K[j]


def score_third_moment() -> Derivation:
    """Derive ``E[s³] = d_k γ_q γ_k``: it is 0 as soon as one of the two is symmetric."""
    return Derivation(
        r"\operatorname{E}\left[s^{3}\right]",
        (
            Step(E(SCORE**3), "given", "third.sum-of-products"),
            Step(over_features(E(PRODUCT**3)), "expectation", "third.lone-factors-vanish"),
            Step(over_features(E(Q[i] ** 3) * E(K[i] ** 3)), "expectation", "third.independent"),
            Step(over_features(GAMMA_Q * GAMMA_K), "expectation", "third.skewness"),
            Step(D_K * GAMMA_Q * GAMMA_K, "evaluate", "third.count"),
        ),
        law=STANDARD_TO_FOURTH,
    )


def score_skewness() -> Derivation:
    """Derive the skewness ``γ_q γ_k/√d_k``."""
    return Derivation(
        r"\frac{\operatorname{E}\left[s^{3}\right]}{\operatorname{Var}\left(s\right)^{3/2}}",
        (
            Step(E(SCORE**3) / Var(SCORE) ** Rational(3, 2), "given", "skewness.definition"),
            Step(D_K * GAMMA_Q * GAMMA_K / D_K ** Rational(3, 2), "expectation", "skewness.moments"),
        ),
        law=STANDARD_TO_FOURTH,
    )


def score_fourth_moment() -> Derivation:
    """Derive ``E[s⁴] = d_k κ_q κ_k + 3 d_k (d_k − 1)``: skewness drops out."""
    return Derivation(
        r"\operatorname{E}\left[s^{4}\right]",
        (
            Step(E(SCORE**4), "given", "fourth.sum-of-products"),
            Step(
                over_features(E(PRODUCT**4)) + 3 * SumOfDistinct(E(PRODUCT**2) * E(OTHER**2), i, j, D_K),
                "expectation",
                "fourth.lone-factors-vanish",
            ),
            Step(
                over_features(E(Q[i] ** 4) * E(K[i] ** 4)) + 3 * D_K * (D_K - 1),
                "expectation",
                "fourth.pairs",
            ),
            Step(D_K * KAPPA_Q * KAPPA_K + 3 * D_K * (D_K - 1), "expectation", "fourth.kurtosis"),
        ),
        law=STANDARD_TO_FOURTH,
    )


def score_kurtosis() -> Derivation:
    """Derive the kurtosis ``3 + (κ_q κ_k − 3)/d_k``: for normal components ``3 + 6/d_k``."""
    return Derivation(
        r"\frac{\operatorname{E}\left[s^{4}\right]}{\operatorname{Var}\left(s\right)^{2}}",
        (
            Step(E(SCORE**4) / Var(SCORE) ** 2, "given", "kurtosis.definition"),
            Step((D_K * KAPPA_Q * KAPPA_K + 3 * D_K * (D_K - 1)) / D_K**2, "expectation", "kurtosis.moments"),
            Step(3 + (KAPPA_Q * KAPPA_K - 3) / D_K, "rewrite", "kurtosis.divide"),
        ),
        law=STANDARD_TO_FOURTH,
    )


def score_deviation() -> Derivation:
    """Derive ``√Var(s) = √d_k``, the standard deviation of a raw score."""
    return Derivation(
        r"\sqrt{\operatorname{Var}\left(s\right)}",
        (
            Step(sqrt(Var(SCORE)), "given", "deviation.definition"),
            Step(sqrt(D_K), "expectation", "deviation.variance-of-score"),
        ),
        law=STANDARD_TO_FOURTH,
    )
