/* What a card tells the shell when the learner has chosen a grade. */

import { useRef } from "preact/hooks";

/** Nobody thinks longer about one card: the page was left open. */
const LONGEST = 3600; // seconds

/**
 * Counts the time on the card, an hour at most. Returns `finish(outcome, state)(grade)`, which calls `onDone` once, with
 * how the card stood as its second argument: given back as `resume`, the card is shown like that again.
 * @param {() => number} clock milliseconds
 * @param {(result: object, kept: object) => void} onDone
 * @param {{seconds: number} | null} resume
 */
export function useFinish(clock, onDone, resume) {
  const began = useRef(clock() - 1000 * (resume?.seconds ?? 0)), told = useRef(false);
  return (outcome, state = {}) => grade => {
    if (told.current) return;
    told.current = true;
    const seconds = Math.min(Math.max(0, clock() - began.current) / 1000, LONGEST);
    onDone({ aloud: false, points: 0, total: 0, missing: [], fatal: [], spoken: null, slot: null, ...outcome, grade, seconds }, { ...state, seconds });
  };
}
