/* The search dialog: a combobox over a list of links. Nothing is loaded before it is opened. */

import { address, search, warm } from "./engine.js";
import { fold } from "./fold.js";
import { fill, words } from "./words.js";

/**
 * A key that belongs to an input method: it confirms or cancels a conversion and must not act. Safari sends the confirming
 * Enter after the composition has ended, as 229.
 * @param {KeyboardEvent} event
 */
export const composing = event => event.isComposing || event.keyCode === 229;

/**
 * Whether a key typed here should open the search.
 * @param {{ key: string, ctrlKey: boolean, metaKey: boolean, altKey: boolean, shiftKey: boolean }} event
 * @param {boolean} typing whether the focus is where text is typed
 */
export function opens(event, typing) {
  if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) return event.key.toLowerCase() === "k";
  return event.key === "/" && !event.altKey && !event.ctrlKey && !event.metaKey && !typing;
}

const icon = name => `<svg class="icon" aria-hidden="true"><use href="#i-${name}"/></svg>`;

function build() {
  const say = words();
  const dialog = document.createElement("dialog");
  dialog.className = "search-dialog";
  dialog.setAttribute("aria-label", say.searchName);
  dialog.innerHTML = `<form method="dialog">${icon("search")}<input type="search" role="combobox" aria-autocomplete="list"
    aria-expanded="false" aria-controls="book-search-hits" autocomplete="off" autocapitalize="off" spellcheck="false"
    enterkeyhint="go"><button type="submit" class="quiet">${icon("close")}</button></form>
    <ul class="hits" role="listbox" id="book-search-hits" hidden></ul><div class="hits search-note"><p></p></div>
    <p class="visually-hidden" role="status"></p>`;
  const input = dialog.querySelector("input");
  input.setAttribute("aria-label", say.searchName);
  dialog.querySelector("button").setAttribute("aria-label", say.close);
  dialog.querySelector("ul").setAttribute("aria-label", say.searchName);
  document.body.append(dialog);
  return dialog;
}

/** @param {import("./find.js").Hit} hit @param {number} i */
function option(hit, i) {
  const item = document.createElement("li");
  item.setAttribute("role", "presentation");
  // The link itself is the option: a link inside of an option would be a control within a control.
  const link = document.createElement("a");
  link.id = `book-search-hit-${i}`;
  link.setAttribute("role", "option");
  link.setAttribute("aria-selected", "false");
  link.href = address(hit);
  link.tabIndex = -1;
  const small = document.createElement("small");
  small.textContent = hit.section ? `${hit.page} › ${hit.section}` : hit.page;
  const text = document.createElement("p");
  for (const part of hit.excerpt) {
    if (!part.marked) text.append(part.text);
    else text.append(Object.assign(document.createElement("mark"), { textContent: part.text }));
  }
  link.append(small, text);
  item.append(link);
  return item;
}

export function searchButton() {
  const button = document.querySelector(".tool-search");
  if (!button) return;
  const say = words();
  /** @type {HTMLDialogElement | undefined} */
  let dialog;
  let input, list, note, status;
  let chosen = -1;
  let turn = 0;

  const choose = i => {
    const items = [...list.querySelectorAll("a")];
    items[chosen]?.setAttribute("aria-selected", "false");
    chosen = items.length ? (i + items.length) % items.length : -1;
    const item = items[chosen];
    if (!item) return input.removeAttribute("aria-activedescendant");
    item.setAttribute("aria-selected", "true");
    item.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", item.id);
  };

  const tell = (visible, spoken = visible) => {
    note.hidden = !visible;
    note.firstElementChild.textContent = visible;
    status.textContent = spoken;
  };

  const show = (hits, query) => {
    list.replaceChildren(...(hits ?? []).map(option));
    list.hidden = !hits?.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
    chosen = -1;
    list.scrollTop = 0;
    choose(0);
    if (!query) tell(say.searchHint, "");
    else if (!hits) tell(say.searchMissing);
    else if (!hits.length) tell(fill(say.searchNone, { q: query }));
    else {
      const count = fill(say.searchCount, { n: hits.length });
      // When nothing holds the words typed, say which ones these hits hold.
      const other = hits[0].query;
      const same = fold(other) === fold(query);
      const also = same ? "" : fill(say.searchAlso, { q: other });
      tell(also, `${also}${count}`);
    }
  };

  const run = async () => {
    const query = input.value.trim();
    const mine = ++turn;
    if (!query) return show([], "");
    try {
      const hits = await search(query);
      if (mine === turn) show(hits, query);
    } catch (error) {
      console.error(error);
      if (mine === turn) {
        show([], query);
        tell(say.searchFailed);
      }
    }
  };

  const open = () => {
    if (!dialog) {
      dialog = build();
      input = dialog.querySelector("input");
      list = dialog.querySelector("ul");
      note = dialog.querySelector(".search-note");
      status = dialog.querySelector("[role=status]");
      show([], "");
      input.addEventListener("input", event => event.isComposing || run());
      input.addEventListener("compositionend", run);
      input.addEventListener("keydown", keys);
      dialog.addEventListener("click", event => {
        const link = event.target.closest("a");
        // A new tab leaves the list open; a place on this page must be seen.
        if (event.target === dialog || (link && !event.ctrlKey && !event.metaKey && !event.shiftKey)) dialog.close();
      });
      list.addEventListener("pointermove", event => {
        const link = event.target.closest("a");
        if (link?.getAttribute("aria-selected") === "false") choose([...list.querySelectorAll("a")].indexOf(link));
      });
    }
    if (dialog.open) return;
    dialog.showModal();
    input.select();
    warm();
  };

  const keys = event => {
    if (composing(event)) return event.key === "Enter" && event.preventDefault();
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Enter") {
      event.preventDefault(); // the form would only close the dialog
      const link = list.querySelectorAll("a")[chosen];
      const { ctrlKey, metaKey } = event;
      link?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey }));
    } else if (event.key === "Escape") {
      event.preventDefault(); // a search field would only be emptied
      dialog.close();
    }
  };

  button.addEventListener("click", open);
  // Before the theme's own listener for Ctrl+K, which looks for a search that is not there.
  window.addEventListener(
    "keydown",
    event => {
      if (composing(event)) return;
      const at = event.target instanceof Element ? event.target : document.body;
      const typing = Boolean(at.closest("input, textarea, select, [contenteditable]:not([contenteditable=false])"));
      if (!opens(event, typing)) return;
      // Another dialog is open: leave it alone.
      if (document.querySelector("dialog[open]:not(.search-dialog)")) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      open();
    },
    true,
  );
}
