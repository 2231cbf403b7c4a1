/** The routes of a lab's clock and its latency, at a node: what they wait for, and what they reject. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { runProgram } from "../../../src/program/cli/program.ts";
import { startLab } from "../checkpoints/running-lab.ts";

const START_MS = 1_767_225_600_000;
const ADVANCE = "/v1/lab/clock/advance";

interface Advanced {
  readonly nowMs: number;
  readonly reached?: boolean;
  readonly interrupted?: boolean;
}

test("until nothing is under way: a deposit that somebody has sent is final then, and not before", async (t) => {
  const lab = await startLab(t);
  const idle = (): Promise<Advanced> => lab.ask("POST", ADVANCE, { untilIdle: true });
  assert.deepEqual((await idle()).nowMs, START_MS, "nothing is under way at the start");
  const account = lab.accounts[0]?.email ?? "";
  await lab.ask("POST", "/v1/networks/BTC/sandbox/faucet", { asset: "BTC", amount: "1", account });
  await lab.ask("POST", ADVANCE, { untilEvent: { deposit: { account, coin: "BTC" } }, maxMs: 600_000 });
  const { nowMs, reached } = await idle();
  assert.equal(reached, true);
  assert.ok(nowMs > START_MS);
  const history = await lab.clients[0]?.signed<{ depositList: { status: number }[] }>(
    "GET",
    "/wapi/v3/depositHistory.html",
    { timestamp: nowMs, asset: "BTC" },
  );
  assert.deepEqual(
    history?.json.depositList.map(({ status }) => status),
    [1],
    history?.text,
  );
});

test("an advance of ten years ends when somebody wants it to, and says where it stands", {
  timeout: 60_000,
}, async (t) => {
  const lab = await startLab(t);
  const maxMs = 10 * 365 * 86_400_000;
  const interrupted = async (end: () => Promise<unknown>): Promise<Advanced> => {
    const way = lab.ask<Advanced>("POST", ADVANCE, { untilEvent: { fill: {} }, maxMs });
    while ((await lab.ask<Advanced>("GET", "/v1/lab/clock")).nowMs < START_MS + 1_000);
    await end();
    return way;
  };
  const first = await interrupted(() => lab.ask("DELETE", ADVANCE));
  assert.ok(first.nowMs < START_MS + maxMs);
  assert.deepEqual([first.reached, first.interrupted], [false, true]);
  const second = await interrupted(() => lab.ask("POST", "/v1/lab/clock", { mode: "manual" }));
  assert.deepEqual(
    (await lab.ask<Advanced>("GET", "/v1/lab/clock")).nowMs,
    second.nowMs,
    "the clock stands where the advance has ended",
  );
  const { nowMs } = await lab.ask<Advanced>("DELETE", ADVANCE);
  assert.equal(nowMs, second.nowMs, "there is nothing to end");

  // Ctrl-C in the command line.
  const said: string[] = [];
  let interrupt: (() => void) | undefined;
  const running = runProgram(["lab", "advance", "3650d", "--json"], {
    print: (text) => said.push(text),
    complain: (text) => said.push(text),
    environment: { PRICETIME_DATA: lab.folder },
    serve: () => Promise.reject(new Error("no node is wanted")),
    onInterrupt: (task) => {
      interrupt = task;
      return () => (interrupt = undefined);
    },
  });
  while ((await lab.ask<Advanced>("GET", "/v1/lab/clock")).nowMs === nowMs);
  interrupt?.();
  assert.equal(await running, 0, said.join());
  assert.equal((JSON.parse(said.join()) as Advanced).interrupted, true);
  assert.equal(interrupt, undefined);
});

test("what is no way to go is refused, and the clock stands", async (t) => {
  const lab = await startLab(t);
  for (const [path, body, status] of [
    [ADVANCE, {}, 400],
    [ADVANCE, { ms: -1 }, 400],
    [ADVANCE, { ms: 1, toMs: START_MS + 5 }, 400],
    [ADVANCE, { toMs: START_MS - 1 }, 409],
    [ADVANCE, { untilEvent: { fill: { symbol: "NOSUCH" } } }, 404],
    [ADVANCE, { untilEvent: { price: { symbol: "BTCUSDT", atLeast: "0.001" } } }, 400],
    ["/v1/lab/clock", { mode: "manual", nowMs: START_MS - 1 }, 409],
    ["/v1/lab/clock", { mode: "real", speed: 2 }, 400],
    ["/v1/lab/clock", { mode: "slow" }, 400],
    ["/v1/lab/clock/done", { name: "nobody" }, 404],
  ] as const) {
    await lab.ask("POST", path, body, status);
  }
  assert.deepEqual(await lab.ask("GET", "/v1/lab/clock"), { mode: "manual", nowMs: START_MS, speed: 1 });
});

test("latency from a file; what is no such file is refused, even one without an end", async (t) => {
  const lab = await startLab(t);
  const folder = scratchFolder(t);
  const file = join(folder, "waits.txt");
  writeFileSync(file, "# milliseconds\n3\n\n5.4\n");
  assert.deepEqual(await lab.ask("POST", "/v1/lab/latency", { answer: { place: { file } } }), {
    answer: { place: { samplesMs: [3, 5] } },
  });
  const words = join(folder, "words.txt");
  writeFileSync(words, "soon\n");
  for (const bad of ["/dev/zero", folder, join(folder, "none"), words]) {
    await lab.ask("POST", "/v1/lab/latency", { answer: { file: bad } }, 400);
  }
  assert.deepEqual(await lab.ask("GET", "/v1/lab/latency"), { answer: { place: { samplesMs: [3, 5] } } });
});
