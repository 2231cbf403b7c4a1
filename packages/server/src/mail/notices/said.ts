/** Words of others as a letter shows them. Whoever signs in chooses what the browser calls itself, and labels of keys. */

/** What a line shows of them. */
const MAX_SAID_LENGTH = 160;
const SAFE = /[^\p{L}\p{N} .,:;/()+_=-]/gu;
/** Marks that programs which show mail make links of: a dot before a letter, and what stands after `http`. */
const DOT_OF_A_NAME = /\.(?=\p{L})/gu;
const SLASHES = /\/{2,}/gu;

/** One line in quotes: no break, no quote, no sign that turns what follows around, no address that one could follow. */
export function said(text: string): string {
  const safe = text
    .slice(0, 4 * MAX_SAID_LENGTH)
    .normalize("NFKC")
    .replace(SAFE, "?")
    .replace(DOT_OF_A_NAME, ". ")
    .replace(SLASHES, "/");
  if (safe === "") return "(none)";
  const letters = Array.from(safe);
  const cut = letters.length > MAX_SAID_LENGTH ? `${letters.slice(0, MAX_SAID_LENGTH).join("")}...` : safe;
  return `"${cut}"`;
}
