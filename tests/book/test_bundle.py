"""Two classic scripts, the same bytes for the same sources."""

import re

import pytest

from interview_book.book import bundle
from interview_book.book.errors import BookError


@pytest.fixture
def widgets(tmp_path):
    """Two widgets (pairs), a helper that one imports, and a script without a partner."""
    folder = tmp_path / "widgets"
    folder.mkdir()
    (folder / "alpha.py").write_text("", encoding="utf-8")
    (folder / "alpha.js").write_text(
        'import { twice } from "./helper.js"; export default { render({ el }) { el.textContent = twice("甲"); } };',
        encoding="utf-8",
    )
    (folder / "beta.py").write_text("", encoding="utf-8")
    (folder / "beta.js").write_text("export default { render() { throw new Error('β'); } };", encoding="utf-8")
    (folder / "helper.js").write_text("export const twice = text => text + text;", encoding="utf-8")
    return folder


def test_only_pairs_are_widgets(widgets):
    assert [path.name for path in bundle.pairs(widgets)] == ["alpha.js", "beta.js"]


def test_scripts_are_classic_minified_and_deterministic(tmp_path, widgets, root):
    for name in ("one", "two"):
        bundle.write(tmp_path / name, root=root, widgets=widgets)
    for script in ("book.js", "widgets.js"):
        text = (tmp_path / "one" / script).read_text(encoding="utf-8")
        assert text == (tmp_path / "two" / script).read_text(encoding="utf-8")
        assert text.startswith(('"use strict";(()=>{', "(()=>{"))
        assert "import.meta" not in text and "\nexport " not in text
        assert len(text) / text.count("\n") > 500
    assert "甲" in (tmp_path / "one" / "widgets.js").read_text(encoding="utf-8")


def test_the_site_script_is_small(tmp_path, root):
    """The whole first visit has 300 KB; the script of every page may take a thirtieth of it, compressed."""
    import gzip

    bundle.write(tmp_path, root=root)
    assert len(gzip.compress((tmp_path / "book.js").read_bytes(), 9)) < 10_000


def test_the_deck_is_a_classic_script_and_a_module_of_its_own(tmp_path, root):
    assert "deck.js" not in [path.name for path in bundle.pairs()]
    for name in ("one", "two"):
        bundle.write(tmp_path / name, root=root)
        bundle.write_module(tmp_path / name / "deck.mjs", root=root)
    for script in ("deck.js", "deck.mjs"):
        text = (tmp_path / "one" / script).read_text(encoding="utf-8")
        assert text == (tmp_path / "two" / script).read_text(encoding="utf-8")
        assert "import.meta" not in text and "process.env" not in text
    classic, module = ((tmp_path / "one" / name).read_text(encoding="utf-8") for name in ("deck.js", "deck.mjs"))
    assert classic.startswith(('"use strict";(()=>{', "(()=>{")) and "export{" not in classic.replace(" ", "")
    assert re.search(r"export ?\{\w+ as default", module) and "<symbol id=" in module and "<symbol id=" not in classic
    others = "".join((tmp_path / "one" / name).read_text(encoding="utf-8") for name in ("book.js", "widgets.js"))
    assert "interviewBookDeck" in classic and "interviewBookDeck" not in others


def test_a_widget_of_several_files_is_one_module(tmp_path, widgets, root):
    (widgets / "alpha_view").mkdir()
    (widgets / "alpha_view" / "word.jsx").write_text(
        "export const Word = ({ text }) => <b>{text}</b>;", encoding="utf-8"
    )
    (widgets / "alpha.js").write_text(
        'import { render } from "preact"; import { h } from "preact"; import { Word } from "./alpha_view/word.jsx";\n'
        'export default { render({ el }) { render(h(Word, { text: "甲" }), el); } }; export const two = 2;',
        encoding="utf-8",
    )
    for name in ("one", "two"):
        bundle.write_module(tmp_path / name / "alpha.mjs", entry=widgets / "alpha.js", root=root)
    text = (tmp_path / "one" / "alpha.mjs").read_text(encoding="utf-8")
    assert text == (tmp_path / "two" / "alpha.mjs").read_text(encoding="utf-8")
    assert re.search(r"export ?\{\w+ as default", text) and "甲" in text
    assert not re.search(r"\bimport\b|process\.env", text)
    # On the page the same files are part of widgets.js.
    bundle.write(tmp_path / "page", root=root, widgets=widgets)
    assert "甲" in (tmp_path / "page" / "widgets.js").read_text(encoding="utf-8")


def test_without_widgets_there_is_still_a_script(tmp_path, root):
    empty = tmp_path / "none"
    empty.mkdir()
    bundle.write(tmp_path / "out", root=root, widgets=empty)
    assert (tmp_path / "out" / "widgets.js").stat().st_size > 0


def test_an_error_names_file_line_and_reason(tmp_path, widgets, root):
    (widgets / "beta.js").write_text("export default {\n  render( {\n", encoding="utf-8")
    with pytest.raises(BookError, match=r"(?s)found end of file.*beta\.js:3:0"):
        bundle.write(tmp_path / "out", root=root, widgets=widgets)


def test_an_import_that_is_not_there(tmp_path, widgets, root):
    (widgets / "helper.js").unlink()
    with pytest.raises(BookError, match=r'Could not resolve "\./helper\.js"'):
        bundle.write(tmp_path / "out", root=root, widgets=widgets)


def test_missing_node_modules(tmp_path, widgets):
    with pytest.raises(BookError, match=r"interview-book npm ci"):
        bundle.write(tmp_path / "out", root=tmp_path, widgets=widgets)


@pytest.mark.browser
def test_widgets_mount_and_a_failing_one_keeps_its_fallback(tmp_path, widgets, root, chromium, chromium_flags):
    from playwright.sync_api import sync_playwright

    bundle.write(tmp_path, root=root, widgets=widgets)
    hosts = "".join(
        f'<div class="book-widget" data-widget="{name}"><p>fallback {name}</p>'
        f'<script type="application/json">{data}</script></div>'
        for name, data in (("beta", "{}"), ("alpha", "{not json"), ("gamma", "{}"), ("alpha", '{"d": 64}'))
    )
    page_file = tmp_path / "page.html"
    page_file.write_text(
        f'<!doctype html><meta charset="utf-8"><body>{hosts}<script defer src="widgets.js"></script>', encoding="utf-8"
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=chromium_flags)
        page, logged, uncaught = browser.new_page(), [], []
        page.on("console", lambda message: logged.append(message.type))
        page.on("pageerror", lambda error: uncaught.append(str(error)))
        page.goto(page_file.as_uri())
        page.wait_for_function("document.querySelectorAll('[data-mounted]').length === 4")
        shown = page.locator(".book-widget").all_inner_texts()
        browser.close()
    assert [text.strip() for text in shown] == ["fallback beta", "fallback alpha", "fallback gamma", "甲甲"]
    assert logged == ["error"] * 3
    assert uncaught == []
