/**
 * Writes a table as Parquet, one row group at a time, so that memory is bounded. Times are TIMESTAMP_MILLIS in UTC,
 * decimals DECIMAL of their column's scale: exact, as in the journal.
 */
import { ByteWriter, ParquetWriter, type SchemaElement } from "hyparquet-writer";
import type { OutputFile } from "../output-file.ts";
import type { Cell, Column, RowSink } from "../table.ts";

/** Rows of a group: all columns of so many are in memory at once. */
const ROWS_A_GROUP = 25_000;
/** The most digits of a DECIMAL that fits 64 bits, and 128. */
const DIGITS_OF_64 = 18;
const DIGITS_OF_128 = 38;
const BYTES_OF_128 = 16;
/** Readers take a time without this flag for local time, as the older converted type does not say it. */
const UTC_MILLIS = { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" } as const;

export class ParquetTable implements RowSink {
  readonly #writer: ParquetWriter;
  readonly #columns: readonly Column[];
  #values: unknown[][];
  #rows = 0;

  constructor(file: OutputFile, columns: readonly Column[], createdBy: string) {
    this.#columns = columns;
    this.#values = columns.map(() => []);
    const schema = [{ name: "root", num_children: columns.length }, ...columns.map(elementOf)];
    this.#writer = new ParquetWriter({ writer: new Pieces(file), schema, createdBy });
  }

  add(row: readonly Cell[]): void {
    const columns = this.#columns;
    for (let i = 0; i < columns.length; i++) {
      const cell = row[i] as Cell;
      (this.#values[i] as unknown[]).push(typeof cell === "number" ? BigInt(cell) : cell);
    }
    if (++this.#rows === ROWS_A_GROUP) this.#endGroup();
  }

  end(): void {
    this.#endGroup();
    void this.#writer.finish();
  }

  #endGroup(): void {
    if (this.#rows === 0) return;
    const columnData = this.#columns.map((column, i) => ({ ...layoutOf(column), data: this.#values[i] as [] }));
    void this.#writer.write({ columnData, rowGroupSize: ROWS_A_GROUP });
    this.#values = this.#columns.map(() => []);
    this.#rows = 0;
  }
}

/** Hands a row group over to the file when it is written: nothing of it stays in memory. */
class Pieces extends ByteWriter {
  readonly #file: OutputFile;

  constructor(file: OutputFile) {
    super();
    this.#file = file;
  }

  flush(): void {
    this.#file.addBytes(this.getBytes());
    this.index = 0;
  }

  override finish(): void {
    this.flush();
  }
}

/**
 * Numbers and times mostly rise a little from row to row, so that their differences are small, and readers look for them
 * by range. Of the others the library tries whether a dictionary pays.
 */
function layoutOf({ name, kind }: Column) {
  const rises = kind === "time" || kind === "integer";
  return { name, offsetIndex: false, statistics: rises, ...(rises && { encoding: "DELTA_BINARY_PACKED" as const }) };
}

function elementOf({ name, kind, places = 0, isOptional = false }: Column): SchemaElement {
  const named = { name, repetition_type: isOptional ? "OPTIONAL" : "REQUIRED" } as const;
  switch (kind) {
    case "boolean":
      return { ...named, type: "BOOLEAN" };
    case "text":
      return { ...named, type: "BYTE_ARRAY", converted_type: "UTF8" };
    case "time":
      return { ...named, type: "INT64", converted_type: "TIMESTAMP_MILLIS", logical_type: UTC_MILLIS };
    case "price":
      return { ...named, type: "INT64", converted_type: "DECIMAL", scale: places, precision: DIGITS_OF_64 };
    case "amount": {
      const wide = { type: "FIXED_LEN_BYTE_ARRAY", type_length: BYTES_OF_128, precision: DIGITS_OF_128 } as const;
      return { ...named, ...wide, converted_type: "DECIMAL", scale: places };
    }
    default:
      return { ...named, type: "INT64" };
  }
}
