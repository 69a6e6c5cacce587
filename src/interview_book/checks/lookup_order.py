"""What the order of things changes in attention and what it does not: tokens, Query and Key, feature axes; proved.

And the order of the cost: from how many tokens on the pairs need more products than the projections.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral

from sympy import Eq, MatMul, Matrix, MatrixSymbol, Rational, Symbol, exp

from interview_book.checks.derivations import Derivation, Step
from interview_book.checks.softmax_theory import numbered

D_MODEL = Symbol(r"d_{\text{model}}", integer=True, positive=True)
D_K, D_V, N = (Symbol(name, positive=True) for name in ("d_k", "d_v", "n"))


def _ordered(order: Sequence[int]) -> tuple[int, ...]:
    """Return the order as a tuple, checked to be 1 … n in some order."""
    found = tuple(order)
    if len(found) < 2 or sorted(found) != list(range(1, len(found) + 1)):
        raise ValueError(f"order: expected the numbers 1 to n, each once, n at least 2, got {order!r}; try (2, 3, 1)")
    return found


def _entry(letter: str, row: int, column: int, **assumptions) -> Symbol:
    # p_12 reads better than p_1,2, but 1, 11 and 11, 1 must not become one letter.
    return Symbol(f"{letter}_{row}{',' if max(row, column) > 9 else ''}{column}", **assumptions)


def permuted_weights(order: Sequence[int] = (2, 3, 1)) -> Derivation:
    """Derive that tokens in another order have the same weights, moved with them: the sum over all Keys is the same.

    Row 1 after the move belongs to the token that was ``order[0]``; its scores are the old ones, because each Query and
    each Key is made from its own token alone. The other rows follow by the same line.
    """
    order = _ordered(order)
    keys = range(1, len(order) + 1)
    mover = order[0]
    scores = {key: _entry("z", mover, key, real=True) for key in keys}
    total = sum(exp(scores[key]) for key in keys)
    weights = {key: _entry("p", mover, key, positive=True) for key in keys}
    return Derivation(
        "A'_{1}",
        (
            Step(Matrix([[exp(scores[key]) / total for key in order]]), "given", "permuted.scores-move"),
            Step(
                Matrix([[weights[key] for key in order]]),
                "define",
                "permuted.same-weights",
                where={weights[key]: exp(scores[key]) / total for key in keys},
            ),
        ),
    )


def permuted_output(order: Sequence[int] = (2, 3, 1)) -> Derivation:
    """Derive ``(P A Pᵀ)(P V) = P (A V)``: weights and Values moved alike give the old outputs, moved alike."""
    order = _ordered(order)
    n = len(order)
    move = Matrix([[int(column == one - 1) for column in range(n)] for one in order])
    weights = Matrix(n, n, lambda i, j: _entry("p", i + 1, j + 1, positive=True))
    values = Matrix([Symbol(f"v_{j + 1}", real=True) for j in range(n)])
    outputs = Matrix([Symbol(f"o_{i + 1}", real=True) for i in range(n)])
    mixed = weights * values
    return Derivation(
        "O'",
        (
            Step(MatMul(move * weights * move.T, move * values), "given", "permuted.all-moved"),
            Step(MatMul(move * weights, values), "rewrite", "permuted.terms-in-the-old-order"),
            Step(move * outputs, "define", "permuted.old-outputs", where=dict(zip(outputs, mixed, strict=True))),
        ),
    )


def asymmetry(d_model: int = 2) -> Derivation:
    """Derive that the score of the other direction has the transposed matrix: ``x_j M x_iᵀ = x_i Mᵀ x_jᵀ``.

    ``M = W_Q W_Kᵀ``, and ``s_ij = x_i M x_jᵀ``; so ``s_ij − s_ji = x_i (M − Mᵀ) x_jᵀ``, an entry of
    ``S − Sᵀ = X (M − Mᵀ) Xᵀ``. Any two tokens score each other alike if and only if M is symmetric, for example if
    ``W_Q = W_K``. The rows ``x`` of token i and ``y`` of token j are written out in ``d_model`` features.
    """
    x, y = (Matrix([numbered(letter, d_model, real=True)]) for letter in "xy")
    m = Matrix(d_model, d_model, lambda a, b: _entry("m", a + 1, b + 1, real=True))
    return Derivation(
        "s_{ji}",
        (
            Step(MatMul(y, m, x.T), "given", "asymmetry.other-direction"),
            Step(MatMul(x, m.T, y.T), "rewrite", "asymmetry.transposed"),
        ),
    )


def basis_change() -> Derivation:
    """Derive that other axes change no projection: ``(x R)(R⁻¹ w) = x w`` for any width and any invertible R.

    ``x`` is a row of X and ``w`` a column of W_Q, W_K or W_V. Queries and Keys stay what they were, so scores and
    weights do too. For an orthogonal R, ``R⁻¹`` is ``Rᵀ``.
    """
    x, r, w = MatrixSymbol("x", 1, D_MODEL), MatrixSymbol("R", D_MODEL, D_MODEL), MatrixSymbol("w", D_MODEL, 1)
    return Derivation(
        r"\left(x R\right) \left(R^{-1} w\right)",
        (
            Step(MatMul(x, r, r.inverse(), w), "given", "basis.turned"),
            Step(MatMul(x, w), "rewrite", "basis.inverse"),
        ),
    )


def turned_output(d_model: int = 4) -> Derivation:
    """Derive that what is added to an embedding turns with it: ``a (X R)(R⁻¹ W_V)(W_O R) = (a X W_V W_O) R``.

    ``a`` is a row of the weights, the old ones by :func:`basis_change`; ``W_O`` is the output projection. So the sum
    with the residual turns as one, and for this sublayer the names of the axes are a choice of basis. (A gain for each
    feature or an elementwise function elsewhere in a model does tell its axes apart.)

    ``d_model`` is a whole number of at least 1, else ``ValueError``; it does not show.
    """
    if isinstance(d_model, bool) or not isinstance(d_model, Integral) or d_model < 1:
        raise ValueError(f"d_model: expected a whole number of at least 1, got {d_model!r}")
    tokens, d_v = (Symbol(name, integer=True, positive=True) for name in ("n", "d_v"))
    a, x, r = MatrixSymbol("a", 1, tokens), MatrixSymbol("X", tokens, d_model), MatrixSymbol("R", d_model, d_model)
    w_v, w_o = MatrixSymbol("W_V", d_model, d_v), MatrixSymbol("W_O", d_v, d_model)
    return Derivation(
        r"a \left(X R\right) \left(R^{-1} W_{V}\right) \left(W_{O} R\right)",
        (
            Step(MatMul(a, x, r, r.inverse(), w_v, w_o, r), "given", "turned-output.turned"),
            Step(MatMul(a, x, w_v, w_o, r), "rewrite", "turned-output.inverse"),
        ),
    )


def overtaking() -> Derivation:
    """Solve for the number of tokens at which the pairs need as many products as the projections: ``n = 3 d_m/2``.

    ``n² (d_k + d_v) = n d_m (2 d_k + d_v)``, with ``d_v = d_k`` in the last line. The sizes are positive real numbers
    here, which is more than needed.
    """
    pairs, projections = N**2 * (D_K + D_V), N * D_MODEL * (2 * D_K + D_V)
    return Derivation(
        "n",
        (
            Step(Eq(pairs, projections), "given", "overtaking.equal"),
            Step(
                Eq(N, D_MODEL * (2 * D_K + D_V) / (D_K + D_V)),
                "scale",
                "overtaking.divide",
                factor=1 / (N * (D_K + D_V)),
            ),
            Step(Eq(N, Rational(3, 2) * D_MODEL), "define", "overtaking.equal-widths", where={D_V: D_K}),
        ),
    )
