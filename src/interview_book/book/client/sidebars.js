/* The theme's script moves a sidebar into its <dialog> and back. What it leaves out: a name for the dialog, closing it when a
   link leads to a place on this page, giving focus back to the button, and saying whether the contents are open. */

export function sidebars() {
  for (const side of ["primary", "secondary"]) {
    const button = document.querySelector(`.${side}-toggle`);
    const dialog = document.getElementById(`pst-${side}-sidebar-modal`);
    const box = document.getElementById(`pst-${side}-sidebar`);
    if (!button || !dialog) continue;
    if (!dialog.hasAttribute("aria-label")) dialog.setAttribute("aria-label", button.getAttribute("aria-label") ?? "");

    dialog.addEventListener("click", event => {
      const link = event.target instanceof Element && event.target.closest("a[href]");
      if (link && link.hash && link.pathname === location.pathname) dialog.close();
    });
    // The book theme blurs the button before the page theme remembers it, so focus would fall to the body: at once, or
    // at the next frame, when the browser finds that the focused link has left the page with the dialog.
    dialog.addEventListener("close", () => {
      const at = document.activeElement;
      if (!at || at === document.body || dialog.contains(at) || box?.contains(at)) button.focus({ preventScroll: true });
    });

    const wide = matchMedia("(min-width: 992px)");
    const state = () => {
      const shown = side === "primary" && wide.matches ? box && !box.classList.contains("pst-sidebar-hidden") : dialog.open;
      button.setAttribute("aria-expanded", String(Boolean(shown)));
    };
    const watch = new MutationObserver(state);
    watch.observe(dialog, { attributeFilter: ["open"] });
    if (box) watch.observe(box, { attributeFilter: ["class"] });
    wide.addEventListener("change", state);
    state();
  }
}
