/* Comparing two expressions at random points: the twin of practice/comparing.py, with the same points to the last bit. */

import { exp, log, power } from "./elementary.js";

export const POINTS = 16, TOLERANCE = 1e-9;

/** `count` numbers in [0, 1) from a text: FNV-1a over its code points, then mulberry32. */
export function uniform(seed, count) {
  let state = 0x811c9dc5;
  for (const sign of seed) state = Math.imul(state ^ sign.codePointAt(0), 0x01000193);
  return Array.from({ length: count }, () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  });
}

/** Points in the ranges [{name, low, high}], each a Map of name → value. */
export function points(seed, ranges, count = POINTS) {
  const drawn = Array.from({ length: count }, () => new Map());
  for (const { name, low, high } of ranges) {
    uniform(`${seed}:${name}`, count).forEach((u, i) => {
      drawn[i].set(name, low > 0 ? exp(log(low) + u * (log(high) - log(low))) : low + u * (high - low));
    });
  }
  return drawn;
}

const STEP = new Map(Object.entries({
  neg: one => -one, sqrt: one => (one >= 0 ? Math.sqrt(one) : NaN), exp, log, "+": (one, two) => one + two,
  "-": (one, two) => one - two, "*": (one, two) => one * two, "/": (one, two) => (two ? one / two : NaN), "^": power,
}));

/** The value of a tree at a point; NaN where a step on the way has no real value or none below 1.8e308. */
export function evaluate(tree, point) {
  if (typeof tree === "number") return tree;
  if (typeof tree === "string") return point.get(tree);
  const [kind, ...parts] = tree, [one, two] = parts.map(part => evaluate(part, point));
  const value = Number.isNaN(one) || Number.isNaN(two) ? NaN : STEP.get(kind)(one, two);
  return Math.abs(value) < Infinity ? value : NaN;
}

export const values = (tree, at) => at.map(point => evaluate(tree, point));
export const defined = these => these.some(value => !Number.isNaN(value));

/** True when the values agree wherever one of the two has a value, and they have one somewhere. */
export function same(these, others) {
  const pairs = these.map((one, i) => [one, others[i]]).filter(pair => defined(pair));
  return pairs.length > 0
    && pairs.every(([one, two]) => Math.abs(one - two) <= TOLERANCE * Math.max(Math.abs(one), Math.abs(two)));
}
