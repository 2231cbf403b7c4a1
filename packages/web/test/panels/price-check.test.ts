import assert from "node:assert/strict";
import { test } from "node:test";
import type { OrderRow } from "../../src/account/port.ts";
import type { Market } from "../../src/market/port.ts";
import { checkMove, checkReduction, moveFault, type PricePart } from "../../src/panels/change-orders.ts";
import type { Circumstances } from "../../src/rules/draft.ts";

const MARKET = {
  ...{ symbol: "BTCUSDT", baseAsset: "BTC", quoteAsset: "USDT", status: "TRADING" },
  ...{ priceDigits: 2, quantityDigits: 6, quoteDigits: 8, tickSize: "0.01", stepSize: "0.000001" },
  ...{ icebergAllowed: true, ocoAllowed: true, otoAllowed: true, allowTrailingStop: true },
  orderTypes: ["LIMIT", "LIMIT_MAKER", "STOP_LOSS_LIMIT"],
  filters: [
    { filterType: "PRICE_FILTER", minPrice: "0.01", maxPrice: "1000000.00", tickSize: "0.01" },
    { filterType: "LOT_SIZE", minQty: "0.000001", maxQty: "9000", stepSize: "0.000001" },
    { filterType: "PERCENT_PRICE", multiplierUp: "5", multiplierDown: "0.2", avgPriceMins: 5 },
    { filterType: "MIN_NOTIONAL", minNotional: "10", applyToMarket: true, avgPriceMins: 5 },
    { filterType: "MAX_NUM_ORDERS", maxNumOrders: 1, limit: 1 },
  ],
} as unknown as Market;

const ORDER = {
  ...{ symbol: "BTCUSDT", orderId: 7, orderListId: -1, side: "BUY", type: "LIMIT", timeInForce: "GTC", state: "known" },
  ...{ price: "20000.00", stopPrice: "0", origQty: "0.002", executedQty: "0.001", icebergQty: "0", isWorking: true },
} as unknown as OrderRow;

const AROUND: Circumstances = {
  ...{ market: MARKET, averagePrice: "20000.00", referencePrice: null, lastPrice: "20000.00", book: null },
  ...{ commission: null, openOrders: [ORDER] },
  // The balance that the order itself locks: nothing else is free.
  free: { base: "0", quote: "0" },
};

function found(order: Partial<OrderRow>, part: PricePart, to: string): string[] {
  return checkMove({ ...ORDER, ...order }, part, to, AROUND).map(
    ({ field, filter, kind }) => `${field} ${filter ?? kind}`,
  );
}

test("a price is validated as in the form, with the order's remaining quantity, its balance and its count as free", () => {
  assert.deepEqual(found({}, "price", "19000.01"), []);
  assert.deepEqual(found({}, "price", "19000.001"), ["price PRICE_FILTER"]);
  assert.deepEqual(found({}, "price", "110000"), ["price PERCENT_PRICE"]);
  assert.deepEqual(found({}, "price", "9999"), ["quantity MIN_NOTIONAL"]);
  assert.deepEqual(found({}, "price", ""), ["price form"]);
  assert.deepEqual(checkMove(ORDER, "price", "19000.001", AROUND)[0]?.nearest, ["19000.00", "19000.01"]);
});

test("a trigger price that is already reached is reported, and forbids a move on the chart", () => {
  const stop = { type: "STOP_LOSS_LIMIT", stopPrice: "21000", price: "21000", isWorking: false };
  assert.deepEqual(found(stop, "stopPrice", "20500"), []);
  assert.deepEqual(found(stop, "stopPrice", "19000"), ["stopPrice market"]);
  const isForbidden = (more: Partial<OrderRow>): boolean =>
    moveFault({ ...ORDER, ...stop, ...more }, "stopPrice", "19000", AROUND) !== null;
  assert.deepEqual([isForbidden({}), isForbidden({ trailingDelta: 100 })], [true, false]);
});

test("a move of a list is validated with all its orders, those without a price as they are", () => {
  const list = { orderListId: 9, executedQty: "0" };
  const pending = { ...list, side: "SELL", status: "PENDING_NEW", isWorking: false, price: "0" } as const;
  const working = { ...ORDER, ...list };
  const loss = { ...ORDER, ...pending, orderId: 8, type: "STOP_LOSS", stopPrice: "19000" };
  const profit = { ...ORDER, ...pending, orderId: 9, type: "LIMIT_MAKER" };
  const moved = (order: OrderRow, part: PricePart, to: string, ...others: OrderRow[]): string[] => {
    const market = { ...MARKET, orderTypes: [...MARKET.orderTypes, "STOP_LOSS"], filters: [] };
    const around = { ...AROUND, market, openOrders: [order, ...others] };
    return checkMove(order, part, to, around).map(({ field, kind }) => `${field} ${kind}`);
  };
  const priced = { ...profit, price: "21000" };
  assert.deepEqual(moved(priced, "price", "18000", working, loss), ["price form"]);
  const pegged: OrderRow = { ...profit, pegPriceType: "PRIMARY_PEG" };
  const trailing = { ...loss, stopPrice: "0", trailingDelta: 100 };
  assert.deepEqual(moved(working, "price", "19900", pegged, trailing), []);
});

test("a quantity that leaves nothing to fill is rejected: it would end the order, and the orders that wait for it", () => {
  const reduced = (to: string, order: Partial<OrderRow> = {}): boolean =>
    checkReduction({ ...ORDER, ...order }, to, AROUND).length === 0;
  assert.deepEqual([reduced("0.0011"), reduced("0.001"), reduced("0.0005")], [true, false, false]);
  const prevented = { preventedQuantity: "0.0005" };
  assert.deepEqual([reduced("0.0016", prevented), reduced("0.0015", prevented)], [true, false]);
});
