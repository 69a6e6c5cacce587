/* The practice deck in a notebook: an anywidget whose Python half hands over the bank and keeps the record in a file. */

import signs from "../../book/templates/icons.svg";
import { mountDeck } from "./app.jsx";
import { fileStore } from "./store.js";

const PATIENCE_MS = 20_000;

/** The signs that icons point at, once a document: they outlive the cell, because another deck may need them. */
function bringSigns() {
  if (document.getElementById("i-check")) return;
  const holder = document.createElement("div");
  holder.innerHTML = signs;
  document.body.append(...holder.children);
}

/** Asks Python for the parts of the bank. One that did not come is asked for again the next time. */
export function partsOf(model, patience = PATIENCE_MS) {
  const asked = new Map();
  const settle = (chapter, part) => {
    const one = asked.get(chapter);
    if (!one) return;
    clearTimeout(one.timer);
    if (part) return one.resolve(part);
    asked.delete(chapter);
    one.reject(new Error(`the kernel gave no part «${chapter}» of the bank`));
  };
  const hear = message => message?.type === "part" && settle(message.chapter, message.part);
  model.on("msg:custom", hear);
  return {
    part(chapter) {
      if (!asked.has(chapter)) {
        const one = {};
        one.promise = new Promise((resolve, reject) => Object.assign(one, { resolve, reject }));
        one.timer = setTimeout(() => settle(chapter, null), patience);
        asked.set(chapter, one);
        model.send({ type: "part", chapter });
      }
      return asked.get(chapter).promise;
    },
    stop: () => model.off("msg:custom", hear),
  };
}

function render({ model, el }) {
  bringSigns();
  const host = document.createElement("div");
  host.className = "deck-notebook";
  const article = document.createElement("div");
  article.className = "bd-article";
  host.append(article);
  el.append(host);
  const store = fileStore(model, { language: model.get("language") });
  let close = () => {};
  const show = () => {
    close();
    const index = model.get("index");
    const parts = partsOf(model);
    article.lang = index.language;
    const unmount = mountDeck(article, { index, part: parts.part, store, language: index.language, notebook: true });
    close = () => {
      unmount();
      parts.stop();
    };
  };
  show();
  model.on("change:index", show); // another language
  return () => {
    model.off("change:index", show);
    close();
    store.close?.();
    host.remove();
  };
}

export default { render };
