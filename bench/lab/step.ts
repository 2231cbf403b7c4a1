/**
 * Advancing a lab's clock when nothing is due, compared with a no-op: over HTTP on one persistent connection, against a
 * program of its own; in this process, as a test does it; and the clock alone.
 */
import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { type LabExchange, startExchange as startInProcess } from "@pricetime/lab";
import { LabClock, MACHINE } from "@pricetime/server/parts";
import { quantile } from "@pricetime/testkit/quantile";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";
import type { BenchOptions } from "../options.ts";
import { table } from "../order-path/report.ts";
import { processTime } from "../venue/threads.ts";

const ROUNDS = 5;
const WARM_UP = 300;
const STEPS = 500;
const STEP = JSON.stringify({ ms: 1 });

/** One of the alternating measurements, and its costs so far. */
interface Measured {
  readonly what: string;
  readonly one: () => Promise<unknown>;
  /** The processor time so far of the process that does the work. */
  readonly cpuMs: () => number;
  readonly tookMs: number[];
  tookCpuMs: number;
}

export async function run({ rounds = ROUNDS }: BenchOptions): Promise<string[]> {
  const exchange = await startExchange({
    args: ["--lab", "--clock", "manual", "--bots", "off"],
    isTemporary: true,
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let lab: LabExchange | undefined;
  try {
    lab = await startInProcess({ process: false });
    const pairs = [overHttp(exchange, agent), inProcess(lab), clockAlone()];
    const all = pairs.flatMap(({ step, nothing }) => (nothing === undefined ? [step] : [step, nothing]));
    for (const { one } of all) for (let i = 0; i < WARM_UP; i++) await one();
    for (let round = 0; round < rounds; round++) for (const each of all) await measure(each);
    return table(
      ["", "minimum", "median", "CPU", "ratio to no-op"],
      pairs.flatMap(({ step, nothing }) =>
        nothing === undefined
          ? [rowOf(step, "")]
          : [rowOf(step, (meanCpuMs(step) / meanCpuMs(nothing)).toFixed(1)), rowOf(nothing, "1.0")],
      ),
    );
  } finally {
    agent.destroy();
    await lab?.stop();
    await exchange.stop();
  }
}

interface Pair {
  readonly step: Measured;
  /** Absent if there is no comparable no-op. */
  readonly nothing?: Measured;
}

function overHttp(exchange: Exchange, agent: Agent): Pair {
  const cpuMs = (): number => {
    const { userMs, systemMs } = processTime(exchange.pid);
    return userMs + systemMs;
  };
  const step = (): Promise<void> => ask(exchange, agent, "POST", "/v1/lab/clock/advance", STEP);
  const nothing = (): Promise<void> => ask(exchange, agent, "GET", "/healthz", "");
  return {
    step: measured("a step over HTTP", step, cpuMs),
    nothing: measured("a request over HTTP that does nothing", nothing, cpuMs),
  };
}

/** Processor time includes client and node. */
function inProcess({ clock }: LabExchange): Pair {
  return {
    step: measured("`clock.advance` of a lab in the process", () => clock.advance(1), ownCpuMs),
    nothing: measured("`clock.state` of it, which changes nothing", () => clock.state(), ownCpuMs),
  };
}

function clockAlone(): Pair {
  const onBug = (error: unknown): never => {
    throw error;
  };
  const clock = new LabClock({ machine: MACHINE, start: { mode: "manual", nowMs: 0, speed: 1 }, onBug });
  return { step: measured("the clock only", () => clock.advance((nowMs) => nowMs + 1), ownCpuMs) };
}

function measured(what: string, one: Measured["one"], cpuMs: Measured["cpuMs"]): Measured {
  return { what, one, cpuMs, tookMs: [], tookCpuMs: 0 };
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const meanCpuMs = ({ tookMs, tookCpuMs }: Measured): number => tookCpuMs / tookMs.length;

function rowOf(measuredOne: Measured, ratio: string): string[] {
  const { what, tookMs } = measuredOne;
  const ms = (value: number): string => `${value.toFixed(3)} ms`;
  return [what, ms(Math.min(...tookMs)), ms(quantile(tookMs, 0.5)), ms(meanCpuMs(measuredOne)), ratio];
}

async function measure(each: Measured): Promise<void> {
  const before = each.cpuMs();
  for (let i = 0; i < STEPS; i++) {
    const startMs = performance.now();
    await each.one();
    each.tookMs.push(performance.now() - startMs);
  }
  each.tookCpuMs += each.cpuMs() - before;
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
