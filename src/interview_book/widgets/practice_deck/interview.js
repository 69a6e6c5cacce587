/* What lies above FSRS: the date of an interview, and days a backlog was moved to. Neither touches a card's state. */

import { effectiveDue } from "./schedule.js";
import { dayNumber, dayOf, startOf } from "./study_days.js";

/**
 * The limits an interview sets, or null without a date and after it (a past date is ignored; `interviewOf` tells).
 * @param {{date: string | null}} settings
 * @param {number} now UTC ms
 * @returns {import("./schedule.js").Limits | null}
 */
export function limits(settings, now) {
  const day = dayOf(settings.date), left = day - dayNumber(now);
  return left >= 0 ? { date: settings.date, day, left, lastDay: left === 0 } : null;
}

/**
 * How the interview lies: null without a date.
 * @param {{date: string | null}} settings
 * @param {number} now UTC ms
 * @returns {{date: string, left: number, lastDay: boolean, past: boolean} | null} left: days, negative when past
 */
export function interviewOf(settings, now) {
  const left = dayOf(settings.date) - dayNumber(now);
  return Number.isNaN(left) ? null : { date: settings.date, left, lastDay: left === 0, past: left < 0 };
}

/**
 * When a card that was answered before is to be shown: FSRS, then the interview, then the day it was moved to (which
 * never lies after the interview).
 * @param {{cards: object, deferred: Record<string, string>}} doc
 * @param {string} id
 * @param {import("./schedule.js").Limits | null} limit
 * @param {number} now UTC ms
 * @returns {number} UTC ms
 */
export function dueOf(doc, id, limit, now) {
  const due = effectiveDue(doc.cards[id], limit, now);
  const moved = dayOf(doc.deferred[id]);
  return moved >= 0 ? Math.max(due, startOf(limit ? Math.min(moved, limit.day) : moved)) : due;
}
