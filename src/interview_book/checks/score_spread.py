r"""Why √d_k: mean and variance of a raw score ``s = Σ q_i k_i``, from the independence of its components.

The assumption (``letters.STANDARD``) is that all components are independent with mean 0 and variance 1. Nothing is
assumed of the shape of their distributions, and nothing is approximate.
"""

from __future__ import annotations

from sympy import Integer

from interview_book.checks.derivations import Derivation, Step
from interview_book.checks.expectations import Cov, E, Law, SumOfDistinct, Var
from interview_book.checks.laws import Independent, spread
from interview_book.checks.letters import D_K, SCORE, STANDARD, K, Q, i, j, key, over_features, query

PRODUCT = Q[i] * K[i]
OTHER = Q[j] * K[j]


def product_mean() -> Derivation:
    """Derive ``E[q_i k_i] = E[q_i] E[k_i] = 0``."""
    return Derivation(
        r"\operatorname{E}\left[q_{i} k_{i}\right]",
        (
            Step(E(PRODUCT), "given", "product-mean.product"),
            Step(E(Q[i]) * E(K[i]), "expectation", "product-mean.independent"),
            Step(Integer(0), "expectation", "product-mean.zero"),
        ),
        law=STANDARD,
    )


def product_second_moment() -> Derivation:
    """Derive ``E[(q_i k_i)²] = E[q_i²] E[k_i²] = 1``: this step needs independence, zero correlation is not enough."""
    return Derivation(
        r"\operatorname{E}\left[\left(q_{i} k_{i}\right)^{2}\right]",
        (
            Step(E(PRODUCT**2), "given", "second-moment.square"),
            Step(E(Q[i] ** 2) * E(K[i] ** 2), "expectation", "second-moment.independent"),
            Step(Integer(1), "expectation", "second-moment.unit"),
        ),
        law=STANDARD,
    )


def product_covariance() -> Derivation:
    """Derive ``Cov(q_i k_i, q_j k_j) = 0`` for i ≠ j."""
    return Derivation(
        r"\operatorname{Cov}\left(q_{i} k_{i}, q_{j} k_{j}\right)",
        (
            Step(E(PRODUCT * OTHER) - E(PRODUCT) * E(OTHER), "given", "covariance.definition"),
            Step(
                E(Q[i]) * E(Q[j]) * E(K[i]) * E(K[j]) - E(PRODUCT) * E(OTHER),
                "expectation",
                "covariance.independent",
            ),
            Step(Integer(0), "expectation", "covariance.zero"),
        ),
        law=STANDARD,
    )


def score_mean() -> Derivation:
    """Derive ``E[s] = 0``."""
    return Derivation(
        r"\operatorname{E}\left[s\right]",
        (
            Step(E(SCORE), "given", "score-mean.sum-of-products"),
            Step(over_features(E(PRODUCT)), "expectation", "score-mean.linear"),
            Step(over_features(E(Q[i]) * E(K[i])), "expectation", "score-mean.independent"),
            Step(Integer(0), "expectation", "score-mean.zero"),
        ),
        law=STANDARD,
    )


def score_variance() -> Derivation:
    """Derive ``Var(s) = d_k``."""
    return Derivation(
        r"\operatorname{Var}\left(s\right)",
        (
            Step(Var(SCORE), "given", "variance.sum-of-products"),
            Step(
                over_features(Var(PRODUCT)) + SumOfDistinct(Cov(PRODUCT, OTHER), i, j, D_K),
                "expectation",
                "variance.of-a-sum",
            ),
            Step(over_features(Var(PRODUCT)), "expectation", "variance.no-covariance"),
            Step(over_features(E(PRODUCT**2) - E(PRODUCT) ** 2), "expectation", "variance.definition"),
            Step(over_features(E(Q[i] ** 2) * E(K[i] ** 2)), "expectation", "variance.independent"),
            Step(over_features(Integer(1)), "expectation", "variance.unit"),
            Step(D_K, "evaluate", "variance.count"),
        ),
        law=STANDARD,
    )


M_Q, M_K = query("m_q"), key("m_k")
S_Q, S_K = query("sigma_q", positive=True), key("sigma_k", positive=True)
COMPONENTS = Law(
    (
        Independent(Q, lambda index: spread(M_Q[index], S_Q[index])),
        Independent(K, lambda index: spread(M_K[index], S_K[index])),
    ),
    (D_K, M_Q, M_K, S_Q, S_K),
)
"""Independent components, each with a mean and a standard deviation of its own."""


def score_variance_components() -> Derivation:
    """Derive the variance for independent components with means m and standard deviations sigma of their own."""
    m_q, m_k, s_q, s_k = M_Q[i], M_K[i], S_Q[i], S_K[i]
    return Derivation(
        r"\operatorname{Var}\left(s\right)",
        (
            Step(Var(SCORE), "given", "components.sum-of-products"),
            Step(over_features(Var(PRODUCT)), "expectation", "components.no-covariance"),
            Step(
                over_features(E(Q[i] ** 2) * E(K[i] ** 2) - E(Q[i]) ** 2 * E(K[i]) ** 2),
                "expectation",
                "components.independent",
            ),
            Step(
                over_features((m_q**2 + s_q**2) * (m_k**2 + s_k**2) - m_q**2 * m_k**2),
                "expectation",
                "components.moments",
            ),
            Step(
                over_features(s_q**2 * s_k**2 + m_q**2 * s_k**2 + m_k**2 * s_q**2),
                "rewrite",
                "components.multiply-out",
            ),
        ),
        law=COMPONENTS,
    )
