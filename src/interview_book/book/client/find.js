/* Which passages answer a query, in which order, and what to show of them. Knows nothing of Pagefind or the page. */

import { foldMap, occurrences, terms } from "./fold.js";

/**
 * @typedef {object} Segment one passage, heading or block
 * @property {string} anchor id to link to, `""` for the top of the page
 * @property {string} section title of the section it stands in
 * @property {string} text
 * @property {"text" | "head" | "code"} kind
 *
 * @typedef {{ url: string, title: string, segments: Segment[] }} Page
 * @typedef {{ text: string, marked: boolean }[]} Excerpt
 * @typedef {object} Hit
 * @property {string} url relative to the edition
 * @property {string} anchor
 * @property {string} page
 * @property {string} section
 * @property {Excerpt} excerpt
 * @property {string} query the query it answers
 * @property {number} score
 */

const A_PAGE = 3; // hits a page
const ROOM = 84; // characters of an excerpt
const BEFORE = 26; // of them before the first mark

/** @type {WeakMap<object, { text: string, map: number[] }>} */
const folds = new WeakMap();
/** @param {Segment} segment */
function folded(segment) {
  let found = folds.get(segment);
  if (!found) folds.set(segment, (found = foldMap(segment.text)));
  return found;
}

/**
 * A window of the text with what was found marked.
 * @param {Segment} segment
 * @param {string[]} wanted folded terms
 * @returns {Excerpt}
 */
export function excerpt(segment, wanted) {
  const { text, map } = folded(segment);
  const spans = wanted
    .flatMap(term => occurrences(text, term).map(at => [map[at], end(segment.text, map, at + term.length)]))
    .sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const whole = segment.text;
  let from = Math.max(0, (spans[0]?.[0] ?? 0) - BEFORE);
  if (from > 0) {
    // Begin with a sentence where one begins close by.
    const stop = Math.max(...["。", "！", "？", "；", ". "].map(mark => whole.lastIndexOf(mark, (spans[0]?.[0] ?? 0) - 1)));
    if (stop >= 0 && stop + 1 >= from - BEFORE) from = stop + 1;
    // Otherwise not within a Latin word or a number.
    else from -= /[\w.,√]*$/.exec(whole.slice(Math.max(0, from - 20), from))[0].length;
  }
  while (/\s/.test(whole[from] ?? "")) from += 1;
  let to = Math.min(whole.length, from + ROOM);
  if (spans[0]) to = Math.min(whole.length, Math.max(to, spans[0][1]));
  if (to < whole.length && /[\ud800-\udbff]/.test(whole[to - 1])) to += 1;
  const parts = [];
  let at = from;
  for (const [begin, stop] of spans) {
    if (stop <= at) continue;
    if (stop > to) break;
    const start = Math.max(begin, at);
    if (start > at) parts.push({ text: whole.slice(at, start), marked: false });
    parts.push({ text: whole.slice(start, stop), marked: true });
    at = stop;
  }
  if (at < to) parts.push({ text: whole.slice(at, to), marked: false });
  if (to < whole.length) parts.push({ text: "…", marked: false });
  return parts;
}

/** Where the folded unit before `at` ends in the original: a dropped «ー» or «_» belongs to it, a space does not. */
function end(whole, map, at) {
  let stop = map[at] ?? whole.length;
  while (stop > 0 && /\s/.test(whole[stop - 1])) stop -= 1;
  return stop;
}

/**
 * How well a segment answers all terms; null when it does not.
 * @param {Page} page
 * @param {Segment} segment
 * @param {string[]} wanted
 */
function rate(page, segment, wanted) {
  const text = folded(segment).text;
  const section = foldMap(segment.section).text;
  const title = foldMap(page.title).text;
  const counts = wanted.map(term => occurrences(text, term).length);
  if (!counts.some(Boolean)) return null;
  // A title may complete a passage: «√dₖ 分散» is answered by a passage on 分散 in the chapter on √dₖ.
  if (!wanted.every((term, i) => counts[i] || occurrences(section, term).length || occurrences(title, term).length)) return null;
  const inTitle = wanted.filter(term => occurrences(title, term).length).length / wanted.length;
  const inSection = wanted.filter(term => occurrences(section, term).length).length / wanted.length;
  const inText = counts.filter(Boolean).length / wanted.length;
  const often = Math.min(4, counts.reduce((a, b) => a + b));
  // A heading that is the term itself (分散) comes before one that holds it (共分散); code comes last, after the
  // passages that hold the term in the edition's own language.
  const whole = wanted.length === 1 && text === wanted[0] ? 20 : 0;
  const kind = { head: 15 + whole, text: 0, code: -130 }[segment.kind];
  // Who types a term in another language wants to know what it is called here, not where it happens to stand.
  const entry = segment.kind === "text" && segment.anchor.startsWith("term-") ? 12 : 0;
  return entry + 40 * inTitle + 20 * inSection + 20 * inText + 2 * often + kind;
}

/**
 * @param {Page[]} pages
 * @param {string} query
 * @param {string[]} wanted
 * @param {number} base
 * @returns {Hit[]}
 */
function answer(pages, query, wanted, base) {
  /** @type {Hit[]} */
  const hits = [];
  for (const page of pages) {
    const rated = page.segments
      .map((segment, i) => ({ segment, i, score: rate(page, segment, wanted) }))
      .filter(one => one.score !== null)
      .sort((a, b) => b.score - a.score || a.i - b.i);
    const taken = new Set();
    let count = 0;
    for (const { segment, i, score } of rated) {
      if (count === A_PAGE) break;
      if (taken.has(segment.anchor)) continue;
      taken.add(segment.anchor);
      count += 1;
      // Under a heading its first words say more than the heading again, which stands in the small line.
      const next = page.segments[i + 1];
      const shown = segment.kind === "head" && next?.kind === "text" ? next : segment;
      taken.add(shown.anchor);
      hits.push({ ...whereOf(page, segment), excerpt: excerpt(shown, wanted), query, score: base + score });
    }
  }
  return hits;
}

/** @param {Page} page @param {Segment} segment */
const whereOf = (page, segment) => ({
  url: page.url,
  anchor: segment.anchor,
  page: page.title,
  section: segment.section === page.title ? "" : segment.section,
});

/**
 * Pages that hold all terms, but no passage does: the passage with most of them.
 * @returns {Hit[]}
 */
function scattered(pages, query, wanted, base) {
  const hits = [];
  for (const page of pages) {
    const all = page.segments.map(segment => wanted.filter(term => occurrences(folded(segment).text, term).length));
    if (new Set(all.flat()).size < wanted.length) continue;
    const best = all.reduce((top, found, i) => (found.length > all[top].length ? i : top), 0);
    const segment = page.segments[best];
    hits.push({ ...whereOf(page, segment), excerpt: excerpt(segment, all[best]), query, score: base });
  }
  return hits;
}

/**
 * Passages that hold the most of the terms, when none holds all: the hit names the ones it holds.
 * @returns {Hit[]}
 */
function partly(pages, wanted, base) {
  const all = [];
  for (const page of pages) {
    for (const segment of page.segments) {
      const found = wanted.filter(term => term.length > 1 && occurrences(folded(segment).text, term).length);
      if (found.length) all.push({ page, segment, found });
    }
  }
  const most = Math.max(0, ...all.map(one => one.found.length));
  return all
    .filter(one => one.found.length === most)
    .map(({ page, segment, found }) => {
      const shown = excerpt(segment, found);
      const marked = new Set(shown.filter(part => part.marked).map(part => part.text));
      const score = base + found.join("").length + (segment.kind === "head" ? 5 : 0);
      return { ...whereOf(page, segment), excerpt: shown, query: [...marked].join(" "), score };
    });
}

/**
 * Pieces of a compound, as the browser divides words: 内積注意機構 → 内積, 注意, 機構.
 * @param {string} query
 * @param {string} language
 * @returns {string[]}
 */
export function pieces(query, language) {
  if (typeof Intl === "undefined" || !Intl.Segmenter) return [];
  const parts = [...new Intl.Segmenter(language, { granularity: "word" }).segment(query.normalize("NFKC"))];
  return [...new Set(parts.filter(one => one.isWordLike).flatMap(one => terms(one.segment)))];
}

/**
 * Search pages for the queries, the first of which counts most.
 * @param {Page[]} pages
 * @param {string[]} asked from `bridge.queries`
 * @param {string} language
 * @param {{ limit?: number, loose?: boolean }} options `loose`: rather a passage with some of the terms than none
 * @returns {Hit[]} best first, one a place
 */
export function find(pages, asked, language, { limit = 20, loose = false } = {}) {
  const hits = [];
  asked.forEach((query, i) => {
    const wanted = terms(query);
    if (!wanted.length) return;
    // What was typed comes before what it might mean.
    const base = i === 0 ? 300 : 200 - 4 * i;
    const exact = answer(pages, query, wanted, base);
    hits.push(...(exact.length || wanted.length < 2 ? exact : scattered(pages, query, wanted, base - 100)));
  });
  if (!hits.length && asked.length) {
    const parts = pieces(asked[0], language);
    if (parts.length > 1) {
      const near = answer(pages, asked[0], parts, 0);
      hits.push(...(near.length ? near : scattered(pages, asked[0], parts, -100)));
    }
  }
  if (!hits.length && loose) {
    const groups = [...asked.map(terms), pieces(asked[0] ?? "", language)].filter(one => one.length > 1);
    hits.push(...groups.flatMap(wanted => partly(pages, wanted, -200)));
  }
  hits.sort((a, b) => b.score - a.score);
  const seen = new Set();
  return hits
    .filter(hit => {
      const place = `${hit.url}#${hit.anchor}`;
      return !seen.has(place) && seen.add(place);
    })
    .slice(0, limit);
}
