/** 200 restores of one name, with trades in between, under clients that stay connected. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { hmacKey } from "@pricetime/testkit/client";
import { inTheEnd } from "@pricetime/testkit/scratch";
import { ApiClient } from "@pricetime/testkit/ws-client";
import { openFiles } from "./open-files.ts";
import { LAB_KINDS, type LabKind, type RunningLab, startLab } from "./running-lab.ts";

const RESTORES = 200;
/** After so many restores the caches of a lab are full; later ones are measured. */
const WARM = 40;
const MIB = 1 << 20;
/**
 * The most that each may grow in all later restores: one that leaked its engine, its buffers or its history would leak
 * some 100 KiB each time at least, 16 MiB in 160 restores. All but `resident` are exact after a collection, which needs
 * up to 9 MiB in a warm process (58 in a cold one); once in some 1,000 restores there is a step of 15 MiB.
 */
const MAX_GROWTH = { heapUsed: 8 * MIB, external: 2 * MIB, arrayBuffers: 2 * MIB, resident: 16 * MIB } as const;
/** The duration of a restore and the close of a socket on the slowest machine. */
const PATIENCE_MS = 60_000;
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

/** What this process holds after everything possible was released. */
interface Footprint {
  readonly memory: Readonly<Record<keyof typeof MAX_GROWTH, number>>;
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
  // V8 changes the size of the space of its young objects by up to 100 MiB.
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
  assert.ok(young !== undefined);
  const resident = rss - young.physical_space_size;
  const all = openFiles().toSorted();
  const files = all.filter((path) => path.startsWith("/"));
  const memory = { heapUsed, external, arrayBuffers, resident };
  return { memory, files, connections: all.length - files.length };
}

async function checkGrowth(t: TestContext, warm: Footprint): Promise<void> {
  const { memory, files, connections } = await footprint();
  for (const name of ["heapUsed", "external", "arrayBuffers", "resident"] as const) {
    const growth = memory[name] - warm.memory[name];
    const told = `${name} grew by ${Math.round(growth / 1024)} KiB to ${Math.round(memory[name] / 1024)}`;
    t.diagnostic(`${told} in ${RESTORES - WARM} restores`);
    assert.ok(growth < MAX_GROWTH[name], told);
  }
  assert.deepEqual(files, warm.files, "the same files are open");
  t.diagnostic(`${files.length} files are open, and ${connections} connections after ${warm.connections}`);
  assert.ok(connections <= warm.connections + MAX_MORE_CONNECTIONS, `${connections} connections`);
}

type Round = () => Promise<void>;

/** Under connections that stay: each receives the same after each restore. */
async function underKept(t: TestContext, lab: RunningLab): Promise<Round> {
  const { listenKey } = (await lab.clients[0]!.keyed<{ listenKey: string }>("POST", "/api/v3/userDataStream")).json;
  const names = `btcusdt@depth@100ms/btcusdt@kline_1m/!miniTicker@arr/btcusdt@trade/${listenKey}`;
  const stream = new WebSocket(`${lab.ws}/stream?streams=${names}`);
  let heard: string[] = [];
  stream.addEventListener("message", ({ data }) => void heard.push(String(data)));
  await once(stream, "open");
  const api = await ApiClient.open(lab.ws);
  inTheEnd(t, async () => {
    stream.close();
    await api.close();
  });
  const { nowMs: timestamp } = await lab.ask<{ nowMs: number }>("GET", "/v1/lab/clock");
  await api.signed("userDataStream.subscribe.signature", hmacKey(lab.accounts[0]!), { timestamp });
  const taken = await lab.ask("POST", "/v1/lab/checkpoints", { name: "one" });
  let first: unknown;
  return async () => {
    heard = [];
    for (const price of ["30000.00", "31000.00"]) await trade(lab, price);
    await lab.ask("POST", "/v1/lab/clock/advance", { ms: 2_000 });
    stream.send('{"method":"LIST_SUBSCRIPTIONS","id":1}');
    while (!heard.some((text) => text.startsWith('{"result":'))) await once(stream, "message", { signal: t.signal });
    await api.call("ping");
    const life = [heard, api.events.splice(0)];
    assert.deepEqual(life, (first ??= life));
    assert.deepEqual(await lab.ask("POST", "/v1/lab/checkpoints/one/restore", { keepConnections: true }), taken);
  };
}

/** Its timer ends with it, and keeps nothing of this round alive, unlike a signal of that time. */
async function soon<Outcome>(outcome: Promise<Outcome>): Promise<Outcome> {
  const patience = new AbortController();
  const late = sleep(PATIENCE_MS, undefined, { signal: patience.signal }).then(() => assert.fail("it has not come"));
  try {
    return await Promise.race([outcome, late]);
  } finally {
    late.catch(() => {}); // It is not wanted any more.
    patience.abort();
  }
}

/** Under a new stream each time, which receives the trades, and which the restore closes like a restart. */
async function underClosed(t: TestContext, lab: RunningLab): Promise<Round> {
  const taken = await lab.ask("POST", "/v1/lab/checkpoints", { name: "one" });
  let first: unknown;
  return async () => {
    const stream = new WebSocket(`${lab.ws}/ws/btcusdt@trade`);
    const heard: string[] = [];
    stream.addEventListener("message", ({ data }) => void heard.push(String(data)));
    await once(stream, "open");
    const closed = once(stream, "close", { signal: t.signal }) as Promise<[CloseEvent]>;
    for (const price of ["30000.00", "31000.00"]) await trade(lab, price);
    const { chainHash } = await lab.ask("GET", "/v1/journal");
    while (heard.length < 2) await once(stream, "message", { signal: t.signal });
    const life = [chainHash, heard];
    assert.deepEqual(life, (first ??= life));
    assert.deepEqual(await lab.ask("POST", "/v1/lab/checkpoints/one/restore"), taken);
    assert.equal((await soon(closed))[0].code, 1001);
  };
}

const WAYS = { "connections that stay": underKept, "a stream each, which it closes": underClosed } as const;
const WAYS_NAMED = Object.keys(WAYS) as (keyof typeof WAYS)[];

async function begin(t: TestContext, kind: LabKind, way: keyof typeof WAYS): Promise<Round> {
  const lab = await startLab(t, {}, kind);
  await trade(lab, "30000.00");
  return WAYS[way](t, lab);
}

/** The process compiles what it uses, and its pools fill: nothing is measured, whatever later runs are limited to. */
test("warms up", async (t) => {
  for (const way of WAYS_NAMED) {
    const round = await begin(t, "kept", way);
    for (let restore = 0; restore < RESTORES; restore++) await round();
  }
});

async function restores(t: TestContext, kind: LabKind, way: keyof typeof WAYS): Promise<void> {
  const round = await begin(t, kind, way);
  for (let restore = 0; restore < WARM; restore++) await round();
  const live = async (): Promise<void> => {
    for (let restore = WARM; restore < RESTORES; restore++) await round();
  };
  let warm = await footprint();
  await live();
  const later = await footprint();
  if (later.memory.resident - warm.memory.resident >= MAX_GROWTH.resident) {
    // A step does not recur; a leak of each restore does.
    t.diagnostic("resident memory has grown too much: once more");
    warm = later;
    await live();
  }
  await checkGrowth(t, warm);
}

/** One in so many of the combinations of ways and kinds. */
const TESTED_OF = Number(process.env["RESTORES_OF"] ?? 1);

for (const [wayAt, way] of WAYS_NAMED.entries()) {
  for (const [kindAt, kind] of LAB_KINDS.entries()) {
    if ((wayAt + kindAt) % TESTED_OF !== 0) continue;
    test(`200 restores of one name under ${way} (${kind}): the same after each, and no growth of memory`, (t) =>
      restores(t, kind, way));
  }
}
