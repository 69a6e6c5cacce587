"""jax with float64, for as long as one module runs."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module")
def jax():
    """The jax package, imported late (it takes a second) and with its 64-bit types switched on."""
    import jax

    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield jax
    jax.config.update("jax_enable_x64", before)
