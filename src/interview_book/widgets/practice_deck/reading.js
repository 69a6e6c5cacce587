/* What reading a typed number and reading a typed expression share. The twin of practice/reading.py: both must read every
   text alike, so the reasons for each step are written down there. */

export const MAX_EXPONENT = 300;

/** Keys of the reasons for «could not read»; words_cards.js has words for each. */
export const REASONS = [
  "empty", "too-long", "too-large", "undefined", "comma", "ambiguous", "unit", "name", "equation", "form",
];

/** Leaves a grammar with a reason, and the name that is not among the variables. */
export class Stop extends Error {
  constructor(reason, name) {
    super(reason);
    this.refusal = name === undefined ? { reason } : { reason, name };
  }
}

/** What `read` returns, or {reason, name?} when it stops. */
export function caught(read) {
  try {
    return read();
  } catch (stop) {
    if (stop instanceof Stop) return stop.refusal;
    throw stop;
  }
}

/** Letters but the long-vowel mark, for classes of regular expressions. */
export const LETTERS = "A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u03ff\u0400-\u052f\u1e00-\u1fff"
  + "\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff6f\uff71-\uff9d";

const FOLD = new Map([["\u3000", " "], ["ｰ", "ー"], ["ˆ", "^"], ["﹢", "+"], ["∗", "*"]]);
for (let code = 0xff01; code < 0xff5f; code++) FOLD.set(String.fromCharCode(code), String.fromCharCode(code - 0xfee0));
for (const [signs, plain] of [
  ["\t\n\r\u00a0\u2002\u2003\u2007\u2009\u202f", " "], ["\u200b\u200e\u200f\u2060\ufeff", ""], ["−‐‑‒–—―─﹣", "-"],
  ["⁄∕÷", "/"], ["✕✖⋅∙", "×"], ["・･‧", "·"],
]) for (const sign of signs) FOLD.set(sign, plain);
for (let code = 0x1d400; code < 0x1d800; code++) {
  FOLD.set(String.fromCodePoint(code), String.fromCodePoint(code).normalize("NFKC"));
}
for (const sign of "ℎµϵϑϕϰϖϱ") FOLD.set(sign, sign.normalize("NFKC"));

/** One sign for a fraction → above and below the bar. */
export const VULGAR = new Map([
  ["½", [1, 2]], ["⅓", [1, 3]], ["⅔", [2, 3]], ["¼", [1, 4]], ["¾", [3, 4]], ["⅕", [1, 5]], ["⅖", [2, 5]], ["⅗", [3, 5]],
  ["⅘", [4, 5]], ["⅙", [1, 6]], ["⅚", [5, 6]], ["⅐", [1, 7]], ["⅛", [1, 8]], ["⅜", [3, 8]], ["⅝", [5, 8]], ["⅞", [7, 8]],
  ["⅑", [1, 9]], ["⅒", [1, 10]],
]);

const SUPERSCRIPT = new Map([..."⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"].map((sign, i) => [sign, "0123456789+-"[i]]));
const POWERS = /[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+/g;
// No lookbehind in these files: Safari before 16.4 would refuse the whole script for it.
const STOP_AS_POINT = /([0-9])。(?=[0-9])/g;
const DOT_AS_POINT = /[0-9]·(?!10 *\^)[0-9]/;
const POWER_AS_ROOT = /\^ *[+-]? *(?:0*1 *\/|[0-9]*[13579] *\/ *2(?![0-9.,]))/;
const DECIMAL = /[0-9][0-9,]*(?:\.[0-9]*)?|\.[0-9]+/y;
const GROUPS = /^[1-9][0-9]{0,2}(?:,[0-9]{3})+$/;
const EXPONENT = / *([eE]) *([+-]?) *([0-9]+)/y;

/** The match of a sticky expression at this place, or null. */
export function matchAt(expression, text, at) {
  expression.lastIndex = at;
  return expression.exec(text);
}

/** As Python's strip(" "). */
export function strip(text) {
  let start = 0, end = text.length;
  while (text[start] === " ") start++;
  while (end > start && text[end - 1] === " ") end--;
  return text.slice(start, end);
}

/** Throws when the text has more than `most` code points. */
export function limit(text, most) {
  if (text.length > 2 * most || [...text].length > most) throw new Stop("too-long");
}

/** The text with one sign for each meaning: - / × ^ . e, powers as ^(3). Throws where a sign can mean two things. */
export function fold(typed) {
  const powers = typed.replace(POWERS, run => "^(" + [...run].map(sign => SUPERSCRIPT.get(sign)).join("") + ")");
  let text = [...powers].map(sign => FOLD.get(sign) ?? sign).join("");
  text = strip(text.replaceAll("**", "^").replaceAll("*", "×")).replace(STOP_AS_POINT, "$1.");
  if (DOT_AS_POINT.test(text) || POWER_AS_ROOT.test(text)) throw new Stop("ambiguous");
  return text.replaceAll("·", "×");
}

export function powerOf(sign, digits) {
  if (Number(digits) > MAX_EXPONENT) throw new Stop("too-large");
  return sign === "-" ? -Number(digits) : Number(digits);
}

/** The decimal at this place as {value, at (where it ends), letter (its e or E, if any)}; `spaced`: spaces around the e. */
export function decimal(text, from, spaced) {
  const match = matchAt(DECIMAL, text, from);
  if (!match) throw new Stop(",、".includes(text[from] ?? "?") ? "comma" : "form");
  const [whole, rest] = match[0].split(".");
  let digits = whole, at = from + match[0].length, power = 0;
  if (digits.includes(",")) {
    if (!GROUPS.test(digits)) throw new Stop("comma");
    digits = digits.replaceAll(",", "");
  }
  const exponent = matchAt(EXPONENT, text, at);
  if (exponent) {
    if (!spaced && exponent[0].includes(" ")) throw new Stop("ambiguous");
    at += exponent[0].length;
    power = powerOf(exponent[2], exponent[3]);
  }
  if (",、".includes(text[at] ?? "?")) throw new Stop("comma");
  const value = Number(`${digits || "0"}.${rest ?? ""}0e${power}`);
  if (value === Infinity || (value === 0 && /[1-9]/.test(digits + (rest ?? "")))) throw new Stop("too-large");
  return { value, at, letter: exponent?.[1] };
}
