/**
 * Exact numbers: decimals of any asset, ticks and lots of a symbol, and durations. Digits that do not fit are rejected,
 * never rounded.
 */

/** Durations in milliseconds. A day has 24 hours, as in UTC without leap seconds. */
export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

// Decimals as integers in units of a power of ten.

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
 * an integer of 10^-decimals. Returns null if the text is not a plain decimal, or needs more than `decimals` digits
 * after the point. Trailing zeros do not count, so `20.00000000` is 2000 with two decimals.
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

/** The function that parses the decimals of commands. Before rules version 4, trailing zeros counted as digits. */
export function decimalParser({ edition }: { readonly edition: number }): typeof parseDecimal {
  return edition < 4 ? parseAsWritten : parseDecimal;
}

function parseAsWritten(text: string, decimals: number): bigint | null {
  const point = text.indexOf(".");
  return point !== -1 && text.length - point - 1 > decimals ? null : parseDecimal(text, decimals);
}

/** Formats an integer of 10^-decimals with exactly `places` digits after the point (places >= decimals). */
export function formatDecimal(units: bigint, decimals: number, places = 8): string {
  if (units < 0n) return `-${formatDecimal(-units, decimals, places)}`;
  const digits = (places === decimals ? units : units * powerOfTen(places - decimals)).toString();
  return placePoint(digits, places);
}

/** Inserts the point before the last `places` digits. */
export function placePoint(digits: string, places: number): string {
  if (places === 0) return digits;
  const padded = digits.length > places ? digits : digits.padStart(places + 1, "0");
  const point = padded.length - places;
  return `${padded.slice(0, point)}.${padded.slice(point)}`;
}

/**
 * Digits after the point that a plain decimal needs, without trailing zeros; null if the text is not a plain decimal.
 */
export function decimalsNeeded(text: string): number | null {
  const point = scanDecimal(text);
  if (point === NOT_A_DECIMAL) return null;
  return point === -1 ? 0 : endOfDigits(text) - point - 1;
}

/** `1.50` becomes `1.5`, and `2.00` becomes `2`. A text without a point is returned unchanged. */
export function withoutTrailingZeros(text: string): string {
  const point = text.indexOf(".");
  if (point === -1) return text;
  const end = endOfDigits(text);
  return text.slice(0, end === point + 1 ? point : end);
}

/** The index after the last character that is not a trailing zero, in a text with a point. */
function endOfDigits(text: string): number {
  let end = text.length;
  while (text.charCodeAt(end - 1) === ZERO) end--;
  return end;
}

const NOT_A_DECIMAL = -2;
/** The maximum number of digits on either side of the point. Interface 1.9. */
const MOST_DIGITS = 20;

/** Index of the point, -1 if there is none, NOT_A_DECIMAL if the text is not a plain decimal. */
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

// Decimals of the wire format as ticks and lots of a symbol: safe integers, exact.

/** Represents a price or quantity that the symbol's scale cannot represent. It fails PRICE_FILTER or LOT_SIZE. */
export const OFF_SCALE = -1;

/** The largest number of ticks or lots: one below the largest safe integer, so that the codec may add one. */
export const LARGEST = Number.MAX_SAFE_INTEGER - 1;

/** Digits after the point in the wire format. Interface 1.10. */
export const WIRE_PLACES = 8;

/**
 * A plain decimal as an integer of 10^-decimals, or OFF_SCALE if the integer would not be exact or would exceed
 * LARGEST. Trailing zeros do not count as digits.
 */
export function toScale(text: string, decimals: number): number {
  let value = 0;
  let places = -1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === POINT && places === -1) {
      places = 0;
      continue;
    }
    if (code < ZERO || code > NINE) return OFF_SCALE;
    if (places === decimals) {
      if (code !== ZERO) return OFF_SCALE;
      continue;
    }
    if (places >= 0) places++;
    value = value * 10 + (code - ZERO);
    if (value > LARGEST) return OFF_SCALE;
  }
  for (let i = Math.max(places, 0); i < decimals; i++) value *= 10;
  return value <= LARGEST ? value : OFF_SCALE;
}

const ZEROS = ["", "0", "00", "000", "0000", "00000", "000000", "0000000", "00000000"];

/** Formats an integer of 10^-decimals with 8 digits after the point. */
export function fromScale(value: number, decimals: number): string {
  const digits = value.toString();
  if (value === 0) return "0.00000000";
  if (decimals === 0) return `${digits}.00000000`;
  return placePoint(digits, decimals) + ZEROS[WIRE_PLACES - decimals];
}

const wide = new BigInt64Array(1);
const halves = new Int32Array(wide.buffer);
/** Multiplying by this gives the upper 32 bits of a number. It is a power of two, so that the product is exact. */
export const UPPER = 2 ** -32;

/**
 * A safe integer, zero or above, as a bigint. Twice as fast as `BigInt()`, which leaves compiled code for numbers of
 * more than 31 bits.
 */
export function bigOf(value: number): bigint {
  halves[0] = value;
  halves[1] = value * UPPER;
  return wide[0] as bigint;
}

/**
 * The symbol's own units, fixed when it is listed. A tick is 10^-priceDecimals of the quote asset per unit of base, a
 * lot 10^-quantityDecimals of the base asset. They are the coarsest units that represent every value that PRICE_FILTER
 * and LOT_SIZE allow, so that prices and quantities fit into safe integers. Without these filters they are the units of
 * the assets.
 */
export interface SymbolScale {
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
}

/** Where the steps of prices and quantities are counted from. */
export type StepOrigin = "minimum" | "zero";

// Ranges of ticks or lots. A step or maximum of 0 does not apply.

export interface Range {
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** Where the steps are counted from: the minimum or 0. */
  readonly origin: number;
}

/** Why a value fails: it is below the minimum, above the maximum or not on the step. */
export type RangeFault = "below" | "above" | "step";

export function rangeFault(range: Range | null, value: number): RangeFault | null {
  if (range === null) return null;
  const { min, max, step, origin } = range;
  if (value < min) return "below";
  if (max !== 0 && value > max) return "above";
  return step <= 1 || (value - origin) % step === 0 ? null : "step";
}

/** The largest value on the step that is not above `value`; 0 if there is none. */
export function roundDownToStep(range: Range | null, value: number): number {
  if (range === null || range.step <= 1) return value;
  if (value < range.min) return 0;
  const floor = floorToStep(range, value);
  return floor < range.min ? 0 : floor;
}

/** Like `roundDownToStep`, but for executed quantities, to which the minimum does not apply. May be below 0. */
export function floorToStep(range: Range | null, value: number): number {
  if (range === null || range.step <= 1) return value;
  const { origin, step } = range;
  return origin + Math.floor((value - origin) / step) * step;
}

// Ticks times lots as units of the quote asset.

/** units = ticks * lots * multiplier / divisor; either multiplier or divisor is 1. */
export interface QuoteScale {
  readonly multiplier: bigint;
  readonly divisor: bigint;
}

export function quoteScaleOf(scale: SymbolScale, quotePrecision: number): QuoteScale {
  const exponent = quotePrecision - scale.priceDecimals - scale.quantityDecimals;
  return exponent >= 0
    ? { multiplier: powerOfTen(exponent), divisor: 1n }
    : { multiplier: 1n, divisor: powerOfTen(-exponent) };
}

/** The units that a fill moves, rounded down. Exact if the divisor is 1. */
export function quoteOf(scale: QuoteScale, priceTicks: number, lots: number): bigint {
  const units = unitsBeforeDivision(scale, priceTicks, lots);
  return scale.divisor === 1n ? units : units / scale.divisor;
}

/** The units that a BUY locks, rounded up so that it can always pay. */
export function quoteToLock(scale: QuoteScale, priceTicks: number, lots: number): bigint {
  const units = unitsBeforeDivision(scale, priceTicks, lots);
  return scale.divisor === 1n ? units : (units + scale.divisor - 1n) / scale.divisor;
}

/** How many lots `quote` units buy at a price, rounded down. */
export function lotsFor(scale: QuoteScale, quote: bigint, priceTicks: number): bigint {
  return (quote * scale.divisor) / (BigInt(priceTicks) * scale.multiplier);
}

function unitsBeforeDivision({ multiplier }: QuoteScale, priceTicks: number, lots: number): bigint {
  const product = priceTicks * lots;
  const exact = product <= Number.MAX_SAFE_INTEGER ? bigOf(product) : BigInt(priceTicks) * BigInt(lots);
  return multiplier === 1n ? exact : exact * multiplier;
}
