"""Build one edition, in a process of its own: Sphinx keeps its state in globals, and two editions take two cores.

``python -m interview_book.book.edition_run ROOT TAG WORK OUT [URL]`` imports what it needs, waits for a line ``go``,
builds ``WORK/html`` with ``WORK/_config.yml`` and puts the edition into ``OUT``. It says :data:`PAGES` when no page of
it will change any more, the text for the search is there, and only the notebooks are missing.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from interview_book.book.errors import BookError
from interview_book.book.slow import skip_execution, skip_slow_imports, without_collection

GO = "go"
PAGES = "the pages are whole"
# What Sphinx leaves at the top of an edition's folder and no page asks for; index.html is our own.
_LEFT = {".buildinfo", "objects.inv", "searchindex.js", "_sources", "index.html"}
_NEEDED = (
    "jupyter_book.sphinx", "myst_nb", "sphinx.builders.html", "sphinx_book_theme", "sphinx_external_toc",
    "sphinxcontrib.bibtex", "sphinxcontrib.katex", "interview_book.book.extension", "interview_book.book.plain",
    "interview_book.book.search",
)  # fmt: skip


def warm() -> None:
    """Import what the build will import; what is missing will be reported by the build."""
    skip_slow_imports()
    skip_execution()
    for name in _NEEDED:
        with suppress(ImportError):
            importlib.import_module(name)


def run_sphinx(root: Path, work: Path) -> bool:
    """Build the pages with Jupyter Book, warnings as errors; return whether it worked. Sphinx says why not."""
    from jupyter_book.sphinx import build_sphinx
    from sphinx.util.console import nocolor

    nocolor()
    result = build_sphinx(
        root,
        work / "html",
        noconfig=True,
        path_config=work / "_config.yml",
        doctreedir=work / "doctrees",
        confoverrides={"external_toc_path": (root / "_toc.yml").as_posix(), "latex_individualpages": False},
        quiet=True,
        warningiserror=True,
        keep_going=True,
    )
    return not result  # a status, or an exception that Sphinx has reported


def put_together(root: Path, tag: str, work: Path, out: Path, url: str | None) -> None:
    """Copy the edition's pages to ``out`` and add what is made from them: text to search, and plain notebooks."""
    from interview_book.book import notebooks, plain, search

    html = work / "html"
    shutil.copytree(html, out, ignore=lambda here, names: _LEFT & set(names) if Path(here) == html else ())
    documents = {name.removesuffix(".ipynb") for name in notebooks.contents(root)}
    for page in out.rglob("*.html"):
        if page.relative_to(out).with_suffix("").as_posix() not in documents:
            page.unlink()  # of a chapter that has left the contents; Sphinx never deletes
    search.write_text(out)
    print(PAGES, flush=True)
    (out / "notebooks").mkdir()
    known = plain.names(root, tag)
    for path in notebooks.chapters(root):
        if path.stem in known:  # all but the landing page
            notebook = plain.convert(notebooks.read(path), tag, slug=path.stem, root=root, known=known, url=url)
            text = json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"
            (out / "notebooks" / path.name).write_text(text, encoding="utf-8")


def _follow(parent: int) -> None:
    """End this process when the build that started it has been killed: it would hold the lock for nothing."""
    while os.getppid() == parent:
        time.sleep(0.2)
    os.kill(os.getpid(), signal.SIGTERM)


def main(root: str, tag: str, work: str, out: str, url: str | None = None) -> int:
    """Return the exit status; what is wrong stands on stdout and stderr."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # called off; KaTeX's server is ended at exit
    threading.Thread(target=_follow, args=(os.getppid(),), daemon=True).start()
    with without_collection():
        return _build(Path(root), tag, Path(work), Path(out), url)


def _build(root: Path, tag: str, work: Path, out: Path, url: str | None) -> int:
    warm()
    if sys.stdin.readline().strip() != GO:
        return 1  # called off
    if not run_sphinx(root, work):
        return 1
    try:
        put_together(root, tag, work, out, url)
    except BookError as error:
        print(error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
