"""From the softmax back to the scores, proved: the derivative in the raw scores and in their multiplier."""

from __future__ import annotations

from sympy import Derivative, Function, Matrix, Symbol, exp

from interview_book.checks.derivations import Derivation, Step
from interview_book.checks.softmax_theory import numbered, weights_of

C = Symbol("c", positive=True)


def raw_scores_gradient(n: int = 3) -> Derivation:
    """Derive ``∂L/∂s_j = p_j (g_j − Σ p_i g_i)/c`` for a loss whose derivatives in the weights are ``g``.

    In matrix form ``∂L/∂s = J g/c``: the divisor appears once in the weights and once more in front.
    """
    s, g, (p, _) = numbered("s", n, real=True), numbered("g", n, real=True), weights_of(n)
    total = sum(exp(one / C) for one in s)
    rows = [exp(one / C) / total for one in s]
    loss = sum(a * b for a, b in zip(g, rows, strict=True))
    mean = sum(a * b for a, b in zip(g, p, strict=True))
    names = dict(zip(p, rows, strict=True))
    return Derivation(
        r"\frac{\partial L}{\partial s}",
        (
            Step(Matrix([Derivative(loss, one) for one in s]), "given", "raw.chain-rule"),
            Step(
                Matrix([a * (b - loss) / C for a, b in zip(rows, g, strict=True)]), "evaluate", "raw.softmax-derivative"
            ),
            Step(
                Matrix([a * (b - mean) / C for a, b in zip(p, g, strict=True)]),
                "define",
                "raw.name-the-weights",
                where=names,
            ),
        ),
    )


def beta_gradient(n: int = 3) -> Derivation:
    """Derive ``dL/dβ = Σ_j s_j ∂L/∂z_j`` for ``z = β s`` and any differentiable loss; a temperature is ``1/β``."""
    beta, s = Symbol("beta", positive=True), numbered("s", n, real=True)
    z, g = numbered("z", n, real=True), numbered("g", n, real=True)
    loss = Function("L")
    at = dict(zip(z, (beta * one for one in s), strict=True))
    return Derivation(
        r"\frac{d L}{d \beta}",
        (
            Step(Derivative(loss(*at.values()), beta), "given", "beta.definition"),
            Step(sum(one * Derivative(loss(*z), name).subs(at) for one, name in zip(s, z, strict=True)),
                 "evaluate", "beta.chain-rule"),
            Step(sum(one * slope for one, slope in zip(s, g, strict=True)), "define", "beta.name-the-gradient",
                 where={slope: Derivative(loss(*z), name).subs(at) for slope, name in zip(g, z, strict=True)}),
        ),
    )  # fmt: skip
