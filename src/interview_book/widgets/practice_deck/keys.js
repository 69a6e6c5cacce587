/* The keyboard of a study session, done on what is on the screen: whoever draws a card need not know of it. */

/** A key of an input method must not act. Safari sends the confirming Enter after the composition, as 229. */
export const composing = event => event.isComposing || event.keyCode === 229;

const TEXT = "textarea, select, [contenteditable]:not([contenteditable=false]), input:not([type=checkbox], [type=radio], [type=button])";
const PRESSED = "button, a[href], summary, input:not([type=radio]:checked), select, textarea, [role=button]";
const CHOSEN = "input[type=radio], input[type=checkbox]";
const ITEMS = ":is(.rubric, .fatal, .manner, [data-options]) :is(input[type=checkbox], input[type=radio])";

/** What can be used: seen, and not switched off. @param {ParentNode} root @param {string} selector */
const usable = (root, selector) => [...root.querySelectorAll(selector)].filter(one => !one.disabled && one.checkVisibility());

/**
 * What a key asks for: "main", "undo", a move of ±1, a number from 0, or null for nothing.
 * @param {{ key: string, ctrlKey?: boolean, metaKey?: boolean, altKey?: boolean }} event
 * @param {{ typing: boolean, pressing: boolean, choosing: boolean }} where the focus is: in a text, on something that
 *   space presses, on a choice (which Enter leaves as it is)
 */
export function meaning(event, { typing, pressing, choosing }) {
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.key === " ") return pressing ? null : "main";
  if (event.key === "Enter") return choosing ? "main" : null;
  if (event.key === "u" || event.key === "U") return "undo";
  if (event.key === "ArrowDown" || event.key === "ArrowUp") return event.key === "ArrowDown" ? 1 : -1;
  return /^[1-9]$/.test(event.key) ? { nth: Number(event.key) - 1 } : null;
}

/** Focus, at once: a smooth scroll would run on into the next card. */
function reach(one) {
  one.focus({ preventScroll: true });
  one.scrollIntoView({ block: "nearest", behavior: "instant" });
}

function move(root, step) {
  const items = usable(root, ITEMS);
  const at = items.indexOf(document.activeElement);
  // Within a group of radios the arrows are the browser's own.
  if (!items.length || (at >= 0 && items[at].type === "radio")) return false;
  const next = at < 0 ? (step > 0 ? 0 : items.length - 1) : at + step;
  reach(items[Math.max(0, Math.min(items.length - 1, next))]);
  return true;
}

function press(root, nth) {
  const grades = usable(root, ".grade");
  const one = grades.length ? grades[nth] : usable(root, "[data-options] :is(input[type=radio], input[type=checkbox])")[nth];
  if (!one) return false;
  if (grades.length) one.focus({ preventScroll: true }); // it is gone in a moment
  else reach(one);
  one.click();
  return true;
}

/**
 * Listen while a card is on the screen.
 * @param {HTMLElement} root the deck
 * @param {{ everywhere: boolean, onUndo: () => void }} options everywhere: the page is ours; else only with the focus inside
 * @returns {() => void} stop listening
 */
export function listen(root, { everywhere, onUndo }) {
  const target = everywhere ? document : root;
  const heard = event => {
    if (event.defaultPrevented || composing(event)) return;
    const at = event.target instanceof Element ? event.target : document.body;
    // Elsewhere on the page keys belong to whoever has the focus; an open dialog has all of them.
    if (at !== document.body && !root.contains(at)) return;
    if (document.querySelector("dialog[open]")) return;
    const what = meaning(event, { typing: at.matches(TEXT), pressing: at.matches(PRESSED), choosing: at.matches(CHOSEN) });
    // A key that is held down is one press: it must not go on through the next cards. Only the arrows may.
    const acts = what === null ? event.key === "Enter" && at.matches("button") : typeof what !== "number";
    if (event.repeat && acts) return event.preventDefault();
    if (what === null) return;
    let done = true;
    if (what === "main") {
      const main = usable(root, ".practice :is(.button.primary, .grade.proposed)").at(-1); // the proposed grade is one, too
      if (main) main.click();
      else done = false;
    } else if (what === "undo") onUndo();
    else done = typeof what === "number" ? move(root, what) : press(root, what.nth);
    if (done) event.preventDefault();
  };
  target.addEventListener("keydown", heard);
  return () => target.removeEventListener("keydown", heard);
}
