/** Checks that a value has the fields of its type, because JSON in a journal guarantees nothing. */

/** `isExact` means that objects have no additional fields. */
export type Check = (value: unknown, isExact?: boolean) => boolean;

/** A check for every field of a command. */
export type Shape<T> = { readonly [Field in keyof T]-?: Check };

const CONTROL_CHARACTER = /\p{Cc}/u;

export const isString: Check = (value) => typeof value === "string";
export const isBoolean: Check = (value) => typeof value === "boolean";
/** Any number. The range is checked where it is used. */
export const isNumber: Check = (value) => typeof value === "number";

/** A single line of text with `least` to `most` characters. */
export function text(least: number, most: number): Check {
  return (value) =>
    typeof value === "string" && value.length >= least && value.length <= most && !CONTROL_CHARACTER.test(value);
}

export function matching(pattern: RegExp, mostLength = Number.POSITIVE_INFINITY): Check {
  return (value) => typeof value === "string" && value.length <= mostLength && pattern.test(value);
}

export function integer(least: number, most: number): Check {
  return (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
}

export function oneOf(...words: readonly unknown[]): Check {
  return (value) => words.includes(value);
}

export function optional(check: Check): Check {
  return (value, isExact) => value === undefined || check(value, isExact);
}

export function nullable(check: Check): Check {
  return (value, isExact) => value === null || check(value, isExact);
}

export function listOf(check: Check, most: number): Check {
  return (value, isExact) => Array.isArray(value) && value.length <= most && value.every((one) => check(one, isExact));
}

/** A list with exactly these elements. */
export function tuple(...checks: readonly Check[]): Check {
  return (value, isExact) =>
    Array.isArray(value) &&
    value.length === checks.length &&
    checks.every((check, place) => check(value[place], isExact));
}

/** An object with at least these fields and, if it must be exact, no others. */
export function fields(shape: Readonly<Record<string, Check>>): Check {
  const checks = Object.entries(shape);
  return (value, isExact = false) =>
    typeof value === "object" &&
    value !== null &&
    checks.every(([field, check]) => check((value as Readonly<Record<string, unknown>>)[field], isExact)) &&
    (!isExact || Object.keys(value).every((field) => Object.hasOwn(shape, field)));
}
