/* How numbers are written. The tables and the live sentence use the same functions, so they cannot disagree. */

/** A function of a number that remembers: a table asks for the same few numbers at every move. */
function remembering(write) {
  const known = new Map();
  return x => {
    let text = known.get(x);
    if (text === undefined) {
      if (known.size > 4096) known.clear();
      known.set(x, (text = write(x)));
    }
    return text;
  };
}

const minus = text => text.replaceAll("-", "−");
const raised = n => [...String(n)].map(one => (one === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[+one])).join("");
const grouped = text => text.replace(/^(-?\d+)(\d{3})(?=\.|$)/, (_, a, b) => `${grouped(a)},${b}`);
/** An index below the line: ₀, ₁₂. */
export const lowered = n => [...String(n)].map(one => "₀₁₂₃₄₅₆₇₈₉"[+one]).join("");

function power(x, digits) {
  const [mantissa, exponent] = x.toExponential(digits - 1).split("e");
  return `${minus(mantissa)}×10${raised(+exponent)}`;
}

/** With so many decimals, no minus before a zero; what that would turn into 0, or make too long, as a power of ten. */
function decimals(x, places) {
  if (x === 0) return "0";
  const size = Math.abs(x), text = x.toFixed(places);
  return size >= 1e6 ? power(x, 3) : Number(text) === 0 ? power(x, 2) : minus(grouped(text));
}

/** A number that can be exact: 2.3, −0.5; with three decimals and no zeros at the end. */
export const shown = remembering(x => {
  const text = decimals(x, 3);
  return text.includes("×") ? text : text.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
});
const thousandths = remembering(x => decimals(x, 3));
/** A part of a sum, three decimals: 1.371, and 0 for nothing. Less than rounding of `scale` is nothing. */
export const amount = (x, scale = 1) => (Math.abs(x) < 1e-13 * scale ? "0" : thousandths(x));
/** A weight, two decimals, rounded half up. */
export const weight = remembering(p => p.toFixed(2));
/** The same weight, as exactly as it is known. */
export function exact(p) {
  if (p > 0 && p < 1e-4) return power(p, 6);
  const text = p.toFixed(10);
  return Math.abs(Number(text.slice(0, 6)) - p) < 1e-15 ? String(Number(text.slice(0, 6))) : text;
}
/** Entropy in nats. */
export const nats = H => minus((H < 0.0005 ? 0 : H).toFixed(3));
/** √d_k with its value, rounded where it is no whole number. */
export const divisor = d_k => (Number.isInteger(Math.sqrt(d_k)) ? `√dₖ = ${Math.sqrt(d_k)}` : `√dₖ ≈ ${Math.sqrt(d_k).toFixed(2)}`);
/** Step of the ink: eight of equal width. */
export const heat = p => Math.max(0, Math.min(7, Math.floor(8 * p)));
/** exp(z), of the softmax's table. */
export const exponential = e => (e >= 1e5 || (e > 0 && e < 1e-3) ? power(e, 3) : minus(grouped(e.toFixed(3))));
/** The sum of weights as they are shown. */
export const printedSum = p => (p.reduce((total, one) => total + Math.round(100 * Number(one.toFixed(2))), 0) / 100).toFixed(2);
/**
 * Width in rem of a table whose columns hold such texts, or 0 where they are short and no more than `few`.
 * @param {{first: number, least: number, few: number, sign: number}} measures of the first column, of a narrow one, of a sign
 */
export function room(texts, columns, { first, least, few, sign }) {
  const column = Math.max(least, sign * Math.max(...texts.map(one => one.length)) + 0.9);
  return column > least || columns > few ? first + column * columns : 0;
}
/** A vector inside a sentence; a long one is cut. */
export const vector = list => `[${(list.length > 6 ? [...list.slice(0, 3).map(shown), "…"] : list.map(shown)).join(", ")}]`;
