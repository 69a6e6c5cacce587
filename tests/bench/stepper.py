"""The stepper of the chapter: what a move of each control costs, in every step, and when a moved slider is painted."""

from __future__ import annotations

import statistics

import pages

from interview_book.book.languages import LANGUAGES

CHAPTER = "chapters/soft-lookup.html"
MOVES = 60  # of each kind, edition and round
RESTED = 6  # the same, each after a pause
ROUNDS = 3  # their median: on a shared machine one round in several takes twice as long, whatever is measured
SLIDER = ".stepper .widget-foot input"

# Move one control, let its handler run and force the layout that a paint would need; milliseconds of each move by the
# kind of its control: through the steps, then each choice in every step, then entries. `rests` says before which moves
# nothing happens for a while, as when a reader looks at what has changed; then the widget draws ahead: before the
# "first" of each kind, before "each", or before "none".
_HANDLER = """async ([moves, rests]) => {
  const widget = document.querySelector(".stepper"), steps = [...widget.querySelectorAll(".steps button")], took = {};
  const settle = () => (widget.getBoundingClientRect(), document.documentElement.scrollHeight);
  const rest = async () => {
    await new Promise(done => setTimeout(done, 80));
    for (let i = 0; i < 3; i++) await new Promise(done => requestIdleCallback(done));
  };
  const time = async (kind, count, act) => {
    for (let i = 0; i < count; i++) {
      if (rests === "each" || (rests === "first" && i === 0)) await rest();
      settle();
      const start = performance.now();
      act(i);
      settle();
      (took[kind] ??= []).push(performance.now() - start);
    }
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
  const slider = widget.querySelector(".widget-foot input"), other = i => 1 + (Number(slider.value) + i % 5) % 6;
  for (const one of steps) {
    one.click();
    if (rests !== "none") await rest();
  }
  await time("step", moves, i => steps[other(i) - 1].click());
  await time("slider", moves, i => input(slider, other(i)));
  for (const one of steps) {
    one.click();
    for (const [place, kind] of ["sentence", "mode", "query"].entries()) await time(kind, moves / 6, () => next(place));
  }
  steps[0].click();
  const fields = [...widget.querySelectorAll(".stage input[type=text]")];
  await time("edit", moves, i => input(fields[7 * i % fields.length], i % 13 / 4));
  widget.querySelector(".widget-head button").click();
  return took;
}"""


def _moves(browser: pages.Browser, rate: float, moves: int, rests: str) -> dict[str, list[float]]:
    """Return milliseconds of each move of one round by its kind and of ``all``, both editions together."""
    took: dict[str, list[float]] = {}
    for tag in LANGUAGES:
        page = browser.page(f"{tag}/{CHAPTER}", throttle=rate)
        page.evaluate(_HANDLER, [12, "none"])  # the first moves compile the code
        for kind, times in page.evaluate(_HANDLER, [moves, rests]).items():
            took.setdefault(kind, []).extend(times)
        page.context.close()
    return took | {"all": [one for times in took.values() for one in times]}


def handler(browser: pages.Browser, rate: float) -> dict[str, float]:
    """Return p95 of a move by the kind of control and of ``all``, handler and forced layout, milliseconds.

    Each is the median of rounds.
    """
    rounds = [_moves(browser, rate, MOVES, "first") for _ in range(ROUNDS)]
    return {kind: round(statistics.median(pages.p95(one[kind]) for one in rounds), 2) for kind in rounds[0]}


def rows(browser: pages.Browser) -> list[tuple]:
    """Return rows for the bench: all moves together, as it is and at CPU × 4, and a moved slider's paint.

    Together, as the other widgets' controls are measured; the kinds stand beside it, and what a move takes on a page
    that has rested: there every first thing takes longer, whatever it is.
    """
    made = []
    for rate, limit in ((1, 4), (4, 16)):
        name = "stepper: handler and forced layout, p95" + (f", CPU × {rate}" if rate > 1 else "")
        by_kind = handler(browser, rate)
        together = by_kind.pop("all")
        rested = pages.p95(_moves(browser, rate, RESTED, "each")["all"])
        how = f"{MOVES} moves of each, both editions, median of {ROUNDS} rounds"
        told = f"by kind {by_kind}; {how}; rested {rested:.1f}"
        made.append((name, limit, together, "ms", told))
    ours, empty = browser.paint(CHAPTER, SLIDER)
    told = f"{ours:.1f} ms, empty handler {empty:.1f} ms; medians of {pages.PAINTS}"
    made.append(("stepper: input → paint, beyond an empty handler", 4, ours - empty, "ms", told))
    return made
