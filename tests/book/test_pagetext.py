"""What a built page says, passage by passage."""

import pytest
from bs4 import BeautifulSoup

from interview_book.book.pagetext import Page, Segment, formula, read

KATEX = (
    '<span class="katex"><span class="katex-mathml"><math><semantics>{}<annotation>TeX</annotation></semantics></math>'
    '</span><span aria-hidden="true" class="katex-html">HTML</span></span>'
)
ROOT = "<mrow><msqrt><msub><mi>d</mi><mi>k</mi></msub></msqrt></mrow>"


def article(body, title="題 — 本"):
    return f'<html lang="ja"><title>{title}</title><nav>目次</nav><article class="bd-article">{body}</article></html>'


def test_passages_headings_and_blocks_in_order():
    page = read(
        article(
            f"""<section id="top"><h1>なぜ √dₖ か<a class="headerlink" href="#top">#</a></h1>
            <div class="passage" id="p-a"><a class="passage-link" href="#p-a"></a><p>{KATEX.format(ROOT)} で割る。</p>
            <p>次の段落。</p><div class="other">別の言語</div></div>
            <div class="cell_input"><pre>d_k = 64</pre></div><div class="cell_output"><pre>8.0</pre></div>
            <section id="why"><h2>理由</h2><div class="passage" id="p-b"><ul><li>一</li><li>二</li></ul></div></section>
            <p>終わり</p></section>"""
        ),
        "chapters/a.html",
    )
    top = "なぜ √dₖ か"
    assert page == Page(
        "chapters/a.html",
        top,
        [
            Segment("top", top, top, "head"),
            Segment("p-a", top, "√dₖ で割る。次の段落。"),
            Segment("p-a", top, "d_k = 64", "code"),
            Segment("p-a", top, "8.0", "code"),
            Segment("why", "理由", "理由", "head"),
            Segment("p-b", "理由", "一 二"),
            Segment("p-a", "理由", "終わり"),
        ],
    )


def test_a_reading_in_small_print_is_not_part_of_the_name():
    page = read(article('<section id="t"><h3>勾配<small>こうばい</small></h3><p>梯度</p></section>'), "a.html")
    assert page.segments == [Segment("t", "勾配", "勾配", "head"), Segment("t", "勾配", "こうばい 梯度")]


def test_furniture_is_not_text():
    page = read(
        article(
            '<h1>題</h1><p>文<span class="eqno">(1)</span><svg><text>7</text></svg><button>押す</button><!-- 注 -->'
            '<script>x</script></p><div class="book-widget"><h3>部品</h3></div>'
            '<section class="question" id="q"><p class="fine q-passage"><a href="#p">練習する</a></p></section>'
        ),
        "a.html",
    )
    assert [one.text for one in page.segments] == ["題", "文"]


@pytest.mark.parametrize(
    ("mathml", "text"),
    [
        (ROOT, "√dₖ"),
        ("<msub><mi>d</mi><mtext>model</mtext></msub>", "d_(model)"),
        ("<msup><mi>c</mi><mn>2</mn></msup>", "c²"),
        ("<msup><mi>x</mi><mi>β</mi></msup>", "x^β"),
        ("<mfrac><mn>1</mn><msub><mi>d</mi><mi>k</mi></msub></mfrac>", "1/dₖ"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>", "(a+b)/2"),
        ("<mi>Var</mi><mo>\u2061</mo><mo>(</mo><mi>s</mi><mo>)</mo>", "Var(s)"),
        ("<msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt>", "√(a+b)"),
    ],
)
def test_formulas_read_as_prose_spells_them(mathml, text):
    assert formula(BeautifulSoup(f"<math><mrow>{mathml}</mrow></math>", "html.parser").math) == text


def test_a_displayed_formula_is_left_out():
    block = KATEX.format(ROOT).replace("<math>", '<math display="block">')
    assert [one.text for one in read(article(f"<h1>題</h1><p>前{block}後</p>"), "a.html").segments] == ["題", "前後"]


def test_a_page_without_an_article_or_without_text():
    assert read("<html><body><p>redirect</p></body></html>", "index.html") is None
    assert read(article("<p> </p>"), "a.html") is None


def test_a_page_without_a_heading_is_called_by_its_title():
    assert read(article("<p>文</p>"), "a.html").title == "題"
