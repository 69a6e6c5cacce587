"""Search as a reader meets it: what is found, and the keys that lead there."""

import re
import shutil

import pytest

CHAPTER = "chapters/two-scores.html"
TWO, TERM = "chapters/two-scores.html#", "chapters/glossary.html#term-"
LOOK, WHY, INDEX = "chapters/soft-lookup.html#", "chapters/why-sqrt-dk.html#", "chapters/index.html#"
# A query, and the place (or one of the places) that must be among the first three. Written from what the pages say.
QUERIES = {
    "ja": [
        ("ヤコビ行列", TWO + "jacobian"),
        ("順位", TWO + "p-order-text"),
        ("反例", {TWO + "p-opening", WHY + "p-magnitude-want", WHY + "p-products-want"}),
        ("落とし穴", TWO + "pitfalls"),
        ("割り忘れ", TWO + "code"),
        ("黄金比", TWO + "p-crossover-read"),
        ("標準偏差", TERM + "standard-deviation"),
        ("重みの比", TWO + "p-odds-text"),
        ("硬貨", {INDEX + "fig-walks", WHY + "sqrt-coins"}),
        ("分散", TERM + "variance"),
        ("ちゅういきこう", TERM + "attention-mechanism"),  # by its reading
        # both words in one place
        ("内積 softmax", {LOOK + "q-lookup.three-roles", TWO + "q-two-scores.halving", WHY + "q-scaling.why-sqrt-dk"}),
        ("黄金比　勾配", TWO + "p-crossover-read"),  # divided by a full-width space
        ("√dk", WHY + "why-sqrt-dk-title"),  # as a keyboard can type it
        ("ｓｏｆｔｍａｘ", TERM + "softmax"),  # full width
        ("variance", TERM + "variance"),  # English
        ("confidence interval", TERM + "confidence-interval"),
        ("雅可比矩陣", TWO + "jacobian"),  # Chinese
        ("信賴區間", TERM + "confidence-interval"),
        ("置信区间", TERM + "confidence-interval"),  # Simplified
    ],
    "zh-Hant": [
        ("雅可比矩陣", TWO + "jacobian"),
        ("黃金比例", TWO + "p-crossover-read"),
        ("量測", TWO + "measurement"),
        ("權重", TWO + "weights"),
        ("標準差", TERM + "standard-deviation"),
        ("硬幣", {INDEX + "fig-walks", WHY + "sqrt-coins"}),
        ("反例", TWO + "p-opening"),
        ("亂數", TERM + "random-number"),
        ("縮放點積", TERM + "scaled-dot-product-attention"),  # a piece of a compound
        ("softmax 雅可比", TWO + "p-jacobian-want"),
        ("梯度　softmax", TWO + "p-raw-want"),  # divided by a full-width space
        ("ｓｏｆｔｍａｘ", TERM + "softmax"),  # full width
        ("learning rate", TERM + "learning-rate"),  # English
        ("黄金比例", TWO + "p-crossover-read"),  # Simplified
        ("缩放点积注意力", TERM + "scaled-dot-product-attention"),
        ("方差", TERM + "variance"),  # what the mainland calls it
        ("置信区间", TERM + "confidence-interval"),
        ("ヤコビ行列", TWO + "jacobian"),  # Japanese
        ("スコアの差", TERM + "score-gap"),
        ("信頼区間", TERM + "confidence-interval"),
    ],
}
_HITS = "[...document.querySelectorAll('.search-dialog [role=option]')].map(one => one.href)"


def _open(page) -> None:
    page.keyboard.press("/")
    page.locator(".search-dialog[open] input").wait_for()


def _ask(page, query: str) -> list[str]:
    """Type ``query`` and return the addresses found, inside their edition."""
    status = page.locator(".search-dialog [role=status]")
    page.locator(".search-dialog input").fill("")
    page.wait_for_function("!document.querySelector('.search-dialog [role=status]').textContent")
    page.locator(".search-dialog input").fill(query)
    page.wait_for_function("document.querySelector('.search-dialog [role=status]').textContent")
    assert status.text_content()
    return [re.sub(r"^.*?/(?:ja|zh-Hant)/", "", one) for one in page.evaluate(_HITS)]


def test_queries_find_their_place(visit, edition, scheme):
    assert len(QUERIES[edition]) >= 12
    page = visit(f"{edition}/{CHAPTER}", scheme=scheme)
    _open(page)
    missed = {}
    for query, place in QUERIES[edition]:
        found = _ask(page, query)
        if not ({place} if isinstance(place, str) else place) & set(found[:3]):
            missed[query] = (place, found[:4])
    assert not missed, "\n".join(map(str, missed.items()))


def test_every_hit_of_every_query_leads_to_a_place_that_is_there(visit, edition, site_folder):
    page = visit(f"{edition}/{CHAPTER}")
    _open(page)
    places = {one for query, _ in QUERIES[edition] for one in _ask(page, query)}
    assert len(places) > 20
    lost = []
    for place in sorted(places):
        path, _, anchor = place.partition("#")
        html = (site_folder / edition / path).read_text(encoding="utf-8")
        if anchor and f'id="{anchor}"' not in html:
            lost.append(place)
    assert lost == []


def test_what_is_not_there_is_not_found(visit, edition, scheme, say):
    page = visit(f"{edition}/{CHAPTER}", scheme=scheme)
    _open(page)
    assert _ask(page, "ミトコンドリア粒線體") == []
    assert page.locator(".search-note").inner_text() == say["searchNone"].replace("{q}", "ミトコンドリア粒線體")


def test_search_that_reads_another_word_says_which(visit, edition):
    page = visit(f"{edition}/{CHAPTER}")
    _open(page)
    _ask(page, "置信区间")
    note = page.locator(".search-note").inner_text()
    assert {"ja": "信頼区間", "zh-Hant": "信賴區間"}[edition] in note


def test_marked_words_are_the_words_asked_for(visit, edition):
    page = visit(f"{edition}/{CHAPTER}")
    _open(page)
    _ask(page, "softmax")
    marks = page.locator(".search-dialog [role=option]").first.locator("mark").all_inner_texts()
    assert marks and {one.lower() for one in marks} == {"softmax"}


def test_slash_opens_and_escape_gives_the_page_back(visit, edition, scheme):
    page = visit(f"{edition}/{CHAPTER}", scheme=scheme)
    page.locator(".tool-search").focus()
    _open(page)
    assert page.evaluate("document.activeElement.type") == "search"
    page.keyboard.type("a/b")
    assert page.locator(".search-dialog input").input_value() == "a/b", "inside the box it is a letter"
    page.keyboard.press("Escape")
    assert not page.locator(".search-dialog").is_visible()
    assert page.evaluate("document.activeElement.classList.contains('tool-search')")
    page.keyboard.press("Control+k")
    assert page.locator(".search-dialog").is_visible()


def test_slash_is_a_letter_where_one_types(visit, edition):
    page = visit(f"{edition}/{CHAPTER}")
    page.evaluate("document.querySelector('article').insertAdjacentHTML('afterbegin', '<input id=typing>')")
    page.locator("#typing").press("/")
    assert page.locator("#typing").input_value() == "/"
    assert page.locator(".search-dialog[open]").count() == 0


def test_button_opens_and_the_cross_closes(visit, edition):
    page = visit(f"{edition}/{CHAPTER}")
    page.locator(".tool-search").click()
    assert page.locator(".search-dialog").is_visible()
    page.locator(".search-dialog button").click()
    assert not page.locator(".search-dialog").is_visible()


def _chosen(page) -> str | None:
    """The option a screen reader is told of, which must be the one that is marked."""
    return page.evaluate("""() => {
      const id = document.querySelector(".search-dialog input").getAttribute("aria-activedescendant");
      const marked = [...document.querySelectorAll(".search-dialog [aria-selected=true]")];
      const [first, ...more] = marked.map(one => one.id);
      if (more.length || (first ?? null) !== id) throw new Error(`told of ${id}, marked ${[first, ...more]}`);
      return marked[0]?.href ?? null;
    }""")


def test_arrows_go_round_and_enter_goes_there(visit, edition, scheme):
    page = visit(f"{edition}/chapters/index.html", scheme=scheme)
    _open(page)
    _ask(page, "softmax")
    all_of_them = page.evaluate(_HITS)
    assert len(all_of_them) > 2
    assert _chosen(page) == all_of_them[0]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert _chosen(page) == all_of_them[2]
    page.keyboard.press("ArrowUp")
    assert _chosen(page) == all_of_them[1]
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert _chosen(page) == all_of_them[-1], "round the top to the end"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url == all_of_them[1])
    page.wait_for_load_state("load")
    anchor = all_of_them[1].partition("#")[2]
    top = page.evaluate("id => document.getElementById(id).getBoundingClientRect().top", anchor)
    assert 0 <= top < 900, "the place is in sight"


def test_enter_leads_to_a_place_on_this_page_and_closes(visit, landed, edition):
    page = visit(f"{edition}/{CHAPTER}")
    _open(page)
    found = _ask(page, {"ja": "黄金比", "zh-Hant": "黃金比例"}[edition])
    assert found[0] == TWO + "p-crossover-read"
    page.keyboard.press("Enter")
    page.wait_for_url("**#p-crossover-read")
    assert not page.locator(".search-dialog").is_visible()
    landed(page, "#p-crossover-read")


def test_a_click_on_a_hit_goes_there(visit, edition):
    page = visit(f"{edition}/{CHAPTER}")
    _open(page)
    _ask(page, "variance")
    page.locator(".search-dialog [role=option]").first.click()
    page.wait_for_url("**/chapters/glossary.html#term-variance")


# While an input method converts, and in Safari just after, its Enter confirms a word and nothing else.
@pytest.mark.parametrize("key", [{"isComposing": True, "keyCode": 13}, {"isComposing": False, "keyCode": 229}])
def test_enter_of_an_input_method_goes_nowhere(visit, edition, key):
    page = visit(f"{edition}/{CHAPTER}")
    _open(page)
    _ask(page, "variance")
    before = page.url
    press = """key => {
      const event = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...key });
      Object.defineProperty(event, "keyCode", { value: key.keyCode });
      return document.querySelector(".search-dialog input").dispatchEvent(event);
    }"""
    assert page.evaluate(press, key) is False, "nor may the form take it"
    page.wait_for_timeout(300)
    assert page.url == before
    assert page.locator(".search-dialog").is_visible()
    assert page.evaluate(press, {"isComposing": False, "keyCode": 13}) is False
    page.wait_for_url("**/chapters/glossary.html#term-variance")


def test_composed_text_is_searched_when_it_is_confirmed(visit):
    page = visit(f"ja/{CHAPTER}")
    _open(page)
    typing = page.context.new_cdp_session(page)
    typing.send("Input.imeSetComposition", {"text": "おうごん", "selectionStart": 4, "selectionEnd": 4})
    page.wait_for_timeout(200)
    assert page.evaluate(_HITS) == [], "half a word is not a query"
    typing.send("Input.imeSetComposition", {"text": "", "selectionStart": 0, "selectionEnd": 0})
    typing.send("Input.insertText", {"text": "黄金比"})
    page.locator(".search-dialog [role=option]").first.wait_for()
    assert page.evaluate(_HITS)[0].endswith(TWO + "p-crossover-read")


def test_a_book_without_an_index_says_so(visit, record, edition, say, site_folder, tmp_path):
    """As `jupyter-book build .` leaves it: no Pagefind, no text beside the pages."""
    shutil.copytree(
        site_folder / edition, tmp_path / edition, ignore=shutil.ignore_patterns("pagefind", "search-text.js")
    )
    record.expect("search-text.js")
    record.expect("ERR_FILE_NOT_FOUND")
    page = visit("", locale="en-US")
    page.goto((tmp_path / edition / CHAPTER).as_uri())
    _open(page)
    assert _ask(page, "softmax") == []
    assert page.locator(".search-note").inner_text() == say["searchMissing"]
    assert "make book" in say["searchMissing"]
