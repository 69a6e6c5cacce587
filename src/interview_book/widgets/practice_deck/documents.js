/* The document as text: writing it, reading what came from anywhere, and older versions.
 *
 * In the text, reviews are blocks (see rows.js); everything else stands as it is in memory. */

import { faultOfCard, faultOfDay, faultOfPath, faultOfPlan, faultOfSaid, faultOfSettings, faultOfTable, isId, isPlain, isRow, isTime, shown } from "./faults.js";
import { Block, Log } from "./log.js";
import { unpack } from "./rows.js";
import { SCHEDULER } from "./schedule.js";
import { dayNumber, startAfter } from "./study_days.js";

/** Version of the document. A newer one is never read, and never overwritten. */
export const VERSION = 1;
/** What each older version needs to become the next: {1: document of version 1 → document of version 2}. None yet. */
export const MIGRATIONS = {};
const FORMAT = "interview-book-progress";
/** Longer texts are not read; 100,000 reviews take 2.5 million characters. */
export const LONGEST = 10_000_000;

/**
 * @typedef {{problem: "not-json" | "too-large" | "foreign" | "future" | "damaged", expected: string, got: string, at?: string}} Problem
 * not-json: no JSON, or cut off; foreign: somebody else's JSON; future: of a newer version; damaged: ours, with a fault
 */
const problem = (kind, expected, got, at) => ({ problem: kind, expected, got, ...(at ? { at } : {}) });

/** Lift a document to this version, step by step. @returns {object | Problem} */
export function migrate(value, migrations = MIGRATIONS, version = VERSION) {
  let doc = value;
  while (doc.version < version) {
    const step = migrations[doc.version];
    if (!step) return problem("foreign", `a version with a migration to ${version}`, shown(doc.version), "version");
    doc = { ...step(doc), version: doc.version + 1 };
  }
  return doc;
}

/** All reviews of a list of blocks, or of rows as they are in memory. @returns {Log | null} null: damaged */
function rowsOf(list) {
  if (!Array.isArray(list)) return null;
  const inMemory = list.length && typeof list[0]?.[0] === "number";
  if (inMemory) {
    const right = list.every((row, i) => Array.isArray(row) && row.length === 6 && isId(row[1]) && isRow(row, list[i - 1]));
    return right ? Log.of(list) : null;
  }
  const blocks = [];
  for (const one of list) {
    const { rows, complete } = unpack(one, isId, blocks.at(-1)?.rows.at(-1));
    if (!complete) return null;
    if (rows.length) blocks.push(new Block({ rows }));
  }
  return new Log(blocks);
}

const pick = (value, fields) => Object.fromEntries(fields.map(field => [field, value[field]]));
const CARD = ["due", "stability", "difficulty", "reps", "lapses", "state", "last"];
const SETTINGS = ["path", "date", "minutes", "language", "role", "silent", "at"];

/**
 * Only what we know of; nothing else that came along is kept. A card due before its last answer was, in a version that
 * did not look, answered east and then west on one study day: it is due on the next, as it should have been.
 */
export function cleanCard(card) {
  const one = pick(card, CARD);
  if (one.due < one.last) one.due = startAfter(dayNumber(one.last) + 1, one.last);
  return one;
}
export const cleanSettings = settings => pick(settings, SETTINGS);
export const cleanPath = path => path && pick(path, ["id", "started", "ids"]);
export const cleanPlan = plan => (plan ? pick(plan, ["day", "of", "ids"]) : null);
const clean = (table, one) => Object.fromEntries(Object.entries(table).map(([id, value]) => [id, one(value)]));

/**
 * Read a document from a text (a file, an import) or from parsed JSON.
 * @param {unknown} json
 * @returns {object | Problem} a document has no field `problem`
 */
export function check(json) {
  let value = json;
  if (typeof json === "string") {
    if (json.length > LONGEST) return problem("too-large", `at most ${LONGEST} characters`, `${json.length}`);
    try {
      value = JSON.parse(json);
    } catch {
      return problem("not-json", "the exported text, complete", shown(json));
    }
  }
  if (!isPlain(value)) return problem("foreign", "an exported record", shown(value));
  const { version, scheduler } = value;
  if (!Number.isInteger(version) || version < 1 || typeof scheduler !== "string" || !scheduler.startsWith("ts-fsrs "))
    return problem("foreign", "an exported record of this book", shown(version === undefined ? value : version), "version");
  if (version > VERSION) return problem("future", `version ${VERSION} or older`, shown(version), "version");
  const doc = migrate(value);
  if (doc.problem) return doc;
  if (doc.scheduler !== SCHEDULER) return problem("future", SCHEDULER, shown(scheduler), "scheduler");
  const wrong = (!isTime(doc.created) ? { at: "created", expected: "UTC milliseconds", got: shown(doc.created) } : null) ??
    faultOfSettings(doc.settings) ?? faultOfTable(doc.cards, "cards", faultOfCard) ?? faultOfTable(doc.said, "said", faultOfSaid) ??
    faultOfTable(doc.deferred, "deferred", faultOfDay) ?? faultOfPath(doc.path) ?? faultOfPlan(doc.plan);
  if (wrong) return problem("damaged", wrong.expected, wrong.got, wrong.at);
  const reviews = rowsOf(doc.reviews);
  if (!reviews) return problem("damaged", "blocks of reviews in the order of their time", shown(doc.reviews), "reviews");
  return {
    version: VERSION, scheduler: SCHEDULER, created: doc.created, settings: cleanSettings(doc.settings),
    cards: clean(doc.cards, cleanCard), reviews, said: clean(doc.said, said => ({ ...said })), deferred: { ...doc.deferred },
    path: cleanPath(doc.path), plan: cleanPlan(doc.plan),
  };
}

/**
 * The document as text; `check` gives it back exactly.
 * @param {object} doc
 * @param {object} more fields for whoever keeps the text; `check` ignores them
 */
export function exportText(doc, more = {}) {
  const { reviews, ...rest } = doc, { blocks } = Log.of(reviews);
  const head = JSON.stringify({ format: FORMAT, ...rest, ...more });
  // Blocks are text already: they are not written a second time.
  return `${head.slice(0, -1)},"reviews":[${blocks.map(block => block.text).join(",")}]}\n`;
}
