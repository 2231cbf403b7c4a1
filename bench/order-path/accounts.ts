/** The order path with 10, 1,000 and 100,000 accounts: the same orders from more and more customers. */
import type { BenchOptions } from "../options.ts";
import { thousands } from "../measure.ts";
import { type OrderPath, PHASES, type Rounds, withOrderPath } from "./path.ts";
import { mixedRate, rateOf, table } from "./report.ts";

const ROUNDS = 5;
const SIZES = [10, 1000, 100_000];
const ROUND = { connections: 64, count: 6000 };

export async function run({ rounds = ROUNDS }: BenchOptions): Promise<string[]> {
  const measured = await withPaths(SIZES, [], async (paths) => {
    for (let n = 0; n < rounds; n++) for (const path of paths) await path.round(ROUND);
    return paths.map((path) => path.take());
  });
  const [few] = measured;
  const rows = measured.map((each, n) => rowOf(SIZES[n] ?? 0, each, few ?? each));
  return [
    `${ROUND.connections} connections; every account sends in turn; medians of ${rounds} rounds; ratios to ${SIZES[0]} accounts`,
    "",
    ...table(["accounts", ...PHASES.flatMap((phase) => [`${phase}/s`, "ratio"]), "all three"], rows),
  ];
}

function rowOf(accounts: number, rounds: Rounds, few: Rounds): string[] {
  const cells = PHASES.flatMap((phase) => {
    const rate = rateOf(rounds, phase);
    return [thousands(rate), (rate / rateOf(few, phase)).toFixed(2)];
  });
  return [thousands(accounts), ...cells, `**${(mixedRate(rounds) / mixedRate(few)).toFixed(2)}**`];
}

/** All venues run at once, so that their rounds can alternate. */
async function withPaths<Result>(
  sizes: readonly number[],
  open: readonly OrderPath[],
  measure: (paths: readonly OrderPath[]) => Promise<Result>,
): Promise<Result> {
  const [size, ...others] = sizes;
  if (size === undefined) return measure(open);
  return withOrderPath(size, (path) => withPaths(others, [...open, path], measure));
}
