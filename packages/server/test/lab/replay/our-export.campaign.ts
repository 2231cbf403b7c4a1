/** A book that we exported in LOBSTER's layout, replayed: the same trades. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DAY_MS } from "@pricetime/engine";
import type { JournalReader } from "../../../src/journal/port.ts";
import type { LobsterMeta } from "../../../src/research/market-files/lobster-files.ts";
import { extractInto } from "../../research/extract/extracting.ts";
import { randomJournal, replayed } from "../../research/extract/random-journal.ts";
import { ReplayVenue } from "./replay-venue.ts";

const HOUR_MS = 3_600_000;

interface Traded {
  readonly timeMs: number;
  readonly price: number;
  readonly quantity: number;
  readonly takerSide: string;
}

function tradesOf(journal: JournalReader): Traded[] {
  const trades: Traded[] = [];
  replayed(journal, (_, events) => {
    for (const event of events) {
      if (event.type !== "trade" || event.symbolId !== 0) continue;
      const { timeMs, priceTicks, lots, takerSide } = event;
      trades.push({ timeMs, price: priceTicks / 100, quantity: lots / 1e6, takerSide });
    }
  });
  return trades;
}

/** Slices of an iceberg that trade with one order are consecutive executions of the same order: they count as one. */
function joined(trades: readonly Traded[]): Traded[] {
  const all: Traded[] = [];
  for (const trade of trades) {
    const last = all.at(-1);
    const isMore = last?.timeMs === trade.timeMs && last.price === trade.price && last.takerSide === trade.takerSide;
    const lots = Math.round((isMore ? last.quantity : 0) * 1e6) + Math.round(trade.quantity * 1e6);
    if (isMore) all.pop();
    all.push({ ...trade, quantity: lots / 1e6 });
  }
  return all;
}

/** An execution of a maker; consecutive ones of one maker count as one, like a taker's order. */
type Hit = readonly [maker: string, timeMs: number, price: number, lots: number];

function merged(hits: readonly Hit[]): Hit[] {
  const all: Hit[] = [];
  for (const [maker, timeMs, price, lots] of hits) {
    const last = all.at(-1);
    const isMore = last?.[0] === maker && last[1] === timeMs && last[2] === price;
    if (isMore) all.pop();
    all.push([maker, timeMs, price, lots + (isMore ? last[3] : 0)]);
  }
  return all;
}

/** The visible executions of a day's file of messages. */
function executionsOf(folder: string, name: string): Hit[] {
  const meta = JSON.parse(readFileSync(join(folder, name.replace("message.csv", "meta.json")), "utf8")) as LobsterMeta;
  const { epochDay, priceScale, sizeScale } = meta;
  const rows = readFileSync(join(folder, name), "utf8").trimEnd().split("\n");
  return rows
    .map((row) => row.split(",").map(Number))
    .filter(([, type]) => type === 4)
    .map(([seconds = 0, , id, size = 0, price = 0]) => {
      const timeMs = epochDay * DAY_MS + Math.floor(seconds * 1000 + 1e-6);
      return [`L${id}`, timeMs, price / 10 ** priceScale, Math.round((size / 10 ** sizeScale) * 1e6)];
    });
}

test("a book that was exported in LOBSTER's layout gives the same trades, over several days", async (t) => {
  const journal = await randomJournal(33, 1200);
  const asked = { subject: "book", format: "lobster", symbols: ["BTCUSDT"], levels: 5 } as const;
  const { folder, names } = extractInto(t, journal, asked);
  const files = names().filter((name) => name.endsWith("_message.csv"));
  assert.ok(files.length > 1, "several days");
  const exported = tradesOf(journal);
  assert.ok(exported.length > 50, `${exported.length} trades`);
  const venue = await ReplayVenue.open(t);
  const { atMs, fileMs } = await venue.play(files.map((name) => join(folder, name)));
  let [state, error]: readonly [string, string | undefined] = ["waiting", undefined];
  for (let hour = 0; hour < 24 * (files.length + 1) && state !== "ended" && error === undefined; hour++) {
    await venue.advance(HOUR_MS);
    ({ state, error } = await venue.list());
  }
  assert.deepEqual([state, error], ["ended", undefined]);
  const shiftMs = (atMs ?? 0) - (fileMs ?? 0);
  const played = venue.trades.map(({ timeMs, price, quantity, takerSide }) => {
    return { timeMs: timeMs - shiftMs, price, quantity, takerSide };
  });
  assert.deepEqual(joined(played), joined(exported));
  const hit = venue.trades.map(({ maker, timeMs, price, quantity }): Hit => {
    return [maker.replace(/-[0-9]+$/, ""), timeMs - shiftMs, price, Math.round(quantity * 1e6)];
  });
  const executions = files.flatMap((name) => executionsOf(folder, name));
  assert.ok(new Set(executions.map(([maker]) => maker)).size > 30, "of many orders");
  assert.deepEqual(merged(hit), merged(executions));
});
