/**
 * hftbacktest #67 asks how far a test's result is from that of the same orders live. Here a node is the live market: a
 * bot that makes a market beside bots and agents is recorded by `lab record`, and its orders are sent again, each at
 * its time, during the replay.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { until } from "@pricetime/testkit/waiting";
import { recordMarket } from "../../../src/program/cli/lab/record-market.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { type RunningLab, startLab } from "../checkpoints/running-lab.ts";

const SYMBOL = "BTCUSDT";
const START = "2026-01-14T14:00:00.000Z";
const STEP_MS = 2_000;
const STEPS = 150;
const QUANTITY = 0.02;

interface Quote {
  readonly side: "BUY" | "SELL";
  readonly price: string;
  readonly newClientOrderId: string;
}

/** One step of the bot: the order that it cancels, if it is open, and the one that it places. */
interface Step {
  readonly withdraws: readonly string[];
  readonly places: readonly Quote[];
}

interface Placed {
  readonly clientOrderId: string;
  readonly side: "BUY" | "SELL";
  readonly price: string;
  readonly executedQty: string;
  readonly cummulativeQuoteQty: string;
}

interface Outcome {
  readonly orders: ReadonlyMap<string, Placed>;
  /** Bought minus sold, in the base asset and in the quote asset. */
  readonly position: number;
  readonly cash: number;
  readonly volume: number;
}

async function step(lab: RunningLab, { withdraws, places }: Step): Promise<void> {
  const [client = assert.fail()] = lab.clients;
  for (const origClientOrderId of withdraws) {
    const { status, json, text } = await client.signed<{ code?: number }>("DELETE", "/api/v3/order", {
      symbol: SYMBOL,
      origClientOrderId,
    });
    assert.ok(status === 200 || json.code === -2011, text);
  }
  for (const quote of places) {
    const order = { symbol: SYMBOL, type: "LIMIT", timeInForce: "GTC", quantity: QUANTITY, ...quote };
    const { status, text } = await client.signed("POST", "/api/v3/order", order);
    assert.equal(status, 200, text);
  }
  await lab.ask("POST", "/v1/lab/clock/advance", { ms: STEP_MS });
}

async function outcomeOf(lab: RunningLab): Promise<Outcome> {
  const [client = assert.fail()] = lab.clients;
  const { json: orders } = await client.patient<readonly Placed[]>("/api/v3/allOrders", {
    symbol: SYMBOL,
    limit: 1000,
  });
  const sum = (of: (order: Placed) => number): number => orders.reduce((total, order) => total + of(order), 0);
  const sign = ({ side }: Placed): number => (side === "BUY" ? 1 : -1);
  return {
    orders: new Map(orders.map((order) => [order.clientOrderId, order])),
    position: sum((order) => sign(order) * Number(order.executedQty)),
    cash: sum((order) => -sign(order) * Number(order.cummulativeQuoteQty)),
    volume: sum((order) => Number(order.executedQty)),
  };
}

interface Live {
  readonly steps: readonly Step[];
  readonly outcome: Outcome;
  readonly file: string;
  readonly firstMs: number;
  readonly lastPrice: number;
}

/** The bot joins both sides at the best price, and moves there at each step. */
async function live(t: TestContext): Promise<Live> {
  const lab = await startLab(t, { bots: "on", clockStart: START, seed: 5, timing: "off" });
  await lab.ask("POST", "/v1/lab/agents", { type: "noise", symbol: SYMBOL, count: 5 });
  await lab.ask("POST", "/v1/lab/agents", { type: "momentum", symbol: SYMBOL, thresholdBps: 1 });
  const file = join(scratchFolder(t), "live.jsonl");
  const told = Promise.withResolvers<void>();
  const recording = recordMarket({
    ...{ rest: lab.rest, streams: lab.ws, symbol: SYMBOL, path: file, until: told.promise },
    ...{ nowMs: MACHINE.nowMs, timers: MACHINE, note: assert.fail },
  });
  await until("the recording has begun", () => existsSync(file));
  const steps: Step[] = [];
  for (let at = 0; at < STEPS; at++) {
    const ticker = await fetch(`${lab.rest}/api/v3/ticker/bookTicker?symbol=${SYMBOL}`);
    const { bidPrice, askPrice } = (await ticker.json()) as { bidPrice: string; askPrice: string };
    const withdraws = steps.at(-1)?.places.map(({ newClientOrderId }) => newClientOrderId) ?? [];
    const places: Quote[] = [
      { side: "BUY", price: bidPrice, newClientOrderId: `buy-${at}` },
      { side: "SELL", price: askPrice, newClientOrderId: `sell-${at}` },
    ];
    const next = { withdraws, places };
    await step(lab, next);
    steps.push(next);
  }
  const answer = await fetch(`${lab.rest}/api/v3/trades?symbol=${SYMBOL}&limit=1`);
  const [last = assert.fail()] = (await answer.json()) as { readonly id: number; readonly price: string }[];
  const recordedTrades = (): { readonly t: number; readonly T: number }[] =>
    readFileSync(file, "utf8")
      .split("\n")
      .slice(1, -1)
      .map((line) => (JSON.parse(line) as { readonly data: { readonly e?: string; t: number; T: number } }).data)
      .filter(({ e }) => e === "trade");
  await until("all is recorded", () => recordedTrades().at(-1)?.t === last.id);
  told.resolve();
  assert.deepEqual(((kept) => [kept.gaps, kept.missedTrades])(await recording), [0, 0]);
  const outcome = await outcomeOf(lab);
  const firstMs = recordedTrades()[0]?.T ?? assert.fail();
  await lab.stop();
  return { steps, outcome, file, firstMs, lastPrice: Number(last.price) };
}

async function replayed(t: TestContext, { steps, file, firstMs }: Live, band: object): Promise<Outcome> {
  const lab = await startLab(t, { bots: "on", clockStart: START, seed: 5, timing: "off" });
  await lab.ask("POST", "/v1/lab/replays", { symbol: SYMBOL, files: [file], startAtMs: firstMs, band });
  for (const one of steps) await step(lab, one);
  const outcome = await outcomeOf(lab);
  await lab.stop();
  return outcome;
}

test("hftbacktest #67: the orders that a bot sent live, sent again while its recording is replayed, are filled at least as far with nobody before them, and nearly as far with the usual quotes", async (t) => {
  const was = await live(t);
  const [first, usual] = [await replayed(t, was, { levels: 0 }), await replayed(t, was, {})];
  const textOf = ({ volume, position, cash }: Outcome): string =>
    `${volume.toFixed(4)} filled, result ${(cash + position * was.lastPrice).toFixed(2)}`;
  const told = `live: ${textOf(was.outcome)}; replayed: ${textOf(first)}; behind the usual quotes: ${textOf(usual)}`;
  t.diagnostic(told);
  const names = [...was.outcome.orders.keys()];
  assert.deepEqual([...first.orders.keys()].toSorted(), names.toSorted());
  const filled = ({ orders }: Outcome, name: string): number => Number(orders.get(name)?.executedQty);
  assert.deepEqual(
    names.filter((name) => filled(first, name) < filled(was.outcome, name)),
    [],
  );
  const { volume } = was.outcome;
  assert.ok(volume > 20 * QUANTITY, told);
  // It is filled instead of others who were ahead of it live: at most so much.
  assert.ok(first.volume < 1.5 * volume, told);
  assert.ok(Math.abs(usual.volume / volume - 1) < 0.1, told);
});
