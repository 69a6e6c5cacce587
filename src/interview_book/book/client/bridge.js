/* From what the reader typed to what the pages of this edition say: Simplified or old characters to the edition's own, and a
   term of another language to this one's. The data come from the glossary and the text (search.py). */

import { fold } from "./fold.js";

/**
 * @typedef {"ja" | "zh-Hant"} Edition
 * @typedef {object} Bridge
 * @property {Record<Edition, Record<string, string>>} characters what a character may stand for, likeliest first
 * @property {Record<string, string>} signs folded spelling of a symbol → its spelling on the pages: dk → dₖ
 * @property {[string[], string[], string[]][]} terms per term: Japanese, Chinese and other forms, the preferred first
 */

const COLUMN = { ja: 0, "zh-Hant": 1 };
const GLUE = /^(?:[\u3041-\u309f]+|[的與和])$/; // between two terms it says nothing to search for
const MOST = 6; // queries that one query may become

/**
 * The query in the characters of the edition.
 * @param {string} query
 * @param {Record<string, string>} characters
 * @returns {string[]}
 */
export function respell(query, characters) {
  let all = [""];
  for (const character of query) {
    const choices = [...(characters[character] ?? character)];
    all = all.flatMap(head => choices.map(choice => head + choice)).slice(0, MOST);
  }
  return all;
}

/**
 * Translate a query piece by piece, longest known form first; null when no piece is known.
 * @param {string} query
 * @param {Map<string, string>} forms folded form → the edition's own word
 */
export function translate(query, forms) {
  const longest = Math.max(0, ...[...forms.keys()].map(form => form.length));
  const out = [];
  let known = false;
  for (const word of query.split(/\s+/).filter(Boolean)) {
    const text = fold(word);
    let rest = "";
    for (let at = 0; at < text.length; ) {
      let length = Math.min(longest, text.length - at);
      // Shorter than two characters, a piece is a coincidence.
      while (length >= 2 && !forms.has(text.slice(at, at + length))) length -= 1;
      if (length < 2) {
        rest += text[at];
        at += 1;
        continue;
      }
      if (rest && !GLUE.test(rest)) out.push(rest);
      rest = "";
      out.push(forms.get(text.slice(at, at + length)));
      known = true;
      at += length;
    }
    if (rest && !GLUE.test(rest)) out.push(rest);
  }
  return known ? out.join(" ") : null;
}

/**
 * What to search for, the reader's own words first.
 * @param {string} query
 * @param {Bridge} bridge
 * @param {Edition} edition
 * @returns {string[]} distinct after folding
 */
export function queries(query, bridge, edition) {
  const typed = query.normalize("NFKC").trim();
  const all = [typed];
  const characters = respell(typed, bridge.characters[edition] ?? {});
  const own = COLUMN[edition];
  // A term is recognised in any spelling: as typed, in this edition's characters, in the other one's.
  const other = edition === "ja" ? "zh-Hant" : "ja";
  const spellings = [typed, ...characters, ...respell(typed, bridge.characters[other] ?? {})];
  all.push(...characters);
  const folded = new Set(spellings.map(fold));
  for (const forms of bridge.terms) {
    if (!forms.flat().some(form => folded.has(fold(form)))) continue;
    all.push(...forms[own].slice(0, 2), ...forms[2].slice(0, 2));
  }
  const known = new Map();
  for (const forms of bridge.terms) {
    const word = forms[own][0] ?? forms[2][0];
    if (word) for (const form of forms.flat()) if (!known.has(fold(form))) known.set(fold(form), word);
  }
  for (const spelling of spellings) {
    const said = translate(spelling, known);
    if (said) all.push(said);
  }
  const seen = new Set();
  return all.filter(one => {
    const key = one.split(/\s+/).map(fold).join(" ");
    return key.trim() && !seen.has(key) && seen.add(key);
  }).slice(0, MOST);
}

/**
 * A query as the index spells its symbols.
 * @param {string} query
 * @param {Record<string, string>} signs
 */
export const withSigns = (query, signs) =>
  query.replace(/[A-Za-z][A-Za-z0-9_]*/g, word => (Object.hasOwn(signs, fold(word)) ? signs[fold(word)] : word));
