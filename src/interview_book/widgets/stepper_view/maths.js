/* The lesson's maths, for embeddings that a reader has edited. Matrices are arrays of rows; compared in the tests with
   vectors written by Python. */

// Scores that differ by less than this part of their terms are a tie: rounding of sums of up to sixteen products of
// sums of up to sixteen, 24 roundings of 2⁻⁵³ each, not a difference. stepper_data.py has the same.
const TIE = 5e-15;

export const MODES = ["scaled", "raw", "uniform"];

/** Multiplier of the raw scores: 1/√d_k, 1 or 0. */
export const betaOf = (mode, d_k) => ({ scaled: 1 / Math.sqrt(d_k), raw: 1, uniform: 0 })[mode];

const sum = list => list.reduce((total, one) => total + one, 0);
const dot = (a, b) => sum(a.map((one, i) => one * b[i]));
export const transpose = matrix => matrix[0].map((_, j) => matrix.map(row => row[j]));
const product = (a, b) => {
  const columns = transpose(b);
  return a.map(row => columns.map(column => dot(row, column)));
};

/** Weights of one row of scores: (n,) → (n,), positive, sum 1. Shifted by the maximum, so nothing overflows. */
export function softmax(z) {
  const most = Math.max(...z), e = z.map(one => Math.exp(one - most)), total = sum(e);
  return e.map(one => one / total);
}

/** Entropy in nats of softmax(z): log Σ exp(z) − Σ p z, which is exact where a weight underflows. */
export function entropy(z) {
  const most = Math.max(...z), below = z.map(one => one - most), p = softmax(z);
  return Math.log(sum(below.map(Math.exp))) - dot(p, below);
}

/** A sum without what is only the rounding of its terms: 0.1 + 0.2 − 0.3 is 0. */
const clean = (total, terms) => (Math.abs(total) <= TIE * sum(terms.map(Math.abs)) ? 0 : total);
/** The product of two matrices, as it is shown. */
export const cleaned = (a, b, found) => {
  const columns = transpose(b);
  return found.map((row, i) => row.map((one, j) => clean(one, a[i].map((left, k) => left * columns[j][k]))));
};

/** terms[i][j][f] = Q[i][f] K[j][f]: what adds up to the raw score of Query i and Key j. */
export const termsOf = (Q, K) => Q.map(q => K.map(k => q.map((one, f) => one * k[f])));
/** weighted[i][j][f] = A[i][j] V[j][f]: what token j hands to Query i. */
export const weightedOf = (A, V) => A.map(p => V.map((v, j) => v.map(one => p[j] * one)));

/**
 * Every step of attention of n tokens over themselves, by the names of the formulas.
 * @param {number[][]} X (n, d_model) @param {number[][]} W_q (d_model, d_k) @param {number[][]} W_k (d_model, d_k)
 * @param {number[][]} W_v (d_model, d_v) @param {number} beta multiplier of the raw scores
 */
export function steps(X, W_q, W_k, W_v, beta) {
  const Q = product(X, W_q), K = product(X, W_k), V = product(X, W_v), terms = termsOf(Q, K);
  const S = terms.map(row => row.map(sum)), Z = S.map(row => row.map(one => beta * one)), A = Z.map(softmax);
  return { Q, K, V, terms, S, Z, A, weighted: weightedOf(A, V), output: product(A, V), entropy: Z.map(entropy) };
}

/** Places of the highest score; `terms` (n, d_k) tell what is rounding. */
export function highest(s, terms) {
  const most = Math.max(...s), slack = TIE * Math.max(...terms.map(row => sum(row.map(Math.abs))));
  return s.flatMap((one, j) => (most - one <= slack ? [j] : []));
}

/**
 * Looking up softly: the output o = Σ p_j v_j, and the gradients it hands back. `score_gradient` (n, d_v):
 * ∂o/∂z_j = p_j (v_j − o), `raw_gradient`: beta times that, `value_gradient` (n,): ∂o_f/∂v_jf = p_j.
 */
export function soft(p, V, output, beta) {
  const slope = V.map((v, j) => v.map((one, f) => p[j] * (one - output[f])));
  return { weights: p, output, score_gradient: slope, raw_gradient: slope.map(row => row.map(one => beta * one)), value_gradient: p };
}

/**
 * Looking up by argmax of the raw scores: one Value, whole. At a tie the first is chosen. No score gets a gradient,
 * for a small change of one changes no choice (at a tie there is no derivative); the chosen Value gets 1.
 */
export function hard(s, terms, V) {
  const tied = highest(s, terms), [chosen] = tied, weights = s.map((_, j) => (j === chosen ? 1 : 0));
  const none = V.map(v => v.map(() => 0));
  return { chosen, tied, tie: tied.length > 1, weights, output: V[chosen], score_gradient: none, raw_gradient: none, value_gradient: weights };
}
