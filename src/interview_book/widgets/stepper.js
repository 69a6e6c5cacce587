/* The lesson's stepper: attention over a few tokens in six steps, live. See stepper.py; the parts are in stepper_view/. */

import { comparisonOf, mountStepper, sentenceOf } from "./stepper_view/app.jsx";
import { plain } from "./stepper_view/prose.js";
import { NAMES, current, read } from "./stepper_view/state.js";
import { languageOf } from "./stepper_view/words.js";

export { readEntry } from "./stepper_view/inputs.jsx";
export { betaOf, entropy, hard, highest, soft, softmax, steps } from "./stepper_view/maths.js";
export { current, languageOf, read };

/** The live sentence of a state (`X`, `sentence`, `mode`, `query`, `step`, `computed`). */
export const sentence = (state, given, language) => plain(sentenceOf(current(state, given), language));
/** What the other sentence of the lesson changes at this step. */
export const comparison = (state, given, language) => plain(comparisonOf(current(state, given), language));

/** Where a reset leads: the state at first sight, with the embeddings that were given. */
const start = ({ state, given }) => ({ ...state, X: given.X });

function render({ model, el }) {
  const first = read(model), initial = start(first);
  let { state, given } = first, view, telling = false;

  function tell(next) {
    const changed = NAMES.filter(name => state[name] !== next[name]);
    state = next;
    telling = true;
    changed.forEach(name => model.set(name, state[name]));
    telling = false;
    if (changed.length) model.save_changes();
  }
  function lay() {
    view?.close();
    const page = el.closest(".book-widget") ? el.closest("[lang]")?.lang : "";
    view = mountStepper(el, { given, state, initial, language: languageOf(page, model.get("language")), onChange: tell });
  }
  const hear = () => {
    if (telling) return;
    ({ state, given } = read(model));
    view.show(state);
  };
  lay();
  NAMES.forEach(name => model.on(`change:${name}`, hear));
  model.on("change:language", lay);
  return () => {
    NAMES.forEach(name => model.off(`change:${name}`, hear));
    model.off("change:language", lay);
    view.close();
  };
}

export default { render };
