/* The parts a record is kept in: blocks of reviews, shards of cards. Text out, content in, each part on its own. */

import { cleanCard } from "./documents.js";
import { faultOfCard, faultOfSaid, isId, isPlain } from "./faults.js";
import { compareCards } from "./merging.js";
import { unpack } from "./rows.js";

/** Cards are spread over so many shards by their ids. */
const SHARDS = 32;
const CARD = ["due", "stability", "difficulty", "reps", "lapses", "state", "last"];

/** @typedef {{rows: any[][], count: number}} Block @typedef {{cards: object, said: object, count: number}} Shard */

/** @returns {Block & {complete: boolean}} what can be read of the text */
export function readBlock(text) {
  const { rows, complete } = unpack(text, isId);
  return { rows, count: rows.length, complete };
}

/** @returns {Shard & {complete: boolean}} */
export function readShard(text) {
  const cards = {}, said = {};
  let table, complete = true;
  try {
    table = JSON.parse(text);
  } catch {
    return { cards, said, count: 0, complete: false };
  }
  if (!isPlain(table)) return { cards, said, count: 0, complete: false };
  for (const [id, entry] of Object.entries(table)) {
    const [values, spoken] = Array.isArray(entry) ? entry : [];
    const card = Array.isArray(values) ? Object.fromEntries(CARD.map((field, i) => [field, values[i]])) : null;
    const right = isId(id) && (values === 0 || (card && !faultOfCard(card))) && (spoken === undefined || !faultOfSaid(spoken));
    if (!right) {
      complete = false;
      continue;
    }
    if (card) cards[id] = cleanCard(card);
    if (spoken) said[id] = spoken;
  }
  return { cards, said, count: Object.keys(table).length, complete };
}

const places = new Map();

/** The shard of an id. */
function shardOf(id) {
  let place = places.get(id);
  if (place === undefined) {
    let hash = 2166136261; // FNV-1a
    for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 16777619);
    places.set(id, (place = (hash >>> 0) % SHARDS));
  }
  return place;
}

/** What was read from shard `n` stays there: on a slow machine the first grade would wait for all the hashes. */
export function remember(n, { cards, said }) {
  for (const id in cards) places.set(id, n);
  for (const id in said) places.set(id, n);
}

/** All shards of a document that hold something. @returns {Map<number, Shard>} */
export function shardsOf({ cards, said }) {
  const shards = new Map();
  const of = id => {
    const n = shardOf(id);
    if (!shards.has(n)) shards.set(n, { cards: {}, said: {}, count: 0 });
    return shards.get(n);
  };
  for (const [id, card] of Object.entries(cards)) {
    const shard = of(id);
    shard.cards[id] = card;
    shard.count += 1;
  }
  for (const [id, spoken] of Object.entries(said)) {
    const shard = of(id);
    shard.said[id] = spoken;
    if (!Object.hasOwn(shard.cards, id)) shard.count += 1;
  }
  return shards;
}

/** @param {Shard} shard */
export function shardText({ cards, said }) {
  const entries = [...new Set([...Object.keys(cards), ...Object.keys(said)])].map(id => {
    const values = Object.hasOwn(cards, id) ? CARD.map(field => cards[id][field]) : 0;
    return [id, Object.hasOwn(said, id) ? [values, said[id]] : [values]];
  });
  return JSON.stringify(Object.fromEntries(entries));
}

const sameSaid = (a, b) => a === b || JSON.stringify(a) === JSON.stringify(b);

/** @param {Shard} a @param {Shard} b */
export function sameShard(a, b) {
  if (a.count !== b.count) return false;
  for (const id in a.cards) if (a.cards[id] !== b.cards[id] && compareCards(a.cards[id], b.cards[id]) !== 0) return false;
  for (const id in a.said) if (!sameSaid(a.said[id], b.said[id])) return false;
  return Object.keys(a.cards).length === Object.keys(b.cards).length && Object.keys(a.said).length === Object.keys(b.said).length;
}
