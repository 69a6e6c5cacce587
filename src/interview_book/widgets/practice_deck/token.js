/* Result tokens of solved exercises, as practice/tokens.py writes them: scaled-attention-12FW-3M.
   They guard against typing errors and mixed-up exercises, not against cheating. */

const SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const PRIME = 1021;
const START = Date.UTC(2020, 0, 1);
const DAY = 86_400_000;
const MAX_LENGTH = 120;
const HYPHENS = /[ \t\n\r\f\v\u200b\u2060\ufeff\u2010-\u2015\u2212\u30fc\u2500\u2501_-]+/gu;
const EDGE = /^[-.。、,「」()]+|[-.。、,「」()]+$/gu;
const TOKEN = /^(?:([A-Z0-9-]+?)-)?([0-9A-Z]{4})-?([0-9A-Z]{2})$/;

/** The readable part of a token: the card's id without its topic, dots as hyphens. */
export const tokenName = cardId => cardId.slice(cardId.indexOf(".") + 1).replaceAll(".", "-");

const like = text => text.replaceAll("O", "0").replace(/[IL]/g, "1");

const number = signs => [...signs].reduce((total, sign) => total * 32 + SIGNS.indexOf(sign), 0);

const signs = (value, count) =>
  Array.from({ length: count }, (_, at) => SIGNS[(value >> (5 * (count - 1 - at))) & 31]).join("");

function checkOf(cardId, body) {
  let total = 0;
  for (const byte of new TextEncoder().encode(cardId)) total = (total * 256 + byte) % PRIME;
  for (const sign of body) total = (total * 32 + SIGNS.indexOf(sign)) % PRIME;
  return signs(total, 2);
}

/** A text of the right shape, for whoever typed something else. Its check is wrong on purpose. */
export function exampleToken(cardId) {
  const body = signs((1 << 15) | 1, 4);
  const check = checkOf(cardId, body);
  return `${tokenName(cardId)}-${body}-${check[0]}${SIGNS[(SIGNS.indexOf(check[1]) + 1) % 32]}`;
}

/**
 * Reads the token of one card.
 * @param {string} typed what a person typed or pasted
 * @param {string} cardId for example "attention.scaled-attention"
 * @returns {{ok: true, verdict: "right", version: number, day: string} |
 *           {ok: false, reason: "empty" | "form" | "other" | "check", name?: string}} `name`: the other exercise's
 */
export function readToken(typed, cardId) {
  // Counted as Python counts: by characters, not by halves of them.
  if (typed.length > 2 * MAX_LENGTH || [...typed].length > MAX_LENGTH) return { ok: false, reason: "form" };
  const folded = typed.normalize("NFKC").toUpperCase();
  const text = folded.slice(folded.lastIndexOf(":") + 1).replace(HYPHENS, "-").replace(EDGE, "");
  if (!text) return { ok: false, reason: "empty" };
  const match = TOKEN.exec(text);
  if (!match) return { ok: false, reason: "form" };
  const [named, body, check] = [match[1] ?? "", like(match[2]), like(match[3])];
  const fits = [...body].every(sign => SIGNS.includes(sign)) && check === checkOf(cardId, body);
  if (named && like(named) !== like(tokenName(cardId).toUpperCase())) {
    return fits ? { ok: false, reason: "check" } : { ok: false, reason: "other", name: named.toLowerCase() };
  }
  const value = number(body);
  if (!fits || value < 1 << 15) return { ok: false, reason: "check" };
  const day = new Date(START + (value & 0x7fff) * DAY).toISOString().slice(0, 10);
  return { ok: true, verdict: "right", version: value >> 15, day };
}
