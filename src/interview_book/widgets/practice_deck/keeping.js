/* A record kept somewhere, while others may write there too. The place is a medium (area.js: localStorage; file.js:
 * a notebook's file); here is what both have in common.
 *
 * Everybody who writes has a name and counts his writes; what is kept says, by name, how many of whose writes it
 * includes (`seen`). So one can tell which of one's own documents another writer went on from, and join the two
 * (merging.js) without losing a review and without bringing back what was undone. */

import { anchor, carry, derive, originOf } from "./lineage.js";
import { check, exportText } from "./documents.js";
import { Log } from "./log.js";
import { merge, reconcile, sameDocument } from "./merging.js";
import { empty } from "./progress.js";

/** Documents kept to find the common ancestor with another writer; and writers kept in `seen`. */
const REMEMBERED = 8, WRITERS = 12;

const includes = (seen, other) => Object.entries(other).every(([name, count]) => (seen[name] ?? 0) >= count);

/**
 * @typedef {object} Kept what a medium holds
 * @property {string | null} mark tells one content from another; null: nothing
 * @property {object | null} doc
 * @property {Record<string, number> | null} seen null: put together from pieces
 * @property {object[]} notices what was wrong with it
 * @property {boolean} frozen must not be written over
 *
 * @typedef {object} Medium its functions throw {kind: "full" | "blocked"} when it cannot be used
 * @property {() => string | null} mark of what is there now
 * @property {() => Kept} read
 * @property {(doc: object, seen: Record<string, number>) => string} write gives the new mark
 * @property {(changed: () => void, tell: (notices: object[], frozen: boolean) => void) => () => void} listen to others
 *
 * @param {Medium | null} medium null: nowhere to keep anything
 * @param {{now: () => number, language: string, onForeign?: (doc: object, notices: object[]) => void, name: string}} options
 */
export function keep(medium, { now, language, onForeign, name }) {
  let doc = anchor(empty(now(), language)), mark = null, seen = {}, writes = 0;
  let frozen = false, failing = !medium, unsaved = false, notices = [];
  let points = []; // {seen, doc}: what was read or written, oldest first
  let lastReset = null, deaf = () => {};
  const replaced = new WeakMap(); // document before a reset or an import → after
  const listeners = new Set();

  /** One notice of a kind; of several values that were set aside, `names` has all. */
  const note = (kind, more = {}) => {
    const old = notices.find(one => one.kind === kind);
    if (!old) notices = [...notices, { kind, at: now(), ...more }];
    else if (more.kept) {
      const names = [...new Set([...(old.names ?? [old.kept]), more.kept].filter(Boolean))];
      notices = notices.map(one => (one === old ? { ...old, kept: names[0], names } : one));
    }
  };
  const forget = (...kinds) => void (notices = notices.filter(one => !kinds.includes(one.kind)));
  const point = (at, one) => void (points = [...points, { seen: at, doc: one }].slice(-REMEMBERED));

  /** A record put together from pieces has lost its settings: then it is for whoever reads it here. */
  const spoken = one => (language ? { ...one, settings: { ...one.settings, language } } : one);

  /** Take in what is kept now. @param {object | null} mine null: nothing yet @returns {object} mine with theirs in it */
  function absorb(mine) {
    const kept = medium.read();
    kept.notices.forEach(({ kind, ...more }) => note(kind, more));
    [frozen, mark] = [kept.frozen, kept.mark];
    if (!kept.doc) return mine; // gone, or never there: mine is all there is
    const theirs = anchor(kept.seen ? kept.doc : spoken(kept.doc)), base = kept.seen && (points.findLast(one => includes(kept.seen, one.seen))?.doc ?? null);
    if (kept.seen) point((seen = kept.seen), theirs);
    else unsaved = true; // put together from pieces: nobody knows what it includes
    if (base && theirs.reviews.length > base.reviews.length) note("other-tab");
    return mine ? anchor(reconcile(base, mine, theirs)) : theirs;
  }

  function write() {
    const others = Object.keys(seen).filter(one => one !== name).slice(1 - WRITERS);
    const next = Object.fromEntries(others.map(one => [one, seen[one]]));
    next[name] = writes + 1;
    mark = medium.write(doc, next);
    writes += 1;
    seen = next;
    point(seen, doc);
    unsaved = false;
    if (failing) forget("full", "blocked");
    failing = false;
  }

  /** Do something with the medium; when it cannot be used, the record lives on in memory. */
  function attempt(act) {
    try {
      act();
    } catch (error) {
      if (!error.kind) throw error; // a fault of ours
      failing = true;
      note(error.kind);
    }
  }

  /** What the caller means by this document, seen from the one we have. */
  function meant(told) {
    const given = told.reviews instanceof Log ? told : derive(told, { reviews: Log.of(told.reviews) });
    if (replaced.has(given)) return carry(given, reconcile(replaced.get(given), given, doc)); // a reset or an import taken back
    const from = originOf(given);
    return from && from !== doc ? reconcile(from, given, doc) : given; // the caller may have missed what came in since
  }

  /**
   * Keep a document, joined with what others wrote meanwhile.
   * @param {object} given derived from `store.doc`
   * @returns {object} the document as it is now, also in `store.doc`
   */
  function save(given) {
    if (given === doc && !unsaved) return doc;
    doc = anchor(meant(given));
    unsaved = true;
    if (medium) attempt(() => {
      if (frozen || medium.mark() !== mark) doc = absorb(doc);
      if (!frozen) write();
    });
    return doc;
  }

  const tellAll = () => {
    onForeign?.(doc, notices);
    listeners.forEach(listener => listener());
  };

  /** Somebody else wrote: take it in, and write if he had not seen all of ours. Where all is gone, wait for a save. */
  function changed() {
    let news = false;
    attempt(() => {
      if (medium.mark() === mark) return;
      news = true;
      doc = absorb(doc);
      const theirs = points.at(-1);
      if (!frozen && (unsaved || (theirs?.seen === seen && !sameDocument(doc, theirs.doc)))) write();
    });
    if (news) tellAll();
  }

  if (medium) {
    attempt(() => {
      doc = absorb(null) ?? doc;
    });
    if (!points.length) point({}, doc); // what we go on from
    deaf = medium.listen(changed, (told, halted) => {
      told.forEach(({ kind, ...more }) => note(kind, more));
      frozen ||= halted; // only reading it again shows that it may be written
      tellAll();
    });
  } else note("blocked");

  return {
    get doc() { return doc; },
    get notices() { return notices; },
    /** True when the record is nowhere but here: only `export` saves it. */
    get blocked() { return frozen || failing; },
    save,
    /** The record as text. */
    export: () => exportText(doc),
    /**
     * Add a record from a text. Saving the document from before takes it back.
     * @param {string} text
     * @returns {{ok: true, reviews: number, cards: number} | import("./documents.js").Problem} how many were new
     */
    import(text) {
      const other = check(text);
      if (other.problem) return other;
      const before = doc;
      replaced.set(before, save(carry(before, merge(before, other))));
      const cards = Object.keys(doc.cards).length - Object.keys(before.cards).length;
      return { ok: true, reviews: doc.reviews.length - before.reviews.length, cards };
    },
    /** Begin anew. Saving the document from before, or `restore`, takes it back. @returns {object} the empty document */
    reset() {
      lastReset = doc;
      replaced.set(lastReset, save(empty(now(), doc.settings.language)));
      return doc;
    },
    /** Take the last reset back, until the page is left. @returns {object | null} the document, null without a reset */
    restore() {
      if (!lastReset) return null;
      const before = lastReset;
      lastReset = null;
      return save(before);
    },
    /** The reader has read it. */
    dismiss: kind => forget(kind),
    /** Hear of changes by others. @returns {() => void} stop hearing */
    subscribe: listener => (listeners.add(listener), () => void listeners.delete(listener)),
    /** Hear of nothing any more. */
    close() {
      deaf();
      listeners.clear();
    },
  };
}
