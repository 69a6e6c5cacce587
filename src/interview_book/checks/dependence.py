"""Scores of dependent components: what the variance is then, and how little of the independence is needed.

Query and Key are independent *as vectors* in the first derivation; they are correlated in the others.
"""

from __future__ import annotations

from sympy import Expr, Integer, MatMul, Matrix, Sum, Symbol, Trace, default_sort_key, sympify

from interview_book.checks.derivations import Derivation, Step
from interview_book.checks.expectations import Cov, E, Law, Var
from interview_book.checks.laws import Gaussian, GaussianField, Independent, Joint, Vector, letter_of, standard
from interview_book.checks.letters import D_K, RHO, SCORE, K, Q, i, j, key, over_features, query
from interview_book.checks.typesetting import latex

PRODUCT, OTHER = Q[i] * K[i], Q[j] * K[j]
M_Q, M_K = query("m_q"), key("m_k")
S_Q, S_K, CROSS = query("S_q"), key("S_k"), key("C")


def _symmetric(matrix):
    """Return the entries of a symmetric matrix as a function of two indices in either order."""
    return lambda a, b: matrix[tuple(sorted((a, b), key=default_sort_key))]


VECTORS = Law(
    (Vector(Q, lambda a: M_Q[a], _symmetric(S_Q)), Vector(K, lambda a: M_K[a], _symmetric(S_K))),
    (D_K, M_Q, M_K, S_Q, S_K),
)
"""q and k independent of each other, each with any mean vector m and covariance matrix S of its components."""


def _pairs(summand) -> Sum:
    return Sum(summand, (i, 1, D_K), (j, 1, D_K))


def _name(latex: str) -> Symbol:
    return Symbol(latex, real=True)


TRACE = _name(r"\operatorname{tr}\left(S_{q} S_{k}\right)")
MEAN_Q = _name(r"m_{q}^{\mathsf{T}} S_{k} m_{q}")
MEAN_K = _name(r"m_{k}^{\mathsf{T}} S_{q} m_{k}")
TRACE_C = _name(r"\operatorname{tr} C")
TRACE_C2 = _name(r"\operatorname{tr}\left(C^{2}\right)")


def score_variance_covariances() -> Derivation:
    """Derive ``Var(s) = tr(S_q S_k) + m_qᵀ S_k m_q + m_kᵀ S_q m_k`` for q and k independent as vectors.

    The components inside q, and those inside k, may depend on one another in any way.
    """
    trace, mean_q, mean_k = (
        S_Q[i, j] * S_K[i, j],
        M_Q[i] * S_K[i, j] * M_Q[j],
        M_K[i] * S_Q[i, j] * M_K[j],
    )
    return Derivation(
        r"\operatorname{Var}\left(s\right)",
        (
            Step(Var(SCORE), "given", "vectors.sum-of-products"),
            Step(_pairs(Cov(PRODUCT, OTHER)), "expectation", "vectors.covariances"),
            Step(
                _pairs(E(Q[i] * Q[j]) * E(K[i] * K[j]) - E(Q[i]) * E(Q[j]) * E(K[i]) * E(K[j])),
                "expectation",
                "vectors.independent",
            ),
            Step(_pairs(trace + mean_q + mean_k), "expectation", "vectors.moments"),
            Step(
                TRACE + MEAN_Q + MEAN_K,
                "define",
                "vectors.name-the-sums",
                where={TRACE: _pairs(trace), MEAN_Q: _pairs(mean_q), MEAN_K: _pairs(mean_k)},
            ),
        ),
        law=VECTORS,
    )


def score_variance_entries(d_k: int = 2) -> Derivation:
    """Derive the same at a fixed d_k of 2 or 3 with matrices written out: an independent check of the sums."""
    _require_small(d_k)
    q, k = (Matrix([letter[n] for n in range(1, d_k + 1)]) for letter in (Q, K))
    m_q, m_k = (Matrix([letter[n] for n in range(1, d_k + 1)]) for letter in (M_Q, M_K))
    s_q, s_k = (Matrix(d_k, d_k, lambda a, b, s=s: _symmetric(s)(a + 1, b + 1)) for s in (S_Q, S_K))
    return Derivation(
        r"\operatorname{Var}\left(s\right)",
        (
            Step(Var(q.dot(k)), "given", "entries.sum-of-products"),
            Step(
                Trace(MatMul(s_q, s_k)) + Trace(MatMul(m_q.T, s_k, m_q)) + Trace(MatMul(m_k.T, s_q, m_k)),
                "expectation",
                "entries.matrices",
            ),
        ),
        law=VECTORS,
    )


def _covariance(first, second):
    if letter_of(first) == letter_of(second):
        return _symmetric(S_Q if letter_of(first) == Q else S_K)(first.indices[0], second.indices[0])
    of_query, of_key = (first, second) if letter_of(first) == Q else (second, first)
    return CROSS[of_query.indices[0], of_key.indices[0]]


GAUSSIAN = Law((GaussianField((Q, K), _covariance),), (D_K, S_Q, S_K, CROSS))
"""q and k jointly normal with mean 0, covariances S_q, S_k, and C = E[q kᵀ] between them."""

CORRELATED = Law((Gaussian((Q, K), Matrix([[1, RHO], [RHO, 1]])),), (D_K,))
"""Standard normal components, correlation rho between q_i and k_i, everything else independent."""


def correlated_mean() -> Derivation:
    """Derive ``E[s] = ρ d_k``: it grows faster than √d_k."""
    return Derivation(
        r"\operatorname{E}\left[s\right]",
        (
            Step(E(SCORE), "given", "correlated-mean.sum-of-products"),
            Step(over_features(E(PRODUCT)), "expectation", "correlated-mean.linear"),
            Step(over_features(RHO), "expectation", "correlated-mean.correlation"),
            Step(RHO * D_K, "evaluate", "correlated-mean.count"),
        ),
        law=CORRELATED,
    )


def correlated_variance() -> Derivation:
    """Derive ``Var(s) = d_k (1 + ρ²)``."""
    pairs = E(Q[i] ** 2) * E(K[i] ** 2) + 2 * E(PRODUCT) ** 2
    return Derivation(
        r"\operatorname{Var}\left(s\right)",
        (
            Step(Var(SCORE), "given", "correlated.sum-of-products"),
            Step(over_features(Var(PRODUCT)), "expectation", "correlated.no-covariance"),
            Step(over_features(E(PRODUCT**2) - E(PRODUCT) ** 2), "expectation", "correlated.definition"),
            Step(over_features(pairs - E(PRODUCT) ** 2), "expectation", "correlated.isserlis"),
            Step(over_features(1 + RHO**2), "expectation", "correlated.moments"),
            Step(D_K * (1 + RHO**2), "evaluate", "correlated.count"),
        ),
        law=CORRELATED,
    )


def correlated_divided(divisor: Expr) -> tuple[Derivation, Derivation]:
    """Derive mean and variance of ``s/c`` for a divisor like ``sqrt(D_K)`` or ``D_K``.

    By √d_k the mean ``ρ √d_k`` grows without bound; by d_k it is ``ρ`` and the variance ``(1 + ρ²)/d_k`` vanishes.
    """
    divisor = sympify(divisor)
    c = latex(divisor)
    return (
        Derivation(
            rf"\operatorname{{E}}\left[\frac{{s}}{{{c}}}\right]",
            (
                Step(E(SCORE / divisor), "given", "correlated-divided.mean"),
                Step(E(SCORE) / divisor, "expectation", "correlated-divided.linear"),
                Step(RHO * D_K / divisor, "expectation", "correlated-divided.mean-of-score"),
            ),
            law=CORRELATED,
        ),
        Derivation(
            rf"\operatorname{{Var}}\left(\frac{{s}}{{{c}}}\right)",
            (
                Step(Var(SCORE / divisor), "given", "correlated-divided.variance"),
                Step(Var(SCORE) / divisor**2, "expectation", "correlated-divided.scaled"),
                Step(D_K * (1 + RHO**2) / divisor**2, "expectation", "correlated-divided.variance-of-score"),
            ),
            law=CORRELATED,
        ),
    )


def correlated_mean_trace() -> Derivation:
    """Derive ``E[s] = tr C`` for any cross-covariance C."""
    return Derivation(
        r"\operatorname{E}\left[s\right]",
        (
            Step(E(SCORE), "given", "trace-mean.sum-of-products"),
            Step(over_features(CROSS[i, i]), "expectation", "trace-mean.linear"),
            Step(TRACE_C, "define", "trace-mean.name-the-sum", where={TRACE_C: over_features(CROSS[i, i])}),
        ),
        law=GAUSSIAN,
    )


def correlated_variance_trace() -> Derivation:
    """Derive ``Var(s) = tr(S_q S_k) + tr(C²)`` for jointly normal q and k of mean 0."""
    first, second = S_Q[i, j] * S_K[i, j], CROSS[i, j] * CROSS[j, i]
    return Derivation(
        r"\operatorname{Var}\left(s\right)",
        (
            Step(Var(SCORE), "given", "trace.sum-of-products"),
            Step(
                _pairs(E(PRODUCT * OTHER) - E(PRODUCT) * E(OTHER)),
                "expectation",
                "trace.covariances",
            ),
            Step(
                _pairs(E(Q[i] * Q[j]) * E(K[i] * K[j]) + E(Q[i] * K[j]) * E(Q[j] * K[i])),
                "expectation",
                "trace.isserlis",
            ),
            Step(_pairs(first + second), "expectation", "trace.moments"),
            Step(
                TRACE + TRACE_C2,
                "define",
                "trace.name-the-sums",
                where={TRACE: _pairs(first), TRACE_C2: _pairs(second)},
            ),
        ),
        law=GAUSSIAN,
    )


def correlated_variance_entries(d_k: int = 2) -> Derivation:
    """Derive the same at a fixed d_k of 2 or 3 with matrices written out."""
    _require_small(d_k)
    q, k = (Matrix([letter[n] for n in range(1, d_k + 1)]) for letter in (Q, K))
    s_q, s_k = (Matrix(d_k, d_k, lambda a, b, s=s: _symmetric(s)(a + 1, b + 1)) for s in (S_Q, S_K))
    c = Matrix(d_k, d_k, lambda a, b: CROSS[a + 1, b + 1])
    return Derivation(
        r"\operatorname{Var}\left(s\right)",
        (
            Step(Var(q.dot(k)), "given", "trace-entries.sum-of-products"),
            Step(Trace(MatMul(s_q, s_k)) + Trace(MatMul(c, c)), "expectation", "trace-entries.matrices"),
        ),
        law=GAUSSIAN,
    )


R = Symbol("r", positive=True)
FOURTH = Symbol("m_4", positive=True)
U, W = query("u"), key("w")
SHARED = Law((Joint((R,), {(2,): 1, (4,): FOURTH}), Independent(U, standard()), Independent(W, standard())), (D_K,))
"""q_i = r u_i and k_i = r w_i with one magnitude r for both vectors, E r² = 1."""


def shared_magnitude_covariance() -> Derivation:
    """Derive that ``q_i = r u_i`` and ``k_i = r w_i`` are uncorrelated, although they share the magnitude r."""
    return Derivation(
        r"\operatorname{Cov}\left(r u_{i}, r w_{i}\right)",
        (
            # E[r u_i] = E[r] E[u_i] = 0, so the product of the means is 0 whatever E[r] is.
            Step(E((R * U[i]) * (R * W[i])), "given", "shared-covariance.means-are-zero"),
            Step(E(R**2) * E(U[i]) * E(W[i]), "expectation", "shared-covariance.independent"),
            Step(Integer(0), "expectation", "shared-covariance.zero"),
        ),
        law=SHARED,
    )


def shared_magnitude() -> Derivation:
    """Derive ``Var(s) = d_k E[r⁴]`` for a shared magnitude r with ``E[r²] = 1``: zero correlation is not enough.

    The mean of s is 0, so the variance is ``E[s²]``. By Jensen's inequality ``E[r⁴] ≥ 1``, with equality only for a
    constant r.
    """
    plain = over_features(U[i] * W[i])
    return Derivation(
        r"\operatorname{E}\left[s^{2}\right]",
        (
            Step(E(over_features((R * U[i]) * (R * W[i])) ** 2), "given", "shared.sum-of-products"),
            Step(E(R**4 * plain**2), "expectation", "shared.common-factor"),
            Step(E(R**4) * E(plain**2), "expectation", "shared.independent"),
            Step(D_K * E(R**4), "expectation", "shared.variance-of-score"),
        ),
        law=SHARED,
    )


def _require_small(d_k: int) -> None:
    if d_k not in (2, 3):
        raise ValueError(f"d_k: expected 2 or 3, where the matrices can still be read, got {d_k!r}")
