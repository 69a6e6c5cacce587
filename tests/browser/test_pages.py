"""Every page: loads without a complaint, sets its formulas, fits a phone, and is one language."""

import pytest

EXTRA = ["", "ja/index.html", "zh-Hant/index.html", "ja/404.html", "zh-Hant/404.html", "404.html"]

# Boxes that reach past the window, unless a box around them scrolls or cuts them.
_WIDER = """() => {
  const wide = document.documentElement.clientWidth;
  const held = one => {
    for (let box = one.parentElement; box && box !== document.body; box = box.parentElement)
      if (getComputedStyle(box).overflowX !== "visible") return true;
    return false;
  };
  return [...document.body.querySelectorAll("*")]
    .filter(one => one.checkVisibility() && one.getBoundingClientRect().right > wide + 1)
    .filter(one => !held(one) && !one.closest("svg svg, svg > *"))
    .map(one => `${one.tagName}.${one.className} to ${one.getBoundingClientRect().right}`);
}"""


def test_page_loads_without_a_complaint_and_sets_every_formula(visit, edition, document, scheme):
    page = visit(f"{edition}/{document}.html", scheme=scheme)
    assert page.locator("h1").count() == 1
    assert page.locator("article").inner_text().strip()
    assert page.evaluate("[...document.images].filter(one => !one.naturalWidth).map(one => one.src)") == []
    page.evaluate("document.querySelectorAll('details').forEach(one => (one.open = true))")
    page.evaluate("document.fonts.ready")
    # Raw TeX would be visible text; a formula that is set keeps its source in an annotation that nobody sees.
    assert page.locator(".katex-error, .math:not(:has(.katex))").count() == 0
    empty = """[...document.querySelectorAll(".katex")].filter(one => {
      const box = one.querySelector(".katex-html").getBoundingClientRect();
      return !(box.width > 1 && box.height > 1);
    }).map(one => one.textContent)"""
    assert page.evaluate(empty) == []
    fonts = page.evaluate("[...document.fonts].map(one => [one.family.replaceAll('\"', ''), one.status])")
    # Other faces may name fonts of one system only.
    assert [one for one in fonts if one[0].startswith("KaTeX") and one[1] == "error"] == []
    if "two-scores" in document:
        assert page.locator(".katex").count() > 20
        assert {"KaTeX_Main", "KaTeX_Math"} <= {family for family, status in fonts if status == "loaded"}


@pytest.mark.parametrize("path", EXTRA)
def test_pages_outside_the_contents_load(visit, scheme, path):
    page = visit(path, scheme=scheme, locale="en-US")
    page.locator("h1").wait_for(state="attached")  # a page that only leads on has none of its own
    assert page.locator("h1").count() == 1, page.url


def _sideways(page) -> dict:
    """Return what makes the page wider than a small phone, by width."""
    found = {}
    for width in (360, 320):
        page.set_viewport_size({"width": width, "height": 740})
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > width or page.evaluate(_WIDER):
            found[width] = (wide, page.evaluate(_WIDER))
    return found


def test_no_page_scrolls_sideways(visit, edition, document):
    page = visit(f"{edition}/{document}.html", width=360, height=740)
    page.evaluate("document.querySelectorAll('details').forEach(one => (one.open = true))")
    assert _sideways(page) == {}
    page.locator(".tool-parallel").click()
    page.locator(".tool-parallel[aria-pressed=true]").wait_for()
    assert _sideways(page) == {}


@pytest.mark.parametrize("path", ["#choose", "404.html", "ja/404.html", "zh-Hant/404.html"])
def test_pages_outside_the_contents_do_not_scroll_sideways(visit, path):
    assert _sideways(visit(path, width=360, height=740)) == {}


def test_search_dialog_fits_a_phone(visit, edition):
    page = visit(f"{edition}/chapters/two-scores.html", width=320, height=640)
    page.locator(".tool-search").click()
    page.locator(".search-dialog input").fill("softmax")
    page.locator(".search-dialog [role=option]").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert page.evaluate(_WIDER) == []


def test_motion_is_reduced_when_asked(visit, edition):
    moving = """() => {
      const seconds = list => Math.max(...list.split(",").map(parseFloat));
      const all = [document.documentElement, ...document.body.querySelectorAll("*")].map(one => getComputedStyle(one));
      const moves = one => seconds(one.transitionDuration) > 0 || seconds(one.animationDuration) > 0;
      return { smooth: all[0].scrollBehavior === "smooth", moved: all.filter(moves).length };
    }"""
    page = visit(f"{edition}/chapters/two-scores.html", reduced_motion="reduce")
    assert page.evaluate(moving) == {"smooth": False, "moved": 0}
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(moving)["smooth"], "the test would not see motion"


def test_storage_that_throws_leaves_the_page_working(browser, addresses, record, edition):
    context = browser.new_context()
    record.watch(context)
    context.add_init_script("""
      for (const area of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, area, {
          configurable: true,
          get() { throw new DOMException("blocked", "SecurityError"); },
        });
    """)
    page = context.new_page()
    page.goto(f"{addresses['http']}{edition}/chapters/two-scores.html")
    page.locator(".tool-parallel").click()
    page.locator(".passage > .other").first.wait_for()
    page.locator(".theme-switch-button").click()
    page.locator(".tool-search").click()
    assert page.locator(".search-dialog").is_visible()
    context.close()


def test_the_record_sees_what_goes_wrong(browser, addresses, record):
    """Without this, an empty record might mean that nobody looked."""
    context = browser.new_context()
    seen = type(record)()
    before = context.new_page()
    seen.watch(context)
    before.evaluate("console.error('before')")
    page = context.new_page()
    page.goto(addresses["http"] + "ja/404.html")
    page.evaluate("""() => {
      console.error("said so");
      setTimeout(() => { throw new Error("thrown"); });
      document.body.append(Object.assign(new Image(), { src: "/nowhere.png" }));
      document.body.append(Object.assign(new Image(), { src: "https://elsewhere.example/a.png" }));
    }""")
    parts = ("console: said so", "page error", "404: ", "other host: https://elsewhere", "failed: https://elsewhere")
    for _ in range(100):
        if all(any(line.startswith(part) for line in seen.found) for part in parts):
            break
        page.wait_for_timeout(50)
    context.close()
    assert not any("before" in line for line in seen.found), "of a page that was there already"
    for part in parts:
        assert any(line.startswith(part) for line in seen.found), (part, seen.found)
