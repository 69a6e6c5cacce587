"""Where the front-end tools of npm are. Light: a build with nothing to do reads this and little else."""

from __future__ import annotations

from pathlib import Path

from interview_book.book import node

# The project this package lives in lends its tools to small books elsewhere, such as those of the tests.
PROJECT = Path(__file__).resolve().parents[3]


def home(root: Path) -> Path:
    """Return the folder whose ``node_modules`` we use: the book's, or the project's; ``BookError`` for neither."""
    for folder in (root, PROJECT):
        if (folder / "node_modules" / "katex").is_dir():
            return folder
    node.module(root, "katex")
    raise AssertionError("node.module has found what was not there")


def katex(root: Path) -> Path:
    """Return KaTeX's ``dist``: script, stylesheet and fonts of one version."""
    return node.module(home(root), "katex", "dist")
