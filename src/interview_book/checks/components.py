"""The laws that components of Queries and Keys can have, and what theory says of the scores they give."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from interview_book.checks.arguments import require_count, require_real

FAMILIES = ("normal", "uniform", "rademacher", "laplace", "student_t")
_KURTOSIS = {"normal": 3.0, "uniform": 1.8, "rademacher": 1.0, "laplace": 6.0}


@dataclass(frozen=True, eq=False)
class Components:
    """The law of the components of a vector: ``mean + deviation · x`` with x of mean 0 and variance 1.

    Parameters
    ----------
    family : of x, all symmetric: "normal", "uniform" on ±√3, "rademacher" (±1), "laplace", or "student_t" with ``df``
        degrees of freedom. With df ≤ 2 the variance is infinite, and x is left as it is.
    mean, deviation : a number, or an array of shape (d_k,); deviation > 0.
    within : correlation r between any two components of one vector, 0 ≤ r ≤ 1: ``x_i = √(1 − r) y_i + √r y_0`` with
        independent y of the family. With 1 all components are one and the same variable.
    df : degrees of freedom of student_t, > 0; None for every other family.

    Raises
    ------
    TypeError : no number. ValueError : an unknown family or a number out of its range.
    """

    family: str = "normal"
    mean: float | np.ndarray = 0.0
    deviation: float | np.ndarray = 1.0
    within: float = 0.0
    df: float | None = None

    def __post_init__(self) -> None:
        if self.family not in FAMILIES:
            raise ValueError(f"family: expected one of {', '.join(FAMILIES)}, got {self.family!r}")
        if (self.df is None) == (self.family == "student_t"):
            raise ValueError(
                f"df: expected degrees of freedom with student_t and with nothing else, got {self.df!r} with "
                f'{self.family}; try Components("student_t", df=5)'
            )
        if self.df is not None:
            require_real("df", self.df, above=0)
        for name, least in (("mean", -math.inf), ("deviation", 0)):
            value = getattr(self, name)
            if isinstance(value, np.ndarray):
                if value.ndim != 1 or value.dtype.kind not in "fi" or not (np.isfinite(value) & (value > least)).all():
                    kind = "finite numbers" + (" above 0" if least == 0 else "")
                    raise ValueError(f"{name}: expected {kind} of shape (d_k,), got shape {value.shape}: {value!r}")
            else:
                require_real(name, value, above=least)
        require_real("within", self.within)
        if not 0 <= self.within <= 1:
            raise ValueError(f"within: expected a correlation from 0 to 1, got {self.within!r}")

    @property
    def kurtosis(self) -> float:
        """Fourth moment of x, which has variance 1: infinite for student_t with df ≤ 4."""
        if self.family == "student_t":
            return 3 + 6 / (self.df - 4) if self.df > 4 else math.inf
        return _KURTOSIS[self.family]

    @property
    def heavy(self) -> bool:
        """Whether the variance is infinite."""
        return self.family == "student_t" and self.df <= 2

    def require_features(self, name: str, d_k: int) -> None:
        """Raise ``ValueError`` if an array of means or deviations has not ``d_k`` entries."""
        for what in ("mean", "deviation"):
            shape = np.shape(getattr(self, what))
            if shape not in ((), (d_k,)):
                raise ValueError(f"{name}.{what}: expected a number or shape ({d_k},) for d_k = {d_k}, got {shape}")


class ScoreTheory(NamedTuple):
    """Mean, variance and kurtosis (3 for a normal law; None where no formula here covers it) of one raw score."""

    mean: float
    variance: float
    kurtosis: float | None


def as_components(name: str, law: Components | str) -> Components:
    """Return ``law`` itself, or the standardised components of the family it names."""
    if isinstance(law, Components):
        return law
    if isinstance(law, str):
        return Components(law)
    raise TypeError(f"{name}: expected Components or the name of a family, got {law!r}; try {name}=Components()")


def require_pair(d_k: int, q: Components, k: Components, rho: float) -> None:
    """Raise unless these components and this correlation between q_i and k_i go together."""
    require_count("d_k", d_k)
    q.require_features("q", d_k)
    k.require_features("k", d_k)
    require_real("rho", rho)
    if not -1 <= rho <= 1:
        raise ValueError(f"rho: expected a correlation from -1 to 1, got {rho!r}")
    if rho and not (q.family == k.family == "normal" and q.within == k.within == 0):
        raise ValueError(
            f"rho: expected 0 unless q and k are normal with within = 0, got {rho!r} with {q.family} (within "
            f"{q.within:g}) and {k.family} (within {k.within:g}); a correlation says too little about other laws"
        )


def score_theory(
    d_k: int, *, q: Components | str = "normal", k: Components | str = "normal", rho: float = 0.0
) -> ScoreTheory:
    """Return what theory says of the raw score ``s = q·k``; the arguments are those of ``raw_scores``.

    With means m, covariances S of the vectors and C = E[(q − m_q)(k − m_k)ᵀ]::

        E s = m_qᵀ m_k + tr C        Var s = tr(S_q S_k) + tr C² + m_qᵀ S_k m_q + m_kᵀ S_q m_k + 2 m_qᵀ C m_k

    The kurtosis is given for independent components, and for correlated q_i, k_i of mean 0.

    Raises
    ------
    ValueError : components of infinite variance, for which the claim is void, or arguments that do not go together.
    """
    q, k = as_components("q", q), as_components("k", k)
    require_pair(d_k, q, k, rho)
    for name, law in (("q", q), ("k", k)):
        if law.heavy:
            raise ValueError(
                f"{name}: expected components of finite variance, got student_t with df = {law.df:g}, where every "
                "statement about the variance is void; try df above 2"
            )
    m, a, n, b = (np.broadcast_to(np.asarray(x, float), d_k) for x in (q.mean, q.deviation, k.mean, k.deviation))
    covariance = rho * a * b
    both = q.within * k.within
    variance = (
        (1 - both) * ((a * b) ** 2).sum()
        + both * (a * b).sum() ** 2
        + (covariance**2 + 2 * m * n * covariance).sum()
        + _form(m, b, k.within)
        + _form(n, a, q.within)
    )
    return ScoreTheory(float((m * n + covariance).sum()), float(variance), _score_kurtosis(q, k, rho, (m, a, n, b)))


def _form(mean: np.ndarray, deviation: np.ndarray, within: float) -> float:
    """``mᵀ S m`` for ``S = D ((1 − r) I + r 11ᵀ) D``."""
    return (1 - within) * ((mean * deviation) ** 2).sum() + within * (mean * deviation).sum() ** 2


def _score_kurtosis(q: Components, k: Components, rho: float, parts: tuple[np.ndarray, ...]) -> float | None:
    m, a, n, b = parts
    if q.within or k.within or (rho and (m.any() or n.any())):
        return None
    if math.inf in (q.kurtosis, k.kurtosis):
        return math.inf
    if rho:
        # q_i k_i/(a b) = (1 + rho)/2 u² − (1 − rho)/2 v² with independent standard normals; the fourth cumulant of u²
        # is 48, so that of the product is 6 (1 + 6 rho² + rho⁴).
        cumulant = 6 * (1 + 6 * rho**2 + rho**4) * (a * b) ** 4
        variance = (1 + rho**2) * (a * b) ** 2
    else:
        one, two = _raw_moments(m, a, q.kurtosis), _raw_moments(n, b, k.kurtosis)
        first, second, third, fourth = (x * y for x, y in zip(one, two, strict=True))
        variance = second - first**2
        cumulant = fourth - 4 * third * first + 6 * second * first**2 - 3 * first**4 - 3 * variance**2
    # Cumulants of independent summands add up.
    return float(3 + cumulant.sum() / variance.sum() ** 2)


def _raw_moments(mean: np.ndarray, deviation: np.ndarray, kurtosis: float) -> tuple[np.ndarray, ...]:
    """First to fourth moment of ``mean + deviation x`` with a symmetric x of variance 1."""
    square = deviation**2
    return (
        mean,
        mean**2 + square,
        mean**3 + 3 * mean * square,
        mean**4 + 6 * mean**2 * square + kurtosis * square**2,
    )
