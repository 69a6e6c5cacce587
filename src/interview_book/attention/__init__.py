"""Scaled dot-product attention in pure NumPy, one function per equation.

Read it in this order: :func:`scores` → :func:`softmax` → :func:`weights` → :func:`mix` → :func:`attend`, then
:func:`attend_gradients`, :func:`multi_head` and :func:`online_attend`. Arrays are float16, float32 or float64 of shape
``(..., n, d)``; weights are ``(..., n_q, n_k)`` and add up to 1 along the Keys. A mask is called ``allow`` and True
means «may attend»; see :mod:`~interview_book.attention.masks` for what an empty row is and may become.
"""

from interview_book.attention.backward import Gradients, attend_gradients
from interview_book.attention.blockwise import online_attend
from interview_book.attention.dot_product import attend, mix, scores, weights
from interview_book.attention.example import KEYS, QUERY, VALUES
from interview_book.attention.heads import merge_heads, multi_head, repeat_groups, split_heads
from interview_book.attention.lesson import LESSON_MODES, LESSON_SENTENCES, LessonSteps, lesson_steps
from interview_book.attention.masks import causal_allow, padding_allow, window_allow
from interview_book.attention.normalise import entropy, log_softmax, softmax, softmax_jacobian
from interview_book.attention.precision import low_precision_scores, round_bfloat16, running_sum
from interview_book.attention.variants import (
    cosine_attend,
    cosine_scores,
    qk_norm_attend,
    rms_norm,
    softcap,
    temperature_gradient,
)

__all__ = [
    "KEYS",
    "LESSON_MODES",
    "LESSON_SENTENCES",
    "QUERY",
    "VALUES",
    "Gradients",
    "LessonSteps",
    "attend",
    "attend_gradients",
    "causal_allow",
    "cosine_attend",
    "cosine_scores",
    "entropy",
    "lesson_steps",
    "log_softmax",
    "low_precision_scores",
    "merge_heads",
    "mix",
    "multi_head",
    "online_attend",
    "padding_allow",
    "qk_norm_attend",
    "repeat_groups",
    "rms_norm",
    "round_bfloat16",
    "running_sum",
    "scores",
    "softcap",
    "softmax",
    "softmax_jacobian",
    "split_heads",
    "temperature_gradient",
    "weights",
    "window_allow",
]
