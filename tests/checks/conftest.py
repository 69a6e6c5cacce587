"""Hypothesis as in tests/attention: the same examples in every run, and no clock."""

from hypothesis import settings

settings.register_profile("book", derandomize=True, deadline=None)
settings.load_profile("book")
