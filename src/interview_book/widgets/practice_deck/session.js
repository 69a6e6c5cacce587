/* One sitting: a queue of cards with a visible end. «Again» brings a card back a little later, and the end moves by one. */

/** How many other cards come before one that was not known yet, and how often it may come back in one sitting. */
const GAP = 3;
const RETURNS = 2;

/**
 * @typedef {{ id: string, again: boolean }} Turn
 * @typedef {{ queue: Turn[], at: number, done: object[], started: number, free: boolean, before: Session | null,
 *   left: string[], later: string | null, resume: object | null }} Session left: put off or not loaded; later: the card
 *   that was put off, when that was the last thing done; resume: how the card whose turn it is stood when it was graded,
 *   after that was taken back
 */

/** @param {string[]} ids @param {number} now @param {boolean} free a free practice, not today's plan */
export const begin = (ids, now, free = false) => ({
  queue: ids.map(id => ({ id, again: false })), at: 0, done: [], started: now, free, before: null, left: [], later: null, resume: null,
});

/** The card whose turn it is, or undefined at the end. @param {Session} session @returns {Turn | undefined} */
export const turn = session => session.queue[session.at];

/** Would the card whose turn it is come back in this sitting, if it was not known? @param {Session} session */
export const mayReturn = session => session.done.filter(one => one.id === turn(session)?.id && one.grade === 1).length < RETURNS;

/**
 * Note what the learner chose. The given session stays as it is; the new one remembers it for `back`.
 * @param {Session} session
 * @param {{ id: string, grade: number }} result of the card whose turn it is
 * @param {object | null} kept how the card stood, for whoever takes the grade back
 */
export function answer(session, result, kept = null) {
  const queue = [...session.queue];
  const at = session.at + 1;
  const returns = result.grade === 1 && mayReturn(session);
  if (returns) queue.splice(Math.min(at + GAP, queue.length), 0, { id: result.id, again: true });
  return { ...session, queue, at, done: [...session.done, { ...result, returns, kept }], before: session, later: null, resume: null };
}

/** Leave a card out that cannot be loaded. @param {Session} session */
export function skip(session) {
  const { id } = turn(session);
  return { ...session, queue: session.queue.filter((one, i) => i < session.at || one.id !== id), left: [...session.left, id], resume: null };
}

/** Put a card off to another day, which can be taken back as an answer can. @param {Session} session */
export const postpone = session => ({ ...skip(session), before: session, later: turn(session).id });

/** The session before the last answer, with the card as it stood then, or before a card was put off, or itself. */
export function back(session) {
  const { before, later } = session;
  if (!before) return session;
  const left = session.left.filter(id => id !== later);
  const queue = before.queue.filter((one, i) => i <= before.at || !left.includes(one.id));
  return { ...before, queue, left, resume: later ? null : session.done.at(-1).kept };
}

/** Seconds still to come. @param {Session} session @param {Map<string, { seconds: number }>} cards */
export const secondsLeft = (session, cards) =>
  session.queue.slice(session.at).reduce((sum, one) => sum + (cards.get(one.id)?.seconds ?? 0), 0);

/**
 * The last thing that happened to each card of the sitting, in the order of their first turn.
 * @param {Session} session
 * @returns {Array<{ id: string, grade: number, times: number }>}
 */
export function outcome(session) {
  const seen = new Map();
  for (const one of session.done) seen.set(one.id, { ...one, times: (seen.get(one.id)?.times ?? 0) + 1 });
  return [...seen.values()];
}
