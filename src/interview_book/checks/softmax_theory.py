"""The softmax of any number of positions, proved: what it ignores, what it keeps, and its Jacobian.

A statement for every n gives one name to everything that does not matter (``Z`` for the sum, ``r`` for the rest of it);
where the sum itself is the matter, a function takes ``n`` and proves that case. ``p_i = w_i/Σ w_j`` with positive
``w`` covers every row of weights exactly.
"""

from __future__ import annotations

from numbers import Integral

from sympy import (
    Derivative,
    Expr,
    IndexedBase,
    KroneckerDelta,
    Matrix,
    Mul,
    Pow,
    Rational,
    Sum,
    Symbol,
    exp,
    ones,
    sinh,
    sqrt,
    symbols,
)

from interview_book.checks.bounds import Bound
from interview_book.checks.derivations import Derivation, Step

A = Symbol("a", real=True)
C = Symbol("c", positive=True)
D = Symbol("D", positive=True)
Z = Symbol("Z", positive=True)
REST = Symbol("r", positive=True)
N = Symbol("n", positive=True, integer=True)
INDEX, K = symbols("i k", positive=True, integer=True)
SCORE, WEIGHT = IndexedBase("z", real=True), IndexedBase("p", positive=True)


def numbered(letter: str, n: int, **assumptions) -> tuple[Symbol, ...]:
    """Return ``letter_1 … letter_n``; ``ValueError`` for fewer than 2."""
    if isinstance(n, bool) or not isinstance(n, Integral) or n < 2:
        raise ValueError(f"n: expected a whole number of positions, at least 2, got {n!r}")
    return symbols(f"{letter}_1:{n + 1}", **assumptions)


def weights_of(n: int) -> tuple[tuple[Symbol, ...], dict[Symbol, Expr]]:
    """Return ``p_1 … p_n`` and the range that makes them any positive weights that add up to 1."""
    p, w = numbered("p", n, positive=True), numbered("w", n, positive=True)
    return p, {one: raw / sum(w) for one, raw in zip(p, w, strict=True)}


def jacobian_matrix(p: tuple[Expr, ...]) -> Matrix:
    """Return ``diag(p) − p pᵀ``."""
    n = len(p)
    return Matrix([[p[i] * (1 - p[i]) if i == j else -p[i] * p[j] for j in range(n)] for i in range(n)])


def quadratic(p: tuple[Expr, ...], x: tuple[Expr, ...]) -> Expr:
    """Return ``xᵀ J x`` written out: ``Σ p_i (1 − p_i) x_i² − 2 Σ_{i<j} p_i p_j x_i x_j``."""
    n = len(p)
    own = sum(a * (1 - a) * b**2 for a, b in zip(p, x, strict=True))
    return own - sum(2 * p[i] * p[j] * x[i] * x[j] for i in range(n) for j in range(i + 1, n))


def weights_add_up(n: int = 3) -> Derivation:
    """Derive ``Σ p_i = 1``."""
    e = [exp(z) for z in numbered("z", n, real=True)]
    total = sum(e)
    terms = sum(one / total for one in e)
    return Derivation(r"\sum_{i} p_{i}", (Step(terms, "given", "sum.terms"), Step(Rational(1), "rewrite", "sum.one")))


def shift(n: int = 3) -> Derivation:
    """Derive that adding ``a`` to every score changes no weight: ``e^a`` cancels."""
    z = numbered("z", n, real=True)
    moved, still = sum(exp(one + A) for one in z), sum(exp(one) for one in z)
    factored = sum(exp(A) * exp(one) for one in z)
    return Derivation(
        r"\operatorname{softmax}(z + a)",
        (
            Step(Matrix([exp(one + A) / moved for one in z]), "given", "shift.definition"),
            Step(Matrix([exp(A) * exp(one) / factored for one in z]), "rewrite", "shift.factor"),
            Step(Matrix([exp(one) / still for one in z]), "rewrite", "shift.cancel"),
        ),
    )


def ratio() -> Derivation:
    """Derive ``p_1/p_2 = e^{z_1 − z_2}`` for any n: the sum cancels, so only differences count."""
    first, second = numbered("z", 2, real=True)
    return Derivation(
        r"\frac{p_{1}}{p_{2}}",
        (
            Step(Mul(exp(first) / Z, Pow(exp(second) / Z, -1, evaluate=False), evaluate=False), "given", "ratio.sum"),
            Step(exp(first - second), "rewrite", "ratio.cancel"),
        ),
    )


def order_kept() -> Bound:
    """Prove for any n and any divisor c > 0: a score higher by ``D > 0`` keeps the larger weight."""
    low = Symbol("z_2", real=True)
    larger, smaller = exp((low + D) / C) / Z, exp(low / C) / Z
    return Bound(
        smaller,
        larger,
        Derivation(
            "p_{1} - p_{2}",
            (
                Step(larger - smaller, "given", "order.difference"),
                Step(2 * exp((low + D / 2) / C) * sinh(D / (2 * C)) / Z, "rewrite", "order.positive"),
            ),
        ),
        strict=True,
    )


def jacobian_entry() -> Derivation:
    """Derive ``∂p_i/∂z_k = p_i (δ_ik − p_k)`` for any n; ``r`` is the part of the sum without ``z_k``."""
    total = REST + exp(SCORE[K])
    p_i, p_k = exp(SCORE[INDEX]) / total, exp(SCORE[K]) / total
    delta = KroneckerDelta(INDEX, K)
    return Derivation(
        r"\frac{\partial p_{i}}{\partial z_{k}}",
        (
            Step(Derivative(p_i, SCORE[K]), "given", "entry.definition"),
            Step(
                exp(SCORE[INDEX]) * delta / total - exp(SCORE[INDEX]) * exp(SCORE[K]) / total**2,
                "evaluate",
                "entry.quotient",
            ),
            Step(
                WEIGHT[INDEX] * (delta - WEIGHT[K]),
                "define",
                "entry.name-the-weights",
                where={WEIGHT[INDEX]: p_i, WEIGHT[K]: p_k},
            ),
        ),
    )


def jacobian_of(n: int = 3) -> Derivation:
    """Derive ``J = diag(p) − p pᵀ`` by differentiating n weights in n scores."""
    z = numbered("z", n, real=True)
    total = sum(exp(one) for one in z)
    p, _ = weights_of(n)
    rows = [exp(one) / total for one in z]
    return Derivation(
        "J",
        (
            Step(Matrix([[Derivative(row, one) for one in z] for row in rows]), "given", "jacobian.definition"),
            Step(jacobian_matrix(tuple(rows)), "evaluate", "jacobian.quotient-rule"),
            Step(jacobian_matrix(p), "define", "jacobian.name-the-weights", where=dict(zip(p, rows, strict=True))),
        ),
    )


def jacobian_rows(n: int = 3) -> Derivation:
    """Derive ``J 1 = 0``: a shift of all scores changes nothing, so every row adds up to 0."""
    p, cover = weights_of(n)
    return Derivation(
        "J 1",
        (
            Step(jacobian_matrix(p) * ones(n, 1), "given", "rows.product"),
            Step(Matrix([one * (1 - sum(p)) for one in p]), "rewrite", "rows.factor"),
            Step(Matrix([0] * n), "rewrite", "rows.weights-add-up"),
        ),
        cover,
    )


def quadratic_form(n: int = 3) -> Bound:
    """Prove that J is positive semidefinite: ``xᵀ J x = Σ_{i<j} p_i p_j (x_i − x_j)² ≥ 0``, a variance under p."""
    (p, cover), x = weights_of(n), numbered("x", n, real=True)
    mean = sum(a * b for a, b in zip(p, x, strict=True))
    square = sum(a * b**2 for a, b in zip(p, x, strict=True))
    pairs = sum(p[i] * p[j] * (x[i] - x[j]) ** 2 for i in range(n) for j in range(i + 1, n))
    form = quadratic(p, x)
    return Bound(
        Rational(0),
        form,
        Derivation(
            r"x^{\mathsf{T}} J x",
            (
                Step(form, "given", "form.written-out"),
                Step(square - mean**2, "rewrite", "form.variance"),
                Step(pairs, "rewrite", "form.pairs"),
            ),
            cover,
        ),
    )


def jacobian_trace(n: int = 3) -> Derivation:
    """Derive ``tr J = 1 − Σ p_i²``."""
    p, cover = weights_of(n)
    return Derivation(
        r"\operatorname{tr} J",
        (
            Step(sum(one * (1 - one) for one in p), "given", "trace.diagonal"),
            Step(1 - sum(one**2 for one in p), "rewrite", "trace.weights-add-up"),
        ),
        cover,
    )


def frobenius_row() -> Derivation:
    """Derive the squares of one row of J for any n: ``p_i² (1 − 2 p_i + S)`` with ``S = Σ p_j²``.

    Summed over the rows: ``‖J‖_F² = S − 2 Σ p_i³ + S²``.
    """
    p, s = Symbol("p_i", positive=True), Symbol("S", positive=True)
    return Derivation(
        r"\sum_{j} J_{ij}^{2}",
        (
            Step((p * (1 - p)) ** 2 + p**2 * (s - p**2), "given", "frobenius.one-row"),
            Step(p**2 * (1 - 2 * p + s), "rewrite", "frobenius.collect"),
        ),
    )


def frobenius_square(n: int = 3) -> Derivation:
    """Derive ``‖J‖_F² = Σ p_i² − 2 Σ p_i³ + (Σ p_i²)²`` from all n² entries."""
    p, _ = weights_of(n)
    square = sum(one**2 for one in p)
    return Derivation(
        r"\lVert J \rVert_F^{2}",
        (
            Step(sum(entry**2 for entry in jacobian_matrix(p)), "given", "frobenius.entries"),
            Step(square - 2 * sum(one**3 for one in p) + square**2, "rewrite", "frobenius.collect"),
        ),
    )


def uniform_norm() -> Derivation:
    """Derive ``‖J‖_F = √(n − 1)/n`` for n equal weights: small as well, though nothing is saturated."""
    square = Sum(1 / N**2, (INDEX, 1, N))
    return Derivation(
        r"\lVert J \rVert_F",
        (
            Step(sqrt(square - 2 * Sum(1 / N**3, (INDEX, 1, N)) + square**2), "given", "uniform.equal-weights"),
            Step(sqrt(1 / N - 2 / N**2 + 1 / N**2), "evaluate", "uniform.sums"),
            Step(sqrt(N - 1) / N, "rewrite", "uniform.root"),
        ),
    )


def uniform_entry() -> Derivation:
    """Derive ``J_ik = (δ_ik − 1/n)/n`` for n equal weights: J takes the mean away and divides by n."""
    p, delta = Symbol("p", positive=True), KroneckerDelta(INDEX, K)
    return Derivation(
        "J_{ik}",
        (
            Step(p * (delta - p), "given", "uniform.entry"),
            Step((delta - 1 / N) / N, "define", "uniform.weight", where={p: 1 / N}),
        ),
    )
