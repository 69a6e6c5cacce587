"""Small books for the tests of ``interview_book.book``: the good one of ``tests/books``, to be spoilt in one place."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from interview_book.book import check

GOOD = Path(__file__).parents[1] / "books" / "good"


class SmallBook:
    """A copy of the good book. Cells are named by their id; every change is written at once."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def path(self, slug: str) -> Path:
        return self.root / "chapters" / f"{slug}.ipynb"

    def change(self, action: Callable[[dict], None], slug: str = "example") -> None:
        """Let ``action`` change the notebook."""
        notebook = json.loads(self.path(slug).read_text(encoding="utf-8"))
        action(notebook)
        self.path(slug).write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")

    def cell(self, name: str, action: Callable[[dict], None], slug: str = "example") -> None:
        """Let ``action`` change one cell."""
        self.change(lambda notebook: action(next(one for one in notebook["cells"] if one["id"] == name)), slug)

    def write(self, name: str, text: str, slug: str = "example") -> None:
        """Give a cell another source."""
        self.cell(name, lambda cell: cell.update(source=text), slug)

    def replace(self, name: str, old: str, new: str, slug: str = "example") -> None:
        """Replace a piece of a cell's source that must be there."""

        def action(cell: dict) -> None:
            assert old in cell["source"], cell["source"]
            cell["source"] = cell["source"].replace(old, new)

        self.cell(name, action, slug)

    def both(self, passage: str, ja: str, zh: str, slug: str = "example", **book: object) -> None:
        """Give both halves of a passage another source, and ``metadata.book``."""
        for tag, text in (("ja", ja), ("zh-Hant", zh)):

            def action(cell: dict, text: str = text) -> None:
                cell["source"] = text
                cell["metadata"]["book"] = dict(book)

            self.cell(f"{passage}-{tag}", action, slug)

    def file(self, name: str, old: str, new: str) -> None:
        """Replace a piece of another file that must be there."""
        path = self.root / name
        text = path.read_text(encoding="utf-8")
        assert old in text, text
        path.write_text(text.replace(old, new), encoding="utf-8")

    def faults(self) -> list[tuple[str, str, str]]:
        """What ``check`` says: (file and place, rule, message) a fault."""
        return [(f"{one.file}: {one.where}", one.rule, one.message) for one in check.faults(self.root)]

    def expect(self, rule: str, *said: str, where: str = "") -> None:
        """Demand faults of this rule alone, in this place, whose first message holds every one of ``said``."""
        found = self.faults()
        assert {name for _, name, _ in found} == {rule}, found
        place, _, message = found[0]
        assert where in place, found
        for piece in said:
            assert piece in message, found


@pytest.fixture
def book(tmp_path: Path) -> SmallBook:
    """A fresh copy of the good book."""
    return SmallBook(Path(shutil.copytree(GOOD, tmp_path / "book")))


def _sources(tag: str) -> dict:
    source = "```{bibliography}\n:filter: docname in docnames\n```"
    metadata = {"tags": [f"lang-{tag}"]}
    return {"cell_type": "markdown", "id": f"sources-{tag}", "metadata": metadata, "source": source}


@pytest.fixture(scope="session")
def prepare_book(root: Path) -> Callable[[Path], None]:
    """Copy the good book with the repository's settings, ready for Sphinx: a page that cites lists its sources."""

    def prepare(folder: Path) -> None:
        shutil.copytree(GOOD, folder)
        shutil.copy(root / "_config.yml", folder)
        shutil.copy(root / "chapters" / "references.bib", folder / "chapters")
        book = SmallBook(folder)
        book.change(lambda notebook: notebook["cells"].extend(map(_sources, ("ja", "zh-Hant"))))

    return prepare
