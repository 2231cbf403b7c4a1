/** Our Parquet files, read by another library than the one that writes them: Arrow's, in Rust. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { tableFromIPC } from "@uwdata/flechette";
import { readParquet } from "parquet-wasm";
import { OutputFile } from "../../../src/research/market-files/output-file.ts";
import { type Cell, type Column, ParquetTable } from "../../../src/research/market-files/write-table.ts";

const EXACT = { useBigInt: true, useDecimalInt: true, useBigIntTimestamp: true };

function writtenAndRead(folder: string, columns: readonly Column[], rows: Iterable<readonly Cell[]>): Cell[][] {
  const path = join(folder, "table.parquet");
  const file = new OutputFile(path, { overwrite: true });
  const table = new ParquetTable(file, columns, "pricetime");
  for (const row of rows) table.add(row);
  table.end();
  file.finish();
  const read = tableFromIPC(readParquet(readFileSync(path)).intoIPCStream(), EXACT);
  assert.deepEqual(
    read.schema.fields.map(({ name, nullable, type }) => [name, nullable, (type as { scale?: number }).scale]),
    columns.map(({ name, isOptional = false, places }) => [name, isOptional, places]),
  );
  const cells = columns.map(({ name }) => [...read.getChild(name)] as Cell[]);
  return Array.from({ length: read.numRows }, (_, row) => cells.map((column) => column[row] as Cell));
}

const COLUMNS: readonly Column[] = [
  { name: "time", kind: "time" },
  { name: "id", kind: "integer", isOptional: true },
  { name: "price", kind: "price", places: 2 },
  { name: "limit", kind: "price", places: 8, isOptional: true },
  { name: "amount", kind: "amount", places: 8 },
  { name: "none", kind: "amount", places: 0, isOptional: true },
  { name: "word", kind: "text" },
  { name: "note", kind: "text", isOptional: true },
  { name: "is", kind: "boolean" },
  { name: "may", kind: "boolean", isOptional: true },
];
const MOST = 10n ** 38n - 1n;

test("every kind of value comes back exactly, and what is absent stays so", (t) => {
  const most = Number.MAX_SAFE_INTEGER - 1;
  const rows: Cell[][] = [
    [1767225600123, 1, 12_345, null, 1n, null, "NEW", null, true, null],
    [0, most, most, most, MOST, -MOST, 'a "word", ünï 😀', "", false, true],
    [1, null, 0, 0, -1n, 0n, "", "x", true, false],
    [2, 0, 7, 8, 2n ** 64n + 1n, -(2n ** 63n) - 1n, "NEW", null, false, null],
  ];
  const expected = rows.map((row) => row.map((cell) => (typeof cell === "number" ? BigInt(cell) : cell)));
  assert.deepEqual(writtenAndRead(scratchFolder(t), COLUMNS, rows), expected);
});

/**
 * In Thrift's compact protocol: TIMESTAMP (field 8) with isAdjustedToUTC true (field 1) and unit MILLIS (field 2).
 * Arrow treats every time as UTC, so only the bytes of the footer show the flag.
 */
const UTC_MILLIS = Buffer.from("8c111c1c00000000", "hex");

test("the logical type of a time says UTC and milliseconds", (t) => {
  const path = join(scratchFolder(t), "table.parquet");
  const file = new OutputFile(path, { overwrite: true });
  const times: readonly Column[] = ["time", "closeTime"].map((name) => ({ name, kind: "time" }));
  const table = new ParquetTable(file, times, "pricetime");
  table.add([1, 2]);
  table.end();
  file.finish();
  const footer = readFileSync(path);
  const first = footer.indexOf(UTC_MILLIS);
  assert.ok(first > 0 && footer.indexOf(UTC_MILLIS, first + 1) > first, "each column of times has it");
});

test("rows of several groups come back in their order", (t) => {
  const count = 60_001;
  const columns: readonly Column[] = [
    { name: "n", kind: "integer" },
    { name: "amount", kind: "amount", places: 8 },
    { name: "word", kind: "text" },
  ];
  const words = ["BUY", "SELL"];
  const row = (n: number): Cell[] => [n, BigInt(n) * 10n ** 19n, words[n % 2] as string];
  const read = writtenAndRead(
    scratchFolder(t),
    columns,
    Array.from({ length: count }, (_, n) => row(n)),
  );
  assert.equal(read.length, count);
  const wrong = read.findIndex(([n, amount, word], at) => {
    const [, expected, said] = row(at);
    return n !== BigInt(at) || amount !== expected || word !== said;
  });
  assert.equal(wrong, -1);
});
