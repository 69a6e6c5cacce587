/* Classic scripts are the one way to load data that file:// allows as well: no fetch, no module. */

/** @type {Map<string, Promise<void>>} */
const loading = new Map();

/**
 * Load a classic script once. A failed load may be tried again.
 * @param {string} url
 * @returns {Promise<void>}
 */
export function script(url) {
  const known = loading.get(url);
  if (known) return known;
  const promise = /** @type {Promise<void>} */ (
    new Promise((resolve, reject) => {
      const element = document.createElement("script");
      element.src = url;
      element.onload = () => resolve();
      element.onerror = () => {
        loading.delete(url);
        element.remove();
        reject(new Error(`could not load ${url}`));
      };
      document.head.append(element);
    })
  );
  loading.set(url, promise);
  return promise;
}

/** The folder of this edition, from Sphinx's `data-content_root`, as an absolute address that ends in `/`. */
export function editionRoot() {
  return new URL(document.documentElement.dataset.content_root || "./", location.href.split(/[?#]/)[0]).href;
}

/**
 * The name of a page inside its edition: `chapters/two-scores`. A server may have hidden `.html` or `index.html`.
 * @param {string} page absolute address of the page
 * @param {string} root absolute address of the edition, ending in `/`
 */
export function docname(page, root) {
  const path = decodeURI(page.split(/[?#]/)[0].slice(root.length));
  return path.replace(/\.html$/, "").replace(/(^|\/)$/, "$1index");
}
