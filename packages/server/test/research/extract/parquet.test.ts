/**
 * Extracts as Parquet, read by Arrow's library in Rust, compared with the same ones as CSV: every cell of every
 * subject.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ADOPT_NEWEST_RULES, type Command, DAY_MS } from "@pricetime/engine";
import { setup, START_MS } from "@pricetime/testkit/journal";
import { tableFromIPC } from "@uwdata/flechette";
import { readParquet } from "parquet-wasm";
import type { ExtractRequest } from "../../../src/research/extract/request.ts";
import { extractInto } from "./extracting.ts";
import { journalOf, randomJournal } from "./random-journal.ts";

const EXACT = { useBigInt: true, useDecimalInt: true, useBigIntTimestamp: true };
/** The digits after the point of a decimal in CSV. */
const CSV_PLACES = 8;

/** The columns and lines of a Parquet file, in the format of a CSV file. */
function linesOf(path: string): string[] {
  const table = tableFromIPC(readParquet(readFileSync(path)).intoIPCStream(), EXACT);
  const columns = table.schema.fields.map(({ name, type }) => {
    const { scale } = type as { readonly scale?: number };
    return Array.from(table.getChild(name), (cell: unknown) => textOf(cell, scale));
  });
  const head = table.schema.fields.map(({ name }) => name).join(",");
  return [head, ...Array.from({ length: table.numRows }, (_, row) => columns.map((cells) => cells[row]).join(","))];
}

function textOf(cell: unknown, scale: number | undefined): string {
  if (cell === null) return "";
  if (scale === undefined) return String(cell);
  const units = (cell as bigint) * 10n ** BigInt(CSV_PLACES - scale);
  const digits = String(units < 0n ? -units : units).padStart(CSV_PLACES + 1, "0");
  return `${units < 0n ? "-" : ""}${digits.slice(0, -CSV_PLACES)}.${digits.slice(-CSV_PLACES)}`;
}

const ASKED: readonly (readonly [name: string, asked: Partial<ExtractRequest>, leastRows: number])[] = [
  ["orders", { subject: "orders", withAccounts: true }, 2000],
  ["trades", { subject: "trades", withAccounts: true }, 400],
  ["book-by-level", { subject: "book", by: "level" }, 1000],
  ["book-by-order", { subject: "book", by: "order", withAccounts: true }, 1000],
  ["candles-1m", { subject: "candles" }, 1000],
  ["ledger", { subject: "ledger", symbols: [] }, 6000],
];

for (const [name, asked, leastRows] of ASKED) {
  test(`${name}: another library reads from Parquet what stands in CSV, cell by cell`, async (t) => {
    const journal = await randomJournal(5, 2000);
    const csv = extractInto(t, journal, { ...asked, format: "csv" });
    const parquet = extractInto(t, journal, { ...asked, format: "parquet" });
    let rows = 0;
    for (const file of csv.names()) {
      const expected = csv.text(file).trimEnd().split("\n");
      const read = linesOf(join(parquet.folder, file.replace(/csv$/, "parquet")));
      const wrong = expected.findIndex((line, at) => line !== read[at]);
      assert.equal(read[wrong], expected[wrong], `${file}, line ${wrong + 1}`);
      assert.equal(read.length, expected.length, file);
      rows += read.length - 1;
    }
    assert.equal(csv.names().length, asked.subject === "ledger" ? 1 : 2);
    assert.ok(rows >= leastRows, `${rows} rows`);
  });
}

test("candles that are finer than their symbol keep all their digits in Parquet", async (t) => {
  const openMs = Math.floor((START_MS - DAY_MS) / DAY_MS) * DAY_MS;
  const candle = ["19695.87000001", "19720", "19690.99999999", "19700.5", "136.10443512", "2681472.12345678"] as const;
  const candles = [[openMs, ...candle, 3100, "70.00000001", "1379000.00000001"]] as const;
  const past: Command = { type: "importKlines", by: "test", symbol: "BTCUSDT", interval: "1d", candles };
  const journal = await journalOf([[ADOPT_NEWEST_RULES, ...setup(), past], []]);
  const asked = { subject: "candles", interval: "1d", symbols: ["BTCUSDT"] } as const;
  const csv = extractInto(t, journal, { ...asked, format: "csv" })
    .text("BTCUSDT-candles-1d.csv")
    .trimEnd()
    .split("\n");
  const { folder } = extractInto(t, journal, { ...asked, format: "parquet" });
  assert.deepEqual(linesOf(join(folder, "BTCUSDT-candles-1d.parquet")), csv);
  assert.match(csv[1] ?? "", /^[0-9]+,19695\.87000001,19720\.00000000,19690\.99999999,19700\.50000000,136\.10443512,/);
});
