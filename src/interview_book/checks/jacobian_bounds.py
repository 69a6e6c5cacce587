"""How small the Jacobian of a softmax must be, given how far the largest weight is ahead; proved.

The chain is ``1 − p_1 = e ≤ (n − 1) e^−D`` for a leader that is ahead of every other score by at least D, then
``‖J‖_F ≤ tr J ≤ 2 e − e²``. The largest eigenvalue is at most ``2 max p_i (1 − p_i) ≤ 1/2``.
"""

from __future__ import annotations

from sympy import Add, Expr, Rational, Symbol, sqrt

from interview_book.checks.bounds import Bound
from interview_book.checks.derivations import Derivation, Step
from interview_book.checks.softmax_theory import jacobian_matrix, numbered, quadratic, weights_of

EPSILON = Symbol("e", positive=True)
# What the others of the row add up to, in units of the leader's e^z, and how much less that is than it might be
OTHERS, SLACK = Symbol("r", positive=True), Symbol("u", nonnegative=True)
MOST = Symbol("R", positive=True)
P = Symbol("p", positive=True)
SQUARES = Symbol("S", nonnegative=True)


def leader_bound() -> Bound:
    """Prove ``1 − p_1 ≤ (n − 1) e^−D = R`` for any n.

    ``r = Σ_{j≠1} e^{−(z_1 − z_j)}`` has n − 1 terms of at most ``e^−D``, so ``R = r + u`` with ``u ≥ 0``; and
    ``p_1 = 1/(1 + r)``.
    """
    missing = 1 - 1 / (1 + OTHERS)
    return Bound(
        missing,
        MOST,
        Derivation(
            "(n - 1) e^{-D} - (1 - p_{1})",
            (
                Step(MOST - missing, "given", "leader.difference"),
                Step(OTHERS**2 / (1 + OTHERS) + SLACK, "rewrite", "leader.positive"),
            ),
            {MOST: OTHERS + SLACK},
        ),
    )


def trace_bound() -> Bound:
    """Prove ``tr J ≤ 2 e − e²`` with ``e = 1 − max p`` for any n; ``S`` is the sum of the other weights' squares."""
    trace = 1 - (1 - EPSILON) ** 2 - SQUARES
    larger = 2 * EPSILON - EPSILON**2
    return Bound(
        trace,
        larger,
        Derivation(
            r"2 e - e^{2} - \operatorname{tr} J",
            (
                Step(Add(larger, -trace, evaluate=False), "given", "trace.difference"),
                Step(SQUARES, "rewrite", "trace.other-squares"),
            ),
        ),
    )


def frobenius_below_trace(n: int = 3) -> Bound:
    """Prove ``‖J‖_F² ≤ (tr J)²``: the principal minors ``p_i p_j (1 − p_i − p_j)`` of J are not negative."""
    p, cover = weights_of(n)
    jacobian = jacobian_matrix(p)
    square = sum(entry**2 for entry in jacobian)
    trace = jacobian.trace()
    minors = sum(
        2 * p[i] * p[j] * _others(p, i, j) for i in range(n) for j in range(i + 1, n)
    )  # fmt: skip
    return Bound(
        square,
        trace**2,
        Derivation(
            r"(\operatorname{tr} J)^{2} - \lVert J \rVert_F^{2}",
            (
                Step(trace**2 - square, "given", "minors.difference"),
                Step(minors, "rewrite", "minors.weights-add-up"),
            ),
            cover,
        ),
    )


def _others(p: tuple[Symbol, ...], *left_out: int) -> Expr:
    return sum((one for k, one in enumerate(p) if k not in left_out), Rational(0))


def spectral_bound(n: int = 3) -> Bound:
    """Prove ``xᵀ J x ≤ 2 Σ p_i (1 − p_i) x_i²``, hence ``λ_max ≤ 2 max p_i (1 − p_i)``."""
    (p, cover), x = weights_of(n), numbered("x", n, real=True)
    form = quadratic(p, x)
    larger = 2 * sum(a * (1 - a) * b**2 for a, b in zip(p, x, strict=True))
    pairs = sum(p[i] * p[j] * (x[i] + x[j]) ** 2 for i in range(n) for j in range(i + 1, n))
    return Bound(
        form,
        larger,
        Derivation(
            r"2 \sum_{i} p_{i} (1 - p_{i})\, x_{i}^{2} - x^{\mathsf{T}} J x",
            (Step(larger - form, "given", "spectral.difference"), Step(pairs, "rewrite", "spectral.pairs")),
            cover,
        ),
    )


def half_bound() -> Bound:
    """Prove ``2 p (1 − p) ≤ 1/2``, with equality at ``p = 1/2`` only."""
    larger = Rational(1, 2)
    inside = Symbol("p", real=True)
    smaller = 2 * inside * (1 - inside)
    return Bound(
        smaller,
        larger,
        Derivation(
            r"\frac{1}{2} - 2 p (1 - p)",
            (
                Step(larger - smaller, "given", "half.difference"),
                Step(2 * (inside - larger) ** 2, "rewrite", "half.square"),
            ),
        ),
    )


def two_positions_bound() -> Derivation:
    """Derive that with two positions the bound is met: ``2 e − e²`` exceeds ``‖J‖_F = 2 e (1 − e)`` by ``e²`` only."""
    return Derivation(
        r"2 e - e^{2} - \lVert J \rVert_F",
        (
            Step(2 * EPSILON - EPSILON**2 - sqrt(4 * (EPSILON * (1 - EPSILON)) ** 2), "given", "two.difference"),
            Step(EPSILON**2, "rewrite", "two.small"),
        ),
        {EPSILON: 1 / (1 + P)},
    )
