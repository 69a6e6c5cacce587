/* A function to write in the notebook, and the result token that comes back. */

import { useState } from "preact/hooks";

import { GOOD } from "./grading.js";
import { Ask, Fold, Icon, Landing, Passage, useArrival, useUid } from "./pieces.jsx";
import { Grades } from "./grades.jsx";
import { Head } from "./head.jsx";
import { Html } from "./html.jsx";
import { composing } from "./keys.js";
import { copyText } from "./saving.js";
import { exampleToken, readToken } from "./token.js";
import { Unreadable } from "./typed.jsx";
import { useFinish } from "./finish.js";

function Code({ text, words, say }) {
  const [copied, set] = useState(null);
  const copy = async () => {
    const done = await copyText(text);
    set(done);
    say(done ? words.copied : words.notCopied);
  };
  return (
    <div class="code-block">
      <pre tabIndex={0}>{text}</pre>
      <button type="button" class="quiet" onClick={copy}><Icon name="i-copy" />{copied === null ? words.copy : copied ? words.copied : words.notCopied}</button>
    </div>
  );
}

/** The two lines that grade the function in a notebook. */
export const call = (id, name, language) =>
  `from interview_book.practice.coding import grade\n\ngrade("${id}", ${name}, language="${language}")`;

function Hint({ title, of, part }) {
  const here = useArrival(true);
  return <li ref={here} tabIndex={-1}><b>{title}</b><Html as="p" of={of} part={part} /></li>;
}

/** Graded hints: each is asked for, and stays. */
function Hints({ hints, part, words }) {
  const [open, show] = useState(0);
  if (!hints.length) return null;
  return (
    <div class="hints">
      <ol>{hints.slice(0, open).map((hint, n) => <Hint key={n} title={words.hintTitle(n + 1)} of={hint} part={part} />)}</ol>
      {open < hints.length && <button type="button" class="button" onClick={() => show(open + 1)}>{words.hint(open + 1, hints.length)}</button>}
    </div>
  );
}

export function Coding({ card, record, part, words, shell, language, notebook, intervals, clock, say, onDone, resume }) {
  const id = useUid(), finish = useFinish(clock, onDone, resume);
  const [text, write] = useState(resume?.text ?? "");
  const [read, settle] = useState(resume?.read ?? null);
  const done = read?.ok;
  const submit = () => {
    const next = readToken(text, card.id);
    settle(next);
    say(next.ok ? words.codeRight : next.reason === "empty" ? words.noToken : `${words.unreadable}${words.stopSign}${words.tokens[next.reason] ?? words.tokens.form}`);
  };
  const key = event => {
    if (event.key !== "Enter" || composing(event)) return;
    event.preventDefault();
    submit();
  };
  const end = { verdict: "right", proposed: GOOD, why: "right" };
  return (
    <>
      <section class="card" aria-label={words.question}>
        <Head card={card} words={words} shell={shell} />
        <Ask of={record.ask} part={part} written />
        <Code text={record.starter.trimEnd()} words={words} say={say} />
        {record.example && <Fold title={words.worked}><Html as="p" of={record.example} part={part} /></Fold>}
        <Hints hints={record.hints} part={part} words={words} />
        <div class="answer">
          <h2>{notebook ? words.inCell : words.inNotebook}</h2>
          {record.notebook && !notebook && <p class="actions"><a class="button" href={record.notebook} download>{words.toNotebook}</a></p>}
          <p class="fine">{notebook ? words.callHere : words.callNote}</p>
          <Code text={call(card.id, record.function, language)} words={words} say={say} />
        </div>
        {!done && (
          <form class="typed" onSubmit={event => event.preventDefault()}>
            <label for={id}>{words.token}</label>
            <input id={id} type="text" value={text} autocomplete="off" autocapitalize="none" spellcheck={false} aria-describedby={`${id}-note${read && !read.ok ? ` ${id}-unread` : ""}`}
              onInput={event => write(event.currentTarget.value)} onKeyDown={key} />
            <p class="fine" id={`${id}-note`}>{words.tokenNote}</p>
            {read && !read.ok && (
              <Unreadable id={`${id}-unread`} missing={read.reason === "empty" && words.noToken} why={words.tokens[read.reason] ?? words.tokens.form} example={exampleToken(card.id)} words={words} />
            )}
          </form>
        )}
        {!done && (
          <p class="actions">
            <button type="button" class="button primary" onClick={submit}>{words.tokenRead}</button>
            <button type="button" class="button" onClick={() => onDone({ later: true })}>{words.codeLater}</button>
          </p>
        )}
      </section>
      {done && (
        <section class="outcome" aria-labelledby={`${id}-outcome`}>
          <Landing id={`${id}-outcome`} disc={end.verdict}>{words.codeRight}</Landing>
          <Html as="p" class="outcome-note" of={record.solution} part={part} />
          <Passage href={card.href} words={words} />
        </section>
      )}
      {done && (
        <Grades proposed={end.proposed} why={end.why} intervals={intervals} words={words} shell={shell}
          onGrade={finish({ ...end, points: 1, total: 1 }, { text, read })} />
      )}
    </>
  );
}
