"""How new the notes and note types for Anki are: Anki replaces what a reader has only by what has a later time.

A note is as new as the newest file that it was made from: the same files give the same times, and whoever edits a
question makes its notes newer. That fails where a file is changed after the clock was set back, or twice in one second.
So a builder keeps what it last made in its build folder (`Times.text`, never committed), and what says something else
than then is at least a second newer. Where that memory is gone as well (another machine, a cleaned folder), such a
change arrives together with the next one that is made under a right clock; until then readers keep the old text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256


class Times:
    """Times in seconds since 1970.

    Parameters
    ----------
    chapters : when the newest of each chapter's files was changed, those included that all notes are made from.
    common : when the newest of the files was changed that all notes are made from.
    memory : `text` of the former build; whatever it is not, it is taken for none.
    """

    def __init__(self, chapters: Mapping[str, int], common: int, memory: str = "") -> None:
        self._chapters, self._common = chapters, common
        self._former = _read(memory)
        self._made: dict[str, tuple[str, int]] = {}

    def of(self, name: str, content: object, chapter: str | None = None) -> int:
        """Return the time of what is called ``name`` and holds ``content`` (JSON types).

        ``chapter`` is its chapter; None for what belongs to none.
        """
        digest = sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()[:16]
        time = self._common if chapter is None else self._chapters[chapter]
        if name in self._former:
            then, before = self._former[name]
            time = max(time, before + (then != digest))
        self._made[name] = (digest, time)
        return time

    def text(self) -> str:
        """Return the memory for the next build. What has left the book stays in it: it may come back changed."""
        lines = (
            f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in sorted((self._former | self._made).items())
        )
        return "{\n" + ",\n".join(lines) + "\n}\n"


def _read(memory: str) -> dict[str, tuple[str, int]]:
    found = {}
    try:
        for name, (digest, time) in json.loads(memory).items():
            found[name] = (str(digest), int(time))
    except (ValueError, TypeError, AttributeError):
        return {}
    return found
