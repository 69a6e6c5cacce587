"""Numbers in words, as they are said."""

import pytest

from interview_book.practice.said import LETTERS, WORDS, number


@pytest.mark.parametrize(
    ("text", "ja", "zh"),
    [
        ("0", "ゼロ", "零"),
        ("1", "一", "一"),
        ("10", "十", "十"),
        ("11", "十一", "十一"),
        ("64", "六十四", "六十四"),
        ("100", "百", "一百"),
        ("101", "百一", "一百零一"),
        ("110", "百十", "一百一十"),
        ("128", "百二十八", "一百二十八"),
        ("1,024", "千二十四", "一千零二十四"),
        ("2010", "二千十", "二千零一十"),
        ("10000", "一万", "一萬"),
        ("10010", "一万十", "一萬零一十"),
        ("65536", "六万五千五百三十六", "六萬五千五百三十六"),
        ("100000", "十万", "十萬"),
        ("1000000", "百万", "一百萬"),
        ("100000001", "一億一", "一億零一"),
        ("3.7", "三点七", "三點七"),
        ("0.119", "零点一一九", "零點一一九"),
        ("0.05", "零点零五", "零點零五"),
    ],
)
def test_numbers(text, ja, zh):
    assert number(text, "ja") == ja
    assert number(text, "zh-Hant") == zh


def test_a_number_nobody_says_is_refused():
    with pytest.raises(ValueError, match="at most 16 digits, got 17"):
        number("1" * 17, "ja")


def test_the_tables_are_whole():
    assert sorted(LETTERS) == list("abcdefghijklmnopqrstuvwxyz")
    for word, (kana, syllables) in {**WORDS, **LETTERS}.items():
        assert word == word.lower() and 1 <= syllables <= 6
        assert all("ァ" <= sign <= "ー" for sign in kana), word
