/**
 * The real program among bad clients: each gets its error or its close code, and those that do as they
 * should notice nothing: the delay from an order to its trade on a stream is what it was before.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { WebSocket } from "ws";
import { ABUSES } from "./bad-clients.ts";
import { quantile } from "@pricetime/testkit/quantile";
import { Client } from "@pricetime/testkit/client";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";

const ORDERS = 120;
const TIMEOUT_MS = 240_000;
const PACE_MS = 5;
/** Figures are for the reader: a busy machine is not a slow exchange. But whoever waits this long was held up. */
const HELD_UP_MS = 2000;

let exchange: Exchange;
before(async () => {
  exchange = await startExchange({ args: ["--bots", "off", "--limits", "off"] });
});
after(() => exchange.stop());

/** Milliseconds from an order to its trade on a stream. */
async function delays(): Promise<number[]> {
  const [first, second] = exchange.accounts;
  assert.ok(first && second);
  const clients = [new Client(exchange.rest, first, 1), new Client(exchange.rest, second, 1)] as const;
  const socket = new WebSocket(`${exchange.ws}/ws/btcusdt@trade`);
  socket.on("error", () => {});
  await once(socket, "open");
  const seen: number[] = [];
  const order = { symbol: "BTCUSDT", type: "LIMIT", timeInForce: "GTC", price: "50000.00", quantity: "0.001000" };
  for (let n = 0; n < ORDERS; n++) {
    const [maker, taker] = n % 2 === 0 ? clients : [clients[1], clients[0]];
    assert.equal((await maker.signed("POST", "/api/v3/order", { ...order, side: "SELL" })).status, 200);
    const startMs = performance.now();
    const trade = once(socket, "message");
    const placed = taker.signed("POST", "/api/v3/order", { ...order, side: "BUY" });
    await trade;
    seen.push(performance.now() - startMs);
    assert.equal((await placed).status, 200);
    await sleep(PACE_MS);
  }
  socket.terminate();
  for (const client of clients) client.close();
  return seen;
}

suite("bad clients", () => {
  for (const [name, abuse] of Object.entries(ABUSES)) test(name, { timeout: TIMEOUT_MS }, () => abuse(exchange));

  test("others see no change in delay", { timeout: TIMEOUT_MS }, async (t) => {
    await delays();
    const quiet = await delays();
    const bad = new Worker(new URL("./bad-clients.ts", import.meta.url), {
      workerData: { ws: exchange.ws, admin: exchange.admin },
    });
    const failed = once(bad, "error").then(([error]) => Promise.reject(error as Error));
    const disturbed = await Promise.race([delays(), failed]);
    bad.postMessage("enough");
    const [times] = await Promise.race([once(bad, "message"), failed]);
    const figures = [0.5, 0.99].map((share) => [quantile(quiet, share), quantile(disturbed, share)] as const);
    const [p50, p99] = figures.map((pair) => pair.map((ms) => `${ms.toFixed(2)} ms`).join(" -> "));
    t.diagnostic(`order to trade, alone -> among bad clients: p50 ${p50}, p99 ${p99}; ${JSON.stringify(times)}`);
    const [[, among] = [Number.NaN, Number.NaN]] = figures;
    assert.ok(among < HELD_UP_MS, `the middle delay among bad clients was ${among} ms`);
  });
});
