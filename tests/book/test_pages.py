"""What a page's template knows."""

from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.utils import new_document

from interview_book.book import pages


def config(language, url=""):
    return SimpleNamespace(language=language, book_url=url)


@pytest.mark.parametrize(("language", "tag"), [("ja", "ja"), ("zh_TW", "zh-Hant")])
def test_the_edition_is_known_by_sphinx_s_name_for_its_language(language, tag):
    assert pages.tag_of(config(language)) == tag


@pytest.mark.parametrize(
    ("url", "first"), [("", "../../ja/chapters/a.html"), ("https://example.org/b/", "https://example.org/b/ja/chapters/a.html")]
)
def test_alternates_are_absolute_only_with_an_address(url, first):
    found = pages._alternates(url, "../..", "chapters/a.html")
    assert [one["tag"] for one in found] == ["ja", "zh-Hant", "x-default"]
    assert found[0]["href"] == first


def document(*paragraphs):
    whole = new_document("page")
    section = nodes.section()
    whole += section
    section.extend(paragraphs)
    return whole


def paragraph(text, *more):
    return nodes.paragraph("", "", nodes.Text(text), *more)


def test_the_description_is_the_first_paragraph_that_can_be_read_as_text():
    long = "割る前と割った後の重みを、二つのスコアで比べて確かめます。"
    formula = paragraph("重みは小さくなります。次の式のとおりです。", nodes.math("p", "p"))
    note = nodes.note("", paragraph("これは囲みの中の段落なので、説明には使いません。"))
    assert pages.description_of(document(paragraph("短い。"), formula, note, paragraph(long))) == long


def test_a_long_description_ends_with_an_ellipsis_at_120_characters():
    text = pages.description_of(document(paragraph("あ" * 121)))
    assert (len(text), text[-2:]) == (120, "あ…")
    assert pages.description_of(document(paragraph("あ" * 120))) == "あ" * 120


def test_no_description_without_a_paragraph():
    assert pages.description_of(document()) == "" and pages.description_of(None) == ""


def test_links_beside_headings_are_named():
    body = '<h2>題<a class="headerlink" href="#a" title="この節へのリンク">#</a></h2><a href="#b" title="x">y</a>'
    assert pages.finish(body) == (
        '<h2>題<a class="headerlink" href="#a" title="この節へのリンク" aria-label="この節へのリンク">#</a></h2>'
        '<a href="#b" title="x">y</a>'
    )
