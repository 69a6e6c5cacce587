/* The four grades with the day each would bring the card back, the proposed one framed, and why it is proposed. */

import { useUid } from "./pieces.jsx";

/**
 * @param {{proposed: number, why: string, intervals: {grade: number, days: number, soon?: boolean}[], words: object, shell: object,
 *   onGrade: (grade: number) => void, children?: any}} props `words` of the cards, `shell` of the deck
 */
export function Grades({ proposed, why, intervals, words, shell, onGrade, children }) {
  const id = useUid();
  return (
    <section class="grades" aria-labelledby={id}>
      <h2 id={id}>{words.whenNext}</h2>
      <div class="grade-row">
        {shell.grades.map((name, n) => {
          const grade = n + 1, mine = grade === proposed, next = intervals?.[n];
          return (
            <button key={grade} type="button" class={mine ? "grade proposed" : "grade"} aria-keyshortcuts={String(grade)}
              aria-describedby={mine ? `${id}-why` : undefined} onClick={() => onGrade(grade)}>
              <kbd aria-hidden="true">{grade}</kbd><b>{name}</b>
              {next && <span>{grade === 1 && next.soon !== false ? words.soon : words.days(Math.round(next.days))}</span>}
            </button>
          );
        })}
      </div>
      <p class="fine" id={`${id}-why`}>{words.propose[why]}{children}</p>
    </section>
  );
}
