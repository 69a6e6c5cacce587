/* Reading and judging a typed number: the twin of practice/answers.py, whose head shows the grammar. */

import { power } from "./elementary.js";
import { LETTERS, MAX_EXPONENT, Stop, VULGAR, caught, decimal, fold, limit, matchAt, strip } from "./reading.js";

export const MAX_LENGTH = 64, MAX_DEPTH = 8;

const EQUAL = /^[=≈≒約] *(?=.)/;
const BAR_AS_MINUS = /(^|[eE^({])( *)ー(?= *[0-9.√(sS])/g;
const PLAIN = "([0-9]+(?:\\.[0-9]+)?|\\.[0-9]+)", INSIDE = ` *([+-]?) *${PLAIN}(?: */ *${PLAIN})? *`;
const POWER = new RegExp(`\\^ *([+-]?) *(?:${PLAIN}|\\(${INSIDE}\\)|\\{${INSIDE}\\})`, "y");
const TIMES_TEN = /[xX] *10 *\^/y;
const LETTER = new RegExp(`^[${LETTERS}]`);

function finite(value, nonzero) {
  if (!Number.isFinite(value) || (nonzero && value === 0)) throw new Stop("too-large");
  return value;
}

function exponentOf([, outside, bare, ...inside]) {
  const [sign, above, below] = inside[1] === undefined ? inside.slice(3) : inside;
  let value = Number(bare ?? above);
  if (below !== undefined) {
    if (!Number(below)) throw new Stop("undefined");
    value /= Number(below);
  }
  if (value > MAX_EXPONENT) throw new Stop("too-large");
  return (outside === "-") !== (sign === "-") ? -value : value;
}

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
    this.depth = 0;
    this.fraction = false; // a slash outside brackets
  }

  skip() {
    while (this.text[this.at] === " ") this.at++;
  }

  /** The first of the signs that comes next, or the empty string. */
  take(...signs) {
    this.skip();
    for (const sign of signs) {
      if (this.text.slice(this.at, this.at + sign.length).toLowerCase() === sign) {
        this.at += sign.length;
        return sign;
      }
    }
    return "";
  }

  sign() {
    return this.take("-", "+") === "-" ? -1 : 1;
  }

  decimal() {
    this.skip();
    const { value, at } = decimal(this.text, this.at, true);
    this.at = at;
    return value;
  }

  bracket() {
    this.depth++;
    if (this.depth > MAX_DEPTH) throw new Stop("form");
    const value = this.sign() * this.value();
    if (!this.take(")")) throw new Stop("form");
    this.depth--;
    this.fraction = false;
    return value;
  }

  factor() {
    const root = this.take("√", "sqrt"), opened = this.take("(");
    let base = opened ? this.bracket() : this.decimal();
    if (root) {
      if (base < 0) throw new Stop("undefined");
      base = Math.sqrt(base);
    }
    this.skip();
    if (this.text[this.at] !== "^") return base;
    if (root && !(root === "sqrt" && opened)) throw new Stop("ambiguous");
    const match = matchAt(POWER, this.text, this.at);
    if (!match) throw new Stop("form");
    this.at += match[0].length;
    if (this.take("^")) throw new Stop("ambiguous");
    const exponent = exponentOf(match);
    if ((base === 0 && exponent <= 0) || (base < 0 && exponent % 1)) throw new Stop("undefined");
    return finite(power(base, exponent), base !== 0);
  }

  more() {
    if (this.take("×")) return true;
    this.skip();
    if (matchAt(TIMES_TEN, this.text, this.at)) {
      this.at++;
      return true;
    }
    return this.text[this.at] === "√" || this.text.slice(this.at, this.at + 4).toLowerCase() === "sqrt";
  }

  value() {
    let value = this.factor();
    while (this.more()) {
      const factor = this.factor();
      value = finite(value * factor, value !== 0 && factor !== 0);
    }
    if (this.take("/")) {
      const below = this.factor();
      if (this.more() || this.take("/")) throw new Stop("ambiguous");
      if (below === 0) throw new Stop("undefined");
      this.fraction = true;
      value = finite(value / below, value !== 0);
    }
    return value;
  }
}

const wordOf = text => strip(text.normalize("NFKC").toLowerCase());

function withUnit(value, rest, accepts, fraction) {
  const word = wordOf(rest), words = new Set(accepts.map(wordOf));
  if (!rest || words.has(word)) return { value: value + 0 };
  const behind = strip(word.slice(1));
  if (word.startsWith("%") && (!behind || words.has(behind))) {
    if (fraction) throw new Stop("ambiguous");
    return { value: finite(value / 100, value !== 0) };
  }
  throw new Stop(LETTER.test(rest) && !/[0-9]/.test(rest) ? "unit" : "form");
}

/** {value}, always finite, or {reason}; `accepts`: words that may stand behind the number. Never throws. */
export function readNumber(typed, accepts = []) {
  return caught(() => {
    limit(typed, 4 * MAX_LENGTH);
    let text = fold(typed).replace(EQUAL, "");
    for (const [sign, [above, below]] of VULGAR) text = text.replaceAll(sign, `(${above}/${below})`);
    text = text.replace(BAR_AS_MINUS, "$1$2-");
    if (!text) throw new Stop("empty");
    limit(text, MAX_LENGTH);
    const reader = new Reader(text);
    const value = reader.sign() * reader.value();
    const rest = text.slice(reader.at);
    return withUnit(value, strip(rest.endsWith("。") ? rest.slice(0, -1) : rest), accepts, reader.fraction);
  });
}

// Rounding of binary fractions, as in practice/tolerances.py.
const SLACK = 1e-9;

function margin({ kind, size }, right) {
  if (kind === "absolute") return size;
  if (kind === "relative") return size * Math.abs(right);
  if (right === 0) return 0;
  return 0.5 * Number(`1e${Number(right.toExponential(size - 1).split("e")[1]) - size + 1}`);
}

/** True when `typed` counts as `right`; tolerance = {kind: "absolute" | "relative" | "significant", size}. */
export function holds(tolerance, typed, right) {
  const most = margin(tolerance, right);
  return Math.abs(typed - right) <= most + SLACK * Math.max(most, Math.abs(right));
}

/** {verdict: "right" | "wrong", value} or {verdict: "unreadable", reason}. */
export function judgeNumber(typed, right, tolerance, accepts = []) {
  const got = readNumber(typed, accepts);
  if (got.reason) return { verdict: "unreadable", reason: got.reason };
  return { verdict: holds(tolerance, got.value, right) ? "right" : "wrong", value: got.value };
}
