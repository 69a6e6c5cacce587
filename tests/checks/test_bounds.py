"""An inequality is proved by the sign of what lies between its sides, or refused."""

import pytest
from sympy import Integer, Integral, exp, symbols

from interview_book.checks.bounds import Bound
from interview_book.checks.derivations import Derivation, DerivationError, Step

a, b = symbols("a b", real=True)
t, x = symbols("t x", positive=True)


def bound(smaller, larger, *lines, rule="rewrite", strict=False, ranges=None):
    first, *more = lines
    steps = (Step(first, "given", "start"), *(Step(line, rule, "next") for line in more))
    return Bound(smaller, larger, Derivation("f", steps, ranges or {}), strict)


@pytest.mark.parametrize(
    "made",
    [
        bound(2 * a * b, a**2 + b**2, a**2 + b**2 - 2 * a * b, (a - b) ** 2),
        bound(0, x + t, x + t, strict=True),
        bound(1, x, x - 1, ranges={x: 1 + t}),
        bound(0, x * exp(x) - exp(x) + 1, x * exp(x) - exp(x) + 1, Integral(t * exp(t), (t, 0, x)), rule="evaluate"),
    ],
)
def test_what_holds_is_proved(made):
    assert made.verify() is made


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (bound(0, a, a), "does not know a to be at least 0"),
        (bound(0, (a - b) ** 2, (a - b) ** 2, strict=True), "to be above 0"),  # 0 where a = b
        (bound(a, b, (a - b) ** 2), "expected a chain from -a \\+ b"),
        (bound(a**2, 2 * a**2, 2 * a**2, a**2), "step 2"),
        # an integral whose integrand changes sign, one over a range that may be turned round, one that begins below 0
        (bound(0, Integral(t - 1, (t, 0, x)), Integral(t - 1, (t, 0, x))), "does not know"),
        (bound(0, Integral(t, (t, 0, a)), Integral(t, (t, 0, a))), "does not know"),
        (bound(0, Integral(t, (t, -1, x)), Integral(t, (t, -1, x))), "does not know"),
    ],
)
def test_what_does_not_is_refused(made, says):
    with pytest.raises(DerivationError, match=says):
        made.verify()


def test_nothing_unproved_is_shown():
    with pytest.raises(DerivationError):
        bound(0, a, a)._repr_latex_()


def test_latex_is_one_aligned_block():
    shown = bound(2 * a * b, a**2 + b**2, a**2 + b**2 - 2 * a * b, (a - b) ** 2)._repr_latex_()
    assert shown == (
        "$$\n\\begin{aligned}\nf &= a^{2} - 2 a b + b^{2} \\\\[8pt]\n&= \\left(a - b\\right)^{2} \\geq 0 \\\\[8pt]\n"
        "2 a b &\\leq a^{2} + b^{2}\n\\end{aligned}\n$$"
    )
    # With 0 on one side the chain has said it all
    assert bound(0, x, x, strict=True).latex() == "\\begin{aligned}\nf &= x > 0\n\\end{aligned}"


def test_no_bound_by_fixing_its_letter():
    """1 < x is not true because x may be called 5."""
    steps = Step(x - 1, "given", "start"), Step(Integer(4), "define", "fixed", where={x: Integer(5)})
    with pytest.raises(DerivationError, match="for all values of its letters"):
        Bound(Integer(1), x, Derivation("f", steps), strict=True).verify()
