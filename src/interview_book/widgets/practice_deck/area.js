/* A record in localStorage, in parts, so that a grade writes little and a bad value spoils little.
 *
 *   <prefix>head                 what the record consists of, and settings; written last
 *   <prefix>r:<stamp>            a block of reviews
 *   <prefix>c:<stamp>            a shard of cards, with what was said aloud
 *   <prefix>kept:<time>:<name>   a value that could not be read, as it was found; of several parts at once, JSON of
 *                                [[key, value], …]
 *
 * A part is never written over: when it changes it gets a new stamp, the head then names that one, and only after
 * that the old one goes. Wherever writing stops, the head names a whole record. Nothing outside the prefix is touched.
 *
 * No checksum: a browser loses values, or a tool cuts and mixes them, which lengths, counts and shapes show. That one
 * sign becomes another that reads as well happens to nobody who does not do it himself, and a sum over every value would
 * cost each start what the texts that stay unread until they are wanted save. */

import { cleanPath, cleanPlan, cleanSettings, VERSION } from "./documents.js";
import { faultOfDay, faultOfPath, faultOfPlan, faultOfSettings, faultOfTable, isPlain, isTime, isWhole } from "./faults.js";
import { Block, Log } from "./log.js";
import { readBlock, readShard, remember, sameShard, shardsOf, shardText } from "./parts.js";
import { keysOf, recovered, replay, setAside } from "./rescue.js";
import { SCHEDULER } from "./schedule.js";

/** Parts that no head names are left over from a tab that was closed while it wrote; in use they are for moments. */
const LEFT_OVER = 3_600_000; // ms
const QUOTA = new Set(["QuotaExceededError", "NS_ERROR_DOM_QUOTA_REACHED"]);

/** Storage that cannot be used: full, or not allowed. */
const unusable = error => Object.assign(new Error(`storage: ${error?.message}`, { cause: error }),
  { kind: QUOTA.has(error?.name) || error?.code === 22 || error?.code === 1014 ? "full" : "blocked" });

/** Named parts: [stamp, how many rows or cards, length of the text]. */
const isRef = one => Array.isArray(one) && typeof one[0] === "string" && isWhole(one[1], 0, 1e7) && isWhole(one[2], 0, 1e8);

/** @returns {{head: object} | {kind: "corrupt" | "foreign" | "future"}} */
function readHead(raw) {
  let head;
  try {
    head = JSON.parse(raw);
  } catch {
    return { kind: "corrupt" };
  }
  if (!isPlain(head) || !isWhole(head.version, 1, 1e6) || typeof head.scheduler !== "string") return { kind: "foreign" };
  if (head.version > VERSION || head.scheduler !== SCHEDULER) return { kind: "future" };
  const right = Array.isArray(head.chunks) && head.chunks.every(isRef) && isPlain(head.shards) && Object.values(head.shards).every(isRef) &&
    isPlain(head.seen) && Object.values(head.seen).every(count => isWhole(count, 1, 1e12)) && isTime(head.created) &&
    !faultOfSettings(head.settings) && !faultOfTable(head.deferred, "deferred", faultOfDay) && !faultOfPath(head.path) && !faultOfPlan(head.plan);
  return right ? { head } : { kind: "corrupt" };
}

/**
 * @param {Storage} area
 * @param {{prefix: string, now: () => number, name: string, target?: EventTarget}} options name of this writer; target
 *   hears `storage` events
 * @returns {import("./keeping.js").Medium} its functions throw errors with kind "full" or "blocked"
 */
export function areaMedium(area, { prefix, now, name, target }) {
  const HEAD = `${prefix}head`, nothing = { mark: null, doc: null, seen: {}, notices: [], frozen: false };
  let head = null; // as last read or written
  let contents = new Map(); // key of a part → what it holds; parts never change, so neither does this
  const places = new WeakMap(); // block of reviews → [key, reference] of its part
  let obsolete = new Set(); // keys that may go once a new head is there
  let stamps = 0, swept = false, tell = () => {};

  const guarded = act => (...args) => {
    try {
      return act(...args);
    } catch (error) {
      throw error.kind ? error : unusable(error);
    }
  };

  /** Not ours, or broken: kept under another name. When that fails, nothing may be written over it. */
  function aside(key, raw, kind) {
    try {
      return [{ kind, kept: setAside(area, prefix, key.slice(prefix.length), raw, now()) }];
    } catch {
      return [{ kind, kept: null }, { kind: "full" }];
    }
  }
  const lost = notices => notices.some(one => one.kept === null);

  /** Without a head: whatever parts there are. */
  function readParts(raw, notices) {
    const blocks = keysOf(area, `${prefix}r:`), shards = keysOf(area, `${prefix}c:`);
    [head, contents, obsolete] = [null, new Map(), new Set([...blocks, ...shards])];
    const texts = keys => keys.map(key => [key, area.getItem(key) ?? ""]);
    const { doc, broken } = recovered([texts(blocks), texts(shards)], now());
    // Together, for only so many are set aside.
    const told = broken.length ? [...notices, ...aside(`${prefix}parts`, JSON.stringify(broken), "corrupt")] : notices;
    if (doc && !told.length) told.push({ kind: "corrupt" });
    return { mark: raw, doc, seen: null, notices: told, frozen: lost(told) };
  }

  /** What one part holds, `null` when it is gone; what was damaged is used as far as it can be read, and written anew. */
  function readPart(key, ref, reader, notices, fresh) {
    let content = contents.get(key);
    if (!content) {
      const text = area.getItem(key);
      if (text === null) return null;
      content = reader(key, text, ref);
      if (!content.complete || text.length !== ref[2]) {
        notices.push(...aside(key, text, "corrupt"));
        obsolete.add(key);
        return content;
      }
    }
    fresh.set(key, content);
    return content;
  }

  /** A block stays text for now, if it looks like one of its length; what is wrong inside shows later. */
  function blockOf(key, text, ref) {
    const whole = text.length === ref[2] && text.startsWith("[[") && text.endsWith("]]");
    if (!whole) return { ...readBlock(text), complete: false };
    const damaged = found => {
      obsolete.add(key);
      contents.delete(key);
      const notices = aside(key, found, "corrupt");
      tell(notices, lost(notices));
    };
    const block = new Block({ text, count: ref[1], damaged });
    places.set(block, [key, ref]);
    return { block, complete: true };
  }
  const shardOf = (key, text, ref) => {
    const shard = readShard(text);
    return { ...shard, complete: shard.complete && shard.count === ref[1] };
  };

  const read = guarded(() => {
    for (let attempt = 0; ; attempt++) {
      const raw = area.getItem(HEAD);
      if (raw === null) return readParts(null, []);
      const found = readHead(raw);
      if (found.kind === "future") return { ...nothing, mark: raw, notices: [{ kind: "future" }], frozen: true };
      if (found.kind) return readParts(raw, aside(HEAD, raw, found.kind));
      const { chunks, shards, seen, created, settings, deferred, path, plan } = found.head;
      const notices = [], fresh = new Map(), cards = {}, said = {};
      const blocks = [];
      let missing = false;
      obsolete = new Set();
      for (const ref of chunks) {
        const part = readPart(`${prefix}r:${ref[0]}`, ref, blockOf, notices, fresh);
        missing ||= !part;
        if (part?.block) blocks.push(part.block);
        else if (part?.rows.length) blocks.push(new Block({ rows: part.rows }));
      }
      for (const [n, ref] of Object.entries(shards)) {
        const shard = readPart(`${prefix}c:${ref[0]}`, ref, shardOf, notices, fresh);
        missing ||= !shard;
        if (shard) remember(Number(n), shard);
        Object.assign(cards, shard?.cards);
        Object.assign(said, shard?.said);
      }
      // Either somebody wrote while we read: begin again. Or the part is gone for good.
      if (missing && attempt < 5 && area.getItem(HEAD) !== raw) continue;
      if (missing) notices.push({ kind: "corrupt" });
      const reviews = new Log(blocks);
      if (notices.length) replay(cards, said, reviews);
      [head, contents] = [found.head, fresh];
      const doc = {
        version: VERSION, scheduler: SCHEDULER, created, settings: cleanSettings(settings), cards, reviews, said,
        deferred: { ...deferred }, path: cleanPath(path), plan: cleanPlan(plan),
      };
      return { mark: raw, doc, seen, notices, frozen: lost(notices) };
    }
  });

  const remove = key => {
    try {
      area.removeItem(key);
    } catch { /* it stays, named by no head */ }
  };

  /** Remove what tabs left over that were closed while they wrote. */
  function sweep() {
    swept = true;
    for (const kind of ["r:", "c:"]) {
      for (const key of keysOf(area, prefix + kind)) {
        const age = now() - parseInt(key.slice(prefix.length + 2), 36); // a stamp begins with its time
        if (!contents.has(key) && !(Math.abs(age) < LEFT_OVER)) remove(key);
      }
    }
  }

  const write = guarded((doc, seen) => {
    const fresh = new Map(), written = [];
    const put = (kind, text, content) => {
      const stamp = `${now().toString(36)}-${name}-${(stamps++).toString(36)}`, key = `${prefix}${kind}:${stamp}`;
      written.push(key);
      area.setItem(key, text);
      fresh.set(key, content);
      return [stamp, content.count, text.length];
    };
    const reuse = (kind, ref, content) => (fresh.set(`${prefix}${kind}:${ref[0]}`, content), ref);
    try {
      const chunks = Log.of(doc.reviews).blocks.map(block => {
        const [key, known] = places.get(block) ?? [];
        if (contents.has(key)) return reuse("r", known, contents.get(key));
        const ref = put("r", block.text, { block, count: block.count, complete: true });
        places.set(block, [`${prefix}r:${ref[0]}`, ref]);
        return ref;
      });
      const shards = {};
      for (const [n, shard] of shardsOf(doc)) {
        const ref = head?.shards[n], held = ref && contents.get(`${prefix}c:${ref[0]}`);
        shards[n] = held && sameShard(held, shard) ? reuse("c", ref, held) : put("c", shardText(shard), shard);
      }
      const { created, settings, deferred, path, plan } = doc;
      const next = { version: VERSION, scheduler: SCHEDULER, seen, created, settings, deferred, path, plan, chunks, shards };
      const raw = JSON.stringify(next);
      area.setItem(HEAD, raw);
      const old = [...obsolete, ...contents.keys()].filter(key => !fresh.has(key));
      [head, contents, obsolete] = [next, fresh, new Set()];
      old.forEach(remove);
      if (!swept) sweep();
      return raw;
    } catch (error) {
      written.forEach(remove); // no head names them
      throw error;
    }
  });

  return {
    mark: guarded(() => area.getItem(HEAD)),
    read,
    write,
    listen(changed, say) {
      tell = say;
      const hear = event => (event.key === null || event.key === HEAD) && (!event.storageArea || event.storageArea === area) && changed();
      target?.addEventListener?.("storage", hear);
      return () => target?.removeEventListener?.("storage", hear);
    },
  };
}
