"""The decks for Anki of a book: its question files in, three packages out."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from interview_book.book import claims, deck, questions, topics
from interview_book.book.address import require_address
from interview_book.book.errors import BookError
from interview_book.book.languages import LANGUAGES

FOLDER = Path("_build") / "anki"
MEMORY = Path("_build") / "anki.json"  # what was made last; see practice.anki_times
_PACKAGE = Path(__file__).parents[1]


def write(root: Path, out: Path, url: str | None = None) -> list[Path]:
    """Write the packages into ``out`` and return their paths; none for a book without questions.

    The same files, unchanged since, give the same bytes. With ``SOURCE_DATE_EPOCH`` everything has that time, on any
    machine; it is then for whoever sets it to let it grow.

    Parameters
    ----------
    url : the site's public address; cards link to its pages. Without one they name the chapter.

    Raises
    ------
    BookError
        When a question file, ``url`` or ``SOURCE_DATE_EPOCH`` is wrong.
    """
    from interview_book.practice import anki, anki_cards, compiled
    from interview_book.practice.anki_times import Times

    require_address(url)
    root = root.resolve()
    files = deck.files(root)
    loaded = [one for file in files.values() for one in questions.load(file, root)]
    settings = deck.settings(root)
    base = url.rstrip("/") if url else None
    pages = {tag: f"{base}/{tag}/chapters/" if base else None for tag in LANGUAGES}
    epoch = _epoch()
    if epoch is None:
        common = _newest([*_code(), root / claims.FILE, root / topics.FILE])
        # The notebook has the title.
        chapters = {slug: max(common, _newest([file, file.with_name(f"{slug}.ipynb")])) for slug, file in files.items()}
        times = Times(chapters, common, _memory(root))
    else:
        times = Times(dict.fromkeys(files, epoch), epoch)
    try:
        banks = {tag: compiled.compile(loaded, tag, anki_cards.set_formulas, one) for tag, one in settings.items()}
        paths = anki.write(out, banks, times, pages)
    except ValueError as error:
        raise BookError(f"the decks for Anki cannot be made: {error}") from None
    if epoch is None:
        (root / MEMORY).parent.mkdir(exist_ok=True)
        (root / MEMORY).write_text(times.text(), encoding="utf-8", newline="\n")
    return paths


def _code() -> list[Path]:
    """The code that a card's text may come from."""
    practice = _PACKAGE / "practice"
    return [*practice.glob("*.py"), *practice.glob("*.css"), _PACKAGE / "book" / "question_words.py"]


def _newest(files: Iterable[Path]) -> int:
    return max((int(file.stat().st_mtime) for file in files if file.is_file()), default=0)


def _memory(root: Path) -> str:
    try:
        return (root / MEMORY).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""


def _epoch() -> int | None:
    """``SOURCE_DATE_EPOCH``, seconds since 1970."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given is not None and not (given.isascii() and given.isdigit()):
        raise BookError(f"SOURCE_DATE_EPOCH: expected seconds since 1970, got {given!r}. Mend it or unset it.")
    return None if given is None else int(given)
