"""Which passages answer, in which order, and what is shown of them."""

import pytest


def segment(anchor, section, text, kind="text"):
    return {"anchor": anchor, "section": section, "text": text, "kind": kind}


PAGES = [
    {
        "url": "chapters/scaling.html",
        "title": "なぜ √dₖ で割るのか",
        "segments": [
            segment("scaling", "なぜ √dₖ で割るのか", "なぜ √dₖ で割るのか", "head"),
            segment("p-a", "なぜ √dₖ で割るのか", "Query と Key の内積は、dₖ 個の積の和です。"),
            segment("why", "分散の導出", "分散の導出", "head"),
            segment("p-b", "分散の導出", "積を足すので、分散は dₖ になります。標準偏差はその平方根です。"),
            segment("p-c", "分散の導出", "勾配については、条件がつきます。"),
        ],
    },
    {
        "url": "chapters/attention.html",
        "title": "アテンション",
        "segments": [
            segment("attention", "アテンション", "アテンション", "head"),
            segment("p-d", "アテンション", "注意機構は、ソフトな検索です。分散は次の章で測ります。"),
        ],
    },
]


@pytest.fixture
def find(call):
    def run(*asked, **options):
        return call("find", "m.find(pages, asked, 'ja', options)", pages=PAGES, asked=list(asked), options=options)

    return run


def places(hits):
    return [f"{hit['url']}#{hit['anchor']}" for hit in hits]


def shown(hit):
    return "".join(f"[{part['text']}]" if part["marked"] else part["text"] for part in hit["excerpt"])


def test_a_heading_comes_before_a_mention_and_shows_its_first_passage(find):
    hits = find("分散")
    assert places(hits) == ["chapters/scaling.html#why", "chapters/attention.html#p-d"]
    assert shown(hits[0]) == "積を足すので、[分散]は dₖ になります。標準偏差はその平方根です。"
    assert (hits[0]["page"], hits[0]["section"]) == ("なぜ √dₖ で割るのか", "分散の導出")
    assert hits[1]["section"] == ""  # the page's own title is not repeated


@pytest.mark.parametrize("typed", ["√dₖ", "√d_k", "√DK", "√ｄｋ"])
def test_symbols_however_typed(find, typed):
    assert places(find(typed))[0] == "chapters/scaling.html#scaling"


@pytest.mark.parametrize("typed", ["方根", "準偏", "平方根"])
def test_substrings_of_words(find, typed):
    assert places(find(typed)) == ["chapters/scaling.html#p-b"]


def test_all_terms_must_be_there_and_a_title_may_hold_one(find):
    assert places(find("分散 平方根")) == ["chapters/scaling.html#p-b"]
    assert places(find("√dk 勾配")) == ["chapters/scaling.html#p-c"]
    assert find("勾配 検索") == []


def test_terms_spread_over_a_page_lead_to_it(find):
    hits = find("内積 勾配")
    assert places(hits) == ["chapters/scaling.html#p-a"]
    assert "[内積]" in shown(hits[0])


def test_what_was_typed_comes_before_its_equivalents(find):
    hits = find("注意", "分散")
    assert places(hits)[0] == "chapters/attention.html#p-d"
    assert places(hits)[1] == "chapters/scaling.html#why"


def test_a_compound_is_divided_only_when_nothing_holds_it(find):
    hits = find("内積分散")
    assert places(hits)[0].startswith("chapters/scaling.html")
    assert find("内積は")[0]["query"] == "内積は"


def test_a_passage_with_some_terms_only_when_asked_for(find):
    assert find("変異 硬貨", "勾配 硬貨") == []
    hits = find("変異 硬貨", "勾配 硬貨", loose=True)
    assert places(hits) == ["chapters/scaling.html#p-c"]
    assert hits[0]["query"] == "勾配"  # so that the reader is told what was found


def test_the_term_itself_before_what_holds_it_and_code_last(call):
    segments = [
        segment("c", "共分散", "共分散", "head"),
        segment("v", "分散", "分散", "head"),
        segment("k", "分散", "分散 = 8", "code"),
        segment("w", "分散", "分散 は 8"),
    ]
    pages = [{"url": "g.html", "title": "用語集", "segments": segments}]
    hits = call("find", "m.find(pages, ['分散'], 'ja', {})", pages=pages)
    assert [hit["anchor"] for hit in hits] == ["v", "c", "w"]
    # After the edition's own word, too, when the reader typed the one that only code holds.
    pages[0]["segments"] = [segment("k", "数", "variance = 8", "code"), segment("w", "数", "分散 は 8")]
    hits = call("find", "m.find(pages, ['variance', '分散'], 'ja', {})", pages=pages)
    assert [hit["anchor"] for hit in hits] == ["w", "k"]


def test_nothing(find):
    assert find("zzz", loose=True) == find("", loose=True) == find(loose=True) == []


def test_limit(find):
    assert len(find("の", limit=2)) == 2


def test_excerpt_keeps_latin_words_and_marks_in_the_original(call):
    text = "x" * 11 + " " + "前置き" * 20 + "Transformer は エントロピー を下げます。" + "後" * 97
    parts = call("find", "m.excerpt({text}, ['エントロピ'])", text=text)
    whole = "".join(part["text"] for part in parts)
    assert [part["text"] for part in parts if part["marked"]] == ["エントロピー"]
    assert whole.rstrip("…") in text
    assert "Transformer" in whole
    assert whole.endswith("…")


def test_excerpt_without_a_mark_is_the_beginning(call):
    parts = call("find", "m.excerpt({text: '始まりの文です。続きです。'}, ['無'])")
    assert parts == [{"text": "始まりの文です。続きです。", "marked": False}]


def test_overlapping_marks_do_not_double_text(call):
    parts = call("find", "m.excerpt({text: '標準偏差です'}, ['標準', '標準偏差', '偏差'])")
    assert "".join(part["text"] for part in parts) == "標準偏差です"
    assert parts[0] == {"text": "標準偏差", "marked": True}


def test_pieces_are_the_browsers_words(call):
    if not call("find", "typeof Intl.Segmenter === 'function'"):
        pytest.fail("expected Intl.Segmenter in the wheel's Node")
    assert call("find", "m.pieces('内積と勾配', 'ja')") == ["内積", "と", "勾配"]


def test_a_page_of_pagefind_and_of_the_text_are_the_same(call):
    fragment = {
        "url": "/ja/chapters/a.html",
        "raw_url": "/chapters/a.html",
        "meta": {"title": "題"},
        "anchors": [
            {"element": "h1", "id": "a", "text": "題"},
            {"element": "p", "id": "p-x", "text": "文"},
            {"element": "pre", "id": "p-x~2", "text": "続き"},
            {"element": "h2", "id": "b", "text": "節"},
            {"element": "p", "id": "p-y", "text": "別の文"},
        ],
    }
    packed = [
        "chapters/a.html",
        "題",
        [
            ["a", "題", "題", "head"],
            ["p-x", "題", "文", "text"],
            ["p-x", "題", "続き", "code"],
            ["b", "節", "節", "head"],
            ["p-y", "節", "別の文", "text"],
        ],
    ]
    one, other = call("engine", "[m.page(fragment), m.unpack(packed)]", fragment=fragment, packed=packed)
    assert one == other
