/** The two interfaces of a venue: what the engine's rules follow from the entry of `setInterface` on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Command, Engine, type InterfaceName, type PlaceOrder } from "@pricetime/engine";
import { placeOrder } from "@pricetime/testkit/commands";
import { BY, symbolSpec, TestExchange } from "./harness.ts";

/** The steps of these filters, counted from their minimums, never meet those that are counted from zero. */
const FILTERS = {
  priceFilter: { minPrice: "0.03", maxPrice: "100", tickSize: "0.05" },
  lotSize: { minQty: "0.3", maxQty: "1000", stepSize: "0.5" },
  marketLotSize: { minQty: "0.3", maxQty: "1000", stepSize: "0.5" },
} as const;

function opened(): TestExchange {
  const exchange = new TestExchange();
  exchange.listAssets(["AAA", 4], ["BBB", 4]);
  exchange.run({ type: "listSymbol", by: BY, symbol: symbolSpec("AAABBB", "AAA/BBB", FILTERS) });
  for (const email of ["a@example.org", "b@example.org"]) exchange.openAccount(email);
  for (const accountId of [100, 101]) {
    for (const asset of ["AAA", "BBB"]) {
      const reference = `${accountId} ${asset}`;
      exchange.run({ type: "deposit", by: BY, accountId, asset, amount: "100000", reference });
    }
  }
  return exchange;
}

const set = (name: InterfaceName): Command => ({ type: "setInterface", by: BY, interface: name });

let orders = 0;
function limit(priceTicks: number, quantityLots: number, more: Partial<PlaceOrder> = {}): PlaceOrder {
  const clientOrderId = `o${++orders}`;
  return { ...placeOrder({ accountId: 100, side: "BUY", priceTicks, quantityLots, clientOrderId }), ...more };
}

test("steps are counted from the minimum in 2019, and from zero today", () => {
  const exchange = opened();
  // Units: 0.01 and 0.1.
  const table: readonly (readonly [PlaceOrder, in2019: string, today: string])[] = [
    [limit(8, 3), "orderOpened", "PRICE_FILTER"],
    [limit(8, 5), "LOT_SIZE", "PRICE_FILTER"],
    [limit(10, 5), "PRICE_FILTER", "orderOpened"],
    [limit(10, 8), "PRICE_FILTER", "LOT_SIZE"],
    [limit(3, 5), "LOT_SIZE", "PRICE_FILTER"],
    [limit(0, 13, { orderType: "MARKET", side: "SELL" }), "orderOpened trade", "LOT_SIZE"],
    [limit(0, 15, { orderType: "MARKET", side: "SELL" }), "LOT_SIZE", "orderOpened trade"],
  ];
  for (const [name, column] of [
    ["2019", 1],
    ["today", 2],
    ["2019", 1],
  ] as const) {
    assert.equal(exchange.answer(set(name)), "interfaceChanged");
    const tick = name === "today" ? 50 : 53;
    exchange.run(limit(tick, name === "today" ? 1000 : 1003, { accountId: 101 }));
    for (const row of table) {
      const clientOrderId = `o${++orders}`;
      assert.equal(
        exchange.answer({ ...row[0], clientOrderId }),
        row[column],
        `${name}: ${row[0].orderType} ${row[0].quantityLots} @ ${row[0].priceTicks}`,
      );
    }
    exchange.restart();
  }
});

test("an order by quoteOrderQty is rounded down to the step of the interface", () => {
  for (const [name, lots] of [
    ["2019", 8],
    ["today", 10],
  ] as const) {
    const exchange = opened();
    exchange.run(set(name));
    exchange.run(limit(name === "today" ? 50 : 53, name === "today" ? 1000 : 1003, { accountId: 101, side: "SELL" }));
    // Buys 1.2 or 1.1 at most.
    const quoteOrderQty = name === "today" ? 6_000n : 6_300n;
    const events = exchange.run(limit(0, 0, { orderType: "MARKET", quoteOrderQty }));
    const trade = events.find((event) => event.type === "trade");
    assert.equal(trade?.type === "trade" && trade.lots, lots, name);
  }
});

test("open orders stay and trade with orders of the other interface", () => {
  const exchange = opened();
  exchange.run(limit(53, 3));
  exchange.run(set("today"));
  assert.equal(exchange.engine.openOrderCount, 1);
  assert.equal(exchange.answer(limit(50, 5, { accountId: 101, side: "SELL" })), "orderOpened trade");
  exchange.engine.checkInvariants();
});

test("listen keys end with the entry of today's interface, and cannot be opened afterwards", () => {
  const exchange = opened();
  const open = (accountId: number): Command => ({ type: "openListenKey", accountId, listenKey: `key${accountId}` });
  for (const accountId of [100, 101]) assert.equal(exchange.answer(open(accountId)), "listenKeyOpened");
  assert.deepEqual(exchange.run(set("today")), [
    { type: "interfaceChanged", interface: "today" },
    { type: "listenKeyClosed", accountId: 100, listenKey: "key100", expired: true },
    { type: "listenKeyClosed", accountId: 101, listenKey: "key101", expired: true },
  ]);
  assert.equal(exchange.answer(open(100)), "LISTEN_KEYS_RETIRED");
  assert.equal(exchange.answer({ ...open(100), type: "keepListenKey" } as Command), "UNKNOWN_LISTEN_KEY");
  exchange.run(set("2019"));
  assert.equal(exchange.answer(open(100)), "listenKeyOpened");
});

test("an order without a mode of self-trade prevention follows the interface", () => {
  const exchange = opened();
  const modes = [undefined, "NONE", "EXPIRE_TAKER"] as const;
  const found = (["2019", "today"] as const).map((name) => {
    exchange.run(set(name));
    return modes.map((selfTradePrevention) => {
      const [price, lots] = name === "today" ? [50, 5] : [53, 8];
      const mode = selfTradePrevention === undefined ? {} : { selfTradePrevention };
      const [event] = exchange.run(limit(price, lots, mode));
      return event?.type === "orderOpened" ? (event.order.selfTradePrevention ?? "NONE") : event?.type;
    });
  });
  assert.deepEqual(found, [
    ["NONE", "NONE", "EXPIRE_TAKER"],
    ["EXPIRE_MAKER", "NONE", "EXPIRE_TAKER"],
  ]);
});

test("the interface is part of the state and of its hash, and needs version 5 of the rules", () => {
  const exchange = opened();
  const before = exchange.engine.stateHash();
  exchange.run(set("today"));
  assert.equal(exchange.engine.interface, "today");
  assert.notEqual(exchange.engine.stateHash().hash, before.hash);
  assert.equal(Engine.restore(exchange.engine.snapshot()).interface, "today");
  assert.equal(exchange.answer({ ...set("today"), interface: "2020" } as never), "INVALID_VALUE");
  const older = new TestExchange(4);
  assert.equal(older.answer(set("today")), "INVALID_VALUE");
  assert.equal(older.engine.interface, "2019");
});
