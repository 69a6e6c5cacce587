/* Values that cannot be read are set aside, never erased; and what to do when the head is lost. */

import { compareCards } from "./merging.js";
import { readBlock, readShard } from "./parts.js";
import { empty } from "./progress.js";
import { Log, unionLogs } from "./log.js";
import { readRow } from "./rows.js";
import { review } from "./schedule.js";

/** So many values are set aside; after that, whoever writes nonsense there is not helped by more copies. */
const MOST = 20;

/** Keys that begin with `prefix`. @param {Storage} area @returns {string[]} */
export function keysOf(area, prefix) {
  return Array.from({ length: area.length }, (_, i) => area.key(i)).filter(key => key?.startsWith(prefix));
}

/**
 * Keep a value under a backup key.
 * @param {Storage} area
 * @param {string} prefix
 * @param {string} name of the key it was found under, without prefix
 * @param {string} raw
 * @param {number} now UTC ms
 * @returns {string} the backup's key
 * @throws when the area cannot take it, or holds too many already
 */
export function setAside(area, prefix, name, raw, now) {
  const kept = keysOf(area, `${prefix}kept:`), known = kept.find(key => area.getItem(key) === raw);
  if (known) return known;
  if (kept.length >= MOST) throw new Error(`expected at most ${MOST} values set aside under ${prefix}kept:, found ${kept.length}; export what you need and delete them`);
  const first = `${prefix}kept:${now.toString(36)}:${name}`;
  let key = first;
  for (let n = 2; area.getItem(key) !== null; n++) key = `${first}:${n}`;
  area.setItem(key, raw);
  return key;
}

/**
 * Cards that are missing, made again from their reviews, and what was said aloud.
 * @param {object} cards by id; filled
 * @param {object} said by id; filled
 * @param {Log} reviews
 */
export function replay(cards, said, reviews) {
  const lost = new Set();
  for (const [, id] of reviews) if (!Object.hasOwn(cards, id)) lost.add(id);
  if (!lost.size) return;
  for (const row of reviews) {
    const { id, at, grade, aloud, language } = readRow(row);
    if (!lost.has(id)) continue;
    cards[id] = review(cards[id], grade, at);
    if (aloud && language) said[id] = { ...said[id], [language]: at };
  }
}

/**
 * The record that parts without a head make up: all reviews, of each card its latest state. Settings are lost.
 * @param {string[][][]} parts [key, text] of blocks and of shards
 * @param {number} now UTC ms
 * @returns {{doc: object | null, broken: string[][]}} null when there is nothing to read; those not read to their end
 */
export function recovered([blocks, shards], now) {
  const doc = empty(now), broken = [];
  const read = (reader, [key, text]) => {
    const part = reader(text);
    if (!part.complete) broken.push([key, text]);
    return part;
  };
  for (const one of blocks) doc.reviews = unionLogs(doc.reviews, Log.of(read(readBlock, one).rows));
  for (const one of shards) {
    const { cards, said } = read(readShard, one);
    for (const id in cards) if (compareCards(cards[id], doc.cards[id]) > 0) doc.cards[id] = cards[id];
    for (const id in said) doc.said[id] = { ...said[id], ...doc.said[id] };
  }
  replay(doc.cards, doc.said, doc.reviews);
  for (const [at] of doc.reviews) {
    doc.created = Math.min(doc.created, at);
    break;
  }
  const some = doc.reviews.length || Object.keys(doc.cards).length || Object.keys(doc.said).length;
  return { doc: some ? doc : null, broken };
}
