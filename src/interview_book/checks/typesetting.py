"""LaTeX of the lines of a derivation, in what KaTeX and MathJax both know."""

from __future__ import annotations

from sympy import Add, Eq, Expr, Indexed, MatrixBase, Symbol
from sympy.printing.latex import LatexPrinter

from interview_book.checks.expectations import Moment, SumOfDistinct


def latex(expression: Expr | MatrixBase | Eq) -> str:
    """Return the LaTeX of an expression or a matrix; of an equation with ``&=`` between its sides."""
    if isinstance(expression, Eq):
        return f"{latex(expression.lhs)} &= {latex(expression.rhs)}"
    # Bare \left[ … \right] matrices and \sinh-like names: nothing that only one of the two renderers knows.
    settings = {"mat_delim": "[", "mat_str": "matrix", "ln_notation": False, "inv_trig_style": "full"}
    # SymPy sorts factors by name and would print k_i q_i; for the print, a letter of a Query gets a name before k.
    names = {
        one: Symbol(str(one).replace("q", "jq").replace("Q", "JQ"))
        for one in expression.atoms(Symbol, Indexed)
        if hasattr(one, "stands_first")
    }
    # What is named in TeX stands last: d_k ‖x‖², not ‖x‖² d_k.
    names |= {one: Symbol(f"z{one}") for one in expression.atoms(Symbol) if one.name.startswith("\\")}
    printed = {name: _Printer(settings).doprint(one) for one, name in names.items()}
    return _Printer({**settings, "symbol_names": printed}).doprint(expression.xreplace(names) if names else expression)


class _Printer(LatexPrinter):
    """SymPy's LaTeX, set for reading: slanted fractions in exponents, full-size fractions in matrices, ``q_{i}``."""

    def _print_ExpBase(self, expr, exp=None):
        before = self._settings["fold_short_frac"]
        self._settings["fold_short_frac"] = True
        try:
            return super()._print_ExpBase(expr, exp)
        finally:
            self._settings["fold_short_frac"] = before

    def _print_Integral(self, expr):
        return super()._print_Integral(expr).replace(r"\int\limits", r"\int")

    def _print_MatrixBase(self, expr):
        rows = [[self._print(entry) for entry in expr.row(i)] for i in range(expr.rows)]
        if not any(r"\frac" in entry for row in rows for entry in row):
            return super()._print_MatrixBase(expr)
        body = r" \\[14pt] ".join(" & ".join(rf"\displaystyle {entry}" for entry in row) for row in rows)
        return rf"\left[\begin{{matrix}}{body}\end{{matrix}}\right]"

    def _print_Indexed(self, expr):
        base, indices = self._print(expr.base), ",".join(map(self._print, expr.indices))
        # m_q with an index is m_{q,i}: two subscripts in a row are an error in TeX.
        return f"{base[:-1]},{indices}}}" if "_{" in base else f"{base}_{{{indices}}}"

    def _print_Sum(self, expr):
        """Print one sign for indices of one range: ``\\sum_{i, j=1}^{d}``."""
        ranges: dict[tuple, list] = {}
        for index, first, last in expr.limits:
            ranges.setdefault((first, last), []).append(index)
        fold, self._settings["fold_short_frac"] = self._settings["fold_short_frac"], True
        signs = "".join(
            rf"\sum_{{{', '.join(map(self._print, indices))}={self._print(first)}}}^{{{self._print(last)}}} "
            for (first, last), indices in reversed(ranges.items())
        )
        self._settings["fold_short_frac"] = fold
        body = self._print(expr.function)
        return signs + (rf"\left({body}\right)" if isinstance(expr.function, Add) else body)

    def _as_ordered_terms(self, expr, order=None):
        terms = super()._as_ordered_terms(expr, order)
        if not (expr.has(Moment, Indexed) or self._settings["symbol_names"]):
            return terms
        # E[x²] − E[x]², not −E[x]² + E[x²]
        return sorted(terms, key=lambda term: term.could_extract_minus_sign())

    def _needs_mul_brackets(self, expr, first=False, last=False):
        if isinstance(expr, Moment):
            return False  # has brackets of its own, whatever sum stands in it
        return super()._needs_mul_brackets(expr, first, last) or (not last and expr.has(SumOfDistinct))
