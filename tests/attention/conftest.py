"""The public functions with their jaxtyping annotations enforced."""

from types import FunctionType, SimpleNamespace

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
def enforce():
    """``enforce(f)`` is ``f`` with the shapes and dtypes of its signature enforced."""
    return lambda function: jaxtyped(function, typechecker=beartype)


@pytest.fixture(scope="session")
def checked(enforce):
    """``checked.scores(...)`` is ``scores`` with its signature enforced, and so for every public function.

    Tests of results use these; tests of error messages use the plain functions, whose own checks would otherwise never
    be reached.
    """
    public = {name: getattr(attention, name) for name in attention.__all__}
    return SimpleNamespace(**{name: enforce(f) for name, f in public.items() if isinstance(f, FunctionType)})
