/**
 * Queries with an empty and a large history: both nodes run at once, the same queries are sent to them in alternating
 * rounds, and the cost must not grow. The readers have the same number of orders in both.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Parameters as Query } from "@pricetime/testkit/client";
import { LoadProcess } from "../load/load.ts";
import type { LoadResult } from "../load/messages.ts";
import { median } from "@pricetime/testkit/quantile";
import { SYMBOL } from "../venue/listing.ts";
import { startVenue, type Venue, withFolder } from "../venue/venue.ts";
import { type HistoryData, historyData, READERS } from "./history-data.ts";
import { type BenchOptions, table, thousands } from "../measure.ts";

const ROUNDS = 5;
const ROWS = 50_000_000;
const CONNECTIONS = 8;

interface Question {
  readonly path: string;
  readonly parameters: Query;
  readonly signed: boolean;
  readonly expected: string;
  /** The number of requests in one round. */
  readonly count: number;
}

/** `endMs` is the time of the last trade, so that a reused folder gets the same queries. */
function questions(endMs: number): Readonly<Record<string, Question>> {
  const open = (name: string, parameters: Query, expected: string, count: number): Question => ({
    ...{ path: `/api/v3/${name}`, parameters: { symbol: SYMBOL, ...parameters }, signed: false, expected, count },
  });
  const signed = (...question: [string, Query, string, number]): Question => ({ ...open(...question), signed: true });
  return {
    "depth, 100 levels": open("depth", { limit: 100 }, '"bids":[[', 5000),
    openOrders: signed("openOrders", {}, '[{"symbol"', 3000),
    account: { ...signed("account", {}, '"balances":[{', 4000), parameters: {} },
    "allOrders, 500": signed("allOrders", { limit: 500 }, '[{"symbol"', 200),
    "allOrders, the newest 10": signed("allOrders", { limit: 10 }, '[{"symbol"', 2000),
    "myTrades, 500": signed("myTrades", { limit: 500 }, '[{"symbol"', 200),
    "klines of 1m, 500": open("klines", { interval: "1m", limit: 500, endTime: endMs }, "[[", 400),
    "trades, 500": open("trades", { limit: 500 }, '[{"id"', 400),
  };
}

export async function run({ rounds = ROUNDS, rows = ROWS, data }: BenchOptions): Promise<string[]> {
  return withFolder(async (folder) => {
    const small = await historyData(join(`${folder}-small`), 0);
    const started = performance.now();
    const large = await historyData(data === undefined ? `${folder}-large` : join(data, "data"), rows);
    const madeS = (performance.now() - started) / 1000;
    const venues = [await startVenue(small.folder), await startVenue(large.folder)] as const;
    const load = new LoadProcess();
    try {
      return [
        `history of ${thousands(small.rows)} and of ${thousands(large.rows)} rows (prepared in ${Math.round(madeS)} s); ` +
          `${READERS} accounts send requests in turn, ${CONNECTIONS} connections; medians of ${rounds} rounds`,
        "",
        ...(await measure([small, large], venues, load, rounds)),
      ];
    } finally {
      load.stop();
      await Promise.all(venues.map((venue) => venue.kill()));
    }
  });
}

async function measure(
  [small, large]: readonly [HistoryData, HistoryData],
  [empty, full]: readonly [Venue, Venue],
  load: LoadProcess,
  rounds: number,
): Promise<string[]> {
  const asked = questions(small.endMs);
  const askedOfLarge = questions(large.endMs);
  const lines: string[][] = [];
  for (const [name, question] of Object.entries(asked)) {
    const [before, after]: [LoadResult[], LoadResult[]] = [[], []];
    await ask(load, empty, question);
    await ask(load, full, askedOfLarge[name] ?? question);
    for (let round = 0; round < rounds; round++) {
      before.push(await ask(load, empty, question));
      after.push(await ask(load, full, askedOfLarge[name] ?? question));
    }
    lines.push(lineOf(name, before, after));
  }
  const head = ["read", "empty /s", "large /s", "ratio", "empty p50 ms", "large p50", "empty p99", "large p99"];
  return table(head, lines);
}

async function ask(load: LoadProcess, { port }: Venue, { expected, ...what }: Question): Promise<LoadResult> {
  const requests = { kind: "get", ...what } as const;
  return load.run({ port, accounts: READERS, requests, connections: CONNECTIONS, expected });
}

function lineOf(name: string, before: readonly LoadResult[], after: readonly LoadResult[]): string[] {
  const rate = (results: readonly LoadResult[]): number => median(results.map((result) => result.perSecond));
  const delay = (results: readonly LoadResult[], key: "p50" | "p99"): string =>
    median(results.map((result) => result.delayMs[key])).toFixed(2);
  const bytes = (results: readonly LoadResult[]): number => median(results.map((result) => result.bytesAnAnswer));
  // A longer history may only add digits to numbers.
  assert.ok(Math.abs(bytes(after) / bytes(before) - 1) < 0.2, `${name}: ${bytes(before)} and ${bytes(after)} bytes`);
  const ratio = (rate(after) / rate(before)).toFixed(2);
  const delays = [delay(before, "p50"), delay(after, "p50"), delay(before, "p99"), delay(after, "p99")];
  return [name, thousands(rate(before)), thousands(rate(after)), `**${ratio}**`, ...delays];
}
