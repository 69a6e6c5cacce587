"""Written texts are cut into words, formulas and code."""

import pytest

from interview_book.practice.inline import paragraphs, pieces


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("重みは 1", [("words", "重みは 1")]),
        ("", []),
        (r"$p<1$ と `a$b` で", [("maths", "p<1"), ("words", " と "), ("code", "a$b"), ("words", " で")]),
        ("$ d_k $。", [("maths", "d_k"), ("words", "。")]),
        (r"\$5 and $x$", [("words", "$5 and "), ("maths", "x")]),
        ("only one $ sign", [("words", "only one $ sign")]),
        ("`a` `b`", [("code", "a"), ("words", " "), ("code", "b")]),
        ("$$", [("words", "$$")]),
    ],
)
def test_pieces_in_order(text, cut):
    assert list(pieces(text)) == cut


def test_empty_lines_part_paragraphs():
    assert paragraphs("一\n\n二\n三\n \n\n四\n") == ["一", "二\n三", "四"]
