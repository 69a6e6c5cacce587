/* Where the record is kept: in the browser, or in a notebook's file; with the same behaviour. */

import { areaMedium } from "./area.js";
import { fileMedium } from "./file.js";
import { keep } from "./keeping.js";

/** Everything of ours in localStorage begins with this. */
export const PREFIX = "interview-book:v1:deck:";

/** A name for this tab among those who write. */
const someName = () => Math.random().toString(36).slice(2, 8);

/** The browser's storage, or null: merely touching it throws where it is not allowed. */
function storageOf(options) {
  try {
    return ("area" in options ? options.area : globalThis.localStorage) ?? null;
  } catch {
    return null;
  }
}

/**
 * The record in localStorage. Never throws: when nothing can be kept, the record lives in memory and `notices` say so.
 * @param {{area?: Storage, prefix?: string, now?: () => number, language?: string, name?: string, target?: EventTarget,
 *   onForeign?: (doc: object, notices: object[]) => void}} options language: of the interview, in a new record;
 *   onForeign: something changed that the caller did not do
 */
export function openStore(options = {}) {
  const { prefix = PREFIX, now = Date.now, language, name = someName(), target = globalThis, onForeign } = options;
  const area = storageOf(options);
  return keep(area && areaMedium(area, { prefix, now, name, target }), { now, language, onForeign, name });
}

/**
 * The record in the file of a notebook's deck.
 * @param {object} model of the widget
 * @param {{now?: () => number, language?: string, name?: string, onForeign?: Function}} options
 */
export function fileStore(model, { now = Date.now, language, name = someName(), onForeign } = {}) {
  return keep(fileMedium(model), { now, language, onForeign, name });
}
