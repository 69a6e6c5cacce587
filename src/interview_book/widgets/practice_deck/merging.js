/* Two records into one. `merge`: of two devices, in any order, as often as one likes, with the same result.
 * `reconcile`: of two tabs that went on from the same document, where what one took back stays taken back. */

import { carry } from "./lineage.js";
import { Log, reconcileLogs, sameLogs, unionLogs } from "./log.js";

const CARD = ["last", "reps", "lapses", "state", "due", "stability", "difficulty"];

/** Order of two states of one card: the one answered later, then the one answered more often, then by the rest. */
export function compareCards(a, b) {
  if (!a || !b) return (a ? 1 : 0) - (b ? 1 : 0);
  for (const field of CARD) if (a[field] !== b[field]) return (a[field] ?? -1) - (b[field] ?? -1);
  return 0;
}

const sameCard = (a, b) => a === b || compareCards(a, b) === 0;
const later = (a, b) => ((a ?? "") >= (b ?? "") ? a : b);

/** Of two values the one changed later; of equally late ones the larger text. */
function newest(a, b, when) {
  const order = (a ? a[when] : -1) - (b ? b[when] : -1);
  return order > 0 || (order === 0 && JSON.stringify(a) >= JSON.stringify(b)) ? a : b;
}

/** Of two plans that of the later day; of one day the larger text. */
function laterPlan(a, b) {
  if (!a || !b) return a ?? b;
  if (a.day !== b.day) return a.day > b.day ? a : b;
  return JSON.stringify(a) >= JSON.stringify(b) ? a : b;
}

const idsOf = (...tables) => [...new Set(tables.flatMap(table => Object.keys(table)))];

/** What was said aloud, by language: the later time. */
function joinSaid(a, b) {
  const said = {};
  for (const language of idsOf(a, b)) said[language] = Math.max(a[language] ?? 0, b[language] ?? 0);
  return said;
}

/**
 * One record of two. Commutative, associative, idempotent: every review of both; of each card the state of its later
 * answer, with the day that state was moved to.
 * @param {object} a
 * @param {object} b
 */
export function merge(a, b) {
  const cards = {}, said = {}, deferred = {};
  for (const id of idsOf(a.cards, b.cards, a.deferred, b.deferred)) {
    const order = compareCards(a.cards[id], b.cards[id]);
    const [from] = order >= 0 ? [a] : [b];
    if (from.cards[id]) cards[id] = from.cards[id];
    const day = order === 0 ? later(a.deferred[id], b.deferred[id]) : from.deferred[id];
    if (day) deferred[id] = day;
  }
  for (const id of idsOf(a.said, b.said)) said[id] = joinSaid(a.said[id] ?? {}, b.said[id] ?? {});
  return {
    version: a.version, scheduler: a.scheduler, created: Math.min(a.created, b.created),
    settings: newest(a.settings, b.settings, "at"), cards, reviews: unionLogs(Log.of(a.reviews), Log.of(b.reviews)), said, deferred,
    path: newest(a.path, b.path, "started"), plan: laterPlan(a.plan ?? null, b.plan ?? null),
  };
}

const same = (a, b) => a === b || JSON.stringify(a) === JSON.stringify(b);

/** Three states of one value: who changed it wins; where both did, `choose`. */
const pick = (base, mine, theirs, equal, choose, id) =>
  equal(mine, theirs) || equal(mine, base) ? theirs : equal(theirs, base) ? mine : choose(mine, theirs, id);

/** The same for each id of a table. */
function pickTable(base, mine, theirs, equal, choose) {
  const table = {};
  for (const id of idsOf(theirs, mine)) {
    const value = pick(base[id], mine[id], theirs[id], equal, choose, id);
    if (value !== undefined) table[id] = value;
  }
  return table;
}

/**
 * My document and theirs, which both went on from `base`.
 * @param {object | null} base null: not known; then nothing counts as taken back
 * @param {object} mine
 * @param {object} theirs
 * @returns {object} with what can be undone in mine
 */
export function reconcile(base, mine, theirs) {
  if (!base) return carry(mine, merge(mine, theirs));
  const mineIsLater = id => compareCards(mine.cards[id], theirs.cards[id]) >= 0;
  return carry(mine, {
    version: mine.version, scheduler: mine.scheduler, created: pick(base.created, mine.created, theirs.created, Object.is, Math.min),
    settings: pick(base.settings, mine.settings, theirs.settings, same, (a, b) => newest(a, b, "at")),
    cards: pickTable(base.cards, mine.cards, theirs.cards, sameCard, (a, b, id) => (mineIsLater(id) ? a : b)),
    reviews: reconcileLogs(...[base, mine, theirs].map(one => Log.of(one.reviews))),
    said: pickTable(base.said, mine.said, theirs.said, same, (a, b) => joinSaid(a ?? {}, b ?? {})),
    deferred: pickTable(base.deferred, mine.deferred, theirs.deferred, Object.is, (a, b, id) => (mineIsLater(id) ? a : b)),
    path: pick(base.path, mine.path, theirs.path, same, (a, b) => newest(a, b, "started")),
    plan: pick(base.plan ?? null, mine.plan ?? null, theirs.plan ?? null, same, laterPlan),
  });
}

/** Whether two documents hold the same. */
export function sameDocument(a, b) {
  if (a === b) return true;
  const equal = (x, y, eq) => idsOf(x, y).every(id => eq(x[id], y[id]));
  return a.created === b.created && same(a.settings, b.settings) && same(a.path, b.path) && same(a.plan ?? null, b.plan ?? null) &&
    sameLogs(Log.of(a.reviews), Log.of(b.reviews)) &&
    equal(a.cards, b.cards, sameCard) && equal(a.said, b.said, same) && equal(a.deferred, b.deferred, Object.is);
}
