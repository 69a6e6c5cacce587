"""Cards for Anki on a phone, as its reviewer shows them: no wider than the screen and legible by day and by night.

Anki's own program is not started: the page around the card is what its reviewer, AnkiMobile and AnkiDroid write.
"""

import re

import pytest
from playwright.sync_api import sync_playwright

from interview_book.book import deck, questions
from interview_book.practice import anki_cards, anki_types, compiled

WIDTH = 360
# How each program says that it is night.
NIGHTS = {
    "day": ("", "card card1"),
    "desktop": ("night-mode", "card card1 nightMode"),
    "AnkiMobile": ("", "card nightMode"),
    "AnkiDroid": ("", "card night_mode"),
}


@pytest.fixture(scope="module")
def banks(root):
    loaded = [one for path in deck.files(root).values() for one in questions.load(path, root)]
    made = deck.settings(root).items()
    return {tag: compiled.compile(loaded, tag, anki_cards.set_formulas, one) for tag, one in made}


@pytest.fixture(scope="module")
def phone(chromium, chromium_flags):
    with sync_playwright() as playwright:
        one = playwright.chromium.launch(executable_path=chromium, args=chromium_flags)
        yield one.new_page(viewport={"width": WIDTH, "height": 640})
        one.close()


def one_of_each_kind(bank):
    """A note of each kind, the longest."""
    found = {}
    for note in sorted(anki_cards.notes(bank), key=lambda one: len("".join(one.fields))):
        found[next(tag for tag in note.tags if "::kind::" in tag)] = note
    assert len(found) >= 6
    return found.values()


def show(page, note, side, night):
    kind = anki_types.note_type(note.type, note.language, "https://example.org/ja/chapters/")
    fields = dict(zip(kind.fields, note.fields, strict=True))
    body = re.sub(r"\{\{(.+?)\}\}", lambda match: fields[match[1]], getattr(kind, side))
    html, card = NIGHTS[night]
    page.set_content(
        f'<!doctype html><html class="{html}" lang="en"><head><meta charset="utf-8"><title>Anki</title>'
        f"<style>body {{ margin: 20px; }} .nightMode.card, .night_mode {{ background-color: #2f2f31; color: #eee; }}"
        f'</style></head><body class="{card}"><style>{kind.css}</style><div id="qa">{body}</div></body></html>'
    )
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")


@pytest.mark.parametrize("night", NIGHTS)
def test_a_card_is_legible_and_no_wider_than_a_phone(phone, banks, axe, edition, night):
    papers = set()
    for note in one_of_each_kind(banks[edition]):
        for side in ("front", "back"):
            show(phone, note, side, night)
            assert phone.evaluate("document.documentElement.scrollWidth") <= WIDTH, (note.id, side)
            assert [one for one in axe(phone) if one.startswith("color-contrast")] == [], (note.id, side)
            papers.add(phone.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert papers == {"rgb(250, 251, 248)" if night == "day" else "rgb(17, 30, 26)"}


def test_the_back_does_not_repeat_lists_and_folds_what_is_long(phone, banks, edition):
    notes = {note.id: note for note in anki_cards.notes(banks[edition])}
    show(phone, notes["two-scores.halving.grade.weak"], "back", "day")
    assert phone.locator(".once").is_hidden() and phone.locator(".points.open").is_visible()
    show(phone, notes["two-scores.halving.grade.weak"], "front", "day")
    assert phone.locator(".once").is_visible()
    show(phone, notes["two-scores.halving"], "back", "day")
    phone.evaluate("document.querySelectorAll('details').forEach(one => { one.open = false; })")
    titles = phone.locator(".side > details > summary").all_inner_texts()
    words = anki_cards.WORDS[edition]
    assert titles == [words[f"field.{name}"] for name in ("answer_2min", "follow_ups", "english")]
    assert phone.locator(".rubric").first.is_visible() and phone.get_by_text("Dividing by two").is_hidden()
