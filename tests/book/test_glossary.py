"""The glossary as a reader of each edition needs it."""

from interview_book.book.glossary import grouped, html
from interview_book.book.terms import Term


def term(key, en, ja, kana, zh, ja_said=None, zh_said=None):
    return Term(key=key, en=en, ja=ja, kana=kana, ja_said=ja_said or ja, zh=zh, zh_said=zh_said or zh)


TERMS = [
    term("gradient", "gradient", "勾配", "こうばい", "梯度"),
    term("parameter", "parameter", "パラメーター", "パラメーター", "參數"),
    term("head", "head", "ヘッド", "ヘッド", "head"),
    term("attention", "attention", "アテンション", "アテンション", "注意力", zh_said="attention"),
    term("vector", "vector", "ベクトル", "ベクトル", "向量"),
    term("angle", "<angle>", "角度", "かくど", "角度", ja_said="アングル"),
]


def keys(tag):
    return [(initial, [one.key for one in members]) for initial, members in grouped(TERMS, tag)]


def test_japanese_by_kana_rows_whatever_the_script_or_voicing():
    # は行: パラメーター (は), ベクトル (へく), ヘッド (へつ)
    assert keys("ja") == [("あ", ["attention"]), ("か", ["angle", "gradient"]), ("は", ["parameter", "vector", "head"])]


def test_chinese_by_english_letters():
    assert keys("zh-Hant") == [
        ("#", ["angle"]), ("A", ["attention"]), ("G", ["gradient"]), ("H", ["head"]), ("P", ["parameter"]),
        ("V", ["vector"]),
    ]  # fmt: skip


def test_an_entry_says_what_its_spelling_does_not():
    page = html(TERMS, "ja")
    assert '<section class="term" id="term-gradient">' in page
    assert "<h3>勾配<small>こうばい</small></h3>" in page
    assert "<h3>アテンション</h3>" in page  # its reading is its spelling
    assert '<p class="term-other" lang="zh-Hant">注意力</p>' in page
    assert "声に出すと</span>アングル</p>" in page and page.count('class="term-said"') == 1
    assert "&lt;angle&gt;" in page and "<angle>" not in page


def test_the_chinese_page_shows_no_kana_reading_but_what_is_said():
    page = html(TERMS, "zh-Hant")
    assert "<small>" not in page
    assert '口語說法</span><span lang="en">attention</span></p>' in page
    assert '<p class="term-other" lang="ja">アテンション</p>' in page


def test_the_index_leads_to_every_group():
    page = html(TERMS, "ja")
    assert page.startswith('<nav class="terms-index" aria-label="五十音"><a href="#terms-1">あ</a>')
    assert [f'id="terms-{n}"' in page for n in (1, 2, 3, 4)] == [True, True, True, False]
