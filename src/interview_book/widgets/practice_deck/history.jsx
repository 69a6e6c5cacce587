/* The last four weeks, a row each: the number of questions answered, in the book's ink wash. */

import { useMemo } from "preact/hooks";

import { useDeck } from "./context.js";
import { parts, plus } from "./days.js";
import { history } from "./progress.js";

const WEEKS = 4;

/** Monday of this day's week. @param {string} day */
const monday = day => plus(day, -((parts(day).weekday + 6) % 7));

/**
 * Weeks from Monday to Sunday, the last one with `today` in it; days still to come are null.
 * @param {Array<{ day: string, count: number }>} days
 * @param {string} today
 */
export function weeks(days, today, count = WEEKS) {
  const counts = new Map(days.map(one => [one.day, one.count]));
  const first = plus(monday(today), -7 * (count - 1));
  return Array.from({ length: count }, (_, week) => {
    const start = plus(first, 7 * week);
    return { start, days: Array.from({ length: 7 }, (_, i) => plus(start, i)).map(day => (day > today ? null : { day, count: counts.get(day) ?? 0 })) };
  });
}

export function History() {
  const { index, doc, now, today, words } = useDeck();
  const days = useMemo(() => history(doc, index, 7 * WEEKS, now), [doc, index, now]);
  const rows = useMemo(() => weeks(days, today), [days, today]);
  const shown = rows.flatMap(row => row.days).filter(Boolean);
  const from = shown[0].day;
  const answered = days.filter(one => one.day >= from && one.count);
  const sum = answered.reduce((all, one) => all + one.count, 0);
  const minutes = answered.reduce((all, one) => all + one.minutes, 0);
  const most = Math.max(1, ...shown.map(one => one.count));
  if (!sum) return null;
  return (
    <>
      <h3>{words.history}</h3>
      <table class="weeks">
        <caption>{words.historyAlt(sum, Math.max(1, minutes), answered.length)}{words.historyNote}</caption>
        <thead><tr><td />{words.weekdays.map(name => <th key={name} scope="col">{name}</th>)}</tr></thead>
        <tbody>
          {rows.map(({ start, days: week }) => (
            <tr key={start}>
              <th scope="row">{words.weekOf(start)}</th>
              {week.map((one, i) => one
                ? <td key={i} class="heat" data-heat={Math.min(7, Math.floor((8 * one.count) / most))}>{one.count || ""}</td>
                : <td key={i} />)}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
