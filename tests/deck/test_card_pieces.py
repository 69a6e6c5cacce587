"""What the cards are made of, as far as it needs no browser."""

import ast
import inspect

import pytest

from interview_book.practice import coding


def test_formulas_go_into_their_slots(call):
    slot = '<span class="f" data-f="{}"></span>'
    text = f"a &lt; {slot.format(1)}, {slot.format(0)}, {slot.format(7)}"
    filled = call("html.jsx", "m.fill(text, ['<b>$&amp;</b>', '<i>x</i>'])", text=text)
    # A formula is put in as it is, and a slot without one stays: a part may be older than the index.
    assert filled == (
        'a &lt; <span class="f" data-f="1"><i>x</i></span>, <span class="f" data-f="0"><b>$&amp;</b></span>, '
        + slot.format(7)
    )


def test_punctuation_stays_with_a_formula_that_cannot_break(call):
    slot = '<span class="f" data-f="0"></span>'
    short, long = '<i class="base">x</i>', '<i class="base">x +</i><i class="base">y</i>'
    for formula, glued in ((short, True), (long, False)):
        inside = slot.replace("></", f">{formula}</")
        got = call("html.jsx", "m.fill(text, [formula])", text=f"値は（{slot}）、{slot} です。", formula=formula)
        start, end = ('<span class="stay">', "</span>") if glued else ("", "")
        assert got == f"値は{start}（{inside}）、{end}{inside} です。"


@pytest.mark.parametrize(("text", "count"), [("", 0), ("分散 d\nk", 4), ("𝑑𝑘　は", 3)])
def test_letters_are_counted_as_a_reader_counts(call, text, count):
    assert call("answering.jsx", "m.letters(text)", text=text) == count


def test_follow_ups_come_by_need_then_by_weight_one_of_each_point_first(call):
    record = {
        "rubric": [
            {"id": "a", "must": False, "weight": 1},
            {"id": "b", "must": False, "weight": 3},
            {"id": "c", "must": True, "weight": 2},
            {"id": "d", "must": True, "weight": 3},
        ],
        "followUps": [{"id": f"{point}{n}", "missing": point} for n in (1, 2) for point in "abcd"],
    }
    asked = "m.followUps(record, new Set(said)).map(one => one.id)"
    assert call("follow.jsx", asked, record=record, said=["d"]) == ["c1", "b1", "a1", "c2", "b2", "a2"]
    assert call("follow.jsx", asked, record=record, said=["a", "b", "c", "d"]) == []


@pytest.mark.parametrize(
    ("weights", "ticked", "more", "whichever"),
    [
        ([3, 3, 2, 2], "ab", 1, True),  # 6 of 10: either of the two makes 8
        ([3, 3, 3, 1], "ab", 1, False),  # only the 3 does
        ([3, 3, 2, 2, 2], "ab", 2, True),
        ([4, 1, 1, 2], "a", 2, False),  # 4 of 8: the 2 and a 1, not 1 and 1
        ([3, 3, 2], "abc", 0, True),
    ],
)
def test_a_note_asks_for_heavy_points_only_where_light_ones_would_not_do(call, weights, ticked, more, whichever):
    points = [{"id": one, "must": False, "weight": weight} for one, weight in zip("abcde", weights, strict=False)]
    got = call(
        "result.jsx",
        "(said => m.facts(record, { ...judged, points: record.rubric.filter(one => said.has(one.id))"
        ".reduce((sum, one) => sum + one.weight, 0) }, said))(new Set(ticked))",
        record={"rubric": points},
        ticked=list(ticked),
        judged={"label": "acceptable", "total": sum(weights), "missing": [], "fatal": []},
    )
    assert (got["more"], got["any"]) == (more, whichever)


def test_the_lines_that_grade_a_function_are_python_that_works(call):
    text = call("coding.jsx", "m.call('attention.scaled-attention', 'scaled_attention', 'zh-Hant')")
    imported, graded = ast.parse(text).body
    assert (imported.module, [one.name for one in imported.names]) == (coding.__name__, ["grade"])
    positional = [object() for _ in graded.value.args]
    inspect.signature(coding.grade).bind(*positional, **{one.arg: one.value.value for one in graded.value.keywords})
    assert [one.value.value for one in graded.value.keywords] == ["zh-Hant"]
