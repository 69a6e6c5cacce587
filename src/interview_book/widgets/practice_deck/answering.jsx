/* How to answer: said or written, short or long; the field to write in; what was written, beside the points. */

import { useLayoutEffect, useRef } from "preact/hooks";

import { SLOTS } from "./grading.js";
import { composing } from "./keys.js";
import { Icon, useUid } from "./pieces.jsx";

const Choice = ({ name, legend, value, options, off, onPick }) => (
  <fieldset class="field segments" disabled={off}>
    <legend>{legend}</legend>
    {options.map(([one, label]) => (
      <label key={one}><input type="radio" name={name} checked={one === value} onChange={() => onPick(one)} /><span>{label}</span></label>
    ))}
  </fieldset>
);

/** Two groups of radios that look like switches. `off` while somebody speaks. */
export const Segments = ({ name, words, mode, slot, off, onMode, onSlot }) => (
  <div class="controls">
    <Choice name={`${name}-mode`} legend={words.mode} value={mode} off={off} onPick={onMode} options={[["say", words.speak], ["write", words.write]]} />
    <Choice name={`${name}-length`} legend={words.length} value={slot} off={off} onPick={onSlot} options={[[SLOTS[0], words.short], [SLOTS[1], words.long]]} />
  </div>
);

/** Letters as a reader counts them: without spaces and line ends, a pair of surrogates as one. */
export const letters = text => [...text.replace(/\s/g, "")].length;

/** The field to write in. Nothing of it is stored or sent. Enter is a new line; with Ctrl or ⌘ it is done. */
export function Writing({ words, slot, text, onText, onDone }) {
  const id = useUid(), field = useRef(null);
  useLayoutEffect(() => field.current.focus({ preventScroll: true }), []);
  const key = event => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || composing(event) || !text.trim()) return;
    event.preventDefault();
    onDone();
  };
  return (
    <div class="writing">
      <label for={id}>{words.writeHere}</label>
      <textarea id={id} ref={field} rows={slot === SLOTS[0] ? 5 : 10} value={text} aria-describedby={`${id}-note`} spellcheck={false}
        onInput={event => onText(event.currentTarget.value)} onKeyDown={key} />
      <p class="fine" id={`${id}-note`}><span>{words.letters(letters(text), slot)}</span>{words.writePrivate}</p>
    </div>
  );
}

/** What was written, in sight while points are ticked. */
export const Written = ({ text, words, onBack }) => (
  <aside class="own-words" aria-label={words.written}>
    <p class="own-words-head"><b>{words.written}</b><button type="button" class="quiet" onClick={onBack}><Icon name="i-undo" />{words.rewrite}</button></p>
    <div class="own-words-text" tabIndex={0}>{text.trim()}</div>
  </aside>
);
