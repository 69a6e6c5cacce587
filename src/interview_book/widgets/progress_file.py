"""The practice deck's progress in a file: written whole or not at all, and never over what somebody else wrote.

The file holds the document that the page exports. Only its outer form is looked at here; what is in it, and how two of
them become one, is known to the deck's JavaScript alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

# Of the document, as the deck's progress.js has it.
VERSION = 1
DEFAULT = Path("~") / ".interview-book" / "practice.json"


class ProgressFile:
    """One file of progress, and what we know of it.

    Parameters
    ----------
    path : where the file is or will be; ``~`` is the home folder, a relative path starts at the working folder (in a
        notebook: the notebook's).

    Attributes
    ----------
    state : ``ok``; ``blocked``: what may not be read or written; ``future``: a file of a newer version, which is never
        overwritten.
    kept : name under which a corrupt file is kept, ``""`` where there was none.
    reason : what the system said of a blocked file.
    """

    def __init__(self, path: str | os.PathLike[str] = DEFAULT) -> None:
        # Resolved, so that a link stays a link: only what it points at is replaced.
        self.path = Path(os.path.realpath(os.path.expanduser(path)))
        self.state, self.kept, self.reason = "ok", "", ""
        self._seen: str | None = None  # digest of what the file held when we last read or wrote it
        self._corrupt = False

    def read(self) -> str:
        """Return the document as text, ``""`` where there is none that can be read. Changes nothing on the disk."""
        text = ""
        try:
            text = self._take(self._bytes())
            if self.state == "ok":
                self._require_writable()
        except OSError as error:
            self._block(error)
        return text

    def changed(self) -> str | None:
        """Return the document if somebody else has written the file since we looked, None otherwise."""
        try:
            held = self._bytes()
        except OSError:
            return None
        return None if _digest(held) == self._seen else self._take(held) or None

    def write(self, text: str) -> str | None:
        """Put ``text`` into the file, or return what it holds instead.

        Returns
        -------
        None when it was written, or when it could not be (`state` says why). Otherwise the document that somebody else
        has written in between: merge it with yours and write again.

        Raises
        ------
        ValueError
            When ``text`` is no document of our version.
        """
        kind = _kind(text.encode())
        if kind != "document":
            raise ValueError(f"expected a document of progress, got one that is {kind}; nothing was written")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with _alone(self.path.parent):
                held = self._bytes()
                if _digest(held) != self._seen:
                    theirs = self._take(held)
                    if theirs:
                        return theirs
                if self.state == "future":
                    return None
                self._require_writable()
                if self._corrupt:
                    os.replace(self.path, self.path.with_name(self.kept))
                    self._corrupt = False
                _replace(self.path, text.encode())
                self._seen = _digest(text.encode())
                self.state, self.reason = "ok", ""
        except OSError as error:
            self._block(error)
        return None

    def set_aside(self) -> None:
        """Treat what the file holds as corrupt: the next `write` keeps it under another name."""
        with contextlib.suppress(OSError):
            held = self._bytes()
            if held is not None and _digest(held) == self._seen:
                self._mark(held)

    def _take(self, held: bytes | None) -> str:
        """Remember what the file holds, and return it if it is a document."""
        self._seen = _digest(held)
        self._corrupt, self.state, self.reason = False, "ok", ""
        kind = _kind(held)
        if kind == "future":
            self.state = "future"
        elif kind == "corrupt":
            self._mark(held or b"")
        return _text(held) if held is not None and kind == "document" else ""

    def _mark(self, held: bytes) -> None:
        self._corrupt = True
        self.kept = f"{self.path.stem}.corrupt-{hashlib.sha256(held).hexdigest()[:8]}{self.path.suffix}"

    def _bytes(self) -> bytes | None:
        """What the file holds, None where there is none; raises ``OSError`` for what is no file.

        A pipe would be waited for without end, and a device would be replaced by a file where one may do so.
        """
        try:
            mode = self.path.stat().st_mode
            if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):  # of a folder the system says so itself
                raise OSError(22, "Not a regular file", str(self.path))
            return self.path.read_bytes()
        except FileNotFoundError:
            return None

    def _require_writable(self) -> None:
        """Raise ``OSError`` where a write is bound to fail, or would replace what its owner has locked."""
        place = self.path
        while not place.exists() and place != place.parent:
            place = place.parent
        if place != self.path and not place.is_dir():
            raise NotADirectoryError(20, "Not a directory", str(place))
        if not os.access(place, os.W_OK):
            raise PermissionError(13, "Permission denied", str(place))

    def _block(self, error: OSError) -> None:
        self.state, self.reason = "blocked", error.strerror or str(error)


def _digest(held: bytes | None) -> str | None:
    return None if held is None else hashlib.sha256(held).hexdigest()


def _text(held: bytes) -> str:
    return held.decode("utf-8-sig")  # an editor may have put a mark in front


def _kind(held: bytes | None) -> str:
    """What the content of a file is: ``none``, ``document``, ``future`` or ``corrupt``."""
    if held is None or not held.strip():
        return "none"
    try:
        value = json.loads(_text(held))
    except (ValueError, RecursionError):
        return "corrupt"
    version = value.get("version") if isinstance(value, dict) else None
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        return "corrupt"
    return "future" if version > VERSION else "document"


def _replace(path: Path, content: bytes) -> None:
    """Write a file beside ``path``, down to the disk, and let it take that place in one step."""
    number, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open(number, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(OSError):
            os.chmod(name, path.stat().st_mode & 0o777)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    with contextlib.suppress(OSError):  # the name too; not every system lets one open a folder
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other decks out of the folder between looking and writing, where the system can lock a folder."""
    try:
        import fcntl

        number = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):
        yield
        return
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(number, fcntl.LOCK_EX)
        yield
    finally:
        os.close(number)
