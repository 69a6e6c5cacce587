/* Reviews as rows, sorted by time, and their text: 100,000 of them take about 2 MB.
 *
 * A row is [ms, id, grade, seconds, flags, points]: UTC ms, id of the card, 1–4, whole seconds of the answer, flags
 * (language, aloud, verdict), points of the rubric. No two rows have both time and card in common. */

import { LATEST } from "./study_days.js";

export const LANGUAGES = ["", "ja", "zh-Hant", "en"];
export const VERDICTS = ["", "strong", "acceptable", "weak", "right", "wrong", "seen"];
/** The largest values a row may hold. */
export const MOST = { seconds: 86_400, flags: 63, points: 1000 };

/** @param {{language?: string, aloud?: boolean, verdict?: string}} said */
export const flagsOf = ({ language, aloud, verdict }) =>
  Math.max(0, LANGUAGES.indexOf(language ?? "")) | (aloud ? 4 : 0) | (Math.max(0, VERDICTS.indexOf(verdict ?? "")) << 3);

/** A row as an object; `language` and `verdict` are "" where they were not noted. */
export function readRow([at, id, grade, seconds, flags, points]) {
  return { at, id, grade, seconds, language: LANGUAGES[flags & 3], aloud: (flags & 4) > 0, verdict: VERDICTS[flags >> 3] ?? "", points };
}

/** Order of rows: by time, then by card. */
export const compareRows = (a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0);

/** Where a row stands or would stand in sorted rows. */
export function placeOf(rows, row) {
  let low = 0, high = rows.length;
  if (high && compareRows(rows[high - 1], row) < 0) return high; // nearly always
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareRows(rows[middle], row) < 0) low = middle + 1; else high = middle;
  }
  return low;
}

/** Of two rows with the same time and card one, whichever comes first: the larger in its first differing number. */
function larger(a, b) {
  for (let i = 2; i < a.length; i++) if (a[i] !== b[i]) return a[i] > b[i] ? a : b;
  return a;
}

/** All rows of both. */
export function unionRows(a, b) {
  const all = [];
  let i = 0, j = 0;
  while (i < a.length && j < b.length) {
    const order = a[i] === b[j] ? 0 : compareRows(a[i], b[j]);
    if (order === 0) all.push(larger(a[i++], b[j++]));
    else all.push(order < 0 ? a[i++] : b[j++]);
  }
  while (i < a.length) all.push(a[i++]);
  while (j < b.length) all.push(b[j++]);
  return all;
}

const FIELDS = 4;

/**
 * A block of rows as JSON, ASCII: [[ids, sorted, each with the length it shares with the one before], [for each row:
 * ms since the row before, place of its id, grade and flags and points in one number, seconds]].
 */
export function pack(rows) {
  const ids = [...new Set(rows.map(row => row[1]))].sort();
  const places = new Map(ids.map((id, i) => [id, i]));
  const numbers = [];
  let before = 0;
  for (const [at, id, grade, seconds, flags, points] of rows) {
    numbers.push(at - before, places.get(id), grade - 1 + 4 * flags + 256 * points, seconds);
    before = at;
  }
  return JSON.stringify([shorten(ids), numbers]);
}

/** ["a.one", "a.only"] → ["0a.one", "4ly"]: how much is shared, to base 36, and the rest. */
function shorten(ids) {
  return ids.map((id, i) => {
    const before = ids[i - 1] ?? "";
    let same = 0;
    while (same < 35 && same < id.length && id[same] === before[same]) same++;
    return same.toString(36) + id.slice(same);
  });
}

/* Each id is looked at once, and is one string in memory, however many blocks name it. */
const known = new Map();

function lengthen(short, isId) {
  const ids = [];
  let before = "";
  for (const one of short) {
    if (typeof one !== "string" || !/^[0-9a-z]/.test(one)) return null;
    before = before.slice(0, parseInt(one[0], 36)) + one.slice(1);
    if (!known.has(before)) {
      if (!isId(before)) return null;
      known.set(before, before);
    }
    ids.push((before = known.get(before)));
  }
  return ids;
}

/** A parsed block, or of a text that was cut what can be read of it. */
function parsed(text) {
  if (typeof text !== "string") return [text, true];
  try {
    return [JSON.parse(text), true];
  } catch {
    try {
      return [JSON.parse(`${text.slice(0, text.lastIndexOf(","))}]]`), false]; // up to the last whole number
    } catch {
      return [null, false];
    }
  }
}

const LARGEST = 256 * MOST.points + 255;
/** A whole number from 0 on; anything else, a text too, is not the same as its 32 bits. */
const isSmall = (value, most) => (value | 0) === value && value >= 0 && value <= most;

/**
 * The rows of a block, as many as can be read from its beginning.
 * @param {string | any[]} block its text, or the same parsed
 * @param {(id: string) => boolean} isId
 * @param {any[]} [before] the last row of the block before
 * @returns {{rows: any[][], complete: boolean}}
 */
export function unpack(block, isId, before) {
  const [value, whole] = parsed(block), rows = [], broken = { rows, complete: false };
  if (!Array.isArray(value) || value.length !== 2 || !value.every(Array.isArray)) return broken;
  const ids = lengthen(value[0], isId), numbers = value[1], length = numbers.length;
  if (!ids) return broken;
  let at = 0, last = before;
  for (let i = 0; i + FIELDS <= length; i += FIELDS) {
    const after = numbers[i], id = ids[numbers[i + 1]], code = numbers[i + 2], seconds = numbers[i + 3];
    if (!Number.isSafeInteger(after) || id === undefined || !isSmall(code, LARGEST) || !isSmall(seconds, MOST.seconds)) return broken;
    at += after;
    if (at < 0 || at > LATEST) return broken;
    const row = [at, id, (code & 3) + 1, seconds, (code >> 2) & 63, code >> 8];
    if (last && compareRows(last, row) >= 0) return broken;
    rows.push((last = row));
  }
  return { rows, complete: whole && length % FIELDS === 0 };
}
