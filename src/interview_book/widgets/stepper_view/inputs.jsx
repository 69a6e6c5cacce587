/* Step 1: the embeddings, each entry a field. What cannot be read is refused beside it, and changes nothing. */

import { readNumber } from "../practice_deck/answers.js";
import { composing } from "../practice_deck/keys.js";
import { shown } from "./numbers.js";
import { Axis, KEYS, Matrix, Side, tokenText } from "./pieces.jsx";
import { LARGEST } from "./state.js";

/** {value} or {reason}, of what was typed into a field. */
export function readEntry(typed) {
  const got = readNumber(typed);
  return got.reason ? got : Math.abs(got.value) > LARGEST ? { reason: "range" } : { value: got.value };
}
/** What may still become a number when more is typed: nothing is said against it until the reader leaves the field. */
const unfinished = typed => /^\s*[-+−－＋ー]?\s*[\d０-９]*[.．。]?\s*$/.test(typed) || /[eE/×^(]\s*[-−]?\s*$/.test(typed);

/** The table with one entry changed; the old one is left as it is. */
export const replaced = (X, row, column, value) => X.map((one, i) => (i === row ? one.map((entry, j) => (j === column ? value : entry)) : one));

/**
 * @param {{drafts: Map<string, {typed: string, before: number, reason?: string}>,
 *   onEdit: (row: number, column: number, value: number, draft?: object) => void,
 *   onLeave: (field: HTMLInputElement, then: (typed: string) => void) => void}} props drafts: what was typed into
 *   fields that have not been left, or was refused, and the entry as it was before
 */
export function Inputs({ view, words, axes, id, drafts, onEdit, onLeave }) {
  const { state, rows, labels, X, given, d_model } = view;
  /** What is no number, or not yet one, leaves the entry as it was when the typing began. */
  const settle = (row, place, column, typed, { leaving = false, composing: unread = false } = {}) => {
    const now = X[place][column], before = drafts.get(`${row},${column}`)?.before ?? now;
    if (unread) return onEdit(row, column, now, { typed, before });
    const { reason, value } = readEntry(typed);
    if (reason === undefined) return onEdit(row, column, value, leaving ? undefined : { typed, before });
    return onEdit(row, column, before, { typed, before, reason: leaving || !unfinished(typed) ? reason : undefined });
  };
  return (
    <Matrix kind="inputs" caption={words.inputs} wide={d_model > 4 ? 4 + 4.6 * d_model : 0}>
      <thead><tr><th scope="col">{words.token}</th>{axes.map(axis => <th scope="col" key={axis.index}><Axis axis={axis} /></th>)}</tr></thead>
      <tbody>
        {rows.map((row, i) => {
          const refused = axes.flatMap((axis, f) => (drafts.get(`${row},${f}`)?.reason ? [{ axis, f, reason: drafts.get(`${row},${f}`).reason }] : []));
          return [
            <tr key={row} class={i === state.query ? "now" : undefined}>
              <Side of={labels[i]} lesson={given.lesson} />
              {axes.map((axis, f) => {
                const key = `${row},${f}`, draft = drafts.get(key), bad = Boolean(draft?.reason), value = draft?.typed ?? shown(X[i][f]);
                return (
                  <td key={f}>
                    <input type="text" inputMode="decimal" value={value} class={X[i][f] !== given.X[row][f] ? "changed" : undefined}
                      aria-label={words.field(tokenText(labels[i]), axis.word || `${axis.name}${axis.index}`)}
                      aria-invalid={bad ? "true" : undefined} aria-describedby={bad ? `${id}-${row}-${f}` : undefined}
                      autocomplete="off" autocorrect="off" autocapitalize="none" spellcheck={false} enterkeyhint="done"
                      onInput={event => settle(row, i, f, event.currentTarget.value, { composing: event.isComposing })}
                      oncompositionend={event => settle(row, i, f, event.currentTarget.value)}
                      onBlur={event => draft && onLeave(event.currentTarget, typed => drafts.has(key) && settle(row, i, f, typed, { leaving: true }))}
                      onKeyDown={event => draft && event.key === "Enter" && !composing(event) && settle(row, i, f, event.currentTarget.value, { leaving: true })} {...KEYS} />
                  </td>
                );
              })}
            </tr>,
            ...refused.map(({ axis, f, reason }) => (
              <tr key={`${row}-${f}`} class="refused">
                <td colSpan={axes.length + 1}><p id={`${id}-${row}-${f}`} role="alert">
                  {words.field(tokenText(labels[i]), axis.word || `${axis.name}${axis.index}`)}{words.colon}{words.reasons[reason] ?? words.reasons.form}{words.kept(shown(X[i][f]))}
                </p></td>
              </tr>
            )),
          ];
        })}
      </tbody>
    </Matrix>
  );
}
