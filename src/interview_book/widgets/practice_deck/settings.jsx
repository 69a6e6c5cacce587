/* Interview date, minutes a day, language of the interview, role: all optional, all in one fold. */

import { useDeck } from "./context.js";
import { isDay } from "./days.js";
import { Fold, useUid } from "./pieces.jsx";
import { MINUTES } from "./progress.js";

/** A label above its control. @param {{ text: string, children: (id: string) => any }} props */
export function Field({ text, children }) {
  const id = useUid();
  return <div class="field"><label for={id}>{text}</label>{children(id)}</div>;
}

/** A list to choose from; the empty value stands for «all». */
export const Choice = ({ text, value, options, onChange }) => (
  <Field text={text}>
    {id => (
      <select id={id} value={value} onChange={event => onChange(event.currentTarget.value)}>
        {options.map(([key, name]) => <option key={key} value={key}>{name}</option>)}
      </select>
    )}
  </Field>
);

export function Settings() {
  const { doc, words, settle } = useDeck();
  const { date, minutes, language, role } = doc.settings;
  const setMinutes = input => {
    const typed = Math.round(Number(input.value));
    const next = typed >= MINUTES.least ? Math.min(MINUTES.most, typed) : typed > 0 ? MINUTES.least : minutes;
    input.value = next; // what was meant, where it was typed
    settle({ minutes: next });
  };
  // While a year is typed, it is 0002, 0020 and 0202 on the way; the field must not be drawn anew for that.
  const setDate = text => (text === "" || (isDay(text) && text >= "1970")) && settle({ date: text || null });
  return (
    <Fold title={words.conditions}>
      <div class="controls grid">
        <Field text={words.day}>
          {id => <input id={id} type="date" max="9999-12-31" value={date ?? ""} onChange={event => setDate(event.currentTarget.value)} />}
        </Field>
        <Field text={words.minutes}>
          {id => (
            <span class="unit">
              <input id={id} type="number" min={MINUTES.least} max={MINUTES.most} step="5" inputmode="numeric" value={minutes} onChange={event => setMinutes(event.currentTarget)} />
              {words.minute}
            </span>
          )}
        </Field>
        <Choice text={words.interviewLanguage} value={language} options={Object.entries(words.languages)} onChange={value => settle({ language: value })} />
        <Choice
          text={words.role} value={role ?? ""} options={[["", words.anyRole], ...Object.entries(words.roles)]}
          onChange={value => settle({ role: value || null })}
        />
      </div>
    </Fold>
  );
}
