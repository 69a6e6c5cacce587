/* One card on a page, with the deck's words and keys but without its session; what it reports is kept in `window.done`. */

import { render } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import { Card } from "../../src/interview_book/widgets/practice_deck/ask.jsx";
import { listen } from "../../src/interview_book/widgets/practice_deck/keys.js";
import { words } from "../../src/interview_book/widgets/practice_deck/words.js";

// Stands still unless a test lets time pass.
let ahead = 0, cards = 0;
const clock = () => 1_764_000_000_000 + ahead;
window.done = [];
/** Let so many seconds pass on the card's clock. */
window.pass = seconds => (ahead += seconds * 1000);

function Page({ bank, id, language, draw = 0.9, ...options }) {
  const frame = useRef(null);
  const [said, say] = useState("");
  useLayoutEffect(() => listen(frame.current, { everywhere: true, onUndo: () => {} }), []);
  const card = bank.index.cards.find(one => one.id === id), part = bank.parts[card.chapter];
  return (
    <div class="practice practice-card" ref={frame}>
      <p role="status" class="visually-hidden">{said}</p>
      <Card card={card} record={part.records[card.of ?? card.id]} part={part} language={language} words={words(language)}
        intervals={[1, 2, 4, 9].map((days, n) => ({ grade: n + 1, days, due: 0 }))} say={say} clock={clock} random={() => draw}
        onDone={result => window.done.push(result)} {...options} />
    </div>
  );
}

/** Show a card from its beginning. */
window.show = options => {
  window.done = [];
  render(<Page key={++cards} bank={window.bank} {...options} />, document.getElementById("deck"));
};
