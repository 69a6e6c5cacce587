"""The editions, by tag. Every other module takes a tag from here."""

from __future__ import annotations

from dataclasses import dataclass

from interview_book.book.errors import BookError


@dataclass(frozen=True)
class Language:
    """One edition's names: ``tag`` in our data and folders, ``sphinx`` as Sphinx spells it, ``html`` as pages carry it,
    ``jupyter`` as JupyterLab spells it, ``name`` as its readers do."""

    tag: str
    sphinx: str
    html: str
    jupyter: str
    name: str


# zh_TW exactly: with zh-TW or zh_Hant Sphinx falls back to English interface strings.
LANGUAGES: dict[str, Language] = {
    one.tag: one
    for one in (
        Language("ja", "ja", "ja", "ja_JP", "日本語"),
        Language("zh-Hant", "zh_TW", "zh-TW", "zh_TW", "繁體中文"),
    )
}


def language(tag: str) -> Language:
    """Return the edition with this tag; raise ``BookError`` that lists the editions for any other."""
    try:
        return LANGUAGES[tag]
    except (KeyError, TypeError):
        raise BookError(f"unknown edition {tag!r}: expected one of {', '.join(LANGUAGES)}") from None


def other(tag: str) -> Language:
    """Return the edition that is not ``tag``."""
    language(tag)
    return next(one for one in LANGUAGES.values() if one.tag != tag)
