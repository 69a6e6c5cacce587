"""The client's pure functions, called in the wheel's Node, and two tiny editions, looked at in a Chromium."""

import functools
import http.server
import json
import shutil
import threading
from pathlib import Path

import pytest

from interview_book.book import bundle, parallel, search

CLIENT = Path(bundle.__file__).with_name("client")


@pytest.fixture(scope="session")
def call(esm):
    """``call("find", "m.find(words)", words=["a"])``: see `tests/esm.py`."""
    return esm(CLIENT)


_WORDS = {
    "ja": ("ja", "zh-Hant", "繁體中文", "並べて読む", "検索", "配色"),
    "zh-Hant": ("zh-TW", "ja", "日本語", "對照", "搜尋", "明暗"),
}
_CHAPTERS = {
    "ja": {
        "scaling": (
            "なぜ √dₖ で割るのか",
            [
                ("why", "理由", ["Query と Key の内積は、dₖ 個の積の和です。", "分散は dₖ、標準偏差は √dₖ です。"]),
                ("measure", "測定", ["割らないと勾配が小さくなることがあります。", "エントロピーは 1.82 ナットです。"]),
            ],
        ),
        "attention": (
            "縮小付き内積注意",
            [("soft", "アテンション", ["アテンションは、ソフトな検索です。", "位置符号化は別の章で扱います。"])],
        ),
    },
    "zh-Hant": {
        "scaling": (
            "為什麼要除以 √dₖ",
            [
                ("why", "理由", ["Query 和 Key 的內積，是 dₖ 個乘積的總和。", "變異數是 dₖ，標準差是 √dₖ。"]),
                ("measure", "量測", ["不縮放的話，梯度有時會變小。", "熵是 1.82 nat。"]),
            ],
        ),
        "attention": (
            "縮放點積注意力",
            [("soft", "注意力", ["注意力是軟性的檢索。", "位置編碼在別的章節說明。"])],
        ),
    },
}
_TERMS = """\
- {key: variance, en: variance, ja: 分散, kana: ぶんさん, ja_said: 分散, zh-Hant: 變異數, zh_said: 變異數,
   forbidden: {zh-Hant: {方差: []}}}
- {key: gradient, en: gradient, ja: 勾配, kana: こうばい, ja_said: 勾配, zh-Hant: 梯度, zh_said: 梯度}
- {key: attention, en: attention, ja: アテンション, kana: アテンション, ja_said: アテンション, zh-Hant: 注意力,
   zh_said: attention, aliases: {ja: [注意機構]}}
- {key: entropy, en: entropy, ja: エントロピー, kana: エントロピー, ja_said: エントロピー, zh-Hant: 熵,
   zh_said: entropy}
- {key: dot product, en: dot product, ja: 内積, kana: ないせき, ja_said: 内積, zh-Hant: 內積, zh_said: 內積,
   aliases: {zh-Hant: [點積]}}
"""


def _sections(sections):
    number = 0
    for label, title, passages in sections:
        yield f'<section id="{label}"><h2>{title}<a class="headerlink" href="#{label}">#</a></h2>'
        for text in passages:
            number += 1
            link = f'<a class="passage-link" href="#p-{label}{number}"></a>'
            yield f'<div class="passage" id="p-{label}{number}">{link}<p>{text}</p></div>'
            yield '<div style="height: 40vh"></div>'
        yield "</section>"


def _page(tag, name, title, sections):
    html, other, their_name, parallel_word, search_word, theme_word = _WORDS[tag]
    code = '<div class="cell_input"><div class="highlight"><pre>d_k = 64\nprint(d_k)\n</pre></div></div>'
    box = "<div class='scroll'><div style='width: {}px'>1</div></div>"
    return f"""<!DOCTYPE html>
<html lang="{html}" data-content_root="../"><head><meta charset="utf-8"><title>{title}</title>
<link rel="stylesheet" href="../_static/tokens.css"><link rel="stylesheet" href="../_static/book.css">
<link rel="icon" href="data:,"><script defer src="../_static/book.js"></script></head><body>
<svg width="0" height="0" aria-hidden="true"><symbol id="i-copy"></symbol></svg>
<header class="bd-header"><nav class="header-tools" aria-label="{their_name}">
<a class="tool tool-language" href="../../{other}/chapters/{name}.html"
lang="{other}" hreflang="{other}">{their_name}</a>
<button type="button" class="tool tool-parallel" aria-pressed="false">{parallel_word}</button>
<button type="button" class="tool theme-switch-button" aria-label="{theme_word}">{theme_word}</button>
<button type="button" class="tool tool-search">{search_word}</button></nav></header>
<main id="main-content"><article class="bd-article"><section id="{name}"><h1>{title}<a class="headerlink"
href="#{name}">#</a></h1>{"".join(_sections(sections))}{code}{box.format(20)}{box.format(9000)}</section></article></main>
</body></html>"""


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """A built site of two editions with two chapters each, its search and its parallel halves."""
    folder = tmp_path_factory.mktemp("site")
    book = folder / "book" / "chapters"
    book.mkdir(parents=True)
    (book / "terms.yml").write_text(_TERMS, encoding="utf-8")
    cells = [
        {"metadata": {"tags": [f"lang-{tag}"]}, "source": " ".join(text for _, _, all in sections for text in all)}
        for tag, chapters in _CHAPTERS.items()
        for _, sections in chapters.values()
    ]
    (book / "a.ipynb").write_text(json.dumps({"cells": cells}, ensure_ascii=False), encoding="utf-8")
    built = folder / "site"
    for tag, chapters in _CHAPTERS.items():
        static = built / tag / "_static"
        static.mkdir(parents=True)
        (built / tag / "chapters").mkdir()
        for sheet in ("tokens.css", "book.css"):
            shutil.copyfile(CLIENT.parent / "static" / sheet, static / sheet)
        bundle.write(static)
        for name, (title, sections) in chapters.items():
            path = built / tag / "chapters" / f"{name}.html"
            path.write_text(_page(tag, name, title, sections), encoding="utf-8")
    for tag in _CHAPTERS:
        search.write_text(built / tag)
        search.index({tag: built / tag})
        (built / tag / "_static" / "bridge.js").write_text(search.bridge(book.parent), encoding="utf-8")
    parallel.write_parallel(built)
    return built


@pytest.fixture(scope="session")
def http_base(site):
    """The site's address on a server that lives as long as the tests."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


# One a module, not one a session: while Playwright runs, no other test of the session could start an event loop.
@pytest.fixture(scope="module")
def browser(chromium, chromium_flags):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=chromium_flags)
        yield started
        started.close()


@pytest.fixture
def visit(browser):
    """``visit(address, **context)``: a page whose errors, but the ``expected``, fail the test that opened it."""
    contexts, errors = [], []

    def go(address, *, script=None, expected=None, **options):
        def note(text):
            if not expected or expected not in text:
                errors.append(text)

        options.setdefault("viewport", {"width": 1440, "height": 900})
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        if script:
            page.add_init_script(script)
        page.on("pageerror", lambda error: note(str(error)))
        page.on("console", lambda message: note(message.text) if message.type == "error" else None)
        page.goto(address)
        return page

    yield go
    for context in contexts:
        context.close()
    assert errors == []
