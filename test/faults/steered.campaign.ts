/** The clock leaps, the disk is slow: the real program, with both in the hands of the test. */
import assert from "node:assert/strict";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import { encode, sign } from "@pricetime/testkit/client";
import { until } from "@pricetime/testkit/waiting";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { STEERED, metric, readiness } from "@pricetime/testkit/venue";
import { fleeting, resting, type Rig, startRig, verifyFolder } from "./rig.ts";

const HOUR_MS = 3_600_000;

interface Steering {
  readonly clockMs?: number;
  readonly sleptMs?: number;
  readonly commitMs?: number;
}

interface Steered extends Rig {
  readonly folder: string;
  /** Whole or not at all: the process reads it at any moment. */
  steer(to: Steering): void;
}

async function steeredRig(t: TestContext, atStart: Steering = {}): Promise<Steered> {
  const folder = scratchFolder(t);
  const path = join(scratchFolder(t), "steering.json");
  const steer: Steered["steer"] = (to) => {
    writeFileSync(`${path}.new`, JSON.stringify(to));
    renameSync(`${path}.new`, path);
  };
  steer(atStart);
  process.env["TEST_STEERING_FILE"] = path;
  const rig = await startRig(t, folder, { nodeArgs: STEERED });
  return { ...rig, folder, steer };
}

async function serverTime({ client }: Rig): Promise<number> {
  return (await client.public<{ serverTime: number }>("/api/v3/time")).json.serverTime;
}

function entryTimes(folder: string): number[] {
  const journal = new DatabaseSync(join(folder, "journal.sqlite"), { readOnly: true });
  const rows = journal.prepare("SELECT time_ms FROM batches").all();
  journal.close();
  return rows.map((row) => Number(row["time_ms"]));
}

/** An order by a client whose clock shows that. */
async function orderAt({ client, exchange }: Rig, timestamp: number): Promise<number> {
  const order = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", price: "20000", quantity: "0.001" };
  const payload = encode({ ...order, timeInForce: "IOC", timestamp });
  const { apiKey, secretKey } = exchange.accounts[0] as { apiKey: string; secretKey: string };
  const answer = await client.send<{ code?: number }>("POST", "/api/v3/order", {
    body: `${payload}&signature=${sign(secretKey, payload)}`,
    headers: { "X-MBX-APIKEY": apiKey },
  });
  return answer.status === 200 ? 200 : (answer.json.code ?? answer.status);
}

const YEAR_MS = 365 * 24 * HOUR_MS;

async function isRight(rig: Rig): Promise<void> {
  assert.ok(Math.abs((await serverTime(rig)) - Date.now()) < 2_000, "the exchange's time is not right");
}

for (const [what, leapMs] of [
  ["ahead by a year", YEAR_MS],
  ["back by an hour", -HOUR_MS],
] as const) {
  test(`the clock leaps ${what} and is put right: whoever has a right clock trades on, and it is told`, async (t) => {
    const rig = await steeredRig(t);
    const { exchange, client } = rig;
    assert.equal((await resting(client, "before")).status, 200);
    rig.steer({ clockMs: leapMs });
    await until("a node at rest notices", () =>
      /the wall clock has jumped and is \d+ s (ahead|behind)/.test(exchange.output()),
    );
    assert.equal(await orderAt(rig, Date.now()), 200, "a client with a right clock");
    assert.equal(await orderAt(rig, Date.now() + leapMs), -1021, "one whose clock has leapt, too");
    assert.equal((await resting(client, "meanwhile")).status, 200);
    await isRight(rig);
    const { status, body } = await readiness(exchange);
    assert.deepEqual([status, /jumped/.test(body.warnings?.["clock"] ?? "")], [200, true]);
    const aheadS = await metric(exchange, "pricetime_clock_ahead_seconds");
    assert.ok(Math.abs(aheadS - leapMs / 1000) < 2, `${aheadS}`);

    rig.steer({});
    await until("it is told that all is well", () => /wall clock is correct again/.test(exchange.output()));
    assert.equal((await readiness(exchange)).body.warnings, undefined);
    assert.equal(await metric(exchange, "pricetime_clock_leaps_total"), 1);
    assert.equal(await orderAt(rig, Date.now()), 200, "and for the year to come");
    await isRight(rig);
    assert.equal(await exchange.stop(), 0);
    const times = entryTimes(rig.folder);
    assert.ok(
      times.every((timeMs) => Math.abs(timeMs - Date.now()) < HOUR_MS / 2),
      "a time that had leapt was journaled",
    );
    verifyFolder(rig.folder);
  });
}

test("a machine that slept for a day has not leapt: its time is followed", async (t) => {
  const rig = await steeredRig(t);
  assert.equal(await orderAt(rig, Date.now()), 200);
  rig.steer({ sleptMs: 24 * HOUR_MS });
  assert.equal(await orderAt(rig, Date.now() + 24 * HOUR_MS), 200);
  assert.ok(Math.abs((await serverTime(rig)) - Date.now() - 24 * HOUR_MS) < 2_000);
  const { status, body } = await readiness(rig.exchange);
  assert.deepEqual([status, body.warnings], [200, undefined]);
});

test("a start: a clock behind the journal is refused in one line, until it is right or the bound is raised", async (t) => {
  const rig = await steeredRig(t, { clockMs: YEAR_MS });
  assert.equal(await orderAt(rig, Date.now() + YEAR_MS), 200);
  assert.equal(await rig.exchange.stop(), 0);
  rig.steer({});
  await assert.rejects(startRig(t, rig.folder, { nodeArgs: STEERED }), ({ message }: Error) => {
    assert.match(
      message,
      /pricetime: The machine's clock shows \S+Z, which is before the journal's last entry \(\S+Z\)\. .*faults\.md\.?\n?$/m,
    );
    assert.doesNotMatch(message, /\.ts:\d+/, "it looks like a crash");
    return true;
  });
  process.env["PRICETIME_CLOCK_MAX_LEAP_MS"] = String(2 * YEAR_MS);
  t.after(() => delete process.env["PRICETIME_CLOCK_MAX_LEAP_MS"]);
  const behind = await startRig(t, rig.folder, { nodeArgs: STEERED });
  assert.ok((await serverTime(behind)) > Date.now() + YEAR_MS / 2, "the exchange's time stands where the journal is");
  assert.equal(await behind.exchange.stop(), 0);
  delete process.env["PRICETIME_CLOCK_MAX_LEAP_MS"];
  rig.steer({ clockMs: 2 * YEAR_MS });
  const later = await startRig(t, rig.folder, { nodeArgs: STEERED });
  assert.equal((await readiness(later.exchange)).status, 200, "a node that was off for a year");
});

test("a small step back is not noticed", async (t) => {
  const rig = await steeredRig(t);
  assert.equal(await orderAt(rig, Date.now()), 200);
  rig.steer({ clockMs: -2_000 });
  assert.equal(await orderAt(rig, Date.now()), 200);
  assert.equal(await orderAt(rig, Date.now() - 2_000), 200);
  assert.equal((await readiness(rig.exchange)).body.warnings, undefined);
});

/** In this time six orders are on their way and a read is answered, on a slow machine, too. */
const SLOW_COMMIT_MS = 4_000;

test("a slow disk: commands wait together and share commits, reads do not wait for them", async (t) => {
  const rig = await steeredRig(t);
  const { exchange, client } = rig;
  assert.equal((await fleeting(client)).status, 200);
  const batches = await metric(exchange, "pricetime_batch_commands_count");
  rig.steer({ commitMs: SLOW_COMMIT_MS });
  const order: string[] = [];
  const orders = Array.from({ length: 6 }, async () => {
    assert.equal((await fleeting(client)).status, 200);
    order.push("order");
  });
  await until("an order is on its way", async () => (await metric(exchange, "pricetime_requests_in_flight")) >= 6);
  assert.equal((await client.public("/api/v3/depth", { symbol: "BTCUSDT" })).status, 200);
  order.push("read");
  // The commit under way takes as long as it was told, the next one no longer than it needs.
  rig.steer({});
  await Promise.all(orders);
  assert.equal(order[0], "read", "a read waited for a commit");
  assert.ok((await metric(exchange, "pricetime_batch_commands_count")) - batches <= 3, "a commit for each order");
});
