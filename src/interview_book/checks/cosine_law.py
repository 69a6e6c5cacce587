"""Cosine scores of random directions, proved: the variance is 1/d_k exactly, the law is a Beta law for every d_k.

One direction ``u`` is uniform on the sphere in d dimensions and the other, ``v``, is anything independent of it.
"""

from __future__ import annotations

from collections.abc import Iterable

from sympy import (
    Eq,
    Expr,
    Integer,
    Integral,
    Limit,
    Matrix,
    Mul,
    Pow,
    Rational,
    Sum,
    Symbol,
    exp,
    gamma,
    oo,
    pi,
    sqrt,
    symbols,
)

from interview_book.checks.derivations import Derivation, Step
from interview_book.checks.softmax_theory import numbered

DIM = Symbol("d", positive=True)
WHOLE = Symbol("d", positive=True, integer=True)
G = Symbol("g", positive=True)
INDEX = Symbol("i", positive=True, integer=True)
M2 = Symbol("m", positive=True)
R, T, X, Y = symbols("r t x y", positive=True)
ALPHA, GAMMA = symbols("alpha gamma", positive=True)
# half of d − 1, for the Beta law; positive exactly when d > 1
HALF = Symbol("a", positive=True)


def component_square() -> Derivation:
    """Derive ``E u_i² = 1/d``: the d squares add up to 1 and, by symmetry, have one mean ``m``."""
    return Derivation(
        "m",
        (
            Step(Eq(Sum(M2, (INDEX, 1, WHOLE)), 1), "given", "component.unit-length"),
            Step(Eq(WHOLE * M2, 1), "evaluate", "component.symmetry"),
            Step(Eq(M2, 1 / WHOLE), "solve", "component.divide", where={M2: T}),
        ),
    )


def cosine_variance() -> Derivation:
    """Derive ``E (u·v)² = 1/d`` for a fixed unit ``v``: ``E u_i u_j = 0`` for i ≠ j, as ``u_i → −u_i`` changes no law.

    ``m = E u_i²`` (:func:`component_square`), ``o = E u_i u_j``, ``l = Σ v_i²`` and ``r = Σ_{i≠j} v_i v_j``.
    ``E u·v = 0`` by the same sign change, so this is the variance, for every d.
    """
    off, length, rest = Symbol("o", real=True), Symbol("l", positive=True), Symbol("r", real=True)
    return Derivation(
        r"\operatorname{E}\left[(u \cdot v)^{2}\right]",
        (
            Step(M2 * length + off * rest, "given", "cosine.second-moments"),
            Step(M2 * length, "define", "cosine.sign-change", where={off: Rational(0)}),
            Step(length / WHOLE, "define", "cosine.component", where={M2: 1 / WHOLE}),
            Step(1 / WHOLE, "define", "cosine.unit-length", where={length: Rational(1)}),
        ),
    )


def gamma_ratio() -> Derivation:
    """Derive the law of ``y = X/(X + Y)`` for independent Gamma variables of shapes α and γ: a Beta density.

    ``r = X + Y`` is integrated out. A squared cosine is such a ratio, of one squared normal (shape 1/2) to d of them:
    a uniform direction is a normal vector divided by its length.
    """
    joint = (Y * R) ** (ALPHA - 1) * ((1 - Y) * R) ** (GAMMA - 1) * exp(-R) * R / (gamma(ALPHA) * gamma(GAMMA))
    shape = Y ** (ALPHA - 1) * (1 - Y) ** (GAMMA - 1)
    return Derivation(
        "f(y)",
        (
            Step(Integral(joint, (R, 0, oo)), "given", "ratio.change-of-variables"),
            Step(
                shape / (gamma(ALPHA) * gamma(GAMMA)) * Integral(R ** (ALPHA + GAMMA - 1) * exp(-R), (R, 0, oo)),
                "rewrite",
                "ratio.collect",
            ),
            Step(shape * gamma(ALPHA + GAMMA) / (gamma(ALPHA) * gamma(GAMMA)), "evaluate", "ratio.gamma-function"),
        ),
        {Y: 1 / (1 + X)},
    )


def density_of_square() -> Derivation:
    """Derive the density of the cosine t from that of its square: ``f(t) = |t| f_{t²}(t²)``, the law being symmetric.

    With shapes 1/2 and (d − 1)/2 = a it is ``(1 − t²)^{a − 1} Γ(a + ½)/(√π Γ(a))``.
    """
    square = (T**2) ** Rational(-1, 2) * (1 - T**2) ** (HALF - 1)
    front = gamma(HALF + Rational(1, 2)) / (gamma(Rational(1, 2)) * gamma(HALF))
    return Derivation(
        "f(t)",
        (
            Step(Mul(T, square, front, evaluate=False), "given", "density.both-signs"),
            Step(
                (1 - T**2) ** (HALF - 1) * gamma(HALF + Rational(1, 2)) / (sqrt(pi) * gamma(HALF)),
                "rewrite",
                "density.simplify",
            ),
        ),
    )


def beta_law() -> Derivation:
    """Derive that ``y = (1 + t)/2`` has the Beta law of shapes a, a with ``a = (d − 1)/2``; uniform for d = 3."""
    t = 2 * Y - 1
    front = gamma(HALF + Rational(1, 2)) / (sqrt(pi) * gamma(HALF))
    return Derivation(
        "f(y)",
        (
            Step(2 * (1 - t**2) ** (HALF - 1) * front, "given", "beta.change-of-variables"),
            Step(2 * 4 ** (HALF - 1) * (Y * (1 - Y)) ** (HALF - 1) * front, "rewrite", "beta.factor"),
            Step(
                (Y * (1 - Y)) ** (HALF - 1) * gamma(2 * HALF) / gamma(HALF) ** 2,
                "rewrite",
                "beta.duplication",
            ),
        ),
        {Y: 1 / (1 + X)},
    )


def beta_variance() -> Derivation:
    """Derive ``Var t = 1/d`` once more, from the Beta law: ``4 (E y² − 1/4)`` with ``E y² = B(a + 2, a)/B(a, a)``."""
    return Derivation(
        r"\operatorname{Var}(t)",
        (
            Step(
                4 * (gamma(HALF + 2) / gamma(HALF) * gamma(2 * HALF) / gamma(2 * HALF + 2) - Rational(1, 4)),
                "given",
                "beta.second-moment",
            ),
            Step(4 * (HALF * (HALF + 1) / (2 * HALF * (2 * HALF + 1)) - Rational(1, 4)), "rewrite", "beta.recursion"),
            Step(1 / (2 * HALF + 1), "rewrite", "beta.collect"),
            Step(1 / DIM, "define", "beta.dimension", where={DIM: 2 * HALF + 1}),
        ),
    )


def cosine_fourth_moment() -> Derivation:
    """Derive ``E t⁴ = 3/(d (d + 2))``: kurtosis ``3 d/(d + 2)``, below the normal 3 for every d.

    ``t²`` has the Beta law of shapes 1/2 and (d − 1)/2, and ``E y² = Γ(5/2) Γ(d/2)/(Γ(1/2) Γ(d/2 + 2))``.
    """
    half = Rational(1, 2)
    return Derivation(
        r"\operatorname{E}\left[t^{4}\right]",
        (
            Step(gamma(half + 2) / gamma(half) * gamma(DIM / 2) / gamma(DIM / 2 + 2), "given", "fourth.beta"),
            Step(3 / (DIM * (DIM + 2)), "rewrite", "fourth.recursion"),
        ),
    )


def gained_variance() -> Derivation:
    """Derive which gain makes the variance of ``g cos`` 1: ``g²/d = 1`` only for ``g = √d``."""
    return Derivation(
        "g",
        (
            Step(Eq(G**2 * (1 / DIM), 1), "given", "gain.variance"),
            Step(Eq(G**2, DIM), "scale", "gain.clear-denominator", factor=DIM),
            Step(Eq(G, sqrt(DIM)), "solve", "gain.root", where={G: T}),
        ),
    )


def rms_variance() -> Derivation:
    """Derive the variance of a scaled score after RMS normalisation: norms √d, so ``z = √d √d cos/√d = g cos``."""
    return Derivation(
        r"\operatorname{Var}(z)",
        (
            Step(G**2 / DIM, "given", "rms.gain"),
            Step(Rational(1), "define", "rms.unit-variance", where={G: sqrt(DIM) * sqrt(DIM) / sqrt(DIM)}),
        ),
    )


def normal_in_the_limit() -> Derivation:
    """Derive that ``√d cos`` is normal for large d: its density has the shape ``(1 − x²/d)^{(d−3)/2} → e^{−x²/2}``."""
    return Derivation(
        r"\lim_{d \to \infty} \left(1 - \frac{x^{2}}{d}\right)^{\frac{d - 3}{2}}",
        (
            Step(Limit((1 - X**2 / DIM) ** ((DIM - 3) / 2), DIM, oo), "given", "normal.shape"),
            Step(exp(-(X**2) / 2), "evaluate", "normal.limit"),
        ),
    )


def length_discarded(d: int = 2) -> Derivation:
    """Derive that a cosine forgets lengths: it is the same for ``a q`` and ``b k`` with positive a, b."""
    (q, k), (a, b) = (numbered(letter, d, real=True) for letter in "qk"), symbols("a b", positive=True)
    return Derivation(
        r"\cos(a q, b k)",
        (
            Step(_cosine([a * one for one in q], [b * one for one in k]), "given", "length.stretched"),
            Step(_cosine(q, k), "rewrite", "length.cancel"),
        ),
    )


def ranks_differently() -> Derivation:
    """Derive dot products and cosines of q = (1, 0) with k_1 = (3, 4) and k_2 = (2, 0): they order the Keys oppositely.

    The dot product prefers k_1 (3 > 2), the cosine k_2 (3/5 < 1): another definition of similarity.
    """
    q, first, second = (1, 0), (3, 4), (2, 0)
    dots = [sum(a * b for a, b in zip(q, key, strict=True)) for key in (first, second)]
    return Derivation(
        r"\left[\begin{matrix}q \cdot k_{1} & q \cdot k_{2} \\ \cos(q, k_{1}) & \cos(q, k_{2})\end{matrix}\right]",
        (
            Step(
                Matrix([dots, [_unevaluated_cosine(q, first, dots[0]), _unevaluated_cosine(q, second, dots[1])]]),
                "given",
                "similarity.both",
            ),
            Step(Matrix([[3, 2], [Rational(3, 5), 1]]), "rewrite", "similarity.other-order"),
        ),
    )


def _cosine(q: Iterable[Expr], k: Iterable[Expr]) -> Expr:
    q, k = list(q), list(k)
    norms = sqrt(sum(a**2 for a in q)) * sqrt(sum(b**2 for b in k))
    return sum(a * b for a, b in zip(q, k, strict=True)) / norms


def _unevaluated_cosine(q: tuple[int, ...], k: tuple[int, ...], dot: int) -> Expr:
    norms = [Pow(Integer(sum(one**2 for one in vector)), Rational(1, 2), evaluate=False) for vector in (q, k)]
    return Mul(dot, Pow(Mul(*norms, evaluate=False), -1, evaluate=False), evaluate=False)
