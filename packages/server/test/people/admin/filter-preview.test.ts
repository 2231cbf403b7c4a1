/** The preview of new filters, compared with what the exchange does once they are set. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { PlaceOrder } from "@pricetime/engine";
import { placeList, placeOrder } from "@pricetime/testkit/commands";
import { previewFilters } from "../../../src/people/admin/filter-preview.ts";
import { AdminVenue } from "./admin-venue.ts";

let venue: AdminVenue;
const SYMBOL = "/v1/symbols/COINCASH";
const FILTERS = {
  priceFilter: { minPrice: "0.01", maxPrice: "1000", tickSize: "0.01" },
  lotSize: { minQty: "0.1", maxQty: "1000", stepSize: "0.1" },
};
beforeEach(async () => {
  venue = await AdminVenue.open();
  await venue.wanted(201, "POST", "/v1/assets", { asset: "CASH", name: "Cash" });
  const listed = { symbol: "COINCASH", baseAsset: "COIN", quoteAsset: "CASH" };
  await venue.wanted(201, "POST", "/v1/symbols", { ...listed, filters: FILTERS });
  for (const email of ["b@example.com", "c@example.com"]) {
    await venue.wanted(201, "POST", "/v1/accounts", { email, name: "N" });
    const gift = { account: email, asset: "COIN", amount: "1000", reference: email };
    await venue.wanted(201, "POST", "/v1/deposits", gift);
    await venue.wanted(201, "POST", "/v1/deposits", { ...gift, asset: "CASH", reference: `cash ${email}` });
  }
});
afterEach(() => venue.close());

/** Prices in hundredths of CASH, quantities in tenths of COIN. */
function order(
  accountId: number,
  priceTicks: number,
  quantityLots: number,
  more: Partial<PlaceOrder> = {},
): PlaceOrder {
  const clientOrderId = `${accountId}-${priceTicks}-${quantityLots}-${more.stopTicks ?? 0}`;
  return placeOrder({ accountId, symbolId: 0, side: "SELL", priceTicks, quantityLots, clientOrderId, ...more });
}

const PEG = { to: "PRIMARY_PEG", level: 0 } as const;

interface Preview {
  readonly openOrders: number;
  readonly refused: number;
  readonly byReason: Readonly<Record<string, number>>;
  readonly accounts: number;
  readonly overCount: readonly object[];
  readonly examples: readonly Record<string, unknown>[];
}
const preview = async (filters: object): Promise<Preview> =>
  (await venue.wanted(200, "POST", `${SYMBOL}/filters/preview`, filters)) as unknown as Preview;

test("the preview rejects the orders that the exchange rejects once the filters are set", async () => {
  const orders = [
    order(101, 505, 10),
    order(101, 510, 15),
    order(102, 1000, 3),
    order(102, 99_999, 1),
    order(102, 500, 200, { icebergLots: 10, timeInForce: "GTC" }),
    order(101, 120, 20, { orderType: "STOP_LOSS_LIMIT", stopTicks: 103, side: "SELL" }),
    // Rests at 5.00.
    { ...order(101, 300, 20), peg: PEG },
    { ...order(101, 0, 200, { orderType: "STOP_LOSS_LIMIT", stopTicks: 103 }), peg: PEG },
    { ...order(101, 0, 25, { orderType: "STOP_LOSS" }), trailingDelta: 100 },
  ];
  const trial = order(101, 300, 10);
  await venue.run(trial);
  await venue.run(order(102, 300, 10, { side: "BUY" }));
  for (const one of orders) await venue.run(one);
  const variants: object[] = [
    FILTERS,
    {},
    { ...FILTERS, priceFilter: { minPrice: "0.05", maxPrice: "10", tickSize: "0.05" } },
    { ...FILTERS, priceFilter: { minPrice: "4", maxPrice: "1000", tickSize: "0.01" } },
    { ...FILTERS, lotSize: { minQty: "1", maxQty: "10", stepSize: "0.5" } },
    { ...FILTERS, marketLotSize: { minQty: "0", maxQty: "10", stepSize: "0" } },
    { ...FILTERS, minNotional: { minNotional: "7", applyToMarket: true, avgPriceMins: 5 } },
    { ...FILTERS, icebergParts: { limit: 10 } },
    { ...FILTERS, percentPrice: { multiplierUp: "2", multiplierDown: "0.5", avgPriceMins: 5 } },
    { ...FILTERS, percentPrice: { multiplierUp: "3.4", multiplierDown: "1.7", avgPriceMins: 5 } },
    {
      priceFilter: { minPrice: "0.1", maxPrice: "0", tickSize: "0.1" },
      percentPrice: { multiplierUp: "1.68", multiplierDown: "0.1", avgPriceMins: 5 },
    },
  ];
  const digest = venue.admin.engine.eventDigest();
  for (const filters of variants) {
    const seen = await preview(filters);
    assert.equal(seen.openOrders, orders.length);
    const told = seen.examples.map(({ clientOrderId, reason }) => `${String(clientOrderId)} ${String(reason)}`);
    await venue.wanted(200, "PUT", `${SYMBOL}/filters`, filters);
    const { engine, sequencer } = venue.admin;
    const wanted = orders.flatMap((one) => {
      const reason = engine.check({ ...one, clientOrderId: "other" }, sequencer.nowMs());
      return reason === null ? [] : [`${one.clientOrderId} ${reason}`];
    });
    assert.deepEqual(told.toSorted(), wanted.toSorted(), JSON.stringify(filters));
    assert.equal(seen.refused, wanted.length);
    assert.equal(
      Object.values(seen.byReason).reduce((sum, n) => sum + n, 0),
      wanted.length,
    );
  }
  assert.notEqual(venue.admin.engine.eventDigest(), digest, "only the changes themselves were journaled");
});

test("a preview changes nothing and rejects what the exchange would reject", async () => {
  await venue.run(order(101, 505, 10));
  const { seq } = venue.admin.engine;
  const seen = await preview({ ...FILTERS, lotSize: { minQty: "5", maxQty: "10", stepSize: "0.1" } });
  assert.deepEqual([seen.openOrders, seen.refused, seen.accounts], [1, 1, 1]);
  assert.deepEqual(seen.byReason, { LOT_SIZE: 1 });
  const [one] = seen.examples;
  assert.deepEqual([one?.["accountId"], one?.["price"], one?.["quantity"]], [101, "5.05000000", "1.00000000"]);
  assert.equal(venue.admin.engine.seq, seq, "nothing was journaled");
  assert.deepEqual((await venue.wanted(200, "GET", SYMBOL))["filters"], FILTERS);
  const finer = { ...FILTERS, priceFilter: { minPrice: "0.001", maxPrice: "1", tickSize: "0.001" } };
  const put = await venue.admin.call("PUT", `${SYMBOL}/filters`, finer);
  const asked = await venue.admin.call("POST", `${SYMBOL}/filters/preview`, finer);
  assert.deepEqual([asked.status, asked.body], [put.status, put.body]);
  assert.notEqual(put.status, 200);
  await venue.wanted(404, "POST", "/v1/symbols/NONE/filters/preview", FILTERS);
});

test("accounts with more orders than the count filters allow are counted, with a few examples", async () => {
  for (let n = 0; n < 30; n++) await venue.run(order(101, 500 + n, 10));
  for (let n = 0; n < 3; n++) await venue.run(order(102, 500 + n, 10));
  await venue.run({ ...order(102, 0, 20, { orderType: "STOP_LOSS" }), trailingDelta: 100 });
  await venue.run(placeList("OPO", order(102, 100, 20, { side: "BUY" }), order(102, 900, 0)));
  const seen = await preview({
    ...FILTERS,
    lotSize: { minQty: "2", maxQty: "10", stepSize: "0.1" },
    maxNumOrders: { limit: 29 },
    maxNumAlgoOrders: { maxNumAlgoOrders: 0 },
  });
  assert.deepEqual([seen.openOrders, seen.refused, seen.accounts, seen.examples.length], [36, 33, 2, 20]);
  const over = ["MAX_NUM_ORDERS", "MAX_NUM_ALGO_ORDERS"].map((filter) => ({ filter, accounts: 1 }));
  assert.deepEqual(seen.overCount, over);
});

test("the orders of one account are checked in steps, on one state", async () => {
  const count = 2_000;
  for (let n = 1; n <= count; n++) await venue.run(order(101, 50_000 + n, 1));
  const { engine } = venue.admin;
  let turns = 0;
  const timers = {
    soon: (task: () => void) => {
      turns++;
      setImmediate(task);
    },
  };
  const market = engine.marketBySymbol("COINCASH") ?? assert.fail();
  const filters = { priceFilter: { minPrice: "0.01", maxPrice: "1", tickSize: "0.01" } };
  const looking = previewFilters(engine, market, { filters, nowMs: Date.now(), timers });
  await venue.run({ type: "cancelOpenOrders", accountId: 101, symbolId: 0, newClientOrderId: "" });
  const { openOrders, refused, byReason, accounts, examples } = await looking;
  assert.deepEqual([openOrders, refused, byReason, accounts], [count, count, { PRICE_FILTER: count }, 1]);
  assert.ok(turns >= 4, String(turns));
  assert.ok(examples.every(({ order: { status } }) => status === "NEW"));
});

test("an invalid filter list does not remove a symbol's filters", async () => {
  for (const body of [null, [{ filterType: "__proto__" }], [{ filterType: "NONE_SUCH" }]]) {
    const said = JSON.stringify(body);
    for (const [method, path] of [
      ["PUT", `${SYMBOL}/filters`],
      ["POST", `${SYMBOL}/filters/preview`],
    ] as const)
      assert.equal((await venue.admin.call(method, path, body)).status, 400, `${method} ${said}`);
  }
  const symbol = await venue.wanted(200, "GET", SYMBOL);
  assert.deepEqual(symbol["filters"], FILTERS);
});
