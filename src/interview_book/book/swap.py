"""Replace a folder at once, one builder at a time: whoever looks sees the old site whole or the new one whole."""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from interview_book.book.errors import BookError

# The processes of a build that was killed a moment ago may take this long to be gone.
PATIENCE_SECONDS = 3.0
_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


@contextlib.contextmanager
def only_one(lock: Path) -> Iterator[int]:
    """Hold ``lock`` while building; give its file descriptor, for children that must hold it as well.

    Raises
    ------
    BookError
        When another build holds it. A killed build lets go by itself.
    """
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("a+", encoding="utf-8") as file:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not _held(file):
            if time.monotonic() > deadline:
                raise BookError(
                    f"another build of this book is running: expected {lock} to be free. Wait until that build is done."
                )
            time.sleep(0.05)
        yield file.fileno()


def _held(file) -> bool:
    try:
        _hold(file)
    except OSError:
        return False
    return True


def _hold(file) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _exchange(one: Path, two: Path) -> bool:
    """Exchange two folders in one step; False where the system or the file system cannot."""
    if not sys.platform.startswith("linux"):
        return False
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    return rename is not None and rename(
        _AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(two), _RENAME_EXCHANGE
    ) == 0


def _old(site: Path) -> Path:
    return site.with_name(f"{site.name}.old")


def recover(site: Path) -> None:
    """Clear what a killed build left: put the site back if it died between two renames, remove the rest."""
    if not site.exists() and _old(site).is_dir():
        _old(site).rename(site)
    for rest in (_old(site), fresh(site)):
        shutil.rmtree(rest, ignore_errors=True)


def fresh(site: Path) -> Path:
    """Return the side folder in which the next site grows: on the same file system, so that a rename will do."""
    return site.with_name(f"{site.name}.new")


def put(site: Path) -> None:
    """Let the side folder take the place of ``site``, and remove the site that was there."""
    new, old = fresh(site), _old(site)
    if not site.exists():
        new.rename(site)
        return
    if _exchange(new, site):
        shutil.rmtree(new)
        return
    site.rename(old)
    try:
        new.rename(site)
    except OSError:
        old.rename(site)
        raise
    shutil.rmtree(old)
