"""How far a sample variance of scores lies from d_k, exactly: for independent scores, and for one matrix Q Kᵀ."""

from __future__ import annotations

from sympy import Sum, Symbol, sqrt

from interview_book.checks.derivations import Derivation, Step
from interview_book.checks.expectations import Cov, E, Law, Var
from interview_book.checks.laws import Independent, normal
from interview_book.checks.letters import D_K, KAPPA_K, KAPPA_Q, K, Q, i, key, query

N = Symbol("N", integer=True, positive=True)
SCORES = key("s")
MEAN, VARIANCE, KAPPA = Symbol("mu", real=True), Symbol("v", positive=True), Symbol("kappa", positive=True)
THIRD = Symbol("m_3", real=True)
SAMPLE = Law(
    (
        Independent(
            SCORES,
            (
                MEAN,
                MEAN**2 + VARIANCE,
                MEAN**3 + 3 * MEAN * VARIANCE + THIRD,
                MEAN**4 + 6 * MEAN**2 * VARIANCE + 4 * MEAN * THIRD + KAPPA * VARIANCE**2,
            ),
        ),
    ),
    (N,),
)
"""N independent scores of one law with mean mu, variance v, third central moment m_3 and kurtosis kappa."""

_TOTAL, _SQUARES = Sum(SCORES[i], (i, 1, N)), Sum(SCORES[i] ** 2, (i, 1, N))
SAMPLE_VARIANCE = (_SQUARES - _TOTAL**2 / N) / (N - 1)


def sample_variance_mean() -> Derivation:
    """Derive ``E[S²] = v`` for the sample variance with the denominator N − 1: it is unbiased."""
    return Derivation(
        r"\operatorname{E}\left[S^{2}\right]",
        (
            Step(E(SAMPLE_VARIANCE), "given", "sample-mean.definition"),
            Step((E(_SQUARES) - E(_TOTAL**2) / N) / (N - 1), "expectation", "sample-mean.linear"),
            Step(
                (N * (VARIANCE + MEAN**2) - (N * VARIANCE + N**2 * MEAN**2) / N) / (N - 1),
                "expectation",
                "sample-mean.moments",
            ),
            Step(VARIANCE, "rewrite", "sample-mean.cancel"),
        ),
        law=SAMPLE,
    )


def sample_variance_variance() -> Derivation:
    """Derive ``Var(S²) = v² (κ − 1 + 2/(N − 1))/N``, for every mean and skewness."""
    return Derivation(
        r"\operatorname{Var}\left(S^{2}\right)",
        (
            Step(Var(SAMPLE_VARIANCE), "given", "sample-variance.definition"),
            Step(E(SAMPLE_VARIANCE**2) - VARIANCE**2, "expectation", "sample-variance.unbiased"),
            Step(
                (E(_SQUARES**2) - 2 * E(_SQUARES * _TOTAL**2) / N + E(_TOTAL**4) / N**2) / (N - 1) ** 2 - VARIANCE**2,
                "expectation",
                "sample-variance.square",
            ),
            Step(VARIANCE**2 / N * (KAPPA - 1 + 2 / (N - 1)), "expectation", "sample-variance.moments"),
        ),
        law=SAMPLE,
    )


def sample_variance_error() -> Derivation:
    """Derive the standard error ``d_k √((κ − 1 + 2/(N − 1))/N)`` with ``κ − 1 = 2 + (κ_q κ_k − 3)/d_k``."""
    return Derivation(
        r"\sqrt{\operatorname{Var}\left(S^{2}\right)}",
        (
            Step(sqrt(VARIANCE**2 / N * (KAPPA - 1 + 2 / (N - 1))), "given", "sample-error.root"),
            Step(
                D_K * sqrt((2 + (KAPPA_Q * KAPPA_K - 3) / D_K + 2 / (N - 1)) / N),
                "define",
                "sample-error.score",
                where={VARIANCE: D_K, KAPPA: 3 + (KAPPA_Q * KAPPA_K - 3) / D_K},
            ),
        ),
    )


N_Q, N_K = (named(name, indexed=False, integer=True, positive=True) for named, name in ((query, "n_q"), (key, "n_k")))
a, b = Symbol("a", integer=True), Symbol("b", integer=True)
MATRICES = Law((Independent(Q, normal(4)), Independent(K, normal(4))), (D_K, N_Q, N_K))
"""Q of shape (n_q, d_k) and K of shape (n_k, d_k) with independent standard normal entries."""


def _score(row, column) -> Sum:
    """Return the score of the Query ``row`` and the Key ``column``."""
    return Sum(Q[row, i] * K[column, i], (i, 1, D_K))


MEAN_SQUARE = Sum(_score(a, b) ** 2 / D_K, (b, 1, N_K), (a, 1, N_Q)) / (N_Q * N_K)


def matrix_mean_square() -> Derivation:
    """Derive the variance of the mean of ``s²/d_k`` over all entries of one matrix Q Kᵀ of normal components.

    ``[(2 + 6/d_k) + (2/d_k)(n_q + n_k − 2)]/(n_q n_k)``: the entries are pairwise uncorrelated, but the squares of two
    that share a Query or a Key are not, so that the matrix tells less than n_q n_k independent scores would.
    """
    square = _score(1, 1) ** 2
    same, one_query, one_key = Var(square), Cov(square, _score(1, 2) ** 2), Cov(square, _score(2, 1) ** 2)
    return Derivation(
        r"\operatorname{Var}\left(\frac{1}{n_{q} n_{k}} \sum_{a, b} \frac{s_{a b}^{2}}{d_{k}}\right)",
        (
            Step(Var(MEAN_SQUARE), "given", "matrix.definition"),
            Step(
                (same + (N_K - 1) * one_query + (N_Q - 1) * one_key) / (N_Q * N_K * D_K**2),
                "expectation",
                "matrix.pairs",
            ),
            Step(
                (2 * D_K**2 + 6 * D_K + (N_K - 1) * 2 * D_K + (N_Q - 1) * 2 * D_K) / (N_Q * N_K * D_K**2),
                "expectation",
                "matrix.moments",
            ),
            Step(
                ((2 + 6 / D_K) + 2 / D_K * (N_Q + N_K - 2)) / (N_Q * N_K),
                "rewrite",
                "matrix.divide",
            ),
        ),
        law=MATRICES,
    )
