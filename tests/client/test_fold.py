"""Spellings that a reader takes for the same."""

import pytest


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("√dₖ", "√d_k"),
        ("√dₖ", "√DK"),
        ("ｄ＿ｋ", "dk"),
        ("エントロピー", "ｴﾝﾄﾛﾋﾟｰ"),
        ("エントロピー", "エントロピ"),
        ("√dₖ で割る", "√dₖで割る"),
        ("Query と Key", "queryとkey"),
        ("−1", "-1"),
        ("１．８２", "1.82"),
    ],
)
def test_same(call, one, other):
    first, second = call("fold", "[m.fold(a), m.fold(b)]", a=one, b=other)
    assert first == second != ""


@pytest.mark.parametrize(("one", "other"), [("dot product", "dotproduct"), ("分散", "標準偏差"), ("dₖ", "dᵥ")])
def test_different(call, one, other):
    first, second = call("fold", "[m.fold(a), m.fold(b)]", a=one, b=other)
    assert first != second


def test_map_leads_back_to_the_original(call):
    text = "softmax の　エントロピー は √dₖ"
    folded = call("fold", "m.foldMap(text)", text=text)
    assert folded["text"] == "softmaxのエントロピは√dk"
    at = folded["text"].index("エントロピ")
    assert text[folded["map"][at]] == "エ"
    assert len(folded["map"]) == len(folded["text"]) + 1
    assert folded["map"][-1] == len(text)


def test_terms_are_divided_by_spaces_and_quotes(call):
    assert call("fold", "m.terms(q)", q=" √dₖ　分散 “dot  product” 分散 ") == ["√dk", "分散", "dot", "product"]


@pytest.mark.parametrize(
    ("text", "term", "found"),
    [
        ("monkey key keys", "key", [7, 11]),  # a Latin term begins where a word begins
        ("k kinds of k", "k", [0, 11]),  # one letter is a word
        ("変異数と異数", "異数", [1, 4]),  # Han: any substring
        ("√dkはdkの平方根", "dk", [1, 4]),
    ],
)
def test_occurrences(call, text, term, found):
    assert call("fold", "m.occurrences(text, term)", text=text, term=term) == found
