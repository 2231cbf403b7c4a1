/** The measurements at one time of a soak test, their table, and the check for growth. */
import type { RecordableHistogram } from "node:perf_hooks";
import { quantileMs, sumOf } from "@pricetime/testkit/delays";
import type { Window } from "./messages.ts";
import type { ServerState } from "./server-state.ts";

export interface Sample {
  /** Seconds since the start of the measured time. */
  readonly atSeconds: number;
  readonly rate: number;
  readonly window: Omit<Window, "delaysMs" | "readDelaysMs">;
  /** The delays of the window's orders. */
  readonly delays: RecordableHistogram;
  readonly readDelays: RecordableHistogram;
  readonly server: ServerState;
}

const ROWS = 12;
const SECONDS_AN_HOUR = 3600;

const cells = (values: readonly (string | number)[]): string =>
  values.map((value) => String(value).padStart(9)).join(" ");

const HEAD = cells([
  ...["minute", "target/s", "done/s", "p50 ms", "p99 ms", "p99.9 ms", "max ms", "backlog"],
  ...["rss MiB", "anon MiB", "heap MiB", "conns", "open", "lag"],
]);

/** About a dozen rows, each of all samples since the previous row. */
export function table(samples: readonly Sample[]): string[] {
  const size = Math.max(1, Math.ceil(samples.length / ROWS));
  const rows: string[] = [];
  for (let at = 0; at < samples.length; at += size) rows.push(row(samples.slice(at, at + size)));
  return [HEAD, ...rows];
}

export function row(samples: readonly Sample[]): string {
  const { atSeconds, rate, window, server } = samples.at(-1) as Sample;
  const delays = sumOf(samples.map((sample) => sample.delays));
  const answered = samples.reduce((sum, sample) => sum + sample.window.answered, 0);
  const seconds = samples.reduce((sum, sample) => sum + sample.window.seconds, 0);
  const most = (of: (sample: Sample) => number): number => Math.max(...samples.map(of));
  return cells([
    (atSeconds / 60).toFixed(1),
    Math.round(rate),
    Math.round(answered / seconds),
    ...[0.5, 0.99, 0.999].map((share) => quantileMs(delays, share).toFixed(1)),
    quantileMs(delays, 1).toFixed(0),
    Math.max(window.backlog, ...samples.map((sample) => sample.window.backlog)),
    server.rssMiB.toFixed(0),
    server.anonMiB.toFixed(0),
    server.heapMiB.toFixed(0),
    Math.min(...samples.map((sample) => sample.server.connections)),
    server.openOrders,
    most((sample) => sample.server.historyLag),
  ]);
}

export const heading = (): string => HEAD;

/** The growth per hour: a least-squares line through the second half of the samples. */
function slope(samples: readonly Sample[], value: (server: ServerState) => number): number {
  const half = samples.slice(Math.floor(samples.length / 2));
  const meanX = half.reduce((sum, { atSeconds }) => sum + atSeconds, 0) / half.length;
  const meanY = half.reduce((sum, { server }) => sum + value(server), 0) / half.length;
  let [above, below] = [0, 0];
  for (const { atSeconds, server } of half) {
    above += (atSeconds - meanX) * (value(server) - meanY);
    below += (atSeconds - meanX) ** 2;
  }
  return below === 0 ? 0 : (above / below) * SECONDS_AN_HOUR;
}

/** Memory: slopes over the second half. Delay: each third of the time separately. */
export function flatness(samples: readonly Sample[]): string[] {
  const parts = [
    ["rss", (server: ServerState) => server.rssMiB],
    ["anonymous", (server: ServerState) => server.anonMiB],
    ["heap of the main thread", (server: ServerState) => server.heapMiB],
    ["external", (server: ServerState) => server.externalMiB],
  ] as const;
  const memory = parts.map(([name, of]) => `${name} ${slope(samples, of).toFixed(1)}`).join(", ");
  const third = Math.ceil(samples.length / 3);
  const thirds = [0, 1, 2].map((at) => samples.slice(at * third, (at + 1) * third));
  const delays = (of: (sample: Sample) => RecordableHistogram, share: number): string =>
    thirds.map((part) => quantileMs(sumOf(part.map(of)), share).toFixed(1)).join(", ");
  return [
    `memory, MiB per hour over the second half: ${memory}`,
    `delay by thirds, ms: p50 ${delays((sample) => sample.delays, 0.5)}; p99 ${delays((sample) => sample.delays, 0.99)}; ` +
      `p99.9 ${delays((sample) => sample.delays, 0.999)}`,
    `history queries by thirds, ms: p50 ${delays((sample) => sample.readDelays, 0.5)}; ` +
      `p99 ${delays((sample) => sample.readDelays, 0.99)}`,
  ];
}
