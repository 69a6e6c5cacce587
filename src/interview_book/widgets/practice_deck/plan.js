/* What to do today, and no more than that. Pure: bank, record, settings and the time in, a plan out. */

import { dueOf, interviewOf, limits } from "./interview.js";
import { derive, historyOf } from "./lineage.js";
import { Log } from "./log.js";
import { allowed, byPriority, PATHS, questionsOf } from "./priority.js";
import { recall } from "./schedule.js";
import { dayNumber, dayOf, dayText, startOf } from "./study_days.js";

export { interviewOf, limits } from "./interview.js";
export { PATHS } from "./priority.js";

/** Days without an answer after which the reader is welcomed back. */
const ABSENCE = 3;
/** A backlog is spread over at most so many days. */
const HORIZON = 60;

const minutesOf = cards => Math.ceil(cards.reduce((sum, card) => sum + card.seconds, 0) / 60);

/** How often each card was answered on today's study day, and for how long. @returns {{times: Map<string, number>, took: Map<string, number>}} */
function answersToday(doc, now) {
  const from = startOf(dayNumber(now)), to = startOf(dayNumber(now) + 1);
  const times = new Map(), took = new Map();
  // From the newest on, so that a long record costs nothing.
  for (const [at, id, , seconds] of Log.of(doc.reviews).newest()) {
    if (at < from) break;
    if (at >= to) continue;
    times.set(id, (times.get(id) ?? 0) + 1);
    took.set(id, (took.get(id) ?? 0) + seconds);
  }
  return { times, took };
}

/** What a plan is made for, besides bank and record: with other conditions it is another plan. */
const madeFor = ({ minutes, path, silent, role, date }) => [minutes, path, silent, role, date].join(" ");

/** The plan that was begun today, as long as it is for these settings; else null. */
const begun = (doc, settings, now) =>
  (doc.plan?.day === dayText(dayNumber(now)) && doc.plan.of === madeFor(settings) ? doc.plan : null);

/** Was this card put off to a day after today? */
const away = (doc, id, now) => dayOf(doc.deferred[id]) > dayNumber(now);

/** Days since the last answer that lies not in the future, 0 without one. */
function absence(doc, now) {
  for (const [at] of Log.of(doc.reviews).newest()) if (at <= now) return dayNumber(now) - dayNumber(at);
  return 0;
}

const started = (doc, id) => Object.hasOwn(doc.cards, id) && doc.cards[id].reps > 0;

/** Cards to review now, the least certain first; equally certain ones by priority. */
function dueCards(index, doc, settings, now) {
  const limit = limits(settings, now), end = startOf(dayNumber(now) + 1);
  return byPriority(index, settings)
    .filter(card => allowed(card, settings) && started(doc, card.id) && dueOf(doc, card.id, limit, now) < end)
    .map(card => ({ card, certain: recall(doc.cards[card.id], now) }))
    .sort((a, b) => a.certain - b.certain).map(({ card }) => card);
}

/**
 * New cards in the order of their worth. A grading exercise shows what its explain's samples earn: it comes on a day
 * after that explain, except in silence, where it comes first and trains the eye.
 */
function newCards(index, doc, settings, now, times) {
  const before = id => started(doc, id) && doc.cards[id].reps > (times.get(id) ?? 0); // answered before today
  const ready = card => card.kind !== "grade" || settings.silent || before(card.of);
  const cards = byPriority(index, settings)
    .filter(card => allowed(card, settings) && !started(doc, card.id) && !away(doc, card.id, now) && ready(card));
  // What was put off until today comes first. A code card wants a notebook: on the very first day what else there is goes first.
  const beginner = !Object.keys(doc.cards).some(before);
  const place = card => (Object.hasOwn(doc.deferred, card.id) ? 0 : beginner && card.kind === "code" ? 2 : 1);
  return [0, 1, 2].flatMap(n => cards.filter(card => place(card) === n));
}

/** The ids of the chosen path: those it was chosen with, so that it keeps its end when the bank grows. */
function chosenPath(index, doc, settings, id = settings.path) {
  const known = new Set(index.cards.map(card => card.id));
  const kept = doc.path?.id === id ? doc.path.ids.filter(one => known.has(one)) : [];
  return kept.length ? kept : questionsOf(index, settings, id);
}

/** New cards of a path for today: what is open, spread over the days that are left. */
function pathShare(index, doc, settings, now, times) {
  const path = PATHS.find(one => one.id === settings.path);
  const ids = chosenPath(index, doc, settings);
  const today = ids.filter(id => times.has(id) && doc.cards[id]?.reps === times.get(id)).length; // first seen today
  const open = ids.filter(id => !started(doc, id)).length + today;
  const gone = doc.path?.id === path.id ? Math.max(0, dayNumber(now) - dayNumber(doc.path.started)) : 0;
  return { ids: new Set(ids), left: Math.ceil(open / Math.max(1, path.days - gone)) - today };
}

/**
 * Take cards in order while they fit. One that is longer than a whole day waits while there are shorter reviews; without
 * them it comes, alone. A new one waits for shorter new ones in the same way.
 */
function fitting(lists, budget, spent, untouched) {
  const head = lists.find(list => list.length) ?? [];
  if (untouched && head.every(card => card.seconds > budget)) return lists.map(list => list.slice(0, list === head ? 1 : 0));
  let left = budget - spent;
  return lists.map(list => list.filter(card => {
    const fits = card.seconds <= left;
    if (fits) left -= card.seconds;
    return fits;
  }));
}

/**
 * Today's cards. A plan that was begun today (`keepPlan`) stays: what was answered or put off leaves it, nothing is
 * added, so that its end does not move, whatever else is answered. Else as many cards as today's minutes hold, less
 * what was spent today: the seconds each card took, at most those it is expected to take. What was forgotten comes
 * back in its sitting; after that it is due on the next study day.
 * @param {{cards: object[]}} index
 * @param {object} doc
 * @param {object} settings of the document, or others to try
 * @param {number} now UTC ms
 * @returns {{ids: string[], due: number, fresh: number, minutes: number, finished: boolean,
 *   backlog: {count: number, minutes: number, returning: boolean} | null, interview: object | null}}
 *   ids: reviews, new cards, of both those to program last; minutes: of them all, rounded up; backlog: due as well, but too much for today; interview: see `interviewOf`. On the day of the interview only
 *   explains come, whose must points are read again.
 */
export function today(index, doc, settings, now) {
  const plan = planned(index, doc, settings, now);
  shown.set(doc, { index, settings, day: dayNumber(now), ids: plan.ids });
  return plan;
}

/** What was last shown for a document: the day begins with that, and need not be planned once more. */
const shown = new WeakMap();

function planned(index, doc, settings, now) {
  const { times, took } = answersToday(doc, now), interview = interviewOf(settings, now), kept = begun(doc, settings, now);
  const byId = new Map(index.cards.map(card => [card.id, card]));
  const spent = [...took].reduce((sum, [id, seconds]) => sum + Math.min(seconds, byId.get(id)?.seconds ?? 0), 0);
  let due = dueCards(index, doc, settings, now), fresh = kept ? [] : newCards(index, doc, settings, now, times);
  if (interview?.lastDay) {
    const known = index.cards.filter(card => card.kind === "explain" && started(doc, card.id));
    due = known.filter(card => !times.has(card.id)).sort((a, b) => recall(doc.cards[a.id], now) - recall(doc.cards[b.id], now));
    fresh = known.length ? [] : fresh.filter(card => card.kind === "explain");
  }
  if (!kept && PATHS.some(path => path.id === settings.path)) {
    const share = pathShare(index, doc, settings, now, times);
    fresh = fresh.filter(card => share.ids.has(card.id)).slice(0, Math.max(0, share.left));
  }
  const left = kept?.ids.filter(id => !times.has(id) && !away(doc, id, now)).map(id => byId.get(id)).filter(Boolean);
  const [reviews, first] = left ? [true, false].map(old => left.filter(card => started(doc, card.id) === old))
    : fitting([due, fresh], settings.minutes * 60, spent, !times.size);
  const both = [...reviews, ...first], coding = card => card.kind === "code";
  const cards = left ?? [...both.filter(card => !coding(card)), ...both.filter(coding)];
  const beyond = interview?.lastDay ? [] : due.filter(card => !reviews.includes(card));
  return {
    ids: cards.map(card => card.id), due: reviews.length, fresh: first.length,
    minutes: minutesOf(cards), finished: !cards.length, interview,
    backlog: beyond.length
      ? { count: beyond.length, minutes: minutesOf(beyond), returning: absence(doc, now) >= ABSENCE } : null,
  };
}

/**
 * Hold on to today's plan, before the first answer of the day is noted.
 * @returns {object} the document with `plan`, or the same document when it has today's
 */
export function keepPlan(doc, index, now) {
  if (begun(doc, doc.settings, now)) return doc;
  const last = shown.get(doc), same = last?.index === index && last.settings === doc.settings && last.day === dayNumber(now);
  const { ids } = same ? last : planned(index, doc, doc.settings, now);
  return derive(doc, { plan: { day: dayText(dayNumber(now)), of: madeFor(doc.settings), ids } });
}

/** Offer a card again on the next study day; FSRS's state stays. @returns {object} the document with another `deferred` */
export function putOff(doc, id, now) {
  const after = dayText(dayNumber(now) + 1);
  const step = { id, before: { deferred: doc.deferred[id] }, after, earlier: historyOf(doc) }; // for `undo`
  return derive(doc, { deferred: { ...doc.deferred, [id]: after } }, step);
}

/**
 * Move what is too much for today to the coming days, each filled to the minutes of a day, before the interview.
 * FSRS's states stay; `deferred` is a layer above them.
 * @returns {object} the document with another `deferred`, or the same document when nothing is too much
 */
export function spread(doc, index, settings, now) {
  const plan = today(index, doc, settings, now);
  if (!plan.backlog) return doc;
  const limit = limits(settings, now), day = dayNumber(now), shown = new Set(plan.ids);
  const last = limit ? Math.max(limit.day - 1, day + 1) : day + HORIZON;
  const load = new Map();
  const add = (when, card) => load.set(when, (load.get(when) ?? 0) + card.seconds);
  const moving = dueCards(index, doc, settings, now).filter(card => !shown.has(card.id));
  const moved = new Set(moving.map(card => card.id));
  for (const card of index.cards) {
    if (started(doc, card.id) && !moved.has(card.id)) add(dayNumber(dueOf(doc, card.id, limit, now)), card);
  }
  const days = Array.from({ length: last - day }, (_, i) => day + 1 + i);
  const of = when => load.get(when) ?? 0;
  const deferred = Object.fromEntries(Object.entries(doc.deferred).filter(([, text]) => text >= dayText(day)));
  for (const card of moving) {
    const room = days.find(when => !of(when) || of(when) + card.seconds <= settings.minutes * 60);
    const when = room ?? days.reduce((best, one) => (of(one) < of(best) ? one : best));
    add(when, card);
    deferred[card.id] = dayText(when);
  }
  return derive(doc, { deferred });
}

/**
 * Free practice: due ones first, then new ones, then the rest by when they come.
 * @param {{topic?, level?, kind?, frequency?, chapter?}} filters values or lists of them; none means all
 * @returns {string[]} ids, not limited by minutes
 */
export function queue(index, doc, settings, filters, now) {
  const asked = Object.entries(filters ?? {}).map(([field, value]) => [field, [value].flat()]).filter(([, values]) => values.some(Boolean));
  const cards = index.cards.filter(card => asked.every(([field, values]) => values.includes(card[field])));
  const part = { ...index, cards }, limit = limits(settings, now);
  const due = dueCards(part, doc, settings, now), seen = new Set(due);
  const all = byPriority(part, settings).filter(card => allowed(card, settings) && !seen.has(card));
  const later = all.filter(card => started(doc, card.id))
    .map(card => ({ card, due: dueOf(doc, card.id, limit, now) })).sort((a, b) => a.due - b.due).map(({ card }) => card);
  return [...due, ...all.filter(card => !started(doc, card.id)), ...later].map(card => card.id);
}

/**
 * The three paths. `done` counts questions answered at least once: what is finished stays finished, and a shorter
 * path counts for the longer ones.
 * @returns {{id: string, size: number, days: number, minutesADay: number, done: number, finished: boolean,
 *   fits: boolean}[]} size: what the bank really has; fits: today's minutes are enough to keep the pace
 */
export function paths(index, settings, doc) {
  const byId = new Map(index.cards.map(card => [card.id, card]));
  return PATHS.map(({ id, days }) => {
    const ids = chosenPath(index, doc, settings, id);
    const minutesADay = Math.ceil(minutesOf(ids.map(one => byId.get(one))) / days);
    const done = ids.filter(one => started(doc, one)).length;
    return { id, size: ids.length, days, minutesADay, done, finished: ids.length > 0 && done === ids.length, fits: minutesADay <= settings.minutes };
  });
}
