/* A box that scrolls sideways must be reachable with the keyboard, and one that does not must not be a stop on the way.
   The theme does this for `pre`, cell outputs and its table containers; these are ours. */

const BOXES = ".scroll, .katex-display, .output.text_html";

export function scrollBoxes(root = document) {
  const boxes = [...root.querySelectorAll(BOXES)];
  const mark = box => {
    // A difference of one pixel is rounding, not content.
    if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  };
  const watch = new ResizeObserver(entries => entries.forEach(entry => mark(entry.target)));
  for (const box of boxes) watch.observe(box); // reports each box once at the start
  window.addEventListener("resize", () => boxes.forEach(mark));
  document.fonts?.ready.then(() => boxes.forEach(mark));
}
