"""A learner at the practice page: goes through cards of any kind, brings a record along, takes it away."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import expect

DAY = 86_400_000
NOW = 1_764_903_600_000  # Friday, 5 December 2025, 12:00 in Tokyo and Taipei's 11:00; in UTC ms
TODAY = "2025-12-05"
ZONE = {"timezone_id": "Asia/Tokyo"}
PAGE = "chapters/practice.html"
PREFIX = "interview-book:v1:deck:"
JA, ALOUD = 1, 4  # flags of a review


def bank(site: Path, edition: str) -> dict:
    """Return the index of the built bank."""
    text = (site / edition / "_static" / "deck" / "index.js").read_text(encoding="utf-8")
    return json.loads(text.removeprefix("interviewBookDeck(").rstrip().removesuffix(");"))["index"]


def questions(index: dict) -> list[dict]:
    """The cards that are questions of their own."""
    return [card for card in index["cards"] if card["kind"] != "grade"]


def card(*, last: int, days: int, stability: float = 20.0, state: int = 2) -> dict:
    """A card answered at ``last`` (UTC ms), due so many days later."""
    due = last + days * DAY
    return {
        "due": due, "stability": stability, "difficulty": 5, "reps": 1, "lapses": 0, "state": state, "last": last,
    }  # fmt: skip


def studied(cards: list[dict], *, ago: int, days: int | None = None) -> dict[str, dict]:
    """All of these cards answered ``ago`` days ago, due ``days`` days later; without ``days`` one after another."""
    last = NOW - ago * DAY
    return {one["id"]: card(last=last, days=n if days is None else days) for n, one in enumerate(cards, 1)}


def record(cards: dict[str, dict] | None = None, *, settings: dict | None = None, said: dict | None = None) -> str:
    """A record as the page exports it, with one review a card."""
    cards = cards or {}
    reviews = sorted([one["last"], key, 1 if one["state"] == 3 else 3, 60, JA, 0] for key, one in cards.items())
    usual = {"path": None, "date": None, "minutes": 40, "language": "ja", "role": None, "silent": False, "at": 1}
    return json.dumps(
        {
            "format": "interview-book-progress",
            "version": 1,
            "scheduler": "ts-fsrs 5 FSRS-6",
            "created": 0,
            "settings": {**usual, **(settings or {})},
            "cards": cards,
            "said": said or {},
            "deferred": {},
            "path": None,
            "reviews": reviews,
        }
    )


# One step of a learner who never thinks: the grade, else what the main button waits for, else the main button.
_STEP = """grade => {
  const all = what => [...document.querySelectorAll(`.practice-card ${what}`)];
  const first = what => all(what).find(one => one.checkVisibility() && !one.disabled);
  const field = first("input[type=text]");
  if (first(".grade")) return all(".grade")[grade - 1].click();
  if (first(".hints")) return first(".card > .actions .button:not(.primary)").click();
  if (field && !field.value) return (field.value = "2", field.dispatchEvent(new Event("input", { bubbles: true })));
  (first(".button.primary") ?? first("[data-options] input") ?? first(".measures input")).click();
}"""


class Practice:
    """The practice page in a browser."""

    def __init__(self, page) -> None:
        self.page = page

    def ready(self):
        """Wait until all of the start page stands."""
        self.page.locator(".practice-start .progress").wait_for()
        return self

    def at(self, now: int = NOW):
        """Let the page's clock stand at ``now`` from the next load on."""
        self.page.clock.set_fixed_time(now / 1000)
        self.page.reload()
        return self.ready()

    def paste(self, text: str) -> None:
        """Import a record by pasting it; what the page makes of it is told in ``.record-note``."""
        self.page.locator(".record .data button").nth(1).click()
        expect(self.page.locator(".panel-box")).to_be_focused()  # the panel takes the focus a frame later
        self.page.locator(".panel-box textarea").fill(text)
        self.page.locator(".panel-box .actions .button").last.click()
        self.page.locator(".record-note").wait_for()

    def bring(self, text: str):
        """Import a record by pasting it, and load the page again."""
        self.paste(text)
        self.page.reload()
        return self.ready()

    def take(self) -> dict:
        """Export the record by the page's own button."""
        with self.page.expect_download() as waiting:
            self.page.locator(".record .data button").nth(0).click()
        return json.loads(Path(waiting.value.path()).read_text(encoding="utf-8"))

    def begin(self):
        """Start today's questions."""
        self.page.locator(".today .button.primary").click()
        self.page.locator(".practice-card .card").wait_for()

    @property
    def place(self) -> list[int]:
        """Which question of how many."""
        text = self.page.locator(".run-at").inner_text()
        return [int("".join(filter(str.isdigit, part))) for part in text.split("／")]

    def grade(self, grade: int = 3) -> None:
        """Go through the card on the screen and choose this grade."""
        here = self.page.locator(".run-at").inner_text()
        for _ in range(40):
            at = self.page.locator(".run-at")
            if at.count() == 0 or at.inner_text() != here:
                return
            self.page.locator(".practice-card .card, .practice-card .outcome").first.wait_for()  # its file may be large
            self.page.evaluate(_STEP, grade)
            self.page.wait_for_timeout(20)
        raise AssertionError(f"a card that does not end: {self.page.locator('.practice-card').inner_text()[:400]}")

    def finish(self, grades=()) -> int:
        """Go through all cards; return how many turns it took."""
        turns = 0
        while self.page.locator(".practice-card").count():
            self.grade(grades[turns] if turns < len(grades) else 3)
            turns += 1
        self.page.locator(".practice-end, .practice-start").wait_for()  # the end screen, when all were put off
        return turns
