/* The result of an explain: what was said before what was missed, delivery apart. */

import { Disc, Passage, Landing, useUid } from "./pieces.jsx";
import { Html } from "./html.jsx";
import { Yardstick } from "./rubric.jsx";
import { toStrong } from "./grading.js";

/** What the sentence under the verdict is made of; see words_notes.js. */
export function facts(record, judged, ticked) {
  const more = toStrong(record, ticked), open = record.rubric.filter(point => !ticked.has(point.id)).map(point => point.weight);
  const least = open.sort((a, b) => a - b).slice(0, more).reduce((sum, weight) => sum + weight, judged.points);
  return {
    label: judged.label, got: ticked.size, of: record.rubric.length, musts: record.rubric.filter(point => point.must).length,
    open: judged.missing.length, more, any: least * 5 >= judged.total * 4, wrong: judged.fatal.length,
    inTime: judged.inTime, seconds: judged.seconds, slot: judged.slot,
  };
}

function Delivery({ judged, manner, words }) {
  const said = manner && [manner.claim ? words.claimDone : words.claimOpen, manner.filler && words.fillerDone].filter(Boolean);
  if (!said && judged.seconds === null) return null;
  return (
    <dl class="delivery">
      {said && <div><dt>{words.inManner}</dt>{said.map(text => <dd key={text}>{text}</dd>)}</div>}
      {judged.seconds !== null && <div><dt>{words.time}</dt><dd>{words.timeOf(judged.seconds, judged.slot)}</dd></div>}
    </dl>
  );
}

/**
 * @param {{judged: object, ticked: Set<string>, manner: {claim: boolean, filler: boolean} | null, href: string | null}} props
 */
export function Outcome({ record, part, words, judged, ticked, manner, href }) {
  const id = useUid();
  const got = record.rubric.filter(point => ticked.has(point.id)), miss = record.rubric.filter(point => !ticked.has(point.id));
  return (
    <section class="outcome" aria-labelledby={id}>
      <Landing id={id} disc={judged.label}>{words[judged.label]}</Landing>
      <p class="score"><b>{judged.points}</b><span> / {judged.total}</span></p>
      <p class="outcome-note">{words.note(facts(record, judged, ticked))}</p>
      <ul class="points">
        {got.map(point => <li class="got" key={point.id}><Disc of="got" /><Html of={point.point} part={part} /></li>)}
        {judged.fatal.map(n => (
          <li class="fatal-said" key={n}><Disc of="fatal" /><Html of={record.fatal[n]} part={part} /><span class="tag">{words.fatalSaid}</span></li>
        ))}
        {miss.map(point => (
          <li class="miss" key={point.id}>
            <Disc of="miss" /><Html of={point.point} part={part} />{point.must && <span class="must">{words.must}</span>}
          </li>
        ))}
      </ul>
      {(miss.length > 0 || judged.fatal.length > 0) && <Passage href={href} words={words} />}
      <Delivery judged={judged} manner={manner} words={words} />
    </section>
  );
}

/** Who looked at the answers first: no verdict, the points to read, nothing counted. */
export function Seen({ record, part, words, href }) {
  const id = useUid();
  return (
    <section class="outcome" aria-labelledby={id}>
      <Landing id={id} disc="seen">{words.seenHead}</Landing>
      <p class="outcome-note">{words.seenNote}</p>
      <Yardstick record={record} part={part} words={words} />
      <Passage href={href} words={words} />
    </section>
  );
}
