/** Unchanged bots, held by the preload, on a real lab whose market moves: all runs are identical. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { pbkdf2 } from "node:crypto";
import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { promisify } from "node:util";
import { type LabExchange, startExchange } from "@pricetime/lab";
import { HOLD, PATIENCE_MS, run } from "./held-run.ts";

/** More than the threads on which Node compresses, each for a tenth of a second. */
const BUSY_JOBS = 8;
const BUSY_ROUNDS = 80_000;
const slow = promisify(pbkdf2);

test("a bot in lock step trades through half a minute of market, twice the same", async (t) => {
  const started = performance.now();
  const first = await run(t, { seed: 5 }, 30);
  t.diagnostic(`${Math.round(performance.now() - started)} ms for ${first.output.split("\n").length} lines`);
  assert.deepEqual([first.code, first.errors], [0, ""], first.output.slice(-2000));
  assert.match(first.output, /ends after \d+ trades/);
  const orders = first.output.match(/^\S+ FILLED .*$/gm) ?? [];
  assert.equal(orders.length, 3, first.output.slice(-2000));
  // An order at the current instant of the bot's clock.
  for (const line of orders) assert.equal(Date.parse(line.split(" ")[0] ?? ""), Number(line.split(" ").at(-1)), line);
  const second = await run(t, { seed: 5 }, 30);
  assert.equal(second.output, first.output);
  assert.equal(second.endMs, first.endMs);
});

test("a bot that is killed in the middle of a moment holds nobody up", { timeout: PATIENCE_MS }, async (t) => {
  const exchange = await startExchange();
  t.after(() => exchange.stop());
  const me = await exchange.clock.join("test");
  const startMs = await exchange.clock.now();
  const { NODE_TEST_CONTEXT: _, ...own } = process.env;
  const bot = "setTimeout(() => { process._rawDebug('busy'); for (;;); }, 100)";
  const args = ["--disable-warning=ExperimentalWarning", "--import", HOLD, "--input-type=module", "--eval", bot];
  const child = spawn(process.execPath, args, { env: { ...own, ...exchange.environment("stuck") } });
  t.after(() => child.kill("SIGKILL"));
  const busy = once(child.stderr, "data");
  while (!(await joined(exchange)).includes("stuck")) await new Promise((next) => void setTimeout(next, 20));
  const until = me.until(startMs + 60_000);
  await busy;
  assert.equal(await exchange.clock.now(), startMs + 100, "it is not done");
  child.kill("SIGKILL");
  await until;
  assert.deepEqual(await joined(exchange), ["test"]);
  await me.leave();
  assert.deepEqual(await joined(exchange), []);
});

test("a moment is not over before a long answer is compressed", { timeout: PATIENCE_MS }, async (t) => {
  const exchange = await startExchange();
  t.after(() => exchange.stop());
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const ask = async (path: string): Promise<void> => {
    const sent = get(exchange.rest + path, { agent, headers: { "Accept-Encoding": "gzip" } });
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    assert.equal(answer.statusCode, 200);
    await once(answer.resume(), "end");
  };
  // Its connection is open, so the lab reads the next request at once.
  await ask("/api/v3/ping");
  // Compression waits for all of them.
  const busy = Promise.all(Array.from({ length: BUSY_JOBS }, () => slow("a", "b", BUSY_ROUNDS, 32, "sha512")));
  let isAnswered = false;
  const answered = ask("/api/v3/exchangeInfo").then(() => (isAnswered = true));
  for (let i = 0; i < 2; i++) await exchange.clock.advance(0);
  for (let i = 0; i < 10; i++) await turn();
  assert.equal(isAnswered, true);
  await Promise.all([busy, answered]);
});

async function joined({ admin, adminToken }: LabExchange): Promise<string[]> {
  const headers = { authorization: `Bearer ${adminToken}` };
  return (await (await fetch(`${admin}/v1/lab/clock/clients`, { headers })).json()) as string[];
}
