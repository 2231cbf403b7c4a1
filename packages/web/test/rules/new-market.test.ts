/** Suggestions, warnings and example orders of a market before it is listed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as drafts from "../../src/console/tasks/market-draft.ts";
import { compare, decimal, divideDown, formatDecimal } from "../../src/exact/decimal.ts";
import {
  exampleFor,
  type NewMarket,
  rejectionsOf,
  scaleOf,
  shownFilters,
  smallestOrder,
  suggestedFilters,
  warningsOf,
} from "../../src/rules/new-market.ts";

const ORDER_TYPES = ["LIMIT", "MARKET", "LIMIT_MAKER"];

function market(base: string, quote: string, price: string, precision = 8): NewMarket {
  const traded = { base: { asset: base, precision: 8 }, quote: { asset: quote, precision } };
  const filters = suggestedFilters(traded.base, traded.quote, price);
  assert.ok(filters !== null);
  return { symbol: base + quote, ...traded, orderTypes: ORDER_TYPES, stepOrigin: "minimum", filters };
}

test("two assets and a price suggest what an operator of such a market would choose", () => {
  const { priceFilter, lotSize, minNotional } = market("BTC", "EUR", "58000").filters;
  assert.deepEqual(priceFilter, { minPrice: "0.1", maxPrice: "10000000", tickSize: "0.1" });
  assert.deepEqual(lotSize, { minQty: "0.00001", stepSize: "0.00001", maxQty: "1000" });
  assert.equal(minNotional?.minNotional, "10");
  assert.equal(market("ETH", "BTC", "0.052").filters.minNotional?.minNotional, "0.0001");
  for (const text of ["", "abc", "0", "-1"]) {
    assert.equal(suggestedFilters({ asset: "A", precision: 8 }, { asset: "B", precision: 8 }, text), null, text);
  }
});

test("at every price, the suggestions can be listed without a warning, and accept an example near the price", () => {
  for (let exponent = -4; exponent <= 8; exponent++) {
    for (const digit of ["1", "3.7", "9.99"]) {
      const price = `${digit}e${exponent}`;
      const text = exponent < 0 ? Number(price).toFixed(8) : String(Math.round(Number(price) * 100) / 100);
      for (const quote of ["EUR", "BTC", "IDR"]) {
        const wanted = market("COIN", quote, text);
        assert.notEqual(scaleOf(wanted), null, `${text} ${quote}`);
        const found = warningsOf(wanted, text, 10).filter(({ name }) => name !== "freeLots" && name !== "coarseTick");
        assert.deepEqual(found, [], `${text} ${quote}`);
        assert.deepEqual(rejectionsOf(wanted, exampleFor(wanted, text), text), [], `${text} ${quote}`);
      }
    }
  }
});

test("the smallest order is accepted, and one step less is not", () => {
  const wanted = market("BTC", "EUR", "58000");
  const least = smallestOrder(wanted, "58000");
  assert.deepEqual(least, { price: "58000", quantity: "0.00018" });
  const [rejected] = rejectionsOf(wanted, { price: "58000", quantity: "0.00017" }, "58000") ?? [];
  assert.equal(rejected?.filter, "MIN_NOTIONAL");
  const [outside] = rejectionsOf(wanted, { price: "300000", quantity: "1" }, "58000") ?? [];
  assert.equal(outside?.filter, "PERCENT_PRICE");
  const [between] = rejectionsOf(wanted, { price: "58000.05", quantity: "1" }, "58000") ?? [];
  assert.deepEqual([between?.filter, between?.nearest], ["PRICE_FILTER", ["58000.0", "58000.1"]]);
  assert.equal(rejectionsOf(wanted, { price: "", quantity: "1" }, "58000"), null);
});

test("unusual values are named: steps that are missing or coarse, and amounts that round to nothing", () => {
  const wanted = market("BTC", "EUR", "58000");
  const namesOf = (filters: NewMarket["filters"], precision = 8, price = "58000"): string[] =>
    warningsOf({ ...wanted, quote: { asset: "EUR", precision }, filters }, price, 10).map(({ name }) => name);
  const { priceFilter, lotSize, minNotional } = wanted.filters;
  assert.ok(priceFilter !== undefined && lotSize !== undefined && minNotional !== undefined);
  assert.deepEqual(namesOf({}), ["roundingTooCoarse", "noTick", "noStep", "noNotional", "freeLots"]);
  assert.deepEqual(namesOf(wanted.filters, 2, "58000"), ["roundingTooCoarse"]);
  assert.deepEqual(namesOf({ ...wanted.filters, priceFilter: { ...priceFilter, tickSize: "0.000000001" } }), [
    "cannotList",
  ]);
  assert.deepEqual(namesOf(wanted.filters, 8, "20"), ["coarseTick"]);
  const coarse = { ...wanted, filters: { ...wanted.filters, priceFilter: { ...priceFilter, tickSize: "1000" } } };
  assert.deepEqual(warningsOf(coarse, "58000", 10), [{ name: "coarseTick", figure: "1.72" }]);
  assert.deepEqual(namesOf(wanted.filters, 8, "20000000"), ["outside"]);
  assert.deepEqual(namesOf({ ...wanted.filters, minNotional: { ...minNotional, minNotional: "0.000001" } }), [
    "tinyNotional",
  ]);
});

test("steps of prices begin where the venue counts them from", () => {
  const filters = { priceFilter: { minPrice: "0.05", maxPrice: "100000", tickSize: "0.1" } };
  for (const [stepOrigin, expected] of [
    ["minimum", [true, false]],
    ["zero", [false, true]],
  ] as const) {
    const wanted = { ...market("BTC", "EUR", "58000"), stepOrigin, filters };
    const found = ["0.15", "0.2"].map((price) => rejectionsOf(wanted, { price, quantity: "1" }, "58000")?.length === 0);
    assert.deepEqual(found, expected, stepOrigin);
  }
});

test("a price band is complete or empty, and a wrong value that is not shown is ignored", () => {
  const { base, quote, ...terms } = market("BTC", "EUR", "58000");
  const draft = { ...drafts.NEW_DRAFT, base: "BTC", quote: "EUR", price: "58000" };
  const filled = drafts.valuesOf(draft, { base, quote });
  for (const forms of ["2019", "today", "both"] as const) {
    const band = drafts.bandFields(forms);
    const problemOf = (...empty: string[]): string =>
      drafts.valuesProblem({ ...filled, ...Object.fromEntries(empty.map((name) => [name, " "])) }, band);
    assert.deepEqual([problemOf(), problemOf(...band)], ["", ""]);
    for (const name of band) assert.match(problemOf(name), /^Enter all prices/, name);
  }
  const changed = { ...draft, changed: { maxNotional: "abc", askMultiplierUp: "" } };
  const listed = drafts.marketOf(changed, [base, quote], "2019", terms);
  assert.equal(listed?.filters.percentPrice?.multiplierUp, "5");
});

test("a tick is at most a ten-thousandth of the price, unless the quote asset has no smaller unit", () => {
  for (const price of ["58000", "1.08", "0.1534", "9999.99"]) {
    const tick = market("COIN", "EUR", price).filters.priceFilter?.tickSize ?? "";
    const share = divideDown(decimal(tick), decimal(price), 12);
    assert.ok(compare(share, decimal("0.0001")) <= 0, `${price}: ${formatDecimal(share)}`);
  }
  assert.equal(market("COIN", "CENT", "3", 2).filters.priceFilter?.tickSize, "0.01");
});

test("the preview has the names and fields of exchangeInfo", () => {
  const names = shownFilters(market("BTC", "EUR", "58000").filters).map(({ filterType }) => filterType);
  assert.deepEqual(names, ["PRICE_FILTER", "PERCENT_PRICE", "LOT_SIZE", "MIN_NOTIONAL", "MAX_NUM_ORDERS"]);
});
