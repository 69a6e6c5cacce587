"""The site's public address."""

from __future__ import annotations

import re

from interview_book.book.errors import BookError


def require_address(url: str | None) -> None:
    """Raise ``BookError`` for a public address that no link could carry; None means that the site has none."""
    if url is not None and not re.fullmatch(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~%/-]*)?", url):
        raise BookError(f"--url {url!r} is no address: expected one like https://example.org/book, without ? or #.")
