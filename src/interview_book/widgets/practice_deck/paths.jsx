/* Three paths with an end in sight: a dot for every question. The sizes are what the bank really has. */

import { useMemo } from "preact/hooks";

import { useDeck } from "./context.js";
import { useUid } from "./pieces.jsx";
import { PATHS, paths } from "./plan.js";
import { MINUTES } from "./progress.js";

/** Minutes a day are set in steps of five. */
const STEP = 5;

/** A dot a question, filled = done. With very many, the same as a bar. @param {{ of: number, done: number }} props */
export function Dots({ of, done }) {
  if (of > 60) return <span class="bar" aria-hidden="true" style={`--a:${(100 * done) / of}%;--b:0%`} />;
  return <span class="dots" aria-hidden="true" style={`--n:${of}`}>{Array.from({ length: of }, (_, i) => <i key={i} class={i < done ? "on" : undefined} />)}</span>;
}

/** What there is to say about a path: that it is over, that a day is too short for it, or what it holds. */
function note(path, chosen, words) {
  if (path.finished) return words.pathFinished;
  if (chosen && !path.fits) return words.pathNeeds(path.minutesADay);
  return path.size < PATHS.find(one => one.id === path.id).size ? words.pathAll(path.size) : words.pathNotes[path.id];
}

function Path({ path, name, chosen, onChoose }) {
  const { words } = useDeck();
  return (
    <li>
      <label class="path">
        <input type="radio" name={name} checked={chosen} onChange={onChoose} disabled={!path.size} />
        <span class="path-name">{words.pathNames[path.id]}</span>
        <span class="path-size">{words.pathSize(path.size, path.days, Math.max(1, Math.round(path.minutesADay)))}</span>
        <Dots of={path.size} done={path.done} />
        {path.done > 0 && <span class="visually-hidden">{words.pathDone(path.done, path.size)}</span>}
        <span class="path-note">{note(path, chosen, words)}</span>
      </label>
    </li>
  );
}

export function Paths() {
  const { index, doc, now, words, settle, tell } = useDeck();
  const id = useUid();
  const { settings } = doc;
  const list = useMemo(() => paths(index, settings, doc, now), [index, settings, doc, now]);
  const choose = id => {
    if (!id) {
      settle({ path: null });
      return tell(words.noPathChosen);
    }
    // A path that a day is too short for would end after the interview: the day becomes as long as the path needs.
    const needs = Math.min(MINUTES.most, STEP * Math.ceil(list.find(one => one.id === id).minutesADay / STEP));
    const raised = needs > settings.minutes;
    settle(raised ? { path: id, minutes: needs } : { path: id });
    tell(words.pathChosen(words.pathNames[id]) + (raised ? words.minutesRaised(needs) : ""));
  };
  return (
    <div role="group" aria-labelledby={id}>
      <h2 id={id}>{words.paths}</h2>
      <ul class="paths">
        {list.map(path => (
          <Path key={path.id} path={path} name={id} chosen={settings.path === path.id} onChoose={() => choose(path.id)} />
        ))}
      </ul>
      {settings.path && <p class="path-none"><button type="button" class="quiet" onClick={() => choose(null)}>{words.noPath}</button></p>}
    </div>
  );
}
