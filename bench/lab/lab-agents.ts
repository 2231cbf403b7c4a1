/**
 * The cost of agents per command compared with the engine: their observations, decisions and figures, measured in a
 * lab's market with many agents of each type, and the same entries applied again to an engine in the same state,
 * alternately.
 */
import assert from "node:assert/strict";
import { Engine, type Entry } from "@pricetime/engine";
import { LabMarket } from "@pricetime/testkit/lab-market";
import { median } from "@pricetime/testkit/quantile";
import { thousands } from "../measure.ts";
import type { BenchOptions } from "../options.ts";
import { table } from "../order-path/report.ts";

const ROUNDS = 5;
const MINUTE_MS = 60_000;
const SLICE_MS = 2 * MINUTE_MS;
const SYMBOL = "ETHUSDT";
/** Each type alone at its highest activity, and all of them together. */
const CASTS: Readonly<Record<string, readonly object[]>> = {
  noise: [{ type: "noise", symbol: SYMBOL, count: 100, everyMs: 2_000 }],
  momentum: [{ type: "momentum", symbol: SYMBOL, count: 100, everyMs: 1_000, thresholdBps: 0, maxPositionQuote: 1e8 }],
  reversion: [
    { type: "reversion", symbol: SYMBOL, count: 100, everyMs: 1_000, thresholdBps: 0, maxPositionQuote: 1e8 },
  ],
  informed: [{ type: "informed", symbol: SYMBOL, count: 100, newsEveryMs: 20_000, aheadMs: 10_000 }],
  worked: [{ type: "worked", symbol: SYMBOL, count: 100, everyMs: 1_000, side: "BUY", totalQuote: 1e9 }],
  "stop-hunter": [{ type: "stop-hunter", symbol: SYMBOL, count: 50, withinBps: 1_000, holdMs: 1_000, pauseMs: 1_000 }],
};
const ALL = Object.values(CASTS).flatMap((cast) => cast.map((one) => ({ ...one, count: 40 })));

/** Microseconds per command. */
interface Cost {
  /** The cost of the agents' own commands until they are queued, and of following the exchange. */
  readonly agents: number;
  /** The cost of applying all commands of the slice again. */
  readonly engine: number;
  readonly sent: number;
}

export async function run({ rounds = ROUNDS }: BenchOptions): Promise<string[]> {
  const rows: (string | number)[][] = [];
  for (const [name, agents] of [...Object.entries(CASTS), ["all, 240 agents", ALL] as const]) {
    const costs = await costsOf(agents, rounds);
    const of = (value: (cost: Cost) => number): number => median(costs.map(value));
    rows.push([
      name,
      thousands(of(({ sent }) => sent / (SLICE_MS / 1000))),
      of((cost) => cost.agents).toFixed(1),
      of((cost) => cost.engine).toFixed(1),
      of((cost) => cost.agents / cost.engine).toFixed(1),
    ]);
  }
  return table(
    ["agents", "commands per market second", "agents, us per command", "engine, us per command", "ratio"],
    rows,
  );
}

async function costsOf(agents: readonly object[], rounds: number): Promise<Cost[]> {
  let entries: Entry[] = [];
  const market = await new LabMarket({ symbols: [SYMBOL], agents, onApplied: (entry) => entries.push(entry) }).open();
  let tookUs = 0;
  const timed = <A extends readonly unknown[]>(act: (...given: A) => void) => {
    return (...given: A): void => {
      const from = processorUs();
      act(...given);
      tookUs += processorUs() - from;
    };
  };
  const { agents: all } = market;
  all.step = timed(all.step.bind(all));
  all.applied = timed(all.applied.bind(all));
  const accounts = new Set(all.groups.flatMap(({ parts }) => parts.accounts.map(({ accountId }) => accountId)));
  await market.advance(SLICE_MS);
  const costs: Cost[] = [];
  for (let round = 0; round < rounds; round++) {
    const state = market.engine.snapshot();
    [entries, tookUs] = [[], 0];
    await market.advance(SLICE_MS);
    const sent = entries.filter(({ command }) => "accountId" in command && accounts.has(command.accountId)).length;
    assert.ok(sent > 100, "agents that send nothing measure nothing");
    costs.push({ agents: tookUs / sent, engine: engineCost(state, entries), sent });
  }
  assert.deepEqual(market.errors, []);
  await market.stop();
  return costs;
}

function engineCost(state: Uint8Array, entries: readonly Entry[]): number {
  const engine = Engine.restore(state);
  const from = processorUs();
  for (const entry of entries) engine.apply(entry);
  return (processorUs() - from) / entries.length;
}

/** Processor time of this thread. */
function processorUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
