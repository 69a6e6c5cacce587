/* 繁體中文的句子。數字都由 facts.js 提供，跟表格裡是同一串文字。 */

import { Key, Query, Value, letter, say } from "./prose.js";

const COUNTS = ["", "一個", "兩個", "三個", "四個", "五個", "六個", "七個", "八個", "九個", "十個"];
const many = n => COUNTS[n] ?? `${n} 個`;
/** 同分的 Key；太多時只說第一個和個數。 */
const these = names => (names.length > 4 ? say`${names[0]}等 ${String(names.length)} 個` : names.length === 2 ? say`${names[0]}和${names[1]}` : names.join("、"));
const keysOf = keys => these(keys.map(one => (one.self && keys.length === 1 ? "自己" : one.name)));
const weights3 = [letter("W", "Q"), "、", letter("W", "K"), "、", letter("W", "V")];

function inputs({ query, embedding, d_model, x, n, mode }) {
  const numbers = d_model <= 4 ? embedding.map((one, i) => say`${i ? "、" : ""}${one.axis}是 ${one.text}`) : say`${String(d_model)} 個數 ${x}`;
  return say`${query}的 embedding 裡，${numbers}。${n > 1 && "這時還沒有混進其他 token 的內容。"}${mode !== "scaled" && "換了除數，這一步也不會變。"}`;
}

const projections = ({ query, x, Q, K, V, mode }) =>
  say`${query}的 embedding ${x} 分別乘上 ${weights3}，得到 ${Query} ${Q}、${Key} ${K}、${Value} ${V}。${
    mode === "scaled" ? "同一個 token，就這樣分出三種角色。" : "換了除數，到這一步的數字都不會變。"}`;

function scores({ query, scores: { keys, all, raw, z }, root, n, mode }) {
  const first = all ? say`${query}的 Query 跟每個 Key 的內積都是 ${raw}。`
    : keys.length > 1 ? say`${query}的 Query 跟${keysOf(keys)}的 Key，內積都是 ${raw}。`
    : say`${query}的 Query 跟${keysOf(keys)}的 Key，各分量的乘積加起來是 ${raw}。`;
  const place = n === 1 ? "也是唯一的分數。" : all ? say`${many(n)}分數沒有差別。`
    : keys.length > 1 ? say`這${many(keys.length)}分數並列最高。` : say`在${many(n)}分數裡最高。`;
  return {
    scaled: say`${first}除以 ${root} 之後是 ${z}，${place}`,
    raw: say`${first}這裡不除，直接交給 softmax；除以 ${root} 的話，會是 ${z}。`,
    uniform: say`${first}不過權重均勻時不看分數，交給 softmax 的都是 0；除以 ${root} 的話，會是 ${z}。`,
  }[mode];
}

function least({ low: { keys, now, exact, how, z } }) {
  if (how === "zero") return "最小的權重，浮點數算出來是 0。";
  if (how === "tiny") return say`最小的是${these(keys)}，權重 ${exact}，不過不是 0。`;
  if (z === "0") return say`${these(keys)}的分數${keys.length > 1 && "都"}是 0，權重還是${keys.length > 1 && "各"}有 ${now}。`;
  return say`最小的${these(keys)}也${keys.length > 1 && "各"}分到 ${now}，不是 0。`;
}

function softmax(f) {
  const { query, best, scores: top, n, mode, H, scaledH, even, evenWeight } = f, { keys, all, now, scaled } = best;
  const same = mode !== "scaled" && "換了除數也一樣。";
  if (n === 1) return say`${query}只有一個 Key 可看，softmax 的權重就是 ${now}。${same}`;
  if (mode === "uniform") {
    const lost = top.all ? "分數本來就沒有差別，除以 √dₖ 也是同樣的權重。"
      : say`除以 √dₖ 的話會分到 ${top.scaled} 的${keysOf(top.keys)}，在這裡跟其他 Key 沒有兩樣。`;
    return say`不看分數，${query}給每個 Key 的權重都是 ${evenWeight}。${lost}熵是上限 log ${String(n)} = ${even}\u00a0nat。`;
  }
  if (all) return say`${query}的${many(n)}分數沒有差別，softmax 給每個 Key 的權重都是 ${now}。${same}`;
  const most = keys.length > 1 ? say`最大的是${keysOf(keys)}，都是 ${now}` : say`最大的是${keysOf(keys)}的 ${now}`;
  if (mode === "scaled") return say`softmax 把${query}的${many(n)}分數換成總和為 1 的權重。${most}。${least(f)}`;
  const sharper = H === scaledH ? say`熵都是 ${H}\u00a0nat。` : say`熵是 ${H}\u00a0nat，比除過的 ${scaledH}\u00a0nat 小，權重更集中。`;
  return say`${query}的分數不除，直接做 softmax。${most}；除以 √dₖ 的話是 ${scaled}。${sharper}`;
}

function mixing({ query, name, best: { keys, all, now, scaled }, outputs, n, mode, lesson, evenWeight }) {
  const values = outputs.map((one, i) => say`${i ? "，" : ""}${one.axis}是 ${one.now}${mode !== "scaled" && `（${one.scaled}）`}`);
  const was = mode !== "scaled" && "括號裡是除以 √dₖ 的值。";
  if (n === 1) return say`${query}只有一個 Value 可拿，輸出就是那個 Value：${values}。${was}`;
  if (mode === "uniform") return say`每個 ${Value}的權重都是 ${evenWeight}，輸出就是 Value 的平均值：${values}。換哪個 Query 都一樣。${was}`;
  const lead = say`${query}按權重把 ${Value}加起來。`;
  if (all) return say`${lead}權重都是 ${now}，輸出就是 Value 的平均值：${values}。${was}`;
  const shared = mode === "scaled" ? now : `${now}（${scaled}）`;
  const most = keys.length > 1 ? say`權重最大的是${keysOf(keys)}，都是 ${shared}；` : mode === "scaled" ? say`權重最大的是${keysOf(keys)}（${now}），` : say`權重最大的是${keysOf(keys)}的 ${shared}，`;
  const [a, b] = outputs.map(one => one.value);
  const own = lesson && mode === "scaled" && (a === b ? say`${name}自己的 Value，這兩個都是 ${a}。` : say`${name}自己的 Value，這兩個是 ${a} 和 ${b}。`);
  return say`${lead}${most}輸出的${values}。${own}${was}`;
}

function everyQuery(f) {
  const { computed, left, last, n, mode, best, exchange: to, query, name, evenWeight } = f;
  if (!computed) {
    return say`還沒開始算，框裡是縮放前的分數。${mode !== "scaled" && "換了除數，這裡也不會變。"}`;
  }
  if (left) {
    const { keys, all, now, scaled } = last, rest = say`還剩${many(left)}。`, was = mode !== "scaled" && `（除以 √dₖ 的話是 ${scaled}）`;
    const seen = mode === "uniform" ? say`不看分數，權重都是 ${evenWeight}。` : all ? say`權重都是 ${now}。`
      : keys.length > 1 ? say`看得最重的是${keysOf(keys)}（都是 ${now}）。`
      : mode === "scaled" ? say`看得最重的是${keysOf(keys)}（${now}）。` : say`看得最重的是${keysOf(keys)}，權重 ${now}${was}。`;
    return say`算完${last.name}這個 Query，${seen}${rest}`;
  }
  if (n === 1) return say`只有一個 Query，給自己的權重是 ${best.now}。${mode !== "scaled" && "換了除數也一樣。"}`;
  const lead = say`${many(n)} Query 都算完了。`, was = mode !== "scaled" && `（除以 √dₖ 的話，分別是 ${to.scaledThere} 和 ${to.scaledBack}）`;
  if (mode === "uniform") return say`${lead}權重都是 ${evenWeight}，看不出 Query 之間的差別。除以 √dₖ 的話，${name}對${to.name}是 ${to.scaledThere}，反過來是 ${to.scaledBack}。`;
  const pair = { apart: say`${query}對${to.name}的權重是 ${to.there}，反過來是 ${to.back}${was}。方向對調，權重就不同。`,
    close: say`${query}對${to.name}的權重，跟反過來的權重，到小數第 2 位都是 ${to.there}${was}。`,
    same: say`${query}對${to.name}的權重是 ${to.there}，反過來也一樣${was}。` }[to.how];
  const seen = best.all ? say`${name}看每個 Key 都是 ${best.now}。`
    : best.keys.length > 1 ? say`${name}看得最重的是${keysOf(best.keys)}（都是 ${best.now}）。`
    : best.keys[0].self ? say`${name}看得最重的是自己（${best.now}）。` : "";
  return say`${lead}${seen}${pair}`;
}

export const live = f => [inputs, projections, scores, softmax, mixing, everyQuery][f.step - 1](f);

/** 跟另一個句子比較的一行。 */
export function against(d) {
  const { step, rows, kept, cells, of, swapped, output, still, name, n, title } = d, lead = say`跟「${title}」相比，`;
  const others = rows.map((one, i) => say`${i ? "、" : ""}${one.here}${one.here !== one.there && `（那邊是 ${one.there}）`}`);
  if (step <= 2) {
    const what = step === 1 ? "embedding" : "Query、Key、Value";
    if (!rows.length) return say`${lead}${many(n)} token 的 ${what}都相同。`;
    return say`${lead}${what}不同的只有${others}${kept && say`，${name}的${step === 2 && "都"}相同`}。`;
  }
  const noun = step === 3 ? "分數" : "權重", total = step === 6 ? `${of} 個` : many(of);
  const which = cells.slice(0, 3).map((one, i) => say`${i ? "、" : ""}${one.key}的 ${one.here}（那邊是 ${one.there}）`);
  const changed = cells.length === of ? say`${total}${noun}都不同` : step === 6 || cells.length > 3 ? say`${String(of)} 個${noun}裡有 ${String(cells.length)} 個不同` : say`${noun}不同的是${which}`;
  const compared = cells.length ? changed : say`${step === 3 && say`${name}的`}${total}${noun}都相同`;
  if (step <= 4) return say`${lead}${compared}。`;
  const moved = output.map((one, i) => say`${i ? "、" : ""}${one.axis}是 ${one.here}（那邊是 ${one.there}）`);
  const gives = still ? "輸出也相同。" : swapped ? say`輸出則是${step === 6 && "每個 Query 的"}${swapped[0]}和${swapped[1]}對調。`
    : step === 6 ? "輸出不同。" : say`輸出的${moved}。`;
  return say`${lead}${compared}。${gives}`;
}

/** 跟 argmax 比較的一段話。 */
export function contrast({ query, chosen, tied, tie, level, n, mode, learns }) {
  const picks = tie ? say`對${query}的 Query 來說，分數最高的 Key 是${these(tied)}，同分。argmax 選排在前面的${chosen}，只傳回它的 Value。`
    : say`對${query}的 Query，argmax 只傳回分數最高的${chosen}的 Value。`;
  const flat = tie && level ? "不過同分的 Value 也相同，選誰輸出都一樣，所以經過分數的梯度是 0。"
    : tie ? say`同分時，分數差一點點，選的對象就會換人，輸出跟著跳走，所以對分數的微分不存在（表裡的 0 是一直選${chosen}那一側的值）。`
    : n > 1 ? "分數稍微動一下，選的還是同一個，所以經過分數的梯度是 0。" : "沒有別的可選，所以經過分數的梯度是 0。";
  const softly = learns ? say`軟性檢索把${many(n)} Value 混在一起，分數和 Value 都有梯度。`
    : mode === "uniform" && n > 1 ? "權重均勻時不看分數，軟性檢索經過分數的梯度也是 0。"
    : "在這組輸入下，軟性檢索經過分數的梯度也是 0。";
  return say`${picks}${flat}選中的 Value 還是有梯度，而且就是 1。${softly}`;
}
