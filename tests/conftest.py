"""What every test may ask for."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def _chromium():
    spec = importlib.util.spec_from_file_location("find_chromium", ROOT / "tests" / "browser" / "chromium.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of an installed Chromium or Chrome. Never skips: without one the test fails and says what to do."""
    path = _chromium().find()
    assert path, f"no Chromium: run {sys.executable} tests/browser/chromium.py"
    return path


@pytest.fixture(scope="session")
def chromium_flags() -> list[str]:
    """Flags under which a browser runs as root, without a screen and without calling home."""
    return [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
    ]
