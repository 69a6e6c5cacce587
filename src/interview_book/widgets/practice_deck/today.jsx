/* What to do now. Never more than today's minutes; with nothing to do, that too in a friendly sentence. */

import { useMemo } from "preact/hooks";

import { useDeck, useHeading } from "./context.js";
import { Icon, useUid } from "./pieces.jsx";
import { paths, spread } from "./plan.js";
import { forecast, history } from "./progress.js";

const whole = minutes => Math.max(1, Math.round(minutes));

/** Title, sentences and button for this state of the day. */
function said(day, { index, cards, doc, now, today, words }) {
  const { settings } = doc;
  const last = history(doc, index, 1, now).at(-1);
  const answered = last?.day === today ? last.count : 0;
  if (day.ids.length) {
    const spoken = day.ids.some(id => cards.get(id).kind === "explain");
    const first = settings.silent ? words.silentFirst : spoken ? words.aloudFirst : "";
    const lastDay = settings.silent ? words.lastDaySilent : words.lastDay;
    return {
      title: (answered ? words.remaining : words.today)(day.ids.length, whole(day.minutes)),
      lines: [
        day.backlog?.returning && day.minutes <= settings.minutes && words.welcome(whole(day.minutes)),
        day.interview?.lastDay ? lastDay : words.mix(day.due, day.fresh) + (answered ? "" : first),
      ].filter(Boolean),
      button: (answered ? words.goOn : words.start)(day.ids.length),
    };
  }
  if (!index.cards.length) return { title: words.emptyBank, lines: [] };
  const lines = answered ? [words.didToday(answered, whole(last.minutes))] : [];
  const path = settings.path && paths(index, settings, doc, now).find(one => one.id === settings.path);
  if (path?.finished) {
    return { title: words.pathOver(words.pathNames[path.id]), lines: [...lines, words.pathOverNote], free: true };
  }
  if (settings.silent && !answered) return { title: words.emptySilent, lines: [words.emptySilentNote], free: true };
  const next = forecast(doc, index, now).find(one => one.day > today && one.count);
  lines.push(next ? words.nextDay(next.day, today, next.count, whole(next.minutes)) : words.nothingAhead);
  return { title: answered ? words.doneToday : words.nothingDue, lines, free: true };
}

/** More than today holds: put off what is too much, with a way back. */
function Backlog({ backlog }) {
  const { doc, index, now, words, commit, tell } = useDeck();
  const put = () => {
    const next = spread(doc, index, doc.settings, now);
    commit(next);
    tell(words.spreadDone(backlog.count));
  };
  return (
    <div class="backlog">
      <p>{words.backlog(backlog.count, whole(backlog.minutes))}</p>
      <button type="button" class="button" onClick={put}>{words.spread}</button>
    </div>
  );
}

/** The interview is in another language than this page: say so, and where that language is practised. */
function Language() {
  const { doc, language, links, words, notebook } = useDeck();
  const wanted = doc.settings.language;
  if (wanted === "en") return <p class="fine">{words.english}</p>;
  if (!wanted || wanted === language) return null;
  return (
    <p class="fine">
      {words.otherEdition(wanted)}
      {links.other && !notebook && <a href={links.other} hreflang={wanted}>{words.otherEditionLink(wanted)}</a>}
    </p>
  );
}

/**
 * @param {{ day: { ids: string[], due: number, fresh: number, minutes: number, backlog: object | null },
 *   onOpen: (ids: string[]) => void, onFree: () => void, arrived: boolean }} props
 */
export function Today({ day, onOpen, onFree, arrived }) {
  const deck = useDeck();
  const { index, doc, now, today, words, settle } = deck;
  const id = useUid();
  const heading = useHeading(arrived);
  const state = useMemo(() => said(day, deck), [day, index, doc, now, today]);
  return (
    <section class="today" aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1}>{state.title}</h2>
      {state.lines.map(line => <p key={line}>{line}</p>)}
      <div class="actions">
        {state.button && (
          <button type="button" class="button primary" onClick={() => onOpen(day.ids)}>{state.button}<Icon name="i-next" /></button>
        )}
        {state.free && <button type="button" class="button" onClick={onFree}>{words.chooseFreely}</button>}
        <label class="check">
          <input type="checkbox" checked={doc.settings.silent} onChange={event => settle({ silent: event.currentTarget.checked })} />
          {words.silent}
        </label>
      </div>
      {day.backlog && <Backlog backlog={day.backlog} />}
      {day.interview && <p class="fine">{day.interview.past ? words.dayPassed : words.daysLeft(day.interview.left)}</p>}
      {new Date(now).getHours() < 4 && <p class="fine">{words.dayTurns}</p>}
      <Language />
    </section>
  );
}
