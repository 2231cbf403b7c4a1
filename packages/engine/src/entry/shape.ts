/**
 * Tables of checks. A table describes an object by one check for each field; the type of the object is derived from it.
 * The checks run on every JSON command, because JSON from a journal can have any form.
 */
import { MAX_CHAIN_TEXT_LENGTH, MAX_NOTE_LENGTH, MAX_SEALED_LENGTH, MAX_TEXT_LENGTH } from "../limits.ts";

/** Checks whether a value has type `T`. `isExact` means that objects must have no additional fields. */
export interface Check<out T = unknown> {
  (value: unknown, isExact?: boolean): boolean;
  /** For the compiler only; never set. */
  readonly accepts?: T;
}

/** The check of a field that may be absent. */
export interface OptionalCheck<out T = unknown> extends Check<T> {
  readonly isOptional: true;
}

export type Shape = Readonly<Record<string, Check>>;

/** The type of the objects that a table describes. */
export type Shaped<S> = {
  readonly [Field in keyof S as S[Field] extends OptionalCheck ? never : Field]: Checked<S[Field]>;
} & {
  readonly [Field in keyof S as S[Field] extends OptionalCheck ? Field : never]?: Checked<S[Field]>;
};
type Checked<C> = C extends Check<infer T> ? T : never;

/** The union of all commands in a table of commands by type. */
export type CommandsOf<Table> = {
  readonly [Type in keyof Table]: { readonly type: Type } & Shaped<Table[Type]>;
}[keyof Table];

const CONTROL_CHARACTER = /\p{Cc}/u;

export const isString: Check<string> = (value) => typeof value === "string";
export const isBoolean: Check<boolean> = (value) => typeof value === "boolean";
/** Any number. Its range is checked where the number is used. */
export const isNumber: Check<number> = (value) => typeof value === "number";

/** Any text. Whether the text is one of the words of `T` is checked where it is used. */
export function stringAs<T extends string>(): Check<T> {
  return isString as Check<T>;
}

/** A single line of text with `least` to `most` characters. */
export function text(least: number, most: number): Check<string> {
  return (value) =>
    typeof value === "string" && value.length >= least && value.length <= most && !CONTROL_CHARACTER.test(value);
}

export function matching(pattern: RegExp, mostLength = Number.POSITIVE_INFINITY): Check<string> {
  return (value) => typeof value === "string" && value.length <= mostLength && pattern.test(value);
}

export function integer(least: number, most: number): Check<number> {
  return (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
}

export function oneOf<const T>(...words: readonly T[]): Check<T> {
  return (value) => words.includes(value as T);
}

export function optional<T>(check: Check<T>): OptionalCheck<T> {
  const optionalCheck: Check<T> = (value, isExact) => value === undefined || check(value, isExact);
  return Object.assign(optionalCheck, { isOptional: true as const });
}

export function nullable<T>(check: Check<T>): Check<T | null> {
  return (value, isExact) => value === null || check(value, isExact);
}

export function listOf<T>(check: Check<T>, most: number): Check<readonly T[]> {
  return (value, isExact) => Array.isArray(value) && value.length <= most && value.every((one) => check(one, isExact));
}

/** A list with exactly these elements. */
export function tuple<T extends readonly unknown[]>(...checks: { readonly [I in keyof T]: Check<T[I]> }): Check<T> {
  return (value, isExact) =>
    Array.isArray(value) &&
    value.length === checks.length &&
    checks.every((check, place) => check(value[place], isExact));
}

/** An object with at least these fields and, if it must be exact, no others. */
export function fields<S extends Shape>(shape: S): Check<Shaped<S>> {
  const checks = Object.entries(shape);
  return (value, isExact = false) =>
    typeof value === "object" &&
    value !== null &&
    checks.every(([field, check]) => check((value as Readonly<Record<string, unknown>>)[field], isExact)) &&
    (!isExact || Object.keys(value).every((field) => Object.hasOwn(shape, field)));
}

// Checks that several commands share.

export const count = integer(0, Number.MAX_SAFE_INTEGER - 1);
export const note = text(0, MAX_TEXT_LENGTH);
export const name = text(1, MAX_TEXT_LENGTH);
export const reason = text(1, MAX_NOTE_LENGTH);
export const sealed = text(1, MAX_SEALED_LENGTH);
/** 32 hex digits. */
export const id = matching(/^[0-9a-f]{32}$/);
/** 64 hex digits. */
export const hash = matching(/^[0-9a-f]{64}$/);
/** Printable ASCII without spaces, as chains write it. */
export const chainText = matching(/^[!-~]+$/, MAX_CHAIN_TEXT_LENGTH);
export const tag = matching(/^[ -~]*$/, MAX_CHAIN_TEXT_LENGTH);

/** The author of a command, such as the name of an operator. The journal stores it. */
export const AUTHOR = { by: isString };
