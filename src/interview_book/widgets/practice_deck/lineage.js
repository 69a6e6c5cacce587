/* Which document came from which. Kept beside the documents, not in them: a document stays plain JSON. */

/** The last document the store knew, of which this one is a changed copy; and what `undo` can take back. */
const origins = new WeakMap(), histories = new WeakMap();

/**
 * A changed copy of a document that remembers where it came from.
 * @param {object} doc
 * @param {object} changes fields that differ
 * @param {object | null} history what can be undone, when that differs too
 */
export function derive(doc, changes, history = historyOf(doc)) {
  const next = { ...doc, ...changes };
  if (origins.has(doc)) origins.set(next, origins.get(doc));
  if (history) histories.set(next, history);
  return next;
}

/** A linked list of what was done, the newest first, or null. */
export const historyOf = doc => histories.get(doc) ?? null;

/** Let a document, merged from others, keep what can be undone in one of them. */
export function carry(from, to) {
  if (historyOf(from)) histories.set(to, historyOf(from));
  return to;
}

/** Mark a document as known to the store. */
export const anchor = doc => (origins.set(doc, doc), doc);

/** The known document this one was derived from, or undefined. */
export const originOf = doc => origins.get(doc);
