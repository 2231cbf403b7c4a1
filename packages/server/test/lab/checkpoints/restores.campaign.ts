/** 200 restores of one name, with trades between them, under clients that stay connected. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test, type TestContext } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { hmacKey } from "@pricetime/testkit/client";
import { ApiClient } from "@pricetime/testkit/ws-client";
import { openFiles } from "./open-files.ts";
import { type RunningLab, startLab } from "./running-lab.ts";

const RESTORES = 200;
/** Code is compiled and caches are full after so many restores. */
const WARM = 80;
const MIB = 1 << 20;
/**
 * What each may grow by in all that comes after: a restore that kept its engine, its buffers or its history would keep
 * some 100 KiB each time at least. They are exact after a collection.
 */
const MAX_GROWTH = { heapUsed: 8 * MIB, external: 2 * MIB, arrayBuffers: 2 * MIB } as const;
/**
 * The resident memory is not: in its first 200 restores a process still doubles the space of V8's young objects, to
 * 3 * 32 MiB, and uses it. After them, 5 % of some 300 MiB.
 */
const MAX_RESIDENT_GROWTH = { first: 96 * MIB, later: 16 * MIB } as const;
/** The bound of the next test. */
let maxResidentGrowth: number = MAX_RESIDENT_GROWTH.first;
/** Connections that `fetch` keeps for its next request come and go. */
const MAX_MORE_CONNECTIONS = 8;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

async function trade(lab: RunningLab, price: string): Promise<void> {
  const { nowMs } = await lab.ask<{ nowMs: number }>("GET", "/v1/lab/clock");
  const order = { symbol: "BTCUSDT", type: "LIMIT", timeInForce: "GTC", quantity: "0.001", price, timestamp: nowMs };
  for (const [account, side] of [[0, "BUY"] as const, [1, "SELL"] as const]) {
    const { status, text } = await lab.clients[account]!.signed("POST", "/api/v3/order", { ...order, side });
    assert.equal(status, 200, text);
  }
}

/** What this process holds when everything that can go has gone. */
interface Footprint {
  readonly memory: Readonly<Record<keyof typeof MAX_GROWTH | "rss", number>>;
  /** Paths. */
  readonly files: readonly string[];
  /** Sockets and pipes. */
  readonly connections: number;
}

async function footprint(): Promise<Footprint> {
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage();
  const all = openFiles().toSorted();
  const files = all.filter((path) => path.startsWith("/"));
  const memory = { heapUsed, external, arrayBuffers, rss };
  return { memory, files, connections: all.length - files.length };
}

async function checkGrowth(t: TestContext, warm: Footprint | undefined): Promise<void> {
  assert.ok(warm !== undefined);
  const { memory, files, connections } = await footprint();
  const most = { ...MAX_GROWTH, rss: maxResidentGrowth };
  maxResidentGrowth = MAX_RESIDENT_GROWTH.later;
  for (const name of ["heapUsed", "external", "arrayBuffers", "rss"] as const) {
    const growth = memory[name] - warm.memory[name];
    const told = `${name} grew by ${Math.round(growth / 1024)} KiB to ${Math.round(memory[name] / 1024)}`;
    t.diagnostic(`${told} in ${RESTORES - WARM} restores`);
    assert.ok(growth < most[name], told);
  }
  assert.deepEqual(files, warm.files, "the same files are open");
  t.diagnostic(`${files.length} files are open, and ${connections} connections after ${warm.connections}`);
  assert.ok(connections <= warm.connections + MAX_MORE_CONNECTIONS, `${connections} connections`);
}

test("200 restores under connections that stay: the same hash, the same messages after each, and no growth of memory", async (t) => {
  const lab = await startLab(t);
  await trade(lab, "30000.00");
  const { listenKey } = (await lab.clients[0]!.keyed<{ listenKey: string }>("POST", "/api/v3/userDataStream")).json;
  const names = `btcusdt@depth@100ms/btcusdt@kline_1m/!miniTicker@arr/btcusdt@trade/${listenKey}`;
  const stream = new WebSocket(`${lab.ws}/stream?streams=${names}`);
  let heard: string[] = [];
  stream.addEventListener("message", ({ data }) => void heard.push(String(data)));
  await once(stream, "open");
  const api = await ApiClient.open(lab.ws);
  const { nowMs: timestamp } = await lab.ask<{ nowMs: number }>("GET", "/v1/lab/clock");
  await api.signed("userDataStream.subscribe.signature", hmacKey(lab.accounts[0]!), { timestamp });
  const taken = await lab.ask("POST", "/v1/lab/checkpoints", { name: "one" });
  const lives = new Set<string>();
  let warm: Footprint | undefined;
  for (let restore = 1; restore <= RESTORES; restore++) {
    heard = [];
    for (const price of ["30000.00", "31000.00"]) await trade(lab, price);
    await lab.ask("POST", "/v1/lab/clock/advance", { ms: 2_000 });
    stream.send('{"method":"LIST_SUBSCRIPTIONS","id":1}');
    while (!heard.some((text) => text.startsWith('{"result":'))) await once(stream, "message", { signal: t.signal });
    await api.call("ping");
    lives.add(JSON.stringify([heard, api.events.splice(0)]));
    assert.deepEqual(await lab.ask("POST", "/v1/lab/checkpoints/one/restore", { keepConnections: true }), taken);
    if (restore === WARM) warm = await footprint();
  }
  assert.equal(lives.size, 1);
  await checkGrowth(t, warm);
  stream.close();
  await api.close();
});

test("200 restores of one name: the same hash, the same trades after each, and no growth of memory", async (t) => {
  const lab = await startLab(t);
  await trade(lab, "30000.00");
  const taken = await lab.ask("POST", "/v1/lab/checkpoints", { name: "one" });
  const hashes = new Set<string>();
  let warm: Footprint | undefined;
  for (let restore = 1; restore <= RESTORES; restore++) {
    const stream = restore % 10 === 0 ? new WebSocket(`${lab.ws}/ws/btcusdt@trade`) : undefined;
    if (stream !== undefined) await once(stream, "open");
    for (const price of ["30000.00", "31000.00"]) await trade(lab, price);
    hashes.add(String((await lab.ask("GET", "/v1/journal"))["chainHash"]));
    assert.deepEqual(await lab.ask("POST", "/v1/lab/checkpoints/one/restore"), taken);
    if (restore === WARM) warm = await footprint();
  }
  assert.equal(hashes.size, 1);
  await checkGrowth(t, warm);
});
