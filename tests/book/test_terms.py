"""The glossary: its schema, what it forbids, and the book's own file."""

from __future__ import annotations

import pytest

from interview_book.book.errors import BookError, Faults
from interview_book.book.language_rules import language_findings
from interview_book.book.terms import Term, forbidden, load, read, term, term_findings

ENTRY = {
    "key": "array",
    "en": "array",
    "ja": "配列",
    "kana": "はいれつ",
    "ja_said": "配列",
    "zh-Hant": "陣列",
    "zh_said": "array",
}


def _line(**changes):
    """One entry as YAML; a value of None leaves the field out."""
    fields = {**ENTRY, **changes}
    return "- " + "\n  ".join(f"{key}: {value}" for key, value in fields.items() if value is not None) + "\n"


def _write(book, text):
    (book.root / "chapters" / "terms.yml").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "rule", "said"),
    [
        (_line(ja=None), "term-field", "expected a text 'ja', got None"),
        (_line(zh_said="''"), "term-field", "'zh_said'"),
        (_line(status="ok"), "unknown-key", "got 'status'"),
        (_line(key="Dot Product"), "term-key", "got 'Dot Product'"),
        (_line(kana="配れつ"), "term-kana", "the reading in kana"),
        (_line(aliases="[a]"), "term-aliases", "lists under ja, zh-Hant or en"),
        (_line(aliases="{fr: [a]}"), "term-aliases", "lists under ja, zh-Hant or en"),
        (_line(forbidden="{en: [a]}"), "term-forbidden", "lists of spellings under ja or zh-Hant"),
        (_line(forbidden="{ja: [{a: b}]}"), "term-forbidden", "lists of spellings"),
        (_line(forbidden="{ja: [配列]}"), "term-forbidden", "both right and forbidden, got '配列' (ja)"),
        (_line() + _line(), "duplicate-key", "got 'array' as terms 1 and 2"),
        ("- 3\n", "type", "expected a mapping, got 3"),
        ("a: b\n", "type", "expected a list of terms, got dict"),
        ("- key: [\n", "yaml", "expected plain YAML"),
        ("- key: a\n  key: b\n", "yaml", "key 'key' twice"),
    ],
)
def test_faults_of_the_file(book, text, rule, said):
    _write(book, text)
    _, faults = read(book.root)
    assert [(one.file, one.rule) for one in faults] == [("chapters/terms.yml", rule)]
    assert said in faults[0].message
    assert faults[0] in [*faults, *book.faults()]


def test_every_fault_at_once(book):
    _write(book, _line(ja=None, en=None) + _line(kana="配"))
    with pytest.raises(Faults) as error:
        load(book.root)
    assert [one.rule for one in error.value.faults] == ["term-field", "term-field", "term-kana"]


def test_a_missing_file(book):
    (book.root / "chapters" / "terms.yml").unlink()
    book.expect("missing-file", "expected the file", where="chapters/terms.yml")


def test_not_utf_8(book):
    (book.root / "chapters" / "terms.yml").write_bytes("- key: 配列\n".encode("shift_jis"))
    book.expect("encoding", "expected UTF-8", where="chapters/terms.yml")


def test_load_and_find(book):
    terms = load(book.root)
    found = term(terms, "array")
    assert (found.spelling("ja"), found.spelling("zh-Hant"), found.said("zh-Hant")) == ("配列", "陣列", "array")
    assert term(terms, "softmax").aliases == {"ja": ("ソフトマックス",)}
    with pytest.raises(BookError, match="unknown term 'none'"):
        term(terms, "none")


WORDS = forbidden(
    [
        Term("p", "p", "パラメーター", "", "パラメーター", "參數", "參數", forbidden={"ja": {"パラメータ": ()}}),
        Term("a", "a", "配列", "", "配列", "陣列", "array", forbidden={"zh-Hant": {"數組": ("數組成",)}}),
        Term("j", "j", "ヤコビ行列", "", "ヤコビアン", "雅可比矩陣", "Jacobian", forbidden={"ja": {"ヤコビアン": ()}}),
    ]
)


@pytest.mark.parametrize(
    ("tag", "text", "said"),
    [
        ("ja", "パラメータを学ぶ", "expected パラメーター, found パラメータ near «パラメータを学ぶ»"),
        ("zh-Hant", "一個數組", "expected 陣列, found 數組"),
        ("ja", "ヤコビアンの成分", "expected ヤコビ行列, found ヤコビアン"),
    ],
)
def test_forbidden_spellings(tag, text, said):
    (found,) = term_findings(text, tag, WORDS)
    assert found.rule == "forbidden-spelling"
    assert said in found.message


@pytest.mark.parametrize(
    ("tag", "text"),
    [("ja", "パラメーターを学ぶ"), ("zh-Hant", "由三個數組成"), ("zh-Hant", "パラメータ"), ("ja", "數組")],
)
def test_right_words_that_contain_them(tag, text):
    assert term_findings(text, tag, WORDS) == []


def test_what_is_said_may_be_said():
    assert term_findings("ヤコビアンの成分", "ja", WORDS, spoken=True) == []
    assert len(term_findings("パラメータ", "ja", WORDS, spoken=True)) == 1


def test_a_forbidden_spelling_in_a_book(book):
    book.replace("want-zh-Hant", "兩個分數", "兩個數組")
    book.expect("forbidden-spelling", "expected 陣列, found 數組", where="cell 3 (want-zh-Hant)")


# --- the book's own glossary ------------------------------------------------------------------------------------------


def test_the_glossary_is_clean(root):
    terms = load(root)
    assert len(terms) > 190
    assert len({one.key for one in terms}) == len(terms)


def test_the_glossary_is_written_in_its_languages(root):
    terms = load(root)
    words = forbidden(terms)
    found = [
        (one.key, finding.message)
        for one in terms
        for tag in ("ja", "zh-Hant")
        for finding in language_findings(one.spelling(tag), tag, forbidden=words)
    ]
    assert found == []


@pytest.mark.parametrize(
    "word", ["方差", "標準正態", "協方差", "標量", "概率", "歸一化", "置信", "數組", "蒙特卡洛"]
)
def test_mainland_words_of_the_glossary(root, word):
    assert "forbidden-spelling" in [
        one.rule for one in language_findings(word, "zh-Hant", forbidden=forbidden(load(root)))
    ]
