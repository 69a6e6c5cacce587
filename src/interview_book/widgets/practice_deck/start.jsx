/* The first screen: what to do now, in one sentence and with one button; then paths, conditions, free practice, progress. */

import { useMemo, useRef, useState } from "preact/hooks";

import { useDeck, useLater } from "./context.js";
import { FreePractice } from "./free.jsx";
import { Notices } from "./notices.jsx";
import { Paths } from "./paths.jsx";
import { today as plan } from "./plan.js";
import { Progress } from "./progress_view.jsx";
import { Settings } from "./settings.jsx";
import { Today } from "./today.jsx";

/** @param {{ onOpen: (ids: string[], free?: boolean) => void, arrived: boolean }} props arrived: from another screen */
export function Start({ onOpen, arrived }) {
  const { index, doc, now } = useDeck();
  const later = useLater(); // with a large bank the rest takes as long as what one came for
  const day = useMemo(() => plan(index, doc, doc.settings, now), [index, doc, now]);
  const [free, setFree] = useState(false);
  const choosing = useRef(null);
  const choose = () => {
    setFree(true);
    choosing.current.querySelector(".free > summary").focus();
  };
  return (
    <div class="practice practice-start">
      <Notices />
      <Today day={day} onOpen={onOpen} onFree={choose} arrived={arrived} />
      {later && (
        <>
          <section class="plan" ref={choosing}>
            <Paths />
            <Settings />
            <FreePractice open={free} onToggle={setFree} onOpen={onOpen} />
          </section>
          <Progress />
        </>
      )}
    </div>
  );
}
