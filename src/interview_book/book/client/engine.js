/* Where the pages to search come from. Over http Pagefind names the pages that may answer, and only those are loaded. From
   file://, where it cannot run, and where its division of words misses a substring, the text of the edition is read instead:
   one classic script, loaded only then. */

import { queries, withSigns } from "./bridge.js";
import { find } from "./find.js";
import { editionRoot, script } from "./load.js";
import { edition } from "./words.js";

const PAGES = 8; // fragments loaded a query
const ASKED = 4; // queries given to Pagefind

const EMPTY = { characters: { ja: {}, "zh-Hant": {} }, signs: {}, terms: [] };

let bridge, pagefind, text;

const loadBridge = () =>
  (bridge ??= script(`${editionRoot()}_static/bridge.js`).then(
    () => window.bookBridge ?? EMPTY,
    () => EMPTY, // searching without equivalents is better than not searching
  ));

const loadPagefind = () =>
  (pagefind ??= (async () => {
    if (!/^https?:$/.test(location.protocol)) return null;
    try {
      const module = await import(`${editionRoot()}pagefind/pagefind.js`);
      await module.init();
      return module;
    } catch {
      return null;
    }
  })());

const loadText = () =>
  (text ??= script(`${editionRoot()}_static/search-text.js`).then(
    () => (window.bookText ?? []).map(unpack),
    () => {
      text = undefined;
      return null;
    },
  ));

/**
 * @param {[string, string, [string, string, string, "text" | "head" | "code"][]]} packed as search.py writes it
 * @returns {import("./find.js").Page}
 */
export const unpack = ([url, title, segments]) => ({
  url,
  title,
  segments: segments.map(([anchor, section, text, kind]) => ({ anchor, section, text, kind })),
});

/**
 * A page from Pagefind's fragment. search.py gives it one element with an id for every segment, and the fragment holds the
 * text of each.
 * @param {{ raw_url?: string, url: string, meta: Record<string, string>, anchors: { element: string, id: string, text: string }[] }} fragment
 * @returns {import("./find.js").Page}
 */
export function page(fragment) {
  let section = fragment.meta.title ?? "";
  const segments = fragment.anchors.map(({ element, id, text }) => {
    const kind = /^h\d$/.test(element) ? "head" : element === "pre" ? "code" : "text";
    if (kind === "head") section = text;
    return { anchor: id.replace(/~\d+$/, ""), section, text, kind };
  });
  return { url: (fragment.raw_url ?? fragment.url).replace(/^\//, ""), title: fragment.meta.title ?? "", segments };
}

/** @type {Map<string, Promise<import("./find.js").Page>>} */
const known = new Map();

async function candidates(engine, asked, signs) {
  const wanted = new Set(asked.slice(0, ASKED).flatMap(query => [query, withSigns(query, signs)]));
  const found = await Promise.all([...wanted].map(query => engine.search(query)));
  const results = new Map();
  for (const one of found) for (const result of (one?.results ?? []).slice(0, PAGES)) results.set(result.id, result);
  return Promise.all(
    [...results.values()].map(result => {
      if (!known.has(result.id)) known.set(result.id, result.data().then(page));
      return known.get(result.id);
    }),
  );
}

/** Load what the first query will need. */
export const warm = () => void Promise.all([loadBridge(), loadPagefind().then(engine => engine ?? loadText())]);

/**
 * @param {string} query
 * @returns {Promise<import("./find.js").Hit[] | null>} null when there is no index
 */
export async function search(query) {
  const language = edition(document.documentElement.lang);
  const [data, engine] = await Promise.all([loadBridge(), loadPagefind()]);
  const asked = queries(query, data, language);
  if (engine) {
    const hits = find(await candidates(engine, asked, data.signs), asked, language);
    if (hits.length) return hits;
  }
  const pages = await loadText();
  if (!pages) return engine ? [] : null;
  return find(pages, asked, language, { loose: true });
}

/** @param {import("./find.js").Hit} hit */
export const address = hit => editionRoot() + hit.url + (hit.anchor ? `#${encodeURIComponent(hit.anchor)}` : "");
