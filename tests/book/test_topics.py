"""Names of topics: one for each topic of the claims, in both languages, in the order of the ledger."""

import pytest

from interview_book.book import claims, topics
from interview_book.book.errors import Faults

FILE = "chapters/topics.yml"


def test_the_good_book_has_none_of_these_faults(book):
    assert book.faults() == []
    names = topics.load(book.root, ["softmax", "softmax"])
    assert names == {"softmax": {"ja": "softmax の重み", "zh-Hant": "softmax 的權重"}}


def test_the_order_is_that_of_the_claims(root):
    used = [claim.topic for claim in claims.load(root).values()]
    assert list(topics.load(root, used)) == list(dict.fromkeys(used))
    assert len(topics.load(root, used)) == 9


@pytest.mark.parametrize(
    ("text", "rule", "says"),
    [
        ("{}", "topic-name", "expected a name in ja and zh-Hant for the topic, found None"),
        ("softmax: {ja: 重み}", "topic-name", "found {'ja': '重み'}"),
        ("softmax: {ja: 重み, zh-Hant: ' '}", "topic-name", "found"),
        ("softmax: 重み", "topic-name", "found '重み'"),
        ("- softmax", "type", "expected names by topic, found list"),
        ("softmax: {ja: 重み, zh-Hant: 權重}\nsoft: {ja: 重み, zh-Hant: 權重}", "unknown-topic", "found 'soft'"),
        ("softmax: {ja: 重み, zh-Hant: 权重}", "not-traditional", "权"),
        ("softmax: {ja: [", "yaml", "expected plain YAML"),
    ],
)
def test_what_is_wrong_is_named(book, text, rule, says):
    (book.root / FILE).write_text(text, encoding="utf-8")
    book.expect(rule, says, where=FILE)


def test_a_missing_file_is_named(book):
    (book.root / FILE).unlink()
    book.expect("missing-file", "expected the file", where=FILE)
    with pytest.raises(Faults, match=r"topics\.yml: \[missing-file\]"):
        topics.load(book.root, ["softmax"])


def test_a_book_without_claims_needs_no_names(tmp_path):
    assert topics.read(tmp_path, []) == ({}, [])
