/* Free practice: any questions, by topic, level, kind, frequency and chapter. */

import { useMemo, useState } from "preact/hooks";

import { useDeck } from "./context.js";
import { queue } from "./plan.js";
import { Choice } from "./settings.jsx";

/** As many at a time, so that the end stays in sight. */
const AT_A_TIME = 20;
const NONE = { topic: "", level: "", kind: "", frequency: "", chapter: "" };

/** Names of the values that occur in the bank, in the order of `names`. */
const present = (index, field, names) => {
  const found = new Set(index.cards.map(card => card[field]));
  return Object.entries(names).filter(([key]) => found.has(key));
};

/** @param {{ open: boolean, onToggle: (open: boolean) => void, onOpen: (ids: string[], free: boolean) => void }} props */
export function FreePractice({ open, onToggle, onOpen }) {
  const { words } = useDeck();
  return (
    <details class="fold free" open={open} onToggle={event => onToggle(event.currentTarget.open)}>
      <summary><span>{words.free}</span></summary>
      {open && <Filters onOpen={onOpen} />}
    </details>
  );
}

function Filters({ onOpen }) {
  const { index, doc, now, words } = useDeck();
  const [filters, setFilters] = useState(NONE);
  const chapters = Object.fromEntries(Object.entries(index.chapters).map(([slug, { title }]) => [slug, title]));
  const asked = Object.fromEntries(Object.entries(filters).filter(([, value]) => value));
  const ids = useMemo(() => queue(index, doc, doc.settings, asked, now), [index, doc, filters, now]);
  const some = ids.slice(0, AT_A_TIME);
  const all = ["", words.all];
  const lists = [
    ["topic", index.topics], ["level", words.levels], ["kind", words.kinds], ["frequency", words.frequencies], ["chapter", chapters],
  ];
  return (
    <div class="fold-body">
      <div class="controls grid">
        {lists.map(([field, names]) => (
          <Choice
            key={field} text={words[field]} value={filters[field]} options={[all, ...present(index, field, names)]}
            onChange={value => setFilters({ ...filters, [field]: value })}
          />
        ))}
      </div>
      <p class="fine" role="status">
        {!ids.length ? words.freeNone : ids.length > some.length ? words.freeSome(some.length, ids.length) : words.freeAll(ids.length)}
      </p>
      <p class="actions">
        <button type="button" class="button" disabled={!ids.length} onClick={() => onOpen(some, true)}>{words.freeStart(some.length)}</button>
      </p>
    </div>
  );
}
