/* Numbers and expressions that are typed. What cannot be read is said so, with the reason; it costs nothing. */

import { useRef, useState } from "preact/hooks";

import { AGAIN, GOOD } from "./grading.js";
import { Ask, Cond, Disc, Fold, Icon, Landing, Passage, useUid } from "./pieces.jsx";
import { Grades } from "./grades.jsx";
import { Head } from "./head.jsx";
import { Html } from "./html.jsx";
import { composing } from "./keys.js";
import { holds, judgeNumber } from "./answers.js";
import { judgeExpression } from "./expressions.js";
import { withLetters } from "./grammar.js";
import { useFinish } from "./finish.js";

/** What was typed may be one long word: on a phone it must not make the page wider. */
const ANYWHERE = { overflowWrap: "anywhere" };

/** Why nothing was read, in words. */
const reasonOf = ({ reason, name }, words, variables) =>
  reason === "name" ? words.unknownName(name, variables.map(one => one.name)) : words.reasons[reason] ?? words.reasons.form;

/** The same on the page, with an input of the same shape; `missing` is what to say instead where nothing was typed. */
export const Unreadable = ({ id, why, example, words, missing }) => (
  <div class="unreadable" id={id}>
    <p><Icon name="i-question" verdict="untested" /><b>{missing || words.unreadable}</b></p>
    <p style={ANYWHERE}>{!missing && why}<span class="example">{words.example(example)}</span></p>
  </div>
);

/** The names that can be typed, with the Greek letter where one is meant. */
const namesOf = (variables, words) => words.namesAre(variables.map(({ name }) => {
  const letter = withLetters(name);
  return letter === name ? name : words.orName(name, letter);
}));

/** Letters and signs that a phone's keyboard hides, to put where the caret is. */
const Keys = ({ field, variables = [], signs, part, words, onText }) => {
  const put = text => {
    const { selectionStart: from, selectionEnd: to, value } = field.current;
    // «c» put behind «2 d_k» must not become a part of that name.
    const gap = /[\p{L}\p{N}_]$/u.test(value.slice(0, from)) && /^\w/.test(text) ? " " : "";
    field.current.setRangeText(gap + text, from, to, "end");
    field.current.focus();
    onText(field.current.value);
  };
  return (
    <div class="insert" role="group" aria-label={words.symbols}>
      {variables.map(one => (
        // What can be seen is a part of the name: who speaks to the machine says that.
        <button key={one.name} type="button" class="button" onClick={() => put(one.name)}>
          <Html of={one.tex} part={part} /><span class="visually-hidden">{words.colon}{words.insert(one.name)}</span>
        </button>
      ))}
      {signs.map(([shown, text]) => (
        <button key={text} type="button" class="button key" aria-label={words.insert(shown)} onClick={() => put(text)}>{shown}</button>
      ))}
    </div>
  );
};

// A phone's decimal keypad has digits and a point, no more.
const NUMBER_SIGNS = [["−", "−"], ["/", "/"], ["√", "√"], ["^", "^"]];
const FORMULA_SIGNS = [["^", "^"], ["√", "sqrt("], ["/", "/"], ["(", "("], [")", ")"]];

/**
 * The card around an input.
 * @param {{judge: (typed: string) => {verdict: string, reason?: string}, ask: string, note: any, unit?: string,
 *   example: string, decimal?: boolean, variables?: object[], resume?: object, state?: object, outcome: (judged: object, typed: string) => any,
 *   heading: (judged: object) => any}} props
 */
function Typed({ card, part, words, shell, intervals, clock, say, onDone, resume, state, judge, ask, note, unit, example, decimal, variables, heading, outcome }) {
  const id = useUid(), field = useRef(null), finish = useFinish(clock, onDone, resume);
  const [text, write] = useState(resume?.text ?? "");
  const [judged, settle] = useState(resume?.judged ?? null);
  const done = judged && judged.verdict !== "unreadable", right = judged?.verdict === "right";
  const submit = () => {
    if (done) return;
    const next = judge(text);
    settle(next);
    if (next.verdict === "unreadable") {
      say(next.reason === "empty" ? words.nothingTyped
        : `${words.unreadable}${words.stopSign}${reasonOf(next, words, variables)}${words.example(example)}`);
      field.current.focus();
    } else say(next.verdict === "right" ? words.right : words.notYet);
  };
  const key = event => {
    // The Enter that confirms a composition belongs to the input method; Safari sends it afterwards, as 229.
    if (event.key !== "Enter" || composing(event)) return;
    event.preventDefault();
    submit();
  };
  const end = right ? { verdict: "right", proposed: GOOD, why: "right" } : { verdict: "wrong", proposed: AGAIN, why: "wrong" };
  const unread = judged?.verdict === "unreadable";
  return (
    <>
      <section class="card" aria-label={words.question}>
        <Head card={card} words={words} shell={shell} />
        <Ask of={ask} part={part} written />
        {/* Enter is handled above: a form of its own would submit while an input method composes. */}
        <form class="typed" onSubmit={event => event.preventDefault()}>
          <label for={id}>{words.yourAnswer}</label>
          <span class="unit">
            <input id={id} ref={field} type="text" inputMode={decimal ? "decimal" : "text"} class={decimal ? "short" : undefined} value={text} readOnly={done}
              autocomplete="off" autocorrect="off" autocapitalize="none" spellcheck={false} enterkeyhint="done"
              aria-describedby={`${id}-note${unread ? ` ${id}-unread` : ""}`} onInput={event => write(event.currentTarget.value)} onKeyDown={key} />
            {unit && <span>{unit}</span>}
          </span>
          {!done && <Keys field={field} variables={variables} signs={decimal ? NUMBER_SIGNS : FORMULA_SIGNS} part={part} words={words} onText={write} />}
          <p class="fine" id={`${id}-note`}>{note}{variables && namesOf(variables, words)}{!unread && <span class="example">{words.example(example)}</span>}</p>
          {unread && <Unreadable id={`${id}-unread`} missing={judged.reason === "empty" && words.nothingTyped} why={reasonOf(judged, words, variables)} example={example} words={words} />}
        </form>
        {!done && <p class="actions"><button type="button" class="button primary" onClick={submit}>{words.answer}</button></p>}
      </section>
      {done && (
        <section class="outcome" aria-labelledby={`${id}-outcome`}>
          <Landing id={`${id}-outcome`} disc={judged.verdict}>{right ? words.right : heading(judged)}</Landing>
          {outcome(judged, text)}
          <Passage href={card.href} words={words} />
        </section>
      )}
      {done && (
        <Grades proposed={end.proposed} why={end.why} intervals={intervals} words={words} shell={shell}
          onGrade={finish({ ...end, points: right ? 1 : 0, total: 1 }, { ...state, text, judged })} />
      )}
    </>
  );
}

/** What was typed, the mistake it shows if it has a name, then the right one with its solution, then other mistakes. */
function Reading({ part, words, typed, mistake, right, answer, solution, others, named }) {
  return (
    <>
      <ol class="rubric">
        {!right && (
          <li>
            <p class="point" style={ANYWHERE}><Disc of="miss" />{typed}</p><span class="rubric-meta"><span class="tag">{words.typed}</span></span>
            {mistake && <Cond part={part} rows={[["no", words.mistake, mistake.name], ["no", words.why, mistake.why]]} />}
          </li>
        )}
        <li>
          <p class="point"><Disc of="right" />{answer}</p>
          <Cond part={part} rows={[["yes", words.solution, solution]]} />
        </li>
      </ol>
      {others.length > 0 && (
        <Fold title={words.otherMistakes}>
          <ol class="rubric">
            {others.map((one, n) => (
              <li key={n}><p class="point">{named(one)}</p><Cond part={part} rows={[["no", words.mistake, one.name], ["no", words.why, one.why]]} /></li>
            ))}
          </ol>
        </Fold>
      )}
    </>
  );
}

/** Nothing to say about how this was read. */
const PLAIN = /^[-−+]?[\d.]+$/;
const plain = value => String(Number(value.toPrecision(6))).replace("-", "−");

/** A number; another of its items each time the card comes, by how often it was asked before. */
export function NumberCard({ history, record, ...props }) {
  const [item] = useState(() => props.resume?.item ?? record.items[(history?.reviews ?? 0) % record.items.length]);
  const { words, part } = props, unit = record.unit ? ` ${record.unit}` : "";
  const judge = typed => {
    const judged = judgeNumber(typed, item.answer, record.tolerance, record.accepts);
    if (judged.verdict !== "wrong") return judged;
    return { ...judged, mistake: item.distractors.findIndex(one => holds(record.tolerance, judged.value, one.value)) };
  };
  const outcome = (judged, typed) => {
    const text = typed.trim(), value = plain(judged.value);
    return (
      <Reading part={part} words={words} right={judged.verdict === "right"} mistake={item.distractors[judged.mistake]} solution={item.solution}
        typed={(PLAIN.test(text) ? text : `${text} = ${value}`) + unit} answer={item.shown + unit}
        others={item.distractors.filter((_, n) => n !== judged.mistake)} named={one => one.shown + unit} />
    );
  };
  return (
    <Typed {...props} state={{ item }} judge={judge} ask={item.ask} note={record.note} unit={record.unit} example={record.example} decimal
      heading={() => words.valueIs(item.shown + unit)} outcome={outcome} />
  );
}

/** An expression in named variables, compared at random points. */
export function ExpressionCard({ record, ...props }) {
  const { words, part } = props;
  const outcome = (judged, typed) => (
    <Reading part={part} words={words} right={judged.verdict === "right"} mistake={record.mistakes[judged.mistake]} solution={record.solution}
      typed={<code>{typed.trim()}</code>} answer={<Html class="formula" of={record.answerHtml} part={part} />}
      others={record.mistakes.filter((_, n) => n !== judged.mistake)} named={one => <code>{one.expression}</code>} />
  );
  return (
    <Typed {...props} judge={typed => judgeExpression(typed, record)} ask={record.ask} note={words.signs} example={record.example}
      variables={record.variables} heading={() => <Html of={words.formulaIs(record.answerHtml)} part={part} />} outcome={outcome} />
  );
}
