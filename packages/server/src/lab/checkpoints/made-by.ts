/** Which version made the file of a checkpoint. Whoever reads a refusal sees whether that is the reason. */

/** Texts that may be repeated to a terminal. */
const VERSION = /^[0-9A-Za-z.+-]{1,100}$/;

/** A sentence with a space before it; "" when this very version made the file, or the file does not say. */
export function madeByAnother(theirs: unknown, ours: string): string {
  if (typeof theirs !== "string" || !VERSION.test(theirs) || theirs === ours) return "";
  return ` It was created by ${theirs}; this is ${ours}.`;
}
