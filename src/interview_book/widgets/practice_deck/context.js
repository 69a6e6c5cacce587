/* What every part of the deck may use: the bank, the record, words, and ways to change and to tell. */

import { createContext } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";

export const Deck = createContext(null);

/**
 * @returns {{ index: object, cards: Map<string, object>, doc: object, now: number, today: string, language: string,
 *   words: Record<string, any>, links: object, notebook: boolean, store: object, commit: (doc: object) => void,
 *   settle: (changes: object) => void, refresh: () => void, tell: (text: string) => void, clock: () => number }}
 */
export const useDeck = () => useContext(Deck);

/** False while the first picture is being drawn, true right after: for what can wait. */
export function useLater() {
  const [later, set] = useState(false);
  useEffect(() => {
    // Two steps: the frame is painted after the first.
    let timer;
    const frame = requestAnimationFrame(() => (timer = setTimeout(() => set(true))));
    return () => (cancelAnimationFrame(frame), clearTimeout(timer));
  }, []);
  return later;
}

/** A heading that takes the focus when its screen appears, unless it is the first of the page. @param {boolean} take */
export function useHeading(take) {
  const heading = useRef(null);
  useEffect(() => {
    if (take) settleOn(heading.current, heading.current.closest(".practice"));
  }, []);
  return heading;
}

/**
 * Give the focus to `heading`. The page stays where it is as long as the top of `frame` can be seen.
 * @param {HTMLElement | null} heading
 * @param {HTMLElement | null} frame
 */
export function settleOn(heading, frame) {
  heading?.focus({ preventScroll: true });
  const top = frame?.getBoundingClientRect().top ?? 0;
  if (top < 0 || top > innerHeight * 0.8) frame?.scrollIntoView({ block: "start", behavior: "instant" });
}
