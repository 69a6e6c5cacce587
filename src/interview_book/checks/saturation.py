"""What happens to weights, Jacobian and entropy when one score runs away from the others, or two do; proved as limits.

One leader and ``m`` runners-up, all at the scaled distance ``x`` behind it: ``p_1 = 1/(1 + m e^−x)``, the others
``e^−x/(1 + m e^−x)``. With a tie at the top nothing of this holds.
"""

from __future__ import annotations

from sympy import Derivative, Limit, Matrix, Pow, Rational, Symbol, exp, log, oo

from interview_book.checks.bounds import Bound
from interview_book.checks.derivations import Derivation, Step
from interview_book.checks.softmax_theory import jacobian_matrix, numbered

BETA = Symbol("beta", positive=True)
M = Symbol("m", positive=True)
X = Symbol("x", positive=True)
D1, D2 = Symbol("D_1", positive=True), Symbol("D_2", positive=True)

_TOTAL = 1 + M * exp(-X)
LEADER, RUNNER = 1 / _TOTAL, exp(-X) / _TOTAL


def _limit(left: str, quantity, variable, value, reason: str) -> Derivation:
    return Derivation(
        left,
        (
            Step(Limit(quantity, variable, oo), "given", f"{reason}.limit"),
            Step(value, "evaluate", f"{reason}.value"),
        ),
    )


def missing_weight() -> Derivation:
    """Derive ``1 − p_1 ~ m e^−x``."""
    return _limit(r"\lim_{x \to \infty} (1 - p_{1})\, e^{x}", (1 - LEADER) * exp(X), X, M, "missing")


def leader_entry() -> Derivation:
    """Derive ``J_11 = p_1 (1 − p_1) ~ m e^−x``."""
    return _limit(r"\lim_{x \to \infty} J_{11}\, e^{x}", LEADER * (1 - LEADER) * exp(X), X, M, "leader")


def leader_row() -> Derivation:
    """Derive ``J_1j = −p_1 p_j ~ −e^−x``."""
    return _limit(r"\lim_{x \to \infty} J_{1j}\, e^{x}", -LEADER * RUNNER * exp(X), X, Rational(-1), "row")


def runner_diagonal() -> Derivation:
    """Derive ``J_jj = p_j (1 − p_j) ~ e^−x`` for a runner-up."""
    return _limit(r"\lim_{x \to \infty} J_{jj}\, e^{x}", RUNNER * (1 - RUNNER) * exp(X), X, Rational(1), "runner")


def runners_entry() -> Derivation:
    """Derive ``J_jk = −p_j p_k ~ −e^−2x`` between two runners-up: smaller by another factor ``e^−x``."""
    return _limit(r"\lim_{x \to \infty} J_{jk}\, e^{2 x}", -(RUNNER**2) * exp(2 * X), X, Rational(-1), "runners")


def vanishing_entropy() -> Derivation:
    """Derive ``H ~ m (x + 1) e^−x`` from ``H = log Z − Σ p z`` with the leader's score as 0."""
    entropy = log(_TOTAL) + M * X * RUNNER
    return _limit(r"\lim_{x \to \infty} \frac{H\, e^{x}}{x + 1}", entropy * exp(X) / (X + 1), X, M, "entropy")


def two_position_rate() -> Derivation:
    """Derive ``p (1 − p) e^D → 1`` for two positions."""
    weight = 1 / (1 + exp(-X))
    return _limit(
        r"\lim_{D \to \infty} p (1 - p)\, e^{D}", weight * (1 - weight) * exp(X), X, Rational(1), "two-positions"
    )


def unique_maximum() -> Derivation:
    """Derive that with a unique maximum all n² entries of J vanish as β → ∞: the bound on them does.

    ``|J_ij| ≤ ‖J‖_F ≤ tr J ≤ 2 e − e²`` and ``e = 1 − max p ≤ m e^{−β D}`` for a leader ahead by D, as
    ``jacobian_bounds`` proves; ``2 e − e²`` grows with e. More than «many» or «most»: no entry survives.
    """
    missing = M * exp(-BETA * D1)
    return _limit(
        r"\lim_{\beta \to \infty} \left(2 e - e^{2}\right)", 2 * missing - missing**2, BETA, Rational(0), "unique"
    )


def hard_maximum() -> Derivation:
    """Derive that β → ∞ makes softmax a hard argmax for the scores ``0, −D_1, −D_1 − D_2``: weights 1, 0, 0."""
    scores = (Rational(0), -D1, -D1 - D2)
    total = sum(exp(BETA * one) for one in scores)
    return Derivation(
        r"\lim_{\beta \to \infty} p",
        (
            Step(Matrix([Limit(exp(BETA * one) / total, BETA, oo) for one in scores]), "given", "hard.limit"),
            Step(Matrix([1, 0, 0]), "evaluate", "hard.argmax"),
        ),
    )


def tie_at_the_top() -> Derivation:
    """Derive that a tie does not saturate: for scores ``0, 0, −D_1`` the block of the two keeps entries of 1/4."""
    quarter, total = Rational(1, 4), 2 + exp(-BETA * D1)
    jacobian = jacobian_matrix((1 / total, 1 / total, exp(-BETA * D1) / total))
    return Derivation(
        r"\lim_{\beta \to \infty} J",
        (
            Step(jacobian.applyfunc(lambda entry: Limit(entry, BETA, oo)), "given", "tie.limit"),
            Step(
                Matrix([[quarter, -quarter, 0], [-quarter, quarter, 0], [0, 0, 0]]), "evaluate", "tie.survives"
            ),
        ),
    )  # fmt: skip


def tie_of_many() -> Derivation:
    """Derive the diagonal for m leaders at one height and r others at distance x: ``J_11 → (1/m)(1 − 1/m)``."""
    r = Symbol("r", positive=True)
    p = 1 / (M + r * exp(-X))
    return _limit(r"\lim_{x \to \infty} J_{11}", p * (1 - p), X, (1 - 1 / M) / M, "tie-of-many")


def tied_entry_grows() -> Bound:
    """Prove that more scale can make an entry larger: for scores ``0, 0, −x``, ``|J_12| = 1/(2 + e^−x)²`` grows with x.

    So with three positions dividing the scores need not make every entry of J larger, as it does with two.
    """
    slope = Derivative(1 / (2 + exp(-X)) ** 2, X)
    return Bound(
        Rational(0),
        slope,
        Derivation(
            r"\frac{d}{d x} \left|{J_{12}}\right|",
            (
                Step(slope, "given", "tied.slope"),
                Step(2 * exp(-X) / (2 + exp(-X)) ** 3, "evaluate", "tied.positive"),
            ),
        ),
        strict=True,
    )


def power_sharpens(n: int = 3) -> Derivation:
    """Derive ``p(2 z) = p²/Σ p²``: doubling the scores squares the weights and normalises them again."""
    z, p = numbered("z", n, real=True), numbered("p", n, positive=True)
    total, twice = sum(exp(one) for one in z), sum(exp(2 * one) for one in z)
    return Derivation(
        r"\operatorname{softmax}(2 z)",
        (
            Step(Matrix([exp(2 * one) / twice for one in z]), "given", "power.doubled"),
            Step(
                Matrix([one**2 * Pow(sum(other**2 for other in p), -1) for one in p]),
                "define",
                "power.squares",
                where={a: exp(b) / total for a, b in zip(p, z, strict=True)},
            ),
        ),
    )
