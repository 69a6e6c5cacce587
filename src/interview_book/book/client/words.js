import table from "./words.json";

/**
 * The edition a page belongs to, from its `<html lang>`.
 * @param {string} lang
 * @returns {"ja" | "zh-Hant"}
 */
export const edition = lang => (/^zh/i.test(lang) ? "zh-Hant" : "ja");

/** The words of this page's language. */
export const words = () => table[edition(document.documentElement.lang)];

/**
 * Fill `{name}` in a sentence.
 * @param {string} sentence
 * @param {Record<string, string | number>} values
 */
export const fill = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
