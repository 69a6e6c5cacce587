/* The links of step 6: from each computed Query to every Key, as wide as the weight; the strongest in ink. */

import { weight } from "./numbers.js";
import { tokenText } from "./pieces.jsx";

/** What there is room for beside the picture; a Han sign counts as two. */
function short(label, most = 9) {
  let room = most;
  const signs = [...label], fit = signs.findIndex(sign => (room -= /[\u1100-\uffdc]/.test(sign) ? 2 : 1) < 0);
  return fit < 0 ? label : `${signs.slice(0, Math.max(1, fit - 1)).join("")}…`;
}

export function Links({ view, words }) {
  const { state: { computed }, now, labels, n, framed, given } = view, gap = n > 6 ? 30 : 48, y = i => 34 + gap * i, width = n > 6 ? 9 : 12;
  const strongest = now.A.slice(0, computed).map((p, i) => ({ i, keys: framed[i], p }));
  const said = strongest.flatMap(({ i, keys, p }) => keys.map(j => words.link(tokenText(labels[i]), tokenText(labels[j]), weight(p[j]))));
  const lines = strongest.flatMap(({ i, keys, p }) => p.map((one, j) => ({ i, j, one, top: keys.includes(j) })));
  const path = ({ i, j, one, top }) => (
    <path key={`${i},${j}`} class={top ? "f-link top" : "f-link"} data-query={i} d={`M84 ${y(i)}C150 ${y(i)} 150 ${y(j)} 216 ${y(j)}`} stroke-width={(width * one).toFixed(1)} />
  );
  return (
    <svg class="fig links" viewBox={`0 0 300 ${y(n - 1) + 32}`} role="img" aria-label={words.links + words.open + (said.join(words.stop) || words.noLinks) + words.close}>
      {lines.filter(one => !one.top).map(path)}
      {lines.filter(one => one.top).map(path)}
      {labels.map((label, i) => (
        <g key={i} lang={given.lesson ? "en" : undefined}>
          <text class="f-text" text-anchor="end" x="66" y={y(i) + 5}>{short(label)}</text><path class="f-q" d={`M72 ${y(i) - 6}v12l10-6z`} />
          <text class="f-text" x="236" y={y(i) + 5}>{short(label)}</text><path class="f-k" d={`M224 ${y(i) - 7}l7 7-7 7-7-7z`} />
        </g>
      ))}
    </svg>
  );
}
