"""An inequality, proved by writing what lies between its two sides as something that SymPy knows not to be negative."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, Integral, sympify

from interview_book.checks.derivations import Derivation, DerivationError, vanishes
from interview_book.checks.typesetting import latex

END = "\n\\end{aligned}"


@dataclass(frozen=True)
class Bound:
    """``smaller ≤ larger``, or ``<`` when ``strict``.

    ``gap`` is a chain that begins with ``larger − smaller`` and ends in a form whose sign SymPy knows on the chain's
    ranges: sums, products and squares of what is positive, or an integral of such a form.
    """

    smaller: Expr
    larger: Expr
    gap: Derivation
    strict: bool = False

    def verify(self) -> Bound:
        """Prove the chain and the sign of its last line, and return the bound itself.

        Raises
        ------
        DerivationError : a step that does not follow, a chain about something else, or a sign that SymPy does not know.
        """
        self.gap.verify()
        fixed = {name for step in self.gap.steps if step.rule == "define" for name in step.where}
        fixed &= sympify(self.smaller).free_symbols | sympify(self.larger).free_symbols
        if fixed:
            raise DerivationError(
                f"{self.gap.left}: expected an inequality for all values of its letters, got {fixed} defined in it"
            )
        first, last = self.gap.steps[0].expression, self.gap.result
        if not vanishes((first - (self.larger - self.smaller)).doit(), self.gap.ranges):
            raise DerivationError(f"{self.gap.left}: expected a chain from {self.larger - self.smaller}, got {first}")
        known = last.subs(dict(self.gap.ranges))
        if not _has_sign(known, self.strict):
            raise DerivationError(
                f"{self.gap.left}: SymPy does not know {known} to be {'above' if self.strict else 'at least'} 0; "
                "try sums, products and squares of positive symbols"
            )
        return self

    def latex(self) -> str:
        """Return the chain with its sign, and under it the inequality that it proves."""
        above, below = (">", "<") if self.strict else (r"\geq", r"\leq")
        chain = f"{self.gap.latex().removesuffix(END)} {above} 0"
        if self.smaller != 0:  # where it is, the chain has said it all
            chain += f" \\\\[8pt]\n{latex(self.smaller)} &{below} {latex(self.larger)}"
        return chain + END

    def _repr_latex_(self) -> str:
        self.verify()  # what is shown is proved
        return f"$$\n{self.latex()}\n$$"


def _has_sign(expression: Expr, strict: bool) -> bool:
    if isinstance(expression, Integral):
        # From 0 up to something positive, and the integrand is positive inside.
        (_, low, high), *more = expression.limits
        return not more and low == 0 and high.is_positive is True and _has_sign(expression.function, strict)
    return bool(expression.is_positive if strict else expression.is_nonnegative)
