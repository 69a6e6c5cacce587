"""Closes what ``pytest --nbval`` leaves open: ``python -m pytest -p tests.chapters.strict --nbval chapters``.

nbval compares text, HTML, LaTeX and SVG. By itself it lets pass: a picture of another kind, an output that changed
its place, its type or its stream, a cell that was never run, a cell whose author switched the comparison off; and its
kernel sees the user's settings. Here the kernel is that of ``interview-book run``, and nothing is let pass.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from nbval.plugin import IPyNbCell, coalesce_streams

from interview_book.book import kernel
from interview_book.book.normal import WIDGET_VIEW

# The id of a widget's model is new in every session; the table it falls back to is compared.
_SESSION = WIDGET_VIEW
_FOLDER = pytest.StashKey[tempfile.TemporaryDirectory]()


def pytest_configure(config: pytest.Config) -> None:
    """Give the kernels to come the environment of ``interview-book run``."""
    if not config.option.nbval:
        return
    if config.option.nbval_sanitize_with:
        raise pytest.UsageError("the chapters' outputs are compared as they are: leave out --nbval-sanitize-with")
    if getattr(config.option, "numprocesses", None) and config.option.dist not in ("loadfile", "loadscope"):
        raise pytest.UsageError("the cells of a notebook share one kernel: add --dist loadfile")
    config.option.nbval_current_env = True
    config.option.nbval_kernel_startup_timeout = kernel.STARTUP_SECONDS
    config.option.nbval_cell_timeout = kernel.CELL_SECONDS
    folder = config.stash[_FOLDER] = tempfile.TemporaryDirectory(prefix="nbval-", ignore_cleanup_errors=True)
    environment = kernel.environment(Path(folder.name))
    for name in os.environ.keys() - environment.keys():
        del os.environ[name]
    os.environ.update(environment)
    kernel.warm(Path(folder.name))


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the kernels' folder."""
    if _FOLDER in config.stash:
        config.stash[_FOLDER].cleanup()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Make every cell of every notebook compare everything."""
    for item in items:
        if isinstance(item, IPyNbCell):
            item.options.update(check=True, skip=False, check_exception=False)
            item.parent.skip_compare = tuple(
                key for key in item.parent.skip_compare if key not in ("image/png", "image/jpeg")
            )
            item.compare_outputs = _strictly(item)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item):
    """Fail a cell that holds code and was never run: nbval takes its missing outputs for right."""
    if isinstance(item, IPyNbCell) and item.cell.source.strip() and item.cell.execution_count is None:
        item.raise_cell_error("Reference cell was never run: interview-book run")
    return (yield)


def _strictly(item: IPyNbCell):
    """Return nbval's comparison with the order, the kinds and the streams of the outputs compared before it."""
    by_value = item.compare_outputs

    def compare(test, reference, skip_compare=None):
        found, expected = _kinds(test), _kinds(coalesce_streams(reference))
        if found != expected:
            item.comparison_traceback = [f"expected outputs {expected}", f"computed outputs {found}"]
            return False
        return by_value(test, reference, skip_compare)

    return compare


def _kinds(outputs) -> list[tuple]:
    return [
        (one.output_type, one.get("name"), *sorted(set(one.get("data", ())) - {_SESSION}))
        for one in outputs
        if one.output_type == "stream" or one.output_type == "error" or set(one.data) - {_SESSION}
    ]
