"""Rows of n independent normal scores of standard deviation σ, as n → ∞: what is proved about them.

The mean of n values of ``e^z``, ``z e^z`` or ``e^{2z}`` tends to its expectation (law of large numbers, σ fixed); the
chains below give those expectations and what follows from them. What holds for finite n is measured in
``normal_rows``.
"""

from __future__ import annotations

from sympy import (
    Derivative,
    Eq,
    Integral,
    Limit,
    Rational,
    Symbol,
    erfc,
    exp,
    gamma,
    log,
    oo,
    pi,
    sqrt,
    symbols,
)

from interview_book.checks.bounds import Bound
from interview_book.checks.derivations import Derivation, Step

C = Symbol("c", positive=True)
DK = Symbol("d_k", positive=True)
K = Symbol("k", positive=True)
SIGMA = Symbol("sigma", positive=True)
T, X, Y = symbols("t x y", positive=True)
Z = Symbol("z", real=True)
G = Symbol("G", positive=True)
# m of the Poisson limit, 0 < m < 1
SHARE = Symbol("m", positive=True)
NORMAL = exp(-(Z**2) / (2 * SIGMA**2)) / (SIGMA * sqrt(2 * pi))
# r = √(2 log n), a name that keeps the lines short: log n = r²/2
ROOT = Symbol("r", positive=True)
LOG_N = ROOT**2 / 2
# Names for E e^z, E z e^z and E e^{2z}
MEAN, TILTED, SQUARED = symbols("M M_1 M_2", positive=True)


def exponential_moment() -> Derivation:
    """Derive ``E e^{k z} = e^{k² σ²/2}`` for ``z`` normal with mean 0 and variance σ²."""
    return Derivation(
        r"\operatorname{E}\left[e^{k z}\right]",
        (
            Step(Integral(exp(K * Z) * NORMAL, (Z, -oo, oo)), "given", "moment.definition"),
            Step(exp(K**2 * SIGMA**2 / 2), "evaluate", "moment.gauss"),
        ),
    )


def tilted_density() -> Derivation:
    """Derive that ``e^{kz}`` moves the normal density to the mean ``k σ²``: that is where ``E e^{kz}`` comes from."""
    moved = NORMAL.subs(Z, Z - K * SIGMA**2)
    return Derivation(
        r"e^{k z} f(z)",
        (
            Step(exp(K * Z) * NORMAL, "given", "tilt.product"),
            Step(exp(K**2 * SIGMA**2 / 2) * moved, "rewrite", "tilt.complete-the-square"),
        ),
    )


def tilted_mean() -> Derivation:
    """Derive ``E z e^{kz} = k σ² e^{k² σ²/2}``, the derivative of :func:`exponential_moment` in k."""
    moment = exp(K**2 * SIGMA**2 / 2)
    return Derivation(
        r"\operatorname{E}\left[z\, e^{k z}\right]",
        (
            Step(Derivative(moment, K), "given", "tilted.differentiate"),
            Step(K * SIGMA**2 * moment, "evaluate", "tilted.chain-rule"),
        ),
    )


def entropy_deficit() -> Derivation:
    """Derive ``log n − H → σ²/2`` nats.

    ``log n − H = −log(mean of e^z) + (mean of z e^z)/(mean of e^z)``, and the means tend to ``M = E e^z`` and
    ``M_1 = E z e^z`` (:func:`exponential_moment`, :func:`tilted_mean`).
    """
    return Derivation(
        r"\lim_{n \to \infty} \left(\log n - H\right)",
        (
            Step(-log(MEAN) + TILTED / MEAN, "given", "deficit.large-numbers"),
            Step(
                SIGMA**2 / 2,
                "define",
                "deficit.half-the-variance",
                where={MEAN: exp(SIGMA**2 / 2), TILTED: SIGMA**2 * exp(SIGMA**2 / 2)},
            ),
        ),
    )


def deficit_of_divisor() -> Derivation:
    """Derive the deficit for scores of variance d_k divided by c, ``d_k/(2 c²)``: ½ nat for ``c = √d_k``."""
    return Derivation(
        r"\frac{\sigma^{2}}{2}",
        (
            Step(SIGMA**2 / 2, "given", "deficit.of-variance"),
            Step(DK / (2 * C**2), "define", "deficit.divisor", where={SIGMA: sqrt(DK) / C}),
            Step(Rational(1, 2), "define", "deficit.root", where={C: sqrt(DK)}),
        ),
    )


def deficit_of_dk() -> Derivation:
    """Derive the same for ``c = d_k``: ``1/(2 d_k)`` nats, flatter and flatter."""
    return Derivation(
        r"\frac{d_{k}}{2 c^{2}}",
        (
            Step(DK / (2 * C**2), "given", "deficit.divisor"),
            Step(1 / (2 * DK), "define", "deficit.dk", where={C: DK}),
        ),
    )


def squares_limit() -> Derivation:
    """Derive ``n Σ p² → E e^{2z}/(E e^z)² = e^{σ²}``; ``M = E e^z``, ``M_2 = E e^{2z}``."""
    return Derivation(
        r"\lim_{n \to \infty} n \sum_{i} p_{i}^{2}",
        (
            Step(SQUARED / MEAN**2, "given", "squares.large-numbers"),
            Step(
                exp(SIGMA**2),
                "define",
                "squares.exponents",
                where={SQUARED: exp(2 * SIGMA**2), MEAN: exp(SIGMA**2 / 2)},
            ),
        ),
    )


def condensation_point() -> Derivation:
    """Derive where n scores stop being enough for ``E e^{kz}``: ``σ = r/k`` with ``r = √(2 log n)``.

    Its source, the height ``k σ²`` (:func:`tilted_density`), must be below the largest of n scores, about ``σ r``
    (:func:`expected_maximum`). For k = 1 this is ``σ² < 2 log n`` (the deficit), for k = 2 ``σ² < (log n)/2``
    (``n Σ p²``). Unscaled, ``σ² = d_k``.
    """
    return Derivation(
        r"\sigma",
        (
            Step(Eq(K * SIGMA**2, SIGMA * ROOT), "given", "point.heights"),
            Step(Eq(SIGMA, ROOT / K), "scale", "point.divide", factor=1 / (K * SIGMA)),
        ),
    )


def poisson_squares() -> Derivation:
    """Derive ``E Σ y² e^{−ty} = m Γ(2 − m) t^{m−2}`` for points y of a Poisson process of intensity ``m y^{−1−m}``."""
    return Derivation(
        r"\int_{0}^{\infty} y^{2} e^{-t y}\, m y^{-1-m}\, dy",
        (
            Step(Integral(SHARE * Y ** (1 - SHARE) * exp(-T * Y), (Y, 0, oo)), "given", "poisson.intensity"),
            Step(SHARE * gamma(2 - SHARE) * T ** (SHARE - 2), "evaluate", "poisson.gamma-function"),
        ),
        {SHARE: 1 - X},
    )


def poisson_transform() -> Derivation:
    """Derive ``−log E e^{−tY} = ∫ (1 − e^{−ty}) m y^{−1−m} dy = Γ(1 − m) t^m`` for their sum Y, by parts."""
    return Derivation(
        r"\int_{0}^{\infty} \left(1 - e^{-t y}\right) m y^{-1-m}\, dy",
        (
            Step(Integral(T * Y ** (-SHARE) * exp(-T * Y), (Y, 0, oo)), "given", "poisson.by-parts"),
            Step(gamma(1 - SHARE) * T**SHARE, "evaluate", "poisson.gamma-function"),
        ),
        {SHARE: 1 - X},
    )


def frozen_squares() -> Derivation:
    """Derive ``E Σ p² = 1 − m`` in the Poisson limit of the frozen phase, ``m = √(2 log n)/σ < 1``.

    There the weights are the points of a Poisson process of intensity ``m y^{−1−m}`` divided by their sum Y. With
    ``1/Y² = ∫ t e^{−tY} dt``, :func:`poisson_squares` and :func:`poisson_transform` the mean of ``Σ y²/Y²`` is a single
    integral: given one point, the others are the same process.
    That rows of normal scores tend to this process is the theorem of the random-energy model (Derrida 1981).
    """
    # G stands for Γ(1 − m)
    inner = Integral(SHARE * gamma(2 - SHARE) * T ** (SHARE - 1) * exp(-G * T**SHARE), (T, 0, oo))
    return Derivation(
        r"\operatorname{E}\left[\sum_{i} p_{i}^{2}\right]",
        (
            Step(inner, "given", "frozen.poisson"),
            Step(gamma(2 - SHARE) / G, "evaluate", "frozen.exponential"),
            Step((1 - SHARE) * gamma(1 - SHARE) / G, "rewrite", "frozen.recursion"),
            Step(1 - SHARE, "define", "frozen.name", where={G: gamma(1 - SHARE)}),
        ),
        {SHARE: 1 / (1 + X)},
    )


def tilt_bound() -> Bound:
    """Prove ``r ≤ (log n)/t + t/2`` for every t > 0, with ``r = √(2 log n)``.

    Two uses. The largest of n standard normals: :func:`expected_maximum`. And a Key planted over n of them with the gap
    ``D``: ``e^{tD}`` matches their ``E Σ e^{tz} = n e^{t²/2}`` (:func:`exponential_moment`) at ``D = (log n)/t + t/2``,
    so no multiplier t makes it the heavier one when D is below ``√(2 log n)``.
    """
    smaller, larger = ROOT, LOG_N / T + T / 2
    return Bound(
        smaller,
        larger,
        Derivation(
            r"\frac{r^{2}}{2 t} + \frac{t}{2} - r",
            (
                Step(larger - smaller, "given", "tilt.difference"),
                Step((T - smaller) ** 2 / (2 * T), "rewrite", "tilt.square"),
            ),
        ),
    )


def best_tilt() -> Derivation:
    """Derive that ``t = r = √(2 log n)`` is the only place where ``(log n)/t + t/2`` is stationary."""
    return Derivation(
        "t",
        (
            Step(Eq(Derivative(LOG_N / T + T / 2, T), 0), "given", "tilt.stationary"),
            Step(Eq(Rational(1, 2) - LOG_N / T**2, 0), "evaluate", "tilt.power-rule"),
            Step(Eq(T**2, ROOT**2), "scale", "tilt.clear-denominator", factor=2 * T**2),
            Step(Eq(T, ROOT), "solve", "tilt.root", where={T: X}),
        ),
    )


def expected_maximum() -> Derivation:
    """Derive the bound ``E max ≤ √(2 log n)`` for n standard normals, independent or not.

    ``e^{t E max} ≤ E e^{t max} ≤ n E e^{tz}`` (Jensen, and a sum for the maximum), so ``E max ≤ log(n M)/t`` for every
    t > 0 with ``M = E e^{tz}``; the chain takes the best t, ``r = √(2 log n)`` (:func:`best_tilt`).
    """
    return Derivation(
        r"\frac{\log\left(n \operatorname{E}\left[e^{t z}\right]\right)}{t}",
        (
            Step((LOG_N + log(MEAN)) / T, "given", "maximum.logarithm"),
            Step((LOG_N + T**2 / 2) / T, "define", "maximum.normal", where={MEAN: exp(T**2 / 2)}),
            Step(ROOT, "define", "maximum.best-t", where={T: ROOT}),
        ),
    )


def maximum_of_two() -> Derivation:
    """Derive ``E max = 1/√π`` for two standard normals: half the mean distance of ``z_1 − z_2``, of variance 2."""
    density = exp(-(X**2) / 4) / sqrt(4 * pi)
    return Derivation(
        r"\operatorname{E}\left[\max(z_{1}, z_{2})\right]",
        (
            Step(Rational(1, 2) * 2 * Integral(X * density, (X, 0, oo)), "given", "two.half-the-distance"),
            Step(1 / sqrt(pi), "evaluate", "two.integral"),
        ),
    )


def mills_ratio() -> Derivation:
    """Derive the tail of a standard normal: ``P(z > x) ~ e^{−x²/2}/(x √(2π))``."""
    tail = erfc(X / sqrt(2)) / 2
    return Derivation(
        r"\lim_{x \to \infty} x\, e^{x^{2}/2} \operatorname{P}(z > x)",
        (
            Step(Limit(X * exp(X**2 / 2) * tail, X, oo), "given", "mills.limit"),
            Step(1 / sqrt(2 * pi), "evaluate", "mills.value"),
        ),
    )
