"""Parametrised items: any seed, always the same, never a distractor that is right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interview_book.practice import numbers
from interview_book.practice.answers import judge
from interview_book.practice.tolerances import Tolerance

NAMES = sorted(numbers.GENERATORS)
TOLERANCES = [Tolerance("absolute", 0.001), Tolerance("relative", 0.01), Tolerance("significant", 3)]


@given(st.sampled_from(NAMES), st.integers(), st.sampled_from(TOLERANCES))
def test_any_seed_is_deterministic_and_its_distractors_are_wrong(name, seed, tolerance):
    item = numbers.item(name, seed, tolerance)
    assert item == numbers.item(name, seed, tolerance)
    assert judge(item.words()["answer"], item.answer, tolerance).verdict == "right"
    for wrong in item.distractors.values():
        assert judge(tolerance.show(wrong), item.answer, tolerance).verdict == "wrong"
        assert not tolerance.holds(wrong, item.answer)
    shown = [tolerance.show(value) for value in (item.answer, *item.distractors.values())]
    assert len(set(shown)) == len(shown)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("tolerance", TOLERANCES, ids=str)
def test_the_seeds_of_the_page_are_all_different(name, tolerance):
    drawn = [tuple(numbers.item(name, seed, tolerance).parameters.items()) for seed in numbers.PAGE_SEEDS]
    assert len(set(drawn)) == len(drawn) == 20


def test_the_order_of_seeds_is_for_ever():
    """A learner's stored answer names a seed. Pinned by ``numbers.item(name, 0, absolute 0.001)``."""
    drawn = {name: dict(numbers.item(name, 0, TOLERANCES[0]).parameters) for name in NAMES}
    assert drawn["two-scores.weight"] == {"a": 5.5, "c": 2, "d_k": 4}
    assert drawn["two-scores.gradient-ratio"] == {"a": 4.5, "c": 4, "d_k": 16}


def test_what_is_refused():
    with pytest.raises(ValueError, match=r"expected a generator of .*two-scores\.weight, .*got 'x\.y'"):
        numbers.item("x.y", 0, TOLERANCES[0])
    for seed in (1.0, True, "1"):
        with pytest.raises(ValueError, match="expected a whole number as seed"):
            numbers.item("two-scores.weight", seed, TOLERANCES[0])
    with pytest.raises(ValueError, match="separates the mistakes"):
        numbers.item("two-scores.weight", 0, Tolerance("absolute", 1))


def test_draw_takes_what_the_question_states():
    question = {"generator": "two-scores.weight", "tolerance": {"significant": 3}}
    assert numbers.draw(question, 5) == numbers.item("two-scores.weight", 5, Tolerance("significant", 3))


def test_placeholders_are_filled():
    words = {"a": "-3", "answer": "0.5"}
    assert numbers.fill("<a> と $<a>$、$x < a$、<answer>、<other>", words) == "−3 と $-3$、$x < a$、0.5、<other>"
    assert numbers.fill(r"\$ <a> $<a>$", words) == r"\$ −3 $-3$"
