/** Listings: accepted definitions, and the scale of a symbol. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AssetSpec, SymbolFilters, SymbolSpec } from "@pricetime/engine";
import { BY, TestExchange, symbolSpec } from "./harness.ts";

const price = (minPrice: string, maxPrice: string, tickSize: string): SymbolFilters => ({
  priceFilter: { minPrice, maxPrice, tickSize },
});
const lot = (minQty: string, maxQty: string, stepSize: string): SymbolFilters => ({
  lotSize: { minQty, maxQty, stepSize },
});
const marketLot = (minQty: string, maxQty: string, stepSize: string): SymbolFilters => ({
  marketLotSize: { minQty, maxQty, stepSize },
});

/** A test engine with BTC (8 decimals), USD (2) and JPY (0). */
function exchange(): TestExchange {
  const made = new TestExchange();
  made.listAssets(["BTC", 8], ["USD", 2], ["JPY", 0]);
  return made;
}

const SCALES: readonly (readonly [name: string, pair: string, filters: SymbolFilters, scale: [number, number]])[] = [
  ["no filters: the assets' own", "BTC/USD", {}, [2, 8]],
  ["no decimals at all", "JPY/JPY2", {}, [0, 0]],
  ["by tick and step", "BTC/USD", { ...price("0.1", "1000", "0.1"), ...lot("0.001", "10", "0.001") }, [1, 3]],
  ["zeros at the end do not count", "BTC/USD", price("0.10000000", "1000.00", "0.10"), [1, 8]],
  ["by the finest of the three", "BTC/USD", { ...price("0.01", "100", "1"), ...lot("0.5", "10.25", "1") }, [2, 2]],
  ["MARKET_LOT_SIZE counts", "BTC/USD", { ...lot("1", "10", "1"), ...marketLot("0.0001", "10", "0") }, [2, 4]],
  ["MARKET_LOT_SIZE alone does not", "BTC/USD", marketLot("1", "10", "1"), [2, 8]],
  ["a step of 0 is no step", "BTC/USD", { ...price("1", "2", "0"), ...lot("1", "2", "0.00000000") }, [2, 8]],
];

for (const [name, pair, filters, [priceDecimals, quantityDecimals]] of SCALES) {
  test(`scale: ${name}`, () => {
    const made = exchange();
    made.listAssets(["JPY2", 0]);
    assert.equal(made.answer({ type: "listSymbol", by: BY, symbol: symbolSpec("X", pair, filters) }), "symbolListed");
    assert.deepEqual(made.engine.market(0).scale, { priceDecimals, quantityDecimals });
  });
}

test("the scale of a symbol does not change with its filters, nor after restarts", () => {
  const made = exchange();
  made.run({ type: "listSymbol", by: BY, symbol: symbolSpec("X", "BTC/USD") });
  const filters = { ...price("1", "1000", "1"), ...lot("1", "10", "1") };
  assert.equal(made.answer({ type: "setSymbolFilters", by: BY, symbol: "X", filters }), "symbolChanged");
  made.restart();
  assert.deepEqual(made.engine.market(0).scale, { priceDecimals: 2, quantityDecimals: 8 });
  assert.deepEqual(made.engine.market(0).spec.filters, filters);
});

test("filters that do not fit the scale are rejected", () => {
  const made = exchange();
  const listed = price("1", "1000", "1");
  made.run({ type: "listSymbol", by: BY, symbol: symbolSpec("X", "BTC/USD", listed) });
  const finer = price("0.5", "1000", "0.5");
  assert.equal(made.answer({ type: "setSymbolFilters", by: BY, symbol: "X", filters: finer }), "INVALID_VALUE");
  assert.equal(
    made.answer({ type: "setSymbolFilters", by: BY, symbol: "X", filters: price("", "1000", "1") }),
    "INVALID_VALUE",
  );
  assert.deepEqual(made.engine.market(0).spec.filters, listed);
});

const REFUSED_SYMBOLS: readonly (readonly [name: string, change: Partial<SymbolSpec>, reason: string])[] = [
  ["the name is taken", { symbol: "BTCUSD" }, "ALREADY_EXISTS"],
  ["the name is empty", { symbol: "" }, "INVALID_VALUE"],
  ["the name has small letters", { symbol: "btcusd" }, "INVALID_VALUE"],
  ["the name is too long", { symbol: "A".repeat(21) }, "INVALID_VALUE"],
  ["the base is not listed", { baseAsset: "DOGE" }, "UNKNOWN_ASSET"],
  ["the quote is not listed", { quoteAsset: "DOGE" }, "UNKNOWN_ASSET"],
  ["base and quote are one", { quoteAsset: "BTC" }, "UNKNOWN_ASSET"],
  ["a status is unknown", { status: "OPEN" as never }, "INVALID_VALUE"],
  ["an order type is unknown", { orderTypes: ["LIMIT", "ODD" as never] }, "INVALID_VALUE"],
  ["ticks are finer than the quote", { filters: price("0.001", "1", "0.001") }, "INVALID_VALUE"],
  ["lots are finer than the base", { filters: lot("1", "2", "0.000000001") }, "INVALID_VALUE"],
  ["a price is beyond exact integers", { filters: price("0.01", "90071992547409.92", "0.01") }, "INVALID_VALUE"],
  ["a quantity is beyond exact integers", { filters: lot("1", "90071992.54740992", "0.00000001") }, "INVALID_VALUE"],
  ["a price is no decimal", { filters: price("-1", "1", "1") }, "INVALID_VALUE"],
  ["a step is no decimal", { filters: lot("1", "2", "1e-3") }, "INVALID_VALUE"],
  ["a value is empty", { filters: price("", "1", "1") }, "INVALID_VALUE"],
  ["a count is negative", { filters: { maxNumOrders: { limit: -1 } } }, "INVALID_VALUE"],
  ["a count is no integer", { filters: { icebergParts: { limit: 1.5 } } }, "INVALID_VALUE"],
  [
    "a window is negative",
    { filters: { percentPrice: { multiplierUp: "5", multiplierDown: "0.2", avgPriceMins: -1 } } },
    "INVALID_VALUE",
  ],
  [
    "a notional is no decimal",
    { filters: { minNotional: { minNotional: "x", applyToMarket: true, avgPriceMins: 5 } } },
    "INVALID_VALUE",
  ],
];

for (const [name, change, reason] of REFUSED_SYMBOLS) {
  test(`a symbol is rejected when ${name}`, () => {
    const made = exchange();
    made.run({ type: "listSymbol", by: BY, symbol: symbolSpec("BTCUSD", "BTC/USD") });
    const symbol = { ...symbolSpec("NEW", "BTC/USD"), ...change };
    assert.equal(made.answer({ type: "listSymbol", by: BY, symbol }), reason);
    assert.equal(made.engine.markets().length, 1);
  });
}

test("the largest exact values can be listed", () => {
  const made = exchange();
  const filters = { ...price("0.01", "90071992547409.90", "0.01"), ...lot("0", "90071992.54740990", "0.00000001") };
  assert.equal(
    made.answer({ type: "listSymbol", by: BY, symbol: symbolSpec("X", "BTC/USD", filters) }),
    "symbolListed",
  );
});

const REFUSED_ASSETS: readonly (readonly [name: string, change: Partial<AssetSpec>, reason: string])[] = [
  ["it is listed", { asset: "BTC" }, "ALREADY_EXISTS"],
  ["its name is empty", { asset: "" }, "INVALID_VALUE"],
  ["its name has a dash", { asset: "A-B" }, "INVALID_VALUE"],
  ["it has more than 8 decimals", { precision: 9 }, "INVALID_VALUE"],
  ["its decimals are negative", { precision: -1 }, "INVALID_VALUE"],
  ["its decimals are no integer", { precision: 1.5 }, "INVALID_VALUE"],
];

for (const [name, change, reason] of REFUSED_ASSETS) {
  test(`an asset is rejected when ${name}`, () => {
    const made = exchange();
    const asset = { asset: "NEW", name: "New", precision: 8, networks: [], ...change };
    assert.equal(made.answer({ type: "listAsset", by: BY, asset }), reason);
    assert.equal(made.engine.assets().length, 3);
  });
}

test("commands on a symbol that is not listed", () => {
  const made = exchange();
  assert.equal(made.answer({ type: "setSymbolStatus", by: BY, symbol: "X", status: "HALT" }), "UNKNOWN_SYMBOL");
  assert.equal(made.answer({ type: "setSymbolFilters", by: BY, symbol: "X", filters: {} }), "UNKNOWN_SYMBOL");
});
