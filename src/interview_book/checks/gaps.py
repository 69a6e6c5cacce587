"""How far apart two scores lie at initialisation, for d_k = 4: exact, proved in SymPy.

Query and Keys have independent standard normal components. Given the Query, ``k₁ − k₂`` has components of variance 2,
so the gap ``D = q·(k₁ − k₂)`` is distributed like ``√2 s`` with ``s = q·k``. The four derivations below give the law of
``s`` through its characteristic function (which determines it) and then the tail of ``D``.
"""

from __future__ import annotations

import math

import numpy as np
from sympy import I, Integral, Symbol, cos, exp, oo, pi, sqrt

from interview_book.checks.derivations import Derivation, Step

Q, K, S, T = Symbol("q", real=True), Symbol("k", real=True), Symbol("s", positive=True), Symbol("t", real=True)
X = Symbol("x", positive=True)
# a positive t, for what is even in t
TAU = Symbol("tau", positive=True)

VARIANCE = 8
"""Variance of the gap for d_k = 4: 2 d_k."""


def product_given_query() -> Derivation:
    """Derive ``E[e^{itqk} | q] = e^{−t²q²/2}`` for one product of a fixed ``q`` and a standard normal ``k``."""
    return Derivation(
        r"\operatorname{E}\left[e^{i t q k} \mid q\right]",
        (
            Step(Integral(exp(I * T * Q * K) * exp(-(K**2) / 2) / sqrt(2 * pi), (K, -oo, oo)), "given", "product.key"),
            Step(exp(-(T**2) * Q**2 / 2), "evaluate", "product.normal-transform"),
        ),
    )


def sum_of_four() -> Derivation:
    """Derive ``E[e^{its}] = 1/(1 + t²)²`` for ``s`` = four independent products."""
    normal = exp(-(Q**2) / 2) / sqrt(2 * pi)
    return Derivation(
        r"\operatorname{E}\left[e^{i t s}\right]",
        (
            Step(Integral(exp(-(T**2) * Q**2 / 2) * normal, (Q, -oo, oo)) ** 4, "given", "sum.independent"),
            Step(1 / (1 + T**2) ** 2, "evaluate", "sum.gauss"),
        ),
    )


def density_transform() -> Derivation:
    """Derive that the density ``(1 + |s|) e^{−|s|}/4`` has the same characteristic function, hence is that of ``s``.

    The density is even, so the transform is twice the integral of the cosine over the positive half. Both sides are
    even in ``t`` and continuous, so SymPy proves it for ``t > 0``.
    """
    return Derivation(
        r"\int_{-\infty}^{\infty} e^{i t s}\,\frac{1 + \left|{s}\right|}{4}\, e^{-\left|{s}\right|}\,ds",
        (
            Step(2 * Integral(cos(T * S) * (1 + S) * exp(-S) / 4, (S, 0, oo)), "given", "density.even"),
            Step(1 / (1 + T**2) ** 2, "evaluate", "density.transform"),
        ),
        {T: TAU},
    )


def gap_tail_derivation() -> Derivation:
    """Derive ``P(|D| ≥ x) = (1 + x/(2√2)) e^{−x/√2}`` from the density of ``s`` and ``D = √2 s`` in law."""
    return Derivation(
        r"\operatorname{P}\left(\left|{D}\right| \geq x\right)",
        (
            Step(2 * Integral((1 + S) * exp(-S) / 4, (S, X / sqrt(2), oo)), "given", "tail.two-sides"),
            Step((1 + X / (2 * sqrt(2))) * exp(-X / sqrt(2)), "evaluate", "tail.by-parts"),
        ),
    )


def density(s: float | np.ndarray) -> float | np.ndarray:
    """Return the density of the raw score ``s = q·k`` for d_k = 4: ``(1 + |s|) e^{−|s|}/4``."""
    return (1 + np.abs(s)) * np.exp(-np.abs(s)) / 4


def gap_tail(x: float | np.ndarray) -> float | np.ndarray:
    """Return ``P(|D| ≥ x) = (1 + x/(2√2)) e^{−x/√2}`` for the gap of two raw scores with d_k = 4.

    Exact (see :func:`gap_tail_derivation`): 0.1427 at x = 4, where the normal distribution of the same variance says
    0.1573, and 0.3902 at the crossover 2 arcosh φ. ``x`` is a number or an array of any shape, ≥ 0.

    Raises
    ------
    ValueError : a negative or NaN ``x``.
    """
    x = _non_negative(x)
    return (1 + x / (2 * math.sqrt(2))) * np.exp(-x / math.sqrt(2))


def normal_tail(x: float | np.ndarray, sd: float = math.sqrt(VARIANCE)) -> float | np.ndarray:
    """Return ``P(|N| ≥ x)`` for a normal variable of mean 0 and standard deviation ``sd``; by default that of the gap.

    This is the approximation that :func:`gap_tail` corrects: same variance, other shape. ``ValueError`` for a negative
    or NaN ``x`` or an ``sd`` that is not positive.
    """
    if not (math.isfinite(sd) and sd > 0):
        raise ValueError(f"sd: expected a finite number above 0, got {sd!r}")
    x = _non_negative(x)
    tail = np.vectorize(lambda one: math.erfc(one / (sd * math.sqrt(2))), otypes=[float])(x)
    return float(tail) if tail.ndim == 0 else tail


def _non_negative(x: float | np.ndarray) -> float | np.ndarray:
    if not np.all(np.asarray(x) >= 0):
        raise ValueError(f"x: expected the size of a gap, ≥ 0, got {x!r}; try abs(x)")
    return x
