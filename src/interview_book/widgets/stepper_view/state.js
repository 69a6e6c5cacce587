/* What the widget is told, checked, and everything that one state shows. */

import { MODES, betaOf, cleaned, hard, highest, soft, steps, termsOf, transpose, weightedOf } from "./maths.js";
import { lowered } from "./numbers.js";

export const NAMES = ["sentence", "mode", "query", "step", "computed", "X"];
export const STEPS = 6;
/** No entry of an embedding is larger; stepper_inputs.py allows the same. */
export const LARGEST = 1000;

const table = (one, rows, columns) =>
  Array.isArray(one) && one.length === rows && one.every(row => Array.isArray(row) && row.length === columns && row.every(Number.isFinite));
const sized = one => Array.isArray(one) && one.length > 0 && Array.isArray(one[0]) && one[0].length > 0 && table(one, one.length, one[0].length);
const whole = (one, from, to) => Number.isInteger(one) && one >= from && one <= to;

/** Whether there is a value for every state, so that none is shown beside the controls of another. */
function complete(given) {
  const { X, W_q, W_k, W_v, sentences, values, features } = given ?? {};
  if (![X, W_q, W_k, W_v].every(sized) || !Array.isArray(sentences) || !sentences.length) return false;
  const [d_model, d_k, d_v] = [W_q.length, W_q[0].length, W_v[0].length];
  if (X[0].length !== d_model || W_v.length !== d_model || !table(W_k, d_model, d_k)) return false;
  if (features !== null && !(Array.isArray(features) && features.length === d_model && features.every(one => typeof one === "string"))) return false;
  return sentences.every(({ name, tokens, rows }) => {
    const n = tokens?.length, of = values?.[name];
    return n > 0 && tokens.every(one => typeof one === "string") && rows?.length === n && rows.every(row => whole(row, 0, X.length - 1))
      && table(of?.Q, n, d_k) && table(of.K, n, d_k) && table(of.V, n, d_v) && table(of.S, n, n)
      && MODES.every(mode => {
        const { Z, A, output, entropy } = of.modes?.[mode] ?? {};
        return table(Z, n, n) && table(A, n, n) && table(output, n, d_v) && table([entropy], 1, n);
      });
  });
}

const sentenceOf = (given, name) => given.sentences.find(one => one.name === name);

/**
 * The state of a model and what is given with it.
 * @throws {TypeError} so that the page keeps the tables that stand here without us
 */
export function read(model) {
  const given = model.get("given");
  if (!complete(given)) throw new TypeError("stepper: expected the data of stepper_data.py; run the cell again");
  const state = Object.fromEntries(NAMES.map(name => [name, model.get(name)])), of = sentenceOf(given, state.sentence);
  const wrong = [];
  const want = (name, good, expected) => good || wrong.push(`${name}: expected ${expected}, got ${JSON.stringify(state[name])}`);
  want("sentence", of, `one of ${given.sentences.map(one => one.name).join(", ")}`);
  want("mode", MODES.includes(state.mode), `one of ${MODES.join(", ")}`);
  const n = of?.tokens.length ?? 1;
  want("query", whole(state.query, 0, n - 1), `0 to ${n - 1}`);
  want("step", whole(state.step, 1, STEPS), `1 to ${STEPS}`);
  want("computed", whole(state.computed, 0, n), `0 to ${n}`);
  want("X", table(state.X, given.X.length, given.X[0].length), `a matrix of shape ${given.X.length}×${given.X[0].length}`);
  if (wrong.length) throw new TypeError(`stepper: ${wrong.join("; ")}`);
  return { state, given };
}

/** Whether the table of embeddings is another than the one that was given; a new array every time it is edited. */
export const isEdited = (X, given) => X !== given.X && X.some((row, i) => row.some((one, j) => one !== given.X[i][j]));

/** A token as it can be seen: spaces at its ends get a sign, what is long is cut, and one of several that look alike gets its place. */
export function labels(tokens) {
  return tokens.map((token, i) => {
    const seen = [...token.replace(/^\s+|\s+$/g, space => "␣".repeat(space.length))];
    const cut = seen.length > 16 ? `${seen.slice(0, 15).join("")}…` : seen.join("");
    return tokens.indexOf(token) === tokens.lastIndexOf(token) ? cut : cut + lowered(i + 1);
  }).map((one, i, all) => (all.indexOf(one) === all.lastIndexOf(one) ? one : one + lowered(i + 1)));
}

// A move asks for the values of up to four sentences and modes; few moves change the embeddings.
const known = new WeakMap();
function kept(given, X, sentence, mode, edited) {
  if (!known.has(given)) known.set(given, new WeakMap());
  const ofGiven = known.get(given);
  if (!ofGiven.has(X)) ofGiven.set(X, new Map());
  const ofX = ofGiven.get(X), key = `${mode} ${sentence}`;
  if (!ofX.has(key)) ofX.set(key, valuesOf(given, X, sentence, mode, edited));
  return ofX.get(key);
}

function valuesOf(given, X, sentence, mode, edited) {
  const { rows } = sentenceOf(given, sentence), { W_q, W_k, W_v } = given;
  const { modes, ...whole } = given.values[sentence], x = rows.map(row => X[row]), beta = betaOf(mode, W_q[0].length);
  const found = edited ? steps(x, W_q, W_k, W_v, beta) : { ...whole, ...modes[mode] };
  const Q = cleaned(x, W_q, found.Q), K = cleaned(x, W_k, found.K), V = cleaned(x, W_v, found.V);
  const S = cleaned(Q, transpose(K), found.S), Z = found.Z.map((row, i) => row.map((one, j) => (S[i][j] === 0 ? 0 : one)));
  return { ...found, Q, K, V, S, Z, terms: termsOf(Q, K), weighted: weightedOf(found.A, V) };
}

/** Everything that is shown of one state; `other` is the same of the other sentence, where there is one. */
export function current(state, given, alone = false) {
  const { sentence, mode, query, X } = state, { W_q, W_v } = given, edited = isEdited(X, given);
  const { tokens, rows } = sentenceOf(given, sentence), n = tokens.length, d_k = W_q[0].length, beta = betaOf(mode, d_k);
  const now = kept(given, X, sentence, mode, edited), scaled = kept(given, X, sentence, "scaled", edited);
  const another = alone ? undefined : given.sentences.find(one => one.name !== sentence && one.tokens.length === n);
  const scaledTops = now.S.map((s, i) => highest(s, now.terms[i])), tops = mode === "uniform" ? now.S.map(s => s.map((_, j) => j)) : scaledTops;
  const softly = (one, by) => soft(one.A[query], one.V, one.output[query], by);
  return {
    state, given, edited, tokens, rows, labels: labels(tokens), n, d_k, d_model: W_q.length, d_v: W_v[0].length, beta, now, scaled,
    X: rows.map(row => X[row]),
    // Of each Query, the Keys with the largest weight. Where none is larger than another, none is framed.
    tops, scaledTops, framed: tops.map(keys => (n > 1 && keys.length === n ? [] : keys)),
    lows: highest(now.S[query].map(one => -one), now.terms[query]),
    hard: hard(now.S[query], now.terms[query], now.V), soft: softly(now, beta), softScaled: softly(scaled, betaOf("scaled", d_k)),
    // Computed when it is asked for.
    get other() {
      return another && current({ ...state, sentence: another.name }, given, true);
    },
  };
}
