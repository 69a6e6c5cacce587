/* Sentences that are composed of numbers, each language on its own. */

const HAN = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十"];
const ja = n => HAN[n] ?? String(n);
const zh = n => (n === 2 ? "兩" : HAN[n] ?? String(n));
/** 一つ to 九つ, above that a number. */
const tsu = n => (n < 10 ? `${HAN[n]}つ` : `${n} 個`);
const minutes = (slot, unit) => (slot === 30 ? "30 秒" : `2 ${unit}`);

/**
 * The sentence under a verdict: what there was, then what is missing for the next verdict. The same words hold for what was
 * said, written or thought.
 * @param {{label: string, got: number, of: number, musts: number, open: number, more: number, any: boolean, wrong: number,
 *   inTime: boolean, seconds: number | null, slot: number}} v points made and of how many, of them `musts`; musts still
 *   `open`; how many `more` make it strong, and whether `any` so many would; `wrong` statements
 */
export function noteJa(v) {
  if (v.label === "strong")
    return v.got < v.of ? "必須の項目がすべてそろい、配点の 8 割に届きました。" : `${tsu(v.of)}の項目が、${v.seconds === null ? "" : "時間内に"}すべてそろいました。`;
  if (v.label === "acceptable") {
    const musts = v.musts > 1 ? `必須の${ja(v.musts)}項目が、${v.musts === 2 ? "両方" : "すべて"}そろいました。` : v.musts ? "必須の項目が入っています。" : "";
    const time = `${minutes(v.slot, "分")}に収めれば`, from = v.any ? "" : "配点の大きい項目から、";
    return `${musts}${!v.more ? `あとは ${time}` : `${from}あと${tsu(v.more)}${v.inTime ? "足せば" : `足し、${time}`}`}「優れた回答」です。`;
  }
  const got = v.got ? `項目が${v.got < 10 ? "" : " "}${tsu(v.got)}入っています。` : "";
  if (!v.open) return got ? `${got}ただ、次の${v.wrong > 1 ? `${tsu(v.wrong)}の文` : "一文"}は直す必要があります。` : `次の${v.wrong > 1 ? `${tsu(v.wrong)}の文` : "一文"}を直す必要があります。`;
  if (!v.got && !v.wrong) return "まだ印のついた項目がありません。回答例を一度、できれば声に出して読んでみましょう。";
  return `${got}必須の項目は、あと${tsu(v.open)}です。${v.wrong ? "直したい文もあります。" : ""}`;
}

/** The same in Chinese. */
export function noteZh(v) {
  if (v.label === "strong")
    return v.got < v.of ? "必講的重點都有了，配分也達到八成。" : `${zh(v.of)}個重點都有了${v.seconds === null ? "" : "，也在時間內"}。`;
  if (v.label === "acceptable") {
    const musts = v.musts > 1 ? `${zh(v.musts)}個必講的重點都有了。` : v.musts ? "必講的重點有了。" : "";
    const time = `控制在 ${minutes(v.slot, "分鐘")}內，`, more = `${v.any ? "" : "挑配分高的"}再補${zh(v.more)}個`;
    return `${musts}${!v.more ? `只要${time}` : v.inTime ? `${more}${v.any ? "" : "，"}` : `${more}，並${time}`}就是「出色」。`;
  }
  const mend = `下面這${v.wrong > 1 ? `${zh(v.wrong)}句話` : "句話"}要改過來。`;
  if (!v.open) return v.got ? `有${zh(v.got)}個重點，不過${mend}` : mend;
  if (!v.got && !v.wrong) return "這次還沒有可以勾的重點，先讀一遍參考回答吧。";
  const got = v.got ? `有${zh(v.got)}個重點，還差${zh(v.open)}個必講的` : `還差${zh(v.open)}個必講的重點`;
  return `${got}${v.wrong ? "，另外有地方要改過來" : ""}。`;
}

/** Seconds of 30 as a number, of 120 as minutes and seconds. */
export const clock = (s, of) => (of === 30 ? String(s) : `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`);
export const clockOf = unit => of => (of === 30 ? ` / 30${unit}` : " / 2:00");

const years = days => String(Math.round(days / 36.525) / 10);
export function daysJa(days) {
  return days < 1 ? "今日" : days < 60 ? `${days} 日` : days < 730 ? `${Math.round(days / 30.44)} か月` : `${years(days)} 年`;
}
export function daysZh(days) {
  return days < 1 ? "今天" : days < 60 ? `${days} 天` : days < 730 ? `${Math.round(days / 30.44)} 個月` : `${years(days)} 年`;
}
