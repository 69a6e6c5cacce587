/* All reviews, in blocks of rows that never change. A block that was read from a text stays text until somebody wants
 * its rows: of 100,000 reviews a day needs a few hundred. */

import { isId } from "./faults.js";
import { compareRows, pack, placeOf, unionRows, unpack } from "./rows.js";

/** So many rows make a full block. */
export const BLOCK = 1000;

export class Block {
  #rows;
  #text;
  #damaged;

  constructor({ rows, text, count = rows.length, damaged = () => {} }) {
    this.count = count;
    this.#rows = rows;
    this.#text = text;
    this.#damaged = damaged;
  }

  /** @returns {any[][]} what can be read of them; when that is not all, whoever made the block is told */
  get rows() {
    if (!this.#rows) {
      const { rows, complete } = unpack(this.#text, isId);
      const told = complete && rows.length === this.count ? null : this.#text;
      [this.#rows, this.count] = [rows, rows.length];
      if (told !== null) {
        this.#text = undefined;
        this.#damaged(told);
      }
    }
    return this.#rows;
  }

  get text() { return (this.#text ??= pack(this.#rows)); }
}

const cut = rows => Array.from({ length: Math.ceil(rows.length / BLOCK) }, (_, i) => new Block({ rows: rows.slice(i * BLOCK, (i + 1) * BLOCK) }));

/** Reviews in the order of time. In JSON they are a list of rows. */
export class Log {
  /** @param {readonly Block[]} blocks none of them empty */
  constructor(blocks) {
    this.blocks = blocks;
  }

  /** @param {Log | any[][]} reviews */
  static of = reviews => (reviews instanceof Log ? reviews : new Log(cut(reviews)));

  get length() { return this.blocks.reduce((sum, block) => sum + block.count, 0); }

  *[Symbol.iterator]() {
    for (const block of this.blocks) yield* block.rows;
  }

  /** From the newest on; stop when it is enough. */
  *newest() {
    for (let i = this.blocks.length - 1; i >= 0; i--) {
      const { rows } = this.blocks[i];
      for (let k = rows.length - 1; k >= 0; k--) yield rows[k];
    }
  }

  /** Block by block: the deck asks at every card, over years of answers. */
  filter(test) { return this.blocks.flatMap(block => block.rows.filter(test)); }

  toJSON() { return [...this]; }

  /** The block a row belongs to, -1 when there is none. */
  #blockOf(row) {
    for (let i = this.blocks.length - 1; i > 0; i--) if (compareRows(this.blocks[i].rows[0] ?? row, row) <= 0) return i;
    return this.blocks.length ? 0 : -1;
  }

  /** With other rows in place of one block, or before it. */
  #with(i, rows, instead = 1) {
    return new Log([...this.blocks.slice(0, i), ...cut(rows), ...this.blocks.slice(i + instead)]);
  }

  /** With one more row, in its place; where its time and card are taken, a millisecond later. @returns {[Log, any[]]} */
  insert(row) {
    for (let one = row; ; one = [one[0] + 1, ...one.slice(1)]) {
      const i = this.#blockOf(one);
      if (i < 0) return [new Log(cut([one])), one];
      const { rows } = this.blocks[i], at = placeOf(rows, one);
      if (at < rows.length && compareRows(rows[at], one) === 0) continue;
      const full = rows.length >= BLOCK && at === rows.length; // a full block stays as it is
      return [full ? this.#with(i + 1, [one], 0) : this.#with(i, [...rows.slice(0, at), one, ...rows.slice(at)]), one];
    }
  }

  /** Without this row (the same time and card). */
  remove(row) {
    const i = this.#blockOf(row), rows = this.blocks[i]?.rows ?? [], at = placeOf(rows, row);
    if (at >= rows.length || compareRows(rows[at], row) !== 0) return this;
    return this.#with(i, [...rows.slice(0, at), ...rows.slice(at + 1)]);
  }
}

/** The rows of several blocks. */
const rowsOf = blocks => blocks.flatMap(block => block.rows);

/** The same rows, and usually the same blocks, which makes it quick. */
export function sameLogs(a, b) {
  if (a === b) return true;
  const [mine, theirs] = apart([a, b]).map(rowsOf);
  return mine.length === theirs.length && mine.every((row, i) => row === theirs[i] || row.every((value, k) => value === theirs[i][k]));
}

/** The blocks of each log after those that all begin with. @param {Log[]} logs @returns {Block[][]} */
function apart(logs) {
  let same = 0;
  while (logs.every(log => log.blocks[same] && log.blocks[same] === logs[0].blocks[same])) same++;
  return logs.map(log => log.blocks.slice(same));
}

/** All rows of both. @param {Log} a @param {Log} b @returns {Log} */
export function unionLogs(a, b) {
  const [mine, theirs] = apart([a, b]);
  if (!theirs.length) return a;
  if (!mine.length) return b;
  const begin = a.blocks.slice(0, a.blocks.length - mine.length);
  return new Log([...begin, ...cut(unionRows(rowsOf(mine), rowsOf(theirs)))]);
}

const key = row => `${row[0]} ${row[1]}`;

/**
 * Reviews of two that went on from `base`: what either added is in, what either took away is out.
 * @param {Log} base
 * @param {Log} mine
 * @param {Log} theirs
 * @returns {Log} `theirs` itself when nothing is to be changed in it
 */
export function reconcileLogs(base, mine, theirs) {
  const [ownRest, theirRest] = apart([mine, theirs]);
  const shared = theirs.blocks.length - theirRest.length, begin = theirs.blocks.slice(0, shared);
  const own = rowsOf(ownRest), other = rowsOf(theirRest);
  const old = new Set(rowsOf(base.blocks.filter(block => !begin.includes(block))).map(key));
  const inOwn = new Set(own.map(key)), inOther = new Set(other.map(key));
  const rows = unionRows(own, other).filter(row => !old.has(key(row)) || (inOwn.has(key(row)) && inOther.has(key(row))));
  return rows.length === other.length && rows.every((row, i) => key(row) === key(other[i])) ? theirs : new Log([...begin, ...cut(rows)]);
}
