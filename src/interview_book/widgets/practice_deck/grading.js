/* From ticked points to a verdict, by the rules of practice/grading.py, and from a verdict to a proposed grade. */

/** Seconds of a short and of a long answer. */
export const SLOTS = [30, 120];
export const AGAIN = 1, HARD = 2, GOOD = 3;

/** Sum of the weights of the rubric. */
export const total = record => record.rubric.reduce((sum, point) => sum + point.weight, 0);

/** Weight of the ticked points; each counts once. */
export function points(record, ticked) {
  const said = new Set(ticked);
  const unknown = [...said].filter(id => !record.rubric.some(point => point.id === id));
  if (unknown.length) throw new RangeError(`expected points of the rubric, got ${unknown.join(", ")}; tick one of them`);
  return record.rubric.reduce((sum, point) => sum + (said.has(point.id) ? point.weight : 0), 0);
}

/**
 * Judge an `explain` by its rubric: a missing must or a fatal statement is weak, at least 80 % in time is strong.
 * @param {object} record with `rubric` [{id, weight, must}] and `fatal`
 * @param {Iterable<string>} ticked ids of the points that were said
 * @param {Iterable<number>} fatal numbers (from 0) of the fatal statements that were said
 * @param {number | null} seconds length of the spoken answer, null where it was not timed
 * @param {number} slot 30 or 120
 */
export function verdict(record, ticked, fatal = [], seconds = null, slot = 120) {
  const said = [...new Set(fatal)].sort((a, b) => a - b), got = points(record, ticked), of = total(record);
  if (said.some(n => !(Number.isInteger(n) && n >= 0 && n < record.fatal.length)))
    throw new RangeError(`expected fatal statements of 0 to ${record.fatal.length - 1}, got ${said.join(", ")}`);
  const has = new Set(ticked), missing = record.rubric.filter(point => point.must && !has.has(point.id)).map(point => point.id);
  const inTime = seconds === null || seconds <= slot;
  // Whole numbers: 80 % must not hang on a rounding.
  const label = missing.length || said.length ? "weak" : got * 5 >= of * 4 && inTime ? "strong" : "acceptable";
  return { label, points: got, total: of, missing, fatal: said, seconds, slot, inTime };
}

/** How many more points, the heaviest first, would make 80 % of the weight; 0 where they are there already. */
export function toStrong(record, ticked) {
  const has = new Set(ticked), open = record.rubric.filter(point => !has.has(point.id)).map(point => point.weight).sort((a, b) => b - a);
  const of = total(record);
  let got = points(record, has), more = 0;
  while (got * 5 < of * 4) got += open[more++];
  return more;
}

/**
 * The proposed grade of an `explain` and the key of its reason. Easy is only ever chosen by the learner.
 * @param {{label: string, missing: string[], fatal: number[]}} judged
 * @param {number} passed how many earlier reviews reached the line
 */
export function proposal(judged, passed = 0) {
  if (judged.label === "weak") return { proposed: AGAIN, why: judged.missing.length ? "missing" : "fatal" };
  if (judged.label === "strong") return { proposed: GOOD, why: "strong" };
  return passed ? { proposed: GOOD, why: "later" } : { proposed: HARD, why: "first" };
}

/**
 * Compare a learner's ticks with what a sample earned, point by point and statement by statement.
 * @returns {{rows: {id: string, mine: boolean, earned: boolean, agree: boolean}[],
 *   fatal: {n: number, mine: boolean, said: boolean, agree: boolean}[], agreed: number, of: number, verdict: string,
 *   proposed: number, why: string}}
 */
export function compare(record, sample, ticked, fatal) {
  const mine = new Set(ticked), wrong = new Set(fatal), earned = new Set(sample.earns), said = new Set(sample.fatal ?? []);
  const rows = record.rubric.map(({ id }) => ({ id, mine: mine.has(id), earned: earned.has(id), agree: mine.has(id) === earned.has(id) }));
  const statements = record.fatal.map((_, n) => ({ n, mine: wrong.has(n), said: said.has(n), agree: wrong.has(n) === said.has(n) }));
  const all = [...rows, ...statements], differ = all.filter(one => !one.agree).length;
  const outcome = differ === 0 ? { verdict: "right", proposed: GOOD, why: "right" } :
    differ === 1 ? { verdict: "acceptable", proposed: HARD, why: "near" } : { verdict: "weak", proposed: AGAIN, why: "far" };
  // A statement that neither side ticked says nothing about the eye: it does not count as agreement.
  const counted = [...rows, ...statements.filter(one => one.mine || one.said)];
  return { rows, fatal: statements, agreed: counted.filter(one => one.agree).length, of: counted.length, ...outcome };
}

/** A named cause is right; it also takes the measurements that decide. */
export function diagnosis(record, measured, cause) {
  const seen = new Set(measured), open = record.needs.filter(id => !seen.has(id));
  if (!record.causes.find(one => one.id === cause)?.right) return { verdict: "wrong", proposed: AGAIN, why: "wrong", open };
  return open.length ? { verdict: "acceptable", proposed: HARD, why: "guess", open } : { verdict: "right", proposed: GOOD, why: "right", open };
}
