/* What an interviewer asks next: about what was missed, against what was said, or deeper where nothing was missed. */

import { useState } from "preact/hooks";

import { AskSmall, Fold, useArrival, useUid } from "./pieces.jsx";
import { Said } from "./html.jsx";

const FIRST = 2; // more follow-ups than an interview has time for wait in a fold
export const PUSH_BACK_RATE = 1 / 3;

const Asked = ({ one, part, words, label, arrived = false }) => {
  const here = useArrival(arrived);
  return (
    <div class="asked" ref={here} tabIndex={-1}>
      {label && <p class="q-meta"><span class="level">{label}</span></p>}
      <AskSmall of={one.ask} part={part} />
      <Fold title={words.goodAnswer}><Said of={one.answer} part={part} /></Fold>
    </div>
  );
};

/** The follow-ups of the points that were missed, `must` first, then by weight; one of each point comes before a second. */
export function followUps(record, ticked) {
  const missed = record.rubric.filter(point => !ticked.has(point.id)).sort((a, b) => b.must - a.must || b.weight - a.weight);
  const of = missed.map(point => record.followUps.filter(one => one.missing === point.id));
  return [...of.flatMap(all => all.slice(0, 1)), ...of.flatMap(all => all.slice(1))];
}

/** @param {{drawn: boolean}} props whether the push-back comes by itself or is offered */
export function FollowUps({ record, part, words, ticked, drawn }) {
  const id = useUid();
  const [pushed, push] = useState(drawn);
  const asked = followUps(record, ticked), rest = asked.slice(FIRST);
  return (
    <section class="next" aria-labelledby={id}>
      <h2 id={id}>{words.followUps}</h2>
      {asked.slice(0, FIRST).map(one => <Asked key={one.id} one={one} part={part} words={words} />)}
      {!asked.length && <Asked one={record.deeper} part={part} words={words} label={words.deeper} />}
      {rest.length > 0 && (
        <Fold title={words.moreFollowUps(rest.length)}>{rest.map(one => <Asked key={one.id} one={one} part={part} words={words} />)}</Fold>
      )}
      {pushed ? <Asked one={record.pushBack} part={part} words={words} label={words.pushBack} arrived={!drawn} />
        : <p class="actions"><button type="button" class="button" onClick={() => push(true)}>{words.tryPushBack}</button></p>}
    </section>
  );
}
