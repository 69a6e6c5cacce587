/* The static page's side of a widget: the same module that a notebook runs, on a model that has no kernel behind it. */

/**
 * A minimal model: what anywidget's front-end modules may use without a kernel.
 * @param {Record<string, unknown>} state
 */
export function makeModel(state) {
  const values = { ...state };
  /** @type {Map<string, Set<Function>>} */
  const listeners = new Map();
  const emit = (name, ...rest) => [...(listeners.get(name) ?? [])].forEach(listener => listener(...rest));
  const model = {
    get: name => values[name],
    set(name, value) {
      const changes = typeof name === "object" ? name : { [name]: value };
      const changed = Object.keys(changes).filter(key => !Object.is(values[key], changes[key]));
      Object.assign(values, changes);
      for (const key of changed) emit(`change:${key}`, model, values[key]);
      if (changed.length) emit("change", model);
    },
    on(names, listener) {
      for (const name of names.split(/\s+/)) {
        if (!listeners.has(name)) listeners.set(name, new Set());
        listeners.get(name).add(listener);
      }
    },
    /** With a listener, that one; without, all of the name; with neither, all. */
    off(names, listener) {
      for (const name of names ? names.split(/\s+/) : [...listeners.keys()]) {
        if (listener) listeners.get(name)?.delete(listener);
        else listeners.delete(name);
      }
    },
    save_changes() {}, // there is no kernel to tell
    send() {},
  };
  return model;
}

/**
 * Mount every widget of the page. One that fails keeps its readable fallback and does not stop the others.
 * @param {Record<string, { default?: { render?: Function } }>} modules by the widget's name
 * @param {ParentNode} root
 */
export async function mount(modules, root = document) {
  for (const host of root.querySelectorAll(".book-widget[data-widget]:not([data-mounted])")) {
    host.setAttribute("data-mounted", "");
    const el = document.createElement("div");
    const data = host.querySelector('script[type="application/json"]');
    const fallback = document.createDocumentFragment();
    try {
      const name = host.dataset.widget;
      const render = modules[name]?.default?.render;
      if (!render) throw new Error(`no widget module named «${name}»: there are ${Object.keys(modules).join(", ") || "none"}`);
      const state = JSON.parse(data?.textContent || "{}");
      // In its final place and size before rendering: a module may measure itself.
      fallback.append(...[...host.childNodes].filter(node => node !== data));
      host.append(el);
      await render({ model: makeModel(state), el });
    } catch (error) {
      el.remove();
      host.prepend(fallback);
      console.error(error);
    }
  }
}
