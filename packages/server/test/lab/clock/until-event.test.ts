/** What a clock is advanced to: the first fill of an account, the first trade at a price; and no further. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { type RunningLab, startLab } from "../checkpoints/running-lab.ts";

const SYMBOL = "BTCUSDT";
const MINUTE_MS = 60_000;

interface Advanced {
  readonly nowMs: number;
  readonly reached: boolean;
}

interface Trade {
  readonly price: string;
  readonly time: number;
  readonly isMaker: boolean;
}

/** A lab whose bots have traded for ten seconds. */
class Market {
  readonly lab: RunningLab;
  nowMs = 0;
  /** The last one when the market was opened. */
  price = 0;

  private constructor(lab: RunningLab) {
    this.lab = lab;
  }

  static async open(t: TestContext): Promise<Market> {
    const market = new Market(await startLab(t, { bots: "on" }));
    ({ nowMs: market.nowMs } = await market.lab.ask<Advanced>("POST", "/v1/lab/clock/advance", { ms: 10_000 }));
    const { json } = await market.#alice.public<{ price: string }>("/api/v3/ticker/price", { symbol: SYMBOL });
    market.price = Number(json.price);
    return market;
  }

  async until(event: object, maxMs = 10 * MINUTE_MS): Promise<Advanced> {
    const advanced = await this.lab.ask<Advanced>("POST", "/v1/lab/clock/advance", { untilEvent: event, maxMs });
    this.nowMs = advanced.nowMs;
    return advanced;
  }

  async move(move: object): Promise<void> {
    await this.lab.ask("POST", `/v1/lab/markets/${SYMBOL}`, move);
  }

  /** The demo's first account. */
  async place(order: Record<string, string>): Promise<void> {
    const { status, text } = await this.#alice.signed("POST", "/api/v3/order", {
      ...{ symbol: SYMBOL, quantity: "0.01", timestamp: this.nowMs },
      ...order,
    });
    assert.equal(status, 200, text);
  }

  async fills(): Promise<Trade[]> {
    const asked = { symbol: SYMBOL, timestamp: this.nowMs };
    return (await this.#alice.signed<Trade[]>("GET", "/api/v3/myTrades", asked)).json;
  }

  /** All trades of the symbol from this time on. */
  async trades(startTime: number): Promise<{ readonly priceOf: number; readonly atMs: number }[]> {
    const asked = { symbol: SYMBOL, startTime, endTime: this.nowMs, limit: 1000 };
    const { json } = await this.#alice.public<{ p: string; T: number }[]>("/api/v3/aggTrades", asked);
    assert.ok(json.length > 0 && json.length < 1000, `${json.length} trades, none of them left out`);
    return json.map(({ p, T }) => ({ priceOf: Number(p), atMs: T }));
  }

  get #alice(): RunningLab["clients"][number] {
    const [alice] = this.lab.clients;
    assert.ok(alice !== undefined);
    return alice;
  }
}

/** Orders that trade when the price has fallen by a twentieth. */
const FILLED = {
  maker: (low: string) => ({ side: "BUY", type: "LIMIT", timeInForce: "GTC", price: low }),
  taker: (low: string) => ({ side: "SELL", type: "STOP_LOSS", stopPrice: low }),
} as const;

for (const [role, order] of Object.entries(FILLED)) {
  test(`an account's fill as ${role}, at its very moment; trades of others and in other symbols are none`, async (t) => {
    const market = await Market.open(t);
    const [{ email: account } = { email: "" }, { email: other } = { email: "" }] = market.lab.accounts;
    const beginMs = market.nowMs;
    await market.place(order((market.price * 0.95).toFixed(2)));

    assert.deepEqual(await market.until({ fill: { account } }, 5_000).then(({ nowMs, reached }) => [nowMs, reached]), [
      beginMs + 5_000,
      false,
    ]);
    assert.ok((await market.trades(beginMs)).length > 0, "the bots traded meanwhile");

    await market.move({ crash: { percent: 10, overMs: MINUTE_MS } });
    const { reached, nowMs } = await market.until({ fill: { account, symbol: SYMBOL } });
    assert.equal(reached, true);
    assert.ok(nowMs > beginMs + 5_000 && nowMs < beginMs + 5_000 + MINUTE_MS, "the price was on its way");
    const fills = await market.fills();
    assert.ok(fills.length > 0);
    for (const { time, isMaker } of fills) assert.deepEqual([time, isMaker], [nowMs, role === "maker"]);

    await market.place({ side: "BUY", type: "MARKET" });
    for (const none of [{ account, symbol: "ETHUSDT" }, { account }, { account: other }]) {
      const fromMs = market.nowMs;
      const waited = await market.until({ fill: none }, 2_000);
      assert.deepEqual([waited.nowMs, waited.reached], [fromMs + 2_000, false], JSON.stringify(none));
    }
  });
}

for (const [name, move, bound, percent] of [
  ["up", "spike", "atLeast", 105],
  ["down", "crash", "atMost", 95],
] as const) {
  test(`a price crossed on the way ${name}: the clock stands at the first trade there`, async (t) => {
    const market = await Market.open(t);
    const beginMs = market.nowMs;
    const limit = (market.price * percent) / 100;
    const event = { price: { symbol: SYMBOL, [bound]: limit.toFixed(2) } };
    const isThere = ({ priceOf }: { readonly priceOf: number }): boolean =>
      bound === "atLeast" ? priceOf >= Number(limit.toFixed(2)) : priceOf <= Number(limit.toFixed(2));

    const early = await market.until(event, 5_000);
    assert.deepEqual([early.nowMs, early.reached], [beginMs + 5_000, false]);
    await market.move({ [move]: { percent: 10, overMs: MINUTE_MS } });
    const { reached, nowMs } = await market.until(event);
    assert.equal(reached, true);
    const trades = await market.trades(beginMs);
    assert.equal(trades.find(isThere)?.atMs, nowMs);
    assert.ok(
      trades.some((trade) => trade.atMs < nowMs && !isThere(trade)),
      "there were others before",
    );
    assert.equal(trades.at(-1)?.atMs, nowMs, "and none since");

    // An earlier price does not count: the next trade at it does.
    const next = await market.until(event);
    assert.equal(next.reached, true);
    assert.ok(next.nowMs > nowMs);
  });
}
