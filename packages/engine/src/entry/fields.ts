/**
 * Tables of fields. One table of names and kinds defines the fields of a packed command, an order or an event. Types,
 * bytes in journal and snapshot, the event digest and columns in history are all derived from the table. How to add a
 * field: docs/internals/adding-a-field.md.
 */
import { type ByteReader, type ByteWriter, MalformedBytes } from "../bytes.ts";

/** One field of a table: how a value of its kind is converted to bytes. */
export interface Field<T> {
  readonly kind: "uint" | "big" | "text" | "bool" | "word" | "record";
  /** The possible values of a field of kind `word`. */
  readonly words?: readonly string[];
  /** `version` is the layout of the bytes. Default: the newest. */
  write(writer: ByteWriter, value: T, version?: number): void;
  /** `version` is the layout of the bytes. */
  read(reader: ByteReader, version: number): T;
  /** The layout versions in which the field, or a field nested in it, changed. Default: only the first version. */
  readonly versions?: readonly number[];
  /** The oldest layout that can represent the value. Default: the first. */
  versionOf?(value: T): number;
}

/** A field that older layouts do not contain. */
export interface LaterField<T> extends Field<T> {
  /** The value of the field in older layouts. */
  readonly before: T;
}

export type FieldTable = Readonly<Record<string, Field<unknown>>>;

/**
 * The type of the objects that a table describes. A later field may be omitted; it then has the value that older
 * layouts imply.
 */
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

/** Like `uint`, but also allows -1, which stands for "none" or `OFF_SCALE`. */
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

/** A word of a list. The list is append only, because the position of a word is its number. */
export function word<T extends string>(words: readonly T[]): Field<T> {
  return {
    kind: "word",
    words,
    write: (writer, value) => writer.u8(words.indexOf(value)),
    read: (reader) => wordAt(words, reader.u8()),
  };
}

/** A value that may be absent, as `null`. */
export function ifGiven<T>(field: Field<T>): Field<T | null> & { readonly given: Field<T> } {
  return {
    kind: "record",
    given: field,
    versions: field.versions ?? [],
    write(writer, value, version) {
      writer.bool(value !== null);
      if (value !== null) field.write(writer, value, version);
    },
    read: (reader, version) => (reader.bool() ? field.read(reader, version) : null),
    versionOf: (value) => (value === null ? 1 : (field.versionOf?.(value) ?? 1)),
  };
}

/** The word with this number. Throws `MalformedBytes` if there is none. */
export function wordAt<T>(words: readonly T[], number: number): T {
  const found = words[number];
  if (found === undefined) throw new MalformedBytes(`unknown word ${number}`);
  return found;
}

/** A field that was added in layout `version`. In older layouts, and if it is omitted, its value is `before`. */
export function since<T>(version: number, field: Field<T>, before: T): LaterField<T> {
  return {
    ...field,
    write(writer, value, layout = Number.POSITIVE_INFINITY) {
      if (layout >= version) field.write(writer, value ?? before, layout);
    },
    read: (reader, layout) => (layout < version ? before : field.read(reader, layout)),
    versionOf(value) {
      return value === undefined || value === before ? 1 : Math.max(version, field.versionOf?.(value) ?? 1);
    },
    versions: [version, ...(field.versions ?? [])],
    before,
  };
}

/** Hand-written code for a table, which is faster than a loop over the table. A test compares the two. */
export interface WrittenOut<T> {
  readonly write: (writer: ByteWriter, value: T, version?: number) => void;
  readonly read: (reader: ByteReader, version: number) => T;
}

/**
 * The implementation of a table: its fields in order, later ones last. `T` is the type of its objects; `Type` is their
 * `type`, if that is not a field of the table.
 */
export class Layout<T, Type extends string | undefined = undefined> implements Field<T> {
  readonly kind = "record";
  readonly type: Type;
  readonly table: FieldTable;
  readonly writtenOut: WrittenOut<T> | undefined;
  /** All versions so far, in ascending order. */
  readonly versions: readonly number[];
  readonly newest: number;
  readonly write: (writer: ByteWriter, value: T, version?: number) => void;
  readonly read: (reader: ByteReader, version: number) => T;
  /** The fields that changed after the first layout. */
  readonly #versioned: readonly NamedField[];

  /** `writtenOut` covers all fields except later ones, which are read and written by the table after the others. */
  constructor(type: Type, table: FieldTable, writtenOut?: WrittenOut<T>) {
    this.type = type;
    this.table = table;
    this.writtenOut = writtenOut;
    const fields = Object.entries(table);
    this.versions = [...new Set([1, ...fields.flatMap(([, { versions = [] }]) => versions)])].sort((a, b) => a - b);
    this.newest = this.versions.at(-1) as number;
    this.#versioned = fields.filter(([, { versions = [] }]) => versions.length > 0);
    const first = writtenOut ?? this.#byTable(fields.filter(([, field]) => !isLater(field)));
    const later = new Row(fields.filter(([, field]) => isLater(field)));
    this.write = later.isEmpty
      ? first.write
      : (writer, value, version) => {
          first.write(writer, value, version);
          later.write(writer, value, version);
        };
    this.read = later.isEmpty
      ? first.read
      : (reader, version) => {
          const value = first.read(reader, version);
          later.read(reader, version, value);
          return value;
        };
  }

  /**
   * The oldest layout that can represent the value. Values are written in this layout, so that nodes of an older release
   * in the same cluster can read them as long as nobody uses what is new.
   */
  versionOf(value: T): number {
    let version = 1;
    const values = value as Readonly<Record<string, unknown>>;
    for (const [name, field] of this.#versioned) {
      version = Math.max(version, field.versionOf?.(values[name]) ?? 1);
    }
    return version;
  }

  #byTable(fields: readonly NamedField[]): WrittenOut<T> {
    const row = new Row(fields);
    const { type } = this;
    return {
      write: (writer, value, version) => row.write(writer, value, version),
      read(reader, version) {
        const value = (type === undefined ? {} : { type }) as T;
        row.read(reader, version, value);
        return value;
      },
    };
  }
}

type NamedField = readonly [name: string, field: Field<unknown>];

/** Whether the field was added after the first layout. */
export function isLater(field: Field<unknown>): field is LaterField<unknown> {
  return "before" in field;
}

/** A sequence of fields. */
class Row {
  readonly #names: readonly string[];
  readonly #fields: readonly Field<unknown>[];

  constructor(fields: readonly NamedField[]) {
    this.#names = fields.map(([name]) => name);
    this.#fields = fields.map(([, field]) => field);
  }

  get isEmpty(): boolean {
    return this.#fields.length === 0;
  }

  write(writer: ByteWriter, value: unknown, version?: number): void {
    const values = value as Readonly<Record<string, unknown>>;
    for (let i = 0; i < this.#fields.length; i++)
      (this.#fields[i] as Field<unknown>).write(writer, values[this.#names[i] as string], version);
  }

  /** Reads the fields into `value`. A later field with the value that older layouts imply is omitted. */
  read(reader: ByteReader, version: number, value: unknown): void {
    const values = value as Record<string, unknown>;
    for (let i = 0; i < this.#fields.length; i++) {
      const field = this.#fields[i] as Field<unknown>;
      const read = field.read(reader, version);
      if (!isLater(field) || read !== field.before) values[this.#names[i] as string] = read;
    }
  }
}

/** The layout of nested objects with these fields and without a `type`. */
export function record<Table extends FieldTable>(table: Table): Layout<ValuesOf<Table>> {
  return new Layout<ValuesOf<Table>>(undefined, table);
}
