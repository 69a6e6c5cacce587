/* The line above a question: kind, level, time. */

import { Icon } from "./pieces.jsx";

const SIGNS = { explain: "i-voice", choice: "i-contents", number: "i-root", expression: "i-root", diagnose: "i-search" };

/** @param {{card: object, words: object, shell: object, time?: string}} props `words` of the cards, `shell` of the deck */
export const Head = ({ card, words, shell, time }) => (
  <p class="q-meta">
    <span class="kind">{SIGNS[card.kind] && <Icon name={SIGNS[card.kind]} />}{shell.kinds[card.kind]}</span>
    <span class="level">{shell.levels[card.level]}</span>
    {time !== "" && <span class="time">{time ?? words.about(card.seconds)}</span>}
  </p>
);
