/* A question as it is spoken: answer first, then tick what was said, then see the verdict and what others said. */

import { useRef, useState } from "preact/hooks";

import { Ask, Icon, Landing, useUid } from "./pieces.jsx";
import { English, Model, Samples } from "./samples.jsx";
import { Fatal, Rubric } from "./rubric.jsx";
import { FollowUps, PUSH_BACK_RATE } from "./follow.jsx";
import { Grades } from "./grades.jsx";
import { Head } from "./head.jsx";
import { Outcome, Seen, facts } from "./result.jsx";
import { SLOTS, AGAIN, proposal, total, verdict } from "./grading.js";
import { Segments, Written, Writing } from "./answering.jsx";
import { Timer, useTimer } from "./timer.jsx";
import { useFinish } from "./finish.js";

// How the last question was answered: who writes, or takes two minutes, goes on so. Forgotten with the page.
const habit = { mode: "say", slot: SLOTS[0] };

const HEADS = { say: ["tick", "tickNote"], write: ["tickWritten", "writtenNote"], think: ["tickThought", "thoughtNote"] };

/** Phases: ask → speak → mark → result, or from ask straight to seen. `resume` is how it stood when it was graded. */
export function Explain({ card, record, part, words, shell, silent, english, intervals, history, clock, random, say, onDone, resume }) {
  const [phase, enter] = useState(resume?.phase ?? "ask");
  const [mode, setMode] = useState(resume?.mode ?? (silent ? "think" : habit.mode));
  const [slot, setSlot] = useState(resume?.slot ?? habit.slot);
  const [text, write] = useState(resume?.text ?? "");
  const [ticked, tick] = useState(resume?.ticked ?? new Set());
  const [fatal, tickFatal] = useState(resume?.fatal ?? new Set());
  const [manner, setManner] = useState(resume?.manner ?? { claim: false, filler: false });
  const [model, showModel] = useState(false);
  const timer = useTimer(clock, resume?.spoken);
  const finish = useFinish(clock, onDone, resume), [drawn] = useState(() => resume?.drawn ?? random() < PUSH_BACK_RATE);
  const name = useUid(), main = useRef(null);

  const seconds = mode === "say" && !timer.running ? timer.seconds : null;
  const choose = next => {
    setMode(habit.mode = next);
    enter("ask");
    timer.clear();
  };
  const speak = again => {
    // A second try is another answer: what was ticked belongs to the first.
    tick(new Set());
    tickFatal(new Set());
    enter("speak");
    timer.start();
    // The button that was pressed is gone.
    if (again) main.current?.focus({ preventScroll: true });
  };
  const mark = () => {
    if (timer.running) timer.stop();
    enter("mark");
  };
  const judged = verdict(record, ticked, fatal, seconds, slot);
  const judge = () => {
    say(`${words[judged.label]}${words.stopSign}${words.note(facts(record, judged, ticked))}`);
    enter("result");
  };

  if (phase === "result" || phase === "seen") {
    const seen = phase === "seen", { proposed, why } = seen ? { proposed: AGAIN, why: "seen" } : proposal(judged, history.passed);
    const done = finish({
      verdict: seen ? "seen" : judged.label, proposed, why, aloud: !seen && mode === "say", total: total(record), slot,
      ...(seen ? {} : { points: judged.points, missing: judged.missing, fatal: judged.fatal, spoken: seconds }),
    }, { phase, mode, slot, text, ticked, fatal, manner, drawn, spoken: timer.seconds });
    return (
      <>
        {seen ? <Seen record={record} part={part} words={words} href={card.href} />
          : <Outcome record={record} part={part} words={words} judged={judged} ticked={ticked} manner={mode === "think" ? null : manner} href={card.href} />}
        {english && <English record={record} words={words} first />}
        {!seen && <FollowUps record={record} part={part} words={words} ticked={ticked} drawn={drawn} />}
        <section class="next models" aria-labelledby={`${name}-models`}>
          <h2 id={`${name}-models`}>{words.models}</h2>
          {!english && <English record={record} words={words} />}
          {SLOTS.map(one => <Model key={one} record={record} part={part} slot={one} words={words} open={seen && one === slot} />)}
          <Samples record={record} part={part} words={words} />
        </section>
        {seen && <FollowUps record={record} part={part} words={words} ticked={ticked} drawn={false} />}
        <Grades proposed={proposed} why={why} intervals={intervals} words={words} shell={shell} onGrade={done}>
          {!seen && <button type="button" class="quiet" onClick={() => enter("mark")}><Icon name="i-undo" />{words.retick}</button>}
        </Grades>
      </>
    );
  }

  const [title, note] = HEADS[mode], ready = phase === "mark";
  return (
    <section class="card" aria-label={words.question}>
      <Head card={card} words={words} shell={shell} time={silent ? "" : words.slots} />
      <Ask of={record.ask} part={part} />
      {!(mode === "think" && ready) && (
        <div class="answer">
          <h2>{mode === "think" ? words.think : words.answerFirst}</h2>
          {english && <p class="fine">{words.inEnglish}</p>}
          {mode === "think" ? <p class="fine">{words.thinkNote}</p> : (
            <Segments name={name} words={words} mode={mode} slot={slot} off={phase === "speak"} onMode={choose} onSlot={next => setSlot(habit.slot = next)} />
          )}
          {mode === "say" && <Timer timer={timer} slot={slot} words={words} untimed={ready && timer.seconds === null} onAgain={ready ? () => speak(true) : null} />}
          {mode === "write" && !ready && <Writing words={words} slot={slot} text={text} onText={write} onDone={mark} />}
        </div>
      )}
      {ready && (
        <div class="marking">
          {mode === "write" && <Written text={text} words={words} onBack={() => enter("ask")} />}
          <Landing top={mode !== "write"}>{words[title]}</Landing>
          <p class="fine">{words[note]}</p>
          <Rubric record={record} part={part} words={words} ticked={ticked} onTick={tick} />
          <Fatal record={record} part={part} words={words} title={words.fatalFold} fatal={fatal} onTick={tickFatal} />
          {mode !== "think" && (
            <fieldset class="manner">
              <legend>{words.manner}</legend>
              {(mode === "say" ? ["claim", "filler"] : ["claim"]).map(key => (
                <label class="check" key={key}>
                  <input type="checkbox" checked={manner[key]} onChange={event => setManner({ ...manner, [key]: event.currentTarget.checked })} />
                  <span>{words[`${key}Tick`]}</span>
                </label>
              ))}
            </fieldset>
          )}
          {model && <Model record={record} part={part} slot={slot} words={words} open arrived />}
        </div>
      )}
      <p class="actions">
        {ready ? <Main button={main} onClick={judge} label={words.judge} next />
          : mode === "think" ? <Main onClick={mark} label={words.open} />
          : mode === "write" ? <Main onClick={mark} label={words.writeDone} off={!text.trim()} />
          : phase === "speak" ? <Main onClick={mark} label={words.stop} /> : <Main onClick={() => speak(false)} label={words.start} />}
        {phase === "ask" && mode === "say" && <button type="button" class="button" onClick={mark}>{words.skip}</button>}
        {phase === "ask" && <button type="button" class="button" onClick={() => enter("seen")}>{words.showAnswer}</button>}
        {ready && !model && <button type="button" class="button" onClick={() => showModel(true)}>{words.showAnswer}</button>}
      </p>
    </section>
  );
}

const Main = ({ button, onClick, label, off = false, next = false }) => (
  <button type="button" ref={button} class="button primary" disabled={off} onClick={onClick}>{label}{next && <Icon name="i-next" />}</button>
);
