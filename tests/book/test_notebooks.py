"""Reading notebooks: errors that say what to do, units in order, chapters in the order of the table of contents."""

from __future__ import annotations

import json

import pytest

from interview_book.book import notebooks
from interview_book.book.errors import BookError, Faults


def _markdown(name, *tags):
    return {"cell_type": "markdown", "id": name, "metadata": {"tags": list(tags)}, "source": "x"}


def _code(name):
    return {"cell_type": "code", "id": name, "metadata": {}, "source": "1", "outputs": [], "execution_count": None}


def test_read_keeps_the_order_of_the_file(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text('{"nbformat_minor": 5, "cells": [], "nbformat": 4, "metadata": {}}', encoding="utf-8")
    assert list(notebooks.read(path)) == ["nbformat_minor", "cells", "nbformat", "metadata"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x8a\xff", "expected UTF-8, got byte 0x8a at position 0"),
        (b'{"cells": [}', "expected JSON, got Expecting value at line 1 column 12"),
        (b'{"cells": [], "nbformat": 4, "nbformat_minor": 4}', "expected nbformat 4.5, got nbformat 4.4"),
        (b"[]", "expected nbformat 4.5, got no notebook"),
        (b'{"nbformat": 4, "nbformat_minor": 5}', "expected a list `cells`"),
        (b'{"cells": [3], "nbformat": 4, "nbformat_minor": 5}', "expected a list `cells`"),
    ],
)
def test_read_says_what_is_wrong(tmp_path, content, said):
    path = tmp_path / "a.ipynb"
    path.write_bytes(content)
    with pytest.raises(BookError) as error:
        notebooks.read(path)
    assert said in str(error.value)
    assert str(path) in str(error.value)


def test_read_of_a_missing_file(tmp_path):
    with pytest.raises(BookError, match="found no file"):
        notebooks.read(tmp_path / "none.ipynb")


def test_read_of_a_folder(tmp_path):
    with pytest.raises(BookError, match="cannot be read"):
        notebooks.read(tmp_path)


def test_source_joins_the_lines_of_a_list():
    assert notebooks.source({"source": ["a\n", "b"]}) == "a\nb"
    assert notebooks.source({"source": "a\nb"}) == "a\nb"
    assert notebooks.source({}) == ""


def test_language_and_name():
    half = _markdown("weights-read-zh-Hant", "lang-zh-Hant")
    assert (notebooks.language_of(half), notebooks.passage_name(half)) == ("zh-Hant", "weights-read")
    formula = _markdown("odds")
    assert (notebooks.language_of(formula), notebooks.passage_name(formula)) == (None, "odds")
    assert notebooks.language_of(_code("c") | {"metadata": {"tags": ["lang-ja"]}}) is None


def test_units_in_order():
    cells = [_markdown("a-ja", "lang-ja"), _markdown("a-zh-Hant", "lang-zh-Hant"), _code("c"), _markdown("f")]
    passage, code, formula = notebooks.units({"cells": cells})
    assert (passage.name, passage.index, passage.half("ja"), passage.half("zh-Hant")) == ("a", 0, cells[0], cells[1])
    assert isinstance(code, notebooks.Code)
    assert (code.cell, code.index) == (cells[2], 2)
    assert isinstance(formula, notebooks.Formula)
    assert (formula.cell, formula.index) == (cells[3], 3)


def test_units_raise_every_lonely_half():
    cells = [_markdown("a-zh-Hant", "lang-zh-Hant"), _markdown("b-ja", "lang-ja"), _code("c")]
    with pytest.raises(Faults) as error:
        notebooks.units({"cells": cells})
    assert [one.where for one in error.value.faults] == ["cell 0 (a-zh-Hant)", "cell 1 (b-ja)"]


def test_chapters_in_the_order_of_the_contents(tmp_path):
    toc = "format: jb-book\nroot: chapters/index\nparts:\n- caption: a\n  chapters:\n  - file: chapters/z\n"
    toc += "    sections:\n    - file: chapters/m\n- caption: b\n  chapters:\n  - file: chapters/a\n"
    (tmp_path / "_toc.yml").write_text(toc, encoding="utf-8")
    assert [path.relative_to(tmp_path).as_posix() for path in notebooks.chapters(tmp_path)] == [
        f"chapters/{name}.ipynb" for name in ("index", "z", "m", "a")
    ]


@pytest.mark.parametrize(("text", "said"), [("root: [", "expected YAML"), ("format: jb-book", "root: chapters/index")])
def test_a_bad_table_of_contents(tmp_path, text, said):
    (tmp_path / "_toc.yml").write_text(text, encoding="utf-8")
    with pytest.raises(BookError, match=said):
        notebooks.chapters(tmp_path)


def test_a_missing_table_of_contents(tmp_path):
    with pytest.raises(BookError, match="found no file"):
        notebooks.chapters(tmp_path)


def test_metadata_of_another_form_is_no_crash():
    cell = {"cell_type": "markdown", "id": "a", "metadata": {"tags": "lang-ja", "book": 3}, "source": "x"}
    assert notebooks.tags(cell) == ["lang-ja"]
    assert notebooks.ours(cell) == {}
    assert json.dumps(cell)


@pytest.mark.parametrize("odd", [3, "x", ["x"], True], ids=str)
@pytest.mark.parametrize(
    "place",
    [
        ("metadata",),
        ("metadata", "kernelspec"),
        ("cells", 0, "metadata"),
        ("cells", 0, "source"),
        ("cells", 1, "outputs"),
        ("cells", 1, "outputs", 0),
        ("cells", 1, "outputs", 0, "text"),
        ("cells", 1, "outputs", 1, "data"),
    ],
    ids=str,
)
def test_a_value_of_another_type_is_told_with_its_place(tmp_path, place, odd):
    if place[-1] in ("source", "text") and odd in ("x", ["x"]):
        odd = {"x": 1}  # text, or a list of lines, is what stands there
    if place[-1] == "outputs" and odd == ["x"]:
        odd = [["x"]]
    code = {"cell_type": "code", "id": "c", "metadata": {}, "source": "1", "execution_count": 1}
    code["outputs"] = [
        {"output_type": "stream", "name": "stdout", "text": "a"},
        {"output_type": "display_data", "metadata": {}, "data": {"text/plain": "a"}},
    ]
    text = {"cell_type": "markdown", "id": "m", "metadata": {}, "source": "a"}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {}}, "cells": [text, code]}
    notebook["metadata"]["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    assert notebooks.read(path)["nbformat"] == 4
    inner = notebook
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = odd
    path.write_text(json.dumps(notebook), encoding="utf-8")
    with pytest.raises(BookError, match=r"expected what nbformat 4\.5 allows at "):
        notebooks.read(path)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a": ' + "1" * 6_000 + "}"], ids=["deep", "long"])
def test_json_that_python_cannot_take_is_told(tmp_path, text):
    path = tmp_path / "a.ipynb"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BookError, match=r"a\.ipynb: expected"):
        notebooks.read(path)


@pytest.mark.parametrize("name", ["/etc/passwd", "../outside", "a\0b"])
def test_a_document_outside_of_the_book_is_told(tmp_path, name):
    (tmp_path / "_toc.yml").write_text(json.dumps({"format": "jb-book", "root": name}), encoding="utf-8")
    with pytest.raises(BookError, match="expected documents below it"):
        notebooks.contents(tmp_path)
