/* The reviews of the next days as columns, with the same in one sentence for ears and in a table for whoever wants numbers. */

import { useMemo } from "preact/hooks";

import { useDeck } from "./context.js";
import { parts } from "./days.js";
import { Fold } from "./pieces.jsx";
import { forecast } from "./progress.js";

const DAYS = 14;

/** @param {{ days: Array<{ day: string, count: number }>, alt: string }} props */
function Columns({ days, alt }) {
  const { words } = useDeck();
  const most = Math.max(1, ...days.map(one => one.count));
  return (
    <div class="columns" role="img" aria-label={alt}>
      {days.map(({ day, count }) => {
        const { date, weekday } = parts(day);
        return (
          <span key={day} style={`--h:${count / most}`}>
            <b>{count || ""}</b><i /><span>{date}</span><small>{words.weekdays[(weekday + 6) % 7]}</small>
          </span>
        );
      })}
    </div>
  );
}

export function Forecast() {
  const { index, doc, now, today, words } = useDeck();
  const days = useMemo(() => forecast(doc, index, now, DAYS), [doc, index, now]);
  const sum = days.reduce((all, one) => all + one.count, 0);
  if (!sum) return null;
  const peak = days.reduce((best, one) => (one.count > best.count ? one : best));
  return (
    <>
      <h3>{words.forecast}</h3>
      <p class="fine">{words.forecastNote}</p>
      <Columns days={days} alt={words.forecastAlt(sum, peak.count, peak.day)} />
      <Fold title={words.asTable}>
        <table class="day-table">
          <thead><tr><th scope="col">{words.dayColumn}</th><th scope="col" class="num">{words.countColumn}</th><th scope="col" class="num">{words.timeColumn}</th></tr></thead>
          <tbody>
            {days.filter(one => one.count).map(({ day, count, minutes }) => (
              <tr key={day}><th scope="row">{words.when(day, today)}</th><td class="num">{words.count(count)}</td><td class="num">{words.time(Math.max(1, minutes))}</td></tr>
            ))}
          </tbody>
        </table>
      </Fold>
    </>
  );
}
