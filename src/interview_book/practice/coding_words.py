"""What a graded function is told: the sentences of ``coding_words.yml``."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from interview_book.practice.shapes import LANGUAGES
from interview_book.practice.strict_yaml import parse


@lru_cache(maxsize=1)
def _table() -> dict[str, dict[str, str]]:
    return parse(Path(__file__).with_suffix(".yml").read_text(encoding="utf-8"))


@lru_cache(maxsize=2)
def words(language: str) -> dict[str, str]:
    """All sentences of one language; ``ValueError`` for another."""
    if language not in LANGUAGES:
        raise ValueError(f"expected language of {', '.join(LANGUAGES)}, got {language!r}; give language='ja'")
    return {key: both[language] for key, both in _table().items()}
