/* What to learn first, and the three paths through the bank, each with an end. */

/** As many questions and days as each path has, if the bank has so many. */
export const PATHS = [{ id: "tonight", size: 8, days: 1 }, { id: "three-days", size: 20, days: 3 }, { id: "week", size: 45, days: 7 }];

/** Kinds one can do where one cannot speak or program; an explain is read, thought through and ticked. */
export const SILENT = new Set(["explain", "grade", "choice", "number", "expression"]);

const FREQUENCY = ["common", "occasional", "rare"];
const LEVEL = ["core", "advanced", "research"];
const KIND = ["explain", "grade", "choice", "number", "expression", "diagnose", "code"];
const KIND_SILENT = ["grade", ...KIND.filter(kind => kind !== "grade")];

/** Place in a list; what nobody knows comes last. */
const place = (list, value) => (list.includes(value) ? list.indexOf(value) : list.length);

/** For the reader's role, often asked, basic, by kind; in silence a grading exercise comes before its explain. */
function rank(card, settings) {
  const other = settings.role && !card.roles.includes(settings.role) ? 1 : 0;
  const kind = place(settings.silent ? KIND_SILENT : KIND, card.kind);
  return [other, place(FREQUENCY, card.frequency), place(LEVEL, card.level), kind];
}

const compare = (a, b) => a.reduce((found, one, i) => found || one - b[i], 0);

/* A start page asks several times: bank → role and silence → order. */
const orders = new WeakMap();

/**
 * Cards in the order in which they are worth learning; equal ones as they stand in the bank.
 * @param {{cards: object[]}} index
 * @param {{role: string | null, silent: boolean}} settings
 * @returns {readonly object[]}
 */
export function byPriority(index, settings) {
  if (!orders.has(index)) orders.set(index, new Map());
  const known = orders.get(index), name = `${settings.silent ? "silent" : "aloud"} ${settings.role ?? ""}`;
  if (!known.has(name)) {
    const ranked = index.cards.map(card => ({ card, key: rank(card, settings) })).sort((a, b) => compare(a.key, b.key));
    known.set(name, Object.freeze(ranked.map(({ card }) => card)));
  }
  return known.get(name);
}

/**
 * The questions of a path: tonight is for answers said aloud, each longer path goes on from the shorter one. Grading
 * exercises are no questions of their own. Does not depend on silence: a path keeps its length on a train.
 * @param {{cards: object[]}} index
 * @param {{role: string | null}} settings
 * @param {string} id of PATHS
 * @returns {string[]} at most as many as the path has
 */
export function questionsOf(index, settings, id) {
  const path = PATHS.find(one => one.id === id);
  if (!path) return [];
  const all = byPriority(index, { role: settings.role, silent: false }).filter(card => card.kind !== "grade");
  const spoken = new Set(all.filter(card => card.kind === "explain").slice(0, PATHS[0].size));
  return [...spoken, ...all.filter(card => !spoken.has(card))].slice(0, path.size).map(card => card.id);
}

/** May this card be shown under these settings? */
export const allowed = (card, settings) => !settings.silent || SILENT.has(card.kind);
