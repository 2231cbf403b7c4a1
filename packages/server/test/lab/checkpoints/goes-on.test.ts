/**
 * A restored lab continues exactly like one that never stopped: the same answers, messages, journal and checkpoints.
 * Parts with unsaved state are planted, to show that the comparison finds it.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test, type TestContext } from "node:test";
import { inTheEnd } from "@pricetime/testkit/scratch";
import { IpLimiter } from "../../../src/api/edge/rate-limits.ts";
import { DepthStream } from "../../../src/api/streams/market/book.ts";
import { type RunningLab, startLab } from "./running-lab.ts";

const SYMBOL = "BTCUSDT";
const STREAMS = ["depth@100ms", "depth5", "kline_1m", "ticker", "trade"].map((name) => `btcusdt@${name}`);
const PAGES = ["lab/clock", "lab/markets", "lab/agents", "lab/faults", "lab/latency", "journal", "networks"];
const TRADING_STATUS = "/sapi/v1/account/apiTradingStatus";

/** A client and operator of a lab, and what they see. */
class Visitor {
  readonly lab: RunningLab;
  readonly seen: unknown[] = [];
  readonly #stream: WebSocket;
  readonly #messages: string[] = [];

  constructor(t: TestContext, lab: RunningLab) {
    this.lab = lab;
    this.#stream = new WebSocket(`${lab.ws}/stream?streams=${STREAMS.join("/")}/!miniTicker@arr`);
    this.#stream.addEventListener("message", ({ data }) => void this.#messages.push(String(data)));
    inTheEnd(t, () => this.#stream.close());
  }

  get opened(): Promise<unknown> {
    return once(this.#stream, "open");
  }

  /** In the admin API of the lab. */
  async ask(path: string, body: object, method = "POST"): Promise<void> {
    this.seen.push(await this.lab.ask(method, `/v1/${path}`, body));
  }

  /** The answer, with the usage of limits in its headers. */
  async signed(method: "GET" | "POST", path: string, parameters = {}, account = 0): Promise<void> {
    const { nowMs: timestamp } = await this.lab.ask<{ nowMs: number }>("GET", "/v1/lab/clock");
    const { status, text, headers } = await this.lab.clients[account]!.signed(method, path, {
      ...parameters,
      timestamp,
    });
    this.seen.push([status, text, Object.entries(headers).filter(([name]) => name.startsWith("x-mbx"))]);
  }

  order(side: "BUY" | "SELL", price: string, account = 0): Promise<void> {
    const order = { symbol: SYMBOL, side, type: "LIMIT", timeInForce: "GTC", quantity: "0.01", price };
    return this.signed("POST", "/api/v3/order", order, account);
  }

  async signIn(times: number): Promise<void> {
    const headers = { "content-type": "application/json", "x-pricetime-page": "account", origin: this.lab.rest };
    const body = JSON.stringify({ email: this.lab.accounts[1]!.email, password: "a wrong one" });
    for (let i = 0; i < times; i++) {
      const answer = await fetch(`${this.lab.rest}/account/v1/sign-in`, { method: "POST", headers, body });
      this.seen.push([answer.status, await answer.json()]);
    }
  }

  pay(amount: string): Promise<void> {
    return this.ask("networks/BTC/sandbox/faucet", { asset: "BTC", account: this.lab.accounts[0]!.email, amount });
  }

  /** The answers of the admin API, and the messages so far. */
  async look(): Promise<void> {
    for (const page of PAGES) this.seen.push(await this.lab.ask("GET", `/v1/${page}`));
    this.#stream.send('{"method":"LIST_SUBSCRIPTIONS","id":1}');
    const isAnswer = (text: string): boolean => text.startsWith('{"result":');
    while (!this.#messages.some(isAnswer)) await once(this.#stream, "message");
    this.seen.push(this.#messages.splice(0).filter((text) => !isAnswer(text)));
  }
}

/** Every kind of part has state afterwards. */
async function begin(visitor: Visitor): Promise<void> {
  await visitor.ask("lab/agents", { type: "noise", symbol: SYMBOL, everyMs: 2_000 });
  await visitor.ask("lab/markets/ETHUSDT", { crash: { percent: 5, overMs: 20_000 } });
  await visitor.ask("lab/markets/ETHUSDT", { halt: true, inMs: 9_000 });
  await visitor.ask("lab/latency", { marketData: { samplesMs: [3, 4, 7] } });
  await visitor.ask("lab/faults", { fault: "reply", code: -1003, where: { endpoint: "order.place" }, skip: 5 });
  await visitor.order("BUY", "30000.00");
  await visitor.signIn(2);
  await visitor.pay("2");
  await visitor.signed("GET", TRADING_STATUS);
  await visitor.ask("lab/clock/advance", { ms: 2_345 });
  await visitor.look();
}

/** Many changes that a restore must revert. */
async function detour(visitor: Visitor): Promise<void> {
  for (const price of ["31000.00", "32000.00", "33000.00"]) await visitor.order("BUY", price, 1);
  await visitor.signIn(3);
  await visitor.pay("5");
  await visitor.ask("lab/agents/1", {}, "DELETE");
  await visitor.ask("lab/latency", {});
  await visitor.ask("lab/clock/advance", { ms: 4_321 });
  await visitor.signed("GET", TRADING_STATUS);
}

async function goOn(visitor: Visitor): Promise<unknown[]> {
  visitor.seen.length = 0;
  for (const price of ["30500.00", "30600.00"]) await visitor.order("BUY", price);
  await visitor.signIn(4);
  await visitor.pay("3");
  for (let round = 0; round < 3; round++) {
    await visitor.order("SELL", "30400.00", 1);
    await visitor.ask("lab/clock/advance", { ms: 3_000 });
    await visitor.signed("GET", "/api/v3/openOrders");
  }
  await visitor.signed("GET", TRADING_STATUS);
  await visitor.look();
  await visitor.ask("lab/checkpoints", { name: "end" });
  return visitor.seen;
}

/** What is visible of a lab that never stopped, and of a restored one. */
async function bothLives(t: TestContext): Promise<readonly [steady: unknown[], restored: unknown[]]> {
  const open = async (): Promise<Visitor> => {
    const visitor = new Visitor(t, await startLab(t, { bots: "on", seed: 7 }));
    await visitor.opened;
    await begin(visitor);
    await visitor.ask("lab/checkpoints", { name: "here" });
    return visitor;
  };
  const [steady, restored] = [await open(), await open()];
  assert.deepEqual(restored.seen, steady.seen, "the labs are the same until then");
  await detour(restored);
  await restored.ask("lab/checkpoints/here/restore", { keepConnections: true });
  await restored.look();
  return [await goOn(steady), await goOn(restored)];
}

test("a lab that is restored goes on as one that never stopped, byte by byte", async (t) => {
  const [steady, restored] = await bothLives(t);
  assert.deepEqual(restored, steady);
});

/** Counts the calls of a method in each object, and adds the count to an argument: unsaved state. */
function plant<Part extends object>(t: TestContext, part: Part, name: keyof Part, argument: number): void {
  const method = part[name] as (...given: unknown[]) => unknown;
  const calls = new WeakMap<object, number>();
  const planted = function (this: object, ...given: unknown[]): unknown {
    const count = (calls.get(this) ?? 0) + 1;
    calls.set(this, count);
    return method.apply(this, given.with(argument, Number(given[argument]) + (count % 31)));
  };
  Object.assign(part, { [name]: planted });
  t.after(() => Object.assign(part, { [name]: method }));
}

const PLANTS: Readonly<Record<string, (t: TestContext) => void>> = {
  "limits of addresses": (t) => plant(t, IpLimiter.prototype, "count", 1),
  "open streams": (t) => plant(t, DepthStream.prototype, "touched", 1),
};

for (const [place, planted] of Object.entries(PLANTS)) {
  test(`state that a part of the ${place} forgets to save is found`, async (t) => {
    planted(t);
    const [steady, restored] = await bothLives(t);
    assert.notDeepEqual(restored, steady);
  });
}
