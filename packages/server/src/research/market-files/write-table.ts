/** Writes a table to a file, row by row, as CSV or Parquet. */
import { formatDecimal, fromScale } from "@pricetime/engine";
import type { OutputFile } from "./output-file.ts";
import { ByteWriter, ParquetWriter, type SchemaElement } from "hyparquet-writer";

/**
 * The type of a column. `integer`: a safe integer. `time`: milliseconds since 1970. `price`: a safe integer in units of
 * 10^-places. `amount`: a bigint in units of 10^-places with up to 38 digits. Decimals are never rounded.
 */
export type ColumnKind = "integer" | "time" | "text" | "boolean" | "price" | "amount";

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Decimals of a price or an amount, 0 to 8. */
  readonly places?: number;
  /** Whether the column may contain null. */
  readonly isOptional?: boolean;
}

export type Cell = number | bigint | string | boolean | null;

/** Receives rows. Their columns were given when the sink was created. */
export interface RowSink {
  add(row: readonly Cell[]): void;
  /** Writes the remaining rows. No rows may be added afterwards. */
  end(): void;
}

// CSV (RFC 4180, but with LF). Times are in milliseconds, decimals have 8 places.

export interface CsvOptions {
  /** Whether the first line contains the column names. */
  readonly hasHeader: boolean;
}

type CellWriter = (cell: Cell) => string;

export class CsvWriter implements RowSink {
  readonly #file: OutputFile;
  readonly #cells: readonly CellWriter[];

  constructor(file: OutputFile, columns: readonly Column[], { hasHeader }: CsvOptions) {
    this.#file = file;
    this.#cells = columns.map(cellWriter);
    if (hasHeader) file.addText(`${columns.map(({ name }) => quoted(name)).join(",")}\n`);
  }

  add(row: readonly Cell[]): void {
    const cells = this.#cells;
    let line = "";
    for (let i = 0; i < cells.length; i++) {
      const cell = row[i] as Cell;
      if (i > 0) line += ",";
      if (cell !== null) line += (cells[i] as CellWriter)(cell);
    }
    this.#file.addText(`${line}\n`);
  }

  end(): void {}
}

function cellWriter({ kind, places = 0 }: Column): CellWriter {
  if (kind === "price") return (cell) => fromScale(cell as number, places);
  if (kind === "amount") return (cell) => formatDecimal(cell as bigint, places);
  return kind === "text" ? (cell) => quoted(cell as string) : String;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// Parquet, one row group at a time, to limit memory use. Times are TIMESTAMP_MILLIS in UTC. Decimals are DECIMAL with
// their column's scale, so they are exact.

/** Number of rows per group. All columns of a group are in memory at once. */
const ROWS_A_GROUP = 25_000;
/** Maximum number of digits of a DECIMAL with 64 and with 128 bits. */
const DIGITS_OF_64 = 18;
const DIGITS_OF_128 = 38;
const BYTES_OF_128 = 16;
/** Without this flag, readers assume local time, because the older converted type does not specify the zone. */
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

/** Passes each row group to the file when it is complete and releases its memory. */
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
 * Numbers and times mostly rise slowly, so they are stored as differences, which are small, and readers filter them by
 * range. For other columns, the library decides whether to use a dictionary.
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
