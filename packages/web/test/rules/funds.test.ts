import assert from "node:assert/strict";
import { test } from "node:test";
import type { OrderDraft } from "../../src/account/port.ts";
import type { Market } from "../../src/market/port.ts";
import { checkOrder } from "../../src/rules/check-order.ts";

const MARKET = {
  ...{ symbol: "BTCUSDT", baseAsset: "BTC", quoteAsset: "USDT", status: "TRADING", orderTypes: ["LIMIT"], filters: [] },
  ...{ priceDigits: 2, quantityDigits: 6, quoteDigits: 8 },
} as unknown as Market;

function told(draft: Partial<OrderDraft>, base: string, quote: string): readonly string[] {
  const whole = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", ...draft } as OrderDraft;
  const around = { market: MARKET, averagePrice: null, lastPrice: null, book: null, openOrders: [] };
  return checkOrder(whole, { ...around, free: { base, quote } }).map(({ text }) => text);
}

test("a missing balance is shown with the digits of balances: the required amount rounded up, the free one down", () => {
  const buy = { price: "59988.81", quantity: "1.850001" };
  assert.deepEqual(told(buy, "0", "4585.14809586"), [
    "Insufficient balance: this order needs 110,979.36 USDT, and 4,585.14 USDT is available",
  ]);
  const sell = { side: "SELL", price: "60000", quantity: "1.5" } as const;
  assert.deepEqual(told(sell, "0.25000001", "0"), [
    "Insufficient balance: this order needs 1.500000 BTC, and 0.250000 BTC is available",
  ]);
});
