"""The ES modules that widgets need in a notebook, where anywidget takes one file: those made of several are bundled.

They are the pairs ``stem.py`` and ``stem.js`` with a folder ``stem_view`` beside them, for the parts of the script.
``_build/modules`` holds them in the book's sources, the wheel has them beside the practice deck's files.
"""

from __future__ import annotations

from pathlib import Path

from interview_book.book import built, bundle, fingerprint, frontend

FOLDER = Path("_build") / "modules"


def entries(folder: Path = bundle.WIDGETS) -> list[Path]:
    """Return the scripts that are made of several files, in alphabetical order."""
    return [path for path in bundle.pairs(folder) if path.with_name(f"{path.stem}_view").is_dir()]


def write(root: Path) -> Path:
    """Bring ``root/_build/modules`` up to date and return it; return at once when nothing has changed.

    Raises
    ------
    BookError
        When a module is wrong, a tool is missing, or another process is at it.
    """
    home = frontend.home(root.resolve())

    def fill(new: Path) -> None:
        for entry in entries():
            bundle.write_module(new / f"{entry.stem}.mjs", entry=entry, root=home)

    return built.bring_up_to_date(root.resolve() / FOLDER, lambda: fingerprint.of_scripts(home), fill)
