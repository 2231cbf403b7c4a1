/** A full disk under the real program: no command is lost or half done, reads go on, and it mends by itself. */
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { fill, makeSpace } from "@pricetime/testkit/small-disk";
import { metric, readiness } from "@pricetime/testkit/venue";
import { CAN_LIMIT, fleeting, limitProcess, resting, type Rig, smallDisk, startRig, verifyFolder } from "./rig.ts";

const NO_MOUNT = "this user may not mount a small file system";
const MEGABYTE = 1 << 20;
const MOST_ORDERS = 20_000;

async function orderUntilRefused({ client }: Rig): Promise<{ status: number; json: { code?: number }; text: string }> {
  for (let sent = 0; sent < MOST_ORDERS; sent++) {
    const answer = await fleeting(client);
    if (answer.status !== 200) return answer;
  }
  return assert.fail("the disk was never full");
}

async function readsAreServed({ client }: Rig, openOrders: number): Promise<void> {
  const open = await client.signed<unknown[]>("GET", "/api/v3/openOrders", { symbol: "BTCUSDT" });
  assert.deepEqual([open.status, open.json.length], [200, openOrders], open.text);
  const depth = await client.public<{ bids: unknown[] }>("/api/v3/depth", { symbol: "BTCUSDT" });
  assert.deepEqual([depth.status, depth.json.bids.length], [200, 1]);
  assert.equal((await client.signed("GET", "/api/v3/account")).status, 200);
}

test("the whole data folder is on a full disk", { timeout: 300_000 }, async (t) => {
  const disk = smallDisk(t, join(scratchFolder(t), "disk"), 48 * MEGABYTE);
  if (disk === undefined) return t.skip(NO_MOUNT);
  const folder = join(disk, "data");
  const rig = await startRig(t, folder);
  const { exchange, client } = rig;
  assert.equal((await resting(client, "before")).status, 200);
  fill(disk);

  const refused = await orderUntilRefused(rig);
  assert.deepEqual([refused.status, refused.json.code], [503, -1008], refused.text);
  assert.equal((await resting(client, "meanwhile")).status, 503);
  await readsAreServed(rig, 1);
  const { status, body } = await readiness(exchange);
  assert.deepEqual([status, body["journal"]], [503, "cannot write the journal"]);
  assert.match(body.warnings?.["journal"] ?? "", /full/);
  assert.ok((await metric(exchange, "pricetime_journal_failures_total")) > 0);
  await until("it says so", () => /journal: write failed, retrying/.test(exchange.output()));

  makeSpace(disk);
  await until("ready by itself", async () => (await readiness(exchange)).status === 200);
  assert.equal((await resting(client, "after")).status, 200);
  const ids = (
    await client.patient<{ clientOrderId: string; status: string }[]>("/api/v3/allOrders", {
      symbol: "BTCUSDT",
      limit: 1000,
    })
  ).json;
  assert.deepEqual(
    ids.filter((order) => order.status === "NEW").map((order) => order.clientOrderId),
    ["before", "after"],
  );
  await exchange.kill();
  verifyFolder(folder);
  const again = await startRig(t, folder);
  await readsAreServed(again, 2);
  assert.equal(await again.exchange.stop(), 0);
  verifyFolder(folder);
});

test("a stop on a full disk is a stop, and a start says in one line what is wrong", { timeout: 300_000 }, async (t) => {
  const disk = smallDisk(t, join(scratchFolder(t), "disk"), 48 * MEGABYTE);
  if (disk === undefined) return t.skip(NO_MOUNT);
  const folder = join(disk, "data");
  const rig = await startRig(t, folder);
  assert.equal((await resting(rig.client, "before")).status, 200);
  fill(disk);
  await orderUntilRefused(rig);
  assert.equal(await rig.exchange.stop(), 0, rig.exchange.output());
  fill(disk);
  await assert.rejects(startRig(t, folder), (error: Error) => {
    assert.match(error.message, /pricetime: .*(full|no space|ENOSPC)/i);
    assert.doesNotMatch(error.message, /\.ts:\d+/, "it looks like a crash");
    return true;
  });
  makeSpace(disk);
  verifyFolder(folder);
  const again = await startRig(t, folder);
  await readsAreServed(again, 1);
});

test("history and snapshots are on full disks of their own", { timeout: 300_000 }, async (t) => {
  const folder = scratchFolder(t);
  const snapshots = smallDisk(t, join(folder, "snapshots"), MEGABYTE);
  if (snapshots === undefined) return t.skip(NO_MOUNT);
  const other = smallDisk(t, join(scratchFolder(t), "history"), 16 * MEGABYTE) ?? "";
  await (await startRig(t, folder)).exchange.stop();
  copyFileSync(join(folder, "history.sqlite"), join(other, "history.sqlite"));
  rmSync(join(folder, "history.sqlite"));
  symlinkSync(join(other, "history.sqlite"), join(folder, "history.sqlite"));
  const rig = await startRig(t, folder);
  const { exchange, client } = rig;
  fill(snapshots);
  const place = async (orders: number): Promise<void> => {
    for (let sent = 0; sent < orders; sent++) assert.equal((await fleeting(client)).status, 200);
  };

  await place(1_100);
  await until("a snapshot fails", async () => (await readiness(exchange)).body.warnings?.["snapshots"] !== undefined);
  fill(other);
  // Its log has room of its own until it is full.
  await until("history fails", async () => {
    await place(50);
    return (await readiness(exchange)).body.warnings?.["history"] !== undefined;
  });
  assert.equal((await resting(client, "journaled")).status, 200);
  assert.equal((await readiness(exchange)).status, 200, "it serves");
  assert.ok((await metric(exchange, "pricetime_snapshots_failures_total")) > 0);
  const behind = await client.signed<{ code?: number }>("GET", "/api/v3/allOrders", { symbol: "BTCUSDT" });
  assert.deepEqual([behind.status, behind.json.code], [503, -1008], behind.text);

  makeSpace(other);
  makeSpace(snapshots);
  await until("history goes on", async () => (await readiness(exchange)).body.warnings?.["history"] === undefined);
  await until("a snapshot is taken", async () => {
    await place(10);
    return (await readiness(exchange)).body.warnings === undefined;
  });
  assert.ok(
    readdirSync(snapshots).every((name) => name.endsWith(".snap")),
    "no half of a snapshot is left",
  );
  assert.equal((await client.patient<unknown[]>("/api/v3/allOrders", { symbol: "BTCUSDT" })).status, 200);
  assert.equal(await exchange.stop(), 0);
  verifyFolder(folder);
});

test("a journal that may not grow (an I/O error): the outcome is unknown, and then it is known", async (t) => {
  if (!CAN_LIMIT) return t.skip("there is no prlimit");
  const folder = join(scratchFolder(t), "data");
  mkdirSync(folder, { mode: 0o700 });
  const rig = await startRig(t, folder);
  const { exchange, client } = rig;
  assert.equal((await resting(client, "before")).status, 200);
  assert.ok(limitProcess(exchange.pid, "--fsize=4096:unlimited"));
  const refused = await orderUntilRefused(rig);
  assert.deepEqual([refused.status, refused.json.code], [504, -1007], refused.text);
  await readsAreServed(rig, 1);
  assert.equal((await readiness(exchange)).status, 503);
  assert.ok(limitProcess(exchange.pid, "--fsize=unlimited:unlimited"));
  await until("ready by itself", async () => (await readiness(exchange)).status === 200);
  assert.equal((await resting(client, "after")).status, 200);
  await exchange.kill();
  verifyFolder(folder);
});
