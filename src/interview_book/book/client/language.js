import { here } from "./place.js";
import { write } from "./storage.js";

/** The links to this page's counterpart land on the passage that is being read, and remember the language chosen. */
export function languageLinks() {
  const main = document.querySelector("a.tool-language[href]");
  if (!main) return;
  const counterpart = main.href.split("#")[0];
  const links = [...document.querySelectorAll("a[hreflang]")].filter(link => link.href.split("#")[0] === counterpart);
  for (const link of new Set([main, ...links])) {
    const aim = () => {
      const id = here()?.id;
      link.href = id ? `${counterpart}#${encodeURIComponent(id)}` : counterpart;
    };
    // Before the click, so that «open in a new tab» and the middle button land there as well.
    for (const event of ["pointerdown", "contextmenu", "click"]) link.addEventListener(event, aim);
    link.addEventListener("click", () => void write("language", link.hreflang));
    link.addEventListener("auxclick", () => void write("language", link.hreflang));
  }
}
