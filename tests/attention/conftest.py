"""The public functions with their jaxtyping annotations enforced."""

from types import SimpleNamespace

import pytest
from beartype import beartype
from hypothesis import settings
from jaxtyping import jaxtyped

import interview_book.attention as attention

# The same examples in every run, and no clock: on a busy machine a deadline fails what is right.
# `--hypothesis-profile=default` draws new ones.
settings.register_profile("book", derandomize=True, deadline=None)
settings.load_profile("book")


@pytest.fixture(scope="session")
def checked():
    """``checked.scores(...)`` is ``scores`` with the shapes and dtypes of its signature enforced.

    Tests of results use these; tests of error messages use the plain functions, whose own checks would otherwise never
    be reached.
    """
    names = ("softmax", "log_softmax", "softmax_jacobian", "scores", "weights", "mix", "attend")
    return SimpleNamespace(**{name: jaxtyped(getattr(attention, name), typechecker=beartype) for name in names})
