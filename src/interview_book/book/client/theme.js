import { fill, words } from "./words.js";

/**
 * What the theme button says: the present state, in words.
 * @param {Record<string, string>} say
 * @param {string | undefined} mode what was chosen: auto, light or dark
 * @param {string | undefined} theme what is shown: light or dark
 */
export function describe(say, mode, theme) {
  const names = { light: say.themeLight, dark: say.themeDark };
  const state = names[mode] ?? fill(say.themeAuto, { now: names[theme] ?? names.light });
  return fill(say.theme, { state });
}

/** The theme's script switches and remembers; this keeps the button's name true and its focus in place. */
export function themeButton() {
  const buttons = document.querySelectorAll(".theme-switch-button");
  if (!buttons.length) return;
  const root = document.documentElement;
  const name = () => {
    const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const shown = root.dataset.theme === "dark" || root.dataset.theme === "light" ? root.dataset.theme : system;
    for (const button of buttons) {
      button.setAttribute("aria-label", describe(words(), root.dataset.mode, shown));
      button.title = button.getAttribute("aria-label");
    }
  };
  new MutationObserver(name).observe(root, { attributeFilter: ["data-mode", "data-theme"] });
  name();
  for (const button of buttons)
    button.addEventListener("click", event => {
      // The theme blurs it because of a tooltip of its own; a keyboard must not lose its place. detail 0: not a pointer.
      if (event.detail === 0) button.focus({ preventScroll: true });
    });
}
