/* Reading and judging a typed expression: the twin of practice/expressions.py. */

import { defined, points, same, values } from "./comparing.js";
import { parse } from "./grammar.js";
import { caught } from "./reading.js";

/** {tree}, or {reason} (with the `name` that is not among the variables). Never throws, whatever the text. */
export function readExpression(typed, names) {
  return caught(() => ({ tree: parse(typed, names) }));
}

const kept = new WeakMap();

/** The points of a record, and there the values of its answer and of its mistakes. */
function comparison(record) {
  if (!kept.has(record)) {
    const names = record.variables.map(one => one.name), drawn = points(record.answer, record.variables);
    const at = text => values(parse(text, names), drawn);
    kept.set(record, {
      names, drawn, answer: at(record.answer), mistakes: record.mistakes.map(one => at(one.expression)),
    });
  }
  return kept.get(record);
}

/** {verdict: "right"}, {verdict: "wrong", mistake?: place in record.mistakes} or {verdict: "unreadable", reason, name?}. */
export function judgeExpression(typed, record) {
  const right = comparison(record), got = readExpression(typed, right.names);
  if (got.reason) return { verdict: "unreadable", ...got };
  const here = values(got.tree, right.drawn);
  if (!defined(here)) return { verdict: "unreadable", reason: "undefined" };
  if (same(here, right.answer)) return { verdict: "right" };
  const mistake = right.mistakes.findIndex(wrong => same(here, wrong));
  return mistake < 0 ? { verdict: "wrong" } : { verdict: "wrong", mistake };
}
