/** One socket, counted subscriptions, and a connection that is restored. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client } from "@pricetime/testkit/client";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import type { Exchange } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { Streams } from "../../src/wire/streams.ts";
import { portOf, startQuietNode, streamAddress, watchedWorld } from "../venue.ts";

const dataFolder = temporaryFolder();
let node: Exchange;
before(async () => {
  node = await startQuietNode({ dataFolder });
});
after(() => node.kill());

function told(): {
  readonly seen: string[];
  readonly listener: (name: string) => object & { message(data: unknown): void };
} {
  const seen: string[] = [];
  return {
    seen,
    listener: (name) => ({
      message: () => seen.push(`${name} message`),
      opened: () => seen.push(`${name} opened`),
      lost: () => seen.push(`${name} lost`),
      refused: () => seen.push(`${name} refused`),
    }),
  };
}

async function trade(): Promise<void> {
  const [alice, bob] = node.accounts.map((account) => new Client(node.rest, account));
  const order = { symbol: "BTCUSDT", type: "LIMIT", timeInForce: "GTC", price: "20000", quantity: "0.01" };
  const sold = await alice?.signed("POST", "/api/v3/order", { ...order, side: "SELL" });
  const bought = await bob?.signed("POST", "/api/v3/order", { ...order, side: "BUY" });
  assert.equal(sold?.status, 200, sold?.text);
  assert.equal(bought?.status, 200, bought?.text);
  alice?.close();
  bob?.close();
}

test("two subscribers share one subscription, and the last one ends it", async () => {
  const world = watchedWorld();
  const streams = new Streams(streamAddress(node), world);
  const { seen, listener } = told();
  const first = streams.subscribe("btcusdt@trade", listener("first"));
  const second = streams.subscribe("btcusdt@trade", listener("second"));
  await until("both are on", () => seen.length === 2);
  const third = streams.subscribe("btcusdt@trade", listener("third"));
  await until("the third is on, without a request", () => seen.includes("third opened"));
  assert.deepEqual(
    world.messages.map(({ method, params }) => [method, ...params]),
    [["SUBSCRIBE", "btcusdt@trade"]],
  );
  first();
  third();
  await trade();
  await until("the second hears a trade", () => seen.includes("second message"));
  assert.ok(!seen.includes("first message") && !seen.includes("third message"));
  second();
  await until("it is ended", () => world.messages.length === 2);
  assert.deepEqual(world.messages[1]?.method, "UNSUBSCRIBE");
  streams.close();
});

test("an unknown stream does not affect the others", async () => {
  const streams = new Streams(streamAddress(node), watchedWorld());
  const { seen, listener } = told();
  streams.subscribe("btcusdt@trade", listener("good"));
  streams.subscribe("nothing@trade", listener("bad"));
  await until("one is on and one refused", () => seen.includes("good opened") && seen.includes("bad refused"));
  assert.equal(streams.state.value.state, "live");
  streams.close();
});

test("fifty quick changes send few messages, never more than the node allows", async () => {
  const world = watchedWorld();
  const streams = new Streams(streamAddress(node), world);
  const { seen, listener } = told();
  let leave = (): void => {};
  for (let i = 0; i < 50; i++) {
    leave();
    leave = streams.subscribe(i % 2 === 0 ? "btcusdt@depth@100ms" : "ethusdt@depth@100ms", listener(`${i}`));
    await new Promise((done) => setTimeout(done, 20));
  }
  await until("the last is on", () => seen.includes("49 opened"));
  const sentMs = world.messages.map(({ atMs }) => atMs);
  const spans = sentMs.slice(4).map((atMs, i) => atMs - (sentMs[i] ?? 0));
  assert.ok(sentMs.length >= 2 && Math.min(...spans) > 1000, `five in ${Math.min(...spans)} ms`);
  const on = new Set<string>();
  for (const { method, params } of world.messages) {
    for (const name of params)
      if (method === "SUBSCRIBE") on.add(name);
      else on.delete(name);
  }
  assert.deepEqual([...on], ["ethusdt@depth@100ms"]);
  assert.equal(streams.state.value.state, "live");
  streams.close();
});

test("a subscription right after the first is not delayed", async () => {
  const world = watchedWorld();
  const streams = new Streams(streamAddress(node), world);
  const { seen, listener } = told();
  streams.subscribe("!miniTicker@arr", listener("first"));
  await until("it is asked for", () => world.messages.length === 1, { everyMs: 1 });
  streams.subscribe("btcusdt@trade", listener("second"));
  streams.subscribe("ethusdt@trade", listener("third"));
  await until("both at once", () => world.messages.length === 2, { everyMs: 1 });
  const [first, second] = world.messages;
  assert.deepEqual(second?.params, ["btcusdt@trade", "ethusdt@trade"]);
  assert.ok((second?.atMs ?? 0) - (first?.atMs ?? 0) < 600, "less than the gap behind two");
  await until("they are on", () => seen.includes("third opened"));
  streams.close();
});

test("after the node is killed and restarted, every stream is subscribed again", async () => {
  const streams = new Streams(streamAddress(node), watchedWorld());
  const { seen, listener } = told();
  streams.subscribe("btcusdt@trade", listener("it"));
  await until("it is on", () => seen.length === 1);
  await node.kill();
  await until("the loss is seen", () => seen.includes("it lost"));
  const { state } = streams;
  assert.equal(state.value.state, "down");
  node = await startQuietNode({ dataFolder, port: portOf(node) });
  await until("it is live again", () => state.value.state === "live");
  await until("it is on again", () => seen.at(-1) === "it opened");
  await trade();
  await until("it hears again", () => seen.includes("it message"));
  streams.close();
});

test("a connection without messages is closed and replaced", async () => {
  const world = watchedWorld();
  let elapsedMs = 0;
  const streams = new Streams(streamAddress(node), { ...world, elapsedMs: () => world.elapsedMs() + elapsedMs });
  await until("it is live", () => streams.state.value.state === "live");
  const [socket] = world.sockets;
  assert.ok(socket !== undefined);
  // The connection is cut silently: no message arrives.
  socket.onmessage = null;
  elapsedMs += 9000;
  await until("it asks", () => world.messages.some(({ method }) => method === "LIST_SUBSCRIPTIONS"));
  elapsedMs += 9000;
  await until("it gives up, and comes back", () => world.sockets.length === 2 && streams.state.value.state === "live");
  streams.close();
});
