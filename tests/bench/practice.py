"""The practice page with 1,000 cards and 100,000 reviews behind it, on a slow machine: weight, start, one grade."""

from __future__ import annotations

import gzip
import json
import statistics
import sys
import tempfile
from pathlib import Path

import pages

sys.path.append(str(Path(__file__).resolve().parents[1]))
import esm

from interview_book.book.languages import LANGUAGES

ROOT = Path(__file__).resolve().parents[2]
PAGE = "chapters/practice.html"
CARDS, REVIEWS, RATE = 1_000, 100_000, 4
STARTS, GRADES = 5, 20
_CALL = "interviewBookDeck("

# A year of answers up to two days ago, as the store itself writes them; states from each card's last three, so that
# some are due today.
_RECORD = """(async () => {
  const area = new m.Area(), now = Date.now() - 2 * m.DAY, from = now - 365 * m.DAY, cards = {};
  const rows = Array.from({ length: reviews }, (_, i) => {
    const at = Math.floor(from + ((now - from) * i) / reviews);
    const id = ids[(i * 7919) % ids.length], grade = 1 + ((i * 31) % 4);
    if (i > reviews - 3 * ids.length) cards[id] = m.schedule.review(cards[id], grade, at);
    return [at, id, grade, 20, 1, 0];
  });
  const store = m.store.openStore({ area, now: () => now, target: new EventTarget(), name: "bench" });
  store.save({ ...m.progress.empty(from), cards, reviews: rows });
  return Object.fromEntries(area.map);
})()"""

# Milliseconds from the bank's arrival to a start page that is laid out and whose button is there.
_WATCH = """(() => {
  const seen = new MutationObserver(() => {
    if (!document.querySelector(".practice .today .button.primary")) return;
    document.documentElement.getBoundingClientRect();
    window.benchReady = performance.now() - window.benchFrom;
    seen.disconnect();
  });
  seen.observe(document, { childList: true, subtree: true });
  const set = Storage.prototype.setItem;
  Storage.prototype.setItem = function (...both) { set.apply(this, both); window.benchStored = performance.now(); };
})()"""
# Milliseconds from a press on the proposed grade until the last byte is in the storage, and until the next card is laid
# out as well.
_GRADE = """() => {
  const from = performance.now();
  window.benchStored = 0;
  document.querySelector(".grade.proposed").click();
  document.documentElement.getBoundingClientRect();
  return [window.benchStored - from, Math.max(performance.now(), window.benchStored) - from];
}"""
_STORED = "() => window.benchStored > 0"


def _copies(text: str) -> str:
    """Return a data script of the deck in which the chapter's choices stand for ``CARDS`` cards."""
    data = json.loads(text[text.index(_CALL) + len(_CALL) : text.rindex(")")])
    if "index" in data:
        choices = [one for one in data["index"]["cards"] if one["kind"] == "choice"]
        data["index"]["cards"] = [
            {**choices[i % len(choices)], "id": f"{choices[i % len(choices)]['id']}.copy-{i}"} for i in range(CARDS)
        ]
    else:
        records = data["part"]["records"]
        names = [name for name, one in records.items() if "options" in one]
        for name in names:
            records |= {f"{name}.copy-{i}": records[name] for i in range(CARDS)}
    return f"window.benchFrom = performance.now(); {_CALL}{json.dumps(data, ensure_ascii=False)})"


def _storage(ids: list[str]) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as out:
        call = esm.evaluator(ROOT / "src/interview_book/widgets/practice_deck", Path(out), ROOT)
        return call((ROOT / "tests/deck/engine.js").as_posix(), _RECORD, ids=ids, reviews=REVIEWS)


def rows(browser: pages.Browser) -> list[tuple]:
    """Return rows for the bench: first load in KB, start and grade in milliseconds at CPU × 4."""
    folders = {tag: browser.site / tag / "_static" / "deck" for tag in LANGUAGES}
    weights = {tag: _first_load(browser, tag, folder) for tag, folder in folders.items()}
    index = _copies((folders["ja"] / "index.js").read_text(encoding="utf-8"))
    cards = json.loads(index[index.index(_CALL) + len(_CALL) : -1])["index"]["cards"]
    kept = _storage([one["id"] for one in cards])
    size = sum(len(key) + len(value) for key, value in kept.items())
    starts, grades = [], []
    for tag in LANGUAGES:
        for run in range(STARTS):
            page = _open(browser, tag, kept)
            page.wait_for_function("window.benchReady > 0", timeout=60_000)
            starts.append(page.evaluate("window.benchReady"))
            if run == 0:
                grades += _grades(page)
            page.context.close()
    stored, laid = zip(*grades, strict=True)
    told = f"the next card laid out as well: {pages.p95(laid):.1f} ms, median {statistics.median(laid):.1f} ms"
    what = f"practice, {CARDS:,} cards, {REVIEWS:,} reviews, CPU × {RATE}"
    return [
        ("practice page: first load with its first card", 600, max(weights.values()), "KB", f"gzip −6; {weights}"),
        (f"{what}: start", 150, pages.p95(starts), "ms", f"p95 of {len(starts)}; storage {size / 1e6:.2f} MB"),
        (f"{what}: a grade stored", 20, pages.p95(stored), "ms", f"p95 of {len(grades)}; {told}"),
    ]


def _first_load(browser: pages.Browser, tag: str, folder: Path) -> float:
    """KB of everything that the page asks for until its first card is shown, the index as long as for ``CARDS``."""
    page = browser.context().new_page()
    asked: set[str] = set()
    page.on("request", lambda one: asked.add(one.url))
    page.goto(f"{browser.base}{tag}/{PAGE}", wait_until="networkidle")
    page.locator(".today .button.primary").click()
    page.locator(".practice .q-ask").wait_for()
    page.wait_for_load_state("networkidle")
    page.context.close()
    total = browser.weight(asked)
    short = (folder / "index.js").read_text(encoding="utf-8")
    return round(total + (_packed(_copies(short)) - _packed(short)) / 1000, 1)


def _packed(text: str) -> int:
    return len(gzip.compress(text.encode(), 6, mtime=0))


def _open(browser: pages.Browser, tag: str, kept: dict[str, str]):
    page = browser.context().new_page()
    # Stored from an address of the same origin where no script of ours runs.
    page.goto(f"{browser.base}{tag}/_static/mark.svg")
    page.evaluate("kept => void Object.entries(kept).forEach(([key, value]) => localStorage.setItem(key, value))", kept)
    page.add_init_script(_WATCH)

    def altered(route):
        answer = route.fetch()
        route.fulfill(response=answer, body=_copies(answer.text()))

    page.route("**/_static/deck/*.js*", altered)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": RATE})
    page.goto(f"{browser.base}{tag}/{PAGE}", wait_until="load")
    return page


def _grades(page) -> list[list[float]]:
    took = []
    page.locator(".today .button.primary").click()
    for _ in range(GRADES // len(LANGUAGES)):
        page.locator(".card input[type=radio]").first.check()
        page.locator(".card .button.primary").click()
        page.locator(".grade.proposed").wait_for()
        took.append(page.evaluate(_GRADE))
        assert page.evaluate(_STORED), "expected the grade to be stored when its handler returns"
        page.locator(".card input[type=radio]").first.wait_for()
    return took
