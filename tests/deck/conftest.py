"""The practice deck's modules, called in the wheel's Node."""

from pathlib import Path

import pytest

from interview_book import widgets

DECK = Path(widgets.__file__).with_name("practice_deck")


@pytest.fixture(scope="session")
def call(esm):
    """``call("answers", "m.readNumber(typed)", typed="1/2")``: see `tests/esm.py`."""
    return esm(DECK)


@pytest.fixture(scope="session")
def engine(call):
    """``engine("return m.schedule.review(...)", **values)``: run a function body with `engine.js` as ``m``."""
    module = Path(__file__).with_name("engine.js").as_posix()
    return lambda body, **values: call(module, f"(async () => {{ {body} }})()", **values)
