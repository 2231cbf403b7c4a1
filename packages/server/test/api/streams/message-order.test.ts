/**
 * Stream messages of an entry are sent before the response to its request, with both readers, however long handlers
 * wait.
 */
import assert from "node:assert/strict";
import { request } from "node:http";
import { Socket } from "node:net";
import { afterEach, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import type { Command } from "@pricetime/engine";
import { encodeSigned, hmacKey, type Parameters as Sent } from "@pricetime/testkit/client";
import { until } from "@pricetime/testkit/waiting";
import { ApiClient } from "@pricetime/testkit/ws-client";
import { SendQueue } from "../../../src/api/edge/send-queue.ts";
import type { Outcome, Sequencer } from "../../../src/journal/sequencer/port.ts";
import { SocketVenue, type TestSocket } from "./socket-venue.ts";

/** Commands wait here until the test applies them in one turn, as a batch. */
class Batches implements Sequencer {
  venue: SocketVenue | undefined;
  readonly #waiting: { command: Command; settle: Parameters<Sequencer["submit"]>[1] }[] = [];

  submit(command: Command, settle: Parameters<Sequencer["submit"]>[1]): void {
    this.#waiting.push({ command, settle });
  }
  run(command: Command): Promise<Outcome> {
    return new Promise((resolve, reject) =>
      this.submit(command, (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome))),
    );
  }
  nowMs(): number {
    return this.venue?.nowMs ?? 0;
  }

  /** Waits for this many commands, then applies them in one turn. */
  async apply(count: number): Promise<void> {
    await until(`${count} commands`, () => this.#waiting.length >= count);
    for (const { command, settle } of this.#waiting.splice(0)) {
      assert.ok(this.venue !== undefined);
      settle(this.venue.apply(command));
    }
  }
}

interface Stage {
  readonly venue: SocketVenue;
  readonly batches: Batches;
  readonly recorder: TestSocket;
  /** Everything written to the sockets, in order. */
  readonly written: string[];
}

const realWrite = Socket.prototype.write;
afterEach(() => void (Socket.prototype.write = realWrite));

/** Subscribes to the trader's stream and records everything that is written. */
async function openStage(): Promise<Stage> {
  const batches = new Batches();
  const venue = await SocketVenue.start({ limitsRates: false, sequencer: batches });
  batches.venue = venue;
  venue.act({ type: "openListenKey", accountId: venue.trader.accountId, listenKey: "K".repeat(64) });
  const recorder = await venue.dial(`/ws/${"K".repeat(64)}`);
  const written: string[] = [];
  Socket.prototype.write = function (this: Socket, ...args: [never]) {
    if (this.localPort === venue.port) written.push(String(args[0]));
    return realWrite.apply(this, args);
  };
  return { venue, batches, recorder, written };
}

const ORDER = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "1", price: "100" };

/** A signed request of the trader over HTTP. Without a Content-Length, the body is chunked and read by `node:http`. */
function ask({ venue }: Stage, method: string, path: string, parameters: Sent, inPieces = false): Promise<string> {
  const signed = encodeSigned({ ...parameters, timestamp: venue.nowMs }, venue.trader.secretKey);
  const headers = {
    "x-mbx-apikey": venue.trader.apiKey,
    "content-type": "application/x-www-form-urlencoded",
    ...(inPieces ? { "transfer-encoding": "chunked" } : { "content-length": signed.length }),
  };
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port: venue.port, method, path, headers }, (answer) => {
      let body = "";
      answer.on("data", (part) => (body += String(part))).on("end", () => resolve(body));
    });
    asked.on("error", reject).end(signed);
  });
}

/** Checks that all `reports` were sent before the first of the `answers`. */
function assertSentFirst(written: readonly string[], reports: RegExp, answers: RegExp, count: number): void {
  const places = (what: RegExp): number[] => written.flatMap((text, at) => (what.test(text) ? [at] : []));
  const told = written.join("").match(new RegExp(reports, "g"))?.length ?? 0;
  assert.equal(told, count, "every report was written");
  const [lastReport, firstAnswer] = [places(reports).at(-1), places(answers)[0]];
  assert.ok(lastReport !== undefined && firstAnswer !== undefined && lastReport < firstAnswer, written.join("\n"));
}

const PLACED = /"x":"NEW"/;
const ANSWERED = /"transactTime"/;

test("an order over HTTP, with the direct reader and node:http", async () => {
  const stage = await openStage();
  const asked = [ask(stage, "POST", "/api/v3/order", ORDER), ask(stage, "POST", "/api/v3/order", ORDER, true)];
  await stage.batches.apply(2);
  await Promise.all(asked);
  assert.deepEqual(stage.venue.gateway.edge.requestsByLane, { direct: 1, node: 1 });
  await stage.recorder.until(2);
  assertSentFirst(stage.written, PLACED, ANSWERED, 2);
});

test("orders over the WebSocket API, in one batch with others", async () => {
  const stage = await openStage();
  const { venue, batches } = stage;
  const client = await ApiClient.open(venue.ws);
  const key = hmacKey(venue.trader);
  const asked: Promise<unknown>[] = [1, 2, 3].map(() =>
    client.signed("order.place", key, { ...ORDER, timestamp: venue.nowMs }),
  );
  asked.push(ask(stage, "POST", "/api/v3/order", ORDER));
  await batches.apply(4);
  await Promise.all(asked);
  assertSentFirst(stage.written, PLACED, ANSWERED, 4);
  await client.close();
});

for (const orders of [2, 150]) {
  test(`${orders} orders canceled at once; a long response is made in pieces`, async () => {
    const stage = await openStage();
    const { venue, batches } = stage;
    const open = Array.from({ length: orders }, () => venue.order({ quantity: "1", price: "100" }));
    await batches.apply(orders);
    await Promise.all(open);
    await stage.recorder.until(orders);
    stage.written.length = 0;
    const asked = ask(stage, "DELETE", "/api/v3/openOrders", { symbol: "BTCUSDT" });
    await batches.apply(1);
    assert.equal((JSON.parse(await asked) as unknown[]).length, orders);
    assertSentFirst(stage.written, /"x":"CANCELED"/, ANSWERED, orders);
  });
}

test("whatever is queued first, and however many promises the handlers wait for", async () => {
  const sendQueue = new SendQueue();
  const sent: string[] = [];
  const send = (what: string) => () => void sent.push(what);
  sendQueue.answer(send("answer 1"));
  void Promise.resolve().then(() => sendQueue.answer(send("answer 2")));
  sendQueue.stream(send("stream 1"));
  sendQueue.answer(send("answer 3"));
  sendQueue.stream(send("stream 2"));
  await turn();
  assert.deepEqual(sent, ["stream 1", "stream 2", "answer 1", "answer 3", "answer 2"]);
});

test("a message that cannot be sent does not block others, and is a bug that ends the process", async () => {
  const sendQueue = new SendQueue();
  const sent: string[] = [];
  const fail = (what: string) => () => {
    throw new Error(what);
  };
  const uncaught: unknown[] = [];
  const runners = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException").on("uncaughtException", (error) => uncaught.push(error.message));
  try {
    sendQueue.stream(fail("stream 1"));
    sendQueue.stream(() => void sent.push("stream 2"));
    sendQueue.answer(fail("answer 1"));
    sendQueue.answer(() => void sent.push("answer 2"));
    await turn();
  } finally {
    process.removeAllListeners("uncaughtException");
    for (const runner of runners) process.on("uncaughtException", runner);
  }
  assert.deepEqual(sent, ["stream 2", "answer 2"]);
  assert.deepEqual(uncaught, ["stream 1", "answer 1"]);
});

test("followers receive an entry in the order in which they were added", () => {
  const sendQueue = new SendQueue();
  const heard: string[] = [];
  const follower = (name: string) => ({
    applied: ({ seq }: { readonly seq: number }) => void heard.push(`${name} ${seq}`),
  });
  sendQueue.follow(follower("a"), follower("b"));
  sendQueue.follow(follower("c"));
  sendQueue.applied({ seq: 7, timeMs: 0, command: { type: "tick" } }, []);
  assert.deepEqual(heard, ["a 7", "b 7", "c 7"]);
});
