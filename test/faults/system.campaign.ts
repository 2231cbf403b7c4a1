/** What the operating system can do to a running node: take its file handles, its folder, its time. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@pricetime/testkit/waiting";
import WebSocket from "ws";
import { type DemoAccount, metric, readiness } from "@pricetime/testkit/venue";
import { hearUser } from "../stream/user-ear.ts";
import { inTheEnd, scratchFolder } from "@pricetime/testkit/scratch";
import { CAN_LIMIT, fleeting, limitProcess, resting, smallDisk, startRig, verifyFolder } from "./rig.ts";

/** Beyond what the node has open: for the connection that it speaks on and little more. */
const HANDLES_LEFT = 4;
const FLOOD = 60;
/** Within it everything that a node does now and then comes once; its figures are sampled each ten seconds. */
const WITHOUT_HANDLES_MS = 11_000;

test("out of file handles: who is connected is served, and the rest mends by itself", async (t) => {
  if (!CAN_LIMIT) return t.skip("there is no prlimit");
  const folder = scratchFolder(t);
  const { exchange, client } = await startRig(t, folder);
  assert.equal((await fleeting(client)).status, 200);
  const open = readdirSync(`/proc/${exchange.pid}/fd`).length;
  assert.ok(limitProcess(exchange.pid, `--nofile=${open + HANDLES_LEFT}:`));
  const { port, hostname } = new URL(exchange.rest);
  const flood: Socket[] = Array.from({ length: FLOOD }, () => connect(Number(port), hostname).on("error", () => {}));
  inTheEnd(t, () => flood.forEach((socket) => socket.destroy()));
  await until("no handle is left", () => readdirSync(`/proc/${exchange.pid}/fd`).length >= open + HANDLES_LEFT);

  const endMs = performance.now() + WITHOUT_HANDLES_MS;
  for (let sent = 0; sent < 1_100 || performance.now() < endMs; sent++) {
    if (sent >= 1_100) await sleep(50);
    const answer = await fleeting(client);
    assert.equal(answer.status, 200, answer.text);
  }
  for (const socket of flood) socket.destroy();
  assert.ok(limitProcess(exchange.pid, "--nofile=4096:"));
  await until("a new connection is served", () =>
    fetch(`${exchange.rest}/api/v3/ping`).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  await until("all is well", async () => {
    await fleeting(client);
    const { status, body } = await readiness(exchange);
    return status === 200 && body.warnings === undefined;
  });
  assert.equal(await exchange.stop(), 0);
  verifyFolder(folder);
});

test("a folder that may not be written: the start says so in one line", async (t) => {
  const folder = join(scratchFolder(t), "disk");
  if (process.getuid?.() === 0) {
    // Root may write where nobody may, but not on a disk that is mounted read-only.
    if (smallDisk(t, folder, 1 << 20) === undefined) return t.skip("root, and it may not mount");
    assert.equal(spawnSync("mount", ["-o", "remount,ro", folder]).status, 0);
  } else {
    mkdirSync(folder, { mode: 0o500 });
    inTheEnd(t, () => chmodSync(folder, 0o700));
  }
  for (const data of [folder, join(folder, "data")]) {
    await assert.rejects(startRig(t, data), ({ message }: Error) => {
      assert.match(message, /pricetime: .*(EROFS|EACCES|read-?only|unable to open|cannot be written)/i);
      assert.doesNotMatch(message, /\.ts:\d+/, "it looks like a crash");
      return true;
    });
  }
});

/** How long the process is stopped. A minute by hand: FAULTS_STOP_SECONDS=60. */
const STOP_MS = Number(process.env["FAULTS_STOP_SECONDS"] ?? 4) * 1000;
/** What requests that do not say otherwise are good for. */
const RECV_WINDOW_MS = 5_000;
/** Those sent to the process that is stopped say so, unless they are to be too late: waking takes a slow machine a while. */
const recvWindow = STOP_MS < RECV_WINDOW_MS ? 60_000 : RECV_WINDOW_MS;
const ORDER = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", price: "20000", quantity: "0.001", timeInForce: "GTC" };

interface DepthUpdate {
  readonly U: number;
  readonly u: number;
}

test(`stopped for ${STOP_MS / 1000} s and continued: answers come, streams miss nothing, time does not stutter`, async (t) => {
  const folder = scratchFolder(t);
  const { exchange, client } = await startRig(t, folder);
  const updates: DepthUpdate[] = [];
  const tickers: { E: number }[] = [];
  const socket = new WebSocket(`${exchange.ws}/stream?streams=btcusdt@depth@100ms/btcusdt@miniTicker`);
  inTheEnd(t, () => socket.terminate());
  let closed = false;
  socket.on("close", () => (closed = true));
  socket.on("message", (text: Buffer) => {
    const { stream, data } = JSON.parse(text.toString()) as { stream: string; data: DepthUpdate & { E: number } };
    if (stream.includes("depth")) updates.push(data);
    else tickers.push(data);
  });
  await new Promise((done) => socket.once("open", done));
  assert.equal((await resting(client, "before")).status, 200);
  await until("the stream is alive", () => updates.length > 0);
  const listener = await hearUser(exchange, exchange.accounts[0] as DemoAccount);
  inTheEnd(t, () => listener.close());

  process.kill(exchange.pid, "SIGSTOP");
  const asked = ["a", "b", "c"].map((newClientOrderId) =>
    client.signed<{ code?: number }>("POST", "/api/v3/order", { ...ORDER, newClientOrderId, recvWindow }),
  );
  const ping = client.public("/api/v3/time");
  await sleep(STOP_MS);
  const before = tickers.length;
  process.kill(exchange.pid, "SIGCONT");
  assert.equal((await ping).status, 200);
  for (const answer of await Promise.all(asked)) {
    // What has waited for longer than its recvWindow is refused, and has not happened.
    if (STOP_MS < RECV_WINDOW_MS) assert.equal(answer.status, 200, answer.text);
    else assert.equal(answer.json.code, -1021, answer.text);
  }
  assert.equal((await resting(client, "after")).status, 200);
  await listener.until((message) => message["e"] === "executionReport" && message["c"] === "after");
  const told = listener.messages.filter(({ e }) => e === "executionReport").map(({ c }) => c as string);
  assert.deepEqual([...told].sort(), STOP_MS < RECV_WINDOW_MS ? ["a", "after", "b", "c"] : ["after"]);
  const { json: open } = await client.signed<{ clientOrderId: string }[]>("GET", "/api/v3/openOrders");
  assert.deepEqual(open.map(({ clientOrderId }) => clientOrderId).sort(), ["before", ...told].sort());
  const { json: depth } = await client.public<{ lastUpdateId: number }>("/api/v3/depth", { symbol: "BTCUSDT" });
  await until("the stream has come as far", () => (updates.at(-1)?.u ?? 0) >= depth.lastUpdateId);

  assert.equal(closed, false, "the socket is still the same");
  for (const [at, update] of updates.entries()) {
    if (at > 0) assert.equal(update.U, (updates[at - 1] as DepthUpdate).u + 1, "an update was lost or told twice");
  }
  const times = tickers.slice(before).map(({ E }) => E);
  assert.deepEqual(
    times,
    [...new Set(times)].sort((a, b) => a - b),
    "no ticker twice for one time",
  );
  assert.equal(await metric(exchange, "pricetime_journal_failures_total"), 0);
  assert.equal(await exchange.stop(), 0);
  verifyFolder(folder);
});
