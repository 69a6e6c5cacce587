/* The record as pictures need it: by topic, the days ahead, the days behind. */

import { dueOf, limits } from "./interview.js";
import { Log } from "./log.js";
import { dayNumber, dayText, startOf } from "./study_days.js";

/** A question counts as learnt from so many days of stability on, unless its last answer was «again». */
const LEARNT = 7;

/**
 * By topic, in the order of the bank: questions learnt, started, all. Grading exercises are not counted.
 * @returns {{topic: string, total: number, learnt: number, started: number}[]} learnt ⊂ started ⊂ total
 */
export function mastery(doc, index) {
  const topics = new Map(Object.keys(index.topics).map(topic => [topic, { topic, total: 0, learnt: 0, started: 0 }]));
  for (const { id, topic, kind } of index.cards) {
    if (kind === "grade") continue;
    if (!topics.has(topic)) topics.set(topic, { topic, total: 0, learnt: 0, started: 0 });
    const one = topics.get(topic), card = doc.cards[id];
    one.total += 1;
    if (!card?.reps) continue;
    one.started += 1;
    if (card.state === 2 && card.stability >= LEARNT) one.learnt += 1;
  }
  return [...topics.values()].filter(one => one.total);
}

/**
 * What comes back when, if nothing new is learnt: today with all that is due, then the days after it. An interview
 * and a backlog that was moved count.
 * @returns {{day: string, count: number, minutes: number}[]} of `days` days
 */
export function forecast(doc, index, now, days = 14) {
  const today = dayNumber(now), limit = limits(doc.settings, now);
  const list = Array.from({ length: days }, (_, i) => ({ day: dayText(today + i), end: startOf(today + i + 1), count: 0, seconds: 0 }));
  for (const { id, seconds } of index.cards) {
    if (!doc.cards[id]?.reps) continue;
    const due = dueOf(doc, id, limit, now), one = list.find(({ end }) => due < end);
    if (one) (one.count += 1, one.seconds += seconds);
  }
  return list.map(({ day, count, seconds }) => ({ day, count, minutes: Math.ceil(seconds / 60) }));
}

/**
 * What was done: the last `days` study days, today the last.
 * @returns {{day: string, count: number, minutes: number, right: number}[]} answers, minutes they took, answers that
 *   were not «again»
 */
export function history(doc, index, days, now) {
  const today = dayNumber(now), end = startOf(today + 1);
  const list = Array.from({ length: days }, (_, i) => ({ day: dayText(today - i), from: startOf(today - i), count: 0, seconds: 0, right: 0 }));
  let i = 0;
  for (const [at, , grade, seconds] of Log.of(doc.reviews).newest()) {
    if (at >= end) continue; // ahead of today: a clock that was wrong
    while (i < days && at < list[i].from) i++;
    if (i === days) break;
    list[i].count += 1;
    list[i].seconds += seconds;
    if (grade > 1) list[i].right += 1;
  }
  return list.reverse().map(({ day, count, seconds, right }) => ({ day, count, minutes: Math.round(seconds / 6) / 10, right }));
}
