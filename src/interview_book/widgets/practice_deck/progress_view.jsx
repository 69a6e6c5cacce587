/* What has been learnt so far, what is coming, what was said aloud; and the record itself, to take away or to bring. */

import { useMemo } from "preact/hooks";

import { useDeck } from "./context.js";
import { DataTools } from "./data_tools.jsx";
import { Forecast } from "./forecast.jsx";
import { History } from "./history.jsx";
import { useUid } from "./pieces.jsx";
import { mastery } from "./progress.js";

/** One bar: filled = learnt, pale = under way. @param {{ name: string, some: number, more?: number, of: number, alt: string }} props */
function Row({ name, some, more = some, of, alt }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td><span class="bar" aria-hidden="true" style={`--a:${(100 * some) / of}%;--b:${(100 * more) / of}%`} /></td>
      <td class="num"><span aria-hidden="true">{some} / {of}</span><span class="visually-hidden">{alt}</span></td>
    </tr>
  );
}

/** Spoken questions that were said aloud, by language. Knowledge is shared, speech is not. */
function Said() {
  const { cards, doc, words } = useDeck();
  const rows = useMemo(() => {
    const spoken = [...cards.values()].filter(card => card.kind === "explain");
    return Object.keys(words.languages)
      .map(key => ({ key, some: spoken.filter(card => doc.said[card.id]?.[key]).length, of: spoken.length }))
      .filter(row => row.of && (row.key !== "en" || row.some));
  }, [cards, doc, words]);
  if (!rows.some(row => row.some)) return null;
  return (
    <>
      <h3>{words.said}</h3>
      <table class="progress-table">
        <caption>{words.saidNote}</caption>
        <tbody>
          {rows.map(({ key, some, of }) => <Row key={key} name={words.languages[key]} some={some} of={of} alt={`${words.count(some)} / ${words.count(of)}`} />)}
        </tbody>
      </table>
    </>
  );
}

export function Progress() {
  const { index, doc, words, links, notebook } = useDeck();
  const id = useUid();
  const topics = useMemo(() => mastery(doc, index), [doc, index]);
  return (
    <section class="progress" aria-labelledby={id}>
      <h2 id={id}>{words.soFar}</h2>
      <table class="progress-table">
        <caption>{words.masteryNote}</caption>
        <tbody>
          {topics.map(({ topic, total, learnt, started }) => (
            <Row key={topic} name={index.topics[topic]} some={learnt} more={started} of={total} alt={words.mastery(learnt, started, total)} />
          ))}
        </tbody>
      </table>
      {doc.reviews.length > 0 && <><Forecast /><History /><Said /></>}
      <DataTools />
      {links.anki?.length > 0 && !notebook && (
        <>
          <h3>{words.anki}</h3>
          <p class="fine">{words.ankiNote}</p>
          <p class="actions anki">{links.anki.map(({ href, label }) => <a key={href} class="button" href={href} download>{label}</a>)}</p>
        </>
      )}
    </section>
  );
}
