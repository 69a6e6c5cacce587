/* A sample to grade: which points does it earn, which statements spoil it? Then point by point against the record. */

import { useState } from "preact/hooks";

import { Ask, Disc, Landing, Passage, useUid } from "./pieces.jsx";
import { Fatal, Rubric } from "./rubric.jsx";
import { Grades } from "./grades.jsx";
import { Head } from "./head.jsx";
import { Html, Said } from "./html.jsx";
import { compare } from "./grading.js";
import { useFinish } from "./finish.js";

/** One row: the point, and in words who saw it how. Where both agree it comes with a tick, else with the dotted ring. */
const Row = ({ of, agree, note, part }) => (
  <li class={agree ? "got" : "miss"}><Disc of={agree ? "got" : "miss"} /><Html of={of} part={part} /><span class="tag">{note}</span></li>
);

export function GradeCard({ card, record, part, words, shell, intervals, clock, say, onDone, resume }) {
  const id = useUid(), finish = useFinish(clock, onDone, resume);
  const sample = record.samples.find(one => one.name === card.sample);
  const [ticked, tick] = useState(resume?.ticked ?? new Set());
  const [fatal, tickFatal] = useState(resume?.fatal ?? new Set());
  const [done, end] = useState(resume?.done ?? null);
  const head = done && (done.verdict === "right" ? words.agreeAll : words.agreed(done.agreed, done.of));
  const judge = () => {
    const next = compare(record, sample, ticked, fatal);
    say(next.verdict === "right" ? words.agreeAll : words.agreed(next.agreed, next.of));
    end(next);
  };
  const text = <blockquote class="graded"><Said of={sample.text} part={part} /></blockquote>;
  if (done) {
    const point = Object.fromEntries(record.rubric.map(one => [one.id, one.point]));
    const note = one => (one.agree ? (one.earned ? words.bothEarned : words.bothOpen) : one.mine ? words.onlyMine : words.onlyTheirs);
    const rows = [
      ...done.rows.map(one => ({ key: one.id, of: point[one.id], agree: one.agree, note: note(one) })),
      ...done.fatal.filter(one => one.mine || one.said).map(one => ({
        key: one.n, of: record.fatal[one.n], agree: one.agree, note: one.agree ? words.saidBoth : one.said ? words.saidMissed : words.saidNot,
      })),
    ];
    return (
      <>
        <section class="outcome" aria-labelledby={id}>
          <Landing id={id} disc={done.verdict === "right" ? "right" : done.verdict}>{head}</Landing>
          <p class="score"><b>{done.agreed}</b><span> / {done.of}</span></p>
          <p class="outcome-note">{words.agreeNote(words[sample.name], sample.points, sample.total)}</p>
          {text}
          <ul class="points notes">
            {[...rows.filter(one => one.agree), ...rows.filter(one => !one.agree)].map(row => <Row {...row} part={part} />)}
          </ul>
          <Html as="p" class="why" of={sample.why} part={part} />
          <Passage href={card.href} words={words} />
        </section>
        <Grades proposed={done.proposed} why={done.why} intervals={intervals} words={words} shell={shell}
          onGrade={finish({ verdict: done.verdict, proposed: done.proposed, why: done.why, points: done.agreed, total: done.of }, { ticked, fatal, done })} />
      </>
    );
  }
  return (
    <section class="card" aria-label={words.question}>
      <Head card={card} words={words} shell={shell} />
      <Ask of={record.ask} part={part} />
      <div class="answer"><h2>{words.gradeHead}</h2>{text}</div>
      <div class="marking">
        <h2>{words.gradeTick}</h2>
        <p class="fine">{words.gradeNote}</p>
        <Rubric record={record} part={part} words={words} ticked={ticked} onTick={tick} />
        <Fatal record={record} part={part} words={words} title={words.gradeFatal} fatal={fatal} onTick={tickFatal} />
      </div>
      <p class="actions"><button type="button" class="button primary" onClick={judge}>{words.gradeSubmit}</button></p>
    </section>
  );
}
