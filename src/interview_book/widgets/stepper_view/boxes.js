/* The steps, each in a box of its own: one is shown, the others stay laid out but of no height, as laying a table out
   again takes longer than all the rest of a move. What is not shown is drawn ahead while nobody waits for it, so that a
   step which is asked for has only to appear. */

import { render } from "preact";

/** Milliseconds after a move in which it is surely on the screen. */
export const SETTLED = 60;
/** Milliseconds in which one more step can surely be drawn, on a slow machine too. */
const ENOUGH = 12;

/** The steps in the order in which they are likely to be asked for: the next ones first. */
const likely = (step, count) =>
  Array.from({ length: count }, (_, i) => i + 1).filter(one => one !== step).sort((a, b) => Math.abs(a - step) - Math.abs(b - step) || b - a);

const whenIdle = act => (globalThis.requestIdleCallback ?? setTimeout)(act);

/**
 * @param {number} count how many steps there are
 * @param {(step: number) => preact.VNode} content what one step shows now
 */
export function boxesOf(count, content) {
  const boxes = new Map(), drawn = new Map();
  let place, shown, later, version = 0, closed = false;

  function draw(step, away) {
    if (!boxes.has(step)) {
      const box = document.createElement("div");
      if (away) box.className = "away";
      box.inert = away;
      boxes.set(step, place.appendChild(box));
    }
    if (drawn.get(step) !== version) render(content(step), boxes.get(step));
    drawn.set(step, version);
    return boxes.get(step);
  }
  // What hides a box from the keyboard, the ear and the search within the page is inherited by all that is in it, which
  // takes as long as a move: it waits until the move has been painted.
  const settle = () => boxes.forEach(box => (box.inert = box !== shown));
  function ahead(step) {
    const of = version, due = likely(step, count).filter(one => drawn.get(one) !== version);
    if (!due.length) return;
    whenIdle(deadline => {
      if (closed || of !== version || boxes.get(step) !== shown) return;
      do draw(due.shift(), true);
      while (due.length && deadline?.timeRemaining() > ENOUGH);
      ahead(step);
    });
  }

  return {
    /** Where the boxes stand. */
    at(element) {
      place = element ?? place;
    },
    /** What they show is no longer so. */
    outdate() {
      version += 1;
    },
    /** Show a step, up to date; return what was shown before. */
    show(step) {
      const box = draw(step, false), before = shown;
      if (box !== shown) {
        if (shown) shown.className = "away";
        box.className = "stage";
        shown = box;
      }
      clearTimeout(later);
      // Not at first sight: whoever only reads on needs no other step.
      if (before) later = setTimeout(() => { settle(); ahead(step); }, SETTLED);
      return before;
    },
    settle,
    isShown: element => Boolean(shown?.contains(element)),
    get closed() {
      return closed;
    },
    close() {
      closed = true;
      clearTimeout(later);
      shown = undefined;
      boxes.forEach(box => render(null, box));
    },
  };
}
