/**
 * A bot's own orders on a replayed market: what users of other simulators missed, by their issues. nautilus #4370 is
 * here for trades, and in `messages.test.ts` order by order. hftbacktest #67 (how far half a day's result live is from
 * its test's) is in `live-and-replayed.campaign.ts`.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Side } from "@pricetime/engine";
import { IMPACTS } from "../../../src/lab/replay/replay-shapes.ts";
import { startLab } from "../checkpoints/running-lab.ts";
import { archiveTrades, ReplayVenue, START_MS } from "./replay-venue.ts";

type Row = readonly [price: number, quantity: number, takerSide: Side, timeMs: number];

/** Seconds after the start. */
const at = (seconds: number): number => START_MS + seconds * 1000;
const BAND = { levels: 2, spacing: "1", size: "5" };

async function replayed(t: TestContext, rows: readonly Row[], settings: object = {}): Promise<ReplayVenue> {
  const venue = await ReplayVenue.open(t);
  await venue.play([venue.file("trades.csv", archiveTrades(rows))], { startAtMs: START_MS, band: BAND, ...settings });
  return venue;
}

const recorded = (venue: ReplayVenue): (readonly [number, number])[] =>
  venue.trades.filter(({ isRecorded }) => isRecorded).map(({ price, quantity }) => [price, quantity]);
const own = (venue: ReplayVenue): (readonly [number, number])[] =>
  venue.trades.filter(({ isRecorded }) => !isRecorded).map(({ price, quantity }) => [price, quantity]);

const CALM: readonly Row[] = [
  [100, 1, "BUY", at(0)],
  [100, 1, "BUY", at(10)],
  [100, 2, "BUY", at(20)],
];

test("hftbacktest #279, #14: an own order changes the book, and what it took is gone for the recorded takers", async (t) => {
  const venue = await replayed(t, CALM);
  assert.deepEqual(venue.book("asks")[0], [100, 5]);
  await venue.order("BUY", 1.5);
  assert.deepEqual(venue.book("asks")[0], [100, 3.5]);
  await venue.advance(60_000);
  // The bot has filled the first taker, and half of the second one.
  assert.deepEqual(own(venue), [[100, 1.5]]);
  assert.deepEqual(recorded(venue), [
    [100, 1],
    [100, 1.5],
  ]);
});

test("impact none: what own takers eat is there again, and every recorded trade prints whole", async (t) => {
  const venue = await replayed(t, CALM, { impact: "none" });
  await venue.order("BUY", 1.5);
  await venue.advance(60_000);
  assert.deepEqual(own(venue), [[100, 1.5]]);
  assert.deepEqual(
    recorded(venue),
    CALM.map(([price, quantity]) => [price, quantity]),
  );
});

for (const impact of IMPACTS) {
  const how = impact === "book" ? "one is not" : "both are, by a taker that is larger by both";
  test(`nautilus #2564: two own orders are not filled from one liquidity: ${how} (${impact})`, async (t) => {
    const rows: readonly Row[] = [
      [100, 1, "SELL", at(0)],
      [99, 1, "SELL", at(10)],
    ];
    const venue = await replayed(t, rows, { impact });
    const [first, second] = [await venue.order("BUY", 1, 99.5), await venue.order("BUY", 1, 99.5)];
    await venue.advance(60_000);
    const one = [99.5, 1] as const;
    assert.deepEqual([venue.leftOf(first), venue.leftOf(second)], impact === "book" ? [0, 1] : [0, 0]);
    assert.deepEqual(own(venue), impact === "book" ? [one] : [one, one]);
    // With `book` its taker has filled the bot's order.
    assert.deepEqual(recorded(venue).slice(1), impact === "book" ? [] : [[99, 1]]);
  });

  test(`nautilus #5017: what one own taker took, the next does not find (${impact})`, async (t) => {
    const venue = await replayed(t, CALM, { impact });
    await venue.order("BUY", 3);
    await venue.order("BUY", 4);
    assert.deepEqual(own(venue), [
      [100, 3],
      [100, 2],
      [101, 2],
    ]);
  });

  test(`nautilus #4631: own orders at a price share one queue, in the order of their time (${impact})`, async (t) => {
    const rows: readonly Row[] = [
      [100, 1, "SELL", at(0)],
      [98.5, 2.5, "SELL", at(10)],
    ];
    const venue = await replayed(t, rows, { impact });
    const orders = [
      await venue.order("BUY", 1, 99.5),
      await venue.order("BUY", 1, 99.5),
      await venue.order("BUY", 1, 99.5),
    ];
    await venue.advance(60_000);
    assert.deepEqual(
      orders.map((id) => venue.leftOf(id)),
      impact === "book" ? [0, 0, 0.5] : [0, 0, 0],
    );
    const makers = venue.trades.filter(({ isRecorded }) => !isRecorded).map(({ maker }) => maker);
    assert.deepEqual(makers, ["bot-1", "bot-2", "bot-3"]);
    assert.deepEqual(recorded(venue).slice(1), impact === "book" ? [] : [[98.5, 2.5]]);
    // What the recorded taker would have taken from others is not offered to anyone else.
    const [, thereNow] = venue.book("bids").find(([price]) => price === 98.5) ?? [];
    assert.equal(thereNow, 5);
  });

  test(`nautilus #3596: a fill is of the book as it is then, not as it was before the trade (${impact})`, async (t) => {
    const rows: readonly Row[] = [
      [100, 1, "BUY", at(0)],
      [120, 1, "BUY", at(10)],
    ];
    const venue = await replayed(t, rows, { impact });
    await venue.advance(15_000);
    await venue.order("BUY", 1);
    assert.deepEqual(own(venue), [[120, 1]]);
  });
}

test("nautilus #4370: a stranger's cancel does not put an own order first in its queue", async (t) => {
  // The quote at 100 is ahead of the own order; the one at 99.99 is canceled when the price leaves it.
  const rows: readonly Row[] = [
    [100, 1, "SELL", at(0)],
    [100.01, 1, "BUY", at(10)],
    [100.02, 1, "BUY", at(11)],
    [100, 3, "SELL", at(20)],
    [100, 1.5, "SELL", at(30)],
  ];
  const venue = await replayed(t, rows);
  const order = await venue.order("BUY", 1, 100);
  await venue.advance(15_000);
  assert.equal(venue.leftOf(order), 1);
  await venue.advance(10_000);
  assert.equal(venue.leftOf(order), 1, "five stood before it, and three of them were taken");
  await venue.advance(60_000);
  assert.equal(venue.leftOf(order), 1, "half a coin stands before it yet");
});

test("nautilus #286: while a bot thinks, the recording goes on, and its order meets the book of then", async (t) => {
  const lab = await startLab(t, { bots: "off", history: "off" });
  const bot = lab.clients[0] ?? assert.fail();
  const path = join(lab.folder, "trades.csv");
  const boughtAfter = async (tookMs: number): Promise<unknown> => {
    // It has seen 95000 when it starts computing.
    const prices = [95_000, 95_010, 95_020].map((price, index) => [price, 0.1, "BUY", at(index * 0.4)] as const);
    writeFileSync(path, `${archiveTrades(prices).join("\n")}\n`);
    const replay = { symbol: "BTCUSDT", files: [path], band: BAND };
    const { id } = await lab.ask("POST", "/v1/lab/replays", replay);
    await lab.ask("POST", "/v1/lab/clock/clients", { name: "bot" });
    const { nowMs: timestamp } = await lab.ask("POST", "/v1/lab/clock/done", { name: "bot", untilMs: 0, tookMs });
    const order = { symbol: "BTCUSDT", side: "BUY", type: "MARKET", quantity: "0.01", timestamp: String(timestamp) };
    const { status, json, text } = await bot.signed<{ fills: { price: string }[] }>("POST", "/api/v3/order", order);
    assert.equal(status, 200, text);
    await lab.ask("DELETE", "/v1/lab/clock/clients/bot");
    await lab.ask("DELETE", `/v1/lab/replays/${id}`);
    return Number(json.fills[0]?.price);
  };
  assert.deepEqual([await boughtAfter(300), await boughtAfter(500), await boughtAfter(900)], [95_000, 95_010, 95_020]);
});

test("hftbacktest #316: a resting order is filled in part, and the position has it at once", async (t) => {
  const rows: readonly Row[] = [
    [100, 1, "SELL", at(0)],
    [99, 0.4, "SELL", at(10)],
    [99, 0.25, "SELL", at(20)],
  ];
  const venue = await replayed(t, rows);
  const order = await venue.order("BUY", 1, 99.5);
  await venue.advance(10_000);
  assert.deepEqual([venue.leftOf(order), venue.position], [0.6, 0.4]);
  await venue.advance(10_000);
  assert.deepEqual([venue.leftOf(order), venue.position], [0.35, 0.65]);
});

test("hftbacktest #158: nothing is filled without a recorded trade", async (t) => {
  const rows: readonly Row[] = [
    [100, 1, "SELL", at(0)],
    [100, 1, "SELL", at(3600)],
  ];
  const venue = await replayed(t, rows);
  const orders = [
    await venue.order("BUY", 1, 100),
    await venue.order("SELL", 1, 100.01),
    await venue.order("BUY", 1, 99),
  ];
  await venue.advance(3_500_000);
  assert.deepEqual(
    orders.map((id) => venue.leftOf(id)),
    [1, 1, 1],
  );
  assert.deepEqual(own(venue), []);
});

for (const impact of ["book", "none"] as const) {
  test(`a recorded price beyond own orders fills them at theirs; the rest ${impact === "book" ? "prints" : "is whole"} (${impact})`, async (t) => {
    const rows: readonly Row[] = [
      [100, 1, "BUY", at(0)],
      [101, 2, "BUY", at(10)],
      [101.5, 1, "BUY", at(10)],
      [100.2, 3, "SELL", at(20)],
    ];
    const venue = await replayed(t, rows, { impact });
    const ask = await venue.order("SELL", 0.5, 100.7);
    await venue.advance(15_000);
    assert.equal(venue.leftOf(ask), 0);
    // The bid is above the price that sellers come down to.
    const bid = await venue.order("BUY", 1, 101.2);
    await venue.advance(60_000);
    assert.equal(venue.leftOf(bid), 0);
    const whole = rows.map(([price, quantity]) => [price, quantity]);
    const cut = [
      [100, 1],
      [101, 2],
      [101.5, 0.5],
      [100.2, 2],
    ];
    assert.deepEqual(recorded(venue), impact === "none" ? whole : cut);
    assert.deepEqual(own(venue), [
      [100.7, 0.5],
      [101.2, 1],
    ]);
    venue.market.engine.checkInvariants();
  });
}
