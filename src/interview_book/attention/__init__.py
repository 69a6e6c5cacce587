"""Scaled dot-product attention in pure NumPy, one function per equation.

Read it in this order: :func:`scores` → :func:`softmax` → :func:`weights` → :func:`mix` → :func:`attend`. Arrays are
float16, float32 or float64 of shape ``(..., n, d)``; weights are ``(..., n_q, n_k)`` and add up to 1 along the Keys.
"""

from interview_book.attention.dot_product import attend, mix, scores, weights
from interview_book.attention.example import KEYS, QUERY, VALUES
from interview_book.attention.normalise import log_softmax, softmax, softmax_jacobian

__all__ = [
    "KEYS",
    "QUERY",
    "VALUES",
    "attend",
    "log_softmax",
    "mix",
    "scores",
    "softmax",
    "softmax_jacobian",
    "weights",
]
