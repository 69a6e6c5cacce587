/* The practice deck on the site's page. The bank comes by script elements beside this script: from file:// a browser
   refuses fetch and module scripts. */

import { mountDeck } from "./app.jsx";
import { openStore } from "./store.js";

const FOLDER = new URL("deck/", document.currentScript.src).href;

/** Loads data scripts, each of which calls `interviewBookDeck` once. One that failed is asked for again the next time. */
function loader() {
  const arrived = new Map();
  const asked = new Map();
  window.interviewBookDeck = value => void arrived.set(value.part?.chapter ?? "index", value);
  const get = (name, version) =>
    new Promise((resolve, reject) => {
      const script = document.createElement("script");
      const end = () => {
        script.remove();
        if (arrived.has(name)) return resolve(arrived.get(name));
        asked.delete(name);
        reject(new Error(`the deck's file ${name}.js did not load`));
      };
      script.addEventListener("load", end);
      script.addEventListener("error", end);
      script.src = `${FOLDER}${name}.js?v=${version}`;
      document.head.append(script);
    });
  return (name, version) => asked.get(name) ?? asked.set(name, get(name, version)).get(name);
}

/** The question that a chapter's link asks for, `#practise=<id>`. */
function asked() {
  const found = /^#practise=(.+)$/.exec(location.hash);
  try { return found ? decodeURIComponent(found[1]) : undefined; } catch { return undefined; } // an address cut in the middle of a sign
}

/** On the body too: a :has() that looks for the host would cost every other page at each change of its text. */
const ready = host => [host, document.body].forEach(one => one.classList.add(one === host ? "ready" : "deck-ready"));

async function start() {
  const host = document.querySelector(".book-deck");
  if (!host) return;
  const list = document.querySelector(".deck-list");
  const load = loader();
  let index;
  try {
    ({ index } = await load("index", list?.dataset.bank ?? ""));
  } catch (error) {
    console.error(error); // the list of questions stays as it is
    ready(host);
    return;
  }
  const first = asked();
  // Read once: who comes back to the page, or loads it again, begins at the start.
  if (first) history.replaceState(history.state, "", location.pathname + location.search);
  const element = document.createElement("div");
  host.replaceChildren(element);
  ready(host);
  list?.removeAttribute("open");
  mountDeck(element, {
    index,
    part: async chapter => (await load(chapter, index.digest)).part,
    store: openStore({ language: index.language }),
    language: index.language,
    first,
    links: {
      other: document.querySelector("a.tool-language")?.href,
      anki: [...document.querySelectorAll(".deck-anki a")].map(link => ({ href: link.href, label: link.textContent.trim() })),
    },
  });
}

addEventListener("hashchange", () => asked() && location.reload()); // a link within the same tab
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
