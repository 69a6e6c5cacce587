"""Written texts of the bank: words, ``$…$`` formulas and ```code```, in the order in which they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator

_INLINE = re.compile(r"(?<!\\)\$([^$]+?)(?<!\\)\$|`([^`]+)`")


def pieces(text: str) -> Iterator[tuple[str, str]]:
    """Yield ``(kind, piece)``: ``words`` (with ``\\$`` made a plain $), ``maths`` (TeX without its $) and ``code``."""
    at = 0
    for match in _INLINE.finditer(text):
        if match.start() > at:
            yield "words", text[at : match.start()].replace(r"\$", "$")
        yield ("maths", match[1].strip()) if match[1] is not None else ("code", match[2])
        at = match.end()
    if at < len(text):
        yield "words", text[at:].replace(r"\$", "$")


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text, which empty lines part."""
    return [one.strip() for one in re.split(r"\n\s*\n", text.strip())]
