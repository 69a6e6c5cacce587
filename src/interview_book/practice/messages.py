"""What a child process says, read as a stranger's words: bounded, checked, never unpickled."""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import threading
import time
from dataclasses import dataclass, field

import numpy as np

_DTYPE = re.compile(r"[<>|=]?[fciub][0-9]{1,2}")
_LARGEST = 8 << 20  # of one message


@dataclass(frozen=True)
class Outcome:
    """How one call ended.

    Attributes
    ----------
    call : its number.
    kind : ``array``, ``other`` (another type), ``raised`` or ``exit``.
    value : the array, None where it was too large to send or holds objects.
    shape, dtype : of an array, also of one that was not sent.
    type : of what was returned or raised.
    text : of the exception. ``steps`` are its lines, ``(file, line, function)``.
    changed : numbers of the arguments that the call changed.
    ready_made : libraries that were used and are not NumPy.
    """

    call: int
    kind: str
    value: np.ndarray | None = None
    shape: tuple[int, ...] = ()
    dtype: str = ""
    type: str = ""
    text: str = ""
    steps: tuple[tuple[str, int, str], ...] = ()
    changed: tuple[int, ...] = field(default=())
    ready_made: tuple[str, ...] = field(default=())


def outcome(header: dict, data: bytes) -> Outcome | None:
    """The outcome that a message tells, None for a message that is none of ours."""
    try:
        common = {
            "call": int(header["call"]),
            "kind": str(header["kind"]),
            "type": clean(header.get("type", ""), 60),
            "text": clean(header.get("text", "")),
            "steps": tuple((str(file), int(line), clean(name, 60)) for file, line, name in header.get("steps", ())),
            "changed": tuple(int(at) for at in header["changed"]),
            "ready_made": tuple(clean(name, 40) for name in header["ready-made"]),
        }
        if common["kind"] != "array":
            return Outcome(**common) if common["kind"] in ("other", "raised", "exit") and not data else None
        shape, dtype = tuple(int(size) for size in header["shape"]), str(header["dtype"])[:20]
        value = None
        if header["whole"]:
            if not _DTYPE.fullmatch(dtype) or min(shape, default=0) < 0:
                return None
            if math.prod(shape) * np.dtype(dtype).itemsize != len(data):
                return None
            value = np.frombuffer(data, dtype).reshape(shape) if data else np.empty(shape, dtype)
        return Outcome(**common, value=value, shape=shape, dtype=dtype)
    except (KeyError, TypeError, ValueError, OverflowError):
        return None


def clean(said: object, most: int = 400) -> str:
    """A text that can be encoded and shown: no half of a surrogate pair, no control signs but line breaks."""
    whole = str(said)[:most].encode("utf-8", "replace").decode("utf-8")
    return "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in whole)


class Reader:
    """A thread that drains one pipe; what exceeds ``limit`` bytes is read and dropped, so that nobody blocks."""

    def __init__(self, descriptor: int, limit: int) -> None:
        self._descriptor, self._limit = descriptor, limit
        self._kept, self._more, self._ended = bytearray(), False, False
        self._news = threading.Condition()
        self._thread = threading.Thread(target=self._drain, daemon=True)
        self._thread.start()

    def _drain(self) -> None:
        while True:
            try:
                piece = os.read(self._descriptor, 1 << 16)
            except OSError:
                piece = b""
            with self._news:
                room = self._limit - len(self._kept)
                self._kept += piece[:room]
                self._more |= len(piece) > room
                self._ended = not piece
                self._news.notify_all()
            if not piece:
                return

    def _take(self, size: int, deadline: float) -> bytes | str:
        """Exactly ``size`` bytes, or ``time``, ``closed``."""
        with self._news:
            while len(self._kept) < size:
                if self._ended:
                    return "closed"
                left = deadline - time.monotonic()
                if left <= 0:
                    return "time"
                self._news.wait(left)
            taken = bytes(self._kept[:size])
            del self._kept[:size]
            return taken

    def message(self, nonce: bytes, deadline: float) -> tuple[dict, bytes] | str:
        """The next message as header and data, or ``time``, ``closed``, ``disturbed``."""
        head = self._take(len(nonce) + 8, deadline)
        if isinstance(head, str):
            return head
        size = int.from_bytes(head[len(nonce) :], "big")
        if head[: len(nonce)] != nonce or not 4 <= size <= _LARGEST:
            return "disturbed"
        body = self._take(size, deadline)
        if isinstance(body, str):
            return body
        length = int.from_bytes(body[:4], "big")
        try:
            header = json.loads(body[4 : 4 + length])
        except ValueError:
            return "disturbed"
        return (header, body[4 + length :]) if isinstance(header, dict) else "disturbed"

    def text(self) -> tuple[str, bool]:
        """What was read as text, and whether there was more."""
        with self._news:
            return self._kept.decode("utf-8", "replace"), self._more

    def close(self) -> None:
        """Wait a moment for what is still under way, then close the pipe."""
        self._thread.join(0.2)
        if not self._thread.is_alive():
            with contextlib.suppress(OSError):
                os.close(self._descriptor)
