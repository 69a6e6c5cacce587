"""``interview-book serve``: the built site on this machine, as a plain static host would serve it."""

from __future__ import annotations

import errno
import re
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from interview_book.book.errors import BookError
from interview_book.book.languages import LANGUAGES

HOST = "127.0.0.1"
# Named here, because what the system's own table says differs from machine to machine.
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".wasm": "application/wasm",
    ".xml": "application/xml",
    ".txt": "text/plain; charset=utf-8",
    ".ipynb": "application/x-ipynb+json",
    ".whl": "application/zip",
}  # Pagefind's own files are bytes, as everything else.
_EDITION = re.compile(rf"/({'|'.join(map(re.escape, LANGUAGES))})/")


class Handler(SimpleHTTPRequestHandler):
    """Serves files below one folder; never lists a folder, never shows a hidden file."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # a body is a packet of its own; it would wait 40 ms for the answer to its head
    extensions_map = {**dict.fromkeys(("",), "application/octet-stream"), **TYPES}  # noqa: RUF012 (the base class's name)

    def send_head(self):
        path = unquote(urlsplit(self.path).path)
        if "\0" in path or any(part.startswith(".") for part in path.split("/")):
            self.send_error(HTTPStatus.NOT_FOUND)
            return None
        return super().send_head()

    def list_directory(self, path):
        self.send_error(HTTPStatus.NOT_FOUND)

    def end_headers(self) -> None:
        # Ask each time: the next build may have changed the file. Unchanged ones are answered with 304.
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def send_error(self, code, message=None, explain=None) -> None:
        """Answer «not found» with the page of the edition that was asked for; anything else in plain words."""
        found = _EDITION.match(urlsplit(getattr(self, "path", "/")).path)  # a bad request line has no path yet
        page = Path(self.directory, found[1] if found else "", "404.html")
        if code != HTTPStatus.NOT_FOUND or not page.is_file():
            super().send_error(code, message, explain)
            return
        body = page.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", TYPES[".html"])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format, *args) -> None:
        """Say nothing about each request: the terminal belongs to the person who started us."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # A port that another program listens on must be an error, also where the system would let us share it.
    allow_reuse_address = not hasattr(socket, "SO_EXCLUSIVEADDRUSE")

    def handle_error(self, request, client_address) -> None:
        """A browser that goes away in the middle of an answer is no error of ours."""


def server(site: Path, port: int) -> ThreadingHTTPServer:
    """Return a server of ``site`` that is bound to ``port`` (0: any free one) and not yet serving.

    Raises
    ------
    BookError
        When there is no site, or the port is taken or not allowed.
    """
    if not (site / "index.html").is_file():
        raise BookError(f"no site to serve: expected {site / 'index.html'}, found nothing. Run `make site` first.")
    return _bound(port, partial(Handler, directory=str(site)))


def port_of(text: str) -> int:
    """Return the port that ``PORT=`` names; ``BookError`` for anything that is not a whole number."""
    if not re.fullmatch(r"[0-9]{1,5}", text):
        raise BookError(f"PORT={text} is no port: expected 1 to 65535, for example `make book PORT=8001`.")
    return int(text)


def require_free(port: int) -> None:
    """Raise the ``BookError`` of `server` if the port cannot be had: said before a build, not after it."""
    _bound(port, Handler).server_close()


def _bound(port: int, handler: Callable[..., BaseHTTPRequestHandler]) -> ThreadingHTTPServer:
    if not 0 <= port <= 65535:
        raise BookError(f"PORT={port} is no port: expected 1 to 65535, for example `make book PORT=8001`.")
    try:
        return _Server((HOST, port), handler)
    except OSError as error:
        if error.errno in (errno.EADDRINUSE, getattr(errno, "WSAEADDRINUSE", errno.EADDRINUSE)):
            raise BookError(
                f"port {port} is taken: choose another one with PORT=, for example `make book PORT={port % 65535 + 1}`."
            ) from None
        raise BookError(f"cannot serve on port {port} ({error.strerror}): choose another one with PORT=.") from None


def listen(site: Path, port: int) -> None:
    """Serve ``site`` at http://127.0.0.1:port until interrupted."""
    with server(site, port) as http:
        print(f"http://{HOST}:{http.server_address[1]}  (Ctrl+C stops)", flush=True)
        with suppress(KeyboardInterrupt):  # how a reader leaves; not a failure
            http.serve_forever()
