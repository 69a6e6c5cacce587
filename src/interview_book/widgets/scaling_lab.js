/* The scaling lab: what d_k, n, σ, ρ and the divisor do to scores and weights. Numbers from scaling_data.py. */

export const CHOICES = {
  d_k: [1, 4, 16, 64, 256, 1024], key_count: [4, 16, 64, 256], deviation: [0.5, 1, 1.5, 2], correlation: [0, 0.1, 0.3, 0.6],
  divisor: ["none", "sqrt", "d_k", "8", "sqrt_d_model"],
};
const NAMES = Object.keys(CHOICES);
/** Scaled scores from −EDGE to EDGE fit into the picture; so many weights get a bar of their own. */
export const EDGE = 12, BARS = 16, HEADS = 8;

export const WORDS = {
  ja: {
    title: "スケーリング実験室", reset: "はじめに戻す",
    d_k: "次元数", key_count: "Key の数", deviation: ["成分の", "標準偏差"], correlation: "相関", divisor: "割る数", none: "割らない",
    scores: "スコアの分布", weights: "ある行（row）の重み、大きい順", drawn: N => `実測 ${N} 個`, theory: "理論の平均 ± 標準偏差",
    even: "一様なら 1/n", rest: k => `残り ${k} 個の合計`, alone: "これで全部",
    measured: "実測値", expected: "理論値", mean: "平均", spread: "標準偏差", outside: "±12 の外",
    row: "この行", rows: N => `${N} 行の平均`, flat: "一様なら", largest: "最大の重み", entropy: "エントロピー", unit: "ナット",
    table: "棒の数値", others: "残り",
  },
  "zh-Hant": {
    title: "縮放實驗室", reset: "重設",
    d_k: "維度", key_count: "Key 個數", deviation: ["分量的", "標準差"], correlation: "相關係數", divisor: "除數", none: "不除",
    scores: "分數的分布", weights: "其中一列（row）的權重，由大到小", drawn: N => `實測 ${N} 個`, theory: "理論平均值 ± 標準差",
    even: "均勻時 1/n", rest: k => `其餘 ${k} 個合計`, alone: "全部都在這裡",
    measured: "實測值", expected: "理論值", mean: "平均值", spread: "標準差", outside: "±12 之外",
    row: "這一列", rows: N => `${N} 列平均`, flat: "均勻時", largest: "最大的權重", entropy: "熵", unit: "nat",
    table: "長條的數值", others: "其餘",
  },
};

/* == numbers == */

export const divisorOf = (name, d) => ({ none: 1, sqrt: Math.sqrt(d), d_k: d, 8: 8, sqrt_d_model: Math.sqrt(HEADS * d) })[name];

/** Everything the widget shows; as `reading` of scaling_data.py. */
export function compute({ d_k, key_count: keys, deviation, correlation, divisor }, data) {
  const c = divisorOf(divisor, d_k), level = deviation ** 2 / c, within = Math.sqrt(1 - correlation ** 2);
  const size = CHOICES.d_k.indexOf(d_k), r = CHOICES.correlation.indexOf(correlation), n = CHOICES.key_count.indexOf(keys);
  const levels = data.levels[size], law = data.laws[size][r];
  const place = levels.reduce((best, one, i) => (Math.abs(one / level - 1) < Math.abs(levels[best] / level - 1) ? i : best), 0), far = 2 * (levels.length - 1 - place);
  const z = data.normals.slice(0, keys).map(g => level * within * data.norms[size] * g);
  const order = z.map((_, i) => i).sort((i, j) => z[j] - z[i] || i - j);
  const below = z.map(one => z[order[0]] - one), e = below.map(one => Math.exp(-one));
  const others = order.slice(1).reduceRight((sum, i) => sum + e[i], 0);
  const p = e.map(one => one / (1 + others)), shown = order.slice(0, keys <= BARS ? keys : BARS - 1);
  const shift = level * correlation * data.norms[size] ** 2, spread = level * within * Math.sqrt(d_k);
  const mean = { entropy: data.entropy[size][n][place][r] * 1e-3, largest: data.largest[size][n][place][r] * 1e-4 };
  return {
    c, mean: law.mean * level, deviation: law.deviation * level,
    theory: { mean: level * correlation * d_k, deviation: level * Math.sqrt(d_k * (1 + correlation ** 2)) },
    outside: [0, 1].map(i => (law.outside[far + i] ?? 0) / data.scores),
    order: shown.map(i => i + 1), z: shown.map(i => z[i] + shift), p: shown.map(i => p[i]),
    rest: order.slice(shown.length).reduceRight((sum, i) => sum + p[i], 0),
    row: { entropy: Math.log1p(others) + p.reduce((sum, one, i) => sum + one * below[i], 0), largest: p[order[0]] },
    mean_row: mean, spread,
    kind: spread < 0.55 ? "flat" : spread < 1.45 ? "initial" : mean.largest < 0.75 ? "sharp" : "frozen",
  };
}

const minus = text => text.replaceAll("-", "−"), raised = n => [...String(n)].map(d => (d === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[+d])).join("");
const grouped = text => text.replace(/\d(?=(\d{3})+$)/g, "$&,");
/** A chosen number: 1,024, 0.5. */
export const plain = x => grouped(String(x));
/** With so many decimals, and no minus before a zero. */
export function fixed(x, decimals) {
  const text = x.toFixed(decimals), sign = Number(text) < 0 ? "−" : "", [whole, part] = text.replace("-", "").split(".");
  return sign + grouped(whole) + (part ? "." + part : "");
}
/** How many decimals show three digits of x. */
export const decimals = x => Math.max(0, 2 - Math.floor(Math.log10(Number(x.toPrecision(3)))));
/** A divisor: as many digits as it has, up to three. */
export const brief = x => plain(Number(x.toPrecision(x >= 1000 ? 4 : 3)));

/** A weight: two digits at least, below 0.001 as a power of ten, and never «1» where others are left. */
export function weight(p) {
  if (p > 0.995 && p < 1) return p >= 0.9995 ? "> 0.999" : fixed(p, 3);
  if (p >= 0.0995 || p === 0) return fixed(p, 2);
  if (p >= 0.00095) return fixed(p, p >= 0.00995 ? 3 : 4);
  const [mantissa, exponent] = p.toExponential(0).split("e");
  return `${mantissa}×10${raised(+exponent)}`;
}
export const percent = x => (x === 0 ? "0%" : x < 0.001 ? "< 0.1%" : x > 0.999 && x < 1 ? "> 99.9%" : x === 1 ? "100%" : `${(100 * x).toFixed(1)}%`);

/* == pictures == */

const wide = slots => Math.min(172.8 / slots, 26);
const X = z => 120 + (120 / EDGE) * z, Y = share => 100 - 96 * share, at = x => +x.toFixed(2);

/** The measured distribution, its highest bin as high as the picture: bins of equal width, cut at the edges. */
export function area({ mean, deviation }, counts, bin) {
  const step = deviation * bin, start = mean - (counts.length / 2) * step, top = Math.max(...counts), inside = z => X(Math.max(-EDGE, Math.min(EDGE, z)));
  let path = "";
  counts.forEach((count, i) => {
    const a = start + i * step, b = a + step;
    if (b > -EDGE && a < EDGE && count) path += `M${at(inside(a))} 100V${at(Y(count / top))}H${at(inside(b))}V100Z`;
  });
  return path;
}

/** Theory's mean and one standard deviation to either side, as far as they are on the axis. */
export function bracket({ mean, deviation }) {
  const a = Math.max(-EDGE, mean - deviation), b = Math.min(EDGE, mean + deviation);
  if (a >= b) return "";
  const tick = z => (Math.abs(z) < EDGE ? `M${at(X(z))} 105V111` : "");
  return `M${at(X(a))} 108H${at(X(b))}${tick(mean - deviation)}${tick(mean + deviation)}` + (Math.abs(mean) < EDGE ? `M${at(X(mean))} 102V114` : "");
}

/** Bars in equal slots, from slot `first` on. */
export const bars = (weights, slots, first = 0) =>
  weights.map((p, i) => `M${at((first + i + 0.5) * 240 / slots - wide(slots) / 2)} 100V${at(Y(p))}h${at(wide(slots))}V100Z`).join("");

/* == words == */

const DIVISION = { sqrt: "√dₖ = ", d_k: "dₖ = ", 8: "", sqrt_d_model: "√d_model = " };

/** The live sentence: the scores, what the weights look like, and what ρ does to both. */
export function sentence(state, now, language) {
  const { d_k, key_count: keys, correlation: rho, divisor } = state, { mean, deviation, theory, mean_row: { entropy, largest }, kind } = now;
  const d = plain(d_k), c = divisor !== "none" && DIVISION[divisor] + brief(now.c), places = decimals(theory.deviation), log = `log ${keys} = ${fixed(Math.log(keys), 2)}`;
  const H = fixed(entropy, 2), top = weight(largest), s = fixed(deviation, places), m = fixed(mean, places), less = fixed(Math.sqrt(1 - rho * rho), 3);
  const said = language === "zh-Hant" ? [
    c ? `dₖ = ${d} 的分數除以 ${c}，標準差是 ${s}。` : `dₖ = ${d} 的分數不縮放，標準差是 ${s}。`,
    { flat: `權重太平均：熵平均 ${H} nat，離上限 ${log} nat 不遠。`,
      initial: `離散程度跟初始化時差不多，權重有大有小，但不極端：熵平均 ${H} nat，上限是 ${log} nat。`,
      sharp: `分數太分散，權重偏向少數 Key：最大的權重平均 ${top}，熵平均 ${H} nat。`,
      frozen: `分數太分散，權重幾乎全給了一個 Key：最大的權重平均 ${top}，熵平均只有 ${H} nat。` }[kind],
    rho ? `每個 Key 都有相同的 ρ = ${rho}，分數的平均值移到 ${m}；整列（row）一起平移，權重不會變，有影響的只有列內的離散程度變成 √(1 − ρ²) = ${less} 倍。` : "",
  ] : [
    c ? `dₖ = ${d} のスコアを ${c} で割ると、標準偏差は ${s} です。` : `dₖ = ${d} のスコアを割らずに使うと、標準偏差は ${s} です。`,
    { flat: `重みは平らになりすぎ、エントロピーは平均 ${H} ナットで、上限の ${log} に近づきます。`,
      initial: `ばらつきは初期化の時点と同じくらいで、重みにはほどよく差がつきます。エントロピーは平均 ${H} ナット、上限は ${log} です。`,
      sharp: `ばらつきが大きく、重みは一部の Key に偏ります。最大の重みは平均 ${top}、エントロピーは平均 ${H} ナットです。`,
      frozen: `ばらつきが大きすぎて、重みはほとんど一つの Key に集まります。最大の重みは平均 ${top}、エントロピーは平均 ${H} ナットしかありません。` }[kind],
    rho ? `ρ = ${rho} はどの Key にも共通で、スコアの平均を ${m} に動かしますが、そろって動くだけなら重みは変わりません。効くのは、行（row）の中のばらつきが √(1 − ρ²) = ${less} 倍になることだけです。` : "",
  ];
  return said.join("").replace(/(?<=[=−]|log) | (?=[=−]|nat|ナット)/g, "\u00a0"); // a formula, a number and its unit stay on one line
}

/** On a page of the book the page decides, in a notebook the widget's trait. */
export function languageOf(page, trait) {
  const tag = String(page || trait || "ja").toLowerCase();
  return tag.startsWith("zh") ? "zh-Hant" : tag.startsWith("ja") ? "ja" : trait === "zh-Hant" ? "zh-Hant" : "ja";
}

/* == page == */

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) element.setAttribute(name, value);
  element.append(...children);
  return element;
}
const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const g = (tag, attributes, ...children) => fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

/** Write into the node's one text, and only what changed: a new text node would cost its surroundings their styles. */
function put(node, text) {
  const first = node.firstChild;
  if (!first) node.append(text);
  else if (first.data !== text) first.data = text;
}
const set = (node, name, value) => node.getAttribute(name) === String(value) || node.setAttribute(name, value);
const path = (kind, d = "") => g("path", { class: kind, d });
const letter = (name, index) => h("var", null, name, ...(index ? [h("sub", null, index)] : []));
const picture = (kind, height, ...inside) => g("svg", { class: kind, viewBox: `0 0 240 ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...inside);
/** A table with empty cells to write numbers into. */
function table(caption, head, rows) {
  const cells = rows.map(() => head.slice(1).map(() => h("td", { class: "num" })));
  const body = rows.map((name, i) => h("tr", null, h("th", { scope: "row" }, ...[name].flat()), ...cells[i]));
  const columns = head.map((one, i) => (one || i ? h("th", { scope: "col" }, ...[one].flat()) : h("td")));
  const made = h("table", null, h("caption", { class: "visually-hidden" }, caption), h("thead", null, h("tr", null, ...columns)), h("tbody", null, ...body));
  return { cells, body, made };
}

let made = 0;
/** Build the widget in one language; returns the element, its radios by name and `show(state)`. */
function build(language, data) {
  const words = WORDS[language], id = `scaling-lab-${Math.random().toString(36).slice(2, 8)}-${++made}`;
  const sign = { d_k: letter("d", "k"), key_count: letter("n"), deviation: "σ", correlation: "ρ", divisor: letter("c") };
  const written = { none: words.none, sqrt: "√dₖ", d_k: "dₖ", 8: "8", sqrt_d_model: "√d_model" };
  const radios = Object.fromEntries(NAMES.map(name => [name, CHOICES[name].map(value => h("input", { type: "radio", name: `${id}-${name}`, value }))]));
  const fields = NAMES.map(name => {
    const [more, word] = name === "deviation" ? words[name] : ["", words[name]];
    const options = radios[name].map(radio => h("label", null, radio, h("span", null, written[radio.value] ?? plain(radio.value))));
    return h("fieldset", { class: "field segments" }, h("legend", null, h("span", { class: "more" }, more), word, " ", sign[name]), h("span", { class: "choices" }, ...options));
  });
  const reset = h("button", { type: "button", class: "quiet" }, g("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, path("", "M8.4 4.8L4 9.2l4.4 4.4M4.4 9.2h9.8a5.2 5.2 0 0 1 0 10.4H8.6")), words.reset);
  const live = h("p", { class: "live", "aria-live": "polite" });

  const shape = path("lab-area"), theory = path("lab-theory"), sides = [h("span", { class: "side" }), h("span", { class: "side" })];
  const ticks = [-12, -8, -4, 0, 4, 8, 12].map(z => h("span", { style: `left:${at(X(z) / 2.4)}%` }, minus(String(z))));
  const scores = table(words.scores, ["", words.measured, words.expected], [words.mean, words.spread, words.outside]);
  scores.cells[2][1].classList.add("none");
  const first = h("div", { class: "panel" }, h("h4", null, words.scores, " ", letter("s"), "/", letter("c")),
    h("div", { class: "plot" }, picture("scores", 116, path("f-grid", [-8, -4, 0, 4, 8].map(z => `M${X(z)} 0V100`).join("")), shape, path("f-axis", "M0 100H240"), theory), ...sides),
    h("div", { class: "ticks", "aria-hidden": "true" }, ...ticks),
    h("p", { class: "signs" }, h("span", { class: "sign area" }, words.drawn(plain(data.scores))), h("span", { class: "sign theory" }, words.theory)), scores.made);

  const leaders = path("lab-bar"), rest = path("lab-rest"), even = path("lab-theory");
  const most = h("span", { class: "most" }), left = h("span", { class: "left" }), remain = h("span");
  const means = table(words.weights, ["", words.row, words.rows(plain(data.rows)), words.flat], [words.largest, [words.entropy, h("span", { class: "nats" }, `（${words.unit}）`)]]);
  const list = table(words.table, [h("span", { class: "role k" }, "Key"), [letter("s"), "/", letter("c")], letter("p")], Array.from({ length: BARS }, () => ""));
  const keys = list.body.map(row => row.firstChild);
  const second = h("div", { class: "panel" }, h("h4", null, words.weights),
    h("div", { class: "plot weights" }, picture("weights", 102, path("f-grid", `M0 ${Y(1)}H240M0 ${Y(0.5)}H240`), leaders, rest, path("f-axis", "M0 100H240"), even), h("span", { class: "one" }, "1"), h("span", { class: "half" }, "0.5"), most, left),
    h("div", { class: "ticks" }, remain), h("p", { class: "signs" }, h("span", { class: "sign even" }, words.even)), means.made);
  const details = h("details", { class: "fold" }, h("summary", null, words.table), h("div", { class: "fold-body" }, list.made));
  const section = h("section", { class: "widget scaling-lab", lang: language, "aria-labelledby": `${id}-title` },
    h("header", { class: "widget-head" }, h("h3", { id: `${id}-title` }, words.title), reset), h("div", { class: "controls" }, ...fields), live, h("div", { class: "panels" }, first, second), details);

  function show(state) {
    const now = compute(state, data), size = CHOICES.d_k.indexOf(state.d_k), many = state.key_count > BARS, places = decimals(now.theory.deviation);
    for (const name of NAMES) radios[name].forEach(radio => (radio.value === String(state[name])) !== radio.checked && (radio.checked = !radio.checked));
    set(shape, "d", area(now.theory, data.laws[size][CHOICES.correlation.indexOf(state.correlation)].counts, data.bin));
    set(theory, "d", bracket(now.theory));
    now.outside.forEach((share, i) => put(sides[i], share ? (i ? `${percent(share)} →` : `← ${percent(share)}`) : ""));
    const slots = many ? BARS : state.key_count, top = now.p[0], tall = p => `${at((102 - Y(p)) / 1.02)}%`;
    set(leaders, "d", bars(now.p, slots));
    set(rest, "d", many ? bars([now.rest], slots, BARS - 1) : "");
    set(even, "d", `M0 ${at(Y(1 / state.key_count))}H240`);
    put(most, weight(top));
    put(left, many ? weight(now.rest) : "");
    set(most, "style", `bottom:${tall(top)};left:${at(50 / slots - wide(slots) / 4.8)}%`);
    set(left, "style", `bottom:${tall(now.rest)}`);
    put(remain, many ? words.rest(state.key_count - BARS + 1) : words.alone);
    const cells = [[fixed(now.mean, places), fixed(now.theory.mean, places)], [fixed(now.deviation, places), fixed(now.theory.deviation, places)], [percent(now.outside[0] + now.outside[1]), "—"]];
    cells.forEach((row, i) => row.forEach((text, j) => put(scores.cells[i][j], text)));
    [[weight(top), weight(now.mean_row.largest), weight(1 / state.key_count)], [now.row.entropy, now.mean_row.entropy, Math.log(state.key_count)].map(one => fixed(one, 2))]
      .forEach((row, i) => row.forEach((text, j) => put(means.cells[i][j], text)));
    list.body.forEach((row, i) => {
      const last = many && i === BARS - 1;
      if (row.hidden !== i >= slots) row.hidden = i >= slots;
      if (row.hidden) return;
      put(keys[i], last ? words.others : String(now.order[i]));
      [last ? "—" : fixed(now.z[i], 2), weight(last ? now.rest : now.p[i])].forEach((text, j) => put(list.cells[i][j], text));
    });
    put(live, sentence(state, now, language));
  }
  return { element: section, radios, reset, show };
}

/** Whether `one` is arrays of these lengths, each inside the one before (0: any length but none), of finite numbers. */
const filled = (one, size, ...more) => size === undefined ? Number.isFinite(one) : Array.isArray(one) && one.length > 0 && one.length === (size || one.length) && one.every(part => filled(part, ...more));
/** Whether there is a number for every state, so that none is shown beside the controls of another. */
function whole(data) {
  const { d_k, key_count, deviation, correlation, divisor } = CHOICES, { levels, laws, entropy, largest } = data ?? {};
  const law = one => filled([one?.mean, one?.deviation], 2) && filled(one.counts, 0) && Array.isArray(one.outside) && one.outside.every(Number.isFinite);
  const held = (d, i) => filled(levels[i], 0) && deviation.every(s => divisor.every(c => levels[i].some(level => Math.abs(level * divisorOf(c, d) / s ** 2 - 1) < 1e-5)));
  return [levels, laws, entropy, largest].every(one => Array.isArray(one) && one.length === d_k.length) && filled([data.scores, data.rows, data.bin], 3)
    && filled(data.norms, d_k.length) && filled(data.normals, Math.max(...key_count)) && laws.every(of => Array.isArray(of) && of.length === correlation.length && of.every(law))
    && d_k.every(held) && [entropy, largest].every(means => means.every((of, i) => filled(of, key_count.length, levels[i].length, correlation.length)));
}

export function read(model) {
  const state = Object.fromEntries(NAMES.map(name => [name, model.get(name)])), data = model.get("measured");
  const wrong = NAMES.filter(name => !CHOICES[name].includes(state[name]));
  // Thrown, so that the page keeps the table that stands here without us.
  if (wrong.length) throw new TypeError(`scaling_lab: ${wrong.map(name => `${name}: expected one of ${CHOICES[name].join(", ")}, got ${state[name]}`).join("; ")}`);
  if (!whole(data)) throw new TypeError("scaling_lab: expected the measured data of scaling_data.py; run the cell again");
  return state;
}

function render({ model, el }) {
  const initial = read(model), data = model.get("measured");
  let state = initial, view, telling = false;

  function tell(next) {
    const changed = NAMES.filter(name => state[name] !== next[name]);
    state = next;
    view.show(state);
    telling = true;
    changed.forEach(name => model.set(name, state[name]));
    telling = false;
    if (changed.length) model.save_changes();
  }

  function lay() {
    const page = el.closest(".book-widget") ? el.closest("[lang]")?.lang : "";
    view = build(languageOf(page, model.get("language")), data);
    for (const name of NAMES) view.radios[name].forEach((radio, i) => radio.addEventListener("change", () => tell({ ...state, [name]: CHOICES[name][i] })));
    view.reset.addEventListener("click", () => tell(initial));
    view.show(state);
    el.replaceChildren(view.element);
    // A notebook takes the arrow keys of any focused control that does not ask it not to; an ancestor cannot ask.
    for (const one of el.querySelectorAll("input, button, summary")) one.dataset.lmSuppressShortcuts = "true";
  }

  const hear = () => telling || view.show((state = read(model)));
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
