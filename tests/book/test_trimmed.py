"""Cutting elements out of HTML without parsing it."""

import pytest
from bs4 import BeautifulSoup

from interview_book.book.trimmed import elements, without_cells, without_colours, without_questions, without_visual

FORMULA = (
    '<span class="katex"><span class="katex-mathml"><math><mi>c</mi></math></span>'
    '<span class="katex-html" aria-hidden="true"><span class="base"><span>c</span></span></span></span>'
)


def test_the_visual_half_goes_and_the_other_stays():
    html = f"<p>a {FORMULA} b <span>c</span> {FORMULA}</p>"
    soup = BeautifulSoup(html, "html.parser")
    for visual in soup.select(".katex-html"):
        visual.decompose()
    assert without_visual(html) == str(soup)


def test_cells_go_whole_with_the_cells_inside_them():
    inner = '<div class="cell_output docutils"><div class="output"><div class="cell">x</div></div></div>'
    html = f'<div class="passage">a</div><div class="cell docutils container"><div>{inner}</div></div><div>b</div>'
    assert without_cells(html) == '<div class="passage">a</div><div>b</div>'


def test_questions_go_whole():
    question = '<section aria-label="1" class="question" id="q-a"><section>x</section></section>'
    assert without_questions(f"<section>a</section>{question}<p>b</p>") == "<section>a</section><p>b</p>"


@pytest.mark.parametrize("html", ["", "<p>none</p>", '<div class="cell_output">none</div>', '<div class="cells">'])
def test_other_html_stays_as_it_is(html):
    assert without_cells(html) == without_visual(html) == html


def test_what_never_ends_is_left_alone():
    html = '<div class="cell"><div>'
    assert without_cells(html) == html


def test_code_loses_its_colours_and_no_letter():
    html = '<span>a</span><pre><span></span><span class="k">if</span> <em>b</em>:\n</pre><pre id="c">d</pre>'
    assert without_colours(html) == '<span>a</span><pre>if <em>b</em>:\n</pre><pre id="c">d</pre>'


def test_elements_are_found_by_name_or_class_as_a_selector_finds_them():
    html = '<nav><p class="a b"><i>1</i></p><svg class="c"></svg><div class="ab">2</div><b class>3</b></nav>'
    soup = BeautifulSoup(html, "html.parser")
    assert elements(soup.nav, names={"svg", "i"}, classes={"b"}) == soup.nav.select("svg, i, .b")
    assert elements(soup.nav, names={"nav"}) == []
