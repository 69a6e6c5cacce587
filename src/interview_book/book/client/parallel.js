import { docname, editionRoot, script } from "./load.js";
import { here, steady } from "./place.js";
import { read, write } from "./storage.js";
import { words } from "./words.js";

/**
 * What one page's script in `_static/parallel/` holds.
 * @typedef {{ lang: string, passages: Record<string, string>, titles: Record<string, string> }} Halves
 */

/**
 * Append the other edition's halves. They carry no id, so nothing on the page is doubled.
 * @param {Halves} halves
 */
function append({ lang, passages, titles }) {
  for (const [id, html] of Object.entries(passages)) {
    const passage = document.getElementById(id);
    if (!passage?.matches(".passage")) continue;
    const half = document.createElement("div");
    half.className = "other";
    half.lang = lang;
    half.innerHTML = html;
    // For the stylesheet: a rule that looks for the half itself would cost every page at each change of its elements.
    passage.lastElementChild?.classList.add("own-end");
    passage.append(half);
  }
  for (const [id, html] of Object.entries(titles)) {
    const heading = document.getElementById(id)?.querySelector(":scope > :is(h1, h2, h3, h4, h5, h6)");
    if (!heading) continue;
    const title = document.createElement("p");
    title.className = "other-title";
    title.lang = lang;
    title.innerHTML = html;
    heading.after(title);
  }
}

/** The button that sets both languages side by side; remembered for the visit. */
export function parallelButton() {
  const button = document.querySelector(".tool-parallel");
  if (!button) return;
  if (!document.querySelector("article .passage[id]")) {
    button.hidden = true; // nothing here has another half
    return;
  }
  const root = document.documentElement;
  const name = docname(location.href, editionRoot());
  let ready = false;
  let wanted = false; // by the last press, which may come while the first still loads

  const show = async on => {
    wanted = on;
    if (on && !ready) {
      button.setAttribute("aria-busy", "true");
      try {
        await script(`${editionRoot()}_static/parallel/${encodeURI(name)}.js`);
        const halves = window.bookParallel?.[name];
        if (!halves) throw new Error(`no halves of ${name}`);
        if (!ready) steady(here(), () => append(halves));
        ready = true;
      } catch {
        wanted = false;
        say(words().parallelFailed);
        return;
      } finally {
        button.removeAttribute("aria-busy");
      }
      if (!wanted) return;
    }
    steady(here(), () => root.toggleAttribute("data-parallel", on));
    button.setAttribute("aria-pressed", String(on));
    write("parallel", on ? "on" : "off", "sessionStorage");
    // Boxes that were wide enough may scroll now.
    window.dispatchEvent(new Event("resize"));
  };

  const say = text => {
    button.title = text;
    let live = button.parentElement.querySelector("[role=status]");
    if (!live) {
      live = document.createElement("span");
      live.className = "visually-hidden";
      live.setAttribute("role", "status");
      button.after(live);
    }
    live.textContent = text;
  };

  button.addEventListener("click", () => show(!wanted));
  if (read("parallel", "sessionStorage") === "on")
    show(true).then(() => {
      // A link to a place on this page was still being followed when the page grew.
      const arrived = performance.getEntriesByType?.("navigation")[0]?.type === "navigate";
      let id = "";
      try { id = decodeURIComponent(location.hash.slice(1)); } catch { /* an address cut in the middle of a sign */ }
      if (arrived && id) document.getElementById(id)?.scrollIntoView({ behavior: "instant" });
    });
}
