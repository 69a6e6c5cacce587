"""Two positions: the softmax of two scores, proved in SymPy and computed in floats.

``D = s₁ − s₂`` is the gap of the raw scores, ``c`` the divisor, ``p`` the first weight. All that two positions can do
depends on ``D/c`` alone.
"""

from __future__ import annotations

import math

from sympy import (
    Derivative,
    Eq,
    GoldenRatio,
    MatMul,
    Matrix,
    Pow,
    Rational,
    Symbol,
    acosh,
    cosh,
    exp,
    sinh,
    sqrt,
    symbols,
    tanh,
)

from interview_book.checks.derivations import Derivation, Step

Z1, Z2, S1, S2 = symbols("z_1 z_2 s_1 s_2", real=True)
C = Symbol("c", positive=True)
D = Symbol("D", positive=True)
P = Symbol("p", positive=True)
X = Symbol("x", positive=True)
Y = Symbol("y", positive=True)
T = Symbol("t", positive=True)
# 0 < p < 1, exactly
WEIGHT = {P: 1 / (1 + T)}


def jacobian() -> Derivation:
    """Derive ``J = p (1 − p) [[1, −1], [−1, 1]]``, the derivatives of both weights in both scaled scores."""
    total = exp(Z1) + exp(Z2)
    both = exp(Z1) / total, exp(Z2) / total
    shape = Matrix([[1, -1], [-1, 1]])
    return Derivation(
        "J",
        (
            Step(Matrix([[Derivative(w, z) for z in (Z1, Z2)] for w in both]), "given", "jacobian.definition"),
            Step(MatMul(exp(Z1) * exp(Z2) / total**2, shape, evaluate=False), "evaluate", "jacobian.quotient-rule"),
            Step(MatMul(P * (1 - P), shape, evaluate=False), "define", "jacobian.name-the-weight", where={P: both[0]}),
        ),
    )


def jacobian_norm() -> Derivation:
    """Derive ``‖J‖_F = 2 p (1 − p)``: four entries of the same size."""
    entry = P * (1 - P)
    return Derivation(
        r"\lVert J \rVert_F",
        (
            Step(Pow(4 * entry**2, Rational(1, 2), evaluate=False), "given", "norm.four-entries"),
            Step(2 * P * (1 - P), "rewrite", "norm.root"),
        ),
        WEIGHT,
    )


def gradient() -> Derivation:
    """Derive ``∂p/∂s₁ = p (1 − p)/c``: the derivative in a raw score carries the divisor once more."""
    weight = 1 / (1 + exp(-(S1 - S2) / C))
    return Derivation(
        r"\frac{\partial p}{\partial s_{1}}",
        (
            Step(Derivative(weight, S1), "given", "gradient.definition"),
            Step(exp(-(S1 - S2) / C) / (C * (1 + exp(-(S1 - S2) / C)) ** 2), "evaluate", "gradient.chain-rule"),
            Step(P * (1 - P) / C, "define", "gradient.name-the-weight", where={P: weight}),
        ),
    )


def gradient_of_gap() -> Derivation:
    """Derive ``p (1 − p)/c = 1/(4 c cosh²(D/2c))``: the gradient as a function of the gap and the divisor."""
    weight = 1 / (1 + exp(-D / C))
    return Derivation(
        r"g(c)",
        (
            Step(P * (1 - P) / C, "given", "gap.gradient"),
            Step(exp(-D / C) / (C * (1 + exp(-D / C)) ** 2), "define", "gap.write-out", where={P: weight}),
            Step(1 / (4 * C * cosh(D / (2 * C)) ** 2), "rewrite", "gap.hyperbolic"),
        ),
    )


def slope_of_jacobian() -> Derivation:
    """Derive ``d/dx p(1 − p) = −sinh(x/2)/(4 cosh³(x/2))`` for ``x = D/c > 0``.

    It is negative, so a smaller x gives a larger entry: with two positions and a gap that is not 0, dividing by any
    number above 1 makes the Jacobian larger.
    """
    weight = 1 / (1 + exp(-X))
    return Derivation(
        r"\frac{d}{d x}\, p (1 - p)",
        (
            Step(Derivative(weight * (1 - weight), X), "given", "slope.definition"),
            Step(-sinh(X / 2) / (4 * cosh(X / 2) ** 3), "evaluate", "slope.chain-rule"),
        ),
    )


def crossover_equation() -> Derivation:
    """Derive where ``c = 1`` and ``c = 2`` have the same gradient: ``D = 2 arcosh φ`` with the golden ratio φ.

    The chain is made of equivalences: the factor is never 0, and each solution is the only one in its range.
    """
    golden = (1 + sqrt(5)) / 2
    half = cosh(D / 2)
    return Derivation(
        "D",
        (
            Step(Eq(1 / (4 * half**2), 1 / (8 * cosh(D / 4) ** 2)), "given", "crossover.equal-gradients"),
            Step(
                Eq(half**2, 2 * cosh(D / 4) ** 2),
                "scale",
                "crossover.clear-denominators",
                factor=-8 * half**2 * cosh(D / 4) ** 2,
            ),
            Step(Eq(half**2, half + 1), "rewrite", "crossover.double-angle"),
            Step(Eq(Y**2, Y + 1), "define", "crossover.name-the-cosh", where={Y: half}),
            Step(Eq(Y, golden), "solve", "crossover.golden-ratio", where={Y: 1 + T}, above=2 * sinh(D / 4) ** 2),
            Step(Eq(half, golden), "define", "crossover.write-out", where={Y: half}),
            Step(Eq(D, 2 * acosh(golden)), "solve", "crossover.invert", where={D: T}),
        ),
    )


def best_divisor_equation() -> Derivation:
    """Derive which ``x = D/c`` gives the largest gradient for a given gap: ``x tanh(x/2) = 1``.

    The left side grows from 0 without bound, so there is one such x, and the gradient rises before it and falls after.
    """
    g = X / (4 * D * cosh(X / 2) ** 2)
    return Derivation(
        "x",
        (
            Step(Eq(Derivative(g, X), 0), "given", "best.stationary"),
            Step(Eq((1 - X * tanh(X / 2)) / (4 * D * cosh(X / 2) ** 2), 0), "evaluate", "best.product-rule"),
            Step(Eq(X * tanh(X / 2), 1), "scale", "best.clear-denominator", factor=-4 * D * cosh(X / 2) ** 2),
        ),
    )


def raw_gradient(gap: float, divisor: float = 1.0) -> float:
    """Return ``∂p/∂s₁ = 1/(4 c cosh²(D/2c))`` for the gap ``D`` and the divisor ``c > 0``."""
    _require_positive("divisor", divisor)
    # e^-x/(c (1 + e^-x)²) does not overflow where cosh² would.
    e = math.exp(-abs(gap) / divisor)
    return e / (divisor * (1 + e) ** 2)


def crossover(divisor: float = 2.0) -> float:
    """Return the gap at which dividing by ``divisor`` leaves the gradient as it is without division.

    Below it the undivided gradient is the larger one, above it the divided one (for a divisor above 1; below 1 the
    other way round). For 2 this is ``2 arcosh φ = 2.12255…`` exactly; for others it is found by bisection to the last
    bit. ``ValueError`` for a divisor that is not positive, or 1, where every gap gives a tie.
    """
    _require_positive("divisor", divisor)
    if divisor == 1:
        raise ValueError("divisor: expected anything but 1, where every gap gives equal gradients; try 2")
    if divisor == 2:
        return 2 * math.acosh(float(GoldenRatio))
    if divisor < 1:
        # σ'(D) = σ'(D/c)/c is the same equation for the gap D/c and the divisor 1/c.
        return divisor * crossover(1 / divisor)
    # log of the ratio of the gradients, which grows with the gap: −log c at 0, (1 − 1/c) D − log c − O(e^-D/c) far off
    return _root(lambda gap: math.log(raw_gradient(gap, divisor)) - math.log(raw_gradient(gap)), 700.0)


def best_gap() -> float:
    """Return the scaled gap ``x = D/c`` at which the gradient is largest for a given D: 1.543404638418208…"""
    return _root(lambda x: x * math.tanh(x / 2) - 1, 4.0)


def _root(f, high: float) -> float:
    """Return the root of a growing function between 0 and ``high``, by bisection to neighbouring floats."""
    low = 0.0
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if f(middle) < 0 else (low, middle)
    return high


def _require_positive(name: str, x: float) -> None:
    if not (math.isfinite(x) and x > 0):
        raise ValueError(f"{name}: expected a finite number above 0, got {x!r}")
