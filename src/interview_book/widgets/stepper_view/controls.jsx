/* The choices above, the list of steps, and the row below that goes on. */

import { MODES } from "./maths.js";
import { divisor } from "./numbers.js";
import { Icon, KEYS, Token } from "./pieces.jsx";
import { STEPS } from "./state.js";

const Segments = ({ legend, name, options, chosen, onChoose }) => (
  <fieldset class="field segments">
    <legend>{legend}</legend>
    <span class="choices">
      {options.map(([value, label, mark]) => (
        <label key={value}><input type="radio" name={name} value={String(value)} checked={value === chosen} onChange={() => onChoose(value)} {...KEYS} /><span>{label}{mark && <small>{mark}</small>}</span></label>
      ))}
    </span>
  </fieldset>
);

export function Controls({ view, words, id, onChange }) {
  const { state, given, d_k, labels } = view;
  return (
    <div class="controls">
      {given.sentences.length > 1 && (
        <Segments legend={words.sentence} name={`${id}-sentence`} chosen={state.sentence} onChoose={sentence => onChange({ sentence })}
          options={given.sentences.map(({ name, tokens }) => [name, <Token of={tokens.join(" ")} lesson={given.lesson} />])} />
      )}
      <Segments legend={words.mode} name={`${id}-mode`} chosen={state.mode} onChoose={mode => onChange({ mode })}
        options={MODES.map(mode => [mode, words.modes[mode](divisor(d_k)), mode === "scaled" ? words.standard : words.control])} />
      <Segments legend={<span class="role q">Query</span>} name={`${id}-query`} chosen={state.query} onChoose={query => onChange({ query })}
        options={labels.map((label, i) => [i, <Token of={label} lesson={given.lesson} />])} />
    </div>
  );
}

/** What is chosen, in words: on paper there are no controls. */
export function Printed({ view, words }) {
  const { state: { step, mode, query }, given, tokens, labels, d_k } = view;
  const chosen = [[words.mode, words.modes[mode](divisor(d_k))], ["Query", labels[query]]];
  if (given.sentences.length > 1) chosen.unshift([words.sentence, tokens.join(" ")]);
  return <p class="on-paper"><b>{step}. {words.steps[step - 1]}</b>{chosen.map(([name, value]) => <span key={name}>{name}{words.colon}{value}</span>)}</p>;
}

const MOVES = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -STEPS, End: STEPS };
const bounded = step => Math.max(1, Math.min(STEPS, step));

/** One stop for the tabulator: the arrows move within, and take the focus along. */
export function Steps({ step, words, onStep }) {
  const key = event => {
    if (!(event.key in MOVES) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    const list = event.currentTarget, next = bounded(step + MOVES[event.key]);
    onStep(next);
    list.querySelectorAll("button")[next - 1].focus();
  };
  return (
    <ol class="steps" aria-label={words.stages} onKeyDown={key}>
      {words.steps.map((word, i) => (
        <li key={i}>
          <button type="button" tabIndex={i + 1 === step ? 0 : -1} aria-current={i + 1 === step ? "step" : undefined} onClick={() => onStep(i + 1)} {...KEYS}>
            <span class="n">{i + 1}</span><span class="word">{word}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

/** Do something that changes the height of what stands above, and let the pressed control stay under the pointer. */
export function held(event, act) {
  const pressed = event.currentTarget, before = pressed.getBoundingClientRect().top;
  act();
  const moved = pressed.getBoundingClientRect().top - before;
  if (!moved) return;
  let box = pressed.parentElement;
  while (box && !(box.scrollHeight > box.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(box).overflowY))) box = box.parentElement;
  (box ?? document.scrollingElement).scrollBy({ top: moved, behavior: "instant" });
}

/** At either end a button stays where it is and does nothing: switched off, it would lose the focus. */
export const Foot = ({ step, words, onStep }) => (
  <footer class="widget-foot">
    <button type="button" class="button" aria-disabled={step === 1 ? "true" : undefined} onClick={event => held(event, () => onStep(bounded(step - 1)))} {...KEYS}><Icon name="previous" />{words.previous}</button>
    <div><input type="range" min="1" max={STEPS} step="1" value={step} aria-label={words.stages} aria-valuetext={`${step} ${words.steps[step - 1]}`} onInput={event => held(event, () => onStep(+event.currentTarget.value))} {...KEYS} /></div>
    <button type="button" class="button" aria-disabled={step === STEPS ? "true" : undefined} onClick={event => held(event, () => onStep(bounded(step + 1)))} {...KEYS}>{words.next}<Icon name="next" /></button>
  </footer>
);
