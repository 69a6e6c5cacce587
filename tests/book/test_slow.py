"""What a build does without."""

import gc
import subprocess
import sys

import pytest

from interview_book.book.slow import without_collection


def test_no_garbage_is_looked_for_meanwhile():
    assert gc.isenabled()
    with pytest.raises(ZeroDivisionError), without_collection():
        assert not gc.isenabled()
        with without_collection():
            pass
        assert not gc.isenabled()
        raise ZeroDivisionError
    assert gc.isenabled()


def test_an_edition_imports_no_database_and_executes_nothing():
    code = """
import sys
from interview_book.book import edition_run
edition_run.warm()
import myst_nb.sphinx_ext
from myst_nb.core import execute
print(*{"sqlalchemy", "nbclient", "isoduration"} & {name for name, found in sys.modules.items() if found})
try:
    execute.NotebookClientDirect(None, None, None, None)
except RuntimeError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    imported, refusal = done.stdout.splitlines()
    assert imported == ""
    assert "expected a notebook that does not ask to be executed" in refusal
