/** The demo as people start it (bots, sandbox networks whose blocks a timer makes) on a full disk: idle, and under load. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@pricetime/testkit/client";
import { type Exchange, metric, operate, readiness, startExchange, tryToOperate } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { inTheEnd, scratchFolder } from "@pricetime/testkit/scratch";
import { fill, makeSpace } from "@pricetime/testkit/small-disk";
import { fleeting, smallDisk, verifyFolder } from "./rig.ts";

const NO_MOUNT = "this user may not mount a small file system";
const MEGABYTE = 1 << 20;
/** A block comes every second: several fail. */
const FULL_MS = 6_000;
/** For less than this, orders find room in the files that are there. */
const MOST_FULL_MS = 90_000;
const MOST_LINES_WHILE_FULL = 60;

interface Demo {
  readonly disk: string;
  readonly folder: string;
  readonly log: string;
  readonly exchange: Exchange;
  readonly client: Client;
}

/** Its log goes to the same disk, as it does where people redirect it. */
async function startDemo(t: TestContext): Promise<Demo | undefined> {
  const disk = smallDisk(t, join(scratchFolder(t), "disk"), 64 * MEGABYTE);
  if (disk === undefined) return undefined;
  const [folder, log] = [join(disk, "data"), join(disk, "log")];
  const under = ["sh", "-c", `exec "$@" 2>>'${log}'`, "sh"];
  const exchange = await startExchange({ dataFolder: folder, under, args: ["--limits", "off"] });
  inTheEnd(t, () => exchange.kill());
  const client = new Client(exchange.rest, exchange.accounts[0]);
  inTheEnd(t, () => client.close());
  return { disk, folder, log, exchange, client };
}

async function heightOf(exchange: Exchange, network: string): Promise<number> {
  const networks = await operate<{ network: string; height: number }[]>(exchange, "GET", "/v1/networks");
  return networks.find((each) => each.network === network)?.height ?? -1;
}

/** The disk was full, and is not: all goes on by itself, and nothing is lost. */
async function goesOn({ disk, folder, exchange, client }: Demo): Promise<void> {
  makeSpace(disk);
  await until("all is well by itself", async () => {
    const { status, body } = await readiness(exchange);
    return status === 200 && body.warnings === undefined;
  });
  const height = await heightOf(exchange, "BTC");
  await until("blocks come again", async () => (await heightOf(exchange, "BTC")) > height);
  assert.equal((await fleeting(client)).status, 200);
  assert.equal(await exchange.stop(), 0);
  verifyFolder(folder);
}

test("a demo at rest on a full disk", { timeout: 300_000 }, async (t) => {
  const demo = await startDemo(t);
  if (demo === undefined) return t.skip(NO_MOUNT);
  const { disk, exchange, log } = demo;
  await until("blocks come", async () => (await heightOf(exchange, "BTC")) > 0);
  fill(disk);
  await until(
    "the sandbox is in trouble",
    async () => (await readiness(exchange)).body.warnings?.["sandbox"] !== undefined,
  );
  const mined = await tryToOperate(exchange, "POST", "/v1/networks/BTC/sandbox/mine", { blocks: 1 });
  assert.equal(mined.status, 503, mined.text);
  await sleep(FULL_MS);
  assert.match((await readiness(exchange)).body.warnings?.["sandbox"] ?? "", /full/);
  assert.ok((await metric(exchange, "pricetime_sandbox_failures_total")) > 1);
  await goesOn(demo);
  const said = readFileSync(log, "utf8").split("\n");
  assert.ok(said.some((line) => line.includes("sandbox: write succeeded again")));
  assert.ok(said.length < MOST_LINES_WHILE_FULL, `${said.length} lines of log`);
});

test("a demo under load on a full disk", { timeout: 300_000 }, async (t) => {
  const demo = await startDemo(t);
  if (demo === undefined) return t.skip(NO_MOUNT);
  const { disk, exchange, client } = demo;
  fill(disk);
  const beganMs = performance.now();
  const answers = new Set<number>();
  const isOver = (afterMs: number): boolean => performance.now() > beganMs + afterMs;
  while (!isOver(FULL_MS) || (!answers.has(503) && !isOver(MOST_FULL_MS))) {
    const [order] = await Promise.all([
      fleeting(client),
      client.public("/api/v3/depth", { symbol: "BTCUSDT" }),
      tryToOperate(exchange, "POST", "/v1/networks/ETH/sandbox/mine", { blocks: 1 }),
    ]);
    answers.add(order.status);
  }
  assert.ok(answers.has(503), `answered ${[...answers].join()}`);
  assert.deepEqual(
    [...answers].filter((status) => status !== 200 && status !== 503),
    [],
  );
  await goesOn(demo);
});
