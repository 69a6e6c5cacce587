/* Step 4: from scores to weights; to two decimals beside the exact ones. */

import { exact, exponential, heat, nats, printedSum, shown, weight } from "./numbers.js";
import { Letter, Matrix, Number, Side } from "./pieces.jsx";

// Beyond this exp() leaves what a table can show; then everything is taken relative to the largest score.
const FAR = 50;

export function Softmax({ view, words }) {
  const { state: { query, mode }, now, scaled, labels, given, framed } = view, was = mode !== "scaled" ? scaled : undefined;
  const z = now.Z[query], p = now.A[query], most = Math.max(...z), far = z.some(one => Math.abs(one) > FAR), shift = far ? most : 0;
  const e = z.map(one => Math.exp(one - shift)), total = e.reduce((a, b) => a + b), sum = printedSum(p), list = p.map(weight).join(" + ");
  return (
    <>
      <Matrix kind="softmax" caption={<>{words.softmax}{was && <>{words.stop}<span class="note">{words.was}</span></>}</>}>
        <thead>
          <tr>
            <th scope="col"><span class="role k">Key</span></th>
            <th scope="col"><Letter name="z" /></th>
            <th scope="col"><Letter name="e" /><sup><Letter name="z" />{far && <> − {shown(most)}</>}</sup></th>
            <th scope="col">{words.exact} <Letter name="p" /></th>
            <th scope="col">{words.weight}</th>
          </tr>
        </thead>
        <tbody>
          {p.map((one, j) => (
            <tr key={j}>
              <Side of={labels[j]} lesson={given.lesson} />
              <td class="num"><Number now={shown(z[j])} was={was && shown(was.Z[query][j])} /></td>
              <td class="num">{exponential(e[j])}</td>
              <td class="num exact"><Number now={exact(one)} was={was && exact(was.A[query][j])} /></td>
              <td class={framed[query].includes(j) ? "num heat strongest" : "num heat"} data-heat={heat(one)}><Number now={weight(one)} was={was && weight(was.A[query][j])} /></td>
            </tr>
          ))}
          <tr class="sum">
            <th scope="row">{words.sum}</th><td /><td class="num">{exponential(total)}</td><td class="num exact">1</td><td class="num">{sum}</td>
          </tr>
        </tbody>
      </Matrix>
      <p class="fine">{words.roundedIs(list, sum)}{sum === "1.00" ? words.roundedOne : words.roundedNot}</p>
      <dl class="readings">
        <div><dt>{words.entropy}</dt><dd><Number now={nats(now.entropy[query])} was={was && nats(was.entropy[query])} /> {words.nats}</dd></div>
      </dl>
    </>
  );
}
