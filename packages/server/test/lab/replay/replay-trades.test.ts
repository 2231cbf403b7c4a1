import assert from "node:assert/strict";
import { test } from "node:test";
import type { Side } from "@pricetime/engine";
import { archiveTrades, type Printed, ReplayVenue, START_MS } from "./replay-venue.ts";

/** A walk of several hundred trades: ticks up and down, leaps, several trades of one taker, dust, several in one millisecond. */
function walk(count: number): (readonly [number, number, Side, number])[] {
  const rows: (readonly [number, number, Side, number])[] = [];
  let [ticks, timeMs, draw] = [9_500_000, START_MS, 12_345];
  const next = (below: number): number => {
    draw = (draw * 48_271) % 2_147_483_647;
    return draw % below;
  };
  while (rows.length < count) {
    const side = next(2) === 0 ? "BUY" : "SELL";
    const sign = side === "BUY" ? 1 : -1;
    ticks += next(20) === 0 ? (next(2) === 0 ? 1 : -1) * next(50_000) : sign * next(3);
    for (let fill = next(4); fill >= 0; fill--) {
      rows.push([ticks / 100, (1 + (next(3) === 0 ? next(3) : next(3_000_000))) / 1e6, side, timeMs]);
      ticks += sign * next(2) * next(4);
    }
    timeMs += next(3) === 0 ? 0 : next(700);
  }
  return rows.slice(0, count);
}

const asPrinted = (rows: readonly (readonly [number, number, Side, number])[], shiftMs = 0): Omit<Printed, "maker">[] =>
  rows.map(([price, quantity, takerSide, timeMs]) => ({
    ...{ price, quantity, takerSide, timeMs: timeMs + shiftMs, isRecorded: true },
  }));

test("a whole file prints exactly: price, quantity, side, and time to the millisecond", async (t) => {
  const venue = await ReplayVenue.open(t);
  const rows = walk(600);
  const before = venue.filters;
  const { state, layout } = await venue.play([venue.file("trades.csv", archiveTrades(rows))], { startAtMs: START_MS });
  assert.deepEqual([state, layout, venue.stoodInFor.get("BTCUSDT")], ["playing", "trades", "replay"]);
  await venue.advance(10 * 60_000);
  const listed = await venue.list();
  assert.deepEqual([listed.state, listed.rows, listed.trades, listed.error], ["ended", 600, 600, undefined]);
  assert.deepEqual(
    venue.trades.map(({ maker: _, ...print }) => print),
    asPrinted(rows),
  );
  assert.equal(listed.bytes, listed.totalBytes);
  venue.market.engine.checkInvariants();
  await venue.ask("DELETE", `/v1/lab/replays/${listed.id}`);
  assert.deepEqual([venue.filters, venue.book("bids"), venue.book("asks")], [before, [], []]);
  assert.equal(venue.stoodInFor.size, 0);
});
