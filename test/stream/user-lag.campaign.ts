/** Who places an order hears of it on the stream before, or with, the answer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "@pricetime/testkit/client";
import { type DemoAccount, startExchange } from "@pricetime/testkit/venue";
import { hearUser } from "./user-ear.ts";

const ORDERS = 600;
/** Without a cause in the program it would be next to none; the machine may be busy. */
const LEAST_SHARE = 0.3;

const quantile = (sorted: readonly number[], share: number): string =>
  (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(3);

for (const connections of [1, 16]) {
  test(`from answer to event, ${connections} at a time`, async (t) => {
    const exchange = await startExchange({ args: ["--bots", "off", "--limits", "off"] });
    const account = exchange.accounts[0] as DemoAccount;
    const client = new Client(exchange.rest, account, connections);
    const ear = await hearUser(exchange, account);
    const answeredMs = new Map<string, number>();
    const toldMs = new Map<string, number>();
    ear.onMessage = ({ x, c }) => {
      if (x === "NEW") toldMs.set(c as string, performance.now());
    };
    let next = 0;
    const place = async (): Promise<void> => {
      while (next < ORDERS) {
        const newClientOrderId = `lag-${next++}`;
        const side = next % 2 === 0 ? "BUY" : "SELL";
        const order = { symbol: "BTCUSDT", side, type: "LIMIT", timeInForce: "GTC", quantity: 0.01, price: 50000 };
        await client.signed("POST", "/api/v3/order", { ...order, newClientOrderId });
        answeredMs.set(newClientOrderId, performance.now());
      }
    };
    await Promise.all(Array.from({ length: connections }, place));
    await ear.until(({ c }) => c === `lag-${ORDERS - 1}`);
    const lagsMs = [...answeredMs].map(([id, ms]) => (toldMs.get(id) ?? Infinity) - ms).sort((a, b) => a - b);
    const share = lagsMs.filter((lagMs) => lagMs <= 0).length / lagsMs.length;
    t.diagnostic(
      `event minus answer: p50 ${quantile(lagsMs, 0.5)} ms, p99 ${quantile(lagsMs, 0.99)} ms; before it ${share}`,
    );
    ear.close();
    client.close();
    await exchange.stop();
    assert.ok(share >= LEAST_SHARE, `only ${share} were told before they were answered`);
  });
}
