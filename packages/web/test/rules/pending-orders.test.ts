/** The take profit and the stop loss of a limit order: the list that is sent, and what is checked before. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { OrderDraft } from "../../src/account/port.ts";
import { formatShort } from "../../src/exact/decimal.ts";
import type { Book, Market } from "../../src/market/port.ts";
import type { Circumstances } from "../../src/rules/draft.ts";
import { checkExits, type ExitPrices, otoDraftOf, outcomesOf } from "../../src/rules/pending-orders.ts";

const MARKET = {
  ...{ symbol: "BTCUSDT", baseAsset: "BTC", quoteAsset: "USDT", status: "TRADING", stepOrigin: "minimum" },
  ...{ priceDigits: 2, quantityDigits: 6, quoteDigits: 8, tickSize: "0.01", stepSize: "0.000001" },
  ...{ icebergAllowed: true, ocoAllowed: true, otoAllowed: true, opoAllowed: true, allowTrailingStop: true },
  orderTypes: ["LIMIT", "LIMIT_MAKER", "MARKET", "STOP_LOSS"],
  filters: [
    { filterType: "PRICE_FILTER", minPrice: "0.01", maxPrice: "1000000", tickSize: "0.01" },
    { filterType: "LOT_SIZE", minQty: "0.000001", maxQty: "9000", stepSize: "0.000001" },
    { filterType: "PERCENT_PRICE", multiplierUp: "5", multiplierDown: "0.2", avgPriceMins: 5 },
    { filterType: "MIN_NOTIONAL", minNotional: "10", applyToMarket: true, avgPriceMins: 5 },
    { filterType: "MAX_NUM_ALGO_ORDERS", maxNumAlgoOrders: 5, limit: 5 },
  ],
} as unknown as Market;
const BOOK = {
  ...{ freshness: "live", symbol: "BTCUSDT" },
  asks: [{ price: 2_001_000, quantity: 5_000_000 }],
  bids: [{ price: 1_999_000, quantity: 5_000_000 }],
} as unknown as Book;
const AROUND: Circumstances = {
  ...{ market: MARKET, averagePrice: "20000", referencePrice: null, lastPrice: "20000", book: BOOK, openOrders: [] },
  ...{ free: { base: "0", quote: "100000" }, commission: null },
};
const BUY: OrderDraft = {
  ...{ symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", price: "19500", quantity: "0.5" },
};
const SELL: OrderDraft = { ...BUY, side: "SELL", price: "20500" };

const trailing = (trailingDelta: string): ExitPrices => ({ ...exits("21000"), trailingDelta });
const exits = (takeProfitPrice: string, stopLossPrice = ""): ExitPrices => ({ takeProfitPrice, stopLossPrice });
const listOf = (working: OrderDraft, prices: ExitPrices, market = MARKET) => otoDraftOf(working, prices, market);

/** The fields with problems, with the kind of each. */
function problems(working: OrderDraft, prices: ExitPrices, change: Partial<Circumstances> = {}): string[] {
  const around = { ...AROUND, ...change };
  return checkExits(otoDraftOf(working, prices, around.market), around).map(
    ({ field, filter, kind }) => `${field} ${filter ?? ""} ${kind}`,
  );
}

test("what a BUY buys is sold if the market allows it; otherwise the exits have the quantity of the order", () => {
  const sell = { symbol: "BTCUSDT", side: "SELL" };
  const profit = { type: "LIMIT", timeInForce: "GTC", price: "21000" };
  const loss = { type: "STOP_LOSS", stopPrice: "19000" };
  const maker = { type: "LIMIT_MAKER", price: "21000" };
  assert.deepEqual(listOf(BUY, exits("21000")), { kind: "OPO", working: BUY, pending: [{ ...sell, ...profit }] });
  assert.deepEqual(listOf(BUY, exits("", "19000")), { kind: "OPO", working: BUY, pending: [{ ...sell, ...loss }] });
  const pair = [
    { ...sell, ...loss },
    { ...sell, ...maker },
  ];
  assert.deepEqual(listOf(BUY, exits("21000", "19000")), { kind: "OPOCO", working: BUY, pending: pair });
  const quantity = "0.5";
  const without = { ...MARKET, opoAllowed: false };
  const sized = pair.map((one) => ({ ...one, quantity }));
  assert.deepEqual(listOf(BUY, exits("21000", "19000"), without), { kind: "OTOCO", working: BUY, pending: sized });
  const buys = { symbol: "BTCUSDT", side: "BUY", quantity };
  assert.deepEqual(listOf(SELL, exits("19000")), {
    ...{ kind: "OTO", working: SELL },
    pending: [{ ...buys, ...profit, price: "19000" }],
  });
});

test("a take profit makes a profit and a stop loss limits a loss, on both sides", () => {
  assert.deepEqual(problems(BUY, exits("21000", "19000")), []);
  assert.deepEqual(problems(BUY, exits("19500")), ["takeProfitPrice  form"]);
  assert.deepEqual(problems(BUY, exits("", "19500.01")), ["stopLossPrice  form"]);
  const free = { base: "1", quote: "100000" };
  assert.deepEqual(problems(SELL, exits("19000", "21000"), { free }), []);
  assert.deepEqual(problems(SELL, exits("21000"), { free }), ["takeProfitPrice  form"]);
  assert.deepEqual(problems(BUY, exits("")), ["takeProfitPrice  form"], "one of them is needed");
  assert.deepEqual(problems(BUY, exits("19000", "21000")), [
    ...["takeProfitPrice  form", "stopLossPrice  form", "takeProfitPrice  form"],
  ]);
});

test("an order that executes at once is compared with the best price, not with its limit", () => {
  const crossing = { ...BUY, price: "20100" };
  assert.deepEqual(problems(crossing, exits("20050", "20000")), []);
  assert.deepEqual(problems(crossing, exits("", "20050")), ["stopLossPrice  form"]);
  assert.deepEqual(problems(crossing, exits("20050"), { book: null }), ["takeProfitPrice  form"]);
});

test("an order that takes its price from the book is compared with the price that it would take now", () => {
  const { price: _, ...pegged } = { ...BUY, pegPriceType: "PRIMARY_PEG" } as const;
  assert.deepEqual(problems(pegged, exits("20000", "19989")), []);
  assert.deepEqual(problems(pegged, exits("19990")), ["takeProfitPrice  form"]);
  assert.deepEqual(problems(pegged, exits("", "19990")), ["stopLossPrice  form"]);
  const crossing = { ...pegged, pegPriceType: "MARKET_PEG" } as const;
  assert.deepEqual(problems(crossing, exits("20011", "20010")), ["stopLossPrice  form"]);
  const free = { base: "1", quote: "494.99" };
  assert.deepEqual(problems({ ...pegged, side: "SELL" }, exits("", "21000"), { free }), ["stopLossPrice  funds"]);
});

test("the prices of the exits pass the filters, those that depend on the market later only as a hint", () => {
  assert.deepEqual(problems(BUY, exits("21000.001", "19000.005")), [
    ...["stopLossPrice PRICE_FILTER filter", "takeProfitPrice PRICE_FILTER filter"],
  ]);
  assert.deepEqual(problems(BUY, exits("110000")), ["takeProfitPrice PERCENT_PRICE market"]);
  assert.deepEqual(problems(BUY, exits("110000"), { referencePrice: "30000" }), []);
  assert.deepEqual(problems(BUY, exits("x")), ["takeProfitPrice  form"]);
  assert.deepEqual(problems(BUY, trailing("x")), ["trailingDelta  form"]);
  assert.deepEqual(problems(BUY, trailing("10000")), ["trailingDelta TRAILING_DELTA filter"]);
});

test("the market has to accept the list and both of its legs, and all its orders count", () => {
  const market = { ...MARKET, ocoAllowed: false };
  assert.deepEqual(problems(BUY, exits("21000", "19000"), { market }), ["type  form"]);
  assert.deepEqual(problems(BUY, exits("21000"), { market }), []);
  assert.deepEqual(problems(BUY, exits("21000"), { market: { ...MARKET, otoAllowed: false } }), ["type  market"]);
  const noStops = { ...MARKET, orderTypes: ["LIMIT"] };
  assert.deepEqual(problems(BUY, exits("", "19000"), { market: noStops }), ["stopLossPrice  form"]);
  const stops = Array.from({ length: 5 }, () => ({ symbol: "BTCUSDT", type: "STOP_LOSS", side: "SELL" }));
  const openOrders = stops as unknown as Circumstances["openOrders"];
  assert.deepEqual(problems(BUY, exits("21000"), { openOrders }), []);
  assert.deepEqual(problems(BUY, exits("", "19000"), { openOrders }), ["type MAX_NUM_ALGO_ORDERS filter"]);
  const filters = [{ filterType: "EXCHANGE_MAX_NUM_ORDER_LISTS", maxNumOrderLists: 2 }];
  const within = { ...MARKET, filters } as unknown as Market;
  const counted = (...open: readonly string[]): readonly string[] => {
    const orders = open.map((name) => ({
      symbol: name.slice(0, 7),
      orderListId: Number(name.slice(7)),
      type: "LIMIT",
    }));
    return problems(BUY, exits("21000"), { market: within, openOrders: orders as unknown as typeof openOrders });
  };
  // An order that is the last of its list is in no open list.
  assert.deepEqual(counted("BTCUSDT1", "BTCUSDT1", "BTCUSDT2", "BTCUSDT-1", "BTCUSDT-1"), []);
  assert.deepEqual(counted("BTCUSDT1", "BTCUSDT1", "ETHUSDT1", "ETHUSDT1"), [
    "type EXCHANGE_MAX_NUM_ORDER_LISTS filter",
  ]);
});

test("a SELL warns if its proceeds would not pay for buying back; what a BUY has bought is always enough", () => {
  const free = { base: "1", quote: "0" };
  assert.deepEqual(problems(SELL, exits("", "21000"), { free }), ["stopLossPrice  funds"]);
  assert.deepEqual(problems(SELL, exits("", "21000"), { free: { base: "1", quote: "250" } }), []);
  assert.deepEqual(problems(SELL, exits("19000"), { free }), []);
});

test("exits with the quantity of the order warn if its fee leaves too little, unless another asset pays the fee", () => {
  const market = { ...MARKET, opoAllowed: false };
  const rates = { maker: "0.0010", taker: "0.0010" };
  const of = (base: string, commission: Circumstances["commission"]): string[] =>
    problems(BUY, exits("21000"), { market, commission, free: { base, quote: "100000" } });
  assert.deepEqual(of("0.00049999", rates), ["takeProfitPrice  funds"]);
  assert.deepEqual(of("0.0005", rates), []);
  assert.deepEqual(of("0", null), []);
  assert.deepEqual(of("0", { ...rates, discount: { asset: "BNB", remains: "0.75" } }), []);
});

test("the outcome at each exit, from the price at which the order is expected to execute", () => {
  const outcomes = (working: OrderDraft, prices: ExitPrices): string[] =>
    outcomesOf(listOf(working, prices), AROUND).map(
      ({ field, amount, fraction }) => `${field} ${formatShort(amount)} ${formatShort(fraction)}`,
    );
  assert.deepEqual(outcomes(BUY, exits("21450", "19110")), ["takeProfitPrice 975 0.1", "stopLossPrice -195 -0.02"]);
  assert.deepEqual(outcomes(BUY, trailing("200")), ["takeProfitPrice 750 0.076923", "stopLossPrice -195 -0.02"]);
  assert.deepEqual(outcomes(SELL, exits("19475")), ["takeProfitPrice 512.5 0.05"]);
  assert.deepEqual(outcomes({ ...BUY, price: "20100" }, exits("20110")), ["takeProfitPrice 50 0.004997"]);
  const { price: _, ...pegged } = { ...BUY, pegPriceType: "MARKET_PEG" } as const;
  assert.deepEqual(outcomes(pegged, exits("20110")), ["takeProfitPrice 50 0.004997"]);
});
