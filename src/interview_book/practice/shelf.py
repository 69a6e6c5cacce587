"""Where the question files stand: inside the package in an installed wheel, in ``chapters/`` of the sources."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from interview_book.practice.bank import Question, load

_PACKAGE = Path(__file__).parents[1]


def folder() -> Path:
    """The folder with ``<slug>.questions.yml``; ``FileNotFoundError`` where there is none."""
    for path in (_PACKAGE / "chapters", _PACKAGE.parents[1] / "chapters"):
        if any(path.glob("*.questions.yml")):
            return path
    raise FileNotFoundError(
        f"expected question files in {_PACKAGE.name}/chapters of the package or in chapters of its sources, got none; "
        f"install the package again"
    )


@lru_cache(maxsize=64)
def _load(path: Path, stamp: int) -> tuple[Question, ...]:
    return tuple(load(path))


def bank_of(path: Path) -> tuple[Question, ...]:
    """The questions of one file, read once for each state of the file."""
    return _load(path, path.stat().st_mtime_ns)


def question(question_id: str) -> Question:
    """The question of this id; ``KeyError`` where no file has it. Only a file that names the id is read as YAML."""
    for path in sorted(folder().glob("*.questions.yml")):
        if f"id: {question_id}\n" in path.read_text(encoding="utf-8"):
            for one in bank_of(path):
                if one.id == question_id:
                    return one
    raise KeyError(question_id)
