/** Problems of an order list are shown at the field of the leg that they concern. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { OcoDraft } from "../../src/account/port.ts";
import type { Market } from "../../src/market/port.ts";
import { checkOco } from "../../src/rules/check-order.ts";

const MARKET = {
  ...{ symbol: "BTCUSDT", baseAsset: "BTC", quoteAsset: "USDT", status: "TRADING", ocoAllowed: true },
  ...{ priceDigits: 2, quantityDigits: 6, quoteDigits: 8, icebergAllowed: true, allowTrailingStop: true },
  orderTypes: ["LIMIT_MAKER", "STOP_LOSS", "TAKE_PROFIT", "TAKE_PROFIT_LIMIT"],
  filters: [{ filterType: "PRICE_FILTER", minPrice: "0.01", maxPrice: "1000000.00", tickSize: "0.01" }],
} as unknown as Market;

const SELL = { symbol: "BTCUSDT", side: "SELL", quantity: "0.5", stopPrice: "19000" } as const;

function found(draft: OcoDraft, free: { readonly base: string; readonly quote: string } | null = null): string[] {
  const around = {
    ...{ market: MARKET, averagePrice: null, referencePrice: null, lastPrice: "20000.00", book: null, openOrders: [] },
    ...{ free, commission: null },
  };
  return checkOco(draft, around).map(({ field, text }) => `${field}: ${text}`);
}

test("a take-profit leg is ordered by its trigger price, not by its limit price", () => {
  const limit = { ...SELL, limitType: "TAKE_PROFIT_LIMIT", limitTimeInForce: "GTC" };
  assert.deepEqual(found({ ...limit, limitStopPrice: "21000", price: "18000" }), []);
  const triggers = "The trigger price must be above the last price, the stop price below it";
  assert.deepEqual(found({ ...limit, limitStopPrice: "19500", price: "22000" }), [`limitStopPrice: ${triggers}`]);
  const late = { ...limit, stopPrice: "20000", limitStopPrice: "21000", price: "21000" };
  assert.deepEqual(found(late), [`stopPrice: ${triggers}`]);
  const { stopPrice: _, ...trailing } = { ...limit, trailingDelta: "200", price: "22000" };
  assert.deepEqual(found({ ...trailing, limitStopPrice: "19500" }), [`limitStopPrice: ${triggers}`]);
  const prices = "The limit price must be above the last price, the stop price below it";
  assert.deepEqual(found({ ...SELL, limitType: "LIMIT_MAKER", price: "19500" }), [`price: ${prices}`]);
});

test("a problem of its trigger price is shown at that field, not at the stop leg's", () => {
  const market = { ...SELL, limitType: "TAKE_PROFIT" };
  assert.deepEqual(found({ ...market, limitStopPrice: "" }), ["limitStopPrice: Enter a trigger price"]);
  assert.deepEqual(found({ ...market, limitStopPrice: "21000.005" }), [
    "limitStopPrice: Price must be in steps of 0.01. Nearest: 21,000.00 or 21,000.01",
  ]);
});

test("a waiting purchase locks the cost of its more expensive leg", () => {
  const buy = { ...SELL, side: "BUY", stopPrice: "21000" } as const;
  const free = { base: "0", quote: "10499.99" };
  const profit = { ...buy, limitType: "TAKE_PROFIT", limitStopPrice: "19000" };
  assert.deepEqual(found(profit, free), [
    "quantity: Insufficient balance: this order needs 10,500.00 USDT, and 10,499.99 USDT is available",
  ]);
  const dear = { ...buy, limitType: "TAKE_PROFIT_LIMIT", limitStopPrice: "19000", price: "22000" };
  const limited = { ...dear, limitTimeInForce: "GTC" };
  assert.deepEqual(found(limited, { base: "0", quote: "10999" }), [
    "quantity: Insufficient balance: this order needs 11,000.00 USDT, and 10,999.00 USDT is available",
  ]);
});
