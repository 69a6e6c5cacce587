/* One sitting: where one is, how much is left, the card, and the way back. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { Card } from "./ask.jsx";
import { settleOn, useDeck } from "./context.js";
import { listen } from "./keys.js";
import { Notices } from "./notices.jsx";
import { Fold, Icon } from "./pieces.jsx";
import { Dots } from "./paths.jsx";
import { readRow } from "./rows.js";
import { limits } from "./plan.js";
import { intervals, studyDay } from "./schedule.js";
import { mayReturn, secondsLeft, turn } from "./session.js";

/** The part of the bank this card is in: loading, there, or failed with a way to try again. @param {string} chapter */
function usePart(chapter) {
  const { part } = useDeck();
  const [state, set] = useState({});
  const [attempt, again] = useState(0);
  useEffect(() => {
    let current = true;
    set(old => (old.part?.chapter === chapter ? old : {}));
    part(chapter).then(
      found => current && set({ part: found }),
      error => (console.warn(error), current && set({ failed: true })),
    );
    return () => (current = false);
  }, [chapter, attempt]);
  const there = state.part?.chapter === chapter ? state : { failed: state.failed };
  return { ...there, retry: () => (set({}), again(attempt + 1)) };
}

/** Stop, place, dots, time left; what the last answer did, with undo. */
function Run({ session, last, onStop, onUndo }) {
  const { cards, words } = useDeck();
  const [at, of] = words.at(session.at + 1, session.queue.length);
  return (
    <div class="run">
      <button type="button" class="quiet" onClick={onStop}><Icon name="i-close" />{words.stop}</button>
      <p class="run-at">{at}<span>{of}</span></p>
      <Dots of={session.queue.length} done={session.at} />
      {turn(session)?.again && <span class="level">{words.again}</span>}
      <p class="run-left">{words.left(Math.max(1, Math.round(secondsLeft(session, cards) / 60)))}</p>
      {(last || session.before) && (
        <p class="run-last">
          <span>{last}</span>
          {session.before && <button type="button" class="quiet" aria-keyshortcuts="u" onClick={onUndo}><Icon name="i-undo" />{words.undo}</button>}
        </p>
      )}
    </div>
  );
}

function NotLoaded({ onRetry, onSkip }) {
  const { words, notebook } = useDeck();
  return (
    <section class="card" role="alert">
      <p class="notice">{notebook ? words.notLoadedKernel : words.notLoaded}</p>
      <p class="actions">
        <button type="button" class="button primary" onClick={onRetry}>{words.retry}</button>
        <button type="button" class="button" onClick={onSkip}>{words.skip}</button>
      </p>
    </section>
  );
}

/** The earlier reviews of a card: how many, and how many of them reached the line. */
function earlier(doc, id) {
  let rows = null;
  const read = () => (rows ??= doc.reviews.filter(row => row[1] === id).map(readRow));
  return { get reviews() { return read().length; }, get passed() { return read().filter(row => row.grade > 1).length; } };
}

/**
 * @param {{ session: import("./session.js").Session, onGrade: (id: string, result: object) => object,
 *   onUndo: () => void, onStop: () => void, onSkip: () => void, onLater: (id: string) => void }} props onGrade gives the
 *   session after it; its third argument is how the card stood; onLater: the card is for another day
 */
export function Study({ session, onGrade, onUndo, onStop, onSkip, onLater }) {
  const deck = useDeck();
  const { cards, doc, store, language, words, notebook, tell, clock, random } = deck;
  const frame = useRef(null);
  const [last, setLast] = useState("");
  const [before] = useState(() => new Set(store.notices.map(one => one.kind)));
  const now = turn(session);
  const card = cards.get(now?.id);
  const { part, failed, retry } = usePart(card.chapter);
  const record = part?.records[card.of ?? card.id];
  const resume = session.resume;
  const key = `${session.at}:${card.id}${resume ? ":again" : ""}`;

  const takeBack = () => {
    if (session.before) setLast(""); // it told of what is no more
    onUndo();
  };
  const undo = useRef(takeBack);
  undo.current = takeBack;
  useEffect(() => listen(frame.current, { everywhere: !notebook, onUndo: () => undo.current() }), []);
  useEffect(() => {
    // A card that is shown as it stood puts the focus on its result itself.
    if (record && !resume) settleOn(frame.current.querySelector(".card .q-ask") ?? frame.current.querySelector(".run-at"), frame.current);
  }, [key, Boolean(record)]);

  const at = clock();
  const state = doc.cards[card.id];
  // Read when a card asks for it: few do, and after years of answers it takes milliseconds.
  const history = useMemo(() => earlier(doc, card.id), [doc, card]);
  const soon = mayReturn(session);
  const offers = intervals(state, at, limits(doc.settings, at)).map(one => ({ ...one, soon: one.grade === 1 && soon }));
  const told = text => {
    setLast(text);
    tell(text);
  };
  const done = (result, kept) => {
    if (result.later) {
      onLater(card.id);
      told(words.putOff);
      return;
    }
    const next = onGrade(card.id, result, kept);
    const { grade } = result;
    const text = next.done.at(-1).returns
      ? words.comesBack
      : words.graded(words.grades[grade - 1], words.when(studyDay(offers[grade - 1].due), studyDay(at)));
    told(text);
  };
  return (
    <div class="practice practice-card" ref={frame}>
      <Run session={session} last={last} onStop={onStop} onUndo={takeBack} />
      <Notices except={before} />
      {failed || (part && !record) ? <NotLoaded onRetry={retry} onSkip={onSkip} /> : !record ? <p class="loading fine">{words.loading}</p> : (
        <Card
          key={key} card={card} record={record} part={part} language={language} words={words} silent={doc.settings.silent}
          say={tell} onDone={done} clock={clock} random={random} intervals={offers} notebook={notebook} resume={resume}
          history={history} english={doc.settings.language === "en"}
        />
      )}
      <div class="keys"><Fold title={words.keys}>
        <dl class="key-list">{words.keyList.map(([name, does]) => <div key={name}><dt><kbd>{name}</kbd></dt><dd>{does}</dd></div>)}</dl>
      </Fold></div>
    </div>
  );
}
