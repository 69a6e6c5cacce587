"""What else a reader does: copies code, opens answers, prints, takes the notebook along, loses the way."""

import json
import re

import nbformat
import pytest
from playwright.sync_api import expect

from interview_book.book.interface import words
from interview_book.book.languages import other

CHAPTER = "chapters/two-scores.html"
KANA = re.compile(r"[ぁ-ゖァ-ヺ]")


def test_copy_button_copies_the_code_of_the_notebook(visit, edition, say, root):
    page = visit(f"{edition}/{CHAPTER}", permissions=["clipboard-read", "clipboard-write"])
    notebook = json.loads((root / "chapters" / "two-scores.ipynb").read_text(encoding="utf-8"))
    sources = ["".join(one["source"]) for one in notebook["cells"] if one["cell_type"] == "code"]
    buttons = page.locator("article .copybtn")
    assert buttons.count() == page.locator("article .cell_input .highlight").count() > 5
    assert page.locator(".cell_output .copybtn").count() == 0
    for button in buttons.all():
        button.scroll_into_view_if_needed()
        assert button.get_attribute("aria-label") != say["copied"]
        button.click()
        expect(button).to_have_attribute("aria-label", say["copied"])
        assert page.evaluate("navigator.clipboard.readText()").strip() in [one.strip() for one in sources]


def test_copy_works_from_files_by_keyboard(visit, edition, say):
    page = visit(f"{edition}/{CHAPTER}", scheme="file")
    button = page.locator("article .copybtn").first
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-label", say["copied"])
    assert button.evaluate("one => one === document.activeElement")


def test_answers_fold_by_keyboard_and_pointer(visit, edition):
    page = visit(f"{edition}/{CHAPTER}")
    folds = page.locator(".question details")
    assert folds.count() >= 5
    assert page.locator(".question details[open]").count() == 0, "nobody sees an answer before asking for it"
    first = folds.first
    first.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(first.locator(".fold-body")).to_be_visible()
    page.keyboard.press("Space")
    expect(first.locator(".fold-body")).to_be_hidden()
    first.locator("summary").click()
    expect(first.locator(".fold-body")).to_be_visible()


def test_answers_can_be_found_by_the_browser(visit, edition):
    page = visit(f"{edition}/{CHAPTER}", java_script_enabled=False)
    page.locator(".question summary").first.click()
    assert page.locator(".question .fold-body").first.is_visible(), "details needs no script"


# What must not be on paper, and what must.
_PRINTED = """() => {
  const all = selector => [...document.querySelectorAll(selector)];
  const start = one => one.outerHTML.slice(0, 80);
  const seen = { checkOpacity: true, checkVisibilityCSS: true };
  const shown = one => one.checkVisibility(seen) && one.getClientRects().length > 0;
  // The entries of a table that can be written into are its text.
  const around = ".bd-header, .bd-sidebar, .headerlink, .passage-link, .skip-link, dialog, nav, footer";
  const tools = `${around}, button, input:not(.stage input)`;
  const text = "article :is(h1, h2, h3, p, pre, figure, table, .katex)";
  const meant = ".visually-hidden, .q-do, .actions, .copybtn, script, template, .book-widget, .book-deck";
  return {
    tools: all(tools).filter(shown).map(start),
    hidden: all(text).filter(one => !shown(one) && !one.closest(meant)).map(start),
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  };
}"""


def test_paper_holds_the_text_and_no_tools(visit, edition, document):
    page = visit(f"{edition}/{document}.html", width=718)
    page.emulate_media(media="print")
    printed = page.evaluate(_PRINTED)
    assert printed.pop("wide") < 8, "the empty end of an inline formula may stand outside, some pixels, nothing else"
    assert printed == {"tools": [], "hidden": []}


def test_paper_is_light_though_the_screen_is_dark(visit, edition):
    page = visit(f"{edition}/{CHAPTER}", color_scheme="dark")
    page.locator(".theme-switch-button").click()
    page.emulate_media(media="print")
    ink, paper = page.evaluate("""() => {
      const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
      return ["color", "backgroundColor"].map(name => {
        pen.fillStyle = "white"; pen.fillRect(0, 0, 1, 1);
        pen.fillStyle = getComputedStyle(document.documentElement)[name]; pen.fillRect(0, 0, 1, 1);
        return pen.getImageData(0, 0, 1, 1).data.slice(0, 3).reduce((a, b) => a + b);
      });
    }""")
    assert ink < 200 < 700 < paper


def test_chapter_becomes_a_pdf_of_several_pages(visit, edition):
    page = visit(f"{edition}/{CHAPTER}")
    pdf = page.pdf(format="A4", prefer_css_page_size=True)
    assert pdf.startswith(b"%PDF-")
    assert 4 < len(re.findall(rb"/Type\s*/Page\b", pdf)) < 40


def test_download_gives_a_notebook_in_that_language(visit, edition, tmp_path):
    page = visit(f"{edition}/{CHAPTER}")
    with page.expect_download() as started:
        page.locator("a[download]").click()
    assert started.value.suggested_filename == "two-scores.ipynb"
    started.value.save_as(tmp_path / "two-scores.ipynb")
    notebook = nbformat.read(tmp_path / "two-scores.ipynb", as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    first = notebook.cells[0]
    assert first.cell_type == "markdown"
    assert bool(KANA.search(first.source)) == (edition == "ja")
    prose = [one.source for one in notebook.cells if one.cell_type == "markdown"]
    spoken = sum(bool(KANA.search(one)) for one in prose)
    assert (spoken > len(prose) / 2) if edition == "ja" else spoken <= 1, f"{spoken} of {len(prose)} cells hold kana"
    assert any("wheel" in one.source or ".whl" in one.source for one in notebook.cells[:3]), (
        "says how to install the package"
    )


def test_every_page_that_runs_offers_its_notebook(visit, edition, document, site_folder):
    page = visit(f"{edition}/{document}.html")
    for link in page.locator("a[download][href$='.ipynb']").all():
        path = link.evaluate("one => decodeURI(one.pathname)").lstrip("/")
        nbformat.validate(json.loads((site_folder / path).read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", ["nowhere.html", "chapters/nowhere.html", "chapters/deeper/nowhere.html", "_static/"])
def test_lost_reader_is_answered_in_the_language_asked_for(visit, record, edition, path):
    record.expect(f"/{edition}/{path}")
    record.expect("the server responded with a status of 404")
    page = visit("#choose")
    answer = page.goto(page.url.replace("#choose", f"{edition}/{path}"))
    assert answer.status == 404
    assert page.locator("h1").inner_text() == words(edition)["lost"]
    assert page.locator("html").get_attribute("lang") == {"ja": "ja", "zh-Hant": "zh-TW"}[edition]
    page.locator("article a.button").click()
    page.wait_for_url(f"**/{edition}/chapters/index.html")
    page.go_back()
    page.locator(".tool-language").click()
    page.wait_for_url(f"**/{other(edition).tag}/chapters/index.html")


def test_lost_reader_outside_the_editions_is_answered_in_both(visit, record):
    record.expect("/nowhere")
    record.expect("the server responded with a status of 404")
    page = visit("#choose")
    answer = page.goto(page.url.replace("#choose", "nowhere/at-all"))
    assert answer.status == 404
    assert page.locator("article section[lang]").evaluate_all("all => all.map(one => one.lang)") == ["ja", "zh-Hant"]
    for i, tag in enumerate(("ja", "zh-Hant")):
        page.locator("article a.button").nth(i).click()
        page.wait_for_url(f"**/{tag}/chapters/index.html")
        page.go_back()


def test_error_page_finds_home_from_files(visit, edition):
    page = visit(f"{edition}/404.html", scheme="file")
    page.locator("article a.button").click()
    page.wait_for_url(f"file://**/{edition}/chapters/index.html")


def test_passage_link_appears_and_names_the_passage(visit, landed, edition):
    page = visit(f"{edition}/{CHAPTER}")
    link = page.locator("#p-odds-text > .passage-link")
    page.locator("#p-odds-text").hover()
    link.click(force=True)
    page.wait_for_url("**#p-odds-text")
    landed(page, "#p-odds-text")


def test_links_within_the_chapter_land_below_the_header(visit, edition):
    page = visit(f"{edition}/{CHAPTER}")
    page.locator("#p-answer-30s a[href='#questions']").click()
    page.wait_for_function("""() => {
      const header = document.querySelector(".bd-header").getBoundingClientRect().bottom;
      const { top } = document.querySelector("#questions h2").getBoundingClientRect();
      return header <= top && top < header + 80;
    }""")
