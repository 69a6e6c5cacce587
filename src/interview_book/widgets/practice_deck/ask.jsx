/* The card whose turn it is, by its kind. */

import { Choice } from "./choice.jsx";
import { Coding } from "./coding.jsx";
import { Diagnose } from "./diagnose.jsx";
import { Explain } from "./explain.jsx";
import { ExpressionCard, NumberCard } from "./typed.jsx";
import { GradeCard } from "./grading.jsx";
import { cardWords } from "./words_cards.js";

const KINDS = { explain: Explain, choice: Choice, number: NumberCard, expression: ExpressionCard, grade: GradeCard, code: Coding, diagnose: Diagnose };

/**
 * A card from question to grade. Gives `section.card`, and after the verdict `section.outcome`, `section.next` and
 * `section.grades`, as one fragment.
 * @param {object} props
 * @param {object} props.card entry of the index
 * @param {object} props.record its record; a grade card's is its parent's
 * @param {object} props.part the part of the bank it is in, for formulas
 * @param {"ja" | "zh-Hant"} props.language
 * @param {object} props.words the shell's words (grades, kinds, levels)
 * @param {boolean} props.silent explain becomes: read, think, tick
 * @param {boolean} props.english the interview is in English
 * @param {{reviews: number, passed: number}} [props.history] earlier reviews, and those that reached the line
 * @param {boolean} [props.first] never graded before; used where there is no history
 * @param {{grade: number, days: number}[]} props.intervals
 * @param {(text: string) => void} props.say puts a sentence into the shell's live region
 * @param {(result: object, kept?: object) => void} props.onDone called once, with the result and the chosen `grade`, and
 *   with how the card stood; or with {later: true} for another day
 * @param {object | null} [props.resume] how the card stood, to show it again after its grade was taken back
 * @param {boolean} [props.notebook]
 * @param {() => number} [props.clock]
 * @param {() => number} [props.random]
 */
export function Card({ card, language, words: shell, history, first = true, say = () => {}, clock = Date.now, random = Math.random, notebook = false, ...props }) {
  const Kind = KINDS[card.kind];
  // In a notebook only a whole address leads to the book.
  const here = notebook && !/^https?:/.test(card.href) ? { ...card, href: null } : card;
  const known = history ?? { reviews: first ? 0 : 1, passed: first ? 0 : 1 };
  return (
    <Kind {...props} card={here} notebook={notebook} language={language} words={cardWords(language)} shell={shell} history={known}
      say={say} clock={clock} random={random} />
  );
}
