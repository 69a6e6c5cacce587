/* The practice deck: start → study → end, one record, one live region. Says nothing of where the record is kept. */

import { Component, render } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";

import { Deck } from "./context.js";
import { End } from "./end.jsx";
import { keepFocus } from "./focus.js";
import { keepPlan, putOff } from "./plan.js";
import { record, settle as settled, undo } from "./progress.js";
import { studyDay } from "./schedule.js";
import { answer, back, begin, postpone, skip, turn } from "./session.js";
import { Start } from "./start.jsx";
import { Study } from "./study.jsx";
import { dayNumber, startOf } from "./study_days.js";
import { words as table } from "./words.js";

/** What the reader sees when a part of the deck fails: a sentence, never an empty page. */
class Guard extends Component {
  componentDidCatch(error) {
    console.error(error);
    this.setState({ broken: true });
  }

  render({ words, notebook, children }, { broken }) {
    const text = notebook ? words.brokenCell : words.broken;
    return broken ? <div class="practice"><p class="notice" role="alert">{text}</p></div> : children;
  }
}

/** The record as the store has it now, and how to change it. */
function useRecord(store) {
  const [, redraw] = useState(0);
  const refresh = useCallback(() => redraw(n => n + 1), []);
  useEffect(() => store.subscribe?.(refresh), [store]);
  const commit = useCallback(doc => {
    store.save(doc);
    refresh();
  }, [store]);
  return { doc: store.doc, commit, refresh };
}

/** The time, read again when the reader comes back to the page, and when the study day turns while he is there. */
function useNow(clock) {
  const [now, set] = useState(clock);
  const look = useCallback(() => set(clock()), [clock]);
  useEffect(() => {
    const seen = () => document.visibilityState === "visible" && look();
    document.addEventListener("visibilitychange", seen);
    return () => document.removeEventListener("visibilitychange", seen);
  }, []);
  useEffect(() => {
    const timer = setTimeout(look, Math.max(1000, startOf(dayNumber(now) + 1) - clock()));
    return () => clearTimeout(timer);
  }, [now]);
  return [now, look];
}

function App({ index, part, store, language, links = {}, clock = Date.now, random = Math.random, notebook = false, first, words }) {
  const { doc, commit, refresh } = useRecord(store);
  const [now, look] = useNow(clock);
  const asked = first !== undefined && index.cards.some(card => card.id === first);
  const [session, setSession] = useState(() => (asked ? begin([first], clock(), true) : null));
  const [screen, setScreen] = useState(asked ? "study" : "start");
  const [told, setTold] = useState("");
  const moved = useRef(false), root = useRef(null);
  useEffect(() => keepFocus(root.current), []);
  const cards = useMemo(() => new Map(index.cards.map(card => [card.id, card])), [index]);

  // Emptied first, so that the same sentence is said again.
  const tell = useCallback(text => {
    setTold("");
    setTimeout(() => setTold(text), 40);
  }, []);
  const settle = useCallback(changes => commit(settled(store.doc, changes, clock(), index)), [store, index]);
  const go = name => {
    moved.current = true;
    look();
    setScreen(name);
  };
  const open = (ids, free) => {
    setSession(begin(ids, clock(), free));
    go("study");
  };
  const graded = (id, result, kept) => {
    // For an interview in English one answers in English, whatever the page speaks.
    const spoken = store.doc.settings.language === "en" ? "en" : language;
    const at = clock();
    commit(record(keepPlan(store.doc, index, at), { ...result, id, now: at, language: spoken }));
    const next = answer(session, { ...result, id }, kept);
    setSession(next);
    if (!turn(next)) go("end");
    return next;
  };
  const undone = () => {
    if (!session?.before) return;
    commit(undo(store.doc));
    setSession(back(session));
    tell(words.undone);
    if (screen !== "study") go("study");
  };
  const leave = one => go(one.before ? "end" : "start"); // where there is something to take back
  const stop = () => leave(session);
  const passed = next => {
    setSession(next);
    if (!turn(next)) leave(next);
  };
  const later = id => {
    const at = clock();
    commit(putOff(keepPlan(store.doc, index, at), id, at));
    passed(postpone(session));
  };

  const today = studyDay(now);
  const deck = { index, part, cards, doc, now, today, language, words, links, notebook, store, commit, settle, refresh, tell, clock, random };
  return (
    <Deck.Provider value={deck}>
      <div class="deck" ref={root} lang={language} data-lm-suppress-shortcuts={notebook ? "true" : undefined}>
        <p class="visually-hidden" role="status">{told}</p>
        {screen === "start" && <Start onOpen={open} arrived={moved.current} />}
        {screen === "study" && (
          <Study session={session} onGrade={graded} onUndo={undone} onStop={stop} onSkip={() => passed(skip(session))} onLater={later} />
        )}
        {screen === "end" && <End session={session} onUndo={undone} onStart={() => go("start")} />}
      </div>
    </Deck.Provider>
  );
}

/**
 * Show the deck in an element.
 * @param {HTMLElement} element
 * @param {{ index: object, part: (slug: string) => Promise<object>, store: object, language: string,
 *   links?: { other?: string, anki?: Array<{ href: string, label: string }> }, clock?: () => number,
 *   random?: () => number, notebook?: boolean, first?: string }} options links that are absent are not shown; first: the
 *   id of a question to begin with
 * @returns {() => void} take it away again
 */
export function mountDeck(element, options) {
  const words = table(options.language);
  render(<Guard words={words} notebook={options.notebook}><App {...options} words={words} /></Guard>, element);
  return () => render(null, element);
}
