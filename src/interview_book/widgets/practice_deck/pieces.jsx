/* Small things that every card uses: signs, folds, the question, a heading that takes the focus. */

import { useLayoutEffect, useRef, useState } from "preact/hooks";

import { Html } from "./html.jsx";

let made = 0;
/** An id of its own for each mounted component: several decks may stand in one notebook. */
export const useUid = () => useState(() => `deck-${Math.random().toString(36).slice(2, 8)}-${++made}`)[0];

/** A sign of the page's sprite; `verdict` is the class that colours a disc. */
export const Icon = ({ name, verdict = "" }) => (
  <svg aria-hidden="true" class={`icon ${verdict}`.trim()}><use href={`#${name}`} /></svg>
);

const DISCS = {
  weak: ["i-question", "untested"], acceptable: ["i-half", "depends"], strong: ["i-check", "holds"],
  right: ["i-check", "holds"], wrong: ["i-question", "untested"], seen: ["i-question", "untested"],
  got: ["i-check", "holds"], miss: ["i-question", "untested"], fatal: ["i-cross", "fails"],
};
/** The disc of a verdict. What is missing gets the dotted ring, never a cross. */
export const Disc = ({ of }) => <Icon name={DISCS[of][0]} verdict={DISCS[of][1]} />;

/** A closed fold, unless `open`. */
export const Fold = ({ title, open = false, children, ...rest }) => (
  <details class="fold" open={open} {...rest}>
    <summary><span>{title}</span></summary>
    <div class="fold-body">{children}</div>
  </details>
);

/** The question: spoken ones stand in brackets that hang in the margin. */
export const Ask = ({ of, part, written = false }) => (
  <h2 class={written ? "q-ask written" : "q-ask"} tabIndex={-1}>{quoted(of, part, written)}</h2>
);
/** The same, smaller, inside a result. */
export const AskSmall = ({ of, part }) => <p class="q-ask small">{quoted(of, part, false)}</p>;
const quoted = (of, part, written) => <Html of={written ? of : `「${of}」`} part={part} />;

/**
 * A ref for what appears on request in place of the button that asked for it: it takes the focus, which would be lost.
 * @param {boolean} shown by that button; false for what was there from the start
 */
export function useArrival(shown) {
  const here = useRef(null);
  useLayoutEffect(() => {
    if (!shown) return;
    here.current.focus({ preventScroll: true });
    here.current.scrollIntoView({ block: "nearest", behavior: "instant" });
  }, [shown]);
  return here;
}

/**
 * A heading that takes the focus when it appears, so that a screen reader and the keyboard go on from there.
 * @param {{top?: boolean}} props top: what follows is longer than the screen, so the heading goes to its top
 */
export function Landing({ disc, id, top = false, children }) {
  const heading = useRef(null);
  useLayoutEffect(() => {
    heading.current.focus({ preventScroll: true });
    heading.current.scrollIntoView({ block: top ? "start" : "nearest", behavior: "instant" });
  }, []);
  return <h2 id={id} ref={heading} tabIndex={-1}>{disc && <Disc of={disc} />}<span>{children}</span></h2>;
}

/** The link to the passage; in a tab of its own, so that the card is still there afterwards. */
export const Passage = ({ href, words }) => href ? (
  <p class="fine q-passage"><a href={href} target="_blank" rel="noopener">{words.passage}</a></p>
) : null;

/** Two rows under a point: what counts, what does not. */
export const Cond = ({ rows, part }) => (
  <dl class="cond">
    {rows.filter(Boolean).map(([kind, term, text]) => (
      <div class={kind} key={term}><dt class={kind === "yes" ? "holds" : undefined}>{term}</dt><Html as="dd" of={text} part={part} /></div>
    ))}
  </dl>
);
