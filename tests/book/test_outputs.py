"""Code cells and their committed outputs."""

from __future__ import annotations

import pytest

from interview_book.book.outputs import code_findings, html_findings

# Put together, so that no path of a machine stands in the tree.
TEMPORARY, HOME = "tmp", "root"
_BOTH = '<b lang="ja">あ</b><b lang="zh-Hant">一</b>'


def _shown(**data):
    by_mime = {key.replace("_", "/", 1): value for key, value in data.items()}
    return {"output_type": "display_data", "metadata": {}, "data": by_mime}


def _stream(text, name="stdout"):
    return {"output_type": "stream", "name": name, "text": text}


def _add(output):
    return lambda cell: cell["outputs"].append(output)


@pytest.mark.parametrize(
    ("output", "rule", "said"),
    [
        ({"output_type": "error", "ename": "KeyError", "evalue": "x", "traceback": []}, "error-output", "KeyError: x"),
        (_stream("UserWarning: x", "stderr"), "stderr-output", "«UserWarning: x»"),
        (_stream("平均 = 3\n"), "output-language", "«平均 = 3»"),
        (_shown(text_plain="重み"), "output-language", "text/plain output of symbols"),
        (_shown(text_plain="<Line2D object at 0x7f12ab34>"), "output-address", "object at 0x7f12ab34"),
        (_shown(text_plain="<function f at 0x10>"), "output-address", "at 0x10"),
        (_stream(f"/{TEMPORARY}/ipykernel_71/5.py"), "output-path", f"/{TEMPORARY}/"),
        (_stream("/home/me/book"), "output-path", "/home/"),
        (_stream("lib/site-packages/x.py"), "output-path", "site-packages"),
        (_stream("C:\\Users\\me"), "output-path", "C:\\"),
        (_shown(text_html=f"<p>/{HOME}/x</p>"), "output-path", f"/{HOME}/"),
        (_shown(image_png="iVBORw0KGgo="), "figure-format", "a bitmap"),
        (_shown(text_html="<p>重み</p>"), "output-language", "«重み» outside of one"),
        (_shown(text_html='<p lang="ja">重み</p>'), "output-language", "found none in 繁體中文"),
        (_shown(text_html='<p lang="zh-Hant">權重</p>'), "output-language", "found none in 日本語"),
        (_shown(text_html='<p lang="ja">重み</p><p lang="zh-Hant">权重</p>'), "not-traditional", "found '权'"),
        (_shown(text_html=f"{_BOTH}<b lang='zh-TW'>一</b>"), "unknown-language", "'zh-TW'"),
        ({**_shown(), "data": {"application/vnd.jupyter.widget-view+json": {}}}, "widget-view", "a widget view"),
        ({**_shown(), "data": {"image/svg+xml": "<svg/>"}}, "figure-metadata", "for a figure, found none"),
    ],
)
def test_outputs(book, output, rule, said):
    book.cell("verdict", _add(output))
    book.expect(rule, said, where="cell 13 (verdict)")


def test_words_in_a_figure(book):
    svg = {**_shown(), "data": {"image/svg+xml": "<svg><text>重み</text></svg>"}}
    book.cell("figure", lambda cell: cell.update(outputs=[svg]))
    book.expect("output-language", "labels in a figure of symbols", where="(figure)")


@pytest.mark.parametrize(
    "html",
    [
        "<p>p = 0.5</p>",
        '<p><span lang="ja">重み</span><span lang="zh-Hant">權重</span> 0.5</p>',
        '<div lang="ja"><p>重み<br>です</p></div><div lang="zh-Hant"><img alt="權重"></div>',
        '<script type="application/json">{"重み": 1}</script>',
        "<style>/* 色 */</style>",
    ],
)
def test_html_in_both_languages_or_none(html):
    assert html_findings(html) == []


@pytest.mark.parametrize(
    "html", ['<img alt="重み">', '<button aria-label="戻る">x</button>', "<p>&#37325;み</p>", '<p lang="ja">重み</p>み']
)
def test_html_with_words_outside(html):
    assert "output-language" in [one.rule for one in html_findings(html)]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "empty-cell"),
        ("\n".join(f"x{i} = {i}" for i in range(16)), "long-cell"),
        ("# 重みを求める\nx = 1", "code-language"),
        ("%matplotlib inline", "code-magic"),
        ("!pip install x", "code-magic"),
    ],
)
def test_code(text, rule):
    assert [one.rule for one in code_findings({"source": text, "outputs": []})] == [rule]


def test_fifteen_lines_are_allowed():
    text = "\n".join(f"x{i} = {i} % 3" for i in range(15))
    assert code_findings({"source": text, "outputs": []}) == []


def test_a_long_cell_in_a_book(book):
    book.write("verdict", "\n".join(f"x{i} = {i}" for i in range(17)))
    book.expect("long-cell", "at most 15 lines in a code cell, found 17", where="(verdict)")
