"""The lesson's toy model: two sentences of four tokens, attention in four features, every step a named value.

``bank`` starts from one embedding in both sentences. Every entry of the embeddings and of the three matrices is a
rational number, so all that comes before the softmax is exact: arrays of :class:`fractions.Fraction`, which
``x.astype(np.float64)`` turns into floats. The numbers were chosen for the illustration; nobody learned them.

The features: geography (waterside), finance, a noun whose sense is open, a function word.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from jaxtyping import Float, Shaped

from interview_book.attention.normalise import entropy, softmax, softmax_jacobian

LESSON_SENTENCES = {"river": ("by", "the", "river", "bank"), "savings": ("at", "the", "savings", "bank")}
# The multiplier of the raw scores. Uniform, scaled and unscaled attention are one formula at beta = 0, 1/√4 and 1.
LESSON_MODES = {"scaled": Fraction(1, 2), "raw": Fraction(1), "uniform": Fraction(0)}


def _exact(rows: list[str]) -> np.ndarray:
    matrix = np.array([[Fraction(entry) for entry in row.split()] for row in rows], dtype=object)
    # Shared by everything that imports them, so nobody may change them in place.
    matrix.flags.writeable = False
    return matrix


_EMBEDDINGS = {
    "by": "1/5 1/5 0 1",
    "at": "1/5 1/5 0 1",
    "the": "0 0 0 1",
    "river": "2 0 0 0",
    "savings": "0 2 0 0",
    "bank": "3/10 3/10 1 0",
}
# A content word asks for its own kind, an open noun for both senses with strength 2, a function word for a head noun.
LESSON_W_Q = _exact(["1 0 0 0", "0 1 0 0", "2 2 0 0", "0 0 1 0"])
# Both content features are offered, the open noun with strength 2; the mark of a function word is hidden.
LESSON_W_K = _exact(["1 0 0 0", "0 1 0 0", "0 0 2 0", "0 0 0 0"])
# All is handed over but the mark of a function word, so the last entry of every output is 0.
LESSON_W_V = _exact(["1 0 0 0", "0 1 0 0", "0 0 1 0", "0 0 0 0"])


@dataclass(frozen=True, eq=False)
class LessonSteps:
    """Every value of one sentence in one mode, in the order in which attention computes them.

    The names and capitals are those of the formulas. «Exact» means an array of fractions, the rest is float64;
    ``n_q = n_k = d_k = d_v = 4``. The arrays cannot be changed.

    tokens : the four words; row i of every array belongs to token i.
    beta : multiplier of the raw scores, exact: 1/2 (scaled), 1 (raw), 0 (uniform).
    X : embeddings, exact ``(n, d_model)``.
    Q, K, V : ``X W_Q``, ``X W_K``, ``X W_V``, exact ``(n, 4)``.
    terms : ``Q_if K_jf``, exact ``(n_q, n_k, d_k)``: the four products that add up to each raw score.
    S : raw scores ``Q Kᵀ``, exact ``(n_q, n_k)``.
    Z : scaled scores ``beta S``, exact ``(n_q, n_k)``.
    A : weights, softmax of each row of Z, ``(n_q, n_k)``.
    weighted : ``A_ij V_j``, ``(n_q, n_k, d_v)``: what each token hands to each Query.
    output : ``A V``, ``(n_q, d_v)``: the sum of ``weighted`` over the Keys, mixed with unrounded weights.
    entropy : of each row of A, in nats, ``(n_q,)``.
    jacobian_norm : Frobenius norm of ``∂A_i/∂Z_i``, ``(n_q,)``.
    """

    tokens: tuple[str, ...]
    beta: Fraction
    X: Shaped[np.ndarray, "n d_model"]
    Q: Shaped[np.ndarray, "n d_k"]
    K: Shaped[np.ndarray, "n d_k"]
    V: Shaped[np.ndarray, "n d_v"]
    terms: Shaped[np.ndarray, "n n d_k"]
    S: Shaped[np.ndarray, "n n"]
    Z: Shaped[np.ndarray, "n n"]
    A: Float[np.ndarray, "n n"]
    weighted: Float[np.ndarray, "n n d_v"]
    output: Float[np.ndarray, "n d_v"]
    entropy: Float[np.ndarray, " n"]
    jacobian_norm: Float[np.ndarray, " n"]

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def most(self, token: int) -> tuple[str, ...]:
        """Return the tokens to which token number ``token`` gives its largest weight: all of them where they tie."""
        scores = self.Z[token]
        return tuple(self.tokens[j] for j in range(len(self.tokens)) if scores[j] == max(scores))


def lesson_steps(sentence: str = "river", mode: str = "scaled") -> LessonSteps:
    """Compute every step of one sentence: ``"river"`` (by the river bank) or ``"savings"`` (at the savings bank).

    Parameters
    ----------
    sentence : ``"river"`` or ``"savings"``.
    mode : ``"scaled"`` divides the scores by ``√d_k = 2``, ``"raw"`` does not, ``"uniform"`` takes no notice of them.

    Raises
    ------
    ValueError : another word.
    """
    for name, value, known in (("sentence", sentence, LESSON_SENTENCES), ("mode", mode, LESSON_MODES)):
        if value not in known:
            raise ValueError(f"{name}: expected one of {', '.join(map(repr, known))}, got {value!r}")
    tokens, beta = LESSON_SENTENCES[sentence], LESSON_MODES[mode]
    x = _exact([_EMBEDDINGS[token] for token in tokens])
    q, k, v = x @ LESSON_W_Q, x @ LESSON_W_K, x @ LESSON_W_V
    terms = q[:, np.newaxis, :] * k[np.newaxis, :, :]
    raw = terms.sum(axis=-1)
    scaled = beta * raw
    z = scaled.astype(np.float64)
    p = softmax(z)
    weighted = p[:, :, np.newaxis] * v.astype(np.float64)
    return LessonSteps(
        tokens=tokens,
        beta=beta,
        X=x,
        Q=q,
        K=k,
        V=v,
        terms=terms,
        S=raw,
        Z=scaled,
        A=p,
        weighted=weighted,
        output=weighted.sum(axis=1),
        entropy=entropy(z),
        jacobian_norm=np.linalg.norm(softmax_jacobian(p), axis=(-2, -1)),
    )
