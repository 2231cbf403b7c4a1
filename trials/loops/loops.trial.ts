/**
 * A newcomer's first bot: it places one order and cancels it, in a loop, on a demo with its default settings. Each loop
 * runs for 20 seconds; with `LOOPS_SECONDS=600 npm run trials -- trials/loops`, for ten minutes.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, Client } from "@pricetime/testkit/client";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";

const LOOP_MS = Number(process.env["LOOPS_SECONDS"] ?? 20) * 1000;
const BURST = 11;
const ORDER = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: 0.01, price: 20_000 };

interface Placed {
  readonly orderId?: number;
  readonly code?: number;
}

let unlimited: Exchange;
let limited: Exchange;
before(async () => {
  [unlimited, limited] = await Promise.all([startExchange({ args: ["--limits", "off"] }), startExchange()]);
});
after(async () => {
  await Promise.all([unlimited.stop(), limited.stop()]);
});

interface Pace {
  readonly perSecond: number;
  /** The least time between orders after a delay, because the limit of 5,000 requests in 5 minutes applies too. */
  readonly leastGapMs: number;
}

/** Places and cancels one order after another; resolves to the orders per second. */
async function loop(exchange: Exchange, name: string, { perSecond, leastGapMs }: Pace): Promise<number> {
  const client = clientOf(exchange, name);
  const startMs = performance.now();
  const wanted = (LOOP_MS / 1000) * perSecond;
  let orders = 0;
  for (; orders < wanted && performance.now() < startMs + 1.5 * LOOP_MS; orders++) {
    const nextMs = Math.max(startMs + ((orders + 1) * 1000) / perSecond, performance.now() + leastGapMs);
    const placed = await client.signed<Placed>("POST", "/api/v3/order", ORDER);
    assert.equal(placed.status, 200, `order ${orders + 1}: ${placed.text}`);
    const { orderId = 0 } = placed.json;
    const canceled = await client.signed("DELETE", "/api/v3/order", { symbol: ORDER.symbol, orderId });
    assert.equal(canceled.status, 200, `order ${orders + 1}, canceled: ${canceled.text}`);
    await sleep(Math.max(0, nextMs - performance.now()));
  }
  await assertFree(client);
  client.close();
  const seconds = (performance.now() - startMs) / 1000;
  assert.ok(orders > wanted / 2, `${orders} in ${seconds} s are not ${perSecond} a second, by far`);
  return orders / seconds;
}

function clientOf({ rest, accounts }: Pick<Exchange, "rest" | "accounts">, name: string): Client {
  return new Client(
    rest,
    accounts.find((account) => account.name === name),
  );
}

async function assertFree(client: Client): Promise<void> {
  const { json } = await client.patient<{ data: { isLocked: boolean } }>("/sapi/v1/account/apiTradingStatus");
  assert.equal(json.data.isLocked, false);
}

test("loops of orders and cancels, and bursts, on the demo", { concurrency: true }, async (t) => {
  await Promise.all([
    t.test("20 orders a second with the limits off: none is rejected", async (own) => {
      const pace = await loop(unlimited, "alice", { perSecond: 20, leastGapMs: 0 });
      own.diagnostic(`${pace.toFixed(2)} orders a second for ${LOOP_MS / 1000} s`);
    }),
    t.test("8 orders a second with the limits on: none is rejected", async (own) => {
      const pace = await loop(limited, "alice", { perSecond: 8, leastGapMs: 122 });
      own.diagnostic(`${pace.toFixed(2)} orders a second for ${LOOP_MS / 1000} s`);
    }),
    t.test("a burst of 11 orders in one second: -1015, and nothing else", burst),
  ]);
});

/** Sends few requests, because they count for the same address as those of the loop. */
async function burst(): Promise<void> {
  const client = clientOf(limited, "bob");
  const refused: Answer<Placed>[] = [];
  for (let tries = 0; refused.length === 0; tries++) {
    assert.ok(tries < 5, "55 orders, and none was rejected");
    // The limit counts calendar seconds, so the burst starts at the beginning of one.
    await sleep(1000 - (Date.now() % 1000) + 20);
    const burst = Array.from({ length: BURST }, () => client.signed<Placed>("POST", "/api/v3/order", ORDER));
    refused.push(...(await Promise.all(burst)).filter(({ status }) => status !== 200));
  }
  for (const { status, json, text } of refused) assert.deepEqual([status, json.code], [429, -1015], text);
  assert.ok(refused.length === 1, `${refused.length} of ${BURST} were rejected`);
  await sleep(1000);
  assert.equal(
    (await client.signed("POST", "/api/v3/order", ORDER)).status,
    200,
    "an order is accepted in the next second",
  );
  await assertFree(client);
  client.close();
}
