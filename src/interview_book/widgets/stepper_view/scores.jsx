/* Step 3: every product as the sum of its terms, then divided. */

import { room, shown } from "./numbers.js";
import { Axis, Letter, Matrix, Number, Side, tokenText } from "./pieces.jsx";

export function Scores({ view, words, axes }) {
  const { state: { query, mode }, now, scaled, labels, given, d_k, framed } = view, was = mode !== "scaled";
  const factors = now.K.map(k => k.map((one, f) => `${shown(now.Q[query][f])}×${shown(one)}`));
  const sums = [...now.S[query], ...now.Z[query], ...(was ? scaled.Z[query] : [])].map(shown);
  return (
    <Matrix kind="products" caption={<>{words.scores(tokenText(labels[query]))}{was && <>{words.stop}<span class="note">{words.was}</span></>}</>} wide={room([...factors.flat(), ...sums.map(one => `${one}  `)], d_k + 2, { first: 4.5, least: 4.2, few: 6, sign: 0.4 })}>
      <thead>
        <tr>
          <th scope="col"><span class="role k">Key</span></th>
          {axes.k.map(axis => <th scope="col" key={axis.index}><Axis axis={axis} /></th>)}
          <th scope="col" class="total">{words.total} <Letter name="s" /></th>
          <th scope="col" class="total"><var>z</var> = {mode === "uniform" ? 0 : <var>s</var>}{mode === "scaled" && " / √dₖ"}</th>
        </tr>
      </thead>
      <tbody>
        {now.terms[query].map((terms, j) => (
          <tr key={j}>
            <Side of={labels[j]} lesson={given.lesson} />
            {terms.map((term, f) => (
              <td key={f} class={term === 0 ? "num zero" : "num"}>
                <span class="factors">{factors[j][f]}</span><span class="val">{shown(term)}</span>
              </td>
            ))}
            <td class="num total">{shown(now.S[query][j])}</td>
            <td class={framed[query].includes(j) ? "num total scaled strongest" : "num total scaled"}><Number now={shown(now.Z[query][j])} was={was ? shown(scaled.Z[query][j]) : undefined} /></td>
          </tr>
        ))}
      </tbody>
    </Matrix>
  );
}
