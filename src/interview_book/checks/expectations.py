r"""Expectations of polynomials in random variables whose moments are given, and of sums of d of them for a symbolic d.

:class:`E`, :class:`Var` and :class:`Cov` stand in a formula as they are printed. A :class:`Law` says which letters are
random and what is known of them, and :meth:`Law.value` puts values for them, by linearity, independence and the known
moments alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import sympy
from sympy import Add, Dummy, Eq, Expr, Indexed, Integer, MatrixBase, Mul, Pow, S, Sum

from interview_book.checks.index_sums import canonical, separate, sum_by_cases
from interview_book.checks.laws import Letter, MomentError, Variable, letter_of


class Moment(Expr):
    """A number made of the law of random variables; its arguments are not values but variables."""

    count = 1

    def __new__(cls, *arguments):
        if len(arguments) != cls.count:
            raise TypeError(f"{cls.__name__}: expected {cls.count} arguments, got {len(arguments)}")
        return super().__new__(cls, *map(sympy.sympify, arguments))

    def _eval_is_commutative(self):
        return True

    def _eval_is_real(self):
        return True if all(argument.is_real for argument in self.args) else None

    def _eval_derivative(self, symbol):
        raise TypeError(f"{self}: expected no derivative of an expectation; take the value of it first")


class E(Moment):
    r"""``E(x)`` prints as ``\operatorname{E}\left[x\right]``."""

    def _latex(self, printer) -> str:
        return rf"\operatorname{{E}}\left[{printer._print(self.args[0])}\right]"


class Var(Moment):
    r"""``Var(x) = E(x²) − E(x)²`` prints as ``\operatorname{Var}\left(x\right)``."""

    def _latex(self, printer) -> str:
        return rf"\operatorname{{Var}}\left({printer._print(self.args[0])}\right)"

    @property
    def meaning(self) -> Expr:
        (x,) = self.args
        return E(x**2) - E(x) ** 2


class Cov(Moment):
    r"""``Cov(x, y) = E(x y) − E(x) E(y)`` prints as ``\operatorname{Cov}\left(x, y\right)``."""

    count = 2

    def _latex(self, printer) -> str:
        return rf"\operatorname{{Cov}}\left({', '.join(map(printer._print, self.args))}\right)"

    @property
    def meaning(self) -> Expr:
        x, y = self.args
        return E(x * y) - E(x) * E(y)


class SumOfDistinct(Expr):
    r"""``SumOfDistinct(f, i, j, d)``: the sum over i and j from 1 to d with i ≠ j; prints as ``\sum_{i \neq j} f``."""

    @property
    def free_symbols(self) -> set:
        body, i, j, last = self.args
        return (body.free_symbols - {i, j}) | last.free_symbols

    def _eval_is_commutative(self):
        return True

    def _latex(self, printer) -> str:
        body, i, j, _ = self.args
        inner = printer._print(body)
        return rf"\sum_{{{printer._print(i)} \neq {printer._print(j)}}} " + (
            rf"\left({inner}\right)" if isinstance(body, Add) else inner
        )


@dataclass(frozen=True)
class Law:
    """Blocks of random letters, independent of one another, and the letters that stand for fixed numbers.

    ``blocks`` are values of the classes of ``laws``. Symbols in their moments are fixed without being named. Different
    free indices (``q[i]``, ``q[j]``) stand for different numbers; bound ones run over all values and may meet.

    Raises
    ------
    ValueError : a letter in two blocks, or both random and fixed.
    """

    blocks: tuple
    fixed: tuple[Letter, ...] = ()

    def __post_init__(self):
        letters = [letter for block in self.blocks for letter in block.letters]
        for letter in letters:
            if letters.count(letter) > 1 or letter in self.fixed:
                raise ValueError(f"law: expected {letter} in one block and not among the fixed letters, got it twice")
            if letter in self._fixed:
                raise ValueError(f"law: expected moments that are numbers, got the random letter {letter} in one")

    @cached_property
    def _block_of(self) -> dict:
        return {letter: block for block in self.blocks for letter in block.letters}

    @cached_property
    def _fixed(self) -> set:
        return set(self.fixed).union(*(block.constants for block in self.blocks))

    def value(self, expression: Expr | MatrixBase | Eq) -> Expr | MatrixBase | Eq:
        """Return the expression with every E, Var and Cov replaced by its value, and every sum in normal form.

        Raises
        ------
        MomentError : a moment that the law does not specify, a letter it does not know, or no polynomial.
        """
        if isinstance(expression, MatrixBase):
            return expression.applyfunc(self.value)
        if isinstance(expression, Eq):
            return Eq(self.value(expression.lhs), self.value(expression.rhs), evaluate=False)
        return sympy.expand(self._value(sympy.sympify(expression)))

    def _value(self, e: Expr) -> Expr:
        if isinstance(e, (Var, Cov)):
            return self._value(e.meaning)
        if isinstance(e, E):
            return self._expectation(self._value(e.args[0]))
        if isinstance(e, SumOfDistinct):
            body, i, j, last = e.args
            bounds = [(i, 1, last), (j, 1, last)]
            self._require_no_meeting(body.atoms(Indexed), bounds)
            return sum_by_cases(lambda names: self._value(body.xreplace(names)), bounds, True)
        if not e.has(Moment, SumOfDistinct):
            return canonical(e)
        if isinstance(e, Sum):
            if not separate(e.limits):
                raise MomentError(f"{e}: expected indices with ranges of their own; try SumOfDistinct for i ≠ j")
            self._require_no_meeting(e.function.atoms(Indexed), e.limits)
            return sum_by_cases(lambda names: self._value(e.function.xreplace(names)), e.limits)
        return e.func(*(self._value(part) for part in e.args))

    def _expectation(self, e: Expr) -> Expr:
        result = S.Zero
        for coefficient, variables, bounds in self._terms(e):
            self._require_no_meeting(variables, bounds)
            result += sum_by_cases(
                lambda names, c=coefficient, v=variables: (
                    c.xreplace(names) * self._moment([one.xreplace(names) for one in v])
                ),
                bounds,
            )
        if self._is_random(result):
            raise MomentError(f"E[{e}]: expected a number, got {result}; no moment and no range may be random")
        return sympy.expand(result)

    def _moment(self, variables: Sequence[Variable]) -> Expr:
        """Return the expectation of a product: blocks are independent, so it is the product over the blocks."""
        of_block: dict[int, list] = {}
        for variable in variables:
            of_block.setdefault(id(self._block_of[letter_of(variable)]), []).append(variable)
        # All of them before the product: a moment that is not specified is an error even beside a 0.
        return Mul(*[block.moment(of_block[id(block)]) for block in self.blocks if id(block) in of_block])

    def _terms(self, e: Expr) -> list[tuple[Expr, tuple[Variable, ...], tuple]]:
        """Return the polynomial as terms: what is fixed, the random factors, the indices to sum over."""
        if not self._is_random(e):
            self._require_fixed(e)
            return [(e, (), ())]
        if isinstance(e, Indexed) or e in self._block_of:
            return [(S.One, (e,), ())]
        if isinstance(e, Add):
            return [term for part in e.args for term in self._terms(part)]
        if isinstance(e, Mul):
            return self._product([self._terms(part) for part in e.args])
        if isinstance(e, Pow) and isinstance(e.exp, Integer) and e.exp > 0:
            # Each factor with indices of its own.
            return self._product([self._terms(e.base) for _ in range(int(e.exp))])
        if isinstance(e, Sum) and separate(e.limits):
            names = {limit[0]: Dummy(limit[0].name, integer=True) for limit in e.limits}
            bounds = tuple((names[index], first, last) for index, first, last in e.limits)
            terms = self._terms(e.function.xreplace(names))
            return [(coefficient, variables, bounds + inner) for coefficient, variables, inner in terms]
        raise MomentError(f"E[{e}]: expected a polynomial in the random letters {', '.join(map(str, self._block_of))}")

    @staticmethod
    def _product(factors: list[list]) -> list:
        result = [(S.One, (), ())]
        for terms in factors:
            result = [(a * c, b + v, d + w) for a, b, d in result for c, v, w in terms]
        return result

    def _is_random(self, e: Expr) -> bool:
        return e in self._block_of or any(letter in self._block_of for letter in _letters(e))

    def _require_fixed(self, e: Expr) -> None:
        unknown = sorted(str(one) for one in _letters(e) - self._fixed)
        if unknown:
            raise MomentError(
                f"E[{e}]: nothing is specified of {', '.join(unknown)}; "
                "add it to the law, among its fixed letters if it is a number"
            )

    def _require_no_meeting(self, variables: Iterable[Variable], bounds: Iterable[tuple]) -> None:
        """Refuse indices of which nobody could say whether they meet: free and bound ones, or of different ranges.

        ``q[i + 1]`` with a bound i is refused as well, as it could meet ``q[j]``.
        """
        ranges = {index: (first, last) for index, first, last in bounds}
        kinds: dict[tuple, set] = {}
        for variable in variables:
            block = self._block_of.get(letter_of(variable))
            if isinstance(variable, Indexed) and block is not None:
                for place, index in enumerate(variable.indices):
                    if index not in ranges and index.free_symbols & ranges.keys():
                        raise MomentError(f"{variable}: expected an index of a sum alone, got {index}; shift the sum")
                    kinds.setdefault((id(block), place), set()).add(ranges.get(index))
        if any(len(kind) > 1 for kind in kinds.values()):
            raise MomentError(
                f"{', '.join(map(str, variables))}: expected the indices of one letter all free or all bound, and "
                "bound ones of one range; try to write the sum over the other indices as one of its own"
            )


def _letters(e: Expr) -> set:
    """Return the letters that the value of an expression depends on; indices are none."""
    inside = e.atoms(Indexed)
    # Without its families: their labels and indices are symbols too, but not letters.
    rest = e.xreplace({one: Dummy() for one in inside})
    return {one.base for one in inside} | {one for one in rest.free_symbols if not isinstance(one, Dummy)}
