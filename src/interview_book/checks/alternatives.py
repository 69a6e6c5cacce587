"""Other scales than 1/√d_k, proved: what they change, what they leave, and what undoes them.

``w`` is a weight of W_Q or any other number that the raw score is proportional to; ``a`` a factor on it; ``L`` any
differentiable loss of the scaled score.
"""

from __future__ import annotations

from sympy import Derivative, Function, Limit, Matrix, Mul, Rational, Symbol, cosh, exp, oo, sqrt, tanh

from interview_book.checks.bounds import Bound
from interview_book.checks.derivations import Derivation, Step
from interview_book.checks.softmax_theory import numbered

A = Symbol("a", positive=True)
BETA = Symbol("beta", positive=True)
C, C_NEW = Symbol("c", positive=True), Symbol("c'", positive=True)
DK = Symbol("d_k", positive=True)
ETA = Symbol("eta", positive=True)
T = Symbol("T", positive=True)
S = Symbol("s", real=True)
W = Symbol("w", nonzero=True, real=True)
Z = Symbol("z", real=True)
LOSS = Function("L")


def absorbed_scale() -> Derivation:
    """Derive that ``W_Q → a W_Q`` with ``β → β/a`` is the same function: ``(β/a)(a s) = β s``."""
    return Derivation(
        r"\frac{\beta}{a} \left(a s\right)",
        (
            Step(Mul(BETA / A, Mul(A, S, evaluate=False), evaluate=False), "given", "absorb.both-changed"),
            Step(BETA * S, "rewrite", "absorb.cancel"),
        ),
    )


def absorbed_gradient() -> Derivation:
    """Derive that the gradient in the larger weight ``w' = a w`` is a times smaller: ``∂L/∂w' = (1/a) ∂L/∂w``.

    The same function ``L(β w)`` is written as ``L(β w'/a)`` and differentiated at ``w' = a w``.
    """
    moved = Symbol("w'", real=True)
    slope = Derivative(LOSS(BETA * W), W)
    return Derivation(
        r"\frac{\partial L}{\partial w'}",
        (
            Step(Derivative(LOSS(BETA * moved / A), moved).doit().subs(moved, A * W), "given", "absorb.chain-rule"),
            Step(slope / A, "evaluate", "absorb.gradient"),
        ),
    )


def absorbed_step() -> Derivation:
    """Derive that one step of gradient descent is ``a²`` times smaller beside its weight: ``(η g/a)/(a w)``."""
    g = Symbol("g", real=True)
    return Derivation(
        r"\frac{\Delta w'}{w'}",
        (
            Step(Mul(-ETA * g / A, 1 / (A * W), evaluate=False), "given", "absorb.step"),
            Step(-ETA * g / W / A**2, "rewrite", "absorb.relative-step"),
        ),
    )


def _softmax(z: list) -> list:
    total = sum(exp(one) for one in z)
    return [exp(one) / total for one in z]


def checkpoint_factor(n: int = 3) -> Derivation:
    """Derive what another divisor does to trained weights: ``p_i' = p_i^{c/c'}/Σ p_j^{c/c'}``.

    An inference temperature is the case ``c' = T c``: ``p^{1/T}/Σ p^{1/T}``.
    """
    s = numbered("s", n, real=True)
    p = numbered("p", n, positive=True)
    old = _softmax([one / C for one in s])
    power = C / C_NEW
    return Derivation(
        "p'",
        (
            Step(Matrix(_softmax([one / C_NEW for one in s])), "given", "checkpoint.new-divisor"),
            Step(
                Matrix([one**power / sum(other**power for other in p) for one in p]),
                "define",
                "checkpoint.powers",
                where=dict(zip(p, old, strict=True)),
            ),
        ),
    )


def checkpoint_restored() -> Derivation:
    """Derive that ``W_Q → W_Q c'/c`` (the bias too) undoes the change of the divisor: ``(s c'/c)/c' = s/c``."""
    return Derivation(
        r"\frac{1}{c'} \left(\frac{c'}{c} s\right)",
        (
            Step(Mul(1 / C_NEW, Mul(C_NEW / C, S, evaluate=False), evaluate=False), "given", "checkpoint.rescaled"),
            Step(S / C, "rewrite", "checkpoint.restored"),
        ),
    )


def double_scaling() -> Derivation:
    """Derive that dividing by √d_k twice is dividing by d_k: the same numbers, which no entropy tells apart."""
    return Derivation(
        r"\frac{1}{\sqrt{d_{k}}} \cdot \frac{s}{\sqrt{d_{k}}}",
        (
            Step(Mul(1 / sqrt(DK), S / sqrt(DK), evaluate=False), "given", "double.twice"),
            Step(S / DK, "rewrite", "double.divided-by-dk"),
        ),
    )


def observed_ratio() -> Derivation:
    """Derive that the standard deviations before and after scaling have the divisor as their ratio.

    1 if the factor is missing, √d_k if it is applied once, d_k if twice: which tells the three apart.
    ``V`` is the variance after.
    """
    sigma, after = Symbol("sigma", positive=True), Symbol("V", positive=True)
    return Derivation(
        r"\frac{\sigma_{s}}{\sigma_{z}}",
        (
            Step(sigma / sqrt(after), "given", "ratio.deviations"),
            Step(C, "define", "ratio.scaled-variance", where={after: sigma**2 / C**2}),
        ),
    )


def uniform_at_zero(n: int = 3) -> Derivation:
    """Derive that β = 0 gives equal weights: with 1/√d_k and 1, uniform, scaled and raw are one family in β."""
    s = numbered("s", n, real=True)
    return Derivation(
        "p",
        (
            Step(Matrix([Limit(one, BETA, 0) for one in _softmax([BETA * one for one in s])]), "given", "family.zero"),
            Step(Matrix([Rational(1, n)] * n), "evaluate", "family.uniform"),
        ),
    )


def softcap_slope() -> Derivation:
    """Derive ``d/dz c tanh(z/c) = 1 − tanh²(z/c) = 1/cosh²(z/c)``: positive, so the order is kept."""
    return Derivation(
        r"\frac{d}{d z}\, c \tanh\left(\frac{z}{c}\right)",
        (
            Step(Derivative(C * tanh(Z / C), Z), "given", "softcap.definition"),
            Step(1 - tanh(Z / C) ** 2, "evaluate", "softcap.chain-rule"),
            Step(cosh(Z / C) ** -2, "rewrite", "softcap.positive"),
        ),
    )


def softcap_small() -> Derivation:
    """Derive the first thing a soft cap changes near 0: ``c tanh(z/c) = z − z³/(3 c²) + …``."""
    return Derivation(
        r"\lim_{z \to 0} \frac{c \tanh(z/c) - z}{z^{3}}",
        (
            Step(Limit((C * tanh(Z / C) - Z) / Z**3, Z, 0), "given", "softcap.cubic-term"),
            Step(-1 / (3 * C**2), "evaluate", "softcap.series"),
        ),
    )


def softcap_next() -> Derivation:
    """Derive the term after it: ``c tanh(z/c) = z − z³/(3 c²) + 2 z⁵/(15 c⁴) − …``."""
    return Derivation(
        r"\lim_{z \to 0} \frac{c \tanh(z/c) - z + z^{3}/(3 c^{2})}{z^{5}}",
        (
            Step(Limit((C * tanh(Z / C) - Z + Z**3 / (3 * C**2)) / Z**5, Z, 0), "given", "softcap.fifth-term"),
            Step(2 / (15 * C**4), "evaluate", "softcap.series"),
        ),
    )


def softcap_bound() -> Bound:
    """Prove ``c tanh(z/c) < c`` for every z; the function is odd, so ``−c`` is never reached either."""
    smaller = C * tanh(Z / C)
    return Bound(
        smaller,
        C,
        Derivation(
            r"c - c \tanh\left(\frac{z}{c}\right)",
            (
                Step(C - smaller, "given", "softcap.difference"),
                Step(2 * C / (exp(2 * Z / C) + 1), "rewrite", "softcap.exponential"),
            ),
        ),
        strict=True,
    )


def softcap_open() -> Derivation:
    """Derive that a large cap changes nothing: ``c tanh(z/c) → z``."""
    z = Symbol("z", positive=True)
    return Derivation(
        r"\lim_{c \to \infty} c \tanh\left(\frac{z}{c}\right)",
        (
            Step(Limit(C * tanh(z / C), C, oo), "given", "softcap.no-cap"),
            Step(z, "evaluate", "softcap.identity"),
        ),
    )
