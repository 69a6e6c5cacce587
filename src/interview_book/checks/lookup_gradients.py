"""The output of one lookup, differentiated: through the scores and through the Values, soft and hard; proved.

One feature of the output is enough, the others follow the same formula. For any number of Keys, Key j stands alone and
all others together: ``R`` is their part of the sum of exponentials, ``U`` the same sum weighted with their Values.
"""

from __future__ import annotations

from sympy import Derivative, Expr, IndexedBase, Limit, Mul, Rational, Symbol, exp, oo

from interview_book.checks.derivations import Derivation, Step
from interview_book.checks.softmax_theory import weights_of

BETA = Symbol("beta", positive=True)
GAP = Symbol("D", positive=True)
OTHERS, OTHERS_VALUES = Symbol("R", positive=True), Symbol("U", real=True)
OUTPUT = Symbol("o", real=True)
J = Symbol("j", positive=True, integer=True)
VALUES = IndexedBase("v", real=True)
RAW, SCORE, VALUE = IndexedBase("s", real=True)[J], IndexedBase("z", real=True)[J], VALUES[J]
WEIGHT = Symbol("p_j", positive=True)  # no index, so that it is printed first


def _lookup(scaled: Expr) -> tuple[Expr, Expr]:
    """Return the output and the weight of Key j, written out in its scaled score."""
    e = exp(scaled)
    return (OTHERS_VALUES + e * VALUE) / (OTHERS + e), e / (OTHERS + e)


def output_by_score() -> Derivation:
    """Derive ``∂o/∂z_j = p_j (v_j − o)`` for any number of Keys: a score pulls the output towards its own Value."""
    output, weight = _lookup(SCORE)
    return Derivation(
        r"\frac{\partial o}{\partial z_{j}}",
        (
            Step(Derivative(output, SCORE), "given", "by-score.definition"),
            Step(weight * VALUE - weight * output, "evaluate", "by-score.quotient-rule"),
            Step(WEIGHT * (VALUE - OUTPUT), "define", "by-score.names", where={WEIGHT: weight, OUTPUT: output}),
        ),
    )


def output_by_raw_score() -> Derivation:
    """Derive ``∂o/∂s_j = β p_j (v_j − o)`` for ``z = β s``: the multiplier stands in front once more."""
    output, weight = _lookup(BETA * RAW)
    return Derivation(
        r"\frac{\partial o}{\partial s_{j}}",
        (
            Step(Derivative(output, RAW), "given", "by-raw-score.definition"),
            Step(BETA * weight * VALUE - BETA * weight * output, "evaluate", "by-raw-score.chain-rule"),
            Step(
                BETA * WEIGHT * (VALUE - OUTPUT),
                "define",
                "by-raw-score.names",
                where={WEIGHT: weight, OUTPUT: output},
            ),
        ),
    )


def output_by_value() -> Derivation:
    """Derive ``∂o/∂v_j = p_j``: a Value gets its own weight as gradient, whatever it holds."""
    output, weight = _lookup(SCORE)
    return Derivation(
        r"\frac{\partial o}{\partial v_{j}}",
        (
            Step(Derivative(output, VALUE), "given", "by-value.definition"),
            Step(weight, "evaluate", "by-value.linear"),
            Step(WEIGHT, "define", "by-value.name-the-weight", where={WEIGHT: weight}),
        ),
    )


def pull_of_pairs(n: int = 3) -> Derivation:
    """Derive ``p_1 (v_1 − o) = Σ_i p_1 p_i (v_1 − v_i)``: what comes back through a score is made of pairs of weights.

    With a unique maximum, ahead by the raw gap D, every pair of two Keys has a loser, whose weight is at most
    ``e^{−β D}``.
    """
    p, cover = weights_of(n)
    v = [VALUES[i] for i in range(1, n + 1)]
    return Derivation(
        r"p_{1} \left(v_{1} - o\right)",
        (
            Step(p[0] * (v[0] - sum(a * b for a, b in zip(p, v, strict=True))), "given", "pairs.output"),
            Step(sum(p[0] * p[i] * (v[0] - v[i]) for i in range(1, n)), "rewrite", "pairs.weights-add-up"),
        ),
        cover,
    )


def hard_by_score() -> Derivation:
    """Derive that less and less comes back through the scores on the way to an argmax, ``β → ∞``; ``D`` is the raw gap.

    For two Keys, ``∂o/∂s_1 = β p_1 p_2 (v_1 − v_2)``. :func:`pull_of_pairs` makes the same of more Keys and of any
    score: each pair has a loser, whose weight is at most ``e^{−β D}``, and ``β e^{−β D} → 0``. This is a limit of
    derivatives. That the argmax itself has derivative 0 needs no limit: it does not move at all while a score moves by
    less than its lead.
    """
    first, second = VALUES[1], VALUES[2]
    pair = BETA * exp(BETA * GAP) / (1 + exp(BETA * GAP)) ** 2
    return Derivation(
        r"\lim_{\beta \to \infty} \frac{\partial o}{\partial s_{1}}",
        (
            Step(Mul(first - second, Limit(pair, BETA, oo), evaluate=False), "given", "hard-by-score.limit"),
            Step(Rational(0), "evaluate", "hard-by-score.nothing"),
        ),
    )


def hard_by_value() -> Derivation:
    """Derive that the chosen Value of an argmax gets the whole gradient: ``∂o/∂v_1 = p_1 → 1`` as ``β → ∞``."""
    return Derivation(
        r"\lim_{\beta \to \infty} \frac{\partial o}{\partial v_{1}}",
        (
            Step(Limit(1 / (1 + exp(-BETA * GAP)), BETA, oo), "given", "hard-by-value.limit"),
            Step(Rational(1), "evaluate", "hard-by-value.chosen"),
        ),
    )
