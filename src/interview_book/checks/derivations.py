"""A derivation: lines of mathematics, each proved by SymPy to follow from the one before.

Words stand in the prose, in two languages; a line carries the key of its reason instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

import sympy
from sympy import Eq, Expr, MatrixBase, Symbol

from interview_book.checks.definitions import closed_ranges, renamed, weaker_names, wrong_names
from interview_book.checks.expectations import Law
from interview_book.checks.index_sums import canonical
from interview_book.checks.laws import MomentError
from interview_book.checks.typesetting import latex as _latex


class DerivationError(ValueError):
    """A step that could not be proved."""


@dataclass(frozen=True)
class Step:
    """One line.

    ``expression`` is what the line says (an expression, a matrix, or an equation ``Eq``), ``rule`` how it follows from
    the line before (a key of :data:`RULES`), ``reason`` the key of the words that say why. ``where`` is what the rule
    needs: definitions for ``define``, ``{unknown: cover}`` for ``solve``. ``factor`` is the factor of ``scale``.
    ``above`` is for ``solve``: by how much the unknown exceeds the least value of its cover, in a form that SymPy knows
    to be positive.
    """

    expression: Expr | MatrixBase | Eq
    rule: str
    reason: str
    where: Mapping[Symbol, Expr] = field(default_factory=dict)
    factor: Expr | None = None
    above: Expr | None = None


@dataclass(frozen=True)
class Derivation:
    """A chain of steps with a name on its left side.

    ``left`` is the LaTeX of what the chain is equal to; it is not printed when the steps are equations. It and the
    first line are taken as given: a reader has to see that they say the same. ``ranges`` says where the statement is
    meant to hold: ``{p: 1/(1 + t)}`` with a positive symbol ``t`` covers 0 < p < 1 exactly, and the proof is made in
    ``t``, which the first line must not have. Of the assumptions of a name that is defined only those are used that
    SymPy knows its meaning to satisfy. ``law`` is what the rule ``expectation`` may use of the random letters; it is
    one for the whole chain, so that no two lines can assume different things.
    """

    left: str
    steps: tuple[Step, ...]
    ranges: Mapping[Symbol, Expr] = field(default_factory=dict)
    law: Law | None = None

    def verify(self) -> Derivation:
        """Prove every step and return the derivation itself, so that a cell can show what it has just proved.

        Raises
        ------
        DerivationError : names the first step that does not follow, both lines, and what is left between them.
        """
        if not self.steps or self.steps[0].rule != "given":
            raise DerivationError(f"{self.left}: expected a first step with the rule 'given'")
        if problem := closed_ranges(self):
            raise DerivationError(f"{self.left}: {problem}")
        named: dict[Symbol, Expr] = {}
        weaker = weaker_names(self)
        steps = [renamed(step, weaker) for step in self.steps] if weaker else self.steps
        for number, (before, step) in enumerate(pairwise(steps), start=2):
            if step.rule not in RULES:
                raise DerivationError(
                    f"{self.left}, step {number}: expected a rule among {', '.join(RULES)}, got {step.rule!r}"
                )
            left = RULES[step.rule](before, step, self)
            if left is None and step.rule == "solve":
                left = _out_of_range(step, named)
            if left is None and step.rule == "define":
                left = wrong_names(step.where, named, self) or next(
                    (f"{name} already stands for {named[name]}, not for {meant}"
                     for name, meant in step.where.items()
                     if not vanishes(named[name] - meant, self.ranges)), None)  # fmt: skip
            if left is not None:
                raise DerivationError(
                    f"{self.left}, step {number} ({step.reason}): does not follow by the rule {step.rule!r}.\n"
                    f"  before: {before.expression}\n  after:  {step.expression}\n  {left}"
                )
        return self

    @property
    def result(self) -> Expr | MatrixBase | Eq:
        """The last line."""
        return self.steps[-1].expression

    def latex(self) -> str:
        r"""Return the chain as one ``aligned`` block, in what KaTeX and MathJax both know."""
        lines = [_latex(step.expression) for step in self.steps]
        if isinstance(self.steps[0].expression, Eq):
            body = "& & " + f" {_BREAK}\n& \\iff & ".join(lines)
        else:
            # Where the first line is the left side itself, it would only say a = a.
            body = f"{self.left} &= " + f" {_BREAK}\n&= ".join(lines[lines[0] == self.left :])
        return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"

    def _repr_latex_(self) -> str:
        self.verify()  # what is shown is proved
        return f"$$\n{self.latex()}\n$$"

    def __repr__(self) -> str:
        return f"Derivation({self.left!r}, {len(self.steps)} steps)"


# Room between lines of fractions.
_BREAK = r"\\[8pt]"


def difference(expression: Expr | MatrixBase | Eq) -> Expr | MatrixBase:
    """Return what has to vanish for an equation to hold, or the expression itself."""
    return expression.lhs - expression.rhs if isinstance(expression, Eq) else expression


def vanishes(expression: Expr | MatrixBase, ranges: Mapping[Symbol, Expr] | None = None) -> bool:
    """Say whether SymPy proves the expression, or every entry of the matrix, to be 0 on the ranges."""
    expression = sympy.sympify(expression)
    if isinstance(expression, MatrixBase) or getattr(expression, "is_Matrix", False):
        return all(vanishes(entry, ranges) for entry in expression.as_explicit())
    expression = expression.subs(dict(ranges or {}))
    forms: tuple[Callable[[Expr], Expr], ...] = (
        lambda e: e,
        lambda e: sympy.expand(canonical(e)),
        sympy.simplify,
        lambda e: sympy.gammasimp(e) if e.has(sympy.gamma) else e,
        lambda e: sympy.simplify(sympy.expand(e.rewrite(sympy.exp))),
        lambda e: sympy.factor(sympy.powsimp(sympy.together(sympy.expand(e.rewrite(sympy.exp))))),
    )
    return any(form(expression) == 0 for form in forms)


def _gap(before: Step, after: Step, ranges, unfold: Mapping[Symbol, Expr], evaluate: bool = False) -> str | None:
    if isinstance(before.expression, Eq) != isinstance(after.expression, Eq):
        return "one line is an equation and the other is not"
    first, second = difference(before.expression), difference(after.expression)
    if evaluate:
        first, second = first.subs(dict(ranges)).doit(), second.subs(dict(ranges)).doit()
    left = (first.subs(dict(unfold)) - second.subs(dict(unfold))).doit()
    if vanishes(left, ranges):
        return None
    return f"left between them: {sympy.simplify(left)}"


def _rewrite(before: Step, after: Step, chain: Derivation) -> str | None:
    return _gap(before, after, chain.ranges, {})


def _evaluate(before: Step, after: Step, chain: Derivation) -> str | None:
    return _gap(before, after, chain.ranges, {}, evaluate=True)


def _define(before: Step, after: Step, chain: Derivation) -> str | None:
    if not after.where:
        return "expected definitions in 'where', got none"
    return _gap(before, after, chain.ranges, after.where)


def _expectation(before: Step, after: Step, chain: Derivation) -> str | None:
    """Both lines have the same value by linearity, independence and the moments that the law gives."""
    if chain.law is None:
        return "expected a law of the random letters in the derivation, got none"
    if isinstance(before.expression, Eq) != isinstance(after.expression, Eq):
        return "one line is an equation and the other is not"
    try:
        first, second = (chain.law.value(difference(step.expression)) for step in (before, after))
    except MomentError as error:
        return str(error)
    left = (first - second).doit()
    return None if vanishes(left, chain.ranges) else f"left between them: {sympy.simplify(left)}"


def _scale(before: Step, after: Step, chain: Derivation) -> str | None:
    """An equation times a factor that is never 0 has the same solutions."""
    if not (isinstance(before.expression, Eq) and isinstance(after.expression, Eq)):
        return "expected two equations"
    # Brought together but not cancelled: what is 0/0 somewhere must not look fine.
    if after.factor is None or sympy.together(after.factor.subs(dict(chain.ranges))).is_nonzero is not True:
        return f"expected a factor that SymPy knows not to be 0, got {after.factor}"
    left = after.factor * difference(before.expression) - difference(after.expression)
    return None if vanishes(left, chain.ranges) else f"left between them: {sympy.simplify(left)}"


def _solve(before: Step, after: Step, chain: Derivation) -> str | None:
    """``unknown = root`` is the same as ``f(unknown) = 0`` if ``f(root) = 0`` and ``f`` grows all over the range.

    ``where`` is ``{unknown: cover}`` with a cover in one positive symbol, for example ``{y: 1 + t}`` for ``y > 1``.
    """
    if len(after.where) != 1 or not isinstance(before.expression, Eq) or not isinstance(after.expression, Eq):
        return "expected two equations and one unknown with its cover in 'where'"
    ((unknown, cover),) = after.where.items()
    if len(cover.free_symbols) != 1:
        return f"expected a cover of {unknown} in one positive symbol, got {cover}"
    if after.expression.lhs != unknown:
        return f"expected the unknown {unknown} alone on the left"
    f, root = difference(before.expression), after.expression.rhs
    if not vanishes(f.subs(unknown, root)):
        return f"the root does not solve the equation: {sympy.simplify(f.subs(unknown, root))} is left"
    slope = sympy.expand(sympy.diff(f, unknown).subs(unknown, cover))
    if slope.is_positive is not True:
        return f"SymPy does not know the left side to grow there; its slope is {slope}"
    ((t,),) = (cover.free_symbols,)
    least = sympy.limit(cover, t, 0)
    if not (t.is_positive and sympy.diff(cover, t).is_positive and (root - least).is_positive):
        return f"the root {root} is not in the range {unknown} > {least}"
    if sympy.limit(cover, t, sympy.oo) != sympy.oo:
        return f"expected a cover of all {unknown} > {least}, got {cover}"
    return None


def _out_of_range(step: Step, named: Mapping[Symbol, Expr]) -> str | None:
    """Whether the unknown, or what an earlier line named it for, is not known to lie in the range that is covered.

    Without this, ``y² = y + 1`` would give the golden ratio for a ``y`` that may be negative.
    """
    ((unknown, cover),) = step.where.items()
    ((t,),) = (cover.free_symbols,)
    least = sympy.limit(cover, t, 0)
    excess = named.get(unknown, unknown) - least
    if step.above is not None:
        if not vanishes(excess - step.above):
            return f"{excess} is not {step.above}"
        excess = step.above
    if excess.is_positive is not True:
        return f"SymPy does not know {unknown} > {least}; give 'above', a form of {excess} that it knows to be positive"
    return None


RULES: dict[str, Callable[[Step, Step, Derivation], str | None]] = {
    # the same thing, written otherwise
    "rewrite": _rewrite,
    # the same thing, with its derivative, integral or product carried out
    "evaluate": _evaluate,
    # the same thing, with names brought in or written out
    "define": _define,
    # the same number, by the algebra of expectations and the law of the derivation
    "expectation": _expectation,
    # an equation multiplied by something that is never 0
    "scale": _scale,
    # an equation replaced by its only solution in a range
    "solve": _solve,
}
"""How a line may follow from the one before; each returns ``None`` or what is missing."""
