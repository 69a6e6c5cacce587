"""The stepper of the chapter: what a move of each control costs, in every step, and when a moved slider is painted."""

from __future__ import annotations

import statistics

import pages

from interview_book.book.languages import LANGUAGES

CHAPTER = "chapters/soft-lookup.html"
MOVES = 60  # of each kind, edition and round
ROUNDS = 5  # their median: on a shared machine one round in several takes twice as long, whatever is measured
SLIDER = ".stepper .widget-foot input"

# Move one control, let its handler run and force the layout that a paint would need; milliseconds of each move by the
# kind of its control. Modes, sentences and Queries change in every step, entries are edited in the first.
_HANDLER = """moves => {
  const widget = document.querySelector(".stepper"), steps = [...widget.querySelectorAll(".steps button")], took = {};
  const settle = () => (widget.getBoundingClientRect(), document.documentElement.scrollHeight);
  const time = (kind, act) => {
    settle();
    const start = performance.now();
    act();
    settle();
    (took[kind] ??= []).push(performance.now() - start);
  };
  const input = (one, value) => {
    one.value = String(value);
    one.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const radio = place => [...widget.querySelectorAll(".controls > fieldset")[place].querySelectorAll("input")];
  const next = place => {
    const all = radio(place);
    all[(all.findIndex(one => one.checked) + 1) % all.length].click();
  };
  const slider = widget.querySelector(".widget-foot input");
  for (let i = 0; i < moves; i++) {
    const now = Number(slider.value), to = 1 + (now + i % 5) % 6; // never where it is
    time("step", () => steps[to - 1].click());
    time("slider", () => input(slider, 1 + to % 6));
    ["sentence", "mode", "query"].forEach((kind, place) => time(kind, () => next(place)));
    if (i % 3) continue;
    steps[0].click();
    const fields = [...widget.querySelectorAll(".stage input[type=text]")];
    for (let j = 0; j < 3; j++) time("edit", () => input(fields[(7 * i + 3 * j) % fields.length], (i * j) % 13 / 4));
    steps[to - 1].click();
  }
  widget.querySelector(".widget-head button").click();
  return took;
}"""


def handler(browser: pages.Browser, rate: float) -> dict[str, float]:
    """Return p95 of a move by the kind of control and of ``all``, handler and forced layout, milliseconds.

    Each is the median of rounds.
    """
    rounds: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        took: dict[str, list[float]] = {}
        for tag in LANGUAGES:
            page = browser.page(f"{tag}/{CHAPTER}", throttle=rate)
            page.evaluate(_HANDLER, 12)  # the first moves compile the code
            for kind, times in page.evaluate(_HANDLER, MOVES).items():
                took.setdefault(kind, []).extend(times)
            page.context.close()
        took["all"] = [one for times in took.values() for one in times]
        for kind, times in took.items():
            rounds.setdefault(kind, []).append(pages.p95(times))
    return {kind: round(statistics.median(each), 2) for kind, each in rounds.items()}


def rows(browser: pages.Browser) -> list[tuple]:
    """Return rows for the bench: all moves together, as it is and at CPU × 4, and a moved slider's paint.

    Together, as the other widgets' controls are measured; the kinds stand beside it.
    """
    made = []
    for rate, limit in ((1, 4), (4, 16)):
        name = "stepper: handler and forced layout, p95" + (f", CPU × {rate}" if rate > 1 else "")
        by_kind = handler(browser, rate)
        together = by_kind.pop("all")
        told = f"by kind {by_kind}; {MOVES} moves of each, both editions, median of {ROUNDS} rounds"
        made.append((name, limit, together, "ms", told))
    ours, empty = browser.paint(CHAPTER, SLIDER)
    told = f"{ours:.1f} ms, empty handler {empty:.1f} ms; medians of {pages.PAINTS}"
    made.append(("stepper: input → paint, beyond an empty handler", 4, ours - empty, "ms", told))
    return made
