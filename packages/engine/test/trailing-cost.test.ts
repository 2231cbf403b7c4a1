/**
 * A trade costs as much as the trailing stops that it triggers, however many others follow the price. Comparisons of
 * prices and moved list elements are counted: twice the orders must not cost four times as much. Decision 98.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlaceOrder } from "@pricetime/engine";
import { deposit, listSymbol, openAccount, placeOrder } from "@pricetime/testkit/commands";
import { Followers } from "../src/state/book/followers.ts";
import { Heap } from "../src/state/book/heap.ts";
import { TestExchange } from "./harness.ts";

const LAST = 10_000_000;

class Venue {
  readonly #exchange = new TestExchange();
  readonly #accounts: number[];
  #orders = 0;

  constructor() {
    this.#exchange.listAssets(["BTC", 8], ["USDT", 8]);
    const priceFilter = { minPrice: "0.01", maxPrice: "0", tickSize: "0.01" };
    const lotSize = { minQty: "0.001", maxQty: "0", stepSize: "0.001" };
    this.#exchange.run(listSymbol("BTC/USDT", { priceFilter, lotSize }));
    this.#accounts = ["alice", "bob", "carol"].map((name) => {
      const [opened] = this.#exchange.run(openAccount(`${name}@example.com`));
      assert.ok(opened?.type === "accountOpened");
      for (const asset of ["BTC", "USDT"]) this.#exchange.run(deposit(opened.accountId, asset, "100000000"));
      return opened.accountId;
    });
    this.trade(LAST);
  }

  /** Returns the number of reports: of the order, of its trades, and of the orders that they trigger. */
  place(account: 0 | 1 | 2, order: Pick<PlaceOrder, "side" | "priceTicks"> & Partial<PlaceOrder>): number {
    const accountId = this.#accounts[account] as number;
    const placed = { accountId, clientOrderId: `c${++this.#orders}`, quantityLots: 1, ...order };
    const command = { ...placeOrder(placed), trailingDelta: order.trailingDelta ?? 0 };
    return this.#exchange.run(command).length;
  }

  trail(trailingDelta: number): void {
    this.place(0, { side: "SELL", orderType: "STOP_LOSS_LIMIT", priceTicks: 2 * LAST, trailingDelta });
  }

  trade(priceTicks: number): number {
    this.place(1, { side: "BUY", priceTicks });
    return this.place(2, { side: "SELL", priceTicks });
  }
}

/** How often an action compares a price of a trailing stop, and how many elements of lists it moves. */
function costOf(act: () => void): number {
  let cost = 0;
  const counted = (prototype: object, name: string, costOfCall: (at: unknown[], start: number) => number) => {
    const methods = prototype as Record<string, (...args: unknown[]) => unknown>;
    const real = methods[name] as (...args: unknown[]) => unknown;
    methods[name] = function (this: unknown[], ...args) {
      cost += costOfCall(this, args[0] as number);
      return real.apply(this, args);
    };
    return () => void (methods[name] = real);
  };
  const restores = [
    counted(Followers.prototype, "reaches", () => 1),
    counted(Followers.prototype, "isFarther", () => 1),
    counted(Heap.prototype, "put", () => 1),
    counted(Array.prototype, "splice", (list, start) => list.length - start),
  ];
  try {
    act();
  } finally {
    for (const restore of restores) restore();
  }
  return cost;
}

/** A SELL sweeps the bids, and each of its trades triggers one order. */
function sweep(orders: number): number {
  const venue = new Venue();
  const step = Math.floor(9_000 / orders);
  for (let i = 1; i <= orders; i++) venue.trail(i * step);
  for (let i = 1; i <= orders; i++) venue.place(1, { side: "BUY", priceTicks: LAST - (LAST / 10_000) * i * step });
  let reports = 0;
  const cost = costOf(() => (reports = venue.place(2, { side: "SELL", priceTicks: 1, quantityLots: orders })));
  assert.equal(reports, 1 + 2 * orders);
  return cost;
}

/** One order is placed near the price and triggered, while others follow it at a distance. */
function near(others: number): number {
  const venue = new Venue();
  for (let i = 0; i < others; i++) venue.trail(9_000 - i);
  return costOf(() => {
    venue.trail(1);
    assert.equal(venue.trade(LAST - 1_000), 3);
  });
}

/** One trade triggers orders of one delta, each of which follows from a price of its own. */
function manyExtremes(orders: number): number {
  const venue = new Venue();
  for (let i = 1; i <= orders; i++) {
    venue.trade(LAST - i);
    venue.trail(9_000);
  }
  venue.place(1, { side: "BUY", priceTicks: 1_000 });
  let reports = 0;
  const cost = costOf(() => (reports = venue.place(2, { side: "SELL", priceTicks: 1_000 })));
  assert.equal(reports, 2 + orders);
  return cost;
}

const CASES = {
  "a sweep": [sweep, 8],
  "one near order": [near, 2],
  "an extreme of each order": [manyExtremes, 8],
} as const;

for (const [name, [cost, most]] of Object.entries(CASES)) {
  test(`${name}: four times the orders, less than ${most} times the cost`, () => {
    const [few, many] = [cost(200), cost(800)];
    assert.ok(few > 0 && many < most * few, `${few} comparisons and moves for 200 orders, ${many} for 800`);
  });
}
