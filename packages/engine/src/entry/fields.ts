/**
 * Tables of fields. Which fields a packed command, an order or an event has is said once, in a table of names and kinds.
 * Its type, its bytes in journal and snapshot, its place in the event digest and its columns in history follow from
 * the table.
 */
import { type ByteReader, type ByteWriter, MalformedBytes } from "../bytes.ts";
import type { Digest } from "./digest.ts";

/** One field of a table: how a value of its kind becomes bytes and part of a digest. */
export interface Field<T> {
  readonly kind: "uint" | "big" | "text" | "bool" | "word" | "record";
  /** Of a word: all that it may be. */
  readonly words?: readonly string[];
  write(writer: ByteWriter, value: T): void;
  /** `version`: the layout that the bytes have. */
  read(reader: ByteReader, version: number): T;
  digest(digest: Digest, value: T): void;
  /** The layouts at which the field, or what is nested in it, came to be what it is. Default: from the first on. */
  readonly versions?: readonly number[];
}

/** A field that older layouts do not have. */
export interface LaterField<T> extends Field<T> {
  /** Its value there. */
  readonly before: T;
}

export type FieldTable = Readonly<Record<string, Field<unknown>>>;

/** The objects that a table describes. A later field may be left out, which says what it says in older layouts. */
export type ValuesOf<Table> = {
  readonly [Name in keyof Table as Table[Name] extends LaterField<unknown> ? never : Name]: ValueOf<Table[Name]>;
} & {
  readonly [Name in keyof Table as Table[Name] extends LaterField<unknown> ? Name : never]?: ValueOf<Table[Name]>;
};
type ValueOf<F> = F extends Field<infer T> ? T : never;

/** A safe integer, zero or above. */
export const uint: Field<number> = {
  kind: "uint",
  write: (writer, value) => writer.uint(value),
  read: (reader) => reader.uint(),
  digest: (digest, value) => digest.add(value),
};

/** As `uint`, and -1, which stands for "none" or `OFF_SCALE`. */
export const uintOrMinusOne: Field<number> = {
  kind: "uint",
  write: (writer, value) => writer.uint(value + 1),
  read: (reader) => reader.uint() - 1,
  digest: (digest, value) => digest.add(value + 1),
};

export const big: Field<bigint> = {
  kind: "big",
  write: (writer, value) => writer.big(value),
  read: (reader) => reader.big(),
  digest: (digest, value) => digest.addBig(value),
};

export const text: Field<string> = {
  kind: "text",
  write: (writer, value) => writer.text(value),
  read: (reader) => reader.text(),
  digest: (digest, value) => digest.addText(value),
};

export const bool: Field<boolean> = {
  kind: "bool",
  write: (writer, value) => writer.bool(value),
  read: (reader) => reader.bool(),
  digest: (digest, value) => digest.add(value ? 1 : 0),
};

/** One of a list of words that only ever grows at its end: a word's place is its number. */
export function word<T extends string>(words: readonly T[]): Field<T> {
  return {
    kind: "word",
    words,
    write: (writer, value) => writer.u8(words.indexOf(value)),
    read: (reader) => wordAt(words, reader.u8()),
    digest: (digest, value) => digest.add(words.indexOf(value)),
  };
}

/** Throws `MalformedBytes`. */
export function wordAt<T>(words: readonly T[], number: number): T {
  const found = words[number];
  if (found === undefined) throw new MalformedBytes(`unknown word ${number}`);
  return found;
}

/** A field that layouts before `version` do not have: read from them, and where it is left out, it is `before`. */
export function since<T>(version: number, field: Field<T>, before: T): LaterField<T> {
  return {
    ...field,
    write: (writer, value) => field.write(writer, value ?? before),
    read: (reader, layout) => (layout < version ? before : field.read(reader, layout)),
    digest: (digest, value) => field.digest(digest, value ?? before),
    versions: [version, ...(field.versions ?? [])],
    before,
  };
}

/** What a layout's most frequent uses are written out as: the same as the table says, and faster than reading the table. */
export interface WrittenOut<T> {
  write(writer: ByteWriter, value: T): void;
  /** Of the newest version. */
  read(reader: ByteReader): T;
}

/** A table at work. `T` is what its objects are; `Type` what their `type` says, if that is no field of the table. */
export class Layout<T, Type extends string | undefined = undefined> implements Field<T> {
  readonly kind = "record";
  readonly type: Type;
  /** All that there were, ascending. */
  readonly versions: readonly number[];
  /** The one that is written. */
  readonly newest: number;
  readonly table: FieldTable;
  private readonly names: readonly string[];
  private readonly fields: readonly Field<unknown>[];
  private readonly writtenOut: WrittenOut<T> | undefined;

  constructor(type: Type, table: FieldTable, writtenOut?: WrittenOut<T>) {
    this.type = type;
    this.table = table;
    this.names = Object.keys(table);
    this.fields = Object.values(table);
    this.versions = [...new Set([1, ...this.fields.flatMap(({ versions = [] }) => versions)])].sort((a, b) => a - b);
    this.newest = this.versions.at(-1) as number;
    this.writtenOut = writtenOut;
  }

  write(writer: ByteWriter, value: T): void {
    if (this.writtenOut !== undefined) this.writtenOut.write(writer, value);
    else this.writeByTable(writer, value);
  }

  read(reader: ByteReader, version: number): T {
    if (this.writtenOut !== undefined && version >= this.newest) return this.writtenOut.read(reader);
    return this.readByTable(reader, version);
  }

  digest(digest: Digest, value: T): void {
    const values = value as Values;
    for (let i = 0; i < this.fields.length; i++) this.field(i).digest(digest, values[this.name(i)]);
  }

  writeByTable(writer: ByteWriter, value: T): void {
    const values = value as Values;
    for (let i = 0; i < this.fields.length; i++) this.field(i).write(writer, values[this.name(i)]);
  }

  readByTable(reader: ByteReader, version: number): T {
    const values: Record<string, unknown> = this.type === undefined ? {} : { type: this.type };
    for (let i = 0; i < this.fields.length; i++) {
      values[this.name(i)] = this.field(i).read(reader, version);
    }
    return values as T;
  }

  private name(place: number): string {
    return this.names[place] as string;
  }
  private field(place: number): Field<unknown> {
    return this.fields[place] as Field<unknown>;
  }
}

type Values = Readonly<Record<string, unknown>>;

/** Objects that have these fields and no `type`, as they stand in others. */
export function record<Table extends FieldTable>(table: Table): Layout<ValuesOf<Table>> {
  return new Layout<ValuesOf<Table>>(undefined, table);
}
