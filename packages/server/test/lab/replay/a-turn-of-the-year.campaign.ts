/** A hundred thousand recorded trades over a turn of the year, replayed by the program: they match exactly. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Client } from "@pricetime/testkit/client";
import { inTheEnd, scratchFolder } from "@pricetime/testkit/scratch";
import { operate, startExchange } from "@pricetime/testkit/venue";
import { madeTrades } from "./made-trades.ts";
import { madeZip } from "./made-zip.ts";
import { archiveTrades, type ReplayBody } from "./replay-venue.ts";

const ROWS = 100_000;
const MIDNIGHT_MS = Date.parse("2025-01-01T00:00:00Z");
const START_MS = MIDNIGHT_MS - 5 * 60_000;
const LATER_MS = MIDNIGHT_MS + 4 * 60_000;
const MOMENT_MS = 60_000;
/** The most trades of an answer. */
const PAGE = 1000;

interface Told {
  readonly id: number;
  readonly price: string;
  readonly qty: string;
  readonly time: number;
  readonly isBuyerMaker: boolean;
}

/** The archive writes microseconds since 2025. */
function inMicroseconds(line: string, index: number): string {
  const columns = line.split(",");
  columns[4] += String(index % 1000).padStart(3, "0");
  return columns.join(",");
}

/** What the tape must show of a row. */
function printOf(line: string): string {
  const [, price, quantity, , time, isBuyerMaker] = line.split(",");
  return [price, quantity, Number(time?.slice(0, 13)), isBuyerMaker?.toLowerCase()].join();
}

test("100,000 rows in three ZIPs over a turn of the year: the program's tape is the files'", async (t) => {
  const folder = scratchFolder(t);
  const made = madeTrades(ROWS, START_MS, 60);
  const lines = archiveTrades(made).map((line, index) => {
    return (made[index]?.[3] ?? 0) < MIDNIGHT_MS ? line : inMicroseconds(line, index);
  });
  const [first, second] = [MIDNIGHT_MS, LATER_MS].map((fromMs) => made.findIndex(([, , , timeMs]) => timeMs >= fromMs));
  assert.ok(first !== undefined && second !== undefined && 1000 < first && first < second && second < ROWS - 1000);
  const months = [lines.slice(0, first), lines.slice(first, second), lines.slice(second)];
  const files = months.map((rows, index) => {
    const path = join(folder, `${index}.zip`);
    writeFileSync(path, madeZip(`${index}.csv`, `${rows.join("\n")}\n`));
    return path;
  });

  const clock = ["--clock", "manual", "--clock-start", new Date(START_MS - MOMENT_MS).toISOString()];
  const exchange = await startExchange({ args: ["--lab", ...clock, "--bots", "off"] });
  const client = new Client(exchange.rest, exchange.accounts[0]);
  inTheEnd(t, async () => {
    client.close();
    await exchange.stop();
  });
  await operate(exchange, "POST", "/v1/lab/replays", { symbol: "BTCUSDT", files, startAtMs: START_MS });
  for (let state = "waiting"; state !== "ended"; ) {
    await operate(exchange, "POST", "/v1/lab/clock/advance", { ms: MOMENT_MS });
    const [replay] = await operate<ReplayBody[]>(exchange, "GET", "/v1/lab/replays");
    assert.ok(replay !== undefined && replay.error === undefined, replay?.error);
    state = replay.state;
  }

  const told: string[] = [];
  for (let fromId = 0; told.length < ROWS; ) {
    const page = { symbol: "BTCUSDT", limit: String(PAGE), fromId: String(fromId) };
    const { status, json, text } = await client.keyed<Told[]>("GET", "/api/v3/historicalTrades", page);
    assert.equal(status, 200, text);
    if (json.length === 0) break;
    for (const { price, qty, time, isBuyerMaker } of json) told.push([price, qty, time, isBuyerMaker].join());
    fromId = (json.at(-1)?.id ?? 0) + 1;
  }
  assert.equal(told.length, ROWS);
  const wanted = lines.map(printOf);
  // A difference of a hundred thousand lines is unreadable.
  const wrong = wanted.findIndex((print, index) => print !== told[index]);
  if (wrong !== -1) assert.deepEqual(told.slice(wrong, wrong + 3), wanted.slice(wrong, wrong + 3), `trade ${wrong}`);
});
