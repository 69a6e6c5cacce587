"""Build one edition with Jupyter Book, in a process of its own: Sphinx keeps its state in globals.

``python -m interview_book.book.sphinx_run ROOT CONFIG OUT`` writes the pages to ``OUT/html``; warnings are errors.
"""

from __future__ import annotations

import sys
from pathlib import Path


def skip_slow_imports() -> None:
    """Spare a second: at import jsonschema compiles 38 grammars of addresses, for formats that no schema of ours names.
    It copes with their absence."""
    sys.modules.setdefault("rfc3987_syntax", None)


def main(root: Path, config: Path, out: Path) -> int:
    """Return the exit status of the build: 0, or 1 after Sphinx has said on stderr what is wrong."""
    skip_slow_imports()
    from jupyter_book.sphinx import build_sphinx
    from sphinx.util.console import nocolor

    nocolor()
    result = build_sphinx(
        root,
        out / "html",
        noconfig=True,
        path_config=config,
        doctreedir=out / "doctrees",
        confoverrides={"external_toc_path": (root / "_toc.yml").as_posix(), "latex_individualpages": False},
        quiet=True,
        warningiserror=True,
        keep_going=True,
    )
    return 1 if result else 0  # an exception, which Sphinx has reported, counts as failure as well


if __name__ == "__main__":
    sys.exit(main(*(Path(one).resolve() for one in sys.argv[1:4])))
