import assert from "node:assert/strict";
import { test } from "node:test";
import type { OrderDraft } from "../../src/account/port.ts";
import type { Market } from "../../src/market/port.ts";
import { checkOrder } from "../../src/rules/check-order.ts";
import type { Circumstances } from "../../src/rules/draft.ts";

const MARKET = {
  ...{ symbol: "BTCUSDT", baseAsset: "BTC", quoteAsset: "USDT", status: "TRADING", orderTypes: ["LIMIT"], filters: [] },
  ...{ priceDigits: 2, quantityDigits: 6, quoteDigits: 8 },
} as unknown as Market;

function told(
  draft: Partial<OrderDraft>,
  base: string,
  quote: string,
  lastPrice: string | null = null,
  change: object = {},
  openOrders: object[] = [],
): readonly string[] {
  const whole = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", ...draft } as OrderDraft;
  const around = {
    ...{ market: { ...MARKET, ...change }, averagePrice: null, referencePrice: null, lastPrice, book: null },
    ...{ openOrders: openOrders as Circumstances["openOrders"], free: { base, quote }, commission: null },
  };
  return checkOrder(whole, around).map(({ text }) => text);
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

test("open purchases count for the position with what they can still buy", () => {
  const traded = { origQty: "2", executedQty: "0.5", preventedQuantity: "0.5" };
  const open = { ...traded, symbol: "BTCUSDT", side: "BUY", type: "LIMIT" };
  const of = (maxPosition: string): readonly string[] => {
    const market = { filters: [{ filterType: "MAX_POSITION", maxPosition }] };
    return told({ price: "1", quantity: "1" }, "1", "9", null, market, [open]);
  };
  assert.deepEqual(of("3"), []);
  assert.equal(of("2.999999").length, 1);
});

test("a trailing purchase needs the amount at the price that would trigger it", () => {
  const market = { orderTypes: ["STOP_LOSS", "TAKE_PROFIT"], allowTrailingStop: true };
  const buy = { type: "STOP_LOSS", trailingDelta: "150", quantity: "2" };
  assert.deepEqual(told(buy, "0", "121799.99", "60000.00", market), [
    "Insufficient balance: this order needs 121,800.00 USDT, and 121,799.99 USDT is available",
  ]);
  assert.deepEqual(told(buy, "0", "121800.00", "60000.00", market), []);
  const later = { ...buy, type: "TAKE_PROFIT", stopPrice: "50000" };
  assert.deepEqual(told(later, "0", "101500.00", "60000.00", market), []);
  assert.equal(told(later, "0", "101499.99", "60000.00", market).length, 1);
});

test("a trailing stop is checked against the market's rule, its distance and the last price", () => {
  const filter = { filterType: "TRAILING_DELTA", minTrailingAboveDelta: 10, maxTrailingAboveDelta: 2000 };
  const filters = [{ ...filter, minTrailingBelowDelta: 50, maxTrailingBelowDelta: 1000 }];
  const market = { orderTypes: ["STOP_LOSS", "TAKE_PROFIT"], allowTrailingStop: true, filters };
  const sell = { side: "SELL", type: "STOP_LOSS", quantity: "1" } as const;
  const of = (draft: Partial<OrderDraft>, change: object = market) =>
    told({ ...sell, ...draft }, "9", "0", "60000.00", change);
  assert.deepEqual(of({ trailingDelta: "50" }), []);
  assert.deepEqual(of({ trailingDelta: "49" }), ["Trailing distance must be from 0.5% to 10%"]);
  assert.deepEqual(of({ trailingDelta: "1001" }), ["Trailing distance must be from 0.5% to 10%"]);
  const above = { type: "TAKE_PROFIT", stopPrice: "61000", trailingDelta: "9" };
  assert.deepEqual(of(above), ["Trailing distance must be from 0.1% to 20%"]);
  assert.deepEqual(of({ trailingDelta: "10000" }, { ...market, filters: [] }), [
    "Trailing distance must be from 0.01% to 99.99%",
  ]);
  assert.deepEqual(of({ trailingDelta: "50.5" }), ["Use at most 2 decimal places. Nearest: 0.5 or 0.51"]);
  for (const none of ["", "0", "-1", "much"])
    assert.deepEqual(of({ trailingDelta: none }), ["Enter a trailing distance"], none);
  assert.deepEqual(of({ trailingDelta: "50" }, { ...market, allowTrailingStop: false }), [
    "This market does not accept trailing stops",
  ]);
  assert.deepEqual(of({ ...above, trailingDelta: "50", stopPrice: "60000" }), [
    "The activation price must be above the last price of 60,000.00",
  ]);
});

test("a pegged order is checked at the price that it would take, and needs a level that the book has", () => {
  const level = (price: number) => ({ price, quantity: 1_000_000 });
  const book = { freshness: "live", bids: [level(5_999_000), level(5_990_000)], asks: [level(6_000_000)] };
  const pegged = (draft: Partial<OrderDraft>, quote: string, change: object = {}): readonly string[] => {
    const whole = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "2", ...draft };
    const market = { ...MARKET, orderTypes: ["LIMIT", "STOP_LOSS_LIMIT"], ...change };
    const around = { market, averagePrice: null, lastPrice: "60000.00", book, openOrders: [] };
    const there = { ...around, free: { base: "0", quote } } as unknown as Circumstances;
    return checkOrder(whole as OrderDraft, there).map(({ text }) => text);
  };
  const second = { pegPriceType: "PRIMARY_PEG", pegOffsetType: "PRICE_LEVEL", pegOffsetValue: "1" } as const;
  assert.deepEqual(pegged(second, "119800.00"), []);
  assert.deepEqual(pegged(second, "119799.99"), [
    "Insufficient balance: this order needs 119,800.00 USDT, and 119,799.99 USDT is available",
  ]);
  assert.deepEqual(pegged({ pegPriceType: "MARKET_PEG" }, "120000.00"), []);
  assert.equal(pegged({ pegPriceType: "MARKET_PEG" }, "119999.99").length, 1);
  assert.deepEqual(pegged({ ...second, pegOffsetValue: "2" }, "0"), ["The book has no such price now"]);
  for (const pegOffsetValue of ["101", "1.5", "-1", "x"]) {
    assert.deepEqual(pegged({ ...second, pegOffsetValue }, "0"), [
      "Enter 1 to 100 levels behind the best price, or 0 for the best price",
    ]);
  }
  // It takes its price when it is triggered; until then, the stop price counts.
  const waiting = { ...second, type: "STOP_LOSS_LIMIT", stopPrice: "61000.00", pegOffsetValue: "9" };
  assert.deepEqual(pegged(waiting, "122000.00"), []);
  assert.equal(pegged(waiting, "121999.99").length, 1);
  const filters = [{ filterType: "MIN_NOTIONAL", minNotional: "119801.00", applyToMarket: true, avgPriceMins: 0 }];
  assert.match(pegged(second, "200000.00", { filters })[0] ?? "", /^Order value must be at least 119,801 USDT/);
});

test("a problem with both forms of a filter is shown once, and each of two different problems", () => {
  const least = { minNotional: "10", applyToMarket: true, applyMinToMarket: true, avgPriceMins: 0 };
  const most = { maxNotional: "1000", applyMaxToMarket: true };
  const filters = [
    { filterType: "MIN_NOTIONAL", ...least },
    { filterType: "NOTIONAL", ...least, ...most },
  ];
  const of = (change: object): readonly string[] =>
    told({ price: "60000.00", quantity: "0.0001" }, "0", "1000", null, change);
  assert.deepEqual(of({ filters }), ["Order value must be at least 10 USDT: use a quantity of at least 0.000167"]);
  const apart = filters.map((filter) => (filter.filterType === "NOTIONAL" ? { ...filter, minNotional: "20" } : filter));
  assert.equal(of({ filters: apart }).length, 2);
});
