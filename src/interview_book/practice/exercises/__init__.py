"""Exercises of kind ``code``, one module each: what is asked of a function, beside the question in ``chapters/``.

A new one needs a question of kind ``code`` (mutants with the property that each lacks, rewrites, three hints, a worked
example), a module here with an ``EXERCISE``, and its line in the table below; ``tests/practice/test_coding.py`` then
asks that every mutant is killed and named and every rewrite accepted.
"""

from importlib import import_module

# Imported on first use.
_HOME = {"attention.scaled-attention": "scaled_attention"}

QUESTIONS = tuple(_HOME)


def exercise(question_id: str):
    """Return the `forms.Exercise` of a question; ``KeyError`` for one that has none."""
    return import_module(f"{__name__}.{_HOME[question_id]}").EXERCISE
