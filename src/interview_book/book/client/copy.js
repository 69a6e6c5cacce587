import { words } from "./words.js";

const ICON = '<svg class="icon" aria-hidden="true"><use href="#i-copy"/></svg>';

/**
 * Put text on the clipboard; the older way where the page is not a secure context.
 * @param {string} text
 * @returns {Promise<boolean>}
 */
async function put(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    const focus = document.activeElement;
    area.value = text;
    area.style.cssText = "position:fixed;opacity:0";
    document.body.append(area);
    area.select();
    let done = false;
    try {
      done = document.execCommand("copy");
    } catch {
      /* the button will say so */
    }
    area.remove();
    if (focus instanceof HTMLElement) focus.focus({ preventScroll: true });
    return done;
  }
}

/** A copy button on every block of code, not on outputs. */
export function copyButtons() {
  for (const pre of document.querySelectorAll("article .highlight > pre")) {
    const block = pre.parentElement;
    if (block.closest(".cell_output") || block.querySelector(".copybtn")) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copybtn";
    button.setAttribute("aria-label", words().copy);
    button.innerHTML = ICON;
    let timer = 0;
    button.addEventListener("click", async () => {
      const done = await put(pre.textContent.replace(/\n$/, ""));
      const text = done ? words().copied : words().copyFailed;
      button.dataset.tooltip = text;
      button.setAttribute("aria-label", text);
      button.classList.add("success"); // shows the tooltip, whichever it says
      clearTimeout(timer);
      timer = setTimeout(() => {
        button.classList.remove("success");
        button.setAttribute("aria-label", words().copy);
      }, 2000);
    });
    block.append(button);
  }
}
