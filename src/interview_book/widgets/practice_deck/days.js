/* Study days as text, "YYYY-MM-DD": arithmetic in UTC, so that no change of the clocks can move a day. */

const DAY = 86_400_000;
const stamp = day => Date.UTC(...day.split("-").map((part, i) => Number(part) - (i === 1 ? 1 : 0)));

/** The day `n` days after `day`. @param {string} day @param {number} n */
export const plus = (day, n) => new Date(stamp(day) + n * DAY).toISOString().slice(0, 10);

/** Whole days from `a` to `b`. @param {string} a @param {string} b */
export const between = (a, b) => Math.round((stamp(b) - stamp(a)) / DAY);

/** Month 1–12, day of the month, and weekday 0–6 from Sunday. @param {string} day */
export function parts(day) {
  const [, month, date] = day.split("-").map(Number);
  return { month, date, weekday: new Date(stamp(day)).getUTCDay() };
}

/** Whether this is a day of the calendar as a date field writes it. @param {unknown} text */
export function isDay(text) {
  if (typeof text !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = stamp(text);
  return Number.isFinite(at) && new Date(at).toISOString().slice(0, 10) === text;
}
