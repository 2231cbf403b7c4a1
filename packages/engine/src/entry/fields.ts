/**
 * Tables of fields. Which fields a packed command, an order or an event has is said once, in a table of names and kinds.
 * Its type, its bytes in journal and snapshot, its place in the event digest and its columns in history follow from
 * the table. How to add one: docs/internals/fields.md.
 */
import { type ByteReader, type ByteWriter, MalformedBytes } from "../bytes.ts";

/** One field of a table: how a value of its kind becomes bytes. */
export interface Field<T> {
  readonly kind: "uint" | "big" | "text" | "bool" | "word" | "record";
  /** Of a word: all that it may be. */
  readonly words?: readonly string[];
  write(writer: ByteWriter, value: T): void;
  /** `version`: the layout that the bytes have. */
  read(reader: ByteReader, version: number): T;
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
};

/** As `uint`, and -1, which stands for "none" or `OFF_SCALE`. */
export const uintOrMinusOne: Field<number> = {
  kind: "uint",
  write: (writer, value) => writer.uint(value + 1),
  read: (reader) => reader.uint() - 1,
};

export const big: Field<bigint> = {
  kind: "big",
  write: (writer, value) => writer.big(value),
  read: (reader) => reader.big(),
};

export const text: Field<string> = {
  kind: "text",
  write: (writer, value) => writer.text(value),
  read: (reader) => reader.text(),
};

export const bool: Field<boolean> = {
  kind: "bool",
  write: (writer, value) => writer.bool(value),
  read: (reader) => reader.bool(),
};

/** One of a list of words that only ever grows at its end: a word's place is its number. */
export function word<T extends string>(words: readonly T[]): Field<T> {
  return {
    kind: "word",
    words,
    write: (writer, value) => writer.u8(words.indexOf(value)),
    read: (reader) => wordAt(words, reader.u8()),
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
    versions: [version, ...(field.versions ?? [])],
    before,
  };
}

/** What a table says, written out: it is faster than to read the table, and a test holds it to what the table says. */
export interface WrittenOut<T> {
  readonly write: (writer: ByteWriter, value: T) => void;
  readonly read: (reader: ByteReader, version: number) => T;
}

/**
 * A table at work: its fields in order, later ones last. `T` is what its objects are; `Type` what their `type` says, if
 * that is no field of the table.
 */
export class Layout<T, Type extends string | undefined = undefined> implements Field<T> {
  readonly kind = "record";
  readonly type: Type;
  readonly table: FieldTable;
  readonly writtenOut: WrittenOut<T> | undefined;
  /** All that there were, ascending. */
  readonly versions: readonly number[];
  /** The one that is written. */
  readonly newest: number;
  readonly write: (writer: ByteWriter, value: T) => void;
  readonly read: (reader: ByteReader, version: number) => T;

  /** `writtenOut`: all fields but later ones, which follow by the table. */
  constructor(type: Type, table: FieldTable, writtenOut?: WrittenOut<T>) {
    this.type = type;
    this.table = table;
    this.writtenOut = writtenOut;
    const fields = Object.entries(table);
    this.versions = [...new Set([1, ...fields.flatMap(([, { versions = [] }]) => versions)])].sort((a, b) => a - b);
    this.newest = this.versions.at(-1) as number;
    const first = writtenOut ?? this.byTable(fields.filter(([, field]) => !isLater(field)));
    const later = new Row(fields.filter(([, field]) => isLater(field)));
    this.write = later.isEmpty
      ? first.write
      : (writer, value) => {
          first.write(writer, value);
          later.write(writer, value);
        };
    this.read = later.isEmpty
      ? first.read
      : (reader, version) => {
          const value = first.read(reader, version);
          later.read(reader, version, value);
          return value;
        };
  }

  private byTable(fields: readonly NamedField[]): WrittenOut<T> {
    const row = new Row(fields);
    const { type } = this;
    return {
      write: (writer, value) => row.write(writer, value),
      read(reader, version) {
        const value = (type === undefined ? {} : { type }) as T;
        row.read(reader, version, value);
        return value;
      },
    };
  }
}

type NamedField = readonly [name: string, field: Field<unknown>];

/** Whether it came after the first layout. */
export function isLater(field: Field<unknown>): field is LaterField<unknown> {
  return "before" in field;
}

/** Fields one after the other. */
class Row {
  private readonly names: readonly string[];
  private readonly fields: readonly Field<unknown>[];

  constructor(fields: readonly NamedField[]) {
    this.names = fields.map(([name]) => name);
    this.fields = fields.map(([, field]) => field);
  }

  get isEmpty(): boolean {
    return this.fields.length === 0;
  }

  write(writer: ByteWriter, value: unknown): void {
    const values = value as Readonly<Record<string, unknown>>;
    for (let i = 0; i < this.fields.length; i++)
      (this.fields[i] as Field<unknown>).write(writer, values[this.names[i] as string]);
  }

  /** Into `value`. A later field that says what it says in older layouts is left out. */
  read(reader: ByteReader, version: number, value: unknown): void {
    const values = value as Record<string, unknown>;
    for (let i = 0; i < this.fields.length; i++) {
      const field = this.fields[i] as Field<unknown>;
      const read = field.read(reader, version);
      if (!isLater(field) || read !== field.before) values[this.names[i] as string] = read;
    }
  }
}

/** Objects that have these fields and no `type`, as they stand in others. */
export function record<Table extends FieldTable>(table: Table): Layout<ValuesOf<Table>> {
  return new Layout<ValuesOf<Table>>(undefined, table);
}
