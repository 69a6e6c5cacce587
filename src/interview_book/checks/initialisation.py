"""Scores at initialisation: random projections of fixed tokens, scores within one row, rotary positions."""

from __future__ import annotations

from sympy import Expr, IndexedBase, Integer, Integral, Matrix, Sum, Symbol, cos, exp, gamma, oo, pi, sin, sqrt

from interview_book.checks.derivations import Derivation, Step
from interview_book.checks.expectations import Cov, E, Law, Var
from interview_book.checks.laws import Gaussian, Independent, standard
from interview_book.checks.letters import D_K, KAPPA_Q, RHO, SCORE, K, Q, i, key, over_features, query

a, b = Symbol("a", integer=True), Symbol("b", integer=True)
D_MODEL = Symbol(r"d_{\text{model}}", integer=True, positive=True)
# Two tokens of the row's Keys besides the token of the Query.
TOKEN, FIRST, SECOND = key("x"), key("y"), key("z")
W_Q, W_K = query("W_Q"), key("W_K")
WEIGHTS = Law(
    tuple(Independent(weight, lambda *place: (0, 1 / D_MODEL)) for weight in (W_Q, W_K)),
    (D_K, D_MODEL, TOKEN, FIRST, SECOND),
)
"""Independent entries of W_Q and W_K with mean 0 and variance 1/d_model; the tokens x, y, z are fixed."""


def _norm(latex: str) -> Symbol:
    return Symbol(rf"\lVert {latex} \rVert", positive=True)


def _projected(token, weight, index: Symbol) -> Sum:
    """Return one component of a projected token: ``Σ_a x_a W_{a i}``."""
    return Sum(token[index] * weight[index, i], (index, 1, D_MODEL))


def initialisation_variance(same_token: bool = False) -> Derivation:
    """Derive ``Var_W(s) = d_k ‖x‖² ‖y‖²/d_model²`` over random W_Q and W_K, also for x = y.

    It is d_k when both tokens have the squared norm d_model. Nothing is assumed of the tokens: they are fixed.
    """
    other, name = (TOKEN, "x") if same_token else (FIRST, "y")
    q, k = _projected(TOKEN, W_Q, a), _projected(other, W_K, b)
    squares = Sum(TOKEN[a] ** 2, (a, 1, D_MODEL)), Sum(other[b] ** 2, (b, 1, D_MODEL))
    norms = _norm("x"), _norm(name)
    return Derivation(
        r"\operatorname{Var}_{W}\left(s\right)",
        (
            Step(Var(over_features(q * k)), "given", "initialisation.projections"),
            Step(over_features(E(q**2) * E(k**2)), "expectation", "initialisation.independent"),
            Step(
                over_features(squares[0] / D_MODEL * (squares[1] / D_MODEL)),
                "expectation",
                "initialisation.variance-of-component",
            ),
            Step(D_K * squares[0] * squares[1] / D_MODEL**2, "evaluate", "initialisation.count"),
            Step(
                D_K * norms[0] ** 2 * norms[1] ** 2 / D_MODEL**2,
                "define",
                "initialisation.name-the-norms",
                where={norm: sqrt(square) for norm, square in zip(norms, squares, strict=True)},
            ),
        ),
        law=WEIGHTS,
    )


def row_gap_variance() -> Derivation:
    """Derive ``Var_W(s − s') = d_k ‖x‖² ‖y − z‖²/d_model²`` for two Keys of one row, from the tokens y and z.

    This is what the softmax sees: a vector added to all tokens alike changes nothing of it.
    """
    q = _projected(TOKEN, W_Q, a)
    first, second = _projected(FIRST, W_K, b), _projected(SECOND, W_K, b)
    squares = Sum(TOKEN[a] ** 2, (a, 1, D_MODEL)), Sum((FIRST[b] - SECOND[b]) ** 2, (b, 1, D_MODEL))
    norms = _norm("x"), _norm("y - z")
    return Derivation(
        r"\operatorname{Var}_{W}\left(s - s'\right)",
        (
            Step(Var(over_features(q * first) - over_features(q * second)), "given", "row-gap.two-scores"),
            Step(over_features(E(q**2) * E((first - second) ** 2)), "expectation", "row-gap.independent"),
            Step(
                over_features(squares[0] * squares[1] / D_MODEL**2),
                "expectation",
                "row-gap.variance-of-component",
            ),
            Step(D_K * squares[0] * squares[1] / D_MODEL**2, "evaluate", "row-gap.count"),
            Step(
                D_K * norms[0] ** 2 * norms[1] ** 2 / D_MODEL**2,
                "define",
                "row-gap.name-the-norms",
                where={norm: sqrt(square) for norm, square in zip(norms, squares, strict=True)},
            ),
        ),
        law=WEIGHTS,
    )


L = key("l")
ROW = Law((Independent(Q, standard(0, KAPPA_Q)), Independent(K, standard()), Independent(L, standard())), (D_K,))
"""One Query q with two Keys k and l; all components independent with mean 0 and variance 1, q with kurtosis kappa."""
OTHER_SCORE = over_features(Q[i] * L[i])


def key_gap_variance() -> Derivation:
    """Derive ``Var(s − s') = 2 d_k`` for two independent Keys of one Query: after √d_k the gap has variance 2."""
    return Derivation(
        r"\operatorname{Var}\left(s - s'\right)",
        (
            Step(Var(SCORE - OTHER_SCORE), "given", "key-gap.two-scores"),
            Step(Var(over_features(Q[i] * (K[i] - L[i]))), "expectation", "key-gap.common-query"),
            Step(over_features(E(Q[i] ** 2) * E((K[i] - L[i]) ** 2)), "expectation", "key-gap.independent"),
            Step(over_features(E(K[i] ** 2) + E(L[i] ** 2)), "expectation", "key-gap.variance-of-difference"),
            Step(2 * D_K, "expectation", "key-gap.count"),
        ),
        law=ROW,
    )


def scaled_gap_variance() -> Derivation:
    """Derive ``Var((s − s')/√d_k) = 2``: the gaps that the softmax sees have the standard deviation √2 = 1.414."""
    return Derivation(
        r"\operatorname{Var}\left(\frac{s - s'}{\sqrt{d_{k}}}\right)",
        (
            Step(Var((SCORE - OTHER_SCORE) / sqrt(D_K)), "given", "scaled-gap.two-scores"),
            Step(Var(SCORE - OTHER_SCORE) / D_K, "expectation", "scaled-gap.scaled"),
            Step(Integer(2), "expectation", "scaled-gap.variance-of-gap"),
        ),
        law=ROW,
    )


def shared_query_covariance() -> Derivation:
    """Derive ``Cov(s, s') = 0`` for two scores of one Query."""
    return Derivation(
        r"\operatorname{Cov}\left(s, s'\right)",
        (
            Step(Cov(SCORE, OTHER_SCORE), "given", "shared-query.two-scores"),
            Step(over_features(E(Q[i] ** 2) * E(K[i]) * E(L[i])), "expectation", "shared-query.independent"),
            Step(Integer(0), "expectation", "shared-query.zero"),
        ),
        law=ROW,
    )


def shared_query_squares() -> Derivation:
    """Derive ``Cov(s², s'²) = d_k (κ_q − 1)``: uncorrelated, but not independent, except for components of ±1."""
    return Derivation(
        r"\operatorname{Cov}\left(s^{2}, s'^{2}\right)",
        (
            Step(Cov(SCORE**2, OTHER_SCORE**2), "given", "shared-squares.two-scores"),
            Step(Var(over_features(Q[i] ** 2)), "expectation", "shared-squares.given-the-query"),
            Step(over_features(E(Q[i] ** 4) - E(Q[i] ** 2) ** 2), "expectation", "shared-squares.no-covariance"),
            Step(D_K * (KAPPA_Q - 1), "expectation", "shared-squares.kurtosis"),
        ),
        law=ROW,
    )


def conditional_variance() -> Derivation:
    """Derive ``Var(s | q) = ‖q‖²``: within one row the scores have the spread of that row's Query."""
    norm = _norm("q")
    return Derivation(
        r"\operatorname{Var}\left(s \mid q\right)",
        (
            Step(Var(SCORE), "given", "conditional.fixed-query"),
            Step(over_features(Q[i] ** 2 * Var(K[i])), "expectation", "conditional.no-covariance"),
            Step(over_features(Q[i] ** 2), "expectation", "conditional.unit"),
            Step(norm**2, "define", "conditional.name-the-norm", where={norm: sqrt(over_features(Q[i] ** 2))}),
        ),
        law=Law((Independent(K, standard()),), (D_K, Q)),
    )


X, RADIUS = Symbol("x", positive=True), Symbol("r", positive=True)


def gap_mean() -> Derivation:
    """Derive ``E|D| = 2/√π`` for a normal gap of variance 2: the law that the scaled gap tends to as d_k grows."""
    return Derivation(
        r"\operatorname{E}\left|D\right|",
        (
            Step(2 * Integral(X * exp(-(X**2) / 4) / (2 * sqrt(pi)), (X, 0, oo)), "given", "gap-mean.two-sides"),
            Step(2 / sqrt(pi), "evaluate", "gap-mean.by-parts"),
        ),
    )


def gap_mean_given_query() -> Derivation:
    """Derive ``E[|D| | q] = 2 r/√(π d_k)`` for normal Keys, ``r = ‖q‖``: the scaled gap has variance ``2 r²/d_k``."""
    density = exp(-(X**2) * D_K / (4 * RADIUS**2)) / (2 * RADIUS * sqrt(pi / D_K))
    return Derivation(
        r"\operatorname{E}\left[\left|D\right| \mid q\right]",
        (
            Step(2 * Integral(X * density, (X, 0, oo)), "given", "gap-given-query.two-sides"),
            Step(2 * RADIUS / sqrt(pi * D_K), "evaluate", "gap-given-query.by-parts"),
        ),
    )


def query_norm_mean() -> Derivation:
    """Derive ``E‖q‖ = √2 Γ((d_k + 1)/2)/Γ(d_k/2)`` for d_k standard normal components.

    With :func:`gap_mean_given_query`, the scaled gap of normal components has ``E|D| = (2/√π) E‖q‖/√d_k`` at a finite
    d_k. That is below ``2/√π`` (Jensen: ``E‖q‖ < √d_k``): 1.061 at d_k = 4, not 1.128.
    """
    density = 2 ** (1 - D_K / 2) * RADIUS ** (D_K - 1) * exp(-(RADIUS**2) / 2) / gamma(D_K / 2)
    return Derivation(
        r"\operatorname{E}\lVert q \rVert",
        (
            Step(Integral(RADIUS * density, (RADIUS, 0, oo)), "given", "norm-mean.chi-density"),
            Step(sqrt(2) * gamma((D_K + 1) / 2) / gamma(D_K / 2), "evaluate", "norm-mean.gamma"),
        ),
    )


M, THETA = Symbol("m", real=True), IndexedBase(Symbol("theta", real=True))
ANGLE = M * THETA[i]


def _over_planes(summand: Expr) -> Sum:
    return Sum(summand, (i, 1, D_K / 2))


# q · R k: the plane i has the components (i, 1) and (i, 2), turned by the angle m θ_i between the two positions.
ROTATED = _over_planes(
    Q[i, 1] * (K[i, 1] * cos(ANGLE) - K[i, 2] * sin(ANGLE)) + Q[i, 2] * (K[i, 1] * sin(ANGLE) + K[i, 2] * cos(ANGLE))
)


def rotary_variance() -> Derivation:
    """Derive ``Var(q · R k) = d_k`` for rotary positions: 2 from each of the d_k/2 planes, at every distance m."""
    return Derivation(
        r"\operatorname{Var}\left(s\right)",
        (
            Step(Var(ROTATED), "given", "rotary.planes"),
            Step(_over_planes(2 * (cos(ANGLE) ** 2 + sin(ANGLE) ** 2)), "expectation", "rotary.variance-of-plane"),
            Step(_over_planes(Integer(2)), "rewrite", "rotary.pythagoras"),
            Step(D_K, "evaluate", "rotary.count"),
        ),
        law=Law((Independent(Q, standard()), Independent(K, standard())), (D_K, M, THETA)),
    )


def rotary_mean() -> Derivation:
    """Derive ``E[q · R k] = 2 ρ Σ cos(m θ_i)`` for correlation rho between components of the same place."""
    return Derivation(
        r"\operatorname{E}\left[s\right]",
        (
            Step(E(ROTATED), "given", "rotary-mean.planes"),
            Step(_over_planes(2 * RHO * cos(ANGLE)), "expectation", "rotary-mean.diagonal"),
            Step(2 * RHO * _over_planes(cos(ANGLE)), "rewrite", "rotary-mean.factor"),
        ),
        law=Law((Gaussian((Q, K), Matrix([[1, RHO], [RHO, 1]])),), (D_K, M, THETA)),
    )
