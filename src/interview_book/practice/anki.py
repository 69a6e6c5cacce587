"""Decks for Anki: an .apkg of each language and one of both, whose notes replace their older selves on re-import.

A note is known by its question and language, whatever it says, so a reader keeps the history of an edited question.
Each language has a deck of its own with a subdeck a chapter, in the package of both as well: importing one package
after another adds what is new, and nothing twice.
"""

from __future__ import annotations

import io
import itertools
import os
import sqlite3
import tempfile
import warnings
import zipfile
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import genanki

from interview_book.practice import anki_cards, anki_types
from interview_book.practice.anki_times import Times
from interview_book.practice.anki_words import WORDS

__all__ = ["AnkiFault", "guid", "packages", "write"]

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time of a ZIP archive


class AnkiFault(ValueError):
    """Something that stops the decks from being made: what was expected, what was got, and what to do."""


class _Type(genanki.Model):
    """A note type with a time of its own."""

    changed = 0

    def to_json(self, timestamp: float, deck_id: int) -> dict:
        return super().to_json(self.changed, deck_id)


class _Note(genanki.Note):
    """A note with a time of its own."""

    changed = 0

    def write_to_db(self, cursor, timestamp: float, deck_id: int, id_gen) -> None:
        super().write_to_db(cursor, self.changed, deck_id, id_gen)


def guid(card: str, language: str) -> str:
    """Return what Anki knows a note by: the id of its question and the language, never what it says."""
    return genanki.guid_for(card, language)


def write(out: Path, banks: Mapping[str, Mapping], times: Times, pages: Mapping[str, str | None]) -> list[Path]:
    """Write the packages into ``out`` and return their paths; parameters and errors as of `packages`."""
    made = packages(banks, times, pages)
    out.mkdir(parents=True, exist_ok=True)
    for name, data in made.items():
        # Whoever is importing the old file keeps it whole.
        new = out / f"{name}.new"
        new.write_bytes(data)
        os.replace(new, out / name)
    return [out / name for name in made]


def packages(banks: Mapping[str, Mapping], times: Times, pages: Mapping[str, str | None]) -> dict[str, bytes]:
    """Return the packages by file name; the same arguments give the same bytes.

    Parameters
    ----------
    banks : the bank of each language, compiled with `anki_cards.set_formulas`.
        A bank without cards gives no package.
    times : when each note changed.
    pages : absolute address of the chapters' pages in each language, ending in ``/``; None for none.

    Raises
    ------
    AnkiFault
        For a field that Anki would not show whole.
    """
    decks = {tag: _decks(bank, times, pages[tag]) for tag, bank in banks.items() if bank["index"]["cards"]}
    return {
        name: _package([deck for tag in tags for deck in decks[tag]])
        for tags, name in anki_types.FILES.items()
        if set(tags) <= set(decks)
    }


def _decks(bank: Mapping, times: Times, pages: str | None) -> list[genanki.Deck]:
    """The deck of one language, empty but for what it says of itself, and its subdecks."""
    index = bank["index"]
    language, chapters = index["language"], index["chapters"]
    words = WORDS[language]
    types = {name: _note_type(name, language, times, pages) for name in anki_types.FIELDS}
    decks = {None: genanki.Deck(_deck_id(language), words["book"], words["about"])}
    for slug, chapter in chapters.items():
        # A colon twice would part the name into levels.
        title = chapter["title"].replace("::", words["colon"])
        decks[slug] = genanki.Deck(_deck_id(language, slug), f"{words['book']}::{title}")
    for place, note in enumerate(anki_cards.notes(bank), start=1):
        made = _Note(types[note.type], list(note.fields), tags=note.tags, guid=guid(note.id, language), due=place)
        made.changed = times.of(f"{note.id} {language}", [note.fields, note.tags], note.chapter)
        decks[note.chapter].add_note(made)
    return list(decks.values())


def _deck_id(*names: str) -> int:
    """A number of 31 bits that follows from the names alone."""
    return 1 << 30 | int.from_bytes(sha256("/".join(names).encode()).digest()[:4]) >> 2


def _note_type(name: str, language: str, times: Times, pages: str | None) -> _Type:
    one = anki_types.note_type(name, language, pages)
    made = _Type(
        one.id,
        one.name,
        fields=[{"name": field} for field in one.fields],
        templates=[{"name": "1", "qfmt": one.front, "afmt": one.back}],
        css=one.css,
    )
    made.changed = times.of(f"note type {name} {language}", [one.name, one.fields, one.front, one.back, one.css])
    return made


def _package(decks: Sequence[genanki.Deck]) -> bytes:
    newest = max(note.changed for deck in decks for note in deck.notes)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "collection.anki2")
        database = sqlite3.connect(path)
        try:
            database.execute("pragma synchronous = off")  # nobody needs this file after a power cut
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                genanki.Package(list(decks)).write_to_db(database.cursor(), newest, itertools.count(newest * 1000))
            database.commit()
        except UserWarning as warning:
            raise AnkiFault(f"expected fields of whole HTML, got: {warning}; escape the text") from None
        finally:
            database.close()
        content = path.read_bytes()
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in (("collection.anki2", content), ("media", b"{}")):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
            archive.writestr(entry, data)
    return file.getvalue()
