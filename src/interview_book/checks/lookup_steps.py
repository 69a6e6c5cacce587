"""One lookup, proved: the lesson's numbers as fractions, what a row of ``Q Kᵀ`` holds, and what attention cannot see.

The lesson's derivations take embeddings and matrices from :mod:`interview_book.attention.lesson` and leave every number
exact: fractions up to the scores, powers of e from the softmax on.
"""

from __future__ import annotations

from numbers import Integral

import numpy as np
from sympy import ImmutableMatrix, MatMul, MatrixSymbol, Rational, Symbol, exp

from interview_book.attention.lesson import LESSON_W_K, LESSON_W_Q, LESSON_W_V, lesson_steps
from interview_book.checks.derivations import Derivation, Step
from interview_book.checks.letters import D_K, key, query

WEIGHTS = {"Q": LESSON_W_Q, "K": LESSON_W_K, "V": LESSON_W_V}
BANK = 3
"""Row of «bank», the last token of both sentences."""


def _matrix(fractions: np.ndarray) -> ImmutableMatrix:
    """Return an array of fractions, one row or several, as a matrix of SymPy."""
    rows = np.atleast_2d(fractions)
    return ImmutableMatrix([[Rational(x.numerator, x.denominator) for x in row] for row in rows])


def projection(role: str = "Q", token: int = BANK, sentence: str = "river") -> Derivation:
    """Derive ``x W`` of one role for one token of a sentence of the lesson.

    Parameters
    ----------
    role : ``"Q"``, ``"K"`` or ``"V"``.
    token : its place in the sentence, 0 to 3.
    sentence : ``"river"`` or ``"savings"``.

    Raises
    ------
    ValueError : another word, or no place of the sentence.
    """
    if role not in WEIGHTS:
        raise ValueError(f"role: expected one of {', '.join(map(repr, WEIGHTS))}, got {role!r}")
    embeddings = lesson_steps(sentence).X
    if isinstance(token, bool) or token not in range(len(embeddings)):
        raise ValueError(f"token: expected a place from 0 to {len(embeddings) - 1}, got {token!r}")
    x, w = _matrix(embeddings[token]), _matrix(WEIGHTS[role])
    return Derivation(
        rf"{role.lower()} = x W_{{{role}}}",
        (Step(MatMul(x, w), "given", "projection.product"), Step(x * w, "evaluate", "projection.sums")),
    )


def bank_scores(sentence: str = "river") -> Derivation:
    """Derive the raw scores of «bank»: its Query against the four Keys.

    ``ValueError`` for a sentence other than ``"river"`` and ``"savings"``.
    """
    steps = lesson_steps(sentence)
    q, k = _matrix(steps.Q[BANK]), _matrix(steps.K)
    return Derivation(
        r"q K^{\mathsf{T}}",
        (Step(MatMul(q, k.T), "given", "bank-scores.products"), Step(q * k.T, "evaluate", "bank-scores.sums")),
    )


def bank_output(sentence: str = "river") -> Derivation:
    """Derive the output of «bank» in closed form: powers of e over their sum ``Z``, mixed with the exact Values.

    ``ValueError`` for a sentence other than ``"river"`` and ``"savings"``.
    """
    steps = lesson_steps(sentence)
    powers, v = _matrix(steps.Z[BANK]).applyfunc(exp), _matrix(steps.V)
    # A name, for the sum itself leaves no room for the mixture beside it.
    share = 1 / Symbol("Z", positive=True)
    return Derivation(
        r"p V",
        (
            Step(MatMul(share, powers, v), "given", "bank-output.weights"),
            Step(MatMul(share, powers * v), "evaluate", "bank-output.mixture"),
        ),
    )


def score_matrix(n_q: int = 2, n_k: int = 3, d_k: int = 2) -> Derivation:
    """Derive entry i, j of ``Q Kᵀ`` as ``Σ_f q_if k_jf``: row i holds Query i against every Key, and no other Query.

    ``n_q`` Queries, ``n_k`` Keys and ``d_k`` features, each a whole number of at least 1, else ``ValueError``.
    """
    for name, size in (("n_q", n_q), ("n_k", n_k), ("d_k", d_k)):
        if isinstance(size, bool) or not isinstance(size, Integral) or size < 1:
            raise ValueError(f"{name}: expected a whole number of at least 1, got {size!r}")
    letter = {"q": query("q"), "k": key("k")}
    q, k = (
        ImmutableMatrix(n, d_k, lambda row, column, name=name: letter[name][row + 1, column + 1])
        for name, n in (("q", n_q), ("k", n_k))
    )
    return Derivation(
        r"Q K^{\mathsf{T}}",
        (Step(MatMul(q, k.T), "given", "scores.product"), Step(q * k.T, "evaluate", "scores.rows")),
    )


def only_products() -> Derivation:
    """Derive ``(q R)(k R⁻ᵀ)ᵀ = q kᵀ`` for any d_k and any invertible R: attention sees scores, not features.

    ``q`` and ``k`` are one row each, R is ``d_k × d_k``.
    """
    # The column is a letter of its own, so that it is printed with the book's sign of transposition.
    q, column = MatrixSymbol("q", 1, D_K), MatrixSymbol(r"k^{\mathsf{T}}", D_K, 1)
    r = MatrixSymbol("R", D_K, D_K)
    return Derivation(
        r"(q R) (k R^{-\mathsf{T}})^{\mathsf{T}}",
        (
            Step(MatMul(q, r, r.inverse(), column), "given", "turned.transposed"),
            Step(MatMul(q, column), "rewrite", "turned.cancel"),
        ),
    )
