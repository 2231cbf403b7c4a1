/** Makes text from others safe to show on a line at a terminal. */

/** Control characters of both sets, ends of lines and paragraphs, and marks that change the writing direction. */
const NOT_SHOWN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Shows characters that move the cursor, begin a line or write backwards as `\u001b`, so that nobody forges a line. */
export function visible(text: string): string {
  return text.replace(NOT_SHOWN, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
