"""Both languages side by side: the other half beside every passage, and gone without a trace."""

from playwright.sync_api import expect

from interview_book.book.languages import other

CHAPTER = "chapters/two-scores.html"
# A passage that is in both languages, or is the list of contents, needs no other half; nor does the book's own name.
_PASSAGES = "article .passage[id]:not(.both, .contents)"
_HALVES = """all => Object.fromEntries([...document.querySelectorAll(all)].map(one => {
  const half = one.querySelector(":scope > .other");
  return [one.id, half && { lang: half.lang, text: half.innerText.trim(), shown: half.checkVisibility() }];
}))"""
_OWN = """all => Object.fromEntries([...document.querySelectorAll(all)].map(one => [one.id, one.innerText.trim()]))"""
_HEADINGS = """() => [...document.querySelectorAll("article section[id] > :is(h1, h2, h3)")]
  .filter(one => !one.matches(".is-landing h1")).map(one => {
  const next = one.nextElementSibling;
  const lang = next?.matches(".other-title") && next.checkVisibility() && next.lang;
  return [one.parentElement.id, lang, next?.textContent.trim()];
})"""
_DOUBLED = """() => {
  const ids = [...document.querySelectorAll("[id]")].map(one => one.id);
  return ids.filter((one, i) => ids.indexOf(one) !== i);
}"""


def _turn(page, on: bool) -> None:
    page.locator(".tool-parallel").click()
    expect(page.locator(".tool-parallel")).to_have_attribute("aria-pressed", str(on).lower())


def _words(text: str) -> str:
    return "".join(text.split())


def test_every_passage_has_its_other_half(visit, edition, document):
    there = other(edition)
    page = visit(f"{edition}/{document}.html")
    _turn(page, True)
    halves = page.evaluate(_HALVES, _PASSAGES)
    assert halves
    bare = [key for key, half in halves.items() if not half or not half["shown"] or not half["text"]]
    assert bare == []
    assert {half["lang"] for half in halves.values()} == {there.tag}
    # What stands beside a passage is what the other edition says there.
    theirs = visit(f"{there.tag}/{document}.html").evaluate(_OWN, _PASSAGES)
    assert set(theirs) == set(halves)
    different = {
        key: (half["text"][:60], theirs[key][:60])
        for key, half in halves.items()
        if _words(half["text"]) not in _words(theirs[key]) and _words(theirs[key]) not in _words(half["text"])
    }
    assert different == {}


def test_every_heading_has_its_other_half(visit, edition, document):
    page = visit(f"{edition}/{document}.html")
    _turn(page, True)
    headings = page.evaluate(_HEADINGS)
    # The glossary's initials are letters of one language; they have no other half.
    bare = [
        key for key, lang, text in headings if (lang != other(edition).tag or not text) and not key.startswith("terms-")
    ]
    assert [one for one in bare if not one.startswith("term-")] == []
    assert len(headings) > len(bare)


def test_nothing_is_doubled_and_nothing_stays(visit, edition, document):
    page = visit(f"{edition}/{document}.html")
    before = page.locator("article").inner_text()
    equations = page.locator(".eqno, .caption-number").all_inner_texts()
    assert page.evaluate(_DOUBLED) == []
    _turn(page, True)
    assert page.evaluate(_DOUBLED) == []
    assert page.locator(".eqno, .caption-number").all_inner_texts() == equations
    assert page.locator("article").inner_text() != before
    _turn(page, False)
    assert page.locator("article").inner_text() == before
    _turn(page, True)
    assert all(page.locator(f"#{key} > .other").count() == 1 for key in page.evaluate(_HALVES, _PASSAGES)), "only once"


def test_the_place_stays_where_it_was(visit, edition):
    page = visit(f"{edition}/{CHAPTER}")
    for place in ("p-outputs-read", "lab", "p-limits-text"):
        for on in (True, False):
            page.evaluate("id => document.getElementById(id).scrollIntoView({ behavior: 'instant' })", place)
            before = page.locator(f"#{place}").evaluate("one => one.getBoundingClientRect().top")
            _turn(page, on)
            after = page.locator(f"#{place}").evaluate("one => one.getBoundingClientRect().top")
            assert abs(after - before) < 3, (place, on)


def test_it_is_remembered_for_the_visit(visit, edition, scheme):
    page = visit(f"{edition}/{CHAPTER}", scheme=scheme)
    _turn(page, True)
    page.reload()
    page.locator(".passage > .other").first.wait_for()
    page.goto(page.url.replace("two-scores", "glossary"))
    page.locator(".passage > .other").first.wait_for()
    assert page.locator(".tool-parallel").get_attribute("aria-pressed") == "true"
    _turn(page, False)
    page.reload()
    page.wait_for_load_state("networkidle")
    assert page.locator(".passage > .other").count() == 0
    assert page.locator(".tool-parallel").get_attribute("aria-pressed") == "false"


def test_works_by_keyboard_and_loads_only_when_asked(visit, edition):
    page = visit(f"{edition}/{CHAPTER}")
    page.wait_for_load_state("networkidle")
    loaded = "performance.getEntriesByType('resource').map(one => one.name).filter(one => one.includes('/parallel/'))"
    assert page.evaluate(loaded) == []
    page.locator(".tool-parallel").focus()
    page.keyboard.press("Space")
    page.locator(".passage > .other").first.wait_for()
    assert len(page.evaluate(loaded)) == 1
    assert page.locator(".tool-parallel").evaluate("one => one === document.activeElement")


def test_side_by_side_on_a_desk_one_below_the_other_on_a_phone(visit, edition):
    page = visit(f"{edition}/{CHAPTER}")
    _turn(page, True)
    placed = """() => {
      const passage = document.getElementById("p-opening"), half = passage.querySelector(".other");
      const own = passage.querySelector(":scope > p").getBoundingClientRect(), their = half.getBoundingClientRect();
      return { beside: their.left >= own.right, below: their.top >= own.bottom };
    }"""
    assert page.evaluate(placed) == {"beside": True, "below": False}
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate(placed) == {"beside": False, "below": True}


def test_a_half_that_cannot_be_loaded_is_said(visit, record, edition, say):
    record.expect("/parallel/")
    page = visit(f"{edition}/{CHAPTER}")
    page.route("**/_static/parallel/**", lambda route: route.abort())
    page.locator(".tool-parallel").click()
    expect(page.locator(".header-tools [role=status]")).to_have_text(say["parallelFailed"])
    assert page.locator(".tool-parallel").get_attribute("aria-pressed") == "false"
    page.unroute("**/_static/parallel/**")
    _turn(page, True)


def test_a_second_press_while_it_loads_means_no(visit, edition):
    page = visit(f"{edition}/{CHAPTER}")
    page.evaluate("""() => { const one = document.querySelector(".tool-parallel"); one.click(); one.click(); }""")
    page.wait_for_function("window.bookParallel")
    page.wait_for_function("!document.querySelector('.tool-parallel').hasAttribute('aria-busy')")
    expect(page.locator(".tool-parallel")).to_have_attribute("aria-pressed", "false")
    assert page.locator(".passage > .other").first.is_hidden() and not page.evaluate(
        "document.documentElement.hasAttribute('data-parallel')"
    )
    _turn(page, True)
    assert page.evaluate(_DOUBLED) == [] and page.locator(".passage > .other").first.is_visible()
