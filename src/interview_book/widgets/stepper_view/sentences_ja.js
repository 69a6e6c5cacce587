/* 日本語の文。数はどれも facts.js が渡す、表と同じ文字列。 */

import { Key, Query, Value, letter, say } from "./prose.js";

const COUNTS = ["", "一つ", "二つ", "三つ", "四つ", "五つ", "六つ", "七つ", "八つ", "九つ"];
const many = n => COUNTS[n] ?? `${n} 個`;
/** 同点の Key を並べる。多いときは先頭と個数で言う。 */
const these = names => (names.length > 4 ? say`${names[0]}など ${String(names.length)} 個` : names.length === 2 ? say`${names[0]}と${names[1]}` : names.join("、"));
const each = names => (names.length === 2 ? "どちらも" : "いずれも");
const keysOf = keys => these(keys.map(one => (one.self && keys.length === 1 ? "自分自身" : one.name)));
const weights3 = [letter("W", "Q"), "、", letter("W", "K"), "、", letter("W", "V")];

function inputs({ query, embedding, d_model, x, n, mode }) {
  const numbers = d_model <= 4 ? embedding.map((one, i) => say`${i ? "、" : ""}${one.axis}が ${one.text}`) : say`${String(d_model)} 個の数の並び ${x}`;
  return say`${query}の埋め込みは、${numbers}です。${n > 1 && "ほかのトークンの情報は、まだ混ざっていません。"}${mode !== "scaled" && "割る数を変えても、ここは変わりません。"}`;
}

const projections = ({ query, x, Q, K, V, mode }) =>
  say`${query}の埋め込み ${x} に ${weights3} を掛けると、${Query}は ${Q}、${Key}は ${K}、${Value}は ${V} になります。${
    mode === "scaled" ? "一つのトークンが、三つの役を兼ねます。" : "割る数を変えても、ここまでの値は変わりません。"}`;

function scores({ query, scores: { keys, all, raw, z }, root, n, mode }) {
  const first = all ? say`${query}の Query との内積は、どの Key でも ${raw} です。`
    : keys.length > 1 ? say`${query}の Query との内積は、${keysOf(keys)}の Key が${each(keys)} ${raw} です。`
    : say`${query}の Query と${keysOf(keys)}の Key は、成分ごとの積を足すと ${raw} です。`;
  const place = n === 1 ? "これがただ一つのスコアです。" : all ? say`${many(n)}のスコアに差はありません。`
    : keys.length > 1 ? say`この${many(keys.length)}が最も高いスコアです。` : say`${many(n)}のスコアの中で最高です。`;
  return {
    scaled: say`${first}${root} で割ると ${z} になり、${place}`,
    raw: say`${first}割らないので、このまま softmax に渡します。${root} で割れば ${z} です。`,
    uniform: say`${first}ただし、一様にするときはスコアを使わず、どの Key についても 0 を softmax に渡します。${root} で割れば ${z} です。`,
  }[mode];
}

function least({ low: { keys, now, exact, how, z } }) {
  if (how === "zero") return "最も小さい重みは、浮動小数点数では 0 になります。";
  if (how === "tiny") return say`最も小さい${these(keys)}の重みは ${exact} ですが、0 ではありません。`;
  if (z === "0") return say`スコアが 0 の${these(keys)}にも、重み ${now} が${keys.length > 1 && "それぞれ"}つきます。`;
  return say`最も小さい${these(keys)}の重みも${keys.length > 1 && "それぞれ"} ${now} で、0 にはなりません。`;
}

function softmax(f) {
  const { query, best, scores: top, n, mode, H, scaledH, even, evenWeight } = f, { keys, all, now, scaled } = best;
  const same = mode !== "scaled" && "割る数を変えても同じです。";
  if (n === 1) return say`${query}が見る Key は一つしかないので、softmax の重みは ${now} です。${same}`;
  if (mode === "uniform") {
    const lost = top.all ? "スコアに差がないので、√dₖ で割っても同じ重みです。"
      : say`√dₖ で割れば ${top.scaled} になる${keysOf(top.keys)}も、ほかの Key と同じ扱いです。`;
    return say`スコアを使わないので、${query}はどの Key も重み ${evenWeight} で見ます。${lost}エントロピーは上限の log ${String(n)} = ${even}\u00a0ナットです。`;
  }
  if (all) return say`${query}の${many(n)}のスコアに差がないので、softmax は重みを ${now} ずつに分けます。${same}`;
  const most = keys.length > 1 ? say`最も大きいのは${keysOf(keys)}で、${each(keys)} ${now}` : say`最も大きいのは${keysOf(keys)}の ${now}`;
  if (mode === "scaled") return say`softmax は、${query}の${many(n)}のスコアを合計 1 の重みに変えます。${most} です。${least(f)}`;
  const sharper = H === scaledH ? say`エントロピーは、どちらも ${H}\u00a0ナットです。`
    : say`エントロピーは ${H}\u00a0ナットで、割ったときの ${scaledH}\u00a0ナットより小さく、重みが偏っています。`;
  return say`${query}のスコアを割らずに softmax に通します。${most}、√dₖ で割れば ${scaled} です。${sharper}`;
}

function mixing({ query, name, best: { keys, all, now, scaled }, outputs, n, mode, lesson, evenWeight }) {
  const values = outputs.map((one, i) => say`${i ? "、" : ""}${one.axis}は ${one.now}${mode !== "scaled" && `（${one.scaled}）`}`);
  const was = mode !== "scaled" && "括弧の中は √dₖ で割った場合の値です。";
  if (n === 1) return say`${query}が受け取る Value は一つだけなので、出力はその Value のままです。出力の${values}です。${was}`;
  if (mode === "uniform") {
    return say`どの ${Value}も重み ${evenWeight} で足すので、出力は Value の平均です。出力の${values}で、どの Query でも同じになります。${was}`;
  }
  const lead = say`${query}は ${Value}を重みで足し合わせます。`;
  if (all) return say`${lead}重みがどれも ${now} なので、出力は Value の平均です。出力の${values}です。${was}`;
  const shared = mode === "scaled" ? now : `${now}（${scaled}）`;
  const most = keys.length > 1 ? say`最も重いのは${keysOf(keys)}で、${each(keys)} ${shared}です。` : mode === "scaled" ? say`最も重いのは${keysOf(keys)}（${now}）で、` : say`最も重いのは${keysOf(keys)}の ${shared}で、`;
  const [a, b] = outputs.map(one => one.value);
  const own = lesson && mode === "scaled" && (a === b ? say`${name}自身の Value では、どちらも ${a} です。` : say`${name}自身の Value では、順に ${a} と ${b} です。`);
  return say`${lead}${most}出力の${values}です。${own}${was}`;
}

function everyQuery(f) {
  const { computed, left, last, n, mode, best, exchange: to, query, name, evenWeight } = f;
  if (!computed) {
    return say`まだ一つも計算していません。枠の中は、割る前のスコアです。${mode !== "scaled" && "割る数を変えても、ここは変わりません。"}`;
  }
  if (left) {
    const { keys, all, now, scaled } = last, rest = say`あと${many(left)}残っています。`, was = mode !== "scaled" && `（√dₖ で割ると ${scaled}）`;
    const seen = mode === "uniform" ? say`スコアを使わないので、重みはどれも ${evenWeight} です。` : all ? say`重みはどれも ${now} です。`
      : keys.length > 1 ? say`いちばん強く見ているのは${keysOf(keys)}（${each(keys)} ${now}）です。`
      : mode === "scaled" ? say`いちばん強く見ているのは${keysOf(keys)}（${now}）です。` : say`いちばん強く見ているのは${keysOf(keys)}で、重みは ${now} です${was}。`;
    return say`${last.name}の Query を計算しました。${seen}${rest}`;
  }
  if (n === 1) return say`Query は一つだけで、自分自身への重みは ${best.now} です。${mode !== "scaled" && "割る数を変えても同じです。"}`;
  const lead = say`${many(n)}の Query がそろいました。`, was = mode !== "scaled" && `（√dₖ で割ると、順に ${to.scaledThere} と ${to.scaledBack}）`;
  if (mode === "uniform") return say`${lead}重みはどれも ${evenWeight} で、Query の違いが消えています。√dₖ で割ると、${name}から${to.name}へは ${to.scaledThere}、${to.name}から${name}へは ${to.scaledBack} です。`;
  const pair = { apart: say`${query}から${to.name}への重みは ${to.there}、${to.name}から${name}へは ${to.back} です${was}。向きを入れ替えると、重みは変わります。`,
    close: say`${query}から${to.name}への重みも、${to.name}から${name}への重みも、小数第 2 位までは ${to.there} です${was}。`,
    same: say`${query}から${to.name}への重みは ${to.there} で、${to.name}から${name}への重みも同じです${was}。` }[to.how];
  const seen = best.all ? say`${name}は、どの Key も同じ ${best.now} で見ています。`
    : best.keys.length > 1 ? say`${name}がいちばん強く見ているのは${keysOf(best.keys)}（${each(best.keys)} ${best.now}）です。`
    : best.keys[0].self ? say`${name}がいちばん強く見ているのは自分自身（${best.now}）です。` : "";
  return say`${lead}${seen}${pair}`;
}

export const live = f => [inputs, projections, scores, softmax, mixing, everyQuery][f.step - 1](f);

/** もう一方の文と比べた一行。 */
export function against(d) {
  const { step, rows, kept, cells, of, swapped, output, still, name, n, title } = d, lead = say`「${title}」と比べると、`;
  const others = rows.map((one, i) => say`${i ? "、" : ""}${one.here}${one.here !== one.there && `（あちらは ${one.there}）`}`);
  if (step <= 2) {
    const what = step === 1 ? "埋め込み" : "Query、Key、Value ";
    if (!rows.length) return say`${lead}${what}は${many(n)}とも変わりません。`;
    return say`${lead}${what}が違うのは${others}だけで${kept ? say`、${name}は変わりません。` : "す。"}`;
  }
  const total = step === 6 ? `${of} 個` : many(of), noun = step === 3 ? "スコア" : "重み";
  const which = cells.slice(0, 3).map((one, i) => say`${i ? "、" : ""}${one.key}の ${one.here}（あちらは ${one.there}）`);
  const changed = cells.length === of ? say`${noun}は${total}とも違います` : step === 6 || cells.length > 3 ? say`${noun}は ${String(of)} 個のうち ${String(cells.length)} 個が違います` : say`${noun}が違うのは${which}です`;
  const compared = cells.length ? changed : say`${step === 3 && say`${name}の`}${noun}は${total}とも変わりません`;
  if (step <= 4) return say`${lead}${compared}。`;
  const moved = output.map((one, i) => say`${i ? "、" : ""}${one.axis}が ${one.here}（あちらは ${one.there}）`);
  const gives = still ? "出力も変わりません。" : swapped ? say`出力は、${step === 6 && "どの Query でも"}${swapped[0]}と${swapped[1]}が入れ替わります。`
    : step === 6 ? "出力は違います。" : say`出力は、${moved}と違います。`;
  return say`${lead}${compared}。${gives}`;
}

/** argmax と比べる一段落。 */
export function contrast({ query, chosen, tied, tie, level, n, mode, learns }) {
  const picks = tie ? say`${query}の Query でスコアが最大の Key は${these(tied)}で、同点です。argmax は先に並ぶ${chosen}を選び、その Value だけを返します。`
    : say`${query}の Query に対して argmax が返すのは、スコアが最大の${chosen}の Value だけです。`;
  const flat = tie && level ? "ただ、同点の Value は同じなので、どれを選んでも出力は変わらず、スコアを通る勾配は 0 です。"
    : tie ? say`同点ではわずかな差で選ぶ相手が入れ替わり、出力が飛ぶため、スコアによる微分は定まりません（表の 0 は、${chosen}を選び続ける側の値）。`
    : n > 1 ? "スコアを少し動かしても選ぶ相手は変わらないので、スコアを通る勾配は 0 です。" : "ほかに選ぶ相手がないので、スコアを通る勾配は 0 です。";
  const softly = learns ? say`ソフトな検索は${many(n)}の Value を混ぜるので、スコアにも Value にも勾配が届きます。`
    : mode === "uniform" && n > 1 ? "一様にするとスコアを使わないので、ソフトな検索でもスコアを通る勾配は 0 です。"
    : "この入力では、ソフトな検索でもスコアを通る勾配は 0 です。";
  return say`${picks}${flat}それでも、選んだ Value には 1 の勾配が届きます。${softly}`;
}
