"""Our strings win over Sphinx's; the rest of Sphinx's stay."""

from types import SimpleNamespace

import pytest
import sphinx.locale
from babel.messages.pofile import read_po

from interview_book.book import catalogue
from interview_book.book.interface import LOCALE

# Strings of our pages: what was missing or Simplified before, by what it must be now.
MENDED = {
    "ja": {
        "Link to this heading": "この節へのリンク",
        "Link to this equation": "この式へのリンク",
        "Link to this image": "この図へのリンク",
        "Tip": "ヒント",
        "Fig. %s": "図 %s",  # Sphinx's own
    },
    "zh_TW": {
        "Link to this heading": "這一節的連結",
        "Skip to main content": "跳到主要內容",
        "On this page": "本頁內容",
        "Fig. %s": "圖 %s",
        "Warning": "警告",  # Sphinx's own
    },
}


@pytest.mark.parametrize("language", MENDED)
def test_our_strings_come_first_and_the_rest_stays(language, monkeypatch):
    monkeypatch.setattr(sphinx.locale, "translators", {})
    own, _ = sphinx.locale.init([sphinx.locale._LOCALE_DIR], language)
    app = SimpleNamespace(config=SimpleNamespace(language=language), translator=own)
    catalogue.install(app)
    assert {text: app.translator.gettext(text) for text in MENDED[language]} == MENDED[language]
    assert str(sphinx.locale._("Link to this heading")) == MENDED[language]["Link to this heading"]


@pytest.mark.parametrize("language", MENDED)
def test_no_string_is_left_empty(language):
    with (LOCALE / f"{language}.po").open("rb") as file:
        messages = [one for one in read_po(file, locale=language) if one.id]
    assert len(messages) > 10
    assert [one.id for one in messages if not one.string] == []
