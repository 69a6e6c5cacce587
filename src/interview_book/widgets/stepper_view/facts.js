/* What a sentence can say of a state, in the very strings that the tables show. */

import { amount, divisor, exact, lowered, nats, shown, vector, weight } from "./numbers.js";
import { named, role } from "./prose.js";

// Values of both sentences that are this close are the same: they come to the page with twelve digits.
const SAME = 1e-9;
const same = (a, b) => Math.abs(a - b) <= SAME * Math.max(Math.abs(a), Math.abs(b));
// Of sums, whose rounding is that of their terms.
const near = (a, b) => Math.abs(a - b) <= SAME * Math.max(1, Math.abs(a), Math.abs(b));
const alike = (a, b) => a.every((one, i) => near(one, b[i]));

/** Names of axes: of the embeddings (given or x₀ …), of Query and Key, of the Values. */
export function axesOf({ given, d_model, d_k, d_v }, words) {
  const letters = (name, size) => Array.from({ length: size }, (_, i) => ({ name, index: i, word: "" }));
  if (given.lesson) {
    const axes = words.axes.map((word, index) => ({ name: "c", index, word }));
    return { x: axes, k: axes, v: axes };
  }
  const x = letters("x", d_model).map((axis, i) => ({ ...axis, word: given.features?.[i] ?? "" }));
  return { x, k: letters("f", d_k), v: letters("v", d_v) };
}
/** An axis inside a sentence. */
export const axisName = ({ name, index, word }) => (word ? `「${word}」` : name + lowered(index));

/** The strongest Keys of Query i, and what is shown of the first. `all`: no Key is stronger than another. */
function strongest(view, i, tops) {
  const [j] = tops, { now, scaled, labels, n } = view;
  return {
    keys: tops.map(one => (one === i ? { self: true, name: named(labels[one]) } : { name: named(labels[one]) })), all: n > 1 && tops.length === n,
    raw: shown(now.S[i][j]), z: shown(scaled.Z[i][j]), now: weight(now.A[i][j]), scaled: weight(scaled.A[i][j]),
  };
}

/** Weights there and back between the Query and the Key that it sees most among the others. */
function exchange({ now, scaled, labels, n, state: { query: i } }) {
  const others = now.S[i].map((_, j) => j).filter(j => j !== i);
  if (n < 2) return undefined;
  const j = others.reduce((best, one) => (now.S[i][one] > now.S[i][best] ? one : best));
  const there = weight(now.A[i][j]), back = weight(now.A[j][i]);
  const how = same(now.A[i][j], now.A[j][i]) ? "same" : there === back ? "close" : "apart";
  return { name: named(labels[j]), there, back, how, scaledThere: weight(scaled.A[i][j]), scaledBack: weight(scaled.A[j][i]) };
}

/** Output coordinates worth a word: the two that the lesson is about, else the largest. */
function outputs(view, axes) {
  const { now, scaled, given, state: { query: i } } = view, o = now.output[i], scale = Math.max(...now.V.flat().map(Math.abs)) || 1;
  const order = o.map((_, f) => f);
  const chosen = given.lesson ? [0, 1] : order.sort((a, b) => Math.abs(o[b]) - Math.abs(o[a]) || a - b).slice(0, 2).sort((a, b) => a - b);
  return chosen.map(f => ({ axis: axisName(axes.v[f]), now: amount(o[f], scale), scaled: amount(scaled.output[i][f], scale), value: shown(now.V[i][f]) }));
}

export function facts(view, words) {
  const { state, now, scaled, labels, n, d_k, d_model, X, tops, scaledTops, lows, given } = view, { query: i, step, mode, computed } = state;
  const axes = axesOf(view, words), p = now.A[i], low = p[lows[0]], last = computed - 1;
  return {
    step, mode, n, d_k, d_model, lesson: given.lesson, root: divisor(d_k), name: named(labels[i]), query: role("q", named(labels[i])),
    embedding: X[i].map((one, f) => ({ axis: axisName(axes.x[f]), text: shown(one) })), x: vector(X[i]),
    Q: vector(now.Q[i]), K: vector(now.K[i]), V: vector(now.V[i]),
    best: strongest(view, i, tops[i]), scores: strongest(view, i, scaledTops[i]),
    low: { keys: lows.map(j => named(labels[j])), now: weight(low), exact: exact(low), z: shown(scaled.Z[i][lows[0]]), how: low === 0 ? "zero" : weight(low) === "0.00" ? "tiny" : "seen" },
    H: nats(now.entropy[i]), scaledH: nats(scaled.entropy[i]), even: nats(Math.log(n)), evenWeight: weight(1 / n),
    outputs: outputs(view, axes), computed, left: n - computed,
    last: computed > 0 && { name: named(labels[last]), ...strongest(view, last, tops[last]) }, exchange: exchange(view),
  };
}

/** The list of rows that differ from the other sentence's, as pairs of names. */
const differing = (here, there, lists) =>
  here.flatMap((label, i) => (lists.every(([ours, theirs]) => ours[i].every((one, f) => same(one, theirs[i][f]))) ? [] : [{ here: named(label), there: named(there[i]), row: i }]));

/** The two axes whose numbers have changed places, or null. */
function exchanged(here, there) {
  const other = here.flatMap((one, f) => (near(one, there[f]) ? [] : [f])), [f, g] = other;
  return other.length === 2 && near(here[f], there[g]) && near(here[g], there[f]) ? [f, g] : null;
}

/** What the other sentence does to the present step, found by comparing. */
export function differences(view, words) {
  const { state, now, other, X, tokens, n, labels } = view, { query: i, step } = state, there = other.now, axes = axesOf(view, words).v;
  const rows = step === 1 ? differing(labels, other.labels, [[X, other.X]]) : step === 2 ? differing(labels, other.labels, ["Q", "K", "V"].map(name => [now[name], there[name]])) : [];
  const field = step === 3 ? "S" : "A", write = step === 3 ? shown : weight;
  const cells = (step === 6 ? labels.map((_, q) => q) : [i]).flatMap(q => now[field][q].flatMap((one, j) =>
    same(one, there[field][q][j]) ? [] : [{ key: named(labels[j]), here: write(one), there: write(there[field][q][j]) }]));
  const swaps = (step === 6 ? labels.map((_, q) => q) : [i]).map(q => exchanged(now.output[q], there.output[q]));
  const swapped = swaps[0] && swaps.every(one => one && one[0] === swaps[0][0] && one[1] === swaps[0][1]) ? swaps[0].map(f => axisName(axes[f])) : null;
  const output = now.output[i].flatMap((one, f) => (near(one, there.output[i][f]) ? [] : [{ axis: axisName(axes[f]), here: amount(one), there: amount(there.output[i][f]) }]));
  const still = step === 6 && now.output.every((row, q) => alike(row, there.output[q]));
  return {
    step, n, title: other.tokens.join(" "), sentence: tokens.join(" "), query: role("q", named(labels[i])), name: named(labels[i]),
    rows, kept: !rows.some(one => one.row === i), cells, of: step === 6 ? n * n : n, swapped, output, still: still || (step !== 6 && !output.length),
  };
}

/** What the two ways of looking up give to the Query. */
export function lookups(view) {
  const { hard, soft, labels, n, now, state: { mode, query } } = view;
  return {
    query: role("q", named(labels[query])), chosen: named(labels[hard.chosen]), tied: hard.tied.map(j => named(labels[j])), tie: hard.tie, n, mode,
    // Whichever of them is chosen, the output is the same.
    level: hard.tied.every(j => alike(now.V[j], now.V[hard.chosen])),
    learns: soft.raw_gradient.some(row => row.some(one => Math.abs(one) > 1e-13)),
  };
}
