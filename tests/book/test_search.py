"""The index of an edition and the bridge to it."""

import gzip
import json
import shutil
from pathlib import Path

import pytest

from interview_book.book import search
from interview_book.book.errors import BookError
from interview_book.book.pagetext import Page, Segment

PAGE = Page(
    "chapters/a.html",
    "題 <1>, 二",
    [
        Segment("a", "題 <1>, 二", "題 <1>, 二", "head"),
        Segment("p-x", "題 <1>, 二", "分散は & 大きい"),
        Segment("p-x", "題 <1>, 二", 'print("8")', "code"),
        Segment("b", "節", "節", "head"),
    ],
)


@pytest.fixture
def edition(tmp_path):
    """A built edition: one chapter, and what is no chapter."""
    folder = tmp_path / "zh-Hant"
    body = '<section id="a"><h1>縮放, 與變異數</h1><div class="passage" id="p-x"><p>變異數是 dₖ。</p></div></section>'
    files = {
        "chapters/a.html": f'<html lang="zh-TW"><article class="bd-article">{body}</article></html>',
        "index.html": '<html><meta http-equiv="refresh" content="0; chapters/a.html"></html>',
        "genindex.html": "<html><article>索引 變異數</article></html>",
        "_static/copy.html": "<html><article>樣板 變異數</article></html>",
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_only_articles_of_the_book_are_read(edition):
    assert [page.url for page in search.pages(edition)] == ["chapters/a.html"]


def test_record_gives_every_segment_an_id_of_its_own():
    html = search.record(PAGE, "ja")
    assert '<html lang="ja">' in html
    assert '<h1 id="a">題 &lt;1&gt;, 二</h1>' in html
    assert '<p id="p-x">分散は &amp; 大きい</p>' in html
    assert '<pre id="p-x~2">print(&quot;8&quot;)</pre>' in html
    assert '<h2 id="b">節</h2>' in html
    assert "data-pagefind-meta" not in html  # the h1 is the title


def test_record_of_a_page_without_a_heading_still_has_a_title():
    html = search.record(Page("a.html", "題", [Segment("", "", "文")]), "ja")
    assert '<h1 data-pagefind-meta="title" data-pagefind-ignore>題</h1>' in html
    assert '<p id="~1">文</p>' in html


def test_text_script_is_a_classic_script_with_everything():
    script = search.text_script([PAGE])
    assert script.startswith("window.bookText=") and script.endswith(";\n")
    ((url, title, segments),) = json.loads(script.removeprefix("window.bookText=").removesuffix(";\n"))
    assert (url, title) == ("chapters/a.html", "題 <1>, 二")
    assert segments[1:3] == [["p-x", title, "分散は & 大きい", "text"], ["p-x", title, 'print("8")', "code"]]


def test_index_has_one_language_and_no_interface_of_pagefinds(edition):
    search.write_text(edition)
    search.index({"zh-Hant": edition})
    out = edition / "pagefind"
    entry = json.loads((out / "pagefind-entry.json").read_text(encoding="utf-8"))
    assert list(entry["languages"]) == ["zh-tw"]
    assert entry["languages"]["zh-tw"]["page_count"] == 1
    assert (out / "pagefind.js").is_file()
    assert not list(out.glob("*ui*")) and not list(out.glob("*highlight*"))
    (path,) = (out / "fragment").iterdir()
    fragment = json.loads(gzip.decompress(path.read_bytes()).decode("utf-8").removeprefix("pagefind_dcd"))
    assert fragment["meta"]["title"] == "縮放, 與變異數"
    assert [(one["element"], one["id"], one["text"]) for one in fragment["anchors"]] == [
        ("h1", "a", "縮放, 與變異數"),
        ("p", "p-x", "變異數是 dₖ。"),
    ]
    assert "變異數是 dₖ。" in (edition / "_static" / "search-text.js").read_text(encoding="utf-8")


def test_index_of_nothing_says_what_to_do(tmp_path):
    with pytest.raises(BookError, match=r"nothing to index.*Build it first"):
        search.write_text(tmp_path)


def test_index_of_an_unknown_edition(tmp_path):
    with pytest.raises(BookError, match=r"unknown edition 'zh'"):
        search.index({"zh": tmp_path})


def test_two_editions_in_one_run_are_as_from_two(edition):
    """Also that no file is cut short, as by Pagefind's own writing when it is ended at once."""
    search.write_text(edition)
    twin = Path(shutil.copytree(edition, edition.with_name("ja")))
    search.index({"ja": twin, "zh-Hant": edition})
    together = _indexed(edition)
    for path in edition.glob("pagefind/**/*pagefind"):
        gzip.decompress(path.read_bytes())
    shutil.rmtree(edition / "pagefind")
    search.index({"zh-Hant": edition})
    assert _indexed(edition) == together


def _indexed(folder):
    return {path.name: path.read_bytes() for path in (folder / "pagefind").rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("tag", "text", "expected"),
    [
        ("zh-Hant", "縮放變異數", {"缩": "縮", "变": "變", "异": "異", "数": "數", "変": "變"}),
        ("ja", "変数", {"變": "変", "变": "変", "數": "数"}),
        ("zh-Hant", "關係 系統", {"关": "關", "関": "關", "系": "系係"}),  # 系 is a word of the text, and may be 係
        ("ja", "かな abc", {}),
    ],
)
def test_characters(tag, text, expected):
    found = search.characters(text, tag)
    assert {typed: found.get(typed) for typed in expected} == expected
    assert all(typed not in text or found[typed][0] == typed for typed in found)


def test_signs_are_what_a_keyboard_can_type():
    assert search.signs("√dₖ と dₖ、c² は dᵥ ではない。x1") == {"dk": "dₖ", "c2": "c²", "dv": "dᵥ"}


def test_terms_have_every_spelling_once():
    entry = {
        "key": "variance", "en": "variance", "ja": "分散", "kana": "ぶんさん", "ja_said": "分散", "zh-Hant": "變異數",
        "zh_said": "變異數", "aliases": {"zh-Hant": ["變方"], "en": ["var"]}, "forbidden": {"zh-Hant": {"方差": []}},
    }  # fmt: skip
    assert search.terms([entry]) == [[["分散"], ["變異數", "變方"], ["variance", "ぶんさん", "var", "方差"]]]


def test_bridge_reads_the_books_own_text(tmp_path):
    chapters = tmp_path / "chapters"
    chapters.mkdir()
    cells = [
        {"metadata": {"tags": ["lang-zh-Hant"]}, "source": ["縮放\n", "√dₖ"]},
        {"metadata": {"tags": ["lang-ja"]}, "source": "変える"},
        {"metadata": {"book": {"figure": {"caption": {"zh-Hant": "圖", "ja": "図"}}}}, "source": "code 軟"},
    ]
    (chapters / "a.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
    (chapters / "a.questions.yml").write_text("- {id: q, ask: {ja: 点, zh-Hant: 點}}\n", encoding="utf-8")
    (chapters / "terms.yml").write_text("- {key: scaling, en: scaling, ja: 縮尺, zh-Hant: 縮放}\n", encoding="utf-8")
    script = search.bridge(tmp_path)
    value = json.loads(script.removeprefix("window.bookBridge=").removesuffix(";\n"))
    assert value["characters"]["zh-Hant"] | {"缩": "縮", "图": "圖", "点": "點"} == value["characters"]["zh-Hant"]
    assert "软" not in value["characters"]["zh-Hant"]  # not in the text of this edition
    assert value["characters"]["ja"]["變"] == "変"
    assert value["signs"] == {"dk": "dₖ"}
    assert value["terms"] == [[["縮尺"], ["縮放"], ["scaling"]]]


def test_bridge_without_a_glossary(tmp_path):
    (tmp_path / "chapters").mkdir()
    assert '"terms":[]' in search.bridge(tmp_path)
