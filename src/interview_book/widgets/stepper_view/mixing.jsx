/* Step 5: the weighted Values stack up into the output, a column for each coordinate. */

import { amount, heat, shown, weight } from "./numbers.js";
import { Axis, Matrix, Number, Side } from "./pieces.jsx";

/** Where each part begins and ends when they are laid end to end: [from, to] of each, per coordinate. */
export const stacked = parts => {
  const at = parts[0].map(() => 0);
  return parts.map(row => row.map((one, f) => [at[f], (at[f] += one)]));
};

const percent = x => `${(100 * x).toFixed(2)}%`;

export function Mixing({ view, words, axes }) {
  const { state: { query, mode }, now, scaled, labels, given, d_v, framed } = view, was = mode !== "scaled" ? scaled : undefined;
  const parts = now.weighted[query], spans = stacked(parts), output = now.output[query];
  // One measure for all columns, so that bars can be compared across them.
  const ends = [...spans.flat(2), ...output], low = Math.min(0, ...ends), high = Math.max(0, ...ends), size = (high - low) / 0.9 || 1;
  const scale = Math.max(...now.V.flat().map(Math.abs)) || 1;
  const at = x => (x - low) / size, negative = low < 0;
  const bar = (from, to, kind) => {
    const width = Math.abs(to - from);
    if (width < 1e-12 * size) return <span class="fall none" />;
    return <span class={`fall${kind}${to < from ? " minus" : ""}`} style={{ "--o": percent(at(Math.min(from, to))), "--w": percent(width / size) }} />;
  };
  const p = now.A[query], zero = negative ? { "--z": at(0).toFixed(4) } : undefined;
  return (
    <>
      <Matrix scrolls kind={negative ? "waterfall signed" : "waterfall"} caption={<>{words.mixing}{was && <>{words.stop}<span class="note">{words.was}</span></>}</>} wide={d_v > 4 ? 9 + 6 * d_v : 0}>
        <thead><tr><th scope="col">{words.token}</th><th class="num" scope="col">{words.weight}</th>{axes.v.map(axis => <th scope="col" key={axis.index}><Axis axis={axis} /></th>)}</tr></thead>
        <tbody style={zero}>
          {parts.map((row, j) => (
            <tr key={j}>
              <Side of={labels[j]} lesson={given.lesson} />
              <td class={framed[query].includes(j) ? "num heat strongest" : "num heat"} data-heat={heat(p[j])}><Number now={weight(p[j])} was={was && weight(was.A[query][j])} /></td>
              {row.map((one, f) => (
                <td class="num" key={f}>{bar(...spans[j][f], "")}<span class={one === 0 ? "val zero" : "val"}><Number now={amount(one, scale)} was={was && amount(was.weighted[query][j][f], scale)} /></span></td>
              ))}
            </tr>
          ))}
          <tr class="sum">
            <th scope="row">{words.output}</th><td class="num">1</td>
            {output.map((one, f) => (
              <td class="num" key={f}>{bar(0, one, " total")}<span class="val"><Number now={amount(one, scale)} was={was && amount(was.output[query][f], scale)} /></span></td>
            ))}
          </tr>
          <tr class="before">
            <th scope="row">{words.own}</th><td />{now.V[query].map((one, f) => <td class="num" key={f}><span class="val">{shown(one)}</span></td>)}
          </tr>
        </tbody>
      </Matrix>
      <p class="fine">{words.unrounded}{negative && words.minus}</p>
    </>
  );
}
