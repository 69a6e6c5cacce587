/* The widget: what to choose, where one is, the live sentence, the step itself, and how to go on. */

import { render } from "preact";

import { SETTLED, boxesOf } from "./boxes.js";
import { Contrast } from "./contrast.jsx";
import { Controls, Foot, Printed, Steps } from "./controls.jsx";
import { Every } from "./every.jsx";
import { axesOf, differences, facts } from "./facts.js";
import { Inputs, replaced } from "./inputs.jsx";
import { Mixing } from "./mixing.jsx";
import { Icon, KEYS, Pieces } from "./pieces.jsx";
import { unbroken } from "./prose.js";
import { Projections } from "./projections.jsx";
import { Scores } from "./scores.jsx";
import * as ja from "./sentences_ja.js";
import * as zh from "./sentences_zh.js";
import { Softmax } from "./softmax.jsx";
import { STEPS, current } from "./state.js";
import { WORDS } from "./words.js";

const SENTENCES = { ja, "zh-Hant": zh };

/** The live sentence of a state, as pieces. */
export const sentenceOf = (view, language) => unbroken(SENTENCES[language].live(facts(view, WORDS[language])));
/** The line that compares it with the other sentence of the lesson. */
export const comparisonOf = (view, language) => (view.other ? SENTENCES[language].against(differences(view, WORDS[language])) : []);

/** What one step shows. */
export function Stage({ step, view, words, axes, id, drafts, actions }) {
  return (
    <>
      {step === 1 && <Inputs view={view} words={words} axes={axes.x} id={id} drafts={drafts} onEdit={actions.edit} onLeave={actions.leave} />}
      {step === 2 && <Projections view={view} words={words} axes={axes} />}
      {step === 3 && <Scores view={view} words={words} axes={axes} />}
      {step === 4 && <Softmax view={view} words={words} />}
      {step === 5 && <Mixing view={view} words={words} axes={axes} />}
      {step === 6 && <Every view={view} words={words} id={id} onCompute={computed => actions.change({ computed })} />}
      {view.edited && (
        // Below what is being edited: above it, it would push the field away under the hand.
        <p class="fine edited">{words.edited}<button type="button" class="quiet" onClick={actions.restore} {...KEYS}><Icon name="undo" />{words.restore}</button></p>
      )}
    </>
  );
}

/** All around the step; `controls` and `stage` are drawn by whoever knows whether they have changed. */
export function Stepper({ view, axes, language, id, switched, opened, controls, stage, actions }) {
  const words = WORDS[language], { state, given } = view;
  return (
    <section class="widget stepper" lang={language} aria-labelledby={`${id}-title`} data-step={state.step} onKeyDownCapture={actions.settle}>
      <header class="widget-head">
        <h3 id={`${id}-title`}>{words.title}</h3>
        <button type="button" class="quiet" onClick={actions.reset} {...KEYS}><Icon name="undo" />{words.reset}</button>
      </header>
      {controls}
      <Steps step={state.step} words={words} onStep={step => actions.change({ step })} />
      <Printed view={view} words={words} />
      <div class="telling">
        <p class="live" aria-live="polite" aria-atomic="true"><Pieces of={sentenceOf(view, language)} /></p>
        {given.sentences.length > 1 && <p class="against" aria-live="polite" aria-atomic="true">{switched && <Pieces of={comparisonOf(view, language)} />}</p>}
      </div>
      {stage}
      <Contrast view={view} words={words} sentences={SENTENCES[language]} axes={axes} open={opened} onToggle={actions.open} />
      <Foot step={state.step} words={words} onStep={step => actions.change({ step })} />
    </section>
  );
}

let made = 0;
/**
 * Show the widget in an element; every change is drawn before the handler returns.
 * @param {{ given: object, language: string, initial: object, onChange: (state: object) => void }} options
 * @returns {{ show: (state: object) => void, close: () => void }}
 */
export function mountStepper(element, { given, language, state: first, initial, onChange }) {
  const id = `stepper-${Math.random().toString(36).slice(2, 8)}-${++made}`, words = WORDS[language], drafts = new Map();
  let state = first, switched = false, opened = false, drawing = false;
  const left = []; // edits of fields that were left by being taken away, in the midst of a drawing

  // The same as before while nothing in it has changed: there is nothing to compare then, and a step is quicker.
  let kept = [];
  function controls(view) {
    const of = [state.sentence, state.mode, state.query];
    if (!of.every((one, i) => one === kept[i])) kept = [...of, <Controls view={view} words={words} id={id} onChange={change} />];
    return kept.at(-1);
  }

  let view = current(state, given);
  const axes = axesOf(view, words);
  const boxes = boxesOf(STEPS, step => <Stage step={step} view={view} words={words} axes={axes} id={id} drafts={drafts} actions={actions} />);
  const place = <div class="stage-place" ref={boxes.at} />;

  function draw() {
    const focused = element.contains(document.activeElement);
    drawing = true;
    view = current(state, given);
    render(<Stepper view={view} axes={axes} language={language} id={id} switched={switched} opened={opened} controls={controls(view)} stage={place} actions={actions} />, element);
    const before = boxes.show(state.step);
    drawing = false;
    // What goes away or out of sight while it has the focus (Python may set the state) hands it to the step that is
    // shown; a field is thereby left, and says so.
    const gone = focused && !element.contains(document.activeElement);
    if (gone || (before?.contains(document.activeElement) && !boxes.isShown(document.activeElement))) focusStep();
    left.splice(0).forEach(edit => actions.edit(...edit));
  }
  const focusStep = () => element.querySelector(".steps [aria-current]").focus({ preventScroll: true });
  function take(next) {
    if (next.sentence !== state.sentence) switched = true;
    if (Object.keys(next).some(name => name !== "step" && next[name] !== state[name])) boxes.outdate();
    state = next;
    draw();
  }
  function change(part) {
    if (Object.keys(part).every(name => state[name] === part[name])) return;
    take({ ...state, ...part });
    onChange(state);
  }

  const actions = {
    change,
    settle: boxes.settle,
    /** An entry and what is in its field, at once: drawn one after the other, the field would get its old text back. */
    edit(row, column, value, draft) {
      if (drawing) {
        left.push([row, column, value, draft]);
        return;
      }
      if (draft) drafts.set(`${row},${column}`, draft);
      else drafts.delete(`${row},${column}`);
      boxes.outdate();
      if (state.X[row][column] === value) draw();
      else change({ X: replaced(state.X, row, column, value) });
    },
    leave(field, then) {
      const typed = field.value, act = () => {
        // What is said then makes room for itself: not while a finger is on what stands below.
        if (document.querySelector(":active")) setTimeout(act, SETTLED);
        else if (!boxes.closed && document.activeElement !== field) then(typed);
      };
      act();
    },
    open(is) {
      if (is === opened) return;
      opened = is;
      draw();
    },
    restore() {
      drafts.clear();
      boxes.outdate();
      if (state.X === given.X) draw();
      else change({ X: given.X });
      focusStep(); // the button is gone
    },
    reset() {
      drafts.clear();
      boxes.outdate();
      take(initial);
      switched = false;
      draw();
      onChange(state);
    },
  };
  draw();
  function close() {
    boxes.close();
    render(null, element);
  }
  /** A state from outside. What is being typed into an entry that it changes is older than it. */
  function show(next) {
    [...drafts.keys()].forEach(key => {
      const [row, column] = key.split(",");
      if (next.X[row][column] !== state.X[row][column]) drafts.delete(key);
    });
    take(next);
  }
  return { show, close };
}
