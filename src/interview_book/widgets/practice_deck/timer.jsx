/* How long somebody speaks. It only counts: nothing is recorded, nothing is sent. */

import { useEffect, useRef, useState } from "preact/hooks";

import { Icon } from "./pieces.jsx";

/** Shorter than this, an answer is told, not praised. */
const BRIEF = 5; // seconds
const TICK = 250; // ms; the bar need not move more often, seconds are read off the clock

/**
 * A stopwatch. `seconds` is null before the first start, whole seconds otherwise: the same number
 * on the stopwatch, in the verdict and in the record.
 * @param {() => number} clock milliseconds
 * @param {number | null} before seconds of an answer that was given already
 */
export function useTimer(clock, before = null) {
  const [state, set] = useState({ running: false, seconds: before });
  const from = useRef(0);
  // A clock that is set back must not give a negative time.
  const passed = () => Math.max(0, clock() - from.current) / 1000;
  useEffect(() => {
    if (!state.running) return undefined;
    const id = setInterval(() => set(one => (one.running ? { running: true, seconds: Math.floor(passed()) } : one)), TICK);
    return () => clearInterval(id);
  }, [state.running]);
  return {
    ...state,
    start() {
      from.current = clock();
      set({ running: true, seconds: 0 });
    },
    /** @returns {number} whole seconds since the start */
    stop() {
      const seconds = Math.floor(passed());
      set({ running: false, seconds });
      return seconds;
    },
    clear: () => set({ running: false, seconds: null }),
  };
}

/**
 * The bar, the seconds and one note. Nobody is told that the time is over but by the bar and the note: a voice from the
 * screen reader would interrupt who is speaking.
 */
export function Timer({ timer, slot, words, untimed = false, onAgain }) {
  const { running, seconds } = timer;
  const shown = seconds ?? 0, over = seconds !== null && seconds > slot;
  const [tone, sign, note] = untimed ? ["", "", words.untimed]
    : running ? over ? ["depends", "i-clock", words.over] : ["", "", words.speaking]
    : seconds === null ? ["", "", words.private]
    : over ? ["depends", "i-clock", words.late(seconds - slot)]
    : seconds < BRIEF ? ["", "", words.brief(seconds)] : ["holds", "i-check", words.kept];
  const share = Math.min(100, (100 * (seconds ?? 0)) / slot);
  return (
    <div class={over ? "timer over" : "timer"} role="timer" aria-label={words.timer} style={{ "--t": `${share.toFixed(1)}%` }}>
      <span aria-hidden="true" class="timer-bar" />
      <p><b>{words.clock(shown, slot)}</b><span>{words.clockOf(slot)}</span></p>
      <p class={`timer-note ${tone}`.trim()}>{sign && <Icon name={sign} />}{note}</p>
      {onAgain && <button type="button" class="quiet" onClick={onAgain}><Icon name="i-undo" />{words.again}</button>}
    </div>
  );
}
