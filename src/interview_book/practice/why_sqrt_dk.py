"""Items on the spread of a score: deviation, kurtosis, aligned mean, divisor, error of a sample variance.

Every value comes from the functions the chapter teaches, with the mistake put in where a person makes it.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import sqrt

from interview_book.checks import Components, score_theory, variance_error
from interview_book.checks.components import ScoreTheory
from interview_book.practice.generators import Generator, Parameters

# Heads whose root one knows by heart, each with two divisors that are kept from a head of another size.
_HEADS = ((16, 8), (36, 3), (36, 8), (64, 4), (64, 12), (100, 5), (100, 8), (144, 8), (256, 8), (256, 12), (400, 8))
_PAIRS = ((0.5, 3), (1.5, 2), (2, 0.75), (3, 1.5), (0.8, 1.5))  # σ_q, σ_k; the product is never 1
_LAWS = {
    1: Components("rademacher"),
    1.8: Components("uniform"),
    3: Components(),
    4.2: Components("student_t", df=9),
    6: Components("laplace"),
}
# κ_q κ_k near 3 would hide d_k, and the chapter prints two normal laws itself.
_KURTOSES = ((1, 6), (6, 1), (3, 6), (6, 3), (6, 6), (1.8, 6), (4.2, 6), (3, 4.2), (1.8, 4.2), (4.2, 4.2), (1, 1))


@lru_cache(maxsize=512)  # the answer and each mistake ask for the same one
def _theory(d_k: int, a: float = 1, b: float = 1, rho: float = 0.0) -> ScoreTheory:
    return score_theory(d_k, q=Components(deviation=a), k=Components(deviation=b), rho=rho)


def _spread(p: Parameters) -> ScoreTheory:
    """Theory of the raw score for components of deviations ``a`` (Query) and ``b`` (Key)."""
    return _theory(p["d_k"], p["a"], p["b"])


def _aligned(p: Parameters) -> ScoreTheory:
    """Theory of the raw score for standard normal components of correlation ``rho``."""
    return _theory(p["d_k"], rho=p["rho"])


def _kurtosis(p: Parameters) -> float:
    return score_theory(p["d_k"], q=_LAWS[p["kappa_q"]], k=_LAWS[p["kappa_k"]]).kurtosis


def _relative_error(p: Parameters) -> float:
    """Standard error of the unbiased variance of ``n`` scores, as a share of the variance itself."""
    return variance_error(1.0, _theory(p["d_k"]).kurtosis, p["n"])


deviation = Generator(
    name="why-sqrt-dk.deviation",
    grid=tuple({"d_k": d_k, "c": c, "a": a, "b": b} for (d_k, c), (a, b) in product(_HEADS, _PAIRS)),
    answer=lambda p: sqrt(_spread(p).variance) / p["c"],
    mistakes={
        "forgot-the-root": lambda p: p["d_k"] * p["a"] * p["b"] / p["c"],
        "variance-for-deviation": lambda p: _spread(p).variance / p["c"] ** 2,
        "squared-the-divisor": lambda p: sqrt(_spread(p).variance) / p["c"] ** 2,
        "added-variances": lambda p: sqrt(p["d_k"] * (p["a"] ** 2 + p["b"] ** 2)) / p["c"],
    },
)

kurtosis = Generator(
    name="why-sqrt-dk.kurtosis",
    # in many dimensions every answer is 3
    grid=tuple({"d_k": d_k, "kappa_q": one, "kappa_k": two} for d_k, (one, two) in product((2, 4, 5, 8), _KURTOSES)),
    answer=_kurtosis,
    mistakes={
        "excess": lambda p: _kurtosis(p) - 3,
        "one-product-only": lambda p: p["kappa_q"] * p["kappa_k"],
        "counted-twice": lambda p: 3 + p["kappa_q"] * p["kappa_k"] / p["d_k"],
        "added-excesses": lambda p: 3 + (p["kappa_q"] - 3 + p["kappa_k"] - 3) / p["d_k"],
    },
)

aligned = Generator(
    name="why-sqrt-dk.aligned",
    # the chapter prints the mean and the variance of 0.3 with 64
    grid=tuple(
        {"d_k": d_k, "rho": rho}
        for d_k, rho in product((16, 36, 64, 100, 144, 256), (0.25, 0.3, 0.4, 0.5, 0.6, 0.75))
        if (d_k, rho) != (64, 0.3)
    ),
    answer=lambda p: _aligned(p).mean / sqrt(_aligned(p).variance),
    mistakes={
        "forgot-the-growth": lambda p: _aligned(p).mean / sqrt(p["d_k"]),
        "variance-for-deviation": lambda p: _aligned(p).mean / (sqrt(p["d_k"]) * (1 + p["rho"] ** 2)),
        "wrong-sign": lambda p: _aligned(p).mean / sqrt(p["d_k"] * (1 - p["rho"] ** 2)),
        "forgot-the-dimension": lambda p: p["rho"] / sqrt(1 + p["rho"] ** 2),
    },
)

divisor = Generator(
    name="why-sqrt-dk.divisor",
    # A target of 1 would hide that the target is a variance. Numbers of four digits would need a comma.
    grid=tuple(
        {"d_k": d_k, "a": a, "b": b, "v": v}
        for d_k, (a, b), v in product((16, 36, 64, 100, 144), _PAIRS, (0.25, 2.25, 4, 9))
        if d_k * (a * b) ** 2 / v < 1000
    ),
    answer=lambda p: sqrt(_spread(p).variance / p["v"]),
    mistakes={
        "forgot-the-deviations": lambda p: sqrt(p["d_k"] / p["v"]),
        "forgot-the-root": lambda p: _spread(p).variance / p["v"],
        "target-as-deviation": lambda p: sqrt(_spread(p).variance) / p["v"],
        "inverted-target": lambda p: sqrt(_spread(p).variance * p["v"]),
    },
)

error = Generator(
    name="why-sqrt-dk.error",
    grid=tuple({"d_k": d_k, "n": n} for d_k, n in product((1, 2, 3, 4, 6), (100, 150, 200, 300, 400, 500))),
    answer=_relative_error,
    mistakes={
        "normal-kurtosis": lambda p: variance_error(1.0, 3.0, p["n"]),
        "forgot-minus-one": lambda p: variance_error(1.0, _theory(p["d_k"]).kurtosis + 1, p["n"]),
        "forgot-the-root": lambda p: _relative_error(p) ** 2,
        "error-of-the-mean": lambda p: 1 / sqrt(p["n"]),
    },
)

ALL = (deviation, kurtosis, aligned, divisor, error)
