/** Ending a symbol's orders in steps, compared with the model and across restarts, and what does not end orders. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ADOPT_NEWEST_RULES, type Command, Engine } from "@pricetime/engine";
import { NaiveBook } from "@pricetime/engine/naive-book";
import { createApiKey, deposit, listAsset, listSymbol, openAccount, placeOrder } from "@pricetime/testkit/commands";
import { Dice } from "@pricetime/testkit/dice";
import { happeningsOf, ModelExchange, sentence } from "@pricetime/testkit/models";
import { MAX_ENDED_A_STEP } from "../../src/limits.ts";
import { BY, START_MS } from "../harness.ts";

const ACCOUNTS = [100, 101, 102];
const SYMBOLS = ["BTCUSDT", "ETHUSDT"];
const WHY = "a test";

/** The engine on both books and the model, which must agree on every command. */
class Trio {
  #fast = new Engine();
  readonly #naive = new Engine({ newBook: () => new NaiveBook() });
  readonly #model = new ModelExchange();
  nowMs = START_MS;

  get engine(): Engine {
    return this.#fast;
  }

  run(command: Command): string[] {
    const entry = { seq: this.#fast.seq + 1, timeMs: this.nowMs, command };
    const story = happeningsOf(this.#fast, this.#fast.apply(entry)).map(sentence);
    assert.deepEqual(happeningsOf(this.#naive, this.#naive.apply(entry)).map(sentence), story, "naive book");
    assert.deepEqual(this.#model.apply(this.nowMs, command).map(sentence), story, "model");
    return story;
  }

  restart(): void {
    const bytes = this.#fast.snapshot();
    this.#fast = Engine.restore(bytes);
    assert.deepEqual(this.#fast.snapshot(), bytes);
  }
}

function venue(): Trio {
  const trio = new Trio();
  const opening: Command[] = [ADOPT_NEWEST_RULES, ...["USDT", "BTC", "ETH"].map((asset) => listAsset(asset))];
  for (const base of ["BTC", "ETH"]) opening.push(listSymbol(`${base}/USDT`));
  for (const accountId of ACCOUNTS) {
    opening.push(openAccount(`${accountId}@example.org`));
    for (const asset of ["USDT", "BTC", "ETH"]) opening.push(deposit(accountId, asset, "100000000"));
  }
  for (const command of opening) trio.run(command);
  return trio;
}

/** Resting orders, waiting orders and lists, none of which trades. */
function somethingOpen(dice: Dice, symbolId: number, n: number): Command {
  const accountId = dice.pick(ACCOUNTS);
  const side = dice.pick(["BUY", "SELL"] as const);
  const away = dice.between(1, 40);
  const [below, above] = [10_000 - away, 10_000 + away];
  const [near, far] = side === "BUY" ? [below, above] : [above, below];
  const order = { accountId, symbolId, side, quantityLots: 10, clientOrderId: `c${n}` };
  const leg = { timeInForce: "GTC", icebergLots: 0 } as const;
  return dice.weighted<Command>([
    [6, placeOrder({ ...order, priceTicks: near })],
    [2, placeOrder({ ...order, orderType: "STOP_LOSS", priceTicks: 0, stopTicks: far })],
    [
      2,
      {
        ...{ type: "placeOco", accountId, symbolId, side, quantityLots: 10, listClientOrderId: `l${n}` },
        stopLeg: { ...leg, orderType: "STOP_LOSS", priceTicks: 0, stopTicks: far, clientOrderId: `s${n}` },
        limitLeg: { ...leg, orderType: "LIMIT_MAKER", priceTicks: near, stopTicks: 0, clientOrderId: `m${n}` },
      },
    ],
  ]);
}

/** Commands that may occur between two steps. */
function between(dice: Dice): Command {
  const accountId = dice.pick(ACCOUNTS);
  const symbol = dice.pick(SYMBOLS);
  const cancel = { accountId, symbolId: dice.below(2), newClientOrderId: "x" };
  return dice.weighted<Command>([
    [8, { type: "tick" }],
    [3, { type: "cancelOrder", ...cancel, orderId: 1 + dice.below(4_000), origClientOrderId: "" }],
    [1, { type: "cancelOpenOrders", ...cancel }],
    [1, { type: "endAccountOrders", by: BY, accountId, symbol, why: WHY }],
    [3, { type: "endOrder", by: BY, orderId: 1 + dice.below(4_000), why: WHY }],
    [2, { type: "endSymbolOrders", by: BY, symbol, why: WHY }],
    [2, { type: "setSymbolStatus", by: BY, symbol, status: dice.pick(["TRADING", "HALT", "END_OF_DAY"] as const) }],
    [1, { type: "setDelisting", by: BY, symbol, atMs: dice.oneIn(2) ? null : START_MS + 1_000, why: WHY }],
    [1, placeOrder({ accountId, symbolId: 0, side: "SELL", priceTicks: 11_000, quantityLots: 1 })],
  ]);
}

test("orders of symbols end in steps, with any commands in between", () => {
  let mostSteps = 0;
  for (let seed = 1; seed <= 3; seed++) {
    const dice = new Dice(seed);
    const trio = venue();
    for (let n = 0; n < 2_600; n++) trio.run(somethingOpen(dice, dice.oneIn(4) ? 1 : 0, n));
    for (const symbol of SYMBOLS) {
      trio.run({ type: "setSymbolStatus", by: BY, symbol, status: "HALT" });
      trio.run({ type: "endSymbolOrders", by: BY, symbol, why: WHY });
    }
    let steps = 0;
    for (let i = 0; i < 60; i++) {
      trio.nowMs += dice.below(60);
      const before = trio.engine.openOrderCount;
      const command = between(dice);
      const isEnding = trio.engine.markets().some(({ isEndingOrders }) => isEndingOrders);
      assert.equal(trio.engine.nextDueMs() === 0, isEnding, "a step is due at once while orders are ending");
      trio.run(command);
      const ended = before - trio.engine.openOrderCount;
      if (command.type === "tick") {
        assert.ok(ended <= MAX_ENDED_A_STEP + 1, `${ended} orders in one step`);
        if (ended > 0) steps++;
      }
      if (dice.oneIn(6)) trio.restart();
    }
    trio.engine.checkInvariants();
    mostSteps = Math.max(mostSteps, steps);
  }
  assert.ok(mostSteps > 1, "orders must end in several steps");
});

test("a symbol returns to TRADING only after all its orders have ended", () => {
  const trio = venue();
  const dice = new Dice(7);
  for (let n = 0; n < MAX_ENDED_A_STEP; n++) trio.run(somethingOpen(dice, 0, n));
  const trade: Command = { type: "setSymbolStatus", by: BY, symbol: "BTCUSDT", status: "TRADING" };
  trio.run({ ...trade, status: "HALT" });
  trio.run({ type: "endSymbolOrders", by: BY, symbol: "BTCUSDT", why: WHY });
  assert.ok(trio.engine.openOrderCount > 0, "lists have two orders");
  assert.deepEqual(trio.run(trade), ["refused ORDERS_ARE_ENDING"]);
  trio.run({ type: "tick" });
  assert.equal(trio.engine.openOrderCount, 0);
  assert.equal(trio.engine.nextDueMs(), Number.POSITIVE_INFINITY);
  assert.deepEqual(trio.run(trade), ["symbol BTCUSDT changed"]);
});

test("deleting an API key does not end open orders", () => {
  const trio = venue();
  const dice = new Dice(1);
  for (let n = 0; n < 20; n++) trio.run(somethingOpen(dice, 0, n));
  const open = trio.engine.openOrders(100);
  assert.ok(open.length > 0);
  const key = createApiKey(100, "k".repeat(64), { sealedSecret: "s", permissions: ["TRADE"] });
  for (const command of [key, { type: "deleteApiKey", by: BY, apiKey: "k".repeat(64) }] as const) {
    const { engine } = trio;
    engine.apply({ seq: engine.seq + 1, timeMs: trio.nowMs, command });
  }
  assert.equal(trio.engine.apiKeys(100).length, 0);
  assert.deepEqual(trio.engine.openOrders(100), open);
});
