/* Hard argmax beside soft lookup: what each returns, and the gradient that each hands back. */

import { lookups } from "./facts.js";
import { amount, heat, shown, weight } from "./numbers.js";
import { Axis, KEYS, Letter, Matrix, Number, Pieces, Side } from "./pieces.jsx";

/** The soft lookup's gradient with respect to a raw score. */
const Slope = ({ mode }) => mode === "uniform" ? " = 0"
  : <> = <Letter name="p" index="j" /> (<Letter name="v" index="j" /> − <Letter name="o" />){mode === "scaled" && " / √dₖ"}</>;

/** Closed until it is asked for; only then is it there to be kept up to date. */
export const Contrast = ({ words, open, onToggle, ...rest }) => (
  <details class="fold contrast" open={open} onToggle={event => onToggle(event.currentTarget.open)}>
    <summary {...KEYS}><span>{words.contrast}</span></summary>
    {open && <Body words={words} {...rest} />}
  </details>
);

function Body({ view, words, sentences, axes }) {
  const { state: { mode }, hard, soft, softScaled, labels, given, d_v, now } = view, was = mode !== "scaled" ? softScaled : undefined;
  const size = Math.max(...now.V.flat().map(Math.abs)) || 1;
  const rows = [[words.argmax, hard, undefined], [words.soft, soft, was]];
  return (
      <div class="fold-body">
        <p class="fine"><Pieces of={sentences.contrast(lookups(view))} /></p>
        <Matrix kind="lookups" caption={<>{words.outputs}{was && <>{words.stop}<span class="note">{words.was}</span></>}</>} wide={d_v > 4 ? 5 + 4.6 * d_v : 0}>
          <thead><tr><td />{axes.v.map(axis => <th scope="col" key={axis.index}><Axis axis={axis} /></th>)}</tr></thead>
          <tbody>
            {rows.map(([name, of, before]) => (
              <tr key={name}><th scope="row">{name}</th>{of.output.map((one, f) => <td class="num" key={f}><Number now={of === hard ? shown(one) : amount(one, size)} was={before && amount(before.output[f], size)} /></td>)}</tr>
            ))}
          </tbody>
        </Matrix>
        <Matrix kind="lookups" caption={words.byValue}>
          <thead><tr><th scope="col"><span class="role k">Key</span></th><th scope="col">{words.argmax}</th><th scope="col">{words.soft}</th></tr></thead>
          <tbody>
            {labels.map((label, j) => (
              <tr key={j}>
                <Side of={label} lesson={given.lesson} />
                <td class={j === hard.chosen ? "num heat strongest" : "num heat"} data-heat={heat(hard.weights[j])}>{hard.weights[j]}</td>
                <td class="num heat" data-heat={heat(soft.weights[j])}><Number now={weight(soft.weights[j])} was={was && weight(was.weights[j])} /></td>
              </tr>
            ))}
          </tbody>
        </Matrix>
        <Matrix kind="lookups gradients" caption={<>{words.byScore} ∂<Letter name="o" />/∂<Letter name="s" index="j" /><Slope mode={mode} /></>} wide={d_v > 4 ? 8 + 4.6 * d_v : 0}>
          <thead>
            <tr><td /><td /><th scope="colgroup" colSpan={d_v}>{words.soft}</th></tr>
            <tr><th scope="col"><span class="role k">Key</span></th><th scope="col">{words.argmax}</th>{axes.v.map(axis => <th scope="col" key={axis.index}><Letter name={axis.name} index={axis.index} /></th>)}</tr>
          </thead>
          <tbody>
            {labels.map((label, j) => (
              <tr key={j}>
                <Side of={label} lesson={given.lesson} /><td class="num zero">0</td>
                {soft.raw_gradient[j].map((one, f) => <td key={f} class={Math.abs(one) < 1e-13 * size ? "num zero" : "num"}><Number now={amount(one, size)} was={was && amount(was.raw_gradient[j][f], size)} /></td>)}
              </tr>
            ))}
          </tbody>
        </Matrix>
      </div>
  );
}
