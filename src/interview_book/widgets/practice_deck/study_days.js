/* Study days: they turn at 4 a.m. by the reader's clock. A day is counted as a whole number, so no DST can move it. */

/** Milliseconds of a day of 24 hours. */
export const DAY = 86_400_000;
const TURNS_AT = 4; // o'clock
/** The times we keep: from 1970 to 2200, in UTC milliseconds. A clock outside is as good as broken. */
export const LATEST = Date.UTC(2200, 0, 1);

/** The time, whole and inside what we keep. @param {number} ms */
export const inRange = ms => Math.min(Math.max(Math.floor(ms), 0), LATEST);

const dateOf = local => Date.UTC(local.getFullYear(), local.getMonth(), local.getDate()) / DAY;

/**
 * The study day of a moment, as days of the calendar since 1970-01-01.
 * @param {number} ms UTC milliseconds
 * @returns {number} whole days
 */
export function dayNumber(ms) {
  const local = new Date(ms), date = dateOf(local);
  if (local.getHours() >= TURNS_AT) return date;
  // The day before, unless the place left that day out (Samoa, 30 December 2011).
  const before = dateOf(new Date(local.getFullYear(), local.getMonth(), local.getDate() - 1, 12));
  return before < date ? before : date - 2;
}

/**
 * When a study day begins: 4 a.m. local time, or the next moment that exists where the clocks skip it.
 * @param {number} day whole days since 1970-01-01
 * @returns {number} UTC milliseconds
 */
export function startOf(day) {
  const date = new Date(day * DAY);
  return new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), TURNS_AT).getTime();
}

/** When a study day begins, but not before a moment: where the clocks or the zone were changed, it may begin earlier. */
export const startAfter = (day, ms) => Math.max(startOf(day), ms);

/** "YYYY-MM-DD" of a counted day. @param {number} day */
export const dayText = day => new Date(day * DAY).toISOString().slice(0, 10);

/** The counted day of "YYYY-MM-DD", or NaN when that is no day of the calendar. @param {unknown} text */
export function dayOf(text) {
  if (typeof text !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return NaN;
  const day = Date.parse(`${text}T00:00:00Z`) / DAY;
  return Number.isInteger(day) && dayText(day) === text ? day : NaN; // 02-30 is read as 03-01 by some
}

/** The study day of a moment as "YYYY-MM-DD". @param {number} ms UTC milliseconds */
export const studyDay = ms => dayText(dayNumber(ms));

/** When the study day of a moment began, in UTC milliseconds. @param {number} ms UTC milliseconds */
export const startOfStudyDay = ms => startOf(dayNumber(ms));
