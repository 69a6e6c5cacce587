/* One of several options. The chosen one gives its misconception back, then the right one says why. */

import { useState } from "preact/hooks";

import { AGAIN, GOOD } from "./grading.js";
import { Ask, Cond, Disc, Fold, Landing, Passage, useUid } from "./pieces.jsx";
import { Grades } from "./grades.jsx";
import { Head } from "./head.jsx";
import { Html } from "./html.jsx";
import { useFinish } from "./finish.js";

const LETTERS = "ABCDEFGH";

/** An option with its letter, and after the answer its disc and what is said about it. */
const Explained = ({ option, letter, part, words, mine }) => (
  <li>
    <p class="point"><Disc of={option.right ? "right" : "fatal"} /><span class="letter">{letter}.</span> <Html of={option.text} part={part} /></p>
    {mine && <span class="rubric-meta"><span class="tag">{words.yourChoice}</span></span>}
    <Cond part={part} rows={[
      !option.right && ["no", words.misconception, option.misconception], [option.right ? "yes" : "no", words.why, option.why],
    ]} />
  </li>
);

export function Choice({ card, record, part, words, shell, intervals, clock, say, onDone, resume }) {
  const name = useUid(), finish = useFinish(clock, onDone, resume);
  const [picked, pick] = useState(resume?.picked ?? null);
  const [done, end] = useState(Boolean(resume));
  const right = record.options.findIndex(option => option.right), correct = picked === right;
  const answer = () => {
    say(correct ? words.right : words.answerIs(LETTERS[right]));
    end(true);
  };
  const entry = n => <Explained key={n} option={record.options[n]} letter={LETTERS[n]} part={part} words={words} mine={n === picked} />;
  const others = record.options.map((_, n) => n).filter(n => n !== picked && n !== right);
  const outcome = correct ? { verdict: "right", proposed: GOOD, why: "right" } : { verdict: "wrong", proposed: AGAIN, why: "wrong" };
  return (
    <>
      <section class="card" aria-label={words.question}>
        <Head card={card} words={words} shell={shell} />
        <Ask of={record.ask} part={part} written />
        <fieldset class="choices" disabled={done} data-options>
          <legend class="visually-hidden">{words.choose}</legend>
          {record.options.map((option, n) => (
            <label key={option.id} class="pick">
              <input type="radio" name={name} checked={picked === n} onChange={() => pick(n)} />
              <span class="letter">{LETTERS[n]}.</span>
              <Html of={option.text} part={part} />
            </label>
          ))}
        </fieldset>
        {!done && <p class="actions"><button type="button" class="button primary" disabled={picked === null} onClick={answer}>{words.answer}</button></p>}
      </section>
      {done && (
        <section class="outcome" aria-labelledby={`${name}-outcome`}>
          <Landing id={`${name}-outcome`} disc={outcome.verdict}>{correct ? words.right : words.answerIs(LETTERS[right])}</Landing>
          <ol class="rubric">{!correct && entry(picked)}{entry(right)}</ol>
          {others.length > 0 && <Fold title={words.otherOptions}><ol class="rubric">{others.map(entry)}</ol></Fold>}
          <Passage href={card.href} words={words} />
        </section>
      )}
      {done && <Grades proposed={outcome.proposed} why={outcome.why} intervals={intervals} words={words} shell={shell} onGrade={finish({ ...outcome, points: correct ? 1 : 0, total: 1 }, { picked })} />}
    </>
  );
}
