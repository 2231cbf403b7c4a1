/** Parses and formats all decimals, exactly: digits that do not fit are an error, never rounded. */

const ZERO = 48;
const NINE = 57;
const POINT = 46;

/** 10^n as a bigint, n from 0 to 40. */
const POWERS: readonly bigint[] = Array.from({ length: 41 }, (_, n) => 10n ** BigInt(n));

export function powerOfTen(exponent: number): bigint {
  const power = POWERS[exponent];
  if (power === undefined) throw new RangeError(`power of ten out of range: ${exponent}`);
  return power;
}

/**
 * Parses a plain decimal (`12`, `0.50`; no sign, no exponent, digits on both sides of the point, at most 20 on each) as
 * an integer of 10^-decimals. Null when it is not one, or needs more than `decimals` digits after the point: trailing
 * zeros are no precision, so `20.00000000` is 2000 of two decimals.
 */
export function parseDecimal(text: string, decimals: number): bigint | null {
  const point = scanDecimal(text);
  if (point === NOT_A_DECIMAL) return null;
  if (point === -1) return BigInt(text) * powerOfTen(decimals);
  const end = endOfDigits(text);
  const places = end - point - 1;
  if (places > decimals) return null;
  return BigInt(text.slice(0, point) + text.slice(point + 1, end)) * powerOfTen(decimals - places);
}

/** How the decimals of commands are parsed. Before rules version 4, trailing zeros counted as digits. */
export function decimalParser({ edition }: { readonly edition: number }): typeof parseDecimal {
  return edition < 4 ? parseAsWritten : parseDecimal;
}

function parseAsWritten(text: string, decimals: number): bigint | null {
  const point = text.indexOf(".");
  return point !== -1 && text.length - point - 1 > decimals ? null : parseDecimal(text, decimals);
}

/** Writes an integer of 10^-decimals with exactly `places` digits after the point (places >= decimals). */
export function formatDecimal(units: bigint, decimals: number, places = 8): string {
  if (units < 0n) return `-${formatDecimal(-units, decimals, places)}`;
  const digits = (places === decimals ? units : units * powerOfTen(places - decimals)).toString();
  return placePoint(digits, places);
}

/** Puts the point before the last `places` of a string of digits. */
export function placePoint(digits: string, places: number): string {
  if (places === 0) return digits;
  const padded = digits.length > places ? digits : digits.padStart(places + 1, "0");
  const point = padded.length - places;
  return `${padded.slice(0, point)}.${padded.slice(point)}`;
}

/** Digits after the point that a plain decimal needs, trailing zeros apart; null when it is not one. */
export function decimalsNeeded(text: string): number | null {
  const point = scanDecimal(text);
  if (point === NOT_A_DECIMAL) return null;
  return point === -1 ? 0 : endOfDigits(text) - point - 1;
}

/** `1.50` becomes `1.5`, and `2.00` becomes `2`. A text without a point stays as it is. */
export function withoutTrailingZeros(text: string): string {
  const point = text.indexOf(".");
  if (point === -1) return text;
  const end = endOfDigits(text);
  return text.slice(0, end === point + 1 ? point : end);
}

/** Index after the last character of a text with a point that is not a trailing zero. */
function endOfDigits(text: string): number {
  let end = text.length;
  while (text.charCodeAt(end - 1) === ZERO) end--;
  return end;
}

const NOT_A_DECIMAL = -2;
/** Most digits on either side of the point. Interface 1.9. */
const MOST_DIGITS = 20;

/** Index of the point, -1 without one, NOT_A_DECIMAL when the text is not a plain decimal. */
function scanDecimal(text: string): number {
  const { length } = text;
  if (length > 2 * MOST_DIGITS + 1) return NOT_A_DECIMAL;
  let point = -1;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code === POINT && point === -1) point = i;
    else if (code < ZERO || code > NINE) return NOT_A_DECIMAL;
  }
  const whole = point === -1 ? length : point;
  const places = point === -1 ? 1 : length - point - 1;
  return isCount(whole) && isCount(places) ? point : NOT_A_DECIMAL;
}

function isCount(digits: number): boolean {
  return digits >= 1 && digits <= MOST_DIGITS;
}
