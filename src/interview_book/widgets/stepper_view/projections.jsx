/* Step 2: the three matrices, and below them Q, K and V of every token, in one table: a row is one token in three roles. */

import { room, shown } from "./numbers.js";
import { Letter, Matrix, Side, heard } from "./pieces.jsx";

const ROLES = [["q", "Query", "Q", "W_q"], ["k", "Key", "K", "W_k"], ["v", "Value", "V", "W_v"]];

const Head = ({ axis, scope, first }) => <th scope={scope} class={first ? "symbol first" : "symbol"} aria-label={heard(axis)}>{axis.name}<sub>{axis.index}</sub></th>;

/** A row of numbers, a group of columns for each role. */
const Row = ({ kind, side, groups }) => (
  <tr class={kind}>
    {side}
    {groups.map((row, g) => row.map((one, f) => <td key={`${g},${f}`} class={`num${f ? "" : " first"}${one === 0 ? " zero" : ""}`}>{shown(one)}</td>))}
  </tr>
);

export function Projections({ view, words, axes }) {
  const { given, now, labels, d_k, d_v, state: { query } } = view, heads = [axes.k, axes.k, axes.v], sizes = [d_k, d_k, d_v];
  const few = 12, texts = ROLES.flatMap(([, , letter, matrix]) => [...given[matrix], ...now[letter]].flat().map(shown));
  const band = formula => <tr class="band"><td />{ROLES.map(([kind, , letter], g) => <th key={kind} scope="colgroup" colSpan={sizes[g]} class="first">{formula(letter)}</th>)}</tr>;
  return (
    <>
      <Matrix kind="projected" caption={words.projections} wide={room(texts, sizes[0] + sizes[1] + sizes[2], { first: 5, least: 2.4, few, sign: 0.46 })}>
        <thead>
          <tr><td />{ROLES.map(([kind, name], g) => <th key={kind} scope="colgroup" colSpan={sizes[g]} class="first"><span class={`role ${kind}`}>{name}</span></th>)}</tr>
          <tr><td />{heads.map((list, g) => list.map(axis => <Head key={`${g},${axis.index}`} scope="col" axis={axis} first={axis.index === 0} />))}</tr>
        </thead>
        <tbody class="weights">
          {band(letter => <Letter name="W" index={letter} />)}
          {axes.x.map((axis, i) => <Row key={i} side={<Head scope="row" axis={axis} />} groups={ROLES.map(([, , , matrix]) => given[matrix][i])} />)}
        </tbody>
        <tbody>
          {band(letter => <><var>{letter} = X W</var><sub>{letter}</sub></>)}
          {labels.map((label, i) => <Row key={i} kind={i === query ? "now" : undefined} side={<Side of={label} lesson={given.lesson} />} groups={ROLES.map(([, , letter]) => now[letter][i])} />)}
        </tbody>
      </Matrix>
      {axes.x.some(axis => axis.word) && (
        <p class="fine axes">{words.axesAre}{words.colon}{axes.x.map((axis, i) => <span key={i}>{i > 0 && "、"}<Letter name={axis.name} index={axis.index} /> {axis.word}</span>)}</p>
      )}
    </>
  );
}
