/** The confirmation of an order names all that is sent. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FeeDiscount, OcoDraft, OrderDraft } from "../../src/account/port.ts";
import type { Book, Market } from "../../src/market/port.ts";
import { costsOf } from "../../src/panels/order-amounts.ts";
import { listFacts, orderFacts } from "../../src/panels/order-summary.ts";

const MARKET = {
  ...{ symbol: "BTCUSDT", baseAsset: "BTC", quoteAsset: "USDT", filters: [] },
  ...{ priceDigits: 2, quantityDigits: 6, quoteDigits: 8 },
} as unknown as Market;
const BOOK = {
  asks: [
    { price: 6_000_000, quantity: 1_000_000 },
    { price: 6_100_000, quantity: 5_000_000 },
  ],
  bids: [{ price: 5_999_000, quantity: 2_000_000 }],
} as unknown as Book;
const RATES = { maker: "0.0010", taker: "0.0020" };

const factsOf = (draft: OrderDraft): Record<string, string> =>
  Object.fromEntries(orderFacts(draft, MARKET, costsOf(draft, MARKET, BOOK, RATES)));

test("a limit order: type, price, quantity, iceberg, post only, time in force, total and fee", () => {
  const base = { symbol: "BTCUSDT", side: "BUY", price: "59000", quantity: "1234.5" } as const;
  assert.deepEqual(factsOf({ ...base, type: "LIMIT", timeInForce: "GTC", icebergQty: "100" }), {
    "Order type": "Limit",
    Price: "59,000.00 USDT",
    Quantity: "1,234.5 BTC",
    Iceberg: "100 BTC visible",
    "Post only": "No",
    "Time in force": "Good till canceled",
    Total: "72,835,500.00 USDT",
    "Fee (maker)": "≈ 1.2345 BTC",
  });
  const postOnly = factsOf({ ...base, type: "LIMIT_MAKER" });
  assert.deepEqual([postOnly["Post only"], postOnly["Time in force"]], ["Yes", undefined]);
});

test("a market order: the expected average and worst price, slippage, total and fee", () => {
  assert.deepEqual(factsOf({ symbol: "BTCUSDT", side: "BUY", type: "MARKET", quantity: "2" }), {
    "Order type": "Market",
    Quantity: "2 BTC",
    Total: "≈ 121,000.00 USDT",
    "Fee (taker)": "≈ 0.004 BTC",
    "Estimated average price": "60,500.00 USDT",
    "Estimated worst price": "61,000.00 USDT",
    "Estimated slippage": "0.84%",
  });
  assert.equal(factsOf({ symbol: "BTCUSDT", side: "BUY", type: "MARKET", quoteOrderQty: "500" })["Amount"], "500 USDT");
});

test("the fee names the discount asset, if the account pays in it", () => {
  const draft = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", price: "59000", quantity: "1", timeInForce: "GTC" };
  const feeWith = (discount: FeeDiscount | null): string | undefined => {
    const costs = costsOf(draft as OrderDraft, MARKET, BOOK, { ...RATES, discount });
    return Object.fromEntries(orderFacts(draft as OrderDraft, MARKET, costs) as [string, string][])["Fee (maker)"];
  };
  assert.equal(feeWith(null), "≈ 0.001 BTC");
  assert.equal(feeWith({ asset: "BNB", remains: "0.75000000" }), "≈ 0.001 BTC, or 75.00% of it in BNB");
  assert.equal(feeWith({ asset: "BTC", remains: "0.75000000" }), "≈ 0.00075 BTC");
});

test("a stop order has its stop price, and is a market order after it unless it has a price", () => {
  const stop = { symbol: "BTCUSDT", side: "SELL", type: "STOP_LOSS", quantity: "1", stopPrice: "58000" } as const;
  const { Price, "Stop price": stopPrice } = factsOf(stop);
  assert.deepEqual([stopPrice, Price], ["58,000.00 USDT", "Market"]);
});

test("a trailing stop has its distance, its activation price, and a total at the price that would trigger it now", () => {
  const trailing = { symbol: "BTCUSDT", side: "BUY", type: "STOP_LOSS", quantity: "2", trailingDelta: "150" } as const;
  const facts = (draft: OrderDraft, last: string | null): object =>
    Object.fromEntries(orderFacts(draft, MARKET, costsOf(draft, MARKET, BOOK, RATES, last)));
  const first = { "Order type": "Trailing stop", "Trailing distance": "1.5%" };
  const rest = { Price: "Market", Quantity: "2 BTC" };
  assert.deepEqual(facts(trailing, "60000.00"), {
    ...{ ...first, "Activation price": "Now", ...rest },
    ...{ Total: "≈ 121,800.00 USDT", "Fee (taker)": "≈ 0.004 BTC" },
  });
  assert.deepEqual(facts(trailing, null), { ...first, "Activation price": "Now", ...rest, Total: "—" });
  const sell = { ...trailing, side: "SELL", type: "TAKE_PROFIT", stopPrice: "65000" } as const;
  assert.deepEqual(facts(sell, "60000.00"), {
    ...{ ...first, "Activation price": "65,000.00 USDT", ...rest },
    ...{ Total: "≈ 128,050.00 USDT", "Fee (taker)": "≈ 256.1 USDT" },
  });
});

test("a pegged order has the price of the book that it takes, and what that is now", () => {
  const base = { symbol: "BTCUSDT", side: "BUY", quantity: "2", timeInForce: "GTC" } as const;
  assert.deepEqual(factsOf({ ...base, type: "LIMIT", pegPriceType: "PRIMARY_PEG" }), {
    ...{ "Order type": "Limit", Price: "Best bid", Quantity: "2 BTC", "Post only": "No" },
    ...{ "Time in force": "Good till canceled", "Price now": "≈ 59,990.00 USDT" },
    ...{ Total: "≈ 119,980.00 USDT", "Fee (maker)": "≈ 0.002 BTC" },
  });
  const second = { pegPriceType: "MARKET_PEG", pegOffsetType: "PRICE_LEVEL", pegOffsetValue: "1" } as const;
  const taking = factsOf({ ...base, type: "LIMIT", ...second });
  assert.deepEqual(
    [taking["Price"], taking["Price now"], taking["Total"], taking["Fee (taker)"]],
    ["Best ask, 1 level behind", "≈ 61,000.00 USDT", "≈ 122,000.00 USDT", "≈ 0.004 BTC"],
  );
  const waiting = factsOf({ ...base, type: "STOP_LOSS_LIMIT", stopPrice: "62000", pegPriceType: "PRIMARY_PEG" });
  assert.deepEqual(
    [waiting["Price"], waiting["Price now"], waiting["Total"]],
    ["Best bid", undefined, "≈ 124,000.00 USDT"],
  );
  const none = { ...second, pegOffsetValue: "2" };
  const absent = factsOf({ ...base, type: "LIMIT", ...none });
  assert.deepEqual(
    [absent["Price"], absent["Price now"], absent["Total"]],
    ["Best ask, 2 levels behind", undefined, "—"],
  );
});

test("an order list has the facts of both legs", () => {
  const draft: OcoDraft = {
    ...{ symbol: "BTCUSDT", side: "SELL", quantity: "1", limitType: "LIMIT_MAKER", price: "65000" },
    ...{ stopPrice: "55000", stopLimitPrice: "54900", stopLimitTimeInForce: "GTC" },
  };
  const [limit, stop, ...more] = listFacts(draft, MARKET, (leg) => costsOf(leg, MARKET, BOOK, RATES));
  assert.deepEqual([limit?.title, stop?.title, more], ["Limit leg", "Stop leg", []]);
  const { Price, "Post only": postOnly } = Object.fromEntries(limit?.facts ?? []);
  assert.deepEqual([Price, postOnly], ["65,000.00 USDT", "Yes"]);
  const leg = Object.fromEntries(stop?.facts ?? []);
  assert.deepEqual(
    [leg["Order type"], leg["Stop price"], leg["Price"], leg["Time in force"]],
    ["Stop limit", "55,000.00 USDT", "54,900.00 USDT", "Good till canceled"],
  );
});
