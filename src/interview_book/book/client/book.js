/* The site's script, on every page: a classic script, so that it runs from file:// as well. */
import { scrollBoxes } from "./boxes.js";
import { copyButtons } from "./copy.js";
import { searchButton } from "./dialog.js";
import { languageLinks } from "./language.js";
import { parallelButton } from "./parallel.js";
import { sidebars } from "./sidebars.js";
import { shieldTheme } from "./storage.js";
import { themeButton } from "./theme.js";

shieldTheme(window);

const start = () => {
  for (const part of [themeButton, sidebars, languageLinks, parallelButton, searchButton, copyButtons, scrollBoxes]) {
    try {
      part();
    } catch (error) {
      console.error(error); // one part that fails must not take the others with it
    }
  }
};
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
