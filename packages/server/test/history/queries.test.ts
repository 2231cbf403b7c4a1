/** Every query, compared with the slow and simple result. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ADOPT_NEWEST_RULES, type Command, Engine, ORDER_TYPES, SELF_TRADE_PREVENTION_MODES } from "@pricetime/engine";
import { KLINE_INTERVALS, nextOpenTime } from "@pricetime/protocol";
import fc from "fast-check";
import { SECOND_SUMS, SECONDS } from "../../src/history/reading/kline-queries.ts";
import { KLINES } from "../../src/history/reading/stored-klines.ts";
import {
  AGG_TRADES,
  AMENDMENTS,
  ORDER_LISTS,
  ORDERS,
  PREVENTED_MATCHES,
  TRADES,
  TRADES_OF_ACCOUNT,
  TRADES_OF_ORDER,
} from "../../src/history/reading/trading-queries.ts";
import type { KlineRow } from "../../src/history/shapes/market-data.ts";
import type { Window } from "../../src/history/port.ts";
import { ACCOUNT_IDS, batchesOf, randomFlow, START_MS } from "@pricetime/testkit/journal";
import { BruteForce, withoutOf } from "./brute-force.ts";
import { rebuiltHistory } from "./rebuilt-history.ts";

/** Every third order has a mode of self-trade prevention. */
function withModes(commands: readonly Command[]): Command[] {
  return commands.map((command, n) => {
    const selfTradePrevention = SELF_TRADE_PREVENTION_MODES[Math.floor(n / 3) % SELF_TRADE_PREVENTION_MODES.length];
    return command.type === "placeOrder" && n % 3 === 0 && selfTradePrevention !== undefined
      ? { ...command, selfTradePrevention }
      : command;
  });
}

const BATCHES = batchesOf(31, withModes([ADOPT_NEWEST_RULES, ...randomFlow(31, 1_500)]));
const END_MS = BATCHES.at(-1)!.timeMs;
const brute = new BruteForce(new Engine());
for (const batch of BATCHES) brute.take(batch);

const { database, query } = rebuiltHistory(BATCHES);

const read = (page: string): unknown => JSON.parse(page);

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
const anyZone = fc.oneof(
  fc.constantFrom(0, 0, ...[1, 5.75, 8, -3.5, 14, -12].map((hours) => hours * 3_600_000)),
  fc.integer({ min: -12 * 60, max: 14 * 60 }).map((minutes) => minutes * 60_000),
);
const anySymbol = fc.constantFrom(0, 1);

test("the flow has what the questions are about", () => {
  const statuses = new Set([...brute.orders.values()].map((order) => order.status));
  assert.deepEqual(statuses, new Set(["NEW", "PARTIALLY_FILLED", "FILLED", "CANCELED", "EXPIRED", "EXPIRED_IN_MATCH"]));
  const types = new Set([...brute.orders.values()].map((order) => order.type));
  assert.deepEqual(types, new Set(ORDER_TYPES));
  const triggered = [...brute.triggered].map((orderId) => brute.orders.get(orderId)!);
  assert.ok(triggered.filter(({ isWorking, executedQty }) => isWorking && Number(executedQty) > 0).length > 20);
  assert.ok(triggered.some(({ updateTime, time, status }) => status === "NEW" && updateTime > time));
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
  assert.ok(new Set(own.map((row) => row.id)).size < own.length, "nobody traded with themselves");
});

test("orders", () => {
  fc.assert(
    fc.property(anyAccount, anySymbol, anyWindow, (accountId, symbolId, window) => {
      assert.deepEqual(
        read(query("orderPage", { accountId, symbolId, ...window })),
        brute.ordersOf(accountId, symbolId, window),
      );
    }),
    { numRuns: 300 },
  );
});

test("one order, by its id", () => {
  for (const row of brute.orders.values()) {
    const { accountId, symbolId, orderId } = row;
    assert.deepEqual(query("orderById", { accountId, symbolId, orderId }), withoutOf(row));
    assert.equal(query("orderById", { accountId: accountId + 1, symbolId, orderId }), undefined);
    assert.equal(query("orderById", { accountId, symbolId: 1 - symbolId, orderId }), undefined);
  }
});

test("one order, by its client's id: the latest", () => {
  const seen = new Set<string>();
  for (const row of [...brute.orders.values()].sort((a, b) => b.orderId - a.orderId)) {
    const { accountId, symbolId, clientOrderId } = row;
    const key = `${accountId} ${symbolId} ${clientOrderId}`;
    if (seen.has(key)) continue;
    seen.add(key);
    assert.deepEqual(query("orderByClientId", { accountId, symbolId, clientOrderId }), withoutOf(row));
  }
  assert.ok(seen.size < brute.orders.size, "no id was ever used twice");
  assert.equal(query("orderByClientId", { accountId: 100, symbolId: 0, clientOrderId: "never" }), undefined);
});

test("prevented matches, by id and by order", () => {
  assert.ok(brute.prevented.length > 20, `${brute.prevented.length} prevented matches`);
  for (const { symbolId, preventedMatchId, taker, maker, mode } of brute.prevented) {
    const record = { symbolId, preventedMatchId };
    const [found, none] = [taker.accountId, 99].map((accountId) =>
      JSON.parse(query("preventedMatch", { ...record, accountId })),
    );
    const [{ selfTradePreventionMode, takerOrderId, makerOrderId }] = found;
    assert.deepEqual([selfTradePreventionMode, takerOrderId, makerOrderId], [mode, taker.orderId, maker.orderId]);
    assert.deepEqual(none, []);
    for (const { orderId, accountId } of [taker, maker]) {
      const all = brute.preventedOf(accountId, symbolId, orderId);
      for (const [fromId, limit] of [
        [0, 1000],
        [preventedMatchId, 1],
      ] as const) {
        const page = JSON.parse(query("preventedMatchPage", { accountId, symbolId, orderId, fromId, limit }));
        const ids = page.map((match: { preventedMatchId: number }) => match.preventedMatchId);
        assert.deepEqual(ids, all.filter((id) => id >= fromId).slice(0, limit));
      }
    }
  }
});

test("order lists, of all symbols", () => {
  const widest = brute.listsOf(100, { limit: 10_000 });
  assert.equal(new Set(widest.map(({ symbol }) => symbol)).size, 2);
  fc.assert(
    fc.property(anyAccount, anyWindow, (accountId, anyKind) => {
      const { fromId } = anyKind;
      const window = fromId === undefined ? anyKind : { ...anyKind, fromId: Math.floor(fromId / 8) };
      assert.deepEqual(read(query("orderListPage", { accountId, ...window })), brute.listsOf(accountId, window));
    }),
    { numRuns: 300 },
  );
});

test("one order list, by its id and by its client's: the latest", () => {
  const seen = new Set<string>();
  for (const row of [...brute.lists.values()].reverse()) {
    const { accountId, orderListId, listClientOrderId } = row;
    assert.deepEqual(query("orderListById", { accountId, orderListId }), withoutOf(row));
    assert.equal(query("orderListById", { accountId: accountId + 1, orderListId }), undefined);
    const key = `${accountId} ${listClientOrderId}`;
    if (seen.has(key)) continue;
    seen.add(key);
    assert.deepEqual(query("orderListByClientId", { accountId, listClientOrderId }), withoutOf(row));
  }
  assert.ok(seen.size < brute.lists.size, "no id was ever used twice");
  assert.equal(query("orderListByClientId", { accountId: 100, listClientOrderId: "never" }), undefined);
});

test("trades of an account, and of one order", () => {
  const anyOrder = fc.option(fc.constantFrom(...brute.orders.keys()), { nil: undefined });
  fc.assert(
    fc.property(anyAccount, anySymbol, anyWindow, anyOrder, (accountId, symbolId, window, orderId) => {
      const question = orderId === undefined ? window : { ...window, orderId };
      assert.deepEqual(
        read(query("accountTradePage", { accountId, symbolId, ...question })),
        brute.accountTrades(accountId, symbolId, question),
      );
    }),
    { numRuns: 400 },
  );
});

test("trades and aggregate trades", () => {
  fc.assert(
    fc.property(anySymbol, anyWindow, (symbolId, window) => {
      const trades = query("trades", { symbolId, ...window });
      assert.deepEqual(trades, brute.tradesOf(symbolId, window));
      assert.deepEqual(read(query("tradePage", { symbolId, ...window })), trades);
      assert.deepEqual(read(query("aggTradePage", { symbolId, ...window })), brute.aggTrades(symbolId, window));
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
      fc.property(
        anySymbol,
        anyWindow,
        fc.integer({ min: 0, max: 500_000 }),
        anyZone,
        (symbolId, anyKind, later, zone) => {
          const window = { ...anyKind };
          delete window.fromId;
          const nowMs = END_MS + later;
          const asked = { symbolId, interval, offsetMs: zone, ...window, nowMs };
          const found = query("klines", asked);
          assert.deepEqual(found, brute.klines(symbolId, interval, window, nowMs, zone));
          const page = read(query("klinePage", asked));
          assert.deepEqual(page, found.map(klineOf));
        },
      ),
      { numRuns: 16 },
    );
  }
});

function klineOf(row: KlineRow): unknown[] {
  return [
    ...[row.openTimeMs, row.open, row.high, row.low, row.close, row.volume, row.closeTimeMs, row.quoteVolume],
    ...[row.count, row.takerBuyBase, row.takerBuyQuote, "0"],
  ];
}

test("intervals after the latest trade repeat its price, whatever the interval", () => {
  for (const interval of KLINE_INTERVALS) {
    const startTimeMs = nextOpenTime(interval, END_MS);
    for (const symbolId of [0, 1]) {
      const found = query("klines", { symbolId, interval, startTimeMs, limit: 2, nowMs: startTimeMs });
      assert.equal(found.length, 1);
      assert.deepEqual(found, brute.klines(symbolId, interval, { startTimeMs, limit: 2 }, startTimeMs));
    }
  }
});

test("a symbol that never traded has no klines and no trades", () => {
  assert.deepEqual(query("klines", { symbolId: 7, interval: "1m", limit: 10, nowMs: END_MS }), []);
  assert.deepEqual(query("trades", { symbolId: 7, limit: 10 }), []);
});

test("no question walks through what it does not answer", () => {
  const families = {
    ...{ orders: ORDERS, lists: ORDER_LISTS, trades: TRADES, aggTrades: AGG_TRADES, klines: KLINES, seconds: SECONDS },
    ...{ ofAccount: TRADES_OF_ACCOUNT, ofOrder: TRADES_OF_ORDER },
    ...{ amendments: AMENDMENTS, prevented: PREVENTED_MATCHES },
  };
  const plans = Object.entries(families).flatMap(([of, statements]) =>
    Object.entries(statements).map(([name, sql]) => {
      const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
      return `${of}.${name}: ${steps.map((step) => step.detail).join("; ")}`;
    }),
  );
  for (const plan of plans) {
    assert.match(plan, /: (SEARCH|MERGE \(UNION ALL\); LEFT; SEARCH .*; RIGHT; SEARCH)/, plan);
    assert.doesNotMatch(plan, /SCAN|TEMP B-TREE/, plan);
  }
  const sums = database.prepare(`EXPLAIN QUERY PLAN ${SECOND_SUMS}`).all() as { detail: string }[];
  assert.match(sums[0]?.detail ?? "", /SEARCH .*symbol_id=\? AND trade_id>\? AND trade_id<\?\)/);
  const plan = (name: string): string => plans.find((one) => one.startsWith(`${name}:`)) ?? "";
  assert.match(plan("orders.byId"), /INTEGER PRIMARY KEY \(rowid=\?\)/);
  assert.match(
    plan("orders.byClientId"),
    /orders_by_client_id \(client_order_id=\? AND account_id=\? AND symbol_id=\?\)/,
  );
  assert.match(plan("orders.newest"), /orders_by_account \(account_id=\? AND symbol_id=\? AND rowid>\? AND rowid<\?\)/);
  assert.match(plan("orders.timeFrom"), /INTEGER PRIMARY KEY \(rowid>\?\)/);
  const legs =
    "SEARCH working USING INTEGER PRIMARY KEY .* SEARCH stop USING INTEGER PRIMARY KEY .* SEARCH limited USING INTEGER PRIMARY KEY";
  assert.match(plan("lists.byId"), new RegExp(`lists USING INTEGER PRIMARY KEY .*${legs}`));
  assert.match(plan("lists.byClientId"), new RegExp(`account_id=\\? AND list_client_order_id=\\?\\); ${legs}`));
  assert.match(plan("lists.newest"), new RegExp(`account_id=\\? AND rowid>\\? AND rowid<\\?\\); ${legs}`));
  assert.match(plan("lists.timeFrom"), /INTEGER PRIMARY KEY \(rowid>\?\)/);
  assert.match(plan("trades.newest"), /PRIMARY KEY \(symbol_id=\? AND trade_id>\? AND trade_id<\?\)/);
  const byTrade = "symbol_id=\\? AND trade_id>\\? AND trade_id<\\?\\)";
  for (const [name, first, second] of [
    ["oldest", "taker", "maker"],
    ["newest", "maker", "taker"],
  ]) {
    const ofAccount = (role?: string): string => `trades_by_${role} \\(${role}_account_id=\\? AND ${byTrade}`;
    assert.match(plan(`ofAccount.${name}`), new RegExp(`${ofAccount(first)}.*${ofAccount(second)}`));
    const ofOrder = (role?: string): string => `trades_by_${role}_order \\(${role}_order_id=\\? AND ${byTrade}`;
    assert.match(plan(`ofOrder.${name}`), new RegExp(`${ofOrder(first)}.*${ofOrder(second)}`));
  }
  assert.match(plan("aggTrades.timeFrom"), /PRIMARY KEY \(symbol_id=\? AND agg_trade_id>\?\)/);
  assert.match(
    plan("klines.between"),
    /PRIMARY KEY \(symbol_id=\? AND interval=\? AND open_time_ms>\? AND open_time_ms<\?\)/,
  );
});
