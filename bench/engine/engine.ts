/**
 * The complete engine (filters, ledger, fees, averages, IDs, state hash) and its book with plain matching, compared
 * with two published libraries on the same flows. Each runs in a process of its own, in alternating rounds, and all
 * must make the same trades.
 */
import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { V8_FLAGS } from "@pricetime/server/program";
import type { Outcome } from "./contestants.ts";
import { growth } from "./growth.ts";
import type { FlowShares, Pauses, Report, RoundOrder } from "./messages.ts";
import { FLOW_NAMES, type FlowName } from "./flow.ts";
import { median } from "@pricetime/testkit/quantile";
import { type BenchOptions, thousands } from "../measure.ts";

const SEED = 1;
/** The first round is a warm-up for the compiler. */
const ROUNDS = 6;
const STEPS_A_ROUND = 50_000;
const PAUSE_STEPS = 200_000;
const STEPS = ROUNDS * STEPS_A_ROUND + PAUSE_STEPS;
const SYMBOLS = [1, 500];
const NAMES = ["engine", "bare matching", "nodejs-order-book", "hft-limit-order-book"] as const;
const BASELINE = "nodejs-order-book";
/** An implementation that takes longer is left out of the row. */
const LOAD_LIMIT_MS = 120_000;
const ROUND_LIMIT_MS = 30_000;

class Candidate {
  readonly name: string;
  readonly rates: number[] = [];
  pauses: Pauses | null = null;
  outcome: Outcome | null = null;
  flow: FlowShares | null = null;
  /** Why it is left out. */
  failure: string | null = null;
  readonly #child: ChildProcess;

  constructor(name: string, flow: FlowName, symbols: number) {
    this.name = name;
    this.#child = fork(
      new URL("./contestant-process.ts", import.meta.url),
      [name, flow, symbols, SEED, STEPS].map(String),
      {
        execArgv: ["--disable-warning=ExperimentalWarning", ...V8_FLAGS],
      },
    );
  }

  async loaded(): Promise<void> {
    this.flow = (await this.#report("loaded", LOAD_LIMIT_MS))?.flow ?? null;
  }

  async round(order: RoundOrder): Promise<void> {
    if (this.failure !== null) return;
    this.#child.send(order);
    const report = await this.#report("round", ROUND_LIMIT_MS);
    if (report === null) return;
    if (order.kind === "pauses") this.pauses = report.pauses;
    else if (order.from > 0) this.rates.push(report.perSecond);
  }

  async end(): Promise<void> {
    if (this.failure !== null) return;
    this.#child.send("outcome");
    this.outcome = (await this.#report("outcome", ROUND_LIMIT_MS))?.outcome ?? null;
    this.#child.disconnect();
  }

  #report<Type extends Report["type"]>(type: Type, limitMs: number): Promise<Extract<Report, { type: Type }> | null> {
    return new Promise((resolve) => {
      const done = (report: Extract<Report, { type: Type }> | null, failure: string | null): void => {
        clearTimeout(timer);
        this.#child.removeAllListeners();
        this.failure = failure;
        if (failure !== null) this.#child.kill();
        resolve(report);
      };
      const timer = setTimeout(() => done(null, `no answer in ${limitMs / 1000} s`), limitMs);
      this.#child.once("exit", (code) => done(null, `ended with ${code}`));
      this.#child.once("message", (report: Report) => {
        if (report.type === type) done(report as Extract<Report, { type: Type }>, null);
        else done(null, report.type === "failed" ? report.reason : `said ${report.type}`);
      });
    });
  }
}

async function measure(flow: FlowName, symbols: number): Promise<Candidate[]> {
  const candidates = NAMES.map((name) => new Candidate(name, flow, symbols));
  await Promise.all(candidates.map((each) => each.loaded()));
  for (let round = 0; round < ROUNDS; round++) {
    const from = round * STEPS_A_ROUND;
    for (const each of candidates) await each.round({ kind: "speed", from, to: from + STEPS_A_ROUND });
  }
  for (const each of candidates) {
    await each.round({ kind: "pauses", from: ROUNDS * STEPS_A_ROUND, to: STEPS });
    await each.end();
  }
  return candidates;
}

/** Our engine must have done the work. A library with another outcome is left out, with its outcome as the reason. */
function judge(candidates: readonly Candidate[]): void {
  const [engine, bare] = candidates;
  assert.ok(engine?.outcome, `the engine failed: ${engine?.failure}`);
  const { outcome } = engine;
  assert.ok(outcome.tradedLots > 0, "nothing was traded");
  assert.equal(outcome.canceled, engine.flow?.cancels, "a cancel missed its order");
  for (const each of candidates) {
    if (each.outcome === null) continue;
    const theirs = each.outcome;
    const wrong = (["tradedLots", "canceled", "restingLots"] as const).filter((key) => theirs[key] !== outcome[key]);
    if (wrong.length > 0) each.failure = wrong.map((key) => `${key} ${theirs[key]}, not ${outcome[key]}`).join(", ");
  }
  assert.equal(bare?.failure, null, "the bare book does what the engine does");
}

function report(name: FlowName, symbols: number, candidates: readonly Candidate[]): string[] {
  const { flow } = candidates[0] as Candidate;
  assert.ok(flow);
  const share = (count: number): string => `${Math.round((count / STEPS) * 100)} %`;
  const heading = `${name}, ${symbols} symbol${symbols === 1 ? "" : "s"}: ${share(flow.adds)} adds, ${share(flow.cancels)} cancels, ${share(flow.crossing)} crossing; opened by ${thousands(flow.opening)} orders`;
  const baseline = candidates.find((each) => each.name === BASELINE);
  const base = baseline === undefined || baseline.failure !== null ? Number.NaN : median(baseline.rates);
  return [heading, ...candidates.map((each) => `  ${each.name.padEnd(21)}${line(each, base)}`)];
}

function line({ failure, rates, pauses }: Candidate, base: number): string {
  if (failure !== null || pauses === null) return `left out: ${failure}`;
  const rate = median(rates);
  const { p50Us, p9999Us, maxUs, maxOwnUs, cause } = pauses;
  const gaps = `p50 ${p50Us.toFixed(1)}, p99.99 ${p9999Us.toFixed(0)}, longest ${maxUs.toFixed(0)}, not preempted ${maxOwnUs.toFixed(0)} us (${cause})`;
  return `${thousands(rate).padStart(10)}/s  x${(rate / base).toFixed(2)}  pauses ${gaps}`;
}

export async function run({ flow: only }: BenchOptions): Promise<string[]> {
  const lines = [
    `${thousands(STEPS_A_ROUND)} steps a round, ${ROUNDS - 1} rounds after one of warming up, seed ${SEED}; pauses over ${thousands(PAUSE_STEPS)} steps`,
  ];
  for (const name of FLOW_NAMES) {
    if (only !== undefined && only !== name) continue;
    for (const symbols of only === undefined && name === "deep" ? [1] : SYMBOLS) {
      const candidates = await measure(name, symbols);
      judge(candidates);
      lines.push(...report(name, symbols, candidates));
    }
  }
  return only === undefined ? [...lines, ...(await growth())] : lines;
}
