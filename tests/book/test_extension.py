"""``jupyter-book build`` of a small book, without anything around it: the Japanese edition."""

import json
import re
import shutil
import subprocess
import sys

import pytest
from bs4 import BeautifulSoup


def build(root, *, out=None, config=None):
    """Run the stock command, warnings as errors; return the finished process."""
    command = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()", "build", str(root), "-W", "-q"]
    command += ["--keep-going", "--path-output", str(out or root)]
    if config:
        command += ["--config", str(config)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False, cwd=root)


@pytest.fixture(scope="module")
def prepared(prepare_book, tmp_path_factory):
    """A copy of the good book with the repository's own settings."""
    folder = tmp_path_factory.mktemp("lone") / "book"
    prepare_book(folder)
    return folder


@pytest.fixture(scope="module")
def html(prepared):
    done = build(prepared)
    assert done.returncode == 0, done.stdout + done.stderr
    return prepared / "_build" / "html"


@pytest.fixture(scope="module")
def page(html):
    return BeautifulSoup((html / "chapters" / "example.html").read_text(encoding="utf-8"), "html.parser")


def test_the_edition_is_japanese_from_end_to_end(page):
    assert page.html["lang"] == "ja"
    assert page.title.text == "スコア [4, 0] の重み — AI 面接問題集"
    assert page.select_one("#pst-skip-link a").text == "本文へ移動"
    assert page.select_one(".part").text == "第 1 部　例"
    text = page.select_one("article").get_text()
    assert "重みは 0.982" in text and "權重" not in text
    assert page.select_one("table caption, .text_html th").get_text() == "判定"


def test_a_label_is_the_only_id_of_its_section(page):
    assert [one["id"] for one in page.select("article section:not(.question)")] == ["example-title", "division"]
    assert not re.findall(r'\bid="id\d+"', str(page))
    assert len(page.select("h1")) == 1


def test_links_lead_to_what_is_there(html):
    for path in (html / "chapters").glob("*.html"):
        soup = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        for link in soup.select("article a[href], nav a[href]"):
            file, _, anchor = link["href"].partition("#")
            if not file.startswith("http"):
                target = (path.parent / file).resolve() if file else path
                assert target.is_file(), link
                there = BeautifulSoup(target.read_text(encoding="utf-8"), "html.parser")
                assert not anchor or there.find(id=anchor), link


def test_formulas_are_set_and_numbered_from_one(page):
    assert len(page.select("article .katex")) >= 4
    assert page.select_one("#equation-softmax .eqno").get_text().startswith("(1)")
    assert page.select_one('a[href="#equation-softmax"]').get_text() == "(1)"
    assert not page.select(".katex-error") and "$" not in page.select_one("article").get_text()


def test_figures_are_inline_captioned_and_numbered_from_one(page):
    figure = page.select_one("figure#fig-line")
    assert figure.svg["aria-label"] == "右上がりの直線" and figure.svg["role"] == "img"
    assert figure.select_one(".caption-number").text.strip() == "図 1"
    assert figure.select_one("figcaption .katex")
    assert page.select_one('a[href="#fig-line"] .std-numref').text == "図 1"


def test_an_admonition_has_the_title_it_was_given(page):
    tip = page.select_one(".admonition.tip")
    assert tip.select_one(".admonition-title").text == "面接では"
    assert tip.select_one("p:not(.admonition-title)").get_text().startswith("章の初めに戻り")


def test_a_citation_reads_as_japanese_and_its_source_as_english(page):
    citation = page.select_one(".bibtex-citation")
    assert citation.get_text() == "（Vaswani ほか、2017）"
    assert citation.previous_sibling.endswith("ものです"), "no space before a full-width bracket"


def test_signs_beside_headings_have_names(page):
    assert {one["aria-label"] for one in page.select("h1 .headerlink, h2 .headerlink")} == {"この節へのリンク"}
    assert page.select_one("figure .headerlink")["aria-label"] == "この図へのリンク"


def test_the_page_asks_for_our_files_only(html, page):
    asked = [one.get("href") or one["src"] for one in page.select("link[rel=stylesheet], script[src]")]
    names = [re.fullmatch(r"\.\./_static/([\w.]+)\?v=[0-9a-f]{8}", one)[1] for one in asked]
    assert names == ["katex.min.css", "tokens.css", "book.css", "book.js", "theme.js"]
    for name in names:
        assert (html / "_static" / name).stat().st_size > 100
    assert "http" not in " ".join(asked)
    left = {one.name for one in (html / "_static").iterdir()}
    assert left == {*names, "widgets.js", "deck.js", "mark.svg", "fonts"}
    assert not (html / "search.html").exists() and not (html / "genindex.html").exists()


def test_a_lone_edition_has_no_links_to_a_sibling(page):
    assert not page.select(".tool-language, link[hreflang], .tool-parallel, a[download]")


def test_the_data_files_are_noted_so_that_a_change_rebuilds_the_page(prepared, html):
    out = prepared / "_build"
    glossary = (html / "chapters" / "glossary.html").read_text(encoding="utf-8")
    assert 'id="term-array"' in glossary and "はいれつ" in glossary
    terms = prepared / "chapters" / "terms.yml"
    text = terms.read_text(encoding="utf-8")
    try:
        terms.write_text(text.replace("kana: はいれつ", "kana: ハイレツ"), encoding="utf-8")
        assert build(prepared).returncode == 0
        assert "ハイレツ" in (out / "html" / "chapters" / "glossary.html").read_text(encoding="utf-8")
    finally:
        terms.write_text(text, encoding="utf-8")


def spoilt(tmp_path, prepared, change=None, **settings):
    """Return the finished build of a copy in which ``change`` has changed the example notebook."""
    import yaml

    root = tmp_path / "book"
    shutil.copytree(prepared, root, ignore=shutil.ignore_patterns("_build"))
    if change:
        path = root / "chapters" / "example.ipynb"
        notebook = json.loads(path.read_text(encoding="utf-8"))
        change({cell["id"]: cell for cell in notebook["cells"]})
        path.write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    config["sphinx"]["config"] |= settings
    (root / "_config.yml").write_text(yaml.safe_dump(config, allow_unicode=True), encoding="utf-8")
    done = build(root)
    return done.returncode, done.stdout + done.stderr


def no_label(cells):
    cells["h-division-ja"]["source"] = "## √dₖ で割る"


def bad_formula(cells):
    cells["want-ja"]["source"] += "\n\nここは $\\frac{1$ です。"


def no_alt(cells):
    del cells["figure"]["metadata"]["book"]["figure"]["alt"]["ja"]


@pytest.mark.parametrize(
    ("change", "settings", "said"),
    [
        (no_label, {}, ["a heading without a label", "√dₖ で割る"]),
        (bad_formula, {}, [r"KaTeX cannot set the formula `\frac{1`", "example.ipynb"]),
        (no_alt, {}, ["example: cell figure: a figure without alt in ja"]),
        (None, {"language": "zh_CN"}, ["unknown edition", "one of ja, zh_TW", "'zh_CN'"]),
        (None, {"language": "zh-TW"}, ["unknown edition", "one of ja, zh_TW", "'zh-TW'"]),
    ],
)
def test_a_spoilt_book_does_not_build_and_says_why(tmp_path, prepared, change, settings, said):
    status, output = spoilt(tmp_path, prepared, change, **settings)
    assert status != 0
    for piece in said:
        assert piece in output, output
