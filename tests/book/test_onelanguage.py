"""Keeping one language of an HTML fragment: byte for byte what it was, without the other language's elements."""

import pytest

from interview_book.book.errors import BookError
from interview_book.book.onelanguage import keep_language

TABLE = """<table class="verdicts">
<caption lang="ja">分散</caption>
<caption lang="zh-Hant">變異數<b>x</b></caption>
<tr><th><span lang="ja">主張</span><span lang="zh-Hant">說法</span></th><td>0.5 &lt; 1&nbsp;é</td></tr>
</table>
<script type="application/json">{"a": "<b lang='ja'>", "viewBox": 1}</script>
<svg viewBox="0 0 7 5"><path d="M0 0"/><text lang="zh-Hant">乙</text></svg>"""


def test_the_rest_stays_byte_for_byte():
    assert keep_language(TABLE, "ja") == (
        '<table class="verdicts">\n<caption lang="ja">分散</caption>\n\n'
        '<tr><th><span lang="ja">主張</span></th><td>0.5 &lt; 1&nbsp;é</td></tr>\n</table>\n'
        """<script type="application/json">{"a": "<b lang='ja'>", "viewBox": 1}</script>\n"""
        '<svg viewBox="0 0 7 5"><path d="M0 0"/></svg>'
    )


@pytest.mark.parametrize(
    ("html", "ja", "zh"),
    [
        ("<p>1</p>", "<p>1</p>", "<p>1</p>"),
        ('<p lang="en">a</p>', '<p lang="en">a</p>', '<p lang="en">a</p>'),
        ("<p lang=ja>甲</p><p lang='zh-TW'>乙</p>", "<p lang=ja>甲</p>", "<p lang='zh-TW'>乙</p>"),
        # a quotation inside a kept element belongs to its sentence
        ('<p lang="ja">甲<i lang="zh-Hant">乙</i></p>', '<p lang="ja">甲<i lang="zh-Hant">乙</i></p>', ""),
        ('<p lang="ja">甲<br>乙<img src="x"></p>0', '<p lang="ja">甲<br>乙<img src="x"></p>0', "0"),
        ('<div lang="ja"><div>甲</div></div>1', '<div lang="ja"><div>甲</div></div>1', "1"),
        ('<img lang="ja" src="a"><hr lang="zh-Hant"/>', '<img lang="ja" src="a">', '<hr lang="zh-Hant"/>'),
        # what HTML lets one leave open is no obstacle where no language hangs on it
        ("<ul><li>1<li>2</ul><b lang='ja'>甲</b>", "<ul><li>1<li>2</ul><b lang='ja'>甲</b>", "<ul><li>1<li>2</ul>"),
        ("</b><p lang='ja'>甲</p>", "</b><p lang='ja'>甲</p>", "</b>"),
    ],
)
def test_each_edition_keeps_its_own(html, ja, zh):
    assert (keep_language(html, "ja"), keep_language(html, "zh-Hant")) == (ja, zh)


@pytest.mark.parametrize("html", ['<p lang="ja">甲', '<div><p lang="ja">甲</div>', '<p lang="ja">甲<p lang="zh">乙'])
def test_an_unclosed_language_is_an_error_not_a_guess(html):
    with pytest.raises(BookError, match=r"expected </p> for `<p lang=\"ja\">甲"):
        keep_language(html, "zh-Hant")


def test_an_unknown_edition():
    with pytest.raises(BookError, match="unknown edition 'fr'"):
        keep_language("<p>1</p>", "fr")
