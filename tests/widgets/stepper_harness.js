/* The stepper's modules for the tests, and what it draws as HTML: its components are plain functions of a state. */

import { h } from "preact";

import { Stage, Stepper } from "../../src/interview_book/widgets/stepper_view/app.jsx";
import { Controls } from "../../src/interview_book/widgets/stepper_view/controls.jsx";
import { axesOf } from "../../src/interview_book/widgets/stepper_view/facts.js";
import { current } from "../../src/interview_book/widgets/stepper_view/state.js";
import { WORDS } from "../../src/interview_book/widgets/stepper_view/words.js";

export * from "../../src/interview_book/widgets/stepper.js";
export * as numbers from "../../src/interview_book/widgets/stepper_view/numbers.js";
export { labels } from "../../src/interview_book/widgets/stepper_view/state.js";
export { WORDS } from "../../src/interview_book/widgets/stepper_view/words.js";

const VOID = new Set(["input"]);
const escaped = text => String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const attribute = ([name, value]) => {
  if (name === "children" || typeof value === "function" || value === undefined || value === null || value === false) return "";
  const text = name === "style" ? Object.entries(value).map(([key, one]) => `${key}:${one}`).join(";") : value === true ? "" : value;
  return ` ${name.toLowerCase()}="${escaped(text)}"`;
};

/** Every element below a node of the virtual DOM, components called. */
export function elements(node) {
  if (Array.isArray(node)) return node.flatMap(elements);
  if (node === null || typeof node !== "object") return [];
  if (typeof node.type === "function") return elements(node.type(node.props));
  return [node, ...elements(node.props.children)];
}

export function html(node) {
  if (Array.isArray(node)) return node.map(html).join("");
  if (node === null || node === undefined || typeof node === "boolean") return "";
  if (typeof node !== "object") return escaped(node);
  if (typeof node.type === "function") return html(node.type(node.props));
  const head = `<${node.type}${Object.entries(node.props).map(attribute).join("")}>`;
  return VOID.has(node.type) ? head : `${head}${html(node.props.children)}</${node.type}>`;
}

/** The widget in a state; `more`: drafts (pairs), switched, opened, actions. */
export function widget({ given, ...state }, language, { drafts = [], actions = {}, switched = false, opened = false } = {}) {
  const words = WORDS[language], view = current(state, given), axes = axesOf(view, words), shared = { view, words, axes, id: "id", actions };
  const stage = h("div", { class: "stage" }, h(Stage, { ...shared, step: view.state.step, drafts: new Map(drafts) }));
  return h(Stepper, { ...shared, language, switched, opened, controls: h(Controls, { ...shared, onChange: actions.change }), stage });
}

export const draw = (state, language, more) => html(widget(state, language, more));

/** Type into the field with this label; returns what the widget was asked to do. */
export function type(state, label, typed, how = "onInput", more = {}) {
  const asked = [], actions = { edit: (...one) => asked.push(one), leave: (field, then) => then(field.value) };
  const field = elements(widget(state, "ja", { ...more, actions })).find(one => one.props["aria-label"] === label);
  field.props[how]({ currentTarget: { value: typed }, isComposing: how === "composing", key: "Enter" });
  return asked;
}
