"""Every figure that «why-sqrt-dk» shows, computed again from its definition without the book's code.

The committed outputs are read as JSON. What is exact is computed by other routes (convolution, conditional laws,
cumulants, moments of Wishart matrices) and compared digit for digit. What the chapter draws with NumPy alone is drawn
again from the seed that the cell names, put into other formulas, and compared digit for digit. What comes from the
book's own samplers must lie near the exact value, or near a measurement of this file's own with other seeds.

A right chapter and a right test disagree with probability at most ``ALARM`` for one draw of both. The rate is shared
equally among as many comparisons as ``Faults`` allows (Bonferroni), half of it by the statements and the grid, half
by the widget. A sum of squares has a heavier tail than a normal law: ``sample_variance_bound`` adds the largest jump
that one score can make.
"""

from __future__ import annotations

import copy
import json
import math
import re
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import optimize, special, stats

from tests.chapters.lookup_reading import Number

CHAPTER = Path(__file__).parents[2] / "chapters" / "why-sqrt-dk.ipynb"
ALARM = 1e-6
# Random comparisons that share half of ALARM each: a few more than there are today, which the test counts.
STATEMENTS, WIDGET = 160, 1500
Q95 = stats.norm.ppf(0.975)

# Sizes of this file's own draws: so many that their error adds at most an eighth to the chapter's.
ROWS, RUNS, GRADIENTS, WIDGET_ROWS = 60_000, 16_000, 6_000, 10_000
LAWS = ("normal", "uniform", "rademacher", "laplace", "student_t9")
SIZES = (1, 4, 16, 64, 256, 1024)
CELLS = [(law, d) for law in LAWS for d in SIZES if (law, d) != ("rademacher", 1)]
SCALED_CELLS = [(law, d) for law in LAWS for d in (64, 1024)]  # of the second grid, after dividing by √d_k


def above_with(chance: float) -> float:
    """Return what a standard normal number exceeds with this probability."""
    return -float(special.ndtri(chance))


# --- reading ---


NUMBER = r"-?\d[\d,]*(?:\.\d+)?(?:e[-+]\d+)?"
LINE = re.compile(
    rf"(?P<name>[a-z][a-z0-9_.-]*) = (?:(?P<flag>true|false)|(?P<value>{NUMBER}))"
    rf"(?:  se (?P<se>{NUMBER})  95% \[(?P<low>{NUMBER}), (?P<high>{NUMBER})\]"
    rf"(?:  theory (?P<theory>{NUMBER})  z (?P<z>{NUMBER}))?)?"
)
GRID_LINE = re.compile(
    rf"  (?P<verdict>\w+)  (?P<d>{NUMBER}): theory (?P<theory>{NUMBER})  measured (?P<value>{NUMBER})"
    rf"  95% \[(?P<low>{NUMBER}), (?P<high>{NUMBER})\]  z (?P<z>{NUMBER})"
)


def fields(match: re.Match) -> SimpleNamespace:
    found = {key: text for key, text in match.groupdict().items() if text is not None}
    words = {key: found.pop(key) for key in ("name", "flag", "verdict") if key in found}  # no numbers
    return SimpleNamespace(**words, **{key: Number.of(text) for key, text in found.items()}, keys=frozenset(found))


def joined(text) -> str:
    return text if isinstance(text, str) else "".join(text)


def read(notebook: dict) -> SimpleNamespace:
    """Return the statements by name, and by kind what else the code cells show; derivations are proved elsewhere."""
    statements, shown = {}, []
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            if output["output_type"] == "stream":
                for line in joined(output["text"]).splitlines():
                    match = LINE.fullmatch(line)
                    assert match, f"a line that this file cannot read: {line!r}"
                    assert match["name"] not in statements, f"stated twice: {match['name']}"
                    statements[match["name"]] = fields(match)
            else:
                plain = joined(output["data"]["text/plain"])
                if not plain.startswith("Derivation("):
                    shown.append((plain, {kind: joined(text) for kind, text in output["data"].items()}))
    kinds = [re.match(r"\w+", plain)[0] for plain, _ in shown]
    known = ["verdicts", "verdicts", "variance_growth", "ScalingLab"]
    assert kinds == known, f"shown, but not all of it is covered here: {kinds}"
    grid, scaled, growth, lab = (data for _, data in shown)
    return SimpleNamespace(statements=statements, grid=grid, scaled=scaled, growth=growth, lab=lab)


@cache
def committed_text() -> str:
    return CHAPTER.read_text(encoding="utf-8")


def committed() -> SimpleNamespace:
    return read(json.loads(committed_text()))


# --- faults ---


class Faults(list):
    """What does not agree; counts the random comparisons, each at an equal share of the rate."""

    def __init__(self, comparisons: int) -> None:
        super().__init__()
        self.comparisons, self.spent = comparisons, 0
        self.share = ALARM / 2 / comparisons
        self.quantile = above_with(self.share / 2)

    def unless(self, right: bool, name: str, says: str) -> None:
        if not right:
            self.append(f"{name}: {says}")

    def digits(self, name: str, found: Number, own: float, significant: int = 6) -> None:
        """Compare all printed digits; 1e-9 of a unit's neighbourhood is left to the rounding of exp."""
        unit = 10.0 ** (math.floor(math.log10(abs(own))) - significant + 1) if own else 0.0
        half = 0.5 * min(unit, max(found.unit, unit)) + 1.1e-9 * abs(own)
        self.unless(abs(found.value - own) <= half, name, f"{found.text}, but {own!r} by own computation")

    def rounded(self, name: str, found: Number, own: float) -> None:
        """Compare as many digits as are printed."""
        half = 0.5 * found.unit + 1.1e-9 * abs(own)
        self.unless(abs(found.value - own) <= half, name, f"{found.text}, but {own!r} by own computation")

    def near(self, name: str, found: float, own: float, error: float, rounding: float = 0.0, bound: float = 0.0):
        """Spend one comparison: ``error`` is the standard deviation of ``found − own``."""
        self.spent += 1
        reach = (bound or self.quantile) * error + rounding
        self.unless(
            abs(found - own) <= reach, name, f"{found}, {(found - own) / error:.3g} standard errors from {own!r}"
        )

    def chances(self, name: str, hits, n: int, probabilities) -> None:
        """Spend a comparison for each number of hits: an exact binomial test, so that rare hits need no normal law."""
        hits, p = np.atleast_1d(hits), np.clip(np.atleast_1d(probabilities), 0, 1)
        self.spent += len(hits)
        tails = 2 * np.minimum(stats.binom.cdf(hits, n, p), stats.binom.sf(hits - 1, n, p))
        for i in np.flatnonzero(tails <= self.share):
            self.append(f"{name} {i}: {hits[i]} of {n}, expected {n * p[i]:.4g}, P = {tails[i]:.2g}")


# --- laws of products and scores ---


def component(law: str):
    """Return the law of a component, mean 0 and variance 1, as SciPy knows it (None: ±1)."""
    return {
        "normal": stats.norm(),
        "uniform": stats.uniform(-math.sqrt(3), 2 * math.sqrt(3)),
        "laplace": stats.laplace(scale=math.sqrt(0.5)),
        "student_t9": stats.t(9, scale=math.sqrt(7 / 9)),
    }.get(law)


# E[q⁴], E[q⁶], E[q⁸] of components with variance 1
MOMENTS = {
    "normal": (3, 15, 105),
    "uniform": (Fraction(9, 5), Fraction(27, 7), 9),  # √3 to the power, over the power and 1
    "rademacher": (1, 1, 1),
    "laplace": (6, 90, 2520),  # n!/√2ⁿ
    "student_t9": (Fraction(21, 5), 49, 2401),  # 7ⁿ′ · 1 · 3 ⋯ (2 n′ − 1)/(7 · 5 ⋯ (9 − 2 n′)) with n = 2 n′
}


@cache
def largest_product(law: str, chance: float) -> float:
    """Return x with P(|q k| > x) = chance, from the density of log |q|."""
    if law == "rademacher":
        return 1.0
    if law == "uniform":
        return 3.0
    one, u = component(law), np.linspace(-8, 8, 4001)
    q = np.exp(u)
    weight = 4 * one.pdf(q) * q * (u[1] - u[0])

    def above(log_x: float) -> float:
        return math.log(max(weight @ one.sf(math.exp(log_x) / q), 1e-300) / chance)

    return math.exp(optimize.brentq(above, 0.0, 8.0))


@cache
def largest_square(law: str, d: int, n: int, chance: float) -> float:
    """Return what the largest s²/d of n scores exceeds with probability ``chance`` or less, by the larger of two ways.

    One product is large alone, or many are large together, as in a normal law.
    """
    alone = largest_product(law, chance / (n * d)) ** 2 / d
    return max(alone, above_with(chance / 2 / n) ** 2)


def sample_variance_bound(faults: Faults, law: str, d: int, n: int, kurtosis: float) -> float:
    """Return the bound for |z| of a sample variance: the normal quantile and the jump of the largest square."""
    jump = largest_square(law, d, n, faults.share / 2)
    return above_with(faults.share / 4) + jump / math.sqrt(n * (kurtosis - 1))


def check_error(faults: Faults, name: str, ratio: float, slack: float, law: str, d: int, n: int, moments: tuple):
    """Spend one comparison on a measured standard error of a variance, given as its ratio to the one by theory.

    Its square rests on the mean of s⁴, whose error needs E[s⁸] and has the jump of the largest s⁴.
    """
    fourth, eighth = moments
    faults.spent += 1
    spread = above_with(faults.share / 4) * math.sqrt((eighth - fourth**2) / n) / (fourth - 1)
    jump = largest_square(law, d, n, faults.share / 2) ** 2 / n / (fourth - 1)
    low, high = math.sqrt(max(0.0, 1 - spread)) - slack, math.sqrt(1 + spread + jump) + slack
    faults.unless(low <= ratio <= high, name, f"{ratio:.3g} of the error by theory, expected {low:.3g} to {high:.3g}")


def sum_moments(cumulants: tuple[float, ...], d: int) -> tuple[float, float]:
    """Return E[x⁴] and E[x⁸] of a sum of d, standardised, from even cumulants of one; odd ones are left out."""
    two, four, six, eight = (d * c for c in cumulants)
    return 3 + four / two**2, (eight + 28 * six * two + 35 * four**2 + 210 * four * two**2 + 105 * two**4) / two**4


@cache
def score_moments(law: str, d: int) -> tuple[float, float]:
    """Return E[s⁴]/d² and E[s⁸]/d⁴: the moments of q k are squares of those of q."""
    m4, m6, m8 = (float(moment) ** 2 for moment in MOMENTS[law])
    cumulants = (1.0, m4 - 3, m6 - 15 * m4 + 30, m8 - 28 * m6 - 35 * m4**2 + 420 * m4 - 630)
    found = sum_moments(cumulants, d)
    # The fourth by counting too: d times four equal indices, 3 d (d − 1) times two pairs of equal ones.
    assert math.isclose(found[0], (d * m4 + 3 * d * (d - 1)) / d**2)
    return found


def correlated_moments(d: int, rho: float) -> tuple[float, float]:
    """By cumulants: q k = ((1 + ρ) a² − (1 − ρ) b²)/2 with independent standard normal a, b, and a² is χ²(1)."""
    even = (
        2 ** (order - 1) * math.factorial(order - 1) * (((1 + rho) / 2) ** order + ((1 - rho) / 2) ** order)
        for order in (2, 4, 6, 8)
    )
    return sum_moments(tuple(even), d)


# --- own softmax and what the chapter computes with NumPy alone, drawn again ---


def weights(z: np.ndarray) -> np.ndarray:
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def row_measures(z: np.ndarray) -> dict[str, np.ndarray]:
    """Entropy log Σ e^z − Σ p z, largest weight and ‖diag(p) − p pᵀ‖ from the sums of powers of p."""
    z = z - z.max(axis=-1, keepdims=True)
    e = np.exp(z)
    total = e.sum(axis=-1)
    p = e / total[:, None]
    squares = p * p
    second = squares.sum(axis=-1)
    third = np.einsum("ij,ij->i", squares, p)
    return {
        "entropy": np.log(total) - np.einsum("ij,ij->i", p, z),
        "largest": 1 / total,
        "jacobian": np.sqrt(np.maximum(second - 2 * third + second**2, 0)),
    }


def gradient_norms(q: np.ndarray, k: np.ndarray, c: float) -> np.ndarray:
    """‖∂p/∂q‖ row by row: the derivative of p_j in q is p_j (k_j − Σ p k)/c."""
    p = weights(np.einsum("ri,rji->rj", q, k) / c)
    off = k - np.einsum("rj,rji->ri", p, k)[:, None]
    return np.sqrt(np.einsum("rj,rji,rji->r", p * p, off, off)) / c


def sample_variance(x: np.ndarray) -> tuple[float, float]:
    """Return the unbiased variance and its standard error from the fourth central moment."""
    n, off = len(x), x - x.mean()
    v = float(off @ off) / (n - 1)
    return v, math.sqrt((float((off**4).mean()) - v * v * (n - 3) / (n - 1)) / n)


def generator(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


@cache
def drawn_again() -> dict[str, object]:
    """What cells draw with NumPy's generator alone: the same numbers, in the order the cells ask for them."""
    found: dict[str, object] = {}
    q, k = generator(32).standard_normal((2, 10_000, 32, 16))
    # Mean square of all scores of a matrix: Σ_ab (q_a·k_b)² = tr(QᵀQ KᵀK), without the scores.
    gram_q, gram_k = q.transpose(0, 2, 1) @ q, k.transpose(0, 2, 1) @ k
    squares = (gram_q * gram_k).sum(axis=(1, 2)) / (32 * 32 * 16)
    found["matrix.error"] = math.sqrt(sample_variance(squares)[0])
    found["matrix.kurtosis"] = float(stats.kurtosis(squares, fisher=False))

    rng = generator(14)
    u, w = rng.standard_normal((2, 200_000, 16))
    r2 = rng.choice([0.2, 1.8], 200_000)
    first = np.sqrt(r2) * np.array([u[:, 0], w[:, 0]])
    first -= first.mean(axis=1, keepdims=True)
    squares = first @ first.T
    found["magnitude.correlation"] = float(squares[0, 1] / math.sqrt(squares[0, 0] * squares[1, 1]))
    found["magnitude.variance"] = sample_variance(r2 * np.einsum("ri,ri->r", u, w))[0] / 16

    rng = generator(64)
    x = rng.standard_normal(64)
    x /= math.sqrt(x @ x)
    # A second token, orthogonal to the first: its components turned round by one place, less their share of x.
    across = x[np.arange(64) - 1]
    across = across - (across @ x) * x
    across /= math.sqrt(across @ across)
    assert abs(x @ across) < 1e-12
    tokens = np.stack([x, across], axis=1)
    # In parts, which changes no number: W_Q first, then W_K. |x| = 8 and a deviation of 1/8 cancel.
    on_q, on_k = (
        np.concatenate([rng.standard_normal((2000, 64, 16)).transpose(0, 2, 1) @ tokens for _ in range(10)])
        for _ in "qk"
    )
    s, s_across = (np.einsum("ri,ri->r", on_q[..., 0], on_k[..., token]) for token in (0, 1))
    found["init.variance"] = sample_variance(s)
    # The scores of a mixture of tokens are the mixture of their scores; √d_k = 4.
    for name, cosine in COSINES.items():
        other = cosine * s + math.sqrt(1 - cosine**2) * s_across
        found[f"init.gap.{name}"] = sample_variance((s - other) / 4)

    rng = generator(9)
    for d in (64, 128):
        q, norms = rng.standard_normal((2000, d)), {"scaled": [], "unscaled": []}
        for part in np.split(q, 4):  # of Keys, to hold fewer numbers at once
            k = rng.standard_normal((500, 64, d))
            for name, parts in norms.items():
                parts.append(gradient_norms(part, k, math.sqrt(d) if name == "scaled" else 1.0))
        found |= {f"norms.{name}.{d}": np.concatenate(parts) for name, parts in norms.items()}
    for name, d, c in (("pitfall.sd", 256, 1.0), ("pitfall.model", 64, math.sqrt(512))):
        # Of 1,000 Queries and 1,000 Keys the cell takes all 10⁶ scores; from the Gram matrix, without them.
        q, k = rng.standard_normal((1000, d)), rng.standard_normal((1000, d))
        mean = q.mean(axis=0) @ k.mean(axis=0)
        found[name] = math.sqrt(((q.T @ q) * (k.T @ k)).sum() / 1e6 - mean**2) / c
    q, k = rng.standard_normal((2, 500, 64))
    z = q @ k.T / 8
    shifted = q @ (k + 3).T / 8
    # The shift adds 3 Σ q_i/8 to a row and nothing else.
    found["pitfall.shifted"] = float(np.abs(shifted - z - 3 * q.sum(axis=1, keepdims=True) / 8).max())
    found["pitfall.pooled"] = float(shifted.std() / z.std())
    found["pitfall.within"] = bool(np.abs(weights(shifted) - weights(z)).max() < 1e-12)
    twice, once = (q / 8) @ k.T / 8, q @ k.T / 64
    found["pitfall.twice"] = bool(np.abs(twice - once).max() < 1e-12)
    found["pitfall.length"] = bool(np.abs(q @ k[:498].T / 8 - z[:, :498]).max() < 1e-12)
    row = np.array([4.0, 0.0])
    found["pitfall.shift"] = float(np.abs(weights(row + 1000) - weights(row)).max())
    return found


# --- own measurements ---

# Settings of the scaling lab that are measured here: d_k, Keys, σ, divisor, ρ. Two of them draw whole vectors.
LAB_SETTINGS = (
    (1, 4, 2.0, 1.0, 0.6),
    (1, 256, 0.5, 1.0, 0.0),
    (4, 16, 1.5, 2.0, 0.1),
    (4, 64, 2.0, 1.0, 0.3),
    (16, 16, 1.0, 4.0, 0.6),
    (16, 64, 1.0, math.sqrt(128), 0.0),
    (64, 64, 1.0, 8.0, 0.0),
    (64, 64, 1.0, 1.0, 0.0),
    (64, 4, 0.5, 8.0, 0.3),
    (256, 64, 1.5, math.sqrt(2048), 0.1),
    (256, 256, 1.0, 8.0, 0.3),
    (1024, 16, 1.0, 1024.0, 0.0),
    (1024, 256, 0.5, 1.0, 0.6),
)


def draw(rng: np.random.Generator) -> SimpleNamespace:
    """Measure what no formula gives. A score of a given Query is normal with variance ‖q‖², and ‖q‖² is χ²(d_k)."""
    rows = {}
    for d in (64, 128):
        measures = ("entropy", "largest", "jacobian")
        parts = {(name, measure): [] for name in ("scaled", "unscaled") for measure in measures}
        for _ in range(ROWS // 2000):
            z = np.sqrt(rng.chisquare(d, (2000, 1))) * rng.standard_normal((2000, 64))
            for name, c in (("scaled", math.sqrt(d)), ("unscaled", 1.0)):
                for measure, values in row_measures(z / c).items():
                    parts[name, measure].append(values)
        rows |= {(measure, name, d): np.concatenate(values) for (name, measure), values in parts.items()}
    covered = {"naive": 0, "fourth": 0}
    for _ in range(RUNS // 500):
        s = rng.standard_normal((500, 1000))
        s *= rng.standard_normal((500, 1000))
        s -= s.mean(axis=1, keepdims=True)
        s *= s
        v = s.sum(axis=1) / 999
        fourth = np.einsum("ij,ij->i", s, s) / 1000
        for name, error in (
            ("naive", v * math.sqrt(2 / 999)),
            ("fourth", np.sqrt((fourth - v * v * 997 / 999) / 1000)),
        ):
            covered[name] += int((np.abs(v - 1) <= Q95 * error).sum())
    gradients = {(name, d): [] for d in (64, 128) for name in ("scaled", "unscaled")}
    for d in (64, 128):
        for _ in range(GRADIENTS // 500):
            q, k = rng.standard_normal((500, d)), rng.standard_normal((500, 64, d))
            for name, c in (("scaled", math.sqrt(d)), ("unscaled", 1.0)):
                gradients[name, d].append(gradient_norms(q, k, c))
    lab = {}
    for d, n, sigma, c, rho in LAB_SETTINGS:
        if d * n <= 64:
            q = sigma * rng.standard_normal((WIDGET_ROWS, 1, d))
            k = rho * q + sigma * math.sqrt(1 - rho * rho) * rng.standard_normal((WIDGET_ROWS, n, d))
            z = (q * k).sum(axis=-1) / c
        else:
            z = np.sqrt(rng.chisquare(d, (WIDGET_ROWS, 1))) * rng.standard_normal((WIDGET_ROWS, n))
            z *= sigma * sigma * math.sqrt(1 - rho * rho) / c
        measures = row_measures(z)
        lab[d, n, sigma, c, rho] = {key: (float(x.mean()), float(x.std(ddof=1))) for key, x in measures.items()}
    moments = {
        key: (float(x.mean()), float(x.std(ddof=1)), float(stats.kurtosis(x, fisher=False))) for key, x in rows.items()
    }
    return SimpleNamespace(
        rows=rows,
        moments=moments,
        covered=covered,
        gradients={key: np.concatenate(parts) for key, parts in gradients.items()},
        lab=lab,
    )


@pytest.fixture(scope="module")
def own() -> SimpleNamespace:
    """One draw for the tests that ask whether a fault is found: whatever the seed, it must be."""
    return draw(generator(20_250_731))


# --- what each name must be ---


@cache
def exact() -> dict[str, object]:
    """Return what needs no measurement; an int is printed without a point."""
    chance = {0: 1}
    for _ in range(64):  # one coin after another, in whole numbers of 2⁻⁶⁴
        after: dict[int, int] = {}
        for total, ways in chance.items():
            for step in (-1, 1):
                after[total + step] = after.get(total + step, 0) + ways
        chance = after
    law = stats.binom(64, 0.5)
    within = Fraction(sum(ways for total, ways in chance.items() if abs(total) <= 8), 2**64)
    assert math.isclose(within, law.cdf(36) - law.cdf(27), rel_tol=1e-12)
    n_q, n_k, d = 32, 32, 16
    # Given ‖q‖ the score is normal: E[s⁴] = 3 E[‖q‖⁴] = 3 d (d + 2).
    kurtosis = {size: 3 * (size + 2) / size for size in (1, 16, 64)}
    correlated = 64 * (1 + Fraction(3, 10) ** 2)
    return {
        "coins.variance": sum(ways * total**2 for total, ways in chance.items()) // 2**64,
        "coins.within": float(within),
        "coins.all": 2.0**-64,
        **{f"fixed.{size}": math.sqrt(size) / 8 for size in (16, 64, 1024)},
        **{f"kurtosis.{size}": kurtosis[size] for size in (1, 64)},
        "variance.count": len(CELLS),
        "variance.expected": len(CELLS) * 19 / 20,
        # The mean square is tr(A B)/d with A = QᵀQ/n_q and B = KᵀK/n_k. Given A it has the variance 2 tr(A²)/(n_k d²)
        # and the mean tr(A)/d; for a Wishart matrix E[tr A²] = d (n_q + d + 1)/n_q and Var(tr A) = 2 d/n_q.
        "matrix.theory": math.sqrt((2 * d * (n_q + d + 1) / (n_q * n_k) + 2 * d / n_q) / d**2),
        # As if all scores were independent: Var(s²/d) = E[s⁴]/d² − 1 of each.
        "matrix.naive": math.sqrt((kurtosis[16] - 1) / (n_q * n_k)),
        "magnitude.fourth": float((Fraction(1, 5) ** 2 + Fraction(9, 5) ** 2) / 2),
        "correlated.root.mean": 64 * 0.3 / 8,
        "correlated.root.variance": float(correlated / 64),
        "correlated.dk.mean": 0.3,
        "correlated.dk.variance": float(correlated / 64**2),
    }


# Tokens whose scores are compared with those of the Query's own token: cosine of the angle between both.
COSINES = {"orthogonal": 0.0, "similar": 0.5}
# name → scores, exact variance, E[s⁴] and E[s⁸] of the standardised score, features that it is the sum of
VARIANCES = {
    "within.one": (400_000, 8.0, score_moments("normal", 1), 1),  # Σ k_i is √8 times a standard normal number
    "within.both": (400_000, 64.0, score_moments("normal", 1), 1),  # s = 8 q k
    "correlated.variance": (400_000, 1.09, correlated_moments(64, 0.3), 64),
    "init.variance": (20_000, 16.0, score_moments("normal", 16), 16),  # W of a vector of length √64 is standard normal
    # s − s' is the score of x − x', whose ‖x − x'‖² = (2 − 2 cos) ‖x‖² is the only difference: divided by 16, 2 − 2 cos
    **{f"init.gap.{name}": (20_000, 2 - 2 * c, score_moments("normal", 16), 16) for name, c in COSINES.items()},
}
WITH_THEORY = ("within.one", "within.both", "correlated.variance", "init.variance")
ROW_NAMES = {
    f"{label}.{name}.{d}": (label.split(".")[0], name, d, label.endswith("median"))
    for label in ("entropy", "largest", "jacobian.mean", "jacobian.median")
    for name in ("scaled", "unscaled")
    for d in (64, 128)
}
COVERAGES = ("coverage.naive", "coverage.fourth")
AGAIN = (
    "matrix.error",
    "magnitude.correlation",
    "magnitude.variance",
    *(f"gradient.{name}.{d}" for d in (64, 128) for name in ("scaled", "unscaled", "ratio", "median")),
    "pitfall.sd",
    "pitfall.model",
    "pitfall.shift",
    "pitfall.pooled",
)
FLAGS = ("pitfall.twice", "pitfall.length", "pitfall.within")
OF_THE_GRID = ("variance.inside", "variance.farthest")
WITHIN_ROWS = ("correlated.row",)
COVERED = {*exact(), *VARIANCES, *ROW_NAMES, *COVERAGES, *AGAIN, *FLAGS, *OF_THE_GRID, *WITHIN_ROWS}
ESTIMATES = {*VARIANCES, *ROW_NAMES, *COVERAGES}


def check_interval(faults: Faults, name: str, one, symmetric: bool = True) -> None:
    """Hold value, standard error and 95 % interval against each other, to the rounding of their last digits."""
    unit = one.value.unit
    faults.unless(
        abs((one.high.value - one.low.value) / 2 - Q95 * one.se.value) <= (0.5 + Q95 / 2 + 1e-6) * unit,
        name,
        f"the interval is not 1.96 standard errors to both sides of {one.value.text}",
    )
    if symmetric:
        faults.unless(
            abs((one.high.value + one.low.value) / 2 - one.value.value) <= (1 + 1e-6) * unit,
            name,
            f"{one.value.text} is not the centre of its interval",
        )
    faults.unless(one.low.value < one.value.value < one.high.value, name, f"{one.value.text} outside its interval")


def check_z(faults: Faults, name: str, one, error: float, error_rounding: float = 0.0) -> None:
    """``z`` is (value − theory)/error, as far as the printed digits tell."""
    z = (one.value.value - one.theory.value) / error
    slack = (0.5 * one.value.unit + abs(z) * error_rounding) / error + 0.5 * one.z.unit + 1e-6
    faults.unless(abs(one.z.value - z) <= slack, name, f"z {one.z.text}, but {z:.3f} from its digits")


def check_statements(notebook: SimpleNamespace, own: SimpleNamespace) -> Faults:
    """Return everything about the statements and the grid that is not as computed here."""
    faults, stated = Faults(STATEMENTS), notebook.statements
    for name in sorted(stated.keys() ^ COVERED):
        faults.append(f"{name}: {'stated, but not covered here' if name in stated else 'no longer stated'}")
    if faults:
        return faults
    for name, one in stated.items():
        parts = ["value"]
        if name in ESTIMATES:
            parts += ["se", "low", "high", *(["theory", "z"] if name in WITH_THEORY else [])]
        elif name in FLAGS:
            parts = []
        faults.unless(one.keys == frozenset(parts), name, f"states {sorted(one.keys)}, expected {parts}")
    if faults:
        return faults
    for name, right in exact().items():
        found = stated[name].value
        if isinstance(right, int):
            faults.unless(found.text == str(right), name, f"{found.text}, but {right}")
        else:
            faults.digits(name, found, right)
            faults.unless("." in found.text, name, f"{found.text} has no point, but is no count")
    for name in VARIANCES:
        _variance(faults, name, stated[name])
    for name in ROW_NAMES:
        _row(faults, name, stated[name], own)
    for name in COVERAGES:
        _coverage(faults, name, stated[name], own)
    _again(faults, stated, own)
    _within_rows(faults, "correlated.row", stated["correlated.row"], 64, 0.3)
    check_grids(faults, notebook)
    return faults


def _variance(faults: Faults, name: str, one) -> None:
    n, variance, moments, d = VARIANCES[name]
    kurtosis = moments[0]
    check_interval(faults, name, one)
    if name in WITH_THEORY:
        faults.rounded(name, one.theory, variance)
        check_z(faults, name, one, one.se.value, 0.5 * one.se.unit)
    error = variance * math.sqrt((kurtosis - 1 + 2 / (n - 1)) / n)
    bound = sample_variance_bound(faults, "normal", d, n, kurtosis)
    faults.near(name, one.value.value, variance, error, one.value.unit / 2, bound)
    check_error(faults, f"{name} se", one.se.value / error, one.se.unit / 2 / error, "normal", d, n, moments)
    if name.startswith("init."):
        value, se = drawn_again()[name]
        parts = {"value": value, "se": se, "low": value - Q95 * se, "high": value + Q95 * se}
        parts |= {"z": (value - variance) / se} if name in WITH_THEORY else {}
        for part, right in parts.items():
            faults.rounded(name, getattr(one, part), right)


def _within_rows(faults: Faults, name: str, one, d: int, rho: float) -> None:
    """The mean of 2,000 variances, each of 64 scores of one Query; given ‖q‖² = r they are normal.

    Their mean ρ r/√d drops out; what is left has the variance (1 − ρ²) r/d with r from χ²(d), and the unbiased sample
    variance is that times χ²(63)/63. One row in 2,000 can stand out: its jump is added, as in sample_variance_bound.
    """
    n, keys, right = 2000, 64, 1 - rho**2
    # E[r²]/d² = 1 + 2/d, and for the other factor 1 + 2/63
    error = right * math.sqrt(((1 + 2 / d) * (1 + 2 / (keys - 1)) - 1) / n)
    chance = faults.share / 4 / n
    largest = stats.chi2.isf(chance, d) / d * stats.chi2.isf(chance, keys - 1) / (keys - 1)
    bound = above_with(faults.share / 4) + right * (largest - 1) / (n * error)
    faults.near(name, one.value.value, right, error, one.value.unit / 2, bound)


def _row(faults: Faults, name: str, one, own: SimpleNamespace) -> None:
    measure, scaling, d, median = ROW_NAMES[name]
    sample, n = own.rows[measure, scaling, d], 10_000
    check_interval(faults, name, one, symmetric=not median)
    if median:
        # How many of n numbers lie below a quantile is binomial, whatever the law. The interval's ends are the order
        # statistics at 1/2 ± 1.96 √(1/4n): about 98 numbers to both sides of the median, give or take √98.
        def below(number: Number) -> tuple[float, float]:
            ends = [float((sample <= number.value + step).mean()) for step in (-number.unit / 2, 0, number.unit / 2)]
            return ends[1], ends[2] - ends[0]

        (value, blur), (low, low_blur), (high, high_blur) = below(one.value), below(one.low), below(one.high)
        both, side = 1 / n + 1 / len(sample), Q95 / 2 / math.sqrt(n)
        faults.near(name, value, 0.5, math.sqrt(both / 4), blur)
        faults.near(f"{name} low", value - low, side, math.sqrt(side * both), blur + low_blur)
        faults.near(f"{name} high", high - value, side, math.sqrt(side * both), blur + high_blur)
        faults.near(f"{name} interval", high - low, 2 * side, math.sqrt(2 * side * both), low_blur + high_blur)
        return
    mean, deviation, kurtosis = own.moments[measure, scaling, d]
    error = deviation * math.sqrt(1 / n + 1 / len(sample))
    faults.near(name, one.value.value, mean, error, one.value.unit / 2)
    spread = math.sqrt((kurtosis - 1) * (1 / n + 1 / len(sample))) / 2
    right = deviation / math.sqrt(n)
    faults.near(f"{name} se", one.se.value, right, right * spread, one.se.unit / 2)


def _coverage(faults: Faults, name: str, one, own: SimpleNamespace) -> None:
    n, hits = 4000, round(one.value.value * 4000)
    p = hits / n
    # Wilson's interval: the probabilities p' with (p − p')² = 1.96² p' (1 − p')/n.
    low, high = sorted(np.roots([1 + Q95**2 / n, -2 * p - Q95**2 / n, p * p]).real)
    for part, right in ((one.value, p), (one.se, math.sqrt(p * (1 - p) / n)), (one.low, low), (one.high, high)):
        faults.rounded(name, part, right)
    right = own.covered[name.removeprefix("coverage.")] / RUNS
    faults.near(name, one.value.value, right, math.sqrt(right * (1 - right) * (1 / n + 1 / RUNS)))


def _again(faults: Faults, stated: dict, own: SimpleNamespace) -> None:
    """What is drawn again agrees digit for digit; and it agrees with the exact value, or with other draws."""
    again, right = dict(drawn_again()), exact()
    for d in (64, 128):
        scaled, unscaled = again[f"norms.scaled.{d}"], again[f"norms.unscaled.{d}"]
        again |= {f"gradient.scaled.{d}": float(scaled.mean()), f"gradient.unscaled.{d}": float(unscaled.mean())}
        again[f"gradient.ratio.{d}"] = float(unscaled.sum() / scaled.sum())
        again[f"gradient.median.{d}"] = float(
            stats.scoreatpercentile(unscaled, 50) / stats.scoreatpercentile(scaled, 50)
        )
    for name in AGAIN:
        faults.digits(name, stated[name].value, again[name])
    for name in FLAGS:
        faults.unless(again[name] and stated[name].flag == "true", name, f"{stated[name].flag}, but {again[name]}")
    faults.unless(again["pitfall.shifted"] < 1e-12, "pitfall.within", "a shift of the Keys shifts no row as a whole")

    theory, kurtosis = right["matrix.theory"], again["matrix.kurtosis"]
    faults.near("matrix.error", stated["matrix.error"].value.value, theory, theory * math.sqrt((kurtosis - 1) / 40_000))
    # E[(r² u w)²] = E[r⁴] with variances 1, so a correlation of 0 is missed by √(1.64/N).
    fourth = right["magnitude.fourth"]
    faults.near("magnitude.correlation", stated["magnitude.correlation"].value.value, 0, math.sqrt(fourth / 200_000))
    # E[s⁴]/d² = E[r⁸] (3 + 6/d)
    spread = (0.2**4 + 1.8**4) / 2 * (3 + 6 / 16) - fourth**2
    bound = sample_variance_bound(faults, "normal", 16, 200_000, 3 + 6 / 16)
    faults.near(
        "magnitude.variance", stated["magnitude.variance"].value.value, fourth, math.sqrt(spread / 200_000), 0, bound
    )
    # Mean square of the scores of n Queries and n Keys as above: variance 2 (2 n + d + 1)/(d n²) of the relative one.
    for name, d, right_sd in (("pitfall.sd", 256, 16.0), ("pitfall.model", 64, math.sqrt(1 / 8))):
        error = right_sd / 2 * math.sqrt(2 * (2000 + d + 1) / (d * 1e6))
        faults.near(name, stated[name].value.value, right_sd, error)
    for d in (64, 128):
        _gradients(faults, stated, own, d)


def _gradients(faults: Faults, stated: dict, own: SimpleNamespace, d: int) -> None:
    """What the gradients of 2,000 Queries state lies near that of this file's own draws."""
    n, relative, medians = 2000, {}, {}
    for name in ("scaled", "unscaled"):
        sample = own.gradients[name, d]
        error = sample.std(ddof=1) * math.sqrt(1 / n + 1 / GRADIENTS)
        faults.near(f"gradient.{name}.{d}", stated[f"gradient.{name}.{d}"].value.value, sample.mean(), error)
        relative[name] = sample / sample.mean()
        # How many own norms lie below the chapter's median is binomial, as for the rows.
        median = float(np.median(drawn_again()[f"norms.{name}.{d}"]))
        error = math.sqrt((1 / n + 1 / GRADIENTS) / 4)
        faults.near(f"gradient.median.{d} {name}", float((sample <= median).mean()), 0.5, error)
        reach = faults.quantile * error
        medians[name] = np.quantile(sample, (0.5 - reach, 0.5 + reach))
    ratio = own.gradients["unscaled", d].mean() / own.gradients["scaled", d].mean()
    error = ratio * (relative["unscaled"] - relative["scaled"]).std(ddof=1) * math.sqrt(1 / n + 1 / GRADIENTS)
    faults.near(f"gradient.ratio.{d}", stated[f"gradient.ratio.{d}"].value.value, ratio, error)
    # Follows from both medians, so it spends nothing.
    low, high = medians["unscaled"] / medians["scaled"][::-1]
    found, name = stated[f"gradient.median.{d}"].value, f"gradient.median.{d}"
    faults.unless(low <= found.value <= high, name, f"{found.text}, by own draws {low:.4g} to {high:.4g}")


# --- the grid and the figure ---


class Cells(HTMLParser):
    """The rows of an HTML table: texts of its cells in one language, and the positions that its bands are drawn at."""

    def __init__(self, html: str, language: str) -> None:
        super().__init__()
        self.rows, self.language, self._open = [], language, []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list) -> None:
        attrs = dict(attrs)
        if tag in ("path", "br"):
            return
        self._open.append((tag, attrs.get("lang")))
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th") and self.rows:
            self.rows[-1].append("")
        elif "ci" in (attrs.get("class") or "").split():
            self.rows[-1][-1] += f"<{attrs['style']}>"
        elif "verdict" in (attrs.get("class") or "").split():
            self.rows[-1][-1] += f"<{attrs['class']}>"

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        inside = {tag for tag, _ in self._open}
        languages = {language for _, language in self._open if language}
        if inside & {"td", "th"} and languages <= {self.language}:
            self.rows[-1][-1] += data


@cache
def table_rows(html: str, language: str) -> list[list[str]]:
    return Cells(html, language).rows


def read_grid(plain: str, count: int) -> dict[tuple[str, int], SimpleNamespace]:
    head, *lines = plain.splitlines()
    assert head == f"verdicts: false alarm 1e-06, {ALARM / count:.3g} each", head
    found, law = {}, ""
    for line in lines:
        match = GRID_LINE.fullmatch(line)
        if match:
            one = fields(match)
            found[law, int(one.d.value)] = one
        else:
            number, verdict = line.split()
            assert verdict == "holds", line
            law = LAWS[int(number) - 1]
    return found


def check_grids(faults: Faults, notebook: SimpleNamespace) -> None:
    """Both grids, what is counted from the first, and the picture of it."""
    before, after = ({(law, d): float(d) for law, d in CELLS}, dict.fromkeys(SCALED_CELLS, 1.0))
    grid = check_grid(faults, "grid", notebook.grid, before)
    check_grid(faults, "scaled grid", notebook.scaled, after)
    if list(grid) != CELLS:
        return
    inside = sum(one.low.value <= one.theory.value <= one.high.value for one in grid.values())
    found = notebook.statements["variance.inside"].value
    faults.unless(found.text == str(inside), "variance.inside", f"{found.text}, but {inside} intervals of the grid")
    # 28 of 29 hold their theory, each with probability 0.95
    faults.chances("variance.inside", inside, len(grid), 0.95)
    farthest, largest = notebook.statements["variance.farthest"].value, max(abs(one.z.value) for one in grid.values())
    faults.unless(
        abs(farthest.value - largest) <= 0.005 + 1e-6, "variance.farthest", f"{farthest.text} is not of the grid"
    )
    _growth(faults, notebook.growth, grid)


def check_grid(faults: Faults, grid_name: str, shown: dict, theories: dict) -> dict[tuple[str, int], SimpleNamespace]:
    """One grid: theory, intervals, verdicts, and its table; return what was read."""
    grid, n = read_grid(shown["text/plain"], len(theories)), 20_000
    if list(grid) != list(theories):
        faults.append(f"{grid_name}: other laws or sizes than expected")
        return grid
    for (law, d), one in grid.items():
        name, moments, theory = f"{grid_name} {law} {d}", score_moments(law, d), theories[law, d]
        kurtosis = moments[0]
        # Var(s²-estimate) = v² (κ − 1 + 2/(N − 1))/N for N independent scores
        error = theory * math.sqrt((kurtosis - 1 + 2 / (n - 1)) / n)
        faults.unless(one.theory.value == theory, name, f"theory {one.theory.text}")
        bound = sample_variance_bound(faults, law, d, n, kurtosis)
        faults.near(name, one.value.value, theory, error, one.value.unit / 2, bound)
        check_z(faults, name, one, error)
        centre = (one.low.value + one.high.value) / 2
        slack = one.value.unit / 2 + (one.low.unit + one.high.unit) / 4 + 1e-9
        faults.unless(abs(centre - one.value.value) <= slack, name, f"{one.value.text} is not the interval's centre")
        half, rounding = (one.high.value - one.low.value) / 2, (one.low.unit + one.high.unit) / 4
        check_error(faults, name, half / Q95 / error, rounding / Q95 / error, law, d, n, moments)
        # The verdict tests each at an equal share of the grid's rate.
        holds = abs(one.z.value) <= above_with(ALARM / len(grid) / 2)
        faults.unless((one.verdict == "holds") == holds, name, f"verdict {one.verdict} with z {one.z.text}")
    _grid_html(faults, f"{grid_name} html", shown["text/html"], grid)
    return grid


def _grid_html(faults: Faults, grid_name: str, html: str, grid: dict) -> None:
    for language, separator in (("ja", "〜"), ("zh-Hant", " 到 ")):
        rows = [row for row in table_rows(html, language) if len(row) == 5][1:]
        faults.unless(len(rows) == len(grid), grid_name, f"{len(rows)} rows of numbers")
        for row, ((law, d), one) in zip(rows, grid.items(), strict=False):
            name, theory = f"{grid_name} {law} {d}", one.theory.value
            band = re.fullmatch(r"<--lo:(.+)%;--hi:(.+)%;--at:(.+)%>(.*)", row[3])
            texts = [row[0], row[1], row[2], band[4]]
            right = [one.d.text, one.theory.text, one.value.text, f"{one.low.text}{separator}{one.high.text}"]
            faults.unless(texts == right, name, f"shows {texts}, the grid's text {right}")
            faults.unless(row[4].startswith(f"<verdict {one.verdict}>"), name, f"verdict {row[4]}")
            # The band, in its own scale: at the theory 0, its length 1.
            low, high, at = (float(band[i]) for i in (1, 2, 3))
            length = one.high.value - one.low.value
            slack = 2 * 0.1 / (high - low) + 2 * one.low.unit / length + one.high.unit / length
            where = (low - at) / (high - low) - (one.low.value - theory) / length
            faults.unless(abs(where) <= slack, name, f"the band begins at {low}%")
            faults.unless(
                (low <= at <= high) == (one.low.value <= theory <= one.high.value), name, "the band is on another side"
            )


def _growth(faults: Faults, growth: dict, grid: dict) -> None:
    """The figure: its 29 marks with intervals against the labelled lines, its rings against the logarithmic axis."""
    svg = growth["image/svg+xml"]
    ratios = [one.value.value / d for (_, d), one in grid.items()]
    slacks = [one.value.unit / 2 / d for (_, d), one in grid.items()]
    says = re.fullmatch(
        r"variance_growth: 5 laws, 29 estimates; "
        r"Var\(s\)/d_k from (\S+) to (\S+), (\d+) of 29 intervals \(95%\) hold 1",
        growth["text/plain"],
    )
    inside = sum(one.low.value <= d <= one.high.value for (_, d), one in grid.items())
    faults.unless(bool(says) and int(says[3]) == inside, "figure", growth["text/plain"])
    for text, end in ((says[1], min(ratios)), (says[2], max(ratios))) if says else ():
        slack = slacks[ratios.index(end)] + 5e-5
        faults.unless(abs(float(text) - end) <= slack, "figure", f"from or to {text}, by the grid {end:.4f}")

    heights = {label: float(y) - 4.5 for y, label in re.findall(r'y="([\d.]+)" text-anchor="end">([\d./,]+)<', svg)}
    columns = {
        int(label.replace(",", "")): float(x)
        for x, label in re.findall(r'x="([\d.]+)" y="626" text-anchor="middle">([\d,]+)<', svg)
    }
    faults.unless(list(columns) == list(SIZES), "figure", f"columns {columns}")
    per_unit = (heights["0.8"] - heights["1.2"]) / 0.4
    # The label 1 stands at both parts; the later one is the magnified part's.
    middle = heights["1"]
    bars = re.findall(r'class="f-err" d="M([\d.]+) ([\d.]+)V([\d.]+)"/>', svg)
    faults.unless(len(bars) == len(grid), "figure", f"{len(bars)} intervals")
    for (x, low, high), ((law, d), one) in zip(bars, grid.items(), strict=False):
        for y, number in ((low, one.low), (high, one.high)):
            drawn = 1 + (middle - float(y)) / per_unit
            # Positions have one decimal.
            slack = 0.1 / per_unit + number.unit / 2 / d + 1e-9
            faults.unless(abs(drawn - number.value / d) <= slack, f"figure {law} {d}", f"an end at {drawn:.4f}")
        nearest = min(columns, key=lambda size: abs(columns[size] - float(x)))
        faults.unless(nearest == d, f"figure {law} {d}", f"stands at {nearest}")
    marks = re.findall(
        r'class="f-err"[^>]*/><(?:circle class="f-mark" cx="[\d.]+" cy="([\d.]+)"|rect class="f-mark f-in" x="[\d.]+" '
        r'y="([\d.]+)"|path class="f-mark(?: f-in)?" d="M[\d.]+ ([\d.]+)([Ll])(?:[\d.]+ )?)',
        svg,
    )
    faults.unless(len(marks) == len(grid), "figure", f"{len(marks)} marks")
    # From the first point of a shape to its centre: square, triangle, lozenge, cross.
    lower = {"uniform": 4.5, "rademacher": 6.0, "laplace": 6.6, "student_t9": 4.4}
    for mark, ((law, d), one) in zip(marks, grid.items(), strict=False):
        y = float(mark[0] or mark[1] or mark[2]) + lower.get(law, 0.0)
        drawn = 1 + (middle - y) / per_unit
        slack = 0.15 / per_unit + one.value.unit / 2 / d + 1e-9
        faults.unless(abs(drawn - one.value.value / d) <= slack, f"figure {law} {d}", f"a mark at {drawn:.4f}")
    # Rings: 2¹⁰ lies as far above 1 as 2⁻¹⁰ below.
    unit = (heights["1/1,024"] - heights["1,024"]) / 20
    zero = (heights["1/1,024"] + heights["1,024"]) / 2
    rings = [(float(x), float(y)) for x, y in re.findall(r'class="f-dot" cx="([\d.]+)" cy="([\d.]+)"', svg)]
    places = [
        (columns[d], zero - unit * math.log2(one.value.value / d**power), one.value.unit / one.value.value)
        for (_, d), one in grid.items()
        for power in (0, 1, 2)
    ]
    for x, y, relative in places:
        close = any(abs(x - cx) < 0.06 and abs(y - cy) <= 0.06 + unit * relative for cx, cy in rings)
        faults.unless(close, "figure rings", f"none at {x}, {y:.1f}")
    for cx, cy in rings:
        close = any(abs(x - cx) < 0.06 and abs(y - cy) <= 0.06 + unit * relative for x, y, relative in places)
        faults.unless(close, "figure rings", f"one at {cx}, {cy} that the grid does not have")


# --- the scaling lab ---

KEYS, DEVIATIONS, CORRELATIONS = (4, 16, 64, 256), (0.5, 1.0, 1.5, 2.0), (0.0, 0.1, 0.3, 0.6)


def read_lab(html: str) -> dict:
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', html, re.DOTALL)[1])


def lab_levels(d: int) -> list[float]:
    divisors = (1.0, math.sqrt(d), float(d), 8.0, math.sqrt(8 * d))  # none, √d_k, d_k, 8, √d_model with 8 heads
    every = sorted(sigma**2 / c for sigma in DEVIATIONS for c in divisors)
    return [x for i, x in enumerate(every) if i == 0 or x > every[i - 1] * (1 + 1e-9)]


@cache
def lab_law(d: int, rho: float) -> tuple[np.ndarray, list[tuple[float, float]]]:
    """Return the probabilities of the 40 bins and of both sides of the axis (±12) at every level, largest first.

    Given ‖q‖² = r, which is χ²(d), the score is normal with mean ρ r and variance (1 − ρ²) r. The mean over r is taken
    by Gauss–Legendre in the square root of r, whose density is smooth.
    """
    top = math.sqrt(stats.chi2.isf(1e-13, d))
    nodes, w = np.polynomial.legendre.leggauss(40)
    root = ((nodes + 1) / 2 + np.arange(40)[:, None]).ravel() * (top / 40)  # 40 pieces of 40 nodes
    w = np.tile(w, 40) * (top / 80) * stats.chi.pdf(root, d)
    assert abs(w.sum() - 1) < 1e-9
    mean, deviation = rho * root**2, math.sqrt(1 - rho * rho) * root

    def below(x):
        return w @ special.ndtr((x - mean[:, None]) / deviation[:, None])

    def above(x):
        return w @ special.ndtr((mean[:, None] - x) / deviation[:, None])

    edges = rho * d + math.sqrt(d * (1 + rho * rho)) * 0.25 * np.arange(-20, 21)
    axis = np.array([12 / level for level in reversed(lab_levels(d))])
    return np.diff(below(edges)), list(zip(below(-axis), above(axis), strict=True))


def check_lab(html: str, own: SimpleNamespace) -> Faults:
    """Return everything in the widget's data and in its table that is not as computed here."""
    faults, shown = Faults(WIDGET), read_lab(html)
    data = shown.pop("measured")
    start = {"d_k": 64, "key_count": 64, "deviation": 1, "correlation": 0, "divisor": "sqrt"}
    faults.unless(shown == start, "lab", f"begins with {shown}")
    sizes = (data["scores"], data["rows"], data["bin"], len(data["normals"]))
    faults.unless(sizes == (10_000, 2_000, 0.25, 256), "lab", f"scores, rows, bin, normals {sizes}")
    for d, found in zip(SIZES, data["levels"], strict=True):
        faults.unless(np.allclose(found, lab_levels(d), rtol=5e-6, atol=0), f"lab levels {d}", str(found))
    n = data["scores"]
    for d, of_size in zip(SIZES, data["laws"], strict=True):
        for rho, law in zip(CORRELATIONS, of_size, strict=True):
            _lab_law(faults, f"lab law {d} {rho}", d, rho, law, n)
    _lab_rows(faults, data, own)
    _lab_one_row(faults, data)
    _lab_table(faults, html, data)
    return faults


def _lab_law(faults: Faults, name: str, d: int, rho: float, law: dict, n: int) -> None:
    variance, kurtosis = d * (1 + rho * rho), correlated_moments(d, rho)[0]
    faults.near(f"{name} mean", law["mean"], rho * d, math.sqrt(variance / n), 5e-4 * abs(law["mean"]))
    bound = sample_variance_bound(faults, "normal", d, n, kurtosis)
    error = variance * math.sqrt((kurtosis - 1) / n)
    faults.near(f"{name} variance", law["deviation"] ** 2, variance, error, 1e-3 * variance, bound)
    bins, sides = lab_law(d, rho)
    counts = np.array(law["counts"])
    faults.unless(len(counts) == 40 and counts.sum() <= n, name, f"{len(counts)} bins with {counts.sum()} scores")
    faults.chances(f"{name} bin", np.append(counts, n - counts.sum()), n, np.append(bins, 1 - bins.sum()))
    outside = law["outside"] + [0] * (2 * len(sides) - len(law["outside"]))
    faults.unless(len(outside) == 2 * len(sides), name, "more levels outside than there are")
    hits, p = np.array(outside), np.ravel(sides)
    # Where fewer than 1e-8 of 10,000 scores are expected there is none; these few places hardly add to the rate.
    faults.chances(f"{name} outside", hits[p > 1e-12], n, p[p > 1e-12])
    faults.unless(not hits[p <= 1e-12].any(), f"{name} outside", "scores where none can be")
    for side in (0, 1):
        row = outside[side::2]
        faults.unless(row == sorted(row, reverse=True), name, "a smaller level leaves more scores outside")


def _lab_rows(faults: Faults, data: dict, own: SimpleNamespace) -> None:
    for measure in ("entropy", "largest"):
        unit, sign = {"entropy": (1e-3, -1), "largest": (1e-4, 1)}[measure]
        for d, of_size in zip(SIZES, data[measure], strict=True):
            for n, table in zip(KEYS, of_size, strict=True):
                values, name = np.array(table), f"lab {measure} {d} {n}"
                shape = (len(lab_levels(d)), len(CORRELATIONS))
                faults.unless(values.shape == shape, name, f"shape {values.shape}")
                # Row by row a larger level sharpens, and a larger ρ, which narrows the row, flattens.
                ordered = (sign * np.diff(values, axis=0) >= 0).all() and (sign * np.diff(values, axis=1) <= 0).all()
                faults.unless(bool(ordered), name, "not monotone in the level or in ρ")
                ends = (0, math.log(n)) if measure == "entropy" else (1 / n, 1)
                inside = values.min() * unit >= ends[0] - unit / 2 and values.max() * unit <= ends[1] + unit / 2
                faults.unless(bool(inside), name, f"outside {ends}")
        for (d, n, sigma, c, rho), measured in own.lab.items():
            place = int(np.argmin(np.abs(np.log(np.array(lab_levels(d)) * c / sigma**2))))
            found = data[measure][SIZES.index(d)][KEYS.index(n)][place][CORRELATIONS.index(rho)] * unit
            mean, deviation = measured[measure]
            error = deviation * math.sqrt(1 / data["rows"] + 1 / WIDGET_ROWS)
            faults.near(f"lab {measure} {d} {n} σ {sigma} c {c:.4g} ρ {rho}", found, mean, error, unit / 2)


def _lab_one_row(faults: Faults, data: dict) -> None:
    for d, norm in zip(SIZES, data["norms"], strict=True):
        # ‖q‖ shown is the median of 401 draws: its level is 1/2 within √(1/4·401).
        faults.near(f"lab norm {d}", float(stats.chi2.cdf(norm**2, d)), 0.5, math.sqrt(0.25 / 401))
    g = np.array(data["normals"])
    # Chosen as the most typical of 401, so nearer to what is expected than by chance; never farther.
    faults.near("lab normals, mean", float(g.mean()), 0.0, 1 / 16)
    faults.near("lab normals, square", float((g**2).mean()), 1.0, math.sqrt(2) / 16)
    faults.unless(stats.kstest(g, "norm").pvalue > faults.share, "lab normals", "not normal")
    faults.spent += 1
    for level in (1.0, 1 / 8):
        for n, table in zip(KEYS, data["entropy"][SIZES.index(64)], strict=True):
            place = int(np.argmin(np.abs(np.array(lab_levels(64)) - level)))
            entropy = row_measures(level * data["norms"][SIZES.index(64)] * g[None, :n])["entropy"][0]
            # A sixth of log n: about the deviation from row to row; of 401 rows the nearest in all eight is nearer.
            near = abs(entropy - table[place][0] * 1e-3) < math.log(n) / 6
            faults.unless(near, f"lab row {n} {level}", f"entropy {entropy:.3f} is not typical")


def _lab_table(faults: Faults, html: str, data: dict) -> None:
    """The table for readers without scripts: √d_k = 8, 64 Keys, σ = 1, ρ = 0."""
    level = int(np.argmin(np.abs(np.array(lab_levels(64)) - 1 / 8)))
    law = data["laws"][3][0]
    right = [
        (law["mean"] / 8, 0.0),
        (law["deviation"] / 8, 1.0),
        (data["largest"][3][2][level][0] * 1e-4, 1 / 64),
        (data["entropy"][3][2][level][0] * 1e-3, math.log(64)),
    ]
    rows = [row[1:] for row in table_rows(html, "ja") if len(row) == 3 and re.fullmatch(NUMBER, row[1])]
    faults.unless(len(rows) == 4, "lab table", f"{len(rows)} rows of numbers")
    for row, numbers in zip(rows, right, strict=False):
        for text, number in zip(row, numbers, strict=True):
            found = Number.of(text)
            # Three digits, of what is rounded to four before: half a unit and a little more.
            slack = 0.55 * 10.0 ** (math.floor(math.log10(abs(number))) - 2) if number else 0.0
            faults.unless(abs(found.value - number) <= slack, "lab table", f"{text}, but {number:.4g}")


# --- tests ---


@pytest.mark.montecarlo(false_alarm=ALARM)
def test_every_figure_is_what_it_is_said_to_be(rng):
    notebook, own = committed(), draw(rng)
    statements, lab = check_statements(notebook, own), check_lab(notebook.lab["text/html"], own)
    assert statements.spent <= STATEMENTS and lab.spent <= WIDGET  # else the shares add up to more than the rate
    assert [*statements, *lab] == []


def test_what_the_text_concludes_holds_of_own_numbers(own):
    """The comparisons that the prose makes, from nothing that is printed in the chapter."""
    mean = {key: float(x.mean()) for key, x in own.rows.items()}
    median = {key: float(np.median(x)) for key, x in own.rows.items()}
    assert mean["entropy", "unscaled", 128] < mean["entropy", "unscaled", 64] < mean["entropy", "scaled", 64]
    assert mean["jacobian", "unscaled", 64] > mean["jacobian", "scaled", 64]
    assert median["jacobian", "unscaled", 64] > median["jacobian", "scaled", 64]
    assert median["jacobian", "unscaled", 128] < 0.55 * median["jacobian", "scaled", 128]
    naive, fourth = (own.covered[name] / RUNS for name in ("naive", "fourth"))
    # 67 % and 93 %, as far as 4,000 runs can tell: 0.0075 and 0.0040 are their standard errors
    assert abs(naive - 0.67) < 6.5 * 0.0075 and abs(fourth - 0.93) < 6.5 * 0.0040
    assert naive < 0.7 and 0.9 < fourth < 0.95
    right = exact()
    assert (round(right["matrix.theory"], 3), round(right["matrix.naive"], 3)) == (0.099, 0.048)
    assert right["matrix.naive"] < right["matrix.theory"] / 2
    assert right["coins.all"] < 1e-6
    ratios = {d: own.gradients["unscaled", d].mean() / own.gradients["scaled", d].mean() for d in (64, 128)}
    # About 9 and 10 of the means, 5.6 of the medians, whose error of 2,000 Queries is 0.4
    assert 8.5 < ratios[64] < 9.5 < ratios[128] < 10.5
    middle = {key: float(np.median(x)) for key, x in own.gradients.items()}
    assert 4.9 < middle["unscaled", 128] / middle["scaled", 128] < 6.3
    assert middle["unscaled", 64] > middle["scaled", 64]
    # Pairwise independent coins are not enough: k₂ = q₁ q₂ k₁ makes a sum of two with variance 4.
    coins = np.array(np.meshgrid(*[[-1, 1]] * 3)).reshape(3, -1)
    four = np.vstack([coins, coins.prod(axis=0)])
    assert np.array_equal(four @ four.T, 8 * np.eye(4)) and ((four[0] * four[2] + four[1] * four[3]) ** 2).mean() == 4


def test_the_numbers_of_the_text_are_those_of_the_outputs():
    """Numbers that the text is bound to are roundings of what is stated; other spellings than digits are left out."""
    stated, bound = committed().statements, 0
    for cell in json.loads(committed_text())["cells"]:
        for text, names in cell["metadata"].get("book", {}).get("values", {}).items():
            if not re.fullmatch(rf"(?:{NUMBER})%?", text.replace("−", "-")):
                continue
            number = Number.of(text.replace("−", "-").rstrip("%"))
            percent = 100 if text.endswith("%") else 1
            for name in [names] if isinstance(names, str) else names:
                base, _, part = (name, "", "value") if name in stated else name.rpartition(".")
                found = getattr(stated[base], part).value * percent
                assert abs(found - number.value) <= number.unit / 2 * (1 + 1e-9), (text, name)
                bound += 1
    assert bound >= 30


def names_of(faults: list[str]) -> set[str]:
    return {fault.split(":")[0] for fault in faults}


def moved(number: Number, by: float) -> str:
    """Return a number in the digits of another, or in six where those would not show the move."""
    decimals = max(0, -round(math.log10(number.unit)))
    if "e" in number.text:
        return f"{number.value + by:.5e}"
    text = f"{number.value + by:.{decimals}f}"
    return text if abs(float(text) - number.value) > abs(by) / 2 else f"{number.value + by:.6g}"


def with_line(name: str, line: str, put: str | None) -> SimpleNamespace:
    """Read a copy of the notebook in which one stated line is another, or gone (None)."""
    notebook, hits = json.loads(committed_text()), 0
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            if output["output_type"] == "stream":
                lines = joined(output["text"]).splitlines()
                hits += lines.count(line)
                output["text"] = "".join(f"{put if one == line else one}\n" for one in lines if one != line or put)
    assert hits == 1, name
    return read(notebook)


def stated_lines() -> dict[str, str]:
    return {
        line.split(" = ")[0]: line
        for cell in json.loads(committed_text())["cells"]
        for output in cell.get("outputs", ())
        if output["output_type"] == "stream"
        for line in joined(output["text"]).splitlines()
    }


def altered_lines(name: str, line: str) -> list[str]:
    """Return lines that differ from a stated one in one number, or in a way that keeps them consistent."""
    one = fields(LINE.fullmatch(line))
    if name in FLAGS:
        return [f"{name} = false"]
    if name not in ESTIMATES:
        # 5 % of a mean within rows are more than eight of its errors.
        by = 0.05 * abs(one.value.value) or 1e-6
        # What is exact or drawn again is known to all six digits, the farthest z only to those of the grid.
        steps = (by,) if name == "variance.farthest" or name in WITHIN_ROWS else (by, 2e-5 * abs(one.value.value) or by)
        found = [f"{name} = {moved(one.value, sign * step)}" for sign in (-1, 1) for step in steps]
        if not re.fullmatch(r"-?\d+", one.value.text):
            return found
        return [f"{name} = {int(one.value.value) + step}" for step in (-1, 1)]

    def written(**parts: str) -> str:
        text = {key: parts.get(key, getattr(one, key).text) for key in one.keys}
        put = f"{name} = {text['value']}  se {text['se']}  95% [{text['low']}, {text['high']}]"
        return put + (f"  theory {text['theory']}  z {text['z']}" if "z" in text else "")

    found, se = [], one.se.value
    for sign in (-1, 1):
        far = 8 * sign * se
        for part in one.keys - {"se", "z"}:  # each alone
            found.append(written(**{part: moved(getattr(one, part), far)}))
        found.append(written(se=moved(one.se, 0.5 * sign * se)))
        if "z" in one.keys:
            found.append(written(z=moved(one.z, 0.1 * sign)))
        # all together, so that nothing but the truth tells
        shifted = {part: moved(getattr(one, part), far) for part in ("value", "low", "high")}
        found.append(written(**shifted, **({"z": moved(one.z, 8 * sign)} if "z" in one.keys else {})))
        # An interval wider or narrower, with its standard error: by a half, or by four fifths of a median, whose
        # interval is itself known to a fifth only.
        far = (0.8 if "median" in name else 0.5) * sign
        wider = {"low": moved(one.low, -far * Q95 * se), "high": moved(one.high, far * Q95 * se)}
        z = {"z": f"{one.z.value / (1 + far):.2f}"} if "z" in one.keys else {}
        found.append(written(se=moved(one.se, far * se), **wider, **z))
    return found


def test_each_altered_statement_is_found(own):
    """Exact and drawn numbers moved by 5 % and in the fifth digit, measured ones by 8 errors; flags flipped."""
    missed, count = [], 0
    for name, line in stated_lines().items():
        for other in altered_lines(name, line):
            count += 1
            assert other != line
            found = names_of(check_statements(with_line(name, line, other), own))
            if not any(one == name or one.startswith(f"{name} ") for one in found):
                missed.append(other)
    assert missed == []
    assert count >= 2 * len(COVERED) - len(FLAGS)


def test_a_statement_more_or_less_is_found(own):
    name, line = next(iter(stated_lines().items()))
    assert names_of(check_statements(with_line(name, line, f"{line}\nnew.figure = 1.0"), own)) == {"new.figure"}
    assert names_of(check_statements(with_line(name, line, None), own)) == {name}
    with pytest.raises(AssertionError, match="stated twice"):
        with_line(name, line, f"{line}\n{line}")
    with pytest.raises(AssertionError, match="cannot read"):
        with_line(name, line, f"{name} is 64")


def test_an_output_more_is_found():
    notebook = json.loads(committed_text())
    cell = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    cell["outputs"].append({"output_type": "display_data", "data": {"text/plain": ["walks: 3"]}, "metadata": {}})
    with pytest.raises(AssertionError, match="walks"):
        read(notebook)


def grid_faults(notebook: SimpleNamespace) -> set[str]:
    faults = Faults(STATEMENTS)
    check_grids(faults, notebook)
    return names_of(faults)


def with_output(notebook: SimpleNamespace, which: str, kind: str, text: str) -> SimpleNamespace:
    changed = copy.copy(notebook)
    setattr(changed, which, getattr(notebook, which) | {kind: text})
    return changed


@pytest.mark.parametrize(("which", "count"), [("grid", len(CELLS)), ("scaled", len(SCALED_CELLS))])
def test_each_altered_number_of_the_grids_is_found(which, count):
    notebook = committed()
    assert grid_faults(notebook) == set()
    lines, missed = getattr(notebook, which)["text/plain"].splitlines(), []
    assert sum(bool(GRID_LINE.fullmatch(line)) for line in lines) == count
    for i, line in enumerate(lines):
        match = GRID_LINE.fullmatch(line)
        if not match:
            continue
        one = fields(match)
        quarter = (one.high.value - one.low.value) / 4
        steps = {
            "theory": 8 * quarter,
            "value": 8 * quarter,
            "low": quarter,
            "high": quarter,
            "z": 0.02 + 1.5 * one.value.unit / quarter,
        }
        for part, by in steps.items():
            for sign in (-1, 1):
                start, end = match.span(part)
                other = line[:start] + moved(getattr(one, part), sign * by) + line[end:]
                changed = "\n".join([*lines[:i], other, *lines[i + 1 :]])
                if not grid_faults(with_output(notebook, which, "text/plain", changed)):
                    missed.append(other)
    assert missed == []


def test_grids_in_each_others_place_are_found():
    notebook = committed()
    notebook.grid, notebook.scaled = notebook.scaled, notebook.grid
    with pytest.raises(AssertionError, match="verdicts"):
        grid_faults(notebook)


def test_the_grids_tables_and_the_figure_are_held_to_their_text():
    notebook = committed()
    svg = notebook.growth["image/svg+xml"]
    for which, old, new in (
        ("grid", "<span>0.983</span>", "<span>0.938</span>"),
        ("grid", "0.944〜1.023", "0.944〜1.032"),
        ("grid", "0.944 到 1.023", "0.949 到 1.023"),
        ("grid", "--lo:27.8%;--hi:59.1%", "--lo:37.8%;--hi:69.1%"),
        ("grid", 'class="verdict holds"', 'class="verdict fails"'),
        ("scaled", "<span>1.016</span>", "<span>1.061</span>"),
        ("scaled", "<span>1</span>", "<span>64</span>"),
        ("scaled", "0.996〜1.036", "0.996〜1.063"),
        ("scaled", "0.996 到 1.036", "0.969 到 1.036"),
        ("scaled", "--lo:46.7%;--hi:78.0%", "--lo:36.7%;--hi:68.0%"),
        ("scaled", 'class="verdict holds"', 'class="verdict fails"'),
    ):
        html = getattr(notebook, which)["text/html"]
        assert old in html, old
        assert grid_faults(with_output(notebook, which, "text/html", html.replace(old, new, 1))), old
    ends = re.findall(r'class="f-err" d="M[\d.]+ [\d.]+V[\d.]+"/>', svg)
    marks = re.findall(r'class="f-mark(?: f-in)?" (?:[cxy]+="[\d.]+" )+|class="f-mark(?: f-in)?" d="M[^"]+"', svg)
    rings = re.findall(r'class="f-dot" cx="[\d.]+" cy="[\d.]+"', svg)
    assert (len(ends), len(marks)) == (len(CELLS), len(CELLS) + len(LAWS)) and len(rings) > 50
    for piece in [*ends, *marks[: len(CELLS)], *rings]:
        # The last height of an interval or a ring, the first of a shape: moved by 5 units, 1 % of the variance.
        before = next(mark for mark in (' cy="', ' y="', ' d="M[\\d.]+ ') if re.search(mark, piece))
        other = re.sub(rf"({before})([\d.]+)", lambda match: f"{match[1]}{float(match[2]) + 5:.1f}", piece, count=1)
        changed = with_output(notebook, "growth", "image/svg+xml", svg.replace(piece, other, 1))
        assert other != piece and grid_faults(changed), piece


def test_the_lab_says_in_one_line_how_it_begins():
    lab = committed().lab
    state = read_lab(lab["text/html"])
    del state["measured"]
    said = ", ".join(f"{name}={json.dumps(value)}" for name, value in state.items())
    assert lab["text/plain"] == f"ScalingLab({said})"


def test_altered_data_of_the_lab_are_found(own):
    html = committed().lab["text/html"]
    assert check_lab(html, own) == []

    def faults_after(change) -> list[str]:
        data = read_lab(html)
        change(data["measured"])
        return check_lab(re.sub(r"\{.*\}(?=</script>)", lambda _: json.dumps(data), html, count=1), own)

    def law(size, rho, key, factor):
        def change(data):
            data["laws"][size][rho][key] *= factor

        return change

    def moved_count(size, rho, key, place, by):
        def change(data):
            data["laws"][size][rho][key][place] += by

        return change

    # 8 standard errors of a share of 10,000 are at most 400, and 350 of the quarter that a middle bin may hold.
    for size in (0, 3, 5):
        assert faults_after(law(size, 2, "deviation", 1.25 if size == 0 else 1.1))
        assert faults_after(law(size, 3, "mean", 1.3))
        assert faults_after(moved_count(size, 1, "counts", 19, 350)), size
    assert faults_after(moved_count(3, 0, "outside", 0, 8 * 50))
    for measure in ("entropy", "largest"):
        for size, n, sigma, c, rho in LAB_SETTINGS:
            index = (SIZES.index(size), KEYS.index(n), CORRELATIONS.index(rho))
            place = int(np.argmin(np.abs(np.array(lab_levels(size)) - sigma**2 / c)))
            unit = 1e-3 if measure == "entropy" else 1e-4
            far = 2 + math.ceil(10 * own.lab[size, n, sigma, c, rho][measure][1] / math.sqrt(2000) / unit)
            for sign in (-1, 1):

                def change(data, index=index, place=place, by=sign * far, measure=measure):
                    data[measure][index[0]][index[1]][place][index[2]] += by

                assert faults_after(change), (measure, size, n, sigma, c, rho, sign)
    for size in range(len(SIZES)):
        assert faults_after(lambda data, size=size: data["norms"].__setitem__(size, data["norms"][size] * 1.6))
        assert faults_after(lambda data, size=size: data["levels"][size].__setitem__(3, 0.1))
    for old, new in ((">1.01<", ">1.06<"), (">0.107<", ">0.112<"), (">3.68<", ">3.86<"), (">0.0156<", ">0.0165<")):
        assert check_lab(html.replace(old, new, 1), own), old
