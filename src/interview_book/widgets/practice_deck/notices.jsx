/* What the storage has to say, in words and with what to do about it. */

import { useEffect, useMemo } from "preact/hooks";

import { useDeck } from "./context.js";
import { Icon } from "./pieces.jsx";
import { aheadOfClock, mendClock } from "./progress.js";
import { exportFile } from "./saving.js";

/** These last as long as their cause; the others may be closed. */
const LASTING = new Set(["blocked", "full", "future"]);

/** A notice of the store as a sentence or two, or undefined for one that is not ours. */
export function said({ kind, kept, names = [] }, words, notebook) {
  const text = (notebook && words.fileNotices[kind]) || words.notices[kind];
  return text && kept ? text + words.kept(kept, names.length) : text;
}

/** @param {{ except?: Set<string> }} props kinds that were shown before */
export function Notices({ except }) {
  const { store, doc, now, words, tell, today, commit, refresh, notebook } = useDeck();
  const shown = store.notices.filter(one => !except?.has(one.kind) && said(one, words, notebook));
  const kinds = shown.map(one => one.kind).join(" ");
  useEffect(() => {
    if (kinds) tell(shown.map(one => said(one, words, notebook)).join(""));
  }, [kinds]);
  const close = kind => {
    store.dismiss(kind);
    refresh();
  };
  const ahead = useMemo(() => (except ? 0 : aheadOfClock(doc, now)), [doc, now]);
  return (
    <>
      {shown.map(one => (
        <div key={one.kind} class="notice">
          <p>{said(one, words, notebook)}</p>
          {LASTING.has(one.kind)
            ? <button type="button" class="button" onClick={() => tell(words.saved(exportFile(store.export(), today)))}>{words.save}</button>
            : <button type="button" class="quiet" onClick={() => close(one.kind)}><Icon name="i-close" />{words.close}</button>}
        </div>
      ))}
      {ahead > 0 && (
        <div class="notice">
          <p>{words.clock(ahead)}</p>
          <button type="button" class="button" onClick={() => commit(mendClock(doc, now))}>{words.mendClock}</button>
        </div>
      )}
    </>
  );
}
