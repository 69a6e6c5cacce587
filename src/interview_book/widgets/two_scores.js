/* Two scores, a divisor, two Values: what dividing does to weights, output and gradient. See two_scores.py. */

/** @typedef {{ scores: number[], divisor: number, values: number[] }} State */

export const LIMITS = {
  score: { min: -8, max: 8, step: 0.5 },
  divisor: { min: 0.5, max: 8, step: 0.5 },
  value: { min: -20, max: 20, step: 0.5 },
};
/** Divisors with a name, for d_k = 4: none, √d_k, d_k. */
export const PRESETS = [1, 2, 4];

export const WORDS = {
  ja: {
    title: "スコアと割る数を動かす",
    reset: "はじめに戻す", score: "スコア", divisor: "割る数", presets: "よく使う割る数",
    preset: ["割らない", "√dₖ = 2", "dₖ = 4"],
    weights: "二つの Key のスコア、重み、出力",
    gradients: ["softmax のヤコビ行列の成分 ", " と、割る前のスコアに関する勾配 "],
    undivided: "1（割らない）", output: "出力", outputUndivided: "割らないときの出力",
    verdict: "勾配が大きいのは",
    larger: { scaled: "割った場合", unscaled: "割らない場合", tie: "どちらも同じ" },
  },
  "zh-Hant": {
    title: "調整分數與除數",
    reset: "重設", score: "分數", divisor: "除數", presets: "常用的除數",
    preset: ["不除", "√dₖ = 2", "dₖ = 4"],
    weights: "兩個 Key 的分數、權重與輸出",
    gradients: ["softmax 雅可比矩陣的元素 ", "，以及對縮放前分數的梯度 "],
    undivided: "1（不除）", output: "輸出", outputUndivided: "不除時的輸出",
    verdict: "梯度較大的是",
    larger: { scaled: "有除的", unscaled: "沒除的", tie: "一樣大" },
  },
};

/* == numbers == */

/**
 * Everything the widget shows. The smaller weight is computed first, so that neither it nor p(1−p) loses digits.
 * @param {State} state
 */
export function compute({ scores: [s1, s2], divisor, values: [v1, v2] }) {
  const at = c => {
    const e = Math.exp(-Math.abs(s1 - s2) / c);
    const large = 1 / (1 + e), small = e / (1 + e);
    const p = s1 >= s2 ? [large, small] : [small, large];
    const mixed = [p[0] * v1, p[1] * v2];
    return { z: [s1 / c, s2 / c], p, mixed, output: mixed[0] + mixed[1], jacobian: large * small, gradient: large * small / c };
  };
  const scaled = at(divisor), unscaled = at(1);
  const gap = scaled.gradient - unscaled.gradient;
  const larger = Math.abs(gap) <= 1e-12 * unscaled.gradient ? "tie" : gap > 0 ? "scaled" : "unscaled";
  return { scaled, unscaled, larger };
}

/** Heat step of a weight: eight of equal width. */
export const heat = w => Math.min(7, Math.floor(8 * w));

const minus = text => text.replaceAll("-", "−");
const raised = n => [...String(n)].map(d => (d === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[+d])).join("");

/** A number as it was chosen: 4, −2.5. */
export const plain = x => minus(String(x));

/** With so many decimals, and no minus before a zero. */
export function fixed(x, decimals) {
  const text = x.toFixed(decimals);
  return minus(Number(text) === 0 ? text.replace("-", "") : text);
}

/** With so many significant digits; below 0.0001 as a power of ten. */
export function significant(x, digits) {
  if (x === 0) return "0";
  if (Math.abs(x) >= 1e-4) return minus(x.toPrecision(digits));
  const [mantissa, exponent] = x.toExponential(digits - 1).split("e");
  return minus(mantissa) + "×10" + raised(+exponent);
}

/** A weight to three decimals, and never «0» or «1» where it is neither; `rest` is the other weight. */
export function weight(p, rest) {
  if (p < 0.0005) return significant(p, 2);
  if (rest < 0.0005) return `1 − ${significant(rest, 2)}`;
  return fixed(p, 3);
}

/** Two numbers to three significant digits, or to as many more as it takes to tell them apart. */
export function apart(a, b) {
  for (let digits = 3; ; digits++) {
    const pair = [significant(a, digits), significant(b, digits)];
    if (pair[0] !== pair[1] || a === b || digits >= 15) return pair;
  }
}

/* == words == */

/** The live sentence: weights and output, then which gradient is the larger one. */
export function sentence(state, language) {
  const { scores: [s1, s2], divisor } = state;
  const { scaled, unscaled, larger } = compute(state);
  const a = plain(s1), b = plain(s2), c = plain(divisor), out = fixed(scaled.output, 2);
  const p = weight(scaled.p[0], scaled.p[1]), q = weight(scaled.p[1], scaled.p[0]);
  const [g, g1] = apart(scaled.gradient, unscaled.gradient);
  if (language === "zh-Hant") {
    const first = s1 === s2 ? `兩個分數相同，不論除以多少，權重各是 0.5，輸出是 ${out}。`
      : divisor === 1 ? `分數 ${a} 和 ${b} 不縮放，直接做 softmax，權重是 ${p} 和 ${q}，輸出是 ${out}。`
      : `分數 ${a} 和 ${b} 除以 ${c}，權重是 ${p} 和 ${q}，輸出是 ${out}。`;
    return first + (larger === "tie" ? `除數是 1，所以對縮放前分數的梯度跟不除時一樣，都是 ${g}。`
      : `對縮放前分數的梯度是 ${g}，比不除時的 ${g1} ${larger === "scaled" ? "大" : "小"}。`);
  }
  const first = s1 === s2 ? `二つのスコアが等しいので、どんな数で割っても重みは 0.5 ずつ、出力は ${out} です。`
    : divisor === 1 ? `スコア ${a} と ${b} を割らずに使うと、重みは ${p} と ${q}、出力は ${out} です。`
    : `スコア ${a} と ${b} を ${c} で割ると、重みは ${p} と ${q}、出力は ${out} です。`;
  return first + (larger === "tie" ? `割る数が 1 なので、割る前のスコアに関する勾配も、割らないときと同じ ${g} です。`
    : `割る前のスコアに関する勾配は ${g} で、割らないときの ${g1} より${larger === "scaled" ? "大きく" : "小さく"}なります。`);
}

/** On a page of the book the page decides, in a notebook the widget's trait. */
export function languageOf(page, trait) {
  const tag = (page || trait || "ja").toLowerCase();
  return tag.startsWith("zh") ? "zh-Hant" : tag.startsWith("ja") ? "ja" : trait === "zh-Hant" ? "zh-Hant" : "ja";
}

/* == page == */

function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Write into the node's one text, and only what changed: a new text node would cost its surroundings their styles. */
function put(node, text) {
  const first = node.firstChild;
  if (!first) node.append(text);
  else if (first.data !== text) first.data = text;
}

/** Mark a number as the one that counts, or no longer. */
const stress = (node, on) => node.classList.toggle("strong", on);

/** A letter, with its index where it has one. */
const letter = (name, index) => h("var", null, name, ...(index ? [h("sub", null, String(index))] : []));
const product = () => [letter("p"), "(1 − ", letter("p"), ")"];
const role = (kind, word) => h("span", { class: `role ${kind}` }, word);

function undoSign() {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [name, value] of Object.entries({ class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" })) svg.setAttribute(name, value);
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", "M8.4 4.8L4 9.2l4.4 4.4M4.4 9.2h9.8a5.2 5.2 0 0 1 0 10.4H8.6");
  svg.append(path);
  return svg;
}

/** A slider with its label and its number; `show` writes a number into both. */
function slider(id, label, limits) {
  const input = h("input", { type: "range", id, ...limits });
  const output = h("output", { for: id });
  const show = x => {
    const text = plain(x);
    if (output.textContent === text) return;
    input.value = String(x);
    input.setAttribute("aria-valuetext", text);
    put(output, text);
  };
  const field = h("div", { class: "field slider" }, h("label", { for: id }, ...label), input, output);
  // One line each, so that on a phone all five and the sentence below them are in sight at once.
  field.style.gridTemplateColumns = "5.5em minmax(0, 1fr) 2.6em";
  field.firstChild.style.gridColumn = "auto";
  return { input, show, field };
}

function table(caption, head, rows) {
  const heading = h("tr", null, ...head.map(cell => h("th", { scope: "col" }, ...[cell].flat())));
  heading.firstChild.style.width = "6.5em";
  const cells = rows.map(row => row.slice(1).map(() => h("td", { class: "num" })));
  const body = rows.map((row, i) => h("tr", null, h("th", { scope: "row" }, ...[row[0]].flat()), ...cells[i]));
  const made = h("table", { class: "matrix" },
    h("caption", null, ...caption), h("thead", null, heading), h("tbody", null, ...body));
  made.style.minWidth = "17rem"; // few columns: no need to scroll on a phone
  return { cells, box: h("div", { class: "scroll", tabindex: "0" }, made) };
}

let made = 0;

/** Build the widget in one language; returns the element, its inputs and `show(state)`. */
function build(language) {
  const words = WORDS[language], id = `two-scores-${Math.random().toString(36).slice(2, 8)}-${++made}`;
  const sliders = {
    s1: slider(`${id}-s1`, [words.score, " ", letter("s", 1)], LIMITS.score),
    s2: slider(`${id}-s2`, [words.score, " ", letter("s", 2)], LIMITS.score),
    v1: slider(`${id}-v1`, [role("v", "Value"), " ", letter("v", 1)], LIMITS.value),
    v2: slider(`${id}-v2`, [role("v", "Value"), " ", letter("v", 2)], LIMITS.value),
    c: slider(`${id}-c`, [words.divisor, " ", letter("c")], LIMITS.divisor),
  };
  const radios = PRESETS.map(c => h("input", { type: "radio", name: `${id}-preset`, value: c }));
  const presets = h("fieldset", { class: "field segments" }, h("legend", null, words.presets),
    ...radios.map((radio, i) => h("label", null, radio, h("span", null, words.preset[i]))));
  const reset = h("button", { type: "button", class: "quiet" }, undoSign(), words.reset);
  const live = h("p", { class: "live", "aria-live": "polite" });
  const weights = table([words.weights], [role("k", "Key"), "1", "2", "Σ"], [
    [letter("s"), 1, 2, 3], [[letter("s"), " / ", letter("c")], 1, 2, 3], [letter("p"), 1, 2, 3],
    [[role("v", "Value"), " ", letter("v")], 1, 2, 3], [[letter("p"), " ", letter("v")], 1, 2, 3],
  ]);
  const divided = h("span");
  const gradients = table(
    [words.gradients[0], ...product(), words.gradients[1], ...product(), " / ", letter("c")],
    [[words.divisor, " ", letter("c")], product(), [...product(), " / ", letter("c")]], [[divided, 1, 2], [words.undivided, 1, 2]]);
  const [, , p, , mixed] = weights.cells;
  p.slice(0, 2).forEach(cell => cell.classList.add("heat"));
  put(p[2], "1");
  stress(mixed[2], true);
  const readings = ["output", "outputUndivided", "verdict"].map(name => [h("dt", null, words[name]), h("dd")]);
  const controls = h("div", { class: "controls grid" }, ...["s1", "s2", "v1", "v2", "c"].map(name => sliders[name].field), presets);
  controls.style.rowGap = ".25rem";
  const element = h("section", { class: "widget two-scores", lang: language, "aria-labelledby": `${id}-title` },
    h("header", { class: "widget-head" }, h("h3", { id: `${id}-title` }, words.title), reset),
    controls, live, weights.box, gradients.box, h("dl", { class: "readings" }, ...readings.map(pair => h("div", null, ...pair))));

  function show(state) {
    const { scaled, unscaled, larger } = compute(state), { scores, divisor, values } = state;
    Object.entries({ s1: scores[0], s2: scores[1], v1: values[0], v2: values[1], c: divisor }).forEach(([name, x]) => sliders[name].show(x));
    radios.forEach(radio => radio.checked !== (+radio.value === divisor) && (radio.checked = !radio.checked));
    const [s, z, p, v, mixed] = weights.cells;
    for (const i of [0, 1]) {
      put(s[i], plain(scores[i]));
      put(z[i], fixed(scaled.z[i], 2));
      put(p[i], weight(scaled.p[i], scaled.p[1 - i]));
      if (p[i].dataset.heat !== String(heat(scaled.p[i]))) p[i].dataset.heat = heat(scaled.p[i]);
      put(v[i], plain(values[i]));
      put(mixed[i], fixed(scaled.mixed[i], 2));
    }
    put(mixed[2], fixed(scaled.output, 2));
    put(divided, plain(divisor));
    const [g, g1] = apart(scaled.gradient, unscaled.gradient);
    [[significant(scaled.jacobian, 3), g], [significant(unscaled.jacobian, 3), g1]].forEach((pair, row) => {
      pair.forEach((text, column) => put(gradients.cells[row][column], text));
      stress(gradients.cells[row][1], larger === ["scaled", "unscaled"][row]);
    });
    [fixed(scaled.output, 2), fixed(unscaled.output, 2), words.larger[larger]].forEach((text, i) => put(readings[i][1], text));
    put(live, sentence(state, language));
  }
  return { element, sliders, radios, reset, show };
}

const NAMES = ["scores", "divisor", "values"];
export function read(model) {
  const state = { scores: [...model.get("scores")], divisor: model.get("divisor"), values: [...model.get("values")] };
  const numbers = [...state.scores, ...state.values, state.divisor];
  // Thrown, so that the page keeps the table that stands here without us.
  if (numbers.length !== 5 || !numbers.every(Number.isFinite) || !(state.divisor > 0)) throw new TypeError("two_scores: expected five numbers");
  return state;
}

function render({ model, el }) {
  const initial = read(model);
  let state = initial, view, telling = false;

  function tell(next) {
    const changed = NAMES.filter(name => String(state[name]) !== String(next[name]));
    state = next;
    view.show(state);
    telling = true;
    changed.forEach(name => model.set(name, state[name]));
    telling = false;
    if (changed.length) model.save_changes();
  }

  function lay() {
    const page = el.closest(".book-widget") ? el.closest("[lang]")?.lang : "";
    view = build(languageOf(page, model.get("language")));
    const { s1, s2, v1, v2, c } = view.sliders, number = one => Number(one.input.value);
    const from = () => ({ scores: [number(s1), number(s2)], divisor: number(c), values: [number(v1), number(v2)] });
    for (const one of [s1, s2, v1, v2, c]) one.input.addEventListener("input", () => tell(from()));
    for (const radio of view.radios) radio.addEventListener("change", () => tell({ ...state, divisor: +radio.value }));
    view.reset.addEventListener("click", () => tell(initial));
    view.show(state);
    el.replaceChildren(view.element);
    // A notebook takes the arrow keys of any focused control that does not ask it not to; an ancestor cannot ask.
    for (const one of el.querySelectorAll("input, button, [tabindex]")) one.dataset.lmSuppressShortcuts = "true";
  }

  const hear = () => {
    if (telling) return;
    state = read(model);
    view.show(state);
  };
  lay();
  NAMES.forEach(name => model.on(`change:${name}`, hear));
  model.on("change:language", lay);
  return () => {
    NAMES.forEach(name => model.off(`change:${name}`, hear));
    model.off("change:language", lay);
    el.replaceChildren();
  };
}

export default { render };
