/* Step 6: all Queries at once; a row turns from outlined scores into ink as it is computed. */

import { held } from "./controls.jsx";
import { heat, room, shown, weight } from "./numbers.js";
import { KEYS, Matrix, Number, Side, Token } from "./pieces.jsx";
import { Links } from "./links.jsx";

const SCALE = Array.from({ length: 8 }, (_, i) => i);

export function Every({ view, words, id, onCompute }) {
  const { state: { mode, computed, query }, now, scaled, labels, given, n, framed } = view, was = mode !== "scaled" ? scaled : undefined;
  const notes = [...(computed < n ? [words.waiting] : []), ...(was ? [words.was] : [])];
  const marked = computed < n ? computed - 1 : query;
  return (
    <>
      <div class={n > 6 ? "pair tall" : "pair"}>
        <Matrix kind="attention" caption={<>{words.all}{notes.length > 0 && words.stop}{notes.map(note => <span class="note" key={note}>{note}{note !== notes.at(-1) && words.stop}</span>)}</>} wide={room(now.S.slice(computed).flat().map(shown), n, { first: 7, least: 3.1, few: 5, sign: 0.5 })}>
          <thead>
            <tr>
              <td class="corner"><span class="role k">Key</span><span class="role q">Query</span></td>
              {labels.map((label, j) => <th scope="col" key={j}><Token of={label} lesson={given.lesson} /></th>)}<th scope="col" class="sumcol">Σ</th>
            </tr>
          </thead>
          <tbody>
            {now.A.map((p, i) => {
              const done = i < computed;
              return (
                <tr key={i} class={i === marked ? "now" : undefined}>
                  <Side of={labels[i]} lesson={given.lesson} />
                  {p.map((one, j) => done
                    ? <td key={j} class={framed[i].includes(j) ? "heat strongest" : "heat"} data-heat={heat(one)}><Number now={weight(one)} was={was && weight(was.A[i][j])} /></td>
                    : <td key={j} class="raw">{shown(now.S[i][j])}</td>)}
                  <td class="sumcol">{done ? "1" : ""}</td>
                </tr>
              );
            })}
          </tbody>
        </Matrix>
        <Links view={view} words={words} />
      </div>
      <div class="controls">
        <div class="field slider">
          <label for={`${id}-computed`}>{words.computed}</label>
          <input id={`${id}-computed`} type="range" min="0" max={n} step="1" value={computed} aria-valuetext={`${computed} / ${n}`} onInput={event => held(event, () => onCompute(+event.currentTarget.value))} {...KEYS} />
          <output for={`${id}-computed`}>{computed} / {n}</output>
        </div>
        <button type="button" class="button" onClick={event => held(event, () => onCompute(computed < n ? computed + 1 : 0))} {...KEYS}>
          {computed < n ? words.compute : words.again}
        </button>
        <div class="scale" aria-hidden="true"><span>0</span>{SCALE.map(step => <i key={step} class="heat" data-heat={step}>{step % 2 ? "" : (step / 8).toFixed(2)}</i>)}<span>1</span></div>
      </div>
    </>
  );
}
