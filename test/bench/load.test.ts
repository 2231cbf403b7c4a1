/** The measuring tools of the benchmarks measure right. */
import assert from "node:assert/strict";
import { createServer, type Server } from "node:net";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Connection } from "../../bench/load/connection.ts";
import { histogramOf, quantileMs, sumOf } from "@pricetime/testkit/delays";
import { LoadProcess } from "../../bench/load/load.ts";
import type { LoadOrder } from "../../bench/load/messages.ts";
import { quantile } from "@pricetime/testkit/quantile";
import { Dice } from "@pricetime/testkit/dice";

test("a histogram of delays tells the quantiles that a sorted list tells, merged too", () => {
  const random = new Dice(1);
  const values = Array.from({ length: 20_000 }, () => Math.exp(random.next() * 16) / 1000);
  const delays = sumOf([histogramOf(values.slice(0, 7_000)), histogramOf(values.slice(7_000))]);
  for (const share of [0.001, 0.01, 0.5, 0.9, 0.99, 0.999, 1]) {
    const exact = quantile(values, share);
    const told = quantileMs(delays, share);
    assert.ok(Math.abs(told - exact) <= exact * 0.001 + 0.0005, `${share}: ${told} instead of ${exact}`);
  }
  assert.equal(delays.count, values.length);
  assert.ok(Number.isNaN(quantileMs(histogramOf([]), 0.5)));
});

/** Answers each request that has come whole with what `answer` writes, one after the other. */
async function serve(answer: (write: (text: string) => void) => Promise<void> | void): Promise<Server> {
  const server = createServer((socket) => {
    let last = Promise.resolve();
    socket.on("error", () => {});
    socket.setNoDelay(true);
    socket.on("data", (chunk) => {
      const requests = chunk.toString().split("\r\n\r\n").length - 1;
      for (let n = 0; n < requests; n++) last = last.then(() => answer((text) => socket.write(text)));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return server;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

test("answers are read whole, one after the other, in whatever pieces they come", async () => {
  const text =
    "HTTP/1.1 404 Not Found\r\nConnection: keep-alive\r\nCONTENT-Length: 5\r\nx-content-length: 9\r\n\r\nhello";
  for (let cut = 1; cut < text.length; cut++) {
    const server = await serve(async (write) => {
      for (const piece of [text.slice(0, cut), text.slice(cut, cut + 2), text.slice(cut + 2)]) {
        if (piece !== "") write(piece);
        await sleep(3);
      }
    });
    const seen: unknown[] = [];
    await new Promise<void>((done, failed) => {
      const request = Buffer.from("GET / HTTP/1.1\r\n\r\n");
      const onAnswer = (which: Connection, status: number, body: Buffer, bodyBytes: number): void => {
        seen.push([status, "hello".startsWith(body.toString()), bodyBytes]);
        if (seen.length < 2) return which.send(request);
        which.close();
        done();
      };
      const connection = new Connection(portOf(server), onAnswer, () => connection.send(request), failed);
    });
    assert.deepEqual(seen, Array(2).fill([404, true, 5]), `cut at ${cut}`);
    server.close();
  }
});

const ASK = { kind: "get", path: "/", parameters: {}, signed: false } as const;
const order = (server: Server, more: Partial<LoadOrder>): LoadOrder => ({
  port: portOf(server),
  accounts: 1,
  marker: "",
  requests: { ...ASK, count: 200 },
  connections: 4,
  perSecond: 0,
  warmUp: 0,
  expected: "ok",
  ...more,
});
const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

test("a load that is not answered as expected fails", async () => {
  const load = new LoadProcess();
  let answers = 0;
  const server = await serve((write) => write(++answers % 100 === 0 ? OK.replace("ok", "no") : OK));
  await assert.rejects(load.run(order(server, {})), /first odd answer: 200 no/);
  await assert.rejects(load.run(order(server, { status: 400 })), /"200":200/);
  assert.equal((await load.try(order(server, {}))).asExpected, 198);
  server.close();
  load.stop();
});

test("two answers to one request, or none and an end, fail a load", async () => {
  for (const answer of [OK + OK, ""]) {
    const load = new LoadProcess();
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end(answer));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    await assert.rejects(load.run(order(server, {})));
    server.close();
    load.stop();
  }
});

test("in an open loop a stall counts for all requests that were due meanwhile", async () => {
  const STALL_MS = 500;
  const load = new LoadProcess();
  let answers = 0;
  const waiting: ((text: string) => void)[] = [];
  const server = await serve((write) => {
    answers++;
    if (answers < 100) write(OK);
    else waiting.push(write);
    if (answers !== 100) return;
    setTimeout(() => {
      answers = Number.NEGATIVE_INFINITY;
      for (const late of waiting) late(OK);
    }, STALL_MS);
  });
  // There are 400 requests in 800 ms, one every 2 ms; the stall of 500 ms delays those that are due in it.
  const { delayMs } = await load.run(order(server, { perSecond: 500, requests: { ...ASK, count: 400 } }));
  assert.ok(delayMs.max >= STALL_MS, `${delayMs.max}`);
  assert.ok(delayMs.p50 >= 50, `half of the requests waited, not only those that were under way: ${delayMs.p50}`);
  server.close();
  load.stop();
});
