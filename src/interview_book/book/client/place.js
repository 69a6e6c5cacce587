/* Where the reader is: the passage, heading, figure or question whose beginning was passed last. */

const PLACES = [".passage[id]", ".block[id]", "section[id]", "figure[id]", ".question[id]"].map(one => `article ${one}`).join(",");

/**
 * The last place that begins at or above `line`; null above the first one.
 * @template {{ top: number }} P
 * @param {P[]} places in the order of the page
 * @param {number} line pixels from the top of the window
 * @returns {P | null}
 */
export function pick(places, line) {
  let found = null;
  for (const place of places) if (place.top <= line) found = place;
  return found;
}

/** The element the reader is at, or null at the very top. */
export function here() {
  if (window.scrollY < 8) return null;
  const header = document.querySelector(".bd-header")?.getBoundingClientRect().bottom ?? 0;
  const places = [...document.querySelectorAll(PLACES)]
    .filter(element => element.getClientRects().length)
    .map(element => ({ element, top: element.getBoundingClientRect().top }));
  // A jump to an anchor leaves it one line below the header: count that as being there.
  return pick(places, Math.max(0, header) + 40)?.element ?? null;
}

/**
 * Change the page and keep `element` where it was on the screen.
 * @param {Element | null} element
 * @param {() => void} change
 */
export function steady(element, change) {
  const before = element?.getBoundingClientRect().top;
  change();
  if (element && before !== undefined)
    window.scrollBy({ top: element.getBoundingClientRect().top - before, behavior: "instant" });
}
