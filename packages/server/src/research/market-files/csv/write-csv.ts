/** Writes a table as CSV (RFC 4180, but with LF): times in milliseconds, decimals with 8 digits after the point. */
import { formatDecimal, fromScale } from "@pricetime/engine";
import type { OutputFile } from "../output-file.ts";
import type { Cell, Column, RowSink } from "../table.ts";

export interface CsvOptions {
  /** Whether the first line names the columns. */
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
