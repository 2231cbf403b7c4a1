/** Restores a complete lab over HTTP as users do, compared with an empty request. */
import assert from "node:assert/strict";
import { quantile } from "@pricetime/testkit/quantile";
import { type Exchange, operate, startExchange } from "@pricetime/testkit/venue";
import { table } from "../order-path/report.ts";
import { processTime } from "../venue/threads.ts";
import { withFolder } from "../venue/venue.ts";
import { openLargeState } from "./large-state.ts";

const DEMO_RESTORES_A_ROUND = 10;
const LARGE_RESTORES_A_ROUND = 1;
const NOTHINGS_A_ROUND = 50;
const MINUTE_MS = 60_000;
const NAME = "here";
/** A busy machine takes long to load a large state. */
const READY_WITHIN_MS = 600_000;

/** A lab as users start it, after five minutes of its market. */
export async function demoOverHttp(rounds: number): Promise<string[]> {
  const args = ["--lab", "--clock", "manual"];
  const exchange = await startExchange({ args, isTemporary: true, readyWithinMs: READY_WITHIN_MS });
  const goOn = (): Promise<unknown> => operate(exchange, "POST", "/v1/lab/clock/advance", { ms: MINUTE_MS });
  try {
    for (let minute = 0; minute < 5; minute++) await goOn();
    return await measured(exchange, { goOn, rounds, restores: DEMO_RESTORES_A_ROUND });
  } finally {
    await exchange.stop();
  }
}

/** A lab on a folder with 100,000 open orders and so many trades. */
export async function largeOverHttp(rounds: number, trades: number): Promise<string[]> {
  return withFolder(async (dataFolder) => {
    const { storage, sequencer } = await openLargeState(dataFolder, "kept", trades);
    await sequencer.stop();
    await storage.close();
    const args = ["--lab", "--clock", "manual", "--no-demo"];
    const exchange = await startExchange({ dataFolder, args, readyWithinMs: READY_WITHIN_MS });
    let asked = 0;
    const goOn = (): Promise<unknown> => {
      const email = `after-${++asked}@example.org`;
      return operate(exchange, "POST", "/v1/accounts", { email, name: "after" });
    };
    try {
      return await measured(exchange, { goOn, rounds, restores: LARGE_RESTORES_A_ROUND });
    } finally {
      await exchange.stop();
    }
  });
}

interface Took {
  readonly ms: number[];
  cpuMs: number;
}

interface Course {
  /** The activity between a checkpoint and the restore. */
  readonly goOn: () => Promise<unknown>;
  readonly rounds: number;
  /** The number of restores in each round. */
  readonly restores: number;
}

interface Moment {
  readonly seq: number;
  readonly hash: string;
}

async function measured(exchange: Exchange, { goOn, rounds, restores }: Course): Promise<string[]> {
  const took: Record<"take" | "restore" | "nothing", Took> = {
    take: { ms: [], cpuMs: 0 },
    restore: { ms: [], cpuMs: 0 },
    nothing: { ms: [], cpuMs: 0 },
  };
  const nothing = (): Promise<unknown> => operate(exchange, "GET", "/healthz");
  // The first ones are a warm-up.
  await operate(exchange, "POST", "/v1/lab/checkpoints", { name: NAME });
  await goOn();
  await operate(exchange, "POST", `/v1/lab/checkpoints/${NAME}/restore`);
  for (let round = 0; round < rounds; round++) {
    const body = { name: NAME, replace: true };
    const kept = await timed(exchange, took.take, () => operate(exchange, "POST", "/v1/lab/checkpoints", body));
    const { seq, hash } = kept as unknown as Moment;
    for (let restore = 0; restore < restores; restore++) {
      await goOn();
      const path = `/v1/lab/checkpoints/${NAME}/restore`;
      const back = (await timed(exchange, took.restore, () => operate(exchange, "POST", path))) as unknown as Moment;
      assert.deepEqual([back.seq, back.hash], [seq, hash], "a restore goes back to the checkpoint");
    }
    for (let one = 0; one < NOTHINGS_A_ROUND; one++) await timed(exchange, took.nothing, nothing);
  }
  const row = (what: string, { ms, cpuMs }: Took): string[] => [
    what,
    `${Math.min(...ms).toFixed(1)} ms`,
    `${quantile(ms, 0.5).toFixed(1)} ms`,
    `${(cpuMs / ms.length).toFixed(1)} ms`,
    (cpuMs / ms.length / (took.nothing.cpuMs / took.nothing.ms.length)).toFixed(1),
  ];
  return table(
    ["", "minimum", "median", "CPU", "ratio to no-op"],
    [
      row("take", took.take),
      row(`restore (${took.restore.ms.length})`, took.restore),
      row("a request that does nothing", took.nothing),
    ],
  );
}

/** Measures the node's processor time as well. */
async function timed<Answer>({ pid }: Exchange, took: Took, work: () => Promise<Answer>): Promise<Answer> {
  const before = processTime(pid);
  const startMs = performance.now();
  const answer = await work();
  took.ms.push(performance.now() - startMs);
  const after = processTime(pid);
  took.cpuMs += after.userMs + after.systemMs - before.userMs - before.systemMs;
  return answer;
}
