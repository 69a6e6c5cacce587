"""What the site's script does to a page, in a real browser."""

import pytest

pytestmark = pytest.mark.browser

THROWS = """
const get = () => { throw new DOMException("blocked", "SecurityError"); };
for (const area of ["localStorage", "sessionStorage"]) Object.defineProperty(window, area, { configurable: true, get });
"""
FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"


@pytest.fixture(params=["http", "file"])
def base(request, http_base, site):
    return http_base if request.param == "http" else site.as_uri()


def press(page, selector):
    """A click that does not scroll first, as Playwright's own may."""
    box = page.locator(selector).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def top(page, identifier):
    return page.evaluate("id => document.getElementById(id).getBoundingClientRect().top", identifier)


def scroll_to(page, identifier):
    page.evaluate("id => document.getElementById(id).scrollIntoView({ behavior: 'instant' })", identifier)


def parallel(page):
    press(page, ".tool-parallel")
    page.wait_for_selector(".tool-parallel[aria-pressed=true]")


def test_parallel_shows_the_other_half_beside_each_passage(visit, base):
    page = visit(f"{base}/ja/chapters/scaling.html")
    assert page.locator(".other").count() == 0
    parallel(page)
    assert page.locator("html").get_attribute("data-parallel") is not None
    count = "passage => passage.querySelectorAll(':scope > .other').length"
    assert page.evaluate(f"[...document.querySelectorAll('.passage')].map({count})") == [1, 1, 1, 1]
    half = page.locator("#p-why2 > .other")
    assert (half.get_attribute("lang"), half.inner_text()) == ("zh-Hant", "變異數是 dₖ，標準差是 √dₖ。")
    assert page.locator("h2 + .other-title").all_inner_texts() == ["理由", "量測"]
    assert page.locator("h1 + .other-title").all_inner_texts() == ["為什麼要除以 √dₖ"]


def test_parallel_toggles_and_doubles_nothing(visit, base):
    page = visit(f"{base}/ja/chapters/scaling.html")
    tops = "[...document.querySelectorAll('article [id]')].map(one => one.getBoundingClientRect().top)"
    alone = page.evaluate(tops)
    for pressed in ("true", "false", "true"):
        press(page, ".tool-parallel")
        page.wait_for_selector(f".tool-parallel[aria-pressed={pressed}]")
        assert page.locator("#p-why1 > .other").is_visible() is (pressed == "true")
        assert (page.evaluate(tops) == alone) is (pressed == "false")  # a hidden half takes no room
    assert page.locator(".other").count() == 4
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(one => one.id)")
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("width", [1440, 390])
def test_parallel_keeps_the_readers_place(visit, base, width):
    page = visit(f"{base}/ja/chapters/scaling.html", viewport={"width": width, "height": 844})
    scroll_to(page, "p-measure3")
    before = top(page, "p-measure3")
    parallel(page)
    assert top(page, "p-measure3") == pytest.approx(before, abs=2)
    press(page, ".tool-parallel")
    page.wait_for_selector(".tool-parallel[aria-pressed=false]")
    assert top(page, "p-measure3") == pytest.approx(before, abs=2)


def test_parallel_is_remembered_during_the_visit(visit, http_base):
    page = visit(f"{http_base}/ja/chapters/scaling.html")
    parallel(page)
    page.goto(f"{http_base}/ja/chapters/attention.html")
    page.wait_for_selector(".tool-parallel[aria-pressed=true]")
    assert page.locator("h1 + .other-title").inner_text() == "縮放點積注意力"


def test_parallel_that_cannot_be_loaded_says_so(visit, http_base):
    page = visit("about:blank")
    page.route("**/parallel/**", lambda route: route.fulfill(status=200, content_type="text/javascript", body=""))
    page.goto(f"{http_base}/zh-Hant/chapters/scaling.html")
    press(page, ".tool-parallel")
    page.wait_for_function("document.querySelector('.header-tools [role=status]')?.textContent.includes('對照')")
    assert page.locator(".tool-parallel").get_attribute("aria-pressed") == "false"


def test_language_lands_on_the_same_passage_and_is_remembered(visit, base):
    page = visit(f"{base}/ja/chapters/scaling.html")
    scroll_to(page, "p-measure3")
    press(page, ".tool-language")
    page.wait_for_url("**/zh-Hant/chapters/scaling.html#p-measure3")
    assert page.evaluate("localStorage.getItem('interview-book:v1:language')") == "zh-Hant"
    page.wait_for_function("Math.abs(document.getElementById('p-measure3').getBoundingClientRect().top) < 200")


def test_language_at_the_top_lands_at_the_top(visit, base):
    page = visit(f"{base}/ja/chapters/scaling.html")
    press(page, ".tool-language")
    page.wait_for_url("**/zh-Hant/chapters/scaling.html")


def test_language_of_a_new_tab_as_well(visit, http_base):
    page = visit(f"{http_base}/ja/chapters/scaling.html")
    scroll_to(page, "p-why2")
    box = page.locator(".tool-language").bounding_box()
    with page.context.expect_page() as opened:
        page.mouse.click(box["x"] + 9, box["y"] + 9, button="middle")
    assert opened.value.url.endswith("/zh-Hant/chapters/scaling.html#p-why2")


@pytest.mark.parametrize("fault", [THROWS, FULL])
def test_storage_that_throws_breaks_nothing(visit, http_base, fault):
    page = visit(f"{http_base}/ja/chapters/scaling.html", script=fault)
    parallel(page)
    page.keyboard.press("/")
    assert page.evaluate("document.querySelector('.search-dialog').open")
    page.keyboard.press("Escape")
    scroll_to(page, "p-why2")
    press(page, ".tool-language")
    page.wait_for_url("**/zh-Hant/chapters/scaling.html#p-why2")


@pytest.mark.parametrize("fault", [THROWS, FULL])
def test_the_themes_keys_have_a_memory_and_all_others_their_true_error(visit, http_base, fault):
    page = visit(f"{http_base}/ja/chapters/scaling.html", script=fault)
    assert page.evaluate("(localStorage.setItem('mode', 'dark'), localStorage.getItem('mode'))") == "dark"
    keep = "localStorage.setItem('interview-book:v1:deck', '1')"
    name = page.evaluate(f"(() => {{ try {{ {keep}; }} catch (error) {{ return error.name; }} }})()")
    assert name in ("SecurityError", "QuotaExceededError")


def test_storage_that_works_is_left_alone(visit, http_base):
    page = visit(f"{http_base}/ja/chapters/scaling.html")
    assert page.evaluate("localStorage instanceof Storage && localStorage.length") == 0


def test_copy_buttons_copy_code(visit, base):
    page = visit(f"{base}/ja/chapters/scaling.html", permissions=["clipboard-read", "clipboard-write"])
    (button,) = page.locator(".copybtn").all()
    assert button.get_attribute("aria-label") == "コピー"
    button.click()
    page.wait_for_selector(".copybtn.success")
    assert button.get_attribute("aria-label") == "コピーしました"
    page.evaluate("document.querySelector('article').prepend(document.createElement('textarea'))")
    page.focus("textarea")
    page.keyboard.press("Control+v")
    assert page.input_value("textarea") == "d_k = 64\nprint(d_k)"


def test_copy_without_the_clipboard_interface(visit, http_base):
    without = "Object.defineProperty(navigator, 'clipboard', { value: undefined });"
    page = visit(f"{http_base}/ja/chapters/scaling.html", script=without)
    page.evaluate("document.addEventListener('copy', () => { window.copied = document.activeElement.value; })")
    page.click(".copybtn")
    page.wait_for_selector(".copybtn.success")
    assert page.evaluate("window.copied") == "d_k = 64\nprint(d_k)"
    assert page.evaluate("document.activeElement.className").startswith("copybtn")
    assert page.locator("body > textarea").count() == 0


def test_only_boxes_that_scroll_are_stops(visit, base):
    page = visit(f"{base}/ja/chapters/scaling.html")
    page.wait_for_selector(".scroll[tabindex]")
    stops = page.evaluate("[...document.querySelectorAll('.scroll')].map(box => box.getAttribute('tabindex'))")
    assert stops == [None, "0"]


def test_theme_button_follows_the_theme(visit, http_base):
    page = visit(f"{http_base}/zh-Hant/chapters/scaling.html", color_scheme="dark")
    button = page.locator(".theme-switch-button")
    assert button.get_attribute("aria-label") == "外觀：跟隨裝置（目前是深色）"
    page.evaluate("Object.assign(document.documentElement.dataset, { mode: 'light', theme: 'light' })")
    page.wait_for_function("document.querySelector('.theme-switch-button').ariaLabel === '外觀：淺色'")
    assert button.get_attribute("title") == "外觀：淺色"
