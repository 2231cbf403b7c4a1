/**
 * The event digest: a running digest of all events so far, in two 32-bit lanes of multiply-and-shift mixing. The digest
 * is not cryptographic (the journal's hash chain is). It shows after each command whether two replicas of a journal
 * differ.
 */
import { UPPER } from "../numbers.ts";
import type { Field, FieldTable } from "./fields.ts";

/** Factors. They are odd, so that different values give different sums. */
const [SECOND, THIRD, FOURTH] = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35] as const;

export class EventDigest {
  private a = 0x9e3779b9;
  private b = 0x85ebca6b;

  mix(word: number): void {
    this.a = Math.imul(this.a ^ word, 0xcc9e2d51);
    this.a ^= this.a >>> 15;
    this.b = Math.imul(this.b + this.a, 0x1b873593);
    this.b ^= (this.b >>> 13) ^ word;
  }

  /** Mixes in four words, in little more time than one. */
  mixFour(a: number, b: number, c: number, d: number): void {
    this.mix((a + Math.imul(b, SECOND) + Math.imul(c, THIRD) + Math.imul(d, FOURTH)) | 0);
  }

  mixSeven(a: number, b: number, c: number, d: number, e: number, f: number, g: number): void {
    const first = a + Math.imul(b, SECOND) + Math.imul(c, THIRD) + Math.imul(d, FOURTH);
    this.mix((first + Math.imul(e, 0x27d4eb2f) + Math.imul(f, 0x165667b1) + Math.imul(g, 0xcc9e2d51)) | 0);
  }

  /** Adds a safe integer, zero or above. Like the next two methods, only for rules versions 1 and 2. */
  add(value: number): void {
    this.mix(value | 0);
    if (value > 0xffffffff) this.mix(Math.floor(value / 0x100000000));
  }

  addBig(value: bigint): void {
    if (value >= 0n && value <= 0x1fffffffffffffn) this.add(Number(value));
    else this.addText(value.toString());
  }

  addText(text: string): void {
    for (let i = 0; i < text.length; i++) this.mix(text.charCodeAt(i));
    this.mix(text.length);
  }

  /** 16 hex digits. */
  toString(): string {
    return hexOf(this.a) + hexOf(this.b);
  }

  lanes(): readonly [number, number] {
    return [this.a >>> 0, this.b >>> 0];
  }
  setLanes(a: number, b: number): void {
    this.a = a | 0;
    this.b = b | 0;
  }
}

/**
 * A word as 8 hex digits. Written out, because each row of a journal has a digest, and `toString(16)` with padding
 * costs four times as much.
 */
function hexOf(word: number): string {
  const high = [hexDigit(word >>> 28), hexDigit(word >>> 24), hexDigit(word >>> 20), hexDigit(word >>> 16)] as const;
  const low = [hexDigit(word >>> 12), hexDigit(word >>> 8), hexDigit(word >>> 4), hexDigit(word)] as const;
  return String.fromCharCode(...high, ...low);
}

/** The character code of a word's last four bits as a hex digit. */
function hexDigit(word: number): number {
  const digit = word & 15;
  return digit + (digit < 10 ? 48 : 87);
}

/** Folds a safe integer into a word of 32 bits. */
export function fold(value: number): number {
  return value > 0xffffffff ? (value | 0) ^ Math.imul((value * UPPER) | 0, SECOND) : value | 0;
}

const quad = new BigInt64Array(1);
const halves = new Int32Array(quad.buffer);

/**
 * Folds a big integer into 32 bits. Writing it into 64 bits and reading two halves is far faster than converting it to
 * a number.
 */
export function foldBig(value: bigint): number {
  // Most amounts are of orders that have not executed yet.
  if (value === 0n) return 0;
  if (BigInt.asIntN(64, value) !== value) return foldText(value.toString());
  quad[0] = value;
  return (halves[0] as number) ^ Math.imul(halves[1] as number, SECOND);
}

const EACH = 0x2c1b3c6d;

export function foldText(text: string): number {
  const { length } = text;
  let sum = length;
  let i = 0;
  for (; i + 3 < length; i += 4) {
    const pair = text.charCodeAt(i) + Math.imul(text.charCodeAt(i + 1), SECOND);
    const next = Math.imul(text.charCodeAt(i + 2), THIRD) + Math.imul(text.charCodeAt(i + 3), FOURTH);
    sum = (Math.imul(sum, EACH) + pair + next) | 0;
  }
  for (; i < length; i++) sum = (Math.imul(sum, EACH) + text.charCodeAt(i)) | 0;
  return sum;
}

/**
 * Folds a word into 8 bits, from its length and first letter. A test checks that the results differ within each list.
 */
export function foldWord(word: string): number {
  return (word.length + 8 * word.charCodeAt(0)) & 0xff;
}

// Tables of digested fields. A table names the fields of an event, or of a record in an event, in the order in which the
// digest covers them. The type of the event or record is derived from the table.

/** Adds a value to a digest. */
export type Digested<T> = (digest: EventDigest, value: T) => void;

/** A field that may be absent. */
export interface OptionalDigested<T> extends Digested<T | undefined> {
  readonly isOptional: true;
}

/** The type of the objects that a table describes. */
export type RecordOf<Table> = {
  readonly [Name in keyof Table as Table[Name] extends OptionalDigested<never> ? never : Name]: ValueOf<Table[Name]>;
} & {
  readonly [Name in keyof Table as Table[Name] extends OptionalDigested<never> ? Name : never]?: ValueOf<Table[Name]>;
};
type ValueOf<D> = D extends OptionalDigested<infer T> ? T : D extends Digested<infer T> ? T : never;

export const number: Digested<number> = (digest, value) => digest.mix(fold(value));
export const big: Digested<bigint> = (digest, value) => digest.mix(foldBig(value));
export const text: Digested<string> = (digest, value) => digest.mix(foldText(value));
export const bool: Digested<boolean> = (digest, value) => digest.mix(value ? 1 : 0);

/** A text that is one of the words of `T`. */
export function textAs<T extends string>(): Digested<T> {
  return text;
}

const NOTHING = 0x6e6f6e65;

export function orNull<T>(digested: Digested<T>): Digested<T | null> {
  return (digest, value) => {
    if (value === null) digest.mix(NOTHING);
    else digested(digest, value);
  };
}

export function optional<T>(digested: Digested<T>): OptionalDigested<T> {
  return absentAs((digest) => digest.mix(NOTHING), digested);
}

/** A field that older rules did not have. An absent field adds nothing to the digest. */
export function ifPresent<T>(digested: Digested<T>): OptionalDigested<T> {
  return absentAs(() => {}, digested);
}

/**
 * A field that older events do not have. An absent field adds nothing, so that the digests of these events do not
 * change.
 */
export function later<T>(name: string, digested: Digested<T>): OptionalDigested<T> {
  return ifPresent((digest, value) => {
    text(digest, name);
    digested(digest, value);
  });
}

function absentAs<T>(absent: (digest: EventDigest) => void, present: Digested<T>): OptionalDigested<T> {
  const either: Digested<T | undefined> = (digest, value) => {
    if (value === undefined) absent(digest);
    else present(digest, value);
  };
  return Object.assign(either, { isOptional: true as const });
}

export function listOf<T>(digested: Digested<T>): Digested<readonly T[]> {
  return (digest, values) => {
    digest.mix(values.length);
    for (const value of values) digested(digest, value);
  };
}

/** Digests all fields of a table. */
export function fields<Table extends Readonly<Record<string, Digested<never>>>>(
  table: Table,
): Digested<RecordOf<Table>> {
  const entries = Object.entries(table) as [string, Digested<unknown>][];
  return (digest, value) => {
    for (const [name, digested] of entries) digested(digest, (value as Readonly<Record<string, unknown>>)[name]);
  };
}

/** How a field of each kind is digested. */
export const OF_KIND: Readonly<Record<Exclude<Field<unknown>["kind"], "record">, Digested<never>>> = {
  uint: number,
  big,
  text,
  bool,
  word: text,
};

/** Digests all fields of a table of packed fields. An absent value counts as the one that older layouts imply. */
export function valuesOf(table: FieldTable): Digested<object> {
  const entries = Object.entries(table).map(([name, field]) => ({
    name,
    before: "before" in field ? field.before : undefined,
    digested: OF_KIND[field.kind as "uint"] as Digested<unknown>,
  }));
  return (digest, value) => {
    const values = value as Readonly<Record<string, unknown>>;
    for (const { name, before, digested } of entries) digested(digest, values[name] ?? before);
  };
}
