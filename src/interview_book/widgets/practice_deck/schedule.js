/* When a card comes back: FSRS-6 by ts-fsrs on whole study days, and an interview date as a layer above it.
 *
 * What is ours, where ts-fsrs leaves it open:
 * - time passes in study days of the reader's clock (ts-fsrs alone counts days of UTC, which turn at 9 a.m. in Tokyo);
 * - «Again» is due on the next study day (the session brings it back before that);
 * - a second answer on the same study day is practice: it teaches the memory model nothing, except that the first
 *   «Again» of a day always counts as forgotten. So a card drilled ten times is not ten times as hard. */

import { fsrs, generatorParameters } from "ts-fsrs";

import { dayNumber, dayText, inRange, startAfter } from "./study_days.js";

export { startOfStudyDay, studyDay } from "./study_days.js";

/** Which scheduler the states belong to; stored with them. */
export const SCHEDULER = "ts-fsrs 5 FSRS-6";
export const GRADES = [1, 2, 3, 4];
/** `state` of a card: never graded, forgotten and known again on one day, known, forgotten at its last answer. */
export const NEW = 0, RECOVERED = 1, KNOWN = 2, FORGOTTEN = 3;
/** From so many days before an interview, recall is wanted at INTERVIEW_RETENTION instead of 0.9. */
export const CLOSE = 3;
const INTERVIEW_RETENTION = 0.95;

const common = { enable_fuzz: false, enable_short_term: false };
const memory = fsrs(generatorParameters(common));
const interview = fsrs(generatorParameters({ ...common, request_retention: INTERVIEW_RETENTION }));

/**
 * @typedef {object} Card plain JSON; times in UTC ms, stability in days, difficulty 1–10
 * @property {number} due begin of the study day it is due on (a new card: when it was made)
 * @property {number} stability days until recall falls to 90 %; 0 for a new card
 * @property {number} difficulty 0 for a new card
 * @property {number} reps answers so far
 * @property {number} lapses times forgotten
 * @property {0 | 1 | 2 | 3} state
 * @property {number | null} last when it was last answered
 *
 * @typedef {object} Limits an interview ahead
 * @property {string} date "YYYY-MM-DD"
 * @property {number} day the same as a counted day
 * @property {number} left days until then, 0 on the day itself
 * @property {boolean} lastDay left is 0
 */

/** A card nobody has answered yet. @param {number} now UTC ms @returns {Card} */
export const blankCard = now => ({ due: inRange(now), stability: 0, difficulty: 0, reps: 0, lapses: 0, state: NEW, last: null });

/** ts-fsrs reads days off UTC dates: a study day is handed over as the midnight of its own date. */
const asDate = day => new Date(`${dayText(day)}T00:00:00Z`);

/**
 * The card after an answer. The given card stays as it is.
 * @param {Card | undefined} card undefined: a new one
 * @param {1 | 2 | 3 | 4} grade again, hard, good, easy
 * @param {number} now UTC ms; before the last answer (a clock set back) it counts as the moment of that answer
 * @returns {Card}
 */
export function review(card, grade, now) {
  if (!GRADES.includes(grade)) throw new RangeError(`grade: expected 1, 2, 3 or 4, got ${grade}; 1 is «again», 4 is «easy»`);
  if (!Number.isFinite(now)) throw new RangeError(`now: expected UTC milliseconds, got ${now}`);
  const old = card ?? blankCard(now);
  const at = Math.max(inRange(now), old.last ?? 0);
  const today = dayNumber(at), last = old.reps ? dayNumber(old.last) : today;
  const days = Math.max(0, today - last);
  if (old.reps && days === 0 && (grade > 1 || old.state === FORGOTTEN || old.state === RECOVERED)) {
    const failed = old.state === FORGOTTEN || old.state === RECOVERED;
    const state = grade === 1 ? FORGOTTEN : failed ? RECOVERED : old.state;
    // Westwards the study day is the same for longer, and the day it was due on has begun where the reader was before.
    return { ...old, due: Math.max(old.due, startAfter(today + 1, at)), reps: old.reps + 1, state, last: at };
  }
  const { card: next } = memory.next({
    due: asDate(today), stability: old.stability, difficulty: old.difficulty, elapsed_days: 0, scheduled_days: 0,
    reps: old.reps, lapses: old.lapses, learning_steps: 0, state: old.reps ? 2 : 0,
    last_review: old.reps ? asDate(today - days) : undefined,
  }, asDate(today), grade);
  const interval = grade === 1 ? 1 : next.scheduled_days;
  return {
    due: startAfter(today + interval, at), stability: next.stability, difficulty: next.difficulty, reps: next.reps,
    lapses: next.lapses, state: grade === 1 ? FORGOTTEN : KNOWN, last: at,
  };
}

/**
 * When a card comes back while an interview is ahead: never after it, from three days before at the higher recall,
 * and at least a day after its last answer. The card itself, FSRS's own state, is not touched. What is shown on a
 * grade is what one gets: the result hangs on the card and the date, not on when one looks.
 * @param {Card} card
 * @param {Limits | null} limits null, or a date that is over: what FSRS says
 * @param {number} now UTC ms
 * @returns {number} UTC ms
 */
export function effectiveDue(card, limits, now) {
  if (!limits || !card.reps || limits.day < dayNumber(now)) return card.due;
  const own = dayNumber(card.due), last = dayNumber(card.last);
  const sharper = last + interview.next_interval(card.stability, 0);
  const wanted = Math.min(Math.max(sharper, limits.day - CLOSE), limits.day);
  return wanted < own ? startAfter(Math.max(wanted, last + 1), card.last) : card.due;
}

/**
 * What each grade would do, as the buttons show it.
 * @param {Card | undefined} card
 * @param {number} now UTC ms
 * @param {Limits | null} limits
 * @returns {{grade: number, days: number, due: number}[]} of grades 1 to 4; days from today's study day, due in UTC ms
 */
export function intervals(card, now, limits = null) {
  return GRADES.map(grade => {
    const next = review(card, grade, now);
    const due = effectiveDue(next, limits, now);
    return { grade, days: dayNumber(due) - dayNumber(next.last), due };
  });
}

/**
 * How probable it is that the card is still known, 0 to 1; 0 for a new card.
 * @param {Card} card
 * @param {number} now UTC ms
 */
export function recall(card, now) {
  return card.reps ? memory.forgetting_curve(Math.max(0, dayNumber(now) - dayNumber(card.last)), card.stability) : 0;
}
