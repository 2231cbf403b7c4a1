/**
 * A step of a lab's clock with nothing due, over HTTP on one connection that stays, beside a request on the same port that
 * does nothing. The processor's time is the server's.
 */
import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { quantile } from "@pricetime/testkit/quantile";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";
import type { BenchOptions } from "../options.ts";
import { table } from "../order-path/report.ts";
import { processTime } from "../venue/threads.ts";

const ROUNDS = 5;
const WARM_UP = 300;
const STEPS = 500;
const STEP = JSON.stringify({ ms: 1 });

interface Took {
  readonly ms: number[];
  cpuMs: number;
}

export async function run({ rounds = ROUNDS }: BenchOptions): Promise<string[]> {
  const exchange = await startExchange({ args: ["--lab", "--clock", "manual", "--bots", "off"] });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const took: Record<"step" | "nothing", Took> = { step: { ms: [], cpuMs: 0 }, nothing: { ms: [], cpuMs: 0 } };
  const asks = {
    step: () => ask(exchange, agent, "POST", "/v1/lab/clock/advance", STEP),
    nothing: () => ask(exchange, agent, "GET", "/healthz", ""),
  };
  try {
    for (let i = 0; i < WARM_UP; i++) for (const one of Object.values(asks)) await one();
    for (let round = 0; round < rounds; round++) {
      for (const what of ["step", "nothing"] as const) await measure(exchange, took[what], asks[what]);
    }
  } finally {
    agent.destroy();
    await exchange.stop();
  }
  const row = (what: string, { ms, cpuMs }: Took): string[] => [
    what,
    `${Math.min(...ms).toFixed(2)} ms`,
    `${quantile(ms, 0.5).toFixed(2)} ms`,
    `${(cpuMs / ms.length).toFixed(2)} ms`,
  ];
  const ratio = (took.step.cpuMs / took.nothing.cpuMs).toFixed(1);
  return [
    ...table(["", "least", "median", "processor"], [row("a step", took.step), row("nothing", took.nothing)]),
    "",
    `processor of a step / of nothing: ${ratio}`,
  ];
}

async function measure({ pid }: Exchange, took: Took, one: () => Promise<void>): Promise<void> {
  const before = processTime(pid);
  for (let i = 0; i < STEPS; i++) {
    const startMs = performance.now();
    await one();
    took.ms.push(performance.now() - startMs);
  }
  const after = processTime(pid);
  took.cpuMs += after.userMs + after.systemMs - before.userMs - before.systemMs;
}

function ask(
  { admin, adminToken }: Exchange,
  agent: Agent,
  method: "GET" | "POST",
  path: string,
  body: string,
): Promise<void> {
  const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const asked = request(new URL(path, admin), { method, agent, headers }, (answer) => {
      answer.resume();
      answer.once("end", () => {
        assert.equal(answer.statusCode, 200);
        resolve();
      });
    });
    asked.once("error", reject);
    asked.end(body);
  });
}
