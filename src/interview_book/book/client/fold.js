/* Spellings that a reader takes for the same: full and half width, upper and lower case, √dₖ and √d_k, エントロピー and
   エントロピ, a space or none beside Han and kana. */

const WORD = /[a-z0-9\u00e0-\u024f\u0370-\u03ff]/;
const DASH = /[\u2010-\u2015\u2212\uff0d]/;
const DROP = /[_\u30fc\u200b-\u200d\u2060\ufeff\u00ad\u3000\s]/;

/**
 * Fold a text, and keep for every folded unit where it began.
 * @param {string} text
 * @returns {{ text: string, map: number[] }} `map` has one entry more than `text`: the end
 */
export function foldMap(text) {
  let folded = "";
  const map = [];
  let gap = -1; // where a dropped space stood
  let at = 0;
  for (const character of text) {
    const plain = DASH.test(character) ? "-" : character.normalize("NFKC").toLowerCase();
    if (DROP.test(character) || plain.trim() === "") {
      // «_» and «ー» bind; a space divides, but only two Latin words or numbers.
      if (/[\s\u3000]/.test(character)) gap = gap < 0 ? at : gap;
    } else {
      if (gap >= 0 && folded && WORD.test(folded.at(-1)) && WORD.test(plain[0])) {
        folded += " ";
        map.push(gap);
      }
      gap = -1;
      for (const unit of plain.split("")) {
        folded += unit;
        map.push(at);
      }
    }
    at += character.length;
  }
  map.push(text.length);
  return { text: folded, map };
}

/**
 * Fold a text; half-width kana are joined with their marks first.
 * @param {string} text
 */
export const fold = text => foldMap(text.normalize("NFKC")).text;

/**
 * The terms of a query, all of which a hit must hold.
 * @param {string} query
 * @returns {string[]}
 */
export const terms = query => [...new Set(query.normalize("NFKC").split(/[\s"“”「」]+/).map(fold).filter(Boolean))];

/**
 * Where a folded term occurs in a folded text. A Latin term begins where a word begins; one letter is a word of its own.
 * @param {string} text
 * @param {string} term
 * @returns {number[]}
 */
export function occurrences(text, term) {
  const found = [];
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + term.length)) {
    const before = at > 0 && WORD.test(text[at - 1]) && WORD.test(term[0]);
    const after = term.length === 1 && WORD.test(term) && at + 1 < text.length && WORD.test(text[at + 1]);
    if (!before && !after) found.push(at);
  }
  return found;
}
