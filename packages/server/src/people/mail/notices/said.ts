/** Sanitizes untrusted text for email, such as the browser name of a sign-in or the label of an API key. */

/** Longer text is cut. */
const MAX_SAID_LENGTH = 160;
const SAFE = /[^\p{L}\p{N} .,:;/()+_=-]/gu;
/** Patterns that mail programs turn into links: a dot before a letter, and the slashes after `http:`. */
const DOT_OF_A_NAME = /\.(?=\p{L})/gu;
const SLASHES = /\/{2,}/gu;

/** Returns one quoted line without line breaks, quotes, text direction marks or anything that reads as a link. */
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
