/* The grammar of a typed expression: the twin of practice/grammar.py, whose head shows it. A tree is a number, the name
   of a variable, or an array: ["neg" | "sqrt" | "exp" | "log", tree], ["+" | "-" | "*" | "/" | "^", tree, tree]. */

import { LETTERS, MAX_EXPONENT, Stop, VULGAR, decimal, fold, limit, matchAt, strip } from "./reading.js";

export const MAX_LENGTH = 200, MAX_DEPTH = 16;

const GREEK = new Map(Object.entries({
  alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", zeta: "ζ", eta: "η", theta: "θ", iota: "ι", kappa: "κ",
  mu: "μ", nu: "ν", xi: "ξ", pi: "π", rho: "ρ", sigma: "σ", tau: "τ", upsilon: "υ", phi: "φ", chi: "χ", psi: "ψ",
  omega: "ω", lambda: "λ",
}));
const SUBSCRIPT = new Map([..."₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ"].map((sign, i) => [sign, "0123456789aehijklmnoprstuvxβγρφχ"[i]]));
const SUBSCRIPTS = /[₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ]+/g;
const BRACED = /_\{ *([A-Za-z0-9α-ω]+) *\}/g;
const BAR_AS_MINUS = /(^|[^\u3041-\u30ff])ー(?![\u3041-\u30ff])/g;

const FUNCTIONS = new Map([["sqrt", "sqrt"], ["exp", "exp"], ["log", "log"], ["ln", "log"]]);
const CONSTANTS = new Map([["e", 2.718281828459045], ["pi", 3.141592653589793], ["π", 3.141592653589793]]);
const FRACTIONS = new Map([...VULGAR].map(([sign, [above, below]]) => [sign, above / below]));
const COMMAND = new RegExp(`[\\\\¥￥](?=(?:${[...GREEK.keys(), ...FUNCTIONS.keys()].join("|")})(?![A-Za-z]))`, "g");

const RUN = new RegExp(`[${LETTERS}_][${LETTERS}_ー0-9]*`, "y");
const ROOT_OF_DIGITS = /sqrt(?=[0-9])/iy;
const TIMES_TEN = /[xX](?= *10 *\^)/y;

/** The name with Greek letters for the parts that are the names of one: sigma_q → σ_q. */
export const withLetters = name => name.split("_").map(part => GREEK.get(part) ?? part).join("_");

/** Map of every way to type one of the names → the name; a spelling that two names share is left out. */
export function spellings(names) {
  const found = new Map(), shared = new Set();
  for (const name of new Set(names)) {
    const at = name.indexOf("_"), base = at < 0 ? name : name.slice(0, at), below = at < 0 ? "" : name.slice(at + 1);
    const joints = at < 0 ? [""] : below ? ["_", ""] : ["_"];
    for (const first of new Set([base, GREEK.get(base) ?? base])) {
      for (const second of new Set([below, GREEK.get(below) ?? below])) {
        for (const joint of joints) {
          const spelling = first + joint + second;
          if (!found.has(spelling)) found.set(spelling, name);
          if (found.get(spelling) !== name) shared.add(spelling);
        }
      }
    }
  }
  for (const spelling of shared) found.delete(spelling);
  return found;
}

function foldExpression(typed) {
  let text = fold(typed).replace(/^=(?=.)/, "").replace(COMMAND, " ");
  text = text.replace(SUBSCRIPTS, run => "_" + [...run].map(sign => SUBSCRIPT.get(sign)).join(""));
  text = text.replace(BRACED, "_$1").replace(BAR_AS_MINUS, "$1-");
  return strip(text.endsWith("。") ? text.slice(0, -1) : text);
}

function part(run, names) {
  if (!names.has(run) && CONSTANTS.has(run)) return [["name", CONSTANTS.get(run)]];
  const known = run.includes("π") ? new Map([["π", CONSTANTS.get("π")], ...names]) : names;
  const ways = Array.from({ length: run.length + 1 }, () => []); // of the rest from each place, at most two
  ways[run.length].push([]);
  for (let at = run.length - 1; at >= 0; at--) {
    const found = [];
    for (const [word, name] of known) {
      if (run.startsWith(word, at)) for (const rest of ways[at + word.length]) found.push([["name", name], ...rest]);
    }
    for (const [word, called] of FUNCTIONS) {
      const end = at + word.length;
      if (run.slice(at, end).toLowerCase() === word && (called === "sqrt" || end === run.length)) {
        for (const rest of ways[end]) found.push([["call", called], ...rest]);
      }
    }
    ways[at] = found.slice(0, 2);
  }
  if (!ways[0].length) throw new Stop("name", run);
  if (ways[0].length > 1) throw new Stop("ambiguous");
  return ways[0][0];
}

function tokens(text, known) {
  const found = [];
  let at = 0;
  for (;;) {
    const start = at;
    while (text[at] === " ") at++;
    const spaced = at > start;
    if (at === text.length) return [...found, ["end", null, spaced]];
    const sign = text[at], before = found.at(-1)?.[0];
    const root = matchAt(ROOT_OF_DIGITS, text, at), run = matchAt(RUN, text, at);
    if ("0123456789.,、".includes(sign)) {
      const number = decimal(text, at, false);
      if (known.has(number.letter)) throw new Stop("ambiguous");
      found.push(["number", number.value, spaced]);
      at = number.at;
    } else if (FRACTIONS.has(sign)) {
      found.push(["number", FRACTIONS.get(sign), spaced]);
      at++;
    } else if (root) {
      found.push(["call", "sqrt", spaced]);
      at += 4;
    } else if ((before === "number" || before === ")") && !known.has(sign) && matchAt(TIMES_TEN, text, at)) {
      found.push(["×", null, spaced]);
      at++;
    } else if (run) {
      part(run[0], known).forEach(([kind, value], index) => found.push([kind, value, spaced && index === 0]));
      at += run[0].length;
    } else if ("+-×/^(){}√".includes(sign)) {
      found.push([sign, null, spaced]);
      at++;
    } else {
      throw new Stop("form");
    }
  }
}

class Parser {
  constructor(found) {
    this.tokens = found;
    this.at = 0;
    this.depth = 0;
  }

  kind(ahead = 0) {
    return this.tokens[Math.min(this.at + ahead, this.tokens.length - 1)][0];
  }

  take(...kinds) {
    const kind = this.kind();
    if (!kinds.includes(kind)) return "";
    this.at++;
    return kind;
  }

  follows() {
    return ["name", "call", "(", "√"].includes(this.kind());
  }

  spaced() {
    return this.tokens[this.at][2];
  }

  whole() {
    const tree = this.sum();
    if (this.kind() !== "end") throw new Stop("form");
    return tree;
  }

  sum() {
    const negative = this.take("-", "+") === "-";
    let tree = this.term();
    if (negative) tree = ["neg", tree];
    for (let sign = this.take("+", "-"); sign; sign = this.take("+", "-")) tree = [sign, tree, this.term()];
    return tree;
  }

  term() {
    let tree = this.factor();
    while (this.take("×") || this.follows()) tree = ["*", tree, this.factor()];
    if (this.take("/")) {
      tree = ["/", tree, this.factor()];
      if (this.follows() || ["×", "/"].includes(this.kind())) throw new Stop("ambiguous");
    }
    return tree;
  }

  factor() {
    if (this.kind() === "√" || (this.kind() === "call" && this.kind(1) !== "(")) return this.bare();
    const tree = this.base();
    if (!this.take("^")) return tree;
    const raised = ["^", tree, this.exponent()];
    const opened = [")", "}"].includes(this.tokens[this.at - 1][0]);
    if (this.kind() === "^" || (!opened && this.follows() && !this.spaced())) throw new Stop("ambiguous");
    return raised;
  }

  base() {
    const [kind, value] = this.tokens[this.at];
    if (kind === "number" || kind === "name") {
      this.at++;
      return value;
    }
    if (kind === "call" && this.kind(1) === "(") {
      this.at++;
      return [value, this.bracket("(", ")")];
    }
    return this.bracket("(", ")");
  }

  bracket(opening, closing) {
    this.depth++;
    if (!this.take(opening) || this.depth > MAX_DEPTH) throw new Stop("form");
    const tree = this.sum();
    if (!this.take(closing)) throw new Stop("form");
    this.depth--;
    return tree;
  }

  exponent() {
    if (this.kind() === "{") return this.bracket("{", "}");
    const negative = this.take("-", "+") === "-", tree = this.base();
    if (typeof tree === "number" && tree > MAX_EXPONENT) throw new Stop("too-large");
    return negative ? ["neg", tree] : tree;
  }

  bare() {
    const called = this.tokens[this.at][1];
    this.at++;
    const glued = !this.spaced(), opened = !["number", "name"].includes(this.kind());
    const tree = [called ?? "sqrt", this.base()];
    if (this.kind() === "^") throw new Stop("ambiguous");
    if (called === "exp" || called === "log") {
      if (!["end", ")", "}", "+", "-"].includes(this.kind())) throw new Stop("ambiguous");
    } else if (!opened && this.follows() && this.kind() !== "√" && !(glued && this.spaced())) {
      throw new Stop("ambiguous");
    }
    return tree;
  }
}

/** The tree of what was typed; throws a Stop with a reason (and the unknown name). */
export function parse(typed, names) {
  limit(typed, 4 * MAX_LENGTH);
  const text = foldExpression(typed);
  if (!text) throw new Stop("empty");
  limit(text, MAX_LENGTH);
  if (text.includes("=")) throw new Stop("equation");
  return new Parser(tokens(text, spellings(names))).whole();
}
