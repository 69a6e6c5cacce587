"""Every built page, read as text: what a browser would show, load or follow, held against rules that can each fail."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import sys
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from interview_book.book import site as site_builder
from interview_book.book.languages import LANGUAGES, other


def _beside(name: str):
    """Load a module that stands beside this one (pytest imports test files without their folder)."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


rules = _beside("html_rules")
Page, RULES = rules.Page, rules.RULES


@pytest.fixture(scope="module")
def site(root) -> Path:
    ready = os.environ.get("BOOK_SITE")
    return Path(ready).resolve() if ready else site_builder.build(root)


@pytest.fixture(scope="module")
def pages(site) -> list[Page]:
    paths = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    assert len(paths) >= 3 + 4 * len(LANGUAGES)
    return [Page.of((site / path).read_text(encoding="utf-8"), path, site) for path in paths]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_page_keeps_the_rule(pages, rule):
    broken = {page.path: found for page in pages if (found := list(rule(page)))}
    assert broken == {}


def test_other_halves_keep_the_rules(site):
    """Parallel reading brings text as well: scan what its scripts would put into the page."""
    scripts = sorted(site.glob("*/_static/parallel/**/*.js"))
    assert len(scripts) >= 2 * len(LANGUAGES)
    broken = {}
    for path in scripts:
        data = json.loads(path.read_text(encoding="utf-8").partition("]=")[2].rstrip(";\n"))
        html = "".join([*data["passages"].values(), *data["titles"].values()])
        page = Page.of(f'<html lang="{data["lang"]}">{html}</html>', f"{path.relative_to(site)}")
        found = [
            one
            for rule in (rules.markdown, rules.tex, rules.traces, rules.foreign_hosts, rules.other_script)
            for one in rule(page)
        ]
        found += [one["id"] for one in page.soup.find_all(id=True)]
        if found:
            broken[path.name] = found
    assert broken == {}


def test_both_editions_have_the_same_places_and_numbers(site):
    documents = sorted(path.relative_to(site / "ja").as_posix() for path in (site / "ja" / "chapters").glob("*.html"))
    assert documents
    for document in documents:
        one, two = (
            BeautifulSoup((site / tag / document).read_text(encoding="utf-8"), "html.parser") for tag in LANGUAGES
        )
        for what in (
            "article .passage[id], article .block[id]",
            "article figure[id], article .math[id]",
            "article .question[id]",
        ):
            assert [each["id"] for each in one.select(what)] == [each["id"] for each in two.select(what)], (
                document,
                what,
            )
        names = [
            {each["id"] for each in soup.select("article section[id]") if not each["id"].startswith("terms-")}
            for soup in (one, two)
        ]
        assert names[0] == names[1] and names[0], document
        numbers = [
            re.findall(r"\(\d+\)", " ".join(each.get_text() for each in soup.select(".eqno"))) for soup in (one, two)
        ]
        assert numbers[0] == numbers[1] == [f"({i})" for i in range(1, len(numbers[0]) + 1)], document
        assert len(one.select("article .katex")) > 0 or "two-scores" not in document


def test_every_page_names_its_counterparts(site):
    for tag in LANGUAGES:
        for path in sorted((site / tag / "chapters").glob("*.html")):
            soup = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
            theirs = site / other(tag).tag / "chapters" / path.name
            switches = soup.select("a.language-switch")
            assert len(switches) == 2 and all((path.parent / one["href"]).resolve() == theirs for one in switches)
            led = {one["hreflang"]: (path.parent / one["href"]).resolve() for one in soup.select("link[rel=alternate]")}
            assert led == {tag: path, other(tag).tag: theirs, "x-default": site / "index.html"}
    assert not (site / "sitemap.xml").exists(), "only with an address of its own"


def test_styles_load_nothing_from_elsewhere(site):
    sheets = sorted(site.rglob("*.css"))
    assert sheets
    for sheet in sheets:
        for address in re.findall(r"url\(([^)]+)\)", sheet.read_text(encoding="utf-8")):
            address = address.strip("'\"")
            if address.endswith((".woff", ".ttf")):
                continue  # KaTeX names them behind woff2, which every browser of ours takes
            assert (
                address.startswith(("data:", "#")) or (sheet.parent / address.split("?")[0].split("#")[0]).is_file()
            ), (sheet.name, address)
    assert not [path for path in site.rglob("*") if rules.DROPPED.search(path.name)]


GOOD = """<html lang="ja"><head><title>題</title></head><body><h1 id="a">題です</h1>
<p>重みは <code>a**b</code> です。<span lang="zh-Hant">權重</span></p>
<svg role="img" aria-label="二本の曲線が交わる"></svg>
<span class="math"><span class="katex"><annotation>\\frac{1}{2}</annotation></span></span>
<a href="#a">先頭へ</a></body></html>"""
# Each rule, broken once or more: (rule, what is put in, where it stands).
BROKEN = [
    (rules.markdown, "<p>これは**「重要」**です</p>"),
    (rules.markdown, "<p>__注意__</p>"),
    (rules.markdown, "<p>~~古い~~</p>"),
    (rules.markdown, "<p>割る数は $c$ です</p>"),
    (rules.markdown, '<p title="**太字**の題">本文</p>'),
    (rules.tex, r"<p>勾配は \frac{1}{2} です</p>"),
    (rules.tex, r"<p>\(c\) で割る</p>"),
    (rules.tex, '<span class="katex-error">c</span>'),
    (rules.tex, '<span class="math">c</span>'),
    (rules.counted_ids, '<section id="id1"><h2>節</h2></section>'),
    (rules.traces, "<pre>Traceback (most recent call last)</pre>"),
    (rules.traces, "<pre>&lt;matplotlib object at 0x7f11&gt;</pre>"),
    (rules.traces, "<p>/{}/ipykernel_12/34.py</p>".format("tmp")),
    (rules.traces, '<img alt="曲線です" src="/home/someone/a.png">'),
    (rules.traces, '<div class="output stderr">注意</div>'),
    (rules.foreign_hosts, '<script src="https://cdn.example/a.js"></script>'),
    (rules.foreign_hosts, '<link rel="stylesheet" href="//fonts.example/a.css">'),
    (rules.foreign_hosts, "<style>@import 'https://fonts.example/a.css'</style>"),
    (rules.dropped_libraries, '<script src="_static/scripts/fontawesome.js"></script>'),
    (rules.dropped_libraries, '<script src="_static/require.min.js"></script>'),
    (rules.dropped_libraries, '<script>window.MathJax = {}</script>'),
    (rules.dropped_libraries, '<i class="fa-solid fa-bars"></i>'),
    (rules.english, "<a>Skip to main content</a>"),
    (rules.english, "<p>Fig. 1</p>"),
    (rules.english, '<a title="Permalink to this heading">#</a>'),
    (rules.english, '<p class="admonition-title">Note</p>'),
    (rules.english, '<button aria-label="Search the book"></button>'),
    (rules.english, "<footer>Last updated yesterday</footer>"),
    (rules.other_script, "<p>权重就是梯度</p>"),
    (rules.other_script, "<p>權重</p>"),
    (rules.other_script, '<p lang="zh-Hant">这个</p>'),
    (rules.other_script, '<p lang="zh-Hant">スコア</p>'),
    (rules.other_script, '<p lang="zh-Hant">勾配、検証</p>'),
    (rules.languages, '<p lang="zh">字</p>'),
    (rules.languages, '<a hreflang="zh-CN">字</a>'),
    (rules.one_title, "<h1>二つ目</h1>"),
    (rules.pictures, "<img src='#a'>"),
    (rules.pictures, '<svg role="img" aria-label="two curves"></svg>'),
    (rules.pictures, "<svg></svg>"),
    (rules.unique_ids, '<p id="a"></p>'),
    (rules.unique_ids, '<label for="nobody">名</label>'),
    (rules.absolute_addresses, '<link rel="canonical" href="https://book.example/ja/">'),
    (rules.absolute_addresses, '<a href="http://127.0.0.1:8000/">先頭</a>'),
    (rules.links, '<a href="#nowhere">先</a>'),
    (rules.links, '<a href="nowhere.html">先</a>'),
    (rules.links, '<svg aria-hidden="true"><use href="#i-none"></use></svg>'),
]  # fmt: skip


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_a_good_page_keeps_every_rule(rule):
    assert list(rule(Page.of(GOOD))) == []


@pytest.mark.parametrize(("rule", "fault"), BROKEN, ids=lambda one: getattr(one, "__name__", None) or one[:24])
def test_each_rule_can_fail(rule, fault):
    assert list(rule(Page.of(GOOD.replace("</body>", f"{fault}</body>")))) != []


def test_every_rule_is_broken_somewhere_above():
    assert {rule for rule, _ in BROKEN} == set(RULES)
    assert list(rules.languages(Page.of(GOOD.replace('<html lang="ja">', "<html>"))))
