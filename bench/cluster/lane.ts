/** A client of the cluster: places and cancels orders through the proxy, one request after another, without retries. */
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type Credentials, encodeSigned, type Parameters } from "@pricetime/testkit/client";

/** A typical timeout of a trading program. */
const DEADLINE_MS = 1_000;
const AFTER_FAILURE_MS = 10;
const PACE_MS = 15;

export interface LaneOptions {
  readonly name: string;
  readonly proxy: string;
  readonly account: Credentials;
  readonly symbol: string;
  readonly price: string;
  readonly quantity: string;
}

export class Lane {
  /** The time of this client's last acknowledged order. */
  lastMs = performance.now();
  /** The longest time between two acknowledged orders since it was set to 0. */
  worstMs = 0;
  readonly acknowledged: string[] = [];
  /** Requests that were sent and whose outcome is unknown. */
  unknown = 0;
  readonly #options: LaneOptions;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #count = 0;
  #isStopped = false;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async run(): Promise<void> {
    const { name, symbol, price, quantity } = this.#options;
    const terms = { symbol, side: "BUY", type: "LIMIT", timeInForce: "GTC", price, quantity };
    while (!this.#isStopped) {
      const id = `${name}-${++this.#count}`;
      const status = await this.#send("POST", { ...terms, newClientOrderId: id, newOrderRespType: "ACK" });
      if (status === 200) this.#acknowledge(id);
      else {
        if (status === 400) throw new Error(`the order ${id} was refused`);
        if (status === undefined || status === 504) this.unknown++;
        await sleep(AFTER_FAILURE_MS);
        continue;
      }
      await this.#send("DELETE", { symbol, origClientOrderId: id });
      await sleep(PACE_MS);
    }
    this.#agent.destroy();
  }

  #acknowledge(id: string): void {
    this.acknowledged.push(id);
    const nowMs = performance.now();
    this.worstMs = Math.max(this.worstMs, nowMs - this.lastMs);
    this.lastMs = nowMs;
  }

  /** Resolves to the status; undefined if there was no response in time. */
  #send(method: "POST" | "DELETE", parameters: Parameters): Promise<number | undefined> {
    const { proxy, account } = this.#options;
    const signed = encodeSigned({ ...parameters, timestamp: Date.now() }, account.secretKey);
    const { hostname, port } = new URL(proxy);
    const isPost = method === "POST";
    return new Promise((resolve) => {
      const outgoing = request(
        {
          ...{ hostname, port, method, agent: this.#agent, timeout: DEADLINE_MS },
          path: isPost ? "/api/v3/order" : `/api/v3/order?${signed}`,
          headers: {
            "X-MBX-APIKEY": account.apiKey,
            ...(isPost ? { "content-type": "application/x-www-form-urlencoded" } : {}),
          },
        },
        (incoming) => {
          incoming.resume();
          incoming.on("end", () => resolve(incoming.complete ? incoming.statusCode : undefined));
          incoming.on("error", () => resolve(undefined));
        },
      );
      outgoing.on("timeout", () => outgoing.destroy(new Error("no answer in time")));
      outgoing.on("error", () => resolve(undefined));
      outgoing.end(isPost ? signed : undefined);
    });
  }
}
