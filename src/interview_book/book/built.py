"""A folder below ``_build`` that is made again when its inputs have changed, and replaced at once."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from interview_book.book import swap

MARK = ".fingerprint"


def bring_up_to_date(folder: Path, inputs: Callable[[], str], fill: Callable[[Path], None]) -> Path:
    """Return ``folder``, at once when it was made from the same inputs.

    Parameters
    ----------
    inputs : returns the digest of all that goes in; asked while nobody else builds.
    fill : puts the files into the empty folder it is given. If it raises, the old folder stays as it is.

    Raises
    ------
    BookError
        When another process is at it.
    """
    with swap.only_one(folder.with_name(f"{folder.name}.lock")):
        digest = inputs()
        if _is_current(folder, digest):
            return folder
        swap.recover(folder)
        new = swap.fresh(folder)
        new.mkdir(parents=True)
        try:
            fill(new)
            (new / MARK).write_text(digest, encoding="utf-8")
            swap.put(folder)
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)
            raise
    return folder


def _is_current(folder: Path, digest: str) -> bool:
    try:
        return (folder / MARK).read_text(encoding="utf-8") == digest
    except OSError:
        return False
