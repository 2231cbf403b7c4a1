/**
 * The cost of a lab's checkpoint and of restoring it over HTTP, compared with a request that does nothing: of a demo
 * with bots, and of a lab with 100,000 open orders and a million trades.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { processorMs } from "@pricetime/testkit/process-usage";
import { quantile } from "@pricetime/testkit/quantile";
import { type Exchange, operate, startExchange } from "@pricetime/testkit/venue";
import { type BenchOptions, table } from "../measure.ts";
import { restingOrders, tradedPairs } from "../venue/flows.ts";
import { JournalMaker } from "../venue/journal-maker.ts";
import { rebuildHistory, withFolder } from "../venue/venue.ts";

const ROUNDS = 7;
const TRADES = 1_000_000;
const OPEN_ORDERS = 100_000;
const DEMO_RESTORES_A_ROUND = 10;
const IDLE_REQUESTS_A_ROUND = 50;
const MINUTE_MS = 60_000;
const NAME = "here";
/** A busy machine takes long to load a large state. */
const READY_WITHIN_MS = 600_000;
const LAB = ["--lab", "--clock", "manual"];

/** `rows` is the number of trades. */
export async function run({ rounds = ROUNDS, rows: trades = TRADES }: BenchOptions): Promise<string[]> {
  return [
    ...["demo with bots, one market minute after the checkpoint", ""],
    ...(await ofDemo(rounds)),
    ...["", "large state, one command after the checkpoint", ""],
    ...(await ofLargeState(rounds, trades)),
  ];
}

/** A lab as users start it, after five minutes of its market. */
async function ofDemo(rounds: number): Promise<string[]> {
  const exchange = await startExchange({ args: LAB, isTemporary: true, readyWithinMs: READY_WITHIN_MS });
  const change = (): Promise<unknown> => operate(exchange, "POST", "/v1/lab/clock/advance", { ms: MINUTE_MS });
  try {
    for (let minute = 0; minute < 5; minute++) await change();
    return await measured(exchange, { change, rounds, restores: DEMO_RESTORES_A_ROUND });
  } finally {
    await exchange.stop();
  }
}

async function ofLargeState(rounds: number, trades: number): Promise<string[]> {
  return withFolder(async (dataFolder) => {
    const maker = new JournalMaker({ folder: dataFolder, accounts: 2, keys: 0 });
    tradedPairs(maker, trades);
    restingOrders(maker, OPEN_ORDERS);
    maker.close({ snapshot: true });
    await rebuildHistory(dataFolder);
    // A lab opens only folders with this file.
    writeFileSync(join(dataFolder, "lab.json"), JSON.stringify({ kind: "pricetime lab" }));
    const args = [...LAB, "--no-demo"];
    const exchange = await startExchange({ dataFolder, args, readyWithinMs: READY_WITHIN_MS });
    let opened = 0;
    const change = (): Promise<unknown> =>
      operate(exchange, "POST", "/v1/accounts", { email: `after-${++opened}@example.org`, name: "after" });
    try {
      return await measured(exchange, { change, rounds, restores: 1 });
    } finally {
      await exchange.stop();
    }
  });
}

interface Course {
  /** The activity between a checkpoint and the restore. */
  readonly change: () => Promise<unknown>;
  readonly rounds: number;
  /** The number of restores in each round. */
  readonly restores: number;
}

interface Checkpoint {
  readonly seq: number;
  readonly hash: string;
}

/** Measures requests and the node's processor time. */
class Timed {
  readonly #pid: number;
  readonly #ms: number[] = [];
  #cpuMs = 0;

  constructor({ pid }: Exchange) {
    this.#pid = pid;
  }

  async run<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const [beforeMs, startMs] = [processorMs(this.#pid), performance.now()];
    const answer = await work();
    this.#ms.push(performance.now() - startMs);
    this.#cpuMs += processorMs(this.#pid) - beforeMs;
    return answer;
  }

  get meanCpuMs(): number {
    return this.#cpuMs / this.#ms.length;
  }

  row(what: string, idle: Timed): string[] {
    const ms = [Math.min(...this.#ms), quantile(this.#ms, 0.5), this.meanCpuMs];
    return [what, ...ms.map((value) => `${value.toFixed(1)} ms`), (this.meanCpuMs / idle.meanCpuMs).toFixed(1)];
  }
}

async function measured(exchange: Exchange, { change, rounds, restores }: Course): Promise<string[]> {
  const take = (): Promise<Checkpoint> =>
    operate(exchange, "POST", "/v1/lab/checkpoints", { name: NAME, replace: true });
  const restore = (): Promise<Checkpoint> => operate(exchange, "POST", `/v1/lab/checkpoints/${NAME}/restore`);
  const [takes, restored, idle] = [new Timed(exchange), new Timed(exchange), new Timed(exchange)];
  // The first ones are a warm-up.
  await take();
  await change();
  await restore();
  for (let round = 0; round < rounds; round++) {
    const taken = await takes.run(take);
    for (let n = 0; n < restores; n++) {
      await change();
      const { seq, hash } = await restored.run(restore);
      assert.deepEqual([seq, hash], [taken.seq, taken.hash], "a restore goes back to the checkpoint");
    }
    for (let n = 0; n < IDLE_REQUESTS_A_ROUND; n++) await idle.run(() => operate(exchange, "GET", "/healthz"));
  }
  return table(
    ["", "minimum", "median", "CPU", "ratio to no-op"],
    [
      takes.row("take", idle),
      restored.row(`restore (${rounds * restores})`, idle),
      idle.row("a request that does nothing", idle),
    ],
  );
}
