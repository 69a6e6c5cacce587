"""Citations and sources as text, for notebooks that leave the book. Written like the site's (`book.bibliography`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pybtex.database import BibliographyData, Person, parse_string
from pybtex.exceptions import PybtexError
from pybtex.plugin import find_plugin

from interview_book.book.errors import BookError

# Between author and year, between two authors, after the first of more than two.
_WORDS = {"ja": ("、", "・", " ほか"), "zh-Hant": ("，", " 與 ", " 等人")}


class Citations:
    """The entries of one BibTeX file, cited in one language.

    Parameters
    ----------
    path : the BibTeX file; a missing one is empty, so that a book without sources needs none.
    tag : edition.
    """

    def __init__(self, path: Path, tag: str) -> None:
        self.path = path
        self.words = _WORDS[tag]
        try:
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            self.data: BibliographyData = parse_string(text, "bibtex")
        except PybtexError as error:
            raise BookError(f"{path}: expected BibTeX, got: {error}") from None

    def cite(self, keys: Sequence[str], textual: bool = False) -> str:
        """Return （Vaswani ほか、2017）, or, as part of a sentence, Vaswani ほか（2017）."""
        years, _, _ = self.words
        if textual:
            return "、".join(f"{self._authors(key)}（{self._year(key)}）" for key in keys)
        return "（" + "；".join(f"{self._authors(key)}{years}{self._year(key)}" for key in keys) + "）"

    def sources(self, keys: Sequence[str]) -> list[str]:
        """Return each cited entry as one line of Markdown, in the order of the citations."""
        for key in keys:
            self._entry(key)
        style, backend = find_plugin("pybtex.style.formatting", "unsrt")(), find_plugin("pybtex.backends", "markdown")()
        try:
            entries = list(style.format_bibliography(self.data, list(keys)))
        except PybtexError as error:
            raise BookError(f"{self.path}: expected complete entries, got: {error}; add the field") from None
        return [" ".join(entry.text.render(backend).split()) for entry in entries]

    def _entry(self, key: str):
        try:
            return self.data.entries[key]
        except KeyError:
            raise BookError(f"{self.path}: expected an entry {key!r}, which is cited; add it or mend the key") from None

    def _year(self, key: str) -> str:
        return self._entry(key).fields.get("year", "")

    def _authors(self, key: str) -> str:
        _, two, more = self.words
        entry = self._entry(key)
        people = entry.persons.get("author") or entry.persons.get("editor") or []
        names = [_last(person) for person in people]
        if not names:
            return entry.fields.get("title", key)
        return names[0] + more if len(names) > 2 else two.join(names)


def _last(person: Person) -> str:
    return " ".join(str(part) for part in [*person.rich_prelast_names, *person.rich_last_names])
