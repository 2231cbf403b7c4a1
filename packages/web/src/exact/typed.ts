/**
 * Reads typed numbers. A text that can mean two numbers is never taken for one of them: its field asks which is meant.
 */
import { type NumberStyle, numberStyle } from "./number-style.ts";
import { grouped, ungrouped } from "./shown.ts";

const PLAIN = /^\d*$/;
/** Groups of three digits, or of two before the last three, as in India. */
const GROUPS = [
  /^[1-9]\d{0,2}(?:(?<mark>[.,\s'’])\d{3})(?:\k<mark>\d{3})*$/u,
  /^[1-9]\d?(?:(?<mark>[.,\s'’])\d{2})(?:\k<mark>\d{2})*\k<mark>\d{3}$/u,
];

/** Reads a text whose decimal separator is `decimal`. Returns null if it is no such number. */
function readWith(decimal: "." | ",", text: string): string | null {
  const [whole = "", part, ...more] = text.split(decimal);
  if (more.length > 0 || (part !== undefined && !PLAIN.test(part)) || whole + (part ?? "") === "") return null;
  if (!PLAIN.test(whole) && !GROUPS.some((groups) => groups.test(whole))) return null;
  const digits = whole.replace(/\D/g, "").replace(/^0+(?=\d)/, "") || "0";
  return part === undefined || part === "" ? digits : `${digits}.${part}`;
}

/**
 * The numbers that a typed text can mean, written as the node does: none, one, or two. A single separator is the
 * decimal separator if the page's numbers have it as such. Another that could separate thousands may be either.
 */
export function readingsOf(typed: string, { decimal }: NumberStyle = numberStyle.value): readonly string[] {
  const text = typed.trim();
  const isNegative = /^[-−]/.test(text);
  const body = isNegative ? text.slice(1) : text;
  const own = readWith(decimal, body);
  const other = readWith(decimal === "." ? "," : ".", body);
  const found = body.includes(decimal) && own !== null ? [own] : [other, own];
  const readings = [...new Set(found.filter((reading) => reading !== null))];
  return isNegative ? readings.map((reading) => `-${reading}`) : readings;
}

// A form stores a field's number as the node writes it. A text that is not one number is stored with a mark in front,
// with which no check takes it for a number.

const UNREAD = "?";

/** The text that a form stores for a typed text. */
export function storedText(typed: string): string {
  if (typed.trim() === "") return "";
  const [reading, other] = readingsOf(typed);
  return reading === undefined || other !== undefined ? UNREAD + typed : reading;
}

/** The text that a field shows for a stored text. */
export function fieldText(stored: string, isEdited: boolean): string {
  if (stored.startsWith(UNREAD)) return stored.slice(UNREAD.length);
  return isEdited ? ungrouped(stored) : grouped(stored);
}

/** The numbers that a stored text may mean; null if it is one number or empty. */
export function meaningsOf(stored: string): readonly string[] | null {
  return stored.startsWith(UNREAD) ? readingsOf(stored.slice(UNREAD.length)) : null;
}
