import assert from "node:assert/strict";
import { test } from "node:test";
import type { Side } from "@pricetime/engine";
import { madeTrades } from "./made-trades.ts";
import { archiveTrades, type Printed, ReplayVenue, START_MS } from "./replay-venue.ts";

const asPrinted = (rows: readonly (readonly [number, number, Side, number])[], shiftMs = 0): Omit<Printed, "maker">[] =>
  rows.map(([price, quantity, takerSide, timeMs]) => ({
    ...{ price, quantity, takerSide, timeMs: timeMs + shiftMs, isRecorded: true },
  }));

test("a whole file prints exactly: price, quantity, side, and time to the millisecond", async (t) => {
  const venue = await ReplayVenue.open(t);
  const rows = madeTrades(600, START_MS, 700);
  const before = venue.filters;
  const { state, layout } = await venue.play([venue.file("trades.csv", archiveTrades(rows))], { startAtMs: START_MS });
  assert.deepEqual([state, layout, venue.stoodInFor.get("BTCUSDT")], ["playing", "trades", "replay"]);
  await venue.advance(10 * 60_000);
  const listed = await venue.list();
  assert.deepEqual([listed.state, listed.rows, listed.trades, listed.error], ["ended", 600, 600, undefined]);
  assert.deepEqual(
    venue.trades.map(({ price, quantity, takerSide, timeMs, isRecorded }) => {
      return { price, quantity, takerSide, timeMs, isRecorded };
    }),
    asPrinted(rows),
  );
  assert.equal(listed.bytes, listed.totalBytes);
  venue.market.engine.checkInvariants();
  await venue.ask("DELETE", `/v1/lab/replays/${listed.id}`);
  assert.deepEqual([venue.filters, venue.book("bids"), venue.book("asks")], [before, [], []]);
  assert.equal(venue.stoodInFor.size, 0);
});
