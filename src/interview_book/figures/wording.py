"""Words of tables, in both languages, as HTML that each edition reduces to its own half."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path

import yaml

LANGUAGES = ("ja", "zh-Hant")
Words = Mapping[str, str]


@cache
def _entries() -> dict[str, dict]:
    return yaml.safe_load(Path(__file__).with_name("words.yml").read_text(encoding="utf-8"))


def words(key: str, **values: object) -> dict[str, str]:
    """Return what ``words.yml`` says under ``key``, as {"ja": …, "zh-Hant": …}, with ``values`` filled in.

    Raises ``KeyError`` for a key that is not there; it names those that begin alike.
    """
    if not isinstance(key, str) or key not in _entries():
        alike = [one for one in _entries() if one.split(".")[0] == str(key).split(".")[0]] or list(_entries())
        raise KeyError(f"words: expected a key of words.yml, got {key!r}; it has {', '.join(alike)}")
    return {tag: _entries()[key][tag].format(**values) for tag in LANGUAGES}


def notes_of(key: str) -> dict[str, Words]:
    """Return the remarks of an entry by verdict."""
    return _entries()[key].get("notes", {})


def as_words(name: str, given: str | Words) -> dict[str, str]:
    """Return words given outright, or those of a key.

    Raises
    ------
    ValueError : a language is missing, empty or unknown. KeyError : no such key.
    """
    if isinstance(given, str):
        return words(given)
    if (
        not isinstance(given, Mapping)
        or set(given) != set(LANGUAGES)
        or not all(isinstance(one, str) and one.strip() for one in given.values())
    ):
        raise ValueError(f"{name}: expected a key, or words {{'ja': …, 'zh-Hant': …}}, got {given!r}")
    return {tag: given[tag] for tag in LANGUAGES}


def halves(said: Words, name: str = "", element: str = "div", attributes: str = "") -> str:
    """Return one element a language; the text is escaped, the class and further attributes are ours."""
    kind = (f' class="{name}"' if name else "") + attributes
    return "".join(f'<{element}{kind} lang="{tag}">{escape(said[tag], quote=False)}</{element}>' for tag in LANGUAGES)
