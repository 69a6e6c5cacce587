/* The record of one learner: plain JSON in, new plain JSON out; nothing is changed in place.
 *
 * Times are UTC milliseconds. The same record serves both languages; only what was said aloud is kept apart. */

import { isId } from "./faults.js";
import { VERSION, cleanSettings } from "./documents.js";
import { derive, historyOf } from "./lineage.js";
import { PATHS, questionsOf } from "./priority.js";
import { Log } from "./log.js";
import { flagsOf, LANGUAGES, MOST, readRow } from "./rows.js";
import { review, SCHEDULER } from "./schedule.js";
import { DAY, dayNumber, dayOf, inRange, startAfter } from "./study_days.js";

export { check, exportText } from "./documents.js";
export { merge } from "./merging.js";
export { forecast, history, mastery } from "./overview.js";

/**
 * @typedef {object} Document
 * @property {number} version of this shape
 * @property {string} scheduler whose states `cards` holds
 * @property {number} created
 * @property {{path: string | null, date: string | null, minutes: number, language: string, role: string | null,
 *   silent: boolean, at: number}} settings minutes a day; at: when they were last changed
 * @property {Record<string, import("./schedule.js").Card>} cards by id, only those that were answered
 * @property {Log} reviews rows [ms, id, grade, seconds, flags, points] by time, in JSON a list of them; see rows.js
 * @property {Record<string, Record<string, number>>} said id → language → when it was last said aloud
 * @property {Record<string, string>} deferred id → "YYYY-MM-DD" a backlog was moved to
 * @property {{id: string, started: number, ids: string[]} | null} path chosen; ids: its questions, [] for «by the bank»
 * @property {{day: string, of: string, ids: string[]} | null} plan of the day that was begun last; of: the settings it was made for
 */

/** A day's minutes, from and to. */
export const MINUTES = { least: 5, most: 240, usual: 40 };

/** A record of nothing yet. @param {number} now @param {string} language of the interview @returns {Document} */
export function empty(now, language = "ja") {
  const settings = { path: null, date: null, minutes: MINUTES.usual, language, role: null, silent: false, at: 0 };
  return { version: VERSION, scheduler: SCHEDULER, created: inRange(now), settings, cards: {}, reviews: Log.of([]), said: {}, deferred: {}, path: null, plan: null };
}

const without = (table, id) => (Object.hasOwn(table, id) ? Object.fromEntries(Object.entries(table).filter(([one]) => one !== id)) : table);
const withOrWithout = (table, id, value) => (value === undefined ? without(table, id) : { ...table, [id]: value });

/** A number between 0 and `most`, whole; 0 for what is none. */
const whole = (value, most) => (Number.isFinite(value) ? Math.min(Math.max(Math.round(value), 0), most) : 0);

/** A copy with one entry set. Key by key: the first time a page spreads a table of 1,000 cards, it takes milliseconds. */
function including(table, id, value) {
  const copy = {};
  for (const key in table) copy[key] = table[key];
  copy[id] = value;
  return copy;
}

/**
 * The record after an answer.
 * @param {Document} doc
 * @param {{id: string, grade: 1 | 2 | 3 | 4, now: number, seconds?: number, language?: string, aloud?: boolean,
 *   verdict?: string, points?: number}} answer seconds the answer took; language it was given in; verdict and points of
 *   the card
 * @returns {Document}
 */
export function record(doc, { id, grade, now, seconds = 0, language, aloud = false, verdict, points = 0 }) {
  if (!isId(id)) throw new RangeError(`id: expected the id of a card, got ${id}`);
  const before = { card: doc.cards[id], said: doc.said[id], deferred: doc.deferred[id] };
  const card = review(before.card, grade, now);
  const spoken = aloud && LANGUAGES.includes(language);
  const flags = flagsOf({ language, aloud: spoken, verdict });
  const [reviews, row] = Log.of(doc.reviews).insert([inRange(now), id, grade, whole(seconds, MOST.seconds), flags, whole(points, MOST.points)]);
  const said = spoken ? { ...doc.said, [id]: { ...before.said, [language]: Math.max(row[0], before.said?.[language] ?? 0) } } : doc.said;
  const step = { id, row, before, after: card, spoken: spoken ? language : null, earlier: historyOf(doc) };
  return derive(doc, { cards: including(doc.cards, id, card), reviews, said, deferred: without(doc.deferred, id) }, step);
}

/**
 * The record before the last answer or putting off, as often as there were any since the page was opened; without one,
 * the record itself. What another tab brought in meanwhile stays.
 * @param {Document} doc
 * @returns {Document}
 */
export function undo(doc) {
  const step = historyOf(doc);
  if (!step) return doc;
  const { id, row, before, after, spoken } = step;
  if (!row) { // put off, by plan.js
    const own = doc.deferred[id] === after;
    return derive(doc, own ? { deferred: withOrWithout(doc.deferred, id, before.deferred) } : {}, step.earlier);
  }
  const answeredElsewhere = JSON.stringify(doc.cards[id]) !== JSON.stringify(after);
  const said = spoken ? withOrWithout(doc.said, id, unsaid(doc.said[id], before.said, spoken)) : doc.said;
  const changes = answeredElsewhere ? {} : {
    cards: withOrWithout(doc.cards, id, before.card), deferred: withOrWithout(doc.deferred, id, before.deferred),
  };
  const undone = derive(doc, { ...changes, reviews: Log.of(doc.reviews).remove(row), said }, step.earlier);
  return undone;
}

/** What was said of one card, with one language as it was before. */
function unsaid(now = {}, before = {}, language) {
  const said = withOrWithout(now, language, before[language]);
  return Object.keys(said).length ? said : undefined;
}

/**
 * Earlier answers of one card, the newest first.
 * @param {Document} doc
 * @param {string} id
 * @returns {ReturnType<typeof readRow>[]}
 */
export function answersOf(doc, id) {
  const found = [], all = Object.hasOwn(doc.cards, id) ? doc.cards[id].reps : 0;
  if (all) for (const row of Log.of(doc.reviews).newest()) if (row[1] === id && found.push(readRow(row)) === all) break;
  return found;
}

/** Can `undo` take something back? */
export const canUndo = doc => historyOf(doc) !== null;

/**
 * The record with other settings; values that make no sense leave the old one. A path starts when it is chosen.
 * @param {Document} doc
 * @param {object} settings all of them or those that change
 * @param {number} now
 * @param {{cards: object[]}} [index] the bank: then a path keeps the questions it was chosen with
 * @returns {Document}
 */
export function settle(doc, settings, now, index) {
  const old = doc.settings, asked = { ...old, ...settings };
  const wish = (holds, field) => (holds ? asked[field] : old[field]);
  const next = {
    path: wish(asked.path === null || PATHS.some(one => one.id === asked.path), "path"),
    date: wish(asked.date === null || dayOf(asked.date) >= 0, "date"),
    minutes: Number.isFinite(asked.minutes) ? Math.min(Math.max(Math.round(asked.minutes), MINUTES.least), MINUTES.most) : old.minutes,
    language: wish(LANGUAGES.slice(1).includes(asked.language), "language"),
    role: wish(asked.role === null || (typeof asked.role === "string" && /^[a-z-]{1,40}$/.test(asked.role)), "role"),
    silent: wish(typeof asked.silent === "boolean", "silent"),
    at: old.at,
  };
  if (JSON.stringify(next) === JSON.stringify(cleanSettings(old))) return doc;
  const started = next.path === old.path ? doc.path
    : next.path && { id: next.path, started: inRange(now), ids: index ? questionsOf(index, next, next.path) : [] };
  return derive(doc, { settings: { ...next, at: Math.max(inRange(now), old.at) }, path: started });
}

/** When a card was last said aloud in a language, UTC ms, or null. */
export const said = (doc, id, language) => (Object.hasOwn(doc.said, id) ? doc.said[id][language] ?? null : null);

/** Cards answered more than two days ahead of the clock: then, or now, it was wrong. No zone and no journey is as far. */
const ahead = (doc, now) => Object.keys(doc.cards).filter(id => doc.cards[id].last > now + 2 * DAY);

/** How many cards wait for a time that a wrong clock set. @param {Document} doc @param {number} now */
export const aheadOfClock = (doc, now) => ahead(doc, now).length;

/**
 * Bring cards back that were answered under a clock far ahead: as if answered now, due after the same days. Only when
 * the reader asks for it, since the clock may be wrong now instead.
 * @param {Document} doc
 * @param {number} now
 * @returns {Document}
 */
export function mendClock(doc, now) {
  const cards = { ...doc.cards }, at = inRange(now);
  for (const id of ahead(doc, now)) {
    const card = cards[id];
    const days = Math.max(1, dayNumber(card.due) - dayNumber(card.last));
    cards[id] = { ...card, last: at, due: startAfter(dayNumber(at) + days, at) };
  }
  return derive(doc, { cards });
}
