/**
 * Clients that are not part of the attack, in a process of their own: one that places and cancels orders at a low
 * steady rate within every limit, and a supervisor that requests `/healthz`, each time on a new connection.
 */
import { request } from "node:http";
import { RawConnection, signedRawRequest } from "@pricetime/testkit/raw-http";
import type { DemoAccount } from "@pricetime/testkit/venue";
import type { QuietOrder, QuietReport, QuietStart } from "./quiet-messages.ts";

const HEALTH_EVERY_MS = 250;
/** The time after which a supervisor counts a probe as failed. */
const HEALTH_PATIENCE_MS = 2_000;
/** After the attack: requests unanswered by then count with their delay so far. */
const LAST_ANSWERS_MS = 10_000;
const POLL_MS = 2;
const RECONNECT_MS = 100;

const report = (what: QuietReport): void => void process.send?.(what);

/** The observations since the last window. */
class Observations {
  #delaysMs: number[] = [];
  #failures: Record<string, number> = {};
  healthAsked = 0;
  healthAnswered = 0;

  delay(ms: number): void {
    this.#delaysMs.push(ms);
  }

  failure(why: string): void {
    this.#failures[why] = (this.#failures[why] ?? 0) + 1;
  }

  take(): Extract<QuietReport, { type: "window" }>["seen"] {
    const { healthAsked, healthAnswered } = this;
    const seen = { delaysMs: this.#delaysMs, failures: this.#failures, healthAsked, healthAnswered };
    this.#delaysMs = [];
    this.#failures = {};
    this.healthAsked = this.healthAnswered = 0;
    return seen;
  }
}

/** One account on one connection: an order, its cancel, the next order. */
class Lane {
  readonly #start: QuietStart;
  readonly #account: DemoAccount;
  readonly #address: string;
  readonly #observations: Observations;
  readonly #dueMs: number[] = [];
  #connection: RawConnection | undefined;
  #orders = 0;
  #isPlaced = false;

  constructor(start: QuietStart, index: number, observations: Observations) {
    this.#start = start;
    this.#account = start.accounts[index] as DemoAccount;
    this.#address = `127.0.0.${100 + index}`;
    this.#observations = observations;
  }

  /** The due times of unanswered requests. */
  get awaited(): readonly number[] {
    return this.#dueMs;
  }

  async open(): Promise<void> {
    this.#connection = await RawConnection.open(this.#start.port, (why) => this.#lost(why), this.#address);
    this.#next();
  }

  due(atMs: number): void {
    if (this.#dueMs.push(atMs) === 1) this.#next();
  }

  #lost(why: string): void {
    this.#connection = undefined;
    this.#observations.failure(`connection lost: ${why}`);
    if (this.#dueMs.length > 0) this.#done();
    this.#reconnect();
  }

  #reconnect(): void {
    setTimeout(() => {
      void this.open().catch(() => {
        this.#observations.failure("no connection");
        this.#reconnect();
      });
    }, RECONNECT_MS);
  }

  #next(): void {
    const connection = this.#connection;
    if (this.#dueMs.length === 0 || connection === undefined || connection.isBusy) return;
    const places = !this.#isPlaced;
    if (places) this.#orders++;
    connection.send(this.#request(places), (status, body) => {
      if (status === 200) this.#isPlaced = places;
      else this.#observations.failure(`${status} ${/"code":(-\d+)/.exec(body)?.[1] ?? ""}`);
      // A rejected cancel is not retried: the next order has another ID.
      if (!places) this.#isPlaced = false;
      this.#done();
    });
  }

  #done(): void {
    this.#observations.delay(performance.now() - (this.#dueMs.shift() ?? 0));
    this.#next();
  }

  #request(places: boolean): string {
    const { symbol } = this.#start;
    const id = `quiet${this.#orders}`;
    const order = places
      ? { symbol, side: "BUY", type: "LIMIT", timeInForce: "GTC", price: "1", quantity: "1", newClientOrderId: id }
      : { symbol, origClientOrderId: id };
    return signedRawRequest(this.#account, {
      ...{ method: places ? "POST" : "DELETE", path: "/api/v3/order", parameters: order },
    });
  }
}

class Quiet {
  readonly #observations = new Observations();
  readonly #lanes: readonly Lane[];
  readonly #start: QuietStart;
  #timers: NodeJS.Timeout[] = [];

  constructor(start: QuietStart) {
    this.#start = start;
    this.#lanes = start.accounts.map((_, index) => new Lane(start, index, this.#observations));
  }

  async open(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.open()));
    let nextMs = performance.now();
    let turn = 0;
    const sendDue = (): void => {
      for (const nowMs = performance.now(); nextMs <= nowMs; nextMs += 1000 / this.#start.rate) {
        this.#lanes[turn++ % this.#lanes.length]?.due(nextMs);
      }
    };
    this.#timers = [setInterval(sendDue, POLL_MS), setInterval(() => this.#probe(), HEALTH_EVERY_MS)];
  }

  window(): void {
    report({ type: "window", seen: this.#observations.take() });
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
    const endMs = performance.now() + LAST_ANSWERS_MS;
    const wait = (): void => {
      const awaited = this.#lanes.flatMap((lane) => lane.awaited);
      const nowMs = performance.now();
      if (awaited.length > 0 && nowMs < endMs) return void setTimeout(wait, POLL_MS);
      for (const dueMs of awaited) {
        this.#observations.delay(nowMs - dueMs);
        this.#observations.failure("no answer");
      }
      report({ type: "stopped", seen: this.#observations.take() });
    };
    // A probe that is being sent is answered by then, or late.
    setTimeout(wait, HEALTH_PATIENCE_MS);
  }

  #probe(): void {
    let isAnswered = false;
    const signal = AbortSignal.timeout(HEALTH_PATIENCE_MS);
    const asked = request(`${this.#start.admin}/healthz`, { agent: false, signal }, (answer) => {
      isAnswered = answer.statusCode === 200;
      answer.resume();
    });
    asked.on("error", () => (isAnswered = false));
    // Counted when it is closed, so that none belongs to two windows.
    asked.on("close", () => {
      this.#observations.healthAsked++;
      if (isAnswered) this.#observations.healthAnswered++;
    });
    asked.end();
  }
}

let quiet: Quiet | undefined;

process.on("message", (order: QuietOrder) => {
  switch (order.type) {
    case "start":
      quiet = new Quiet(order);
      void quiet.open().then(() => report({ type: "started" }));
      return;
    case "window":
      return quiet?.window();
    case "stop":
      return quiet?.stop();
  }
});
process.once("disconnect", () => process.exit());
