"""Formulas, rendered while the book is built: KaTeX from ``node_modules`` on the Node that the environment ships.

sphinxcontrib-katex keeps a Node process that renders; this module tells it where Node and KaTeX are, waits for a server
that is slow to come up, and writes formulas with the place of a bad one in the error.
"""

from __future__ import annotations

import shutil
import socket
import time
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.locale import _
from sphinx.util import logging
from sphinxcontrib import katex

from interview_book.book import frontend
from interview_book.book import node as wheel_node
from interview_book.book.errors import BookError

RENDERER = "book"
_SERVER = katex.SCRIPT_PATH
LOGGER = logging.getLogger(__name__)
# Two builds at once make the first connection fail now and then: the socket is there before the server listens.
PATIENCE_SECONDS = 10.0
_rendered: dict[tuple[str, bool], str] = {}


class _PatientSocket(socket.socket):
    def connect(self, address) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return super().connect(address)
            except (ConnectionRefusedError, FileNotFoundError):
                if time.monotonic() > end:
                    raise
                time.sleep(0.01)


class _Sockets:
    """The socket module as sphinxcontrib-katex sees it, with a ``connect`` that tries again."""

    socket = _PatientSocket

    def __getattr__(self, name: str):
        return getattr(socket, name)


def configure(config, root: Path, scratch: Path) -> None:
    """Point sphinxcontrib-katex at our Node and our KaTeX; a formula that KaTeX refuses is an error."""
    katex.NODEJS_BINARY = str(wheel_node.binary())
    katex.STARTUP_TIMEOUT = PATIENCE_SECONDS  # a loaded machine starts Node slowly
    katex.RENDER_TIMEOUT = PATIENCE_SECONDS
    katex.KATEX_DEFAULT_OPTIONS = {"throwOnError": True, "strict": False, "trust": False}
    katex.socket = _Sockets()
    _own_server(scratch)
    config.katex_prerender = True
    config.katex_js_path = str(frontend.katex(root) / "katex.min.js")
    config.katex_css_path = "katex.min.css"
    config.html_math_renderer = RENDERER
    config.math_numfig = False  # numbering starts at (1) in each chapter


def _own_server(scratch: Path) -> None:
    """Start the server from a copy named .cjs: where a package.json above .venv says "type": "module", Node would read
    the .js file below it as a module and stop."""
    scratch.mkdir(parents=True, exist_ok=True)
    copy = scratch / "katex-server.cjs"
    shutil.copyfile(_SERVER, copy)
    katex.SCRIPT_PATH, katex.SRC_DIR = str(copy), copy.parent


def start() -> None:
    """Start the server; when it does not come up raise ``ExtensionError``, once and not for each formula."""
    try:
        katex.KaTeXServer.get()
    except (katex.KaTeXError, OSError) as error:
        raise ExtensionError(f"the KaTeX server did not start: {error} Is {katex.NODEJS_BINARY} usable?") from error


def render(tex: str, display: bool) -> str:
    """Return a formula as HTML; raise ``BookError`` with KaTeX's own words when it cannot be set."""
    key = (tex, display)
    if key not in _rendered:
        start()
        try:
            _rendered[key] = katex.render_latex(tex, {"displayMode": display})
        except katex.KaTeXError as error:
            raise BookError(f"KaTeX cannot set the formula `{tex}`: {error}") from error
    return _rendered[key]


def _or_warn(node: nodes.Element, display: bool) -> str:
    try:
        return render(node.astext(), display)
    except BookError as error:
        LOGGER.warning("%s", error, location=node, type="book", subtype="formula")
        return ""


def visit_inline(translator, node: nodes.Element) -> None:
    """Write an inline formula."""
    translator.body.append(translator.starttag(node, "span", "", CLASS="math"))
    translator.body.append(_or_warn(node, display=False) + "</span>")
    raise nodes.SkipNode


def visit_display(translator, node: nodes.Element) -> None:
    """Write a displayed formula, and its number when it has one."""
    translator.body.append(translator.starttag(node, "div", CLASS="math"))
    translator.body.append(_or_warn(node, display=True))
    if node["number"]:
        translator.body.append(f'<span class="eqno">({node["number"]})')
        translator.add_permalink_ref(node, _("Link to this equation"))
        translator.body.append("</span>")
    translator.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app) -> None:
    """Register the renderer under our name; ``configure`` selects it."""
    app.add_html_math_renderer(RENDERER, inline_renderers=(visit_inline, None), block_renderers=(visit_display, None))



