/* The record in the reader's own hands: export, import, reset with a second confirmation, each with a way back. */

import { useEffect, useRef, useState } from "preact/hooks";

import { useDeck } from "./context.js";
import { check, LONGEST } from "./documents.js";
import { Icon, useUid } from "./pieces.jsx";
import { copyText, exportFile } from "./saving.js";

/** The exported text itself: for a clipboard, or to be copied by hand where there is none. */
function Saved({ text, name }) {
  const { words, tell } = useDeck();
  const [copied, setCopied] = useState(null);
  const id = useUid();
  const copy = async () => {
    const done = await copyText(text);
    setCopied(done);
    tell(done ? words.copied : words.notCopied);
  };
  return (
    <>
      <p>{words.saved(name)}</p>
      <p class="actions"><button type="button" class="button" onClick={copy}><Icon name="i-copy" />{words.copy}</button></p>
      {copied && <p class="fine">{words.copied}</p>}
      {copied === false && (
        <div class="field">
          <label for={id}>{words.notCopied}</label>
          <textarea id={id} rows="4" readOnly spellcheck={false} onFocus={event => event.currentTarget.select()}>{text}</textarea>
        </div>
      )}
    </>
  );
}

/** A file, chosen or dropped, or pasted text. */
function Load({ onText }) {
  const { words } = useDeck();
  const [over, setOver] = useState(false);
  const [typed, setTyped] = useState("");
  const [file, area] = [useUid(), useUid()];
  // A folder, or a file that is gone, cannot be read: then there is no text. A film is not read to its end.
  const read = async ([one]) => one && onText(await one.slice(0, 4 * LONGEST).text().catch(() => ""));
  return (
    <div
      class={over ? "drop over" : "drop"} onDragOver={event => (event.preventDefault(), setOver(true))} onDragLeave={() => setOver(false)}
      onDrop={event => (event.preventDefault(), setOver(false), read(event.dataTransfer.files))}
    >
      <p class="fine">{words.loadNote}</p>
      <p class="actions">
        <input id={file} class="visually-hidden" type="file" accept=".json,application/json,text/plain" onChange={event => (read(event.currentTarget.files), (event.currentTarget.value = ""))} />
        <label for={file} class="button">{words.loadFile}</label>
      </p>
      <div class="field">
        <label for={area}>{words.loadText}</label>
        <textarea id={area} rows="3" spellcheck={false} autocomplete="off" value={typed} onInput={event => setTyped(event.currentTarget.value)} />
      </div>
      <p class="actions"><button type="button" class="button" disabled={!typed.trim()} onClick={() => onText(typed)}>{words.loadGo}</button></p>
    </div>
  );
}

function Clear({ onClear, onCancel }) {
  const { doc, words } = useDeck();
  return (
    <>
      <p>{words.clearNote(Object.keys(doc.cards).length, doc.reviews.length)}</p>
      <p class="actions">
        <button type="button" class="button danger" onClick={onClear}>{words.clearGo}</button>
        <button type="button" class="button" onClick={onCancel}>{words.cancel}</button>
      </p>
    </>
  );
}

export function DataTools() {
  const { store, words, today, commit, refresh, tell, notebook } = useDeck();
  const [open, setOpen] = useState(null); // "save" | "load" | "clear" | null
  const [saved, setSaved] = useState(null);
  const [note, setNote] = useState(null); // { text, undo? }
  const panel = useRef(null);
  useEffect(() => {
    if (open) panel.current.focus({ preventScroll: true });
  }, [open]);

  const stale = () => setNote(old => (old?.undo ? old : null)); // what can be taken back stays so
  const toggle = name => {
    stale();
    setOpen(open === name ? null : name);
  };
  const say = (text, undo) => {
    setNote({ text, undo });
    tell(text);
  };
  const save = () => {
    const text = store.export();
    const name = exportFile(text, today);
    setSaved({ text, name });
    stale();
    setOpen("save");
    tell(words.saved(name));
  };
  /** Change the whole record; the one from before can be had again. @param {() => string} act gives what to say */
  const change = act => {
    const old = store.doc;
    // Where there was nothing, the way back goes on to what was there before that.
    const further = !old.reviews.length && !Object.keys(old.cards).length && note?.undo;
    const text = act();
    refresh();
    setOpen(null);
    say(text, further || (() => {
      commit(old);
      say(words.restored);
    }));
  };
  const load = text => {
    const problem = check(text).problem;
    if (problem) return say(words.notLoadedText((notebook && words.fileProblems[problem]) || words.problems[problem]));
    change(() => {
      store.import(text);
      return words.loaded(store.doc.reviews.length);
    });
  };
  const clear = () => change(() => {
    store.reset();
    return words.cleared;
  });
  const button = (name, text, act, kind = "quiet", icon = null) => (
    <button type="button" class={kind} aria-expanded={open === name} onClick={act}>{icon}{text}</button>
  );
  return (
    <div class="record">
      <p class="data">
        {notebook ? words.localFile : words.local}
        {button("save", words.save, save, "quiet", <Icon name="i-download" />)}
        {button("load", words.load, () => toggle("load"))}
        {button("clear", words.clear, () => toggle("clear"), "quiet danger")}
      </p>
      {note && (
        <p class="record-note">
          {note.text}
          {note.undo && <button type="button" class="quiet" onClick={note.undo}><Icon name="i-undo" />{words.undo}</button>}
        </p>
      )}
      {open && (
        <div class="panel-box" ref={panel} tabIndex={-1} role="group" aria-label={words[open]}>
          {open === "save" && <Saved {...saved} />}
          {open === "load" && <Load onText={load} />}
          {open === "clear" && <Clear onClear={clear} onCancel={() => setOpen(null)} />}
        </div>
      )}
    </div>
  );
}
