/* The end of a sitting: what was done, what comes back when, where to read again. */

import { useEffect, useMemo, useState } from "preact/hooks";

import { useDeck, useHeading } from "./context.js";
import { Html } from "./html.jsx";
import { Notices } from "./notices.jsx";
import { Icon, useUid } from "./pieces.jsx";
import { paths, today as plan } from "./plan.js";
import { forecast } from "./progress.js";
import { outcome, turn } from "./session.js";

const whole = minutes => Math.max(1, Math.round(minutes));

/** The parts of the bank these cards are in, by chapter. They were loaded a moment ago. */
function useParts(chapters) {
  const { part } = useDeck();
  const [parts, set] = useState({});
  useEffect(() => {
    let here = true;
    for (const slug of chapters) {
      part(slug).then(found => here && set(old => ({ ...old, [slug]: found })), () => {}); // then the topic has to do
    }
    return () => (here = false);
  }, []);
  return parts;
}

/** One line a card: the question, its kind, the grade it got, and the passage when it was not known. */
function Line({ one, card, part }) {
  const { index, words } = useDeck();
  const known = one.grade > 1;
  const record = part?.records[card.of ?? card.id];
  const ask = record?.ask ?? record?.items?.[0]?.ask;
  return (
    <li class={known ? "got" : "miss"}>
      <Icon name={known ? "i-check" : "i-question"} verdict={known ? "holds" : "untested"} />
      <span class="end-ask">
        {ask ? <Html of={ask} part={part} /> : index.topics[card.topic]}
        {!known && card.href && <a href={card.href} target="_blank" rel="noopener">{words.read}</a>}
      </span>
      <span class="end-kind">{words.kinds[card.kind]}</span>
      <b>{words.grades[one.grade - 1]}</b>
    </li>
  );
}

/** How it ended: stopped on the way, the path's end, free practice, or the day's. */
function title(session, path, words) {
  if (turn(session)) return words.endStopped;
  if (path?.finished && !session.free) return words.pathOver(words.pathNames[path.id]);
  return session.free ? words.endFree : words.endOver;
}

/** @param {{ session: import("./session.js").Session, onUndo: () => void, onStart: () => void }} props */
export function End({ session, onUndo, onStart }) {
  const { index, cards, doc, now, today, words } = useDeck();
  const heading = useHeading(true);
  const id = useUid();
  const done = useMemo(() => outcome(session), [session]);
  const parts = useParts([...new Set(done.map(one => cards.get(one.id).chapter))]);
  const rest = useMemo(() => plan(index, doc, doc.settings, now).ids.length, [index, doc, now]); // as the start page says it
  const minutes = session.done.reduce((sum, one) => sum + (one.seconds ?? 0), 0) / 60;
  const aloud = done.filter(one => one.aloud).length;
  const path = useMemo(() => paths(index, doc.settings, doc, now).find(one => one.id === doc.settings.path), [index, doc, now]);
  const next = useMemo(() => forecast(doc, index, now).find(one => one.day > today && one.count), [doc, index, now, today]);
  return (
    <div class="practice practice-end">
      <Notices />
      <section class="today" aria-labelledby={id}>
        <h2 id={id} ref={heading} tabIndex={-1}>{title(session, path, words)}</h2>
        {done.length > 0 && <p>{words.endNote(done.length, whole(minutes))}{aloud > 0 && words.endAloud(aloud)}</p>}
        {session.later && <p>{words.putOff}</p>}
        {rest > 0 && !session.free && <p>{words.endRest(rest)}</p>}
        <p>{next ? words.nextDay(next.day, today, next.count, whole(next.minutes)) : words.nothingAhead}</p>
        <div class="actions">
          <button type="button" class="button primary" onClick={onStart}>{words.toStart}</button>
          {session.before && <button type="button" class="quiet" onClick={onUndo}><Icon name="i-undo" />{words.undo}</button>}
        </div>
      </section>
      {done.length > 0 && (
        <section>
          <h2>{words.endList}</h2>
          <ul class="points">
            {done.map(one => <Line key={one.id} one={one} card={cards.get(one.id)} part={parts[cards.get(one.id).chapter]} />)}
          </ul>
        </section>
      )}
    </div>
  );
}
