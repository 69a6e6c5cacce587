"""What the practice deck reads: the compiled bank of both languages, as scripts of the site and a file for notebooks.

The site's page loads ``_static/deck/index.js`` at once, and ``_static/deck/<chapter>.js`` when a card of that chapter
is to be shown. A notebook's ``Deck()`` reads ``bank.json``, ``deck.mjs`` and ``deck.css`` from ``_build/deck``, or from
the wheel.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from interview_book.book import bundle, claims, deck_style, fingerprint, frontend, katex_batch, questions, topics
from interview_book.book.built import bring_up_to_date
from interview_book.book.errors import BookError, Fault, Faults
from interview_book.book.languages import LANGUAGES
from interview_book.book.notebooks import contents, joined, language_of
from interview_book.book.question_words import tolerance_words, unit_words
from interview_book.practice import bank, compiled
from interview_book.practice.tolerances import Tolerance

SLUG = "practice"  # the chapter that shows the deck
FOLDER = Path("_build") / "deck"
_TITLE = re.compile(r"^# +(.+?)[ \t]*$", re.M)


def files(root: Path) -> dict[str, Path]:
    """Return the question files of the book's chapters by slug, in the order of the contents."""
    slugs = [Path(name).stem for name in contents(root)]
    found = {slug: root / "chapters" / f"{slug}.questions.yml" for slug in slugs}
    return {slug: path for slug, path in found.items() if path.is_file()}


def shown(root: Path) -> bool:
    """Whether the book has a page for the deck."""
    return any(Path(name).stem == SLUG for name in contents(root))


def titles(root: Path, slug: str) -> dict[str, str]:
    """Return a chapter's title in each language; its slug where it has none."""
    path = root / "chapters" / f"{slug}.ipynb"
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BookError(f"{path}: expected a notebook, got: {error}. Mend it, or take it out of _toc.yml.") from None
    found = dict.fromkeys(LANGUAGES, slug)
    for cell in reversed(cells):
        tag, heading = language_of(cell), _TITLE.search(joined(cell.get("source")))
        if tag and heading:
            found[tag] = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", heading[1])
    return found


def settings(root: Path) -> dict[str, compiled.Setting]:
    """Return what the bank does not know of itself, in each language."""
    ledger = claims.load(root)
    names = topics.load(root, [claim.topic for claim in ledger.values()])
    called = {slug: titles(root, slug) for slug in files(root)}
    return {
        tag: compiled.Setting(
            chapters={
                slug: {"title": title[tag], "href": f"{slug}.html", "notebook": f"../notebooks/{slug}.ipynb"}
                for slug, title in called.items()
            },
            topics={key: name[tag] for key, name in names.items()},
            topic_of={key: claim.topic for key, claim in ledger.items()},
            note=partial(_note, tag=tag),
        )
        for tag in LANGUAGES
    }


def _note(question: bank.Question, tag: str) -> str:
    return unit_words(question["unit"], tag) + tolerance_words(Tolerance.of(question["tolerance"]), tag)


class Formulas:
    """Sets each distinct formula of the bank once, whatever the number of languages."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.html: dict[str, str] = {}

    def __call__(self, formulas: list[str]) -> Mapping[str, str]:
        """Return the HTML of formulas by their TeX; raise ``UnsetFormulas`` for those that KaTeX refuses."""
        made, bad = katex_batch.set_inline(self.root, [tex for tex in formulas if tex not in self.html])
        if bad:
            raise compiled.UnsetFormulas(bad)
        self.html |= made
        return self.html


def banks(root: Path) -> dict[str, dict]:
    """Return the compiled bank of each language.

    Raises
    ------
    Faults
        For a file that is no valid bank, and for formulas that cannot be set.
    """
    loaded = [one for path in files(root).values() for one in questions.load(path, root)]
    set_formulas = Formulas(root)
    try:
        return {tag: compiled.compile(loaded, tag, set_formulas, one) for tag, one in settings(root).items()}
    except bank.QuestionFaults as error:
        raise Faults(
            [
                Fault(one.file, f"question {one.where}", one.rule, f"expected {one.expected}, got {one.got}", one.mend)
                for one in error.faults
            ]
        ) from None
    except ValueError as error:
        raise BookError(f"the practice deck cannot be made: {error}") from None


def version(root: Path) -> str:
    """Return eight hex digits that change with the bank: the page asks for its index under them."""
    total = hashlib.sha256()
    for slug, path in files(root).items():
        total.update(json.dumps([slug, titles(root, slug)]).encode() + path.read_bytes())
    for name in (claims.FILE, topics.FILE):
        if (root / name).is_file():
            total.update((root / name).read_bytes())
    return total.hexdigest()[:8]


def write_scripts(one: Mapping, folder: Path) -> None:
    """Write the bank of one language as the classic scripts of the site, and remove those of chapters that are gone."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {"index.js": compiled.script({"index": one["index"]})}
    made |= {f"{slug}.js": compiled.script({"part": part}) for slug, part in one["parts"].items()}
    for path in folder.glob("*.js"):
        if path.name not in made:
            path.unlink()
    for name, text in made.items():
        (folder / name).write_text(text, encoding="utf-8")


def write(root: Path, url: str | None = None) -> Path:
    """Bring ``root/_build/deck`` up to date and return it; return at once when nothing has changed.

    Parameters
    ----------
    url : the site's public address, so that a notebook's cards can link to its pages.

    Raises
    ------
    BookError
        When a question file is wrong, a tool is missing, or another process is at it.
    """
    root = root.resolve()
    home = frontend.home(root)

    def fill(new: Path) -> None:
        made = {"version": compiled.VERSION, "url": url, "languages": banks(root)}
        (new / "bank.json").write_text(json.dumps(made, ensure_ascii=False, allow_nan=False), encoding="utf-8")
        bundle.write_module(new / "deck.mjs", root=home)
        (new / "deck.css").write_text(deck_style.sheet(root), encoding="utf-8")

    return bring_up_to_date(root / FOLDER, lambda: fingerprint.of_book(root, home, url), fill)


def read(folder: Path, tag: str) -> dict:
    """Return the bank of one language from the files that `write` has made."""
    return json.loads((folder / "bank.json").read_text(encoding="utf-8"))["languages"][tag]
