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
    .filter(one => one.checkVisibility() && one.getBoundingClientRect().right > wide + 1 && !held(one) && !one.closest("svg svg, svg > *"))
    .map(one => `${one.tagName}.${one.className} to ${one.getBoundingClientRect().right}`);
}"""


def test_page_loads_without_a_complaint(visit, edition, document, scheme):
    page = visit(f"{edition}/{document}.html", scheme=scheme)
    page.wait_for_load_state("networkidle")
    assert page.locator("h1").count() == 1
    assert page.locator("article").inner_text().strip()
    assert page.evaluate("[...document.images].filter(one => !one.naturalWidth).map(one => one.src)") == []


@pytest.mark.parametrize("path", EXTRA)
def test_pages_outside_the_contents_load(visit, scheme, path):
    page = visit(path, scheme=scheme, locale="en-US")
    page.wait_for_load_state("networkidle")
    assert page.locator("h1").count() == 1, page.url


def test_every_formula_is_set(visit, edition, document, scheme):
    page = visit(f"{edition}/{document}.html", scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach(one => (one.open = true))")
    page.evaluate("document.fonts.ready")
    # Raw TeX keeps its source as visible text; a set formula keeps it in an annotation that nobody sees.
    assert page.locator(".katex-error, .math:not(:has(.katex))").count() == 0
    empty = """[...document.querySelectorAll(".katex")].filter(one => {
      const box = one.querySelector(".katex-html").getBoundingClientRect();
      return !(box.width > 1 && box.height > 1);
    }).map(one => one.textContent)"""
    assert page.evaluate(empty) == []
    faces = "[...document.fonts].filter(one => one.family.startsWith('KaTeX') && one.status === 'error').length"
    assert page.evaluate(faces) == 0


def test_chapter_has_formulas_in_their_own_font(visit, edition, scheme):
    page = visit(f"{edition}/chapters/two-scores.html", scheme=scheme)
    page.evaluate("document.fonts.ready")
    assert page.locator(".katex").count() > 20
    loaded = "[...document.fonts].filter(one => one.status === 'loaded').map(one => one.family)"
    assert {"KaTeX_Main", "KaTeX_Math"} <= {name.strip('"') for name in page.evaluate(loaded)}


@pytest.mark.parametrize("width", [360, 320])
def test_no_page_scrolls_sideways(visit, edition, document, width):
    page = visit(f"{edition}/{document}.html", width=width, height=740)
    page.evaluate("document.querySelectorAll('details').forEach(one => (one.open = true))")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(_WIDER) == []
    if page.locator(".tool-parallel").is_visible():
        page.locator(".tool-parallel").click()
        page.locator(".tool-parallel[aria-pressed=true]").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(_WIDER) == []


@pytest.mark.parametrize("path", ["#choose", "404.html", "ja/404.html", "zh-Hant/404.html"])
@pytest.mark.parametrize("width", [360, 320])
def test_pages_outside_the_contents_do_not_scroll_sideways(visit, path, width):
    page = visit(path, width=width, height=740)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(_WIDER) == []


def test_search_dialog_fits_a_phone(visit, edition):
    page = visit(f"{edition}/chapters/two-scores.html", width=320, height=640)
    page.locator(".tool-search").click()
    page.locator(".search-dialog input").fill("softmax")
    page.locator(".search-dialog [role=option]").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert page.evaluate(_WIDER) == []


def test_motion_is_reduced_when_asked(visit, edition, document):
    moving = """() => {
      const seconds = list => Math.max(...list.split(",").map(parseFloat));
      const all = [document.documentElement, ...document.body.querySelectorAll("*")].map(one => getComputedStyle(one));
      return { smooth: getComputedStyle(document.documentElement).scrollBehavior === "smooth",
               moved: all.filter(one => seconds(one.transitionDuration) > 0 || seconds(one.animationDuration) > 0).length };
    }"""
    reduced = visit(f"{edition}/{document}.html", reduced_motion="reduce").evaluate(moving)
    assert reduced == {"smooth": False, "moved": 0}
    free = visit(f"{edition}/{document}.html", reduced_motion="no-preference").evaluate(moving)
    assert free["smooth"], "the test would not see motion"


def test_storage_that_throws_leaves_the_page_working(browser, addresses, record, edition):
    context = browser.new_context()
    record.watch(context)
    context.add_init_script("""
      for (const area of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, area, { configurable: true, get() { throw new DOMException("blocked", "SecurityError"); } });
    """)
    page = context.new_page()
    page.goto(f"{addresses['http']}{edition}/chapters/two-scores.html")
    page.locator(".tool-parallel").click()
    page.locator(".passage > .other").first.wait_for()
    page.locator(".theme-switch-button").click()
    page.locator(".tool-search").click()
    assert page.locator(".search-dialog").is_visible()
    context.close()
