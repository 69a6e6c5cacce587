"""The committed chapters are what ``interview-book run`` would write, as far as that shows without running them."""

from pathlib import Path

import pytest

from interview_book.book.normal import complaints, normalise, parse, written

CHAPTERS = sorted((Path(__file__).parents[2] / "chapters").glob("*.ipynb"))


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_is_in_normal_form_and_shows_no_error(path):
    notebook = parse(path)
    assert path.read_text(encoding="utf-8") == written(normalise(notebook)), f"interview-book run {path.name}"
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [one for cell in code for one in complaints(cell)] == []
    assert [cell.id for cell in code if cell.source.strip() and not cell.execution_count] == []


def test_there_are_chapters():
    assert {"two-scores", "glossary"} <= {path.stem for path in CHAPTERS}
