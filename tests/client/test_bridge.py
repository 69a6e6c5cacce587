"""From the reader's words to the edition's."""

import pytest

BRIDGE = {
    "characters": {
        "ja": {"积": "積"},
        "zh-Hant": {"缩": "縮", "变": "變", "异": "異", "数": "數", "点": "點", "积": "積", "系": "系係", "关": "關"},
    },
    "signs": {"dk": "dₖ"},
    "terms": [
        [["分散"], ["變異數"], ["variance", "方差"]],
        [["スケーリング"], ["縮放"], ["scaling"]],
        [["内積"], ["內積", "點積"], ["dot product"]],
    ],
}


@pytest.mark.parametrize(
    ("edition", "typed", "wanted"),
    [
        ("zh-Hant", "变异数", "變異數"),  # Simplified
        ("zh-Hant", "方差", "變異數"),  # a word of the mainland
        ("zh-Hant", "分散", "變異數"),  # Japanese
        ("zh-Hant", "Variance", "變異數"),
        ("zh-Hant", "缩放", "縮放"),
        ("zh-Hant", "缩放点积", "縮放 內積"),  # a compound that is no term itself
        ("zh-Hant", "相关系", "相關係"),  # a character that may be two
        ("ja", "變異數", "分散"),
        ("ja", "变异数", "分散"),  # Simplified Chinese in the Japanese edition
        ("ja", "縮放點積", "スケーリング 内積"),
        ("ja", "scaling", "スケーリング"),
    ],
)
def test_equivalents(call, edition, typed, wanted):
    asked = call("bridge", "m.queries(q, bridge, edition)", q=typed, bridge=BRIDGE, edition=edition)
    assert asked[0] == typed  # the reader's own words come first
    assert wanted in asked


def test_no_query_is_asked_twice_and_few_are_asked(call):
    asked = call("bridge", "m.queries(q, bridge, 'zh-Hant')", q="关系关系关系", bridge=BRIDGE)
    assert len(asked) == len(set(asked)) <= 6


def test_an_unknown_word_stays_itself(call):
    assert call("bridge", "m.queries(q, bridge, 'ja')", q="硬貨", bridge=BRIDGE) == ["硬貨"]


@pytest.mark.parametrize("nothing", ["", "  ", "　"])
def test_nothing_typed_asks_nothing(call, nothing):
    assert call("bridge", "m.queries(q, bridge, 'ja')", q=nothing, bridge=BRIDGE) == []


def test_particles_between_terms_are_not_searched(call):
    forms = "new Map([['内積', '內積'], ['分散', '變異數']])"
    assert call("bridge", f"m.translate(q, {forms})", q="内積の分散") == "內積 變異數"
    assert call("bridge", f"m.translate(q, {forms})", q="硬貨の合計") is None


def test_symbols_are_asked_as_the_index_spells_them(call):
    assert call("bridge", "m.withSigns(q, bridge.signs)", q="√d_k と dkx", bridge=BRIDGE) == "√dₖ と dkx"


def test_a_word_of_objects_is_no_sign(call):
    assert call("bridge", "m.withSigns('constructor toString', {})") == "constructor toString"
