import assert from "node:assert/strict";
import { test } from "node:test";
import { filtersOf, onStep, plainFilters, withPlainFilters } from "../../../src/platform/config/interface-filters.ts";
import { symbolFiltersSchema } from "../../../src/platform/config/listing-schema.ts";

/** An answer of exchangeInfo from 2019. */
const OF_2019 = [
  { filterType: "PRICE_FILTER", minPrice: "0.01", maxPrice: "10000000", tickSize: "0.01" },
  { filterType: "PERCENT_PRICE", multiplierUp: "5", multiplierDown: "0.2", avgPriceMins: 5 },
  { filterType: "LOT_SIZE", minQty: "0.00000100", maxQty: "10000000.00000000", stepSize: "0.00000100" },
  { filterType: "MIN_NOTIONAL", minNotional: "10.00000000", applyToMarket: true, avgPriceMins: 5 },
  { filterType: "ICEBERG_PARTS", limit: 10 },
  { filterType: "MARKET_LOT_SIZE", minQty: "0.00000000", maxQty: "63100.00000000", stepSize: "0.00000000" },
  { filterType: "MAX_NUM_ALGO_ORDERS", maxNumAlgoOrders: 5 },
];

test("filters of 2019 map completely to the configuration", () => {
  const { filters, unknown } = plainFilters(OF_2019);
  assert.deepEqual(unknown, []);
  const read = symbolFiltersSchema.parse(filters);
  assert.deepEqual(Object.keys(read).length, OF_2019.length);
  assert.deepEqual(read.minNotional, { minNotional: "10.00000000", applyToMarket: true, avgPriceMins: 5 });
  assert.deepEqual(read.priceFilter, { minPrice: "0.01", maxPrice: "10000000", tickSize: "0.01" });
});

test("filters of today map to the same rules; unknown filters are named", () => {
  const sides = { bidMultiplierUp: "5", bidMultiplierDown: "0.2", askMultiplierUp: "10", askMultiplierDown: "0.1" };
  const { filters, unknown } = plainFilters([
    { filterType: "PERCENT_PRICE_BY_SIDE", ...sides, avgPriceMins: 5 },
    { filterType: "NOTIONAL", minNotional: "5", applyMinToMarket: false, maxNotional: "9000000", avgPriceMins: 1 },
    { filterType: "MAX_POSITION", maxPosition: "10" },
    { filterType: "MAX_NUM_ORDERS", maxNumOrders: 200 },
    { filterType: "MAX_NUM_ORDER_LISTS", maxNumOrderLists: 20 },
    { filterType: "T_PLUS_SELL", endTime: 10 },
  ]);
  assert.deepEqual(symbolFiltersSchema.parse(filters), {
    percentPriceBySide: { ...sides, avgPriceMins: 5 },
    notional: {
      ...{ minNotional: "5", applyMinToMarket: false, maxNotional: "9000000", applyMaxToMarket: false },
      avgPriceMins: 1,
    },
    maxPosition: { maxPosition: "10" },
    maxNumOrders: { limit: 200 },
    maxNumOrderLists: { maxNumOrderLists: 20 },
  });
  assert.deepEqual(unknown, ["T_PLUS_SELL"]);
});

test("a market quantity finer than the step is the same limit at the step", () => {
  const lots = (maxQty: string): unknown =>
    plainFilters([
      { filterType: "LOT_SIZE", minQty: "0.001", maxQty: "9000", stepSize: "0.001" },
      { filterType: "MARKET_LOT_SIZE", minQty: "0", maxQty, stepSize: "0" },
    ]).filters["marketLotSize"];
  assert.deepEqual(lots("92.13671875"), { minQty: "0", maxQty: "92.136", stepSize: "0" });
  assert.deepEqual(lots("92.13600000"), { minQty: "0", maxQty: "92.13600000", stepSize: "0" });
  assert.equal(onStep("100.5", "1.00000000"), "100");
  assert.equal(onStep("0.5", "1"), "0");
  assert.equal(onStep("much", "1"), "much");
});

test("an operator's list of filters is read as the configuration's keys; an unknown type is left for the schema to refuse", () => {
  assert.deepEqual(withPlainFilters({ symbol: "A", filters: [{ filterType: "ICEBERG_PARTS", limit: 7 }] }), {
    symbol: "A",
    filters: { icebergParts: { limit: 7 } },
  });
  assert.deepEqual(filtersOf([{ filterType: "T_PLUS_SELL" }]), { T_PLUS_SELL: {} });
  for (const other of [null, 5, { symbol: "A" }, { filters: { lotSize: 1 } }]) {
    assert.deepEqual(withPlainFilters(other), other);
  }
});
