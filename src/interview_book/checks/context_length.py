"""How far ahead a Key must be to get its weight among n: caps, leads and the law of long contexts; proved.

``m = n − 1`` counts the competitors, ``x = β D`` is the scaled lead, and scores within ``[−B, B]`` have
``B`` = the gain of a cosine, the cap of a soft cap, or √d_k for RMS-normalised Queries and Keys. Competitors that are
normal and not equal are in ``normal_limits.tilt_bound``.
"""

from __future__ import annotations

import math

from sympy import Derivative, Eq, Limit, Mul, Rational, Symbol, exp, log, oo, sqrt

from interview_book.checks.bounds import Bound
from interview_book.checks.derivations import Derivation, Step
from interview_book.checks.softmax_theory import numbered

B = Symbol("B", positive=True)
BETA = Symbol("beta", positive=True)
DK = Symbol("d_k", positive=True)
G = Symbol("g", positive=True)
M = Symbol("m", positive=True, integer=True)
ODDS = Symbol("o", positive=True)
P = Symbol("p", positive=True)
SLACK = Symbol("u", nonnegative=True)
T = Symbol("t", positive=True)
V = Symbol("v", positive=True)
X = Symbol("x", positive=True)


def weight_cap() -> Bound:
    """Prove that scores in ``[−B, B]`` cap every weight: ``p_1 ≤ 1/(1 + (n − 1) e^{−2B})``.

    ``p_1 = 1/(1 + r)``, where each of the n − 1 terms of ``r`` is at least ``e^{−2B}``: ``r = (n − 1) e^{−2B} + u``.
    """
    least = M * exp(-2 * B)
    weight, cap = 1 / (1 + least + SLACK), 1 / (1 + least)
    return Bound(
        weight,
        cap,
        Derivation(
            r"\frac{1}{1 + m e^{-2 B}} - p_{1}",
            (
                Step(cap - weight, "given", "cap.difference"),
                Step(SLACK / ((1 + least) * (1 + least + SLACK)), "rewrite", "cap.positive"),
            ),
        ),
    )


def lead_needed() -> Derivation:
    """Derive the scaled lead that gives the weight p > 1/n against m equal scores: ``x = log(m p/(1 − p))``.

    For a fixed p it grows like log n: with a fixed multiplier, a longer context needs a larger gap (``x = β D``).
    ``1 + v`` is a name for ``m p/(1 − p)``, which is above 1 because p is above 1/n.
    """
    ratio = M * P / (1 - P)
    return Derivation(
        "x",
        (
            Step(Eq(1 / (1 + M * exp(-X)), P), "given", "lead.weight"),
            Step(
                Eq(exp(X), ratio),
                "scale",
                "lead.clear-denominators",
                # (1 − p (1 + m/E)) E/(1 − p) = E − m p/(1 − p)
                factor=(1 + M * exp(-X)) * exp(X) / (1 - P),
            ),
            Step(Eq(exp(X), 1 + V), "define", "lead.above-uniform", where={V: ratio - 1}),
            Step(Eq(X, log(1 + V)), "solve", "lead.logarithm", where={X: T}),
            Step(Eq(X, log(ratio)), "define", "lead.write-out", where={V: ratio - 1}),
        ),
        # 1/n < p < 1
        {P: (1 + ODDS) / (M + 1 + ODDS)},
    )


def gain_needed() -> Derivation:
    """Derive that the gain ``g = ½ log(m p/(1 − p))`` is what lets a cosine reach the weight p at best."""
    return Derivation(
        "p_{1}",
        (
            Step(1 / (1 + M * exp(-2 * G)), "given", "gain.best-case"),
            Step(P, "define", "gain.weight", where={G: log(M * P / (1 - P)) / 2}),
        ),
        {P: ODDS / (1 + ODDS)},
    )


def weight_grows_with_lead() -> Bound:
    """Prove that the leader's weight grows strictly with β D: shrinking all scores can only take weight from it."""
    weight = 1 / (1 + M * exp(-X))
    slope = Derivative(weight, X)
    return Bound(
        Rational(0),
        slope,
        Derivation(
            r"\frac{d p}{d x}",
            (
                Step(slope, "given", "lead.slope"),
                Step(M * exp(-X) / (1 + M * exp(-X)) ** 2, "evaluate", "lead.slope-positive"),
            ),
        ),
        strict=True,
    )


def weight_vanishes_with_length() -> Derivation:
    """Derive that at a fixed lead the weight falls like ``e^x/n``: ``m p → e^x`` for m → ∞."""
    m = Symbol("m", positive=True)
    return Derivation(
        r"\lim_{m \to \infty} m\, p",
        (Step(Limit(m / (1 + m * exp(-X)), m, oo), "given", "length.limit"), Step(exp(X), "evaluate", "length.law")),
    )


def cauchy_schwarz(d: int = 3) -> Bound:
    """Prove ``(q·k)² ≤ |q|² |k|²``: what is missing is ``Σ_{i<j} (q_i k_j − q_j k_i)²``.

    So ``|s| ≤ |q| |k|``, and Q and K norms bound the scores. With ``|q| = |k| = √d_k`` (RMS normalisation) this is
    ``|s| ≤ d_k``, hence ``|z| ≤ √d_k`` after the division. For projected tokens, ``|s| ≤ ‖W_Q W_Kᵀ‖₂ |x_i| |x_j|``:
    the same inequality for ``x_i`` and ``W_Q W_Kᵀ x_j``, whose length is at most the spectral norm times ``|x_j|``.
    """
    q, k = numbered("q", d, real=True), numbered("k", d, real=True)
    score = sum(a * b for a, b in zip(q, k, strict=True))
    product = sum(a**2 for a in q) * sum(b**2 for b in k)
    minors = sum((q[i] * k[j] - q[j] * k[i]) ** 2 for i in range(d) for j in range(i + 1, d))
    return Bound(
        score**2,
        product,
        Derivation(
            r"\lvert q \rvert^{2} \lvert k \rvert^{2} - (q \cdot k)^{2}",
            (Step(product - score**2, "given", "schwarz.difference"), Step(minors, "rewrite", "schwarz.lagrange")),
        ),
    )


def rms_bound() -> Derivation:
    """Derive the largest scaled score of RMS-normalised vectors: ``√d_k √d_k/√d_k = √d_k``."""
    return Derivation(
        r"\frac{\lvert q \rvert \lvert k \rvert}{\sqrt{d_{k}}}",
        (
            Step(Mul(sqrt(DK), sqrt(DK), 1 / sqrt(DK), evaluate=False), "given", "rms.norms"),
            Step(sqrt(DK), "rewrite", "rms.bound"),
        ),
    )


def largest_weight(bound: float, n: int) -> float:
    """Return the most that one of n Keys can weigh if every scaled score lies in ``[−bound, bound]``.

    ``1/(1 + (n − 1) e^{−2 bound})``: 0.00717 for a cosine without gain and n = 1024.
    """
    _require(bound >= 0 and math.isfinite(bound), "bound", "a finite number, at least 0", bound)
    _require(n >= 1, "n", "at least one Key", n)
    return 1 / (1 + (n - 1) * math.exp(-2 * bound))


def lead_for(weight: float, n: int) -> float:
    """Return the scaled lead β D at which one of n Keys, ahead of n − 1 equal ones, gets ``weight``.

    ``log((n − 1) p/(1 − p))``; half of it is the gain that lets a cosine reach that weight (4.564 for n = 1024,
    p = 0.9). Negative for a weight below 1/n. ``ValueError`` for n < 2 or a weight outside (0, 1).
    """
    _require(0 < weight < 1, "weight", "a number strictly between 0 and 1", weight)
    _require(n >= 2, "n", "at least two Keys", n)
    return math.log((n - 1) * weight / (1 - weight))


def weight_at(lead: float, n: int) -> float:
    """Return the weight of one of n Keys whose scaled score is ``lead`` above n − 1 equal ones: 1/(1 + (n−1) e^−x)."""
    _require(math.isfinite(lead), "lead", "a finite number", lead)
    _require(n >= 1, "n", "at least one Key", n)
    if lead >= 0:
        return 1 / (1 + (n - 1) * math.exp(-lead))
    return math.exp(lead) / (math.exp(lead) + (n - 1))


def _require(fine: bool, name: str, expected: str, got: object) -> None:
    if not fine:
        raise ValueError(f"{name}: expected {expected}, got {got!r}")
