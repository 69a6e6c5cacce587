/* The record as a file of the reader's: written by the browser itself, sent nowhere. */

/**
 * Offer the text as a download.
 * @param {string} text
 * @param {string} today "YYYY-MM-DD"
 * @returns {string} the file's name
 */
export function exportFile(text, today) {
  const name = `interview-book-progress-${today}.json`;
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  // Some browsers read it only after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  return name;
}

/** Copy a text. @param {string} text @returns {Promise<boolean>} whether it worked */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // from file://, or not allowed: the text can still be selected by hand
  }
}
