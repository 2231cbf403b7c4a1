/**
 * Compares this checkout with another of the same program: the engine on the flows of `engine`, and the order path over
 * HTTP. Both run alternately in one run, in short slices and rounds, so that variations of the machine affect both.
 * Ratios are this checkout's time divided by the other's: above 1 is slower.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { V8_FLAGS } from "@pricetime/server/program";
import { median } from "@pricetime/testkit/quantile";
import type { FlowName } from "../engine/flow.ts";
import { type OrderPath, withOrderPath } from "../order-path/path.ts";
import { type BenchOptions, measuredIn, table } from "../measure.ts";

type Connect = typeof withOrderPath;

/** The number of process pairs per flow, and of rounds per number of connections. */
const ROUNDS = 5;
/** Rounds of one pair of nodes for each number of connections. */
const ROUNDS_A_PAIR = 3;
const FLOWS: readonly (readonly [flow: FlowName, symbols: number])[] = [
  ["making", 1],
  ["mixed", 1],
  ["making", 500],
  ["mixed", 500],
];
const ACCOUNTS = 10;
/** The requests of a phase, by connections. */
const COUNTS: readonly (readonly [connections: number, count: number])[] = [
  [1, 1000],
  [8, 6000],
  [64, 12_000],
];

/** The amount of work for one ratio. */
export interface Effort {
  readonly flows: readonly (readonly [flow: FlowName, symbols: number])[];
  /** The number of slices of 1,000 commands; undefined: the default of `engines-process.ts`. */
  readonly slices?: number;
  readonly counts: readonly (readonly [connections: number, count: number])[];
}

const WHOLE: Effort = { flows: FLOWS, counts: COUNTS };

export async function run(options: BenchOptions, effort: Effort = WHOLE): Promise<string[]> {
  const { rounds = ROUNDS, checkout, flow } = options;
  assert.ok(checkout !== undefined, "--checkout FOLDER says beside what: another checkout, after its npm ci");
  const other = resolve(checkout);
  assert.ok(existsSync(join(other, "bench/engine/contestants.ts")), `${other} holds no benchmarks`);
  const flows = effort.flows.filter(([name]) => flow === undefined || flow === name);
  const slices = effort.slices === undefined ? [] : [String(effort.slices)];
  const engines: (string | number)[][] = [];
  for (const each of flows) engines.push(await engineRow(other, each, rounds, slices));
  const lines = ["engine: time of slices of 1,000 commands, in alternating pairs", "", ...table(ENGINE_HEAD, engines)];
  if (flow !== undefined) return lines;
  return [
    ...lines,
    "",
    "order path: time of alternating rounds, all three phases",
    "",
    ...(await orderPath(other, rounds, effort.counts)),
  ];
}

const ENGINE_HEAD = ["flow", "pairs", "minimum", "median", "maximum"];

/**
 * Each pair runs in a new process, because the memory layout of objects and code differs from start to start. The engine
 * that is made first has an advantage of some percent, so each ratio is the geometric mean of two processes, in which
 * they change places.
 */
async function engineRow(
  other: string,
  [flow, symbols]: Effort["flows"][number],
  pairs: number,
  slices: readonly string[],
): Promise<(string | number)[]> {
  const program = new URL("./engines-process.ts", import.meta.url);
  const ratios: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const measure = (otherFirst: string): Promise<number> =>
      measuredIn<number>(program, [other, flow, String(symbols), otherFirst, ...slices], V8_FLAGS);
    ratios.push(Math.sqrt((await measure("0")) * (await measure("1"))));
  }
  return [`${flow}, ${symbols} symbol${symbols === 1 ? "" : "s"}`, pairs, ...spread(ratios)];
}

/** Rounds of several pairs of processes, whose ratio varies from pair to pair, as the engines' does. */
async function orderPath(other: string, rounds: number, counts: Effort["counts"]): Promise<string[]> {
  const pairs = Math.ceil(rounds / ROUNDS_A_PAIR);
  const theirs = await connectorOf(other);
  const ratios = counts.map((): number[] => []);
  for (let pair = 0; pair < pairs; pair++) {
    const [first, second] = pair % 2 === 0 ? [withOrderPath, theirs] : [theirs, withOrderPath];
    await first(ACCOUNTS, (one) =>
      second(ACCOUNTS, async (another) => {
        const [mine, their] = pair % 2 === 0 ? [one, another] : [another, one];
        for (const [at, [connections, count]] of counts.entries()) {
          for (let round = 0; round < ROUNDS_A_PAIR; round++) {
            const order = round % 2 === 0 ? [mine, their] : [their, mine];
            for (const path of order) await path.round({ connections, count });
            ratios[at]?.push(seconds(mine) / seconds(their));
          }
        }
      }),
    );
  }
  const rows = counts.map(([connections], at) => [connections, pairs * ROUNDS_A_PAIR, ...spread(ratios[at] ?? [])]);
  return table(["connections", "rounds", "minimum", "median", "maximum"], rows);
}

async function connectorOf(checkout: string): Promise<Connect> {
  const file = pathToFileURL(join(checkout, "bench/order-path/path.ts"));
  const path: { readonly withOrderPath: Connect } = await import(file.href);
  return path.withOrderPath;
}

/** The time of a request in each of the three phases of the last round. */
function seconds(path: OrderPath): number {
  const rounds = path.take();
  let sum = 0;
  for (const phase of ["rests", "fills", "cancel"] as const) {
    const results = rounds.get(phase)?.results ?? [];
    assert.ok(results.length > 0);
    for (const { perSecond } of results) sum += 1 / perSecond / results.length;
  }
  return sum;
}

const spread = (ratios: readonly number[]): string[] =>
  [Math.min(...ratios), median(ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(3));
