"""The built site in a real Chromium that reaches no other host, and a record of everything that went wrong there."""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import threading
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect, sync_playwright

from interview_book import widgets
from interview_book.book import bundle, notebooks, serve, site
from interview_book.book.languages import LANGUAGES

ROOT = Path(__file__).parents[2]
DOCUMENTS = [Path(name).with_suffix("").as_posix() for name in notebooks.contents(ROOT)]
WORDS = Path(bundle.__file__).with_name("client") / "words.json"
expect.set_options(timeout=10_000)  # as actions have
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
# The practice page is drawn after the load event, from files that its script asks for, and in two turns. What is there
# in the end: its start page with the last part of it, the question that the address names, or, without the files, the
# list that was there before.
DRAWN = """() => {
  const deck = document.querySelector(".book-deck");
  return !deck || deck.querySelector(".practice-start .progress, .practice-card .card, .practice-card .outcome")
    || (deck.classList.contains("ready") && !deck.querySelector(".practice"));
}"""


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


def pytest_generate_tests(metafunc):
    """Give ``edition``, ``document`` and ``scheme`` to every test that asks for one.

    What is marked ``one_edition`` does not depend on the language: it runs in one of them, always the same, unless
    ``EDITIONS=both``.
    """
    editions = list(LANGUAGES)
    if metafunc.definition.get_closest_marker("one_edition") and os.environ.get("EDITIONS") != "both":
        editions = [editions[zlib.crc32(metafunc.definition.originalname.encode()) % len(editions)]]
    asked = {"edition": editions, "document": DOCUMENTS, "scheme": ["http", "file"]}
    for name, values in asked.items():
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, values)


@pytest.fixture(scope="session")
def site_folder() -> Path:
    """The built site; ``BOOK_SITE`` names one that was built elsewhere."""
    ready = os.environ.get("BOOK_SITE")
    return Path(ready).resolve() if ready else site.build(ROOT)


@pytest.fixture(scope="session")
def addresses(site_folder):
    """The site's first address, ending in ``/``, by scheme."""
    with serve.server(site_folder, 0) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield {
            "http": f"http://{serve.HOST}:{http.server_address[1]}/",
            "file": site_folder.as_uri() + "/",
        }
        http.shutdown()


# One a module, not one a session: while Playwright runs, no other test of the session could start an event loop.
@pytest.fixture(scope="module")
def browser(chromium, chromium_flags, site_folder):
    no_other_host = f"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE {serve.HOST}"
    with sync_playwright() as playwright:
        one = playwright.chromium.launch(executable_path=chromium, args=[*chromium_flags, no_other_host])
        yield one
        one.close()


@pytest.fixture(scope="module")
def contexts(browser, addresses):
    path = Path(__file__).with_name("contexts.py")
    spec = importlib.util.spec_from_file_location("contexts_of_the_browser", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    one = module.Contexts(browser, {scheme: f"{base}ja/_static/tokens.css" for scheme, base in addresses.items()})
    yield one
    one.close()


@dataclass
class Record:
    """What went wrong in a test's pages, and what it was told to expect."""

    found: list[str] = field(default_factory=list)
    expected: set[str] = field(default_factory=set)

    def expect(self, part: str) -> None:
        """Let lines that hold ``part`` pass."""
        self.expected.add(part)

    def add(self, line: str) -> None:
        if not any(part in line for part in self.expected):
            self.found.append(line)

    def watch(self, context) -> Callable[[], None]:
        """Record what goes wrong in a context from now on, in pages opened from now on; return what ends that."""
        before = context.pages  # those that empty a shared context: files without an icon, which Chromium misses aloud
        host = (None, serve.HOST)
        # A page that is left while its icon is still loading cancels that: no fault of the site's.
        left = "net::ERR_ABORTED"
        hear = {
            "request": lambda one: urlsplit(one.url).hostname in host or self.add(f"other host: {one.url}"),
            "requestfailed": lambda one: one.failure == left or self.add(f"failed: {one.url} ({one.failure})"),
            "response": lambda one: one.status < 400 or self.add(f"{one.status}: {one.url}"),
            "console": lambda one: (
                one.type != "error" or one.page in before or self.add(f"console: {one.text} {one.location}")
            ),
            "weberror": lambda one: self.add(f"page error: {one.error}"),
        }
        for event, heard in hear.items():
            context.on(event, heard)
        return lambda: [context.remove_listener(event, heard) for event, heard in hear.items()]


@pytest.fixture
def record():
    """The test's record; whatever it holds at the end fails the test."""
    one = Record()
    yield one
    assert one.found == []


@pytest.fixture
def visit(contexts, addresses, record):
    """``visit(path, scheme="http", now=None, **context)``: that page of the site, all drawn, with its own storage.

    ``now``: the time at which its clock stands, UTC ms; ``shared=False``: in a context that no other test gets.
    """
    taken = []

    def open_page(path="", *, scheme="http", width=1440, height=900, now=None, shared=True, **options):
        options.setdefault("reduced_motion", "reduce")
        context = contexts.take(
            shared=shared, clock=now is not None, viewport={"width": width, "height": height}, **options
        )
        if now is not None:
            context.clock.set_fixed_time(now / 1000)
        taken.append((context, record.watch(context)))
        page = context.new_page()
        page.goto(addresses[scheme] + path, wait_until="load")
        if options.get("java_script_enabled", True):
            page.wait_for_function(DRAWN)
        return page

    yield open_page
    for context, unwatch in taken:
        unwatch()
        contexts.give_back(context)


@pytest.fixture
def landed():
    """``landed(page, selector, below=200)``: wait until the top of that element is in sight, within so many pixels.

    Where a link, or the focus, leads within a page, the browser scrolls with the next frame.
    """
    at_top = """([selector, below]) => {
      const { top } = document.querySelector(selector).getBoundingClientRect();
      return 0 <= top && top < below;
    }"""
    return lambda page, selector, below=200: page.wait_for_function(at_top, arg=[selector, below])


@pytest.fixture
def say(edition) -> dict[str, str]:
    """The words that the scripts put into this edition's pages."""
    return json.loads(WORDS.read_text(encoding="utf-8"))[edition]


@pytest.fixture
def axe():
    """``axe(page, *rules)``: what axe-core objects to, one line each; by these of its rules, else by all that it knows.

    What KaTeX sets is nine tenths of a chapter, hidden from readers' software and all of the same few colours: after
    the first ten formulas a letter stands for it.
    """

    def run(page, *rules: str) -> list[str]:
        if not page.evaluate("'axe' in window"):
            page.add_script_tag(path=AXE)
        found = page.evaluate(
            """rules => {
          [...document.querySelectorAll('.katex-html')].slice(10).forEach(one => one.replaceChildren('x'));
          return axe.run(document, { resultTypes: ['violations'], ...(rules.length ? { runOnly: rules } : {}) });
        }""",
            list(rules),
        )
        return [
            f"{rule['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
            for rule in found["violations"]
            for node in rule["nodes"]
        ]

    return run


@pytest.fixture(scope="session")
def learner():
    """The module `practice.py` beside this file: records, and a learner at the practice page."""
    path = Path(__file__).with_name("practice.py")
    spec = importlib.util.spec_from_file_location("learner_at_the_practice_page", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def deck_says(esm):
    """``deck_says(edition, "w.today(8, 40)")``: what the practice deck says; ``w`` is its table of words."""
    call = esm(Path(widgets.__file__).with_name("practice_deck"))
    return functools.cache(lambda edition, what: call("words", f"(w => {what})(m.words(edition))", edition=edition))


@pytest.fixture
def practise(visit, edition, learner):
    """``practise(record="", now=…, **visit)``: the edition's practice page with that record at that time."""

    def open_page(record: str = "", *, now: int | None = None, tag: str = edition, **options):
        page = visit(f"{tag}/{learner.PAGE}", now=now or learner.NOW, **{**learner.ZONE, **options})
        one = learner.Practice(page).ready()
        return one.bring(record) if record else one

    return open_page
