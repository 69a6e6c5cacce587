"""Metadata: nothing unknown, everything in its form, figures in both languages."""

from __future__ import annotations

import pytest


def _put(**values):
    return lambda cell: cell["metadata"]["book"].update(values)


@pytest.mark.parametrize(
    ("name", "action", "rule", "said"),
    [
        ("read-ja", _put(vales={}), "unknown-metadata", "found 'vales'"),
        ("tip-ja", _put(figure={}), "unknown-metadata", "found 'figure'"),
        ("figure", _put(alow=[]), "unknown-metadata", "metadata.book of a code cell"),
        ("read-ja", _put(values=["0.982"]), "bad-metadata", "metadata.book.values as literal -> name"),
        ("read-ja", _put(allow=[2]), "bad-metadata", "metadata.book.allow as a list of literals"),
        ("read-ja", _put(claims="x"), "bad-metadata", "metadata.book.claims as a list"),
        ("read-ja", _put(relations=[""]), "bad-metadata", "metadata.book.relations"),
        ("tip-ja", {"class": "Hero Text"}, "bad-metadata", "metadata.book.class as class names"),
        ("weights", {"execution": {"iopub.status.busy": "2026"}}, "timing-metadata", "found 'execution'"),
        ("weights", {"scrolled": True}, "unknown-metadata", "tags, book in a cell's metadata, found 'scrolled'"),
    ],
)
def test_cells(book, name, action, rule, said):
    if isinstance(action, dict):
        given = action
        inside = "class" in given

        def action(cell):
            (cell["metadata"]["book"] if inside else cell["metadata"]).update(given)

    book.cell(name, action)
    found = [(place, message) for place, kind, message in book.faults() if kind == rule]
    assert len(found) == 1, found
    assert said in found[0][1]
    assert f"({name})" in found[0][0]


def test_a_book_that_is_no_mapping(book):
    book.cell("want-ja", lambda cell: cell["metadata"].update(book=["x"]))
    book.expect("unknown-metadata", "expected metadata.book to be a mapping", where="(want-ja)")


def test_an_attachment(book):
    book.cell("want-ja", lambda cell: cell.update(attachments={"a.png": {}}))
    book.expect("attachment", "no attachments", where="(want-ja)")


@pytest.mark.parametrize(
    ("figure", "rule", "said"),
    [
        ({"name": "Figure 1"}, "figure-metadata", "a figure name like fig-crossing, found 'Figure 1'"),
        ({"alt": {"ja": "右上がり"}}, "figure-metadata", "expected alt in 繁體中文 (zh-Hant), found none"),
        ({"alt": {"ja": " ", "zh-Hant": "往右上升"}}, "figure-metadata", "expected alt in 日本語 (ja), found none"),
        ({"width": 3}, "unknown-metadata", "found 'width'"),
    ],
)
def test_figures(book, figure, rule, said):
    book.cell("figure", lambda cell: cell["metadata"]["book"]["figure"].update(figure))
    found = [message for _, kind, message in book.faults() if kind == rule]
    assert len(found) == 1
    assert said in found[0]


def test_a_caption_in_one_language(book):
    book.cell("figure", lambda cell: cell["metadata"]["book"]["figure"]["caption"].pop("zh-Hant"))
    book.expect("figure-metadata", "expected caption in 繁體中文", where="(figure)")


def test_a_caption_in_a_third_language(book):
    caption = {"zh-CN": "标题"}
    book.cell("figure", lambda cell: cell["metadata"]["book"]["figure"]["caption"].update(caption))
    book.expect("unknown-language", "languages ja, zh-Hant in caption, found 'zh-CN'", where="(figure)")


@pytest.mark.parametrize(
    ("action", "rule", "said"),
    [
        (lambda metadata: metadata["kernelspec"].update(name="conda"), "kernel", "kernel python3, found 'conda'"),
        (lambda metadata: metadata.pop("kernelspec"), "kernel", "found None"),
        (lambda metadata: metadata.update(widgets={}), "widget-state", "metadata.widgets"),
        (lambda metadata: metadata.update(title="x"), "unknown-metadata", "the notebook's metadata, found 'title'"),
        (lambda metadata: metadata["language_info"].update(version="3.12"), "unknown-metadata", "found version"),
    ],
)
def test_notebooks(book, action, rule, said):
    book.change(lambda notebook: action(notebook["metadata"]))
    book.expect(rule, said, where="chapters/example.ipynb: ")
