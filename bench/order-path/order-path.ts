/**
 * Signed, durable orders over HTTP against the real program: resting LIMIT, filling LIMIT, cancel; at 1, 8, 64 and 512
 * connections, compared with an echo of the same bytes. Then the delay at half of the peak.
 */
import type { BenchOptions } from "../options.ts";
import { CPU_HEAD, cpuRows, DELAY_HEAD, delayRows, mixedRate, RATE_HEAD, rateRows, table } from "./report.ts";
import { type OrderPath, type Rounds, withOrderPath } from "./path.ts";

const ROUNDS = 5;
const ACCOUNTS = 10;
/** The requests of a phase, by connections. */
const COUNTS: readonly (readonly [connections: number, count: number])[] = [
  [1, 1000],
  [8, 6000],
  [64, 12_000],
  [512, 12_000],
];
const USUAL_CONNECTIONS = 64;
const DELAY_ROUND_MS = 2000;

export async function run({ rounds = ROUNDS }: BenchOptions): Promise<string[]> {
  return withOrderPath(ACCOUNTS, async (path) => {
    const rates: (string | number)[][] = [];
    let usual: Rounds = new Map();
    for (const [connections, count] of COUNTS) {
      const measured = await measureRounds(path, rounds, { connections, count });
      rates.push(...rateRows(connections, measured));
      if (connections === USUAL_CONNECTIONS) usual = measured;
    }
    const perSecond = Math.round(mixedRate(usual) / 2);
    const count = Math.round((perSecond * DELAY_ROUND_MS) / 1000);
    const delays = await measureRounds(path, rounds, { connections: USUAL_CONNECTIONS, count, perSecond });
    return [
      `medians of ${rounds} rounds; one request under way on each connection`,
      "",
      ...table(RATE_HEAD, rates),
      "",
      `what it costs at ${USUAL_CONNECTIONS} connections (user + system time of each thread; at full load)`,
      "",
      ...table(CPU_HEAD, cpuRows(usual)),
      "",
      `delay at half of the peak, open loop, ${USUAL_CONNECTIONS} connections`,
      "",
      ...table(DELAY_HEAD, delayRows(delays)),
    ];
  });
}

export async function measureRounds(
  path: OrderPath,
  rounds: number,
  round: Parameters<OrderPath["round"]>[0],
): Promise<Rounds> {
  for (let n = 0; n < rounds; n++) await path.round(round);
  return path.take();
}
