"""Both editions of a small book, built, rebuilt and broken; the previous site stays whole."""

import json
import os
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from interview_book.book import check, site
from interview_book.book.errors import BookError, Faults
from interview_book.book.swap import only_one


class Book:
    def __init__(self, root):
        self.root, self.site = root, root / "_build" / "site"

    def build(self, **options):
        assert site.build(self.root, **options) == self.site

    def page(self, name):
        return BeautifulSoup((self.site / name).read_text(encoding="utf-8"), "html.parser")

    def files(self):
        """Every file of the site with what it holds."""
        files = [path for path in self.site.rglob("*") if path.is_file()]
        return {path.relative_to(self.site).as_posix(): path.read_bytes() for path in files}

    def change(self, old, new, name="chapters/example.ipynb"):
        path = self.root / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture(scope="module")
def built(prepare_book, tmp_path_factory):
    folder = tmp_path_factory.mktemp("site") / "book"
    prepare_book(folder)
    book = Book(folder)
    book.build()
    return book


@pytest.fixture
def book(built, tmp_path):
    """A copy of the built book, to be changed."""
    return Book(Path(shutil.copytree(built.root, tmp_path / "book")))


EDITIONS = {"ja": ("ja", "zh-Hant"), "zh-Hant": ("zh-TW", "ja")}


@pytest.mark.parametrize(("tag", "lang", "other"), [(tag, *names) for tag, names in EDITIONS.items()])
def test_an_edition_is_whole_and_knows_its_sibling(built, tag, lang, other):
    page = built.page(f"{tag}/chapters/example.html")
    assert page.html["lang"] == lang
    switch = page.select_one(".tool-language")
    assert (switch["href"], switch["lang"]) == (f"../../{other}/chapters/example.html", other)
    assert (built.site / tag / "chapters" / switch["href"]).resolve().is_file()
    assert {one["hreflang"]: one["href"] for one in page.select("link[hreflang]")} == {
        "ja": "../../ja/chapters/example.html",
        "zh-Hant": "../../zh-Hant/chapters/example.html",
        "x-default": "../../index.html",
    }
    assert not page.select("link[rel=canonical]")
    for name in ("404.html", "index.html", "_static/bridge.js", "_static/search-text.js", "pagefind/pagefind.js"):
        assert (built.site / tag / name).is_file()


@pytest.mark.parametrize("tag", EDITIONS)
def test_the_download_is_the_plain_notebook_of_this_page(built, tag):
    link = built.page(f"{tag}/chapters/example.html").select_one("a[download]")["href"]
    notebook = json.loads((built.site / tag / "chapters" / link).read_text(encoding="utf-8"))
    text = json.dumps(notebook, ensure_ascii=False)
    assert notebook["nbformat"] == 4
    assert ("重みは 0.982" in text, "權重是 0.982" in text) == (tag == "ja", tag == "zh-Hant")


def test_interface_strings_of_the_chinese_edition_are_traditional_chinese(built):
    page = built.page("zh-Hant/chapters/example.html")
    assert page.select_one("#pst-skip-link a").text == "跳到主要內容"
    assert page.select_one("h2 .headerlink")["title"] == "這一節的連結"
    assert page.select_one(".caption-number").text.strip() == "圖 1"
    assert page.select_one(".part").text == "第 1 部　例子"
    assert page.select_one(".bibtex-citation").text == "（Vaswani 等人，2017）"
    assert page.title.text.endswith("— AI 面試題庫")


def test_parallel_reading_has_the_other_half(built):
    script = (built.site / "ja" / "_static" / "parallel" / "chapters" / "example.js").read_text(encoding="utf-8")
    assert "權重是 0.982" in script and "p-read" in script


def test_the_wheel_is_our_package(built):
    (wheel,) = (built.site / "wheel").iterdir()
    assert "interview_book/__init__.py" in zipfile.ZipFile(wheel).namelist()


def test_nothing_that_sphinx_leaves_behind_is_shipped(built):
    names = [path.name for path in built.site.rglob("*")]
    left = {"objects.inv", ".buildinfo", "searchindex.js", "_sources", "genindex.html", "fontawesome.js", "doctools.js"}
    assert left.isdisjoint(names)


def test_nothing_changed_is_over_at_once(book, monkeypatch):
    before = {path: path.stat().st_mtime_ns for path in book.site.rglob("*")}
    monkeypatch.setattr(check, "faults", lambda root: pytest.fail("there is nothing to check"))
    start = time.perf_counter()
    book.build()
    assert time.perf_counter() - start < 1
    assert {path: path.stat().st_mtime_ns for path in book.site.rglob("*")} == before


def test_a_site_that_lost_a_file_is_built_again(book):
    lost = book.site / "ja" / "chapters" / "example.html"
    whole = lost.read_bytes()
    lost.unlink()
    book.build()
    assert lost.read_bytes() == whole


def test_a_change_reaches_its_edition_and_a_removed_chapter_leaves(book):
    book.change("要点", "大事な点")
    book.change("      - file: chapters/glossary\n", "", name="_toc.yml")
    book.build(url="https://example.org/")
    assert "大事な点" in book.page("ja/chapters/example.html").text
    assert not (book.site / "ja" / "chapters" / "glossary.html").exists()
    page = book.page("zh-Hant/chapters/example.html")
    assert page.select_one("link[rel=canonical]")["href"] == "https://example.org/zh-Hant/chapters/example.html"
    assert page.select_one("link[hreflang=ja]")["href"] == "https://example.org/ja/chapters/example.html"
    assert "https://example.org/ja/chapters/example.html" in (book.site / "sitemap.xml").read_text(encoding="utf-8")


def test_a_fault_builds_nothing_and_leaves_the_site(book):
    before = book.files()
    book.change("(division)=", "(other)=")
    with pytest.raises(Faults):
        book.build()
    assert book.files() == before


def test_a_fault_calls_the_editions_off_and_leaves_no_process(book, monkeypatch):
    servers = []

    def late(root):
        """The check finds its fault when KaTeX's servers run."""
        deadline = time.monotonic() + 60
        while not servers and time.monotonic() < deadline:
            servers.extend(_with_text(str(root / "_build" / "work")))
            servers[:] = [one for one in servers if "katex-server" in one]
            time.sleep(0.02)
        raise Faults([])

    monkeypatch.setattr(check, "faults", late)
    book.change("要点", "大事な点")
    before = book.files()
    with pytest.raises(Faults):
        book.build()
    assert servers, "the editions had begun"
    assert not _with_text(str(book.root / "_build" / "work"))
    assert book.files() == before


def _with_text(text):
    """The command lines of the processes that name it."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue  # it has ended
        if text in line:
            found.append(line)
    return found


def test_an_edition_that_does_not_build_leaves_the_site_and_fails_again(book, monkeypatch):
    before = book.files()
    monkeypatch.setattr(check, "faults", lambda root: [])
    book.change("二つのスコアから、", "[無](nothing.ipynb) 二つのスコアから、")
    for _ in range(2):  # Sphinx says a warning of an unchanged page only once; the second build must not pass
        with pytest.raises(BookError, match=r"The edition ja did not build") as told:
            book.build()
        assert "nothing.ipynb" in str(told.value) and "zh-Hant did not build" not in str(told.value)
        assert book.files() == before
    assert not (book.root / "_build" / "site.new").exists()


def test_a_failure_after_the_editions_leaves_the_site(book, monkeypatch):
    from interview_book.book import landing

    def fail(*args):
        raise BookError("the last step failed")

    before = book.files()
    book.change("要点", "大事な点")
    monkeypatch.setattr(landing, "write", fail)
    with pytest.raises(BookError, match="the last step failed"):
        book.build()
    assert book.files() == before
    assert not (book.root / "_build" / "site.new").exists()


def test_a_source_that_changes_during_the_build_is_told(book, monkeypatch):
    finish = site._finish

    def meanwhile(*given):
        finish(*given)
        book.change("大事な点", "肝心な点")

    before = book.files()
    book.change("要点", "大事な点")
    monkeypatch.setattr(site, "_finish", meanwhile)
    with pytest.raises(BookError, match="the sources changed while the site was being built"):
        book.build()
    assert book.files() == before


def until_free(lock):
    deadline = time.monotonic() + 60
    while True:
        try:
            with only_one(lock):
                return
        except BookError:
            assert time.monotonic() < deadline, "a killed build's child lives on"
            time.sleep(0.05)


def test_a_killed_build_leaves_the_site_and_the_next_one_mends(book):
    before = book.files()
    book.change("要点", "大事な点")
    code = "import sys; from pathlib import Path; from interview_book.book import site; site.build(Path(sys.argv[1]))"
    process = subprocess.Popen([sys.executable, "-c", code, str(book.root)], start_new_session=True)
    complete = book.root / "_build" / "work" / "ja" / "complete"
    deadline = time.monotonic() + 120
    while complete.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not complete.exists(), "the build has begun"
    os.killpg(process.pid, 9)
    process.wait()
    assert book.files() == before
    until_free(book.root / "_build" / "site.lock")  # its children, killed with it, may take a moment to go
    book.build()
    assert "大事な点" in book.page("ja/chapters/example.html").text


def test_two_builds_at_once_are_told_apart(book):
    lock = book.root / "_build" / "site.lock"
    with only_one(lock), pytest.raises(BookError, match="another build of this book is running"):
        book.build()


def test_a_folder_without_a_book(tmp_path):
    with pytest.raises(BookError, match=r"no book in .*expected _toc\.yml"):
        site.build(tmp_path)


@pytest.mark.parametrize(
    "url", ["notaurl", "ftp://x", "//x", "javascript:alert(1)", "https://x/\"><script>", "", "https://"]
)
def test_what_is_no_address_is_told_before_a_build(tmp_path, url):
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: chapters/index\n", encoding="utf-8")
    with pytest.raises(BookError, match=r"^--url .* is no address: expected one like https://example\.org/book"):
        site.build(tmp_path, url=url)
    assert [one.name for one in tmp_path.iterdir()] == ["_toc.yml"]


@pytest.mark.parametrize("text", [None, "[1, 2]", "sphinx: 3", "{", "sphinx: {config: [1]}"])
def test_bad_settings_are_told_before_a_build(tmp_path, text):
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: chapters/index\n", encoding="utf-8")
    if text is not None:
        (tmp_path / "_config.yml").write_text(text, encoding="utf-8")
    with pytest.raises(BookError, match=r"_config\.yml: expected .*settings"):
        site.build(tmp_path)


def test_a_build_calls_no_node_but_its_own(prepare_book, tmp_path, monkeypatch):
    prepare_book(tmp_path / "book")
    called = tmp_path / "called"
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("node", "npm", "npx", "nodejs"):
        (tools / name).write_text(f'#!/bin/sh\necho {name} >> "{called}"\nexit 1\n', encoding="utf-8")
        (tools / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tools))
    built = site.build(tmp_path / "book")
    assert "katex-html" in (built / "ja" / "chapters" / "example.html").read_text(encoding="utf-8")
    assert not called.exists()
