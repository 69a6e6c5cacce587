"""The public functions with their jaxtyping annotations enforced."""

from types import SimpleNamespace

import pytest
from beartype import beartype
from jaxtyping import jaxtyped

import interview_book.attention as attention


@pytest.fixture(scope="session")
def checked():
    """``checked.scores(...)`` is ``scores`` with the shapes and dtypes of its signature enforced.

    Tests of results use these; tests of error messages use the plain functions, whose own checks would otherwise never
    be reached.
    """
    names = ("softmax", "log_softmax", "softmax_jacobian", "scores", "weights", "mix", "attend")
    return SimpleNamespace(**{name: jaxtyped(getattr(attention, name), typechecker=beartype) for name in names})
