"""The practice deck in a notebook: the cards, the scheduler and the look of the book's practice page.

All of it is one ES module, the same that the page runs. Python hands it the bank and keeps its progress in a file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

import anywidget
import traitlets

from interview_book.widgets import deck_files
from interview_book.widgets.named import Checked
from interview_book.widgets.progress_file import DEFAULT, ProgressFile

LANGUAGES = ("ja", "zh-Hant")
# Shown by the page until the deck is there, by a notebook that has not been run, and where scripts are off.
_FALLBACK = {
    "ja": "ここに練習の画面が開きます。サイトでは JavaScript を有効にし、ノートブックではこのセルを実行してください。",
    "zh-Hant": "練習會在這裡開啟。在網站上請啟用 JavaScript，在 notebook 裡請執行這個儲存格。",
}


def _names_a_file(progress: object) -> bool:
    """True for a path that the system can be asked for, whatever it then says."""
    try:
        name = os.fspath(progress)
        return isinstance(name, str) and bool(name) and b"\0" not in os.fsencode(name)
    except (TypeError, UnicodeEncodeError):
        return False


class Deck(anywidget.AnyWidget):
    """The deck. ``Deck()`` keeps its progress in ``~/.interview-book/practice.json``.

    Parameters
    ----------
    language : ``"ja"`` or ``"zh-Hant"``; both share one progress.
    progress : path of the file of progress, for example of one that the page has exported; a relative one is next to
        the notebook. What is in it is never lost: a corrupt file is kept under another name, a newer version's is left
        alone, and what another notebook has written meanwhile is merged.

    Attributes
    ----------
    progress : the document as JSON text, ``""`` before the first answer; what the page's export holds.
    file : where it is kept and how that goes: ``path``, ``state``, ``saved`` (times written), ``notices``.

    Raises
    ------
    traitlets.TraitError
        For another language, or a path that is none.
    RuntimeError
        When the deck's files are missing and cannot be made; the message says what to do.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    language = Checked("ja").tag(sync=True)
    index = traitlets.Dict(read_only=True).tag(sync=True)
    progress = traitlets.Unicode("").tag(sync=True)
    foreign = traitlets.Unicode("", read_only=True).tag(sync=True)
    file = traitlets.Dict(read_only=True).tag(sync=True)

    def __init__(self, language: str = "ja", progress: str | os.PathLike[str] = DEFAULT, **more: object) -> None:
        if not _names_a_file(progress):
            raise traitlets.TraitError(f"progress: expected the path of a file, got {progress!r}")
        self._file = ProgressFile(progress)
        self._saved = 0
        read = self._file.read()
        made = {"_esm": deck_files.text("deck.mjs"), "_css": deck_files.text("deck.css")}
        super().__init__(language=language, progress=read, **made, **more)
        self.set_trait("file", self._told())
        self.observe(self._save, "progress")
        self.on_msg(self._answer)

    @traitlets.default("index")
    def _index(self) -> dict:
        return deck_files.bank(self.language)["index"]

    @traitlets.validate("language")
    def _check_language(self, proposal: Mapping) -> str:
        if proposal["value"] not in LANGUAGES:
            raise traitlets.TraitError(f"language: expected 'ja' or 'zh-Hant', got {proposal['value']!r}")
        return proposal["value"]

    @traitlets.observe("language")
    def _follow_language(self, change: Mapping) -> None:
        self.set_trait("index", deck_files.bank(change["new"])["index"])

    def _save(self, change: Mapping) -> None:
        try:
            theirs = self._file.write(change["new"])
        except ValueError:
            return  # not a document: the front end never sends one, and nothing may replace what is there
        if theirs is not None:
            self._tell_foreign(theirs)
        elif self._file.state == "ok":
            self._saved += 1
        self.set_trait("file", self._told())

    def _tell_foreign(self, theirs: str) -> None:
        # The same document may come again; the front end hears only of what differs.
        self.set_trait("foreign", theirs if theirs != self.foreign else f"{theirs}\n")

    def _told(self) -> dict:
        one = self._file
        notices = [{"kind": "corrupt", "kept": one.kept}] if one.kept else []
        if one.state != "ok":
            notices.append({"kind": one.state, "reason": one.reason})
        return {"path": str(one.path), "state": one.state, "saved": self._saved, "notices": notices}

    def _answer(self, _: object, message: object, __: object) -> None:
        match message:
            case {"type": "part", "chapter": str(chapter)}:
                part = deck_files.bank(self.language)["parts"].get(chapter)
                self.send({"type": "part", "chapter": chapter, "part": part})
            case {"type": "read"}:
                theirs = self._file.changed()
                if theirs is not None:
                    self._tell_foreign(theirs)
                self.set_trait("file", self._told())
            case {"type": "set-aside"}:
                self._file.set_aside()
                self.progress = ""
                self.set_trait("file", self._told())

    def __repr__(self) -> str:
        return "Deck()"

    def _repr_mimebundle_(self, **kwargs: object) -> tuple[dict, dict]:
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        said = "".join(f'<p lang="{tag}">{text}</p>' for tag, text in _FALLBACK.items())
        return {**data, "text/plain": repr(self), "text/html": f'<div class="book-deck">{said}</div>'}, metadata
