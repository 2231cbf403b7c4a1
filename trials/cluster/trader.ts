/** A client that places one order after another and records the result of each. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@pricetime/testkit/client";
import type { DemoAccount } from "@pricetime/testkit/venue";

/** An order far below the market. */
export const RESTING = {
  ...{ symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01", price: "20000" },
};
const PAUSE_MS = 10;
const REQUEST_TIMEOUT_MS = 5000;

export class Trader {
  /** Client order IDs of orders with the response 200. */
  readonly acknowledged: string[] = [];
  /** Orders whose outcome is unknown: without a response, or with one that says so. */
  readonly unknown: string[] = [];
  readonly rejections = new Map<string, number>();
  #lastAckMs = performance.now();
  #longestGapMs = 0;
  #isStopped = false;
  readonly #run: Promise<void>;

  constructor(rest: string, account: DemoAccount, name: string) {
    this.#run = this.#trade(new Client(rest, account, 1), name);
  }

  /** The longest time between two accepted orders, including the time since the last one. */
  get longestGapMs(): number {
    return Math.max(this.#longestGapMs, performance.now() - this.#lastAckMs);
  }

  /** Resets the longest gap. */
  watch(): void {
    this.#longestGapMs = 0;
    this.#lastAckMs = performance.now();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#run;
  }

  async #trade(client: Client, name: string): Promise<void> {
    for (let number = 1; !this.#isStopped; number++) {
      await this.#place(client, `${name}-${number}`);
      await sleep(PAUSE_MS);
    }
    client.close();
  }

  /** Places an order that neither trades nor rests. */
  async #place(client: Client, newClientOrderId: string): Promise<void> {
    const order = { ...RESTING, timeInForce: "IOC" };
    const late = sleep(REQUEST_TIMEOUT_MS, undefined, { ref: false });
    const sent = client.signed("POST", "/api/v3/order", { ...order, newClientOrderId }).catch((error: Error) => error);
    const answer = await Promise.race([sent, late]);
    if (answer !== undefined && !(answer instanceof Error) && answer.status === 200)
      this.#acknowledge(newClientOrderId);
    else {
      const why = answer === undefined ? "late" : answer instanceof Error ? answer.message : String(answer.status);
      this.rejections.set(why, (this.rejections.get(why) ?? 0) + 1);
      this.unknown.push(newClientOrderId);
    }
  }

  #acknowledge(id: string): void {
    this.acknowledged.push(id);
    const nowMs = performance.now();
    this.#longestGapMs = Math.max(this.#longestGapMs, nowMs - this.#lastAckMs);
    this.#lastAckMs = nowMs;
  }
}

interface Order {
  readonly clientOrderId: string;
  readonly orderId: number;
}

/** Checks that the node has every acknowledged order once, and every order with an unknown outcome at most once. */
export async function reconcile(rest: string, account: DemoAccount, trader: Trader): Promise<void> {
  const client = new Client(rest, account);
  const seen = new Map<string, number>();
  for (let from = 1; ; ) {
    const query = { symbol: "BTCUSDT", limit: 1000, orderId: from };
    const { json, text } = await client.patient<Order[]>("/api/v3/allOrders", query);
    assert.ok(Array.isArray(json), text);
    for (const { clientOrderId } of json) seen.set(clientOrderId, (seen.get(clientOrderId) ?? 0) + 1);
    if (json.length < query.limit) break;
    from = (json.at(-1)?.orderId ?? 0) + 1;
  }
  client.close();
  const times = (ids: readonly string[]): number[] => ids.map((id) => seen.get(id) ?? 0);
  assert.deepEqual([...new Set(times(trader.acknowledged))], [1], `${rest} lacks what was acknowledged`);
  assert.ok(
    times(trader.unknown).every((count) => count <= 1),
    `${rest} has an order twice`,
  );
}
