"""A picture file becomes part of the page."""

import pytest

from interview_book.book.errors import BookError
from interview_book.book.svg import inline

PICTURE = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="7pt" height="5pt"
 viewBox="0 0 7 5" class="wide" version="1.1"><metadata>today</metadata><style>.f-root { stroke: #065b44 }</style>
<!-- drawn -->

<defs><clipPath id="box"><rect width="7"/></clipPath></defs>
<g clip-path="url(#box)" mask='url( "#box" )' aria-labelledby="box dot"><path class="f-root" d="M0 0"/></g>
<use xlink:href="#dot"/><use href="#i-q"/><circle id="dot" r="2"/><text>−√<tspan>n</tspan> &lt; 1</text></svg>"""


def test_ids_and_what_refers_to_them_move_together():
    html = inline(PICTURE, "page-walks-", "")
    for piece in (
        'id="page-walks-box"',
        'clip-path="url(#page-walks-box)"',
        'mask="url(#page-walks-box)"',
        'aria-labelledby="page-walks-box page-walks-dot"',
        'href="#page-walks-dot"',
        'href="#i-q"',  # the page's own sprite
    ):
        assert piece in html
    assert '"#dot"' not in html


def test_only_the_drawing_stays():
    html = inline(PICTURE, "p-", "硬貨 \"64\" 回 & <合計>")
    assert html.startswith('<svg viewBox="0 0 7 5" class="fig wide" role="img" aria-label="')
    assert 'aria-label="硬貨 &quot;64&quot; 回 &amp; &lt;合計&gt;"' in html
    for gone in ("<style", "metadata", "DOCTYPE", "<?xml", "drawn", "xmlns", "xlink", "7pt", "\n\n"):
        assert gone not in html
    assert '<path class="f-root" d="M0 0" />' in html and "−√<tspan>n</tspan> &lt; 1" in html


def test_a_figure_that_is_one_already_keeps_its_classes():
    assert 'class="fig links"' in inline('<svg class="fig links"/>', "", "x")


@pytest.mark.parametrize(
    ("text", "said"), [("<svg><g></svg>", "not well-formed SVG"), ("<html/>", "expected <svg>, got <html>")]
)
def test_what_is_no_picture(text, said):
    with pytest.raises(BookError, match=said):
        inline(text, "", "x")
