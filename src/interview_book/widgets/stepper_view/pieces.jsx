/* Small things that every step uses: signs, names of axes, number cells, tables in their scrolling boxes. */

import { named } from "./prose.js";

/** A notebook takes the arrow keys of any focused control that does not ask it not to; an ancestor cannot ask. */
export const KEYS = { "data-lm-suppress-shortcuts": "true" };

const PATHS = {
  undo: "M8.4 4.8L4 9.2l4.4 4.4M4.4 9.2h9.8a5.2 5.2 0 0 1 0 10.4H8.6",
  previous: "M20 12H4.4M10.8 5.6L4.4 12l6.4 6.4", next: "M4 12h15.6M13.2 5.6l6.4 6.4-6.4 6.4",
};
/** Drawn here and not from the page's sprite, which a notebook lacks. */
export const Icon = ({ name }) => <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d={PATHS[name]} /></svg>;

export const Letter = ({ name, index }) => <><var>{name}</var>{index !== undefined && <sub>{index}</sub>}</>;
/** The letter of an axis, its word beside it. */
export const Axis = ({ axis }) => <><Letter name={axis.name} index={axis.index} />{axis.word && <span class="axis-word"> {axis.word}</span>}</>;
/** What an axis is called for the ear where there is no room for its word. */
export const heard = ({ name, index, word }) => `${name}${index} ${word}`.trim();

/** The pieces of a sentence. */
export const Pieces = ({ of }) => of.map((piece, i) =>
  typeof piece === "string" ? piece : piece.role ? <span key={i} class={`role ${piece.role}`}>{piece.text}</span> : <Letter key={i} name={piece.letter} index={piece.index} />);

export const Token = ({ of, lesson }) => <span class="token" lang={lesson ? "en" : undefined}>{of}</span>;
/** The head of a row: a token. */
export const Side = ({ of, lesson }) => <th scope="row" lang={lesson ? "en" : undefined}>{of}</th>;
export const tokenText = named;

/** A number, and in brackets the one under √dₖ, where the divisor changes it. */
export const Number = ({ now, was }) => <>{now}{was !== undefined && <span class="was">{` (${was})`}</span>}</>;

/** A table in a box that scrolls sideways, with the keyboard too; of one that is `wide` (rem), or on a phone, the caption
    stays in sight. */
export const Matrix = ({ kind, caption, wide, scrolls = Boolean(wide), children }) => (
  <div class="scroll" tabIndex={0} {...KEYS}>
    <table class={wide ? `matrix ${kind} wide` : `matrix ${kind}`} style={wide ? { minWidth: `${wide}rem` } : undefined}>
      <caption>{scrolls ? <span class="caption">{caption}</span> : caption}</caption>
      {children}
    </table>
  </div>
);
