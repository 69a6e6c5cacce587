"""The wheel of our own package for the downloaded notebooks, with what they need of the book beside the code.

Besides the code it holds the question files (``interview_book/chapters``), for the exercises, and what widgets are made
of (``interview_book/widgets/deck_data``): the practice deck's files, and modules of one file. They are added to a copy
of the sources: nothing built stands in ``src``.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from interview_book.book import fingerprint, modules, plain
from interview_book.book.errors import BookError

# Times inside the archive: a wheel of the same sources has the same bytes.
_EPOCH = "1735689600"
_SOURCES = ("pyproject.toml", "README.md", "LICENSE")


def write(out: Path, cache: Path, root: Path, deck: Path | None) -> Path:
    """Put the wheel into ``out`` and return its path; build it only when what is in it has changed since ``cache``.

    Parameters
    ----------
    root : the book, whose question files go along.
    deck : the folder with the practice deck's files, as `deck.write` makes it; None for a book without the deck.

    Raises
    ------
    BookError
        When the package was not installed from a source tree, a widget's module is wrong, or hatchling fails.
    """
    added = {f"chapters/{path.name}": path for path in sorted((root / "chapters").glob("*.questions.yml"))}
    for folder in (modules.write(root), *([deck] if deck else ())):
        added |= {f"widgets/deck_data/{path.name}": path for path in sorted(folder.glob("[!.]*"))}
    kept = cache / _digest(added) / plain.wheel_name()
    if not kept.is_file():
        shutil.rmtree(cache, ignore_errors=True)
        source = _staged(fingerprint.PACKAGE.parents[1], cache / "source", added)
        _build(source, kept)
        shutil.rmtree(source)
    out.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copyfile(kept, out / kept.name))


def _digest(added: dict[str, Path]) -> str:
    total = hashlib.sha256(fingerprint.of_package().encode())
    for name, path in added.items():
        total.update(name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()[:16]


def _staged(project: Path, source: Path, added: dict[str, Path]) -> Path:
    """Copy the sources of the package, and what is added to it, into a folder of their own."""
    if not (project / "pyproject.toml").is_file():
        raise BookError(
            f"cannot build the package's wheel: expected pyproject.toml in {project}. Install the book from its "
            f"sources with `pip install -e .`."
        )
    package = source / "src" / fingerprint.PACKAGE.name
    shutil.copytree(fingerprint.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints"))
    for name in _SOURCES:
        shutil.copyfile(project / name, source / name)
    for name, path in added.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, package / name)
    return source


def _build(project: Path, kept: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(kept.parent.absolute())]
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
