"""The right choice must not always stand first, and the order must never change."""

from interview_book.practice import bank
from interview_book.practice.order import shuffled


def test_the_order_hangs_on_question_and_option_only():
    question = {"id": "a.b", "options": [{"id": one} for one in ("one", "two", "three", "four")]}
    turned = {**question, "options": question["options"][::-1], "level": "core"}
    assert shuffled(question) == shuffled(turned)
    # Of sha256("a.b:<id>"): by hand with sha256sum.
    assert [one["id"] for one in shuffled(question)] == ["two", "three", "four", "one"]
    assert [one["id"] for one in shuffled({**question, "id": "a.c"})] != ["two", "three", "four", "one"]


def test_the_right_one_stands_in_different_places(root):
    places = set()
    for path in (root / "chapters").glob("*.questions.yml"):
        for question in bank.load(path):
            if question.kind == "choice":
                places.add([one.get("right", False) for one in shuffled(question)].index(True))
    assert len(places) > 1
