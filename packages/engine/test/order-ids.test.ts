/** Order ids by symbol: each symbol counts its orders, and the symbol is in the high bits of the ids inside. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Command,
  composedOrderId,
  Engine,
  namedOrderId,
  ORDER_TYPES,
  type OrderIdScope,
  orderNumberOf,
  type PlaceOrder,
} from "@pricetime/engine";
import { placeOrder } from "@pricetime/testkit/commands";
import { BY, symbolSpec, TestExchange } from "./harness.ts";

const set = (orderIds: OrderIdScope): Command => ({ type: "setOrderIds", by: BY, orderIds });

/** An exchange with two symbols, and an account that can buy and sell on both. */
function opened(edition?: number): TestExchange {
  const exchange = new TestExchange(edition);
  exchange.listAssets(["AAA", 4], ["BBB", 4], ["CCC", 4]);
  for (const base of ["AAA", "CCC"]) {
    const symbol = { ...symbolSpec(`${base}BBB`, `${base}/BBB`, FILTERS), orderTypes: ORDER_TYPES, otoAllowed: true };
    exchange.run({ type: "listSymbol", by: BY, symbol });
  }
  exchange.openAccount("a@example.org");
  for (const asset of ["AAA", "BBB", "CCC"]) {
    exchange.run({ type: "deposit", by: BY, accountId: 100, asset, amount: "100000", reference: asset });
  }
  return exchange;
}

const FILTERS = {
  priceFilter: { minPrice: "0.01", maxPrice: "100", tickSize: "0.01" },
  lotSize: { minQty: "0.1", maxQty: "1000", stepSize: "0.1" },
  marketLotSize: { minQty: "0.1", maxQty: "1000", stepSize: "0.1" },
} as const;

let orders = 0;
function order(symbolId: number, more: Partial<PlaceOrder> = {}): PlaceOrder {
  const clientOrderId = `o${++orders}`;
  const own = { accountId: 100, symbolId, side: "BUY", priceTicks: 50, quantityLots: 10, clientOrderId } as const;
  return { ...placeOrder(own), ...more };
}

function idOf(exchange: TestExchange, command: PlaceOrder): number {
  const [event] = exchange.run(command);
  assert.equal(event?.type, "orderOpened");
  return event.type === "orderOpened" ? event.order.orderId : 0;
}

test("each symbol counts its own orders, also after a restart", () => {
  const exchange = opened();
  exchange.run(set("symbol"));
  const ids = [0, 1, 1, 0].map((symbolId) => idOf(exchange, order(symbolId)));
  assert.deepEqual(ids.map(orderNumberOf), [1, 1, 2, 2]);
  assert.deepEqual(ids, [composedOrderId(0, 1), composedOrderId(1, 1), composedOrderId(1, 2), composedOrderId(0, 2)]);
  const before = exchange.engine.stateHash();
  exchange.restart();
  assert.deepEqual(exchange.engine.stateHash(), before);
  assert.equal(before.parts.at(-1)?.part, "order numbers");
  assert.equal(exchange.engine.orderIds, "symbol");
  assert.equal(idOf(exchange, order(1)), composedOrderId(1, 3));
  assert.equal(exchange.engine.openOrder(ids[1] as number)?.symbolId, 1);
  exchange.engine.checkInvariants();
});

test("a request names an order by symbol and number", () => {
  const exchange = opened();
  exchange.run(set("symbol"));
  idOf(exchange, order(0));
  const second = idOf(exchange, order(1));
  const cancel = (symbolId: number, orderId: number): string =>
    exchange.answer({
      ...{ type: "cancelOrder", accountId: 100, symbolId, orderId: namedOrderId("symbol", symbolId, orderId) },
      ...{ origClientOrderId: "", newClientOrderId: "x" },
    });
  assert.equal(cancel(1, second), "UNKNOWN_ORDER", "an id inside is no number");
  assert.equal(cancel(1, 0), "UNKNOWN_ORDER");
  assert.equal(cancel(1, 2), "UNKNOWN_ORDER");
  assert.equal(cancel(1, 1), "orderEnded");
  assert.equal(exchange.engine.openOrderCount, 1);
  assert.equal(namedOrderId("exchange", 1, 7), 7);
});

test("the way of counting is fixed by the first order, and needs version 5 of the rules", () => {
  const exchange = opened();
  assert.equal(exchange.engine.orderIds, "exchange");
  const before = exchange.engine.stateHash();
  assert.deepEqual(exchange.run(set("symbol")), [{ type: "orderIdsSet", orderIds: "symbol" }]);
  assert.notEqual(exchange.engine.stateHash().hash, before.hash);
  assert.equal(Engine.restore(exchange.engine.snapshot()).orderIds, "symbol");
  assert.equal(exchange.answer(set("exchange")), "orderIdsSet");
  assert.equal(exchange.answer({ ...set("symbol"), orderIds: "account" } as never), "INVALID_VALUE");
  assert.equal(exchange.answer(set("symbol")), "orderIdsSet");
  exchange.run(order(1));
  for (const way of ["exchange", "symbol"] as const) assert.equal(exchange.answer(set(way)), "ALREADY_EXISTS");
  const counted = opened();
  counted.run(order(0));
  assert.equal(counted.answer(set("symbol")), "ALREADY_EXISTS");
  assert.equal(opened(4).answer(set("symbol")), "INVALID_VALUE");
});

test("released and triggered stop orders wait in the order in which they began", () => {
  const exchange = opened();
  exchange.run(set("symbol"));
  for (let n = 0; n < 5; n++) exchange.run(order(1));
  const stop = { orderType: "STOP_LOSS", side: "SELL", priceTicks: 0, stopTicks: 20 } as const;
  const leg = { priceTicks: 0, stopTicks: 20, orderType: "STOP_LOSS", timeInForce: "GTC", icebergLots: 0 } as const;
  for (const side of ["BUY", "SELL"] as const) exchange.run(order(0, { side }));
  idOf(exchange, order(0, stop));
  const placed = exchange.answer({
    ...{ type: "placeOto", kind: "OTO", accountId: 100, symbolId: 0, listClientOrderId: "list" },
    working: {
      ...{ side: "BUY", quantityLots: 10 },
      leg: { ...leg, orderType: "LIMIT", priceTicks: 60, stopTicks: 0, clientOrderId: "working" },
    },
    ...{ pendingSide: "SELL", pendingLots: 10, pending: { ...leg, clientOrderId: "pending" }, pendingLimit: null },
  });
  assert.match(placed, /^orderOpened orderOpened /);
  exchange.run(order(0, { ...stop, clientOrderId: "before the release" }));
  const filled = exchange.answer(order(0, { side: "SELL", priceTicks: 60, clientOrderId: "fills the working order" }));
  assert.match(filled, /orderReleased/);
  exchange.run(order(0, { ...stop, clientOrderId: "after the release" }));
  exchange.engine.checkInvariants();
  exchange.restart();
  exchange.engine.checkInvariants();
  assert.equal(exchange.engine.openOrderCount, 5 + 4);
});
