/**
 * Depth: a book maintained by the published rule (Interface 10.4) equals the exchange's, whatever happens to orders.
 */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { placeList, placeOrder } from "@pricetime/testkit/commands";
import { until } from "@pricetime/testkit/waiting";
import { type DepthEvent, LocalBook } from "@pricetime/testkit/local-book";
import { Dice } from "@pricetime/testkit/dice";
import { beatsByHand, MarketVenue, untilHeard } from "./market-venue.ts";

test("levels are sent as of the flush, best first, with 0 for removed ones", async (t) => {
  beatsByHand(t);
  const venue = new MarketVenue();
  const [bid] = [await venue.limit("BUY", "99", "1"), await venue.limit("SELL", "103", "1")];
  const before = venue.engine.marketBySymbol("BTCUSDT")?.bookUpdateId ?? 0;
  const events = venue.record("btcusdt@depth@100ms");
  await venue.limit("SELL", "102", "1");
  await venue.limit("SELL", "101", "2");
  await venue.limit("SELL", "101", "0.5");
  await venue.limit("BUY", "98", "1");
  await venue.signed("DELETE", "/api/v3/order", { symbol: "BTCUSDT", orderId: bid }, { key: venue.maker });
  await venue.limit("BUY", "101", "1", venue.trader);
  t.mock.timers.tick(100);
  assert.deepEqual(events, [
    {
      e: "depthUpdate",
      E: venue.nowMs,
      s: "BTCUSDT",
      U: before + 1,
      u: before + 6,
      b: [
        ["99.00000000", "0.00000000"],
        ["98.00000000", "1.00000000"],
      ],
      a: [
        ["101.00000000", "1.50000000"],
        ["102.00000000", "1.00000000"],
      ],
    },
  ]);
  t.mock.timers.tick(1000);
  assert.equal(events.length, 1, "nothing comes of a book that does not move");
});

test("an order that never rests is not a level", async (t) => {
  beatsByHand(t);
  const venue = new MarketVenue();
  await venue.limit("SELL", "100", "1");
  const events = venue.record("btcusdt@depth@100ms");
  await venue.limit("BUY", "105", "0.5", venue.trader);
  await venue.limit("BUY", "106", "0.1", venue.trader, { timeInForce: "IOC" });
  await venue.place({ side: "BUY", type: "MARKET", quantity: "0.1" }, venue.trader);
  t.mock.timers.tick(100);
  assert.deepEqual([events[0]?.["b"], events[0]?.["a"]], [[], [["100.00000000", "0.30000000"]]]);
});

test("an iceberg shows its slice", async () => {
  const venue = new MarketVenue();
  const events = venue.record("btcusdt@depth@100ms");
  await venue.limit("SELL", "100", "1", venue.maker, { icebergQty: "0.3" });
  await untilHeard(events, 1);
  await venue.limit("BUY", "100", "0.5", venue.trader);
  await untilHeard(events, 2);
  assert.deepEqual(
    events.map((event) => event["a"]),
    [[["100.00000000", "0.30000000"]], [["100.00000000", "0.10000000"]]],
  );
});

test("an order that a list places when its working order is filled is a level", async (t) => {
  beatsByHand(t);
  const venue = new MarketVenue();
  await venue.limit("SELL", "100", "1");
  const events = venue.record("btcusdt@depth@100ms");
  const { scale, symbolId } = venue.engine.marketBySymbol("BTCUSDT") ?? assert.fail();
  const [lots, dollar] = [10 ** scale.quantityDecimals, 10 ** scale.priceDecimals];
  const order = { ...venue.trader, symbolId, priceTicks: 100 * dollar, quantityLots: lots, clientOrderId: "w" };
  const pending = { ...order, priceTicks: 110 * dollar, quantityLots: lots / 2, clientOrderId: "p" };
  venue.apply(placeList("OTO", placeOrder({ ...order, side: "BUY" }), placeOrder({ ...pending, side: "SELL" })));
  t.mock.timers.tick(100);
  const asks = [
    ["100.00000000", "0.00000000"],
    ["110.00000000", "0.50000000"],
  ];
  assert.deepEqual(
    events.map((event) => event["a"]),
    [asks],
  );
});

test("the best levels are sent first, and then whenever the book changes", async () => {
  const venue = new MarketVenue();
  for (let level = 0; level < 7; level++) await venue.limit("SELL", String(100 + level), "1");
  const best = venue.record("btcusdt@depth5@100ms");
  await untilHeard(best, 1);
  const update = venue.engine.marketBySymbol("BTCUSDT")?.bookUpdateId ?? 0;
  const asks = [100, 101, 102, 103, 104].map((price) => [`${price}.00000000`, "1.00000000"]);
  assert.deepEqual(best, [{ lastUpdateId: update, bids: [], asks }]);
  await sleep(250);
  assert.equal(best.length, 1);
  await venue.limit("BUY", "99", "1");
  await untilHeard(best, 2);
  assert.deepEqual(best[1], { lastUpdateId: update + 1, bids: [["99.00000000", "1.00000000"]], asks });
});

for (const seed of [1, 2, 3, 4]) {
  test(`a local book equals the exchange's at every update: orders of all types, seed ${seed}`, async () => {
    const venue = new MarketVenue();
    const random = new Dice(seed);
    const events = venue.record("btcusdt@depth@100ms") as unknown as DepthEvent[];
    const book = new LocalBook();
    let compared = 0;
    for (let burst = 0; burst < 12; burst++) {
      for (let order = 0; order < 40; order++) await act(venue, random);
      if (burst === 3)
        book.start((await venue.send("GET", "/api/v3/depth", { query: "symbol=BTCUSDT&limit=5000" })).json);
      const market = venue.engine.marketBySymbol("BTCUSDT");
      await until("the last update is told", () => events.at(-1)?.u === market?.bookUpdateId);
      for (const event of events.splice(0)) book.apply(event);
      if (burst < 3) continue;
      const { lastUpdateId, bids, asks } = (
        await venue.send("GET", "/api/v3/depth", { query: "symbol=BTCUSDT&limit=5000" })
      ).json;
      assert.deepEqual([book.updateId, book.bids(), book.asks()], [lastUpdateId, bids, asks]);
      compared++;
    }
    assert.equal(compared, 9);
    assert.ok(book.bids().length > 5 && book.asks().length > 5, "a book that is worth the comparison");
  });
}

/** A random command that is likely to be accepted. */
async function act(venue: MarketVenue, random: Dice): Promise<void> {
  venue.nowMs += 1;
  const key = random.next() < 0.5 ? venue.maker : venue.trader;
  const side = random.next() < 0.5 ? "BUY" : "SELL";
  const price = (at: number): string => (at / 100).toFixed(2);
  const away = random.between(-20, 100);
  const limit = price(side === "BUY" ? 10_000 - away : 10_000 + away);
  const quantity = (random.between(200, 3000) / 1000).toFixed(3);
  const base = { symbol: "BTCUSDT", side, quantity };
  const open = venue.engine.openOrders(key.accountId);
  const oldest = random.pick(open);
  switch (oldest === undefined || open.length < 10 ? 0 : random.between(0, 9)) {
    case 1:
    case 2:
    case 3:
      await venue.signed("DELETE", "/api/v3/order", { symbol: "BTCUSDT", orderId: oldest?.orderId ?? 0 }, { key });
      return;
    case 4:
      await venue.order({ ...base, type: "MARKET" }, { key });
      return;
    case 5:
      await venue.order(
        { ...base, type: "LIMIT", timeInForce: random.next() < 0.5 ? "IOC" : "FOK", price: limit },
        { key },
      );
      return;
    case 6: {
      const stopPrice = price(side === "BUY" ? 10_005 : 9_995);
      await venue.order({ ...base, type: "STOP_LOSS_LIMIT", timeInForce: "GTC", price: limit, stopPrice }, { key });
      return;
    }
    case 7: {
      const sent = { symbol: "BTCUSDT", side, type: "LIMIT", timeInForce: "GTC", price: limit, quantity };
      const replaced = { ...sent, cancelReplaceMode: "STOP_ON_FAILURE", cancelOrderId: oldest?.orderId ?? 0 };
      await venue.signed("POST", "/api/v3/order/cancelReplace", replaced, { key });
      return;
    }
    case 8: {
      const icebergQty = (Number(quantity) / 4).toFixed(3);
      await venue.order({ ...base, type: "LIMIT", timeInForce: "GTC", price: limit, icebergQty }, { key });
      return;
    }
    case 9: {
      const left = (oldest?.quantityLots ?? 0) - (oldest?.executedLots ?? 0);
      const newQty = (((oldest?.executedLots ?? 0) + Math.ceil(left / 2)) / 1_000_000).toFixed(6);
      const amended = { symbol: "BTCUSDT", orderId: oldest?.orderId ?? 0, newQty };
      await venue.signed("PUT", "/api/v3/order/amend/keepPriority", amended, { key });
      return;
    }
    default:
      await venue.order({ ...base, type: "LIMIT", timeInForce: "GTC", price: limit }, { key });
  }
}
