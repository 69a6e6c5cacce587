"""The words of the interface, from ``locale/interface.yml``."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import MappingProxyType

import yaml

from interview_book.book.languages import language

LOCALE = Path(__file__).parent / "locale"


@cache
def _table() -> dict[str, dict[str, str]]:
    return yaml.safe_load((LOCALE / "interface.yml").read_text(encoding="utf-8"))


@cache
def words(tag: str) -> MappingProxyType[str, str]:
    """Return the words of one edition, by name; raise ``BookError`` for an unknown edition, ``KeyError`` for a gap."""
    edition = language(tag).tag
    return MappingProxyType({name: both[edition] for name, both in _table().items()})
