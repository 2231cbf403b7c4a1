/** Every question, beside the slow and obvious answer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine, ORDER_TYPES } from "@pricetime/engine";
import { KLINE_INTERVALS, nextOpenTime } from "@pricetime/protocol";
import fc from "fast-check";
import { KLINE_QUERIES } from "../../src/history/reading/kline-queries.ts";
import { ORDER_LIST_QUERIES, ORDER_QUERIES, TRADE_QUERIES } from "../../src/history/reading/trading-queries.ts";
import type { Window } from "../../src/history/port.ts";
import { ACCOUNT_IDS, batchesOf, randomFlow, START_MS } from "@pricetime/testkit/journal";
import { BruteForce } from "./brute-force.ts";
import { rebuiltHistory } from "./rebuilt-history.ts";

const BATCHES = batchesOf(31, randomFlow(31, 1_500));
const END_MS = BATCHES.at(-1)!.timeMs;
const brute = new BruteForce(new Engine());
for (const batch of BATCHES) brute.take(batch);

const { database, queries } = rebuiltHistory(BATCHES);

const anyTime = fc.oneof(
  fc.integer({ min: START_MS - 100_000, max: END_MS + 100_000 }),
  fc.constantFrom(...BATCHES.map((batch) => batch.timeMs)),
  fc.constantFrom(0, Number.MAX_SAFE_INTEGER),
);
const anyWindow: fc.Arbitrary<{ -readonly [Key in keyof Window]: Window[Key] }> = fc.record(
  {
    fromId: fc.integer({ min: 0, max: 1_500 }),
    startTimeMs: anyTime,
    endTimeMs: anyTime,
    limit: fc.integer({ min: 1, max: 300 }),
  },
  { requiredKeys: ["limit"] },
);
const anyAccount = fc.constantFrom(...ACCOUNT_IDS, 999);
const anySymbol = fc.constantFrom(0, 1);

test("the flow has what the questions are about", () => {
  const statuses = new Set([...brute.orders.values()].map((order) => order.status));
  assert.deepEqual(statuses, new Set(["NEW", "PARTIALLY_FILLED", "FILLED", "CANCELED", "EXPIRED"]));
  const types = new Set([...brute.orders.values()].map((order) => order.type));
  assert.deepEqual(types, new Set(ORDER_TYPES));
  const triggered = [...brute.triggered].map((orderId) => brute.orders.get(orderId)!);
  assert.ok(triggered.filter(({ isWorking, executedQty }) => isWorking && Number(executedQty) > 0).length > 20);
  assert.ok(triggered.some(({ updateTimeMs, timeMs, status }) => status === "NEW" && updateTimeMs > timeMs));
  const ofLists = (listOrderStatus: string) =>
    [...brute.lists.values()].filter((list) => list.listOrderStatus === listOrderStatus);
  assert.ok(ofLists("ALL_DONE").length > 30 && ofLists("EXECUTING").length > 0);
  const legs = ofLists("ALL_DONE").map((list) => list.orders.map(({ orderId }) => brute.orders.get(orderId)!.status));
  for (const ending of ["CANCELED,CANCELED", "EXPIRED,FILLED", "FILLED,EXPIRED"]) {
    assert.ok(
      legs.some((statuses) => statuses.join() === ending),
      ending,
    );
  }
  const trades = brute.tradesOf(0, { limit: 10_000 });
  assert.ok(trades.length > 100 && brute.aggTrades(0, { limit: 10_000 }).length < trades.length);
  const own = brute.accountTrades(100, 0, { limit: 10_000 });
  assert.ok(new Set(own.map((row) => row.tradeId)).size < own.length, "nobody traded with themselves");
});

test("orders", () => {
  fc.assert(
    fc.property(anyAccount, anySymbol, anyWindow, (accountId, symbolId, window) => {
      assert.deepEqual(queries.orders(accountId, symbolId, window), brute.ordersOf(accountId, symbolId, window));
    }),
    { numRuns: 300 },
  );
});

test("one order, by its id", () => {
  for (const { accountId, ...row } of brute.orders.values()) {
    assert.deepEqual(queries.orderById(accountId, row.symbolId, row.orderId), row);
    assert.equal(queries.orderById(accountId + 1, row.symbolId, row.orderId), undefined);
    assert.equal(queries.orderById(accountId, 1 - row.symbolId, row.orderId), undefined);
  }
});

test("one order, by its client's id: the latest", () => {
  const seen = new Set<string>();
  for (const { accountId, ...row } of [...brute.orders.values()].sort((a, b) => b.orderId - a.orderId)) {
    const key = `${accountId} ${row.symbolId} ${row.clientOrderId}`;
    if (seen.has(key)) continue;
    seen.add(key);
    assert.deepEqual(queries.orderByClientId(accountId, row.symbolId, row.clientOrderId), row);
  }
  assert.ok(seen.size < brute.orders.size, "no id was ever used twice");
  assert.equal(queries.orderByClientId(100, 0, "never"), undefined);
});

test("order lists, of all symbols", () => {
  const widest = brute.listsOf(100, { limit: 10_000 });
  assert.equal(new Set(widest.map(({ symbolId }) => symbolId)).size, 2);
  fc.assert(
    fc.property(anyAccount, anyWindow, (accountId, anyKind) => {
      const { fromId } = anyKind;
      const window = fromId === undefined ? anyKind : { ...anyKind, fromId: Math.floor(fromId / 8) };
      assert.deepEqual(queries.orderLists(accountId, window), brute.listsOf(accountId, window));
    }),
    { numRuns: 300 },
  );
});

test("one order list, by its id and by its client's: the latest", () => {
  const seen = new Set<string>();
  for (const { accountId, ...row } of [...brute.lists.values()].reverse()) {
    assert.deepEqual(queries.orderListById(accountId, row.orderListId), row);
    assert.equal(queries.orderListById(accountId + 1, row.orderListId), undefined);
    const key = `${accountId} ${row.listClientOrderId}`;
    if (seen.has(key)) continue;
    seen.add(key);
    assert.deepEqual(queries.orderListByClientId(accountId, row.listClientOrderId), row);
  }
  assert.ok(seen.size < brute.lists.size, "no id was ever used twice");
  assert.equal(queries.orderListByClientId(100, "never"), undefined);
});

test("trades of an account, and of one order", () => {
  const anyOrder = fc.option(fc.constantFrom(...brute.orders.keys()), { nil: undefined });
  fc.assert(
    fc.property(anyAccount, anySymbol, anyWindow, anyOrder, (accountId, symbolId, window, orderId) => {
      const question = orderId === undefined ? window : { ...window, orderId };
      assert.deepEqual(
        queries.accountTrades(accountId, symbolId, question),
        brute.accountTrades(accountId, symbolId, question),
      );
    }),
    { numRuns: 400 },
  );
});

test("trades and aggregate trades", () => {
  fc.assert(
    fc.property(anySymbol, anyWindow, (symbolId, window) => {
      assert.deepEqual(queries.trades(symbolId, window), brute.tradesOf(symbolId, window));
      assert.deepEqual(queries.aggTrades(symbolId, window), brute.aggTrades(symbolId, window));
    }),
    { numRuns: 300 },
  );
});

test("klines of every interval, the quiet ones filled in", () => {
  for (const interval of KLINE_INTERVALS) {
    const widest = brute.klines(0, interval, { limit: 100_000 }, END_MS + 500_000);
    if (interval === "1m") assert.ok(widest.some((row) => row.count === 0));
    assert.ok(widest.length > 1 || interval === "1w" || interval === "1M", interval);
    fc.assert(
      fc.property(anySymbol, anyWindow, fc.integer({ min: 0, max: 500_000 }), (symbolId, anyKind, later) => {
        const window = { ...anyKind };
        delete window.fromId;
        const nowMs = END_MS + later;
        const found = queries.klines(symbolId, interval, window, nowMs);
        assert.deepEqual(found, brute.klines(symbolId, interval, window, nowMs));
      }),
      { numRuns: 12 },
    );
  }
});

test("intervals after the latest trade repeat its price, whatever the interval", () => {
  for (const interval of KLINE_INTERVALS) {
    const startTimeMs = nextOpenTime(interval, END_MS);
    for (const symbolId of [0, 1]) {
      const question = [symbolId, interval, { startTimeMs, limit: 2 }, startTimeMs] as const;
      const found = queries.klines(...question);
      assert.equal(found.length, 1);
      assert.deepEqual(found, brute.klines(...question));
    }
  }
});

test("a symbol that never traded has no klines and no trades", () => {
  assert.deepEqual(queries.klines(7, "1m", { limit: 10 }, END_MS), []);
  assert.deepEqual(queries.trades(7, { limit: 10 }), []);
});

test("no question walks through what it does not answer", () => {
  const all = { ...ORDER_QUERIES, ...ORDER_LIST_QUERIES, ...TRADE_QUERIES, ...KLINE_QUERIES };
  const families = { orders: ORDER_QUERIES, lists: ORDER_LIST_QUERIES, trades: TRADE_QUERIES, klines: KLINE_QUERIES };
  const plans = Object.entries(families).flatMap(([of, statements]) =>
    Object.entries(statements).map(([name, sql]) => {
      const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
      return `${of}.${name}: ${steps.map((step) => step.detail).join("; ")}`;
    }),
  );
  assert.ok(plans.length >= Object.keys(all).length);
  for (const plan of plans) {
    assert.match(plan, /: (SEARCH|MERGE \(UNION ALL\); LEFT; SEARCH .*; RIGHT; SEARCH)/, plan);
    assert.doesNotMatch(plan, /SCAN|TEMP B-TREE/, plan);
  }
  const plan = (name: string): string => plans.find((one) => one.startsWith(`${name}:`)) ?? "";
  assert.match(plan("orders.byId"), /INTEGER PRIMARY KEY \(rowid=\?\)/);
  assert.match(
    plan("orders.byClientId"),
    /orders_by_client_id \(client_order_id=\? AND account_id=\? AND symbol_id=\?\)/,
  );
  assert.match(plan("orders.newest"), /orders_by_account \(account_id=\? AND symbol_id=\? AND rowid>\? AND rowid<\?\)/);
  assert.match(plan("orders.timeFrom"), /INTEGER PRIMARY KEY \(rowid>\?\)/);
  const legs = "SEARCH stop USING INTEGER PRIMARY KEY .* SEARCH limited USING INTEGER PRIMARY KEY";
  assert.match(plan("lists.byId"), new RegExp(`lists USING INTEGER PRIMARY KEY .*${legs}`));
  assert.match(plan("lists.byClientId"), new RegExp(`account_id=\\? AND list_client_order_id=\\?\\); ${legs}`));
  assert.match(plan("lists.newest"), new RegExp(`account_id=\\? AND rowid>\\? AND rowid<\\?\\); ${legs}`));
  assert.match(plan("lists.timeFrom"), /INTEGER PRIMARY KEY \(rowid>\?\)/);
  assert.match(plan("trades.newest"), /PRIMARY KEY \(symbol_id=\? AND trade_id>\? AND trade_id<\?\)/);
  const byTrade = "symbol_id=\\? AND trade_id>\\? AND trade_id<\\?\\)";
  for (const [name, first, second] of [
    ["Oldest", "taker", "maker"],
    ["Newest", "maker", "taker"],
  ]) {
    const ofAccount = (role?: string): string => `trades_by_${role} \\(${role}_account_id=\\? AND ${byTrade}`;
    assert.match(plan(`trades.ofAccount${name}`), new RegExp(`${ofAccount(first)}.*${ofAccount(second)}`));
    const ofOrder = (role?: string): string => `trades_by_${role}_order \\(${role}_order_id=\\? AND ${byTrade}`;
    assert.match(plan(`trades.ofOrder${name}`), new RegExp(`${ofOrder(first)}.*${ofOrder(second)}`));
  }
  assert.match(plan("trades.aggTimeFrom"), /PRIMARY KEY \(symbol_id=\? AND agg_trade_id>\?\)/);
  assert.match(
    plan("klines.between"),
    /PRIMARY KEY \(symbol_id=\? AND interval=\? AND open_time_ms>\? AND open_time_ms<\?\)/,
  );
});
