"""What every test may ask for."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def _module(name: str, *path: str):
    spec = importlib.util.spec_from_file_location(name, ROOT.joinpath("tests", *path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_seeds = _module("seeds_of_monte_carlo", "seeds", "monte_carlo.py")
pytest_addoption = _seeds.pytest_addoption
pytest_configure = _seeds.pytest_configure
pytest_generate_tests = _seeds.pytest_generate_tests
pytest_collection_modifyitems = _seeds.pytest_collection_modifyitems
seed, rng, false_alarm = _seeds.seed, _seeds.rng, _seeds.false_alarm


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def esm(tmp_path_factory):
    """``esm(folder)``: a function that evaluates JavaScript with one of the folder's ES modules; see `tests/esm.py`."""
    return lambda folder: _module("esm_of_tests", "esm.py").evaluator(folder, tmp_path_factory.mktemp("esm"), ROOT)


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of an installed Chromium or Chrome. Never skips: without one the test fails and says what to do."""
    path = _module("find_chromium", "browser", "chromium.py").find()
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
