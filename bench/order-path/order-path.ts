/**
 * Signed, durable orders over HTTP against the real program: resting LIMIT, filling LIMIT, cancel; at 1, 8, 64 and 512
 * connections, and at 64 with head and body sent separately, compared with an echo of the same bytes. Then the delay at
 * half of the peak.
 */
import { withOrderPath } from "./path.ts";
import { CPU_HEAD, cpuRows, DELAY_HEAD, delayRows, mixedRate, RATE_HEAD, rateRows } from "./report.ts";
import { type BenchOptions, table } from "../measure.ts";

const ROUNDS = 5;
const ACCOUNTS = 10;
const USUAL = { connections: 64, count: 12_000 };
const SETUPS = [
  { connections: 1, count: 1000 },
  { connections: 8, count: 6000 },
  { connections: 512, count: 12_000 },
];
const DELAY_ROUND_MS = 2000;

export async function run({ rounds = ROUNDS }: BenchOptions): Promise<string[]> {
  return withOrderPath(ACCOUNTS, async (path) => {
    const measured = async (round: Parameters<typeof path.round>[0]) => {
      for (let n = 0; n < rounds; n++) await path.round(round);
      return path.take();
    };
    const usual = await measured(USUAL);
    const rates = rateRows(USUAL.connections, usual);
    rates.push(...rateRows(`${USUAL.connections}, head and body apart`, await measured({ ...USUAL, apart: true })));
    for (const setup of SETUPS) rates.push(...rateRows(setup.connections, await measured(setup)));
    const perSecond = Math.round(mixedRate(usual) / 2);
    const count = Math.round((perSecond * DELAY_ROUND_MS) / 1000);
    const delays = await measured({ ...USUAL, count, perSecond });
    return [
      `medians of ${rounds} rounds; one request under way on each connection`,
      "",
      ...table(RATE_HEAD, rates),
      "",
      `what it costs at ${USUAL.connections} connections (user + system time of each thread; at full load)`,
      "",
      ...table(CPU_HEAD, cpuRows(usual)),
      "",
      `delay at half of the peak, open loop, ${USUAL.connections} connections`,
      "",
      ...table(DELAY_HEAD, delayRows(delays)),
    ];
  });
}
