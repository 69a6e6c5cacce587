"""The search dialog in a real browser, over http with Pagefind and from file:// with the text of the edition."""

import shutil
import statistics

import pytest

pytestmark = pytest.mark.browser

ROOTS = ["http", "file"]


@pytest.fixture(params=ROOTS)
def base(request, http_base, site):
    return http_base if request.param == "http" else site.as_uri()


def opened(page):
    return page.evaluate("document.querySelector('.search-dialog')?.open ?? false")


def search(page, query):
    page.keyboard.press("/")
    page.fill(".search-dialog input", query)
    page.wait_for_function("document.querySelector('.search-dialog [role=status]').textContent !== ''")
    return page.evaluate("[...document.querySelectorAll('.hits a')].map(a => a.href.split('/').slice(-3).join('/'))")


@pytest.mark.parametrize(
    ("tag", "query", "first"),
    [
        ("ja", "勾配", "p-measure3"),
        ("ja", "梯度", "p-measure3"),  # Chinese, in the Japanese edition
        ("ja", "ｴﾝﾄﾛﾋﾟ", "p-measure4"),
        ("ja", "量子 乱流", None),
        ("ja", "位置符号", "p-soft2"),
        ("ja", "注意機構", "soft"),  # an alias
        ("ja", "準偏", "p-why2"),  # a substring across words
        ("zh-Hant", "變異數", "p-why2"),
        ("zh-Hant", "变异数", "p-why2"),  # Simplified
        ("zh-Hant", "方差", "p-why2"),  # a word of the mainland
        ("zh-Hant", "異數", "p-why2"),
        ("zh-Hant", "積注", "attention"),  # a substring across words of a title
        ("zh-Hant", "縮放點積", "attention"),
        ("zh-Hant", "softmax 量子", None),
    ],
)
def test_queries_find_their_passage(visit, base, tag, query, first):
    page = visit(f"{base}/{tag}/chapters/scaling.html")
    hits = search(page, query)
    assert (hits[0].split("#")[1] if hits else None) == first
    assert all(hit.startswith(f"{tag}/chapters/") for hit in hits)


def test_nothing_is_loaded_before_it_is_opened_and_nothing_from_elsewhere(visit, http_base):
    page = visit("about:blank")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{http_base}/ja/chapters/scaling.html")
    page.wait_for_load_state("networkidle")
    assert not any("bridge" in url or "pagefind" in url or "search-text" in url for url in asked)
    search(page, "勾配")
    assert any("pagefind.js" in url for url in asked)
    assert not any("search-text" in url for url in asked)  # Pagefind sufficed
    assert all(url.startswith((http_base, "data:", "blob:")) for url in asked)


def test_pattern_of_a_combobox(visit, base):
    page = visit(f"{base}/ja/chapters/scaling.html")
    assert len(search(page, "です")) > 2
    field = page.locator(".search-dialog input")
    assert field.get_attribute("role") == "combobox"
    assert field.get_attribute("aria-expanded") == "true"
    assert field.get_attribute("aria-controls") == page.locator("[role=listbox]").get_attribute("id")

    def active():
        (selected,) = page.locator("[role=option][aria-selected=true]").all()
        assert field.get_attribute("aria-activedescendant") == selected.get_attribute("id")
        options = "[...document.querySelectorAll('[role=option]')]"
        return page.evaluate(f"{options}.findIndex(one => one.ariaSelected === 'true')")

    assert active() == 0
    page.keyboard.press("ArrowDown")
    assert active() == 1
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert active() == page.locator("[role=option]").count() - 1
    assert "件" in page.locator(".search-dialog [role=status]").text_content()
    assert page.evaluate("document.querySelectorAll('.hits mark').length") > 2


def test_enter_goes_there_and_escape_closes(visit, base):
    page = visit(f"{base}/ja/chapters/attention.html")
    search(page, "勾配")
    page.keyboard.press("Enter")
    page.wait_for_url("**/scaling.html#p-measure3")
    page.keyboard.press("/")
    assert opened(page)
    page.keyboard.type("x")
    page.keyboard.press("Escape")
    assert not opened(page)


def test_hits_for_other_words_than_the_readers_say_so(visit, base):
    page = visit(f"{base}/ja/chapters/scaling.html")
    assert search(page, "梯度")
    assert page.locator(".search-note").inner_text() == "「勾配」で見つかった箇所です。"
    page.fill(".search-dialog input", "エントロピー 量子")
    page.wait_for_function("document.querySelector('.search-note').textContent.includes('エントロピー')")
    page.fill(".search-dialog input", "ｴﾝﾄﾛﾋﾟｰ")  # the same word in another width is the reader's own
    page.wait_for_function("!document.querySelector('.search-note').textContent")
    assert page.locator(".hits a").count() == 1


def test_enter_without_a_hit_keeps_the_dialog(visit, base):
    page = visit(f"{base}/ja/chapters/scaling.html")
    assert search(page, "zzz") == []
    assert "zzz" in page.locator(".search-note").text_content()
    page.keyboard.press("Enter")
    assert opened(page)


def test_an_input_method_never_navigates(visit, base):
    page = visit(f"{base}/ja/chapters/scaling.html")
    search(page, "勾配")
    before = page.url
    for event in ("{key: 'Enter', isComposing: true}", "{key: 'Enter', keyCode: 229}"):
        page.evaluate(
            "document.querySelector('.search-dialog input').dispatchEvent("
            f"new KeyboardEvent('keydown', {{bubbles: true, cancelable: true, ...{event}}}))"
        )
    page.wait_for_timeout(100)
    assert page.url == before
    assert opened(page)


def test_slash_in_a_field_is_a_slash(visit, base):
    page = visit(f"{base}/ja/chapters/scaling.html")
    page.evaluate("document.querySelector('article').prepend(document.createElement('textarea'))")
    page.focus("textarea")
    page.keyboard.type("1/2")
    assert page.input_value("textarea") == "1/2"
    assert not opened(page)


def test_a_hit_on_this_page_closes_the_dialog_and_returns_focus(visit, base):
    page = visit(f"{base}/ja/chapters/scaling.html")
    page.click(".tool-search")
    assert opened(page)
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.className").endswith("tool-search")
    search(page, "エントロピー")
    page.click(".hits a")
    page.wait_for_url("**/scaling.html#p-measure4")
    assert not opened(page)


def test_an_edition_without_an_index_says_so(visit, site, tmp_path):
    copy = tmp_path / "ja"
    shutil.copytree(site / "ja", copy, ignore=shutil.ignore_patterns("pagefind", "search-text.js", "bridge.js"))
    page = visit((copy / "chapters" / "scaling.html").as_uri(), expected="ERR_FILE_NOT_FOUND")
    page.keyboard.press("/")
    page.fill(".search-dialog input", "勾配")
    page.wait_for_function("document.querySelector('.search-note').textContent.includes('make book')")


QUERIES = ["變異數", "梯度", "方差", "內積", "標準差", "縮放點積", "熵", "注意力", "位置", "√dk", "檢索", "理由"]
TIMES = """async queries => {
  document.querySelector(".tool-search").click();
  const field = document.querySelector(".search-dialog input"), times = [];
  const status = document.querySelector(".search-dialog [role=status]");
  for (const query of queries) {
    const start = performance.now();
    status.textContent = "";
    const done = new Promise(ready => {
      const watch = new MutationObserver(() => status.textContent && (watch.disconnect(), ready()));
      watch.observe(status, { childList: true });
    });
    field.value = query;
    field.dispatchEvent(new InputEvent("input"));
    await done;
    times.push(performance.now() - start);
  }
  return times;
}"""


def test_speed(visit, http_base):
    """Design §7: 400 ms cold, 100 ms warm. The best cold visit and the median warm query: other tests may run
    beside this one, and what the machine does elsewhere only ever adds to a time."""
    visits = [visit(f"{http_base}/zh-Hant/chapters/scaling.html").evaluate(TIMES, QUERIES) for _ in range(5)]
    assert [len(times) for times in visits] == [len(QUERIES)] * 5
    assert min(times[0] for times in visits) <= 400
    assert statistics.median(time for times in visits for time in times[1:]) <= 100


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_axe_finds_nothing_in_the_dialog(visit, http_base, root, scheme, width):
    page = visit(
        f"{http_base}/ja/chapters/scaling.html", color_scheme=scheme, viewport={"width": width, "height": 844}
    )
    assert len(search(page, "です")) > 2
    page.add_script_tag(path=root / "node_modules" / "axe-core" / "axe.min.js")
    found = page.evaluate("axe.run('.search-dialog').then(result => result.violations)")
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
