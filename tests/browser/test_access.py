"""axe-core finds nothing, on any page, in both themes, on a desk and on a phone, with everything open."""

import pytest
from playwright.sync_api import expect

CHAPTER = "chapters/two-scores.html"
WIDTHS = (1440, 390)
COLOURS = ("color-contrast", "link-in-text-block")  # the other theme changes nothing else


def _everywhere(page, axe) -> list[str]:
    """Return what axe objects to in both themes at both widths, each with where it was seen."""
    found = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        # The theme gives scrolling boxes their tab stops 300 ms after it hears of the new width, in the next frame.
        page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 350)))")
        for theme, rules in (("light", ()), ("dark", COLOURS)):
            page.evaluate("theme => Object.assign(document.documentElement.dataset, { theme, mode: theme })", theme)
            found += [f"{width} {theme}: {line}" for line in axe(page, *rules)]
    return found


def test_no_page_has_a_violation(visit, axe, edition, document):
    page = visit(f"{edition}/{document}.html")
    assert _everywhere(page, axe) == []


@pytest.mark.parametrize("path", ["#choose", "404.html", "ja/404.html", "zh-Hant/404.html"])
def test_pages_outside_the_contents_have_no_violation(visit, axe, path):
    assert _everywhere(visit(path), axe) == []


def test_chapter_with_everything_unfolded_and_both_languages(visit, axe, edition):
    page = visit(f"{edition}/{CHAPTER}")
    page.evaluate("document.querySelectorAll('details').forEach(one => (one.open = true))")
    page.locator(".tool-parallel").click()
    expect(page.locator(".tool-parallel")).to_have_attribute("aria-pressed", "true")
    assert _everywhere(page, axe) == []


def test_search_dialog_with_hits(visit, axe, edition):
    page = visit(f"{edition}/{CHAPTER}")
    page.keyboard.press("/")
    page.locator(".search-dialog input").fill("softmax")
    page.locator(".search-dialog [role=option]").first.wait_for()
    assert _everywhere(page, axe) == []


@pytest.mark.parametrize(("side", "width"), [("primary", 390), ("secondary", 390), ("secondary", 1100)])
def test_sidebar_dialogs(visit, axe, edition, side, width):
    page = visit(f"{edition}/{CHAPTER}", width=width)
    button = page.locator(f".{side}-toggle")
    button.click()
    dialog = page.locator(f"#pst-{side}-sidebar-modal")
    expect(dialog).to_be_visible()
    expect(button).to_have_attribute("aria-expanded", "true")
    for theme in ("light", "dark"):
        page.evaluate("theme => Object.assign(document.documentElement.dataset, { theme, mode: theme })", theme)
        assert axe(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(button).to_be_focused()


@pytest.mark.parametrize("side", ["primary", "secondary"])
def test_a_link_in_a_sidebar_dialog_leads_there(visit, landed, edition, side):
    page = visit(f"{edition}/{CHAPTER}", width=390)
    page.locator(f".{side}-toggle").click()
    links = page.locator(f"#pst-{side}-sidebar-modal a")
    if side == "primary":
        links.get_by_text({"ja": "用語集", "zh-Hant": "術語表"}[edition]).click()
        page.wait_for_url("**/chapters/glossary.html")
    else:
        links.locator("nth=3").click()
        expect(page.locator("#pst-secondary-sidebar-modal")).to_be_hidden()
        anchor = page.url.partition("#")[2]
        landed(page, f"#{anchor}")


def test_skip_link_is_first_and_leads_to_the_text(visit, edition, document):
    page = visit(f"{edition}/{document}.html")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#main-content"
    assert page.evaluate("document.activeElement.checkVisibility()")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.getElementById('main-content').contains(document.activeElement)")


def test_keyboard_reaches_everything_without_moving_the_page(visit, edition):
    page = visit(f"{edition}/{CHAPTER}")
    page.evaluate("document.getElementById('lab').scrollIntoView({ behavior: 'instant' })")
    before = page.evaluate("scrollY")
    tools = page.locator(".bd-header :is(a, button):visible")
    assert tools.count() >= 5
    for tool in tools.all():
        tool.focus()
        assert tool.evaluate("""one => {
          const style = getComputedStyle(one);
          return one.matches(":focus-visible") && (style.outlineStyle !== "none" || style.boxShadow !== "none");
        }"""), "a ring shows where one is"
        assert page.evaluate("scrollY") == before


def test_boxes_that_scroll_can_be_reached(visit, edition):
    page = visit(f"{edition}/{CHAPTER}", width=360)
    # Boxes are measured once more when the fonts are there.
    page.evaluate("document.fonts.ready.then(() => new Promise(done => requestAnimationFrame(() => setTimeout(done))))")
    stuck = page.evaluate("""[...document.querySelectorAll("article *")].filter(one =>
      one.scrollWidth > one.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(one).overflowX)
      && one.checkVisibility() && one.tabIndex < 0 && !one.querySelector("a, button, input, [tabindex='0']"))
      .map(one => one.outerHTML.slice(0, 80))""")
    assert stuck == []
