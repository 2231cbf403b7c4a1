/** A book that we exported in LOBSTER's layout, played: the same trades. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { JournalReader } from "../../../src/journal/port.ts";
import { extractInto } from "../../extract/extracting.ts";
import { randomJournal, replayed } from "../../extract/random-journal.ts";
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

/** Slices of an iceberg that trade with one order are one execution after another of the same order: they print as one. */
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
});
