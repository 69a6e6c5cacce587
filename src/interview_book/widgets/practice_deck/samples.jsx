/* Model answers, and the three samples with what each earns. */

import { Disc, Fold, useArrival, useUid } from "./pieces.jsx";
import { Html, Said } from "./html.jsx";
import { SLOTS } from "./grading.js";

/** The model answer of one length. */
export function Model({ record, part, slot, words, open = false, arrived = false }) {
  const here = useArrival(arrived), short = slot === SLOTS[0];
  const fold = (
    <Fold title={short ? words.answer30 : words.answer120} open={open}><Said of={short ? record.answer30 : record.answer120} part={part} /></Fold>
  );
  return arrived ? <div ref={here} tabIndex={-1}>{fold}</div> : fold;
}

/** The sentence to begin with in an English round. `first`: the interview is in English, so it gets a heading of its own. */
export function English({ record, words, first = false }) {
  const id = useUid();
  return first ? (
    <section class="next" aria-labelledby={id}>
      <h2 id={id}>{words.english}</h2>
      <p class="said" lang="en">{record.english}</p>
    </section>
  ) : <p class="q-english"><span>{words.english}</span><bdi lang="en">{record.english}</bdi></p>;
}

const Earned = ({ record, sample, part, words }) => sample.earns.length || sample.fatal.length ? (
  <ul class="points" aria-label={words.earns}>
    {record.rubric.filter(point => sample.earns.includes(point.id)).map(point => (
      <li class="got" key={point.id}><Disc of="got" /><Html of={point.point} part={part} /></li>
    ))}
    {sample.fatal.map(n => <li key={n}><Disc of="fatal" /><Html of={record.fatal[n]} part={part} /></li>)}
  </ul>
) : <p class="fine">{words.earnsNone}</p>;

/** One sample: its verdict, its words, what it earns and why. */
const Sample = ({ record, sample, part, words }) => (
  <figure class="sample">
    <figcaption><Disc of={sample.name} /><b>{words[sample.name]}</b><span>{sample.points} / {sample.total}</span></figcaption>
    <Said of={sample.text} part={part} as="blockquote" />
    <Earned record={record} sample={sample} part={part} words={words} />
    <Html as="p" class="why" of={sample.why} part={part} />
  </figure>
);

export const Samples = ({ record, part, words }) => (
  <Fold title={words.samples}>
    <div class="samples">
      {record.samples.map(sample => <Sample key={sample.name} record={record} sample={sample} part={part} words={words} />)}
    </div>
  </Fold>
);
