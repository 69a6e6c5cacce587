"""The pages that belong to no chapter."""

import json
import re
from xml.etree import ElementTree as ET

import pytest
from bs4 import BeautifulSoup

from interview_book.book import landing

PAGE = """<html><body><article><div class="passage hero-text"><h2>問<b>い</b></h2><p>前置き</p>
<p class="actions"><a href="x.html">読む</a></p></div><figure><svg class="fig" role="img"
 aria-label="{alt}" viewBox="0 0 7 5"><path d="M0 0"/></svg></figure></article></body></html>"""
ALT = {"ja": "点が広がる", "zh-Hant": "點散開"}


@pytest.fixture
def site(tmp_path):
    for tag, alt in ALT.items():
        (tmp_path / tag / "_static").mkdir(parents=True)
        (tmp_path / tag / "chapters").mkdir()
        (tmp_path / tag / "chapters" / "index.html").write_text(PAGE.format(alt=alt), encoding="utf-8")
        for name in ("tokens.css", "book.css"):
            (tmp_path / tag / "_static" / name).write_text(f"/* {name} > & */", encoding="utf-8")
    return tmp_path


def read(path):
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


DOCUMENTS = ["chapters/index", "chapters/a"]


def test_the_first_page_shows_both_doors_and_one_picture(site):
    landing.write(site, DOCUMENTS, None)
    page = read(site / "index.html")
    doors = page.select(".doors > section")
    assert [(one["lang"], one.h2.decode_contents(), one.p.text) for one in doors] == [
        ("ja", "問<b>い</b>", "前置き"), ("zh-Hant", "問<b>い</b>", "前置き"),
    ]  # fmt: skip
    doors = [one["href"] for one in page.select(".doors a.primary")]
    assert doors == ["ja/chapters/index.html", "zh-Hant/chapters/index.html"]
    figure = page.select_one("figure")
    assert figure.svg["aria-hidden"] == "true" and "aria-label" not in figure.svg.attrs
    assert [(one["lang"], one.text) for one in figure.select("figcaption span")] == list(ALT.items())
    assert len(page.select("h1")) == 1
    assert not page.select("link[rel=canonical]") and not (site / "sitemap.xml").exists()


def test_its_script_knows_the_pages_and_the_key_of_the_choice(site):
    landing.write(site, DOCUMENTS, None)
    script = read(site / "index.html").head.find_all("script")[0].text
    assert json.loads(re.search(r"const pages = (\{.*?\});", script)[1]) == {
        "ja": "ja/chapters/index.html",
        "zh-Hant": "zh-Hant/chapters/index.html",
    }
    assert '"interview-book:v1:language"' in script


def test_a_book_without_a_hero_still_has_a_first_page(site):
    for tag in ALT:
        (site / tag / "chapters" / "index.html").write_text("<article><p>x</p></article>", encoding="utf-8")
    landing.write(site, DOCUMENTS, None)
    page = read(site / "index.html")
    assert [one.text for one in page.select(".doors h2")] == ["AI 面接問題集", "AI 面試題庫"]
    assert page.select_one("figure") is None


@pytest.mark.parametrize(
    ("tag", "lang", "title"), [("ja", "ja", "このページはありません"), ("zh-Hant", "zh-TW", "沒有這一頁")]
)
def test_an_edition_s_error_page_fetches_nothing(site, tag, lang, title):
    landing.write(site, DOCUMENTS, None)
    page = read(site / tag / "404.html")
    assert (page.html["lang"], page.h1.text) == (lang, title)
    assert "/* book.css > & */" in page.style.find_next("style").text
    assert not page.select("[src], link[rel=stylesheet]")
    assert page.select_one("a.primary")["href"] == f"/{tag}/chapters/index.html"


def test_the_root_s_error_page_speaks_both(site):
    landing.write(site, DOCUMENTS, None)
    page = read(site / "404.html")
    assert [(one["lang"], one.find(["h1", "h2"]).text) for one in page.select("article > section")] == [
        ("ja", "このページはありません"), ("zh-Hant", "沒有這一頁"),
    ]  # fmt: skip


def test_an_edition_s_folder_leads_to_its_first_page(site):
    landing.write(site, DOCUMENTS, None)
    page = read(site / "zh-Hant" / "index.html")
    assert page.html["lang"] == "zh-TW"
    assert page.select_one("meta[http-equiv=refresh]")["content"] == "0; url=chapters/index.html"
    assert page.a["href"] == "chapters/index.html"


def test_with_an_address_links_are_absolute(site):
    landing.write(site, DOCUMENTS, "https://example.org/book/")
    page = read(site / "index.html")
    assert page.select_one("link[rel=canonical]")["href"] == "https://example.org/book/"
    assert [one["href"] for one in page.select("link[hreflang]")] == [
        "https://example.org/book/ja/chapters/index.html",
        "https://example.org/book/zh-Hant/chapters/index.html",
    ]
    assert read(site / "ja" / "404.html").select_one("a.primary")["href"] == "https://example.org/book/ja/chapters/index.html"


def test_the_site_map_is_xml_and_names_every_page_with_its_counterparts():
    spaces = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}
    tree = ET.fromstring(landing.site_map("https://example.org/a&b/", DOCUMENTS))
    found = [one.text for one in tree.findall("s:url/s:loc", spaces)]
    assert found == ["https://example.org/a&b/"] + [
        f"https://example.org/a&b/{tag}/{name}.html" for tag in ALT for name in DOCUMENTS
    ]
    links = tree.findall("s:url", spaces)[1].findall("x:link", spaces)
    assert [one.get("hreflang") for one in links] == ["ja", "zh-Hant"]
