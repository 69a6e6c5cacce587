"""The wheel of our own package, which the downloaded notebooks install."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from interview_book.book import fingerprint, plain
from interview_book.book.errors import BookError

# Times inside the archive: a wheel of the same sources has the same bytes.
_EPOCH = "1735689600"


def write(out: Path, cache: Path) -> Path:
    """Put the wheel into ``out`` and return its path; build it only when the sources have changed since ``cache``.

    Raises
    ------
    BookError
        When the package was not installed from a source tree, or hatchling fails.
    """
    project = fingerprint.PACKAGE.parents[1]
    kept = cache / fingerprint.of_package()[:16] / plain.wheel_name()
    if not kept.is_file():
        shutil.rmtree(cache, ignore_errors=True)
        _build(project, kept)
    out.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copyfile(kept, out / kept.name))


def _build(project: Path, kept: Path) -> None:
    if not (project / "pyproject.toml").is_file():
        raise BookError(
            f"cannot build the package's wheel: expected pyproject.toml in {project}. Install the book from its "
            f"sources with `pip install -e .`."
        )
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(kept.parent)]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": _EPOCH}
    done = subprocess.run(
        command, cwd=project, env=environment, capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    if done.returncode or not kept.is_file():
        made = ", ".join(sorted(path.name for path in kept.parent.glob("*"))) or "nothing"
        raise BookError(
            f"cannot build the package's wheel: expected {kept.name}, got {made}.\n{done.stderr.strip()[-2000:]}\n"
            f"Run `make setup`, and reinstall the package when its version has changed."
        )
