/** What the rules of API trading count, compared with a slow and simple count. Interface 3.8. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { type Command, Engine, encodeCommands, NEWEST_EDITION } from "@pricetime/engine";
import fc from "fast-check";
import { deposit, listAsset, listSymbol, openAccount, placeOrder } from "@pricetime/testkit/commands";
import { Dice } from "@pricetime/testkit/dice";
import { CONDUCT } from "../../src/history/reading/wallet-queries.ts";
import { openQueries } from "../../src/history/reading/queries.ts";
import { openHistoryReadOnly } from "../../src/history/table/schema.ts";
import type { ConductRow } from "../../src/history/port.ts";
import type { NewBatch } from "../../src/journal/port.ts";
import { openProjection } from "../../src/journal/storage/projection.ts";
import { rebuildHistory } from "../../src/journal/storage/rebuild-history.ts";
import { ACCOUNT_IDS, BY, dumpHistory, randomFlow, START_MS } from "@pricetime/testkit/journal";
import { folderWith } from "../journal/replica/data-folder.ts";
import { BruteForce, type OrderOf } from "./brute-force.ts";

const HALF_MINUTE_MS = 30_000;
const WINDOW_MS = 600_000;
const LOCKED = 101;

/** Some hundred commands a minute, for a quarter of an hour. One account is sometimes locked and unlocked. */
function briskBatches(): { readonly batches: NewBatch[]; readonly locksMs: readonly number[] } {
  const dice = new Dice(41);
  const lock: Command = { type: "lockApiTrading", accountId: LOCKED, symbol: "BTCUSDT", indicator: "GCR" };
  const locksMs: number[] = [];
  const engine = new Engine();
  const commands = randomFlow(41, 3_000).flatMap((command, n): Command[] => {
    const accountId = ACCOUNT_IDS[n % ACCOUNT_IDS.length]!;
    if (n % 50 === 49) return [command, { type: "endAccountOrders", by: BY, accountId, why: "a broken bot" }];
    const isLocked = n > 1_500 && n % 600 === 0;
    return isLocked ? [lock, { type: "unlockApiTrading", by: BY, accountId: LOCKED }, command] : [command];
  });
  const batches: NewBatch[] = [];
  let timeMs = START_MS;
  for (let at = 0; at < commands.length; timeMs += Math.floor(dice.next() * 6_000)) {
    const taken = commands.slice(at, at + 1 + Math.floor(dice.next() * 20));
    if (taken.includes(lock)) locksMs.push(timeMs);
    const entry = { firstSeq: engine.seq + 1, count: taken.length, timeMs, node: "n1", bytes: encodeCommands(taken) };
    batches.push({ ...entry, priorEventDigest: engine.eventDigest() });
    for (const command of taken) engine.apply({ seq: engine.seq + 1, timeMs, command });
    at += taken.length;
  }
  return { batches, locksMs };
}

const { batches: BATCHES, locksMs: LOCKS_MS } = briskBatches();
const LAST_SEQ = BATCHES.at(-1)!.firstSeq + BATCHES.at(-1)!.count - 1;
const END_MS = BATCHES.at(-1)!.timeMs;
const brute = new BruteForce(new Engine());
for (const batch of BATCHES) brute.take(batch);

/** Its value when it was placed, and the filled part of that: in the quote asset. */
function worth(order: OrderOf): { readonly submitted: number; readonly filled: number } {
  const [quantity, executed, spent] = [order.origQty, order.executedQty, order.cummulativeQuoteQty].map(Number);
  if (order.type === "MARKET") {
    return { submitted: executed! > 0 ? (spent! / executed!) * quantity! : 0, filled: spent! };
  }
  // The part that an amendment took away counts as if it had been canceled.
  const placed = quantity! + (brute.reduced.get(order.orderId) ?? 0);
  return { submitted: priceOf(order) * placed, filled: priceOf(order) * executed! };
}

function priceOf({ price, stopPrice }: OrderOf): number {
  return Number(price) || Number(stopPrice);
}

interface Expected extends Omit<ConductRow, "submitted" | "filled"> {
  /** In billionths. */
  readonly unfilled: number;
}

/** Figures of the orders placed from `fromMs` on and after `afterMs`. */
function expected(accountId: number, symbolId: number, fromMs: number, afterMs: number): Expected {
  const all = [...brute.orders.values()].filter(
    (order) =>
      order.accountId === accountId && order.symbolId === symbolId && order.time >= fromMs && order.time > afterMs,
  );
  const orders = all.filter(({ orderId }) => !brute.swept.has(orderId));
  // Swept orders count only with the parts that amendments took away.
  const reduced = all
    .filter(({ orderId }) => brute.swept.has(orderId))
    .reduce((sum, order) => sum + priceOf(order) * (brute.reduced.get(order.orderId) ?? 0), 0);
  const timed = orders.filter(({ type }) => type !== "MARKET");
  const immediate = timed.filter(({ timeInForce }) => timeInForce !== "GTC");
  const resting = timed.filter(({ timeInForce }) => timeInForce === "GTC");
  const unfilled = ({ executedQty }: OrderOf): boolean => Number(executedQty) === 0;
  const quick = resting.filter(
    (order) =>
      (order.status === "CANCELED" || order.status === "EXPIRED") &&
      unfilled(order) &&
      order.updateTime < order.time + 2_500,
  );
  const values = orders.map(worth);
  const sum = (of: "submitted" | "filled"): number => values.reduce((total, value) => total + value[of], 0);
  return {
    accountId,
    symbolId,
    orders: orders.length,
    unfilled: billionths(sum("filled"), sum("submitted") + reduced),
    immediate: immediate.length,
    immediateExpired: immediate.filter((order) => order.status === "EXPIRED" && unfilled(order)).length,
    goodTillCancel: resting.length,
    goodTillCancelQuick: quick.length,
  };
}

function billionths(filled: number, submitted: number): number {
  return submitted === 0 ? 0 : Math.round((1 - filled / submitted) * 1e9) + 0;
}

const found = ({ submitted, filled, ...counts }: ConductRow): Expected => ({
  ...counts,
  unfilled: billionths(filled, submitted),
});

test("the flow has what is counted", () => {
  assert.ok(END_MS - START_MS > 1.2 * WINDOW_MS, "the flow is shorter than the window");
  assert.ok(LOCKS_MS.length > 1 && LOCKS_MS.at(-1)! > END_MS - WINDOW_MS, "no lock within the window");
  for (const accountId of ACCOUNT_IDS) {
    const counts = expected(accountId, 0, END_MS - WINDOW_MS, 0);
    assert.ok(counts.immediateExpired > 5 && counts.immediateExpired < counts.immediate);
    assert.ok(counts.goodTillCancelQuick > 0 && counts.goodTillCancelQuick < counts.goodTillCancel);
    assert.ok(counts.unfilled > 1e8 && counts.unfilled < 9e8);
  }
  const recent = [...brute.orders.values()].filter(({ time }) => time > END_MS - WINDOW_MS);
  assert.ok(
    recent.some(({ type, status, executedQty }) => type === "MARKET" && status === "EXPIRED" && +executedQty > 0),
  );
  assert.ok(recent.filter(({ orderId }) => brute.swept.has(orderId)).length > 5);
  assert.ok(
    recent.some(({ orderId }) => brute.triggered.has(orderId)),
    "no order was set off",
  );
  assert.ok(recent.filter(({ orderId }) => brute.reduced.has(orderId)).length > 20);
});

test("what an account did since then, and who did enough of it", (t) => {
  const paths = folderWith(t, BATCHES);
  rebuildHistory(paths);
  const database = openHistoryReadOnly(paths.history);
  t.after(() => database.close());
  const query = openQueries(database);
  const some = fc.integer({ min: 1, max: 400 });
  const anyTime = fc.integer({ min: END_MS - WINDOW_MS, max: END_MS + HALF_MINUTE_MS });
  fc.assert(
    fc.property(fc.constantFrom(...ACCOUNT_IDS, 999), anyTime, some, some, some, (accountId, sinceMs, ...numbers) => {
      const [orders, immediate, goodTillCancel] = numbers;
      const fromMs = sinceMs - (sinceMs % HALF_MINUTE_MS);
      const of = (id: number, afterMs: number): Expected[] =>
        [0, 1].map((symbolId) => expected(id, symbolId, fromMs, afterMs)).filter((row) => row.orders > 0);
      assert.deepEqual(query("conduct", { accountId, sinceMs }).map(found), of(accountId, 0));
      const enough = ACCOUNT_IDS.flatMap((id) => of(id, id === LOCKED ? LOCKS_MS.at(-1)! : 0)).filter(
        (row) => row.orders >= orders || row.immediate >= immediate || row.goodTillCancel >= goodTillCancel,
      );
      assert.deepEqual(query("conductOfAll", { sinceMs, orders, immediate, goodTillCancel }).map(found), enough);
    }),
    { numRuns: 300 },
  );
});

const [ALICE = 0, BOB = 0] = ACCOUNT_IDS;

/** What counts of Alice's orders, after these commands on a new market. */
function conductAfter(t: TestContext, commands: readonly Command[]): ConductRow | undefined {
  const priceFilter = { minPrice: "0.01", maxPrice: "0", tickSize: "0.01" };
  const lotSize = { minQty: "0.001", maxQty: "0", stepSize: "0.001" };
  const all: Command[] = [
    { type: "adoptRules", edition: NEWEST_EDITION },
    ...[listAsset("BTC", 8), listAsset("USDT", 8), listSymbol("BTC/USDT", { priceFilter, lotSize })],
    ...[ALICE, BOB].map((id) => openAccount(`${id}@example.com`)),
    ...[ALICE, BOB].flatMap((id) => [deposit(id, "BTC", "9"), deposit(id, "USDT", "9000")]),
    ...commands,
  ];
  const batch = { firstSeq: 1, count: all.length, timeMs: START_MS, node: "n1", bytes: encodeCommands(all) };
  const paths = folderWith(t, [{ ...batch, priorEventDigest: new Engine().eventDigest() }]);
  rebuildHistory(paths);
  const database = openHistoryReadOnly(paths.history);
  t.after(() => database.close());
  return openQueries(database)("conduct", { accountId: ALICE, sinceMs: START_MS })[0];
}

const order = (accountId: number, side: "BUY" | "SELL", priceTicks: number, more = {}): Command => ({
  ...placeOrder({ accountId, side, priceTicks, quantityLots: 1, clientOrderId: `${side}${priceTicks}` }),
  ...more,
});

test("a pegged trailing stop without a price counts with the one that it takes when it is triggered", (t) => {
  const conduct = conductAfter(t, [
    ...[order(BOB, "SELL", 10_000), order(BOB, "BUY", 10_000), order(BOB, "BUY", 9_900), order(BOB, "BUY", 9_800)],
    order(ALICE, "SELL", 0, {
      ...{ orderType: "STOP_LOSS_LIMIT", trailingDelta: 100, peg: { to: "MARKET_PEG", level: 0 } },
    }),
    order(BOB, "SELL", 9_900),
  ]);
  assert.deepEqual([conduct?.submitted, conduct?.filled], [9_800, 9_800]);
});

test("an order that sells what its list bought counts with that, once it is placed", (t) => {
  const leg = { orderType: "LIMIT", timeInForce: "GTC", priceTicks: 0, stopTicks: 0, icebergLots: 0 } as const;
  const lists = [1, 2, 3].map(
    (n): Command => ({
      ...{ type: "placeOto", accountId: ALICE, symbolId: 0, kind: "OPO", listClientOrderId: `list ${n}` },
      working: { side: "BUY", quantityLots: 10, leg: { ...leg, priceTicks: 10_000, clientOrderId: `buy ${n}` } },
      pending: { ...leg, priceTicks: 10_500, clientOrderId: `sell ${n}` },
      ...{ pendingSide: "SELL", pendingLots: 0, pendingLimit: null },
    }),
  );
  const fills = [order(BOB, "SELL", 10_000, { quantityLots: 20 }), order(BOB, "BUY", 10_500, { quantityLots: 10 })];
  const conduct = conductAfter(t, [...lists, ...fills]);
  assert.deepEqual([conduct?.orders, conduct?.submitted, conduct?.filled], [6, 510_000, 305_000]);
  const cancel: Command = { type: "cancelOpenOrders", accountId: ALICE, symbolId: 0, newClientOrderId: "all" };
  const after = conductAfter(t, [...lists, ...fills, cancel]);
  assert.deepEqual([after?.submitted, after?.filled], [410_000, 305_000]);
});

test("what is counted does not grow, and is the same however often it is interrupted", (t) => {
  const whole = folderWith(t, BATCHES);
  rebuildHistory(whole);
  const expectedRows = dumpHistory(whole.history)["conduct"] ?? [];
  const oldest = Math.floor((END_MS - WINDOW_MS) / HALF_MINUTE_MS);
  const periods = expectedRows.map((row) => Number(row.split("|")[2]));
  assert.ok(expectedRows.length > 60 && Math.min(...periods) === oldest);
  const inSteps = folderWith(t, BATCHES);
  for (let untilSeq = 97; untilSeq < LAST_SEQ + 97; untilSeq += 97) {
    const projection = openProjection({ paths: inSteps, snapshotEveryEntries: 300 });
    projection.advance(Math.min(untilSeq, LAST_SEQ));
    projection.close();
  }
  assert.deepEqual(dumpHistory(inSteps.history)["conduct"], expectedRows);
  const atOnce = folderWith(t, BATCHES);
  const projection = openProjection({ paths: atOnce, snapshotEveryEntries: 0 });
  const seen = openHistoryReadOnly(atOnce.history);
  t.after(() => seen.close());
  const first = seen.prepare("SELECT min(period) AS period FROM conduct");
  while (projection.advance(projection.seq + 97)) {
    const { timeMs } = BATCHES.findLast((batch) => batch.firstSeq <= projection.seq)!;
    const { period } = first.get() as { period: number };
    assert.ok(period >= Math.floor((timeMs - WINDOW_MS) / HALF_MINUTE_MS), `at entry ${projection.seq}`);
  }
  projection.close();
  assert.deepEqual(dumpHistory(atOnce.history)["conduct"], expectedRows);
  const database = openHistoryReadOnly(whole.history);
  t.after(() => database.close());
  const plan = (sql: string): string =>
    (database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[])
      .map(({ detail }) => detail)
      .join("; ");
  assert.match(plan(CONDUCT.ofAccount), /^SEARCH conduct USING PRIMARY KEY \(account_id=\?\)$/);
  assert.match(plan(CONDUCT.ofAll), /^SCAN conduct; .*SEARCH lock USING .*api_trading_locks_by_account/);
  assert.doesNotMatch(plan(CONDUCT.ofAll), /TEMP B-TREE/);
});
