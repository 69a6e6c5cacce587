"""The words of the interface are there in both languages."""

import re

import pytest
import yaml

from interview_book.book.errors import BookError
from interview_book.book.interface import LOCALE, words
from interview_book.book.languages import LANGUAGES


def test_every_word_is_there_in_both_languages_with_the_same_gaps():
    table = yaml.safe_load((LOCALE / "interface.yml").read_text(encoding="utf-8"))
    for name, both in table.items():
        assert list(both) == list(LANGUAGES), name
        gaps = {tag: sorted(re.findall(r"\{\w+\}", text)) for tag, text in both.items()}
        assert gaps["ja"] == gaps["zh-Hant"], name


def test_words_belong_to_their_edition():
    assert (words("ja")["title"], words("zh-Hant")["title"]) == ("AI 面接問題集", "AI 面試題庫")
    with pytest.raises(BookError, match="unknown edition 'en'"):
        words("en")
    with pytest.raises(TypeError):
        words("ja")["title"] = "other"
