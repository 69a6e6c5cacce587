/* The focus is never lost: what has it may be taken off the page by its own press, and then the page would begin anew. */

const PLACE = "h2[tabindex='-1']";

/**
 * When what has the focus is taken away and nothing else takes it, its nearest surroundings do: their heading, or
 * themselves.
 * @param {HTMLElement} root the deck
 * @returns {() => void} stop caring
 */
export function keepFocus(root) {
  let last = null, around = [];
  const noted = event => {
    last = event.target;
    around = [];
    for (let one = last.parentElement; one && root.contains(one); one = one.parentElement) around.push(one);
  };
  const watcher = new MutationObserver(() => {
    if (!last || last.isConnected || document.activeElement !== document.body) return;
    const home = around.find(one => one.isConnected);
    if (!home) return;
    const place = home.querySelector(PLACE) ?? home;
    if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
    place.focus({ preventScroll: true });
  });
  root.addEventListener("focusin", noted);
  watcher.observe(root, { childList: true, subtree: true });
  return () => {
    root.removeEventListener("focusin", noted);
    watcher.disconnect();
  };
}
