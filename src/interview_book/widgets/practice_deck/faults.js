/* Is this piece of a document one of ours? Each function returns null, or what was expected and what was got. */

import { compareRows, LANGUAGES, MOST } from "./rows.js";
import { PATHS } from "./priority.js";
import { DAY, dayOf, LATEST } from "./study_days.js";

/** @typedef {{at: string, expected: string, got: string}} Fault */

const LONGEST_INTERVAL = 36_501; // days; ts-fsrs's cap and the turn of a day
const ID = /^[a-z0-9][a-z0-9._:-]{0,119}$/i;

/** What was found, short enough for a sentence. */
export function shown(value) {
  const text = value === undefined ? "nothing" : typeof value === "string" ? JSON.stringify(value) : typeof value === "object"
    ? (Array.isArray(value) ? `a list of ${value.length}` : value === null ? "null" : "an object") : String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

const fault = (at, expected, value) => ({ at, expected, got: shown(value) });

export const isPlain = value => typeof value === "object" && value !== null && !Array.isArray(value);
export const isWhole = (value, least, most) => Number.isInteger(value) && value >= least && value <= most;
export const isTime = value => isWhole(value, 0, LATEST);

/** An id of a card: no name that every object has, and no `__proto__`. */
export const isId = value => typeof value === "string" && ID.test(value) && !(value in Object.prototype);

const finite = (value, least, most) => typeof value === "number" && value >= least && value <= most;

/** @returns {Fault | null} */
export function faultOfCard(card, at = "card") {
  if (!isPlain(card)) return fault(at, "an object", card);
  const fresh = card.reps === 0;
  const fields = [
    ["due", isWhole(card.due, 0, LATEST + LONGEST_INTERVAL * DAY), "UTC milliseconds"],
    ["stability", fresh ? card.stability === 0 : finite(card.stability, 0.001, 36_500), "0.001 to 36500 days"],
    ["difficulty", fresh ? card.difficulty === 0 : finite(card.difficulty, 1, 10), "1 to 10"],
    ["reps", isWhole(card.reps, 0, 1e6), "a whole number"],
    ["lapses", isWhole(card.lapses, 0, 1e6), "a whole number"],
    ["state", isWhole(card.state, 0, 3), "0, 1, 2 or 3"],
    ["last", fresh ? card.last === null : isTime(card.last), "UTC milliseconds"],
  ];
  const wrong = fields.find(([, right]) => !right);
  return wrong ? fault(`${at}.${wrong[0]}`, wrong[2], card[wrong[0]]) : null; // due before `last`: cleanCard mends that
}

/** Whether a row, whose id was looked at, is one of ours and follows the one before it. */
export const isRow = (row, before) =>
  isTime(row[0]) && row[1] !== undefined && isWhole(row[2], 1, 4) && isWhole(row[3], 0, MOST.seconds) &&
  isWhole(row[4], 0, MOST.flags) && isWhole(row[5], 0, MOST.points) && (!before || compareRows(before, row) < 0);

/** @returns {Fault | null} */
export function faultOfSettings(settings, at = "settings") {
  if (!isPlain(settings)) return fault(at, "an object", settings);
  const { path, date, minutes, language, role, silent, at: changed } = settings;
  const fields = [
    ["path", path === null || PATHS.some(one => one.id === path), "a path or null"],
    ["date", date === null || dayOf(date) >= 0, "YYYY-MM-DD or null"],
    ["minutes", isWhole(minutes, 5, 240), "5 to 240 minutes"],
    ["language", LANGUAGES.slice(1).includes(language), "ja, zh-Hant or en"],
    ["role", role === null || (typeof role === "string" && /^[a-z-]{1,40}$/.test(role)), "a role or null"],
    ["silent", typeof silent === "boolean", "true or false"],
    ["at", isTime(changed), "UTC milliseconds"],
  ];
  const wrong = fields.find(([, right]) => !right);
  return wrong ? fault(`${at}.${wrong[0]}`, wrong[2], settings[wrong[0]]) : null;
}

/** What was said aloud: language → UTC ms. @returns {Fault | null} */
export function faultOfSaid(said, at = "said") {
  if (!isPlain(said)) return fault(at, "an object", said);
  for (const [language, when] of Object.entries(said)) {
    if (!LANGUAGES.slice(1).includes(language)) return fault(at, "ja, zh-Hant or en", language);
    if (!isTime(when)) return fault(`${at}.${language}`, "UTC milliseconds", when);
  }
  return null;
}

/** @returns {Fault | null} */
export function faultOfPath(path, at = "path") {
  if (path === null) return null;
  if (!isPlain(path)) return fault(at, "an object or null", path);
  if (!PATHS.some(one => one.id === path.id)) return fault(`${at}.id`, "a path", path.id);
  if (!isTime(path.started)) return fault(`${at}.started`, "UTC milliseconds", path.started);
  if (!Array.isArray(path.ids) || path.ids.length > 500) return fault(`${at}.ids`, "a list of at most 500", path.ids);
  const wrong = path.ids.findIndex(id => !isId(id));
  return wrong < 0 ? null : fault(`${at}.ids[${wrong}]`, "an id", path.ids[wrong]);
}

/** A plan of one day. Records from before there were any have none. @returns {Fault | null} */
export function faultOfPlan(plan, at = "plan") {
  if (plan === null || plan === undefined) return null;
  if (!isPlain(plan)) return fault(at, "an object or null", plan);
  const wrong = faultOfDay(plan.day, `${at}.day`);
  if (wrong) return wrong;
  if (typeof plan.of !== "string" || plan.of.length > 200) return fault(`${at}.of`, "a text of at most 200 characters", plan.of);
  if (!Array.isArray(plan.ids) || plan.ids.length > 1000) return fault(`${at}.ids`, "a list of at most 1000", plan.ids);
  const place = plan.ids.findIndex(id => !isId(id));
  return place < 0 ? null : fault(`${at}.ids[${place}]`, "an id", plan.ids[place]);
}

/**
 * A table by id.
 * @param {unknown} table
 * @param {string} at
 * @param {(value: unknown, at: string) => Fault | null} faultOf of one value
 * @returns {Fault | null}
 */
export function faultOfTable(table, at, faultOf) {
  if (!isPlain(table)) return fault(at, "an object", table);
  for (const [id, value] of Object.entries(table)) {
    if (!isId(id)) return fault(at, "ids of cards", id);
    const found = faultOf(value, `${at}.${id}`);
    if (found) return found;
  }
  return null;
}

/** A day a card was moved to. @returns {Fault | null} */
export const faultOfDay = (day, at) => (dayOf(day) >= 0 && dayOf(day) * DAY <= LATEST ? null : fault(at, "YYYY-MM-DD", day));
