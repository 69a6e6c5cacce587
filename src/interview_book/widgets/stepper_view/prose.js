/* Sentences made of pieces: strings, a token or a role with its mark, a letter with its index. */

const WIDE = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/; // Han and kana
const CLOSE = /[\s\u2010-\u2027\u3000-\u303f\uff00-\uff65]/; // signs that keep their distance by themselves
const LATIN = /^(?=.*[\p{L}])[\p{Script=Latin}\p{N}₀-₉'’.-]+$/u;

export const role = (kind, text) => ({ role: kind, text });
export const Query = role("q", "Query"), Key = role("k", "Key"), Value = role("v", "Value");
export const letter = (name, index) => ({ letter: name, index });

/** A name inside a sentence: a Latin word as it is, anything else between brackets. */
export const named = text => (LATIN.test(text) ? text : `「${text}」`);

export const textOf = piece => (typeof piece === "string" ? piece : piece.text ?? piece.letter + piece.index);
/** The sentence as one string, as `textContent` of what is shown. */
export const plain = pieces => pieces.map(textOf).join("");

/** A formula on one line: what stands around its sign of equality does not break. */
export const unbroken = pieces => pieces.map(piece =>
  typeof piece === "string" ? piece.replace(/ ([=≈]) /g, "\u00a0$1\u00a0").replaceAll("log ", "log\u00a0") : piece);

/** Whether a half-width space belongs between the end of one text and the start of the next. */
function apart(before, after) {
  const a = [...before].at(-1) ?? " ", [b = " "] = after;
  if (CLOSE.test(a) || CLOSE.test(b)) return false;
  return WIDE.test(a) !== WIDE.test(b);
}

/** A template of pieces, with the half-width spaces of the house between Han or kana and all else. */
export function say(strings, ...slots) {
  const pieces = [];
  const add = piece => {
    if (Array.isArray(piece)) return piece.forEach(add);
    if (piece === "" || piece === undefined || piece === false) return undefined;
    const before = pieces.at(-1);
    if (before !== undefined && apart(textOf(before), textOf(piece))) add(" ");
    if (typeof piece === "string" && typeof pieces.at(-1) === "string") pieces[pieces.length - 1] += piece;
    else pieces.push(piece);
    return undefined;
  };
  strings.forEach((text, i) => [text, slots[i]].forEach(add));
  return pieces;
}
