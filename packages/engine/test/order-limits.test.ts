/** Orders counted in the windows of the limits: a table of what counts, and random histories compared with a model. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ADOPT_NEWEST_RULES, type Command, Engine, type PlaceOco, type PlaceOrder } from "@pricetime/engine";
import { deposit, listSymbol, openAccount, placeOrder } from "@pricetime/testkit/commands";
import { Dice } from "@pricetime/testkit/dice";
import { makeWorld, randomCommand } from "@pricetime/testkit/workload";
import { MAX_OPEN_ORDERS } from "../src/limits.ts";
import { PlacedCounts } from "../src/state/order/placed-counts.ts";
import { BY, symbolSpec, TestExchange, START_MS } from "./harness.ts";
import { Comparison } from "./random/comparison.ts";

const SECOND = 1000;
const DAY = 86_400_000;
const RULES = [
  { windowMs: SECOND, limit: 10 },
  { windowMs: DAY, limit: 100_000 },
];

function limits(rules = RULES): Command {
  return { type: "setOrderLimits", by: BY, rules };
}

function order(accountId = 100): PlaceOrder {
  return placeOrder({ accountId, side: "BUY", priceTicks: 1, quantityLots: 1, clientOrderId: "o" });
}

function list(): PlaceOco {
  const { orderType, timeInForce, priceTicks, stopTicks, icebergLots, clientOrderId } = order();
  const leg = { orderType, timeInForce, priceTicks, stopTicks, icebergLots, clientOrderId };
  const { accountId, symbolId, side, quantityLots } = order();
  const legs = { stopLeg: leg, limitLeg: leg, listClientOrderId: "l" };
  return { type: "placeOco", accountId, symbolId, side, quantityLots, ...legs };
}

class Counter extends TestExchange {
  counts(accountId = 100): readonly number[] {
    return this.engine.orderLimits.map(({ windowMs }) => this.engine.ordersInWindow(accountId, windowMs, this.nowMs));
  }
}

function opened(): Counter {
  const exchange = new Counter();
  for (const email of ["a@example.org", "b@example.org"]) exchange.openAccount(email);
  return exchange;
}

test("orders count whatever their result: a list two, a cancelReplace one, a cancel none", () => {
  const exchange = opened();
  exchange.run(order());
  assert.deepEqual(exchange.counts(), [], "before there are limits");
  assert.equal(exchange.answer(limits()), "done");
  assert.deepEqual(exchange.engine.orderLimits, RULES);
  const cancel = { accountId: 100, symbolId: 0, orderId: 1, origClientOrderId: "", newClientOrderId: "c" } as const;
  for (const [command, counts] of [
    [order(), [1, 1]],
    [list(), [3, 3]],
    [{ type: "cancelOrder", ...cancel }, [3, 3]],
    [
      { type: "cancelReplace", mode: "STOP_ON_FAILURE", cancel: { type: "cancelOrder", ...cancel }, place: order() },
      [4, 4],
    ],
    [order(101), [4, 4]],
    [order(9_999), [4, 4]],
  ] as const) {
    assert.equal(exchange.answer(command).includes("pened"), false, "there is no symbol to trade on");
    assert.deepEqual(exchange.counts(), counts, command.type);
  }
  assert.deepEqual(exchange.counts(101), [1, 1]);
  assert.deepEqual(exchange.counts(9_999), [0, 0], "whom nobody knows costs nothing");
  exchange.nowMs += SECOND;
  assert.deepEqual(exchange.counts(), [0, 4], "the next second is another window");
  exchange.run(order());
  assert.deepEqual(exchange.counts(), [1, 5]);
  assert.equal(exchange.engine.ordersInWindow(100, SECOND, START_MS), 1, "no earlier than the last entry");
  assert.equal(exchange.engine.ordersInWindow(100, 60_000, exchange.nowMs), 0, "no such windows");
  exchange.restart();
  assert.deepEqual(exchange.counts(), [1, 5]);
  exchange.nowMs = START_MS + DAY;
  assert.deepEqual(exchange.counts(), [0, 0]);
});

test("the order of a task owner counts while it owns the task", () => {
  const exchange = opened();
  exchange.run(limits());
  const act = (number: number): Command => ({ type: "asHolder", role: "bots", number, command: order() });
  exchange.run(act(1));
  assert.deepEqual(exchange.counts(), [0, 0]);
  exchange.run({ type: "grantRole", role: "bots", node: "n1", incarnation: "a".repeat(16), after: 0 });
  exchange.run(act(1));
  assert.deepEqual(exchange.counts(), [1, 1]);
});

test("a change of limits keeps the counts of remaining windows", () => {
  const exchange = opened();
  exchange.run(limits());
  exchange.run(order());
  exchange.run(
    limits([
      { windowMs: DAY, limit: 5 },
      { windowMs: 60_000, limit: 7 },
    ]),
  );
  assert.deepEqual(exchange.counts(), [1, 0]);
  exchange.run(order());
  assert.deepEqual(exchange.counts(), [2, 1]);
  exchange.run(limits([]));
  exchange.run(order());
  exchange.run(limits());
  assert.deepEqual(exchange.counts(), [0, 0], "what was counted by nobody is not known");
});

test("the first fill of an order takes places off its account's counts, as maker more than as taker", () => {
  const exchange = opened();
  exchange.listAssets(["AAA", 2], ["BBB", 2]);
  exchange.run({ type: "listSymbol", by: BY, symbol: symbolSpec("AAABBB", "AAA/BBB") });
  const asset = (accountId: number, name: string): Command =>
    ({ type: "deposit", by: BY, accountId, asset: name, amount: "1000", reference: `${accountId}${name}` }) as const;
  for (const command of [asset(100, "BBB"), asset(101, "AAA")]) exchange.run(command);
  const rules = [
    { windowMs: 10 * SECOND, limit: 100 },
    { windowMs: DAY, limit: 200 },
  ];
  exchange.run({ type: "setOrderLimits", by: BY, rules, fillCredits: { taker: 1, maker: 5 } });
  const buy = (clientOrderId: string, quantityLots = 4): PlaceOrder => ({ ...order(), clientOrderId, quantityLots });
  const sell = (clientOrderId: string, quantityLots: number): PlaceOrder => ({
    ...buy(clientOrderId, quantityLots),
    accountId: 101,
    side: "SELL",
  });
  const expect = (buyer: readonly number[], seller: readonly number[], why?: string): void =>
    assert.deepEqual([exchange.counts(100), exchange.counts(101)], [buyer, seller], why);
  for (let i = 1; i <= 7; i++) exchange.run(buy(`b${i}`));
  expect([7, 7], [0, 0]);
  exchange.run(sell("s1", 1));
  expect([2, 2], [0, 0], "a maker's first fill takes 5, a taker's the place that it just took");
  exchange.run(sell("s2", 1));
  expect([2, 2], [0, 0], "the second fill of the same maker takes nothing");
  exchange.restart();
  exchange.nowMs += 10 * SECOND;
  exchange.run(buy("b8"));
  expect([1, 3], [0, 0]);
  exchange.run(sell("s3", 3));
  expect([0, 0], [0, 0], "an order of an earlier window counts now, and never below 0");
  exchange.run(sell("s4", 1));
  exchange.run(buy("b9", 1));
  exchange.run(buy("b10", 1));
  exchange.run(buy("b11", 1));
  expect([3, 3], [0, 0], "what was below 0 is no credit");
  exchange.run({ type: "setOrderLimits", by: BY, rules });
  exchange.run(sell("s5", 4));
  expect([3, 3], [1, 1], "without credits, fills change nothing");
});

test("malformed limits are rejected", () => {
  const exchange = opened();
  for (const rules of [
    [{ windowMs: 0, limit: 1 }],
    [{ windowMs: 1.5, limit: 1 }],
    [{ windowMs: 1001 * DAY, limit: 1 }],
    [{ windowMs: 1000, limit: 0 }],
    Array.from({ length: 21 }, () => RULES[0]!),
    [null as never],
  ]) {
    assert.equal(exchange.answer(limits(rules)), "INVALID_VALUE", JSON.stringify(rules));
  }
  assert.deepEqual(exchange.engine.orderLimits, []);
});

test("accounts are removed after their windows", () => {
  const counts = new PlacedCounts();
  counts.setRules([{ windowMs: SECOND, limit: 10 }], { taker: 0, maker: 0 }, 0);
  for (let i = 0; i < 50_000; i++) {
    counts.passTo(i);
    counts.add(i, 1);
  }
  assert.ok(counts.tracked < 5_000, `${counts.tracked} accounts`);
  for (let i = 49_000; i < 50_000; i++) assert.equal(counts.inWindow(i, SECOND, 49_999), 1);
});

test("random histories count like the model, also after restores", () => {
  let most = 0;
  for (let seed = 1; seed <= 10; seed++) {
    const dice = new Dice(seed);
    const world = makeWorld(dice);
    const comparison = new Comparison();
    let restored = new Engine();
    let timeMs = 1_700_000_000_000;
    const step = (command: Command): void => {
      comparison.step(timeMs, command);
      restored.apply({ seq: restored.seq + 1, timeMs, command });
    };
    step(ADOPT_NEWEST_RULES);
    for (const command of world.opening) step(command);
    for (let i = 0; i < 150; i++) {
      timeMs += dice.oneIn(40) ? dice.below(100_000) : dice.below(300);
      step(
        dice.oneIn(25)
          ? { ...limits(someRules(dice)), ...someCredits(dice) }
          : randomCommand(dice, world, comparison.model),
      );
      const { fast, model } = comparison;
      for (const { windowMs } of fast.orderLimits) {
        for (const accountId of model.accounts.keys()) {
          const nowMs = timeMs + (dice.oneIn(2) ? dice.below(2_000) : 0);
          const expected = model.orderLimits.inWindow(accountId, windowMs, nowMs);
          assert.equal(fast.ordersInWindow(accountId, windowMs, nowMs), expected, `seed ${seed} step ${i}`);
          most = Math.max(most, expected);
        }
      }
      if (dice.oneIn(10)) restored = Engine.restore(restored.snapshot());
      if (dice.oneIn(10)) assert.deepEqual(restored.stateHash(), fast.stateHash(), `seed ${seed} step ${i}`);
    }
    assert.deepEqual(restored.snapshot(), comparison.fast.snapshot());
  }
  assert.ok(most > 12, `at most ${most} orders`);
});

function someCredits(dice: Dice): Pick<Command<"setOrderLimits">, "fillCredits"> {
  return dice.oneIn(3) ? {} : { fillCredits: { taker: dice.below(3), maker: dice.below(6) } };
}

function someRules(dice: Dice): typeof RULES {
  const all = [SECOND, 10 * SECOND, 60 * SECOND, DAY].filter(() => dice.oneIn(2));
  return all.map((windowMs) => ({ windowMs, limit: 1 + dice.below(100) }));
}

test("the engine has room for all orders of a list, or rejects it", () => {
  const exchange = new TestExchange();
  exchange.listAssets(["BTC", 8], ["USDT", 8]);
  exchange.run(listSymbol("BTC/USDT"));
  exchange.run(openAccount("alice@example.com"));
  exchange.run(deposit(100, "USDT", "1000"));
  const { orders } = exchange.engine.state;
  const leg = (clientOrderId: string, more: object = {}) => ({
    ...{ orderType: "LIMIT" as const, timeInForce: "GTC" as const, priceTicks: 100, stopTicks: 0, icebergLots: 0 },
    ...{ clientOrderId, ...more },
  });
  const answerWith = (room: number): string => {
    Object.defineProperty(orders, "size", { get: () => MAX_OPEN_ORDERS - room, configurable: true });
    try {
      return exchange.answer({
        ...{ type: "placeOto", accountId: 100, symbolId: 0, kind: "OTO", listClientOrderId: `l${room}` },
        ...{ working: { side: "BUY", quantityLots: 1, leg: leg(`w${room}`) }, pendingSide: "SELL", pendingLots: 1 },
        ...{ pending: leg(`p${room}`, { priceTicks: 200 }), pendingLimit: null },
      });
    } finally {
      Reflect.deleteProperty(orders, "size");
    }
  };
  assert.equal(answerWith(1), "TOO_MANY_OPEN_ORDERS");
  assert.equal(answerWith(2), "orderOpened orderOpened orderListChanged");
});
