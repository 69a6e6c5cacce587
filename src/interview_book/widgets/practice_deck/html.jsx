/* Texts of the compiled bank: escaped HTML whose formulas are slots, each formula rendered once when the book is built. */

import { useMemo } from "preact/hooks";

const SLOT = /([（「『《]?)<span class="f" data-f="(\d+)"><\/span>([、。，；：？！）」』》]*)/g;
/** A formula that KaTeX cannot break: then what must not stand alone at the end or start of a line stays with it. */
const whole = html => html.split('class="base"').length <= 2;

/**
 * Put the formulas of a part into the slots of a text. A slot without a formula stays empty.
 * @param {string} text
 * @param {string[]} formulas
 */
export const fill = (text, formulas) => text.replace(SLOT, (slot, before, n, after) => {
  const html = formulas[n];
  if (html === undefined) return slot;
  const set = `${before}<span class="f" data-f="${n}">${html}</span>${after}`;
  return (before || after) && whole(html) ? `<span class="stay">${set}</span>` : set;
});

/** One text. `as` is the element around it. */
export function Html({ of, part, as: Tag = "span", ...rest }) {
  const html = useMemo(() => fill(of ?? "", part?.formulas ?? []), [of, part]);
  return <Tag {...rest} dangerouslySetInnerHTML={{ __html: html }} />;
}

/** Paragraphs that are said. */
export const Said = ({ of, part, as: Tag = "div" }) => (
  <Tag class={Tag === "div" ? "said" : undefined}>
    {of.map((text, n) => <Html key={n} as="p" of={text} part={part} />)}
  </Tag>
);
