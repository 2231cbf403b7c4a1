/** Fields of the parent's public archive. */

/** Why a line cannot be used; whoever reads the file knows which it is. */
export class BadLine extends Error {
  override readonly name = "BadLine";
}

const [ZERO, NINE, POINT] = [48, 57, 46];
/** What a decimal may have on either side of the point. */
const MAX_DIGITS_A_SIDE = 20;
const MILLISECONDS = 13;
const MICROSECONDS = 16;

/** Reads a time by its digits: 13 are milliseconds, 16 microseconds (spot files since 2025), cut to milliseconds. */
export function timeOf(text: string): number {
  return timeIn(text, 0, text.length);
}

export function countOf(text: string): number {
  return countIn(text, 0, text.length);
}

/** Reads a time between two places of a line: what need not be cut out is read faster. */
export function timeIn(line: string, from: number, to: number): number {
  const value = countIn(line, from, to);
  if (to - from === MILLISECONDS) return value;
  if (to - from === MICROSECONDS) return Math.floor(value / 1000);
  throw new BadLine(`${line.slice(from, to)} is no time in milliseconds (13 digits) or microseconds (16)`);
}

/** Reads a whole number between two places of a line. */
export function countIn(line: string, from: number, to: number): number {
  const value = countOrNothing(line, from, to);
  if (value === undefined) throw new BadLine(`'${line.slice(from, to)}' is no whole number`);
  return value;
}

/** Reads a whole number between two places of a line; undefined where there is none. */
export function countOrNothing(line: string, from: number, to: number): number | undefined {
  let value = 0;
  for (let i = from; i < to; i++) {
    const digit = line.charCodeAt(i) - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return from === to || !Number.isSafeInteger(value) ? undefined : value;
}

/** Digits, and perhaps a point between them; by hand, since a million rows have two million. */
export function decimalOf(text: string): string {
  let point = -1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === POINT && point === -1) point = i;
    else if (code < ZERO || code > NINE) throw new BadLine(`'${text}' is no decimal`);
  }
  const whole = point === -1 ? text.length : point;
  const places = point === -1 ? 1 : text.length - point - 1;
  if (whole < 1 || places < 1 || whole > MAX_DIGITS_A_SIDE || places > MAX_DIGITS_A_SIDE)
    throw new BadLine(`'${text}' is no decimal`);
  return text;
}

export const isBoolean = (text: string | undefined): boolean => text !== undefined && /^(true|false)$/i.test(text);

/** Spot files write `True`, futures `true`. */
export function booleanOf(text: string): boolean {
  if (text === "True" || text === "true") return true;
  if (text === "False" || text === "false") return false;
  throw new BadLine(`'${text}' is neither true nor false`);
}
