/** A bot under the preload, against a minimal lab: time, timers, random numbers, and when it counts as done. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { FakeLab } from "./fake-lab.ts";
import { TRADER, THREE_AT_ONCE } from "./held-bots.ts";

const HOLD = new URL("../src/hold/hold.ts", import.meta.url).href;
const START_MS = Date.UTC(2026, 0, 1);
/** A bot that does not end by itself is ended: it waits forever. */
const PATIENCE_MS = 30_000;

interface Ran {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
  readonly seen: readonly string[];
}

interface Setting {
  readonly orderMs?: number;
  readonly lastingMs?: number;
  readonly seed?: string;
  readonly script?: (lab: FakeLab) => void;
  /** What the lab waits for before it is stopped. */
  readonly staysUntil?: (lab: FakeLab) => Promise<void>;
}

async function run(t: TestContext, bot: string, setting: Setting = {}): Promise<Ran> {
  const { orderMs = 250, lastingMs = 3_600_000, seed = "7", script, staysUntil } = setting;
  const lab = new FakeLab(START_MS, START_MS + lastingMs);
  const { admin, rest, stream } = await lab.start(orderMs);
  script?.(lab);
  const file = join(scratchFolder(t), "bot.mjs");
  writeFileSync(file, bot);
  const { NODE_TEST_CONTEXT: _, ...own } = process.env;
  const env = { ...own, PRICETIME_LAB: admin, PRICETIME_LAB_TOKEN: "t", PRICETIME_LAB_SEED: seed, REST: rest };
  const args = ["--disable-warning=ExperimentalWarning", "--import", HOLD, file];
  const child = spawn(process.execPath, args, { env: { ...env, STREAM: String(stream) }, timeout: PATIENCE_MS });
  let [output, errors] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const code = await new Promise<number | null>((done) => child.once("close", done));
  await staysUntil?.(lab);
  lab.stop();
  return { code, output, errors, seen: lab.seen };
}

test("a trader's ten seconds are the same each time, and it is told each message at its moment", async (t) => {
  const script = (lab: FakeLab): void => {
    for (let ms = 300; ms < 12_000; ms += 700) lab.at(START_MS + ms, () => lab.tell(`at ${START_MS + ms}\n`));
  };
  const first = await run(t, TRADER, { script });
  assert.deepEqual([first.code, first.errors], [0, ""], first.output);
  assert.doesNotMatch(first.output, /WRONG/);
  const heard = [...first.output.matchAll(/^(\d+) heard at (\d+)$/gm)];
  assert.ok(heard.length >= 14, first.output);
  for (const [line, nowMs, atMs] of heard) assert.equal(nowMs, atMs, line);
  for (const [line, nowMs, saidMs] of first.seen.join("\n").matchAll(/(\d+) says thanks (\d+)/g))
    assert.equal(nowMs, saidMs, line);
  // The orders of rounds 0, 3, 6 and 9 took a quarter of a second each.
  assert.match(first.output, new RegExp(`^${START_MS + 11_000} ends$`, "m"));
  for (let again = 0; again < 2; again++) {
    const next = await run(t, TRADER, { script });
    assert.equal(next.output, first.output);
    assert.deepEqual(next.seen, first.seen);
  }
  const other = await run(t, TRADER, { script, seed: "8" });
  assert.notEqual(other.output, first.output, "another seed is other dice");
});

test("requests sent at once arrive in the order in which they were sent, whichever connection was the quicker", async (t) => {
  const { code, errors, seen } = await run(t, THREE_AT_ONCE);
  assert.deepEqual([code, errors], [0, ""]);
  const paths = seen.slice(1).map((line) => line.split(" ").at(-1));
  assert.deepEqual(
    paths,
    Array.from({ length: 5 }, () => ["/first", "/second", "/third"])
      .flat()
      .concat("/bye"),
  );
});

test("timers, dates and dice do what Node's do, by the lab's clock", async (t) => {
  const script = readFileSync(new URL("./held-timers.mjs", import.meta.url), "utf8");
  const first = await run(t, script);
  assert.deepEqual([first.code, first.errors], [0, ""], first.output);
  assert.match(first.output, /^\[.*\]\nended at 235\n$/);
  assert.equal((await run(t, script)).output, first.output);
  assert.notEqual((await run(t, script, { seed: "8" })).output, first.output);
});

test("a bot that throws, exits, or is done with everything leaves the lab", async (t) => {
  for (const [bot, code, error] of [
    ["setTimeout(() => { throw new Error('out of luck'); }, 10)", 1, /out of luck/],
    ["setTimeout(() => process.exit(3), 10)", 3, /^$/],
    ["setTimeout(() => {}, 10)", 0, /^$/],
    [
      "process.on('uncaughtException', () => console.log('caught')); setTimeout(() => { throw 1; }, 1); setTimeout(() => {}, 5);",
      0,
      /^$/,
    ],
  ] as const) {
    const ran = await run(t, bot, { staysUntil: (lab) => lab.ended });
    assert.equal(ran.code, code, bot);
    assert.match(ran.errors, error);
  }
});

test("without a lab the bot runs by the machine's clock, and is told so; a lab that is gone ends it", async (t) => {
  const file = join(scratchFolder(t), "bot.mjs");
  writeFileSync(file, "console.log(Date.now() > 1e12); setTimeout(() => {}, 1);");
  const go = (env: Record<string, string>): { status: number | null; stdout: string; stderr: string } => {
    const { NODE_TEST_CONTEXT: _, PRICETIME_LAB: __, ...own } = process.env;
    const args = ["--disable-warning=ExperimentalWarning", "--import", HOLD, file];
    return spawnSync(process.execPath, args, { env: { ...own, ...env }, encoding: "utf8" });
  };
  const free = go({});
  assert.deepEqual([free.status, free.stdout], [0, "true\n"]);
  assert.match(free.stderr, /^pricetime\/lab\/hold: PRICETIME_LAB is not set\. .*\n$/);
  const lost = go({ PRICETIME_LAB: "http://127.0.0.1:9" });
  assert.equal(lost.status, 1);
  assert.match(lost.stderr, /pricetime\/lab\/hold: GET http:\/\/127.0.0.1:9\/v1\/lab\/clock: .*ECONNREFUSED/);
});
