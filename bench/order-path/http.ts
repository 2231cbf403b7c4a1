/**
 * The short `order-path`: throughput and cost at 64 connections, also for clients that send head and body separately.
 */
import type { BenchOptions } from "../options.ts";
import { measureRounds } from "./order-path.ts";
import { withOrderPath } from "./path.ts";
import { CPU_HEAD, cpuRows, mixedRate, RATE_HEAD, rateOf, rateRows, table } from "./report.ts";

const ROUNDS = 5;
const ACCOUNTS = 10;
const CONNECTIONS = 64;
const COUNT = 15_000;

export async function run({ rounds = ROUNDS }: BenchOptions): Promise<string[]> {
  const round = { connections: CONNECTIONS, count: COUNT };
  const [measured, apart] = await withOrderPath(ACCOUNTS, async (path) => [
    await measureRounds(path, rounds, round),
    await measureRounds(path, rounds, { ...round, apart: true }),
  ]);
  return [
    `${CONNECTIONS} keep-alive connections, one request under way on each; medians of ${rounds} rounds`,
    "",
    ...table(RATE_HEAD, [
      ...rateRows(CONNECTIONS, measured),
      ...rateRows(`${CONNECTIONS}, head and body apart`, apart),
    ]),
    "",
    ...table(CPU_HEAD, cpuRows(measured)),
    "",
    `ratio ${(mixedRate(measured) / rateOf(measured, "echo")).toFixed(2)}`,
  ];
}
