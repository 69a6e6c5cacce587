/* The engine's modules in one bundle, so that they share what they remember, and what stands in for a browser. */

export * as area from "../../src/interview_book/widgets/practice_deck/area.js";
export * as days from "../../src/interview_book/widgets/practice_deck/study_days.js";
export * as documents from "../../src/interview_book/widgets/practice_deck/documents.js";
export * as interview from "../../src/interview_book/widgets/practice_deck/interview.js";
export * as log from "../../src/interview_book/widgets/practice_deck/log.js";
export * as merging from "../../src/interview_book/widgets/practice_deck/merging.js";
export * as plan from "../../src/interview_book/widgets/practice_deck/plan.js";
export * as priority from "../../src/interview_book/widgets/practice_deck/priority.js";
export * as progress from "../../src/interview_book/widgets/practice_deck/progress.js";
export * as rows from "../../src/interview_book/widgets/practice_deck/rows.js";
export * as schedule from "../../src/interview_book/widgets/practice_deck/schedule.js";
export * as store from "../../src/interview_book/widgets/practice_deck/store.js";

import * as progress from "../../src/interview_book/widgets/practice_deck/progress.js";

export const DAY = 86_400_000;
/** Noon of a Tuesday, UTC. */
export const NOON = Date.UTC(2026, 5, 2, 12);

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const pick = (draw, list) => list[Math.floor(draw() * list.length)];

/** Plain and deep, keys in order: two values are equal when these are. */
export const plain = value => JSON.stringify(value, (_, one) =>
  one && typeof one === "object" && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one);

/** A bank: cards of these kinds, `more` for each by its place. */
export function bank(kinds, more = () => ({})) {
  const seconds = { explain: 300, choice: 20, number: 75, expression: 120, grade: 60, code: 1200, diagnose: 240 };
  const cards = kinds.map((kind, i) => ({
    id: `q.${kind}-${i}`, kind, level: "core", frequency: "common", chapter: "one", topic: "t", roles: ["research"], seconds: seconds[kind],
    href: "one.html#a", ...more(i, kind),
  }));
  return { version: 1, language: "ja", digest: "x", chapters: { one: { title: "One", href: "one.html" } }, topics: { t: "T" }, cards };
}

/** Answers in a row: [[id, grade, ms], …]. */
export const answered = (doc, list) => list.reduce((all, [id, grade, now, more]) => progress.record(all, { id, grade, now, ...more }), doc);

/** A record with a life of its own. */
export function someRecord(seed, { start = NOON, answers = 40, ids = 12 } = {}) {
  const draw = random(seed);
  let doc = progress.empty(start), now = start;
  for (let i = 0; i < answers; i++) {
    now += Math.floor(draw() * 2 * DAY);
    const language = pick(draw, ["ja", "zh-Hant", "en", undefined]);
    doc = progress.record(doc, {
      id: `q.one-${Math.floor(draw() * ids)}`, grade: 1 + Math.floor(draw() * 4), now, seconds: Math.floor(draw() * 400), language, aloud: draw() < 0.5,
      verdict: pick(draw, ["strong", "acceptable", "weak", "right", "wrong", "seen", undefined]), points: Math.floor(draw() * 12),
    });
    if (draw() < 0.1) doc = progress.settle(doc, { minutes: 5 + Math.floor(draw() * 90), path: pick(draw, ["tonight", "week", null]) }, now);
    if (draw() < 0.1) doc = { ...doc, deferred: { ...doc.deferred, [`q.one-${Math.floor(draw() * ids)}`]: `2026-0${1 + Math.floor(draw() * 9)}-11` } };
  }
  return doc;
}

/** localStorage as browsers have it, with ways to fail; `log` holds what was done, `quota` how much fits. */
export class Area {
  constructor({ quota = Infinity } = {}) {
    Object.assign(this, { map: new Map(), log: [], quota, failAt: Infinity, sets: 0, denied: false });
  }
  get size() { return [...this.map].reduce((sum, [key, value]) => sum + key.length + value.length, 0); }
  get length() { return (this.may(), this.map.size); }
  may() {
    if (this.denied) throw new DOMException("Access is denied for this document.", "SecurityError");
  }
  key(i) { return (this.may(), [...this.map.keys()][i] ?? null); }
  getItem(key) { return (this.may(), this.map.get(key) ?? null); }
  setItem(key, value) {
    this.may();
    const text = String(value), more = text.length - (this.map.get(key)?.length ?? -key.length);
    if (++this.sets >= this.failAt || this.size + more > this.quota) throw new DOMException("exceeded the quota", "QuotaExceededError");
    this.log.push(["set", key]);
    this.map.set(key, text);
  }
  removeItem(key) {
    this.may();
    this.log.push(["remove", key]);
    this.map.delete(key);
  }
  clear() { throw new Error("nobody may call clear()"); }
  copy() {
    const other = new Area();
    other.map = new Map(this.map);
    return other;
  }
}

/** Tabs of one origin: each has a `target`; what one sets, the others hear of with `deliver()`, or never. */
export class Tabs {
  constructor(area = new Area()) {
    Object.assign(this, { area, targets: [], now: NOON });
  }
  open(store, name, options = {}) {
    const target = new EventTarget();
    this.targets.push(target);
    const tab = store.openStore({ area: this.area, now: () => this.now, target, name, ...options });
    tab.hear = (key = "interview-book:v1:deck:head") => target.dispatchEvent(Object.assign(new Event("storage"), { key, storageArea: this.area }));
    return tab;
  }
}

/** An anywidget model; `python` is what the other side would do with a change. */
export class Model {
  constructor(values = {}, python = () => {}) {
    Object.assign(this, { values: { progress: "", foreign: "", file: { state: "ok", saved: 0, notices: [] }, ...values }, heard: {}, sent: [], saves: 0, python });
  }
  get(name) { return this.values[name]; }
  set(name, value) {
    if (this.values[name] === value) return;
    this.values[name] = value;
    for (const act of this.heard[`change:${name}`] ?? []) act();
  }
  on(event, act) { (this.heard[event] ??= []).push(act); }
  off(event, act) { this.heard[event] = (this.heard[event] ?? []).filter(one => one !== act); }
  save_changes() { this.saves += 1; this.python(this); }
  send(message) { this.sent.push(message); }
}
