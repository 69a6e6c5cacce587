"""What a reader's browser has to load and to do: weights and times in Chromium, from a server that compresses."""

from __future__ import annotations

import gzip
import statistics
import threading
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from playwright.sync_api import sync_playwright

from interview_book.book.languages import LANGUAGES
from interview_book.book.serve import TYPES

CHAPTER = "chapters/two-scores.html"
COMPRESSED = {".html", ".css", ".js", ".svg", ".json"}
MOVES, PAINTS, WARM, COLD, LOADS = 400, 200, 120, 20, 5
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
]
QUERIES = {
    "ja": [
        "勾配",
        "重み",
        "ヤコビ行列",
        "softmax",
        "平方根",
        "分散",
        "信頼区間",
        "variance",
        "雅可比矩陣",
        "内積 softmax",
    ],
    "zh-Hant": [
        "梯度",
        "權重",
        "雅可比矩陣",
        "softmax",
        "平方根",
        "變異數",
        "信賴區間",
        "variance",
        "ヤコビ行列",
        "缩放点积",
    ],
}

# Move a control, let its handler run and force the layout that a paint would need; milliseconds of each move.
_HANDLER = """moves => {
  const sliders = [...document.querySelectorAll(".book-widget input[type=range]")];
  const widget = document.querySelector(".book-widget");
  const took = [];
  for (let i = 0; i < moves; i++) {
    const slider = sliders[i % sliders.length];
    const low = Number(slider.min), steps = (Number(slider.max) - low) / Number(slider.step);
    slider.value = String(low + Number(slider.step) * ((7 * i + 3) % (steps + 1)));
    const start = performance.now();
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    widget.getBoundingClientRect();
    document.documentElement.scrollHeight;
    took.push(performance.now() - start);
  }
  return took;
}"""

# In turns: move a widget's slider, and one whose handler does nothing; milliseconds from event to painted frame.
_PAINT = """async ([count, selector]) => {
  const slider = document.querySelector(selector), { min, max, step } = slider;
  const idle = Object.assign(document.createElement("input"), { type: "range", min, max, step });
  idle.addEventListener("input", () => {});
  slider.parentElement.append(idle);
  slider.scrollIntoView({ block: "center" });
  const places = 1 + (max - min) / step;
  const once = (one, i) => new Promise(resolve => {
    one.value = String(Number(min) + step * (i % places));
    const start = performance.now();
    one.dispatchEvent(new Event("input", { bubbles: true }));
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel(); // the message is read after the frame is painted
      port1.onmessage = () => resolve(performance.now() - start);
      port2.postMessage(0);
    });
  });
  const took = { ours: [], empty: [] };
  for (let i = 0; i < count; i++) {
    took.ours.push(await once(slider, i));
    took.empty.push(await once(idle, i));
  }
  idle.remove();
  return took;
}"""

# Type a query; milliseconds until its hits are on the page and laid out.
_SEARCH = """query => new Promise(resolve => {
  const dialog = document.querySelector(".search-dialog");
  const input = dialog.querySelector("input"), status = dialog.querySelector("[role=status]");
  const clear = new MutationObserver(() => {
    if (!status.textContent || !dialog.querySelector("[role=option]")) return;
    dialog.getBoundingClientRect();
    clear.disconnect();
    resolve(performance.now() - start);
  });
  status.textContent = "";
  clear.observe(status, { childList: true, characterData: true, subtree: true });
  input.value = query;
  const start = performance.now();
  input.dispatchEvent(new Event("input", { bubbles: true }));
})"""
_COLD = f"""query => new Promise(resolve => {{
  const start = performance.now();
  document.querySelector(".tool-search").click();
  ({_SEARCH})(query).then(() => resolve(performance.now() - start));
}})"""


def p95(values: list[float]) -> float:
    """The value that 95 % of them do not exceed."""
    return sorted(values)[max(0, -(-95 * len(values) // 100) - 1)]


def _handler(site: Path):
    @cache
    def body(path: Path) -> bytes:
        data = path.read_bytes()
        return gzip.compress(data, 6, mtime=0) if path.suffix in COMPRESSED else data

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # head and body are two packets; the second would wait 40 ms for an answer

        def do_GET(self):
            path = site / unquote(urlsplit(self.path).path).lstrip("/")
            if not path.is_file():
                self.send_error(404)
                return
            data = body(path)
            self.send_response(200)
            self.send_header("Content-Type", TYPES.get(path.suffix, "application/octet-stream"))
            if path.suffix in COMPRESSED:
                self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format, *args):
            """Say nothing."""

    Handler.body = staticmethod(body)
    return Handler


class Browser:
    """A Chromium and a compressing server of one built site."""

    def __init__(self, site: Path, chromium: str) -> None:
        self.site = site.resolve()
        self._handler = _handler(self.site)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler)
        self._server.daemon_threads = True
        self.base = f"http://127.0.0.1:{self._server.server_address[1]}/"
        self._chromium = chromium

    def __enter__(self) -> Browser:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self._playwright = sync_playwright().start()
        flags = [*FLAGS, "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
        self._browser = self._playwright.chromium.launch(executable_path=self._chromium, args=flags)
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._browser.close()
        self._playwright.stop()
        self._server.shutdown()
        self._server.server_close()

    def context(self):
        """Return a fresh browser context of a desktop's size, in which nothing moves."""
        return self._browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")

    def weight(self, urls: set[str]) -> float:
        """Return KB, as sent, of the site's files among ``urls``."""
        own = {urlsplit(url).path for url in urls if url.startswith(self.base)}
        return sum(len(self._handler.body(self.site / unquote(path).lstrip("/"))) for path in own) / 1000

    def page(self, path: str, *, throttle: float = 1):
        """Return a fresh page at that place of the site, its fonts loaded, on a machine so many times slower."""
        page = self.context().new_page()
        page.goto(self.base + path, wait_until="load")
        page.evaluate("document.fonts.ready")
        if throttle > 1:
            page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": throttle})
        return page

    def first_visits(self) -> tuple[dict[str, float], int]:
        """Return what a first visit to the chapter loads, in KB by edition, and how many requests left the site."""
        weights, strangers = {}, 0
        for tag in LANGUAGES:
            for document in sorted((self.site / tag / "chapters").glob("*.html")):
                asked: set[str] = set()
                context = self._browser.new_context(viewport={"width": 1440, "height": 900})
                context.on("request", lambda one, asked=asked: asked.add(one.url))
                page = context.new_page()
                page.goto(f"{self.base}{tag}/chapters/{document.name}", wait_until="networkidle")
                page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
                page.wait_for_load_state("networkidle")
                context.close()
                strangers += sum(not url.startswith((self.base, "data:", "blob:")) for url in asked)
                if document.name == Path(CHAPTER).name:
                    weights[tag] = round(self.weight(asked), 1)
        return weights, strangers

    def widget_handler(self, rate: float) -> float:
        """Return p95 of one move of a control: handler and forced layout, milliseconds."""
        took = []
        for tag in LANGUAGES:
            page = self.page(f"{tag}/{CHAPTER}", throttle=rate)
            page.evaluate(_HANDLER, 50)  # the first moves compile the code
            took += page.evaluate(_HANDLER, MOVES // len(LANGUAGES))
            page.context.close()
        return p95(took)

    def paint(self, chapter: str = CHAPTER, slider: str = ".book-widget input[type=range]") -> tuple[float, float]:
        """Return the medians from event to paint: those of a widget's slider, and of a handler that does nothing."""
        ours, empty = [], []
        for tag in LANGUAGES:
            page = self.page(f"{tag}/{chapter}")
            page.evaluate(_PAINT, [10, slider])
            took = page.evaluate(_PAINT, [PAINTS // len(LANGUAGES), slider])
            ours += took["ours"]
            empty += took["empty"]
            page.context.close()
        return statistics.median(ours), statistics.median(empty)

    def search(self) -> tuple[float, float]:
        """Return p95 of queries in an open box, and of first queries on a fresh page, milliseconds."""
        warm, cold = [], []
        for tag, queries in QUERIES.items():
            for i in range(COLD // len(QUERIES)):
                page = self.page(f"{tag}/{CHAPTER}")
                cold.append(page.evaluate(_COLD, queries[i % len(queries)]))
                page.context.close()
            page = self.page(f"{tag}/{CHAPTER}")
            page.locator(".tool-search").click()
            for query in queries:  # what they load stays loaded
                page.evaluate(_SEARCH, query)
            for i in range(WARM // len(QUERIES)):
                warm.append(page.evaluate(_SEARCH, queries[i % len(queries)]))
            page.context.close()
        return p95(warm), p95(cold)

    def first_paint(self) -> float:
        """Return the slower edition's median of the first contentful paint on a slow line and machine, milliseconds."""
        medians = []
        for tag in LANGUAGES:
            paints = []
            for _ in range(LOADS):
                page = self._browser.new_context(viewport={"width": 390, "height": 844}).new_page()
                line = page.context.new_cdp_session(page)
                line.send("Network.enable")
                speed = 1.6e6 / 8
                limits = {"offline": False, "latency": 150, "downloadThroughput": speed, "uploadThroughput": speed / 2}
                line.send("Network.emulateNetworkConditions", limits)
                line.send("Emulation.setCPUThrottlingRate", {"rate": 4})
                page.goto(f"{self.base}{tag}/{CHAPTER}", wait_until="load", timeout=60_000)
                entry = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
                page.wait_for_function(entry)
                paints.append(page.evaluate(entry))
                page.context.close()
            medians.append(statistics.median(paints))
        return max(medians)
