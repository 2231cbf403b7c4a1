import assert from "node:assert/strict";
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { Engine } from "@pricetime/engine";
import { Health, type HealthParts, type PartTrouble, Troubles } from "../../../src/platform/observe/health.ts";
import { watchReplica } from "../../../src/journal/replica/projection.ts";
import { createLog } from "../../../src/platform/observe/log.ts";
import { Metrics } from "../../../src/platform/observe/metrics.ts";

test("requests, batches and commits are counted", async () => {
  const metrics = new Metrics();
  metrics.requestDone("order.place", 200, 0.4);
  metrics.requestDone("order.place", 200, 3);
  metrics.requestDone("order.place", 400, 20_000);
  metrics.batchCommitted(3, 0.2);
  metrics.batchCommitted(1, 0.05);
  const lines = (await metrics.text()).split("\n");
  const wanted = [
    'pricetime_requests_total{endpoint="order.place",status="200"} 2',
    'pricetime_requests_total{endpoint="order.place",status="400"} 1',
    'pricetime_request_seconds_bucket{endpoint="order.place",le="0.0005"} 1',
    'pricetime_request_seconds_bucket{endpoint="order.place",le="0.005"} 2',
    'pricetime_request_seconds_bucket{endpoint="order.place",le="10"} 2',
    'pricetime_request_seconds_bucket{endpoint="order.place",le="+Inf"} 3',
    'pricetime_request_seconds_count{endpoint="order.place"} 3',
    "# TYPE pricetime_request_seconds histogram",
    "pricetime_commands_total 4",
    'pricetime_batch_commands_bucket{le="1"} 1',
    'pricetime_batch_commands_bucket{le="4"} 2',
    "pricetime_batch_commands_sum 4",
    'pricetime_commit_seconds_bucket{le="0.0001"} 1',
    "pricetime_commit_seconds_count 2",
  ];
  for (const line of wanted) assert.ok(lines.includes(line), `${line}\nis not in\n${lines.join("\n")}`);
});

test("gauges are read when metrics are requested", async () => {
  const metrics = new Metrics();
  const { funds, venue } = new Engine();
  const engine = { seq: 5, openOrderCount: 2, funds, venue, assets: () => [] };
  watchReplica(metrics, engine, { seq: 3 }, { nowMs: () => 0 });
  assert.match(await metrics.text(), /^pricetime_history_lag_commands 2$/m);
  engine.seq = 9;
  const text = await metrics.text();
  assert.match(text, /^pricetime_history_lag_commands 6$/m);
  assert.match(text, /^pricetime_open_orders 2$/m);
  assert.match(text, /^# TYPE pricetime_open_orders gauge$/m);
});

test("every request and batch of a busy second costs little", () => {
  const metrics = new Metrics();
  // The minimum of several rounds, as the machine's load varies.
  let eachUs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    const startedMs = performance.now();
    for (let i = 0; i < 40_000; i++) metrics.requestDone("order.place", 200, i % 7);
    eachUs = Math.min(eachUs, ((performance.now() - startedMs) * 1000) / 40_000);
  }
  assert.ok(eachUs < 5, `${eachUs} us each`);
});

/** Healthy parts. */
const AT_REST: HealthParts = {
  sequencer: { canAppend: true, maxHistoryLagEntries: 100_000 },
  engine: { seq: 1 },
  projector: { seq: 1 },
  wallet: { troubles: () => ({}) },
  troubles: { all: {} },
  clock: { warning: null, fault: null },
};

test("a node is ready when it serves, can write, and history is not far behind", () => {
  const parts = { ...AT_REST, sequencer: { canAppend: true, maxHistoryLagEntries: 50 }, projector: { seq: 0 } };
  const health = new Health({ ...parts, engine: { seq: 50 } });
  health.isServing = true;
  assert.deepEqual(health.faults(), {});
  health.isServing = false;
  parts.sequencer.canAppend = false;
  parts.projector.seq = -1;
  assert.deepEqual(health.faults(), {
    serving: "not accepting clients",
    journal: "cannot write the journal",
    history: "51 commands behind",
  });
});

test("a node of several reports why it rejects requests, and the roles of nodes", () => {
  const heldBy = new Map<string, string>();
  const sequencer = { canAppend: true, maxHistoryLagEntries: 1, heldBy };
  const faults: Record<string, string> = {};
  const cluster = { faults: () => faults, warnings: () => ({ etcd1: "old" }), holders: () => ({ mail: "n2" }) };
  const health = new Health({ ...AT_REST, sequencer, cluster });
  health.isServing = true;
  assert.deepEqual([health.faults(), health.warnings(), health.roles()], [{}, { etcd1: "old" }, { mail: "n2" }]);
  sequencer.canAppend = false;
  heldBy.set("contact", "the node is cut off");
  faults["stale"] = "12000 ms old";
  assert.deepEqual(health.faults(), { contact: "the node is cut off", stale: "12000 ms old" });
  assert.deepEqual(new Health(AT_REST).roles(), {});
});

test("a clock jump is a warning, and an uncorrected one a fault", () => {
  const clock: { warning: string | null; fault: string | null } = { warning: null, fault: null };
  const health = new Health({ ...AT_REST, clock, troubles: { all: { mail: "full" } } });
  health.isServing = true;
  assert.deepEqual([health.faults(), health.warnings()], [{}, { mail: "full" }]);
  clock.warning = "it has leapt";
  assert.deepEqual([health.faults(), health.warnings()], [{}, { mail: "full", clock: "it has leapt" }]);
  clock.fault = "it has leapt";
  assert.deepEqual(health.faults(), { clock: "it has leapt" });
});

test("trouble is logged once per cause, counted per attempt, and cleared when it ends", () => {
  const told: PartTrouble[] = [];
  const troubles = new Troubles((trouble) => told.push(trouble));
  const full = { part: "history", message: "full" } as const;
  for (const trouble of [full, full, { ...full, message: "read-only" }]) troubles.note(trouble);
  const health = new Health({ ...AT_REST, troubles });
  health.isServing = true;
  assert.deepEqual([health.warnings(), health.faults()], [{ history: "read-only" }, {}]);
  for (let times = 0; times < 2; times++) troubles.note({ part: "history", message: null });
  assert.deepEqual(health.warnings(), {});
  assert.deepEqual([troubles.failures("history"), troubles.failures("journal")], [3, 0]);
  assert.deepEqual(
    told.map(({ message }) => message),
    ["full", "read-only", null],
  );
});

test("logs are JSON lines without secrets", () => {
  const folder = temporaryFolder();
  const path = join(folder, "log");
  const descriptor = openSync(path, "w");
  try {
    const log = createLog({ level: "info", node: "n1", descriptor });
    log.info({ token: "hidden", account: { secretKey: "hidden", deep: { authorization: "hidden" } } }, "hello");
    log.debug("not shown");
    const lines = readFileSync(path, "utf8").trim().split("\n");
    assert.equal(lines.length, 1);
    assert.doesNotMatch(lines[0] ?? "", /hidden/);
    const { level, node, msg, time } = JSON.parse(lines[0] ?? "") as Record<string, string>;
    assert.deepEqual([level, node, msg], ["info", "n1", "hello"]);
    assert.match(time ?? "", /^\d{4}-\d\d-\d\dT/);
  } finally {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  }
});

test("a log on a full disk does not stop the process", (t) => {
  if (!existsSync("/dev/full")) return t.skip("this system has no device that is always full");
  const descriptor = openSync("/dev/full", "w");
  t.after(() => closeSync(descriptor));
  const log = createLog({ level: "info", node: "n1", descriptor });
  for (let line = 0; line < 100; line++) log.warn({ line }, "nobody reads this");
});

/** Starts a process that logs `lines` lines to a pipe and then runs `rest`. The pipe is not read automatically. */
function logging(lines: number, rest: string): ChildProcessByStdio<null, null, Readable> {
  const source = new URL("../../../src/platform/observe/log.ts", import.meta.url).href;
  const program = `
    import { createLog } from ${JSON.stringify(source)};
    process.stderr.on("error", () => {});
    const log = createLog({ level: "info", node: "n1" });
    for (let line = 0; line < ${lines}; line++) log.warn({ line }, "a line");
    ${rest}`;
  const given = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", program];
  const child = spawn(process.execPath, given, { stdio: ["ignore", "ignore", "pipe"] });
  // Unread output is lost when the process has ended.
  child.stderr.on("error", () => {});
  return child;
}

test("an unread log pipe does not block the process", async (t) => {
  const child = logging(20_000, "process.exit(7);");
  const late = setTimeout(() => child.kill("SIGKILL"), 30_000);
  t.after(() => clearTimeout(late));
  assert.deepEqual(await once(child, "exit"), [7, null]);
});

test("a log whose pipe is read late is complete, without another line", async (t) => {
  const lines = 5_000;
  const child = logging(lines, "setInterval(() => {}, 1000);");
  t.after(() => child.kill("SIGKILL"));
  await sleep(1000);
  let read = 0;
  for await (const chunk of child.stderr) {
    read += String(chunk).split("\n").length - 1;
    if (read === lines) return;
  }
  assert.fail(`${read} lines of ${lines}`);
});
