/** Locks on the real engine, journal and history, with the test's own clock. Interface 3.8. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { type TestContext, test } from "node:test";
import type { Command, Engine, PlaceOrder } from "@pricetime/engine";
import { placeOrder } from "@pricetime/testkit/commands";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { until } from "@pricetime/testkit/waiting";
import { type History, HistoryBehind } from "../../../src/history/port.ts";
import { openStorage } from "../../../src/journal/storage/storage.ts";
import { GroupCommitSequencer } from "../../../src/journal/sequencer/group-commit.ts";
import { NotAccepted } from "../../../src/journal/sequencer/port.ts";
import { TradingRules, type TradingRulesOptions, type TradingRulesSettings } from "../../../src/funds/trading-rules.ts";
import { setup, START_MS } from "@pricetime/testkit/journal";
import { MACHINE } from "../../../src/platform/world/machine.ts";

const MINUTE_MS = 60_000;
const SETTINGS: TradingRulesSettings = {
  enabled: true,
  everyMs: 30_000,
  exempt: [],
  ufr: { trigger: 0.995, orders: 300 },
  ifer: { trigger: 0.99, orders: 150 },
  gcr: { trigger: 0.99, orders: 150 },
};

interface Desk {
  readonly engine: Engine;
  readonly rules: TradingRules;
  readonly warnings: object[];
  readonly fatal: Error[];
  readonly options: TradingRulesOptions;
  nowMs: number;
  run(command: Command): Promise<string>;
  /** Orders that are placed and canceled at the same instant. */
  flood(accountId: number, count: number): Promise<void>;
}

async function openDesk(t: TestContext, settings: Partial<TradingRulesSettings> = {}, waitMs = 60_000): Promise<Desk> {
  const fatal: Error[] = [];
  const onFatal = (error: Error): void => void fatal.push(error);
  const folder = temporaryFolder();
  const how = { snapshotEveryEntries: 0, readerThreads: 1, historyLimits: { waitMs } };
  const storage = openStorage({ world: MACHINE, folder, onFatal, ...how });
  const { engine } = storage.recovery;
  const sequencer = new GroupCommitSequencer({
    journal: storage.journal,
    engine,
    node: "n1",
    onFatal,
    historySeq: () => storage.projector.seq,
    onBatch: () => waitMs > 0 && storage.projector.publish(engine.seq),
    world: { ...MACHINE, nowMs: () => desk.nowMs },
  });
  const warnings: object[] = [];
  const options: TradingRulesOptions = {
    world: MACHINE,
    settings: { ...SETTINGS, ...settings },
    view: engine,
    sequencer,
    history: storage.history,
    log: { warn: (fields) => void warnings.push(fields) },
    onFatal,
  };
  const rules = new TradingRules(options);
  let orders = 0;
  const desk: Desk = {
    engine,
    rules,
    warnings,
    fatal,
    options,
    nowMs: START_MS,
    run: async (command) => {
      const { events } = await sequencer.run(command);
      const first = events[0];
      return first?.type === "rejected" ? first.reason : "done";
    },
    flood: async (accountId, count) => {
      const runs: Promise<string>[] = [];
      for (let n = 0; n < count; n++) {
        const clientOrderId = `flood${++orders}`;
        runs.push(desk.run(resting(accountId, clientOrderId)));
        runs.push(desk.run(cancelOf(accountId, clientOrderId)));
      }
      assert.ok((await Promise.all(runs)).every((outcome) => outcome === "done"));
    },
  };
  t.after(async () => {
    await rules.stop();
    await sequencer.stop();
    await storage.close();
    rmSync(folder, { recursive: true });
    assert.deepEqual(fatal, []);
  });
  for (const command of setup()) await desk.run(command);
  return desk;
}

function resting(accountId: number, clientOrderId: string, changes: Partial<PlaceOrder> = {}): PlaceOrder {
  const terms = { priceTicks: 3_000_000, quantityLots: 1_000, clientOrderId };
  return placeOrder({ accountId, side: "BUY", ...terms, ...changes });
}

function cancelOf(accountId: number, origClientOrderId: string): Command {
  return { type: "cancelOrder", accountId, symbolId: 0, orderId: 0, origClientOrderId, newClientOrderId: "x" };
}

/** A sell order and a waiting one, as one list. */
function list(accountId: number, id: string): Command {
  const leg = { timeInForce: "GTC", icebergLots: 0 } as const;
  return {
    type: "placeOco",
    accountId,
    symbolId: 0,
    side: "SELL",
    quantityLots: 1_000,
    stopLeg: { ...leg, orderType: "STOP_LOSS", priceTicks: 0, stopTicks: 2_000_000, clientOrderId: `${id}s` },
    limitLeg: { ...leg, orderType: "LIMIT_MAKER", priceTicks: 4_000_000, stopTicks: 0, clientOrderId: `${id}l` },
    listClientOrderId: id,
  };
}

const cancelAll = (accountId: number): Command => ({
  type: "cancelOpenOrders",
  accountId,
  symbolId: 0,
  newClientOrderId: "all",
});

const minutesLeft = (desk: Desk, accountId: number): number =>
  ((desk.engine.apiTradingLock(accountId, desk.nowMs)?.untilMs ?? desk.nowMs) - desk.nowMs) / MINUTE_MS;

test("one request to cancel everything counts as one order, however many it ends", async (t) => {
  const desk = await openDesk(t);
  const outcomes = await Promise.all(Array.from({ length: 1_005 }, (_, n) => desk.run(list(100, `list${n}`))));
  assert.deepEqual([...new Set(outcomes)], ["done"]);
  assert.equal(await desk.run(cancelAll(100)), "done");
  assert.equal(await desk.rules.look(), 0, "not careless");
  const told = (await desk.rules.status(100, desk.nowMs)).indicators.get(0);
  assert.deepEqual(
    told?.map(({ indicator, count, value }) => [indicator, count, value]),
    [
      ["UFR", 1, 1],
      ["IFER", 0, 0],
      ["GCR", 1, 1],
    ],
  );
  // Placing one order and canceling everything, repeatedly, counts like single cancels.
  for (let n = 0; n < 148; n++) {
    await desk.run(resting(100, `flicker${n}`));
    await desk.run(cancelAll(100));
  }
  assert.equal(await desk.rules.look(), 0, "149 are too few");
  await desk.run(resting(100, "last"));
  await desk.run(cancelAll(100));
  assert.equal(await desk.rules.look(), 1);
  assert.deepEqual(desk.engine.apiTradingLock(100, desk.nowMs)?.indicator, "GCR");
});

test("who cancels each order at once is locked, may cancel, and recovers", async (t) => {
  const desk = await openDesk(t);
  assert.equal(await desk.run(resting(100, "before")), "done");
  await desk.flood(100, 148);
  assert.equal(await desk.rules.look(), 0, "149 orders are too few");
  assert.equal((await desk.rules.status(100, desk.nowMs)).indicators.get(0)?.[2]?.count, 149);
  await desk.flood(100, 2);
  await desk.flood(101, 149);
  assert.equal(await desk.rules.look(), 1);
  assert.deepEqual(
    [100, 101].map((accountId) => minutesLeft(desk, accountId)),
    [5, 0],
  );
  assert.deepEqual(
    desk.warnings.map((fields) => ({ ...fields, untilMs: 0 })),
    [{ accountId: 100, symbol: "BTCUSDT", indicator: "GCR", untilMs: 0 }],
  );
  assert.equal(await desk.run(resting(100, "after")), "API_TRADING_LOCKED");
  assert.equal(await desk.run(resting(101, "after")), "done");
  assert.equal(await desk.run(cancelOf(100, "before")), "done");

  const locked = await desk.rules.status(100, desk.nowMs);
  assert.deepEqual([locked.isLocked, locked.plannedRecoverTimeMs], [true, desk.nowMs + 5 * MINUTE_MS]);
  assert.deepEqual(locked.triggerCondition, { UFR: 300, IFER: 150, GCR: 150 });
  assert.deepEqual([...locked.indicators.keys()], [0], "only symbols with orders");
  assert.deepEqual(locked.indicators.get(0), [
    { indicator: "UFR", count: 151, value: 1, trigger: 0.995 },
    { indicator: "IFER", count: 0, value: 0, trigger: 0.99 },
    { indicator: "GCR", count: 151, value: 1, trigger: 0.99 },
  ]);

  desk.nowMs += 5 * MINUTE_MS - 1;
  assert.equal(await desk.run(resting(100, "still")), "API_TRADING_LOCKED");
  desk.nowMs += 1;
  assert.equal(await desk.run(resting(100, "again")), "done");
  const free = await desk.rules.status(100, desk.nowMs);
  assert.deepEqual([free.isLocked, free.plannedRecoverTimeMs, free.updateTimeMs], [false, 0, desk.nowMs]);
});

test("what led to a lock leads to no other; each new one within a day is longer", async (t) => {
  const desk = await openDesk(t);
  for (const minutes of [5, 15, 60, 360, 1440]) {
    await desk.flood(100, 150);
    assert.equal(await desk.rules.look(), 1, `${minutes}`);
    assert.equal(minutesLeft(desk, 100), minutes);
    assert.equal(await desk.rules.look(), 0, "locked already");
    desk.nowMs += minutes * MINUTE_MS;
    assert.equal(await desk.rules.look(), 0, "the same orders again");
  }
  desk.nowMs += 1_440 * MINUTE_MS;
  await desk.flood(100, 150);
  assert.equal(await desk.rules.look(), 1);
  assert.equal(minutesLeft(desk, 100), 5, "a day later it begins anew");
});

test("an operator may let an account go; only what it does afterwards counts", async (t) => {
  const desk = await openDesk(t);
  await desk.flood(100, 150);
  assert.equal(await desk.rules.look(), 1);
  assert.equal(await desk.run({ type: "unlockApiTrading", by: "test", accountId: 100 }), "done");
  desk.nowMs += 1;
  await desk.flood(100, 149);
  assert.equal(await desk.rules.look(), 0);
  await desk.flood(100, 1);
  assert.equal(await desk.rules.look(), 1);
});

test("orders that rest long enough, are filled, or are older than ten minutes", async (t) => {
  const desk = await openDesk(t);
  const ids = Array.from({ length: 150 }, (_, n) => `slow${n}`);
  await Promise.all(ids.map((id) => desk.run(resting(100, id))));
  desk.nowMs += 2_500;
  await Promise.all(ids.map((id) => desk.run(cancelOf(100, id))));
  assert.equal(await desk.rules.look(), 0, "2.5 s are long enough");

  await desk.flood(101, 149);
  desk.nowMs += 11 * MINUTE_MS;
  await desk.flood(101, 149);
  assert.equal(await desk.rules.look(), 0, "the first are forgotten");
  assert.equal((await desk.rules.status(101, desk.nowMs)).indicators.get(0)?.[0]?.count, 149);
  assert.equal((await desk.rules.status(100, desk.nowMs)).indicators.size, 0);
});

test("IOC orders that expire, and orders that are hardly filled", async (t) => {
  const desk = await openDesk(t);
  let placedBefore = 0;
  const many = async (accountId: number, count: number, changes: Partial<PlaceOrder>): Promise<void> => {
    const placed = Array.from({ length: count }, () => resting(accountId, `many${++placedBefore}`, changes));
    assert.ok((await Promise.all(placed.map((order) => desk.run(order)))).every((outcome) => outcome === "done"));
  };
  await many(101, 150, { timeInForce: "IOC" });
  assert.equal(await desk.rules.look(), 1);
  assert.equal(desk.engine.apiTradingLock(101, desk.nowMs)?.indicator, "IFER");

  // One order of 300 is filled completely, and 298 rest. 299 orders are too few.
  await many(102, 1, { side: "SELL", priceTicks: 3_100_000 });
  await many(100, 1, { priceTicks: 3_100_000 });
  await many(100, 298, {});
  assert.equal(await desk.rules.look(), 0);
  await many(100, 1, { symbolId: 1, priceTicks: 9_000_000_000_000, quantityLots: 1 });
  assert.equal(await desk.rules.look(), 0, "each symbol for itself");
  await many(100, 1, {});
  assert.equal(await desk.rules.look(), 1);
  const [ufr] = (await desk.rules.status(100, desk.nowMs)).indicators.get(0) ?? [];
  assert.deepEqual(
    [ufr?.count, ufr?.value.toFixed(8)],
    [300, ((299 * 3_000_000) / (299 * 3_000_000 + 3_100_000)).toFixed(8)],
  );
});

test("some are never locked: by address, by the end of it", async (t) => {
  const desk = await openDesk(t, { exempt: ["100@test"] });
  await desk.flood(100, 150);
  await desk.flood(101, 150);
  assert.equal(await desk.rules.look(), 1);
  assert.equal(minutesLeft(desk, 100), 0);
  const all = await openDesk(t, { exempt: ["@test"] });
  await all.flood(100, 150);
  assert.equal(await all.rules.look(), 0);
  assert.equal((await all.rules.status(100, all.nowMs)).indicators.get(0)?.[2]?.value, 1, "told all the same");
});

test("indicators are made anew every half minute", async (t) => {
  const desk = await openDesk(t);
  const count = async (): Promise<unknown> => {
    const { indicators, updateTimeMs } = await desk.rules.status(100, desk.nowMs);
    return [indicators.get(0)?.[0]?.count, updateTimeMs - START_MS];
  };
  await desk.flood(100, 1);
  assert.deepEqual(await count(), [1, 0]);
  await desk.flood(100, 1);
  desk.nowMs += 29_999;
  assert.deepEqual(await count(), [1, 0]);
  desk.nowMs += 1;
  assert.deepEqual(await count(), [2, 30_000]);
});

test("looks by itself until it is stopped, and goes on when history is behind", async (t) => {
  const desk = await openDesk(t, { everyMs: 20 });
  desk.rules.start();
  await desk.flood(100, 150);
  await until("the lock", () => desk.engine.apiTradingLock(100, desk.nowMs) !== undefined);
  await desk.rules.stop();

  const behind = await openDesk(t, { everyMs: 20 }, 0);
  await assert.rejects(behind.rules.look(), HistoryBehind);
  behind.rules.start();
  await until("three warnings", () => behind.warnings.length >= 3);
  assert.ok(behind.warnings.every((fields) => "err" in fields && fields.err instanceof HistoryBehind));
});

test("what cannot pass by itself stops the node", async (t) => {
  const desk = await openDesk(t);
  const broken: History = { seq: 0, query: () => Promise.reject(new Error("no such table")) };
  const fatal = Promise.withResolvers<Error>();
  const settings = { ...SETTINGS, everyMs: 20 };
  const rules = new TradingRules({ ...desk.options, settings, history: broken, onFatal: fatal.resolve });
  rules.start();
  assert.equal((await fatal.promise).message, "no such table");
  await rules.stop();
  assert.deepEqual(desk.warnings, []);
});

test("off: nobody is looked at", async (t) => {
  const desk = await openDesk(t);
  const looks: number[] = [];
  const counted: History = {
    seq: 0,
    query: (...asked) => {
      looks.push(desk.nowMs);
      return desk.options.history.query(...asked);
    },
  };
  const start = (enabled: boolean): TradingRules => {
    const settings = { ...SETTINGS, everyMs: 5, enabled };
    const rules = new TradingRules({ ...desk.options, settings, history: counted });
    rules.start();
    return rules;
  };
  const off = start(false);
  // Long enough for another, active one to check several times.
  const on = start(true);
  await until("three looks", () => looks.length >= 3);
  await on.stop();
  const seen = looks.length;
  await new Promise((done) => setTimeout(done, 50));
  assert.equal(looks.length, seen);
  await off.stop();
});

test("a lock in the journal ends at the start of a node whose rules are off, or spare the account", async (t) => {
  const desk = await openDesk(t);
  const under = (settings: Partial<TradingRulesSettings>): TradingRules =>
    new TradingRules({ ...desk.options, settings: { ...SETTINGS, ...settings } });
  const isLocked = (accountId: number): boolean => desk.engine.apiTradingLock(accountId, desk.nowMs) !== undefined;
  await desk.flood(100, 150);
  await desk.flood(101, 150);
  assert.equal(await desk.rules.look(), 2);
  assert.equal((await desk.rules.status(100, desk.nowMs)).lockedBy, "GCR");
  assert.equal(await under({}).release(), 0, "they are on, and hold");
  assert.equal(await under({ exempt: ["100@test"] }).release(), 1);
  assert.deepEqual([isLocked(100), isLocked(101)], [false, true]);
  const off = under({ enabled: false });
  assert.equal(await off.release(), 1);
  assert.equal(isLocked(101), false);
  const before = desk.engine.seq;
  assert.equal(await off.release(), 0);
  assert.equal(desk.engine.seq, before, "nothing is journaled when nobody is locked");
  const told = await off.status(101, desk.nowMs);
  assert.deepEqual([told.isLocked, told.plannedRecoverTimeMs, told.lockedBy], [false, 0, null]);
  assert.equal(told.indicators.get(0)?.[2]?.value, 1, "how it would fare is told all the same");
});

test("by role: locks and releases go the way of the tenure, and none after it has ended", async (t) => {
  const desk = await openDesk(t);
  const rules = new TradingRules({
    ...desk.options,
    // No command goes this way.
    sequencer: { nowMs: () => desk.nowMs, run: () => assert.fail(), submit: () => assert.fail() },
    settings: { ...SETTINGS, everyMs: 10, exempt: ["101@test"] },
  });
  const told: string[] = [];
  const tenure = (isHeld: () => boolean) => ({
    nowMs: () => desk.nowMs,
    submit: () => assert.fail(),
    run: (command: Command) => {
      told.push(command.type);
      return isHeld() ? desk.options.sequencer.run(command) : Promise.reject(new NotAccepted("another holds the role"));
    },
  });
  await desk.flood(100, 150);
  await desk.flood(101, 150);
  await desk.run({ type: "lockApiTrading", accountId: 101, symbol: "BTCUSDT", indicator: "GCR" });
  let isHeld = false;
  rules.part.start(tenure(() => isHeld));
  await until("it has tried", () => told.includes("unlockApiTrading") && told.includes("lockApiTrading"));
  assert.equal(minutesLeft(desk, 100), 0);
  await rules.part.stop();
  const tries = told.length;
  await new Promise((done) => setTimeout(done, 40));
  assert.equal(told.length, tries, "it rests");
  assert.ok((await rules.status(100, desk.nowMs)).indicators.size > 0, "any node tells how an account fares");
  isHeld = true;
  rules.part.start(tenure(() => isHeld));
  await until("it goes on", () => minutesLeft(desk, 100) > 0 && minutesLeft(desk, 101) === 0);
  await rules.part.stop();
});
