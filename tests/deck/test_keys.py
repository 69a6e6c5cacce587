"""What a key means. Composing and typing never mean anything."""

import pytest

FREE = {"typing": False, "pressing": False, "choosing": False}


@pytest.mark.parametrize(
    ("event", "meaning"),
    [
        ({"key": " "}, "main"),
        ({"key": "u"}, "undo"),
        ({"key": "U"}, "undo"),
        ({"key": "1"}, {"nth": 0}),
        ({"key": "4"}, {"nth": 3}),
        ({"key": "9"}, {"nth": 8}),
        ({"key": "0"}, None),
        ({"key": "ArrowDown"}, 1),
        ({"key": "ArrowUp"}, -1),
        ({"key": "ArrowLeft"}, None),
        ({"key": "Enter"}, None),
        ({"key": "Process"}, None),
        ({"key": "u", "ctrlKey": True}, None),
        ({"key": "1", "metaKey": True}, None),
        ({"key": "1", "altKey": True}, None),
    ],
)
def test_meaning(call, event, meaning):
    assert call("keys", "m.meaning(event, at)", event=event, at=FREE) == meaning


@pytest.mark.parametrize("key", [" ", "u", "1", "ArrowDown", "Enter"])
def test_nothing_while_text_is_typed(call, key):
    assert (
        call(
            "keys", "m.meaning(event, at)", event={"key": key}, at={"typing": True, "pressing": True, "choosing": True}
        )
        is None
    )


def test_space_is_left_to_what_it_presses(call):
    at = {**FREE, "pressing": True}
    assert call("keys", "['1', ' '].map(key => m.meaning({ key }, at))", at=at) == [{"nth": 0}, None]


def test_enter_on_a_choice_goes_on(call):
    assert call("keys", "m.meaning({ key: 'Enter' }, at)", at={**FREE, "pressing": True, "choosing": True}) == "main"


@pytest.mark.parametrize(
    ("event", "composes"),
    [
        ({"isComposing": True, "keyCode": 13}, True),
        ({"isComposing": False, "keyCode": 229}, True),
        ({"isComposing": False, "keyCode": 13}, False),
    ],
)
def test_composing(call, event, composes):
    assert call("keys", "m.composing(event)", event=event) is composes
