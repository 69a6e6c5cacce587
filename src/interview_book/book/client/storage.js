/* Storage may be blocked, full or foreign. Nothing here throws, and no key is without our prefix: other books and projects
   may live on the same origin. */

export const PREFIX = "interview-book:v1:";

/** Keys of the theme's own scripts, which do not expect storage to throw. */
const THEME_KEYS = new Set(["mode", "theme", "sidebar-scroll-top", "pst_banner_pref", "pst_announcement_banner_pref"]);

/**
 * @param {string} key
 * @param {"localStorage" | "sessionStorage"} area
 * @returns {string | null}
 */
export function read(key, area = "localStorage") {
  try {
    return window[area].getItem(PREFIX + key);
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {string} value
 * @param {"localStorage" | "sessionStorage"} area
 * @returns {boolean} whether it was kept
 */
export function write(key, value, area = "localStorage") {
  try {
    window[area].setItem(PREFIX + key, value);
    return true;
  } catch {
    return false;
  }
}

/**
 * Where storage throws, the theme's script would stop half-way and leave the sidebars dead. Give its keys, and only its keys,
 * a memory; every other key meets the true storage and its true error, so that the practice deck can say so.
 * @param {Window} view
 */
export function shieldTheme(view) {
  for (const area of /** @type {const} */ (["localStorage", "sessionStorage"])) {
    try {
      view[area].setItem(`${PREFIX}probe`, "1");
      view[area].removeItem(`${PREFIX}probe`);
      continue;
    } catch {
      /* blocked or full: shield it */
    }
    let owner = view;
    while (owner && !Object.getOwnPropertyDescriptor(owner, area)) owner = Object.getPrototypeOf(owner);
    const found = owner && Object.getOwnPropertyDescriptor(owner, area);
    const real = () => (found?.get ? found.get.call(view) : found?.value);
    const memory = new Map();
    const shield = new Proxy(
      {},
      {
        get(_, name) {
          if (name === "getItem") return key => (THEME_KEYS.has(key) ? memory.get(key) ?? null : real().getItem(key));
          if (name === "setItem")
            return (key, value) => void (THEME_KEYS.has(key) ? memory.set(key, String(value)) : real().setItem(key, value));
          const value = real()[name];
          return typeof value === "function" ? value.bind(real()) : value;
        },
      },
    );
    try {
      Object.defineProperty(view, area, { configurable: true, get: () => shield });
    } catch {
      /* not ours to replace: the theme's script will have to cope */
    }
  }
}
