"""The other edition's halves, fit to stand on this edition's page."""

import json
from html.parser import HTMLParser

import pytest

from interview_book.book import parallel
from interview_book.book.errors import BookError

_JA = """<html lang="ja"><svg><symbol id="i-x"></symbol></svg><article class="bd-article"><section id="top"><h1>題<a
class="headerlink" href="#top">#</a></h1><div class="passage" id="p-a"><p>文</p></div><div class="passage"
id="p-only-ja"><p>日</p></div><section id="why"><h2>理由</h2></section><div class="block"
id="p-shared"><section id="terms-1"><h2>あ</h2></section></div></section></article></html>"""
_ZH = """<html lang="zh-TW"><article class="bd-article"><section id="top"><h1>標題 <b>√dₖ</b><a class="headerlink"
href="#top">#</a></h1><div class="passage hero" id="p-a"><a class="passage-link" href="#p-a"></a>
<p id="x">甲<a class="reference internal" href="#why">理由</a><a href="#id7" id="id6" role="doc-noteref">1</a>
<a href="b.html#sec">乙章</a><a href="b.html#none">沒有</a><a href="../none.html">無此頁</a>
<a href="https://example.org/x?a=1&amp;b=2">外</a><a href="javascript:alert(1)">壞</a><a href="/abs.html">根</a></p>
<img src="../_images/same.png" alt="同"><img src="../_images/own%20file.png" alt="異"><br>
<svg viewBox="0 0 1 1"><use href="#i-x"></use></svg>
<label for="f">標籤</label><input id="f" name="n" aria-describedby="x"><p>a &lt; b &amp; c</p>
<div class="question" id="q-1">題目</div><script>alert(1)</script></div>
<div class="passage" id="p-only-zh"><p>中</p></div>
<div class="passage" id="p-empty"><div class="question">題目</div></div>
<div class="block" id="p-shared"><section id="terms-1"><h2>A</h2></section></div>
<section id="why"><h2>為什麼</h2></section></section></article></html>"""
_B = '<html><article class="bd-article"><section id="sec"><h1>{}</h1></section></article></html>'


@pytest.fixture
def site(tmp_path):
    files = {
        "ja/chapters/a.html": _JA,
        "ja/chapters/b.html": _B.format("乙"),
        "ja/_images/same.png": "",
        "ja/chapters/only.html": _B.format("日"),
        "zh-Hant/chapters/a.html": _ZH,
        "zh-Hant/chapters/b.html": _B.format("乙章"),
        "zh-Hant/_images/same.png": "",
        "zh-Hant/_images/own file.png": "",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    parallel.write_parallel(tmp_path)
    return tmp_path


def halves(site, tag, name):
    script = (site / tag / "_static" / "parallel" / f"{name}.js").read_text(encoding="utf-8")
    head = f'(window.bookParallel??={{}})["{name}"]='
    assert script.startswith(head)
    return json.loads(script.removeprefix(head).removesuffix(";\n"))


@pytest.fixture
def half(site):
    return halves(site, "ja", "chapters/a")["passages"]["p-a"]


class Checker(HTMLParser):
    """Balanced tags, and all attributes seen."""

    void = frozenset({"img", "br", "input", "hr"})

    def __init__(self):
        super().__init__()
        self.stack, self.attributes = [], []

    def handle_starttag(self, tag, attrs):
        self.attributes += [(tag, *one) for one in attrs]
        if tag not in self.void:
            self.stack.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.attributes += [(tag, *one) for one in attrs]

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag


def test_only_places_of_this_page_and_only_passages(site):
    value = halves(site, "ja", "chapters/a")
    assert value["lang"] == "zh-Hant"
    assert list(value["passages"]) == ["p-a"]
    assert value["titles"] == {"top": "標題 <b>√dₖ</b>", "why": "為什麼"}
    back = halves(site, "zh-Hant", "chapters/a")
    assert back == {"lang": "ja", "passages": {"p-a": "<p>文</p>"}, "titles": {"top": "題", "why": "理由"}}


def test_html_is_balanced_and_ties_to_nothing(half):
    checker = Checker()
    checker.feed(half)
    checker.close()
    assert checker.stack == []
    names = {name for _, name, _ in checker.attributes}
    assert names.isdisjoint({"id", "for", "name", "aria-describedby"})
    assert "a &lt; b &amp; c" in half
    assert "<script" not in half and "題目" not in half and "passage-link" not in half


def test_links_lead_somewhere_or_are_text(half):
    assert '<a class="reference internal" href="#why">理由</a>' in half
    assert '<a href="b.html#sec">乙章</a>' in half
    assert '<a href="https://example.org/x?a=1&amp;b=2">外</a>' in half
    assert half.count("<a ") == 3
    for text in ("1", "沒有", "無此頁", "壞", "根"):
        assert f"<span>{text}</span>" in half


def test_images_of_the_other_edition_are_reached(half):
    assert 'src="../_images/same.png"' in half
    assert 'src="../../zh-Hant/_images/own%20file.png"' in half


def test_pages_of_one_edition_only_get_no_script(site):
    assert not (site / "ja" / "_static" / "parallel" / "chapters" / "only.js").exists()


def test_the_script_is_lighter_than_the_page_it_comes_from(site):
    script = site / "ja" / "_static" / "parallel" / "chapters" / "a.js"
    assert script.stat().st_size < len(_ZH.encode("utf-8"))


def test_the_same_site_gives_the_same_bytes(site):
    path = site / "ja" / "_static" / "parallel" / "chapters" / "a.js"
    before = path.read_bytes()
    parallel.write_parallel(site)
    assert path.read_bytes() == before


def test_a_missing_edition_says_what_to_do(tmp_path):
    (tmp_path / "ja").mkdir()
    with pytest.raises(BookError, match=r"needs both editions.*Build zh-Hant first"):
        parallel.write_parallel(tmp_path)
