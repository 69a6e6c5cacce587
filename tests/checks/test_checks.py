"""The package lists its names and loads nothing heavy until one is used."""

import subprocess
import sys

import pytest

import interview_book.checks as checks


def test_every_listed_name_is_there():
    for name in checks.__all__:
        assert getattr(checks, name).__name__ == name
    assert set(checks.__all__) <= set(dir(checks))
    with pytest.raises(AttributeError, match=r"no attribute 'states'; it has .*, Derivation, "):
        _ = checks.states


def test_import_is_light():
    program = "import sys, interview_book.checks; print(sorted({'sympy', 'numpy', 'matplotlib'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True, encoding="utf-8")
    assert done.stdout.strip() == "[]"
