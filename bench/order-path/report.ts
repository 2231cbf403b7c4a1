/** Formats rounds of orders as rows of a table. */
import type { LoadResult } from "../load/messages.ts";
import { median } from "@pricetime/testkit/quantile";
import type { CpuTime, ThreadTimes } from "@pricetime/testkit/process-usage";
import { type Phase, PHASES, type Rounds } from "./path.ts";
import { thousands } from "../measure.ts";

/** The threads that are listed, in this order; the others are V8's compiler and garbage collector. */
const THREADS = ["main", "journal", "projector", "reader"];

const resultsOf = (rounds: Rounds, phase: Phase): readonly LoadResult[] => rounds.get(phase)?.results ?? [];

const rateOf = (rounds: Rounds, phase: Phase): number =>
  median(resultsOf(rounds, phase).map((result) => result.perSecond));

/** The throughput of an equal mix of resting orders, filling orders and cancels. */
export function mixedRate(rounds: Rounds): number {
  return PHASES.length / PHASES.reduce((sum, phase) => sum + 1 / rateOf(rounds, phase), 0);
}

export const RATE_HEAD = ["connections", "what", "requests/s", "echo/s", "ratio"];

export function rateRows(connections: number | string, rounds: Rounds): (string | number)[][] {
  const echo = rateOf(rounds, "echo");
  const line = (name: string, rate: number): (string | number)[] => [
    connections,
    name,
    thousands(rate),
    thousands(echo),
    `**${(rate / echo).toFixed(2)}**`,
  ];
  return [...PHASES.map((phase) => line(phase, rateOf(rounds, phase))), line("all three", mixedRate(rounds))];
}

export const DELAY_HEAD = ["what", "requests/s", "p50 ms", "p99 ms", "p99.9 ms", "max ms", "p99 / p50"];

export function delayRows(rounds: Rounds): (string | number)[][] {
  return (["echo", ...PHASES] as const).map((phase) => {
    const of = (key: "p50" | "p99" | "p999" | "max"): number =>
      median(resultsOf(rounds, phase).map((result) => result.delayMs[key]));
    const times = (["p50", "p99", "p999", "max"] as const).map((key) => of(key).toFixed(2));
    return [phase, thousands(rateOf(rounds, phase)), ...times, (of("p99") / of("p50")).toFixed(1)];
  });
}

export const CPU_HEAD = ["CPU us per request", ...THREADS, "V8", "load"];

/** User and system time of each server thread. */
export function cpuRows(rounds: Rounds): string[][] {
  return PHASES.map((phase) => {
    const cpu = rounds.get(phase)?.cpu ?? [];
    const load = median(resultsOf(rounds, phase).map((result) => result.cpuAnAnswerUs));
    return [phase, ...THREADS.map((name) => cell(cpu, name)), cell(cpu, undefined), load.toFixed(0)];
  });
}

function cell(rounds: readonly ThreadTimes[], name: string | undefined): string {
  const times = rounds.map((threads) => (name === undefined ? others(threads) : (threads.get(name) ?? NONE)));
  const us = (key: keyof CpuTime): string => (median(times.map((time) => time[key])) * 1000).toFixed(0);
  return `${us("userMs")} + ${us("systemMs")}`;
}

const NONE: CpuTime = { userMs: 0, systemMs: 0 };

function others(threads: ThreadTimes): CpuTime {
  let sum = NONE;
  for (const [name, { userMs, systemMs }] of threads) {
    if (!THREADS.includes(name)) sum = { userMs: sum.userMs + userMs, systemMs: sum.systemMs + systemMs };
  }
  return sum;
}
