"""The prover accepts what follows and refuses what does not."""

import pytest
from sympy import Derivative, Eq, Integer, Integral, Matrix, Symbol, cos, cosh, exp, log, oo, sin, sqrt, symbols

from interview_book.checks import Derivation, DerivationError, Step
from interview_book.checks.derivations import vanishes
from interview_book.checks.expectations import E
from interview_book.checks.letters import STANDARD, C, K, Q, i, j

a, b = symbols("a b", real=True)
x, t = symbols("x t", positive=True)
p = Symbol("p", positive=True)


def chain(*steps, **more):
    return Derivation("f", tuple(steps), **more)


def given_(expression):
    return Step(expression, "given", "start")


@pytest.mark.parametrize(
    "derivation",
    [
        chain(given_((a + b) ** 2), Step(a**2 + 2 * a * b + b**2, "rewrite", "expand")),
        chain(given_(cosh(x) ** 2), Step((1 + cosh(2 * x)) / 2, "rewrite", "half-angle")),
        chain(given_(Derivative(sin(x) * x, x)), Step(sin(x) + x * cos(x), "evaluate", "product-rule")),
        chain(given_(Integral(exp(-t), (t, x, oo))), Step(exp(-x), "evaluate", "integral")),
        chain(given_(Matrix([[a * a, 0]])), Step(Matrix([[a**2, b - b]]), "rewrite", "entries")),
        chain(given_(a**2), Step(b, "define", "name", where={b: a**2})),
        chain(given_(Eq(1 / x, 2)), Step(Eq(1, 2 * x), "scale", "denominator", factor=x)),
        chain(given_(Eq(x**2, 2)), Step(Eq(x, sqrt(2)), "solve", "root", where={x: t})),
        chain(given_(sqrt((1 - p) ** 2)), Step(1 - p, "rewrite", "root"), ranges={p: 1 / (1 + t)}),
    ],
)
def test_what_follows_is_proved(derivation):
    assert derivation.verify() is derivation


@pytest.mark.parametrize(
    ("derivation", "says"),
    [
        (chain(), "expected a first step with the rule 'given'"),
        (chain(Step(a, "rewrite", "start")), "expected a first step with the rule 'given'"),
        (chain(given_(a), Step(a, "guess", "how")), "step 2: expected a rule among .*got 'guess'"),
        (chain(given_(a), given_(a)), "got 'given'"),
        (chain(given_((a + b) ** 2), Step(a**2 + b**2, "rewrite", "dream")), r"(?s)f, step 2 \(dream\).*left.*2\*a\*b"),
        (chain(given_(a), Step(a, "rewrite", "s"), Step(-a, "rewrite", "sign")), r"step 3 \(sign\)"),
        (chain(given_(Derivative(x**2, x)), Step(x, "evaluate", "power")), "step 2"),
        (chain(given_(Matrix([[a, b]])), Step(Matrix([[b, a]]), "rewrite", "swap")), "step 2"),
        (chain(given_(sqrt((1 - p) ** 2)), Step(1 - p, "rewrite", "root")), "step 2"),  # wrong where p > 1
        (chain(given_(a**2), Step(b, "define", "name", where={b: a})), "step 2"),
        (chain(given_(a**2), Step(b, "define", "name")), "expected definitions"),
        (
            chain(given_(Eq(x, 1)), Step(Eq(x * a, a), "scale", "zero", factor=a)),
            "expected a factor .* not to be 0, got a",
        ),
        (chain(given_(Eq(x, 1)), Step(Eq(2 * x, 3), "scale", "twice", factor=2 * x / x)), "left between them"),
        (chain(given_(Eq(x, 1)), Step(x, "rewrite", "kind")), "one line is an equation and the other is not"),
        (chain(given_(x), Step(x, "scale", "kind", factor=x)), "expected two equations"),
        (chain(given_(Eq(x**2, 2)), Step(Eq(x, 2), "solve", "root", where={x: t})), "the root does not solve"),
        (
            chain(given_(Eq(a**2, 2)), Step(Eq(a, sqrt(2)), "solve", "root", where={a: a})),
            "does not know the left side",
        ),
        (chain(given_(Eq(x**2, 2)), Step(Eq(x, sqrt(2)), "solve", "root", where={x: 2 + t})), "not in the range x > 2"),
        (chain(given_(Eq(x**2, 2)), Step(Eq(2, x), "solve", "side", where={x: t})), "alone on the left"),
        (chain(given_(Eq(x**2, 2)), Step(Eq(x, sqrt(2)), "solve", "root")), "one unknown with its cover"),
        # a may be negative, where −√2 solves it too
        (chain(given_(Eq(a**2, 2)), Step(Eq(a, sqrt(2)), "solve", "root", where={a: t})), "does not know a > 0"),
        (
            chain(
                given_(Eq(a**2, 2)),
                Step(Eq(x**2, 2), "define", "name", where={x: a}),
                Step(Eq(x, sqrt(2)), "solve", "root", where={x: t}),
            ),
            "does not know x > 0",
        ),
        # one name for two things would prove x = x + 1
        (
            chain(given_(x), Step(p, "define", "name", where={p: x}), Step(x + 1, "define", "again", where={p: x + 1})),
            "p already stands for x, not for x \\+ 1",
        ),
        (
            chain(given_(Eq(x**2, 2)), Step(Eq(x, sqrt(2)), "solve", "root", where={x: 1 + t}, above=x**2)),
            "is not",
        ),
    ],
)
def test_what_does_not_follow_is_refused(derivation, says):
    with pytest.raises(DerivationError, match=says):
        derivation.verify()


def test_nothing_unproved_is_shown():
    wrong = chain(given_(a), Step(a + 1, "rewrite", "one-more"))
    with pytest.raises(DerivationError):
        wrong._repr_latex_()


def test_latex_is_one_aligned_block():
    d = chain(given_((a + b) ** 2), Step(a**2 + 2 * a * b + b**2, "rewrite", "expand"))
    assert d._repr_latex_() == (
        "$$\n\\begin{aligned}\nf &= \\left(a + b\\right)^{2} \\\\[8pt]\n&= a^{2} + 2 a b + b^{2}\n\\end{aligned}\n$$"
    )
    equations = chain(given_(Eq(x**2, 2)), Step(Eq(x, sqrt(2)), "solve", "root", where={x: t}))
    assert equations.latex() == "\\begin{aligned}\n& & x^{2} &= 2 \\\\[8pt]\n& \\iff & x &= \\sqrt{2}\n\\end{aligned}"
    assert equations.result == Eq(x, sqrt(2))
    assert repr(d) == "Derivation('f', 2 steps)"


def test_vanishing_is_proved_and_not_guessed():
    assert vanishes(exp(a) * exp(-a) - 1)
    assert not vanishes(a)
    assert not vanishes(sqrt(a**2) - a)  # true only for a ≥ 0


c, y, u = Symbol("c", positive=True), Symbol("y", positive=True), Symbol("u", positive=True)


@pytest.mark.parametrize(
    ("derivation", "says"),
    [
        # y (4 − y) = 3 has the solution 1 as well, which a cover of 0 < y < 1 … does not rule out
        (
            chain(given_(Eq(y * (4 - y), 3)), Step(Eq(y, 3), "solve", "root", where={y: 1 - 1 / (1 + t)})),
            "expected a cover of all y > 0",
        ),
        (chain(given_(Eq(y, 3)), Step(Eq(y, 3), "solve", "root", where={y: t + u})), "in one positive symbol"),
        # a = b and b = a + 1
        (
            chain(
                given_(a), Step(b, "define", "first", where={a: b}), Step(a + 1, "define", "second", where={b: a + 1})
            ),
            "defined by means of itself",
        ),
        # log a² = 2 log a, by way of a positive name for a
        (
            chain(
                given_(log(a**2)),
                Step(log(y**2), "define", "name", where={y: a}),
                Step(2 * log(y), "rewrite", "power"),
                Step(2 * log(a), "define", "write-out", where={y: a}),
            ),
            "step 3",
        ),
        (
            chain(
                given_(log(y**2)),
                Step(2 * log(y), "rewrite", "power"),
                Step(2 * log(u), "define", "name", where={y: u}),
                Step(2 * log(a), "define", "write-out", where={u: a}),
            ),
            "step 2",
        ),
        # a² = a at a = 1 only, and x y = y² where x = y only
        (chain(given_(a**2), Step(a, "rewrite", "one"), ranges={a: Integer(1)}), "expected ranges in symbols"),
        (chain(given_(x * y), Step(y**2, "rewrite", "tie"), ranges={x: y}), "expected ranges in symbols"),
        (chain(given_(x * y), Step(y**2, "rewrite", "tie"), ranges={x: t, y: t}), "expected ranges in symbols"),
    ],
)
def test_a_false_statement_finds_no_way_around(derivation, says):
    with pytest.raises(DerivationError, match=says):
        derivation.verify()


@pytest.mark.parametrize(
    "steps",
    [
        # E[q k] = E[k²] = 1 for independent q and k, by calling q by the name of k
        (given_(E(Q[i] * K[i])), Step(E(K[i] ** 2), "define", "name", where={Q[i]: K[i]})),
        # E[q_i q_j] = E[q_i²] = 1, by calling j i
        (given_(E(Q[i] * Q[j])), Step(E(Q[i] ** 2), "define", "name", where={j: i})),
        # E[q²] = q², by way of the fixed number c
        (given_(E(Q[i] ** 2)), Step(E(C**2), "define", "name", where={C: Q[i]})),
    ],
)
def test_nothing_random_can_be_defined(steps):
    with pytest.raises(DerivationError, match="random by the law"):
        chain(*steps, law=STANDARD).verify()


@pytest.mark.parametrize("ranges", [{Q[i]: K[i]}, {i: Symbol("l")}])
def test_nothing_random_has_a_range(ranges):
    with pytest.raises(DerivationError, match="random by the law"):
        chain(given_(E(Q[i])), Step(E(K[i]), "rewrite", "name"), law=STANDARD, ranges=ranges).verify()


def test_a_name_keeps_what_its_meaning_satisfies():
    chain(
        given_(log((a**2 + 1) ** 2)),
        Step(log(y**2), "define", "name", where={y: a**2 + 1}),
        Step(2 * log(y), "rewrite", "power"),
        Step(2 * log(a**2 + 1), "define", "write-out", where={y: a**2 + 1}),
    ).verify()


def test_a_factor_is_judged_on_the_ranges():
    """1 − p is not 0 where p is below 1, also when the range has another form."""
    line = Eq(c * (1 - p), 2 * (1 - p))
    chain(
        given_(line), Step(Eq(c, 2), "scale", "divide", factor=1 / (1 - p)), ranges={p: (1 + t) / (2 + u + t)}
    ).verify()
