/** The orders that a list places when its working order is filled, in a lab's records and in its view of a book. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { placeList, placeOrder } from "@pricetime/testkit/commands";
import { TestVenue } from "@pricetime/testkit/gateway-venue";
import { ForeignOrders } from "../../src/lab/replay/band.ts";
import { Watch } from "../../src/lab/watch.ts";

test("a released order is recorded again, and is in the book that other traders see", async () => {
  const venue = new TestVenue();
  const market = venue.engine.marketBySymbol("BTCUSDT");
  assert.ok(market !== undefined);
  const { symbolId, scale } = market;
  const foreign = new ForeignOrders(venue.engine, symbolId, new Set());
  const watch = new Watch(() => venue.nowMs);
  watch.start(venue.engine);
  const { accountId } = venue.trader;
  watch.watch({ accounts: [venue.engine.account(accountId)?.email ?? ""], symbols: [] });
  venue.followers.add(watch);
  venue.followers.add({ applied: (_entry, events) => foreign.applied(events, () => {}) });
  await venue.order(
    { symbol: "BTCUSDT", side: "SELL", type: "LIMIT", timeInForce: "GTC", price: "100", quantity: "1" },
    { key: venue.maker },
  );
  const lots = 10 ** scale.quantityDecimals;
  const ticks = (price: number): number => price * 10 ** scale.priceDecimals;
  const order = { accountId, symbolId, priceTicks: ticks(100), quantityLots: lots, clientOrderId: "w" };
  const pending = { ...order, priceTicks: ticks(110), quantityLots: lots / 2, clientOrderId: "p" };
  venue.apply(placeList("OTO", placeOrder({ ...order, side: "BUY" }), placeOrder({ ...pending, side: "SELL" })));
  assert.deepEqual(
    foreign.within("SELL", ticks(200)).map((order) => [order.ticks, order.lots]),
    [[ticks(110), lots / 2]],
  );
  const { records } = watch.records.after(0);
  assert.deepEqual(
    records.flatMap((record) => (record.kind === "order" && record.clientOrderId === "p" ? [record.status] : [])),
    ["PENDING_NEW", "NEW"],
  );
});
