/* The yardstick: points to tick, each with what counts and what does not, and statements that cap the verdict. */

import { Cond } from "./pieces.jsx";
import { Html } from "./html.jsx";

const toggled = (set, one) => {
  const next = new Set(set);
  return next.delete(one) ? next : next.add(one);
};

/** Must or not, and the weight as dots and as a number. */
export const PointMeta = ({ point, words }) => (
  <span class="rubric-meta">
    {point.must && <span class="must">{words.must}</span>}
    <span class="weight">
      <span aria-hidden="true" class="pips">{Array.from({ length: point.weight }, (_, n) => <i key={n} />)}</span>
      <span>{words.weight(point.weight)}</span>
    </span>
  </span>
);

/** @param {{ticked: Set<string>, onTick: (next: Set<string>) => void}} props */
export const Rubric = ({ record, part, words, ticked, onTick }) => (
  <ol class="rubric">
    {record.rubric.map(point => (
      <li key={point.id}>
        <label class="tick">
          <input type="checkbox" checked={ticked.has(point.id)} onChange={() => onTick(toggled(ticked, point.id))} />
          <Html of={point.point} part={part} class="point" />
        </label>
        <PointMeta point={point} words={words} />
        <Cond part={part} rows={[["yes", words.counts, point.counts], ["no", words.lacks, point.lacks]]} />
      </li>
    ))}
  </ol>
);

/** The same to read, with nothing to tick. */
export const Yardstick = ({ record, part, words }) => (
  <ol class="rubric">
    {record.rubric.map(point => (
      <li key={point.id}>
        <Html as="p" of={point.point} part={part} class="point" />
        <PointMeta point={point} words={words} />
        <Cond part={part} rows={[["yes", words.counts, point.counts], ["no", words.lacks, point.lacks]]} />
      </li>
    ))}
  </ol>
);

/** Statements that make any answer weak, in a fold that says how many are ticked. */
export const Fatal = ({ record, part, words, title, fatal, onTick }) => (
  <details class="fold">
    <summary><span>{fatal.size ? words.fatalChosen(title, fatal.size) : title}</span></summary>
    <div class="fold-body">
      <div class="fatal">
        <p>{words.fatalNote}</p>
        <ul>
          {record.fatal.map((text, n) => (
            <li key={n}>
              <label class="tick">
                <input type="checkbox" checked={fatal.has(n)} onChange={() => onTick(toggled(fatal, n))} />
                <Html of={text} part={part} />
              </label>
            </li>
          ))}
        </ul>
      </div>
    </div>
  </details>
);
