/* An incident: decide what to measure, see what that shows, name the cause. */

import { useState } from "preact/hooks";

import { Ask, Cond, Disc, Fold, Landing, Passage, useArrival, useUid } from "./pieces.jsx";
import { Grades } from "./grades.jsx";
import { Head } from "./head.jsx";
import { Html } from "./html.jsx";
import { diagnosis } from "./grading.js";
import { useFinish } from "./finish.js";

const HEADS = { right: "causeRight", acceptable: "causeGuess", wrong: "causeIs" };

export function Diagnose({ card, record, part, words, shell, intervals, clock, say, onDone, resume }) {
  const id = useUid(), finish = useFinish(clock, onDone, resume);
  const [chosen, choose] = useState(resume?.chosen ?? new Set());
  const [seen, see] = useState(resume?.seen ?? []);
  const [cause, name] = useState(resume?.cause ?? null);
  const [done, end] = useState(resume?.done ?? null);
  const [arrived, arrive] = useState(0);
  const newest = useArrival(arrived);
  const measurement = Object.fromEntries(record.measurements.map(one => [one.id, one]));
  const fresh = [...chosen].filter(one => !seen.includes(one));
  const measure = () => {
    say(fresh.map(one => measurement[one].shows.replace(/<[^>]*>/g, "")).join(" "));
    see([...seen, ...fresh]);
    arrive(arrived + 1);
  };
  const answer = () => {
    const next = diagnosis(record, seen, cause);
    say(words[HEADS[next.verdict]]);
    end(next);
  };
  const toggle = one => {
    const next = new Set(chosen);
    next.delete(one) || next.add(one);
    choose(next);
  };
  const shown = one => [["yes", words.shows, measurement[one].shows]];
  const explained = one => (
    <li key={one.id}>
      <p class="point"><Disc of={one.right ? "right" : "fatal"} /><Html of={one.text} part={part} /></p>
      {one.id === cause && <span class="rubric-meta"><span class="tag">{words.yourChoice}</span></span>}
      <Cond part={part} rows={[
        [one.right ? "yes" : "no", words.why, one.why],
        one.ruledOutBy && ["no", words.ruledOutBy, `${measurement[one.ruledOutBy].name}${words.colon}${measurement[one.ruledOutBy].shows}`],
      ]} />
    </li>
  );
  const right = record.causes.find(one => one.right), mine = record.causes.find(one => one.id === cause);
  const others = record.causes.filter(one => one !== right && one !== mine);
  return (
    <>
      <section class="card" aria-label={words.question}>
        <Head card={card} words={words} shell={shell} />
        <Ask of={record.ask} part={part} written />
        <div class="answer">
          <h2>{words.measure}</h2>
          <p class="fine">{words.measureNote}</p>
          <ul class="rubric measures">
            {record.measurements.map(one => (
              <li key={one.id} tabIndex={-1} ref={one.id === seen.at(-1) ? newest : undefined}>
                <label class="tick">
                  <input type="checkbox" checked={chosen.has(one.id)} disabled={seen.includes(one.id) || Boolean(done)} onChange={() => toggle(one.id)} />
                  <Html of={one.name} part={part} class="point" />
                </label>
                {seen.includes(one.id) && <Cond part={part} rows={shown(one.id)} />}
              </li>
            ))}
          </ul>
          {!done && (
            <p class="actions">
              <button type="button" class={seen.length ? "button" : "button primary"} disabled={!fresh.length} onClick={measure}>
                {seen.length ? words.measureMore : words.measureDo}
              </button>
            </p>
          )}
        </div>
        {seen.length > 0 && (
          <div class="marking">
            <fieldset class="choices" disabled={Boolean(done)} data-options>
              <legend>{words.cause}</legend>
              {record.causes.map(one => (
                <label key={one.id} class="pick">
                  <input type="radio" name={id} checked={cause === one.id} onChange={() => name(one.id)} />
                  <Html of={one.text} part={part} />
                </label>
              ))}
            </fieldset>
            {!done && <p class="actions"><button type="button" class="button primary" disabled={!cause} onClick={answer}>{words.causeDo}</button></p>}
          </div>
        )}
      </section>
      {done && (
        <section class="outcome" aria-labelledby={`${id}-outcome`}>
          <Landing id={`${id}-outcome`} disc={done.verdict}>{words[HEADS[done.verdict]]}</Landing>
          <Html as="p" class="outcome-note" of={record.solution} part={part} />
          <ol class="rubric">{mine !== right && explained(mine)}{explained(right)}</ol>
          {done.open.length > 0 && (
            <>
              <p class="fine">{done.verdict === "wrong" ? words.neededNote : words.guessNote}</p>
              <ul class="rubric">
                {done.open.map(one => (
                  <li key={one}><p class="point"><Disc of="miss" /><Html of={measurement[one].name} part={part} /></p><Cond part={part} rows={shown(one)} /></li>
                ))}
              </ul>
            </>
          )}
          {others.length > 0 && <Fold title={words.otherCauses}><ol class="rubric">{others.map(explained)}</ol></Fold>}
          <Passage href={card.href} words={words} />
        </section>
      )}
      {done && (
        <Grades proposed={done.proposed} why={done.why} intervals={intervals} words={words} shell={shell}
          onGrade={finish({ verdict: done.verdict, proposed: done.proposed, why: done.why, points: done.verdict === "wrong" ? 0 : 1, total: 1, missing: done.open }, { chosen, seen, cause, done })} />
      )}
    </>
  );
}
