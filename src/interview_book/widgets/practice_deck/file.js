/* A record in a notebook's file. Python writes the file; between the two stands the model of the widget:
 *
 *   progress (text)  the document, "" for none: Python → here at the start, here → Python to save
 *   foreign (text)   Python → here: the file held something else when we saved, and was not written
 *   file (object)    Python → here: {state: "ok" | "blocked" | "future", notices: [{kind, kept?}]}
 *   messages         {type: "set-aside"}: this file is not ours; Python renames it and empties `progress` */

import { check, exportText } from "./documents.js";
import { isPlain, isWhole } from "./faults.js";

const NONE = { mark: "", doc: null, seen: {}, notices: [], frozen: false };

/** How many of whose saves a text includes. */
const seenOf = value =>
  isPlain(value.seen) ? Object.fromEntries(Object.entries(value.seen).filter(([name, count]) => name !== "__proto__" && isWhole(count, 1, 1e12))) : {};

/**
 * @param {{get: Function, set: Function, on: Function, off?: Function, save_changes: Function, send?: Function}} model
 * @returns {import("./keeping.js").Medium}
 */
export function fileMedium(model) {
  let content = model.get("progress") ?? ""; // what is in the file, as far as we know
  let writing = false, asked = null;

  const state = () => (isPlain(model.get("file")) ? model.get("file") : {});
  const noticesOf = () => {
    const { state: how, notices } = state();
    const told = Array.isArray(notices) ? notices.filter(one => typeof one?.kind === "string") : [];
    return how === "blocked" || how === "future" ? [...told, { kind: how }] : told;
  };

  function read() {
    const frozen = state().state === "future", notices = noticesOf();
    if (!content) return { ...NONE, mark: content, notices, frozen };
    let value = null;
    try {
      value = JSON.parse(content);
    } catch { /* check says what it is */ }
    const doc = check(value ?? content);
    if (!doc.problem) return { mark: content, doc, seen: seenOf(value), notices, frozen };
    if (doc.problem === "future") return { ...NONE, mark: content, notices: [...notices, { kind: "future" }], frozen: true };
    if (asked !== content) model.send?.({ type: "set-aside" }); // once
    asked = content;
    return { ...NONE, mark: content, notices: [...notices, { kind: doc.problem === "foreign" ? "foreign" : "corrupt" }], frozen: true };
  }

  return {
    mark: () => content,
    read,
    write(doc, seen) {
      content = exportText(doc, { seen });
      writing = true; // setting it fires the event that others listen to
      try {
        model.set("progress", content);
        model.save_changes();
      } finally {
        writing = false;
      }
      return content;
    },
    listen(changed, tell) {
      const hear = name => () => {
        if (writing) return;
        content = model.get(name) ?? "";
        changed();
      };
      const heard = { "change:progress": hear("progress"), "change:foreign": hear("foreign"), "change:file": () => tell(noticesOf(), state().state === "future") };
      for (const [event, act] of Object.entries(heard)) model.on(event, act);
      return () => Object.entries(heard).forEach(([event, act]) => model.off?.(event, act));
    },
  };
}
